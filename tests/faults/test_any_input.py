"""S15: whatever is sent to whatever route, the server answers: never with its own failure, and it lives on.

Requests are made from the published description, fitting and not; ids in paths are real every other time, so
that they reach what lies behind the door. Streams without end are left out: other tests read those.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import SearchStrategy, one_of

from tests.faults.any_input import Case, Door, Operation, examples, operations, try_both_ways

# Each has the name of its route, unlike what schemathesis collects: xdist shares out tests by name.
ROUTES = [pytest.param(operation, id=operation.label) for operation in operations()]


def requests(operation: Operation) -> SearchStrategy[Case]:
    """Requests that fit the description, and requests that do not."""
    modes = operation.schema.config.generation.modes
    return one_of([operation.as_strategy(generation_mode=mode) for mode in modes])


@pytest.mark.parametrize("operation", ROUTES)
def test_no_request_makes_the_server_fail(door: Door, operation: Operation) -> None:
    @examples(8)
    @given(case=requests(operation))
    def send(case: Case) -> None:
        try_both_ways(door, case)

    send()
