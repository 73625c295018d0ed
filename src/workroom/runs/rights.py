"""Whether the people for whom runs work may still use agents in that workspace: asked at every step of a run, and for all runs
of this process every three seconds, in two statements: may they be there, and may they write in that conversation."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable

from workroom.core.errors import DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db import Database
from workroom.identity.access import Target, decide
from workroom.identity.signin import SignIn
from workroom.identity.types import Action, Presence, Principal
from workroom.runs import store
from workroom.runs.held_runs import HeldRuns
from workroom.runs.types import Claim

log = logging.getLogger(__name__)

ASK_SECONDS = 3.0


class Rights:
    def __init__(self, db: Database, sign_in: SignIn, held_runs: HeldRuns) -> None:
        self._db = db
        self._sign_in = sign_in
        self._held_runs = held_runs
        self._stop = asyncio.Event()

    async def of(self, claim: Claim) -> Principal | None:
        """The person the run works for, with the rights they have now; None if they may not (any more)."""
        presence = _presence(claim)
        return (await self._permitted({presence})).get(presence)

    async def run(self) -> None:
        """Until `stop`: ends the runs of people whose rights are gone."""
        while not await wait_for(self._stop, ASK_SECONDS):
            try:
                await self._check()
            except DatabaseUnavailable as error:
                log.warning("rights wait for the database", extra={"reason": error.message})
            except Exception:
                log.exception("rights could not be asked")

    def stop(self) -> None:
        self._stop.set()

    async def _check(self) -> None:
        if not (held_runs := self._held_runs.held):
            return
        permitted = await self._permitted({_presence(held.claim) for held in held_runs})
        without_write_access = await store.without_write_access(self._db, [held.claim for held in held_runs])
        for held in held_runs:
            if without_write_access.get(held.claim.key.run_id):
                held.stop.set()
            elif _presence(held.claim) not in permitted or held.claim.key.run_id in without_write_access:
                held.forbidden.set()

    async def _permitted(self, presences: Iterable[Presence]) -> dict[Presence, Principal]:
        principals = await self._sign_in.in_workspaces(presences)
        return {
            presence: principal
            for presence, principal in principals.items()
            if decide(principal, Action.USE, Target("service.agent"))
        }


def _presence(claim: Claim) -> Presence:
    return Presence(claim.key.mandate_id, claim.user_id, claim.instance_id)
