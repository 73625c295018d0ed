"""Makes a PDF in a child process: at most two at a time, each within a minute. Their library is large and never loaded here."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from workroom.core.errors import WorkroomError
from workroom.core.waiting import to_its_end
from workroom.core.wire import Wire
from workroom.documents.workers.environment import environment

log = logging.getLogger(__name__)

SECONDS = 60.0
_slots = asyncio.Semaphore(2)


class PdfFailed(WorkroomError):
    """No PDF could be made of it. Export it as Markdown instead."""

    code = "pdfFailed"
    status = 422


class PdfEntry(Wire):
    """Who said what, when. `lines` are shown as they are, one by one; `asked`: set off from the answers."""

    speaker: str
    at: str
    markdown: str
    lines: Sequence[str] = ()
    sources: Sequence[str] = ()
    asked: bool = False


class PdfDocument(Wire):
    """`sources` is the heading above the sources of an entry."""

    title: str
    subtitle: str
    language: str
    sources: str
    entries: Sequence[PdfEntry]


async def pdf_of(document: PdfDocument, seconds: float = SECONDS) -> bytes:
    async with _slots:
        with tempfile.TemporaryDirectory(prefix="workroom-pdf-") as scratch:
            return await _made(document.model_dump_json().encode(), seconds, Path(scratch))


async def _made(document: bytes, seconds: float, scratch: Path) -> bytes:
    command = [sys.executable, "-P", "-m", "workroom.documents.pdf_writer.child", str(seconds), str(scratch)]
    child = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(scratch),
        cwd=scratch,
    )
    try:
        async with asyncio.timeout(seconds):
            made, complaint = await child.communicate(document)
    except TimeoutError:
        raise PdfFailed("Making the PDF takes too long. Export it as Markdown instead.") from None
    finally:
        if child.returncode is None:
            child.kill()
            await to_its_end(child.wait())
    if child.returncode != 0 or not made.startswith(b"%PDF"):
        log.warning("a PDF could not be made", extra={"cause": complaint.decode(errors="replace").strip()[-300:]})
        raise PdfFailed("No PDF could be made of it. Export it as Markdown instead.")
    return made
