"""Ids sort by the moment they were made."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from workroom.core import ids


def test_ids_are_uuid7_and_always_greater_than_the_one_before() -> None:
    made = [ids.new_id() for _ in range(10_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert {(i.version, i.variant) for i in made} == {(7, "specified in RFC 4122")}
    assert abs((made[0].int >> 80) - time.time() * 1000) < 60_000


def test_a_clock_that_steps_back_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ids.new_id()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert ids.new_id() > before


def test_threads_do_not_make_the_same_one() -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: ids.new_id(), range(5_000)))
    assert len(set(made)) == 5_000
