"""One planned run on fakes: tools that find what they are told to, and intents with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.agent.bench import TOOLS as COMMON
from tests.agent.bench import stored
from workroom.agent.planning.intents import QUESTION, Intent
from workroom.agent.planning.loop import PlanLoop
from workroom.agent.planning.presentation import FinishedStep, Presentation, Presenter
from workroom.agent.ports import AgentSpec, Progress
from workroom.agent.testing import InMemoryJournal, ScriptedModel, call
from workroom.agent.tool import Tool, ToolContext, tool
from workroom.core.actions import UiAction
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, Part, Role, TextPart
from workroom.core.pauses import Chosen
from workroom.core.plans import StepOutcome
from workroom.core.results import ToolResult
from workroom.core.run_events import RunEvent, RunState

FOUND: dict[str, ToolResult] = {}
MADE: list[tuple[str, dict[str, Any]]] = []


@tool("find", effect="read")
async def find(ctx: ToolContext, query: str) -> ToolResult:
    """Find things by a word."""
    MADE.append(("find", {"query": query}))
    return FOUND.get(query) or items(query)


@tool("open", effect="read")
async def open_(ctx: ToolContext, id: str, near: list[float] | None = None) -> ToolResult:
    """Open a thing."""
    MADE.append(("open", {"id": id, "near": near}))
    if id == "gone":
        raise NotFound("It is gone.")
    return ToolResult(items=[{"id": id, "label": f"opened {id}", "url": f"/{id}"}])


TOOLS: dict[str, Tool] = {**COMMON, "find": find, "open": open_}


def _opened(done: FinishedStep) -> Presentation:
    item = done.item
    return Presentation(f"Opened {item['id']}.", [UiAction(type="show", payload={"id": item["id"]})])


PRESENTERS = {"opened": Presenter(_opened, lambda item: [UiAction(type="preview", payload={"id": item["id"]})])}
INTENTS = (
    Intent(name="open_thing", description="Open something.", tools=["find", "open"], shows="opened"),
    Intent(name="write_down", description="Write something down.", tools=["write"]),
    Intent(name="send_it", description="Send something.", tools=["send"]),
    QUESTION,
)
OPEN_A = {
    "intent": "open_thing",
    "toolCalls": [
        {"tool": "find", "arguments": {"query": "a"}},
        {"tool": "open", "arguments": {"id": {"$selection": "/id"}}},
    ],
}


def items(*names: str) -> ToolResult:
    return ToolResult(items=[{"id": name, "label": f"thing {name}", "confidence": 0.5} for name in names])


def submit(*steps: Mapping[str, Any]) -> list[Part]:
    return [call("submitPlan", steps=list(steps))]


class Bench:
    def __init__(self, *script: Any, journal: InMemoryJournal | None = None, **spec: Any) -> None:
        FOUND.clear()
        MADE.clear()
        self.model = ScriptedModel(*script)
        self.models: list[Any] = [self.model]
        self.journal = journal or InMemoryJournal()
        self.spec = AgentSpec("Plan well.", **{"intents": INTENTS, **spec})
        self.events: list[RunEvent] = []
        self.progress = Progress([Message(id=new_id(), role=Role.USER, parts=[TextPart(text="open a")])])

    async def run(self) -> RunState:
        loop = PlanLoop(
            self.progress,
            self.spec,
            self.models,
            TOOLS,
            self.journal,
            self.events.append,
            new_id,
            "request-1",
            PRESENTERS,
        )
        return await loop.advance()

    def goes_on(self) -> None:
        """As another process would: from what is stored, and nothing else."""
        self.progress = stored(self, self.journal)  # type: ignore[arg-type]

    def choose(self, choice_id: str) -> None:
        waiting = next(one for one in self.journal.pauses if one not in self.journal.replies)
        self.journal.replies[waiting] = Chosen(choice_id=choice_id)
        self.goes_on()

    @property
    def steps(self) -> list[StepOutcome]:
        return [step for message in self.progress.messages for step in message.steps]

    @property
    def calls(self) -> list[CallPart]:
        return [part for message in self.progress.messages for part in message.calls]
