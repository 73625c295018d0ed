"""How many lines a text needs, and how high they are: estimated by the widths of letters, rather too high than too low, because
text that needs more room than it has stands on top of something else."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from workroom.documents.slide_pictures.widths import width_of
from workroom.documents.writers.pptx.runs import TextRun, full_text

LEADING = 1.22  # of a line, in its size
FONT = "Arial"  # wider than most that slides are written in
MONOSPACE = "Consolas"
ALLOWANCE = 1.02
BOLD = 1.06
BREAKABLE = "W", "F"  # letters between which lines may break


def line_starts(text: str, width: float, size: float, font: str = FONT, *, is_bold: bool = False) -> list[int]:
    """At which places lines begin, the first one included."""
    factor = size * ALLOWANCE * (BOLD if is_bold else 1.0)
    ends = list(accumulate((width_of(sign, factor, font, bold=False) for sign in text), initial=0.0))
    starts, possible = [0], 0
    for at, sign in enumerate(text):
        if sign == "\n":
            starts.append(at + 1)
            possible = at + 1
        elif sign in " \u200b":
            possible = at + 1
        else:
            if ends[at + 1] - ends[starts[-1]] > width and at > starts[-1]:
                starts.append(possible if possible > starts[-1] else at)
            if sign == "-" or unicodedata.east_asian_width(sign) in BREAKABLE:
                possible = at + 1
    return starts


def starts_of(runs: Sequence[TextRun], width: float, size: float) -> list[int]:
    is_bold = sum(len(run.text) for run in runs if run.bold) * 2 > sum(len(run.text) for run in runs)
    font = MONOSPACE if runs and all(run.code for run in runs) else FONT
    return line_starts(full_text(runs), width, size, font, is_bold=is_bold)


def lines_before_cut(runs: Sequence[TextRun], starts: Sequence[int], most: int) -> int:
    """After how many of these lines a text is cut: no more than `most`, and if possible between two words."""
    text = full_text(runs)
    return next((lines for lines in range(most, 0, -1) if text[starts[lines] - 1].isspace()), most)


def lines_of(runs: Sequence[TextRun], width: float, size: float) -> int:
    return len(starts_of(runs, width, size))


def height_of(lines: int, size: float) -> float:
    return lines * size * LEADING
