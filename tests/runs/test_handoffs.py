"""Handing over: one agent ends its run, another goes on with the question; never in circles, and never for ever."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.agents.making import agent_of
from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import call, say
from workroom.agents.types import AgentDefinition
from workroom.core.pauses import Replied
from workroom.core.run_events import AgentSwitched, Completed, RunState, ToolFinished
from workroom.identity.sharing import Visibility
from workroom.runs.service import Accepted, Input
from workroom.runs.switching import Switching


class Relay(RunBench):
    async def chain(self, *names: str) -> dict[str, AgentDefinition]:
        """Each may hand over to all that were named before it, and those to it."""
        made: dict[str, AgentDefinition] = {}
        for name in names:
            hands_to = [agent.id for agent in made.values()]
            made[name] = await agent_of(self.world, "bob", name, f"You are {name}.", hands_to=hands_to)
        for name, agent in list(made.items()):
            others = [other.id for other in made.values() if other.id != agent.id]
            agents = self.world.services.agents
            made[name] = await agents.change(self.principal, self.lab, agent.id, agent.version, {"hands_to": others})
        return made

    async def begin(self, agent: AgentDefinition, prompt: str = "Translate this.") -> Accepted:
        return await self.runs.input(self.principal, self.lab, Input(prompt, agent_id=agent.id))

    async def following(self, accepted: Accepted) -> Accepted:
        """The run that goes on."""
        [event] = await self.switches(accepted.run_id)
        assert event.next_run_id is not None
        return Accepted(accepted.conversation_id, accepted.message_id, event.next_run_id)

    async def switches(self, run_id: UUID) -> list[AgentSwitched]:
        return [event.event for event in await self.events(run_id) if isinstance(event.event, AgentSwitched)]

    async def results(self, run_id: UUID) -> list[str]:
        events = [event.event for event in await self.events(run_id)]
        return [event.result.text() for event in events if isinstance(event, ToolFinished)]


def hand(to: str) -> list[object]:
    return [call("handOff", agent=to, reason="They know better.")]


@pytest.mark.requirement("A11")
async def test_another_agent_goes_on_with_the_same_question(world: World) -> None:
    relay = Relay(world)
    agents = await relay.chain("Ada", "Bea")
    accepted = await relay.begin(agents["Ada"])
    waiting = await relay.runs.input(relay.principal, relay.lab, Input("And then?", accepted.conversation_id))
    model = await relay.advance(accepted, hand("bea"))
    assert "handOff" in [tool.name for tool in model.requests[0].tools]
    assert "- bea: Bea." in model.requests[0].system
    assert len(model.requests) == 1, "Ada says nothing more"
    run = await relay.runs.get(relay.principal, accepted.run_id)
    assert run.state is RunState.COMPLETED
    [event] = await relay.switches(accepted.run_id)
    assert (event.kind, event.from_name, event.to_name, event.reason) == ("handoff", "Ada", "Bea", "They know better.")
    completed = (await relay.events(accepted.run_id))[-1].event
    assert isinstance(completed, Completed)
    assert completed.next_agent == agents["Bea"].id
    following = await relay.following(accepted)
    model = await relay.advance(following, say("Traduit."))
    [request] = model.requests
    assert "You are Bea." in request.system
    assert "Ada" in request.system, "told anew, as after every switch"
    assert request.messages[-1].text.endswith("Translate this.")
    texts = [
        m.message.text
        for m in await world.services.conversations.messages(relay.principal, relay.lab, accepted.conversation_id)
    ]
    assert texts == ["Translate this.", "", "Traduit.", "And then?"], "before what was asked meanwhile"
    history = await Switching(relay.db).history(relay.principal, relay.lab, accepted.conversation_id)
    assert [(entry.kind, entry.answered_by is not None) for entry in history] == [("handoff", True)]
    model = await relay.advance(waiting, say("Nothing."))
    assert "You are Ada." in model.requests[0].system, "what was asked of Ada before is answered by Ada"


@pytest.mark.requirement("A11")
async def test_nobody_gets_a_question_back_and_it_ends_after_three(world: World) -> None:
    relay = Relay(world)
    agents = await relay.chain("Ada", "Bea", "Cem", "Dan", "Eve")
    accepted = await relay.begin(agents["Ada"])
    offered: list[str] = []
    for number, to in enumerate(("bea", "cem", "dan")):
        model = await relay.advance(accepted, hand(to))
        offered.append(model.requests[0].system)
        assert (await relay.runs.get(relay.principal, accepted.run_id)).state is RunState.COMPLETED, number
        accepted = await relay.following(accepted)
    assert "- ada: Ada." not in offered[1]
    assert "- bea: Bea." not in offered[2]
    model = await relay.advance(accepted, hand("eve"), say("I answer myself."))
    assert "handOff" not in [tool.name for tool in model.requests[0].tools], "three times is enough"
    assert (await relay.switches(accepted.run_id)) == []
    [refused] = await relay.results(accepted.run_id)
    assert "There is no tool 'handOff'" in refused


@pytest.mark.requirement("A11")
async def test_what_the_model_gets_wrong_it_can_mend(world: World) -> None:
    relay = Relay(world)
    agents = await relay.chain("Ada", "Bea", "Cem")
    accepted = await relay.begin(agents["Ada"])
    await world.services.agents.delete(relay.principal, relay.lab, agents["Cem"].id)
    twice = [*hand("Bea"), *hand("Bea")]
    model = await relay.advance(accepted, hand("Zoe"), hand("cem"), twice)
    results = await relay.results(accepted.run_id)
    assert "You can hand over to: bea, cem." in results[0]
    assert "Cem is not there any more" in results[1]
    assert "Bea goes on from here" in results[2]
    assert "handed this over already" in results[3]
    assert len(model.requests) == 3
    await relay.advance(await relay.following(accepted), hand("Ada"), say("Then I do it."))


@pytest.mark.requirement("A11")
async def test_an_agent_with_nobody_to_hand_over_to_is_not_offered_to(world: World) -> None:
    relay = Relay(world)
    alone = await agent_of(world, "bob", "Alone")
    private = await agent_of(world, "alice", "Private", visibility=Visibility.MY)
    shared = await agent_of(world, "alice", "Shared", hands_to=[private.id])
    for agent in (alone, shared):
        accepted = await relay.begin(agent)
        model = await relay.advance(accepted, say("I do it."))
        assert "handOff" not in [tool.name for tool in model.requests[0].tools], "with the rights of who asks"


@pytest.mark.requirement("A11")
async def test_the_users_choice_meanwhile_counts_more(world: World) -> None:
    relay = Relay(world)
    agents = await relay.chain("Ada", "Bea", "Cem")
    accepted = await relay.begin(agents["Ada"])
    await Switching(relay.db).switch(relay.principal, relay.lab, accepted.conversation_id, agents["Cem"].id)
    await relay.advance(accepted, hand("bea"), say("Then I finish."))
    [refused] = await relay.results(accepted.run_id)
    assert "has chosen another agent" in refused
    conversation = await world.services.conversations.get(relay.principal, relay.lab, accepted.conversation_id)
    assert conversation.active_agent_id == agents["Cem"].id


async def test_an_agent_that_goes_between_the_call_and_the_end_leaves_a_word(world: World) -> None:
    relay = Relay(world)
    agents = await relay.chain("Ada", "Bea")
    accepted = await relay.begin(agents["Ada"])
    await relay.advance(accepted, [*hand("bea"), call("askUser", question="Sure?")])
    assert (await relay.runs.get(relay.principal, accepted.run_id)).state is RunState.PAUSED
    await world.services.agents.delete(relay.principal, relay.lab, agents["Bea"].id)
    call_id = await relay.sql("select call_id from tool_calls where run_id = $1 and tool = 'askUser'", accepted.run_id)
    await relay.runs.answer(relay.principal, accepted.run_id, call_id, Replied(text="Yes."))
    await relay.advance(accepted)
    assert (await relay.runs.get(relay.principal, accepted.run_id)).state is RunState.COMPLETED
    assert await relay.switches(accepted.run_id) == []
    said = [event.event.text for event in await relay.events(accepted.run_id) if event.event.type == "status"]
    assert any("in the trash" in text for text in said)
