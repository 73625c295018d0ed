"""A model of an own server may read for long before its first word; any other silence is a failure."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.models import asking
from workroom.models import model_factory, silence_limit
from workroom.models.connection import Connection
from workroom.models.model_factory import FIRST_WORD_SECONDS, LIMITS, OWN_SERVER_LIMITS, client_for, model_of
from workroom.models.offers import Offer
from workroom.models.ports import Model, ModelFailed
from workroom.models.testing import Drip, Reply, ScriptedProvider
from workroom.models.types import Provider, ProviderKind

SHORT = 0.2


@pytest.fixture
async def own_server(provider: ScriptedProvider) -> AsyncIterator[Model]:
    server = Provider("own", ProviderKind.ENDPOINT, "Own", provider.base_url)
    connection = Connection(server, provider.base_url, allowed_private=frozenset({provider.origin}))
    assert connection.own_server
    client = client_for(connection)
    yield model_of(Offer("own/m", "m", asking.known("m"), connection), client)
    await client.retire()


def test_an_own_server_has_many_minutes_for_its_first_word() -> None:
    assert OWN_SERVER_LIMITS.read_seconds == FIRST_WORD_SECONDS >= 20 * 60
    assert OWN_SERVER_LIMITS.total_seconds > FIRST_WORD_SECONDS
    assert LIMITS.read_seconds <= 5 * 60


async def test_it_is_waited_for_longer_than_for_others(
    monkeypatch: pytest.MonkeyPatch, provider: ScriptedProvider, own_server: Model
) -> None:
    monkeypatch.setattr(model_factory, "LIMITS", replace(LIMITS, read_seconds=SHORT))
    monkeypatch.setattr(silence_limit, "SILENCE_SECONDS", SHORT)
    provider.script.append(Drip(Reply("At last."), gate := asyncio.Event(), after=0))
    asyncio.get_running_loop().call_later(2 * SHORT, gate.set)
    said, _ = await asking.heard(own_server, asking.request())
    assert "".join(said) == "At last."


@pytest.mark.parametrize("after", [0, 1, 2])
async def test_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, provider: ScriptedProvider, own_server: Model, after: int
) -> None:
    """Neither for the first word nor in the middle of the answer."""
    monkeypatch.setattr(model_factory, "OWN_SERVER_LIMITS", replace(OWN_SERVER_LIMITS, read_seconds=SHORT))
    provider.script.append(Drip(Reply("Never whole."), asyncio.Event(), after=after))
    with pytest.raises(ModelFailed) as failed:
        await asking.heard(own_server, asking.request())
    assert (failed.value.code, failed.value.again) == ("modelTimedOut", True)


async def test_a_silence_in_the_middle_is_short(
    monkeypatch: pytest.MonkeyPatch, provider: ScriptedProvider, own_server: Model
) -> None:
    monkeypatch.setattr(silence_limit, "SILENCE_SECONDS", SHORT)
    provider.script.append(Drip(Reply("Never whole."), asyncio.Event(), after=2))
    with pytest.raises(ModelFailed, match="fell silent") as failed:
        await asking.heard(own_server, asking.request())
    assert (failed.value.code, failed.value.again) == ("modelTimedOut", True)
    await provider.departed.wait()
