"""What the commands of evaluations on a server have in common: arguments, errors as sentences, and what becomes of the report."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2

from evals.model_choice import add_model_arguments
from evals.outcomes import Outcome
from evals.report import file_name
from workroom.core.errors import WorkroomError
from workroom.models.environment import OWN_SERVER
from workroom.models.offers import Offer

REPORTS = Path(__file__).parents[1] / "docs" / "explanation" / "evals"
LIMIT_SECONDS = 300.0


def parser_of(name: str, description: str, noun: str, selectors: str) -> argparse.ArgumentParser:
    """`selectors` are what `--only` can name."""
    parser = argparse.ArgumentParser(prog=name, description=description)
    add_model_arguments(parser)
    parser.add_argument(
        "--only", action="append", default=[], metavar=selectors, help=f"only these {noun}s; may be given again"
    )
    parser.add_argument("--limit", type=count, metavar="N", help="only the first N of them")
    parser.add_argument("--seconds", type=count, default=LIMIT_SECONDS, help=f"after which a {noun} has failed; 300")
    parser.add_argument("--keep", action="store_true", help="write the report into docs/explanation/evals")
    return parser


@contextmanager
def errors_as_sentences(name: str) -> Iterator[None]:
    try:
        yield
    except WorkroomError as error:
        sys.exit(f"{name}: {error.message}")
    except httpx2.TransportError as error:
        sys.exit(f"{name}: the server under test has gone: {error}.")
    except OSError as error:
        sys.exit(f"{name}: {error.filename or ''}: {error.strerror}.")
    except KeyboardInterrupt:
        sys.exit(130)


def end_as_by_ctrl_c() -> None:
    """A command that is ended by SIGTERM prints what there is, too, and stops the server it started."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def model_name(offer: Offer) -> str:
    return offer.ref.removeprefix(f"{OWN_SERVER}/")


def publish(text: str, name: str, outcomes: Sequence[Outcome], *, keep: bool) -> None:
    """Prints the report, or keeps it in a file called `name`; never one about a model that has not answered at all."""
    if not keep or all(outcome.unanswered for outcome in outcomes):
        print(f"\n{text}")
        return
    REPORTS.mkdir(exist_ok=True)
    path = REPORTS / file_name(name)
    path.write_text(text, "utf-8")
    print(f"The report is in {path}.")


def count(written: str) -> int:
    if not written.isdecimal() or not 1 <= int(written) <= 100_000:
        raise argparse.ArgumentTypeError("a number from 1 to 100000")
    return int(written)
