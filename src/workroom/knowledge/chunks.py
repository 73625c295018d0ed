"""The passages of one file as the index has them, for users who want to see why something is found or not."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from workroom.contents import compressed
from workroom.db import Database
from workroom.documents.types import ContentType, ContextRef
from workroom.files import edits
from workroom.files.types import File
from workroom.identity.types import Action, Principal
from workroom.knowledge.store import chunks as store
from workroom.knowledge.types import ContentChunk, Embedding

SUMMARY_LENGTH = 120


async def of_file(
    db: Database, principal: Principal, file_id: UUID, start: int, most: int
) -> tuple[list[ContentChunk], int | None]:
    """From number `start` on, and where to go on. None of a file that is not indexed, or was taken back meanwhile."""
    async with db.unit_of_work(principal.actor) as uow:
        file = await edits.get_file(uow, principal, Action.READ, file_id)
        rows = await store.listed(uow, principal.mandate_id, file, start, most + 1)
        found, more = rows[:most], rows[most]["chunk"] if len(rows) > most else None
        embedded = set[int]()
        if found and found[0]["embedder"] and found[0]["dimensions"]:
            model = (found[0]["embedder"], found[0]["dimensions"])
            embedded = await store.embedded(uow, principal.mandate_id, file_id, *model, [row["chunk"] for row in found])
    return [_chunk(file, row, row["chunk"] in embedded) for row in found], more


def inside_of(row: Any) -> str:
    """What a compressed file is called inside follows the name the file has now."""
    inside: str = row["inside"]
    first, slash, rest = inside.partition("/")
    return compressed.shown(row["name"], row["media_type"], first) + slash + rest


def _chunk(file: File, row: Any, embedded: bool) -> ContentChunk:
    inside = inside_of(row)
    path = f"{row['name']}/{inside}" if inside else row["name"]
    ref = ContextRef.model_validate(json.loads(row["ref"]) | {"container_path": path})
    return ContentChunk(
        id=f"{file.id}:{row['version']}:{row['chunk']}",
        content_object_id=ref.location,
        file_id=file.id,
        user_id=file.owner_id,
        feature_instance_id=file.instance_id,
        content_type=ContentType.TEXT,
        data=row["text"],
        context_ref=ref,
        summary=_summary(row["text"]),
        metadata={
            "version": row["version"],
            "number": row["chunk"],
            "inside": inside,
            "tokens": row["tokens"],
            "language": row["language"],
        },
        embedding=Embedding(model=row["embedder"], dimensions=row["dimensions"]) if embedded else None,
    )


def _summary(text: str) -> str:
    """How it begins: made without AI, like everything in the index."""
    line = " ".join(text[: 4 * SUMMARY_LENGTH].split())
    return line if len(line) <= SUMMARY_LENGTH else line[: SUMMARY_LENGTH - 1] + "…"
