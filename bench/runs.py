"""`make bench`, the second half: what runs cost, beside what others need for less.

python -m bench.runs [--peers] [--crowd-seconds 60]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import durable_round
from bench.lines import Line, show
from bench.peers import environment
from bench.peers.script import ROUNDS
from bench.streams import Load, Outcome, Site, sdk_alone

MS, MB = 1e3, 1e6
# Twenty a second is a slow model, a hundred a fast one, 0 as fast as it can be read.
LOADS = (Load(1, 5000, 0), Load(20, 500, 0), Load(1, 500, 100), Load(20, 500, 100), Load(20, 200, 20))
CROWD, CROWD_RATE, CROWD_WORKERS = 300, 20, 2
ALIKE = 1 / 3


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.runs", description="What runs cost.")
    parser.add_argument("--peers", action="store_true", help="install other agent loops and measure them too")
    parser.add_argument(
        "--crowd-seconds", type=int, default=60, help="how long the 300 streams last; 0 leaves them out"
    )
    chosen = parser.parse_args()
    show([*_round(peers=chosen.peers), *_streams(), *_crowd(chosen.crowd_seconds)])


def _round(*, peers: bool) -> list[Line]:
    found = durable_round.measure()
    ours = sum(found.values())
    lines = [
        Line("durable round, CPU", ours * MS, "ms", note=f"{ROUNDS} rounds, a reading and a writing call each"),
        Line("  this process", found["process"] * MS, "ms"),
        Line("  PostgreSQL", found["postgres"] * MS, "ms", note="with fsync; peers keep their notes in a list"),
    ]
    for name, theirs in (environment.ask_all() if peers else {}).items():
        aim = ALIKE if "saver" in name else None
        lines += [Line(f"  {name}", theirs * MS, "ms"), Line("    ours against it", ours / theirs, "×", aim=aim)]
    return lines


def _streams() -> list[Line]:
    lines: list[Line] = []
    with _folder() as folder, Site.open(folder / "data", max(load.streams for load in LOADS)) as site:
        site.measure(Load(1, 200, 0))  # whatever is loaded at the first use
        for load in LOADS:
            outcome, alone = site.measure(load), sdk_alone(site.model, load)
            pace = f"{load.rate}/s" if load.rate else "unpaced"
            lines += [
                Line(f"end to end, {load.streams} × {pace}", outcome.rate, "tokens/CPU-s", note=_complete(outcome)),
                Line("  openai SDK alone", alone, "tokens/CPU-s"),
                Line("  ours against it", outcome.rate / alone, "×", aim=0.5, at_least=True),
            ]
            if load.rate:
                lines.append(_delay(outcome, 0.5, 0.95))
    return lines


def _crowd(seconds: int) -> list[Line]:
    if not seconds:
        return []
    with _folder() as folder, Site.open(folder / "data", CROWD, CROWD_WORKERS) as site:
        outcome = site.measure(Load(CROWD, CROWD_RATE * seconds, CROWD_RATE))
    return [
        Line(f"{CROWD} streams × {CROWD_RATE}/s", outcome.lost, "clients with a gap", aim=0, note=_complete(outcome)),
        _delay(outcome, 0.5, 0.99),
        Line("  memory (PSS)", outcome.memory / MB, "MB", note=f"all processes, {CROWD_WORKERS} workers"),
        Line("  CPU", outcome.cpu / seconds, "cores", note="all processes but the model server and the clients"),
    ]


def _delay(outcome: Outcome, *shares: float) -> Line:
    middle, *rest = [outcome.age(share) * MS for share in shares]
    note = ", ".join(f"p{share * 100:g} {age:.0f} ms" for share, age in zip(shares[1:], rest, strict=True))
    return Line("  added delay, p50", middle, "ms", note=note)


def _complete(outcome: Outcome) -> str:
    return f"of {len(outcome.heard)} clients {outcome.lost} with a gap, {outcome.unfinished} not at the end in time"


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="wr-bench-") as name:
        path = Path(name).resolve()
        path.chmod(0o755)  # PostgreSQL may run as somebody else
        yield path


if __name__ == "__main__":
    main()
