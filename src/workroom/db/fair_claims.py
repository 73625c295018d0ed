"""Fair claims of background work that waits in rows: organisations in turn, in each its people, each person's oldest first.

A lane is one person of one organisation. Lanes with the least running in this process come first, then those served least
recently (`queue_lanes`). Every claim begins with these parameters: $1 the worker that claims, $2 to $4 `load`.
"""

from __future__ import annotations

from typing import Any

from workroom.db.work_scheduler import Load


def load(running: Load) -> tuple[Any, ...]:
    """$2 to $4."""
    return list(running.mandates), list(running.owners), running.is_last_slot


def lanes(table: str, waits: str) -> str:
    """Everybody for whom something waits in a table with `mandate_id` and `owner_id`. With an index on these it is found by
    jumping from one to the next: a person's thousand rows cost as much as one."""
    one = f"select mandate_id, owner_id from {table} where {waits}"
    first = "order by mandate_id, owner_id limit 1"
    return f"""({one} {first}) union all
        select n.* from lanes l cross join lateral (
            {one} and (mandate_id, owner_id) > (l.mandate_id, l.owner_id) {first}) n"""


def claiming(work: str, lanes: str, oldest: str) -> str:
    """The beginning of a statement that goes on with what becomes of the row `chosen`. `oldest`: the next row of the lane `t`
    that is free, locked with `for update skip locked`, so that two processes never choose the same.

    A person with something running here does not get the last free place: the next person finds it."""
    return f"""with recursive lanes as ({lanes}), served as (
            select mandate_id, owner_id, turn from queue_lanes where work = '{work}'
        ), mandates as (
            select mandate_id, max(turn) as turn from served group by mandate_id
        ), turns as (
            select l.mandate_id, l.owner_id from lanes l
            left join mandates m on m.mandate_id = l.mandate_id
            left join served s on s.mandate_id = l.mandate_id and s.owner_id = l.owner_id
            where not ($4 and l.owner_id = any($3::uuid[]))
            order by cardinality(array_positions($2::uuid[], l.mandate_id)), m.turn nulls first,
                cardinality(array_positions($3::uuid[], l.owner_id)), s.turn nulls first, l.mandate_id, l.owner_id
        ), chosen as (
            select o.*, t.owner_id as lane from turns t cross join lateral ({oldest}) o limit 1
        ), marked as (
            insert into queue_lanes as q (mandate_id, work, owner_id, turn)
            select mandate_id, '{work}', lane, (select coalesce(max(turn), 0) + 1 from served) from chosen
            on conflict (mandate_id, work, owner_id) do update set turn = greatest(q.turn, excluded.turn)
        )"""
