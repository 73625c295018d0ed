"""Our messages to the library's and back: nothing is lost, nothing foreign is shown, and the conversation is one that
providers accept."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import messages as theirs
from pydantic_ai.usage import RequestUsage

from tests.models.asking import message, request, user
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, ImagePart, Message, OpaquePart, Part, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.core.tokens import Usage
from workroom.models.ports import Forcing, ModelFailed, ModelRequest
from workroom.models.providers.incoming import parts_of, usage_of
from workroom.models.providers.instructions import CALL_A_TOOL, NO_RESULT
from workroom.models.providers.names import WireNames
from workroom.models.providers.opaque import ProviderIdentity, keep
from workroom.models.providers.outgoing import conversation, outgoing

HERE = ProviderIdentity("https://one.example", "small")

keepable = st.characters(exclude_characters="\x00", exclude_categories=["Cs"])
texts = st.text(keepable, min_size=1, max_size=20).map(lambda text: TextPart(text=text))
arguments = st.dictionaries(
    st.text(keepable, max_size=5), st.integers(-9, 9) | st.text(keepable, max_size=5), max_size=3
)
calls = st.builds(
    lambda tool, given: CallPart(call_id=new_id(), tool=tool, arguments=given),
    st.text("abc._", min_size=1, max_size=6),
    arguments,
)
thoughts = st.text(keepable, max_size=20).map(
    lambda text: keep(theirs.ThinkingPart(content=text, id="reasoning", provider_name=HERE.provider), HERE)
)
answers = st.lists(texts | calls | thoughts, max_size=6)


def returned(parts: list[Part]) -> list[Part]:
    """To the library and back, as the model that wrote them would see them."""
    said = list(conversation([message(Role.ASSISTANT, *parts)], HERE))
    names = WireNames(part.tool for part in parts if isinstance(part, CallPart))
    return [part for one in said if isinstance(one, theirs.ModelResponse) for part in parts_of(one, names, HERE)]


def without_ids(parts: list[Part]) -> list[Any]:
    return [part.model_dump(exclude={"call_id"}) for part in parts]


def requests(messages: list[Message], who: ProviderIdentity = HERE) -> list[list[theirs.ModelRequestPart]]:
    return [list(one.parts) for one in conversation(messages, who) if isinstance(one, theirs.ModelRequest)]


@given(answers)
def test_an_answer_comes_back_as_it_was(parts: list[Part]) -> None:
    assert without_ids(returned(parts)) == without_ids(parts)


@given(answers)
def test_call_ids_go_out_as_they_are_and_come_back_fresh(parts: list[Part]) -> None:
    ours = [part.call_id for part in parts if isinstance(part, CallPart)]
    sent = [
        part.tool_call_id
        for one in conversation([message(Role.ASSISTANT, *parts)], HERE)
        for part in one.parts
        if isinstance(part, theirs.ToolCallPart)
    ]
    fresh = [part.call_id for part in returned(parts) if isinstance(part, CallPart)]
    assert sent == [str(call_id) for call_id in ours]
    assert not set(fresh) & set(ours)
    assert len(set(fresh)) == len(ours)


@given(
    answers,
    st.sampled_from([ProviderIdentity("https://other.example", "small"), ProviderIdentity(HERE.provider, "large")]),
)
def test_opaque_parts_are_shown_to_nobody_else(parts: list[Part], other: ProviderIdentity) -> None:
    sent = [part for one in conversation([message(Role.ASSISTANT, *parts)], other) for part in one.parts]
    assert not [part for part in sent if isinstance(part, theirs.ThinkingPart)]


def test_an_opaque_part_that_no_library_understands_is_dropped() -> None:
    old: list[Part] = [HERE.opaque(part={"part_kind": "telepathy"}), HERE.opaque(something="else"), TextPart(text="x")]
    assert without_ids(returned(old)) == [{"type": "text", "text": "x"}]


def test_what_a_provider_attached_to_a_call_goes_back_with_that_call_only() -> None:
    attached = theirs.ToolCallPart("a", {}, provider_name=HERE.provider, provider_details={"extra_content": {"s": 1}})
    response = theirs.ModelResponse(parts=[theirs.ToolCallPart("b", {}), attached])
    parts = parts_of(response, WireNames(["a", "b"]), HERE)
    assert [type(part) for part in parts] == [CallPart, OpaquePart, CallPart]

    said = next(conversation([message(Role.ASSISTANT, *parts)], HERE))
    assert [part.provider_details for part in said.parts if isinstance(part, theirs.ToolCallPart)] == [
        None,
        {"extra_content": {"s": 1}},
    ]


def test_unreadable_arguments_are_shown_to_the_model_that_wrote_them() -> None:
    part = CallPart(call_id=new_id(), tool="t", arguments={}, unreadable='{"a":')
    said = next(conversation([message(Role.ASSISTANT, part)], HERE)).parts[0]
    assert isinstance(said, theirs.ToolCallPart)
    assert said.args_as_dict() == {"INVALID_JSON": '{"a":'}


def test_every_call_has_one_result_and_every_result_a_call() -> None:
    """Right after the answer, in one message and in its order, however they are stored: providers count."""
    first, left, last = (CallPart(call_id=new_id(), tool="t", arguments={}) for _ in range(3))
    orphan = ResultPart(call_id=new_id(), tool="t", result=ToolResult(message="from a history that was cut"))
    results = [ResultPart(call_id=call.call_id, tool="t", result=ToolResult(message="fine")) for call in (last, first)]
    given = [message(Role.TOOL, result) for result in results]
    returns, said = requests(
        [message(Role.TOOL, orphan), message(Role.ASSISTANT, first, left, last), *given, user("?")]
    )
    assert [(part.tool_call_id, part.content) for part in returns if isinstance(part, theirs.ToolReturnPart)] == [
        (str(first.call_id), "fine"),
        (str(left.call_id), NO_RESULT),
        (str(last.call_id), "fine"),
    ]
    assert len(returns) == 3
    assert [type(part) for part in said] == [theirs.UserPromptPart]


def test_what_a_provider_attached_to_text_goes_back_with_that_text_only() -> None:
    signed = theirs.TextPart("a", provider_name=HERE.provider, provider_details={"thought_signature": "x"})
    silent = theirs.TextPart("", provider_name=HERE.provider, provider_details={"thought_signature": "y"})
    response = theirs.ModelResponse(parts=[theirs.TextPart("0"), signed, theirs.ToolCallPart("t", {}), silent])
    parts = parts_of(response, WireNames(["t"]), HERE)
    assert [type(part) for part in parts] == [TextPart, OpaquePart, TextPart, CallPart, OpaquePart]

    said = next(conversation([message(Role.ASSISTANT, *parts)], HERE))
    texts = [part for part in said.parts if isinstance(part, theirs.TextPart)]
    assert [(part.content, part.provider_details) for part in texts] == [
        ("0", None),
        ("a", {"thought_signature": "x"}),
        ("", {"thought_signature": "y"}),
    ]
    other = next(conversation([message(Role.ASSISTANT, *parts)], ProviderIdentity(HERE.provider, "large")))
    assert [part.provider_details for part in other.parts if isinstance(part, theirs.TextPart)] == [None, None]


def test_images_stand_among_the_text() -> None:
    picture = ImagePart(media_type="image/png", data=base64.b64encode(b"png").decode())
    parts = requests([message(Role.USER, TextPart(text="Look:"), picture)])[0]
    assert isinstance(parts[0], theirs.UserPromptPart)
    assert parts[0].content == ["Look:", theirs.BinaryContent(data=b"png", media_type="image/png")]


def test_what_is_no_image_is_refused_in_words() -> None:
    with pytest.raises(ModelFailed, match="application/pdf"):
        requests([message(Role.USER, ImagePart(media_type="application/pdf", data=""))])


def test_empty_messages_are_left_out() -> None:
    assert (
        list(conversation([message(Role.USER), message(Role.ASSISTANT), message(Role.USER, TextPart(text=""))], HERE))
        == []
    )


@pytest.mark.parametrize(
    ("forcing", "profile", "expected"),
    [
        (Forcing.AUTO, {}, None),
        (Forcing.NONE, {}, "none"),
        (Forcing.ANY, {}, "required"),
        (Forcing.ANY, {"supports_forced_tool_choice": False}, None),
        (
            Forcing.ANY,
            {"supports_forced_tool_choice_with_thinking": False, "thinking_enabled_by_default": True},
            None,
        ),
    ],
)
def test_forcing(forcing: Forcing, profile: dict[str, Any], expected: str | None) -> None:
    asked = ModelRequest("", [user("Go")], request().tools, forcing)
    out = outgoing(asked, profile, HERE)
    assert out.settings.get("tool_choice") == expected
    as_text = CALL_A_TOOL in str(out.messages)
    assert as_text == (forcing is Forcing.ANY and expected is None)


def test_an_order_in_words_comes_last_and_does_not_take_a_second_turn() -> None:
    profile = {"supports_forced_tool_choice": False}
    call = CallPart(call_id=new_id(), tool="t", arguments={})
    result = ResultPart(call_id=call.call_id, tool="t", result=ToolResult(message="ok"))
    tools = request().tools

    after_user = outgoing(ModelRequest("", [user("Go")], tools, Forcing.ANY), profile, HERE).messages
    assert [part.content for one in after_user for part in one.parts if isinstance(part, theirs.UserPromptPart)] == [
        f"Go\n\n{CALL_A_TOOL}"
    ]
    history = [user("Go"), message(Role.ASSISTANT, call), message(Role.TOOL, result)]
    after_tool = outgoing(ModelRequest("", history, tools, Forcing.ANY), profile, HERE).messages
    assert isinstance(last := after_tool[-1].parts[0], theirs.UserPromptPart)
    assert last.content == CALL_A_TOOL


def test_nothing_is_forced_where_there_are_no_tools() -> None:
    out = outgoing(ModelRequest("", [user("Go")], (), Forcing.ANY), {}, HERE)
    assert "tool_choice" not in out.settings


def test_usage_counts_cached_tokens_among_the_input() -> None:
    assert usage_of(RequestUsage(input_tokens=100, output_tokens=7, cache_read_tokens=64)) == Usage(100, 7, 64)
    assert usage_of(RequestUsage()) == Usage(0, 0, 0)
