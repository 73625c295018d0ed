"""Housekeeping: what has been in the trash for thirty days goes. Safe to run twice, by any worker."""

from __future__ import annotations

import logging
from datetime import timedelta

from workroom.agents import store
from workroom.core.actors import SystemActor
from workroom.core.clock import now
from workroom.db import Database

log = logging.getLogger(__name__)

TRASH_KEPT = timedelta(days=30)


async def empty_trash(db: Database) -> int:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        removed = await store.sweep(uow, now() - TRASH_KEPT)
    if removed:
        log.info("emptied the trash of agents", extra={"agents": removed})
    return removed
