"""The replies of a scenario for a scripted provider, one for each request of its turns."""

from __future__ import annotations

from evals.specialists.scenarios import Scenario, ScriptedReply
from workroom.models.testing import Call, Reply

HAND_OFF = "handOff"


def replies(scenario: Scenario) -> list[Reply]:
    return [_reply(scripted) for turn in scenario.turns for scripted in turn.script]


def forced_requests(scenario: Scenario) -> list[int]:
    """The places, among all requests, of those in which an agent must call a tool: its first about a message. A run that goes on
    after yes or no to its confirmation has done so."""
    places, place = [], 0
    for turn in scenario.turns:
        is_first = not turn.answers_confirmation
        for scripted in turn.script:
            if is_first:
                places.append(place)
            is_first = any(call.tool == HAND_OFF for call in scripted.calls)
            place += 1
    return places


def _reply(scripted: ScriptedReply) -> Reply:
    return Reply(scripted.text, calls=[Call(call.tool, call.all_arguments) for call in scripted.calls])
