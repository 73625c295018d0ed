from __future__ import annotations

import threading

import pytest

from workroom.core import threaded
from workroom.core.threaded import LONG, MANY
from workroom.core.wire import Wire


class Threads(list[int]):
    """In which threads something was done."""

    def note(self, value: int) -> int:
        self.append(threading.get_ident())
        return value + 1

    @property
    def on_the_loop(self) -> int:
        return self.count(threading.get_ident())


class Said(Wire):
    text: str


async def test_many_are_done_in_a_thread_and_a_few_at_once() -> None:
    many, few = Threads(), Threads()
    assert await threaded.each(many.note, range(MANY)) == list(range(1, MANY + 1))
    assert (len(many), many.on_the_loop) == (MANY, 0)
    assert await threaded.each(few.note, [1]) == [2]
    assert (len(few), few.on_the_loop) == (1, 1)


@pytest.mark.parametrize("length", [1, LONG])
async def test_json_is_the_same_however_long(length: int) -> None:
    said = Said(text="x" * length)
    assert await threaded.parsed(Said, said.model_dump_json()) == said
