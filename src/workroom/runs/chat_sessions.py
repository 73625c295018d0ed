"""Chat sessions by request and response, with an agent that plans: for software that names its sessions itself and does not read
events. A session is a conversation like any other; a choice answers the run that waits in it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from uuid import UUID

from workroom.agent.planning.wording import knows, say
from workroom.conversations import service as conversations
from workroom.conversations.service import Conversations
from workroom.core.clock import now
from workroom.core.errors import Conflict, InvalidInput, TooManyRequests, WorkroomError
from workroom.core.messages import Message, Role
from workroom.core.pauses import Choice, Chosen, Pause, PauseState, Question
from workroom.core.person_slots import PersonSlots
from workroom.core.plans import Plan, StepOutcome
from workroom.core.results import ResultStatus
from workroom.core.run_events import PauseChanged, RunState
from workroom.db import Database, UnitOfWork
from workroom.identity.access import Target, require
from workroom.identity.store import users
from workroom.identity.types import Action, Principal
from workroom.models.embedded.language import NO_PHRASES, PhrasesByLanguage, language_of
from workroom.runs import call_store, chat_store, store
from workroom.runs.service import Input, Runs, checked_prompt
from workroom.runs.types import Run, RunKey, StoredEvent

MOST_WAITING = 20  # requests of one person, in this process
# Why a choice is not taken, by the code of the error: as it is said to the person.
REFUSALS = {"pauseConsumed": "nothingPending", "choiceExpired": "choiceExpired", "invalidInput": "notOffered"}


@dataclass(frozen=True)
class AwaitedRun:
    """A run whose outcome a request waits for. `since`: steps before this one were part of an earlier response."""

    run_id: UUID
    conversation_id: UUID
    since: int = 0


@dataclass
class PauseWatch:
    """Follows the events of a run for the question it waits with."""

    waiting: Pause | None = None

    def observe(self, stored: StoredEvent) -> None:
        if isinstance(event := stored.event, PauseChanged):
            self.waiting = event.pause if event.state is PauseState.WAITING else None


class ChatSessions:
    def __init__(
        self,
        db: Database,
        runs: Runs,
        conversations: Conversations,
        agent_id: UUID,
        phrases: PhrasesByLanguage = NO_PHRASES,
    ) -> None:
        """`agent_id` answers in sessions that begin. `phrases` of the tools tell the language of short requests."""
        self._db = db
        self._runs = runs
        self._conversations = conversations
        self._agent_id = agent_id
        self._phrases = phrases
        self._waiting = PersonSlots()

    def waiting_slot(self, principal: Principal, language: str) -> AbstractContextManager[None]:
        """Limits how many requests of a person wait at once: every waiting request polls the database."""
        refusal = TooManyRequests(say("tooManyWaiting", language), retry_after=5)
        return self._waiting.hold(principal.user_id, MOST_WAITING, refusal)

    async def language(self, principal: Principal, instance_id: UUID, session_id: str, text: str = "") -> str:
        """The one the person has chosen; else that of this text, or of the last one in the session."""
        async with self._db.unit_of_work(principal.actor) as uow:
            if chosen := await _chosen_language(uow, principal):
                return chosen
            conversation_id = await chat_store.conversation_of(uow, principal, instance_id, session_id)
        before = await self._texts(principal, instance_id, conversation_id) if conversation_id else ()
        return language_of([text, *before], phrases=self._phrases).code

    async def say(
        self,
        principal: Principal,
        instance_id: UUID,
        session_id: str,
        text: str,
        client_id: str | None = None,
        *,
        language: str = "en",
    ) -> AwaitedRun:
        if not text.strip():
            raise InvalidInput(say("writeSomething", language), field="prompt")
        conversation_id = await self._conversation(principal, instance_id, session_id, checked_prompt(text))
        given = Input(text, conversation_id, client_id, language=language)
        accepted = await self._runs.input(principal, instance_id, given)
        return AwaitedRun(accepted.run_id, accepted.conversation_id)

    async def choose(self, principal: Principal, instance_id: UUID, session_id: str, choice_id: str) -> AwaitedRun:
        """Conflict when nothing waits, InvalidInput when this was not offered: then it waits on."""
        require(principal, Action.USE, Target("service.agent"))
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation_id = await chat_store.conversation_of(uow, principal, instance_id, session_id)
            run = await store.paused(uow, principal.mandate_id, conversation_id) if conversation_id else None
            waiting = await call_store.paused_call(uow, RunKey(principal.mandate_id, run.id)) if run else None
        if conversation_id is None or run is None or waiting is None or not isinstance(waiting.pause, Choice):
            raise Conflict(say("nothingPending", "en"), code="pauseConsumed")
        done = len(await self.steps(principal, instance_id, conversation_id, run.id))
        await self._runs.answer(principal, run.id, waiting.call_id, Chosen(choice_id=choice_id))
        return AwaitedRun(run.id, conversation_id, done)

    async def delete(self, principal: Principal, instance_id: UUID, session_id: str) -> None:
        """With its conversation, for good. No error when there is no such session."""
        require(principal, Action.USE, Target("service.agent"))
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation_id = await chat_store.conversation_of(uow, principal, instance_id, session_id)
        if conversation_id is not None:
            await self._conversations.delete(principal, instance_id, conversation_id)
            await self._conversations.purge(principal, instance_id, conversation_id)

    async def steps(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, run_id: UUID
    ) -> Sequence[StepOutcome]:
        return [
            step
            for message in await self._messages(principal, instance_id, conversation_id, run_id)
            for step in message.steps
        ]

    async def plan(self, principal: Principal, instance_id: UUID, conversation_id: UUID, run_id: UUID) -> Plan | None:
        said = await self._messages(principal, instance_id, conversation_id, run_id)
        return next((plan for message in said if (plan := message.plan) is not None), None)

    async def outcomes(
        self, principal: Principal, instance_id: UUID, awaited: AwaitedRun, waiting: Pause | None
    ) -> list[StepOutcome]:
        """The outcomes of the steps since the last response, and the question the run waits with; never none."""
        steps = await self.steps(principal, instance_id, awaited.conversation_id, awaited.run_id)
        new = [step for step in steps if step.index >= awaited.since]
        if waiting is not None:
            plan = await self.plan(principal, instance_id, awaited.conversation_id, awaited.run_id)
            return [*new, _waiting(waiting, len(steps), plan, await self._language(principal, instance_id, awaited))]
        run = await self._runs.get(principal, awaited.run_id)
        if run.state is RunState.COMPLETED and new:
            return new
        language = await self._language(principal, instance_id, awaited)
        words = (
            _failure(run, language)
            or await self._last_text(principal, instance_id, awaited)
            or say("stopped", language)
        )
        status = ResultStatus.OK if run.state is RunState.COMPLETED else ResultStatus.ERROR
        return [*new, StepOutcome(index=len(steps), intent="question", status=status, message=words)]

    async def _language(self, principal: Principal, instance_id: UUID, awaited: AwaitedRun) -> str:
        """That of the last input of the session; where that does not tell, the person's."""
        async with self._db.unit_of_work(principal.actor) as uow:
            otherwise = await _chosen_language(uow, principal) or "en"
        texts = await self._texts(principal, instance_id, awaited.conversation_id)
        return language_of(texts, otherwise, self._phrases).code

    async def _texts(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Sequence[str]:
        """The inputs of a session, the newest first."""
        branch = await self._conversations.messages(principal, instance_id, conversation_id)
        return [stored.message.text for stored in reversed(branch) if stored.message.role is Role.USER]

    async def _last_text(self, principal: Principal, instance_id: UUID, awaited: AwaitedRun) -> str:
        said = await self._messages(principal, instance_id, awaited.conversation_id, awaited.run_id)
        return next((message.text for message in reversed(said) if message.text), "")

    async def _messages(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, run_id: UUID
    ) -> Sequence[Message]:
        branch = await self._conversations.messages(principal, instance_id, conversation_id)
        return [stored.message for stored in branch if stored.run_id == run_id]

    async def _conversation(self, principal: Principal, instance_id: UUID, session_id: str, title: str) -> UUID:
        require(principal, Action.USE, Target("service.agent"))
        with suppress(_AlreadyBegun):
            async with self._db.unit_of_work(principal.actor) as uow:
                if found := await chat_store.conversation_of(uow, principal, instance_id, session_id):
                    return found
                made = await conversations.create(uow, principal, instance_id, title, self._agent_id)
                if not await chat_store.insert(uow, principal, instance_id, session_id, made.id, now()):
                    raise _AlreadyBegun  # and nothing of ours is left
                return made.id
        return await self._conversation(principal, instance_id, session_id, title)


async def _chosen_language(uow: UnitOfWork, principal: Principal) -> str | None:
    person = await users.get(uow, principal.mandate_id, principal.user_id) if principal.user_id else None
    return person.language if person is not None else None


def refusal(error: WorkroomError, language: str) -> str:
    """Why a choice was not taken, for the person who made it."""
    key = REFUSALS.get(error.code)
    return say(key, language) if key else error.message


def _failure(run: Run, language: str) -> str:
    """The stored message of the error; in another language than English a general one, where there is no translation."""
    if not run.error or language == "en":
        return run.error or ""
    known = f"error.{run.error_code}"
    general = "error.modelFailed" if run.error_details else "failed"
    return say(known if knows(known) else general, language)


class _AlreadyBegun(Exception):
    """Another request has begun the same session."""


def _waiting(pause: Pause, index: int, plan: Plan | None, language: str) -> StepOutcome:
    intent = plan.steps[index].intent if plan is not None and index < len(plan.steps) else "question"
    if isinstance(pause, Choice):
        return StepOutcome(
            index=index,
            intent=intent,
            status=ResultStatus.NEEDS_USER_CHOICE,
            message=pause.text,
            options=pause.options,
        )
    asks = pause.text if isinstance(pause, Question) else f"{pause.text} {say('confirm', language)}".strip()
    return StepOutcome(index=index, intent=intent, status=ResultStatus.NEEDS_CLARIFICATION, message=asks)
