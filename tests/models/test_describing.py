"""What is entered about models: everything that is wrong is told, with where; what is right is read as the files are."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.models.catalogue_files import Files, shipped_files
from workroom.models.catalogue import shipped
from workroom.models.describing import MOST_PROBLEMS, Examination, Fault, Part, Problem

Spoil = Callable[[Files], Any]


def problems(files: Files) -> list[Problem]:
    examination = Examination()
    examination.files(files.provider, json.dumps(files.prices), json.dumps(files.strategies))
    return examination.problems


@pytest.mark.requirement("C2")
@pytest.mark.parametrize("provider", shipped().entries)
def test_the_shipped_files_are_fine(provider: str) -> None:
    files, examination = shipped_files(provider), Examination()
    found = examination.files(provider, json.dumps(files.prices), json.dumps(files.strategies))
    assert examination.problems == []
    assert list(found) == list(shipped().entries[provider])
    assert all(found[model] == shipped().described(provider, model) for model in found)


WRONG: list[tuple[Spoil, Part, str, Fault]] = [
    (lambda f: f.models[0].pop("label"), Part.PRICES, "label", Fault.MISSING),
    (lambda f: f.models[0].update(colour="red"), Part.PRICES, "colour", Fault.UNKNOWN_FIELD),
    (lambda f: f.models[0].update({"\ud800": 1}), Part.PRICES, "?", Fault.UNKNOWN_FIELD),
    (lambda f: f.models[0].update(label=" "), Part.PRICES, "label", Fault.LABEL),
    (lambda f: f.models[0].update(label="x" * 201), Part.PRICES, "label", Fault.LABEL),
    (lambda f: f.models[0].update(label="a\nb"), Part.PRICES, "label", Fault.LABEL),
    (lambda f: f.models[0].update(contextTokens=0), Part.PRICES, "contextTokens", Fault.TOKENS),
    (lambda f: f.models[0].update(contextTokens=True), Part.PRICES, "contextTokens", Fault.TOKENS),
    (lambda f: f.models[0].update(outputTokens=1.5), Part.PRICES, "outputTokens", Fault.TOKENS),
    (lambda f: f.models[0].update(contextTokens=9, outputTokens=10), Part.PRICES, "outputTokens", Fault.WINDOW),
    (lambda f: f.models[0].update(tools="yes"), Part.PRICES, "tools", Fault.SHAPE),
    (lambda f: f.models[0].update(prices=[]), Part.PRICES, "prices", Fault.NONE),
    (lambda f: f.models[0].update(prices={}), Part.PRICES, "prices", Fault.SHAPE),
    (lambda f: f.models[0].update(prices=[7]), Part.PRICES, "prices[0]", Fault.SHAPE),
    (lambda f: f.models[0]["prices"][0].update(input="-1"), Part.PRICES, "prices[0].input", Fault.AMOUNT),
    (lambda f: f.models[0]["prices"][0].update(input="NaN"), Part.PRICES, "prices[0].input", Fault.AMOUNT),
    (lambda f: f.models[0]["prices"][0].update(output="Infinity"), Part.PRICES, "prices[0].output", Fault.AMOUNT),
    (lambda f: f.models[0]["prices"][0].update(output="1000000.1"), Part.PRICES, "prices[0].output", Fault.AMOUNT),
    (lambda f: f.models[0]["prices"][0].update(cached=0.1), Part.PRICES, "prices[0].cached", Fault.AMOUNT),
    (lambda f: f.models[0]["prices"][0].update(since="2026-01-01"), Part.PRICES, "prices[0].since", Fault.SINCE),
    (
        lambda f: f.models[0]["prices"].append({"input": "1", "output": "1", "since": "2026-02-30"}),
        Part.PRICES,
        "prices[1].since",
        Fault.SINCE,
    ),
    (
        lambda f: f.models[0]["prices"].append({"input": "1", "output": "1"}),
        Part.PRICES,
        "prices[1].since",
        Fault.SINCE,
    ),
    (
        lambda f: f.models[0]["prices"][0]["longPrompt"].update(above=-1),
        Part.PRICES,
        "prices[0].longPrompt.above",
        Fault.TOKENS,
    ),
    (lambda f: f.told[0]["strategy"].update(type="gpt-super"), Part.STRATEGIES, "strategy.type", Fault.UNKNOWN_VALUE),
    (lambda f: f.told[0]["strategy"].update(type=[]), Part.STRATEGIES, "strategy.type", Fault.UNKNOWN_VALUE),
    (lambda f: f.told[0]["strategy"].pop("assertiveness"), Part.STRATEGIES, "strategy.assertiveness", Fault.MISSING),
    (
        lambda f: f.told[0]["strategy"].update(specialHandling=["magic"]),
        Part.STRATEGIES,
        "strategy.specialHandling[0]",
        Fault.UNKNOWN_VALUE,
    ),
    (
        lambda f: f.told[0]["strategy"].update(specialHandling="magic"),
        Part.STRATEGIES,
        "strategy.specialHandling",
        Fault.SHAPE,
    ),
    (lambda f: f.told[0].update(note="x"), Part.STRATEGIES, "note", Fault.UNKNOWN_FIELD),
    (lambda f: f.prices.update(more=1), Part.PRICES, "more", Fault.UNKNOWN_FIELD),
    (lambda f: f.models.append(dict(f.models[0])), Part.PRICES, "models[{}]", Fault.TWICE),
    (lambda f: f.told.append(dict(f.told[0])), Part.STRATEGIES, "strategies[{}]", Fault.TWICE),
    (lambda f: f.models.append({"label": "x"}), Part.PRICES, "models[{}]", Fault.SHAPE),
    (lambda f: f.strategies["strategies"].append([]), Part.STRATEGIES, "strategies[{}]", Fault.SHAPE),
    (lambda f: f.told.pop(), Part.PRICES, "", Fault.NO_STRATEGY),
    (lambda f: f.models.pop(), Part.STRATEGIES, "", Fault.NO_PRICE),
    (lambda f: f.add("a name"), Part.PRICES, "id", Fault.NAME),
    (lambda f: f.add("text-embedding-3-small"), Part.PRICES, "id", Fault.VECTORS),
    (lambda f: f.prices.update(models={}), Part.PRICES, "models", Fault.SHAPE),
    (lambda f: f.prices.update(models=[]), Part.PRICES, "models", Fault.NONE),
    (lambda f: f.add_many(500), Part.PRICES, "models", Fault.TOO_MANY),
]


@pytest.mark.requirement("C2")
@pytest.mark.parametrize(("spoil", "part", "field", "fault"), WRONG)
def test_what_is_wrong_is_told_with_where(spoil: Spoil, part: Part, field: str, fault: Fault) -> None:
    files = shipped_files()
    last = len(files.models)
    spoil(files)
    found = [(one.place.part, one.place.field, one.fault) for one in problems(files)]
    assert (part, field.format(last), fault) in found
    assert len(found) == (2 if fault is Fault.TOO_MANY else 1), found


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "1" * 5_000, '{"a": 1}}', "\x00"])
def test_what_is_no_json_is_told_of_each_file(text: str) -> None:
    files = shipped_files()
    for prices, strategies, part in (
        (text, json.dumps(files.strategies), Part.PRICES),
        (json.dumps(files.prices), text, Part.STRATEGIES),
    ):
        examination = Examination()
        assert examination.files("openai", prices, strategies) == {}
        assert [(one.place.part, one.fault) for one in examination.problems] == [(part, Fault.NOT_JSON)]


@pytest.mark.requirement("C2")
def test_everything_is_told_at_once_and_not_without_end() -> None:
    files = shipped_files()
    files.models[0].update(tools=1, images=2)
    files.models[1]["prices"][0]["input"] = "much"
    files.told[2]["strategy"]["type"] = "none"
    assert len(problems(files)) == 4
    for entry in files.models:
        entry.update(tools=1, images=2, label=3)
    assert len(problems(files)) == MOST_PROBLEMS
    assert problems(files)[1].message == "Something else belongs here: true | false."


def test_one_model_is_checked_in_the_same_way() -> None:
    files, examination = shipped_files(), Examination()
    fine = examination.described("openai", "gpt-5", files.described("gpt-5"))
    assert fine == shipped().described("openai", "gpt-5")
    assert examination.problems == []
    wrong: list[Any] = [{}, [], {"entry": None, "strategy": None}, files.described("gpt-5") | {"more": 1}]
    for stored in wrong:
        noted = Examination()
        noted.described("openai", "gpt-5", stored)
        assert noted.problems, stored
    assert examination.described("openai", "gpt-6", files.described("gpt-5")) is not None
    assert [one.fault for one in examination.problems] == [Fault.OTHER_NAME]
