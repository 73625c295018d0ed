"""A change of the catalogue: what was known of a model before it, and what is known after. Pure; the JSON of both is that of
the shipped files, so that whatever is stored today can be read beside them years later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workroom.models.catalogue.entries import Entry
from workroom.models.catalogue.strategies import SwitchStrategy


@dataclass(frozen=True)
class ModelDescription:
    """All that is known of one model. Without a strategy it is treated as an unknown model."""

    entry: Entry
    strategy: SwitchStrategy | None

    @classmethod
    def read(cls, provider: str, stored: Mapping[str, Any]) -> ModelDescription:
        told = stored["strategy"]
        return cls(Entry.read(provider, stored["entry"]), None if told is None else SwitchStrategy.read(told))

    def stored(self) -> dict[str, Any]:
        return {"entry": self.entry.stored(), "strategy": None if self.strategy is None else self.strategy.stored()}


@dataclass(frozen=True)
class CatalogueChange:
    """None before: it was not there. None after: it is taken out."""

    provider: str
    model: str
    before: ModelDescription | None
    after: ModelDescription | None

    @property
    def ref(self) -> str:
        return f"{self.provider}/{self.model}"

    @property
    def inverse(self) -> CatalogueChange:
        return CatalogueChange(self.provider, self.model, self.after, self.before)

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> CatalogueChange:
        provider = stored["provider"]
        before, after = (
            None if found is None else ModelDescription.read(provider, found)
            for found in (stored["before"], stored["after"])
        )
        return cls(provider, stored["model"], before, after)

    def stored(self) -> dict[str, Any]:
        before, after = (None if found is None else found.stored() for found in (self.before, self.after))
        return {"provider": self.provider, "model": self.model, "before": before, "after": after}
