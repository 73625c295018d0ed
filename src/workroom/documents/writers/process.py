"""Runs the child process of a writer: a document as JSON in, a file out. Writers load large libraries, or work long on long
texts, and none of that happens in this process: at most two at a time do it."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from workroom.core.errors import InvalidInput, WorkroomError
from workroom.core.waiting import to_its_end
from workroom.core.wire import Wire
from workroom.documents.workers.environment import environment
from workroom.documents.writers.child import REFUSED

log = logging.getLogger(__name__)

CHILD = "workroom.documents.writers.child"
SECONDS = 60.0
_slots = asyncio.Semaphore(2)


class DocumentNotMade(WorkroomError):
    """No file could be made of the text. Choose another format, or make it shorter."""

    code = "documentNotMade"
    status = 422


async def made(writer: str, document: Wire, seconds: float = SECONDS) -> bytes:
    """The file that this writer makes of the document. Raises DocumentNotMade, and InvalidInput for what is wrong with it."""
    async with _slots:
        with tempfile.TemporaryDirectory(prefix="workroom-writer-") as scratch:
            command = [sys.executable, "-P", "-m", CHILD, writer, str(seconds), scratch]
            try:
                given = await asyncio.to_thread(
                    lambda: document.model_dump_json().encode()
                )  # pictures of many megabytes
                return await _output(command, given, seconds, Path(scratch))
            except TimeoutError:
                raise DocumentNotMade(
                    "Making the file takes too long. Choose another format, or make the text shorter."
                ) from None


async def _output(command: Sequence[str], document: bytes, seconds: float, scratch: Path) -> bytes:
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
            output, complaint = await child.communicate(document)
    finally:
        if child.returncode is None:
            child.kill()
            await to_its_end(child.wait())
    words = complaint.decode(errors="replace").strip()
    if child.returncode == REFUSED:
        raise InvalidInput(words)
    if child.returncode != 0:
        log.warning("a document could not be made", extra={"writer": command[4], "cause": words[-300:]})
        raise DocumentNotMade("No file could be made of the text. Choose another format, or make it shorter.")
    return output
