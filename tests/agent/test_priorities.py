"""D4: what is shortened first when the window is small, one thing after the other."""

from __future__ import annotations

from typing import Any

import pytest

from workroom.agent.context import compose
from workroom.agent.context_budget import size
from workroom.agent.entities.prompt_section import TITLE
from workroom.agent.entities.types import Entity, EntityKey
from workroom.agent.ports import AgentSpec, Progress
from workroom.agent.summaries import Summary
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, MaterialPart, Message, ResultPart, Role, TextPart
from workroom.core.money import FREE
from workroom.core.places import file_place
from workroom.core.results import ToolResult
from workroom.core.tokens import estimate
from workroom.models.ports import Forcing, ModelInfo, ModelRequest

FACTS = [Entity(EntityKey.COMPANY, f"Company {n} AG", f"company {n} ag") for n in range(100)]
# Each long enough to be shortened, and to be told from the others.
LONG = 4_000


def filled(letter: str) -> str:
    return f"{letter} " * (LONG // 2)


def said(role: Role, *parts: Any) -> Message:
    return Message(id=new_id(), role=role, parts=list(parts))


def conversation() -> Progress:
    """Four rounds; the first two summed up; the last asks with passages of both layers and has a result."""
    early = [said(role, TextPart(text=f"{role} {n}")) for n in (1, 2, 3) for role in (Role.USER, Role.ASSISTANT)]
    reader = new_id()
    mine = MaterialPart(kind="text", place=file_place("own.pdf"), text=filled("i"), read_for=reader, found=True)
    ours = MaterialPart(
        kind="text", place=file_place("shared.pdf"), text=filled("s"), read_for=reader, found=True, shared=True
    )
    question = said(Role.USER, TextPart(text="the question"), mine, ours)
    asked = CallPart(call_id=new_id(), tool="look", arguments={})
    answer = said(Role.ASSISTANT, asked)
    result = ResultPart(call_id=asked.call_id, tool="look", result=ToolResult(message=filled("r")))
    found = Message(id=answer.id, role=Role.TOOL, parts=[result])
    summary = Summary(1, 2, early[3].id, filled("z"))
    return Progress([*early, question, answer, found], begins=6, summaries=[summary], summarise_above=0)


def whole(request: ModelRequest) -> dict[str, bool]:
    """What of it is shown at full length."""
    text = "".join(message.readable for message in request.messages)
    facts = text.count("- company: ")
    shown = {name: text.count(f"{name[0]} ") > LONG // 2 - 10 for name in ("result", "z-summary", "shared", "instance")}
    return {**shown, "facts": facts > 0, "question": "the question" in text}


@pytest.mark.requirement("D4")
def test_the_order_in_which_it_is_cut() -> None:
    """From a window that holds everything down to one that holds little: each thing goes after the one before it, and what
    is left always fits."""
    lost: list[str] = []
    for window in range(12_000, 1_500, -50):
        model = ModelInfo("p", "m", FREE, context_tokens=window, output_tokens=200)
        request = compose(conversation(), AgentSpec("x"), {}, model, forcing=Forcing.AUTO, known=FACTS)
        assert estimate(request.system) + size(request.messages) <= window - 200
        for name, there in whole(request).items():
            if not there and name not in lost:
                lost.append(name)
    assert lost == ["result", "z-summary", "shared", "facts", "instance"]


@pytest.mark.requirement("D4")
def test_facts_stand_behind_what_stays_the_same() -> None:
    model = ModelInfo("p", "m", FREE)
    asked = conversation()
    without = compose(asked, AgentSpec("x"), {}, model, forcing=Forcing.AUTO)
    told = compose(asked, AgentSpec("x"), {}, model, forcing=Forcing.AUTO, known=FACTS)
    assert (told.system, told.tools) == (without.system, without.tools)
    question = next(place for place, message in enumerate(without.messages) if "the question" in message.text)
    assert told.messages[:question] == without.messages[:question]
    assert told.messages[question].text.startswith(TITLE)
    assert told.messages[question].text.endswith(without.messages[question].text)


@pytest.mark.requirement("D4")
def test_facts_are_told_once_also_behind_a_summary_in_the_middle_of_a_run() -> None:
    """The summary then stands in a message of its own, before the answer that follows it."""
    rounds = [said(role, TextPart(text=f"{role} {n}")) for n in (1, 2) for role in (Role.USER, Role.ASSISTANT)]
    question = said(Role.USER, TextPart(text="the question"))
    answers = [said(Role.ASSISTANT, TextPart(text=f"look {n}")) for n in range(4)]
    asked = Progress(
        [*rounds, *answers, question], begins=8, summaries=[Summary(1, 2, rounds[3].id, "gist")], summarise_above=0
    )
    model = ModelInfo("p", "m", FREE)
    told = compose(asked, AgentSpec("x"), {}, model, forcing=Forcing.AUTO, known=FACTS).messages
    assert told[0].text.startswith("[Summary")
    assert [message.text.count(TITLE) for message in told] == [0] * (len(told) - 1) + [1]
    assert told[-1].text.endswith("the question")
