"""What a provider learns of us with a request: its key, the name and version of the product, nothing of this machine.

The libraries of providers would describe the machine, and add an organisation, a project and whatever other headers the
environment names, at every provider. So every request is gone over before it leaves.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from workroom import __version__

AGENT = f"workroom/{__version__}"
# Local servers want no key, the libraries want one.
NO_KEY = "none"
# Of HTTP itself.
ORDINARY = frozenset({"host", "accept", "accept-encoding", "connection", "content-type", "content-length"})


def only(own: Mapping[str, str], *others: str) -> Callable[[Any], Awaitable[None]]:
    """A hook for an HTTP client: requests carry `own`, and of what else there is only `others` and the ordinary."""
    allowed = ORDINARY | set(others)

    async def send(request: Any) -> None:
        for name in [name for name in request.headers if name.lower() not in allowed]:
            del request.headers[name]
        request.headers.update({**own, "User-Agent": AGENT})

    return send
