"""Language models: which there are, who provides them, which are asked for what, what they cost."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api import model_views as views
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.money import Price
from workroom.core.wire import Wire
from workroom.models.model_choices import LONGEST_CHAIN
from workroom.models.model_providers import ProviderInput
from workroom.models.price_list import DEAREST, LONGEST_REF, Terms
from workroom.models.provider_input import MOST_MODELS
from workroom.models.types import ExchangeRate, Operation, ProviderKind

router = APIRouter(prefix="/api", tags=["models"])


class ChangedProvider(Wire):
    """What is left out stays as it is. `key` is never shown again; an empty one is taken away. Another address needs its
    key again. `allowPrivate` confirms an address inside your own network. With `test` the provider is asked before it is used:
    a new one that fails waits, with `failure` as the reason; a change that would break one that works is refused."""

    label: str | None = Field(None, max_length=200)
    base_url: str | None = Field(None, max_length=2_000)
    allow_private: bool | None = None
    models: list[views.OwnModel] | None = Field(None, max_length=MOST_MODELS)
    enabled: bool | None = None
    key: str | None = Field(None, max_length=4_000, repr=False)
    test: bool = False

    def entered(self) -> ProviderInput:
        models = None if self.models is None else [model.value() for model in self.models]
        return ProviderInput(self.label, self.base_url, self.allow_private, models, self.enabled, self.key, self.test)


class NewProvider(ChangedProvider):
    """`name` is what its models are called by, as in `name/model`; only a server of your own needs one."""

    kind: ProviderKind
    name: str = Field("", max_length=100)


class ProviderName(Wire):
    """`id` tells a stored provider from one of the environment with the same name."""

    name: str = Field(max_length=100)
    id: UUID | None = None


class ChainInput(Wire):
    """`models` null: follow what is set up, best first."""

    operation: Operation
    models: list[str] | None = Field(max_length=LONGEST_CHAIN)


class PriceInput(Wire):
    """CHF per million tokens; `price` null: what is known of the model."""

    model: str = Field(max_length=LONGEST_REF)
    price: views.Amounts | None


class TermsInput(Wire):
    chf_per_usd: Decimal = Field(gt=0, le=DEAREST)
    rate_date: date
    assumed_chf: Decimal = Field(gt=0, le=DEAREST)


@router.get("/models")
async def list_models(query: Listed, principal: CurrentPrincipal, services: AppServices) -> PageOf[views.Model]:
    """Every model that is set up here, and whether you may use it."""
    return page_of(await services.models.choices.models(principal, query.request()), views.Model.of)


@router.get("/embedding-models")
async def list_embedding_models(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[views.EmbeddingModel]:
    """Every model that can make vectors here, for search by meaning; of a server of your own, every one it has."""
    return page_of(await services.models.choices.embedders(principal, query.request()), views.EmbeddingModel.of)


@router.get("/model-providers")
async def list_model_providers(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[views.Provider]:
    """Stored providers and those of the environment (`id` null). Keys are never shown, only their last characters."""
    return page_of(await services.models.providers.list(principal, query.request()), views.Provider.of)


@router.post("/model-providers", status_code=201)
async def add_model_provider(body: NewProvider, principal: CurrentPrincipal, services: AppServices) -> views.Provider:
    return views.Provider.of(await services.models.providers.add(principal, body.kind, body.name, body.entered()))


@router.post("/model-providers/detect")
async def detect_model_servers(principal: CurrentPrincipal, services: AppServices) -> views.FoundServers:
    """Look for model servers on the machine Workroom runs on."""
    return views.FoundServers(
        items=[views.FoundServer.of(found) for found in await services.models.providers.detect(principal)]
    )


@router.post("/model-providers/test")
async def check_model_provider(
    body: ProviderName, principal: CurrentPrincipal, services: AppServices
) -> views.ModelNames:
    """Ask a provider which models it has: if it answers, address and key are good. One that waited is used again then; one that
    fails waits, unless it worked before and the failure is one that passes."""
    return views.ModelNames(models=list(await services.models.providers.test(principal, body.name, body.id)))


@router.get("/model-providers/{providerId}")
async def get_model_provider(providerId: UUID, principal: CurrentPrincipal, services: AppServices) -> views.Provider:
    return views.Provider.of(await services.models.providers.get(principal, providerId))


@router.patch("/model-providers/{providerId}")
async def change_model_provider(
    providerId: UUID, body: ChangedProvider, principal: CurrentPrincipal, services: AppServices
) -> views.Provider:
    return views.Provider.of(await services.models.providers.change(principal, providerId, body.entered()))


@router.delete("/model-providers/{providerId}", status_code=204)
async def remove_model_provider(providerId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.models.providers.remove(principal, providerId)


@router.get("/model-chains")
async def list_model_chains(principal: CurrentPrincipal, services: AppServices) -> views.Chains:
    """For each kind of work: the models to try, in this order."""
    return views.Chains(items=[views.Chain.of(chain) for chain in await services.models.choices.chains(principal)])


@router.put("/model-chains", status_code=204)
async def put_model_chain(body: ChainInput, principal: CurrentPrincipal, services: AppServices) -> None:
    """For `EMBEDDING` each model is asked first: whether it answers, and what vectors it gives; for `RERANK`, whether it can."""
    await services.models.choices.choose(principal, body.operation, body.models)


@router.get("/model-prices")
async def list_model_prices(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[views.ListedPrice]:
    """The whole catalogue, also of providers that are not set up."""
    return page_of(await services.models.prices.list(principal, query.request()), views.ListedPrice.of)


@router.put("/model-prices", status_code=204)
async def put_model_price(body: PriceInput, principal: CurrentPrincipal, services: AppServices) -> None:
    price = None if body.price is None else Price(body.price.input, body.price.output, body.price.cached)
    await services.models.prices.put(principal, body.model, price)


@router.get("/model-prices/terms")
async def get_price_terms(principal: CurrentPrincipal, services: AppServices) -> views.Terms:
    """The rate by which dollars become francs, and the assumed price of a model without a known one."""
    return views.Terms.of(await services.models.prices.terms(principal))


@router.put("/model-prices/terms", status_code=204)
async def put_price_terms(body: TermsInput, principal: CurrentPrincipal, services: AppServices) -> None:
    terms = Terms(ExchangeRate(body.chf_per_usd, body.rate_date), body.assumed_chf)
    await services.models.prices.put_terms(principal, terms)
