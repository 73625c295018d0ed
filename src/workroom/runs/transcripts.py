"""A conversation as a document: the branch on the screen, who said what and when, tool calls in a line each, sources by number.

Sees as much as its reader does on the page: of what was read for another person no words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.conversations import store as conversations
from workroom.conversations.access import checked
from workroom.conversations.types import Conversation, StoredMessage
from workroom.core.messages import CallPart, MaterialPart, Message, Role
from workroom.core.places import DocumentPlace
from workroom.core.results import ResultStatus
from workroom.db import Database
from workroom.identity.types import Action, Principal
from workroom.runs import call_store, store
from workroom.runs.call_store import KnownCall
from workroom.runs.reader_redaction import redacted_message, redacted_result

CODE = re.compile(r"^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)|\Z)|`[^`\n]+`", re.MULTILINE | re.DOTALL)
# Looked for only where a run of blanks begins: by the square, a page of blanks would take minutes.
MARKS = re.compile(r"(?<![ \t])[ \t]*\[\[([a-z2-7]{5}(?:[,;\s]+[a-z2-7]{5})*)\]\]")


@dataclass(frozen=True)
class TranscriptCall:
    tool: str
    arguments: Mapping[str, Any]
    failed: bool = False


@dataclass(frozen=True)
class TranscriptEntry:
    """`text` is Markdown, with `[1]` where it cites the first of `sources`. `speaker` is empty where it is not known any more."""

    role: Role
    speaker: str
    at: datetime
    text: str
    files: Sequence[str] = ()
    calls: Sequence[TranscriptCall] = ()
    sources: Sequence[DocumentPlace] = ()


@dataclass(frozen=True)
class Transcript:
    title: str
    owner_name: str
    entries: Sequence[TranscriptEntry]


class Transcripts:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, principal: Principal, instance_id: UUID, conversation_id: UUID) -> Transcript:
        async with self._db.unit_of_work(principal.actor) as uow:
            conversation = await checked(uow, principal, Action.READ, instance_id, conversation_id)
            mandate_id, leaf_id = principal.mandate_id, conversation.leaf_id
            branch = await conversations.branch(uow, mandate_id, leaf_id) if leaf_id else []
            run_ids = list({item.run_id for item in branch if item.run_id})
            speakers = await store.speakers(uow, mandate_id, run_ids)
            calls = await call_store.of_messages(uow, mandate_id, [item.message.id for item in branch])
            asked_by = await store.asked_by(uow, mandate_id, run_ids)
        names = {run_id: speaker.name for run_id, speaker in speakers.items()}
        return _transcript(principal, conversation, branch, names, calls, asked_by)


def _transcript(
    principal: Principal,
    conversation: Conversation,
    branch: Sequence[StoredMessage],
    names: Mapping[UUID, str],
    calls: Mapping[UUID, KnownCall],
    asked_by: Mapping[UUID, UUID],
) -> Transcript:
    places: dict[str, DocumentPlace] = {}
    entries = []
    for item in branch:
        message = item.message.as_last_read()
        if item.run_id and asked_by.get(item.run_id) not in (None, principal.user_id):
            message = redacted_message(message)
        places |= _places(message, principal, calls)
        text, sources = cited(message.text, places)
        speaker = item.author_name if message.role is Role.USER else names.get(item.run_id) if item.run_id else ""
        made = [_call(call, calls.get(call.call_id)) for call in message.calls]
        files = [file.name for file in message.files]
        if text.strip() or made or files:
            entries.append(TranscriptEntry(message.role, speaker or "", item.created_at, text, files, made, sources))
    return Transcript(conversation.title, conversation.owner_name, _joined(entries))


def _joined(entries: Sequence[TranscriptEntry]) -> list[TranscriptEntry]:
    """What an agent says between its calls is one answer, with one list of calls."""
    joined: list[TranscriptEntry] = []
    for entry in entries:
        last = joined[-1] if joined else None
        if last and last.role is entry.role is Role.ASSISTANT and last.speaker == entry.speaker and not last.sources:
            text = "\n\n".join(filter(None, [last.text.strip(), entry.text.strip()]))
            calls = [*last.calls, *entry.calls]
            joined[-1] = TranscriptEntry(entry.role, entry.speaker, last.at, text, entry.files, calls, entry.sources)
        else:
            joined.append(entry)
    return joined


def _places(message: Message, principal: Principal, calls: Mapping[UUID, KnownCall]) -> dict[str, DocumentPlace]:
    """What the marks mean that its reader may know of."""
    found: dict[str, DocumentPlace] = {}
    for part in message.parts:
        if isinstance(part, MaterialPart):
            seen = part.seen_by(principal.user_id)
            if seen.mark:
                found[seen.mark] = seen.place
            found |= {source.mark: source.place for source in seen.sources}
        elif isinstance(part, CallPart) and (known := calls.get(part.call_id)) and known.result:
            result = redacted_result(known.result, known.user_id, principal.user_id)
            found |= {source.mark: source.place for source in result.sources}
    return found


def cited(text: str, places: Mapping[str, DocumentPlace]) -> tuple[str, list[DocumentPlace]]:
    """With numbers in the place of marks, and what they stand for. In code a mark is text."""
    sources: dict[str, DocumentPlace] = {}

    def numbered(match: re.Match[str]) -> str:
        numbers = []
        for mark in re.split(r"[,;\s]+", match[1]):
            if place := places.get(mark):
                sources.setdefault(place.label, place)
                numbers.append(f"[{list(sources).index(place.label) + 1}]")
        return f" {''.join(dict.fromkeys(numbers))}" if numbers else ""

    pieces, at = [], 0
    for code in CODE.finditer(text):
        pieces += [MARKS.sub(numbered, text[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*pieces, MARKS.sub(numbered, text[at:])]), list(sources.values())


def _call(call: CallPart, known: KnownCall | None) -> TranscriptCall:
    failed = known is not None and known.result is not None and known.result.status is ResultStatus.ERROR
    return TranscriptCall(call.tool, call.arguments, failed)
