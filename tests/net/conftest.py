"""A small internet on loopback for every test of this folder."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from workroom.net.testing import ScriptedInternet


@pytest.fixture
async def internet() -> AsyncIterator[ScriptedInternet]:
    internet = ScriptedInternet()
    yield internet
    await internet.aclose()
