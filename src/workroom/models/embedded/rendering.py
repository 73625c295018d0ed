"""A tool's result as Markdown: a table where the items are alike, a list where they are not, the message otherwise. What was
read for a question is quoted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from workroom.core.messages import MaterialPart
from workroom.core.results import ResultStatus, ToolResult
from workroom.core.sources import citation
from workroom.models.embedded.language import Language

MOST_ROWS = 50
MOST_COLUMNS = 6
LONGEST_CELL = 100
LONGEST_TEXT = 8_000
LONGEST_OF_MANY = 1_500
MOST_QUOTED = 5
BESIDE = 160  # characters before and after what answers a question
PLACE = re.compile(r"\[([^\[\]]{1,500})\] \[\[[a-z2-7]{5}\]\]")
FOR_MODELS = re.compile(r"\[.*\b(?:readContentObjects|readSection|readFile|browseContainer|cursor)\b.*\]")
UNITS = "pages|sheets|slides|chapters|images|tables|attachments|charts|footnotes|comments|rows|files|folders"
COUNTED = re.compile(rf"(\d+) ({UNITS})(?=,|$)")
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?")


def rendered(result: ToolResult, language: Language) -> str:
    if result.data.get("declined") is True:
        return language.say("declined")
    if result.status is ResultStatus.ERROR:
        return language.say("failed", message=_cut(result.message or result.status, LONGEST_TEXT))
    parts = [_cut(result.message, LONGEST_TEXT)]
    parts.append(_items(result.items, language))
    parts.append(_facts(result.data) if not result.items else "")
    return "\n\n".join(part for part in parts if part) or language.say("done")


def quoted(materials: Sequence[MaterialPart], language: Language) -> str:
    """What was read for a question, each with where it is from; as a quotation, so that nobody takes it for our words."""
    shown = materials[:MOST_QUOTED]
    length = LONGEST_TEXT if len(shown) == 1 else LONGEST_OF_MANY
    return "\n\n".join(
        f"{_head(part)}\n\n{_quotation(_cut(_for_people(part, language), length), part.kind)}" for part in shown
    )


def _head(part: MaterialPart) -> str:
    """Where it is from, with the mark a reader may click."""
    marks = [part.mark] if part.mark else [source.mark for source in part.sources[:1]]
    return f"**{_cell(part.label)}** {citation(marks)}".rstrip()


def _for_people(part: MaterialPart, language: Language) -> str:
    """Without what is said to models: where a quotation begins, and which tool reads on. Of a passage that was found, what
    answers the question, with a little before and after it."""
    if part.found and part.kind == "text":
        return _around(part.text, (part.opens and part.opens.quote) or "")
    if part.found and part.kind == "outline":
        return COUNTED.sub(lambda fact: f"{fact[1]} {language.say(f'unit.{fact[2]}')}", part.text)
    lines = (line for line in part.text.split("\n") if not FOR_MODELS.fullmatch(line.strip()))
    return "\n".join(_place(line) for line in lines if _place(line) != f"**{part.label}**")


def _place(line: str) -> str:
    """`[page 3 of report.pdf] [[k7qda]]`, as a heading."""
    found = PLACE.fullmatch(line.strip())
    return f"**{found[1]}**" if found else line


def _around(text: str, quote: str) -> str:
    at = text.find(quote) if quote else 0
    start, end = max(0, at - BESIDE), min(len(text), at + max(len(quote), BESIDE) + BESIDE)
    before = text[start:at].partition(" ")[2] if start else text[:at]
    after = text[at + len(quote) : end]
    after = after if end == len(text) else after.rpartition(" ")[0]
    said = f"{'… ' if start else ''}{before}{quote}{after}{' …' if end < len(text) else ''}"
    return re.sub(r"\n{2,}", "\n", said)


def _quotation(text: str, kind: str) -> str:
    """Lines of an outline or a list stay lines."""
    lines = [f"> {line}".rstrip() for line in text.strip().split("\n")]
    return ("\n" if kind == "text" else "\\\n").join(lines)


def _items(items: Sequence[Any], language: Language) -> str:
    shown = items[:MOST_ROWS]
    alike = all(isinstance(item, Mapping) for item in shown) and len({frozenset(item) for item in shown}) == 1
    lines = _table(shown) if shown and alike else [f"- {_cell(item)}" for item in shown]
    if len(items) > MOST_ROWS:
        lines += ["", language.say("more", count=len(items) - MOST_ROWS)]
    return "\n".join(lines)


def _table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Only columns that say something; an id at the end, for the next command."""
    names = [name for name in rows[0] if any(row[name] not in (None, "", [], {}) for row in rows)]
    names = [name for name in names if not str(name).endswith("Id")] or names
    names = sorted(names, key=lambda name: name == "id")
    if len(names) > MOST_COLUMNS:
        names = names[: MOST_COLUMNS - 1] + names[-1:]
    head = [f"| {' | '.join(_cell(name) for name in names)} |", "|---" * len(names) + "|"]
    return [*head, *(f"| {' | '.join(_cell(row[name]) for name in names)} |" for row in rows)] if names else []


def _facts(data: Mapping[str, Any]) -> str:
    """Short ones as a list, long ones below it in full."""
    short, long = [], []
    for name, value in data.items():
        if isinstance(value, str) and (len(value) > LONGEST_CELL or "\n" in value):
            long.append(f"**{_cell(name)}**\n\n{_cut(value, LONGEST_TEXT)}")
        elif value not in (None, "", [], {}):
            short.append(f"- **{_cell(name)}**: {_cell(value)}")
    return "\n\n".join(["\n".join(short), *long]).strip()


def _cell(value: Any) -> str:
    """One line, and no character that would end a cell."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = MOMENT.sub(r"\1 \2", " ".join(text.split()))
    return _cut(text, LONGEST_CELL).replace("|", "\\|")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rstrip() + " …"
