"""How frames arrive: many at a time where many are there, and whole."""

from __future__ import annotations

import asyncio

import pytest

from workroom.documents.workers import frames
from workroom.documents.workers.frames import BadFrame, FrameReader, FrameType


def arriving(*pieces: bytes) -> FrameReader:
    reader = asyncio.StreamReader()
    for piece in pieces:
        reader.feed_data(piece)
    reader.feed_eof()
    return FrameReader(reader)


async def test_small_frames_come_together() -> None:
    sent = [(FrameType.VALUE, b"%d" % number) for number in range(2_000)]
    source = arriving(b"".join(frames.pack_frame(*frame) for frame in sent))
    pages = list[list[frames.Frame]]()
    while sum(map(len, pages)) < len(sent):
        pages.append(await source.page())
    assert [frame for page in pages for frame in page] == sent
    assert len(pages) < 10


async def test_a_large_frame_is_waited_for_and_half_a_one_is_an_end() -> None:
    large = frames.pack_frame(FrameType.DATA, b"x" * (4 * frames.PAGE))
    source = arriving(frames.pack_frame(FrameType.VALUE, b"1"), large, large[:-1])
    assert await source.page() == [(FrameType.VALUE, b"1")]
    assert [len(payload) for _, payload in await source.page()] == [4 * frames.PAGE]
    with pytest.raises(asyncio.IncompleteReadError):
        await source.page()


async def test_what_came_before_nonsense_is_told_first() -> None:
    source = arriving(frames.pack_frame(FrameType.VALUE, b"1") + b"?\x00\x00\x00\x01x")
    assert await source.page() == [(FrameType.VALUE, b"1")]
    with pytest.raises(BadFrame):
        await source.page()
