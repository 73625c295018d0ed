"""Who is next, whatever the work: the laws of the queue that runs, files and evaluations share."""

from __future__ import annotations

from collections import Counter
from uuid import UUID

import pytest

from workroom.core.actors import UserActor
from workroom.db import Database
from workroom.db.fairness import FAIR, NEXT

MANDATES = {letter: UUID(int=number) for number, letter in enumerate("AB", start=1)}
PEOPLE = {letter: UUID(int=number) for number, letter in enumerate("xyz", start=10)}


async def queue(db: Database, waiting: str, busy: str = "", limit: int = 100) -> list[tuple[str, int]]:
    """The order in which work is taken, with the place each is shown. `Ax1` is work of person x in organisation A, the first
    to arrive; `Bz` somebody at work."""
    wanted, working = waiting.split(), busy.split()
    sql = (
        "with waiting as (select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[])"
        " as w (mandate_id, user_id, since, name)),"
        f" busy as (select * from unnest($5::uuid[], $6::uuid[]) as b (mandate_id, user_id)), {FAIR}"
        f" select name, place from fair where person_turn <= $7 order by {NEXT}"
    )
    async with db.unit_of_work(UserActor(MANDATES["A"])) as uow:
        rows = await uow.fetch(
            sql,
            [MANDATES[name[0]] for name in wanted],
            [PEOPLE[name[1]] for name in wanted],
            [int(name[2:]) for name in wanted],
            wanted,
            [MANDATES[name[0]] for name in working],
            [PEOPLE[name[1]] for name in working],
            limit,
        )
    return [(row["name"], row["place"]) for row in rows]


async def order(db: Database, waiting: str, busy: str = "", limit: int = 100) -> list[str]:
    return [name for name, _ in await queue(db, waiting, busy, limit)]


@pytest.mark.parametrize(
    ("waiting", "busy", "taken"),
    [
        ("Ax1 Ax2 Ax3", "", "Ax1 Ax2 Ax3"),  # of one person the oldest first
        ("Ax3 Ax1 Ax2", "Ax Ax", "Ax1 Ax2 Ax3"),
        ("Ax1 Ax2 By3", "Ax", "By3 Ax1 Ax2"),  # an organisation without a slot before one that has some
        ("Ax1 Ax2 By3 By4", "Ax Ax", "By3 By4 Ax1 Ax2"),
        ("Ax1 Ax2 Ay3", "Ax", "Ay3 Ax1 Ax2"),  # and so for people within one
        ("Ax1 Ay2 Bz3", "Ax Ay Bz", "Bz3 Ax1 Ay2"),  # organisations before people
    ],
)
async def test_who_has_fewest_slots_is_next(db: Database, waiting: str, busy: str, taken: str) -> None:
    found = await order(db, waiting, busy)
    assert found[:1] == taken.split()[:1]
    assert Counter(found) == Counter(taken.split())
    assert [name for name in found if name[1] == "x"] == [name for name in taken.split() if name[1] == "x"]


async def test_slots_are_given_in_turn(db: Database) -> None:
    found = await order(db, "Ax1 Ax2 Ax3 Ay4 Bz5 Bz6 Bz7 Bz8")
    assert {name[0] for name in found[:2]} == {"A", "B"}
    assert {name[0] for name in found[2:4]} == {"A", "B"}
    assert {name[1] for name in found if name[0] == "A" and found.index(name) < 4} == {"x", "y"}


async def test_nobody_has_more_at_once_than_the_limit(db: Database) -> None:
    assert await order(db, "Ax1 Ax2 Ax3 Ay4", "Ax", limit=2) == ["Ay4", "Ax1"]
    assert await order(db, "Ax1 Ax2", "Ax Ax", limit=2) == []


async def test_a_backlog_does_not_win_every_tie(db: Database) -> None:
    """One slot, and nobody at work when it is given: who came later is not left until all that came before is done."""
    backlog = " ".join(f"Ax{number}" for number in range(50))
    first = Counter([(await order(db, f"{backlog} By99"))[0] for _ in range(40)])
    assert set(first) == {"Ax0", "By99"}


async def test_the_place_that_is_shown_counts_the_own_organisation_only(db: Database) -> None:
    places = dict(await queue(db, "Bz1 Bz2 Bz3 Ax4 Ax5 Ay6"))
    assert places == {"Bz1": 1, "Bz2": 2, "Bz3": 3, "Ax4": 1, "Ay6": 2, "Ax5": 3}
