"""What an agent that plans can be asked for: data. An intent names the tools it takes, how its result is shown, and the ways
people say it, for planning without a language model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from workroom.core.languages import Language
from workroom.core.plans import MOST_CALLS, PlannedCall
from workroom.core.wire import Wire

Phrase = Annotated[str, Field(min_length=1, max_length=300)]


class Way(Wire):
    """A way to say it, and the calls it comes to. Phrases have slots, such as `{address}`; a string in the arguments that is
    one slot and nothing else gets its value."""

    phrases: dict[Language, list[Phrase]] = Field(default_factory=dict)
    calls: list[PlannedCall] = Field(default_factory=list, max_length=MOST_CALLS)


class Intent(Wire):
    """`tools` are those a plan may call for it, in any number; none: it looks nothing up. `shows` names how the result becomes
    words and actions. `takes_away`: who did not mean it loses something, so without a language model it is done only where all
    that was said is understood. `examples`: what a user might say, by language."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")
    description: str = Field("", max_length=1_000)
    tools: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=200)
    shows: str = Field("plain", pattern=r"^[a-z][a-z_]{0,39}$")
    takes_away: bool = False
    ways: list[Way] = Field(default_factory=list, max_length=20)
    examples: dict[Language, Phrase] = Field(default_factory=dict)


QUESTION = Intent(name="question", description="Something that is answered in words, without looking anything up.")
ANYTHING = Intent(name="do", description="Anything the tools can do.", shows="plain")


def named(intents: Sequence[Intent], name: str) -> Intent | None:
    return next((intent for intent in intents if intent.name == name), None)
