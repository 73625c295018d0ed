"""Evaluations of content: keep one, list them, read one. Judging is a model's work (`studio_tools/run_evaluation.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.core.writing_agent import WritingAgent
from workroom.db import Database, UnitOfWork
from workroom.identity.types import Action, Principal
from workroom.studio import evaluations_store as store
from workroom.studio.projects import PROJECTS
from workroom.studio.types import ContentEvaluation, DimensionResult, EvaluationTarget


class ContentEvaluations:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self, principal: Principal, instance_id: UUID, project_id: UUID, request: PageRequest
    ) -> Page[ContentEvaluation]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id)
            return await store.listed(uow, principal.mandate_id, project_id, request)

    async def get(
        self, principal: Principal, instance_id: UUID, project_id: UUID, evaluation_id: UUID
    ) -> ContentEvaluation:
        async with self._db.unit_of_work(principal.actor) as uow:
            await PROJECTS.checked(uow, principal, Action.READ, instance_id, project_id)
            found = await store.get(uow, principal.mandate_id, project_id, evaluation_id)
        if found is None:
            raise NotFound("There is no such evaluation in this project.")
        return found


async def keep(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    project_id: UUID,
    targets: Sequence[EvaluationTarget],
    results: Sequence[DimensionResult],
    agent: WritingAgent | None,
    cost_chf: Decimal,
) -> ContentEvaluation:
    project = await PROJECTS.checked(uow, principal, Action.UPDATE, instance_id, project_id, lock=True)
    made = ContentEvaluation(
        id=new_id(),
        project_id=project.id,
        targets=list(targets),
        results=list(results),
        made_by=principal.user_id,
        made_by_name=None,
        agent_name=agent.name if agent else "",
        run_id=agent.run_id if agent else None,
        made_at=now(),
        cost_chf=cost_chf,
    )
    await store.insert(uow, principal.mandate_id, made)
    await PROJECTS.announce(uow, principal, instance_id, project)
    return made
