"""Opens the content cache with its parser processes and scratch folder, and closes them with the server or worker."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from workroom.contents.content_cache import ContentCache
from workroom.contents.scratch import Scratch
from workroom.db import Database
from workroom.documents.workers.parsers import Parsers
from workroom.files.service import Files
from workroom.settings import Settings


@contextlib.asynccontextmanager
async def open_content_cache(
    settings: Settings, db: Database, files: Files, *, more: int = 0
) -> AsyncIterator[ContentCache]:
    """Processes start on first use. `more` processes are added for background work."""
    for_requests = settings.parser_processes
    parsers = Parsers(processes=for_requests + more, warm=for_requests, memory_mb=settings.parser_memory_mb)
    scratch = Scratch(settings.scratch)
    try:
        yield ContentCache(db, files, parsers, scratch)
    finally:
        await parsers.close()
        await scratch.close()
