"""`python -m evals.specialists --url http://127.0.0.1:11434/v1 --model qwen3`, or, with a key of the environment,
`--model google/gemini-2.5-flash`."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.command import end_as_by_ctrl_c, errors_as_sentences, model_name, parser_of, publish
from evals.evaluation import Evaluation
from evals.model_choice import chosen_offer
from evals.report import ReportSubject, file_name, report
from evals.specialists.protocol import protocol
from evals.specialists.runner import ScenarioOutcome, ScenarioRunner
from evals.specialists.scenarios import Scenario, all_scenarios, over_both_endpoints, selected
from workroom.core.clock import now
from workroom.models.offers import Offer

NAME = "evals.specialists"
SUBJECT = ReportSubject[ScenarioOutcome](
    title="Scenarios of the specialists",
    noun="scenario",
    guide="[Test the specialists](../../how-to/test-specialists.md)",
    groups={"specialist": lambda outcome: outcome.scenario.specialist, "language": lambda outcome: outcome.language},
)


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> None:
    """Each outcome is printed at once, its protocol is written, and the report comes at the end, also after Ctrl-C. An error is
    one sentence."""
    chosen = _parser().parse_args(arguments)
    with errors_as_sentences(NAME):
        offer = chosen_offer(chosen, environment)
        scenarios = over_both_endpoints(selected(all_scenarios(), chosen.only, chosen.limit))
        folder = chosen.protocols or Path(tempfile.mkdtemp(prefix="workroom-protocols-"))
        folder.mkdir(parents=True, exist_ok=True)

        def write_protocol(outcome: ScenarioOutcome) -> None:
            (folder / file_name(outcome.id)).write_text(protocol(outcome, model_name(offer)), "utf-8")

        evaluation = Evaluation[Scenario, ScenarioOutcome](
            offer,
            "scenarios",
            chosen.seconds,
            lambda client: ScenarioRunner(client, offer.ref, chosen.seconds).run,
            write_protocol,
        )
        try:
            evaluation.evaluate(scenarios)
        finally:
            _publish(offer, evaluation.outcomes, folder, chosen.keep)


def _publish(offer: Offer, outcomes: Sequence[ScenarioOutcome], folder: Path, keep: bool) -> None:
    if outcomes:
        model = model_name(offer)
        text = report(SUBJECT, model, outcomes, len(all_scenarios()), now().date())
        publish(text, f"specialists-{model}", outcomes, keep=keep)
        print(f"\nThe protocols are in {folder}.")


def _parser() -> argparse.ArgumentParser:
    parser = parser_of(NAME, "How the specialists lead with a model.", "scenario", "SPECIALIST|LANGUAGE|ID")
    parser.add_argument("--protocols", type=Path, metavar="FOLDER", help="for a Markdown file per scenario")
    return parser


if __name__ == "__main__":
    end_as_by_ctrl_c()
    main()
