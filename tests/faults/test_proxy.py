"""The instrument itself: what it delays, drips, holds and cuts, seen from an HTTP-like line protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.faults.proxy import DEAF, HOLD, PASS, Mood, Proxy, drip, late


@asynccontextmanager
async def echo() -> AsyncIterator[Proxy]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line.upper())
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server, Proxy(("127.0.0.1", server.sockets[0].getsockname()[1])) as proxy:
        yield proxy


async def test_bytes_pass_both_ways_and_the_end_too() -> None:
    async with echo() as proxy:
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        writer.write(b"hello\n")
        assert await reader.readline() == b"HELLO\n"
        writer.write_eof()
        assert await reader.read() == b""
        writer.close()


@pytest.mark.parametrize("mood", [late(0.01), drip(1, 0.001)])
async def test_slow_is_slow_and_loses_nothing(mood: Mood) -> None:
    async with echo() as proxy:
        proxy.mood = mood
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        writer.write(b"hello\n")
        assert await reader.readline() == b"HELLO\n"
        writer.close()


async def test_dripped_bytes_arrive_one_by_one() -> None:
    async with echo() as proxy:
        proxy.mood = drip(1, 0.05)
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        writer.write(b"hello\n")
        assert await reader.read(100) == b"H"
        writer.close()


async def test_held_back_until_the_mood_changes() -> None:
    async with echo() as proxy:
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        proxy.mood = HOLD
        writer.write(b"hello\n")
        await asyncio.wait_for(proxy.asked.wait(), 60)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.1)
        proxy.mood = PASS
        assert await asyncio.wait_for(reader.readline(), 60) == b"HELLO\n"
        writer.close()


async def test_cut_is_a_reset_and_the_next_connection_works() -> None:
    async with echo() as proxy:
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        writer.write(b"hello\n")
        await reader.readline()
        proxy.cut()
        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(reader.read(1), 60)
        writer.close()
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        writer.write(b"again\n")
        assert await reader.readline() == b"AGAIN\n"
        writer.close()


async def test_deaf_accepts_and_never_answers() -> None:
    async with echo() as proxy:
        proxy.mood = DEAF
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        writer.write(b"hello\n")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.1)
        assert proxy.accepted == 1
        writer.close()


async def test_silence_takes_the_old_connections_and_leaves_the_new_ones() -> None:
    async with echo() as proxy:
        reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
        writer.write(b"hello\n")
        await reader.readline()
        proxy.silence()
        writer.write(b"still there?\n")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.1)
        new_reader, new_writer = await asyncio.open_connection(proxy.host, proxy.port)
        new_writer.write(b"again\n")
        assert await new_reader.readline() == b"AGAIN\n"
        writer.close()
        new_writer.close()
