"""What people do with runs: give input, answer, stop, read. The answer itself is made by a session of the run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from workroom.agent.config import AgentWishes
from workroom.agent.ports import AgentSpec
from workroom.conversations import access
from workroom.conversations import service as conversations
from workroom.conversations import store as conversations_store
from workroom.conversations.types import Conversation, StoredMessage, SwitchKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.messages import FilePart, Message, Role, TextPart
from workroom.core.pauses import LONGEST_ANSWER, Choice, Chosen, Pause, PauseAnswer, Question, Replied
from workroom.core.redaction import redact
from workroom.core.results import FROM_OUTSIDE, ToolResult
from workroom.core.run_events import RunState
from workroom.custom_skills.service import called_in
from workroom.db import Database, UnitOfWork
from workroom.db.channels import STOPS
from workroom.files.access import may as may_file
from workroom.files.errors import NotForAllReaders
from workroom.files.finder import reachable
from workroom.identity.access import Target, require
from workroom.identity.types import Action, Principal
from workroom.models.ports import Forcing
from workroom.runs import call_store, event_store, pauses, run_creation, store
from workroom.runs.reader_redaction import is_hidden, redacted_event, redacted_run
from workroom.runs.run_creation import NO_WISHES, AnswerOptions, RunTarget
from workroom.runs.switching import switch
from workroom.runs.types import RecentResult, Run, RunKey, StoredEvent

LONGEST_PROMPT = 500_000
PAGE_OF_EVENTS = 500
RECENT_RESULTS = 5
LONGEST_LABEL = 200


@dataclass(frozen=True)
class Input:
    """`replaces`: id of an earlier message of the same author that this one edits; the conversation branches there. `file_ids`:
    attachments; None keeps those of the edited message."""

    prompt: str
    conversation_id: UUID | None = None
    client_id: str | None = None
    replaces: UUID | None = None
    language: str = "en"
    model: str | None = None  # `provider/model`
    wishes: AgentWishes = NO_WISHES
    file_ids: tuple[UUID, ...] | None = None
    agent_id: UUID | None = None  # who shall answer from here on
    forcing: Forcing | None = None  # of tools, instead of the agent's
    return_tool_requests: bool = False  # end with the calls that the model asks for; carrying them out is the caller's
    begin: Callable[[UnitOfWork, UUID], Awaitable[None]] | None = None  # what a new conversation begins with

    @property
    def options(self) -> AnswerOptions:
        return AnswerOptions(
            self.language,
            self.model,
            self.wishes,
            forcing=self.forcing,
            return_tool_requests=self.return_tool_requests,
        )


@dataclass(frozen=True)
class Accepted:
    """`after`: the number of the last event before this input; 0 unless it answers what a run waits for."""

    conversation_id: UUID
    message_id: UUID
    run_id: UUID
    after: int = field(default=0, compare=False)


class Runs:
    def __init__(self, db: Database, assistant: AgentSpec | None = None) -> None:
        """`assistant` stands in for the shipped one."""
        self._db = db
        self._assistant = assistant

    async def input(self, principal: Principal, instance_id: UUID, request: Input) -> Accepted:
        """Store message and run and wake a worker, in one transaction. The same `client_id` twice is one input."""
        require(principal, Action.USE, Target("service.agent"))
        prompt = checked_prompt(request.prompt)
        client_id = f"{principal.user_id}:{request.client_id}" if request.client_id else None
        async with self._db.unit_of_work(principal.actor) as uow:
            if client_id and (accepted := await self._already_accepted(uow, principal, instance_id, client_id)):
                return accepted
            if request.conversation_id is None:
                agent_id = await run_creation.first_agent(uow, principal, instance_id, request.agent_id)
                conversation = await conversations.create(uow, principal, instance_id, prompt, agent_id)
                if request.begin is not None:
                    await request.begin(uow, conversation.id)
            else:
                conversation = await access.checked(
                    uow, principal, Action.UPDATE, instance_id, request.conversation_id, lock=True
                )
            if client_id and (accepted := await self._already_accepted(uow, principal, instance_id, client_id)):
                return accepted  # it was sent twice at once
            if request.agent_id is not None:
                await switch(uow, principal, instance_id, conversation.id, request.agent_id, SwitchKind.USER)
            files = await _attached(uow, principal, conversation, request.file_ids or ())
            if answered := await self._answer_pause(uow, principal, conversation.id, request, files, client_id):
                return answered
            replaced = await self._replaced(uow, principal, conversation.id, request.replaces)
            if replaced is not None and request.file_ids is None:
                files = replaced.message.files
                if conversation.is_shared:
                    files = await _attached(uow, principal, conversation, [file.file_id for file in files])
            parent_id = replaced.parent_id if replaced else await self._newest(uow, principal, conversation.id)
            readers = await access.audience_with_rights(uow, principal, conversation)
            skill = await called_in(uow, principal, instance_id, prompt, readers)
            parts = [*filter(None, [skill]), TextPart(text=prompt), *files]
            message = Message(id=new_id(), role=Role.USER, parts=parts)
            await conversations_store.add_message(
                uow,
                principal.mandate_id,
                conversation.id,
                message,
                parent_id=parent_id,
                run_id=None,
                client_id=client_id,
                now=now(),
                author_id=principal.user_id,
            )
            agent = await self._agent_for(uow, principal, instance_id, conversation.id, request.options)
            return await _queue(uow, principal, RunTarget(conversation.id, instance_id, message.id), agent)

    async def retry(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, model: str | None = None
    ) -> Accepted:
        """The last thing the user said is answered again, beside the answer that is there."""
        require(principal, Action.USE, Target("service.agent"))
        async with self._db.unit_of_work(principal.actor) as uow:
            await access.checked(uow, principal, Action.UPDATE, instance_id, conversation_id, lock=True)
            runs = await store.of_conversation(uow, principal.mandate_id, conversation_id)
            if any(not run.state.is_over for run in runs):
                raise Conflict("An answer is still being made. Stop it first.")
            current = await conversations_store.get(uow, principal.mandate_id, conversation_id)
            leaf_id = current.leaf_id if current else None
            branch = await conversations_store.branch(uow, principal.mandate_id, leaf_id) if leaf_id else []
            question_id = next((item.message.id for item in reversed(branch) if item.message.role is Role.USER), None)
            if question_id is None:
                raise Conflict("Nothing has been said here yet.")
            await conversations_store.set_leaf(uow, principal.mandate_id, conversation_id, question_id)
            before = await store.agent_of_message(uow, principal.mandate_id, question_id)
            options = AnswerOptions(before.language if before else "en", model)
            agent = await self._agent_for(uow, principal, instance_id, conversation_id, options)
            agent = run_creation.as_before(agent, before) if before is not None else agent
            return await _queue(uow, principal, RunTarget(conversation_id, instance_id, question_id), agent)

    async def answer(self, principal: Principal, run_id: UUID, call_id: UUID, answer: PauseAnswer) -> Run:
        """Answer the question a run waits with. It goes on at exactly the call that asked."""
        require(principal, Action.USE, Target("service.agent"))
        async with self._db.unit_of_work(principal.actor) as uow:
            run = await self._checked(uow, principal, Action.UPDATE, run_id)
            if run.user_id != principal.user_id:  # what follows is done in the name of who asked
                raise Forbidden("Only the person who asked can answer this.")
            await conversations_store.hold(uow, principal.mandate_id, run.conversation_id)
            key = RunKey(principal.mandate_id, run_id)
            expired = await pauses.has_expired(uow, key, call_id)
            if expired:
                await pauses.end(uow, principal.mandate_id, run)
            else:
                await pauses.answer(uow, key, call_id, answer)
            answered = await self._checked(uow, principal, Action.READ, run_id)
        if expired:
            raise Conflict(pauses.EXPIRED, code="choiceExpired")
        return answered

    async def stop(self, principal: Principal, run_id: UUID) -> Run:
        key = RunKey(principal.mandate_id, run_id)
        async with self._db.unit_of_work(principal.actor) as uow:
            run = await self._checked(uow, principal, Action.UPDATE, run_id)
            await conversations_store.hold(uow, principal.mandate_id, run.conversation_id)
            await store.lock(uow, key)
            if await store.request_stop(uow, key):
                await uow.notify(STOPS, str(run_id))
            else:
                await pauses.end(uow, principal.mandate_id, run)
            return await self._checked(uow, principal, Action.READ, run_id)

    async def get(self, principal: Principal, run_id: UUID) -> Run:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await self._checked(uow, principal, Action.READ, run_id)

    async def of_conversation(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> list[Run]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await access.checked(uow, principal, Action.READ, instance_id, conversation_id)
            runs = await store.of_conversation(uow, principal.mandate_id, conversation_id)
            return [redacted_run(run, principal.user_id) for run in runs]

    async def events(self, principal: Principal, run_id: UUID, after: int) -> tuple[list[StoredEvent], RunState]:
        """The events after that number, and the state of the run: it is over and nothing is left at the end."""
        async with self._db.unit_of_work(principal.actor) as uow:
            run = await self._checked(uow, principal, Action.READ, run_id)
            events = await event_store.events_after(uow, RunKey(principal.mandate_id, run_id), after, PAGE_OF_EVENTS)
            return events if run.user_id == principal.user_id else [
                redacted_event(event) for event in events
            ], run.state

    async def result(self, principal: Principal, conversation_id: UUID, call_id: UUID) -> ToolResult:
        """The result of an earlier tool call of this conversation."""
        async with self._db.unit_of_work(principal.actor) as uow:
            found = await call_store.result(uow, principal.mandate_id, call_id)
            if found is None:
                raise NotFound("There is no such call, or it has no result yet.")
            run_id, result = found
            run = await self._checked(uow, principal, Action.READ, run_id)
            if run.conversation_id != conversation_id:
                raise NotFound("There is no such call in this conversation.")
            conversation = await conversations_store.get(uow, principal.mandate_id, conversation_id)
            since = conversation.audience_since if conversation and not principal.audience.is_empty else None
            if is_hidden(result, run.user_id, principal.user_id if since is None or run.created_at >= since else None):
                raise Forbidden("This was read for somebody else. Call the tool again to read it with your own rights.")
            return result

    async def said_before(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID, message_id: UUID | None
    ) -> Sequence[StoredMessage]:
        """The branch that ends with this message, oldest first; without one, the branch on the screen."""
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await access.checked(uow, principal, Action.READ, instance_id, conversation_id)
            last = message_id or conversation.leaf_id
            return await conversations_store.branch(uow, principal.mandate_id, last) if last else []

    async def recent_results(
        self, principal: Principal, instance_id: UUID, conversation_id: UUID
    ) -> list[RecentResult]:
        """The results that models see when they answer this person, newest first."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await access.checked(uow, principal, Action.READ, instance_id, conversation_id)
            results = await call_store.recent(
                uow, principal.mandate_id, conversation_id, principal.user_id, RECENT_RESULTS
            )
        return [RecentResult(call_id, tool, _label(made), at, made.untrusted) for call_id, tool, at, made in results]

    async def _checked(self, uow: UnitOfWork, principal: Principal, action: Action, run_id: UUID) -> Run:
        run = await store.get(uow, RunKey(principal.mandate_id, run_id))
        if run is None:
            raise NotFound("There is no such run, or it is not yours to see.")
        await access.checked(uow, principal, action, run.instance_id, run.conversation_id)
        return redacted_run(run, principal.user_id)

    async def _answer_pause(
        self,
        uow: UnitOfWork,
        principal: Principal,
        conversation_id: UUID,
        request: Input,
        files: Sequence[FilePart],
        client_id: str | None,
    ) -> Accepted | None:
        """Input while a run waits for a person answers its question, or chooses what it names; else it sets the pause aside."""
        run = await store.paused(uow, principal.mandate_id, conversation_id)
        if run is None:
            return None
        key = RunKey(principal.mandate_id, run.id)
        accepted = Accepted(conversation_id, run.message_id, run.id, await event_store.last_seq(uow, key))
        waiting = await call_store.paused_call(uow, key)
        asked_by_other = run.user_id != principal.user_id  # only who was asked can answer
        if waiting is None or asked_by_other or request.replaces is not None:
            await pauses.end(uow, principal.mandate_id, run)
            return None
        chosen = _named_choice(waiting.pause, request.prompt)
        if chosen is not None and not files and not await pauses.has_expired(uow, key, waiting.call_id):
            await pauses.answer(uow, key, waiting.call_id, Chosen(choice_id=chosen), client_id)
            return accepted
        if not isinstance(waiting.pause, Question):
            await pauses.end(uow, principal.mandate_id, run)
            return None
        answer_text = "\n".join([request.prompt, *(file.prompt_text for file in files)])
        if len(answer_text) > LONGEST_ANSWER:
            raise InvalidInput(f"An answer has at most {LONGEST_ANSWER:,} characters.", field="prompt")
        await pauses.answer(uow, key, waiting.call_id, Replied(text=answer_text), client_id)
        return accepted

    async def _newest(self, uow: UnitOfWork, principal: Principal, conversation_id: UUID) -> UUID | None:
        """Read under the lock."""
        current = await conversations_store.get(uow, principal.mandate_id, conversation_id)
        return current.leaf_id if current else None

    async def _replaced(
        self, uow: UnitOfWork, principal: Principal, conversation_id: UUID, replaces: UUID | None
    ) -> StoredMessage | None:
        if replaces is None:
            return None
        replaced = await conversations_store.get_message(uow, principal.mandate_id, conversation_id, replaces)
        if replaced is None or replaced.message.role is not Role.USER or replaced.author_id != principal.user_id:
            raise InvalidInput(
                "Only a message of yours in this conversation can be said differently.", field="replaces"
            )
        return replaced

    async def _agent_for(
        self, uow: UnitOfWork, principal: Principal, instance_id: UUID, conversation_id: UUID, options: AnswerOptions
    ) -> AgentSpec:
        """The active one, read under the lock."""
        current = await conversations_store.get(uow, principal.mandate_id, conversation_id)
        active = current.active_agent_id if current else None
        return await run_creation.agent_for(uow, principal, instance_id, active, options, self._assistant)

    async def _already_accepted(
        self, uow: UnitOfWork, principal: Principal, instance_id: UUID, client_id: str
    ) -> Accepted | None:
        """An input that was accepted already, by a request whose response got lost."""
        if run_id := await call_store.run_answered_by(uow, principal.mandate_id, client_id):
            run = await store.get(uow, RunKey(principal.mandate_id, run_id))
        else:
            message_id = await conversations_store.by_client_id(uow, principal.mandate_id, client_id)
            run = await store.of_message(uow, principal.mandate_id, message_id) if message_id else None
        if run is None:
            return None
        await access.checked(uow, principal, Action.READ, instance_id, run.conversation_id)
        return Accepted(run.conversation_id, run.message_id, run.id)


async def _attached(
    uow: UnitOfWork, principal: Principal, conversation: Conversation, ids: Sequence[UUID]
) -> list[FilePart]:
    """The files as parts of a message; refused if the person, or another reader of the conversation, may not read them."""
    principal = replace(principal, inspects=frozenset())
    files = [await reachable(uow, principal, conversation.instance_id, file_id) for file_id in dict.fromkeys(ids)]
    together = replace(principal, audience=await access.audience_with_rights(uow, principal, conversation))
    for file in files:
        if not may_file(together, Action.READ, file):
            raise NotForAllReaders(file.name)
    return [FilePart(file_id=file.id, name=file.name, version=file.version) for file in files]


def _label(result: ToolResult) -> str:
    """How it begins, for people: its message, else the names of its items. Redacted before it is cut: half a secret does not look
    like one any more."""
    named = [str(item.get("name") or item.get("title") or "") for item in result.items if isinstance(item, dict)]
    text = result.message or ", ".join(filter(None, named)) or result.text().removeprefix(f"{FROM_OUTSIDE}\n")
    begin = text[: 10 * LONGEST_LABEL]
    return " ".join(redact(begin).split())[:LONGEST_LABEL]


def checked_prompt(prompt: str) -> str:
    if not prompt.strip():
        raise InvalidInput("Write something first.", field="prompt")
    if len(prompt) > LONGEST_PROMPT:
        raise InvalidInput(f"This is longer than {LONGEST_PROMPT:,} characters. Put it into a file.", field="prompt")
    if "\x00" in prompt or any("\ud800" <= char <= "\udfff" for char in prompt):
        raise InvalidInput("This text contains characters that cannot be stored.", field="prompt")
    return prompt


def _named_choice(pause: Pause, text: str) -> str | None:
    """The id of the option that a message names, word for word."""
    said = " ".join(text.split()).casefold()
    options = pause.options if isinstance(pause, Choice) else []
    named = [option.id for option in options if " ".join(option.label.split()).casefold() == said]
    return named[0] if len(named) == 1 else None


async def _queue(uow: UnitOfWork, principal: Principal, target: RunTarget, agent: AgentSpec) -> Accepted:
    run_id = await run_creation.queue_run(uow, principal, target, agent)
    return Accepted(target.conversation_id, target.message_id, run_id)
