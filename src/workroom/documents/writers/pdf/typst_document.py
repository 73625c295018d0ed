"""Typesets a document with typst. Everything that people or models wrote reaches it as data: a string is shown, never read as
markup, and its only files are the pictures of the document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from workroom.documents.writers.charts import DRAW, with_drawings
from workroom.documents.writers.markdown_blocks import Block, blocks_of, printable
from workroom.documents.writers.pdf.line_breaks import breakable, with_breaks
from workroom.documents.writers.pictures import picture
from workroom.documents.writers.text_tables import require_fitting
from workroom.documents.writers.words import WORDS

TYPST_MB = 2_048  # address space: the fonts and the library are mapped
HERE = Path(__file__).parent


def typeset(template: str, values: Mapping[str, Any], pictures: Mapping[str, bytes], scratch: Path) -> bytes:
    """`values` are those that the template shows; Markdown in them becomes blocks."""
    import typst

    document = _prepared(dict(values), values["language"])
    document["name"] = document["title"] or "–"  # the file has to have one
    document["words"] = vars(WORDS[document["language"]])
    _place_pictures(document, pictures, scratch)
    draw_chart = b"#let draw-chart = " + DRAW.read_bytes()
    source = b"\n".join([draw_chart, *((HERE / f"{name}.typ").read_bytes() for name in ("blocks", template))])
    inputs = {"document": json.dumps(document, ensure_ascii=False)}
    made = typst.Compiler(root=str(scratch), sys_inputs=inputs).compile(source, format="pdf")
    assert isinstance(made, bytes)
    return made


def _prepared(value: Any, language: str) -> Any:
    """Markdown as blocks, other texts as they can be printed."""
    match value:
        case str():
            return breakable(printable(value))
        case list():
            return [_prepared(item, language) for item in value]
        case dict() if "markdown" in value:
            blocks = with_breaks(with_drawings(blocks_of(value["markdown"]), language))
            return {key: _prepared(item, language) for key, item in value.items() if key != "markdown"} | {
                "blocks": blocks
            }
        case dict():
            return {key: _prepared(item, language) for key, item in value.items()}
        case _:
            return value


def _place_pictures(document: Mapping[str, Any], pictures: Mapping[str, bytes], scratch: Path) -> None:
    """Pictures as files that typst finds, and in their blocks where and how large they are."""
    placed: dict[str, Mapping[str, Any]] = {}
    for block in _blocks_in(document):
        if block["kind"] == "table":
            require_fitting(block)
            continue
        source = block["source"]
        if source not in placed:
            placed[source] = _placed(pictures.get(source), scratch, len(placed))
        block.update(placed[source])


def _placed(data: bytes | None, scratch: Path, number: int) -> Mapping[str, Any]:
    found = picture(data) if data else None
    if found is None:
        return {"path": ""}
    name = f"picture-{number}.{found.extension}"
    (scratch / name).write_bytes(found.data)
    return {"path": f"/{name}", "width": found.width, "height": found.height}


def _blocks_in(value: Any) -> Iterator[Block]:
    """All blocks of a document, also those in lists and quotations; without recursion, in no order."""
    pending = [value]
    while pending:
        match pending.pop():
            case dict() as mapping:
                if mapping.get("kind") in ("image", "table"):
                    yield mapping
                if mapping.get("kind") != "table":
                    pending += mapping.values()
            case list() as items:
                pending += items
