"""What `@` completes in the conversation about a project: its blocks, each written so that it alone is meant."""

from __future__ import annotations

import time
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any
from uuid import UUID

import pytest

from tests.studio.making import block, project
from tests.studio.values import a_project
from tests.world import World, some_id
from workroom.core.errors import NotFound
from workroom.documents.references import mentions, without_mentions
from workroom.studio.mentions import suggestions
from workroom.studio.projects import new_block
from workroom.studio.references import find_block, names_of_blocks
from workroom.studio.tree import BlockTree
from workroom.studio.types import Block, BlockKind

PROJECT = a_project("design_inner")


def made(name: str, phase: str = "design_inner", parent: Block | None = None, **more: Any) -> Block:
    return new_block(PROJECT.id, name, phase, 0, parent_id=parent.id if parent else None, **more)


def names(blocks: Iterable[Block], typed: str, limit: int = 10) -> list[str]:
    return [found.path for found in suggestions(PROJECT, BlockTree(blocks), typed, limit)]


@pytest.mark.requirement("F5")
@pytest.mark.parametrize(
    "names",
    [
        ["Titel"],
        ["Titel", "titel ", "Untertitel"],
        ["Was ist das?", 'Das "Velo"', "a@b.ch", "(x)", "标题"],
        ["Posts/Titel", "Titel", "Titel.", "Titel/"],
    ],
)
def test_what_is_inserted_means_that_block_and_no_other(names: list[str]) -> None:
    group, other = made("Posts", kind=BlockKind.GROUP), made("Mails", kind=BlockKind.GROUP)
    blocks = [made(name, parent=parent) for name in names for parent in (None, group, other)]
    tree = BlockTree([group, other, *blocks])
    found = suggestions(PROJECT, tree, "", 100)
    assert {suggestion.id for suggestion in found} == {block.id for block in blocks}, "groups have no text"
    for suggestion in found:
        [mention] = mentions(f"Kürze {suggestion.insert} bitte")
        assert find_block(tree, mention.name).id == suggestion.id
        assert names_of_blocks(tree)(mention.name)


def test_what_begins_so_comes_first_and_the_current_phase_before_others() -> None:
    group = made("Posts", kind=BlockKind.GROUP)
    inner = made("Erster", parent=group)
    blocks = [made("Posten", "research"), made("Blogposts", "research"), made("Postkarte"), group, inner]
    assert names(blocks, "@POST") == ["Postkarte", "Posten", "Posts/Erster", "Blogposts"]
    assert names(blocks, '"post', limit=2) == ["Postkarte", "Posten"]
    assert names(blocks, "posts/e") == ["Posts/Erster"]
    assert names(blocks, "nichts") == []


@pytest.mark.requirement("F5", "P1")
async def test_blocks_are_offered_where_the_conversation_is_about_their_project(world: World) -> None:
    about = await project(world)
    await block(world, about, "Der Titel")
    bob, lab = world["bob"].principal, world.instances["lab"].id
    conversation_id = await world.services.studio.conversations.open(bob, lab, about.id)

    async def asked(query: str, by: str = "bob") -> Any:
        return await world.call(by, "GET", f"/api/workspace/{lab}/mentions?{query}")

    [found] = (await asked(f"q=titel&workflowId={conversation_id}")).json()["items"]
    assert (found["kind"], found["insert"], found["phase"]) == ("block", '@"Der Titel"', "Kern entwerfen")
    assert (await asked("q=titel")).json()["items"] == []
    other = (await world.call("bob", "POST", f"/api/workspace/{lab}/input", {"prompt": "x"})).json()["workflowId"]
    assert (await asked(f"q=titel&workflowId={other}")).json()["items"] == []
    for by, conversation in (("rita", conversation_id), ("bob", some_id())):
        assert (await asked(f"q=titel&workflowId={UUID(str(conversation))}", by)).status_code == 404
    await world.services.studio.projects.delete(bob, lab, about.id)
    assert (await asked(f"q=titel&workflowId={conversation_id}")).json()["items"] == []


def test_many_mentions_do_not_hold_up_others() -> None:
    """Against each block, each took milliseconds: a message of them stopped everything for minutes."""
    blocks = BlockTree([made(f"Block {number}") for number in range(1_000)])
    text = " ".join(f"@Block{number}" for number in range(5_000))
    since = time.perf_counter()
    assert without_mentions(text, names_of_blocks(blocks)) == text
    assert time.perf_counter() - since < 3


def test_what_is_like_a_long_name_is_found_by_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    alike = get_close_matches

    def recorded(word: str, possibilities: Iterable[str], *more: Any) -> list[str]:
        compared.extend([word, *possibilities])
        return alike(word, list(possibilities), *more)

    monkeypatch.setattr("workroom.studio.references.get_close_matches", recorded)
    blocks = BlockTree([made(f"{letter} introduction {'x' * 90}") for letter in "ABCD"])
    with pytest.raises(NotFound, match="There is “A introduction"):
        find_block(blocks, f"A introducton {'x' * 90}")
    assert max(map(len, compared)) < 30, "how alike two texts are takes the square of their lengths"
