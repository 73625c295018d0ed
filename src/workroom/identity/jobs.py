"""Housekeeping: expired sessions, used-up links and old failures go; safe to run twice, by any worker."""

from __future__ import annotations

import logging
from datetime import timedelta

from workroom.core.actors import SystemActor
from workroom.core.clock import now
from workroom.db import Database
from workroom.identity.rate_limit import WINDOW
from workroom.identity.store import sweep

log = logging.getLogger(__name__)

KEEP_ATTEMPTS = WINDOW + timedelta(minutes=5)


async def remove_expired(db: Database) -> dict[str, int]:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        removed = await sweep.expired(uow, now(), now() - KEEP_ATTEMPTS)
    if any(removed.values()):
        log.info("removed what had expired", extra=dict(removed))
    return removed
