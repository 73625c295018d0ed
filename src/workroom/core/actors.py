"""Who a database transaction acts for.

An actor is not a permission: it fixes which rows exist for a transaction (row-level security). What the person may do
with those rows is decided in `identity/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


@dataclass(frozen=True)
class UserActor:
    """A person, or the operator at the command line, inside exactly one mandate. With `rights_version` nothing is written
    once that person's rights have changed."""

    mandate_id: UUID
    user_id: UUID | None = None
    rights_version: int | None = None


class SystemActor(StrEnum):
    """Parts of the product that must look across mandates; each is a database role with policies on named tables."""

    LOGIN = "workroom_login"  # finds the session, token or user behind a credential
    STREAM = "workroom_stream"  # tails events for every connected client
    SWEEP = "workroom_sweep"  # removes what has expired, wakes what was left behind
    METRICS = "workroom_metrics"  # counts


Actor = UserActor | SystemActor
