"""JSON: pretty, in slices along its top level. JSON Lines, one value per line, is streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.passages import PASSAGE, passages, structure_of
from workroom.documents.section_numbers import MAX_SECTIONS, SectionHeading, is_wanted, sections_of
from workroom.documents.text_blocks import text_blocks
from workroom.documents.text_files import lines, open_text
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure

MAX_BYTES = 64 << 20  # of one value: parsed, it takes several times as much
_LINES_TYPES = frozenset({"application/jsonl", "application/x-ndjson", "application/x-jsonlines"})
_DEEPEST = 100  # levels that are indented; below, the value stays on one line


class JsonExtractor:
    media_types = frozenset({"application/json", "text/json", "application/geo+json"}) | _LINES_TYPES

    def scan(self, source: SourceFile) -> Structure:
        value = _value(source)
        if isinstance(value, _Text):
            with open_text(source) as stream:
                structure = structure_of("json", text_blocks(lines(stream)), notes=[value.why])
            return structure.model_copy(update={"sections": [], "toc": []})
        if isinstance(value, _Lines):
            with open_text(source) as stream:
                return Structure(kind="json", counts={"items": sum(1 for line in lines(stream) if line.strip())})
        headings = [SectionHeading(name, 1, number) for number, name in enumerate(_names(value), start=1)]
        counts = {"items": len(value)} if isinstance(value, list | dict) else {}
        properties = {"is": type(value).__name__}
        return Structure(
            kind="json", sections=sections_of(headings, len(headings)), counts=counts, properties=properties
        )

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        objects = ObjectBuilder(source)
        value = _value(source)
        if isinstance(value, dict):
            yield from _keys(objects, value, wanted)
        elif not wanted.everything:
            return
        elif isinstance(value, list):
            yield from _items(objects, (_pretty(item) for item in value))
        elif isinstance(value, _Lines):
            with open_text(source) as stream:
                yield from _items(objects, (line.strip() for line in lines(stream) if line.strip()))
        elif isinstance(value, _Text):
            with open_text(source) as stream:
                plain = (replace(block, kind="text") for block in text_blocks(lines(stream)))
                yield from passages(objects, plain, wanted, "lines")
        else:
            yield from objects.text(_pretty(value), "value")

    def element(self, source: SourceFile, location: str) -> Element:
        raise NotFound("A JSON file holds nothing but text.")


EXTRACTOR = JsonExtractor()


class _Lines:
    """Says that the file is JSON Lines."""


@dataclass(frozen=True)
class _Text:
    """Says that the file can only be read as text."""

    why: str


def _value(source: SourceFile) -> Any:
    size = source.path.stat().st_size
    if source.media_type in _LINES_TYPES or _has_values_on_lines(source):
        return _Lines()
    if size > MAX_BYTES:
        return _Text(
            f"This JSON has {size >> 20} MB. It is shown as text; up to {MAX_BYTES >> 20} MB its parts are told apart."
        )
    with open_text(source) as stream:
        text = stream.read()
    try:
        return json.loads(text.lstrip("\ufeff"))
    except RecursionError:
        return _Text("This JSON is nested so deeply that it is shown as text.")
    except ValueError as error:
        return _Text(f"This is not complete JSON ({error}). It is shown as text.")


def _keys(objects: ObjectBuilder, value: dict[str, Any], wanted: ExtractionScope) -> Iterator[ContentObject]:
    """One by one as far as they are sections; the others stand together, as the items of a list do."""
    for number, (name, inner) in enumerate(islice(value.items(), MAX_SECTIONS), start=1):
        id_ = f"s{number}"
        if wanted.everything or is_wanted(id_, wanted.sections):
            yield from objects.text(_entry(name, inner), f"key:{name}", label=name, section_id=id_)
    if wanted.everything:
        others = islice(value.items(), MAX_SECTIONS, None)
        yield from _items(objects, (_entry(*entry) for entry in others), "keys", MAX_SECTIONS + 1)


def _entry(name: str, inner: Any) -> str:
    return f"{json.dumps(name, ensure_ascii=False)}: {_pretty(inner)}"


def _has_values_on_lines(source: SourceFile) -> bool:
    """At least two lines, and the first two are values by themselves."""
    with open_text(source) as stream:
        first = [line for line in islice(lines(stream), 5) if line.strip()][:2]
    return len(first) == 2 and all(_is_object(line) for line in first)


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value


def _pretty(value: Any) -> str:
    compact = json.dumps(value, ensure_ascii=False)
    return compact if _depth(compact) > _DEEPEST else json.dumps(value, ensure_ascii=False, indent=2)


def _depth(compact: str) -> int:
    """An upper bound, brackets in strings included."""
    if compact.count("[") + compact.count("{") <= _DEEPEST:
        return 0
    depth = deepest = 0
    for char in compact:
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _items(
    objects: ObjectBuilder, texts: Iterator[str], unit: str = "items", start: int = 1
) -> Iterator[ContentObject]:
    """Numbered from `start`."""
    pending: list[str] = []
    first = size = 0
    for number, text in enumerate(texts, start):
        if pending and size + len(text) > PASSAGE:
            yield from objects.text(
                "\n".join(pending), f"{unit}:{first}-{number - 1}", metadata={"items": len(pending)}
            )
            pending, size = [], 0
        if not pending:
            first = number
        pending.append(text)
        size += len(text)
    if pending:
        last = first + len(pending) - 1
        yield from objects.text("\n".join(pending), f"{unit}:{first}-{last}", metadata={"items": len(pending)})
