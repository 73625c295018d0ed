"""All SQL about what a mandate has changed in the catalogue. Revisions are written once; `raise_version` is called with each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, page
from workroom.models.catalogue import Catalogue, CatalogueChange, shipped

EACH_CHANGE = (
    " from model_catalogue_revisions r"
    " cross join lateral jsonb_array_elements(r.changes) with ordinality as c(change, place) where r.mandate_id = $1"
)
LAST_OF_EACH = (
    f"select (array_agg(c.change order by r.revision desc))[1] as change{EACH_CHANGE}"
    " group by c.change ->> 'provider', c.change ->> 'model' order by min(array[r.revision, c.place])"
)
CHANGED = f"select distinct c.change ->> 'provider' as provider, c.change ->> 'model' as model{EACH_CHANGE}"


class RevisionOrigin(StrEnum):
    EDIT = "edit"
    FILE = "file"
    UNDO = "undo"


@dataclass(frozen=True)
class Revision:
    """`undone`: the revision it takes back; `undone_by`: the last one that took this back."""

    revision: int
    made_at: datetime
    made_by_name: str | None
    origin: RevisionOrigin
    undone: int | None
    undone_by: int | None
    added: int
    changed: int
    removed: int


async def catalogue(uow: UnitOfWork, mandate_id: UUID) -> Catalogue:
    """What was shipped, with the last change of each model, in the order in which they were first changed."""
    rows = await uow.fetch(LAST_OF_EACH, mandate_id)
    return shipped().changed(CatalogueChange.read(json.loads(row["change"])) for row in rows)


async def newest(uow: UnitOfWork, mandate_id: UUID) -> int:
    """0 before the first."""
    found: int | None = await uow.fetchval(
        "select max(revision) from model_catalogue_revisions where mandate_id = $1", mandate_id
    )
    return found or 0


async def changes(uow: UnitOfWork, mandate_id: UUID, revision: int) -> Sequence[CatalogueChange] | None:
    found: str | None = await uow.fetchval(
        "select changes from model_catalogue_revisions where mandate_id = $1 and revision = $2", mandate_id, revision
    )
    return None if found is None else [CatalogueChange.read(change) for change in json.loads(found)]


async def changed_since(uow: UnitOfWork, mandate_id: UUID, revision: int) -> frozenset[tuple[str, str]]:
    """Provider and id of every model that a later revision changed."""
    rows = await uow.fetch(f"{CHANGED} and r.revision > $2", mandate_id, revision)
    return frozenset((row["provider"], row["model"]) for row in rows)


async def add(
    uow: UnitOfWork,
    mandate_id: UUID,
    revision: int,
    made: Sequence[CatalogueChange],
    origin: RevisionOrigin,
    made_by: UUID | None,
    moment: datetime,
    *,
    undone: int | None = None,
) -> None:
    await uow.execute(
        "insert into model_catalogue_revisions (mandate_id, revision, made_at, made_by, origin, undone_revision, changes)"
        " values ($1, $2, $3, $4, $5, $6, $7)",
        mandate_id,
        revision,
        moment,
        made_by,
        origin,
        undone,
        json.dumps([change.stored() for change in made]),
    )


async def listed(uow: UnitOfWork, mandate_id: UUID, request: PageRequest) -> Page[Revision]:
    listing = Listing(
        "select r.revision as id, r.revision, r.made_at, u.display_name as made_by_name, r.origin,"
        " r.undone_revision as undone, (select max(l.revision) from model_catalogue_revisions l"
        "  where l.mandate_id = r.mandate_id and l.undone_revision = r.revision) as undone_by, n.*"
        " from model_catalogue_revisions r"
        " left join users u on u.mandate_id = r.mandate_id and u.user_id = r.made_by"
        " cross join lateral (select count(*) filter (where c.change -> 'before' = 'null') as added,"
        "  count(*) filter (where c.change -> 'before' <> 'null' and c.change -> 'after' <> 'null') as changed,"
        "  count(*) filter (where c.change -> 'after' = 'null') as removed"
        "  from jsonb_array_elements(r.changes) as c(change)) as n"
        " where r.mandate_id = $1",
        [mandate_id],
        sorts={"revision": "lpad(revision::text, 10, '0')"},
        default_sort="revision",
        search=["coalesce(made_by_name, '')"],
    )
    return (await page(uow, listing, request)).map(_revision)


def _revision(row: Any) -> Revision:
    fields = {name: row[name] for name in Revision.__dataclass_fields__}
    return Revision(**fields | {"origin": RevisionOrigin(row["origin"])})
