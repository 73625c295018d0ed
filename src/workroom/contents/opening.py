"""What reads contents, with the processes and the scratch folder it needs; opened and closed with its process."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from workroom.contents.reading import ContentReader
from workroom.contents.scratch import Scratch
from workroom.db import Database
from workroom.documents.workers.parsers import Parsers
from workroom.files.service import Files
from workroom.settings import Settings


@contextlib.asynccontextmanager
async def open_reader(settings: Settings, db: Database, files: Files, *, more: int = 0) -> AsyncIterator[ContentReader]:
    """No process is started before somebody asks for something. `more` processes are for what goes on in the background."""
    people = settings.parser_processes
    parsers = Parsers(processes=people + more, warm=people, memory_mb=settings.parser_memory_mb)
    scratch = Scratch(settings.scratch)
    try:
        yield ContentReader(db, files, parsers, scratch)
    finally:
        await parsers.close()
        await scratch.close()
