"""Redacts runs for other readers of a conversation: what a tool read in documents with the rights of one person is for that
person, and for the models that answer them.

Others see in its place that something was read. Their own agent can read it again, with their rights.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from workroom.core.actions import OpenFile
from workroom.core.map_actions import MAP_ACTIONS
from workroom.core.messages import CallPart, Message, OpaquePart, Part, StepPart
from workroom.core.pauses import Choice, Proposal, Reviewed
from workroom.core.results import ToolResult
from workroom.core.run_events import (
    RUN_EVENT,
    ActionRequested,
    Failed,
    FileEditProposed,
    PauseChanged,
    RunState,
    StatusChanged,
    StepFinished,
    ThoughtArrived,
    ToolAsked,
    ToolFinished,
)
from workroom.runs.types import Run, StoredEvent

READ_FOR_ANOTHER_PERSON = "[read for somebody else; call the tool again to read it with your own rights]"
WORDS = "words"  # of a provider, in the details of a failure
QUOTING = frozenset({"sheet", "quote"})  # words of a document in the payload of an action that opens it
SHARED_ACTIONS = frozenset({OpenFile.name, *(action.name for action in MAP_ACTIONS)})


def is_hidden(result: ToolResult, read_for: UUID, reader: UUID | None) -> bool:
    return result.is_for_one and read_for != reader


def redacted_result(result: ToolResult, read_for: UUID, reader: UUID | None) -> ToolResult:
    """The result as `reader` may see it. It stays marked: the answers after it are based on it."""
    if not is_hidden(result, read_for, reader):
        return result
    return ToolResult(status=result.status, message=READ_FOR_ANOTHER_PERSON, untrusted=True)


def redacted_message(message: Message) -> Message:
    """A message of another person's run, without words of what was read for them."""
    parts = [_redacted_part(part) for part in message.parts if not _is_thought(part)]
    return message if parts == message.parts else message.model_copy(update={"parts": parts})


def _is_thought(part: Part) -> bool:
    """What a model thought quotes what it was given to read."""
    return isinstance(part, OpaquePart) and bool(part.thought)


def _redacted_part(part: Part) -> Part:
    match part:
        case CallPart(private=True):
            return part.model_copy(update={"arguments": {}})
        case StepPart(step=step) if step.private:
            hidden = step.model_copy(update={"message": READ_FOR_ANOTHER_PERSON})
            return part.model_copy(update={"step": hidden})
        case _:
            return part


def _redacted_choice(choice: Choice) -> Choice:
    """That there was a choice, not between what."""
    options = [option.model_copy(update={"label": "…", "description": "", "data": {}}) for option in choice.options]
    return choice.model_copy(update={"options": options})


def _redacted_proposal(event: PauseChanged, proposal: Proposal) -> PauseChanged:
    """That a file would be changed, and what became of it; not what is in it."""
    hidden = proposal.model_copy(update={"before": "", "after": "", "data": {}})
    answer = event.answer
    if isinstance(answer, Reviewed) and answer.text is not None:
        answer = answer.model_copy(update={"text": ""})
    return event.model_copy(update={"pause": hidden, "answer": answer})


def redacted_run(run: Run, reader: UUID | None) -> Run:
    """Without the provider's own words about a failure, which may repeat what it was given to read."""
    if run.user_id == reader or not run.error_details.get(WORDS):
        return run
    error, details = _without_words(run.error or "", run.error_details)
    return replace(run, error=error, error_details=details)


def _without_words(message: str, details: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    return message.replace(details[WORDS], "…"), {name: value for name, value in details.items() if name != WORDS}


def redacted_event(stored: StoredEvent) -> StoredEvent:
    """An event of another person's run."""
    match RUN_EVENT.validate_json(stored.json):
        case ToolFinished(result=result) as event if result.is_for_one:
            hidden = ToolResult(status=result.status, message=READ_FOR_ANOTHER_PERSON, untrusted=True)
            return replace(stored, json=event.model_copy(update={"result": hidden}).model_dump_json())
        case ThoughtArrived() as event:
            return replace(stored, json=event.model_copy(update={"text": ""}).model_dump_json())
        case ToolAsked(private=True) as event:
            return replace(stored, json=event.model_copy(update={"arguments": {}}).model_dump_json())
        case StepFinished(private=True) as event:
            return replace(stored, json=event.model_copy(update={"message": READ_FOR_ANOTHER_PERSON}).model_dump_json())
        case PauseChanged(pause=Choice(untrusted=True) as choice) as event:
            return replace(stored, json=event.model_copy(update={"pause": _redacted_choice(choice)}).model_dump_json())
        case PauseChanged(pause=Proposal() as proposal) as event if proposal.file is not None:
            return replace(stored, json=_redacted_proposal(event, proposal).model_dump_json())
        case FileEditProposed() as event:
            return replace(stored, json=event.model_copy(update={"diff": ""}).model_dump_json())
        case ActionRequested(action=action) as event if (
            action.type not in SHARED_ACTIONS or QUOTING & action.payload.keys()
        ):
            # A widget is drawn from the result of its call, if that may be seen.
            known = action.payload.items() if action.type in SHARED_ACTIONS else ()
            payload = {name: value for name, value in known if name not in QUOTING}
            shown = action.model_copy(update={"payload": payload})
            return replace(stored, json=event.model_copy(update={"action": shown}).model_dump_json())
        case Failed() as event if event.details.get(WORDS):
            message, details = _without_words(event.message, event.details)
            told = event.model_copy(update={"message": message, "details": details})
            return replace(stored, json=told.model_dump_json())
        case StatusChanged(state=RunState.RUNNING) as event if event.text:  # a tool says which chapter it is at
            return replace(stored, json=event.model_copy(update={"text": ""}).model_dump_json())
        case _:
            return stored
