"""Merges the streamed chunks of a message into one, some time after the run is over.

No text gets lost and no event is renumbered: a chunk made of several keeps the number of the last of them and says which was the
first (`since`). A client that comes back with a number from the middle gets the whole chunk, and its offset says what the client
has of it already.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterable, Iterator
from datetime import timedelta

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.run_events import TextPiece
from workroom.db import Database
from workroom.runs import event_store, store
from workroom.runs.types import StoredEvent

log = logging.getLogger(__name__)

AFTER = timedelta(minutes=10)  # readers that were cut off have come back by then
AT_ONCE = 200


async def compact_finished(db: Database) -> int:
    """Compact runs that are over, the oldest first; returns how many events are fewer now."""
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        keys = await store.to_compact(uow, now() - AFTER, AT_ONCE)
    fewer = 0
    for key in keys:
        async with db.unit_of_work(UserActor(key.mandate_id)) as uow:
            chunks = await event_store.chunks(uow, key)
            for pieces in runs_of_pieces(chunks):
                await event_store.replace(uow, key, [piece.seq for piece in pieces[:-1]], merged(pieces))
                fewer += len(pieces) - 1
            await store.set_compacted(uow, key)
    if fewer:
        log.info("events were merged", extra={"runs": len(keys), "fewer": fewer})
    return fewer


def runs_of_pieces(chunks: Iterable[StoredEvent]) -> Iterator[list[StoredEvent]]:
    """Groups of several neighbouring chunks: of the same message and attempt, without a gap in numbers or text."""
    group: list[StoredEvent] = []
    for before, chunk in itertools.pairwise(itertools.chain([None], chunks)):
        if before is not None and chunk is not None and not _follows(before, chunk):
            if len(group) > 1:
                yield group
            group = []
        if chunk is not None:
            group.append(chunk)
    if len(group) > 1:
        yield group


def merged(pieces: list[StoredEvent]) -> StoredEvent:
    first, last = pieces[0], pieces[-1]
    assert isinstance(first.event, TextPiece)
    text = "".join(piece.event.text for piece in pieces if isinstance(piece.event, TextPiece))
    event = first.event.model_copy(update={"text": text, "since": first.event.since or first.seq})
    return StoredEvent(last.run_id, last.seq, last.attempt, event.model_dump_json())


def _follows(before: StoredEvent, chunk: StoredEvent) -> bool:
    one, other = before.event, chunk.event
    if not isinstance(one, TextPiece) or not isinstance(other, TextPiece) or one.type != other.type:
        return False
    return (
        (one.message_id, one.attempt) == (other.message_id, other.attempt)
        and (other.since or chunk.seq) == before.seq + 1
        and other.offset == one.offset + len(one.text)
    )
