"""All leases of a process are renewed together, in one statement every three seconds: however many runs it works on, none
waits for a connection to keep what is its own. Beside that it is asked again whether each person may still do this."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from workroom.core.errors import DatabaseUnavailable, Forbidden, NotFound
from workroom.core.waiting import wait_for
from workroom.db import Database
from workroom.identity.access import Target, decide
from workroom.identity.instances import require_instance
from workroom.identity.signin import SignIn
from workroom.identity.types import Action, Principal
from workroom.runs import store
from workroom.runs.types import Claim
from workroom.runs.voice import Voice

log = logging.getLogger(__name__)

RENEW_SECONDS = 3.0


@dataclass
class Held:
    """A run this process works on, and what may end its work."""

    claim: Claim
    voice: Voice
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    forbidden: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def lost(self) -> asyncio.Event:
        return self.voice.lost


class Leases:
    def __init__(self, db: Database, sign_in: SignIn) -> None:
        self._db = db
        self._sign_in = sign_in
        self._held: dict[UUID, Held] = {}
        self._stop = asyncio.Event()

    @contextmanager
    def hold(self, claim: Claim, voice: Voice) -> Iterator[Held]:
        held = self._held[claim.key.run_id] = Held(claim, voice)
        if claim.stop_requested:  # somebody asked while nobody had it
            held.stop.set()
        try:
            yield held
        finally:
            del self._held[claim.key.run_id]

    def stop_heard(self, run_id: str) -> None:
        """A notification; the next renewal would notice as well, only later."""
        if (held := self._held.get(UUID(run_id))) is not None:
            held.stop.set()

    async def run(self) -> None:
        while not await wait_for(self._stop, RENEW_SECONDS):
            try:
                await self.renew()
            except DatabaseUnavailable as error:  # leases may lapse meanwhile; the next write will tell
                log.warning("leases wait for the database", extra={"reason": error.message})
            except Exception:  # whatever it was, the next renewal comes before they lapse
                log.exception("leases could not be renewed")

    def stop(self) -> None:
        self._stop.set()

    async def renew(self) -> None:
        mine = list(self._held.values())
        if not mine:
            return
        kept = await store.renew_many(self._db, [(held.claim.key, held.claim.epoch) for held in mine])
        for held in mine:
            if (asked_to_stop := kept.get(held.claim.key.run_id)) is None:
                held.lost.set()
            elif asked_to_stop:
                held.stop.set()
        await self._ask_rights(mine)

    async def permitted(self, claim: Claim) -> Principal | None:
        """Who the run acts for, with the rights they have now; if they may (still) use agents, and be in the workspace."""
        who = await self._sign_in.as_user(claim.key.mandate_id, claim.user_id)
        if who is None or not decide(who, Action.USE, Target("service.agent")):
            return None
        try:
            async with self._db.unit_of_work(who.actor) as uow:
                await require_instance(uow, who, claim.instance_id)
        except (NotFound, Forbidden):
            return None
        return who

    async def _ask_rights(self, mine: list[Held]) -> None:
        """Once per person, whatever they have running."""

        def person(held: Held) -> tuple[UUID, UUID]:
            return held.claim.key.mandate_id, held.claim.user_id

        for _, theirs in itertools.groupby(sorted(mine, key=person), key=person):
            runs = list(theirs)
            if await self.permitted(runs[0].claim) is None:
                for held in runs:
                    held.forbidden.set()
