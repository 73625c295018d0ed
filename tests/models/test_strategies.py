"""Strategies: for exactly the models that have a price."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import pytest

from workroom.models.catalogue import Lack, shipped
from workroom.models.catalogue.catalogue import load
from workroom.models.catalogue.entries import read_entries
from workroom.models.catalogue.refresh import HERE
from workroom.models.catalogue.strategies import UNKNOWN, StrategyType, read_strategies

FILES = {"models": ("models", "id", Lack.PRICE), "strategies": ("strategies", "modelId", Lack.STRATEGY)}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A copy of those we ship, to be spoilt."""
    for folder in FILES:
        shutil.copytree(HERE / folder, tmp_path / folder)
    return tmp_path


@pytest.mark.requirement("C2")
def test_prices_and_strategies_have_the_same_ids() -> None:
    assert shipped().disagreements() == []
    for provider, known in shipped().entries.items():
        assert list(known) == list(shipped().strategies[provider]), (
            "in the same order, so that they are easy to compare"
        )


@pytest.mark.requirement("C2")
@pytest.mark.parametrize("folder", FILES)
@pytest.mark.parametrize("provider", sorted(shipped().entries))
def test_a_change_of_either_file_alone_is_noticed_at_load(
    files: Path, folder: str, provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    name, key, lacks = FILES[folder]
    path = files / folder / f"{provider}.json"
    stored = json.loads(path.read_text("utf-8"))
    gone = stored[name].pop(0)[key]
    path.write_text(json.dumps(stored), "utf-8")
    with caplog.at_level(logging.ERROR):
        found = load(files)
    assert [(one.provider, one.model, one.lacks) for one in found.disagreements()] == [(provider, gone, lacks)]
    (told,) = caplog.messages
    assert f"{provider}/{gone} has a " in told
    assert told.endswith(f" and no {lacks}.")
    assert found.strategy(provider, gone) is UNKNOWN or lacks is Lack.PRICE, "it can be used nevertheless"


@pytest.mark.requirement("C2")
def test_a_provider_in_one_folder_only_is_noticed_too(files: Path) -> None:
    (files / "strategies" / "google.json").unlink()
    found = load(files).disagreements()
    assert len(found) == len(shipped().entries["google"])
    assert {one.lacks for one in found} == {Lack.STRATEGY}


def test_files_that_agree_say_nothing(files: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert load(files) == shipped()
    assert caplog.messages == []


@pytest.mark.requirement("G4")
def test_every_type_is_used_and_models_nobody_described_have_one() -> None:
    used = {one.type for known in shipped().strategies.values() for one in known.values()}
    assert used == set(StrategyType)
    assert shipped().strategy("openai", "o3").type is StrategyType.REASONING
    assert shipped().strategy("google", "gemini-2.5-flash-lite").type is StrategyType.GOOGLE_LITE
    assert shipped().strategy("endpoint", "llama") is UNKNOWN


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
        read_strategies(json.dumps(stored))


def test_nothing_is_said_twice() -> None:
    for folder, (name, _, _) in FILES.items():
        stored = json.loads((HERE / folder / "openai.json").read_text("utf-8"))
        stored[name].append(stored[name][0])
        with pytest.raises(ValueError, match="twice"):
            read_strategies(json.dumps(stored)) if folder == "strategies" else read_entries(
                "openai", json.dumps(stored)
            )
