"""Replies computed from the request: small agents that always do the same, for drills and for workers in other processes.

`writer` is told what to do by the user's last message, one call per line:

    saveNote {"title": "one"}
    saveNote {"title": "two"}
    + searchNotes {"query": "one"}

Each line is asked for in a round of its own; a line that begins with `+` joins the line before it. When the results of
all of them are there, or if there are none, it answers in text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import accumulate, count
from typing import Any

from workroom.models.providers.names import to_wire
from workroom.models.testing.replies import Call, Cut, Garbage, Nothing, Reply, ScriptedAnswer, Status
from workroom.models.testing.requests import ReceivedRequest
from workroom.models.testing.vectors import Vectors

_GOTO: dict[str, Any] = {
    "intent": "goto_address",
    "toolCalls": [{"tool": "geolocation.geocode", "arguments": {"query": "Langendorfstrasse 19b, Solothurn"}}],
}
_LINE = re.compile(r"(?P<joins>\+ *)?(?P<name>[\w.-]+) +(?P<arguments>\{.*\}) *")


def echo(request: ReceivedRequest) -> ScriptedAnswer:
    """The question, and then what was read or found for it."""
    read = request.last_user_text.replace(request.question, "").strip() if request.question else ""
    return Reply("\n\n".join(filter(None, [f"You said: {request.question}", read])))


def writer(request: ReceivedRequest) -> ScriptedAnswer:
    rounds = _rounds(request.question)
    done = len(request.results)
    for ready, calls in zip(accumulate(map(len, rounds), initial=0), rounds, strict=False):
        if done <= ready:
            return Reply(calls=calls)
    if not rounds:
        return echo(request)
    return Reply(f"Done, with {done} results. The last one: {request.results[-1]}")


def embedder(request: ReceivedRequest) -> ScriptedAnswer:
    """Vectors by hash for embedding requests; otherwise it answers like `echo`."""
    return Vectors() if request.path.endswith(("/embeddings", ":batchEmbedContents")) else echo(request)


def flaky() -> Callable[[ReceivedRequest], ScriptedAnswer]:
    """The writer on a bad day: every other request fails, each time in another way."""
    half = Reply("This is half of an ans")
    faults: list[ScriptedAnswer] = [
        Status(429, retry_after=0),
        Status(500),
        Cut(half, after=2),
        Garbage(half),
        Nothing(dropped=True),
    ]
    numbers = count()

    def behaviour(request: ReceivedRequest) -> ScriptedAnswer:
        number = next(numbers)
        return writer(request) if number % 2 else faults[number // 2 % len(faults)]

    return behaviour


PLANS: Mapping[str, dict[str, Any]] = {
    "Gehe zur Langendorfstrasse 19b in Solothurn": {"steps": [_GOTO]},
    "Gehe zur Langendorfstrasse 19b in Solothurn und lade den Gewässerschutzlayer": {
        "steps": [
            _GOTO,
            {
                "intent": "load_layer",
                "toolCalls": [{"tool": "layers.search", "arguments": {"query": "Gewässerschutz"}}],
            },
        ]
    },
    "Lade den ÖREB-Auszug an der Koordinate 2600513, 1215519": {
        "steps": [
            {
                "intent": "oereb_extract",
                "toolCalls": [
                    {"tool": "oereb.egrid_by_xy", "arguments": {"x": 2600513, "y": 1215519}},
                    {"tool": "oereb.extract_by_id", "arguments": {"egrid": {"$selection": "/egrid"}}},
                ],
            }
        ]
    },
}


def planner(request: ReceivedRequest) -> ScriptedAnswer:
    """Sends the plan that it knows for a question; to others it talks like `echo`."""
    plan = PLANS.get(request.question)
    return echo(request) if plan is None else Reply(calls=[Call("submitPlan", plan)])


BEHAVIOURS: Mapping[str, Callable[[], Callable[[ReceivedRequest], ScriptedAnswer]]] = {
    "echo": lambda: echo,
    "writer": lambda: writer,
    "flaky": flaky,
    "embedder": lambda: embedder,
    "planner": lambda: planner,
}


def _rounds(text: str) -> list[list[Call]]:
    rounds: list[list[Call]] = []
    for found in filter(None, (_LINE.fullmatch(line) for line in text.splitlines())):
        call = Call(to_wire(found["name"]), found["arguments"])
        if found["joins"] and rounds:
            rounds[-1].append(call)
        else:
            rounds.append([call])
    return rounds
