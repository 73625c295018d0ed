"""What a provider learns of us with a request: the name and version of the product, and nothing of this machine.

The libraries of providers would describe the machine, and add whatever headers the environment names.
"""

from __future__ import annotations

from workroom import __version__

AGENT = f"workroom/{__version__}"
PLAIN = {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": AGENT}
# Local servers want no key, the libraries want one.
NO_KEY = "none"
