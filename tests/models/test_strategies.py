"""Strategies: for exactly the models that have a price."""

from __future__ import annotations

import json

import pytest

from workroom.models.catalogue.entries import entries
from workroom.models.catalogue.refresh import HERE
from workroom.models.catalogue.strategies import (
    UNKNOWN,
    StrategyType,
    compared,
    disagreements,
    read,
    strategies,
    strategy,
)


@pytest.mark.requirement("C2")
def test_prices_and_strategies_have_the_same_ids() -> None:
    assert disagreements() == []
    for provider, known in entries().items():
        assert [entry.id for entry in known] == list(strategies()[provider]), (
            "in the same order, so that they are easy to compare"
        )


@pytest.mark.requirement("C2")
@pytest.mark.parametrize("provider", sorted(entries()))
def test_a_change_of_either_file_alone_is_noticed(provider: str) -> None:
    priced = {name: [entry.id for entry in known] for name, known in entries().items()}
    told = {name: list(known) for name, known in strategies().items()}
    for changed in (priced, told):
        gone = changed[provider].pop()
        (said,) = compared(priced, told)
        assert gone in said
        changed[provider].append(gone)
        changed[provider].append("gpt-made-up")
        (said,) = compared(priced, told)
        assert "gpt-made-up" in said
        changed[provider].pop()
    assert compared({**priced, "new": ["a"]}, told) == ["new/a has a price and no strategy"]


@pytest.mark.requirement("G4")
def test_every_type_is_used_and_models_nobody_described_have_one() -> None:
    used = {one.type for known in strategies().values() for one in known.values()}
    assert used == set(StrategyType)
    assert strategy("openai", "o3").type is StrategyType.REASONING
    assert strategy("google", "gemini-2.5-flash-lite").type is StrategyType.GOOGLE_LITE
    assert strategy("endpoint", "llama") is UNKNOWN


@pytest.mark.parametrize(
    "change",
    [
        {"type": "gpt-super"},
        {"agentSwitchTemplate": "shouting"},
        {"assertiveness": "extreme"},
        {"contextualMemory": ""},
        {"specialHandling": ["magic"]},
    ],
)
def test_what_is_not_known_is_refused(change: dict[str, object]) -> None:
    stored = json.loads((HERE / "strategies" / "openai.json").read_text("utf-8"))
    stored["strategies"][0]["strategy"] |= change
    with pytest.raises(ValueError, match="is not a valid"):
        read(json.dumps(stored))


def test_nothing_is_said_twice() -> None:
    stored = json.loads((HERE / "strategies" / "openai.json").read_text("utf-8"))
    stored["strategies"].append(stored["strategies"][0])
    with pytest.raises(ValueError, match="twice"):
        read(json.dumps(stored))
