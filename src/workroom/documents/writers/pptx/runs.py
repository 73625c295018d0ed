"""Text as runs that look the same, which can be cut anywhere; footnotes are counted through the whole presentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workroom.documents.writers.addresses import web_address
from workroom.documents.writers.markdown_blocks import Block


@dataclass(frozen=True)
class TextRun:
    """`text` may be a line break. `note`: the number of a footnote, which is its text."""

    text: str
    bold: bool = False
    italic: bool = False
    struck: bool = False
    code: bool = False
    href: str = ""
    note: int = 0


Runs = tuple[TextRun, ...]
PLAIN = TextRun("")


class Footnotes:
    """What the footnotes of a presentation say, by their numbers."""

    def __init__(self) -> None:
        self._texts: dict[int, Runs] = {}

    def runs(self, inline: Sequence[Block], look: TextRun = PLAIN) -> Runs:
        """Without recursion, because texts may be nested deeper than that allows."""
        runs: list[TextRun] = []
        pending = [(part, look) for part in reversed(inline)]
        while pending:
            part, look = pending.pop()
            match part["kind"]:
                case "text":
                    runs.append(replace(look, text=part["text"]))
                case "code":
                    runs.append(replace(look, text=part["text"], code=True))
                case "break":
                    runs.append(TextRun("\n"))
                case "footnote":
                    number = len(self._texts) + 1
                    self._texts[number] = ()  # it counts before those within it
                    self._texts[number] = self.runs(part["inline"])
                    runs.append(TextRun(str(number), note=number))
                case kind:
                    within = _within(kind, part, look)
                    pending += [(inner, within) for inner in reversed(part["inline"])]
        return tuple(run for run in runs if run.text)

    def note(self, number: int) -> Runs:
        return (TextRun(f"{number} "), *self._texts[number])


def _within(kind: str, part: Block, look: TextRun) -> TextRun:
    match kind:
        case "strong":
            return replace(look, bold=True)
        case "em":
            return replace(look, italic=True)
        case "s":
            return replace(look, struck=True)
        case "link":
            return replace(look, href=web_address(part["href"]) or "")
    return look


def words(runs: Sequence[TextRun]) -> str:
    """Without the numbers of footnotes."""
    return "".join(run.text for run in runs if not run.note).replace("\n", " ")


def full_text(runs: Sequence[TextRun]) -> str:
    """By which places in them are counted."""
    return "".join(run.text for run in runs)


def notes_in(runs: Sequence[TextRun]) -> list[int]:
    return [run.note for run in runs if run.note]


def cut(runs: Sequence[TextRun], place: int) -> tuple[Runs, Runs]:
    before: list[TextRun] = []
    after: list[TextRun] = []
    for run in runs:
        if place >= len(run.text) or (run.note and place > 0):
            before.append(run)
        elif place <= 0:
            after.append(run)
        else:
            before.append(replace(run, text=run.text[:place]))
            after.append(replace(run, text=run.text[place:]))
        place -= len(run.text)
    return tuple(before), tuple(after)
