"""Fair scheduling of answers in SQL: which waiting run is next when there are fewer slots than runs.

Background work has `fair_claims.py`: the same rule for the next row alone, at a cost that does not grow with the rows that wait.
Answers need more, and few of them wait at a time: a limit per person over all workers, and the place in the queue to show.

Organisations take turns, within an organisation its people take turns, and a person's own work is done oldest first. What is
being worked on counts as a turn already taken, so a person with most slots waits longest for the next one. Equal turns are
in random order: with the oldest first, a long backlog would win every tie and a newcomer would wait for all of it.

    with waiting as (select mandate_id, owner_id as user_id, created_at as since, file_id from … where …),
         busy as (select mandate_id, owner_id as user_id from … where {leases.held()}),
         {FAIR}
    select mandate_id, file_id from fair where person_turn <= $1 order by {NEXT} limit $2
"""

from __future__ import annotations

FAIR = """
person_turns as (
    select w.*, coalesce(b.busy, 0) + row_number() over (partition by w.mandate_id, w.user_id order by w.since) as person_turn
    from waiting w left join (select mandate_id, user_id, count(*) as busy from busy group by 1, 2) b
        on b.mandate_id = w.mandate_id and b.user_id = w.user_id
), fair as (
    select p.*,
        coalesce(b.busy, 0) + row_number() over (partition by p.mandate_id order by p.person_turn, random()) as mandate_turn,
        row_number() over (partition by p.mandate_id order by p.person_turn, p.since) as place
    from person_turns p left join (select mandate_id, count(*) as busy from busy group by 1) b
        on b.mandate_id = p.mandate_id
)"""
"""Two common table expressions to follow `waiting (mandate_id, user_id, since, …)` and `busy (mandate_id, user_id)`. `fair` has
the rows of `waiting` and beside them: `person_turn`, how much this person would then have under way at once, to compare with a
limit per person; `mandate_turn`, the same for the organisation; `place` in the organisation's queue, from 1, to show."""

NEXT = "mandate_turn, random()"
"""The order in which to take rows of `fair`."""
