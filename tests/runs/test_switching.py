"""Switching agents on a real database: what is recorded, what the next answer is made with, and what cannot be chosen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from uuid import UUID

import pytest

from tests.agents.making import agent_of
from tests.runs.bench import RunBench
from tests.world import World, some_id
from workroom.agent.testing import Said, ScriptedModel, call, say
from workroom.agents.errors import AgentGone
from workroom.agents.shipped import ASSISTANT_ID
from workroom.agents.types import AgentDefinition
from workroom.conversations.types import AgentSwitch
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.pauses import Replied
from workroom.core.run_events import RunState
from workroom.identity.sharing import Visibility
from workroom.models.ports import Answer, ModelRequest, TextDelta
from workroom.runs.configs import AgentConfigs
from workroom.runs.service import Accepted, Input
from workroom.runs.switching import Switched, Switching, TakesEffect


class Silent(ScriptedModel):
    """By the script; then it says nothing, and whoever waits is let know."""

    def __init__(self, *script: Said) -> None:
        super().__init__(*script)
        self.asked = asyncio.Event()
        self._left = len(script)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Answer, None]:
        if self._left:
            self._left -= 1
            async for said in super().stream(request):
                yield said
            return
        self.requests.append(request)
        self.asked.set()
        await asyncio.Event().wait()


class Stage(RunBench):
    """Ada and Bea, and a conversation."""

    ada: AgentDefinition
    bea: AgentDefinition

    async def set(self) -> Stage:
        self.ada = await agent_of(self.world, "bob", "Ada", "You are Ada, who cooks.")
        self.bea = await agent_of(self.world, "bob", "Bea", "You are Bea, who rhymes.")
        self.switching = Switching(self.db)
        return self

    async def said(
        self, conversation_id: UUID | None, prompt: str, answer: str, agent_id: UUID | None = None
    ) -> tuple[Accepted, ScriptedModel]:
        given = Input(prompt, conversation_id, agent_id=agent_id)
        accepted = await self.runs.input(self.principal, self.lab, given)
        return accepted, await self.advance(accepted, say(answer))

    async def to(self, accepted: Accepted, agent: AgentDefinition | UUID) -> Switched:
        agent_id = agent if isinstance(agent, UUID) else agent.id
        return await self.switching.switch(self.principal, self.lab, accepted.conversation_id, agent_id)

    async def history(self, accepted: Accepted) -> list[AgentSwitch]:
        return list(await self.switching.history(self.principal, self.lab, accepted.conversation_id))


def resets(request: ModelRequest) -> bool:
    """Every form of it names who is ended or who begins before the instructions."""
    return not request.system.startswith(("You are", "Be brief."))


@pytest.mark.requirement("G1")
@pytest.mark.requirement("G2")
@pytest.mark.requirement("G3")
async def test_a_switch_is_recorded_and_the_first_answer_after_it_is_told_anew(world: World) -> None:
    stage = await Stage(world).set()
    first, model = await stage.said(None, "one", "soup", stage.ada.id)
    assert model.requests[0].system.startswith("You are Ada, who cooks.")
    switched = await stage.to(first, stage.bea)
    assert (switched.conversation.active_agent_id, switched.conversation.ai_agent_id) == (stage.bea.id, stage.ada.id)
    assert switched.takes_effect is TakesEffect.NOW
    second, model = await stage.said(first.conversation_id, "two", "loop")
    [request] = model.requests
    assert resets(request)
    assert "Ada" in request.system
    assert "You are Bea, who rhymes." in request.system
    assert [m.role for m in request.messages] == ["user"], "Ada's words are quoted, not Bea's own"
    [entry] = await stage.history(first)
    stored = await world.services.conversations.messages(stage.principal, stage.lab, first.conversation_id)
    assert entry.answered_by == stored[-1].message.id
    assert (entry.from_name, entry.to_name, entry.after_message_id) == ("Ada", "Bea", stored[1].message.id)
    told = [event.event for event in await stage.events(second.run_id) if event.event.type == "agentSwitched"]
    assert [(event.kind, event.to_name) for event in told] == [("user", "Bea")]
    _, model = await stage.said(first.conversation_id, "three", "hoop")
    assert not resets(model.requests[0]), "only the first"
    assert "Ada: soup" in model.requests[0].messages[0].text
    conversation = await world.services.conversations.get(stage.principal, stage.lab, first.conversation_id)
    assert conversation.ai_agent_id == stage.bea.id
    run = await stage.runs.get(stage.principal, second.run_id)
    assert (run.agent_id, run.agent_name) == (stage.bea.id, "Bea")


@pytest.mark.requirement("G2")
async def test_away_and_back_with_nothing_said_between_needs_no_reset(world: World) -> None:
    stage = await Stage(world).set()
    first, _ = await stage.said(None, "one", "soup", stage.ada.id)
    await stage.to(first, stage.bea)
    await stage.to(first, stage.ada)
    _, model = await stage.said(first.conversation_id, "two", "stew")
    assert not resets(model.requests[0])
    assert all(entry.answered_by for entry in await stage.history(first))


@pytest.mark.requirement("G2")
async def test_taking_a_switch_back_is_a_switch_like_any_other(world: World) -> None:
    stage = await Stage(world).set()
    first, _ = await stage.said(None, "one", "soup", stage.ada.id)
    await stage.said(first.conversation_id, "two", "rhyme", stage.bea.id)
    undone = await stage.switching.undo(stage.principal, stage.lab, first.conversation_id)
    assert [(entry.kind, entry.to_name) for entry in undone.history] == [("user", "Bea"), ("undo", "Ada")]
    _, model = await stage.said(first.conversation_id, "three", "stew")
    assert resets(model.requests[0])
    assert "Bea" in model.requests[0].system


async def crash(stage: Stage, asked: Accepted, *script: Said) -> list[ModelRequest]:
    """Answers by the script, and dies while it waits for the next answer; everything it was asked."""
    model = Silent(*script)
    async with stage.worker(model) as runner:
        working = asyncio.create_task(runner.advance(stage.key(asked)))
        await asyncio.wait_for(model.asked.wait(), 60)
        working.cancel()
        await asyncio.wait({working})
    return model.requests


@pytest.mark.requirement("G2")
async def test_a_crash_before_the_answer_resets_again_and_one_after_it_does_not(world: World) -> None:
    stage = await Stage(world).set()
    first, _ = await stage.said(None, "one", "soup", stage.ada.id)
    asked = await stage.runs.input(
        stage.principal, stage.lab, Input("two", first.conversation_id, agent_id=stage.bea.id)
    )
    assert [resets(request) for request in await crash(stage, asked)] == [True]
    words = [*say("Let me look."), call("listNotes")]
    assert [resets(request) for request in await crash(stage, asked, words)] == [True, False]
    model = await stage.advance(asked, say("loop"))
    assert [resets(request) for request in model.requests] == [False]


@pytest.mark.requirement("G2")
async def test_a_round_that_only_calls_a_tool_is_no_answer_also_after_a_crash(world: World) -> None:
    stage = await Stage(world).set()
    first, _ = await stage.said(None, "one", "soup", stage.ada.id)
    asked = await stage.runs.input(
        stage.principal, stage.lab, Input("two", first.conversation_id, agent_id=stage.bea.id)
    )
    assert [resets(request) for request in await crash(stage, asked, [call("currentTime")])] == [True, True]
    model = await stage.advance(asked, say("loop"))
    assert [resets(request) for request in model.requests] == [True]
    assert (await stage.history(asked))[0].answered_by is not None


@pytest.mark.requirement("G2")
async def test_a_branch_that_never_saw_the_first_answer_gets_its_own(world: World) -> None:
    stage = await Stage(world).set()
    first, _ = await stage.said(None, "one", "soup", stage.ada.id)
    second, model = await stage.said(first.conversation_id, "two", "loop", stage.bea.id)
    assert resets(model.requests[0])
    given = Input("two, differently", first.conversation_id, replaces=second.message_id)
    again = await stage.runs.input(stage.principal, stage.lab, given)
    model = await stage.advance(again, say("hoop"))
    assert resets(model.requests[0])
    _, model = await stage.said(first.conversation_id, "three", "coop")
    assert not resets(model.requests[0])


async def test_while_an_answer_is_under_way_a_switch_waits_for_the_next(world: World) -> None:
    stage = await Stage(world).set()
    asked = await stage.runs.input(stage.principal, stage.lab, Input("one", agent_id=stage.ada.id))
    silent = Silent()
    async with stage.worker(silent) as runner:
        working = asyncio.create_task(runner.advance(stage.key(asked)))
        await asyncio.wait_for(silent.asked.wait(), 60)
        switched = await stage.to(asked, stage.bea)
        assert switched.takes_effect is TakesEffect.NEXT_ANSWER
        working.cancel()
        await asyncio.wait({working})
    model = await stage.advance(asked, say("soup"))
    assert model.requests[0].system.startswith("You are Ada"), "it ends as who began it"
    assert (await stage.history(asked))[0].answered_by is None
    _, model = await stage.said(asked.conversation_id, "two", "loop")
    assert resets(model.requests[0])


async def test_a_paused_answer_goes_on_as_who_asked(world: World) -> None:
    stage = await Stage(world).set()
    asked = await stage.runs.input(stage.principal, stage.lab, Input("one", agent_id=stage.ada.id))
    await stage.advance(asked, [call("askUser", question="Which?")])
    assert (await stage.to(asked, stage.bea)).takes_effect is TakesEffect.NEXT_ANSWER
    call_id = await stage.sql("select call_id from tool_calls where run_id = $1", asked.run_id)
    await stage.runs.answer(stage.principal, asked.run_id, call_id, Replied(text="This."))
    model = await stage.advance(asked, say("soup"))
    assert model.requests[0].system.startswith("You are Ada")
    _, model = await stage.said(asked.conversation_id, "two", "loop")
    assert resets(model.requests[0])


@pytest.mark.requirement("G1")
async def test_who_cannot_be_chosen(world: World) -> None:
    stage = await Stage(world).set()
    first, _ = await stage.said(None, "one", "soup")
    private = await agent_of(world, "alice", "Private", visibility=Visibility.MY)
    for unknown in (some_id(), private.id):
        with pytest.raises(NotFound):
            await stage.to(first, unknown)
        with pytest.raises(NotFound):
            await stage.said(first.conversation_id, "two", "x", unknown)
        with pytest.raises(NotFound):
            await stage.said(None, "new", "x", unknown)
    await world.services.agents.delete(stage.principal, stage.lab, stage.ada.id)
    with pytest.raises(AgentGone):
        await stage.to(first, stage.ada)
    with pytest.raises(Conflict, match="nothing to take back"):
        await stage.switching.undo(stage.principal, stage.lab, first.conversation_id)
    with pytest.raises(NotFound):
        await stage.switching.switch(world["olaf"].principal, stage.lab, first.conversation_id, stage.bea.id)
    assert await stage.history(first) == []


async def test_choosing_who_is_active_already_is_no_switch(world: World) -> None:
    stage = await Stage(world).set()
    first, _ = await stage.said(None, "one", "soup", stage.ada.id)
    assert (await stage.to(first, stage.ada)).history == []


async def test_an_agent_that_went_answers_nothing_until_somebody_else_is_chosen(world: World) -> None:
    stage = await Stage(world).set()
    first, _ = await stage.said(None, "one", "soup", stage.ada.id)
    await world.services.agents.delete(stage.principal, stage.lab, stage.ada.id)
    with pytest.raises(AgentGone):
        await stage.said(first.conversation_id, "two", "x")
    with pytest.raises(AgentGone):
        await stage.runs.retry(stage.principal, stage.lab, first.conversation_id)
    _, model = await stage.said(first.conversation_id, "two", "loop", stage.bea.id)
    assert "Ada" in model.requests[0].system, "its name is remembered"


async def test_an_agent_edited_while_it_runs_keeps_what_it_began_with(world: World) -> None:
    stage = await Stage(world).set()
    asked = await stage.runs.input(stage.principal, stage.lab, Input("one", agent_id=stage.ada.id))
    await world.services.agents.change(
        stage.principal, stage.lab, stage.ada.id, 1, {"name": "Eve", "instructions": {"en": "You are Eve."}}
    )
    model = await stage.advance(asked, say("soup"))
    assert model.requests[0].system.startswith("You are Ada, who cooks.")
    _, model = await stage.said(asked.conversation_id, "two", "stew")
    assert model.requests[0].system.startswith("You are Eve.")


@pytest.mark.requirement("G1")
async def test_conversations_begin_with_the_workspaces_agent(world: World) -> None:
    stage = await Stage(world).set()
    configs, admin = AgentConfigs(stage.db), world["alice"].principal
    first, _ = await stage.said(None, "one", "soup")
    conversation = await world.services.conversations.get(stage.principal, stage.lab, first.conversation_id)
    assert conversation.active_agent_id == ASSISTANT_ID
    config = await configs.get(admin, stage.lab)
    private = await agent_of(world, "alice", "Private", visibility=Visibility.MY)
    with pytest.raises(InvalidInput, match="Share"):
        await configs.put(admin, stage.lab, config.model_copy(update={"default_agent_id": private.id}))
    with pytest.raises(NotFound):
        await configs.put(admin, stage.lab, config.model_copy(update={"default_agent_id": some_id()}))
    await configs.put(admin, stage.lab, config.model_copy(update={"default_agent_id": stage.bea.id}))
    _, model = await stage.said(None, "two", "loop")
    assert model.requests[0].system.startswith("You are Bea")
    await world.services.agents.delete(stage.principal, stage.lab, stage.bea.id)
    _, model = await stage.said(None, "three", "soup")
    assert model.requests[0].system.startswith("Be brief."), "without it, with the assistant"


@pytest.mark.requirement("A10")
async def test_an_agent_uses_its_own_tools_within_those_of_the_workspace(world: World) -> None:
    stage = await Stage(world).set()
    narrow = await agent_of(world, "bob", "Narrow", tool_names=["currentTime", "sqlQuery"], max_rounds=1)
    accepted, model = await stage.said(None, "one", "x", narrow.id)
    assert [tool.name for tool in model.requests[0].tools] == ["currentTime"]
    again = await stage.runs.input(stage.principal, stage.lab, Input("two", accepted.conversation_id))
    await stage.advance(again, [call("writeNote", title="x", text="x")], say("the end"))
    assert await stage.titles() == []
    assert (await stage.runs.get(stage.principal, again.run_id)).state is RunState.MAX_ROUNDS
