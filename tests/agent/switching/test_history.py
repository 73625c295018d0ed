"""How a new agent is shown what was said before it came."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import pytest

from workroom.agent.context import compose
from workroom.agent.ports import AgentSpec, PastConversation, Progress
from workroom.agent.summaries import SUMMED_UP
from workroom.agent.switching.history import LONGEST_LINE, QUOTED, retold
from workroom.core.ids import new_id
from workroom.core.messages import (
    CallPart,
    FilePart,
    MaterialPart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    Role,
    TextPart,
)
from workroom.core.money import FREE
from workroom.core.places import file_place
from workroom.core.results import ToolResult
from workroom.models.catalogue import shipped
from workroom.models.catalogue.strategies import Degree
from workroom.models.ports import Forcing, ModelInfo


def known(provider: str, model: str) -> ModelInfo:
    return ModelInfo(provider, model, FREE, strategy=shipped().strategy(provider, model))


CLAUDE = known("anthropic", "claude-sonnet-4-5")  # low
GPT = known("openai", "gpt-4o")  # high
GEMINI = known("google", "gemini-2.5-pro")  # medium
GEMMA = known("google", "gemma-3-27b-it")  # low, and no ear for a system prompt


def said(role: Role, *parts: Part | str) -> Message:
    return Message(id=new_id(), role=role, parts=[TextPart(text=p) if isinstance(p, str) else p for p in parts])


def talk() -> list[Message]:
    """Two exchanges with Ada, the second with a tool, and a question to Bea."""
    asked = CallPart(call_id=new_id(), tool="look", arguments={})
    looking = said(Role.ASSISTANT, OpaquePart(provider="openai", model="gpt-4o", data={}), "I look.", asked)
    found = ResultPart(call_id=asked.call_id, tool="look", result=ToolResult(message="42 " * 1_000))
    return [
        said(Role.USER, "one", FilePart(file_id=new_id(), name="a.pdf")),
        said(Role.ASSISTANT, "answer one"),
        said(
            Role.USER,
            "two",
            MaterialPart(kind="text", place=file_place("secret.pdf"), text="secret", read_for=new_id()),
        ),
        looking,
        Message(id=looking.id, role=Role.TOOL, parts=[found]),
        said(Role.ASSISTANT, "answer two"),
        said(Role.USER, "three"),
    ]


def names_of(messages: Sequence[Message]) -> dict[UUID, str]:
    return {message.id: "Ada" for message in messages if message.role is not Role.USER}


def shown(memory: Degree, messages: list[Message] | None = None) -> list[Message]:
    messages = messages or talk()
    old = frozenset(message.id for message in messages[:-1])
    return retold(messages, old, messages[-1].id, names_of(messages[:-1]), memory)


@pytest.mark.requirement("G4")
def test_with_much_memory_everything_is_as_it_was() -> None:
    messages = talk()
    assert shown(Degree.HIGH, messages) == messages


@pytest.mark.requirement("G4")
def test_with_some_it_is_one_transcript_before_the_question() -> None:
    [only] = shown(Degree.MEDIUM)
    assert only.role is Role.USER
    transcript, question = [part.text for part in only.parts if isinstance(part, TextPart)]
    assert question == "three"
    assert transcript.startswith(f"{QUOTED}, between the user and Ada]")
    lines = transcript.split("\n\n")
    assert lines[1].startswith("User: one\n[Attached: a.pdf")
    assert lines[2:5] == ["Ada: answer one", "User: two", "Ada: I look."]
    assert lines[5].startswith("(look: 42 42")
    assert len(lines[5]) < 1_100, "results are cut"
    assert lines[6] == "Ada: answer two"
    assert "secret" not in transcript, "what was read for another question is not told"


@pytest.mark.requirement("G4")
def test_with_little_it_is_the_last_exchanges_cut_short() -> None:
    messages = [
        *talk()[:2],
        *talk()[:2],
        said(Role.USER, "x" * 5_000),
        said(Role.ASSISTANT, "long"),
        said(Role.USER, "?"),
    ]
    [only] = shown(Degree.LOW, messages)
    text = only.text
    assert text.count("answer one") == 1, "two exchanges, not three"
    assert len(text) < 3 * LONGEST_LINE
    assert "42" not in shown(Degree.LOW)[0].text, "no results of tools"


def test_a_summary_stays_a_summary() -> None:
    messages = [
        said(Role.USER, f"{SUMMED_UP}\n\nThey want a boat.", "one"),
        said(Role.ASSISTANT, "a1"),
        said(Role.USER, "?"),
    ]
    for memory in (Degree.LOW, Degree.MEDIUM):
        text = shown(memory, messages)[0].text
        assert "They want a boat." in text
        assert "User: [Summary" not in text


def test_a_question_that_was_handed_over_is_still_the_question() -> None:
    asked = CallPart(call_id=new_id(), tool="handOff", arguments={})
    question, answer = said(Role.USER, "Translate."), said(Role.ASSISTANT, "Not me.", asked)
    handed = ResultPart(call_id=asked.call_id, tool="handOff", result=ToolResult(message="Bea goes on."))
    messages = [question, answer, Message(id=answer.id, role=Role.TOOL, parts=[handed])]
    told = retold(messages, frozenset(m.id for m in messages), question.id, {answer.id: "Ada"}, Degree.MEDIUM)
    assert [m.role for m in told] == [Role.USER]
    assert told[0].parts[-1] == question.parts[0]
    assert "Ada: Not me." in told[0].text


def request(
    model: ModelInfo, messages: list[Message], past: PastConversation, question: int = -1
) -> tuple[str, list[Message]]:
    progress = Progress(messages, begins=question % len(messages), past=past)
    spec = AgentSpec("You rhyme.", name="Bea", standing_instructions=(("Rules of this platform", "Never swear."),))
    made = compose(progress, spec, {}, model, forcing=Forcing.AUTO)
    return made.system, list(made.messages)


@pytest.mark.requirement("G3")
@pytest.mark.requirement("G6")
def test_each_model_of_a_chain_is_reset_in_its_own_form_and_keeps_the_rules_of_the_house() -> None:
    messages = talk()
    past = PastConversation(len(messages) - 1, names_of(messages), "Ada")
    claude, history = request(CLAUDE, messages, past)
    assert claude.startswith("<system_reset>")
    assert [m.role for m in history] == [Role.USER]
    gpt, history = request(GPT, messages, past)
    assert gpt.startswith("[P1]")
    assert [m.role for m in history] == [m.role for m in messages]
    gemini, _ = request(GEMINI, messages, past)
    assert gemini.startswith("•")
    for system in (claude, gpt, gemini):
        assert "You rhyme." in system
        assert "Ada" in system
        assert "## Rules of this platform\nNever swear." in system
        assert system.count("You rhyme.") == 1


@pytest.mark.requirement("G4")
def test_a_model_without_a_system_role_is_told_before_the_users_words() -> None:
    messages = talk()
    past = PastConversation(len(messages) - 1, names_of(messages), "Ada")
    _, history = request(GEMMA, messages, past)
    assert "You rhyme." in history[-1].text
    assert history[-1].text.index("You rhyme.") < history[-1].text.index("three")
    _, history = request(CLAUDE, messages, past)
    assert "You rhyme." not in history[-1].text


@pytest.mark.requirement("G3")
def test_after_the_first_words_there_is_no_reset_but_the_past_stays_anothers() -> None:
    messages = [*talk(), said(Role.ASSISTANT, "In rhymes."), said(Role.USER, "four")]
    for ended in ("Ada", None):
        system, history = request(CLAUDE, messages, PastConversation(6, names_of(messages[:6]), ended))
        assert system.startswith("You rhyme.")
        assert [m.role for m in history] == [Role.USER, Role.ASSISTANT, Role.USER]
        assert QUOTED in history[0].text


@pytest.mark.requirement("G3")
def test_a_round_that_only_calls_tools_is_no_answer_yet() -> None:
    asked = CallPart(call_id=new_id(), tool="look", arguments={})
    silent = said(Role.ASSISTANT, asked)
    found = ResultPart(call_id=asked.call_id, tool="look", result=ToolResult(message="42"))
    messages = [*talk(), silent, Message(id=silent.id, role=Role.TOOL, parts=[found])]
    system, _ = request(CLAUDE, messages, PastConversation(6, names_of(messages[:6]), "Ada"), question=6)
    assert system.startswith("<system_reset>")


def test_who_is_no_language_model_reads_what_was_typed_as_it_is() -> None:
    messages = talk()
    past = PastConversation(len(messages) - 1, names_of(messages[:-1]), "Ada")
    progress = Progress(messages, begins=len(messages) - 1, past=past)
    embedded = ModelInfo("embedded", "default", FREE, embedded=True)
    request = compose(progress, AgentSpec("Help.", name="Bea"), {}, embedded, forcing=Forcing.AUTO)
    assert request.messages[-1].text == "three"
    assert "Ada" not in request.system
