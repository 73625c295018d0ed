"""Leases in tests: workers that died or were stopped, and time that has passed since."""

from __future__ import annotations

from datetime import timedelta

from tests.world import World
from workroom.core.actors import SystemActor, UserActor
from workroom.core.ids import new_id
from workroom.db import Database
from workroom.db.heartbeat import BEAT

DEAD = new_id()  # a worker that was never heard of


async def time_passes(world: World, table: str, **passed: float) -> None:
    """As if the workers that hold rows of the table had died, and so much time had passed since they were claimed or put off."""
    for mandate in (world.acme, world.zeta):
        async with world.services.db.unit_of_work(UserActor(mandate.id)) as uow:
            await uow.execute(
                f"update {table} set not_before = not_before - $2::interval,"
                " lease_holder = case when lease_holder is null then null else $3::uuid end where mandate_id = $1",
                mandate.id,
                timedelta(**passed),
                DEAD,
            )


async def stop_worker(db: Database) -> None:
    """As if the process were stopped, a minute ago. Its heartbeat is a slow one (`other_worker`)."""
    worker_id = await db.worker_id()
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        await uow.execute(
            "update workers set heartbeat_at = heartbeat_at - interval '1 minute' where worker_id = $1", worker_id
        )


async def wake_worker(db: Database) -> None:
    worker_id = await db.worker_id()
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        assert await uow.fetchval(BEAT, worker_id, writes=True), "it notices that it was not heard of for a while"
