"""Wires the services of a worker to the sessions of its runs."""

from __future__ import annotations

from collections.abc import Mapping

from workroom.agent.planning.ports import NO_NAMES, KnownNames
from workroom.agent.planning.presentation import Presenter
from workroom.agent.registry import Registry
from workroom.agent.summaries import SHARE
from workroom.db import Database
from workroom.identity.signin import SignIn
from workroom.models.ports import Models
from workroom.runs.background_summaries import BackgroundSummaries
from workroom.runs.conversation_titles import ConversationNaming
from workroom.runs.event_flusher import EventFlusher
from workroom.runs.held_runs import HeldRuns
from workroom.runs.ports import Materials, WorkspaceOverviews
from workroom.runs.rights import Rights
from workroom.runs.session import RunSession
from workroom.runs.session_services import SessionServices
from workroom.runs.types import Claim
from workroom.studio.outlines import ProjectOutlines
from workroom.usage.service import Budgets


class Runner:
    def __init__(
        self,
        db: Database,
        sign_in: SignIn,
        registry: Registry,
        models: Models,
        flusher: EventFlusher,
        budgets: Budgets,
        services: Mapping[type, object],
        materials: Materials,
        overviews: WorkspaceOverviews | None = None,
        presenters: Mapping[str, Presenter] | None = None,
        names: KnownNames = NO_NAMES,
        summarise_above: float = SHARE,
        naming: ConversationNaming | None = None,
    ) -> None:
        self.held_runs = HeldRuns(db)
        self.outlines = ProjectOutlines(db)
        self.rights = Rights(db, sign_in, self.held_runs)
        self.summaries = BackgroundSummaries(db, models, budgets, summarise_above)
        self._services = SessionServices(
            db,
            registry,
            models,
            flusher,
            budgets,
            services,
            materials,
            overviews,
            self.outlines,
            presenters or {},
            names,
            self.held_runs,
            self.rights,
            self.summaries,
            naming,
        )

    async def work(self, claim: Claim) -> None:
        """Until the run has ended, waits for a person, or another worker has it."""
        await RunSession(self._services, claim).run()
