"""All SQL of searching the web: the settings of a mandate, and results of the last minutes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.vault import Sealed
from workroom.websearch.connections import Stored
from workroom.websearch.types import SearchProvider, SearchSettings, WebResult


async def settings(uow: UnitOfWork, mandate_id: UUID, *, lock: bool = False) -> Stored | None:
    row = await uow.fetchrow(
        "select provider, base_url, private, price_chf, key_id, key_sealed, key_hint from web_search_settings"
        f" where mandate_id = $1{' for update' if lock else ''}",
        mandate_id,
        writes=lock,
    )
    if row is None:
        return None
    key = Sealed(row["key_id"], row["key_sealed"]) if row["key_sealed"] is not None else None
    found = SearchSettings(
        SearchProvider(row["provider"]),
        row["base_url"],
        row["private"],
        row["price_chf"],
        has_key=key is not None,
        key_hint=row["key_hint"],
    )
    return found, key


async def put_settings(uow: UnitOfWork, mandate_id: UUID, wanted: SearchSettings, key: Sealed | None) -> None:
    await uow.execute(
        "insert into web_search_settings (mandate_id, provider, base_url, private, price_chf, key_id, key_sealed, key_hint)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (mandate_id) do update set provider = $2, base_url = $3,"
        " private = $4, price_chf = $5, key_id = $6, key_sealed = $7, key_hint = $8",
        mandate_id,
        wanted.provider,
        wanted.base_url,
        wanted.private,
        wanted.price_chf,
        key.key_id if key else None,
        key.data if key else None,
        wanted.key_hint,
    )


async def delete_settings(uow: UnitOfWork, mandate_id: UUID) -> bool:
    return await uow.execute("delete from web_search_settings where mandate_id = $1", mandate_id) == 1


async def results(uow: UnitOfWork, mandate_id: UUID, question: str, since: datetime) -> list[WebResult] | None:
    """What was found since then, if it was asked."""
    found = await uow.fetchval(
        "select results from web_searches where mandate_id = $1 and question = $2 and found_at > $3",
        mandate_id,
        question,
        since,
    )
    return None if found is None else [WebResult.model_validate(result) for result in json.loads(found)]


async def put_results(
    uow: UnitOfWork, mandate_id: UUID, question: str, hits: Sequence[WebResult], at: datetime
) -> None:
    await uow.execute(
        "insert into web_searches (mandate_id, question, found_at, results) values ($1, $2, $3, $4)"
        " on conflict (mandate_id, question) do update set found_at = $3, results = $4",
        mandate_id,
        question,
        at,
        json.dumps([result.model_dump(mode="json") for result in hits]),
    )


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Delete older results of all mandates; for the system actor `sweep`."""
    return await uow.execute("delete from web_searches where found_at <= $1", before)
