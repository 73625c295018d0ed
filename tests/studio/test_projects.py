"""Projects on the database: phases of their own, going on and back, profiles that several share, two who change one at once."""

from __future__ import annotations

import pytest

from tests.studio.making import block, project, write
from tests.world import World
from workroom.core.errors import Forbidden, InvalidInput, NotFound
from workroom.core.languages import LANGUAGES
from workroom.core.pages import PageRequest
from workroom.db import UnitOfWork
from workroom.studio.errors import PhaseIncomplete, ProjectChanged
from workroom.studio.phases import PHASE_ALIAS, PHASE_ORDER, PHASES, alias
from workroom.studio.project_phases import find_phase, next_phase, phase_name, previous_phase, visible
from workroom.studio.types import PhaseStatus, ProjectChange, ProjectPhase


@pytest.mark.requirement("F1")
def test_everything_about_phases_follows_from_one_file() -> None:
    assert PHASE_ORDER == (
        "intent", "research", "design_inner", "produce_inner", "design_outer", "produce_outer", "evaluate",
    )  # fmt: skip
    for code, phase in PHASES.items():
        assert set(phase.names) == set(phase.purposes) == set(LANGUAGES)
        assert phase.guidance.endswith(".")
        assert {PHASE_ALIAS[alias(name)] for name in (code, *phase.names.values())} == {code}


@pytest.mark.requirement("F1", "F9")
async def test_a_project_goes_on_and_back_by_any_name_of_a_phase(world: World) -> None:
    made = await project(world)
    projects, place = world.services.studio.projects, (world["bob"].principal, world.instances["lab"].id, made.id)
    with pytest.raises(PhaseIncomplete) as incomplete:
        await projects.advance(*place, None)
    assert incomplete.value.details["names"] == ["Absichtsanalyse"]
    ahead = await projects.advance(*place, "Core design", force=True)
    assert (ahead.current_phase, ahead.phase_status["intent"]) == ("design_inner", PhaseStatus.COMPLETED)
    back = await projects.advance(*place, "intention")
    assert (back.current_phase, back.phase_status["design_inner"]) == ("intent", PhaseStatus.PENDING)
    with pytest.raises(NotFound, match=r"no such phase. It has: intent \(Absicht\), research"):
        await projects.advance(*place, "nirvana")
    last = await projects.advance(*place, "evaluate", force=True)
    assert (next_phase(last), previous_phase(last)) == (None, "produce_outer")
    done = await projects.advance(*place, None)
    assert done.phase_status["evaluate"] is PhaseStatus.COMPLETED
    assert await projects.advance(*place, None) == done, "there is nothing after it"


@pytest.mark.requirement("F1")
async def test_a_project_renames_hides_and_adds_phases(world: World) -> None:
    made = await project(world)
    projects, place = world.services.studio.projects, (world["bob"].principal, world.instances["lab"].id, made.id)
    kept = [ProjectPhase(code=code, hidden=code == "research") for code in PHASE_ORDER]
    kept[2] = ProjectPhase(code="design_inner", name="Drehbuch")
    changed = await projects.change(
        *place, 1, ProjectChange(phases=[*kept[:3], ProjectPhase(code="new", name="Review"), *kept[3:]])
    )
    assert visible(changed)[:3] == ["intent", "design_inner", "own_review_1"]
    assert phase_name(changed, "design_inner", "fr") == "Drehbuch"
    assert find_phase(changed, "drehbuch") == find_phase(changed, "Core design") == "design_inner"
    with pytest.raises(NotFound):
        find_phase(changed, "research")
    renamed = [ProjectPhase(code=code, name="Evaluation" if code == "produce_outer" else "") for code in PHASE_ORDER]
    assert find_phase(made.model_copy(update={"phases": renamed[::-1]}), "Evaluation") == "produce_outer", (
        "as it is here"
    )
    await block(world, changed, "Notes", phase="own_review_1")
    without = [phase for phase in changed.phases if phase.code != "own_review_1"]
    hidden_current = [phase.model_copy(update={"hidden": phase.code == "intent"}) for phase in changed.phases]
    twice = [*changed.phases[1:], ProjectPhase(code="intent", name="Drehbuch")]
    for refused in (without, hidden_current, twice, changed.phases[1:], [*changed.phases, changed.phases[0]], []):
        with pytest.raises(InvalidInput):
            await projects.change(*place, changed.version, ProjectChange(phases=refused))


@pytest.mark.requirement("F1")
async def test_a_code_means_its_phase_whatever_another_one_is_called(world: World) -> None:
    made = await project(world)
    projects, place = world.services.studio.projects, (world["bob"].principal, world.instances["lab"].id, made.id)
    phases = [*made.phases, ProjectPhase(code="new", name="Research")]
    changed = await projects.change(*place, 1, ProjectChange(phases=phases))
    assert changed.phases[-1].code == "own_research_1"
    assert find_phase(changed, "research") == "research", "as pages send it"
    assert find_phase(changed, "Research") == "own_research_1", "as people read it"


@pytest.mark.requirement("F1", "F2")
async def test_what_stands_in_a_hidden_phase_can_change_places_there(world: World) -> None:
    made = await project(world)
    studio, place = world.services.studio, (world["bob"].principal, world.instances["lab"].id, made.id)
    await block(world, made, "First", phase="research")
    second = await block(world, made, "Second", phase="research")
    phases = [phase.model_copy(update={"hidden": phase.code == "research"}) for phase in made.phases]
    await studio.projects.change(*place, 1, ProjectChange(phases=phases))
    await studio.blocks.move(*place, second.id, None, "research", 0)
    _, tree = await studio.blocks.tree(*place)
    assert [one.name for one in tree.siblings(None, "research")] == ["Second", "First"]
    with pytest.raises(NotFound):
        await studio.blocks.move(*place, next(iter(tree.in_order(["intent"]))).id, None, "research")


@pytest.mark.requirement("F1", "F9")
async def test_nothing_is_left_of_a_phase_that_was_removed(world: World) -> None:
    made = await project(world)
    projects, place = world.services.studio.projects, (world["bob"].principal, world.instances["lab"].id, made.id)
    print_ = ProjectPhase(code="new", name="Print")
    await projects.change(*place, 1, ProjectChange(phases=[*made.phases, print_]))
    await projects.advance(*place, "own_print_1", force=True)
    back = await projects.advance(*place, "research")
    without = await projects.change(*place, back.version, ProjectChange(phases=made.phases))
    assert "own_print_1" not in without.phase_status
    nameless = [*made.phases, ProjectPhase(code="own_print_1")]
    again = await projects.change(*place, without.version, ProjectChange(phases=[*made.phases, print_]))
    with pytest.raises(InvalidInput, match="needs a name"):
        await projects.change(*place, again.version, ProjectChange(phases=nameless))


@pytest.mark.requirement("F9")
async def test_of_two_who_change_a_project_at_once_the_second_is_told(world: World) -> None:
    made = await project(world)
    projects, place = world.services.studio.projects, (world["bob"].principal, world.instances["lab"].id, made.id)
    changed = await projects.change(*place, 1, ProjectChange(name="New"))
    with pytest.raises(ProjectChanged) as overtaken:
        await projects.change(world["alice"].principal, *place[1:], 1, ProjectChange(name="Newer"))
    assert overtaken.value.details["version"] == changed.version == 2
    assert await projects.change(*place, 2, ProjectChange(name="New")) == changed, "nothing is different"


@pytest.mark.requirement("F9")
async def test_a_profile_is_edited_once_for_all_its_projects_and_survives_them(world: World) -> None:
    studio, bob, lab = world.services.studio, world["bob"].principal, world.instances["lab"].id
    profile = await studio.profiles.create(bob, lab, "Workshop", "Says you.")
    both = [await studio.projects.create(bob, lab, name, "", "de", profile.id) for name in ("One", "Two")]
    changed = await studio.profiles.change(world["alice"].principal, lab, profile.id, 1, text="Says thou.")
    assert (changed.text, changed.version) == ("Says thou.", 2)
    await studio.projects.delete(bob, lab, both[0].id)
    assert (await studio.profiles.get(bob, lab, profile.id)).text == "Says thou."
    without = await studio.projects.change(bob, lab, both[1].id, 1, ProjectChange(without_profile=True))
    assert without.profile_id is None


@pytest.mark.requirement("N2")
async def test_others_neither_see_a_project_nor_reach_into_it(world: World) -> None:
    made = await project(world)
    studio, lab = world.services.studio, world.instances["lab"].id
    for name in ("olaf", "zoe"):
        with pytest.raises(NotFound):
            await studio.projects.get(world[name].principal, lab, made.id)
        with pytest.raises(NotFound):
            await studio.conversations.open(world[name].principal, lab, made.id)
    with pytest.raises(Forbidden):
        await studio.projects.advance(world["rita"].principal, lab, made.id, None, force=True)
    with pytest.raises(Forbidden):
        await studio.projects.delete(world["rita"].principal, lab, made.id)


async def test_a_project_in_the_trash_takes_its_content_along_and_brings_it_back(world: World) -> None:
    made = await project(world)
    await write(world, await block(world, made, "Kept"), "Still there.")
    studio, bob, lab = world.services.studio, world["bob"].principal, world.instances["lab"].id
    conversation = await studio.conversations.open(bob, lab, made.id)
    await studio.projects.delete(bob, lab, made.id)
    assert (await studio.projects.list(bob, lab, PageRequest())).items == []
    assert await studio.conversations.project_of(bob, lab, conversation) is None
    with pytest.raises(NotFound):
        await studio.blocks.tree(bob, lab, made.id)
    await studio.projects.restore(bob, lab, made.id)
    _, tree = await studio.blocks.tree(bob, lab, made.id)
    assert {one.name for one in tree.by_id.values()} == {"Absichtsanalyse", "Kept"}
    assert await studio.conversations.open(bob, lab, made.id) == conversation


@pytest.mark.requirement("F2")
async def test_two_hundred_blocks_are_read_by_as_many_questions_as_two(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await project(world)
    asked, fetch = 0, UnitOfWork.fetch

    async def counted(uow: UnitOfWork, *args: object, **more: object) -> object:
        nonlocal asked
        asked += 1
        return await fetch(uow, *args, **more)  # type: ignore[arg-type]

    async def questions() -> int:
        nonlocal asked
        asked = 0
        await world.services.studio.blocks.tree(world["bob"].principal, world.instances["lab"].id, made.id)
        return asked

    with monkeypatch.context() as patch:
        patch.setattr(UnitOfWork, "fetch", counted)
        few = await questions()
    for number in range(200):
        await block(world, made, f"Block {number}", phase="produce_inner")
    with monkeypatch.context() as patch:
        patch.setattr(UnitOfWork, "fetch", counted)
        assert await questions() == few
