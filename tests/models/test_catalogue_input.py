"""What is entered about models: everything that is wrong is told, with where; what is right is read as the files are."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.models.catalogue_files import Files, shipped_files
from workroom.models.catalogue import shipped
from workroom.models.catalogue_input import MOST_PROBLEMS, Examination, InputFault, InputPart, InputProblem

Spoil = Callable[[Files], Any]


def problems(files: Files) -> list[InputProblem]:
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


WRONG: list[tuple[Spoil, InputPart, str, InputFault]] = [
    (lambda f: f.models[0].pop("label"), InputPart.PRICES, "label", InputFault.MISSING),
    (lambda f: f.models[0].update(colour="red"), InputPart.PRICES, "colour", InputFault.UNKNOWN_FIELD),
    (lambda f: f.models[0].update({"\ud800": 1}), InputPart.PRICES, "?", InputFault.UNKNOWN_FIELD),
    (lambda f: f.models[0].update(label=" "), InputPart.PRICES, "label", InputFault.LABEL),
    (lambda f: f.models[0].update(label="x" * 201), InputPart.PRICES, "label", InputFault.LABEL),
    (lambda f: f.models[0].update(label="a\nb"), InputPart.PRICES, "label", InputFault.LABEL),
    (lambda f: f.models[0].update(contextTokens=0), InputPart.PRICES, "contextTokens", InputFault.TOKENS),
    (lambda f: f.models[0].update(contextTokens=True), InputPart.PRICES, "contextTokens", InputFault.TOKENS),
    (lambda f: f.models[0].update(outputTokens=1.5), InputPart.PRICES, "outputTokens", InputFault.TOKENS),
    (
        lambda f: f.models[0].update(contextTokens=9, outputTokens=10),
        InputPart.PRICES,
        "outputTokens",
        InputFault.WINDOW,
    ),
    (lambda f: f.models[0].update(tools="yes"), InputPart.PRICES, "tools", InputFault.SHAPE),
    (lambda f: f.models[0].update(prices=[]), InputPart.PRICES, "prices", InputFault.NONE),
    (lambda f: f.models[0].update(prices={}), InputPart.PRICES, "prices", InputFault.SHAPE),
    (lambda f: f.models[0].update(prices=[7]), InputPart.PRICES, "prices[0]", InputFault.SHAPE),
    (lambda f: f.models[0]["prices"][0].update(input="-1"), InputPart.PRICES, "prices[0].input", InputFault.AMOUNT),
    (lambda f: f.models[0]["prices"][0].update(input="NaN"), InputPart.PRICES, "prices[0].input", InputFault.AMOUNT),
    (
        lambda f: f.models[0]["prices"][0].update(output="Infinity"),
        InputPart.PRICES,
        "prices[0].output",
        InputFault.AMOUNT,
    ),
    (
        lambda f: f.models[0]["prices"][0].update(output="1000000.1"),
        InputPart.PRICES,
        "prices[0].output",
        InputFault.AMOUNT,
    ),
    (lambda f: f.models[0]["prices"][0].update(cached=0.1), InputPart.PRICES, "prices[0].cached", InputFault.AMOUNT),
    (
        lambda f: f.models[0]["prices"][0].update(since="2026-01-01"),
        InputPart.PRICES,
        "prices[0].since",
        InputFault.SINCE,
    ),
    (
        lambda f: f.models[0]["prices"].append({"input": "1", "output": "1", "since": "2026-02-30"}),
        InputPart.PRICES,
        "prices[1].since",
        InputFault.SINCE,
    ),
    (
        lambda f: f.models[0]["prices"].append({"input": "1", "output": "1"}),
        InputPart.PRICES,
        "prices[1].since",
        InputFault.SINCE,
    ),
    (
        lambda f: f.models[0]["prices"][0]["longPrompt"].update(above=-1),
        InputPart.PRICES,
        "prices[0].longPrompt.above",
        InputFault.TOKENS,
    ),
    (
        lambda f: f.told[0]["strategy"].update(type="gpt-super"),
        InputPart.STRATEGIES,
        "strategy.type",
        InputFault.UNKNOWN_VALUE,
    ),
    (lambda f: f.told[0]["strategy"].update(type=[]), InputPart.STRATEGIES, "strategy.type", InputFault.UNKNOWN_VALUE),
    (
        lambda f: f.told[0]["strategy"].pop("assertiveness"),
        InputPart.STRATEGIES,
        "strategy.assertiveness",
        InputFault.MISSING,
    ),
    (
        lambda f: f.told[0]["strategy"].update(specialHandling=["magic"]),
        InputPart.STRATEGIES,
        "strategy.specialHandling[0]",
        InputFault.UNKNOWN_VALUE,
    ),
    (
        lambda f: f.told[0]["strategy"].update(specialHandling="magic"),
        InputPart.STRATEGIES,
        "strategy.specialHandling",
        InputFault.SHAPE,
    ),
    (lambda f: f.told[0].update(note="x"), InputPart.STRATEGIES, "note", InputFault.UNKNOWN_FIELD),
    (lambda f: f.prices.update(more=1), InputPart.PRICES, "more", InputFault.UNKNOWN_FIELD),
    (lambda f: f.models.append(dict(f.models[0])), InputPart.PRICES, "models[{}]", InputFault.TWICE),
    (lambda f: f.told.append(dict(f.told[0])), InputPart.STRATEGIES, "strategies[{}]", InputFault.TWICE),
    (lambda f: f.models.append({"label": "x"}), InputPart.PRICES, "models[{}]", InputFault.SHAPE),
    (lambda f: f.strategies["strategies"].append([]), InputPart.STRATEGIES, "strategies[{}]", InputFault.SHAPE),
    (lambda f: f.told.pop(), InputPart.PRICES, "", InputFault.NO_STRATEGY),
    (lambda f: f.models.pop(), InputPart.STRATEGIES, "", InputFault.NO_PRICE),
    (lambda f: f.add("a name"), InputPart.PRICES, "id", InputFault.NAME),
    (lambda f: f.add("text-embedding-3-small"), InputPart.PRICES, "id", InputFault.VECTORS),
    (lambda f: f.prices.update(models={}), InputPart.PRICES, "models", InputFault.SHAPE),
    (lambda f: f.prices.update(models=[]), InputPart.PRICES, "models", InputFault.NONE),
    (lambda f: f.add_many(500), InputPart.PRICES, "models", InputFault.TOO_MANY),
]


@pytest.mark.requirement("C2")
@pytest.mark.parametrize(("spoil", "part", "field", "fault"), WRONG)
def test_what_is_wrong_is_told_with_where(spoil: Spoil, part: InputPart, field: str, fault: InputFault) -> None:
    files = shipped_files()
    last = len(files.models)
    spoil(files)
    found = [(one.place.part, one.place.field, one.fault) for one in problems(files)]
    assert (part, field.format(last), fault) in found
    assert len(found) == (2 if fault is InputFault.TOO_MANY else 1), found


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "1" * 5_000, '{"a": 1}}', "\x00"])
def test_what_is_no_json_is_told_of_each_file(text: str) -> None:
    files = shipped_files()
    for prices, strategies, part in (
        (text, json.dumps(files.strategies), InputPart.PRICES),
        (json.dumps(files.prices), text, InputPart.STRATEGIES),
    ):
        examination = Examination()
        assert examination.files("openai", prices, strategies) == {}
        assert [(one.place.part, one.fault) for one in examination.problems] == [(part, InputFault.NOT_JSON)]


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
    assert [one.fault for one in examination.problems] == [InputFault.OTHER_NAME]
