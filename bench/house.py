"""`make bench`: start, memory and size of the house, beside what this machine needs for the bare parts."""

from __future__ import annotations

import os
import platform
import tempfile
from pathlib import Path

from bench import sizes, starting
from bench.lines import Line, show

MB, KB = 1e6, 1e3


def main() -> None:
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, {platform.system()}\n")
    with tempfile.TemporaryDirectory(prefix="wr-bench-") as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        with starting.compiled(folder / "bytecode"):
            lines = [*_starts(folder), *_memory(folder)]
    show([*lines, *_sizes()])


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


if __name__ == "__main__":
    main()
