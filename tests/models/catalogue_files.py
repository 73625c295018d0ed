"""A provider's two files as we ship them, to be changed and sent."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from workroom.models.catalogue.refresh import HERE

NEW = "gpt-brand-new"


@dataclass
class Files:
    provider: str
    prices: dict[str, Any]
    strategies: dict[str, Any]

    @property
    def models(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.prices["models"]
        return found

    @property
    def told(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.strategies["strategies"]
        return found

    def entry(self, model: str) -> dict[str, Any]:
        return next(entry for entry in self.models if entry["id"] == model)

    def strategy(self, model: str) -> dict[str, Any]:
        found: dict[str, Any] = next(told["strategy"] for told in self.told if told["modelId"] == model)
        return found

    def described(self, model: str) -> dict[str, Any]:
        return {"entry": self.entry(model), "strategy": self.strategy(model)}

    def add(self, model: str = NEW, **more: Any) -> None:
        prices = [{"input": "7", "cached": "0.7", "output": "70"}]
        self.models.append(self.models[0] | {"id": model, "label": "Brand new", "prices": prices} | more)
        self.told.append({"modelId": model, "strategy": dict(self.told[0]["strategy"])})

    def add_many(self, count: int) -> None:
        for number in range(count):
            self.add(f"{NEW}-{number}")

    def remove(self, model: str) -> None:
        self.models.remove(self.entry(model))
        self.told[:] = [told for told in self.told if told["modelId"] != model]

    def body(self) -> dict[str, Any]:
        prices, strategies = json.dumps(self.prices), json.dumps(self.strategies)
        return {"files": {"provider": self.provider, "prices": prices, "strategies": strategies}}


def shipped_files(provider: str = "openai") -> Files:
    read = [json.loads((HERE / folder / f"{provider}.json").read_text("utf-8")) for folder in ("models", "strategies")]
    return Files(provider, *read)
