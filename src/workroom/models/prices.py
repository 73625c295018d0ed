"""What a model costs: the mandate's own price, else the catalogue's in francs, else nothing (a server of one's own), else
an assumption that is shown as one. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from workroom.core.money import FREE, Price
from workroom.core.tokens import Usage
from workroom.models.catalogue import EmbeddingEntry, Entry, ListPrice, LongPrompt
from workroom.models.types import Choices


@dataclass(frozen=True)
class SteppedPrice(Price):
    """A call whose prompt has more than `above` tokens is billed at `beyond`, all of it."""

    above: int = 0
    beyond: Price = FREE

    def of(self, usage: Usage) -> Decimal:
        return self.beyond.of(usage) if usage.input_tokens > self.above else super().of(usage)

    def at(self, usage: Usage) -> Price:
        long = usage.input_tokens > self.above
        return (
            self.beyond
            if long
            else Price(self.input, self.output, self.cached, self.assumed, self.written, self.request)
        )


def price_of(
    ref: str, entry: Entry | EmbeddingEntry | None, choices: Choices, day: date, *, own_server: bool = False
) -> Price:
    if ref in choices.overrides:
        return choices.overrides[ref]
    if entry is not None:
        return converted(entry.price(day), choices.rate.chf_per_usd)
    if own_server:
        return FREE
    return Price(choices.assumption, choices.assumption, choices.assumption, assumed=True)


def converted(listed: ListPrice, rate: Decimal) -> Price:
    base = _francs(listed, rate)
    if listed.long_prompt is None:
        return base
    beyond = _francs(listed.long_prompt, rate)
    return SteppedPrice(**vars(base), above=listed.long_prompt.above, beyond=beyond)


def _francs(listed: ListPrice | LongPrompt, rate: Decimal) -> Price:
    return Price(
        input=listed.input * rate,
        output=listed.output * rate,
        cached=listed.cached * rate,
        written=listed.written * rate,
    )
