"""The catalogue as a value: what is known of every provider's models, and the proof that prices and strategies agree.

Asked by tests, when the files are read (once per process: they are part of the program), and by the page about models.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from workroom.models.catalogue.changes import CatalogueChange, ModelDescription
from workroom.models.catalogue.entries import Entry, read_entries
from workroom.models.catalogue.strategies import UNKNOWN, SwitchStrategy, read_strategies

log = logging.getLogger(__name__)


class Lack(StrEnum):
    STRATEGY = "strategy"
    PRICE = "price"


@dataclass(frozen=True)
class Disagreement:
    """A model that only one of the two files of its provider has."""

    provider: str
    model: str
    lacks: Lack

    def __str__(self) -> str:
        has = Lack.PRICE if self.lacks is Lack.STRATEGY else Lack.STRATEGY
        return f"{self.provider}/{self.model} has a {has} and no {self.lacks}"


@dataclass(frozen=True)
class Catalogue:
    """Provider → id → what is known, newest and best first, as the files have them."""

    entries: Mapping[str, Mapping[str, Entry]]
    strategies: Mapping[str, Mapping[str, SwitchStrategy]]

    def entry(self, provider: str, model: str) -> Entry | None:
        return self.entries.get(provider, {}).get(model)

    def strategy(self, provider: str, model: str) -> SwitchStrategy:
        return self.strategies.get(provider, {}).get(model, UNKNOWN)

    def described(self, provider: str, model: str) -> ModelDescription | None:
        entry = self.entry(provider, model)
        return None if entry is None else ModelDescription(entry, self.strategies.get(provider, {}).get(model))

    def disagreements(self) -> list[Disagreement]:
        found: list[Disagreement] = []
        for provider in sorted({*self.entries, *self.strategies}):
            priced, told = set(self.entries.get(provider, ())), set(self.strategies.get(provider, ()))
            found += [Disagreement(provider, model, Lack.STRATEGY) for model in sorted(priced - told)]
            found += [Disagreement(provider, model, Lack.PRICE) for model in sorted(told - priced)]
        return found

    def changed(self, changes: Iterable[CatalogueChange]) -> Catalogue:
        """Only the last change of a model counts, so that one taken out and put back is where it was; new ones come last."""
        last = {(change.provider, change.model): change.after for change in changes}
        entries = {provider: dict(models) for provider, models in self.entries.items()}
        strategies = {provider: dict(models) for provider, models in self.strategies.items()}
        for (provider, model), after in last.items():
            priced, told = entries.setdefault(provider, {}), strategies.setdefault(provider, {})
            if after is None:
                priced.pop(model, None)
            else:
                priced[model] = after.entry
            if after is None or after.strategy is None:
                told.pop(model, None)
            else:
                told[model] = after.strategy
        return Catalogue(entries, strategies)


@cache
def shipped() -> Catalogue:
    return load(resources.files(__package__))


def load(folder: Traversable) -> Catalogue:
    """Files that disagree are our mistake, and no work stops for it: what lacks a strategy is treated as unknown."""
    entries = {provider: read_entries(provider, text) for provider, text in _files(folder / "models")}
    strategies = {provider: read_strategies(text) for provider, text in _files(folder / "strategies")}
    found = Catalogue(entries, strategies)
    for disagreement in found.disagreements():
        log.error("The files of the catalogue disagree: %s.", disagreement)
    return found


def _files(folder: Traversable) -> list[tuple[str, str]]:
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    return [(file.name.removesuffix(".json"), file.read_text("utf-8")) for file in files]
