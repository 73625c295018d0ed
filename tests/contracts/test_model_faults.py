"""Everything a provider can do wrong is one sentence for a person, and says whether another try may help."""

from __future__ import annotations

import logging
import traceback

import pytest

from tests.models.asking import KEY, Ask, Maker, heard, request
from workroom.core.messages import TextPart
from workroom.core.redaction import HIDDEN
from workroom.models.ports import ModelFailed
from workroom.models.testing import Cut, Garbage, Nothing, Reply, ScriptedProvider, Status
from workroom.net import ClientLimits, GuardedClient
from workroom.net.testing import ScriptedInternet

LONG = Reply("one two three four five six")


# Whatever the API, and what only one of them says in its own way.
STATUSES = [
    (Status(400, "temperature must be 1"), False, "(400): temperature must be 1", "modelRefused"),
    (Status(401, f"Incorrect API key: {KEY}"), False, "The key for", "modelKeyRefused"),
    (Status(403), False, "does not let this key use scripted", "modelDenied"),
    (Status(404), False, "The model scripted does not exist", "modelNotFound"),
    (Status(402), False, "no credit left", "modelQuota"),
    (Status(429), True, "takes no more requests", "modelBusy"),
    (Status(408), True, "took too long", "modelTimedOut"),
    (Status(409), True, "problem of its own (409)", "modelUnavailable"),
    (Status(500), True, "problem of its own (500)", "modelUnavailable"),
    (Status(504), True, "took too long", "modelTimedOut"),
    (Status(503), True, "problem of its own (503)", "modelUnavailable"),
    (Status(529), True, "problem of its own (529)", "modelUnavailable"),
    (Status(418, " tea \n pot " + "x" * 1000), False, "(418): tea pot xxx", "modelRefused"),
    (Status(400, ""), False, "it did not say why", "modelRefused"),
]
OWN_STATUSES = {
    "openai": [
        (Status(400, code="context_length_exceeded"), False, "too long for scripted", "modelTooLong"),
        (Status(404, code="model_not_found"), False, "The model scripted does not exist", "modelNotFound"),
        (Status(429, code="insufficient_quota"), False, "no credit left", "modelQuota"),
    ],
    "anthropic": [
        (Status(400, "prompt is too long: 9 tokens > 8 maximum"), False, "too long for scripted", "modelTooLong"),
        (Status(400, "Your credit balance is too low"), False, "no credit left", "modelQuota"),
        (Status(404, "model: scripted"), False, "The model scripted does not exist", "modelNotFound"),
    ],
    "google": [
        (Status(400, f"API key not valid: {KEY}", code="API_KEY_INVALID"), False, "The key for", "modelKeyRefused"),
        (Status(404, "models/scripted is not found"), False, "The model scripted does not exist", "modelNotFound"),
        (
            Status(400, "The input token count exceeds the maximum number of tokens allowed"),
            False,
            "too long for scripted",
            "modelTooLong",
        ),
    ],
}

# Lines of a stream that are none, and errors that arrive inside of one.
GARBAGE = {
    "openai": [
        'data: {"choices": 5}',
        'data: {"choices": [7]}',
        'data: {"choices": [{"delta": {"tool_calls": 3}}]}',
        "data: []",
        'data: "text"',
    ],
    "anthropic": [
        'data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 5}}',
        'event: message_delta\ndata: {"type": "message_delta"}',
    ],
    "google": [
        'data: {"candidates": 5}',
        'data: {"candidates": [{"content": {"parts": [{"functionCall": 3}]}}]}',
        'data: {"candidates": [{"content": {"parts": [{"text": {}}]}}]}',
        "{",
    ],
}
INSIDE = {
    "openai": [
        ('data: {"error": {"message": "overloaded", "code": "overloaded"}}', True, "problem of its own"),
        ('data: {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}', True, "no more requests"),
        ('data: {"error": {"message": "too much", "code": "context_length_exceeded"}}', False, "too long"),
        ('data: {"error": {"message": "a fuse blew"}}', True, "a fuse blew"),
    ],
    "anthropic": [
        ('{"type": "overloaded_error", "message": "Overloaded"}', True, "problem of its own (529)"),
        ('{"type": "rate_limit_error", "message": "slow down"}', True, "no more requests"),
        ('{"type": "api_error", "message": "a fuse blew"}', True, "problem of its own"),
        ('{"type": "new_error", "message": "a fuse blew"}', True, "a fuse blew"),
    ],
    "google": [
        ('{"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}', True, "problem of its own (503)"),
        ('{"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED"}', True, "no more requests"),
        ('{"code": 500, "message": "a fuse blew", "status": "INTERNAL"}', True, "problem of its own (500)"),
    ],
}
FRAMES = {
    "openai": "{}",
    "anthropic": 'event: error\ndata: {{"type": "error", "error": {}}}',
    "google": '{{"error": {}}}',
}


async def explained(ask: Ask, status: Status, again: bool, words: str, code: str) -> None:
    failed = await ask.failure(status)
    assert words in failed.message
    assert failed.code == code
    assert (failed.details["provider"], failed.details["model"]) == ("scripted", "scripted")
    assert failed.details.get("words", "")[:5] == " ".join(status.message.split()).replace(KEY, HIDDEN)[:5]
    assert KEY not in str(failed.details)
    assert failed.again == again
    assert failed.after is None
    assert KEY not in failed.message
    assert len(failed.message) < 500
    assert len(ask.provider.requests) == 1, "trying again is decided elsewhere"


@pytest.mark.parametrize(
    ("status", "again", "words", "code"), STATUSES, ids=lambda value: str(getattr(value, "status", value))
)
async def test_statuses(ask: Ask, status: Status, again: bool, words: str, code: str) -> None:
    await explained(ask, status, again, words, code)


@pytest.mark.parametrize("number", range(3))
async def test_statuses_in_words_of_their_own(ask: Ask, spoken: str, number: int) -> None:
    await explained(ask, *OWN_STATUSES[spoken][number])


@pytest.mark.parametrize(("asked", "seconds"), [(7, 7.0), ("nonsense", None), (-1, None)])
@pytest.mark.parametrize("status", [429, 503])
async def test_the_time_a_provider_asks_for_is_passed_on(
    ask: Ask, status: int, asked: str | int, seconds: float | None
) -> None:
    assert (await ask.failure(Status(status, retry_after=asked))).after == seconds


@pytest.mark.parametrize("how", ["dropped", "ended"])
@pytest.mark.parametrize("after", [0, 1, 3])
async def test_a_stream_that_breaks_off(ask: Ask, how: str, after: int) -> None:
    failed = await ask.failure(Cut(LONG, after=after, how="dropped" if how == "dropped" else "ended"))
    assert failed.again
    assert ("broke off its answer" if how == "dropped" else "only half of one") in failed.message


@pytest.mark.parametrize("line", ['data: {"choices": [{"del', "data: <html>", "data: \\xff"])
async def test_garbage_in_a_stream(ask: Ask, line: str) -> None:
    assert (await ask.failure(Garbage(LONG, line=line))).again


async def test_garbage_that_looks_right_at_first(ask: Ask, spoken: str) -> None:
    for line in GARBAGE[spoken]:
        assert (await ask.failure(Garbage(LONG, after=2, line=line))).again, line


@pytest.mark.parametrize("line", sorted({line for lines in GARBAGE.values() for line in lines}))
async def test_foreign_garbage_never_spoils_an_answer_unnoticed(ask: Ask, line: str) -> None:
    """Some of it is passed over. Then all the rest is there."""
    try:
        deltas, answer = await ask(Garbage(LONG, line=line))
    except ModelFailed:
        return
    assert "".join(deltas) == LONG.text
    assert answer.parts == [TextPart(text=LONG.text)]


async def test_comments_in_a_stream_are_passed_over(ask: Ask, spoken: str) -> None:
    """Gateways keep the line open with them; Google's library alone takes them for garbage, and says so."""
    said = Garbage(LONG, after=2, line=": still here")
    if spoken == "google":
        assert (await ask.failure(said)).again
        return
    deltas, _ = await ask(said)
    assert "".join(deltas) == LONG.text


async def test_an_error_inside_a_stream(ask: Ask, spoken: str) -> None:
    for error, again, words in INSIDE[spoken]:
        failed = await ask.failure(Garbage(LONG, after=2, line=FRAMES[spoken].format(error)))
        assert (failed.again, words in failed.message) == (again, True), failed.message


async def test_no_answer_at_all(ask: Ask) -> None:
    assert (await ask.failure(Nothing(dropped=True))).again


async def test_silence_ends_with_the_limit_of_the_client(provider: ScriptedProvider, maker: Maker) -> None:
    impatient = GuardedClient(allowed_private=frozenset({provider.origin}), limits=ClientLimits(read_seconds=0.05))
    failed = await Ask(provider, maker(provider.root_url, "m", "", impatient)).failure(Nothing())
    assert "took too long" in failed.message
    assert (failed.again, failed.code) == (True, "modelTimedOut")
    await impatient.aclose()


async def test_nobody_there(ask: Ask) -> None:
    await ask.provider.aclose()
    failed = await ask.failure(Reply("unheard"))
    assert "does not accept connections" in failed.message
    assert (failed.again, failed.code) == (True, "modelUnreachable")


async def test_the_guard_holds_for_models_too(provider: ScriptedProvider, maker: Maker) -> None:
    guarded = GuardedClient()
    failed = await Ask(provider, maker(provider.root_url, "m", KEY, guarded)).failure(Reply("unheard"))
    assert not failed.again
    assert not provider.requests
    await guarded.aclose()


async def test_an_unknown_host(maker: Maker) -> None:
    internet = ScriptedInternet()
    model = maker("https://nowhere.example", "m", KEY, internet.client())
    with pytest.raises(ModelFailed, match=r"https://nowhere\.example was not found") as caught:
        await heard(model, request())
    assert caught.value.again
    await internet.aclose()


async def test_keys_reach_neither_the_message_nor_the_log(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for said in (Status(400, f"What is {KEY}?"), Status(401, KEY), Garbage(LONG, line=f'data: {{"{KEY}')):
        failed = await ask.failure(said)
        assert KEY not in "".join(traceback.format_exception(failed))
    assert KEY not in caplog.text


async def test_a_failure_leaves_the_model_usable(ask: Ask) -> None:
    await ask.failure(Cut(LONG))
    deltas, _ = await ask(Reply("Back again"))
    assert "".join(deltas) == "Back again"
