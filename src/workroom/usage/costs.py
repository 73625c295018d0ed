"""The ledger, as people read it: call by call, or summed up. Others' lines need a right of their own."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.pages import Page, PageRequest
from workroom.db import Database
from workroom.identity.access import scope
from workroom.identity.types import Action, Principal
from workroom.usage.store import costs as store
from workroom.usage.types import CostFilter, CostLine, CostSum, GroupBy

KEY = "data.usage"


class Costs:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(self, principal: Principal, filters: CostFilter, request: PageRequest) -> Page[CostLine]:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.listed(uow, principal.mandate_id, scope(principal, Action.READ, KEY), filters, request)

    async def summary(self, principal: Principal, filters: CostFilter, by: GroupBy) -> Sequence[CostSum]:
        """The costliest first; days in their order."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await store.summed(
                uow, principal.mandate_id, scope(principal, Action.READ, KEY), principal.user_id, filters, by
            )
