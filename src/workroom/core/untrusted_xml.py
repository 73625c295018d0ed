"""How XML from strangers is read, wherever it comes from: no entities, no network, no endless trees."""

from __future__ import annotations

from typing import Any, Final

# For every parser of lxml that we make.
SAFELY: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "no_network": True,
    "huge_tree": False,
    "load_dtd": False,
    "remove_comments": True,
    "remove_pis": True,
}


def local_name(element: Any) -> str:
    """Without its namespace: strict and transitional office files differ in nothing else."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
