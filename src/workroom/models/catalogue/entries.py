"""Reading the catalogue's files. Once per process: they are part of the program and do not change while it runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from importlib import resources
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


@cache
def entries() -> Mapping[str, Sequence[Entry]]:
    """Provider → its models, newest and best first, as the files have them."""
    folder = resources.files(__package__) / "models"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    return {provider: _read(provider, file.read_text("utf-8")) for file in files for provider in [file.name[:-5]]}


@cache
def _by_id() -> Mapping[tuple[str, str], Entry]:
    return {(found.provider, found.id): found for models in entries().values() for found in models}


def entry(provider: str, model: str) -> Entry | None:
    return _by_id().get((provider, model))


@cache
def ranking() -> Mapping[str, Sequence[str]]:
    """Operation → `provider/model`, best first."""
    found: dict[str, list[str]] = json.loads((resources.files(__package__) / "ranking.json").read_text("utf-8"))
    return found


def _read(provider: str, text: str) -> Sequence[Entry]:
    return tuple(
        Entry(
            provider,
            model["id"],
            model["label"],
            model["contextTokens"],
            model["outputTokens"],
            model["tools"],
            model["images"],
            tuple(listed_price(price) for price in model["prices"]),
        )
        for model in json.loads(text)["models"]
    )


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
