"""Models as clients see them. Money is text on the wire: exact decimals, CHF per million tokens unless a name says USD."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from pydantic import Field

from workroom.core import money
from workroom.core.money import CHF
from workroom.core.wire import Wire
from workroom.models import model_choices, price_list, types
from workroom.models.catalogue import ListPrice
from workroom.models.detection import DetectedServer
from workroom.models.model_names import is_small
from workroom.models.price_list import DEAREST
from workroom.models.prices import SteppedPrice
from workroom.models.types import Operation, ProviderKind

MOST_TOKENS = 100_000_000


class Amounts(Wire):
    input: Decimal = Field(ge=0, le=DEAREST)
    cached: Decimal = Field(ge=0, le=DEAREST)
    output: Decimal = Field(ge=0, le=DEAREST)


class Price(Wire):
    """`assumed`: the price is not known, so this is an assumption. A prompt of more than `above` tokens is billed at `beyond`."""

    input: CHF
    cached: CHF
    output: CHF
    assumed: bool
    above: int | None = None
    beyond: Price | None = None

    @classmethod
    def of(cls, price: money.Price) -> Price:
        base = cls(input=price.input, cached=price.cached, output=price.output, assumed=price.assumed)
        if not isinstance(price, SteppedPrice):
            return base
        return base.model_copy(update={"above": price.above, "beyond": Price.of(price.beyond)})


class Model(Wire):
    """`model` is `provider/id`: what to ask for. `embedded`: no language model, the default that is always there. `small`: the
    Assistant for small models does better with it."""

    model: str
    label: str
    provider: str
    provider_label: str
    context_tokens: int
    output_tokens: int
    tools: bool
    images: bool
    embedded: bool
    small: bool
    price: Price
    allowed: bool

    @classmethod
    def of(cls, listed: model_choices.ListedModel) -> Model:
        info = listed.info
        return cls(
            model=listed.ref,
            label=listed.label,
            provider=info.provider,
            provider_label=listed.provider_label,
            context_tokens=info.context_tokens,
            output_tokens=info.output_tokens,
            tools=info.tools,
            images=info.images,
            embedded=info.embedded,
            small=is_small(info),
            price=Price.of(info.price),
            allowed=listed.allowed,
        )


class EmbeddingModel(Wire):
    """A model that makes vectors, for search by meaning. `dimensions` null: found out when it is chosen. `counts`: its
    vectors are the ones in use."""

    model: str
    label: str
    provider: str
    provider_label: str
    dimensions: int | None
    embedded: bool
    price: Price
    allowed: bool
    counts: bool

    @classmethod
    def of(cls, listed: model_choices.ListedEmbedder) -> EmbeddingModel:
        info = listed.info
        return cls(
            model=listed.ref,
            label=listed.label,
            provider=info.provider,
            provider_label=listed.provider_label,
            dimensions=info.dimensions or None,
            embedded=info.embedded,
            price=Price.of(info.price),
            allowed=listed.allowed,
            counts=listed.counts,
        )


class ModelFacts(Wire):
    """What a server says of one of its models, as of the last test; null: it does not say."""

    context_tokens: int | None
    tools: bool | None
    images: bool | None
    structured: bool | None


class OwnModel(Wire):
    """A model the catalogue does not know. Without `tools` it is spoken to in the text protocol. `structured`: its
    server keeps an answer to a JSON schema, so forced calls and plans are asked for that way. `facts` holds wherever nothing
    else was entered; what is sent of it is ignored."""

    name: str = Field(max_length=200)
    context_tokens: int = Field(types.OwnModel.context_tokens, ge=1, le=MOST_TOKENS)
    output_tokens: int = Field(types.OwnModel.output_tokens, ge=1, le=MOST_TOKENS)
    tools: bool = True
    images: bool = False
    structured: bool = False
    facts: ModelFacts | None = None

    @classmethod
    def of(cls, model: types.OwnModel) -> OwnModel:
        facts = model.facts and ModelFacts(**vars(model.facts))
        return cls(**{name: value for name, value in vars(model).items() if name != "vectors"} | {"facts": facts})

    def value(self) -> types.OwnModel:
        return types.OwnModel(**(self.model_dump(by_alias=False, exclude={"facts"})))


class ProviderFailure(Wire):
    """Why the last test failed. `details`: what the page puts into its text, and the provider's own words."""

    code: str
    message: str
    details: dict[str, str]
    at: datetime

    @classmethod
    def of(cls, failure: types.ProviderFailure) -> ProviderFailure:
        return cls(code=failure.code, message=failure.message, details=dict(failure.details), at=failure.at)


class Provider(Wire):
    """`id` null: from the environment, so it is changed there. `readable` false: the key must be entered again. `failure`: it
    waits, and none of its models is offered until a test succeeds."""

    id: UUID | None
    name: str
    kind: ProviderKind
    label: str
    base_url: str | None
    private: bool
    models: list[OwnModel]
    enabled: bool
    has_key: bool
    key_hint: str
    readable: bool
    failure: ProviderFailure | None

    @classmethod
    def of(cls, provider: types.Provider) -> Provider:
        failure = provider.failure and ProviderFailure.of(provider.failure)
        models = [OwnModel.of(model) for model in provider.models]
        return cls(**(vars(provider) | {"models": models, "failure": failure}))


class FoundServer(Wire):
    """Ready to be added as a provider of kind `endpoint`; `models` with what the server says of them, those that talk first."""

    name: str
    label: str
    base_url: str
    models: list[OwnModel]

    @classmethod
    def of(cls, servers: DetectedServer) -> FoundServer:
        return cls(**(vars(servers) | {"models": [OwnModel.of(model) for model in servers.models]}))


class FoundServers(Wire):
    items: list[FoundServer]


class ModelNames(Wire):
    models: list[str]


class Chain(Wire):
    """`chosen` false: it follows what is set up."""

    operation: Operation
    models: list[str]
    chosen: bool

    @classmethod
    def of(cls, chain: model_choices.ModelChain) -> Chain:
        return cls(operation=chain.operation, models=list(chain.models), chosen=chain.chosen)


class Chains(Wire):
    items: list[Chain]


class ListedUsd(Wire):
    """The provider's own price, USD per million tokens."""

    input: CHF
    cached: CHF
    output: CHF

    @classmethod
    def of(cls, listed: ListPrice) -> ListedUsd:
        return cls(input=listed.input, cached=listed.cached, output=listed.output)


class ListedPrice(Wire):
    """`own`: this mandate has set it."""

    model: str
    label: str
    price: Price
    usd: ListedUsd | None
    own: bool

    @classmethod
    def of(cls, listed: price_list.ListedPrice) -> ListedPrice:
        usd = None if listed.listed is None else ListedUsd.of(listed.listed)
        return cls(model=listed.ref, label=listed.label, price=Price.of(listed.price), usd=usd, own=listed.own)


class Terms(Wire):
    chf_per_usd: CHF
    rate_date: date
    assumed_chf: CHF

    @classmethod
    def of(cls, terms: price_list.Terms) -> Terms:
        return cls(chf_per_usd=terms.rate.chf_per_usd, rate_date=terms.rate.day, assumed_chf=terms.assumption)
