"""Where bytes lie: one port, so that nothing above knows whether it is this machine's disk.

Content is named by mandate and SHA-256. It comes in through a draft, which may grow in several steps and over restarts,
and becomes content in one step, whole or not at all.
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
    """Some content of a mandate: equal content has an equal name there, and none that another mandate could know."""

    mandate_id: UUID
    hash: str
    size: int

    def __post_init__(self) -> None:
        if not _HASH.fullmatch(self.hash):
            raise ValueError("not a SHA-256")


class DraftCut(Exception):
    """A draft holds less than was counted on: `size` is what is left."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the draft has {size} bytes")
        self.size = size


class Draft(Protocol):
    """Content on its way in, held by nobody else at the same time."""

    async def append(self, at: int, chunks: AsyncIterable[bytes]) -> int:
        """Write from `at` on, forgetting what was there before; safe on disk when it answers with the new size.

        What cannot be written whole is not written at all. Raises StorageFull, and DraftCut when less than `at` is there.
        """
        ...

    async def digest(self) -> tuple[str, int]:
        """SHA-256 and size of what is there."""
        ...

    async def keep(self, blob: Blob) -> None:
        """The draft becomes this content, or goes if that is there already."""
        ...

    async def discard(self) -> None: ...


class BlobStore(Protocol):
    def draft(self, mandate_id: UUID, draft_id: UUID) -> AbstractAsyncContextManager[Draft]:
        """The draft of that id, empty if there was none. Raises UploadBusy when somebody holds it."""
        ...

    async def has(self, blob: Blob) -> bool: ...

    async def open(self, blob: Blob, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        """Its bytes from `start` to before `stop`, readable to the end even if it is deleted meanwhile.

        Raises ContentMissing here, not while it is read.
        """
        ...

    def local(self, blob: Blob) -> AbstractAsyncContextManager[Path]:
        """A file to read, for parsers that want one; only inside the block, and not to be written to."""
        ...

    async def delete(self, blob: Blob) -> None:
        """Whether it is there or not."""
        ...

    async def sweep_drafts(self, before: datetime) -> int:
        """Drafts nobody holds and nobody wrote to since then go."""
        ...
