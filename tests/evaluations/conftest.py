from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.evaluations.behaviours import inert
from tests.evaluations.room import Room, room
from workroom.db import DatabaseAddress


@pytest.fixture
async def evaluating(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Room]:
    async with room(address, tmp_path / "data", inert) as opened:
        yield opened


@pytest.fixture
async def evaluating_openai(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Room]:
    async with room(address, tmp_path / "data", inert, openai=True) as opened:
        yield opened
