"""Everything a provider can do wrong is one sentence for a person, and says whether another try may help."""

from __future__ import annotations

import logging
import traceback

import pytest

from tests.models.asking import KEY, Ask, heard, known, request
from workroom.models.ports import ModelFailed
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.testing import Cut, Garbage, Nothing, Reply, ScriptedProvider, Status
from workroom.net import GuardedClient, Limits
from workroom.net.testing import ScriptedInternet

LONG = Reply("one two three four five six")


@pytest.mark.parametrize(
    ("status", "again", "words"),
    [
        (Status(400, "temperature must be 1"), False, "(400): temperature must be 1"),
        (Status(400, code="context_length_exceeded"), False, "too long for scripted"),
        (Status(401, f"Incorrect API key: {KEY}"), False, "The key for"),
        (Status(403), False, "may use scripted"),
        (Status(404, code="model_not_found"), False, "The model scripted does not exist"),
        (Status(404), False, "The model scripted does not exist"),
        (Status(402), False, "no credit left"),
        (Status(429, code="insufficient_quota"), False, "no credit left"),
        (Status(429), True, "takes no more requests"),
        (Status(408), True, "problem of its own (408)"),
        (Status(409), True, "problem of its own (409)"),
        (Status(500), True, "problem of its own (500)"),
        (Status(503), True, "problem of its own (503)"),
        (Status(529), True, "problem of its own (529)"),
        (Status(418, " tea \n pot " + "x" * 1000), False, "(418): tea pot xxx"),
        (Status(400, ""), False, "it did not say why"),
    ],
    ids=lambda value: str(value.status) if isinstance(value, Status) else None,
)
async def test_statuses(ask: Ask, status: Status, again: bool, words: str) -> None:
    failed = await ask.failure(status)
    assert words in failed.message
    assert failed.again == again
    assert failed.after is None
    assert KEY not in failed.message
    assert len(failed.message) < 500
    assert len(ask.provider.requests) == 1, "trying again is decided elsewhere"


@pytest.mark.parametrize(("header", "seconds"), [(7, 7.0), ("nonsense", None), (-1, None)])
@pytest.mark.parametrize("status", [429, 503])
async def test_the_time_a_provider_asks_for_is_passed_on(
    ask: Ask, status: int, header: str | int, seconds: float | None
) -> None:
    assert (await ask.failure(Status(status, retry_after=header))).after == seconds


@pytest.mark.parametrize("how", ["dropped", "ended"])
@pytest.mark.parametrize("after", [0, 1, 3])
async def test_a_stream_that_breaks_off(ask: Ask, how: str, after: int) -> None:
    failed = await ask.failure(Cut(LONG, after=after, how="dropped" if how == "dropped" else "ended"))
    assert failed.again
    assert ("broke off its answer" if how == "dropped" else "only half of one") in failed.message


@pytest.mark.parametrize(
    "line",
    [
        'data: {"choices": [{"del',
        "data: <html>",
        'data: {"choices": 5}',
        'data: {"choices": [7]}',
        'data: {"choices": [{"delta": {"tool_calls": 3}}]}',
        "data: []",
        'data: "text"',
        "data: \\xff",
    ],
)
async def test_garbage_in_a_stream(ask: Ask, line: str) -> None:
    assert (await ask.failure(Garbage(LONG, line=line))).again


async def test_lines_that_mean_nothing_are_passed_over(ask: Ask) -> None:
    deltas, _ = await ask(Garbage(LONG, after=2, line=": still here"))
    assert "".join(deltas) == LONG.text


@pytest.mark.parametrize(
    ("error", "again", "words"),
    [
        ('{"message": "The server is overloaded", "code": "overloaded"}', True, "problem of its own"),
        ('{"message": "slow down", "code": "rate_limit_exceeded"}', True, "no more requests"),
        ('{"message": "too much", "code": "context_length_exceeded"}', False, "too long"),
        ('{"message": "a fuse blew"}', True, "a fuse blew"),
    ],
)
async def test_an_error_inside_a_stream(ask: Ask, error: str, again: bool, words: str) -> None:
    failed = await ask.failure(Garbage(LONG, after=2, line=f'data: {{"error": {error}}}'))
    assert failed.again == again
    assert words in failed.message


async def test_no_answer_at_all(ask: Ask) -> None:
    assert (await ask.failure(Nothing(dropped=True))).again


async def test_silence_ends_with_the_limit_of_the_client(provider: ScriptedProvider) -> None:
    impatient = GuardedClient(allowed_private=frozenset({provider.origin}), limits=Limits(read_seconds=0.05))
    failed = await Ask(provider, OpenAiCompatibleModel(known("m"), provider.base_url, "", impatient)).failure(Nothing())
    assert "took too long" in failed.message
    assert failed.again
    await impatient.aclose()


async def test_nobody_there(ask: Ask) -> None:
    await ask.provider.aclose()
    failed = await ask.failure(Reply("unheard"))
    assert "does not accept connections" in failed.message
    assert failed.again


async def test_the_guard_holds_for_models_too(provider: ScriptedProvider) -> None:
    guarded = GuardedClient()
    failed = await Ask(provider, OpenAiCompatibleModel(known("m"), provider.base_url, KEY, guarded)).failure(
        Reply("unheard")
    )
    assert not failed.again
    assert not provider.requests
    await guarded.aclose()


async def test_an_unknown_host() -> None:
    internet = ScriptedInternet()
    model = OpenAiCompatibleModel(known("m"), "https://nowhere.example/v1", KEY, internet.client())
    with pytest.raises(ModelFailed, match=r"https://nowhere\.example was not found") as caught:
        await heard(model, request())
    assert caught.value.again
    await internet.aclose()


async def test_keys_reach_neither_the_message_nor_the_log(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for said in (Status(400, f"What is {KEY}?"), Status(401, KEY), Garbage(LONG, line=f'data: "{KEY}"')):
        failed = await ask.failure(said)
        assert KEY not in "".join(traceback.format_exception(failed))
    assert KEY not in caplog.text


async def test_a_failure_leaves_the_model_usable(ask: Ask) -> None:
    await ask.failure(Cut(LONG))
    deltas, _ = await ask(Reply("Back again"))
    assert "".join(deltas) == "Back again"
