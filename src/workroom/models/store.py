"""All SQL about providers, chains and prices. Every writer calls `raise_version`: that is how other processes learn of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from workroom.core.money import Price
from workroom.db import UnitOfWork
from workroom.models.types import (
    SHIPPED_ASSUMPTION,
    SHIPPED_RATE,
    Choices,
    ExchangeRate,
    ModelFacts,
    Operation,
    OwnModel,
    OwnVectors,
    Provider,
    ProviderFailure,
    ProviderKind,
)
from workroom.vault import Sealed

COLUMNS = (
    "provider_id, name, kind, label, base_url, private, models, enabled, key_id, key_sealed, key_hint,"
    " failure from model_providers where mandate_id = $1"
)
Stored = tuple[Provider, Sealed | None]
MODELS_JOB = "models.changed"  # with the mandate: for subscribers that keep what models have made


async def version(uow: UnitOfWork, mandate_id: UUID) -> int:
    """0 before the first change."""
    found: int | None = await uow.fetchval("select version from model_settings where mandate_id = $1", mandate_id)
    return found or 0


async def raise_version(uow: UnitOfWork, mandate_id: UUID) -> None:
    await uow.execute(
        "insert into model_settings (mandate_id, version) values ($1, 1)"
        " on conflict (mandate_id) do update set version = model_settings.version + 1",
        mandate_id,
    )
    await uow.wake(MODELS_JOB, str(mandate_id))


async def choices(uow: UnitOfWork, mandate_id: UUID) -> Choices:
    row = await uow.fetchrow(
        "select version, chains, chf_per_usd, rate_date, assumed_chf from model_settings where mandate_id = $1",
        mandate_id,
    )
    if row is None:
        return Choices()
    prices = await uow.fetch("select model, input, cached, output from model_prices where mandate_id = $1", mandate_id)
    rate = SHIPPED_RATE if row["chf_per_usd"] is None else ExchangeRate(row["chf_per_usd"], row["rate_date"])
    return Choices(
        row["version"],
        {Operation(name): tuple(refs) for name, refs in json.loads(row["chains"]).items()},
        rate,
        SHIPPED_ASSUMPTION if row["assumed_chf"] is None else row["assumed_chf"],
        {price["model"]: Price(price["input"], price["output"], price["cached"]) for price in prices},
    )


async def providers(uow: UnitOfWork, mandate_id: UUID) -> list[Stored]:
    return [_stored(row) for row in await uow.fetch(f"select {COLUMNS} order by created_at, provider_id", mandate_id)]


async def provider(uow: UnitOfWork, mandate_id: UUID, provider_id: UUID) -> Stored | None:
    row = await uow.fetchrow(f"select {COLUMNS} and provider_id = $2 for update", mandate_id, provider_id, writes=True)
    return _stored(row) if row else None


async def insert_provider(uow: UnitOfWork, mandate_id: UUID, made: Provider, key: Sealed | None, at: datetime) -> bool:
    """False when the name is taken."""
    done = await uow.execute(
        "insert into model_providers (mandate_id, provider_id, name, kind, label, base_url, private, models, enabled,"
        " key_id, key_sealed, key_hint, failure, created_at)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
        " on conflict (mandate_id, name) do nothing",
        mandate_id,
        made.id,
        made.name,
        made.kind,
        *_changeable(made, key),
        at,
    )
    if done:
        await raise_version(uow, mandate_id)
    return done == 1


async def update_provider(uow: UnitOfWork, mandate_id: UUID, changed: Provider, key: Sealed | None) -> None:
    await uow.execute(
        "update model_providers set label = $3, base_url = $4, private = $5, models = $6, enabled = $7, key_id = $8,"
        " key_sealed = $9, key_hint = $10, failure = $11 where mandate_id = $1 and provider_id = $2",
        mandate_id,
        changed.id,
        *_changeable(changed, key),
    )
    await raise_version(uow, mandate_id)


async def delete_provider(uow: UnitOfWork, mandate_id: UUID, provider_id: UUID) -> None:
    await uow.execute("delete from model_providers where mandate_id = $1 and provider_id = $2", mandate_id, provider_id)
    await raise_version(uow, mandate_id)


async def put_chain(uow: UnitOfWork, mandate_id: UUID, operation: Operation, refs: Sequence[str] | None) -> None:
    """None: follow the ranking again."""
    await raise_version(uow, mandate_id)
    change = "chains - $2::text" if refs is None else "chains || jsonb_build_object($2::text, $3::jsonb)"
    args = [] if refs is None else [json.dumps(list(refs))]
    await uow.execute(
        f"update model_settings set chains = {change} where mandate_id = $1", mandate_id, operation, *args
    )


async def put_price(uow: UnitOfWork, mandate_id: UUID, ref: str, price: Price | None) -> None:
    """None: what the catalogue says again."""
    if price is None:
        await uow.execute("delete from model_prices where mandate_id = $1 and model = $2", mandate_id, ref)
    else:
        await uow.execute(
            "insert into model_prices (mandate_id, model, input, cached, output) values ($1, $2, $3, $4, $5)"
            " on conflict (mandate_id, model) do update set input = $3, cached = $4, output = $5",
            mandate_id,
            ref,
            price.input,
            price.cached,
            price.output,
        )
    await raise_version(uow, mandate_id)


async def put_rate(uow: UnitOfWork, mandate_id: UUID, rate: ExchangeRate, assumption: Decimal) -> None:
    await raise_version(uow, mandate_id)
    await uow.execute(
        "update model_settings set chf_per_usd = $2, rate_date = $3, assumed_chf = $4 where mandate_id = $1",
        mandate_id,
        rate.chf_per_usd,
        rate.day,
        assumption,
    )


def _changeable(provider: Provider, key: Sealed | None) -> tuple[Any, ...]:
    return (
        provider.label,
        provider.base_url,
        provider.private,
        json.dumps([asdict(model) for model in provider.models]),
        provider.enabled,
        key.key_id if key else None,
        key.data if key else None,
        provider.key_hint,
        _written(provider.failure),
    )


def _written(failure: ProviderFailure | None) -> str | None:
    return None if failure is None else json.dumps(asdict(failure) | {"at": failure.at.isoformat()})


def _read(failure: str | None) -> ProviderFailure | None:
    if failure is None:
        return None
    stored = json.loads(failure)
    return ProviderFailure(**stored | {"at": datetime.fromisoformat(stored["at"])})


def _own_model(stored: Mapping[str, Any]) -> OwnModel:
    vectors, facts = stored.get("vectors"), stored.get("facts")
    made = {"vectors": vectors and OwnVectors(**vectors), "facts": facts and ModelFacts(**facts)}
    return OwnModel(**{**stored, **made})


def _stored(row: Any) -> Stored:
    key = Sealed(row["key_id"], row["key_sealed"]) if row["key_sealed"] is not None else None
    found = Provider(
        name=row["name"],
        kind=ProviderKind(row["kind"]),
        label=row["label"],
        base_url=row["base_url"],
        models=tuple(_own_model(model) for model in json.loads(row["models"])),
        enabled=row["enabled"],
        private=row["private"],
        key_hint=row["key_hint"],
        has_key=key is not None,
        id=row["provider_id"],
        failure=_read(row["failure"]),
    )
    return found, key
