"""Leases: a row of work belongs to one worker process until the process finishes it, gives it back, or is not heard of any more.

A leased table has these columns; all kinds of work use the same:

    lease_holder  the worker that has it (`workers.worker_id`); null: none
    lease_epoch   the fencing number, raised by every claim. Every write of the holder names the number it was given, so a worker
                  that was stopped and wakes finds that its writes touch nothing. (Runs call it `epoch`.)
    not_before    it is not claimed before then: the last try went wrong, or its worker died

A lease has no time of its own. It lasts while the heartbeat of its holder does (db/heartbeat.py), so keeping it costs nothing,
however much a worker holds, and a worker that is alive never loses anything because it is busy. On the other hand a holder that
stops working on something must release it: nothing lapses while the process lives.

Everything is measured by the database's clock; clocks of workers may be wrong.
"""

from __future__ import annotations

LEASE = "interval '10 seconds'"
LONGEST_BACKOFF = "interval '1 minute'"
# No heartbeat is ahead of the clock: what says so was written before the clock of the database was set back.
ALIVE = f"heartbeat_at between clock_timestamp() - {LEASE} and clock_timestamp() + interval '1 minute'"
# Evaluated once per statement, not once per row.
LIVE_WORKERS = f"array(select worker_id from workers where {ALIVE})"
COUNT_WORKERS = f"select count(*) from workroom.workers where {ALIVE}"

GIVEN_BACK = "lease_holder = null, not_before = null"
"""What is set when a lease is given back: the row may be claimed at once."""

FAILED = "lease_holder = null"
"""What is set when the work went wrong: the row may be claimed again when the time has come that its claim set."""


def held(table: str = "") -> str:
    """Whether a live worker has the row. `table`: its alias."""
    dot = _dot(table)
    return f"coalesce({dot}lease_holder = any({LIVE_WORKERS}), false)"


def lapsed(table: str = "") -> str:
    """Whether the worker that has the row is not heard of any more."""
    dot = _dot(table)
    return f"coalesce({dot}lease_holder <> all({LIVE_WORKERS}), false)"


def free(table: str = "", claimant: str | None = None) -> str:
    """Whether the row may be claimed. `claimant`: the parameter with the worker that wants to; one whose own heartbeat lapsed a
    moment ago takes nothing over. When the database was away all heartbeats have lapsed, and all workers are still there."""
    dot = _dot(table)
    lapsed_for_claimant = lapsed(table) if claimant is None else f"({lapsed(table)} and {_is_steady(claimant)})"
    due = f"({dot}not_before is null or {dot}not_before <= clock_timestamp())"
    return f"(({dot}lease_holder is null or {lapsed_for_claimant}) and {due})"


def claimed(claimant: str, tries: str, table: str = "", epoch: str = "lease_epoch") -> str:
    """What a claim sets. `tries`: how often it was claimed in vain before. Should this one be in vain as well, because the
    process dies with it, the next is later, each time twice as late."""
    dot = _dot(table)
    backoff = f"least({LEASE} * power(2, least({tries}, 10)), {LONGEST_BACKOFF})"
    return f"lease_holder = {claimant}, {epoch} = {dot}{epoch} + 1, not_before = clock_timestamp() + {backoff}"


def _is_steady(claimant: str) -> str:
    return f"exists (select from workers where worker_id = {claimant} and steady_since <= clock_timestamp() - {LEASE})"


def _dot(table: str) -> str:
    return f"{table}." if table else ""
