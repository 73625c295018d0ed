"""Whether administrators of an organisation may connect model servers in the operator's own network.

The network belongs to the operator of the installation. While it serves one organisation, the two are the same; with several,
only the operator can allow it, by a setting. Addresses that the settings name are the operator's own and always allowed.
"""

from __future__ import annotations

from workroom.core.actors import SystemActor
from workroom.db import Database
from workroom.identity.store import mandates
from workroom.settings import Settings


class PrivateAddresses:
    def __init__(self, db: Database, settings: Settings) -> None:
        self._db = db
        self._setting = settings.private_addresses

    async def allowed(self) -> bool:
        """As of now: an organisation may have been added a moment ago, by another process."""
        if self._setting is not None:
            return self._setting
        async with self._db.unit_of_work(SystemActor.LOGIN) as uow:
            return not await mandates.several(uow)
