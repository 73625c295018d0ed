"""The price list of a mandate: the catalogue's prices in francs, what was changed in them, and the rate they follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import InvalidInput
from workroom.core.memory_pages import paged
from workroom.core.money import Price
from workroom.core.pages import Page, PageRequest
from workroom.db import Database
from workroom.identity import audit
from workroom.identity.access import Target, require
from workroom.identity.types import Action, Principal
from workroom.models import store
from workroom.models.catalogue import ListPrice, embedding_entries
from workroom.models.gateway import Gateway, Snapshot
from workroom.models.prices import price_of
from workroom.models.types import ExchangeRate

TARGET = Target("data.model")
DEAREST = Decimal(1_000_000)
LONGEST_REF = 250


@dataclass(frozen=True)
class ListedPrice:
    """`listed` is the provider's own price in dollars, if it is known; `own`: this mandate has set another."""

    ref: str
    label: str
    price: Price
    listed: ListPrice | None
    own: bool


@dataclass(frozen=True)
class Terms:
    rate: ExchangeRate
    assumption: Decimal  # CHF per million tokens of a model without a known price


class ModelPrices:
    def __init__(self, db: Database, gateway: Gateway) -> None:
        self._db = db
        self._gateway = gateway

    async def list(self, principal: Principal, request: PageRequest) -> Page[ListedPrice]:
        """The whole catalogue, also of providers that are not set up, and every model of one's own."""
        require(principal, Action.READ, TARGET)
        return paged(
            _listed(await self._gateway.snapshot(principal), now().date()),
            request,
            key=lambda price: price.ref,
            sorts={"model": lambda price: price.ref, "label": lambda price: price.label.casefold()},
            default_sort="model",
            search=lambda price: f"{price.ref} {price.label}",
        )

    async def put(self, principal: Principal, ref: str, price: Price | None) -> None:
        """None goes back to what is known of the model."""
        require(principal, Action.UPDATE, TARGET)
        if "/" not in ref or len(ref) > LONGEST_REF or "\x00" in ref:
            raise InvalidInput("Name the model with its provider, such as openai/gpt-5.", field="model")
        if price is not None:
            for amount in (price.input, price.cached, price.output):
                _check_amount(amount, least=Decimal(0))
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.put_price(uow, principal.mandate_id, ref, price)
            told = {"model": ref} if price is None else {"model": ref, "price": f"{price.input} / {price.output}"}
            await audit.record(uow, principal, "priceChanged", ChangeKind.MODEL, principal.mandate_id, details=told)

    async def terms(self, principal: Principal) -> Terms:
        require(principal, Action.READ, TARGET)
        choices = (await self._gateway.snapshot(principal)).configuration.choices
        return Terms(choices.rate, choices.assumption)

    async def put_terms(self, principal: Principal, terms: Terms) -> None:
        require(principal, Action.UPDATE, TARGET)
        _check_amount(terms.rate.chf_per_usd, least=Decimal("0.0001"))
        # Zero would make unknown models look free, and no budget would ever stop them.
        _check_amount(terms.assumption, least=Decimal("0.0001"))
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.put_rate(uow, principal.mandate_id, terms.rate, terms.assumption)
            await audit.record(
                uow,
                principal,
                "rateChanged",
                ChangeKind.MODEL,
                principal.mandate_id,
                chfPerUsd=str(terms.rate.chf_per_usd),
            )


def _listed(snapshot: Snapshot, day: date) -> Iterator[ListedPrice]:
    choices, catalogue = snapshot.configuration.choices, snapshot.configuration.catalogue
    for provider, models in catalogue.entries.items():
        for entry in models.values():
            ref = f"{provider}/{entry.id}"
            price = price_of(ref, entry, choices, day)
            yield ListedPrice(ref, entry.label, price, entry.price(day), ref in choices.overrides)
    for provider, embedders in embedding_entries().items():
        for known in embedders:
            ref = f"{provider}/{known.id}"
            price = price_of(ref, known, choices, day)
            yield ListedPrice(ref, known.label, price, known.price(day), ref in choices.overrides)
    for ref, offer in snapshot.offers.items():
        if catalogue.entry(*ref.split("/", 1)) is None:
            yield ListedPrice(ref, offer.label, offer.info.price, None, ref in choices.overrides)


def _check_amount(amount: Decimal, *, least: Decimal) -> None:
    if not amount.is_finite() or not least <= amount <= DEAREST:
        raise InvalidInput(f"An amount is between {least} and {DEAREST:,}.", field="price")
