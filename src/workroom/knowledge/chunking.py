"""From content objects to passages of about 512 tokens: along pages and sections, never across them, so that a citation can
name its place. Small neighbours are put together, long ones are cut where sentences end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from workroom.core.tokens import estimate
from workroom.documents.types import ContentObject, ContentType, ContextRef
from workroom.knowledge.types import Chunk

TOKENS = 512
LEAST = 40  # tokens of a rest that is rather put to its neighbour
_ENDS = re.compile(r"(?<=[.!?。！？;；:：])\s+|(?<=[。！？；])|\n+")


def chunked(objects: Iterable[ContentObject], inside: str = "") -> Iterator[Chunk]:
    """Only text is cut into passages. What a picture shows is known by its caption."""
    held: list[ContentObject] = []
    tokens = 0
    for object in objects:
        text = _text(object)
        if not text:
            continue
        size = estimate(text)
        if held and (_elsewhere(held[-1], object) or tokens + size > TOKENS):
            yield from _passages(held, inside)
            held, tokens = [], 0
        held.append(object)
        tokens += size
    if held:
        yield from _passages(held, inside)


def _passages(objects: list[ContentObject], inside: str) -> Iterator[Chunk]:
    first = objects[0].ref
    if _is_recognised(objects[0]):
        first = first.model_copy(update={"recognised": True})
    for piece in _cut("\n\n".join(_text(object) for object in objects), _header(objects[0])):
        yield Chunk(piece, first, estimate(piece), inside)


def _cut(text: str, header: str) -> Iterator[str]:
    """At most TOKENS each, `header` repeated: rows of a table mean little without its head."""
    if estimate(text) <= TOKENS:
        yield text
        return
    room = TOKENS - estimate(header)
    held, tokens = list[str](), 0
    for sentence in _sentences(text, room):
        size = estimate(sentence)
        if held and tokens + size > room:
            yield header + "".join(held).strip()
            held, tokens = [], 0
        held.append(sentence)
        tokens += size
    rest = "".join(held).strip()
    if rest and rest != header.strip():
        yield header + rest


def _sentences(text: str, room: int) -> Iterator[str]:
    """With the space after them; what has no end for too long is cut anyway."""
    start = 0
    for end in [found.end() for found in _ENDS.finditer(text)] + [len(text)]:
        sentence = text[start:end]
        start = end
        while estimate(sentence) > room:
            cut = _fitting(sentence, room)
            yield sentence[:cut]
            sentence = sentence[cut:]
        if sentence:
            yield sentence


def _fitting(text: str, room: int) -> int:
    """How many characters of a long text fit; at a space if there is one."""
    cut = min(len(text), room * 4)
    while cut > 1 and estimate(text[:cut]) > room:
        cut = cut * 3 // 4
    space = text.rfind(" ", cut // 2, cut)
    return space + 1 if space > 0 else max(cut, 1)


def _header(object: ContentObject) -> str:
    """The head of a table, which its later pieces begin with, too."""
    if not object.metadata.get("table"):
        return ""
    lines = object.text.split("\n", 2)
    header = "\n".join(lines[:2]) + "\n" if len(lines) > 2 else ""
    return header if estimate(header) < TOKENS // 4 else ""


def _text(object: ContentObject) -> str:
    if object.content_type is ContentType.TEXT:
        return object.text.strip()
    return (object.ref.label or "").strip()


def _elsewhere(before: ContentObject, after: ContentObject) -> bool:
    """On another page, slide, sheet or in another section; a table stands for itself, and so does what was recognised."""
    if _is_recognised(before) != _is_recognised(after):
        return True
    return _place(before.ref) != _place(after.ref) or bool(before.metadata.get("table")) != bool(
        after.metadata.get("table")
    )


def _is_recognised(object: ContentObject) -> bool:
    return bool(object.metadata.get("recognised"))


def _place(ref: ContextRef) -> tuple[object, ...]:
    return ref.page_index, ref.slide_index, ref.sheet_name, ref.section_id
