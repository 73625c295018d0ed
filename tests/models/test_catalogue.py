"""The catalogue: enough models of each provider, prices that are today's, a ranking that names only what exists."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest

from workroom.identity.objects import KEY
from workroom.models import catalogue
from workroom.models.catalogue.refresh import HERE, refreshed, written
from workroom.models.types import Operation

FILES = sorted([*HERE.glob("models/*.json"), *HERE.glob("embeddings/*.json")])


@pytest.mark.requirement("C2")
@pytest.mark.parametrize(("provider", "least"), [("openai", 32), ("google", 22), ("anthropic", 8)])
def test_there_are_enough_models(provider: str, least: int) -> None:
    ids = catalogue.shipped().entries[provider]
    assert len(ids) >= least


@pytest.mark.requirement("C2")
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_prices_are_those_of_the_pinned_price_list(path: object) -> None:
    text = HERE.joinpath(str(path)).read_text(encoding="utf-8")
    assert text == written(refreshed(HERE.joinpath(str(path)).stem, json.loads(text))), "run catalogue/refresh.py"


@pytest.mark.parametrize("provider", catalogue.shipped().entries)
def test_every_entry_can_be_used(provider: str) -> None:
    for entry in catalogue.shipped().entries[provider].values():
        assert KEY.fullmatch(f"model.{provider}/{entry.id}"), "a rule must be able to speak of it"
        assert 0 < entry.output_tokens <= entry.context_tokens
        price = entry.price(date(2026, 11, 15))
        free = entry.id.startswith("gemma-")
        assert (price.input == 0) is free
        assert price.cached <= price.input <= price.output


@pytest.mark.parametrize("provider", catalogue.embedding_entries())
def test_every_embedding_model_can_be_used(provider: str) -> None:
    assert provider in catalogue.shipped().entries
    for entry in catalogue.embedding_entries()[provider]:
        assert KEY.fullmatch(f"model.{provider}/{entry.id}"), "a rule must be able to speak of it"
        assert catalogue.shipped().entry(provider, entry.id) is None, "nobody can talk to it"
        assert 0 < entry.dimensions <= 4_000, "an index takes no more"
        price = entry.price(date(2026, 11, 15))
        assert price.input > price.output == 0


def test_a_price_holds_from_its_day_on() -> None:
    entry = catalogue.shipped().entry("google", "gemini-4-argon")
    assert entry is not None
    assert entry.price(date(2026, 11, 30)).input == Decimal(2)
    assert entry.price(date(2026, 12, 1)).input == Decimal(4)


@pytest.mark.parametrize("operation", [Operation.AGENT, Operation.DATA_ANALYSE, Operation.VISION])
def test_the_ranking_names_models_that_exist(operation: Operation) -> None:
    ranked = catalogue.ranking()[operation]
    assert {ref.split("/")[0] for ref in ranked} == set(catalogue.shipped().entries)
    for ref in ranked:
        entry = catalogue.shipped().entry(*ref.split("/", 1))
        assert entry is not None, ref
        assert entry.tools, ref
        assert entry.images or operation is not Operation.VISION, ref
