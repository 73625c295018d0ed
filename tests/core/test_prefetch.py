"""What comes next is made while somebody works on what came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from workroom.core.prefetch import ahead


class Source:
    def __init__(self, many: int, fails: bool = False) -> None:
        self.many, self.fails = many, fails
        self.given, self.closed_in = 0, ""

    async def items(self) -> AsyncGenerator[int, None]:
        try:
            for number in range(self.many):
                self.given += 1
                yield number
            if self.fails:
                raise ValueError("broken")
        finally:
            self.closed_in = asyncio.current_task().get_name()  # type: ignore[union-attr]


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.mark.parametrize("most", [1, 4])
async def test_everything_comes_in_order_and_no_more_is_made_than_there_is_room_for(most: int) -> None:
    source = Source(20)
    seen, lead = list[int](), list[int]()
    async for number in ahead(source.items(), most):
        await settled()
        lead.append(source.given - number - 1)
        seen.append(number)
    assert seen == list(range(20))
    assert max(lead) == most + 1, "these wait, one is made"
    assert min(lead[: -most - 1]) >= 1


async def test_what_goes_wrong_comes_after_what_was_given() -> None:
    seen = list[int]()
    with pytest.raises(ValueError, match="broken"):
        async for number in ahead(Source(3, fails=True).items()):
            seen += [number]
    assert seen == [0, 1, 2]


@pytest.mark.parametrize("after", [0, 5])
async def test_whoever_leaves_ends_it(after: int) -> None:
    source = Source(1_000_000)
    with pytest.raises(RuntimeError, match="enough"):
        async with aclosing(ahead(source.items())) as items:
            async for number in items:
                if number == after:
                    raise RuntimeError("enough")
    assert source.given <= after + 3
    assert source.closed_in not in ("", asyncio.current_task().get_name()), "where it was opened"  # type: ignore[union-attr]


async def test_who_is_cancelled_leaves_nothing_behind() -> None:
    begun, source, others = asyncio.Event(), Source(1_000_000), asyncio.all_tasks()

    async def read() -> None:
        async with aclosing(ahead(source.items())) as items:
            async for _ in items:
                begun.set()
                await asyncio.Event().wait()

    reading = asyncio.create_task(read())
    await begun.wait()
    reading.cancel()
    await asyncio.wait({reading})
    assert source.closed_in
    assert asyncio.all_tasks() <= others
