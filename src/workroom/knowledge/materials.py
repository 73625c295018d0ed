"""What the files of a workspace say to a question, put before the model together with what the question points at.

Before the first round it is searched for the question, together with what came before it where it says too little by itself
(`follow_ups.py`); before every later round for what the agent is after by then. What the model has been shown is not repeated.
If knowledge cannot be reached, the run goes on without it and says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import Protocol
from uuid import UUID

from workroom.contents.structure_questions import is_structural
from workroom.core.actions import OpenFile
from workroom.core.errors import WorkroomError
from workroom.core.messages import MaterialPart, Message
from workroom.core.places import DocumentPlace, named_place
from workroom.core.sources import unmarked
from workroom.core.tokens import estimate
from workroom.documents.mail_text import SHOWN
from workroom.identity.types import Principal
from workroom.knowledge.citations import source_of
from workroom.knowledge.follow_ups import searched_text
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import ContentChunk, KnowledgeLayer, Passage, Query
from workroom.models.embedded import is_small_talk

log = logging.getLogger(__name__)

SECONDS = 10.0
SHARE = 2  # of what may be read for a question; the rest is for what it points at
COVERED = 0.5  # of the question's words, for a passage of a file the question does not name
MOST_LATER = 5  # passages before a later round
MOST_NAMES, MOST_CALLED = 8, 3  # names in a question; files that a name tells from the others
MOST_OF_CALLED = 2  # passages of those
LEAST_NAMED = 4  # letters of a word that is looked for in the name of a file
WORD = re.compile(r"\w+")
NAME = re.compile(r"(?<=[\w,;:)] )([A-ZÀ-ÖØ-Þ]\w{3,})")
MAILS = (".eml", ".msg")
MADE_OF = ("outline", "listing")
DEGRADED = "degraded"
WITHOUT = "What the files of this workspace say could not be searched just now: this answer is made without it."


class MaterialReader(Protocol):
    async def of(
        self, principal: Principal, instance_id: UUID, question: Message, tokens: int
    ) -> Sequence[MaterialPart]: ...


class RetrievedMaterials:
    def __init__(self, pointed: MaterialReader, knowledge: Knowledge) -> None:
        self._pointed, self._knowledge = pointed, knowledge

    async def of(
        self,
        principal: Principal,
        instance_id: UUID,
        question: Message,
        tokens: int,
        before: Sequence[str] = (),
        shown: Collection[str] = (),
    ) -> Sequence[MaterialPart]:
        """What it points at, and passages, unless the question named the places it is about itself, or asks what a document is
        made of. Where some of the files it points at were read, passages come from the others. What answers comes first: an
        outline comes before passages only for who asks for it. `before`: what the user said earlier, oldest first; `shown`: marks
        of passages that need not be shown again."""
        found = list(await self._pointed.of(principal, instance_id, question, tokens))
        texts = [part for part in found if part.kind == "text" or part.found]
        read = {part.opens.file_id for part in texts if part.opens is not None}
        files = tuple({part.opens.file_id for part in found if part.opens is not None} - read)
        if (texts and not files) or is_small_talk(question.text):
            return found
        room = (tokens - sum(estimate(part.text) for part in found)) // SHARE
        searched = searched_text(question.text, before)
        try:
            passages = await self._passages(principal, Query(searched, instance_id, file_ids=files))
            called = [] if files else await self._of_called_files(principal, instance_id, searched)
        except Exception as error:  # whatever is wrong with it, the question is answered
            log.warning("knowledge is out of reach", extra={"reason": _reason(error)})
            return [*found, _part(principal, "note", named_place(DEGRADED), WITHOUT, untrusted=False)]
        relevant = list(passages) if files else [passage for passage in passages if is_relevant(passage, searched)]
        known = {(passage.file_id, chunk) for passage in relevant for chunk in passage.chunks}
        relevant += [one for one in called if not known & {(one.file_id, chunk) for chunk in one.chunks}]
        found += await self._fitting(principal, relevant, room, shown)
        return found if is_structural(question.text) else sorted(found, key=lambda part: part.kind in MADE_OF)

    async def more(
        self, principal: Principal, instance_id: UUID, text: str, tokens: int, shown: Collection[str]
    ) -> Sequence[MaterialPart]:
        """A few passages for what an agent is after in a later round; none when knowledge cannot be reached."""
        try:
            passages = await self._passages(
                principal, Query(text, instance_id, most_instance=MOST_LATER, most_shared=MOST_LATER)
            )
        except Exception as error:
            log.warning("knowledge is out of reach", extra={"reason": _reason(error)})
            return []
        relevant = [passage for passage in passages if is_relevant(passage, text)][:MOST_LATER]
        return await self._fitting(principal, relevant, tokens // SHARE, shown)

    async def _of_called_files(self, principal: Principal, instance_id: UUID, question: str) -> Sequence[Passage]:
        """From files whose name has a name of the question: among many others they would not be found in another language."""
        names = [word.lower() for word in dict.fromkeys(found[1] for found in NAME.finditer(question))][:MOST_NAMES]
        files = await self._knowledge.named(principal, instance_id, names, MOST_CALLED) if names else []
        if not files:
            return []
        most = MOST_OF_CALLED
        query = Query(question, instance_id, most_instance=most, most_shared=most, file_ids=tuple(files))
        return [passage for passage in await self._passages(principal, query) if is_relevant(passage, question)]

    async def _passages(self, principal: Principal, query: Query) -> Sequence[Passage]:
        async with asyncio.timeout(SECONDS):
            return await self._knowledge.search(principal, query)

    async def _fitting(
        self, principal: Principal, passages: Sequence[Passage], room: int, shown: Collection[str]
    ) -> list[MaterialPart]:
        """Those that fit into `room` tokens, best first, as parts of a message."""
        parts = []
        for passage in passages:
            source = source_of(passage)
            if source.mark in shown:
                continue
            text = await self._headed(principal, passage)
            room -= estimate(text)
            if room < 0:
                break
            part = _part(principal, "text", source.place, unmarked(text), opens=source.opens)
            shared = passage.layer is KnowledgeLayer.SHARED
            parts.append(part.model_copy(update={"mark": source.mark, "found": True, "shared": shared}))
        return parts

    async def _headed(self, principal: Principal, passage: Passage) -> str:
        """Of a long mail the beginning says who wrote it and when: a later piece is told with that."""
        if passage.inside or 0 in passage.chunks or not passage.file_name.casefold().endswith(MAILS):
            return passage.text
        first = list[ContentChunk]()
        with contextlib.suppress(WorkroomError):  # it is gone meanwhile: what was found is as it was found
            first = list((await self._knowledge.chunks(principal, passage.file_id, 0, 1))[0])
        lines = first[0].data.split("\n") if first else []
        head = list(takewhile(lambda line: line.partition(": ")[0] in SHOWN.values(), lines))
        return "\n".join([*head, "", passage.text]) if head else passage.text


def is_relevant(passage: Passage, question: str) -> bool:
    """Enough of the question's words, or very much its meaning: what is merely the best of nothing is left out. Rows of
    `stock.csv` do not say that they are the stock: what the file is called counts with what it says."""
    why = passage.why
    if why.words and (len(why.words) + _named(passage, question)) / why.asked >= COVERED:
        return True
    if _names(passage, question):
        return True
    return why.semantic is not None and why.semantic >= why.answer


def _named(passage: Passage, question: str) -> int:
    """How many words of a question are in the name of the file alone."""
    name = WORD.findall(passage.file_name.casefold().replace("_", " "))
    asked = {word for word in WORD.findall(question.casefold()) if len(word) >= LEAST_NAMED}
    said = tuple(passage.why.words)
    return sum(not word.startswith(said) and any(one.startswith(word) for one in name) for word in asked)


def _names(passage: Passage, question: str) -> bool:
    """Whether it, or what its file is called, has a name that was asked for, written as it was: `Nespresso` is the same in every
    language, and the other words of the question need not be. The first word of a sentence is written with a capital in any
    case."""
    asked = {found[1] for found in NAME.finditer(question)}
    return bool(asked & {*WORD.findall(passage.text), *WORD.findall(passage.file_name.replace("_", " "))})


def _reason(error: Exception) -> str:
    """What drivers and libraries say may repeat the question."""
    return error.message if isinstance(error, WorkroomError) else type(error).__name__


def _part(
    principal: Principal,
    kind: str,
    place: DocumentPlace,
    text: str,
    opens: OpenFile | None = None,
    *,
    untrusted: bool = True,
) -> MaterialPart:
    said = {"kind": kind, "place": place, "text": text, "opens": opens, "untrusted": untrusted}
    return MaterialPart.model_validate({**said, "read_for": principal.user_id})
