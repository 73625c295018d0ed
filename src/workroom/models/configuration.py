"""Everything a mandate has set up about models, read in one transaction: stored providers, the environment's, choices."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from workroom.core.errors import ConfigurationError
from workroom.db import UnitOfWork
from workroom.models import revision_store, store
from workroom.models.catalogue import Catalogue
from workroom.models.connection import Connection, bound_to, endpoint, hosted
from workroom.models.environment import from_environment
from workroom.models.store import Stored
from workroom.models.types import Choices, ProviderKind
from workroom.settings import BuiltInEmbedding, Settings
from workroom.vault import Vault

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Configuration:
    """`connections` are all there are, also those that are switched off or whose key cannot be opened. `catalogue` is the
    shipped one with what the mandate has changed in it. `private_allowed` says whether its own servers may be in the
    operator's network. `minilm` is the folder the settings name, `embedding` the built-in model."""

    catalogue: Catalogue
    choices: Choices
    connections: Sequence[Connection]
    private_allowed: bool = True
    minilm: Path | None = None
    embedding: BuiltInEmbedding = "multilingual"


class Configurations:
    def __init__(self, settings: Settings, vault: Vault) -> None:
        self._settings = settings
        self._vault = vault

    async def read(self, uow: UnitOfWork, mandate_id: UUID, *, private_allowed: bool) -> Configuration:
        # The version first: what changes in between is then read again, never missed.
        choices = await store.choices(uow, mandate_id)
        found = await store.providers(uow, mandate_id)
        stored = [self.connect(mandate_id, one, private_allowed=private_allowed) for one in found]
        # One that waits takes no working one's place.
        named = {connection.provider.name for connection in stored if connection.provider.failure is None}
        given = [mine for mine in from_environment(self._settings) if mine.provider.name not in named]
        catalogue = await revision_store.catalogue(uow, mandate_id)
        return Configuration(
            catalogue, choices, [*given, *stored], private_allowed, self._settings.minilm, self._settings.embedding
        )

    def connect(self, mandate_id: UUID, stored: Stored, *, private_allowed: bool) -> Connection:
        """A key that does not open makes its own provider unreadable, and no other."""
        provider, sealed = stored
        key = ""
        if sealed is not None:
            try:
                key = self._vault.open(sealed, bound_to(mandate_id, provider))
            except ConfigurationError as error:
                log.error(error.message, extra={"provider": provider.name})
                provider = replace(provider, readable=False)
        if provider.kind is ProviderKind.ENDPOINT:
            return endpoint(provider, key, private_allowed=private_allowed)
        return hosted(provider, key, self._settings)
