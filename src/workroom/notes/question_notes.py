"""Notes that a question calls by their titles, read before a model sees the question: "read me the note Shopping".

Small models answer such a question from thin air instead of calling `readNote`. Only where the question speaks of notes: a note
"Milk" is not meant by "put milk on my list".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from workroom.core.messages import MaterialPart
from workroom.core.places import named_place
from workroom.core.tokens import estimate
from workroom.db import Database
from workroom.identity.access import scope
from workroom.identity.types import Action, Principal
from workroom.notes import store
from workroom.notes.service import KEY
from workroom.notes.types import Note

MOST: Final = 3
LONGEST_QUESTION: Final = 2_000  # characters; a longer text is material itself
SPEAKS_OF_NOTES: Final = re.compile(r"\b(?:notiz(?:en)?|notes?|notas?|anotaç(?:ão|ões))\b|笔记|便签", re.IGNORECASE)
_SPACES: Final = re.compile(r"\s+")


class QuestionNotes:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, principal: Principal, instance_id: UUID, question: str, tokens: int) -> Sequence[MaterialPart]:
        """At most that many tokens. The longest title comes first: "Shopping in Berne" is not the note "Shopping"."""
        if len(question) > LONGEST_QUESTION or not SPEAKS_OF_NOTES.search(question):
            return []
        asked = _SPACES.sub(" ", question)
        async with self._db.unit_of_work(principal.actor) as uow:
            reach = scope(principal, Action.READ, KEY)
            notes = await store.titled_in(uow, principal.mandate_id, instance_id, reach, asked, MOST)
        parts: list[MaterialPart] = []
        for note in notes:
            title = _title(note.title)
            if title.search(asked) and tokens > 0:
                parts.append(part := _part(principal, note, tokens))
                tokens -= estimate(part.text)
                asked = title.sub(" ", asked)
        return parts


def _title(title: str) -> re.Pattern[str]:
    """Whole words; Chinese has no spaces between them."""
    before, after = (r"(?<!\w)" if title[:1].isascii() else ""), (r"(?!\w)" if title[-1:].isascii() else "")
    return re.compile(f"{before}{re.escape(_SPACES.sub(' ', title))}{after}", re.IGNORECASE)


def _part(principal: Principal, note: Note, tokens: int) -> MaterialPart:
    assert principal.user_id is not None
    text = f"The note “{note.title}” says:\n{note.text}"
    if (whole := estimate(text)) > tokens:
        text = f"{text[: len(text) * tokens // whole]} …\n[cut here; readNote reads all of it]"
    return MaterialPart(
        kind="text",
        place=named_place(note.title),
        text=text,
        read_for=principal.user_id,
        untrusted=note.owner_id != principal.user_id,
    )
