"""The planner recognises the names that its catalogues have, whatever they are about, and no others."""

from __future__ import annotations

from workroom.agent.planning.intents import Intent, Way
from workroom.agent.planning.ports import InMemoryNames, KnownNames
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.core.plans import PlannedCall

NAMES = KnownNames(places=InMemoryNames(frozenset({"Port Royal"})), themes=InMemoryNames(frozenset({"reefs"})))
INTENTS = [
    Intent(
        name=name,
        tools=[name],
        ways=[Way(phrases={"en": [slot]}, calls=[PlannedCall(tool=name, arguments={"q": slot})])],
    )
    for name, slot in (("visit", "{town}"), ("show", "{theme}"))
]


def planned(text: str, names: KnownNames) -> list[tuple[str, object]]:
    plan = plan_by_rules(text, INTENTS, "r", "en", names=names)
    return [(step.intent, call.arguments["q"]) for step in plan.steps for call in step.tool_calls]


def test_names_of_the_catalogues_are_understood_without_another_word() -> None:
    assert planned("Port Royal, reefs", NAMES) == [("visit", "Port Royal"), ("show", "reefs")]


def test_other_names_are_not() -> None:
    assert planned("Port Sunlight, wrecks", NAMES) == []
    assert planned("Port Royal, reefs", KnownNames()) == []
