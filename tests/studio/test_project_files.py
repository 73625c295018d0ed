"""A project leaves as a document or as JSON, and the JSON becomes the same project elsewhere; what does not fit is refused."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from tests.documents.docx.making import MEDIA_TYPE, said
from tests.documents.making import stored
from tests.studio.making import block, project, write
from tests.world import World, some_id
from workroom.core.errors import InvalidInput
from workroom.core.markdown_headings import moved_headings
from workroom.documents.extractors.docx import EXTRACTOR
from workroom.studio import exports
from workroom.studio.project_file import LARGEST_FILE
from workroom.studio.types import (
    MOST_PERSONAS,
    BlockKind,
    BlockStatus,
    PersonaContent,
    Project,
    ProjectChange,
    ProjectPhase,
)

HOSTILE = '<img src=x onerror=alert(1)> =1+1 #panic("no") [x](javascript:1) ]]>'


def path(world: World, *more: object, slug: str = "lab") -> str:
    return "/".join([f"/api/workspace/{world.instances[slug].id}/studio/projects", *map(str, more)])


async def filled(world: World) -> Project:
    """Groups, dependencies, a phase of its own, a hidden one, a profile, a persona, and one block in the trash."""
    bob, lab = world["bob"].principal, world.instances["lab"].id
    studio = world.services.studio
    made = await project(world, name="Velo-Ratgeber")
    profile = await studio.profiles.create(bob, lab, "Lena", "Redet wie in der Werkstatt.")
    phases = [*made.phases, ProjectPhase(code="new", name="Druck")]
    phases[1] = phases[1].model_copy(update={"hidden": True})
    change = ProjectChange(description="Für Eltern.\nKurz.", profile_id=profile.id, phases=phases)
    made = await studio.projects.change(bob, lab, made.id, made.version, change)
    made = await studio.projects.change(
        bob,
        lab,
        made.id,
        made.version,
        ProjectChange(phases=[phase.model_copy(update={"name": phase.name and "Satz"}) for phase in made.phases]),
    )
    made = await studio.projects.advance(bob, lab, made.id, "design_inner", force=True)
    group = await block(world, made, "Kapitel", kind=BlockKind.GROUP)
    first = await block(world, made, HOSTILE, parent_id=group.id)
    second = await block(world, made, "Bremsen", parent_id=group.id, depends_on=(first.id,))
    await write(world, first, "## Warum\n\n```\n# kein Titel\n```\n\nDarum.")
    await write(world, second, "# Richtig bremsen\n\n" + HOSTILE, BlockStatus.FINAL)
    await block(world, made, "Umschlag", phase="Satz")
    gone = await block(world, made, "Weg")
    await studio.blocks.delete(bob, lab, made.id, gone.id)
    await studio.personas.add(bob, lab, made.id, PersonaContent(name="Mia", goals=["Sicher fahren"]))
    return made


async def exported(world: World, made: Project, format: str, who: str = "rita") -> Any:
    answer = await world.call(who, "GET", path(world, made.id, f"export?format={format}"))
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.requirement("F2", "F9")
async def test_what_was_exported_becomes_the_same_project_elsewhere(world: World) -> None:
    made = await filled(world)
    first = await exported(world, made, "json")
    assert first.headers["content-disposition"].startswith("attachment")
    assert "Weg" not in first.text
    known = await world.call("bob", "POST", path(world, "import"), first.json())
    elsewhere = await world.call("yann", "POST", path(world, "import", slug="den"), first.json())
    assert (known.status_code, elsewhere.status_code) == (201, 201), elsewhere.text
    assert elsewhere.json()["currentPhase"] == "design_inner"
    assert known.json()["profileId"] == str(made.profile_id), "the workspace has this profile"
    assert elsewhere.json()["creatorProfile"]["text"] == "Redet wie in der Werkstatt."
    place = path(world, elsewhere.json()["id"], slug="den")
    again = await world.call("yann", "GET", f"{place}/export?format=json")
    assert again.text == first.text
    blocks = (await world.call("yann", "GET", f"{place}/blocks")).json()
    written = [one for one in blocks if one["status"] != "empty"]
    assert [one["fromOutside"] for one in written] == [True, True], "yann has not written them"
    assert all(one["writtenByName"] == "Yann" and one["version"] == 1 for one in written)


async def test_what_was_removed_or_brought_back_before_is_no_hindrance(world: World) -> None:
    studio, place = world.services.studio, (world["bob"].principal, world.instances["lab"].id)
    made = await project(world)
    phases = [*made.phases, ProjectPhase(code="new", name="Druck")]
    await studio.projects.change(*place, made.id, 1, ProjectChange(phases=phases))
    await studio.projects.advance(*place, made.id, "Druck", force=True)
    back = await studio.projects.advance(*place, made.id, "intent")
    await studio.projects.change(*place, made.id, back.version, ProjectChange(phases=made.phases))
    people = [
        await studio.personas.add(*place, made.id, PersonaContent(name=f"Mia {number}"))
        for number in range(MOST_PERSONAS)
    ]
    await studio.personas.delete(*place, made.id, people[0].id)
    await studio.personas.add(*place, made.id, PersonaContent(name="Mia"))
    with pytest.raises(InvalidInput, match="at most 50"):
        await studio.personas.restore(*place, made.id, people[0].id)
    file = (await exported(world, made, "json")).json()
    answer = await world.call("bob", "POST", path(world, "import"), file)
    assert answer.status_code == 201, answer.text


async def test_a_project_of_more_than_a_file_holds_is_refused_before_it_is_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await project(world)
    await write(world, await block(world, made, "Long"), "ä" * 600)
    monkeypatch.setattr("workroom.studio.exports.LARGEST_FILE", 1_000)
    for format in ("docx", "pdf", "md", "json"):
        answer = await world.call("bob", "GET", path(world, made.id, f"export?format={format}"))
        assert (answer.status_code, answer.json()["code"]) == (413, "tooLarge")


@pytest.mark.parametrize(("format", "maker"), [("docx", "report_of"), ("md", "markdown_of"), ("json", "file_of")])
async def test_what_takes_a_second_is_done_beside_the_loop(
    world: World, monkeypatch: pytest.MonkeyPatch, format: str, maker: str
) -> None:
    made = await project(world)
    await write(world, await block(world, made, "Long"), "Ein Satz.")
    make, threads = getattr(exports, maker), list[threading.Thread]()

    def recorded(*given: Any) -> Any:
        threads.append(threading.current_thread())
        return make(*given)

    monkeypatch.setattr(exports, maker, recorded)
    await exported(world, made, format)
    assert threads
    assert threading.main_thread() not in threads


async def test_a_docx_and_a_pdf_have_phases_groups_and_blocks_as_headings(world: World, tmp_path: Path) -> None:
    made = await filled(world)
    answer = await exported(world, made, "docx")
    assert answer.headers["content-type"] == MEDIA_TYPE
    file = stored(tmp_path, answer.content, MEDIA_TYPE, "project.docx")
    assert [(entry.level, entry.title) for entry in EXTRACTOR.scan(file).toc] == [
        (1, "Kern entwerfen"),
        (2, "Kapitel"),
        (3, HOSTILE),
        (4, "Warum"),
        (3, "Richtig bremsen"),
    ]
    assert "Für Eltern." in said(file)
    with pypdfium2.PdfDocument((await exported(world, made, "pdf")).content) as document:
        pages = [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    assert "Velo-Ratgeber Für Eltern. Kurz." in pages[0]
    assert HOSTILE in pages[1]
    assert "Entwurf" in pages[1]


async def test_markdown_and_what_has_no_text(world: World) -> None:
    made = await project(world)
    nothing = await world.call("rita", "GET", path(world, made.id, "export?format=md"))
    assert (nothing.status_code, nothing.json()["code"]) == (409, "nothingWritten")
    await write(world, await block(world, made, "A *und* B"), "Ein Satz.", BlockStatus.FINAL)
    await write(world, await block(world, made, "C"), "# Ein Titel\n\n## Warum\n\nDarum.", BlockStatus.DRAFT)
    await write(world, await block(world, made, "D"), "# Nur das", BlockStatus.FINAL)
    text = (await exported(world, made, "md")).text
    first = "# Velo-Ratgeber\n\n## Kern entwerfen\n\n### A \\*und\\* B\n\nEin Satz."
    assert text == f"{first}\n\n### Ein Titel\n\n*Entwurf*\n\n#### Warum\n\nDarum.\n\n### Nur das\n"


async def test_code_that_is_left_open_in_one_block_does_not_swallow_the_next(world: World) -> None:
    made = await project(world)
    await write(world, await block(world, made, "Code"), "So:\n\n~~~~sh\n# no title\n~~~", BlockStatus.FINAL)
    await write(world, await block(world, made, "Next"), "```\nclosed\n```", BlockStatus.FINAL)
    text = (await exported(world, made, "md")).text
    assert text.endswith("# no title\n~~~\n~~~~\n\n### Next\n\n```\nclosed\n```\n")


async def test_projects_of_others_and_readers(world: World) -> None:
    made = await project(world)
    file = (await exported(world, made, "json")).json()
    assert (await world.call("zoe", "GET", path(world, made.id, "export"))).status_code == 404
    assert (await world.call("bob", "GET", path(world, some_id(), "export"))).status_code == 404
    assert (await world.call("rita", "POST", path(world, "import"), file)).status_code == 403
    assert (await world.call("zoe", "POST", path(world, "import"), file)).status_code == 404


def wrong(**changes: Any) -> list[dict[str, Any]]:
    """Two groups and two blocks; the changes are of the second block."""
    return [
        {"number": 1, "kind": "group", "phase": "intent", "name": "Group"},
        {"number": 2, "kind": "group", "phase": "research", "name": "Other"},
        {"number": 3, "phase": "intent", "name": "One", "dependsOn": [4]},
        {"number": 4, "phase": "intent", "name": "Two", **changes},
    ]


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"format": "workroom-agent"}, "invalidInput", "This is not the file of a project"),
        ({"formatVersion": 2}, "invalidInput", "version 2 of the format; this workspace reads version 1"),
        ({"surprise": 1}, "invalidInput", "surprise"),
        ({"blocks": wrong(number=3)}, "invalidInput", "“Two” (number 3) has the number of another block"),
        ({"blocks": wrong(phase="print")}, "invalidInput", "“print”"),
        ({"blocks": wrong(parent=2)}, "invalidInput", "not in a group of its phase"),
        ({"blocks": wrong(parent=3)}, "invalidInput", "not in a group of its phase"),
        ({"blocks": wrong(parent=4)}, "invalidInput", "before the group"),
        ({"blocks": wrong(kind="group", text="x")}, "invalidInput", "group with a text"),
        ({"blocks": wrong(dependsOn=[1])}, "invalidInput", "depends on a block that is not in the file"),
        ({"blocks": wrong(dependsOn=[9])}, "invalidInput", "depends on a block that is not in the file"),
        ({"blocks": wrong(dependsOn=[3])}, "dependencyCycle", "One → Two → One"),
        ({"blocks": wrong(name="\u0007")}, "invalidInput", "printable"),
        ({"personas": [{"name": "Mia", "goals": ["a\0b"]}]}, "invalidInput", "goals"),
        ({"blocks": wrong(text="x" * 300_001)}, "invalidInput", "300000"),
        ({"blocks": wrong(text="ä" * 200_000)}, "invalidInput", "300 kB"),
        ({"blocks": [{"number": 1, "phase": "intent", "name": "x"}] * 1_001}, "invalidInput", "1000"),
        (
            {
                "blocks": [
                    {"number": at, "parent": at - 1 or None, "kind": "group", "phase": "intent", "name": "G"}
                    for at in range(1, 8)
                ]
            },
            "invalidInput",
            "groups deep",
        ),
    ],
)
async def test_a_file_that_does_not_fit_is_refused_and_nothing_of_it_stays(
    world: World, changes: dict[str, Any], code: str, words: str
) -> None:
    file = (await exported(world, await project(world), "json")).json()
    answer = await world.call("bob", "POST", path(world, "import"), {**file, **changes})
    assert (answer.status_code, answer.json()["code"]) == (422, code), answer.text
    assert words in answer.text
    assert (await world.call("bob", "GET", path(world))).json()["total"] == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"currentPhase": "print"}, "no phase “print”"),
        ({"phaseStatus": {"print": "completed"}}, "no phase “print”"),
        ({"phases": [{"code": "intent"}]}, "can be hidden, but not removed"),
        ({"phases": [{"code": "print", "name": "Print"}]}, "no phase “print”"),
        ({"phases": [{"code": "own_print_1"}]}, "no phase “own_print_1”"),
        ({"name": " "}, "1 to 120 printable characters"),
        ({"language": "tlh"}, "language"),
    ],
)
async def test_phases_of_a_file_are_those_of_a_project(world: World, changes: dict[str, Any], words: str) -> None:
    file = (await exported(world, await project(world), "json")).json()
    answer = await world.call("bob", "POST", path(world, "import"), {**file, "project": {**file["project"], **changes}})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalidInput"), answer.text
    assert words in answer.text


async def test_the_phase_a_file_stands_in_has_begun_also_where_it_says_nothing_of_it(world: World) -> None:
    file = (await exported(world, await project(world), "json")).json()
    standing = {**file["project"], "currentPhase": "research", "phaseStatus": {"intent": "completed"}}
    answer = await world.call("bob", "POST", path(world, "import"), {**file, "project": standing})
    assert answer.json()["phaseStatus"] == {"intent": "completed", "research": "inProgress"}


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"PK\x03\x04", 422), (b"[" * 100_000, 422), (b"null", 422), (b'"' + b"x" * LARGEST_FILE + b'"', 413)],
)
async def test_what_is_no_json_of_a_project_is_refused(world: World, content: bytes, status: int) -> None:
    async with world.client("bob") as client:
        answer = await client.post(path(world, "import"), content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == status, answer.text


async def test_a_project_as_large_as_they_get_arrives(world: World) -> None:
    file = (await exported(world, await project(world), "json")).json()
    needed = {at: list(range(max(1, at - 30), at)) for at in range(1, 1_001)}
    block = {"phase": "intent", "name": "Block", "text": "x" * 9_000}
    blocks = [{**block, "number": at, "dependsOn": numbers} for at, numbers in needed.items()]
    answer = await world.call("bob", "POST", path(world, "import"), {**file, "blocks": blocks})
    assert answer.status_code == 201, answer.text[:300]
    arrived = (await world.call("bob", "GET", path(world, answer.json()["id"], "blocks"))).json()
    assert (len(arrived), len(arrived[-1]["dependsOn"])) == (1_000, 30)


def test_headings_of_a_text_are_moved_and_those_in_code_are_not() -> None:
    text = "## A\n```md\n# no\n```\n#### B\n#no\n###### C #"
    assert moved_headings(text, 4) == "#### A\n```md\n# no\n```\n###### B\n#no\n###### C #"
    assert moved_headings("# A", 1) == "# A"
    assert moved_headings("none", 3) == "none"
