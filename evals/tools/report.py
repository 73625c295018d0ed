"""Outcomes as Markdown: a row per task, then totals per kind and per language. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from evals.tools.runner import Outcome

TASK_HEAD = ("task", "success", "rounds", "tokens in", "tokens out", "seconds", "CHF", "what was wrong")
TOTAL_HEAD = ("", "tasks", "success", "rate", "rounds", "tokens in", "tokens out", "seconds", "CHF")
WORDS = frozenset({"", "task", "what was wrong"})
ALL = "all"


def report(model: str, outcomes: Sequence[Outcome], tasks: int, day: date) -> str:
    """`tasks` is how many there are; fewer outcomes are a part of them, and the report says so."""
    extent = f"{len(outcomes)} of {tasks} tasks" if len(outcomes) < tasks else f"{tasks} tasks"
    sections = [
        f"# Tasks with tools: {model}",
        f"{extent}, {day.isoformat()}. How they are made and judged: [Evaluate a model](../../how-to/evaluate-models.md).",
        _table(TASK_HEAD, [_task_row(outcome) for outcome in outcomes]),
        "## By kind",
        _totals(outcomes, lambda outcome: outcome.task.kind.value),
        "## By language",
        _totals(outcomes, lambda outcome: outcome.task.language),
    ]
    return "\n\n".join(sections) + "\n"


def file_name(model: str) -> str:
    """Of the report about a model, such as `openai-gpt-4o.md`."""
    return re.sub(r"[^\w.-]+", "-", model).strip("-.") + ".md"


def _task_row(outcome: Outcome) -> tuple[str, ...]:
    success = "yes" if outcome.success else "no"
    return (outcome.task.id, success, *_figures([outcome]), _cell("; ".join(outcome.problems)))


def _totals(outcomes: Sequence[Outcome], group: Callable[[Outcome], str]) -> str:
    names = list(dict.fromkeys(map(group, outcomes)))
    rows = [_total_row(name, [outcome for outcome in outcomes if group(outcome) == name]) for name in names]
    return _table(TOTAL_HEAD, [*rows, _total_row(ALL, outcomes)])


def _total_row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    successes = sum(outcome.success for outcome in outcomes)
    return (name, str(len(outcomes)), str(successes), f"{successes / len(outcomes):.0%}", *_figures(outcomes))


def _figures(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield str(sum(outcome.rounds for outcome in outcomes))
    yield str(sum(outcome.input_tokens for outcome in outcomes))
    yield str(sum(outcome.output_tokens for outcome in outcomes))
    yield f"{sum(outcome.seconds for outcome in outcomes):.1f}"
    yield f"{sum((outcome.cost for outcome in outcomes), Decimal(0)):.4f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = [":--" if name in WORDS else "--:" for name in head]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
