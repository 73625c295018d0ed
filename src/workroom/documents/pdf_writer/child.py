"""The program of the child: reads a document as JSON from its input, writes the PDF to its output, and ends.

It has no network, may not use more than its share of memory and time, and its only files are those beside it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from workroom.documents.markdown_blocks import blocks_of, printable
from workroom.documents.pdf_writer.line_breaks import breakable, with_breaks
from workroom.documents.workers import sandbox

MEMORY_MB = 2_048  # address space: the fonts and the library are mapped
HERE = Path(__file__).parent


def main() -> None:
    import typst

    seconds, root, template = float(sys.argv[1]), sys.argv[2], sys.argv[3]
    sandbox.apply_limits(MEMORY_MB)
    sandbox.allow_seconds(seconds)
    document = _prepared(json.load(sys.stdin.buffer))
    document["title"] = document["title"] or "–"
    source = b"\n".join((HERE / f"{name}.typ").read_bytes() for name in ("blocks", template))
    inputs = {"document": json.dumps(document, ensure_ascii=False)}
    made = typst.Compiler(root=root, sys_inputs=inputs).compile(source, format="pdf")
    assert isinstance(made, bytes)
    sys.stdout.buffer.write(made)


def _prepared(value: Any) -> Any:
    """Markdown as blocks, other texts as they can be printed."""
    match value:
        case str():
            return breakable(printable(value))
        case list():
            return [_prepared(item) for item in value]
        case dict() if "markdown" in value:
            blocks = with_breaks(blocks_of(value["markdown"]))
            return {key: _prepared(item) for key, item in value.items() if key != "markdown"} | {"blocks": blocks}
        case dict():
            return {key: _prepared(item) for key, item in value.items()}
        case _:
            return value


if __name__ == "__main__":
    main()
