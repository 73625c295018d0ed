"""Notifications arrive, and after a lost connection everybody is told to look again."""

from __future__ import annotations

import asyncio

from workroom.core.actors import UserActor
from workroom.core.changes import Change, ChangeKind
from workroom.core.ids import new_id
from workroom.db import Database, DatabaseAddress
from workroom.db.channels import CHANGES
from workroom.db.connection import connect
from workroom.db.listener import Listener


async def test_what_is_announced_is_heard_after_the_commit_and_again_after_a_cut(
    db: Database, address: DatabaseAddress
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    connections: asyncio.Queue[None] = asyncio.Queue()
    listener = Listener(address.application)
    listener.on(CHANGES, heard.put_nowait)
    listener.on_connect(lambda: connections.put_nowait(None))
    running = asyncio.create_task(listener.run())
    await asyncio.wait_for(connections.get(), 60)

    mandate = new_id()
    change = Change(mandate_id=mandate, kind=ChangeKind.USER, id=new_id())
    async with db.unit_of_work(UserActor(mandate)) as uow:
        await uow.announce(change)
        assert heard.empty()
    assert Change.model_validate_json(await asyncio.wait_for(heard.get(), 60)) == change

    assert address.administration is not None
    administrator = await connect(address.administration)
    await administrator.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
        " and query ilike 'listen%'"
    )
    await administrator.close()
    await asyncio.wait_for(connections.get(), 60)
    async with db.unit_of_work(UserActor(mandate)) as uow:
        await uow.announce(change)
    await asyncio.wait_for(heard.get(), 60)
    listener.stop()
    await asyncio.wait_for(running, 60)
