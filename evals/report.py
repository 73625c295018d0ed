"""Outcomes as Markdown: a row per task or scenario, then totals per group. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from evals.figures import Figures
from evals.outcomes import Outcome

FIGURES_HEAD = ("rounds", "tokens in", "tokens out", "seconds", "CHF")
SUCCESS, WRONG, ALL = "success", "what was wrong", "all"
Result = TypeVar("Result", bound=Outcome)


@dataclass(frozen=True)
class ReportSubject(Generic[Result]):
    """`noun` is what one outcome is of, such as `task`; `guide` says how it is made and judged. `groups`: what an outcome counts
    for in each table of totals."""

    title: str
    noun: str
    guide: str
    groups: Mapping[str, Callable[[Result], str]]


def report(subject: ReportSubject[Result], model: str, outcomes: Sequence[Result], existing: int, day: date) -> str:
    """`existing` is how many there are; fewer outcomes are a part of them, and the report says so."""
    nouns = f"{subject.noun}s"
    extent = f"{len(outcomes)} of {existing} {nouns}" if len(outcomes) < existing else f"{existing} {nouns}"
    head = (subject.noun, SUCCESS, *FIGURES_HEAD, WRONG)
    sections = [
        f"# {subject.title}: {model}",
        f"{extent}, {day.isoformat()}. How they are made and judged: {subject.guide}.",
        table(head, [_row(outcome) for outcome in outcomes], words=(0, 1, len(head) - 1)),
    ]
    for name, group in subject.groups.items():
        sections += [f"## By {name}", _totals(outcomes, group, nouns)]
    return "\n\n".join(sections) + "\n"


def file_name(model: str) -> str:
    """Of what is written about a model, such as `openai-gpt-4o.md`."""
    return re.sub(r"[^\w.-]+", "-", model).strip("-.") + ".md"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[int]) -> str:
    """`words` are the columns that are no figures."""
    rule = [":--" if column in words else "--:" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _row(outcome: Outcome) -> tuple[str, ...]:
    success = "yes" if outcome.success else "no"
    return (outcome.id, success, *_cells(outcome.figures), cell("; ".join(outcome.problems)))


def _totals(outcomes: Sequence[Result], group: Callable[[Result], str], nouns: str) -> str:
    names = list(dict.fromkeys(map(group, outcomes)))
    rows = [_total_row(name, [outcome for outcome in outcomes if group(outcome) == name]) for name in names]
    head = ("", nouns, SUCCESS, "rate", *FIGURES_HEAD)
    return table(head, [*rows, _total_row(ALL, outcomes)], words=(0,))


def _total_row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    successes = sum(outcome.success for outcome in outcomes)
    figures = Figures.total(outcome.figures for outcome in outcomes)
    return (name, str(len(outcomes)), str(successes), f"{successes / len(outcomes):.0%}", *_cells(figures))


def _cells(figures: Figures) -> Iterator[str]:
    yield str(figures.rounds)
    yield str(figures.input_tokens)
    yield str(figures.output_tokens)
    yield f"{figures.seconds:.1f}"
    yield f"{figures.cost:.4f}"
