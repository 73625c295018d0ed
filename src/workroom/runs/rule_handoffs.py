"""Hands a question over without a language model: to the first colleague that plans and whose rules understand it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from workroom.agent.planning.ports import KnownNames
from workroom.agent.planning.takeover import is_meant_for
from workroom.agent.planning.wording import say
from workroom.agent.ports import AgentSpec, Colleague, Strategy
from workroom.agent.registry import HAND_OFF
from workroom.agent.tool import Tool
from workroom.agents import service as agents
from workroom.agents.shipped import names_of
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message
from workroom.core.tool_texts import phrases_by_language
from workroom.db import UnitOfWork
from workroom.identity.types import Principal
from workroom.models.embedded.language import language_of


async def handoff_by_rules(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    spec: AgentSpec,
    tools: Mapping[str, Tool],
    question: Message,
    names: KnownNames,
) -> CallPart | None:
    """The call that hands over; None if the question is for this agent. One about files that were named is."""
    if HAND_OFF not in tools or any(not part.found for part in question.materials):
        return None
    known = await agents.usable(uow, principal, instance_id, spec.language)
    planners = [
        (colleague, known[colleague.id])
        for colleague in spec.colleagues
        if colleague.id in known and known[colleague.id].strategy is Strategy.PLAN
    ]
    phrases = phrases_by_language(tool.texts for tool in tools.values())
    language = language_of([question.text], spec.language, phrases).code
    for colleague, agent in planners:
        # In a thread: reading the phrases of an agent for the first time takes a moment.
        is_meant = await asyncio.to_thread(
            is_meant_for,
            question.text,
            _names(colleague),
            agent.intents,
            language,
            names,
            answered_otherwise=bool(question.materials),
        )
        if is_meant:
            arguments = {"agent": colleague.key, "reason": say("takesOver", language)}
            return CallPart(call_id=new_id(), tool=HAND_OFF, arguments=arguments)
    return None


def _names(colleague: Colleague) -> Sequence[str]:
    """In every language, if it is a shipped one."""
    return names_of(colleague.id) or (colleague.name,)
