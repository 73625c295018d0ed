"""The phases of a piece of work, and how far it is."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.results import ToolResult
from workroom.core.widgets import Widget
from workroom.core.wire import Wire

MOST_PHASES = 12
PhaseState = Literal["pending", "active", "done"]
Title = Annotated[str, Field(max_length=200)]


class RoadmapPhase(Wire):
    name: str = Field(min_length=1, max_length=200)
    status: PhaseState = "pending"


class Roadmap(Widget):
    title: str
    phases: list[RoadmapPhase]


@tool("skill_roadmap", effect="read", sets={"skills"})
async def skill_roadmap(
    ctx: ToolContext,
    phases: Annotated[list[RoadmapPhase], Field(min_length=1, max_length=MOST_PHASES)],
    title: Title = "",
) -> ToolResult:
    """Show the user all phases of the work and how far it is: at its start, and whenever a phase begins or is done."""
    done = sum(phase.status == "done" for phase in phases)
    return Roadmap(title=title, phases=phases).shown(
        f"The user sees the roadmap: {done} of {len(phases)} phases are done."
    )
