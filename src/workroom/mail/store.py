"""The outbox: mails that were not sent yet. Claims run as the system actor `sweep`, all else inside the mandate."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork, fair_claims, leases
from workroom.db.listing import Listing, moment, page
from workroom.db.work_scheduler import Load
from workroom.mail.types import Mail, MailContent, MailKind, MailState, MailTask, NewMail
from workroom.vault import Sealed

COLUMNS = "mail_id as id, user_id, kind, recipient, created_at, expires_at, state, tries, error_code, error"
OURS = "mandate_id = $1 and mail_id = $2 and lease_epoch = $3 and lease_holder is not null"
LONGEST_WAIT = "interval '1 hour'"
WAITING = f"state = 'queued' and expires_at > clock_timestamp() and {leases.free('m', '$1')}"
CLAIM = f"""{
    fair_claims.claiming(
        "mail",
        f"select distinct mandate_id, user_id as owner_id from mails m where {WAITING}",
        f"select mandate_id, mail_id from mails m where {WAITING} and mandate_id = t.mandate_id and user_id = t.owner_id"
        " order by created_at, mail_id limit 1 for update skip locked",
    )
}
update mails m set {leases.claimed("$1", "m.tries", "m")}, tries = m.tries + 1
from chosen c where m.mandate_id = c.mandate_id and m.mail_id = c.mail_id
returning m.mandate_id, m.mail_id, m.user_id, m.lease_epoch"""


async def insert(uow: UnitOfWork, mandate_id: UUID, mail_id: UUID, mail: NewMail, link: Sealed | None) -> Mail:
    row = await uow.fetchrow(
        "insert into mails (mandate_id, mail_id, user_id, kind, recipient, language, key_id, sealed, sender_name, created_at,"
        f" expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning {COLUMNS}",
        mandate_id,
        mail_id,
        mail.user_id,
        mail.kind,
        mail.recipient,
        mail.language,
        link.key_id if link else None,
        link.data if link else None,
        mail.sender_name,
        mail.created_at,
        mail.expires_at,
        writes=True,
    )
    assert row is not None
    return _mail(row)


async def listed(uow: UnitOfWork, mandate_id: UUID, user_id: UUID | None, request: PageRequest) -> Page[Mail]:
    listing = Listing(
        f"select {COLUMNS} from mails where mandate_id = $1 and ($2::uuid is null or user_id = $2)",
        [mandate_id, user_id],
        sorts={"createdAt": moment("created_at")},
        default_sort="createdAt",
        search=["recipient"],
    )
    return (await page(uow, listing, request)).map(_mail)


async def queue_again(uow: UnitOfWork, mandate_id: UUID, mail_id: UUID) -> Mail | None:
    """At once, unless it is being sent. None: there is none (any more)."""
    row = await uow.fetchrow(
        "update mails set state = 'queued', tries = 0, not_before = null where mandate_id = $1 and mail_id = $2"
        f" returning {COLUMNS}",
        mandate_id,
        mail_id,
        writes=True,
    )
    return _mail(row) if row else None


async def delete(uow: UnitOfWork, mandate_id: UUID, mail_id: UUID) -> Mail | None:
    row = await uow.fetchrow(
        f"delete from mails where mandate_id = $1 and mail_id = $2 returning {COLUMNS}",
        mandate_id,
        mail_id,
        writes=True,
    )
    return _mail(row) if row else None


async def delete_links(uow: UnitOfWork, mandate_id: UUID, user_id: UUID, *kinds: MailKind) -> None:
    """Mails whose links are void. Without `kinds` all that have one."""
    await uow.execute(
        "delete from mails where mandate_id = $1 and user_id = $2 and sealed is not null and kind = any($3)",
        mandate_id,
        user_id,
        list(kinds or MailKind),
    )


async def sweep(uow: UnitOfWork, now: datetime) -> int:
    """What has expired, across mandates."""
    return await uow.execute("delete from mails where expires_at <= $1", now)


async def claim(uow: UnitOfWork, worker_id: UUID, load: Load) -> MailTask | None:
    row = await uow.fetchrow(CLAIM, worker_id, *fair_claims.load(load), writes=True)
    return MailTask(row["mandate_id"], row["mail_id"], row["user_id"], row["lease_epoch"]) if row else None


async def is_ours(uow: UnitOfWork, task: MailTask) -> bool:
    sql = f"select exists (select from mails where {OURS})"
    return bool(await uow.fetchval(sql, task.mandate_id, task.mail_id, task.epoch))


async def content(uow: UnitOfWork, task: MailTask) -> MailContent | None:
    """None when it is not ours any more, or the person may not be here any more."""
    row = await uow.fetchrow(
        "select m.mail_id, m.kind, m.recipient, m.language, u.display_name, u.login, a.name as organisation, a.contact,"
        " m.sender_name, m.created_at, m.expires_at, m.key_id, m.sealed"
        " from mails m join users u using (mandate_id, user_id) join mandates a using (mandate_id)"
        f" where u.status = 'active' and {OURS}",
        task.mandate_id,
        task.mail_id,
        task.epoch,
    )
    if row is None:
        return None
    return MailContent(
        id=row["mail_id"],
        kind=MailKind(row["kind"]),
        recipient=row["recipient"],
        language=row["language"],
        name=row["display_name"],
        login=row["login"],
        organisation=row["organisation"],
        contact=row["contact"],
        sender_name=row["sender_name"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        link=Sealed(row["key_id"], row["sealed"]) if row["sealed"] is not None else None,
    )


async def finish(uow: UnitOfWork, task: MailTask) -> None:
    """Sent, or of no use any more."""
    await uow.execute(f"delete from mails where {OURS}", task.mandate_id, task.mail_id, task.epoch)


async def release(uow: UnitOfWork, task: MailTask) -> bool:
    return await _changed(uow, task, f"{leases.GIVEN_BACK}, tries = greatest(0, tries - 1)")


async def release_failed(uow: UnitOfWork, task: MailTask) -> bool:
    return await _changed(uow, task, leases.FAILED)


async def fail(uow: UnitOfWork, task: MailTask, state: MailState, code: str, words: str) -> bool:
    """The next try is later each time, an hour at most."""
    wait = f"least(interval '15 seconds' * power(2, least(tries, 10)), {LONGEST_WAIT})"
    changes = f"lease_holder = null, not_before = clock_timestamp() + {wait}, state = $4, error_code = $5, error = $6"
    return await _changed(uow, task, changes, state, code, words)


async def _changed(uow: UnitOfWork, task: MailTask, changes: str, *args: Any) -> bool:
    sql = f"update mails set {changes} where {OURS}"
    return bool(await uow.execute(sql, task.mandate_id, task.mail_id, task.epoch, *args))


def _mail(row: Any) -> Mail:
    return Mail(
        row["id"],
        row["user_id"],
        MailKind(row["kind"]),
        row["recipient"],
        row["created_at"],
        row["expires_at"],
        MailState(row["state"]),
        row["tries"],
        row["error_code"],
        row["error"],
    )
