"""The instrument itself: whatever happens in a test, nothing of it runs afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.leftovers import processes_of
from tests.faults.process import Workroom


def test_orphans_end_with_the_block_even_when_the_test_fails(data: Path) -> None:
    def a_test_that_fails() -> None:
        with Workroom(data) as workroom:
            assert {process.name() for process in workroom.processes} >= {"postgres"}
            workroom.kill()
            assert workroom.postgres_pid is not None
            raise RuntimeError("this test has failed")

    with pytest.raises(RuntimeError, match="has failed"):
        a_test_that_fails()
    assert processes_of(data) == []


def test_a_server_that_does_not_start_is_told_with_its_words(data: Path) -> None:
    with pytest.raises(AssertionError, match="WORKROOM_LOGIN is not usable"), Workroom(data, LOGIN="maybe"):
        pass
