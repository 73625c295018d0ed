"""What a tool read in documents with the rights of one person is for that person, and for the models that answer them.

Whoever else may open the conversation finds in its place that something was read. Their own agent can read it again, with
their rights.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from workroom.core.messages import CallPart, Message, Part, StepPart
from workroom.core.pauses import Choice
from workroom.core.results import ToolResult
from workroom.core.run_events import (
    RUN_EVENT,
    Acted,
    PauseChanged,
    RunState,
    StatusChanged,
    StepFinished,
    ToolAsked,
    ToolFinished,
)
from workroom.runs.types import StoredEvent

FOR_SOMEBODY_ELSE = "[read for somebody else; call the tool again to read it with your own rights]"
WORDS = frozenset({"sheet", "quote"})  # of a document, in the order to open it


def is_hidden(result: ToolResult, read_for: UUID, reader: UUID | None) -> bool:
    return result.untrusted and read_for != reader


def seen(result: ToolResult, read_for: UUID, reader: UUID | None) -> ToolResult:
    """It stays marked: what the answers after it say comes from there."""
    if not is_hidden(result, read_for, reader):
        return result
    return ToolResult(status=result.status, message=FOR_SOMEBODY_ELSE, untrusted=True)


def without_words(message: Message) -> Message:
    """A message of somebody else's run, without words of what was read for them."""
    parts = [_without_words(part) for part in message.parts]
    return message if parts == message.parts else message.model_copy(update={"parts": parts})


def _without_words(part: Part) -> Part:
    match part:
        case CallPart(private=True):
            return part.model_copy(update={"arguments": {}})
        case StepPart(step=step) if step.private:
            hidden = step.model_copy(update={"message": FOR_SOMEBODY_ELSE})
            return part.model_copy(update={"step": hidden})
        case _:
            return part


def _not_to_choose(choice: Choice) -> Choice:
    """That there was a choice, not between what."""
    options = [option.model_copy(update={"label": "…", "description": "", "data": {}}) for option in choice.options]
    return choice.model_copy(update={"options": options})


def heard(said: StoredEvent) -> StoredEvent:
    """An event of somebody else's run."""
    match RUN_EVENT.validate_json(said.json):
        case ToolFinished(result=result) as event if result.untrusted:
            hidden = ToolResult(status=result.status, message=FOR_SOMEBODY_ELSE, untrusted=True)
            return replace(said, json=event.model_copy(update={"result": hidden}).model_dump_json())
        case ToolAsked(private=True) as event:
            return replace(said, json=event.model_copy(update={"arguments": {}}).model_dump_json())
        case StepFinished(private=True) as event:
            return replace(said, json=event.model_copy(update={"message": FOR_SOMEBODY_ELSE}).model_dump_json())
        case PauseChanged(pause=Choice(untrusted=True) as choice) as event:
            return replace(said, json=event.model_copy(update={"pause": _not_to_choose(choice)}).model_dump_json())
        case Acted(action=action) as event if WORDS & action.payload.keys():
            payload = {name: value for name, value in action.payload.items() if name not in WORDS}
            shown = action.model_copy(update={"payload": payload})
            return replace(said, json=event.model_copy(update={"action": shown}).model_dump_json())
        case StatusChanged(state=RunState.RUNNING) as event if event.text:  # a tool says which chapter it is at
            return replace(said, json=event.model_copy(update={"text": ""}).model_dump_json())
        case _:
            return said
