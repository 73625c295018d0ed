"""`workroom worker`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from workroom.cli.command_runner import load, run


def worker(
    data: Annotated[Path | None, typer.Option(help="Data folder [WORKROOM_DATA].")] = None,
    child: Annotated[bool, typer.Option("--child", hidden=True, help="Started by serve; ends with it.")] = False,
) -> None:
    """Take background jobs. `serve` starts one by itself; start more, on any machine, for more work at once."""
    settings = load(data=data)

    from workroom.worker import work

    run(work(settings, child=child))
