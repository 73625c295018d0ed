"""The one place that makes file-system paths from parts someone else chose: uploads, archives, connectors, models.

`relative_path` reads a path strictly, `safe_join` puts it below a folder of ours, `safe_name` makes a usable file name
of any text. Nothing is decoded: `%2e%2e%2f` is a strange name, and stays one.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath

from workroom.core.errors import InvalidInput

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 4096
_MAX_EXTENSION_BYTES = 32
_UNNAMED = "unnamed"
_DRIVE = re.compile(r"[A-Za-z]:")
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE | re.DOTALL
)
_ENDS = re.compile(r"\A[\s.]+|[\s.]+\Z")
_FORBIDDEN = re.compile(r'[/\\<>:"|?*]')
# They turn the reading direction, so that a name looks as if it had another ending, or they cannot be seen at all.
DECEPTIVE = frozenset("\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff")
NO_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})


class UnsafePath(InvalidInput):
    code = "unsafePath"


def safe_join(base: Path, *parts: str) -> Path:
    """The path of `parts` strictly inside `base`, links resolved; `base` is ours, the parts need not be.

    What lies on the disk now is what is checked: a process that may write into `base` could still put a link there later.
    """
    root = base.resolve()
    inside = [segment for part in parts for segment in relative_path(part).parts]
    try:
        path = root.joinpath(*inside).resolve()
    except (OSError, RuntimeError, ValueError):  # too long for the disk, or links in a circle
        raise UnsafePath("This path cannot be used here. Choose a shorter or simpler one.") from None
    if path == root or not path.is_relative_to(root):
        raise UnsafePath("This path leads out of its folder.")
    return path


def relative_path(text: str) -> PurePosixPath:
    """A path as archives write it: relative, with forward slashes, going down only."""
    if not text or any(unicodedata.category(char) in NO_TEXT for char in text):
        raise UnsafePath("A path must not be empty or contain control characters.")
    if "\\" in text:
        raise UnsafePath("A path must use forward slashes.")
    if text.startswith("/"):
        raise UnsafePath("A path must be relative, without a slash at the beginning.")
    if len(text.encode()) > MAX_PATH_BYTES:
        raise UnsafePath(f"A path must not be longer than {MAX_PATH_BYTES} bytes.")
    path = PurePosixPath(text)
    if not path.parts:
        raise UnsafePath("A path must name something.")
    for segment in path.parts:
        _check_segment(segment)
    return path


def safe_name(name: str) -> str:
    """A file name for `name` that every system takes: at most 255 bytes, its extension kept, never empty."""
    text = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", name))
    text = "".join(char for char in text if unicodedata.category(char) not in NO_TEXT and char not in DECEPTIVE)
    # Again, since what was taken out may have kept a letter and its accent apart.
    text = _shortened(_ENDS.sub("", unicodedata.normalize("NFC", text)))
    if _RESERVED.fullmatch(text):
        text = _shortened(f"_{text}")
    return text or _UNNAMED


def _check_segment(segment: str) -> None:
    # Windows ignores dots and spaces at the end, so there ".. " and "..." are ways up as well.
    if not segment.strip(". "):
        raise UnsafePath("A path must not contain steps upwards.")
    if _DRIVE.match(segment):
        raise UnsafePath("A path must not name a drive.")
    if len(segment.encode()) > MAX_NAME_BYTES:
        raise UnsafePath(f"No part of a path may be longer than {MAX_NAME_BYTES} bytes.")


def _shortened(text: str) -> str:
    if len(text.encode()) <= MAX_NAME_BYTES:
        return text
    stem, dot, ending = text.rpartition(".")
    extension = f"{dot}{ending}"
    if not stem or len(extension.encode()) > _MAX_EXTENSION_BYTES:
        stem, extension = text, ""
    room = MAX_NAME_BYTES - len(extension.encode())
    return _ENDS.sub("", stem.encode()[:room].decode(errors="ignore")) + extension
