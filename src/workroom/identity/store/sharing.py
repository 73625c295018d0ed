"""Things people share, as a condition on their rows: the second wall beside row-level security."""

from __future__ import annotations


def reached(table: str, at: int, grants: str | None = None, id_: str = "") -> str:
    """The condition on rows of `table`: $1 is the mandate, $2 the workspace, and from `$at` on come the six of `Reach.args`.
    `grants` is the table that says with whom a private one is shared."""
    user, own, group, shared, readers, inspected = (f"${number}" for number in range(at, at + 6))
    mine, known = f"{table}.owner_id = {user}", "false"
    if grants:
        mine += f" or {table}.{id_} = any(array(select {id_} from {grants} where mandate_id = $1 and user_id = {user}))"
        known = f"exists (select from {grants} g where g.mandate_id = $1 and g.{id_} = {table}.{id_} and g.user_id = reader.id)"
    return (
        f"({table}.visibility = 'ALL' and {shared} or {table}.instance_id = $2 and ({table}.visibility = 'GROUP' and {group}"
        f" or {own} and ({mine}) and not exists (select from unnest({readers}::uuid[]) as reader(id)"
        f" where reader.id <> {table}.owner_id and not {known})"
        f" or {table}.owner_id = any({inspected}::uuid[])))"
    )
