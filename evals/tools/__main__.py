"""`python -m evals.tools --url http://127.0.0.1:11434/v1 --model qwen3`, or, with a key of the environment,
`--model openai/gpt-4o`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.command import end_as_by_ctrl_c, errors_as_sentences, model_name, parser_of, publish
from evals.evaluation import Evaluation
from evals.model_choice import chosen_offer
from evals.report import ReportSubject, report
from evals.tools.outcome_log import OutcomeLog
from evals.tools.runner import TaskOutcome, TaskRunner
from evals.tools.tasks import Task, all_tasks, selected
from workroom.core.clock import now
from workroom.models.offers import Offer

NAME = "evals.tools"
SUBJECT = ReportSubject[TaskOutcome](
    title="Tasks with tools",
    noun="task",
    guide="[Evaluate a model](../../how-to/evaluate-models.md)",
    groups={"kind": lambda outcome: outcome.task.kind.value, "language": lambda outcome: outcome.language},
)


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> None:
    """Each outcome is printed at once and the report at the end, also after Ctrl-C. An error is one sentence."""
    chosen = _parser().parse_args(arguments)
    with errors_as_sentences(NAME):
        offer = chosen_offer(chosen, environment)
        tasks = selected(all_tasks(), chosen.only, chosen.limit)
        evaluation = Evaluation[Task, TaskOutcome](
            offer,
            "tasks",
            chosen.seconds,
            lambda client: TaskRunner(client, offer.ref, chosen.seconds).run,
            OutcomeLog(chosen.log).add,
        )
        try:
            evaluation.evaluate(tasks)
        finally:
            _publish(offer, evaluation.outcomes, chosen.keep)


def _publish(offer: Offer, outcomes: Sequence[TaskOutcome], keep: bool) -> None:
    if outcomes:
        text = report(SUBJECT, model_name(offer), outcomes, len(all_tasks()), now().date())
        publish(text, model_name(offer), outcomes, keep=keep)


def _parser() -> argparse.ArgumentParser:
    parser = parser_of(NAME, "How well a model works with tools.", "task", "KIND|LANGUAGE|ID")
    parser.add_argument("--log", type=Path, help="a file that gets a line of JSON per task, with calls and answers")
    return parser


if __name__ == "__main__":
    end_as_by_ctrl_c()
    main()
