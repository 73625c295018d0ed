"""The report has a row per task and totals per kind and language, and says when it is about a part."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from evals.figures import Figures
from evals.report import file_name, report
from evals.tools.__main__ import SUBJECT
from evals.tools.runner import TaskOutcome
from evals.tools.tasks import Task, all_tasks, selected


def task(name: str) -> Task:
    return selected(all_tasks(), [name])[0]


OUTCOMES = [
    TaskOutcome(task("de-notes-1"), (), Figures(2, 2, 1000, 50, 3.25, Decimal("0.0123"))),
    TaskOutcome(task("en-notes-1"), ("no call of a|b",), Figures(1, 1, 500, 20, 1.0, Decimal("0.0001"))),
]


def test_rows_and_totals() -> None:
    lines = report(SUBJECT, "openai/gpt-4o", OUTCOMES, 60, date(2031, 1, 2)).splitlines()
    assert lines[0] == "# Tasks with tools: openai/gpt-4o"
    assert lines[2].startswith("2 of 60 tasks, 2031-01-02.")
    assert "| de-notes-1 | yes | 2 | 1000 | 50 | 3.2 | 0.0123 |  |" in lines
    assert "| en-notes-1 | no | 1 | 500 | 20 | 1.0 | 0.0001 | no call of a\\|b |" in lines
    assert "| notes | 2 | 1 | 50% | 3 | 1500 | 70 | 4.2 | 0.0124 |" in lines
    assert "| en | 1 | 0 | 0% | 1 | 500 | 20 | 1.0 | 0.0001 |" in lines
    assert lines.count("| all | 2 | 1 | 50% | 3 | 1500 | 70 | 4.2 | 0.0124 |") == 2


def test_a_whole_evaluation_says_so() -> None:
    assert "2 tasks, 2031-01-02" in report(SUBJECT, "m", OUTCOMES, 2, date(2031, 1, 2))


def test_a_file_is_named_after_its_model() -> None:
    assert file_name("openai/gpt-4o") == "openai-gpt-4o.md"
    assert file_name("qwen2.5-coder:1.5b") == "qwen2.5-coder-1.5b.md"
    assert file_name("../x") == "x.md"
