"""Ports and values of the agent loop: journal, budget, events, tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from workroom.agent.entities.types import Entity
from workroom.agent.planning.intents import Intent
from workroom.agent.summaries import SHARE, Summary
from workroom.agent.tool import Tool, ToolContext, WorkspaceContent
from workroom.core.messages import CallPart, MaterialPart, Message, Part, ResultPart, SkillPart
from workroom.core.pauses import FileEdits, Pause, PauseAnswer
from workroom.core.results import ToolResult
from workroom.core.run_events import RunEvent, RunState
from workroom.core.tokens import Usage
from workroom.models.ports import Attempt, Forcing, ModelInfo
from workroom.usage.types import NO_SECTIONS, Purpose

MOST_ROUNDS = 100


class Signal(Exception):
    """Something the loop expects, that is not an error: it ends the loop's turn."""


class LeaseLost(Signal):
    """Another worker has the run now. Whatever was being done is not ours to finish."""


class Paused(Signal):
    """The run waits for a person; what it asks is stored with its call, and the lease is given back."""


class CallState(StrEnum):
    ASKED = "asked"
    STARTED = "started"  # only for calls that reach outside: something may have happened already
    WAITING = "waiting"  # for a person
    ANSWERED = "answered"  # by a person; what follows from it has not been done yet


@dataclass(frozen=True)
class OpenCall:
    """A call without a result yet, with what is known of it."""

    part: CallPart
    state: CallState = CallState.ASKED
    pause: Pause | None = None
    answer: PauseAnswer | None = None


class Strategy(StrEnum):
    """How an agent comes to its answer: round by round as it finds things out, or by one plan."""

    REACT = "react"
    PLAN = "plan"


class Ending(StrEnum):
    """Why a run must come to its end: it gets one last model call, without tools, to sum up."""

    ROUNDS = "maxRounds"
    CIRCLE = "loop"
    BUDGET = "budget"

    @property
    def state(self) -> RunState:
        return RunState.BUDGET if self is Ending.BUDGET else RunState.MAX_ROUNDS


@dataclass(frozen=True)
class Colleague:
    """Another agent this one may hand over to; `key` is what the model calls it."""

    id: UUID
    key: str
    name: str
    description: str = ""


@dataclass(frozen=True)
class AgentSpec:
    """An agent is data: who it is, what it may use, how far it may go."""

    instructions: str
    id: UUID | None = None
    name: str = ""
    version: int = 0
    team: str = (
        ""  # of shipped agents that need a language model; the embedded default explains it instead of answering
    )
    tool_sets: frozenset[str] = frozenset({"core"})
    tool_names: frozenset[str] = frozenset()
    within: frozenset[str] = frozenset()  # and nothing that is not in these sets; none: no bound
    trusted_tools: frozenset[str] = frozenset()  # may reach outside even after content from outside was read
    confirm_untrusted_writes: bool = True  # ask before writing in the workspace, too, after content of others was read
    file_edits: FileEdits = "ask"  # changes to files: the run waits for the user, or goes on
    strategy: Strategy = Strategy.REACT
    intents: tuple[Intent, ...] = ()  # what it can be asked for, if it plans
    forcing: Forcing = Forcing.AUTO  # `any`: of the first round of a run; `none`: of all
    temperature: float = 0.7
    model: str | None = None  # `provider/model`; None: the best of the operation's chain
    prefers: str | None = None  # asked first when no other is requested, and it is there
    operation: str = "AGENT"
    max_rounds: int = 25
    max_cost_chf: Decimal | None = None  # for the whole conversation; budgets hold besides
    language: str = "en"  # of words that are ours, not the model's
    remembers: bool = False  # facts in results of tools are noted, by rules
    asks_for_entities: bool = False  # and by the cheap model, which is asked after every round with results
    colleagues: tuple[Colleague, ...] = ()  # it may hand over to
    handed: tuple[UUID, ...] = ()  # agents that have handed over the question it answers
    standing_instructions: tuple[tuple[str, str], ...] = ()  # title and text of instructions that hold for every agent
    return_tool_requests: bool = False  # end as soon as the model asks for tools; carrying them out is the caller's


@dataclass(frozen=True)
class PastConversation:
    """What was said before this agent came, as far as it must not take it for its own words."""

    until: int  # in the messages of the run
    names: Mapping[UUID, str]  # of who said it, by message
    ended: str | None = None  # who answered last, while this agent has not answered since the switch


@dataclass
class Progress:
    """Where a run stands, read from what is stored: starting and going on after a crash are the same thing."""

    messages: list[Message]
    begins: int = 0  # where in `messages` this run begins; before it is history
    open_calls: list[OpenCall] = field(default_factory=list)
    rounds: int = 0
    ending: Ending | None = None
    summaries: list[Summary] = field(default_factory=list)  # of this conversation, also of its other branches
    summarise_above: float = SHARE  # share of the window; 0: summaries from the fourth round on
    past: PastConversation | None = None  # other agents have answered before
    read_for_facts: set[UUID] = field(default_factory=set)  # calls whose results a model has read for facts
    audience_since: datetime | None = None  # since when the newest reader of the conversation reads along
    others_wrote: bool = False  # in this conversation, or in what the prompt shows of the workspace
    allowed_tools: set[str] = field(default_factory=set)  # the user has agreed to them until the run ends
    commanded: bool = (
        False  # its calls are commands of the user; no language model, which content could mislead, chose them
    )

    @property
    def own(self) -> list[Message]:
        return self.messages[self.begins :]

    @property
    def is_untrusted(self) -> bool:
        """Whether content that others wrote has been read, in this run or before it in the conversation."""
        return self.others_wrote or any(_is_untrusted(part) for message in self.messages for part in message.parts)


def _is_untrusted(part: Part) -> bool:
    if isinstance(part, ResultPart):
        return part.result.untrusted
    return isinstance(part, MaterialPart | SkillPart) and part.untrusted


class Attempts(Protocol):
    """Records and bills every attempt of a model call. LeaseLost when the run is not ours any more."""

    async def attempt_began(
        self,
        model: ModelInfo,
        input_tokens: int,
        output_tokens: int,
        purpose: Purpose = Purpose.ROUND,
        sections: Mapping[str, int] = NO_SECTIONS,
    ) -> Attempt:
        """A model call begins, and is paid for in advance: BudgetExceeded if it cannot be. Text of earlier attempts is
        void from here on."""
        ...

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        """It came to nothing; what was used of it is paid all the same. `assumed`: how much that was is an estimate."""
        ...


class Journal(Attempts, Protocol):
    """Stores each step of the run together with its events, in one transaction."""

    async def answered(self, message: Message, model: ModelInfo | None, used: Usage, *, assumed: bool = False) -> None:
        """The answer, its calls and what it cost. Without a model it is no round: words of our own, the next call of a plan."""
        ...

    async def noted(
        self, facts: Mapping[UUID, Sequence[Entity]], model: ModelInfo, used: Usage, *, assumed: bool = False
    ) -> None:
        """Facts a model found in results, by call, and what that cost. These results are not read for facts again."""
        ...

    async def known(self) -> Sequence[Entity]:
        """Facts of this conversation, found for the person the run acts for; newest first."""
        ...

    async def ending(self, ending: Ending) -> None:
        """A limit is reached; from here on the run only sums up."""
        ...

    async def rights_asked(self) -> None:
        """Before calls are carried out: may the person still do this? They act with the rights they have now."""
        ...

    async def call_started(self, call: CallPart) -> None: ...

    async def call_paused(self, call: CallPart, pause: Pause) -> None:
        """The run waits for a person from here on, and no worker holds it."""
        ...

    async def call_finished(self, call: CallPart, result: ToolResult, duration_ms: int) -> None: ...

    def context(self, call: CallPart, tool: Tool, follows_untrusted: bool) -> CallContext: ...


class Retrieval(Protocol):
    """What the files of the workspace say to what is asked."""

    async def before_round(self, progress: Progress) -> None:
        """Add it to the messages of `progress`, once for each round."""
        ...


class SummaryJournal(Attempts, Protocol):
    """Stores summaries of conversations, and what they cost."""

    async def summarised(self, summary: Summary, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        """A summary of earlier rounds, and what it cost."""
        ...


@dataclass(frozen=True)
class WorkspaceState:
    """`section` is for the end of the system prompt, or empty; `contents`: of what there is anything, None when not known;
    `untrusted`: the section shows what others wrote."""

    section: str = ""
    contents: frozenset[WorkspaceContent] | None = None
    untrusted: bool = False


class WorkspaceOverview(Protocol):
    """What there is in the workspace, for the person a run acts for."""

    async def read(self) -> WorkspaceState:
        """Asked at every round, so it is cheap."""
        ...

    def invalidate(self) -> None:
        """A tool has written: what is read next is read afresh."""
        ...


class CallContext(ToolContext, Protocol):
    """A tool's context, as the loop sees it. `commit` stores and tells like `call_finished`."""

    @property
    def committed(self) -> ToolResult | None:
        """The result, if the tool stored it together with its effect."""
        ...


Emit = Callable[[RunEvent], None]
NewId = Callable[[], UUID]
