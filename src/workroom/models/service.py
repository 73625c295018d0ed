"""What the API has of the models: one gateway, the four things people do about it, who makes vectors, and who
looks again at what was found. `make_models` makes them together."""

from __future__ import annotations

from dataclasses import dataclass

from workroom.db import Database
from workroom.models.embeddings.embedders import Embedders
from workroom.models.gateway import Gateway
from workroom.models.model_catalogue import ModelCatalogue
from workroom.models.model_choices import ModelChoices
from workroom.models.model_providers import ModelProviders
from workroom.models.price_list import ModelPrices
from workroom.models.reranking.rerankers import Rerankers
from workroom.settings import Settings
from workroom.usage.service import Budgets
from workroom.vault import Vault


@dataclass(frozen=True)
class Models:
    gateway: Gateway
    providers: ModelProviders
    choices: ModelChoices
    prices: ModelPrices
    catalogue: ModelCatalogue
    embedders: Embedders
    rerankers: Rerankers


def make_models(settings: Settings, db: Database) -> Models:
    """The caller closes its gateway."""
    vault = Vault(settings)
    gateway = Gateway(db, settings, vault)
    providers = ModelProviders(db, settings, vault, gateway)
    embedders = Embedders(db, gateway, Budgets(db))
    rerankers = Rerankers(db, gateway, Budgets(db))
    return Models(
        gateway,
        providers,
        ModelChoices(db, gateway),
        ModelPrices(db, gateway),
        ModelCatalogue(db, gateway),
        embedders,
        rerankers,
    )
