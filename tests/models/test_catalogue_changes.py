"""The catalogue as a value: changes and their opposites, and the JSON of both."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workroom.models.catalogue import Catalogue, CatalogueChange, ModelDescription, shipped
from workroom.models.catalogue.strategies import UNKNOWN

KNOWN = [(provider, model) for provider, models in shipped().entries.items() for model in models][::9]
NEW = [(provider, f"new-{n}") for provider in shipped().entries for n in range(2)]


def in_order(catalogue: Catalogue) -> list[object]:
    """Two catalogues are the same when also the order is."""
    return [
        [(provider, list(models.items())) for provider, models in part.items()]
        for part in (catalogue.entries, catalogue.strategies)
    ]


def described(provider: str, model: str, price: Decimal) -> ModelDescription:
    known = next(iter(shipped().entries[provider].values()))
    listed = replace(known.prices[0], input=price)
    return ModelDescription(replace(known, id=model, prices=(listed,)), UNKNOWN)


wanted = some.dictionaries(
    some.sampled_from(KNOWN + NEW), some.none() | some.decimals(0, 1_000, places=3), min_size=1, max_size=6
)


def changes(catalogue: Catalogue, states: dict[tuple[str, str], Decimal | None]) -> list[CatalogueChange]:
    return [
        CatalogueChange(*ref, catalogue.described(*ref), None if price is None else described(*ref, price))
        for ref, price in states.items()
    ]


@pytest.mark.requirement("C2")
@given(some.lists(wanted, max_size=3), wanted)
def test_to_change_and_to_undo_gives_the_same_catalogue(
    before: list[dict[tuple[str, str], Decimal | None]], last: dict[tuple[str, str], Decimal | None]
) -> None:
    history: list[CatalogueChange] = []
    for states in before:
        history += changes(shipped().changed(history), states)
    found = shipped().changed(history)
    made = changes(found, last)
    changed = shipped().changed([*history, *made])
    for change in made:
        assert changed.described(change.provider, change.model) == change.after
    undone = shipped().changed([*history, *made, *(change.inverse for change in made)])
    assert in_order(undone) == in_order(found)
    assert changed.disagreements() == []


@given(wanted)
def test_what_is_stored_is_read_as_it_was(states: dict[tuple[str, str], Decimal | None]) -> None:
    for change in changes(shipped(), states):
        assert CatalogueChange.read(json.loads(json.dumps(change.stored()))) == change


def test_an_entry_whose_strategy_was_forgotten_can_be_stored_and_put_back() -> None:
    found = shipped().described("openai", "gpt-5")
    assert found is not None
    forgotten = CatalogueChange("openai", "gpt-5", found, replace(found, strategy=None))
    changed = shipped().changed([CatalogueChange.read(forgotten.stored())])
    assert [str(one) for one in changed.disagreements()] == ["openai/gpt-5 has a price and no strategy"]
    assert changed.strategy("openai", "gpt-5") is UNKNOWN
    assert shipped().changed([forgotten, forgotten.inverse]).disagreements() == []
