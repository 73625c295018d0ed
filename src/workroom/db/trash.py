"""What has been in a trash for thirty days goes. Safe to run twice, by any worker."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from workroom.core.actors import SystemActor
from workroom.core.clock import now
from workroom.db.database import Database, UnitOfWork

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)


async def empty_trash(db: Database, what: str, *sweeps: Callable[[UnitOfWork, datetime], Awaitable[int]]) -> int:
    """Each of `sweeps` removes what was thrown away before a moment, in every mandate, and says how much that was."""
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        removed = sum([await sweep(uow, now() - KEPT) for sweep in sweeps])
    if removed:
        log.info("emptied the trash of %s", what, extra={what: removed})
    return removed
