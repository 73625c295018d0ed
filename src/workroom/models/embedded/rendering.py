"""A tool's result as Markdown: a table where the items are alike, a list where they are not, the message otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from workroom.core.results import ResultStatus, ToolResult
from workroom.models.embedded.language import Language
from workroom.models.embedded.model_notes import without_notes
from workroom.models.embedded.places import with_source_headings

MOST_ROWS = 50
MOST_COLUMNS = 6
LONGEST_CELL = 100
LONGEST_TEXT = 8_000
UNSAID = frozenset({"position", "exact"})  # what says nothing to a reader
CREATED, CHANGED = "createdAt", "updatedAt"
MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?")


def rendered(result: ToolResult, language: Language) -> str:
    if result.data.get("declined") is True:
        return language.say("declined")
    if result.status is ResultStatus.ERROR:
        return language.say("failed", message=_cut(_reason(result, language), LONGEST_TEXT))
    said = without_notes(result.message, language)
    parts = [_cut(with_source_headings(said, result.sources, language), LONGEST_TEXT)]
    if not (result.message and result.sources):  # what is cited is told already; items are for the next call then
        parts.append(_items(result.items, language))
    parts.append(_facts(result.data, language) if not result.items else "")
    return "\n\n".join(part for part in parts if part) or language.say("done")


def _reason(result: ToolResult, language: Language) -> str:
    """What a tool says is English, and exact; in other languages the kind of error is told, where there are words for it."""
    known = language.texts.get(f"error.{result.data.get('code')}")
    return known if known and language.code != "en" else result.message or result.status


def _items(items: Sequence[Any], language: Language) -> str:
    shown = items[:MOST_ROWS]
    alike = all(isinstance(item, Mapping) for item in shown) and len({frozenset(item) for item in shown}) == 1
    lines = _table(shown, language) if shown and alike else [f"- {_cell(item, language)}" for item in shown]
    if len(items) > MOST_ROWS:
        lines += ["", language.say("more", count=len(items) - MOST_ROWS)]
    return "\n".join(lines)


def _table(rows: Sequence[Mapping[str, Any]], language: Language) -> list[str]:
    """Only columns that say something; an id at the end, for the next command."""
    names = _told(rows)
    names = sorted(names, key=lambda name: name == "id")
    if len(names) > MOST_COLUMNS:
        names = names[: MOST_COLUMNS - 1] + names[-1:]
    head = [f"| {' | '.join(_called(name, language) for name in names)} |", "|---" * len(names) + "|"]
    return (
        [*head, *(f"| {' | '.join(_cell(row[name], language) for name in names)} |" for row in rows)] if names else []
    )


def _told(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The fields that say something to a reader; when something was changed only if it was, after it was made."""
    names = [name for name in rows[0] if any(row[name] not in (None, "", [], {}) for row in rows)]
    names = [name for name in names if not str(name).endswith("Id") and name not in UNSAID] or names
    changed = any(row.get(CREATED) != row.get(CHANGED) for row in rows)
    return names if changed or CREATED not in names else [name for name in names if name != CHANGED]


def _called(name: str, language: Language) -> str:
    """What a field is called in the reader's language, where it has a word for it."""
    return language.texts.get(f"field.{name}") or _cell(name, language)


def _facts(data: Mapping[str, Any], language: Language) -> str:
    """Short ones as a list, long ones below it in full."""
    short, long = [], []
    for name in _told([data]) if data else ():
        value = data[name]
        if isinstance(value, str) and (len(value) > LONGEST_CELL or "\n" in value):
            long.append(f"**{_called(name, language)}**\n\n{_cut(value, LONGEST_TEXT)}")
        else:
            fact = language.say("pair", label=f"**{_called(name, language)}**", text=_cell(value, language))
            short.append(f"- {fact}")
    return "\n\n".join(["\n".join(short), *long]).strip()


def _cell(value: Any, language: Language) -> str:
    """One line, and no character that would end a cell."""
    if isinstance(value, bool):
        return language.say(f"value.{str(value).lower()}")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = MOMENT.sub(r"\1 \2", " ".join(text.split()))
    return _cut(text, LONGEST_CELL).replace("|", "\\|")


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rstrip() + " …"
