"""A world whose mails go to a server on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from tests.mail.mail_server import MailServer, serving
from tests.world import World
from workroom.mail.jobs import MailWork
from workroom.settings import Settings
from workroom.vault import Vault

Deliver = Callable[[], Awaitable[None]]


@pytest.fixture
async def smtp() -> AsyncIterator[MailServer]:
    async with serving() as server:
        yield server


@pytest.fixture
def settings(tmp_path: Path, smtp: MailServer) -> Settings:
    return Settings(
        data=tmp_path / "data",
        login="password",
        private_addresses=True,
        smtp_host="127.0.0.1",
        smtp_port=smtp.port,
        smtp_tls="none",
        smtp_from="Workroom <workroom@example.org>",
    )


@pytest.fixture
def deliver(world: World) -> Deliver:
    """Does what a worker would: every mail that is due, once."""

    async def work() -> None:
        await world.services.resets.settle()
        mails = MailWork(world.services.db, world.services.outbox.server, Vault(world.services.settings))
        while (task := await mails.claim()) is not None:
            await mails.work(task)

    return work
