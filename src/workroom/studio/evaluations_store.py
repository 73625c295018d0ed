"""All SQL of evaluations of content."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.core.wire import Wire
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.studio.types import ContentEvaluation

SELECT = """
select e.evaluation_id as id, e.project_id, e.targets, e.results, e.made_by, u.display_name as made_by_name, e.agent_name,
    e.run_id, e.made_at, e.cost_chf
from content_evaluations e left join users u on u.mandate_id = e.mandate_id and u.user_id = e.made_by
where e.mandate_id = $1 and e.project_id = $2"""


async def insert(uow: UnitOfWork, mandate_id: UUID, made: ContentEvaluation) -> None:
    await uow.execute(
        "insert into content_evaluations (mandate_id, evaluation_id, project_id, targets, results, made_by, agent_name, run_id,"
        " made_at, cost_chf) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        mandate_id,
        made.id,
        made.project_id,
        _json(made.targets),
        _json(made.results),
        made.made_by,
        made.agent_name,
        made.run_id,
        made.made_at,
        made.cost_chf,
    )


async def listed(uow: UnitOfWork, mandate_id: UUID, project_id: UUID, request: PageRequest) -> Page[ContentEvaluation]:
    listing = Listing(
        SELECT,
        [mandate_id, project_id],
        sorts={"madeAt": moment("made_at")},
        default_sort="madeAt",
        search=["targets::text"],
    )
    return (await page(uow, listing, request)).map(_evaluation)


async def get(uow: UnitOfWork, mandate_id: UUID, project_id: UUID, evaluation_id: UUID) -> ContentEvaluation | None:
    row = await uow.fetchrow(SELECT + " and e.evaluation_id = $3", mandate_id, project_id, evaluation_id)
    return _evaluation(row) if row else None


def _json(values: list[Any]) -> str:
    return json.dumps(
        [value.model_dump(mode="json") for value in values if isinstance(value, Wire)], ensure_ascii=False
    )


def _evaluation(row: Any) -> ContentEvaluation:
    columns = {name: row[name] for name in ContentEvaluation.model_fields}
    return ContentEvaluation(
        **{**columns, "targets": json.loads(row["targets"]), "results": json.loads(row["results"])}
    )
