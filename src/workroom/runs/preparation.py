"""Prepares a session's work: reads where the run stands, chooses models and tools, and makes the loop that answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from workroom.agent.loop import Loop
from workroom.agent.planning.loop import PlanLoop
from workroom.agent.ports import Progress, Strategy
from workroom.agent.requirements import without_unusable
from workroom.agent.tool import Tool
from workroom.core.actors import UserActor
from workroom.core.errors import Forbidden, NotFound
from workroom.core.ids import new_id
from workroom.core.messages import Message, SkillPart
from workroom.core.run_events import RunState, StatusChanged
from workroom.models.embedded import EMBEDDED, is_command, is_one_sentence, ordered_tool
from workroom.models.model_names import is_small
from workroom.models.ports import Model
from workroom.models.types import Operation
from workroom.notes.question_notes import QuestionNotes
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.journal import DatabaseJournal
from workroom.runs.retrieval import RunRetrieval
from workroom.runs.rule_handoffs import handoff_by_rules
from workroom.runs.session_services import SessionServices
from workroom.runs.standing_instructions import standing_instructions
from workroom.runs.stored_progress import load_progress
from workroom.runs.types import Claim
from workroom.runs.workspace_overview import USE_SKILL, RunWorkspaceOverview


async def prepare(
    services: SessionServices, claim: Claim, journal: DatabaseJournal, buffer: EventBuffer
) -> tuple[Loop | PlanLoop, Progress]:
    """The loop, and the progress it begins with and adds to."""
    buffer.emit(StatusChanged(state=RunState.RUNNING))
    if claim.attempts:
        await journal.settle_lost()
    async with services.db.unit_of_work(UserActor(claim.key.mandate_id, claim.user_id)) as uow:
        progress = await load_progress(uow, claim)
        instructions = await standing_instructions(uow, claim, with_personal=journal.principal.audience.is_empty)
    progress.summarise_above = services.summaries.above
    agent = replace(claim.agent, standing_instructions=instructions)
    # As of when its rights were asked: a reader who has joined since then ends the session before a model is asked.
    journal.messages.audience_since = journal.principal.audience.since
    question = progress.messages[progress.begins]
    chosen = _narrowed(services.registry.of(agent), question.skill, {tool.name for tool in services.registry})
    tools = journal.tools = await without_unusable(chosen, services.tool_services, journal.principal)
    # A command is carried out as it is written: no model has to understand it.
    commanded = question.skill is None and is_command(question.text, tools)
    models = await _models(services, claim, journal, buffer, EMBEDDED if commanded else agent.model)
    plans = agent.strategy is Strategy.PLAN and not commanded
    progress.commanded = models[0].info.embedded and not plans  # it only carries out commands, typed or agreed to
    ordered = _ordered(question, tools, models)
    reads = not commanded and not (models[0].info.embedded and (ordered or plans))
    notes = QuestionNotes(services.db)
    overviews = services.overviews if not commanded else None
    overview = (
        RunWorkspaceOverview(
            services.db,
            overviews,
            services.outlines,
            journal,
            claim.instance_id,
            claim.conversation_id,
            reads_skills=USE_SKILL in tools,
        )
        if overviews
        else None
    )
    retrieval = (
        RunRetrieval(services.materials, notes, claim, journal, models[0].info, buffer, overview) if reads else None
    )
    if overview is not None:
        progress.others_wrote |= await overview.shows_what_others_wrote()
    common = (progress, agent, models, tools, journal, buffer.emit, new_id)
    if retrieval is not None and not progress.rounds and (plans or models[0].info.embedded):
        # The only time: a plan is made once, and whose question it is shows in what answers it.
        await retrieval.before_round(progress)
        retrieval = None
    if plans:
        return PlanLoop(*common, str(claim.key.run_id), services.presenters, overview, services.names), progress
    cheap = await services.models.chain(journal.principal, Operation.DATA_ANALYSE, instance_id=claim.instance_id)
    handoff = None
    if models[0].info.embedded and not commanded and not progress.rounds:
        question = progress.messages[progress.begins]  # with what was read for it
        async with services.db.unit_of_work(journal.principal.actor) as uow:
            handoff = await handoff_by_rules(
                uow, journal.principal, claim.instance_id, agent, tools, question, services.names
            )
    return Loop(*common, cheap, overview, retrieval, handoff, _first_call(question, ordered, tools)), progress


def _ordered(question: Message, tools: Mapping[str, Tool], models: Sequence[Model]) -> str | None:
    """The tool that the question calls for by rules, where a model that may be asked needs them: large ones understand more."""
    if question.skill is not None or not any(model.info.embedded or is_small(model.info) for model in models):
        return None
    return ordered_tool(question.text, [tool.schema for tool in tools.values()])


def _first_call(question: Message, ordered: str | None, tools: Mapping[str, Tool]) -> str | None:
    """What a small model is asked to call first. A letter that was pasted may begin like an order: it writes nothing."""
    if ordered is None:
        return None
    return ordered if tools[ordered].effect == "read" or is_one_sentence(question.text) else None


def _narrowed(tools: Mapping[str, Tool], skill: SkillPart | None, known: Collection[str]) -> Mapping[str, Tool]:
    """To those the called skill names: less than the agent has, never more. Names that mean nothing here, because the skill was
    written for another product, do not count."""
    named = {name for name in skill.tools if name in known} if skill else set()
    return {name: tool for name, tool in tools.items() if name in named} if named else tools


async def _models(
    services: SessionServices, claim: Claim, journal: DatabaseJournal, buffer: EventBuffer, wanted: str | None
) -> Sequence[Model]:
    """The model that is wanted for this answer, or a refusal; else the one the agent prefers, as long as it can be used."""
    operation, prefers = Operation(claim.agent.operation), claim.agent.prefers
    if wanted is None and prefers is not None:
        try:
            return await services.models.chain(journal.principal, operation, prefers, instance_id=claim.instance_id)
        except (NotFound, Forbidden):
            text = f"{claim.agent.name} prefers {prefers}, which cannot be used here. Another model answers."
            buffer.emit(StatusChanged(state=RunState.RUNNING, text=text))
    return await services.models.chain(journal.principal, operation, wanted, instance_id=claim.instance_id)
