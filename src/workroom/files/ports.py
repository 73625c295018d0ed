"""The blob store port: where the bytes of files are kept, on disk or elsewhere.

A blob is named by mandate and SHA-256. It is written as a draft, which may grow in several steps and across restarts, and
becomes a blob atomically.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID

_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Blob:
    """Content of a mandate, addressed by its hash; blobs of other mandates are separate even if equal."""

    mandate_id: UUID
    hash: str
    size: int

    def __post_init__(self) -> None:
        if not _HASH.fullmatch(self.hash):
            raise ValueError("not a SHA-256")


class DraftCut(Exception):
    """A draft is shorter than the offset to append at: `size` is its real size."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the draft has {size} bytes")
        self.size = size


class Draft(Protocol):
    """Content being written, locked against other writers."""

    async def append(self, at: int, chunks: AsyncIterable[bytes]) -> int:
        """Truncate to `at`, write the chunks and return the new size once they are durable.

        All chunks are written or none. Raises StorageFull, and DraftCut when the draft is shorter than `at`.
        """
        ...

    async def digest(self) -> tuple[str, int]:
        """SHA-256 and size of the draft."""
        ...

    async def keep(self, blob: Blob) -> None:
        """Turn the draft into this blob, or drop the draft if the blob exists."""
        ...

    async def discard(self) -> None: ...


class BlobStore(Protocol):
    def draft(self, mandate_id: UUID, draft_id: UUID) -> AbstractAsyncContextManager[Draft]:
        """Open and lock the draft of that id, empty if there was none. Raises UploadBusy when it is locked."""
        ...

    async def has(self, blob: Blob) -> bool: ...

    async def open(self, blob: Blob, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        """Bytes from `start` to before `stop`, readable to the end even if the blob is deleted meanwhile.

        Raises ContentMissing here, not while it is read.
        """
        ...

    def local(self, blob: Blob) -> AbstractAsyncContextManager[Path]:
        """A read-only local file with the content, for parsers; valid inside the block."""
        ...

    async def delete(self, blob: Blob) -> None:
        """Delete the blob; no error if it does not exist."""
        ...

    async def sweep_drafts(self, before: datetime) -> int:
        """Delete unlocked drafts that were last written before `before`, and return how many."""
        ...
