"""All SQL of what people changed on the map of a conversation. There are at most `MOST` of them in one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.conversations.types import MadeEdit
from workroom.core.map_edits import MapEdit, action_of, layer_of
from workroom.db import UnitOfWork

MOST = 2_000


async def put(
    uow: UnitOfWork,
    mandate_id: UUID,
    conversation_id: UUID,
    after_message_id: UUID,
    edit: MapEdit,
    made_by: UUID | None,
    now: datetime,
) -> bool:
    """As the newest, in the place of the same thing done before; False when there is no room for another one. The caller
    holds the lock of the conversation."""
    action, layer = action_of(edit), layer_of(edit)
    stored = await uow.execute(
        "with others as ("
        " select count(*) filter (where (after_message_id, kind, layer) <> ($3, $4, $5)) as count, max(seq) as last"
        " from map_edits where mandate_id = $1 and conversation_id = $2"
        ") insert into map_edits (mandate_id, conversation_id, after_message_id, kind, layer, seq, payload, made_by, made_at)"
        " select $1, $2, $3, $4, $5, coalesce(others.last, 0) + 1, $6, $7, $8 from others where others.count < $9"
        " on conflict (mandate_id, conversation_id, after_message_id, kind, layer) do update"
        " set seq = excluded.seq, payload = excluded.payload, made_by = excluded.made_by, made_at = excluded.made_at",
        mandate_id,
        conversation_id,
        after_message_id,
        action.type,
        layer,
        json.dumps(action.payload),
        made_by,
        now,
        MOST,
    )
    return stored > 0


async def of_conversation(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> Sequence[MadeEdit]:
    """On all its branches, oldest first."""
    rows = await uow.fetch(
        "select after_message_id, kind, payload, made_by, made_at from map_edits"
        " where mandate_id = $1 and conversation_id = $2 order by seq",
        mandate_id,
        conversation_id,
    )
    return [_made(row) for row in rows]


def _made(row: Any) -> MadeEdit:
    return MadeEdit.model_validate(
        {
            "after_message_id": row["after_message_id"],
            "edit": {"type": row["kind"], "payload": json.loads(row["payload"])},
            "made_by": row["made_by"],
            "made_at": row["made_at"],
        }
    )
