"""Brings the prices in the catalogue's files up to date: `python -m workroom.models.catalogue.refresh`.

Prices come from the installed release of `genai-prices`; everything else in the files is written by hand and stays as it
is, also for a model the price list no longer knows. For developers: the product itself only reads the files.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from genai_prices.data import providers
from genai_prices.types import ConditionalPrice, ModelPrice, StartDateConstraint, TieredPrices

HERE = Path(__file__).parent
FIELDS = {"input": "input_mtok", "cached": "cache_read_mtok", "written": "cache_write_mtok", "output": "output_mtok"}


def refreshed(provider: str, file: dict[str, Any]) -> dict[str, Any]:
    """The same file with today's price list in it."""
    known = next(listed for listed in providers if listed.id == provider)
    models = []
    for entry in file["models"]:
        found = next((model for model in known.models if model.is_match(entry["id"])), None)
        models.append(entry if found is None else entry | {"prices": prices(found.prices)})
    return file | {"source": f"genai-prices {version('genai-prices')}", "models": models}


def prices(listed: ModelPrice | list[ConditionalPrice]) -> list[dict[str, Any]]:
    """Oldest first; each holds from the day in `since` on."""
    if isinstance(listed, ModelPrice):
        return [_price(listed)]
    found: list[dict[str, Any]] = []
    for conditional in listed:
        dated = isinstance(conditional.constraint, StartDateConstraint)
        if conditional.constraint is not None and not dated:
            continue  # a discount for some hours of the day: not to be counted on
        since = {"since": conditional.constraint.start_date.isoformat()} if dated else {}  # type: ignore[union-attr]
        if not found or found[-1] | {"since": ""} != _price(conditional.prices) | {"since": ""}:
            found.append(since | _price(conditional.prices))
    return found


def _price(price: ModelPrice) -> dict[str, Any]:
    base = {name: _base(getattr(price, field)) for name, field in FIELDS.items()}
    long = {name: _long(getattr(price, field)) for name, field in FIELDS.items()}
    above = next((tier[0] for tier in long.values() if tier), None)
    if base["input"] is base["output"] is None:
        return {"input": "0", "output": "0"}  # how the list says that a model is given away
    shown: dict[str, Any] = {name: value for name, value in base.items() if value is not None}
    if above is not None:
        tier = {name: value[1] if value else base[name] for name, value in long.items()}
        shown["longPrompt"] = {"above": above} | {name: value for name, value in tier.items() if value is not None}
    return shown


def _base(price: Any) -> str | None:
    found = price.base if isinstance(price, TieredPrices) else price
    return None if found is None else format(found, "f")


def _long(price: Any) -> tuple[int, str] | None:
    """The dearest tier: few models have more than one, and a bill that is a little high beats one that is too low."""
    if not isinstance(price, TieredPrices) or not price.tiers:
        return None
    first, last = price.tiers[0], price.tiers[-1]
    return first.start, format(last.price, "f")


def written(file: dict[str, Any]) -> str:
    """One model per line: a change of price is one line in a diff."""
    lines = ",\n".join("    " + json.dumps(model, ensure_ascii=False) for model in file["models"])
    return f'{{\n  "source": {json.dumps(file["source"])},\n  "models": [\n{lines}\n  ]\n}}\n'


def main() -> None:
    for path in sorted([*HERE.glob("models/*.json"), *HERE.glob("embeddings/*.json")]):
        file = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(written(refreshed(path.stem, file)), encoding="utf-8")


if __name__ == "__main__":
    main()
