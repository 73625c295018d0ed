"""A file that is made for an answer, to be saved."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_STEM = 100


@dataclass(frozen=True)
class ExportedFile:
    name: str
    media_type: str
    content: bytes


def file_stem(title: str, otherwise: str = "") -> str:
    """The title as a file can be called, without the ending."""
    return " ".join(title.replace("/", " ").split())[:LONGEST_STEM] or otherwise
