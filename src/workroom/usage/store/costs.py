"""Reading the ledger: filtered by what was asked for and by how far the reader's rights reach."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.core.tokens import Usage
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.types import Level
from workroom.usage.store.billing import ALL, billed_of
from workroom.usage.types import CostFilter, CostLine, CostSum, GroupBy

MOST_SUMS = 1000
# $1 to $4 are the mandate and the reader's reach, $5 to $12 what was asked for.
SEEN = f"""
select {ALL}, billing_id as id, (select u.display_name from users u where u.mandate_id = $1 and u.user_id = b.user_id)
    as user_name
from billing b where mandate_id = $1 and ($2 or user_id = $3 or instance_id = any($4))
and ($5::uuid is null or instance_id = $5) and ($6::uuid is null or conversation_id = $6)
and ($7::uuid is null or run_id = $7) and ($8::uuid is null or user_id = $8)
and ($9::text is null or purpose = $9) and ($10::text is null or model = $10)
and ($11::timestamptz is null or at >= $11) and ($12::timestamptz is null or at < $12)"""
KEYS = {
    GroupBy.DAY: "to_char(at at time zone 'utc', 'YYYY-MM-DD')",
    GroupBy.PURPOSE: "purpose",
    GroupBy.MODEL: "model",
    GroupBy.USER: "user_id::text",
    GroupBy.WORKFLOW: "conversation_id::text",
}
LABELS = {
    GroupBy.USER: "user_name",
    # A conversation's title is its owner's, not of everybody who may read what it cost.
    GroupBy.WORKFLOW: "(select c.title from conversations c where c.mandate_id = $1"
    " and c.conversation_id = seen.conversation_id and c.owner_id = $13)",
}


async def listed(
    uow: UnitOfWork, mandate_id: UUID, reach: ListScope, filters: CostFilter, request: PageRequest
) -> Page[CostLine]:
    listing = Listing(
        SEEN,
        _args(mandate_id, reach, filters),
        sorts={
            "at": moment("at"),
            "costCHF": "to_char(cost_chf, '000000000000.000000000000')",
            "model": "model",
            "purpose": "purpose",
        },
        default_sort="at",
        search=["provider", "model", "purpose"],
    )
    return (await page(uow, listing, request)).map(lambda row: CostLine(billed_of(row), row["user_name"]))


async def summed(
    uow: UnitOfWork, mandate_id: UUID, reach: ListScope, reader_id: UUID | None, filters: CostFilter, by: GroupBy
) -> list[CostSum]:
    args = _args(mandate_id, reach, filters)
    if by is GroupBy.WORKFLOW:
        args.append(reader_id)
    rows = await uow.fetch(
        f"with seen as ({SEEN}), named as (select *, {KEYS[by]} as key, {LABELS.get(by, 'null::text')} as label from seen)"
        " select key, label, count(*) as calls, sum(input_tokens)::bigint as input, sum(output_tokens)::bigint as output,"
        " sum(cached_tokens)::bigint as cached, sum(cost_chf) as cost, bool_or(assumed) as assumed"
        f" from named group by key, label order by {'' if by is GroupBy.DAY else 'cost desc,'} key limit {MOST_SUMS}",
        *args,
    )
    return [_sum(row) for row in rows]


def _args(mandate_id: UUID, reach: ListScope, filters: CostFilter) -> list[Any]:
    return [
        mandate_id,
        reach.level is Level.ALL,
        reach.user_id,
        list(reach.instance_ids),
        filters.instance_id,
        filters.conversation_id,
        filters.run_id,
        filters.user_id,
        filters.purpose,
        filters.model,
        filters.since,
        filters.until,
    ]


def _sum(row: Any) -> CostSum:
    usage = Usage(row["input"], row["output"], row["cached"])
    return CostSum(row["key"], row["label"], row["calls"], usage, row["cost"], row["assumed"])
