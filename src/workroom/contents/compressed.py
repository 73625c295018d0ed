"""One compressed file (GZ, BZ2, XZ) has no name for what is in it: that comes from its own name, which is its owner's. So the
index knows it by a name that no archive has for its members, and people see it under the name of their file."""

from __future__ import annotations

from workroom.core.paths import safe_name
from workroom.documents.containers.compressed_file import inner_name
from workroom.documents.containers.decompression import BZIP2, GZIP, XZ

KEPT_AS = "content-without-a-name"
NAMELESS = f"{KEPT_AS}.gz"
_COMPRESSED = frozenset({GZIP, BZIP2, XZ})


def is_compressed(media_type: str) -> bool:
    return media_type in _COMPRESSED


def shown(name: str, media_type: str, path: str) -> str:
    """What a member is called in a container of that name."""
    return safe_name(inner_name(name)) if is_compressed(media_type) and path == KEPT_AS else path


def kept(name: str, media_type: str, inside: str) -> str:
    """The other way: as the index calls it."""
    first, slash, rest = inside.partition("/")
    if is_compressed(media_type) and first == safe_name(inner_name(name)):
        return KEPT_AS + slash + rest
    return inside
