"""Tool names that every provider accepts. Ours may contain dots (`context.getDocumentIndex`), theirs only [A-Za-z0-9_-]{1,64}.

A dot becomes two underscores, and back. The few names for which that would be ambiguous or too long (tools of foreign
MCP servers) get a readable stem and a hash; what stands behind a hash is found among the names of the same request.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from workroom.models.providers.arguments import clean

LONGEST = 64
LONGEST_INVENTED = 200
_ACCEPTED = re.compile(rf"[A-Za-z0-9_-]{{1,{LONGEST}}}")
# Three underscores never arise from dots in a name that is not hashed, so the two kinds cannot be taken for each other.
_HASHED = "___"


def to_wire(name: str) -> str:
    wire = name.replace(".", "__")
    if "__" not in name and _HASHED not in wire and _ACCEPTED.fullmatch(wire):
        return wire
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    stem = re.sub(r"[^A-Za-z0-9-]+", "_", name)[: LONGEST - len(_HASHED) - len(digest)]
    return f"{stem}{_HASHED}{digest}"


class WireNames:
    """The way back, for the tools a request speaks of."""

    def __init__(self, names: Iterable[str]) -> None:
        self._ours = {to_wire(name): name for name in names}

    def ours(self, wire: str) -> str:
        """Models also invent names: those come back as they would have been written, and are unknown to the registry."""
        known = self._ours.get(wire)
        if known is not None:
            return known
        invented = clean(wire)[:LONGEST_INVENTED]
        return invented if _HASHED in invented else invented.replace("__", ".")
