"""The SQL that searches what was said in conversations.

A condition on words cannot use an index under row-level security, so the newest messages are read through: some 20,000 at most.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from uuid import UUID

from workroom.conversations.store import READ
from workroom.conversations.types import MessageHit, MessageHits
from workroom.core.messages import StoredParts, TextPart
from workroom.core.sources import CITED
from workroom.db import UnitOfWork
from workroom.db.listing import containing

MOST_SCANNED = 20_000
TEXTS = """'$.parts[*] ? (@.type == "text").text'"""
# The ids are sorted before any text is read: messages are long.
SQL = f"""
with readable as materialized (
    select conversation_id, title from conversations where mandate_id = $1 and instance_id = $2 and ({READ})
        and deleted_at is null
), newest as materialized (
    select m.message_id, m.created_at from messages m where m.mandate_id = $1
    and m.conversation_id in (select conversation_id from readable) order by m.created_at desc limit $6
), matching as (
    select distinct on (m.conversation_id) m.conversation_id, m.content, m.created_at, coalesce((select r.message_id
        from runs r where r.mandate_id = $1 and r.run_id = m.run_id), m.message_id) as question_id
    from newest n join messages m on m.mandate_id = $1 and m.message_id = n.message_id
    where jsonb_path_query_array(m.content, {TEXTS})::text ilike all($7::text[])
    order by m.conversation_id, m.created_at desc
)
select scanned, matching.*, readable.title from (select count(*) as scanned from newest) as counted
left join (matching join readable using (conversation_id)) on true order by created_at desc limit $8"""


async def search(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    user_id: UUID | None,
    is_member: bool,
    words: Sequence[str],
    limit: int,
    most_scanned: int = MOST_SCANNED,
) -> MessageHits:
    """Of each conversation the newest message that has all the words, newest first."""
    patterns = [containing(json.dumps(word, ensure_ascii=False)[1:-1]) for word in words]
    rows = await uow.fetch(SQL, mandate_id, instance_id, user_id, is_member, [], most_scanned, patterns, limit)
    hits = [
        MessageHit(row["conversation_id"], row["question_id"], row["title"], _text(row["content"]), row["created_at"])
        for row in rows
        if row["question_id"] is not None
    ]
    return MessageHits(hits, is_complete=rows[0]["scanned"] < most_scanned)


def _text(content: str) -> str:
    """What was said, without the marks of its sources."""
    parts = StoredParts.model_validate(json.loads(content)).parts
    return CITED.sub("", "\n\n".join(part.text for part in parts if isinstance(part, TextPart)))
