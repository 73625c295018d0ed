"""Gemini, in what it does not share with other providers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.models.asking import KEY, TOOL, heard, known, message, user
from workroom.core.messages import CallPart, OpaquePart, Part, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.models.ports import ModelFailed, ModelRequest
from workroom.models.providers.generate_content import TidyGoogleModel
from workroom.models.providers.google import ADDRESS, GoogleModel
from workroom.models.testing import Call, Garbage, Reply, ScriptedProvider
from workroom.net import ClientLimits, GuardedClient
from workroom.net.testing import ScriptedInternet

SIGNED = {"thoughtSignature": "c2lnbmVk"}


@pytest.fixture
def gemini(provider: ScriptedProvider, client: GuardedClient) -> GoogleModel:
    return GoogleModel(known("gemini-3-pro"), KEY, client, provider.root_url)


async def said_back(gemini: GoogleModel, provider: ScriptedProvider, reply: Reply) -> list[dict[str, Any]]:
    """What the model says, as it is shown to it again."""
    provider.script += [reply, Reply("Fine.")]
    _, answer = await heard(gemini, ModelRequest("", [user("Go")], [TOOL]))
    calls = [part for part in answer.parts if isinstance(part, CallPart)]
    results = [ResultPart(call_id=call.call_id, tool=call.tool, result=ToolResult(message="ok")) for call in calls]
    history = [user("Go"), message(Role.ASSISTANT, *answer.parts), message(Role.TOOL, *results), user("And?")]
    await heard(gemini, ModelRequest("", history, [TOOL]))
    spoken = next(content for content in provider.requests[-1].messages if content["role"] == "model")
    return list(spoken["parts"])


async def test_signatures_go_back_with_the_part_they_came_with(gemini: GoogleModel, provider: ScriptedProvider) -> None:
    calls = [Call("notes__read", {"id": 1}, extra=SIGNED), Call("notes__read", {"id": 2})]
    parts = await said_back(gemini, provider, Reply("I look.", calls, reasoning="Hm."))
    assert [sorted(part) for part in parts] == [  # an unsigned thought of an earlier question is left out
        ["text", "thoughtSignature"],
        ["functionCall", "thoughtSignature"],
        ["functionCall"],
    ]


async def test_a_signature_without_text_is_not_lost(gemini: GoogleModel, provider: ScriptedProvider) -> None:
    """It comes at the very end, in a part that says nothing."""
    answer: list[Part] = [
        OpaquePart(
            provider=str(provider.origin),
            model="gemini-3-pro",
            data={
                "part": {
                    "part_kind": "text",
                    "content": "",
                    "provider_name": "google",
                    "provider_details": {"thought_signature": "c2lnbmVk"},
                }
            },
        ),
        TextPart(text="Yes."),
    ]
    provider.script.append(Reply("Fine."))
    await heard(gemini, ModelRequest("", [user("Go"), message(Role.ASSISTANT, *answer), user("And?")]))
    assert provider.requests[0].messages[1]["parts"] == [{"text": "", **SIGNED}, {"text": "Yes."}]


async def test_a_call_of_another_model_is_accepted_without_its_signature(
    gemini: GoogleModel, provider: ScriptedProvider
) -> None:
    """Gemini wants one on the first call of an answer, and has a word for histories that come from elsewhere."""
    parts = await said_back(gemini, provider, Reply(calls=[Call("notes__read", {"id": 1})]))
    assert [sorted(part) for part in parts] == [["functionCall", "thoughtSignature"]]


async def test_a_call_google_could_not_read_may_be_tried_again(gemini: GoogleModel, provider: ScriptedProvider) -> None:
    provider.script.append(Reply(calls=[Call("notes__read", '{"id":')]))
    with pytest.raises(ModelFailed, match="did not manage an answer") as caught:
        await heard(gemini, ModelRequest("", [user("Go")], [TOOL]))
    assert caught.value.again


async def test_keys_are_not_quoted_by_what_nobody_foresaw(
    gemini: GoogleModel, provider: ScriptedProvider, caplog: pytest.LogCaptureFixture
) -> None:
    """The trace that goes to the log quotes what the library stumbled over."""
    line = f'data: {{"candidates": [{{"content": {{"parts": [{{"text": {{"{KEY}": 1}}}}]}}}}]}}'
    provider.script.append(Garbage(Reply("Hello"), after=2, line=line))
    with pytest.raises(ModelFailed) as caught:
        await heard(gemini, ModelRequest("", [user("Go")]))
    assert KEY not in caught.value.message
    [record] = caplog.records
    assert "Traceback" in vars(record)["trace"]
    assert "…" in vars(record)["trace"]
    assert record.exc_info is None
    assert KEY not in str(vars(record))


async def test_limits_of_the_client_hold_beside_the_sdk(provider: ScriptedProvider) -> None:
    limits = ClientLimits(connect_seconds=3, read_seconds=40)
    client = GuardedClient(allowed_private=frozenset({provider.origin}), limits=limits)
    model = GoogleModel(known("gemini-3-pro"), KEY, client, provider.root_url)
    library = (await model._connected()).model
    assert isinstance(library, TidyGoogleModel)
    http: Any = library.client._api_client._async_httpx_client
    asked = SimpleNamespace(headers={}, extensions={"timeout": {"connect": 40.0}})
    for hook in http.event_hooks["request"]:
        await hook(asked)
    assert asked.extensions["timeout"] == {"connect": 3, "read": 40, "write": 40, "pool": 40}
    await client.aclose()


async def test_without_an_address_it_is_google_itself() -> None:
    internet = ScriptedInternet()
    model = GoogleModel(known("gemini-2.5-flash"), KEY, internet.client())
    with pytest.raises(ModelFailed, match=f"{ADDRESS} was not found"):
        await heard(model, ModelRequest("", [user("Hello")]))
    await internet.aclose()
