"""All SQL of conversations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.conversations.types import (
    Conversation,
    ConversationFilter,
    ConversationStatus,
    StoredMessage,
    TitleSource,
)
from workroom.core.messages import Message, Part, Role, StoredParts
from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.sharing import Visibility

SELECT = """
select conversation_id as id, instance_id, owner_id, title, leaf_id, created_at, updated_at, active_agent_id, ai_agent_id,
    (select u.display_name from users u where u.mandate_id = $1 and u.user_id = conversations.owner_id) as owner_name,
    visibility, group_writes, audience_since, archived_at, deleted_at, titled_by, array(select p.user_id from conversation_pins p
        where p.mandate_id = $1 and p.conversation_id = conversations.conversation_id) as pinned_by,
    (select coalesce(jsonb_object_agg(g.user_id, g.may_write), '{}')
        from conversation_grants g where g.mandate_id = $1 and g.conversation_id = conversations.conversation_id) as grants
from conversations where mandate_id = $1"""
MESSAGE = """
message_id, parent_id, run_id, role, content, created_at, author_id,
(select u.display_name from users u where u.mandate_id = $1 and u.user_id = author_id) as author_name"""


READ = """owner_id = $3 or $4 and (visibility = 'GROUP' or conversation_id = any(array(
    select g.conversation_id from conversation_grants g where g.mandate_id = $1 and g.user_id = $3)))
    or owner_id = any($5::uuid[])"""
STATUSES = {
    ConversationStatus.CURRENT: f"({READ}) and deleted_at is null and archived_at is null",
    ConversationStatus.ARCHIVED: f"({READ}) and deleted_at is null and archived_at is not null",
    ConversationStatus.TRASH: f"({READ}) and owner_id = $3 and deleted_at is not null",
}
FILTER = """
    and ($6::uuid is null or active_agent_id = $6 or exists (select from runs r where r.mandate_id = $1
        and r.conversation_id = conversations.conversation_id and r.agent->>'id' = $6::text))
    and ($7::timestamptz is null or updated_at >= $7) and ($8::timestamptz is null or updated_at < $8)"""


async def insert(uow: UnitOfWork, mandate_id: UUID, conversation: Conversation) -> None:
    await uow.execute(
        "insert into conversations (mandate_id, conversation_id, instance_id, owner_id, title, leaf_id, created_at, updated_at,"
        " active_agent_id, titled_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        mandate_id,
        conversation.id,
        conversation.instance_id,
        conversation.owner_id,
        conversation.title,
        conversation.leaf_id,
        conversation.created_at,
        conversation.updated_at,
        conversation.active_agent_id,
        conversation.titled_by,
    )


async def get(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, *, lock: bool = False) -> Conversation | None:
    """`lock`: first, and by itself. A statement that waits for a lock reads that row anew, and its sub-selects not."""
    if lock:
        await hold(uow, mandate_id, conversation_id)
    row = await uow.fetchrow(SELECT + " and conversation_id = $2", mandate_id, conversation_id)
    return _conversation(row) if row else None


async def hold(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> None:
    """One input at a time: what comes second sees what came first."""
    await uow.execute(
        "select from conversations where mandate_id = $1 and conversation_id = $2 for update",
        mandate_id,
        conversation_id,
    )


async def listed(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    user_id: UUID | None,
    is_member: bool,
    inspected: Sequence[UUID],
    request: PageRequest,
    wanted: ConversationFilter,
) -> Page[Conversation]:
    """One's own; those shared with a member; and those of `inspected` persons. Of the trash only one's own."""
    listing = Listing(
        f"{SELECT} and instance_id = $2 and {STATUSES[wanted.status]}{FILTER}",
        [
            mandate_id,
            instance_id,
            user_id,
            is_member,
            list(inspected),
            wanted.agent_id,
            wanted.since,
            wanted.until,
        ],
        sorts={
            "pinned": f"coalesce($3 = any(pinned_by), false)::int::text || {moment('updated_at')}",
            "updatedAt": moment("updated_at"),
            "createdAt": moment("created_at"),
            "title": "lower(title)",
        },
        default_sort="updatedAt",
        search=["title"],
    )
    return (await page(uow, listing, request)).map(_conversation)


async def audience_since(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> datetime | None:
    """When the newest reader joined."""
    since: datetime | None = await uow.fetchval(
        "select audience_since from conversations where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation_id,
    )
    return since


async def set_sharing(uow: UnitOfWork, mandate_id: UUID, conversation: Conversation) -> None:
    """The conversation is locked by the caller."""
    await uow.execute(
        "update conversations set visibility = $3, group_writes = $4, audience_since = $5"
        " where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation.id,
        conversation.visibility,
        conversation.group_writes,
        conversation.audience_since,
    )
    await uow.execute(
        "with gone as (delete from conversation_grants where mandate_id = $1 and conversation_id = $2 and user_id <> all($3))"
        " insert into conversation_grants (mandate_id, conversation_id, user_id, may_write)"
        " select $1, $2, g.user_id, g.may_write from unnest($3::uuid[], $4::boolean[]) as g(user_id, may_write)"
        " on conflict (mandate_id, conversation_id, user_id) do update set may_write = excluded.may_write",
        mandate_id,
        conversation.id,
        list(conversation.grants),
        list(conversation.grants.values()),
    )


def heard_by_all(moment: str) -> str:
    """The condition that something of conversation $2 is not older than its newest reader: what was read for one person before
    that is no part of what they all hear."""
    return (
        "not exists (select from conversations c where c.mandate_id = $1 and c.conversation_id = $2"
        f" and c.audience_since > {moment})"
    )


async def rename(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, title: str) -> None:
    await uow.execute(
        "update conversations set title = $3, titled_by = 'person' where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation_id,
        title,
    )


async def set_title_by_model(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, title: str) -> bool:
    """False when it has another title than that of the rules by now."""
    done = await uow.execute(
        "update conversations set title = $3, titled_by = 'model'"
        " where mandate_id = $1 and conversation_id = $2 and titled_by = 'rules'",
        mandate_id,
        conversation_id,
        title,
    )
    return done == 1


async def set_status(uow: UnitOfWork, mandate_id: UUID, conversation: Conversation) -> None:
    """Put it where its `archived_at` and `deleted_at` say."""
    await uow.execute(
        "update conversations set archived_at = $3, deleted_at = $4 where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation.id,
        conversation.archived_at,
        conversation.deleted_at,
    )


async def pin(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID) -> None:
    await uow.execute(
        "insert into conversation_pins (mandate_id, conversation_id, user_id) values ($1, $2, $3) on conflict do nothing",
        mandate_id,
        conversation_id,
        user_id,
    )


async def unpin(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID) -> None:
    await uow.execute(
        "delete from conversation_pins where mandate_id = $1 and conversation_id = $2 and user_id = $3",
        mandate_id,
        conversation_id,
        user_id,
    )


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from conversations where deleted_at <= $1", before)


async def purge(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> None:
    await uow.execute(
        "delete from conversations where mandate_id = $1 and conversation_id = $2", mandate_id, conversation_id
    )


async def add_message(
    uow: UnitOfWork,
    mandate_id: UUID,
    conversation_id: UUID,
    message: Message,
    *,
    parent_id: UUID | None,
    run_id: UUID | None,
    client_id: str | None,
    now: datetime,
    agent_id: UUID | None = None,
    author_id: UUID | None = None,
) -> None:
    """The new message becomes the end of the branch on the screen; an answer goes before what was said while it was made, and
    leaves the screen alone where a reader looks at another branch meanwhile. What a person says takes the conversation out of
    the archive. `agent_id`: who answers with it."""
    await hold(uow, mandate_id, conversation_id)
    await uow.execute(
        "with added as ("
        " insert into messages (mandate_id, message_id, conversation_id, parent_id, run_id, role, content, client_id, created_at,"
        " author_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11)"
        "), moved as ("
        " update messages m set parent_id = $2 from runs r where $5::uuid is not null and m.mandate_id = $1"
        " and m.conversation_id = $3 and m.parent_id is not distinct from $4 and r.mandate_id = $1"
        " and r.message_id = m.message_id and r.run_id <> $5 and r.started_at is null and m.message_id <> $2"
        " returning m.message_id"
        ") update conversations set updated_at = $9, leaf_id = case when exists (select from moved) then leaf_id"
        " when $5::uuid is null or leaf_id is not distinct from $4 then $2 else leaf_id end,"
        " ai_agent_id = coalesce($10, ai_agent_id), archived_at = case when $5::uuid is null then null else archived_at end"
        " where mandate_id = $1 and conversation_id = $3",
        mandate_id,
        message.id,
        conversation_id,
        parent_id,
        run_id,
        message.role,
        StoredParts(parts=message.parts).model_dump_json(),
        client_id,
        now,
        agent_id,
        author_id,
    )


async def add_parts(uow: UnitOfWork, mandate_id: UUID, message_id: UUID, parts: Sequence[Part]) -> None:
    """After what is said in it."""
    content = await uow.fetchval(
        "select content from messages where mandate_id = $1 and message_id = $2 for update",
        mandate_id,
        message_id,
        writes=True,
    )
    if content is None:
        return  # gone with its conversation
    stored = StoredParts.model_validate_json(content)
    await uow.execute(
        "update messages set content = $3 where mandate_id = $1 and message_id = $2",
        mandate_id,
        message_id,
        StoredParts(parts=[*stored.parts, *parts]).model_dump_json(),
    )


async def by_client_id(uow: UnitOfWork, mandate_id: UUID, client_id: str) -> UUID | None:
    value: UUID | None = await uow.fetchval(
        "select message_id from messages where mandate_id = $1 and client_id = $2", mandate_id, client_id
    )
    return value


async def get_message(
    uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, message_id: UUID
) -> StoredMessage | None:
    row = await uow.fetchrow(
        f"select {MESSAGE} from messages where mandate_id = $1 and conversation_id = $2 and message_id = $3",
        mandate_id,
        conversation_id,
        message_id,
    )
    return _message(row) if row else None


async def siblings(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> dict[UUID | None, list[UUID]]:
    """By parent: the messages that follow it, oldest first; more than one where the conversation branches."""
    rows = await uow.fetch(
        "select parent_id, array_agg(message_id order by created_at, message_id) as children from messages"
        " where mandate_id = $1 and conversation_id = $2 group by parent_id",
        mandate_id,
        conversation_id,
    )
    return {row["parent_id"]: row["children"] for row in rows}


async def newest_leaf(uow: UnitOfWork, mandate_id: UUID, message_id: UUID) -> UUID:
    """Down from a message, always to the newest: where its branch was last read or written."""
    leaf: UUID = await uow.fetchval(
        "with recursive path as ("
        " select m.message_id, 0 as depth from messages m where m.mandate_id = $1 and m.message_id = $2"
        " union all"
        " select (select c.message_id from messages c where c.mandate_id = $1 and c.parent_id = path.message_id"
        "  order by c.created_at desc, c.message_id desc limit 1), path.depth + 1 from path where path.message_id is not null"
        ") select message_id from path where message_id is not null order by depth desc limit 1",
        mandate_id,
        message_id,
    )
    return leaf


async def set_leaf(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, leaf_id: UUID) -> None:
    await uow.execute(
        "update conversations set leaf_id = $3 where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation_id,
        leaf_id,
    )


async def branch(uow: UnitOfWork, mandate_id: UUID, leaf_id: UUID) -> list[StoredMessage]:
    """From the first message to this one."""
    rows = await uow.fetch(
        "with recursive path as ("
        " select m.*, 0 as depth from messages m where m.mandate_id = $1 and m.message_id = $2"
        " union all"
        " select m.*, path.depth + 1 from messages m join path on m.mandate_id = $1 and m.message_id = path.parent_id"
        f") select {MESSAGE} from path order by depth desc",
        mandate_id,
        leaf_id,
    )
    return [_message(row) for row in rows]


def _conversation(row: Any) -> Conversation:
    columns = {name: row[name] for name in Conversation.__dataclass_fields__}
    grants = {UUID(user_id): may_write for user_id, may_write in json.loads(row["grants"]).items()}
    computed = {
        "visibility": Visibility(row["visibility"]),
        "grants": grants,
        "pinned_by": frozenset(row["pinned_by"]),
        "titled_by": TitleSource(row["titled_by"]),
    }
    return Conversation(**{**columns, **computed})


def _message(row: Any) -> StoredMessage:
    parts = StoredParts.model_validate(json.loads(row["content"])).parts
    message = Message(id=row["message_id"], role=Role(row["role"]), parts=parts)
    return StoredMessage(
        message, row["parent_id"], row["run_id"], row["created_at"], row["author_id"], row["author_name"]
    )
