"""The program of the child: reads a document as JSON from its input, writes the file to its output, and ends.

Arguments: the writer, the seconds it may take, an empty folder of its own. It has no network, and may not use more than its share
of memory and time.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Protocol

from workroom.documents.errors import DocumentError
from workroom.documents.workers import sandbox

REFUSED = 3  # exit code: the error output says, for people, what is wrong with the document
WRITERS = {
    "docx": "docx.writer",
    "pdf": "pdf.report",
    "pptx": "pptx.writer",
    "xlsx": "xlsx.writer",
    "csv": "csv",
    "html": "html.writer",
    "md": "markdown",
    "conversation": "pdf.conversation",
}


class Writer(Protocol):
    """A module of a writer. `MEMORY_MB` is how much address space it may use."""

    MEMORY_MB: int

    def written(self, document: bytes, scratch: Path) -> bytes: ...


def main() -> None:
    name, seconds, scratch = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
    writer: Writer = import_module(f"workroom.documents.writers.{WRITERS[name]}")
    sandbox.apply_limits(writer.MEMORY_MB)
    sandbox.allow_seconds(seconds)
    try:
        file = writer.written(sys.stdin.buffer.read(), scratch)
    except DocumentError as error:
        sys.stderr.write(str(error))
        sys.exit(REFUSED)
    sys.stdout.buffer.write(file)


if __name__ == "__main__":
    main()
