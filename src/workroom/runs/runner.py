"""work(claim): look at what is stored of a run, go on from there, and end it honestly.

Start, crash-resume and going on after a restart are this one function. While it works it keeps its lease; whoever asks
the run to stop, takes its owner's rights away or lets the lease lapse ends it here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from workroom.agent.loop import Loop
from workroom.agent.planning.loop import PlanLoop
from workroom.agent.planning.showing import Show
from workroom.agent.ports import LeaseLost, Paused, Progress, Strategy
from workroom.agent.registry import Registry
from workroom.conversations import store as conversations
from workroom.conversations import switch_store
from workroom.conversations.access import announce_to_readers, audience_with_rights, may
from workroom.conversations.types import SwitchKind
from workroom.core.clock import now
from workroom.core.errors import Collided, Conflict, DatabaseUnavailable, Forbidden, NotFound, WorkroomError
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.core.run_events import Completed, Failed, RunEvent, RunState, StatusChanged, Stopped, Summarised
from workroom.core.waiting import to_its_end
from workroom.db import Database, UnitOfWork
from workroom.identity.signin import SignIn
from workroom.identity.types import Action, Principal
from workroom.knowledge.materials import DEGRADED
from workroom.models.embedded import EMBEDDED, is_command
from workroom.models.ports import Model, ModelInfo
from workroom.models.types import Operation
from workroom.runs import pauses, store
from workroom.runs.contents import RunContents
from workroom.runs.errors import ReadersChanged
from workroom.runs.event_flusher import EventFlusher
from workroom.runs.handoffs import go_on, handed_to
from workroom.runs.house import house_of
from workroom.runs.jobs import RUN_JOB
from workroom.runs.journal import NOT_ALLOWED, DatabaseJournal
from workroom.runs.leases import Held, Leases
from workroom.runs.loading import load
from workroom.runs.ports import Contents, Materials, Models
from workroom.runs.rights import Rights
from workroom.runs.told import told_of_switch
from workroom.runs.types import Claim, Run
from workroom.runs.voice import Voice
from workroom.usage.service import Budgets

log = logging.getLogger(__name__)

SHARE_FOR_MATERIAL = 4  # of the window is for what a question points at: a quarter


class StopAsked(Exception):
    """The user wants it to end; what was said stays."""


class Runner:
    def __init__(
        self,
        db: Database,
        sign_in: SignIn,
        registry: Registry,
        models: Models,
        flusher: EventFlusher,
        budgets: Budgets,
        services: Mapping[type, object],
        materials: Materials,
        contents: Contents | None = None,
        shows: Mapping[str, Show] | None = None,
    ) -> None:
        self._db = db
        self._registry = registry
        self._models = models
        self._flusher = flusher
        self._budgets = budgets
        self._services = services
        self._materials = materials
        self._contents = contents
        self._shows = shows or {}
        self.leases = Leases(db)
        self.rights = Rights(db, sign_in, self.leases)

    async def work(self, claim: Claim) -> None:
        """Until the run has ended, waits for a person, or is not ours any more."""
        key = claim.key
        voice = Voice(key, claim.user_id, claim.epoch, claim.attempts, self._flusher.spoke)
        with self.leases.hold(claim, voice) as held:
            try:
                await self._hold(held)
            except LeaseLost:
                log.warning("the run has gone to another worker", extra={"run": str(key.run_id)})
            finally:
                voice.fall_silent()

    async def _hold(self, held: Held) -> None:
        """Work while the lease is kept; answers when the run has ended or is not ours any more."""
        claim, voice = held.claim, held.voice
        who = await self._permitted(claim)
        journal = DatabaseJournal(
            self._db,
            claim,
            voice,
            who or _nobody(claim),
            self._budgets,
            self._services,
            self._models,
            lambda: self._permitted(claim),
        )
        try:
            if who is None:
                return await self._fail(claim, journal, Forbidden(NOT_ALLOWED))
            await self._carry(held, journal)
        except LeaseLost:
            await journal.settle_if_deleted()
            raise

    async def _permitted(self, claim: Claim) -> Principal | None:
        """Who the run acts for. They still write in this conversation, and see what all who read it may see."""
        who = await self.rights.of(claim)
        if who is None:
            return None
        async with self._db.unit_of_work(who.actor) as uow:
            conversation = await conversations.get(uow, claim.key.mandate_id, claim.conversation_id)
            if conversation is None:
                return who  # the journal notices that its run is gone
            if not may(who, Action.UPDATE, conversation):
                return None
            return replace(who, audience=await audience_with_rights(uow, who, conversation))

    async def _carry(self, held: Held, journal: DatabaseJournal) -> None:
        """To its end, whatever that is."""
        claim, voice = held.claim, held.voice
        working = asyncio.create_task(self._work(claim, journal, voice), name=f"run {claim.key.run_id}")
        try:
            state = await _until_told(working, held)
        except StopAsked:
            return await self._stopped(claim, journal, voice)
        except Paused:
            return await self._end_if_stopped(claim)  # else the answer rings
        except ReadersChanged:
            return await self._release(claim, journal)  # and it is taken up again, with what all readers may see
        except (LeaseLost, DatabaseUnavailable, Collided):
            raise  # the scheduler releases the lease; the next worker goes on from what is stored
        except asyncio.CancelledError:
            await self._release(claim, journal)
            raise
        except WorkroomError as error:
            if isinstance(error, Conflict):  # what stood in the way is not for the user, but somebody may have to know
                why = {"run": str(claim.key.run_id), "cause": repr(error.__cause__)[:300]}
                log.warning("a run ends with a conflict", extra=why)
            return await self._fail(claim, journal, error)
        except Exception:
            log.exception("a run failed", extra={"run": str(claim.key.run_id)})
            return await self._fail(claim, journal, WorkroomError("Something went wrong on our side. Try again."))
        finally:
            await _end(working)
        return await self._finish(claim, journal, state, [Completed(state=state, next_agent=journal.handed_to)])

    async def _work(self, claim: Claim, journal: DatabaseJournal, voice: Voice) -> RunState:
        voice.emit(StatusChanged(state=RunState.RUNNING))
        if claim.attempts:
            await journal.settle_lost()
        async with self._db.unit_of_work(_nobody(claim).actor) as uow:
            progress = await load(uow, claim)
            agent = replace(claim.agent, house=await house_of(uow, claim, alone=journal.who.audience.is_empty))
        journal.audience_since = progress.audience_since
        tools = self._registry.of(agent)
        # A command is carried out as it is written: no model has to understand it.
        commanded = is_command(progress.messages[progress.begins].text, tools)
        models = await self._models_of(claim, journal, voice, EMBEDDED if commanded else agent.model)
        plans = agent.strategy is Strategy.PLAN and not commanded
        progress.commanded = models[0].info.embedded and not plans  # it only carries out commands, typed or agreed to
        if not commanded and not (plans and models[0].info.embedded):
            await self._read_materials(claim, journal, progress, models[0].info, voice)
        contents = RunContents(self._contents, journal, claim.instance_id) if self._contents and not commanded else None
        common = (progress, agent, models, tools, journal, voice.emit, new_id)
        loop: Loop | PlanLoop
        if plans:
            loop = PlanLoop(*common, str(claim.key.run_id), self._shows, contents)
        else:
            cheap = await self._models.chain(journal.who, Operation.DATA_ANALYSE, instance_id=claim.instance_id)
            loop = Loop(*common, cheap, contents)
        state = await loop.advance()
        journal.handed_to = handed_to(progress.messages[-1]) if progress.rounds else None
        return state

    async def _models_of(
        self, claim: Claim, journal: DatabaseJournal, voice: Voice, wanted: str | None
    ) -> Sequence[Model]:
        """Whatever is wanted for this answer, or is refused; else what the agent prefers, as long as it is there."""
        operation, prefers = Operation(claim.agent.operation), claim.agent.prefers
        if wanted is None and prefers is not None:
            try:
                return await self._models.chain(journal.who, operation, prefers, instance_id=claim.instance_id)
            except (NotFound, Forbidden):
                text = f"{claim.agent.name} prefers {prefers}, which cannot be used here. Another model answers."
                voice.emit(StatusChanged(state=RunState.RUNNING, text=text))
        return await self._models.chain(journal.who, operation, wanted, instance_id=claim.instance_id)

    async def _read_materials(
        self, claim: Claim, journal: DatabaseJournal, progress: Progress, model: ModelInfo, voice: Voice
    ) -> None:
        """Once, before the first round: what the model sees of it does not change, whoever goes on with the run."""
        question = progress.messages[progress.begins]
        if progress.rounds or any(part.read_in == claim.key.run_id for part in question.materials):
            return
        tokens = model.context_tokens // SHARE_FOR_MATERIAL
        if read := await self._materials.of(journal.who, claim.instance_id, question, tokens):
            progress.messages[progress.begins] = await journal.materials_read(question, read)
        if any(part.kind == "note" and part.label == DEGRADED for part in read):
            voice.emit(StatusChanged(state=RunState.RUNNING, text=DEGRADED))

    async def _stopped(self, claim: Claim, journal: DatabaseJournal, voice: Voice) -> None:
        """Partial text stays, as a message of its own."""
        partial = voice.partial

        async def keep(uow: UnitOfWork) -> None:
            if partial is not None:
                message_id, text = partial
                await journal.add_message(uow, Message(id=message_id, role=Role.ASSISTANT, parts=[TextPart(text=text)]))

        await self._finish(claim, journal, RunState.STOPPED, [Stopped()], keep)

    async def _fail(self, claim: Claim, journal: DatabaseJournal, error: WorkroomError) -> None:
        failed = Failed(code=error.code, message=error.message)
        await self._finish(claim, journal, RunState.ERROR, [failed], error=error)

    async def _finish(
        self,
        claim: Claim,
        journal: DatabaseJournal,
        state: RunState,
        last_words: list[RunEvent],
        keep: Callable[[UnitOfWork], Awaitable[None]] | None = None,
        error: WorkroomError | None = None,
    ) -> None:
        """The end, told with a summary, in one transaction; and the next waiting run of the conversation is rung for."""

        async def effect(uow: UnitOfWork) -> Summarised:
            await journal.settle_what_is_open(uow)
            if keep is not None:
                await keep(uow)
            run = await store.get(uow, claim.key)
            if run is None:
                raise LeaseLost
            if journal.handed_to is not None and state is RunState.COMPLETED:
                last_words[:0] = await self._hand_over(uow, claim, journal, run, journal.handed_to)
            waiting = await store.next_waiting(uow, claim.key.mandate_id, claim.conversation_id)
            if waiting is not None:
                await uow.wake(RUN_JOB)
            await announce_to_readers(uow, claim.key.mandate_id, claim.conversation_id)
            return run.summary(state, now())

        await journal.write(
            effect,
            ", state = $5, ended_at = $6, lease_holder = null, error = $7, error_code = $8",
            state,
            now(),
            error.message if error else None,
            error.code if error else None,
            more=lambda summary: [summary, *last_words],
        )

    async def _hand_over(
        self, uow: UnitOfWork, claim: Claim, journal: DatabaseJournal, run: Run, agent_id: UUID
    ) -> list[RunEvent]:
        """The next agent goes on. One that has gone meanwhile cannot; the user is told, and asks whom they like."""
        try:
            following = await go_on(uow, journal.who, claim, run, agent_id, journal.last_message_id)
        except WorkroomError as error:
            return [StatusChanged(state=RunState.COMPLETED, text=error.message)]
        history = await switch_store.of_conversation(uow, claim.key.mandate_id, claim.conversation_id)
        entry = next((one for one in reversed(history) if one.kind is SwitchKind.HANDOFF), None)
        return [told_of_switch(entry, following)] if entry else []

    async def _end_if_stopped(self, claim: Claim) -> None:
        """Somebody asked it to stop at the moment it began to wait."""
        async with self._db.unit_of_work(_nobody(claim).actor) as uow:
            if await store.stop_was_requested(uow, claim.key) and (run := await store.get(uow, claim.key)) is not None:
                await pauses.end(uow, claim.key.mandate_id, run)

    async def _release(self, claim: Claim, journal: DatabaseJournal) -> None:
        """A clean shutdown: what was said is kept, and another worker may take over at once."""
        await journal.flush()
        async with self._db.unit_of_work(_nobody(claim).actor) as uow:
            await store.release(uow, claim.key, claim.epoch)
            await uow.wake(RUN_JOB)


async def _until_told(working: asyncio.Task[RunState], held: Held) -> RunState:
    """How the work ends; or what ends it from outside."""
    told = {asyncio.create_task(event.wait()) for event in (held.stop, held.lost, held.forbidden)}
    try:
        await asyncio.wait({working, *told}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in told:
            task.cancel()
    if working.done():
        return working.result()
    if held.lost.is_set():
        raise LeaseLost
    if held.forbidden.is_set():
        raise Forbidden(NOT_ALLOWED)
    raise StopAsked


async def _end(task: asyncio.Task[RunState]) -> None:
    if not task.done():
        task.cancel()
        await to_its_end(asyncio.wait({task}))  # also if we are cancelled meanwhile: it may be settling what it used
    if not task.cancelled():
        task.exception()  # seen: how it failed while something else ended it is nobody's business any more


def _nobody(claim: Claim) -> Principal:
    """For bookkeeping of the run itself: inside its mandate, without any right."""
    return Principal(claim.key.mandate_id, claim.user_id, "worker", ())
