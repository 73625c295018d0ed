"""Housekeeping: results are kept for minutes, not longer."""

from __future__ import annotations

from workroom.core.actors import SystemActor
from workroom.core.clock import now
from workroom.db import Database
from workroom.websearch import store
from workroom.websearch.service import KEPT


async def remove_old_results(db: Database) -> None:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        await store.sweep(uow, now() - KEPT)
