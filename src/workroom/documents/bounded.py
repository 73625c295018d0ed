"""A file wrapper with a limit on the size of a single read.

Archive libraries trust the sizes in headers and request that many bytes at once. Between them and the disk, this wrapper turns a
forged size into an error instead of a gigabyte of memory.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import TracebackType
from typing import IO, Self


class ReadTooLarge(Exception):
    """A single read asked for more bytes than the limit: the sizes in the file are forged."""


class BoundedFile(io.RawIOBase):
    """Reading and seeking in `inner`, at most `at_once` bytes per read, never beyond `in_all` from its beginning.

    `inner` may be a stream that unpacks: then `in_all` is the cap on what comes out of it, whatever its header says.
    """

    def __init__(self, inner: Path | IO[bytes], *, at_once: int, in_all: int | None = None) -> None:
        self._owns = isinstance(inner, Path)
        self._inner: IO[bytes] = inner.open("rb") if isinstance(inner, Path) else inner
        self._at_once = at_once
        self._in_all = in_all
        self.position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_END:
            self.position = self._inner.seek(offset, whence)
            return self.position
        target = offset if whence == os.SEEK_SET else self.position + offset
        if target < 0:
            raise ValueError("There is nothing before the beginning of a file.")
        self._check(target)
        self.position = self._inner.seek(target)
        return self.position

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            data = self._inner.read(self._at_once + 1)
            size = len(data)
        else:
            self._allow(size)
            data = self._inner.read(size)
        self._allow(size)
        self.position += len(data)
        self._check(self.position)
        return data

    def _allow(self, size: int) -> None:
        if size > self._at_once:
            raise ReadTooLarge(f"{size} bytes in one piece")

    def _check(self, position: int) -> None:
        if self._in_all is not None and position > self._in_all:
            raise ReadTooLarge(f"more than {self._in_all} bytes")

    def close(self) -> None:
        if self._owns and not self.closed:
            self._inner.close()
        super().close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
