"""The gateway: which models this person may ask for this work, ready to be asked, best first.

What the mandate has set up is remembered per process and compared with the database's version at every call: a change
takes effect with the next call, in every process, without a restart. Trying again and going on to the next model of the
chain is for the caller.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import Forbidden, NotFound
from workroom.db import Database
from workroom.identity.access import Target, decide
from workroom.identity.types import Action, Principal
from workroom.models import chains, model_factory, store
from workroom.models.configuration import Configuration, Configurations
from workroom.models.connection import Connection
from workroom.models.environment import require_usable
from workroom.models.offers import Offer, Offered, offers
from workroom.models.ports import Model
from workroom.models.private_addresses import PrivateAddresses
from workroom.models.provider_client import ProviderClient
from workroom.models.types import Operation
from workroom.settings import Settings
from workroom.vault import Vault

MANDATES_REMEMBERED = 256


@dataclass
class Snapshot:
    """What a mandate had set up at a version, with the models made of it so far."""

    configuration: Configuration
    day: date  # prices change at midnight
    offers: Mapping[str, Offer]
    clients: dict[str, ProviderClient] = field(default_factory=dict)
    models: dict[str, Model] = field(default_factory=dict)

    def is_current(self, day: date, version: int, *, private_allowed: bool) -> bool:
        read = self.configuration
        return self.day == day and read.choices.version >= version and read.private_allowed == private_allowed

    def model(self, offer: Offer) -> Model:
        if offer.ref not in self.models:
            self.models[offer.ref] = model_factory.model_of(offer, self.client(offer.connection))
        return self.models[offer.ref]

    def client(self, connection: Connection) -> ProviderClient:
        name = connection.provider.name
        if name not in self.clients:
            self.clients[name] = model_factory.client_for(connection)
        return self.clients[name]

    async def retire(self) -> None:
        for client in self.clients.values():
            await client.retire()


class Gateway:
    def __init__(self, db: Database, settings: Settings, vault: Vault) -> None:
        require_usable(settings)
        self._db = db
        self._configurations = Configurations(settings, vault)
        self._private_addresses = PrivateAddresses(db, settings)
        self._snapshots: OrderedDict[UUID, Snapshot] = OrderedDict()
        self._reading = asyncio.Lock()
        self.embedded = model_factory.embedded()

    async def chain(
        self,
        principal: Principal,
        operation: Operation,
        reference: str | None = None,
        *,
        instance_id: UUID | None = None,
    ) -> Sequence[Model]:
        """Models to try, in this order; never none. `reference` (`provider/model`) comes first, or is refused.

        A role held in the workspace `instance_id` counts there.
        """
        snapshot = await self.snapshot(principal)
        if reference == ref_of(self.embedded):
            return [self.embedded]
        chosen = [] if reference is None else [_offer_named(snapshot, principal, reference, instance_id)]
        for offer in chains.chain(snapshot.configuration.choices, snapshot.offers, operation):
            if offer not in chosen and may_use(principal, offer, instance_id):
                chosen.append(offer)
        return [snapshot.model(offer) for offer in chosen] or [self.embedded]

    async def snapshot(self, principal: Principal) -> Snapshot:
        """What is true now."""
        today = now().date()
        async with self._db.unit_of_work(principal.actor) as uow:
            version = await store.version(uow, principal.mandate_id)
        private_allowed = await self._private_addresses.allowed()
        async with self._reading:
            known = self._snapshots.get(principal.mandate_id)
            if known is not None and known.is_current(today, version, private_allowed=private_allowed):
                self._snapshots.move_to_end(principal.mandate_id)
                return known
            async with self._db.unit_of_work(principal.actor) as uow:
                configuration = await self._configurations.read(
                    uow, principal.mandate_id, private_allowed=private_allowed
                )
            fresh = Snapshot(configuration, today, offers(configuration, today))
            self._snapshots[principal.mandate_id] = fresh
            self._snapshots.move_to_end(principal.mandate_id)
            if known is not None:
                await known.retire()
            if len(self._snapshots) > MANDATES_REMEMBERED:
                await self._snapshots.popitem(last=False)[1].retire()
            return fresh

    async def aclose(self) -> None:
        while self._snapshots:
            await self._snapshots.popitem()[1].retire()


def ref_of(model: Model) -> str:
    return f"{model.info.provider}/{model.info.id}"


def may_use(principal: Principal, offer: Offered, instance_id: UUID | None = None) -> bool:
    """Both the provider and the model must be allowed."""
    inside = frozenset({instance_id} if instance_id else ())
    keys = (f"provider.{offer.connection.provider.name}", f"model.{offer.ref}")
    return all(decide(principal, Action.USE, Target(key, instance_ids=inside)) for key in keys)


def _offer_named(snapshot: Snapshot, principal: Principal, ref: str, instance_id: UUID | None) -> Offer:
    offer = snapshot.offers.get(ref)
    if offer is None:
        raise NotFound(
            f"There is no model {ref!r} here. Choose one of those in the list of models.",
            code="modelUnknown",
            model=ref,
        )
    if not may_use(principal, offer, instance_id):
        raise Forbidden(
            f"Your role does not allow the model {ref}. Choose another one, or ask an administrator.",
            code="modelForbidden",
            model=ref,
        )
    return offer
