"""The loop's memory on the database. What is stored and what is told about it are one transaction, under the run's lease."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from workroom.agent.entities.types import Entity
from workroom.agent.ports import Attempt, Ending
from workroom.agent.summaries import Summary
from workroom.agent.tool import Tool
from workroom.conversations import store as conversations
from workroom.conversations import summary_store, switch_store
from workroom.conversations.types import SwitchKind
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded, Forbidden
from workroom.core.messages import CallPart, MaterialPart, Message
from workroom.core.pauses import Pause, PauseState
from workroom.core.results import ToolResult
from workroom.core.run_events import MessageStored, PauseChanged, RunEvent, RunState, StatusChanged
from workroom.core.tokens import Usage
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Principal
from workroom.models.ports import ModelInfo
from workroom.runs import call_store, event_store, facts, store
from workroom.runs.consulting import Consulting
from workroom.runs.errors import AnswerLost, ReadersChanged
from workroom.runs.ports import Effect, Models
from workroom.runs.purse import LEAST_WORDS, Purse
from workroom.runs.told import told_of, told_of_cost, told_of_plan, told_of_switch
from workroom.runs.tool_context import DatabaseContext
from workroom.runs.types import Claim
from workroom.runs.voice import Voice
from workroom.usage.service import Budgets
from workroom.usage.types import LIKELY_OUTPUT_TOKENS, BillingTransaction, Call, Outcome, Purpose, Reservation

T = TypeVar("T")
MOST_LOST = 5  # model calls of one round that ended with their worker
NOT_ALLOWED = "You may not use agents here any more."


def _named(model: ModelInfo | None) -> str | None:
    """What a run says it was answered by. The embedded default is no model, and its id says nothing to people."""
    return None if model is None else "" if model.embedded else model.id


async def _nothing(_: UnitOfWork) -> None:
    return None


class DatabaseJournal:
    def __init__(
        self,
        db: Database,
        claim: Claim,
        voice: Voice,
        who: Principal,
        budgets: Budgets,
        services: Mapping[type, object],
        models: Models,
        ask_rights: Callable[[], Awaitable[Principal | None]],
    ) -> None:
        self._db = db
        self._claim = claim
        self._voice = voice
        self.last_message_id = claim.last_message_id
        self.handed_to: UUID | None = None  # who goes on with the question
        self._ending = claim.ending is not None
        self._round = claim.rounds + 1
        self._purse = Purse(claim, who, budgets)
        self._attempt: Attempt | None = None  # the last one
        self.audience_since: datetime | None = None  # as it was when the run was loaded
        self.who = who
        self.services = services
        self.consulting = Consulting(models, self, self._purse, claim, voice.emit)
        self._ask_rights = ask_rights

    @property
    def rounds(self) -> int:
        """Answered so far; what tools do belongs to the last of them."""
        return self._round - 1

    async def flush(self) -> None:
        """Store what has been said and not yet written."""
        await self.write(_nothing)

    async def attempt_began(
        self, model: ModelInfo, input_tokens: int, output_tokens: int, purpose: Purpose = Purpose.ROUND
    ) -> Attempt:
        self._voice.forget_partial()
        number = self._voice.attempt + 1
        call = Call(model.provider, model.id, purpose, model.price, self._round, number)

        async def reserve(least: int) -> Reservation:
            async def effect(uow: UnitOfWork) -> Reservation:
                await self._require_same_readers(uow)
                return await self._purse.reserve(uow, call, input_tokens, output_tokens, least=least)

            return await self.write(effect, ", attempts = attempts + 1")

        try:
            reservation = await self._purse.when_settled(lambda: reserve(LIKELY_OUTPUT_TOKENS))
        except BudgetExceeded:
            reservation = await self._purse.when_settled(lambda: reserve(LEAST_WORDS))
        self._purse.took(reservation)
        self._voice.attempt = number
        self._attempt = Attempt(number, reservation.max_output_tokens)
        return self._attempt

    async def _require_same_readers(self, uow: UnitOfWork) -> None:
        """Whoever has begun to read along since the run was loaded must not be told what was read before: it is loaded anew."""
        claim = self._claim
        since = await conversations.audience_since(uow, claim.key.mandate_id, claim.conversation_id)
        if since is not None and since != self.audience_since:
            raise ReadersChanged

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        await self.write(lambda uow: self._purse.settle(uow, used, Outcome.FAILED, assumed=assumed), more=told_of_cost)
        self._purse.let_go()

    async def ending(self, ending: Ending) -> None:
        await self.write(_nothing, ", ending = $5", ending)
        self._ending = True

    async def answered(self, message: Message, model: ModelInfo | None, used: Usage, *, assumed: bool = False) -> None:
        async def effect(uow: UnitOfWork) -> list[RunEvent]:
            switched = await self.add_message(uow, message)
            await call_store.add(uow, self._claim.key, message.id, message.calls)
            billed = await self._purse.settle(uow, used, Outcome.ANSWERED, message.id, assumed=assumed)
            return [*switched, *told_of_plan(message), stored, *told_of_cost(billed)]

        counts = model is not None and not self._ending
        stored = MessageStored(message_id=message.id, role=message.role, text=message.text)
        await self.write(
            effect,
            ", last_message_id = $5, rounds = rounds + $6, tool_calls = tool_calls + $7, model = coalesce($8, model)",
            message.id,
            1 if counts else 0,
            len(message.calls),
            _named(model),
            more=lambda told: told,
        )
        self._purse.let_go()
        self._round += 1 if counts else 0
        self._voice.forget_partial()

    async def summarised(self, summary: Summary, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        async def effect(uow: UnitOfWork) -> BillingTransaction | None:
            claim = self._claim
            whose = (claim.key.mandate_id, claim.conversation_id, claim.user_id)
            await summary_store.add(uow, *whose, summary, now())
            await facts.announce(uow, claim)
            return await self._purse.settle(uow, used, Outcome.ANSWERED, assumed=assumed)

        await self.write(effect, more=told_of_cost)
        self._purse.let_go()

    async def noted(
        self, found: Mapping[UUID, Sequence[Entity]], model: ModelInfo, used: Usage, *, assumed: bool = False
    ) -> None:
        async def effect(uow: UnitOfWork) -> BillingTransaction | None:
            for call_id, entities in found.items():
                await facts.note(uow, self._claim, call_id, entities)
            await call_store.set_read_for_facts(uow, self._claim.key, list(found))
            return await self._purse.settle(uow, used, Outcome.ANSWERED, assumed=assumed)

        await self.write(effect, more=told_of_cost)
        self._purse.let_go()

    async def known(self) -> Sequence[Entity]:
        async with self._db.unit_of_work(UserActor(self._claim.key.mandate_id, self._claim.user_id)) as uow:
            return await facts.known(uow, self._claim)

    async def settle_lost(self) -> None:
        """First of all: what died with the worker before us has been used, whatever becomes of the run. AnswerLost when that
        has happened too often in this round."""

        async def effect(uow: UnitOfWork) -> int:
            await self._purse.settle_lost(uow)
            return await self._purse.lost_in(uow, self._round)

        if await self.write(effect) >= MOST_LOST:
            raise AnswerLost

    async def settle_what_is_open(self, uow: UnitOfWork) -> None:
        """The run ends in the middle of model calls: what was heard of them is paid."""
        await self._purse.settle_guess(uow, self._attempt.written.tokens if self._attempt else 0)

    async def add_message(self, uow: UnitOfWork, message: Message) -> list[RunEvent]:
        """Answers what is told of it beside: in words it is the answer to every switch the run knows of."""
        claim = self._claim
        await conversations.add_message(
            uow,
            claim.key.mandate_id,
            claim.conversation_id,
            message,
            parent_id=self.last_message_id,
            run_id=claim.key.run_id,
            client_id=None,
            now=now(),
            agent_id=claim.agent.id if message.text.strip() else None,
        )
        self.last_message_id = message.id
        if not claim.switch_seq or not message.text.strip():
            return []
        answered = await switch_store.answer(
            uow, claim.key.mandate_id, claim.conversation_id, claim.switch_seq, message.id
        )
        return [told_of_switch(entry) for entry in answered if entry.kind is not SwitchKind.HANDOFF]

    async def materials_read(self, question: Message, parts: Sequence[MaterialPart]) -> Message:
        """They belong to the question from here on: whoever goes on with this run, or repeats it, finds them there."""
        own = [part.model_copy(update={"read_in": self._claim.key.run_id}) for part in parts]
        others = [part for part in question.parts if not isinstance(part, MaterialPart)]
        told = question.model_copy(update={"parts": [*others, *own]})
        mandate_id = self._claim.key.mandate_id
        await self.write(lambda uow: conversations.add_parts(uow, mandate_id, question.id, own))
        return told

    async def rights_asked(self) -> None:
        who = await self._ask_rights()
        if who is None:
            raise Forbidden(NOT_ALLOWED)
        self.who = who

    async def settle_if_deleted(self) -> None:
        """The run is gone, with its conversation: what its last call has used is paid all the same."""
        claim = self._claim
        async with self._db.unit_of_work(UserActor(claim.key.mandate_id, claim.user_id)) as uow:
            if await store.get(uow, claim.key) is None:
                await self.settle_what_is_open(uow)

    async def call_started(self, call: CallPart) -> None:
        await self.write(lambda uow: call_store.start(uow, self._claim.key, call.call_id))

    async def call_paused(self, call: CallPart, pause: Pause) -> None:
        """The question, the state and what is told of them; from here on the run is nobody's."""
        asked = PauseChanged(call_id=call.call_id, tool=call.tool, state=PauseState.WAITING, pause=pause)
        await self.write(
            lambda uow: call_store.pause(uow, self._claim.key, call.call_id, pause, now()),
            ", state = 'paused', lease_holder = null",
            more=lambda _: [asked, StatusChanged(state=RunState.PAUSED)],
        )

    async def call_finished(self, call: CallPart, result: ToolResult, duration_ms: int) -> None:
        found = await facts.found_in(self._claim, result)
        await self.write(
            lambda uow: facts.finish(uow, self._claim, call.call_id, result, duration_ms, found),
            more=lambda _: told_of(call, result, duration_ms),
        )

    def context(self, call: CallPart, tool: Tool) -> DatabaseContext:
        return DatabaseContext(call, self, self._claim, tool.untrusted)

    async def write(
        self, effect: Effect[T], changes: str = "", *args: Any, more: Callable[[T], list[RunEvent]] | None = None
    ) -> T:
        """Effect, proof of the lease and everything said so far: all or nothing, and in the order in which it was said.
        What speaks of the effect itself comes from `more`: said without it, it would not be true."""
        claim, voice = self._claim, self._voice
        actor = UserActor(claim.key.mandate_id, claim.user_id)
        async with voice.order:
            taken = voice.take()
            try:
                async with self._db.unit_of_work(actor) as uow:
                    value = await effect(uow)
                    said = [*taken, *((voice.attempt, event) for event in (more(value) if more else []))]
                    await event_store.tell(uow, claim.key, claim.epoch, said, changes, *args)
            except BaseException:
                voice.put_back(taken)
                raise
        return value
