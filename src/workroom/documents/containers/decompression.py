"""Decompressing streams of GZ, BZ2 and XZ."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from pathlib import Path
from typing import IO, cast

GZIP, BZIP2, XZ = "application/gzip", "application/x-bzip2", "application/x-xz"
UNREADABLE = (zlib.error, lzma.LZMAError, EOFError, gzip.BadGzipFile)


def decompressed(path: Path, media_type: str) -> IO[bytes]:
    if media_type == GZIP:
        return cast(IO[bytes], gzip.open(path, "rb"))
    if media_type == BZIP2:
        return bz2.open(path, "rb")
    return lzma.open(path, "rb")


def is_disk_error(error: BaseException) -> bool:
    """Whether an OSError is the system's: bz2 raises one for damaged data, too, but without errno."""
    return isinstance(error, OSError) and error.errno is not None
