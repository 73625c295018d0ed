"""S15 again, with every boundary of every field: the drill beside `test_any_input.py`.

A file of its own because schemathesis makes all of its requests while tests are collected, which takes seconds.
"""

from __future__ import annotations

import pytest
from schemathesis.config import CoveragePhaseConfig

from tests.faults.any_input import Case, Door, examples, published, try_both_ways

SCHEMA = published()
SCHEMA.config.phases.coverage = CoveragePhaseConfig(enabled=True)


@pytest.mark.drill
@SCHEMA.parametrize()
@examples(50)
def test_very_many_requests_make_it_fail_neither(door: Door, case: Case) -> None:
    try_both_ways(door, case)
