"""What was read for a question, quoted: tables as tables cut to the rows that matter, mails with who wrote them, texts as the
sentences that answer with a little before and after them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workroom.core.messages import MaterialPart
from workroom.core.sources import citation, unmarked
from workroom.models.embedded import mails, tables
from workroom.models.embedded.language import Language
from workroom.models.embedded.model_notes import without_notes
from workroom.models.embedded.outline_words import outline_words
from workroom.models.embedded.places import SOURCE_LINE, by_name, place_heading
from workroom.models.embedded.query_terms import QueryTerms

LONGEST_TEXT = 8_000
LONGEST_OF_MANY = 1_500
LONGEST_TITLE = 80  # of a line that may be what a table is called
MOST_QUOTED = 5
MOST_TOUCHED = 3  # texts and tables that what is marked reaches over
BESIDE = 160  # characters before and after what answers a question
SHORT_LINE = 40  # a longer one is only as wide as the page
ITEM = re.compile(r"\s*(?:[-*+•>#|]|\d{1,3}[.)]\s)")
BULLET = re.compile(r"> *- ")
SENTENCE = re.compile(r"(?<=[.!?…:])\s+|(?<=[。！？])|\n\s*\n")


def quoted(materials: Sequence[MaterialPart], question: str, language: Language) -> str:
    """Each with where it is from; as a quotation, so that it is not taken for our words."""
    shown = materials[:MOST_QUOTED]
    length = LONGEST_TEXT if len(shown) == 1 else LONGEST_OF_MANY
    terms = QueryTerms.of(question, language)
    return "\n\n".join(
        f"{_head(part, language)}\n\n{_quotation(_for_people(part, terms, length, language), part.kind)}"
        for part in shown
    )


def answering(materials: Sequence[MaterialPart]) -> Sequence[MaterialPart]:
    """Without what documents are made of, where passages of them come before it: then it was not asked for."""
    quotes = any(part.found and part.kind == "text" for part in materials)
    return [*filter(_is_text, materials)] if quotes and _is_text(materials[0]) else materials


def _is_text(part: MaterialPart) -> bool:
    return part.kind in ("text", "note")


def _head(part: MaterialPart, language: Language) -> str:
    """Where it is from, with the mark a reader may click."""
    marks = [part.mark] if part.mark else [source.mark for source in part.sources[:1]]
    return f"{place_heading(part.place, language)} {citation(marks)}".rstrip()


def _for_people(part: MaterialPart, terms: QueryTerms, length: int, language: Language) -> str:
    """Without what is said to models: where a quotation begins, and which tool reads on."""
    if part.found and part.kind == "text":
        return _passage(part, terms, length, language)
    if part.kind != "text":
        return _cut(outline_words(part.text, language), length)
    places = {source.mark: source.place for source in part.sources}
    lines = list[str]()
    for line in without_notes(part.text, language).split("\n"):
        match = SOURCE_LINE.fullmatch(line.strip())
        if match is None or match[1] not in places:
            lines.append(line)
        elif places[match[1]] != part.place:
            lines += [place_heading(by_name(places[match[1]]), language), ""]
    return _cut("\n".join(lines), length)


def _passage(part: MaterialPart, terms: QueryTerms, length: int, language: Language) -> str:
    """Of a passage that was found what answers the question. All that is marked where it opens is among it."""
    quote = unmarked((part.opens and part.opens.quote) or "")
    headers, text = mails.split(part.text)
    if headers and (quote in (body := mails.without_trail(text)) or quote not in text):
        text = body
    blocks = list(tables.blocks(text))
    at = max(text.find(quote), 0)
    marked = text[at : at + len(quote)] == quote
    touched = [n for n, (_, start, end) in enumerate(blocks) if start < at + max(len(quote), 1) and at < end][
        :MOST_TOUCHED
    ]
    if len(touched) == 1 and touched[0] + 1 < len(blocks) and _is_title(text[at : blocks[touched[0]][2]]):
        touched = [touched[0] + 1]
    said = list[str]()
    for here in touched:
        is_table, start, end = blocks[here]
        own = text[max(at, start) : min(at + len(quote), end)] if marked else quote
        if is_table:
            said.append(_table(text, blocks, here, terms, own, titled=here - 1 not in touched))
        else:
            said.append(_lines(_cut(_around(text[start:end], own.strip()), length)))
    told = mails.head(headers, language, part.label)
    return "\n\n".join(filter(None, [told, *said]))


def _table(
    text: str, blocks: Sequence[tuple[bool, int, int]], here: int, terms: QueryTerms, quote: str, *, titled: bool
) -> str:
    """With the rows that later pieces of the passage have of the same table, and with the line above it."""
    found = [tables.read(text[start:end].strip().split("\n")) for is_table, start, end in blocks if is_table]
    table = found.pop(sum(is_table for is_table, _, _ in blocks[:here]))
    for other in found:
        table = table.with_rows(other.rows) if other.heads == table.heads else table
    above = text[blocks[here - 1][1] : blocks[here - 1][2]].strip().rpartition("\n")[2] if here and titled else ""
    title = above if _is_title(above) else ""
    return "\n\n".join(filter(None, [title, tables.cut(table, terms, quote)]))


def _is_title(text: str) -> bool:
    """Of the table it stands above."""
    return len(text.strip()) <= LONGEST_TITLE and "\n" not in text.strip() and not tables.is_row(text)


def _around(text: str, quote: str) -> str:
    """Whole sentences where there are any, whole words otherwise."""
    at = text.find(quote) if quote else -1
    quote, at = (quote, at) if at >= 0 else ("", 0)
    start, end = max(0, at - BESIDE), min(len(text), at + max(len(quote), BESIDE) + BESIDE)
    before, after = text[start:at], text[at + len(quote) : end]
    if start:
        begun = SENTENCE.search(before)
        before = before[begun.end() :] if begun else before.partition(" ")[2]
    if end < len(text):
        ends = [found.start() for found in SENTENCE.finditer(after)]
        after = after[: ends[-1]] if ends else after.rpartition(" ")[0]
    return f"{'… ' if start else ''}{before}{quote}{after}{' …' if end < len(text) else ''}"


def _lines(text: str) -> str:
    """Paragraphs stay paragraphs, and short lines are lines: an address, a list, verses."""
    lines = re.sub(r"\n\s*\n", "\n\n", text.strip()).split("\n")
    following = [*lines[1:], ""]
    return "\n".join(
        f"{line}\\" if after and 0 < len(line) < SHORT_LINE and not (ITEM.match(line) or ITEM.match(after)) else line
        for line, after in zip(lines, following, strict=True)
    )


def _quotation(text: str, kind: str) -> str:
    """Lines of an outline or a list stay lines."""
    lines = [f"> {line}".rstrip() for line in text.strip().split("\n")]
    if kind == "text":
        return "\n".join(lines)
    return "".join(f"{line}{_line_end(line, after)}" for line, after in zip(lines, [*lines[1:], ""], strict=True))


def _line_end(line: str, after: str) -> str:
    """What is a list is one already."""
    if not after:
        return ""
    if BULLET.match(after):
        return "\n"
    return "\n>\n" if BULLET.match(line) else "\\\n"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rstrip() + " …"
