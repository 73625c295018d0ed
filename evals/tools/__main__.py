"""`python -m evals.tools --url http://127.0.0.1:11434/v1 --model qwen3`, or, with a key of the environment,
`--model openai/gpt-4o`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import httpx2

from evals.model_choice import add_model_arguments, chosen_offer
from evals.tools.evaluation import Evaluation
from evals.tools.outcome_log import OutcomeLog
from evals.tools.report import file_name, report
from evals.tools.runner import Outcome
from evals.tools.tasks import all_tasks, selected
from workroom.core.clock import now
from workroom.core.errors import WorkroomError
from workroom.models.environment import OWN_SERVER
from workroom.models.offers import Offer

REPORTS = Path(__file__).parents[2] / "docs" / "explanation" / "evals"
LIMIT_SECONDS = 300.0


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> None:
    """Each outcome is printed at once and the report at the end, also after Ctrl-C. An error is one sentence."""
    chosen = _parser().parse_args(arguments)
    try:
        offer = chosen_offer(chosen, environment)
        tasks = selected(all_tasks(), chosen.only, chosen.limit)
        evaluation = Evaluation(offer, chosen.seconds, OutcomeLog(chosen.log))
        try:
            evaluation.evaluate(tasks)
        finally:
            _publish(offer, evaluation.outcomes, chosen.keep)
    except WorkroomError as error:
        sys.exit(f"evals.tools: {error.message}")
    except httpx2.TransportError as error:
        sys.exit(f"evals.tools: the server under test has gone: {error}.")
    except OSError as error:
        sys.exit(f"evals.tools: {error.filename or ''}: {error.strerror}.")
    except KeyboardInterrupt:
        sys.exit(130)


def _publish(offer: Offer, outcomes: Sequence[Outcome], keep: bool) -> None:
    if not outcomes:
        return
    model = offer.ref.removeprefix(f"{OWN_SERVER}/")
    text = report(model, outcomes, len(all_tasks()), now().date())
    if not keep:
        print(f"\n{text}")
        return
    REPORTS.mkdir(exist_ok=True)
    (REPORTS / file_name(model)).write_text(text, "utf-8")
    print(f"The report is in {REPORTS / file_name(model)}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evals.tools", description="How well a model works with tools.")
    add_model_arguments(parser)
    parser.add_argument(
        "--only", action="append", default=[], metavar="KIND|LANGUAGE|ID", help="only these tasks; may be given again"
    )
    parser.add_argument("--limit", type=_count, metavar="N", help="only the first N of them")
    parser.add_argument("--seconds", type=_count, default=LIMIT_SECONDS, help="after which a task has failed; 300")
    parser.add_argument("--log", type=Path, help="a file that gets a line of JSON per task, with calls and answers")
    parser.add_argument("--keep", action="store_true", help="write the report into docs/explanation/evals")
    return parser


def _count(written: str) -> int:
    if not written.isdecimal() or not 1 <= int(written) <= 100_000:
        raise argparse.ArgumentTypeError("a number from 1 to 100000")
    return int(written)


if __name__ == "__main__":
    main()
