"""`python -m workroom` is `workroom`."""

from workroom.cli import main

main()
