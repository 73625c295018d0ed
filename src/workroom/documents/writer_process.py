"""Runs the child process of a writer: a document as JSON in, a file out. Writers load large libraries, or work long on long
texts, and none of that happens in this process: at most two at a time do it."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from workroom.core.waiting import to_its_end
from workroom.documents.workers.environment import environment

SECONDS = 60.0
_slots = asyncio.Semaphore(2)


class WriterFailed(Exception):
    """The child has made no file; the message is what it complained of."""


async def output_of(module: str, document: bytes, *arguments: str, seconds: float = SECONDS) -> bytes:
    """What the module, run as a program, writes. Its first two arguments are the seconds it may take and an empty folder of its
    own. Raises TimeoutError, WriterFailed."""
    async with _slots:
        with tempfile.TemporaryDirectory(prefix="workroom-writer-") as scratch:
            command = [sys.executable, "-P", "-m", module, str(seconds), scratch, *arguments]
            return await _output(command, document, seconds, Path(scratch))


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
    if child.returncode != 0:
        raise WriterFailed(complaint.decode(errors="replace").strip()[-300:])
    return output
