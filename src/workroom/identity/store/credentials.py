"""From a credential to the person behind it. Runs as the system actor `login`, across mandates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from workroom.core.actors import SystemActor
from workroom.core.ids import new_id
from workroom.db import Database, UnitOfWork
from workroom.identity.access import Target, decide
from workroom.identity.objects import PRIVATE
from workroom.identity.store.inspections import INSPECTED
from workroom.identity.store.roles import rules_from_json
from workroom.identity.types import Action, Client, LinkPurpose, Presence, Principal

PERSON = """
u.mandate_id, u.user_id, u.display_name, u.rights_version, r.rules,
coalesce((select jsonb_object_agg(m.instance_id, coalesce(mr.rules, '[]'::jsonb))
    from memberships m left join roles mr on mr.mandate_id = m.mandate_id and mr.role_id = m.role_id
    where m.mandate_id = u.mandate_id and m.user_id = u.user_id), '{}'::jsonb) as memberships"""
FROM_USER = "join users u using (mandate_id, user_id) join roles r using (mandate_id, role_id)"
TOUCH_AFTER = timedelta(minutes=1)  # how exact "last used" is; not every request writes


@dataclass(frozen=True)
class Candidate:
    """A user who may be the one signing in; the password decides."""

    mandate_id: UUID
    mandate_name: str
    user_id: UUID
    display_name: str
    password_hash: str | None
    active: bool


async def by_session(
    uow: UnitOfWork, token_hash: bytes, now: datetime, lifetime: timedelta, client: Client
) -> Principal | None:
    row = await uow.fetchrow(
        f"select s.session_id, s.last_used_at, {PERSON}, {INSPECTED} from sessions s {FROM_USER}"
        " where s.token_hash = $1 and s.expires_at > $2 and u.status = 'active'",
        token_hash,
        now,
    )
    if row is None:
        return None
    if now - row["last_used_at"] > TOUCH_AFTER:
        await uow.execute(
            "update sessions set last_used_at = $3, expires_at = $4"
            " where mandate_id = $1 and session_id = $2 and last_used_at < $3",
            row["mandate_id"],
            row["session_id"],
            now,
            now + lifetime,
        )
        await touch_user(uow, row["mandate_id"], row["user_id"], now)
    found = _principal(row, client, session_id=row["session_id"], rights_version=row["rights_version"])
    may_inspect = row["inspects"] and decide(found, Action.READ, Target(PRIVATE))
    return replace(found, inspects=frozenset(row["inspects"])) if may_inspect else found


async def by_token(uow: UnitOfWork, token_hash: bytes, now: datetime, client: Client) -> Principal | None:
    row = await uow.fetchrow(
        f"select t.token_id, t.instance_id, t.last_used_at, {PERSON} from api_tokens t {FROM_USER}"
        " where t.token_hash = $1 and (t.expires_at is null or t.expires_at > $2) and u.status = 'active'",
        token_hash,
        now,
    )
    if row is None:
        return None
    if row["last_used_at"] is None or now - row["last_used_at"] > TOUCH_AFTER:
        await uow.execute(
            "update api_tokens set last_used_at = $3"
            " where mandate_id = $1 and token_id = $2 and (last_used_at is null or last_used_at < $3)",
            row["mandate_id"],
            row["token_id"],
            now,
        )
        await touch_user(uow, row["mandate_id"], row["user_id"], now)
    return _principal(
        row,
        client,
        token_id=row["token_id"],
        token_instance_id=row["instance_id"],
        rights_version=row["rights_version"],
    )


async def consume_link(
    uow: UnitOfWork, token_hash: bytes, now: datetime, client: Client
) -> tuple[Principal, LinkPurpose] | None:
    """A link works once: it is deleted by being found."""
    found = await uow.fetchrow(
        "delete from login_links where token_hash = $1 returning mandate_id, user_id, expires_at, purpose",
        token_hash,
        writes=True,
    )
    if found is None or found["expires_at"] <= now:
        return None
    principal = await by_user(uow, found["mandate_id"], found["user_id"], client)
    return (principal, LinkPurpose(found["purpose"])) if principal else None


async def by_user(uow: UnitOfWork, mandate_id: UUID, user_id: UUID, client: Client) -> Principal | None:
    """Without a version of their rights: a run asks for them at every step, and stores its end without them."""
    row = await uow.fetchrow(
        f"select {PERSON} from users u join roles r using (mandate_id, role_id)"
        " where u.mandate_id = $1 and u.user_id = $2 and u.status = 'active'",
        mandate_id,
        user_id,
    )
    return _principal(row, client) if row else None


async def by_presence(db: Database, presences: Sequence[Presence]) -> list[tuple[Presence, UUID | None, Principal]]:
    """Those who are active and whose workspace is there, with who made it."""
    rows = await db.at_once(
        SystemActor.LOGIN,
        f"select w.instance_id, i.created_by, {PERSON}"
        " from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as w (mandate_id, user_id, instance_id)"
        " join instances i using (mandate_id, instance_id) join users u using (mandate_id, user_id)"
        " join roles r using (mandate_id, role_id) where u.status = 'active'",
        [one.mandate_id for one in presences],
        [one.user_id for one in presences],
        [one.instance_id for one in presences],
    )
    return [
        (Presence(row["mandate_id"], row["user_id"], row["instance_id"]), row["created_by"], _principal(row, Client()))
        for row in rows
    ]


async def candidates(uow: UnitOfWork, login: str) -> list[Candidate]:
    """The same login may exist in several mandates; they know nothing of each other."""
    rows = await uow.fetch(
        "select u.mandate_id, m.name as mandate_name, u.user_id, u.display_name, u.password_hash, u.status = 'active' as active"
        " from users u join mandates m using (mandate_id) where u.login = $1 order by m.created_at",
        login,
    )
    return [Candidate(**row) for row in rows]


async def insert_link(
    uow: UnitOfWork,
    mandate_id: UUID,
    user_id: UUID,
    token_hash: bytes,
    now: datetime,
    expires: datetime,
    purpose: LinkPurpose,
) -> None:
    """As the mandate's own actor, not as `login`."""
    await uow.execute(
        "insert into login_links (mandate_id, link_id, user_id, token_hash, created_at, expires_at, purpose)"
        " values ($1, $2, $3, $4, $5, $6, $7)",
        mandate_id,
        new_id(),
        user_id,
        token_hash,
        now,
        expires,
        purpose,
    )


async def delete_links(uow: UnitOfWork, mandate_id: UUID, user_id: UUID, *purposes: LinkPurpose) -> None:
    """As the mandate's own actor. Without `purposes` all of them."""
    await uow.execute(
        "delete from login_links where mandate_id = $1 and user_id = $2 and purpose = any($3)",
        mandate_id,
        user_id,
        list(purposes or LinkPurpose),
    )


async def still_has(uow: UnitOfWork, candidate: Candidate) -> bool:
    """Whether the password that was checked is still the one; keeps it so until the transaction ends."""
    row = await uow.fetchrow(
        "select from users where mandate_id = $1 and user_id = $2 and password_hash = $3 for share",
        candidate.mandate_id,
        candidate.user_id,
        candidate.password_hash,
        writes=True,
    )
    return row is not None


async def is_known_address(uow: UnitOfWork, login: str, address: str) -> bool:
    """Whether a person with this login is signed in from there: others' guesses must not lock them out."""
    found: bool = await uow.fetchval(
        "select exists (select from sessions s join users u using (mandate_id, user_id)"
        " where u.login = $1 and s.address = $2 and s.expires_at > now())",
        login,
        address,
    )
    return found


async def touch_user(uow: UnitOfWork, mandate_id: UUID, user_id: UUID, now: datetime) -> bool:
    """False when they were suspended since we looked; otherwise they are not before the transaction ends."""
    sql = "update users set last_seen_at = $3 where mandate_id = $1 and user_id = $2 and status = 'active'"
    return await uow.execute(sql, mandate_id, user_id, now) == 1


def _principal(row: Any, client: Client, **how: Any) -> Principal:
    return Principal(
        mandate_id=row["mandate_id"],
        user_id=row["user_id"],
        name=row["display_name"],
        rules=rules_from_json(json.loads(row["rules"])),
        memberships={UUID(key): rules_from_json(rules) for key, rules in json.loads(row["memberships"]).items()},
        client=client,
        **how,
    )
