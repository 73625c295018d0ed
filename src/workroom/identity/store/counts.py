"""How many mandates, people, workspaces and sessions there are, over all mandates, for the operator's metrics."""

from __future__ import annotations

from collections.abc import Mapping

from workroom.db import UnitOfWork

COUNTS = {
    "mandates": "select count(*) from mandates",
    "users": "select count(*) from users where status = 'active'",
    "instances": "select count(*) from instances where status = 'active'",
    "sessions": "select count(*) from sessions where expires_at > now()",
}


async def counts(uow: UnitOfWork) -> Mapping[str, int]:
    """By kind, as the system actor `metrics`."""
    return {kind: await uow.fetchval(sql) for kind, sql in COUNTS.items()}
