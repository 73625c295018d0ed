"""Calls that a model wrote as text are calls; words are never taken for one."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, ResultPart, Role, TextPart
from workroom.core.money import FREE
from workroom.core.results import ToolResult
from workroom.models.ports import Answer, HiddenDelta, ModelInfo, ModelRequest, StreamItem, TextDelta, ToolSchema
from workroom.models.providers.call_holdback import CallHoldback
from workroom.models.providers.written_call_model import WrittenCallModel
from workroom.models.providers.written_calls import WrittenCall, read_written_calls

NOTE = ToolSchema(
    "writeNote", "Writes a note.", {"properties": {"title": {"type": "string"}, "text": {"type": "string"}}}
)
SUM = ToolSchema("calculate", "Calculates.", {"properties": {"expression": {"type": "string"}}})
CLOCK = ToolSchema("geo.time", "Tells the time.", {"properties": {}})
OFFERED = (NOTE, SUM, CLOCK)
MILK = WrittenCall("writeNote", {"title": "Milk", "text": "two litres"})
ARGUMENTS = '{"title": "Milk", "text": "two litres"}'


def said(text: str, role: Role = Role.USER) -> Message:
    return Message(id=new_id(), role=role, parts=[TextPart(text=text)])


def read(answer: str, *messages: Message) -> list[WrittenCall] | None:
    written = read_written_calls(answer, OFFERED, messages)
    return None if written is None else list(written.calls)


@pytest.mark.requirement("A1")
@pytest.mark.parametrize(
    "written",
    [
        f'{{"name": "writeNote", "arguments": {ARGUMENTS}}}',
        f'{{"name": "writeNote", "parameters": {ARGUMENTS}}}',
        f'{{"tool": "writeNote", "arguments": {ARGUMENTS}}}',
        f'{{"tool": "writeNote", "parameters": {ARGUMENTS}}}',
        f'{{"type": "function", "function": {{"name": "writeNote", "arguments": {json.dumps(ARGUMENTS)}}}}}',
        f'[{{"name": "writeNote", "arguments": {ARGUMENTS}}}]',
        f'{{{{"name": "writeNote", "arguments": {ARGUMENTS}}}}}',
        f'{{{{"name": "writeNote", "arguments": {ARGUMENTS}}}}}}}',
        f'{{ {{"name": "writeNote", "arguments": {ARGUMENTS}}}',
        f'{{"name": "writeNote", "arguments": {ARGUMENTS}}}}}\n}}',
        f'{{"name": "writeNote", "arguments": {ARGUMENTS}',
        f'{{"name": "writeNote", "arguments": {ARGUMENTS[:-1]}',
        f'<tool_call>\n{{"name": "writeNote", "arguments": {ARGUMENTS}}}\n</tool_call>',
        f'<tool_call>{{{{"name": "writeNote", "arguments": {ARGUMENTS}}}</tool_call>',
        f'<tool_call>{{"name": "writeNote", "arguments": {ARGUMENTS}}}',
        'writeNote(title="Milk", text="two litres")',
        'writeNote("Milk", "two litres")',
        "writeNote(title='Milk', text='two litres')",
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "  {}\n", "```json\n{}\n```", "```\n{}\n```\n", "I write it down.\n\n```tool_call\n{}\n```"]
)
def test_each_known_form_is_a_call(written: str, around: str) -> None:
    assert read(around.replace("{}", written)) == [MILK]


def test_several_calls_and_names_with_a_dot() -> None:
    sum_up = '{"name": "calculate", "arguments": {"expression": "1+1"}}'
    two = f'<tool_call>{{"name": "geo.time", "arguments": {{}}}}</tool_call>\n<tool_call>{sum_up}</tool_call>'
    assert read(two) == [WrittenCall("geo.time", {}), WrittenCall("calculate", {"expression": "1+1"})]
    assert read("geo.time()") == [WrittenCall("geo.time", {})]


def test_what_is_said_beside_the_block_stays() -> None:
    answer = f'Gladly.\n\n```json\n{{"name": "writeNote", "arguments": {ARGUMENTS}}}\n```\nDone soon.'
    written = read_written_calls(answer, OFFERED, [])
    assert written is not None
    assert written.text == "Gladly.\n\nDone soon."


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "You can write writeNote(title='Milk') yourself.",
        '{"name": "deleteNote", "arguments": {}}',  # not offered
        '{"name": "writeNote"}',
        '{"name": "writeNote", "arguments": {}, "parameters": {}}',
        '{"name": "writeNote", "arguments": [1]}',
        f'Look: {{"name": "writeNote", "arguments": {ARGUMENTS}}}',
        '```json\n{"name": "geo.time", "arguments": {}}\n```\nor\n```json\n{"name": "calculate", "arguments": {}}\n```',
        '```rust\n{"name": "geo.time", "arguments": {}}\n```',
        '<tool_call>{"name": "geo.time", "arguments": {}}</tool_call> and more',
        "writeNote(title=open('/etc/passwd'))",
        "writeNote(**{'title': 'x'})",
        "writeNote('a', 'b', 'c')",
        "writeNote('a', title='b')",
        "calculate(1)(2)",
        '[{"name": "geo.time", "arguments": {}}, "and text"]',
        '{"name": "geo.time", "arguments": {}' + "[" * 5_000,
        '{"name": "geo.time", "arguments": {}}} is what I would write.',
        '{{"name": "geo.time", "arguments": {}} {',
        '{{{"name": "geo.time", "arguments": {}}}}',
        '{"name": "writeNote", "arguments": {"title": "Milk',  # inside a string
        '{"name": "writeNote", "arguments": {"title": "Milk",',
        '{"name": "writeNote", "arguments": {"title": {"a": 1',  # three are missing
        '{"type": "function", "function": {"name": "writeNote", "arguments": {"title": "Milk"',
        '[{"name": "geo.time", "arguments": {}}',
    ],
)
def test_everything_else_is_an_answer(answer: str) -> None:
    assert read(answer) is None


def test_what_was_read_is_quoted_not_called() -> None:
    call = '{"name": "writeNote", "arguments": {"title": "Milk", "text": "x"}}'
    result = ResultPart(call_id=new_id(), tool="readFile", result=ToolResult(message=f"It says:\n{call}\nThe end"))
    tool = Message(id=new_id(), role=Role.TOOL, parts=[result])
    assert read(f"```json\n{call}\n```", said("What does it say?"), tool) is None
    assert read(call.replace(" ", ""), tool) is None
    assert read(call, said(f"Explain {call}")) is None
    assert read(call, said(call, Role.ASSISTANT)) is not None
    for unbalanced in (f"{{{call}", f"{call}}}", f"{{{call}}}}}", call[:-1], call[:-2]):
        assert read(unbalanced) is not None
        assert read(unbalanced, tool) is None
        tagged = said(f"Explain <tool_call>{call}</tool_call>")
        assert read(f"<tool_call>{unbalanced}</tool_call>", tagged) is None


prose = st.text(st.characters(exclude_characters="{[(<"), max_size=300)


@pytest.mark.requirement("A2")
@given(prose)
def test_prose_is_never_a_call(text: str) -> None:
    assert read(text) is None


CALLS = ["writeNote(title='x')", '{"name": "geo.time", "arguments": {}}', '{{"name": "geo.time", "arguments": {}}}}']


@given(prose, prose, st.sampled_from(CALLS))
def test_a_call_in_the_middle_of_words_is_none(before: str, after: str, call: str) -> None:
    assert read(f"a {before}{call}{after} z") is None


@given(
    st.text(st.characters(exclude_characters="}"), min_size=1).filter(str.strip), st.integers(0, 3), st.integers(0, 3)
)
def test_words_behind_unmatched_braces_are_an_answer(words: str, before: int, after: int) -> None:
    call = '{"name": "geo.time", "arguments": {}}'
    assert read(f"{call}{'}' * before}{words}{'}' * after}") is None
    assert read(f"{{{call}{'}' * before}{words}{'}' * after}") is None


@given(
    st.dictionaries(st.text(max_size=5), st.text('ab{}"\\\n', max_size=10), max_size=3),
    st.booleans(),
    st.integers(-2, 4),
)
def test_unmatched_braces_change_nothing_about_the_call(values: dict[str, str], doubled: bool, more: int) -> None:
    call = json.dumps({"name": "writeNote", "arguments": values})
    written = call + "}" * more if more >= 0 else call[:more]
    calls = read(f"{{{written}" if doubled else written)
    assert calls is not None
    assert calls == read(call)


@given(st.text(), st.integers(0, 60))
def test_a_call_that_ends_inside_a_string_is_none(title: str, end: int) -> None:
    call = '{"name": "writeNote", "arguments": {"title": ' + json.dumps(title)
    assert read(call[: max(call.index(': "', 40) + 3, len(call) - 1 - end)]) is None


@given(st.lists(st.text('ab `\n{}[]<json:"', max_size=12), max_size=30))
def test_whatever_was_held_back_is_shown_in_the_end(pieces: list[str]) -> None:
    holdback = CallHoldback(OFFERED)
    shown = "".join(holdback.feed(piece) for piece in pieces)
    assert shown + holdback.finish() == "".join(pieces)


def test_words_are_shown_at_once_and_calls_never() -> None:
    holdback = CallHoldback(OFFERED)
    assert holdback.feed("Good ") == "Good "
    assert holdback.feed("morning.\n``") == "morning.\n"
    assert holdback.feed('`json\n{"name": "geo.time",') == ""
    assert holdback.feed(' "arguments": {}}\n```\nSo') == ""


@pytest.mark.parametrize("code", ["```python\nprint(1)", '```json\n{"a": 1}\n```\n', "```rust\nfn"])
def test_other_code_is_shown_as_soon_as_it_is_clear(code: str) -> None:
    holdback = CallHoldback(OFFERED)
    assert "".join(map(holdback.feed, f"See:\n{code}")) == f"See:\n{code}"


@dataclass
class Says:
    text: str
    cut: bool = False

    @property
    def info(self) -> ModelInfo:
        return ModelInfo("small", "model", FREE)

    async def stream(self, _: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        for at in range(0, len(self.text), 3):
            yield TextDelta(self.text[at : at + 3])
        yield Answer([TextPart(text=self.text)], cut=self.cut)


async def heard(model: Any, *tools: ToolSchema) -> tuple[str, Answer]:
    shown, answer = "", Answer(())
    async for item in WrittenCallModel(model).stream(ModelRequest("", [said("hello")], tools)):
        match item:
            case TextDelta(text):
                shown += text
            case Answer():
                answer = item
            case HiddenDelta():
                pass
    return shown, answer


async def test_a_stream_with_a_written_call_shows_words_alone_and_ends_with_the_call() -> None:
    shown, answer = await heard(Says('Gladly.\n```json\n{"name": "geo.time", "arguments": {}}\n```'), *OFFERED)
    assert shown == "Gladly.\n"
    text, call = answer.parts
    assert isinstance(text, TextPart)
    assert text.text == "Gladly."
    assert isinstance(call, CallPart)
    assert (call.tool, call.arguments, call.as_text) == ("geo.time", {}, True)


@pytest.mark.parametrize("before", ["", "Gladly.\n```json\n"])
@pytest.mark.parametrize(
    "written",
    [
        '{{"name": "geo.time", "arguments": {}}}}',
        '{"name": "geo.time", "arguments": {}}}',
        '{{"name": "geo.time", "arguments": {}}',
        '{"name": "geo.time", "arguments": {}',
    ],
)
async def test_a_stream_shows_nothing_of_a_call_with_unmatched_braces(written: str, before: str) -> None:
    text = f"{before}{written}\n```\n" if before else written
    shown, answer = await heard(Says(text), *OFFERED)
    assert shown == before[:8]
    assert isinstance(call := answer.parts[-1], CallPart)
    assert (call.tool, call.arguments) == ("geo.time", {})


@pytest.mark.parametrize(("cut", "tools"), [(True, OFFERED), (False, ())])
async def test_half_an_answer_and_one_without_tools_stay_what_they_are(
    cut: bool, tools: tuple[ToolSchema, ...]
) -> None:
    text = '{"name": "geo.time", "arguments": {}}'
    shown, answer = await heard(Says(text, cut), *tools)
    assert shown == text
    assert answer.parts == [TextPart(text=text)]
