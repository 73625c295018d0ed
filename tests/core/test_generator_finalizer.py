"""Generators that are left open are closed in the loop's thread, once, whichever thread collects them."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

import pytest

from workroom.cli.command_runner import run


class SlowToCollect:
    """Gives the loop time to begin with what was collected before it."""

    def __init__(self, closing: threading.Event) -> None:
        self._closing = closing

    def __del__(self) -> None:
        self._closing.wait(0.5)


class Chain:
    """A generator that iterates over another, in a cycle of references. Closing the inner one waits for the collection:
    by then the collecting thread has come to it, too."""

    def __init__(self) -> None:
        self.closing, self.collected = threading.Event(), threading.Event()
        self.closed = asyncio.Event()
        self.threads: list[int] = []

    async def abandon(self) -> None:
        own: list[Any] = []
        outer = self._outer(own)
        own.append(outer)
        await anext(outer)

    async def _outer(self, own: list[Any]) -> AsyncGenerator[int, None]:
        own.append(SlowToCollect(self.closing))
        async with aclosing(self._inner()) as inner:
            async for number in inner:
                yield number + len(own)

    async def _inner(self) -> AsyncGenerator[int, None]:
        try:
            yield 1
        finally:
            self.closing.set()
            self.collected.wait(5)
            self.threads.append(threading.get_ident())
            self.closed.set()


async def scenario() -> list[int]:
    """A chain is abandoned, and another thread collects it. Returns the threads in which the inner generator was closed."""
    chain = Chain()
    await chain.abandon()
    assert chain.threads == []

    def collect() -> None:
        gc.collect()
        chain.collected.set()

    await asyncio.to_thread(collect)
    async with asyncio.timeout(20):
        await chain.closed.wait()
    assert threading.get_ident() in chain.threads
    return chain.threads


def test_a_chain_of_generators_is_closed_once_after_another_thread_has_collected_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unraisable: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    gc.disable()  # nothing but what the test says collects
    try:
        with ThreadPoolExecutor(1) as elsewhere:  # where there is no loop yet
            threads = elsewhere.submit(lambda: run(scenario())).result()
    finally:
        gc.enable()
    assert len(threads) == 1
    assert unraisable == []
