"""`python -m evals.switching --url http://127.0.0.1:11434/v1 --model qwen3`, or, with a key of the environment,
`--model openai/gpt-4o`."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from evals.model_choice import add_model_arguments, chosen_offer, opened
from evals.switching.measuring import measure
from evals.switching.results import Result
from evals.switching.table import table
from workroom.core.errors import WorkroomError
from workroom.evaluations.cases import LANGUAGES, Case, cases
from workroom.evaluations.judgement import Judged
from workroom.models.offers import Offer

KEPT = Path("switching.jsonl")


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> None:
    """Results are added to the file one by one; an error is one sentence."""
    chosen = _parser().parse_args(arguments)
    try:
        offer = chosen_offer(chosen, environment)
        asyncio.run(_run(offer, cases(chosen.languages), chosen.repeat, chosen.out))
    except WorkroomError as error:
        sys.exit(f"evals.switching: {error.message}")
    except OSError as error:
        sys.exit(f"evals.switching: {chosen.out} cannot be written: {error.strerror}.")
    except KeyboardInterrupt:
        sys.exit(130)


async def _run(offer: Offer, asked: Sequence[Case], repeat: int, out: Path) -> None:
    answers: list[Judged] = []
    total = len(asked) * 2 * repeat
    print(f"{offer.ref}: {len(asked)} conversations, {total} questions; results are added to {out}.", flush=True)
    try:
        with out.open("a", encoding="utf-8") as file:
            async with opened(offer) as model, aclosing(measure(asked, model, repeat)) as measured:
                async for judged in measured:
                    answers.append(judged)
                    file.write(Result.of(judged, offer.info).model_dump_json() + "\n")
                    file.flush()
    finally:
        if answers:
            print(table(offer.info, answers))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evals.switching", description="What a switch of agents does, per model.")
    add_model_arguments(parser)
    parser.add_argument("--languages", type=_languages, default=LANGUAGES, help=f"of {','.join(LANGUAGES)}")
    parser.add_argument("--repeat", type=_often, default=3, help="how often each question is asked")
    parser.add_argument("--out", type=Path, default=KEPT, help=f"where results are added; {KEPT}")
    return parser


def _languages(written: str) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(written.split(",")))
    if unknown := [language for language in chosen if language not in LANGUAGES]:
        raise argparse.ArgumentTypeError(f"no conversations in {', '.join(unknown)}; there are {', '.join(LANGUAGES)}")
    return chosen


def _often(written: str) -> int:
    if not written.isdecimal() or not 1 <= int(written) <= 1000:
        raise argparse.ArgumentTypeError("a number from 1 to 1000")
    return int(written)


if __name__ == "__main__":
    main()
