"""Whatever a provider goes on writing: it is heard as far as it was allowed to, the request ends, and all of it is counted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.models.asking import Ask, Maker, heard, known, request
from workroom.agent import model_calls
from workroom.agent.model_calls import ModelCalls, size_of
from workroom.agent.testing import InMemoryJournal
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, TextPart
from workroom.core.tokens import Usage
from workroom.models.output_limit import CHARACTERS_BESIDES, CHARACTERS_PER_TOKEN, EVENT_BYTES, MOST_CALLS
from workroom.models.ports import HiddenDelta, Model, ModelFailed
from workroom.models.provider_client import ProviderClient, ProviderModel
from workroom.models.testing import Call, Cut, Drip, Garbage, Reply, ScriptedAnswer, ScriptedProvider, Status
from workroom.net import ClientLimits, GuardedClient

TOKENS = 100
MOST = CHARACTERS_PER_TOKEN * TOKENS + CHARACTERS_BESIDES
LONG = "word " * MOST
SOON = 60.0
WRITTEN = '{"text": "' + "x" * 600 + '"}'


@pytest.fixture
async def line(provider: ScriptedProvider, maker: Maker) -> AsyncIterator[ProviderModel]:
    """As the gateway makes it."""
    line = ProviderClient(lambda: GuardedClient(allowed_private=frozenset({provider.origin})))
    yield ProviderModel(known("scripted"), line, lambda client: maker(provider.root_url, "scripted", "", client))
    await line.retire()


@pytest.mark.requirement("C4")
async def test_a_stream_that_breaks_off_in_the_arguments_of_a_call_is_billed(
    provider: ScriptedProvider, line: ProviderModel, spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0, 0.0, 0.0))
    # Google sends a call in one piece, the others piece by piece.
    provider.behaviour = lambda _: Cut(
        Reply(calls=[Call("notes__read", WRITTEN)], chunk=40), after=2 if spoken == "google" else 8
    )
    journal = InMemoryJournal()
    with pytest.raises(ModelFailed):
        await ModelCalls([line], journal, lambda _: None).ask(lambda _: request(), new_id())
    assert len(provider.requests) == 2, "asked once more, and not four times"
    assert len(journal.bills) == 2
    for _, used in journal.bills:
        assert used.output_tokens >= 60
        assert used.input_tokens == (10 if spoken == "anthropic" else size_of(request())), "reported, or estimated"


@pytest.mark.parametrize("what", ["text", "reasoning", "arguments"])
async def test_an_answer_without_end_is_cut_at_the_granted_length(
    provider: ScriptedProvider, line: ProviderModel, what: str, spoken: str
) -> None:
    reply = {
        "text": Reply(LONG, chunk=100),
        "reasoning": Reply(reasoning=LONG, chunk=100),
        "arguments": Reply(calls=[Call("notes__read", {"text": LONG})], chunk=100),
    }[what]
    whole = (what, spoken) == ("arguments", "google")  # which sends them in one piece
    provider.script.append(Drip(reply, asyncio.Event(), after=2 if whole else 2 + len(LONG) // 200))
    limited = request().limited(TOKENS)
    if what == "text":
        deltas, answer = await heard(line, limited)
        assert answer.parts == [TextPart(text=LONG[:MOST])]
        assert answer.cut
        assert len("".join(deltas)) == MOST
    else:
        with pytest.raises(ModelFailed, match="wrote more than it was allowed"):
            await heard(line, limited)
    await asyncio.wait_for(provider.departed.wait(), SOON)


async def test_the_limit_is_the_provider_s_to_keep(ask: Ask) -> None:
    _, answer = await ask(Reply("So far", finish="length"))
    assert answer.cut
    assert answer.parts == [TextPart(text="So far")]
    assert not (await ask(Reply("All of it")))[1].cut


async def test_calls_without_end(provider: ScriptedProvider, line: ProviderModel) -> None:
    provider.script.append(Reply(calls=[Call("notes__read", {"id": 1})] * (MOST_CALLS + 5), chunk=100))
    _, answer = await heard(line, request())
    assert sum(isinstance(part, CallPart) for part in answer.parts) == MOST_CALLS
    assert answer.cut


@pytest.mark.parametrize("kind", ["event", "refusal"])
async def test_an_event_and_a_refusal_are_no_longer_than_that(ask: Ask, kind: str) -> None:
    long = "x" * (EVENT_BYTES + 1)
    said: dict[str, ScriptedAnswer] = {
        "event": Garbage(Reply("one two three"), after=2, line=f"data: {long}"),
        "refusal": Status(500, long),
    }
    failed = await ask.failure(said[kind])
    assert f"larger than {EVENT_BYTES:,} bytes" in failed.message
    assert not failed.again


async def test_a_stream_has_an_end_in_time(provider: ScriptedProvider, maker: Maker) -> None:
    hurried = GuardedClient(allowed_private=frozenset({provider.origin}), limits=ClientLimits(total_seconds=0))
    failed = await Ask(provider, maker(provider.root_url, "m", "", hurried)).failure(Reply("one two"))
    assert "took too long" in failed.message
    await hurried.aclose()


async def test_what_is_reported_before_a_failure_is_passed_on(ask: Ask) -> None:
    failed = await ask.failure(Reply("", finish="content_filter", usage=Usage(12, 3)))
    assert failed.used == Usage(12, 3)


async def test_what_is_not_shown_is_heard(provider: ScriptedProvider, model: Model) -> None:
    provider.script.append(Reply("Yes.", calls=[Call("notes__read", {"id": 1})], reasoning="Hm, let me see."))
    hidden = "".join([item.text async for item in model.stream(request()) if isinstance(item, HiddenDelta)])
    assert "notes__read" in hidden
    assert '"id": 1' in hidden
    assert "Hm, let me see." in hidden
