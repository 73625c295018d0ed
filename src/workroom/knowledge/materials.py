"""What the files of a workspace say to a question, put before the model together with what the question points at.

Retrieved once, at the run's first step, and stored with the question: every round sees it, a resumed run sees the same, and
later rounds ask for more with `searchFiles`. If knowledge cannot be reached, the run goes on without it and says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from workroom.core.actions import OpenFile
from workroom.core.errors import WorkroomError
from workroom.core.messages import MaterialPart, Message
from workroom.core.sources import unmarked
from workroom.core.tokens import estimate
from workroom.identity.types import Principal
from workroom.knowledge.citing import source_of
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import Layer, Passage, Query
from workroom.models.embedded import is_small_talk

log = logging.getLogger(__name__)

SECONDS = 10.0
SHARE = 2  # of what may be read for a question; the rest is for what it points at
COVERED = 0.5  # of the question's words, for a passage nobody asked for by name
ALIKE = 0.3  # above the model's floor, for one that shares no word
DEGRADED = "degraded"
WITHOUT = "What the files of this workspace say could not be searched just now: this answer is made without it."


class Materials(Protocol):
    async def of(self, who: Principal, instance_id: UUID, question: Message, tokens: int) -> Sequence[MaterialPart]: ...


class RetrievedMaterials:
    def __init__(self, pointed: Materials, knowledge: Knowledge) -> None:
        self._pointed, self._knowledge = pointed, knowledge

    async def of(self, who: Principal, instance_id: UUID, question: Message, tokens: int) -> Sequence[MaterialPart]:
        """What it points at, first; then passages, unless the question named the places it is about itself, or asks what a
        document is made of."""
        found = list(await self._pointed.of(who, instance_id, question, tokens))
        if any(part.kind == "text" or part.found for part in found) or is_small_talk(question.text):
            return found
        files = tuple({part.opens.file_id for part in found if part.opens is not None})
        room = (tokens - sum(estimate(part.text) for part in found)) // SHARE
        try:
            async with asyncio.timeout(SECONDS):
                passages = await self._knowledge.search(who, Query(question.text, instance_id, file_ids=files))
        except Exception as error:  # whatever is wrong with it, the question is answered
            log.warning("knowledge is out of reach", extra={"reason": _reason(error)})
            return [*found, _part(who, "note", DEGRADED, WITHOUT, untrusted=False)]
        for passage in passages:
            if not (files or is_relevant(passage)):
                continue
            room -= estimate(passage.text)
            if room < 0:
                break
            source = source_of(passage)
            part = _part(who, "text", source.label, unmarked(passage.text), opens=source.opens)
            found.append(
                part.model_copy(update={"mark": source.mark, "found": True, "shared": passage.layer is Layer.SHARED})
            )
        return found


def is_relevant(passage: Passage) -> bool:
    """Enough of the question's words, or very much its meaning: what is merely the best of nothing is left out."""
    why = passage.why
    if why.asked and len(why.words) / why.asked >= COVERED:
        return True
    return why.semantic is not None and why.semantic >= why.floor + ALIKE


def _reason(error: Exception) -> str:
    """What drivers and libraries say may repeat the question."""
    return error.message if isinstance(error, WorkroomError) else type(error).__name__


def _part(
    who: Principal, kind: str, label: str, text: str, opens: OpenFile | None = None, *, untrusted: bool = True
) -> MaterialPart:
    said = {"kind": kind, "label": label[:500], "text": text, "opens": opens, "untrusted": untrusted}
    return MaterialPart.model_validate({**said, "read_for": who.user_id})
