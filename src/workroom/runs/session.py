"""A session of a run: one worker's work on it, from the claim until the run has ended, waits for a person, or another worker
has it.

Starting, continuing after a crash and continuing after a pause are the same: a session reads what is stored of the run and does
the next thing. While it works the lease is kept. It ends early when the user stops the run, loses the right to it, or the lease
is lost.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import closing
from dataclasses import replace

from workroom.agent.ports import LeaseLost, Paused
from workroom.conversations import store as conversations
from workroom.conversations.access import audience_with_rights, may
from workroom.core.errors import Collided, Conflict, DatabaseUnavailable, Forbidden, WorkroomError
from workroom.core.run_events import RunState
from workroom.core.waiting import to_its_end
from workroom.identity.types import Action, Principal
from workroom.models.ports import ModelInfo
from workroom.runs.errors import ReadersChanged
from workroom.runs.event_buffer import EventBuffer
from workroom.runs.handoffs import handed_to
from workroom.runs.held_runs import HeldRun
from workroom.runs.journal import NOT_ALLOWED, DatabaseJournal
from workroom.runs.preparation import prepare
from workroom.runs.run_endings import RunEndings
from workroom.runs.session_services import SessionServices
from workroom.runs.types import Claim

log = logging.getLogger(__name__)

WENT_WRONG = "Something went wrong on our side. Try again."


class StopRequested(Exception):
    """The user wants the run to end; what was written stays."""


class RunSession:
    def __init__(self, services: SessionServices, claim: Claim) -> None:
        self._services = services
        self._claim = claim
        self._buffer = EventBuffer(claim, services.flusher.mark_pending)
        self._model: ModelInfo | None = None  # that reads the conversation

    async def run(self) -> None:
        """Conflict and DatabaseUnavailable leave the run as it is stored: its lease is released, another session continues."""
        with self._services.held_runs.hold(self._claim, self._buffer) as held, closing(self._buffer):
            principal = await self._permitted()
            journal = self._journal(principal)
            endings = RunEndings(self._services.db, self._claim, journal, self._buffer)
            completed = False
            try:
                if principal is None:
                    await endings.fail(Forbidden(NOT_ALLOWED))
                else:
                    completed = await self._advance(held, journal, endings)
            except LeaseLost:
                await journal.settle_if_deleted()
                log.warning("the run has gone to another worker", extra={"run": str(self._claim.key.run_id)})
        if completed and self._services.naming is not None:  # after the answer: it does not wait for this
            await self._services.naming.name(journal.principal, self._claim)

    async def _advance(self, held: HeldRun, journal: DatabaseJournal, endings: RunEndings) -> bool:
        """Work until the run ends or something interrupts it, and end the session accordingly. True when it was completed."""
        run_id = str(self._claim.key.run_id)
        working = asyncio.create_task(self._work(journal), name=f"run {run_id}")
        try:
            state = await _until_interrupted(working, held)
        except StopRequested:
            await endings.stop()
        except Paused:
            await endings.stop_if_requested()  # else the answer wakes a worker
        except ReadersChanged:
            await endings.release()  # and the next session works with what all readers may see
        except (LeaseLost, DatabaseUnavailable, Collided):
            raise  # the scheduler releases the lease; the next session continues from what is stored
        except asyncio.CancelledError:
            await endings.release()
            raise
        except WorkroomError as error:
            if isinstance(error, Conflict):  # the cause is not for the user, but an operator may have to know it
                cause = repr(error.__cause__)[:300]
                log.warning("a run ends with a conflict", extra={"run": run_id, "cause": cause})
            await endings.fail(error)
        except Exception:
            log.exception("a run failed", extra={"run": run_id})
            await endings.fail(WorkroomError(WENT_WRONG))
        else:
            await endings.complete(state)
            self._sum_up_later(journal)
            return state is RunState.COMPLETED
        finally:
            await _end(working)
        return False

    async def _work(self, journal: DatabaseJournal) -> RunState:
        loop, progress = await prepare(self._services, self._claim, journal, self._buffer)
        self._model = loop.models[0].info
        state = await loop.advance()
        journal.handed_to = handed_to(progress.messages[-1]) if progress.rounds else None
        return state

    def _sum_up_later(self, journal: DatabaseJournal) -> None:
        """The answer is given and the next question may come: what it will need summed up is made beside."""
        if self._model is not None:
            last = journal.messages.last_id
            self._services.summaries.begin(self._claim, journal.principal, self._model, last, journal.rounds)

    async def _permitted(self) -> Principal | None:
        """The person the run acts for, with the rights they have now, bounded to what all readers of the conversation may see.
        None when they may not write in it (any more)."""
        principal = await self._services.rights.of(self._claim)
        if principal is None:
            return None
        async with self._services.db.unit_of_work(principal.actor) as uow:
            conversation = await conversations.get(uow, self._claim.key.mandate_id, self._claim.conversation_id)
            if conversation is None:
                return principal  # deleted: the next write notices that the run is gone, too
            if not may(principal, Action.UPDATE, conversation):
                return None
            return replace(principal, audience=await audience_with_rights(uow, principal, conversation))

    def _journal(self, principal: Principal | None) -> DatabaseJournal:
        services, claim = self._services, self._claim
        without_rights = Principal(claim.key.mandate_id, claim.user_id, "worker", ())
        return DatabaseJournal(
            services.db,
            claim,
            self._buffer,
            principal or without_rights,
            services.budgets,
            services.tool_services,
            services.models,
            self._permitted,
        )


async def _until_interrupted(working: asyncio.Task[RunState], held: HeldRun) -> RunState:
    """The state the work ends with; raises what ends it from outside."""
    interrupts = {asyncio.create_task(event.wait()) for event in (held.stop, held.lost, held.forbidden)}
    try:
        await asyncio.wait({working, *interrupts}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in interrupts:
            task.cancel()
    if working.done():
        return working.result()
    if held.lost.is_set():
        raise LeaseLost
    if held.forbidden.is_set():
        raise Forbidden(NOT_ALLOWED)
    raise StopRequested


async def _end(working: asyncio.Task[RunState]) -> None:
    if not working.done():
        working.cancel()
        await to_its_end(asyncio.wait({working}))  # also if we are cancelled meanwhile: it may be settling what it used
    if not working.cancelled():
        working.exception()  # retrieved: how it failed while something else ended it does not matter any more
