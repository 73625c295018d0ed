"""What is known of a model: abilities and prices, in memory and as the files have it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class LongPrompt:
    """The prices of a call whose prompt has more than `above` tokens: all of it is billed at these."""

    above: int
    input: Decimal
    cached: Decimal
    output: Decimal
    written: Decimal


@dataclass(frozen=True)
class ListPrice:
    """USD per million tokens, from the day `since` on."""

    since: date
    input: Decimal
    cached: Decimal
    output: Decimal
    written: Decimal
    long_prompt: LongPrompt | None = None


@dataclass(frozen=True)
class Entry:
    provider: str
    id: str
    label: str
    context_tokens: int
    output_tokens: int
    tools: bool
    images: bool
    prices: Sequence[ListPrice]

    def price(self, day: date) -> ListPrice:
        return next(price for price in reversed(self.prices) if price.since <= day)

    @classmethod
    def read(cls, provider: str, stored: Mapping[str, Any]) -> Entry:
        return cls(
            provider,
            stored["id"],
            stored["label"],
            stored["contextTokens"],
            stored["outputTokens"],
            stored["tools"],
            stored["images"],
            tuple(listed_price(price) for price in stored["prices"]),
        )

    def stored(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "label": self.label,
            "contextTokens": self.context_tokens,
            "outputTokens": self.output_tokens,
            "tools": self.tools,
            "images": self.images,
            "prices": [_stored_price(price) for price in self.prices],
        }


def read_entries(provider: str, text: str) -> Mapping[str, Entry]:
    """A provider's file, by model. ValueError when it says something twice."""
    found: dict[str, Entry] = {}
    for stored in json.loads(text)["models"]:
        if stored["id"] in found:
            raise ValueError(f"{stored['id']} is there twice")
        found[stored["id"]] = Entry.read(provider, stored)
    return found


def listed_price(stored: Mapping[str, Any]) -> ListPrice:
    long = stored.get("longPrompt")
    return ListPrice(
        date.fromisoformat(stored["since"]) if "since" in stored else date.min,
        *_amounts(stored),
        long_prompt=LongPrompt(long["above"], *_amounts(long)) if long else None,
    )


def _amounts(stored: Mapping[str, Any]) -> tuple[Decimal, Decimal, Decimal, Decimal]:
    """Input, read from the cache, output, written into the cache. Where the list names no price of its own for a kind of
    input, it costs as much as any; where it names none for output, there is none."""
    read, written = (stored.get(kind, stored["input"]) for kind in ("cached", "written"))
    return Decimal(stored["input"]), Decimal(read), Decimal(stored.get("output", "0")), Decimal(written)


def _stored_price(price: ListPrice) -> dict[str, Any]:
    since = {} if price.since == date.min else {"since": price.since.isoformat()}
    long = price.long_prompt
    return (
        since | _stored_amounts(price) | ({"longPrompt": {"above": long.above} | _stored_amounts(long)} if long else {})
    )


def _stored_amounts(price: ListPrice | LongPrompt) -> dict[str, str]:
    named = {"input": price.input, "cached": price.cached, "written": price.written, "output": price.output}
    return {
        name: format(amount, "f")
        for name, amount in named.items()
        if name in ("input", "output") or amount != price.input
    }
