"""`make bench`: start, memory and size of the house, beside what this machine needs for the bare parts."""

from __future__ import annotations

import os
import platform
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import sizes, starting

MB, KB = 1e6, 1e3


@dataclass(frozen=True)
class Line:
    what: str
    value: float
    unit: str
    aim: float | None = None
    note: str = ""

    def cells(self) -> tuple[str, str, str, str]:
        aim = "" if self.aim is None else f"≤ {self.aim:g} {self.unit}, {'met' if self.value <= self.aim else 'MISSED'}"
        digits = 2 if self.unit in ("s", "×") else 1
        return self.what, f"{self.value:.{digits}f} {self.unit}", aim, self.note


def main() -> None:
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, {platform.system()}\n")
    with tempfile.TemporaryDirectory(prefix="wr-bench-") as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        with starting.compiled(folder / "bytecode"):
            lines = [*_starts(folder), *_memory(folder)]
    _print([*lines, *_sizes()])


def _starts(folder: Path) -> list[Line]:
    starting.start(folder / "first")  # compiles the modules and fills the disk cache; not counted
    numbers = iter(range(starting.TIMES))
    cold = starting.typical(lambda: starting.start(folder / f"cold-{next(numbers)}"))
    warm = starting.typical(lambda: starting.start(folder / "first"))
    imports = starting.typical(starting.bare_imports)
    postgres = starting.typical(lambda: starting.bare_postgres(folder / "first"))
    return [
        Line("start, fresh data folder", cold, "s", note="median of 3, until /ready"),
        Line("start, known data folder", warm, "s", aim=3, note="median of 3, until /ready"),
        Line("  bare imports", imports, "s", note=starting.BARE),
        Line("  bare PostgreSQL", postgres, "s", note="same programs, same cluster, until ready"),
        Line("  start against both", warm / (imports + postgres), "×"),
    ]


def _memory(folder: Path) -> list[Line]:
    found = starting.idle_memory(folder / "first")
    return [
        Line("memory, idle (PSS)", found.total / MB, "MB", aim=250, note="all processes together"),
        Line("  serve", found.serve / MB, "MB"),
        Line("  worker", found.worker / MB, "MB"),
        Line("  PostgreSQL", found.postgres / MB, "MB", note="with its helpers and our connections"),
    ]


def _sizes() -> list[Line]:
    installed, scripts = sizes.installed(), sizes.initial_scripts()
    largest = sorted(installed.items(), key=lambda item: -item[1])[:3]
    return [
        Line("installed", sum(installed.values()) / MB, "MB", aim=600, note=f"{len(installed)} distributions"),
        *(Line(f"  {name}", size / MB, "MB") for name, size in largest),
        Line("initial JavaScript, gz", sum(scripts.values()) / KB, "kB", aim=60, note=f"{len(scripts)} files"),
    ]


def _print(lines: list[Line]) -> None:
    rows = [("WHAT", "MEASURED", "AIM", ""), *(line.cells() for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for what, value, aim, note in rows:
        print(f"{what:{widths[0]}}  {value:>{widths[1]}}  {aim:{widths[2]}}  {note}".rstrip())


if __name__ == "__main__":
    main()
