"""Without a language model, what the rules know nothing of goes back, if the conversation came by a handoff."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.agent.planning.bench import INTENTS as OTHER_INTENTS
from tests.agent.planning.bench import TOOLS, submit
from tests.agent.planning.navigator import INTENTS, NAMES
from workroom.agent.planning.loop import PlanLoop
from workroom.agent.planning.rules.planner import understands_nothing
from workroom.agent.ports import AgentSpec, Colleague, Progress
from workroom.agent.registry import HAND_OFF
from workroom.agent.testing import InMemoryJournal, ScriptedModel
from workroom.agent.tool import ToolContext, tool
from workroom.core.ids import new_id
from workroom.core.messages import Message, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.core.run_events import RunState

ME, OTHER = new_id(), new_id()
COLLEAGUE = Colleague(OTHER, "assistant", "Assistant")
RULES = ScriptedModel(info=replace(ScriptedModel().info, embedded=True))
LUNCH = "Wie viel wird fürs Mittagessen vergütet?"


@tool(HAND_OFF, effect="read")
async def hand_off(ctx: ToolContext, agent: str, reason: str) -> ToolResult:
    """Hand over."""
    return ToolResult(data={"agentId": str(OTHER), "reason": reason})


def handed_to(agent_id: Any) -> Message:
    result = ToolResult(data={"agentId": str(agent_id)})
    return Message(id=new_id(), role=Role.TOOL, parts=[ResultPart(call_id=new_id(), tool=HAND_OFF, result=result)])


def said(role: Role, text: str) -> Message:
    return Message(id=new_id(), role=role, parts=[TextPart(text=text)])


async def answered(
    text: str, *handoffs: Message, colleagues: tuple[Colleague, ...] = (COLLEAGUE,), model: ScriptedModel = RULES
) -> Progress:
    """The progress of a run on a question after these handoffs, by rules if no model is given."""
    before = [said(Role.USER, "open a"), *handoffs, said(Role.ASSISTANT, "Opened a.")]
    progress = Progress([*before, said(Role.USER, text)], begins=len(before))
    spec = AgentSpec("Plan.", id=ME, intents=OTHER_INTENTS, colleagues=colleagues, language="de")
    tools = {**TOOLS, HAND_OFF: hand_off} if colleagues else TOOLS
    loop = PlanLoop(progress, spec, [model], tools, InMemoryJournal(), lambda _: None, new_id, "request-1")
    assert await loop.advance() is RunState.COMPLETED
    return progress


def calls(progress: Progress) -> list[tuple[str, Any]]:
    return [(part.tool, part.arguments) for message in progress.own for part in message.calls]


async def test_a_question_the_rules_know_nothing_of_goes_back() -> None:
    progress = await answered(LUNCH, handed_to(ME))
    assert calls(progress) == [(HAND_OFF, {"agent": "assistant", "reason": "Ist für andere Fragen da"})]
    assert progress.messages[-1].role is Role.TOOL, "nothing is said after it: the other agent answers"


@pytest.mark.parametrize("handoffs", [(), (OTHER,), (ME, OTHER)])
async def test_whoever_chose_this_agent_is_asked_back(handoffs: tuple[Any, ...]) -> None:
    progress = await answered(LUNCH, *map(handed_to, handoffs))
    assert calls(progress) == []
    assert "nicht verstanden" in progress.messages[-1].text
    assert "vorherigen" not in progress.messages[-1].text


async def test_without_a_colleague_it_is_said_how_to_go_on() -> None:
    progress = await answered(LUNCH, handed_to(ME), colleagues=())
    assert "nicht verstanden" in progress.messages[-1].text
    assert progress.messages[-1].text.endswith("wechsle zurück zum vorherigen Agenten.")


async def test_with_a_language_model_the_model_decides() -> None:
    step = {"intent": "question", "toolCalls": [], "result": {"status": "ok", "message": "20 Franken."}}
    progress = await answered(LUNCH, handed_to(ME), model=ScriptedModel(submit(step)))
    assert calls(progress) == []
    assert progress.messages[-1].text == "20 Franken."


@pytest.mark.parametrize(
    ("text", "language", "nothing"),
    [
        (LUNCH, "de", True),
        ("How much is paid for lunch?", "en", True),
        ("Gehe nach Bern", "de", False),
        ("Gehe nach Bern und sage mir, wie viel vergütet wird", "de", False),
        ("Danke", "de", False),
        ("", "de", False),
    ],
)
def test_what_the_map_knows_nothing_of(text: str, language: str, nothing: bool) -> None:
    assert understands_nothing(text, INTENTS, language, NAMES) is nothing
