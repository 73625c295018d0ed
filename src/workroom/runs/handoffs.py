"""Handoffs: an agent ends its run, and another goes on with the same question. At most three times per question, and never to
one that has handed it over already: so there are no circles."""

from __future__ import annotations

from uuid import UUID

from workroom.agent.handoff import handoff_result
from workroom.agent.registry import HAND_OFF
from workroom.agents.errors import AgentGone
from workroom.agents.shipped import ASSISTANT_ID
from workroom.conversations import access
from workroom.conversations import store as conversations_store
from workroom.conversations.types import SwitchKind
from workroom.core.errors import Conflict, InvalidInput, NotFound
from workroom.core.messages import Message
from workroom.core.results import ToolResult
from workroom.db import UnitOfWork
from workroom.identity.access import Target, require
from workroom.identity.types import Action, Principal
from workroom.runs import call_store, run_creation, store
from workroom.runs.run_creation import MOST_HANDOFFS, AnswerOptions, RunTarget
from workroom.runs.switching import switch
from workroom.runs.types import Claim, Run, RunKey


async def hand_over(uow: UnitOfWork, principal: Principal, call_id: UUID, agent: str, reason: str) -> ToolResult:
    """Switch to another agent, in the transaction of the tool call. Errors are worded so that the model can correct itself."""
    require(principal, Action.USE, Target("service.agent"))
    run_id = await call_store.run_of(uow, principal.mandate_id, call_id)
    run = await store.get(uow, RunKey(principal.mandate_id, run_id)) if run_id else None
    spec = await store.agent_of(uow, RunKey(principal.mandate_id, run.id)) if run else None
    if run is None or spec is None:
        raise NotFound("This run is gone.")
    await access.checked(uow, principal, Action.UPDATE, run.instance_id, run.conversation_id, lock=True)
    if await call_store.has_succeeded(uow, principal.mandate_id, run.id, HAND_OFF):
        raise Conflict("You have handed this over already.")
    if len(spec.handed) >= MOST_HANDOFFS:
        raise Conflict(f"This question was handed over {MOST_HANDOFFS} times already. Answer it yourself.")
    conversation = await conversations_store.get(uow, principal.mandate_id, run.conversation_id)
    if conversation is None or (conversation.active_agent_id or ASSISTANT_ID) != (spec.id or ASSISTANT_ID):
        raise Conflict("The user has chosen another agent meanwhile, who answers next. Finish your own answer.")
    wanted = agent.strip().casefold()
    named = next((one for one in spec.colleagues if wanted in (one.key, one.name.casefold(), str(one.id))), None)
    if named is None:
        known = ", ".join(one.key for one in spec.colleagues)
        raise InvalidInput(
            f"You cannot hand over to that agent. You can hand over to: {known}."
            if known
            else "You have nobody to hand over to.",
            field="agent",
        )
    try:
        chosen = await switch(
            uow, principal, run.instance_id, run.conversation_id, named.id, SwitchKind.HANDOFF, reason
        )
    except (NotFound, AgentGone):
        raise Conflict(f"{named.name} is not there any more. Answer yourself, or choose another agent.") from None
    return ToolResult(
        message=f"{named.name} goes on from here. Say nothing more.",
        data={"agentId": str(chosen.id), "name": chosen.name, "reason": reason},
    )


def handed_to(message: Message) -> UUID | None:
    """The agent that the results in this message hand over to."""
    result = handoff_result(message)
    return None if result is None else UUID(result.data["agentId"])


async def go_on(uow: UnitOfWork, principal: Principal, claim: Claim, run: Run, agent_id: UUID, after: UUID) -> UUID:
    """Queue the next agent's run: on the same question, after the answer so far, and before questions that were asked since."""
    before = claim.agent
    handed = (*before.handed, *([before.id] if before.id else []))
    options = AnswerOptions(before.language, before.model, handed=handed)
    agent = await run_creation.agent_for(uow, principal, claim.instance_id, agent_id, options)
    target = RunTarget(claim.conversation_id, claim.instance_id, claim.message_id, after)
    return await run_creation.queue_run(uow, principal, target, run_creation.as_before(agent, before), run.created_at)
