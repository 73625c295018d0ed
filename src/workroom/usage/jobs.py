"""Housekeeping: what dead processes had reserved is settled by guess, so that it does not block a budget for ever."""

from __future__ import annotations

import logging
from datetime import timedelta

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import Conflict
from workroom.core.run_events import RunState
from workroom.db import Database
from workroom.usage.budgets import settle
from workroom.usage.store import reservations
from workroom.usage.types import Outcome

log = logging.getLogger(__name__)

# Longer than a call lasts: titles and summaries are asked for after the run, and are billed by what they used if that is known.
AFTER_RUN = timedelta(minutes=40)
WITHOUT_RUN = timedelta(hours=2)  # longer than any call may last
AT_ONCE = 500


async def settle_leftovers(db: Database) -> int:
    """Reservations of runs that are over, and old ones of no run. Each by itself: one that fails does not keep the others."""
    alive = [state for state in RunState if not state.is_over]
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        found = await reservations.left_behind(uow, alive, now() - AFTER_RUN, now() - WITHOUT_RUN, AT_ONCE)
    settled = 0
    for left in found:
        try:
            async with db.unit_of_work(UserActor(left.spender.mandate_id)) as uow:
                await settle(uow, left, left.guess(), outcome=Outcome.LOST, duration_ms=0, assumed=True)
            settled += 1
        except Conflict:
            log.info("a reservation is being settled by somebody else")
    if settled:
        log.info("settled what was left open", extra={"reservations": settled})
    return settled
