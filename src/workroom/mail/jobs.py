"""Sending mails, as leased work (db/work_scheduler.py). At least once: a server that breaks off at the end gets a mail again."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.db import Database
from workroom.db.work_scheduler import EMPTY_LOAD, Load
from workroom.mail import store
from workroom.mail.message import mail_message
from workroom.mail.outbox import announce, bound_to
from workroom.mail.smtp_server import SmtpServer
from workroom.mail.types import MailContent, MailFailed, MailState, MailTask
from workroom.vault import Unopenable, Vault

log = logging.getLogger(__name__)

AT_ONCE = 2  # connections to the mail server


class MailWork:
    """For a `WorkScheduler`."""

    name = "send a mail"

    def __init__(self, db: Database, server: SmtpServer, vault: Vault) -> None:
        self._db, self._server, self._vault = db, server, vault

    async def take(self, load: Load) -> Sequence[MailTask]:
        if not self._server.is_set:
            return []
        task = await self.claim(load)
        return [] if task is None else [task]

    async def claim(self, load: Load = EMPTY_LOAD) -> MailTask | None:
        worker_id = await self._db.worker_id()
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return await store.claim(uow, worker_id, load)

    async def is_wanted(self, task: MailTask) -> bool:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            return await store.is_ours(uow, task)

    async def release(self, task: MailTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await store.release(uow, task)

    async def release_failed(self, task: MailTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await store.release_failed(uow, task)

    async def work(self, task: MailTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            content = await store.content(uow, task)
        try:
            if content is not None:
                await self._send(task, content)
        except MailFailed as error:
            await self._failed(task, error)
        else:
            async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
                await store.finish(uow, task)
                await announce(uow, task.mandate_id, task.owner_id)

    async def _send(self, task: MailTask, content: MailContent) -> None:
        try:
            url = self._vault.open(content.link, bound_to(task.mandate_id, task.mail_id)) if content.link else ""
        except Unopenable as error:
            raise MailFailed(error.message, code="mailUnopenable", again=False) from None
        await self._server.send(mail_message(content, url, self._server.sender), content.recipient)

    async def _failed(self, task: MailTask, error: MailFailed) -> None:
        log.warning("a mail could not be sent", extra={"code": error.code, "again": error.again, "words": error.words})
        state = MailState.QUEUED if error.again else MailState.FAILED
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await store.fail(uow, task, state, error.code, error.words or error.message)
            await announce(uow, task.mandate_id, task.owner_id)


async def remove_expired_mails(db: Database) -> None:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        await store.sweep(uow, now())
