"""Providers of a mandate: adding, changing, removing and testing them. Keys go in and never come out again.

Readers of models see which providers there are; addresses and the ends of keys are for those who may change them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, NotFound
from workroom.core.ids import new_id
from workroom.core.memory_pages import paged
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, decide, require
from workroom.identity.names import clean_name
from workroom.identity.types import Action, Principal
from workroom.models import model_factory, store
from workroom.models.configuration import Configurations
from workroom.models.connection import LABELS, Connection, bound_to, hint
from workroom.models.detection import USUAL, DetectedServer, ServerPort, detect
from workroom.models.gateway import Gateway
from workroom.models.model_names import chat_models_first
from workroom.models.ports import PrivateForbidden
from workroom.models.private_addresses import PrivateAddresses
from workroom.models.provider_input import MOST_MODELS, checked_key, checked_models, checked_name, checked_url
from workroom.models.remote_models import ProviderTestFailed, listed_models, require_named_models
from workroom.models.server_facts import server_facts
from workroom.models.store import Stored
from workroom.models.types import ModelFacts, OwnModel, Provider, ProviderFailure, ProviderKind
from workroom.settings import Settings
from workroom.vault import Sealed, Vault

TARGET = Target("data.model")
NO_FACTS: Mapping[str, ModelFacts] = {}
NO_SUCH = "There is no such provider here, or it is not yours to see."


@dataclass(frozen=True)
class ProviderInput:
    """What a person enters. None leaves a thing as it is; an empty key takes the key away."""

    label: str | None = None
    base_url: str | None = None
    allow_private: bool | None = None
    models: Sequence[OwnModel] | None = None
    enabled: bool | None = None
    key: str | None = None
    test: bool = False  # ask the provider before it is used: one that does not stand the test waits

    def __repr__(self) -> str:
        return f"ProviderInput(label={self.label!r})"  # a key must not get into a log by way of a traceback


@dataclass(frozen=True)
class ProviderAnswer:
    """What a provider said when it was tested: its models, and what it knows of those that are used."""

    names: Sequence[str]
    facts: Mapping[str, ModelFacts]


class ModelProviders:
    def __init__(
        self, db: Database, settings: Settings, vault: Vault, gateway: Gateway, places: Sequence[ServerPort] = USUAL
    ) -> None:
        self._db = db
        self._vault = vault
        self._configurations = Configurations(settings, vault)
        self._private_addresses = PrivateAddresses(db, settings)
        self._gateway = gateway
        self._places = places

    async def list(self, principal: Principal, request: PageRequest) -> Page[Provider]:
        require(principal, Action.READ, TARGET)
        snapshot = await self._gateway.snapshot(principal)
        return paged(
            [_shown(principal, connection.provider) for connection in snapshot.configuration.connections],
            request,
            key=lambda provider: f"{provider.name} {provider.id or ''}",
            sorts={"label": lambda provider: provider.label.casefold(), "name": lambda provider: provider.name},
            default_sort="label",
            search=lambda provider: f"{provider.name} {provider.label}",
        )

    async def get(self, principal: Principal, provider_id: UUID) -> Provider:
        require(principal, Action.READ, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            stored = await _found(uow, principal, provider_id)
        allowed = await self._private_addresses.allowed()
        return _shown(
            principal, self._configurations.connect(principal.mandate_id, stored, private_allowed=allowed).provider
        )

    async def add(self, principal: Principal, kind: ProviderKind, name: str, entered: ProviderInput) -> Provider:
        """Stored in any case; when it is tested and fails, it waits with the reason."""
        require(principal, Action.UPDATE, TARGET)
        blank = Provider(checked_name(kind, name), kind, LABELS.get(kind, name), id=new_id())
        allowed = await self._private_addresses.allowed()
        stored = self._changed(principal, (blank, None), entered, private_allowed=allowed)
        if entered.test:
            stored = await self._tested(principal, stored, private_allowed=allowed)
        made, key = stored
        async with self._db.unit_of_work(principal.actor) as uow:
            if not await store.insert_provider(uow, principal.mandate_id, made, key, now()):
                raise Conflict("There is a provider with this name already.", code="nameTaken", field="name")
            assert made.id is not None
            await audit.record(uow, principal, "providerAdded", ChangeKind.MODEL, made.id, name=made.name)
        return made

    async def change(self, principal: Principal, provider_id: UUID, entered: ProviderInput) -> Provider:
        """A change that is tested and fails is refused when the provider works as it is: what worked goes on working. One that
        waits or is off takes the change, and waits with the new reason."""
        require(principal, Action.UPDATE, TARGET)
        allowed = await self._private_addresses.allowed()
        async with self._db.unit_of_work(principal.actor) as uow:
            before = await _found(uow, principal, provider_id)
        wanted = self._changed(principal, before, entered, private_allowed=allowed)
        outcome: Provider | None = None
        if entered.test:  # outside of the transaction: it may take its time
            outcome, _ = await self._tested(principal, wanted, private_allowed=allowed, works=before[0].usable)
        async with self._db.unit_of_work(principal.actor) as uow:
            before = await _found(uow, principal, provider_id)
            changed, key = self._changed(principal, before, entered, private_allowed=allowed)
            if outcome is not None:
                asked = self._configurations.connect(principal.mandate_id, wanted, private_allowed=allowed)
                connection = self._configurations.connect(principal.mandate_id, (changed, key), private_allowed=allowed)
                if not _is_same(asked, connection) or (outcome.failure is not None and before[0].usable):
                    raise Conflict("Somebody else has changed this provider meanwhile. Look at it again, then save.")
                facts = {model.name: model.facts for model in outcome.models if model.facts is not None}
                models = _with_facts(changed.models, facts) or outcome.models
                changed = replace(changed, failure=outcome.failure, models=models)
            await store.update_provider(uow, principal.mandate_id, changed, key)
            await audit.record(uow, principal, "providerUpdated", ChangeKind.MODEL, provider_id, name=changed.name)
        return changed

    async def remove(self, principal: Principal, provider_id: UUID) -> None:
        require(principal, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            provider, _ = await _found(uow, principal, provider_id)
            await store.delete_provider(uow, principal.mandate_id, provider_id)
            await audit.record(uow, principal, "providerRemoved", ChangeKind.MODEL, provider_id, name=provider.name)

    async def test(self, principal: Principal, name: str, provider_id: UUID | None = None) -> Sequence[str]:
        """The models the provider says it has: if that works, the address and the key are good, and it waits no longer.

        A failure puts a stored provider on hold, unless it may have passed in a moment and the provider worked before."""
        require(principal, Action.UPDATE, TARGET)
        snapshot = await self._gateway.snapshot(principal)
        found = [one for one in snapshot.configuration.connections if one.provider.name == name]
        connection = next((one for one in found if provider_id in (None, one.provider.id)), None)
        if connection is None:
            raise NotFound(NO_SUCH)
        try:
            answer = await _asked(connection)
        except ProviderTestFailed as failed:
            if not (failed.again and connection.provider.failure is None):
                await self._keep(principal, connection, _failure(failed))
            raise
        await self._keep(principal, connection, None, answer.facts)
        return answer.names

    async def _keep(
        self,
        principal: Principal,
        asked: Connection,
        failure: ProviderFailure | None,
        facts: Mapping[str, ModelFacts] = NO_FACTS,
    ) -> None:
        """Keep the outcome of a test with a stored provider, if it is another than before, and the provider still the one that
        was asked: it may have been given another key meanwhile."""
        provider = asked.provider
        is_same = (
            failure is None and provider.failure is None and _with_facts(provider.models, facts) == provider.models
        )
        if provider.id is None or is_same:
            return
        allowed = await self._private_addresses.allowed()
        async with self._db.unit_of_work(principal.actor) as uow:
            stored, key = await _found(uow, principal, provider.id)
            connection = self._configurations.connect(principal.mandate_id, (stored, key), private_allowed=allowed)
            if not _is_same(asked, connection):
                return
            tested = replace(stored, failure=failure, models=_with_facts(stored.models, facts))
            await store.update_provider(uow, principal.mandate_id, tested, key)
            await audit.record(uow, principal, "providerTested", ChangeKind.MODEL, provider.id, name=provider.name)

    async def _tested(
        self, principal: Principal, entered: Stored, *, private_allowed: bool, works: bool = False
    ) -> Stored:
        """With what the test found out: the reason it failed, or no reason, the models of a server that named none, and what
        the server says of them."""
        provider, key = entered
        connection = self._configurations.connect(principal.mandate_id, entered, private_allowed=private_allowed)
        try:
            answer = await _asked(connection)
        except ProviderTestFailed as failed:
            if works:
                raise
            return replace(provider, failure=_failure(failed)), key
        models = provider.models
        if provider.kind is ProviderKind.ENDPOINT and not models:
            models = tuple(OwnModel(name) for name in chat_models_first(answer.names)[:MOST_MODELS])
        return replace(provider, failure=None, models=_with_facts(models, answer.facts)), key

    async def may_detect(self, principal: Principal) -> bool:
        return decide(principal, Action.UPDATE, TARGET) and await self._private_addresses.allowed()

    async def detect(self, principal: Principal) -> Sequence[DetectedServer]:
        require(principal, Action.UPDATE, TARGET)
        if not await self._private_addresses.allowed():
            raise PrivateForbidden
        return await detect(self._places)

    def _changed(
        self, principal: Principal, before: Stored, entered: ProviderInput, *, private_allowed: bool
    ) -> Stored:
        provider, key = before
        private = provider.private if entered.allow_private is None else entered.allow_private
        # What is stored already stays as it is, and can be renamed or switched off; it is refused when it is used.
        permitted = private_allowed or not (entered.allow_private or entered.base_url)
        url = entered.base_url or provider.base_url
        changed = replace(
            provider,
            label=provider.label if entered.label is None else clean_name(entered.label, "label"),
            base_url=checked_url(provider.kind, url, private=private, private_allowed=permitted),
            private=private and provider.kind is ProviderKind.ENDPOINT,
            models=provider.models if entered.models is None else _with_known_models(entered.models, provider),
            enabled=provider.enabled if entered.enabled is None else entered.enabled,
        )
        if entered.key is not None:
            return self._sealed(principal, changed, checked_key(entered.key))
        if key is not None and bound_to(principal.mandate_id, changed) != bound_to(principal.mandate_id, provider):
            return replace(changed, has_key=False, key_hint=""), None  # a key stays with the server it was given for
        return changed, key

    def _sealed(self, principal: Principal, provider: Provider, key: str) -> tuple[Provider, Sealed | None]:
        sealed = self._vault.seal(key, bound_to(principal.mandate_id, provider)) if key else None
        return replace(provider, has_key=bool(key), key_hint=hint(key)), sealed


async def _found(uow: UnitOfWork, principal: Principal, provider_id: UUID) -> Stored:
    stored = await store.provider(uow, principal.mandate_id, provider_id)
    if stored is None:
        raise NotFound(NO_SUCH)
    return stored


def _with_known_models(entered: Sequence[OwnModel], before: Provider) -> Sequence[OwnModel]:
    """What we found out about a model's vectors, and what its server said of it, stays, whatever people write about it."""
    known = {model.name: model for model in before.models}
    return tuple(
        replace(model, vectors=known[model.name].vectors, facts=known[model.name].facts)
        if model.name in known
        else model
        for model in checked_models(entered)
    )


def _with_facts(models: Sequence[OwnModel], facts: Mapping[str, ModelFacts]) -> Sequence[OwnModel]:
    return tuple(model.told(facts[model.name]) if model.name in facts else model for model in models)


async def _asked(connection: Connection) -> ProviderAnswer:
    provider = model_factory.client_for(connection)
    try:
        async with provider.client() as client:
            models = await listed_models(connection, client)
            names = list(models)
            await require_named_models(connection, client, names)
            if not names and not connection.provider.models:
                text = f"{connection.provider.label} has no models. Load one there, then try again."
                raise ProviderTestFailed(text, again=False, code="noModelsThere")
            return ProviderAnswer(names, await server_facts(connection, client, models))
    finally:
        await provider.retire()


def _is_same(asked: Connection, connection: Connection) -> bool:
    """Whether a test of the one says something about the other."""
    return _tested_parts(asked) == _tested_parts(connection)


def _tested_parts(connection: Connection) -> tuple[object, ...]:
    models = [model.name for model in connection.provider.models]
    return connection.url, connection.key, connection.allowed_private, models


def _failure(failed: ProviderTestFailed) -> ProviderFailure:
    return ProviderFailure(failed.code, failed.message, now(), failed.details)


def _shown(principal: Principal, provider: Provider) -> Provider:
    if decide(principal, Action.UPDATE, TARGET):
        return provider
    failure = provider.failure and replace(provider.failure, message="", details={})
    return replace(provider, base_url=None, key_hint="", failure=failure)
