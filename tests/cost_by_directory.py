"""`pytest -p tests.cost_by_directory --one-in 7 tests`: the processor time of each directory, from a sample of its tests.

`tests.cost` is exact, and takes as long as the tests do; this says in a seventh of that where to look. Counted is what pytest
and every process it started spent, per test; fixtures that many tests share count for the test that came first.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.cost import ADOPT_ORPHANS

_TICKS = os.sysconf("SC_CLK_TCK")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--one-in", type=int, default=7, help="how many tests one stands for")


def pytest_configure(config: pytest.Config) -> None:
    if sys.platform == "linux":  # servers that outlive whoever started them are counted too
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, 1, 0, 0, 0)
    config.pluginmanager.register(Costs(config.getoption("--one-in")))


class Costs:
    def __init__(self, one_in: int) -> None:
        self._one_in = one_in
        self._tests: dict[str, int] = defaultdict(int)
        self._seconds: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if zlib.crc32(item.nodeid.encode()) % self._one_in == 0]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = _spent()
        result = yield
        directory = os.path.dirname(item.nodeid.partition("::")[0])
        self._tests[directory] += 1
        self._seconds[directory] += _spent() - before
        return result

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for directory in sorted(self._seconds, key=lambda name: -self._seconds[name]):
            tests, seconds = self._tests[directory], self._seconds[directory]
            terminalreporter.write_line(f"{seconds * self._one_in:8.1f} s  {tests * self._one_in:6} tests  {directory}")


def _spent() -> float:
    """Of this process and of all below it, the ended ones included."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:  # ended meanwhile
                continue
            parents[int(name)], ticks[int(name)] = int(fields[1]), sum(map(int, fields[11:15]))
    children = defaultdict(list)
    for process, parent in parents.items():
        children[parent].append(process)
    total, below = 0, list(children[os.getpid()])
    while below:
        process = below.pop()
        total += ticks[process]
        below += children[process]
    times = os.times()
    return total / _TICKS + time.process_time() + times.children_user + times.children_system
