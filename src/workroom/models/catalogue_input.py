"""What people enter about models of the catalogue, checked: one description, or a provider's two files. Pure.

Everything that is wrong is told at once, with where it is, so that a file is mended in one go. What is told names places and
what belongs there, in signs rather than words, since the pages say it in the reader's language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

from workroom.models.catalogue import Entry, ModelDescription, embedding_entry
from workroom.models.catalogue.strategies import Degree, Handling, StrategyType, SwitchStrategy, Template
from workroom.models.price_list import DEAREST
from workroom.models.provider_input import MODEL, MOST_MODELS, MOST_TOKENS

MOST_PROBLEMS = 100
LONGEST_LABEL = 200
LONGEST_NAME = 200  # of what is told of a place
MOST_PRICES = 50
AMOUNT = re.compile(r"[0-9]{1,7}(\.[0-9]{1,9})?")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
LABEL = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]*[^\s\x00-\x1f\x7f\ud800-\udfff][^\x00-\x1f\x7f\ud800-\udfff]*")


class InputPart(StrEnum):
    """Where: in which of the two files, or in a description that was entered."""

    PRICES = "prices"
    STRATEGIES = "strategies"
    ENTERED = "entered"


class InputFault(StrEnum):
    NOT_JSON = "notJson"
    SHAPE = "shape"  # something else belongs here
    UNKNOWN_FIELD = "unknownField"
    MISSING = "missing"
    UNKNOWN_VALUE = "unknownValue"
    TWICE = "twice"
    NO_STRATEGY = "noStrategy"
    NO_PRICE = "noPrice"
    AMOUNT = "amount"
    TOKENS = "tokens"
    WINDOW = "window"  # it would write more than it reads
    NAME = "name"
    OTHER_NAME = "otherName"  # it is about another model than the one that was named
    LABEL = "label"
    SINCE = "since"
    VECTORS = "vectors"  # it is an embedding model: it does not chat
    NONE = "none"  # an empty list
    TOO_MANY = "tooMany"


SAID = {
    InputFault.NOT_JSON: "This is not JSON",
    InputFault.SHAPE: "Something else belongs here",
    InputFault.UNKNOWN_FIELD: "There is no such field",
    InputFault.MISSING: "A field is missing",
    InputFault.UNKNOWN_VALUE: "This value is not known",
    InputFault.TWICE: "This model is there twice",
    InputFault.NO_STRATEGY: "This model has a price and no strategy",
    InputFault.NO_PRICE: "This model has a strategy and no price",
    InputFault.AMOUNT: "A price is an amount in dollars, written as text",
    InputFault.TOKENS: "A number of tokens is a whole number",
    InputFault.WINDOW: "A model cannot write more than it reads",
    InputFault.NAME: "The name of a model has letters, digits and . _ : / @ + - in it",
    InputFault.OTHER_NAME: "This is about another model than the one that was named",
    InputFault.LABEL: f"A label has 1 to {LONGEST_LABEL} characters",
    InputFault.SINCE: "The first price has no day; those after it have one each, the earlier first",
    InputFault.VECTORS: "This model makes vectors; it cannot be talked to",
    InputFault.NONE: "There must be something in this list",
    InputFault.TOO_MANY: "There are too many",
}


@dataclass(frozen=True)
class InputLocation:
    part: InputPart
    model: str = ""
    field: str = ""

    def of(self, name: str) -> InputLocation:
        return replace(self, field=f"{self.field}.{name}" if self.field else name)

    def at(self, index: int) -> InputLocation:
        return replace(self, field=f"{self.field}[{index}]")


@dataclass(frozen=True)
class InputProblem:
    """`expected` says what belongs there, as it would be written."""

    place: InputLocation
    fault: InputFault
    expected: str = ""

    @property
    def message(self) -> str:
        return SAID[self.fault] + (f": {self.expected}." if self.expected else ".")


class Examination:
    """Looks at JSON and notes what is wrong with it; what it answers may be used when it has noted nothing."""

    def __init__(self) -> None:
        self.problems: list[InputProblem] = []

    def note(self, place: InputLocation, fault: InputFault, expected: str = "") -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(
                InputProblem(replace(place, model=_shown(place.model), field=_shown(place.field)), fault, expected)
            )

    def files(self, provider: str, prices: str, strategies: str) -> Mapping[str, ModelDescription]:
        """A provider's two files: the same models in both."""
        entries = self._listed(InputLocation(InputPart.PRICES), prices, "models", "id", {"source"})
        told = self._listed(InputLocation(InputPart.STRATEGIES), strategies, "strategies", "modelId", set())
        for model in entries:
            if told and model not in told:
                self.note(InputLocation(InputPart.PRICES, model), InputFault.NO_STRATEGY)
        for model in told:
            if entries and model not in entries:
                self.note(InputLocation(InputPart.STRATEGIES, model), InputFault.NO_PRICE)
        found = {}
        for model, stored in entries.items():
            entry = self._entry(InputLocation(InputPart.PRICES, model), provider, stored)
            if model in told and self._has(
                InputLocation(InputPart.STRATEGIES, model), told[model], ("modelId", "strategy")
            ):
                strategy = self._strategy(
                    InputLocation(InputPart.STRATEGIES, model, "strategy"), told[model]["strategy"]
                )
                if entry and strategy:
                    found[model] = ModelDescription(entry, strategy)
        return found

    def described(self, provider: str, model: str, stored: Any) -> ModelDescription | None:
        """One model, as it was entered."""
        place = InputLocation(InputPart.ENTERED, model)
        if not self._has(place, stored, ("entry", "strategy")):
            return None
        entry = self._entry(place.of("entry"), provider, stored["entry"])
        strategy = self._strategy(place.of("strategy"), stored["strategy"])
        if entry and entry.id != model:
            self.note(place.of("entry.id"), InputFault.OTHER_NAME)
        return ModelDescription(entry, strategy) if entry and strategy else None

    def _listed(self, place: InputLocation, text: str, name: str, key: str, more: Collection[str]) -> Mapping[str, Any]:
        """The list of a file, by model. A model there twice counts once."""
        try:
            stored = json.loads(text)
        except RecursionError:
            self.note(place, InputFault.NOT_JSON)
            return {}
        except json.JSONDecodeError as error:
            self.note(place, InputFault.NOT_JSON, f"{error.lineno}:{error.colno}")
            return {}
        except ValueError:  # a number of thousands of digits
            self.note(place, InputFault.NOT_JSON)
            return {}
        if not self._has(place, stored, (name,), more) or not self._is_list(place.of(name), stored[name], MOST_MODELS):
            return {}
        found: dict[str, Any] = {}
        for index, one in enumerate(stored[name]):
            here = place.of(name).at(index)
            if not isinstance(one, dict) or not isinstance(one.get(key), str):
                self.note(here, InputFault.SHAPE, f'{{"{key}": "…"}}')
            elif one[key] in found:
                self.note(replace(here, model=one[key]), InputFault.TWICE)
            else:
                found[one[key]] = one
        return found

    def _entry(self, place: InputLocation, provider: str, stored: Any) -> Entry | None:
        before = len(self.problems)
        fields = ("id", "label", "contextTokens", "outputTokens", "tools", "images", "prices")
        if not self._has(place, stored, fields):
            return None
        if not isinstance(stored["id"], str) or not MODEL.fullmatch(stored["id"]):
            self.note(place.of("id"), InputFault.NAME)
        elif embedding_entry(provider, stored["id"]) is not None:
            self.note(place.of("id"), InputFault.VECTORS)
        label = stored["label"]
        if not isinstance(label, str) or len(label) > LONGEST_LABEL or not LABEL.fullmatch(label):
            self.note(place.of("label"), InputFault.LABEL)
        sizes = [self._tokens(place.of(name), stored[name]) for name in ("contextTokens", "outputTokens")]
        if all(sizes) and stored["outputTokens"] > stored["contextTokens"]:
            self.note(place.of("outputTokens"), InputFault.WINDOW, f"1 … {stored['contextTokens']}")
        for name in ("tools", "images"):
            if not isinstance(stored[name], bool):
                self.note(place.of(name), InputFault.SHAPE, "true | false")
        self._prices(place.of("prices"), stored["prices"])
        return Entry.read(provider, stored) if len(self.problems) == before < MOST_PROBLEMS else None

    def _prices(self, place: InputLocation, stored: Any) -> None:
        if not self._is_list(place, stored, MOST_PRICES):
            return
        last = date.min
        for index, price in enumerate(stored):
            here = place.at(index)
            if not self._amounts(here, price, {"since", "longPrompt"}):
                continue
            since = _day(price["since"]) if "since" in price else None
            if (since is None) != (index == 0) or ("since" in price and (since is None or since <= last)):
                self.note(here.of("since"), InputFault.SINCE, '"2026-12-31"' if index else "")
            last = since or last
            long = price.get("longPrompt")
            if "longPrompt" in price and self._amounts(here.of("longPrompt"), long, set(), ("above",)):
                self._tokens(here.of("longPrompt.above"), long["above"])

    def _amounts(self, place: InputLocation, stored: Any, more: Collection[str], needed: Sequence[str] = ()) -> bool:
        if not self._has(place, stored, ("input", "output", *needed), {"cached", "written", *more}):
            return False
        for name in ("input", "cached", "written", "output"):
            amount = stored.get(name)
            if name in stored and not (
                isinstance(amount, str) and AMOUNT.fullmatch(amount) and Decimal(amount) <= DEAREST
            ):
                self.note(place.of(name), InputFault.AMOUNT, f'"0" … "{DEAREST}"')
        return True

    def _strategy(self, place: InputLocation, stored: Any) -> SwitchStrategy | None:
        before = len(self.problems)
        kinds: Mapping[str, type[StrEnum]] = {
            "type": StrategyType,
            "agentSwitchTemplate": Template,
            "assertiveness": Degree,
            "contextualMemory": Degree,
        }
        if not self._has(place, stored, (*kinds, "specialHandling")):
            return None
        for name, kind in kinds.items():
            self._one_of(place.of(name), stored[name], kind)
        if not isinstance(stored["specialHandling"], list):
            self.note(place.of("specialHandling"), InputFault.SHAPE, "[…]")
        else:
            for index, name in enumerate(stored["specialHandling"]):
                self._one_of(place.of("specialHandling").at(index), name, Handling)
        return SwitchStrategy.read(stored) if len(self.problems) == before < MOST_PROBLEMS else None

    def _one_of(self, place: InputLocation, stored: Any, kind: type[StrEnum]) -> None:
        if not isinstance(stored, str) or stored not in list(kind):
            self.note(place, InputFault.UNKNOWN_VALUE, " | ".join(f'"{value}"' for value in kind))

    def _tokens(self, place: InputLocation, stored: Any) -> bool:
        fine = isinstance(stored, int) and not isinstance(stored, bool) and 1 <= stored <= MOST_TOKENS
        if not fine:
            self.note(place, InputFault.TOKENS, f"1 … {MOST_TOKENS}")
        return fine

    def _is_list(self, place: InputLocation, stored: Any, most: int) -> bool:
        if not isinstance(stored, list):
            self.note(place, InputFault.SHAPE, "[…]")
        elif not stored:
            self.note(place, InputFault.NONE)
        elif len(stored) > most:
            self.note(place, InputFault.TOO_MANY, f"1 … {most}")
        else:
            return True
        return False

    def _has(self, place: InputLocation, stored: Any, needed: Sequence[str], more: Collection[str] = ()) -> bool:
        """Whether all that is needed is there; what is neither needed nor allowed is noted."""
        if not isinstance(stored, dict):
            self.note(place, InputFault.SHAPE, "{…}")
            return False
        for name in stored:
            if name not in needed and name not in more:
                self.note(place.of(str(name)), InputFault.UNKNOWN_FIELD)
        missing = [name for name in needed if name not in stored]
        for name in missing:
            self.note(place.of(name), InputFault.MISSING)
        return not missing


def _shown(name: str) -> str:
    """Short, and nothing that cannot be sent."""
    return name[:LONGEST_NAME].encode("utf-8", "replace").decode("utf-8")


def _day(stored: Any) -> date | None:
    if not isinstance(stored, str) or not DAY.fullmatch(stored):
        return None
    try:
        return date.fromisoformat(stored)
    except ValueError:
        return None
