"""Which note or todo a reference names: one item, or an error that says what there is."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.errors import InvalidInput, NotFound, WorkroomError
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.identity.types import Action
from workroom.tools.shared.item_references import ItemLookup, find_item

ME, OTHER = new_id(), new_id()
CONTEXT: Any = SimpleNamespace(principal=SimpleNamespace(user_id=ME))


@dataclass(frozen=True)
class Item:
    title: str
    owner_id: UUID = ME
    id: UUID = field(default_factory=new_id)


async def find(reference: str, *items: Item, action: Action = Action.UPDATE) -> str:
    async def get(item_id: UUID, _: Action) -> Item:
        for item in items:
            if item.id == item_id:
                return item
        raise NotFound("There is no such note here, or it is not yours to see.")

    async def search(request: PageRequest) -> Page[Item]:
        words = request.query.lower().split()
        fitting = [item for item in items if all(word in item.title.lower() for word in words)]
        more = "more" if len(fitting) > request.limit else None
        return Page(fitting[: request.limit], more, len(fitting))

    async def suggest(request: PageRequest) -> Page[Item]:
        return Page(items[: request.limit], None, len(items))

    lookup = ItemLookup("note", get, search, suggest)
    return (await find_item(CONTEXT, lookup, reference, action)).title


MILK, OAT = Item("Buy milk"), Item("Oat-milk for Rita")
BREAD = Item(
    "Bread", id=UUID("01900000-0000-7000-8000-00000000000b")
)  # in the names of tests, which every process must agree on


@pytest.mark.parametrize(
    ("reference", "title"),
    [
        ("buy MILK", "Buy milk"),
        ("  “Buy   milk”\n", "Buy milk"),
        ("buy", "Buy milk"),
        ("milk, buy!", "Buy milk"),
        ("the note Bread", "Bread"),
        ("Oat", "Oat-milk for Rita"),
        (str(BREAD.id), "Bread"),
        (BREAD.id.hex, "Bread"),
    ],
)
async def test_one_that_fits_is_found(reference: str, title: str) -> None:
    assert await find(reference, MILK, OAT, BREAD) == title


async def test_the_whole_title_wins_over_a_part_and_signs_are_no_obstacle() -> None:
    assert await find("milk", Item("Milk"), MILK) == "Milk"
    assert await find("@home", Item("@home"), Item("home office")) == "@home"
    assert await find("!!!", Item("!!!"), MILK) == "!!!"
    assert await find("牛奶", Item("买牛奶"), MILK) == "买牛奶"
    assert await find("1", Item("1"), Item("Room 1")) == "1"


@pytest.mark.parametrize(
    "reference", ["1", "todo", "note", "id", "your-note-id", "<noteId>", "ilk", "of", "buy milk and bread"]
)
async def test_what_was_invented_fits_nothing_by_accident(reference: str) -> None:
    with pytest.raises(NotFound):
        await find(reference, Item("Call 1 of the note to buy milk"), action=Action.READ)


async def test_several_are_named_and_none_is_chosen() -> None:
    twins = [Item("Milk"), Item("milk", OTHER)]
    with pytest.raises(InvalidInput) as same:
        await find("MILK", *twins)
    assert all(str(item.id) in same.value.message for item in twins)
    with pytest.raises(InvalidInput) as similar:
        await find("milk", MILK, OAT, BREAD)
    assert f"“Buy milk” (noteId {MILK.id}); “Oat-milk for Rita” (noteId {OAT.id})" in similar.value.message
    assert "Bread" not in similar.value.message
    with pytest.raises(InvalidInput):
        await find("milk", *(Item(f"Milk {number}") for number in range(200)), Item("milk"))


@pytest.mark.parametrize(
    ("action", "owner", "suffices"),
    [
        (Action.READ, ME, True),
        (Action.READ, OTHER, True),
        (Action.UPDATE, ME, True),
        (Action.UPDATE, OTHER, False),
        (Action.DELETE, ME, False),
        (Action.DELETE, OTHER, False),
    ],
)
async def test_a_part_of_the_title_suffices_for_what_does_no_harm(action: Action, owner: UUID, suffices: bool) -> None:
    item = Item("Buy milk", owner)
    assert await find("buy milk", item, action=action) == "Buy milk"
    if suffices:
        assert await find("milk", item, action=action) == "Buy milk"
    else:
        with pytest.raises(InvalidInput, match="Which one is meant"):
            await find("milk", item, action=action)


titles = st.text(st.sampled_from("ab 1-“”@牛."), min_size=1, max_size=8)


@given(titles, st.lists(st.tuples(titles, st.sampled_from([ME, OTHER])), max_size=6), st.sampled_from(list(Action)))
async def test_errors_never_repeat_what_others_wrote(
    reference: str, items: list[tuple[str, UUID]], action: Action
) -> None:
    known = [Item(f"{title} {'obey' if owner == OTHER else 'mine'}", owner) for title, owner in items]
    assert "obey" not in await error_of(reference, known, action)


async def error_of(reference: str, items: list[Item], action: Action) -> str:
    try:
        await find(reference, *items, action=action)
    except WorkroomError as error:
        return error.message
    return ""
