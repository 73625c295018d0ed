"""What the sessions of a worker share: the services they work with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workroom.agent.planning.ports import KnownNames
from workroom.agent.planning.presentation import Presenter
from workroom.agent.registry import Registry
from workroom.db import Database
from workroom.models.ports import Models
from workroom.runs.background_summaries import BackgroundSummaries
from workroom.runs.conversation_titles import ConversationNaming
from workroom.runs.event_flusher import EventFlusher
from workroom.runs.held_runs import HeldRuns
from workroom.runs.ports import Materials, WorkspaceOverviews
from workroom.runs.rights import Rights
from workroom.studio.outlines import ProjectOutlines
from workroom.usage.service import Budgets


@dataclass(frozen=True)
class SessionServices:
    db: Database
    registry: Registry
    models: Models
    flusher: EventFlusher
    budgets: Budgets
    tool_services: Mapping[type, object]  # what tools may use, by class
    materials: Materials
    overviews: WorkspaceOverviews | None
    outlines: ProjectOutlines
    presenters: Mapping[str, Presenter]
    names: KnownNames
    held_runs: HeldRuns
    rights: Rights
    summaries: BackgroundSummaries
    naming: ConversationNaming | None = None
