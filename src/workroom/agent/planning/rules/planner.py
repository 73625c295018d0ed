"""From a request to a plan, without a language model. What is understood is planned; what is not is asked about, with examples of
what can be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from workroom.agent.planning.intents import QUESTION, Intent
from workroom.agent.planning.ports import NO_NAMES, KnownNames
from workroom.agent.planning.rules import slots, vocabulary
from workroom.agent.planning.rules.doubts import Doubts
from workroom.agent.planning.rules.machine import Machine, Meaning, machine
from workroom.agent.planning.rules.matching import Matching, ParsedPart, TooMuch
from workroom.agent.planning.rules.words import WordKind, WordReading, read
from workroom.core import texts
from workroom.core.map_actions import SetView
from workroom.core.messages import Message
from workroom.core.plans import MOST_STEPS, Plan, PlannedResult, PlannedStep

FEW, SOME = 3, 6  # examples
LONGEST_REST = 80  # characters of what was not understood


def plan_by_rules(
    text: str,
    intents: Sequence[Intent],
    request_id: str,
    language: str,
    history: Sequence[Message] = (),
    names: KnownNames = NO_NAMES,
) -> Plan:
    """`history` are the messages before this one: the place that was shown last is `here`."""
    phrases = machine(intents)
    reading = read(text, vocabulary.joins(language), phrases.endings)
    return Plan(request_id=request_id, steps=_Planning(phrases, reading, intents, language, history, names).steps())


def understands_nothing(text: str, intents: Sequence[Intent], language: str, names: KnownNames = NO_NAMES) -> bool:
    """Whether it asks for something, and no part of it is anything the rules know."""
    phrases = machine(intents)
    reading = read(text, vocabulary.joins(language), phrases.endings)
    try:
        parts = Matching(phrases, reading, names).parts()
    except TooMuch:
        return False
    return bool(parts) and all(part.meaning is None for part in parts)


@dataclass
class _Planning:
    machine: Machine
    reading: WordReading
    intents: Sequence[Intent]
    language: str
    history: Sequence[Message]
    names: KnownNames
    _steps: list[PlannedStep] = field(default_factory=list)
    _place: int | None = None  # the step that names the last place

    def steps(self) -> list[PlannedStep]:
        try:
            parts = Matching(self.machine, self.reading, self.names).parts()
        except TooMuch:
            self._add_question("long")
            return self._steps
        requests = [part for part in parts if part.meaning is None or part.meaning.intent.name != QUESTION.name]
        doubts = Doubts(parts, self.reading)
        for part in requests:
            self._add(part, doubts, alone=len(parts) == 1)
        if self.reading.cut:
            self._add_question("cut")
        if not self._steps:
            asked = any(word.kind is not WordKind.SOFT and not word.is_break for word in self.reading.words)
            self._answer(asked_for=bool(parts)) if asked else self._add_question("unclear", self._examples(FEW))
        return self._at_most()

    def _add(self, part: ParsedPart, doubts: Doubts, *, alone: bool) -> None:
        if part.meaning is None:
            return self._not_understood(part, alone=alone)
        slot_values = slots.slot_values(part, self.reading, self.machine.endings, self.names.places)
        if part.negated or not slot_values:
            return self._add_question("negated", self._examples(FEW))
        if part.meaning.intent.takes_away and doubts.about(part):
            return self._add_question("unsure", self._examples(1, [part.meaning.intent]))
        if part.meaning.intent.takes_away and doubts.is_only_asked(part):
            return self._steps.append(_text_step("ok", self._say("able", self._examples(1, [part.meaning.intent]))))
        for values in slot_values:
            self._add_step(part.meaning, values)
        return None

    def _add_step(self, meaning: Meaning, values: slots.Values) -> None:
        known = values
        if slots.needs_a_place(meaning.way, values):
            if (here := self._here()) is None:
                return self._add_question("where")
            known = {**values, **here}
        elif slots.names_a_place(values) and meaning.way.calls:
            self._place = len(self._steps)
        self._steps.append(PlannedStep(intent=meaning.intent.name, tool_calls=slots.calls(meaning.way, known)))
        return None

    def _here(self) -> slots.Values | None:
        if self._place is not None:
            return slots.from_step(self._place)
        shown = [action for message in self.history for step in message.steps for action in step.actions]
        views = [action.payload.get("center") for action in shown if action.type == SetView.name]
        match views[-1:]:
            case [[int() | float() as x, int() | float() as y]]:
                return {"x": x, "y": y}
        return None

    def _not_understood(self, part: ParsedPart, *, alone: bool) -> None:
        words = [word.text for word in self.reading.words[part.first : part.end] if word.kind is not WordKind.SOFT]
        rest = " ".join(words)
        if alone or not rest:
            return self._add_question("unclear", self._examples(FEW))
        cut = f"{rest[:LONGEST_REST]}…" if len(rest) > LONGEST_REST else rest
        return self._add_question("unclearPart", self._examples(FEW), rest=cut)

    def _add_question(self, key: str, examples: Sequence[str] = (), **values: str) -> None:
        text = self._say(key, examples, **values)
        if self._steps and self._steps[-1].result.message == text:
            return
        self._steps.append(_text_step("needs_clarification", text))

    def _answer(self, *, asked_for: bool) -> None:
        """Who only says thanks is not told again what can be said."""
        words = {word.folded for word in self.reading.words if word.kind is WordKind.WORD}
        thanked = not asked_for and words & vocabulary.single("thanks")
        self._steps.append(
            _text_step("ok", self._say("welcome") if thanked else self._say("can", self._examples(SOME)))
        )

    def _say(self, key: str, examples: Sequence[str] = (), **values: str) -> str:
        sentences = [texts.say(__package__, key, self.language, **values)]
        if examples:
            quoted = [texts.say(__package__, "quote", self.language, example=example) for example in examples]
            sentences.append(texts.say(__package__, "examples", self.language, examples=", ".join(quoted)))
        return " ".join(sentences)

    def _examples(self, most: int, intents: Sequence[Intent] | None = None) -> list[str]:
        wanted = self.intents if intents is None else intents
        return [example for intent in wanted if (example := self._example(intent))][:most]

    def _example(self, intent: Intent) -> str:
        if intent.name == QUESTION.name:
            return ""
        there = intent.examples
        return next((text for one, text in there.items() if one == self.language), "") or there.get(
            "en", next(iter(there.values()), "")
        )

    def _at_most(self) -> list[PlannedStep]:
        if len(self._steps) <= MOST_STEPS:
            return self._steps
        return [*self._steps[: MOST_STEPS - 1], _text_step("needs_clarification", self._say("many"))]


def _text_step(status: Literal["ok", "needs_clarification"], message: str) -> PlannedStep:
    return PlannedStep(intent=QUESTION.name, result=PlannedResult(status=status, message=message))
