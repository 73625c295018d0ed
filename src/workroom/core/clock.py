"""The present moment, always in UTC. One function, so that tests and readers find the one place where time comes from."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)
