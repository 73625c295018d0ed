"""Everything a run tells: events with the wire names clients know, gapless and replayable.

An event has an id `{runId}:{attempt}.{seq}`. `seq` counts from 1 without gaps over the whole run; `attempt` says which
try of a model call it belongs to: text of an earlier attempt is dropped by clients.
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, TypeAdapter

from workroom.core.actions import UiAction
from workroom.core.money import CHF
from workroom.core.pauses import Pause, PauseAnswer, PauseState
from workroom.core.plans import Plan
from workroom.core.results import ResultStatus, ToolResult
from workroom.core.wire import Wire


class RunState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"
    MAX_ROUNDS = "maxRoundsReached"
    BUDGET = "budgetExceeded"
    STOPPED = "stopped"
    ERROR = "error"

    @property
    def is_over(self) -> bool:
        return self not in (RunState.QUEUED, RunState.RUNNING, RunState.PAUSED)


class StatusChanged(Wire):
    """The run is in another state, or does something worth a word. `place`: it waits for a slot, and this is
    its place in the queue of its organisation, from 1. `activity`: what else it waits for, so that pages can say it in the
    user's language: another try of a model (`seconds` and `code` in `details`), another model, a model of an own server that is
    still reading the question (since `seconds`) and then begins to write, or money that others have reserved."""

    type: Literal["status"] = "status"
    state: RunState
    text: str = ""
    place: int | None = None
    activity: Literal["retry", "otherModel", "modelReading", "writing", "budget"] | None = None
    details: dict[str, str] = Field(default_factory=dict)


class TextPiece(Wire):
    """`offset` is where it belongs in the text of this message and attempt. `since`: it was made of all pieces from that number
    on."""

    message_id: UUID
    attempt: int
    offset: int
    text: str
    since: int | None = None


class ChunkArrived(TextPiece):
    """A piece of the answer."""

    type: Literal["chunk"] = "chunk"


class ThoughtArrived(TextPiece):
    """A piece of what the model thinks before it answers: for the one who asked, folded beside the answer."""

    type: Literal["thought"] = "thought"


class MessageStored(Wire):
    """A message is complete and stored; what was streamed for it before is replaced by this."""

    type: Literal["message"] = "message"
    message_id: UUID
    role: str
    text: str


class ToolAsked(Wire):
    type: Literal["toolCall"] = "toolCall"
    call_id: UUID
    tool: str
    arguments: dict[str, Any]
    private: bool = False  # its arguments are words of what was read for the one who asked


class ToolFinished(Wire):
    type: Literal["toolResult"] = "toolResult"
    call_id: UUID
    tool: str
    result: ToolResult
    duration_ms: int


class ActionRequested(Wire):
    """The user interface carries out this action."""

    type: Literal["action"] = "action"
    action: UiAction


class FileCreated(Wire):
    """A call has made a file. In old runs also a new version of one."""

    type: Literal["fileCreated"] = "fileCreated"
    file_id: UUID
    name: str
    version: int
    call_id: UUID


class FileVersionStored(Wire):
    """A call has made a new version of a file that was there. The ones before it can be restored."""

    type: Literal["fileVersion"] = "fileVersion"
    file_id: UUID
    name: str
    version: int
    call_id: UUID


class FileEditProposed(Wire):
    """A call would change a file: `diff` is unified, and made from `version`. The question that follows asks whether."""

    type: Literal["fileEditProposal"] = "fileEditProposal"
    call_id: UUID
    file_id: UUID
    name: str
    version: int
    diff: str


class PlanMade(Wire):
    """What is going to be done, step by step."""

    type: Literal["plan"] = "plan"
    message_id: UUID
    plan: Plan


class StepFinished(Wire):
    """A step of the plan is done. Its actions were told before it."""

    type: Literal["planStep"] = "planStep"
    index: int
    intent: str
    status: ResultStatus
    message: str
    private: bool = False  # its message quotes what was read for the one who asked


class PauseChanged(Wire):
    """The run waits for a person, or does not any more. The newest of a call counts."""

    type: Literal["choice"] = "choice"
    call_id: UUID
    tool: str
    state: PauseState
    pause: Pause
    answer: PauseAnswer | None = None


class CostCounted(Wire):
    """One model call was paid for. `assumed`: the price, or how much was used, is not known exactly."""

    type: Literal["cost"] = "cost"
    purpose: str
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_chf: CHF
    assumed: bool


class AgentSwitched(Wire):
    """Another agent answers from here on. At the end of a run that handed its question over, `nextRunId` is the run that goes
    on with it."""

    type: Literal["agentSwitched"] = "agentSwitched"
    kind: Literal["user", "handoff", "undo"]
    from_agent_id: UUID
    from_name: str
    to_agent_id: UUID
    to_name: str
    reason: str = ""
    next_run_id: UUID | None = None


class RoundStarted(Wire):
    type: Literal["agentProgress"] = "agentProgress"
    round: int
    max_rounds: int


class Summarised(Wire):
    """The last word about a run: always there, however it ended."""

    type: Literal["agentSummary"] = "agentSummary"
    state: RunState
    rounds: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    cost_chf: CHF = Decimal(0)
    cost_assumed: bool = False
    model: str = ""
    reason: str = ""
    duration_ms: int


class Completed(Wire):
    """`nextAgent` goes on with the question, if the run has handed it over."""

    type: Literal["complete"] = "complete"
    state: RunState
    next_agent: UUID | None = None


class Stopped(Wire):
    type: Literal["stopped"] = "stopped"


class Failed(Wire):
    """`details`: the provider and the model that failed, and the provider's own words, where there are any."""

    type: Literal["error"] = "error"
    code: str
    message: str
    details: dict[str, str] = Field(default_factory=dict)


RunEvent = Annotated[
    StatusChanged
    | ChunkArrived
    | ThoughtArrived
    | MessageStored
    | ToolAsked
    | ToolFinished
    | ActionRequested
    | FileCreated
    | FileVersionStored
    | FileEditProposed
    | PlanMade
    | StepFinished
    | PauseChanged
    | CostCounted
    | AgentSwitched
    | RoundStarted
    | Summarised
    | Completed
    | Stopped
    | Failed,
    Field(discriminator="type"),
]
RUN_EVENT: TypeAdapter[RunEvent] = TypeAdapter(RunEvent)
