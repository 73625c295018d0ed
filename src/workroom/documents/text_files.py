"""Reads text of unknown encoding. Invalid bytes are replaced by �."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from workroom.documents.errors import DamagedDocument
from workroom.documents.sniffing.encoding import encoding_of
from workroom.documents.types import SourceFile

_SAMPLE = 1 << 16
_CHUNK = 1 << 16
_LONGEST_LINE = 20_000


def open_text(source: SourceFile) -> TextIO:
    """Open a file as text; refuses binary data."""
    with source.path.open("rb") as file:
        sample = file.read(_SAMPLE)
        complete = not file.read(1)
    encoding = encoding_of(sample, complete=complete)
    if encoding is None:
        raise DamagedDocument(
            f"{source.name} is no text: it holds bytes that stand for no characters. Send it under its own name, "
            "or save it as text where it opens."
        )
    return source.path.open(encoding=encoding, errors="replace")


def decode(data: bytes, declared: str | None = None) -> str:
    """Decode by the declared encoding if it is valid, else by the detected one."""
    if declared:
        try:
            return data.decode(declared.strip())
        except (LookupError, ValueError):  # unknown, or wrong
            pass
    return data.decode(encoding_of(data[:_SAMPLE], complete=len(data) <= _SAMPLE) or "latin-1", "replace")


def lines(stream: TextIO, longest: int = _LONGEST_LINE) -> Iterator[str]:
    """With their ends. A line without end comes in parts: a file of one line must not fill the memory."""
    rest = ""
    while chunk := stream.read(_CHUNK):
        *whole, rest = (rest + chunk).split("\n")
        for line in whole:
            yield line + "\n"
        if len(rest) > longest:
            yield rest
            rest = ""
    if rest:
        yield rest
