"""The program of the child: reads a document as JSON from its input, writes the PDF to its output, and ends.

It has no network, may not use more than its share of memory and time, and its only file is `document.typ`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from workroom.documents.pdf_writer.markdown_blocks import blocks_of, printable
from workroom.documents.workers import sandbox

MEMORY_MB = 2_048  # address space: the fonts and the library are mapped
TEMPLATE = Path(__file__).with_name("document.typ")


def main() -> None:
    import typst

    seconds, root = float(sys.argv[1]), sys.argv[2]
    sandbox.apply_limits(MEMORY_MB)
    sandbox.allow_seconds(seconds)
    document = json.load(sys.stdin.buffer)
    for entry in document["entries"]:
        entry["blocks"] = blocks_of(entry.pop("markdown"))
        for name in ("lines", "sources"):
            entry[name] = [printable(text) for text in entry[name]]
        entry["speaker"] = printable(entry["speaker"])
    document["title"] = printable(document["title"]) or "–"
    inputs = {"document": json.dumps(document, ensure_ascii=False)}
    made = typst.Compiler(root=root, sys_inputs=inputs).compile(TEMPLATE.read_bytes(), format="pdf")
    assert isinstance(made, bytes)
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main()
