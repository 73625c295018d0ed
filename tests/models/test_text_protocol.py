"""Tools for models without function calling: the same loop sees the same answers, and no block is ever shown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.asking import TOOL, Ask, heard, known, message, plain, request, user
from workroom.agent.testing import ScriptedModel, say
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, ImagePart, OpaquePart, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.core.tokens import Usage
from workroom.models.ports import Answer, Forcing, Model, ModelFailed, ModelRequest, TextDelta
from workroom.models.providers.instructions import NO_RESULT
from workroom.models.providers.text_protocol import TextToolModel
from workroom.models.testing import Drip, Reply, ScriptedProvider, Status

GOOD = '```tool\n{"tool": "notes.read", "arguments": {"id": 1}}\n```'
BAD = '```tool\n{"tool": "notes.read", "arguments": {"id": 1}\n```'
READ = {"tool": "notes.read", "arguments": {"id": 1}}


@pytest.fixture
def model(provider: ScriptedProvider, ask: Ask) -> Model:
    """Over HTTP, with a model that is asked for nothing but text."""
    return TextToolModel(ask.model)


@pytest.mark.requirement("A2")
async def test_text_streams_and_blocks_become_calls(provider: ScriptedProvider, model: Model) -> None:
    provider.script.append(Reply(f"Reading now.\n{GOOD}\n{GOOD}", usage=Usage(20, 9, 4)))
    deltas, answer = await heard(model, request())
    assert deltas == ["Readin", "g now."]
    assert plain(answer) == [{"text": "Reading now."}, READ, READ]
    assert answer.usage == Usage(20, 9, 4)
    assert len({part.call_id for part in answer.parts if isinstance(part, CallPart)}) == 2
    [asked] = provider.requests
    assert not {"tools", "tool_choice"} & set(asked.body)
    system = asked.messages[0]["content"]
    assert system.startswith("Be brief.")
    assert TOOL.name in system
    assert TOOL.description in system
    assert json.dumps(TOOL.parameters) in system


@pytest.mark.requirement("A2")
async def test_a_conversation_is_told_in_words(provider: ScriptedProvider, model: Model) -> None:
    done, left = (CallPart(call_id=new_id(), tool="notes.read", arguments={"id": number}) for number in (1, 2))
    result = ResultPart(call_id=done.call_id, tool="notes.read", result=ToolResult(message=f"Sly:\n{GOOD}"))
    history = [
        user("Read."),
        message(Role.ASSISTANT, TextPart(text="Gladly."), done, left),
        message(Role.TOOL, result),
        message(Role.USER, TextPart(text="And?"), ImagePart(media_type="image/png", data="cG5n")),
    ]
    provider.script.append(Reply("Fine."))
    await heard(model, request(*history))
    _, asked, answered, results = provider.requests[0].messages
    assert (asked["role"], answered["role"], results["role"]) == ("user", "assistant", "user")
    assert answered["content"] == f"Gladly.\n{GOOD}\n{GOOD.replace('1', '2')}"
    first, question, picture = results["content"]
    assert first["text"].splitlines() == [
        f"Result of notes.read: {json.dumps(result.result.text())}",
        f'Result of notes.read: "{NO_RESULT}"',
    ]
    assert (question["text"], picture["type"]) == ("And?", "image_url")


@pytest.mark.requirement("A2")
async def test_a_block_that_cannot_be_read_is_asked_for_once_more() -> None:
    inner = ScriptedModel(say(f"I look.\n{BAD}"), say(f"Sorry!\n{GOOD}"))
    deltas, answer = await heard(TextToolModel(inner), request())
    assert "".join(deltas) == "I look."
    assert plain(answer) == [{"text": "I look."}, READ]
    assert answer.usage == Usage(20, 10), "both calls are paid for"
    told = inner.requests[1].messages
    assert [one.role for one in told] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert BAD in told[1].text
    assert "it is not JSON" in told[2].text


@pytest.mark.requirement("A2")
async def test_all_calls_are_written_again_so_that_none_is_made_twice() -> None:
    inner = ScriptedModel(say(f"{GOOD}\n{BAD}"), say(f"{GOOD}\n{GOOD}"))
    _, answer = await heard(TextToolModel(inner), request())
    assert plain(answer) == [READ, READ]


@pytest.mark.parametrize("second", [say(BAD), say("I gave up."), ModelFailed("no", again=True)])
@pytest.mark.requirement("A2")
async def test_a_second_try_that_is_no_better_ends_it(second: object) -> None:
    """The call goes to the loop as it is, and the loop tells the model."""
    assert isinstance(second, list | Exception)
    inner = ScriptedModel(say(f"I look.\n{BAD}"), second)
    _, answer = await heard(TextToolModel(inner), request())
    text, call = answer.parts
    assert text == TextPart(text="I look.")
    assert isinstance(call, CallPart)
    assert (call.tool, call.arguments, call.unreadable) == ("notes.read", {}, BAD.splitlines()[1] + "\n")
    assert len(inner.requests) == 2
    assert answer.usage == (Usage(10, 5) if isinstance(second, Exception) else Usage(20, 10))


async def test_an_unreadable_call_is_shown_again_as_it_was_written() -> None:
    call = CallPart(call_id=new_id(), tool="notes.read", arguments={}, unreadable='{"tool":')
    inner = ScriptedModel(say("Fine."))
    await heard(TextToolModel(inner), request(user("Read."), message(Role.ASSISTANT, call)))
    assert inner.requests[0].messages[1].text == '```tool\n{"tool":\n```'


@pytest.mark.parametrize(
    ("forcing", "order"),
    [(Forcing.AUTO, None), (Forcing.ANY, "Use a tool now"), (Forcing.NONE, "without a tool block")],
)
async def test_forcing_is_an_order_in_words(forcing: Forcing, order: str | None) -> None:
    inner = ScriptedModel(say("Fine."))
    await heard(TextToolModel(inner), ModelRequest("", [user("Read.")], [TOOL], forcing))
    [asked] = inner.requests[0].messages
    assert asked.parts[0] == TextPart(text="Read.")
    assert asked.text == "Read." if order is None else order in asked.text
    assert inner.requests[0].forcing is Forcing.AUTO


async def test_where_no_tools_are_offered_nothing_is_a_call() -> None:
    inner = ScriptedModel(say(GOOD))
    _, answer = await heard(TextToolModel(inner), ModelRequest("Be brief.", [user("Hello")]))
    assert answer.parts == say(GOOD)
    assert inner.requests[0].system == "Be brief."


async def test_what_the_inner_model_wants_kept_is_kept() -> None:
    thought = OpaquePart(provider="p", model="m", data={"x": 1})
    inner = ScriptedModel([thought, *say(f"Yes.\n{GOOD}")], say("Fine."))
    model = TextToolModel(inner)
    _, answer = await heard(model, request())
    assert [type(part) for part in answer.parts] == [OpaquePart, TextPart, CallPart]
    await heard(model, request(user("Hello"), message(Role.ASSISTANT, *answer.parts)))
    assert inner.requests[1].messages[1].parts[0] == thought


async def test_failures_of_the_inner_model_are_its_own(provider: ScriptedProvider, model: Model) -> None:
    provider.script.append(Status(429, retry_after=3))
    with pytest.raises(ModelFailed) as caught:
        await heard(model, request())
    assert (caught.value.again, caught.value.after) == (True, 3)


async def test_closing_ends_the_request(provider: ScriptedProvider, model: Model) -> None:
    provider.script.append(Drip(Reply("one two three four"), asyncio.Event(), after=3))
    stream = model.stream(request())
    await anext(stream)
    await stream.aclose()
    await asyncio.wait_for(provider.departed.wait(), 60)
    assert len(provider.requests) == 1, "nothing was asked again"


@given(st.integers(1, 12))
async def test_no_piece_of_a_block_is_ever_shown(chunk: int) -> None:
    text = f"Look: ```tool is not one.\nResult of all this:\n{GOOD}\n\n{GOOD}\n"
    model = TextToolModel(Slices(text, chunk))
    deltas, answer = await heard(model, request())
    assert "".join(deltas) == "Look: ```tool is not one.\nResult of all this:"
    assert plain(answer) == [{"text": "Look: ```tool is not one.\nResult of all this:"}, READ, READ]


@given(st.integers(1, 12))
async def test_reading_stops_behind_a_block_where_a_small_model_goes_on_with_a_result_it_made_up(chunk: int) -> None:
    inner = Slices(f"I look.\n{GOOD}\nResult of notes.read: milk\nYou need milk.\n{GOOD}" + " and so on" * 99, chunk)
    deltas, answer = await heard(TextToolModel(inner), request())
    assert "".join(deltas) == "I look."
    assert plain(answer) == [{"text": "I look."}, READ]
    assert inner.said < 200, "the rest is not waited for"
    assert answer.usage == Usage(), "what it used is estimated"


@pytest.mark.requirement("A2")
@given(st.integers(1, 12), st.sampled_from(["Result of notes.read: milk", "**The result of `notes.read`** is milk."]))
async def test_a_result_made_up_without_a_call_is_asked_for_once_more(chunk: int, claim: str) -> None:
    inner = Slices(f"I look.\n{claim}\nYou need milk.", chunk, then=[GOOD])
    deltas, answer = await heard(TextToolModel(inner), request())
    assert "".join(deltas) == "I look."
    assert plain(answer) == [{"text": "I look."}, READ]
    assert answer.requests == 2
    assert "result of notes.read" in inner.requests[1].messages[-1].text


@given(st.integers(1, 12))
async def test_who_needs_no_tool_after_all_answers_without(chunk: int) -> None:
    inner = Slices("Result of notes.read: milk", chunk, then=["You have no notes."])
    deltas, answer = await heard(TextToolModel(inner), request())
    assert "".join(deltas) == "You have no notes."
    assert plain(answer) == [{"text": "You have no notes."}]


@given(st.integers(1, 12))
async def test_a_result_that_was_really_seen_may_be_told(chunk: int) -> None:
    call = CallPart(call_id=new_id(), tool="notes.read", arguments={"id": 1})
    seen = message(Role.TOOL, ResultPart(call_id=call.call_id, tool="notes.read", result=ToolResult(message="milk")))
    history = [user("Read."), message(Role.ASSISTANT, call), seen]
    told = "Result of notes.read: milk\n\nThe result of another thing: `notes.read` is a tool."
    deltas, answer = await heard(TextToolModel(Slices(told, chunk)), request(*history))
    assert "".join(deltas) == told
    assert plain(answer) == [{"text": told}]
    deltas, _ = await heard(TextToolModel(Slices(told.partition("\n\n")[2], chunk)), request())
    assert "".join(deltas) == "The result of another thing: `notes.read` is a tool."


class Slices:
    """Says a text in pieces of so many characters, then others. `said` counts those of the first that were taken."""

    info = known("slices")

    def __init__(self, text: str, size: int, then: Sequence[str] = ()) -> None:
        self._texts, self._size = [text, *then], size
        self.said = 0
        self.requests: list[ModelRequest] = []

    async def stream(self, asked: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        self.requests.append(asked)
        text = self._texts.pop(0)
        for start in range(0, len(text), self._size):
            self.said += self._size
            yield TextDelta(text[start : start + self._size])
        yield Answer(say(text))
