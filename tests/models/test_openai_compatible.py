"""The adapter over real HTTP: what goes over the wire, and what comes back of it."""

from __future__ import annotations

import base64
import json
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.models.asking import KEY, TOOL, Ask, heard, known, message, request, user
from workroom.core.messages import CallPart, ImagePart, OpaquePart, Part, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.core.tokens import Usage
from workroom.models.ports import Forcing, Model, ModelFailed, ModelRequest
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.providers.outgoing import CALL_A_TOOL, NO_RESULT
from workroom.models.testing import Call, Reply, ScriptedProvider
from workroom.net import GuardedClient
from workroom.net.testing import ScriptedInternet

FIRST, SECOND = UUID("01900000-0000-7000-8000-000000000001"), UUID("01900000-0000-7000-8000-000000000002")


def plain(parts: list[Part]) -> list[object]:
    """Without the ids, which are fresh each time."""
    return [part.model_dump(exclude={"call_id"}, exclude_defaults=True) for part in parts]


@pytest.mark.requirement("C1")
async def test_the_request_on_the_wire(provider: ScriptedProvider, model: OpenAiCompatibleModel) -> None:
    here, elsewhere = str(provider.origin), "https://elsewhere.example"
    thought = {"part_kind": "thinking", "content": "Hm.", "id": "reasoning_content", "provider_name": here}
    asked = ModelRequest(
        system="Be brief.",
        messages=[
            message(Role.USER, TextPart(text="What is this?"), ImagePart(media_type="image/png", data="cG5n")),
            message(
                Role.ASSISTANT,
                OpaquePart(provider=here, model="scripted", data={"part": thought}),
                OpaquePart(provider=elsewhere, model="scripted", data={"part": thought}),
                TextPart(text="I shall look."),
                CallPart(call_id=FIRST, tool="notes.read", arguments={"id": 1}),
                CallPart(call_id=SECOND, tool="notes.read", arguments={}, unreadable='{"id":'),
            ),
            message(Role.TOOL, ResultPart(call_id=FIRST, tool="notes.read", result=ToolResult(items=["a note"]))),
            user("Go on."),
        ],
        tools=[TOOL],
        temperature=0.2,
        max_output_tokens=500,
    )
    provider.script.append(Reply("Fine."))
    await heard(model, asked)

    received = provider.requests[0]
    assert received.path == "/v1/chat/completions"
    assert received.body == {
        "model": "scripted",
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.2,
        "max_tokens": 500,
        "tool_choice": "auto",
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "notes__read",
                    "description": "Read a note.",
                    "parameters": {
                        "type": "object",
                        "properties": {"id": {"type": "integer"}},
                        "required": ["id"],
                    },
                },
            }
        ],
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "What is this?"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}},
                ],
            },
            {
                "role": "assistant",
                "content": "I shall look.",
                "reasoning_content": "Hm.",
                "tool_calls": [
                    {
                        "id": str(FIRST),
                        "type": "function",
                        "function": {"name": "notes__read", "arguments": '{"id":1}'},
                    },
                    {
                        "id": str(SECOND),
                        "type": "function",
                        "function": {"name": "notes__read", "arguments": '{"INVALID_JSON":"{\\"id\\":"}'},
                    },
                ],
            },
            {"role": "tool", "tool_call_id": str(SECOND), "content": NO_RESULT},
            {"role": "tool", "tool_call_id": str(FIRST), "content": '{"items":["a note"]}'},
            {"role": "user", "content": "Go on."},
        ],
    }


async def test_nothing_of_the_environment_or_the_machine_goes_out(
    ask: Ask, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody-else")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere.example")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway-Key: secret")
    await ask(Reply("Fine."))
    headers = dict(provider.requests[0].headers)
    assert headers.pop("user-agent").startswith("workroom/")
    assert headers.pop("authorization") == f"Bearer {KEY}"
    expected = {"host", "accept", "accept-encoding", "connection", "content-type", "content-length"}
    assert set(headers) - expected == {"x-stainless-retry-count", "x-stainless-read-timeout"}


async def test_text_arrives_in_pieces_and_then_whole(ask: Ask, model: OpenAiCompatibleModel) -> None:
    port: Model = model
    assert port.info.id == "scripted"
    deltas, answer = await ask(Reply("Hello, world", usage=Usage(20, 4, 16), model="scripted-2026"))
    assert deltas == ["Hello,", " world"]
    assert answer.parts == [TextPart(text="Hello, world")]
    assert answer.usage == Usage(input_tokens=20, output_tokens=4, cached_tokens=16)
    assert answer.model == "scripted-2026"


async def test_several_calls_beside_text(ask: Ask) -> None:
    calls = [Call("notes__read", {"id": 1}, id="call_0"), Call("notes__read", {"id": 2}, id="call_0"), Call("invented")]
    _, answer = await ask(Reply("Reading.", calls))
    assert plain(list(answer.parts)) == [
        {"text": "Reading."},
        {"tool": "notes.read", "arguments": {"id": 1}},
        {"tool": "notes.read", "arguments": {"id": 2}},
        {"tool": "invented", "arguments": {}},
    ]
    ids = [part.call_id for part in answer.parts if isinstance(part, CallPart)]
    assert len(set(ids)) == 3
    assert {call_id.version for call_id in ids} == {7}


@pytest.mark.requirement("A6")
async def test_arguments_that_are_no_json_are_kept_for_the_model_to_see(ask: Ask) -> None:
    _, answer = await ask(Reply(calls=[Call("notes__read", '{"id": ' + "1" * 3000)]))
    assert plain(list(answer.parts)) == [
        {"tool": "notes.read", "arguments": {}, "unreadable": ('{"id": ' + "1" * 3000)[:2000]}
    ]


async def test_reasoning_is_kept_and_given_back_to_the_same_model_only(
    ask: Ask, provider: ScriptedProvider, client: GuardedClient
) -> None:
    deltas, answer = await ask(Reply("Yes.", reasoning="Because."))
    assert deltas == ["Yes."]
    assert [type(part) for part in answer.parts] == [OpaquePart, TextPart]

    again = request(user("Why?"), message(Role.ASSISTANT, *answer.parts), user("Really?"))
    await ask(Reply("Yes."), again)
    other = OpenAiCompatibleModel(known("another"), provider.base_url, KEY, client)
    provider.script.append(Reply("Yes."))
    await heard(other, again)
    same, another = ([m for m in asked.messages if m["role"] == "assistant"] for asked in provider.requests[1:])
    assert same == [{"role": "assistant", "content": "Yes.", "reasoning_content": "Because."}]
    assert another == [{"role": "assistant", "content": "Yes."}]


async def test_what_is_attached_to_a_call_goes_back_with_it(ask: Ask, provider: ScriptedProvider) -> None:
    signature = {"google": {"thought_signature": "c2lnbmVk"}}
    _, answer = await ask(Reply(calls=[Call("notes__read", {"id": 1}, extra=signature)]))
    call = answer.parts[-1]
    assert isinstance(call, CallPart)
    result = ResultPart(call_id=call.call_id, tool=call.tool, result=ToolResult(message="ok"))
    await ask(Reply("Done."), request(user("Read"), message(Role.ASSISTANT, *answer.parts), message(Role.TOOL, result)))
    sent = provider.requests[1].messages[-2]["tool_calls"]
    assert [(item["id"], item["extra_content"]) for item in sent] == [(str(call.call_id), signature)]


async def test_missing_usage_is_zero(ask: Ask) -> None:
    _, answer = await ask(Reply("Hello", usage=None))
    assert answer.usage == Usage(0, 0, 0)


async def test_an_empty_answer_has_no_parts(ask: Ask) -> None:
    deltas, answer = await ask(Reply(""))
    assert (deltas, answer.parts) == ([], [])


async def test_a_refusal_is_an_answer(ask: Ask) -> None:
    deltas, answer = await ask(Reply(refusal="I would rather not."))
    assert answer.parts == [TextPart(text="I would rather not.")]
    assert "".join(deltas) == "I would rather not."


async def test_an_answer_withheld_by_a_filter_is_a_failure(ask: Ask) -> None:
    failed = await ask.failure(Reply("", finish="content_filter"))
    assert "content filter" in failed.message
    assert not failed.again


async def test_half_an_answer_that_a_filter_or_limit_ended_is_kept(ask: Ask) -> None:
    for finish in ("content_filter", "length"):
        _, answer = await ask(Reply("Half of it", finish=finish))
        assert answer.parts == [TextPart(text="Half of it")]


async def test_characters_that_cannot_be_stored_do_not_arrive(ask: Ask) -> None:
    deltas, answer = await ask(Reply("a\x00b\ud800c", chunk=1))
    assert "".join(deltas) == "a\ufffdb\ufffdc"
    assert answer.parts == [TextPart(text="a\ufffdb\ufffdc")]


async def test_a_model_that_cannot_be_forced_is_told_in_words(
    provider: ScriptedProvider, client: GuardedClient
) -> None:
    provider.script += [Reply(calls=[Call("notes__read", {"id": 1})])] * 2
    forced = ModelRequest("", [user("Read it.")], [TOOL], Forcing.ANY)
    await heard(OpenAiCompatibleModel(known("Qwen/Qwen3-8B"), provider.base_url, "", client), forced)
    await heard(OpenAiCompatibleModel(known("llama3.3"), provider.base_url, "", client), forced)
    told, made_to = (asked.body for asked in provider.requests)
    assert (told["tool_choice"], told["messages"][-1]["content"]) == ("auto", f"Read it.\n\n{CALL_A_TOOL}")
    assert (made_to["tool_choice"], made_to["messages"][-1]["content"]) == ("required", "Read it.")


async def test_a_model_with_a_taste_in_call_ids_gets_its_way(provider: ScriptedProvider, client: GuardedClient) -> None:
    call = CallPart(call_id=FIRST, tool="notes.read", arguments={"id": 1})
    result = ResultPart(call_id=FIRST, tool="notes.read", result=ToolResult(message="a note"))
    provider.script.append(Reply("Fine."))
    history = request(user("Read it."), message(Role.ASSISTANT, call), message(Role.TOOL, result))
    await heard(OpenAiCompatibleModel(known("mistral-small"), provider.base_url, "", client), history)
    asked, answered = provider.requests[0].messages[-2:]
    assert len(answered["tool_call_id"]) == 9
    assert asked["tool_calls"][0]["id"] == answered["tool_call_id"]


async def test_openai_itself_gets_its_own_dialect(provider: ScriptedProvider) -> None:
    """Its reasoning models refuse a temperature, and the limit has another name there."""
    internet = ScriptedInternet()
    internet.resolver.answer("api.openai.com", ["93.184.216.34"])
    internet.connector.route("93.184.216.34", 80, to=provider.origin.port)
    model = OpenAiCompatibleModel(known("gpt-5"), "http://api.openai.com/v1", KEY, internet.client())
    provider.script.append(Reply("Fine."))
    await heard(model, ModelRequest("Be brief.", [user("Hello")], temperature=0.7, max_output_tokens=9))
    await internet.aclose()
    body = provider.requests[0].body
    assert body["max_completion_tokens"] == 9
    assert not {"max_tokens", "temperature"} & set(body)


async def test_a_key_is_not_needed(provider: ScriptedProvider, client: GuardedClient) -> None:
    provider.script.append(Reply("Hello"))
    _, answer = await heard(OpenAiCompatibleModel(known("local"), provider.base_url, "", client), request())
    assert answer.parts == [TextPart(text="Hello")]
    assert provider.requests[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize("address", ["", "no address", "ftp://x.example", "http://[::1", "http://user:pw@x.example/v1"])
async def test_an_address_that_is_none_is_said_to_be(address: str, client: GuardedClient) -> None:
    with pytest.raises(ModelFailed) as caught:
        await heard(OpenAiCompatibleModel(known("m"), address, KEY, client), request())
    assert not caught.value.again
    assert "pw" not in caught.value.message


@given(
    text=st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=60),
    arguments=st.lists(
        st.dictionaries(st.text("abc", max_size=3), st.integers() | st.text('é"\\\n{}', max_size=5)), max_size=3
    ),
    chunk=st.integers(1, 12),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_whatever_is_said_arrives(ask: Ask, text: str, arguments: list[dict[str, object]], chunk: int) -> None:
    calls = [Call("notes__read", json.dumps(each)) for each in arguments]
    deltas, answer = await ask(Reply(text, calls, chunk=chunk))
    assert "".join(deltas) == text
    assert "".join(part.text for part in answer.parts if isinstance(part, TextPart)) == text
    assert [part.arguments for part in answer.parts if isinstance(part, CallPart)] == arguments


async def test_a_picture_survives_the_way(ask: Ask, provider: ScriptedProvider) -> None:
    data = base64.b64encode(bytes(range(256))).decode()
    await ask(Reply("Nice."), request(message(Role.USER, ImagePart(media_type="image/webp", data=data))))
    [part] = provider.requests[0].messages[-1]["content"]
    assert part["image_url"]["url"] == f"data:image/webp;base64,{data}"
