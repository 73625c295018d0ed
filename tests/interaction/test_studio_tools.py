"""Each tool of the studio over the whole application: asked for in a project's conversation, carried out by a worker, seen in the
events, over HTTP and in the database."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tests.interaction.talking import ask, finished, said_until, worker
from tests.studio.making import block, project, write
from tests.studio.tool_calls import ANSWERS, content_writer, conversation_of, judgement, project_with_text
from tests.websearch.searxng_double import searxng
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.models.testing import ScriptedProvider
from workroom.studio.types import PersonaContent, Project
from workroom.studio_tools.shared.model_answers import ModelText, ask_for_text


@dataclass
class Studio:
    """A project of Bob's, with his conversation about it and a worker that carries out what is asked."""

    world: World
    provider: ScriptedProvider
    project: Project
    conversation_id: UUID

    @property
    def path(self) -> str:
        return f"/api/workspace/{self.world.instances['lab'].id}/studio/projects/{self.project.id}"

    async def get(self, path: str = "", who: str = "bob") -> Any:
        answer = await self.world.call(who, "GET", self.path + path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def block(self, name: str) -> dict[str, Any]:
        (found,) = [one for one in await self.get("/blocks") if one["name"] == name]
        text: dict[str, Any] = await self.get(f"/blocks/{found['id']}")
        return text

    async def ask(self, *calls: tuple[str, dict[str, Any]], more: str = "") -> tuple[str, list[dict[str, Any]]]:
        """The run, and what it said until it ended or waits for an answer."""
        lines = [f"{tool} {json.dumps(given, ensure_ascii=False)}" for tool, given in calls]
        accepted = await ask(self.world, "\n".join(lines) + more, workflowId=str(self.conversation_id))
        return accepted["runId"], await said_until(self.world, accepted["runId"], frozenset({"choice"}))

    async def answer(self, run_id: str, said: list[dict[str, Any]], answer: dict[str, Any]) -> list[dict[str, Any]]:
        asked = said[-1]
        path = f"/api/runs/{run_id}/answer"
        answered = await self.world.call("bob", "POST", path, {"callId": asked["callId"], "answer": answer})
        assert answered.status_code < 300, answered.text
        return await finished(self.world, run_id)

    async def rows(self, sql: str) -> list[tuple[Any, ...]]:
        async with self.world.services.db.unit_of_work(self.world["bob"].principal.actor) as uow:
            return [tuple(row.values()) for row in await uow.fetch(sql)]


@asynccontextmanager
async def opened(world: World, address: DatabaseAddress, **more: Any) -> AsyncIterator[Studio]:
    async with ScriptedProvider(behaviour=content_writer) as provider, worker(world, address, provider, **more):
        made = await project_with_text(world)
        yield Studio(world, provider, made, await conversation_of(world, made))


@pytest.fixture
async def studio(world: World, address: DatabaseAddress) -> AsyncIterator[Studio]:
    async with opened(world, address) as found:
        yield found


def result_of(said: list[dict[str, Any]], tool: str) -> dict[str, Any]:
    (event,) = [event for event in said if event["type"] == "toolResult" and event["tool"] == tool]
    result: dict[str, Any] = event["result"]
    return result


def actions(said: list[dict[str, Any]]) -> list[str]:
    return [event["action"]["type"] for event in said if event["type"] == "action"]


@pytest.mark.requirement("F3", "F6")
@pytest.mark.parametrize(
    ("tool", "given", "text"),
    [
        ("update_field", {"field_name": "@x", "content": "Dictated."}, "Dictated."),
        (
            "modify_field",
            {"field_name": "x", "modification_instruction": "Shorter", "reference_fields": []},
            "Shorter.",
        ),
        ("generate_field_content", {"field_name": '"x"', "style_hint": "calm"}, "Written by a model."),
    ],
)
async def test_what_an_agent_writes_is_a_version_in_its_name_and_the_editor_is_told(
    studio: Studio, tool: str, given: dict[str, Any], text: str
) -> None:
    run_id, said = await studio.ask((tool, given))
    assert result_of(said, tool)["status"] == "ok"
    assert actions(said) == ["writtenBlock"]
    stored = await studio.block("x")
    assert (stored["text"], stored["version"], stored["status"]) == (text, 2, "needsReview")
    assert (stored["agentName"], stored["runId"]) == ("Studio", run_id)
    rows = await studio.rows("select version, text from content_block_versions order by version desc limit 1")
    assert rows == [(2, text)]


@pytest.mark.requirement("F3", "B6")
async def test_what_a_model_makes_of_others_texts_by_command_is_marked_like_them(studio: Studio) -> None:
    world, lab = studio.world, studio.world.instances["lab"].id
    await studio.ask(more="/generate_field_content field_name=x")
    assert not (await studio.block("x"))["fromOutside"], "of one's own texts"
    await write(world, await block(world, studio.project, "y"), "Obey.", by="alice")
    await studio.ask(more='/modify_field field_name=y modification_instruction="Shorter"')
    stored = await studio.block("y")
    assert (stored["text"], stored["fromOutside"]) == ("Shorter.", True)
    persona = PersonaContent(name="Anna", summary="Obey.")
    await world.services.studio.personas.add(world["alice"].principal, lab, studio.project.id, persona)
    await block(world, studio.project, "z")
    await studio.ask(more="/generate_field_content field_name=z")
    assert (await studio.block("z"))["fromOutside"], "written for people whom another person has described"


@pytest.mark.requirement("F3", "J3")
async def test_a_final_block_is_proposed_for_and_stored_only_when_accepted(studio: Studio) -> None:
    x = await studio.block("x")
    body = {"version": 1, "text": "Signed off.", "status": "final"}
    at = f"{studio.path}/blocks/{x['id']}/text"
    assert (await studio.world.call("bob", "PUT", at, body)).status_code == 200
    wanted = ("update_field", {"field_name": "x", "content": "Better."})
    for accepted, text in ((False, "Signed off."), (True, "Better.")):
        run_id, said = await studio.ask(wanted)
        pause = said[-1]["pause"]
        assert (pause["kind"], pause["before"], pause["after"]) == ("proposal", "Signed off.", "Better.")
        await studio.answer(run_id, said, {"kind": "proposal", "accepted": accepted})
        stored = await studio.block("x")
        assert (stored["text"], stored["status"]) == (text, "final")


@pytest.mark.requirement("F3", "J3")
async def test_a_proposal_that_was_overtaken_is_not_stored(studio: Studio) -> None:
    x = await studio.block("x")
    at = f"{studio.path}/blocks/{x['id']}/text"
    for version, text in ((1, "Signed off."), (2, "Signed off again.")):
        body = {"version": version, "text": text, "status": "final"}
        assert (await studio.world.call("bob", "PUT", at, body)).status_code == 200
        if version == 1:
            run_id, said = await studio.ask(("update_field", {"field_name": "x", "content": "Better."}))
    said = await studio.answer(run_id, said, {"kind": "proposal", "accepted": True})
    result = result_of(said, "update_field")
    assert (result["status"], "changed since it was proposed" in result["message"]) == ("error", True)
    stored = await studio.block("x")
    assert (stored["text"], stored["version"]) == ("Signed off again.", 3)


@pytest.mark.requirement("F2", "F3")
async def test_a_block_is_written_only_after_those_it_builds_on(studio: Studio) -> None:
    basis = await block(studio.world, studio.project, "Findings")
    await block(studio.world, studio.project, "Teaser", depends_on=(basis.id,))
    wanted = ("generate_field_content", {"field_name": "Teaser"})
    _, said = await studio.ask(wanted)
    result = result_of(said, "generate_field_content")
    assert (result["status"], "“Findings”" in result["message"]) == ("error", True)
    assert all(request.tools for request in studio.provider.requests), "nobody was paid to write it"
    await write(studio.world, basis, "Half of them would cycle.")
    _, said = await studio.ask(wanted)
    assert result_of(said, "generate_field_content")["status"] == "ok"
    (asked,) = [request for request in studio.provider.requests if not request.tools]
    assert "Half of them would cycle." in json.dumps(asked.body)


@pytest.mark.requirement("F3")
async def test_a_text_that_was_paid_for_is_shown_where_its_block_has_gone(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = await studio.block("x")

    async def overtaken(*given: Any) -> ModelText:
        written = await ask_for_text(*given)
        assert (await studio.world.call("alice", "DELETE", f"{studio.path}/blocks/{x['id']}")).status_code == 204
        return written

    monkeypatch.setattr("workroom.studio_tools.modify_field.ask_for_text", overtaken)
    _, said = await studio.ask(("modify_field", {"field_name": "x", "modification_instruction": "Shorter"}))
    result = result_of(said, "modify_field")
    assert (result["status"], result["message"].endswith("\n\nShorter.")) == ("error", True)


@pytest.mark.requirement("F3")
async def test_a_block_that_a_person_is_editing_is_proposed_for(studio: Studio) -> None:
    x = await studio.block("x")
    editing = await studio.world.call("bob", "PUT", f"{studio.path}/blocks/{x['id']}/editing")
    assert editing.status_code == 200
    _, said = await studio.ask(("update_field", {"field_name": "x", "content": "Over it."}))
    assert said[-1]["pause"]["kind"] == "proposal"
    assert (await studio.block("x"))["text"] == "Some text."


@pytest.mark.requirement("F3")
@pytest.mark.parametrize(("tool", "shown"), [("read_field", "Some text."), ("query_field", "version 1 by Bob")])
async def test_a_block_is_read_in_full_or_in_brief(studio: Studio, tool: str, shown: str) -> None:
    _, said = await studio.ask((tool, {"field_name": "x"}))
    result = result_of(said, tool)
    assert shown in result["message"]
    assert not result["untrusted"], "it is the user's own"
    await write(studio.world, await block(studio.world, studio.project, "y"), "Obey.", by="alice")
    _, said = await studio.ask((tool, {"field_name": "y"}))
    assert result_of(said, tool)["untrusted"], "another person wrote it"


@pytest.mark.requirement("F3")
async def test_the_structure_is_changed_and_what_others_need_is_deleted_only_after_asking(studio: Studio) -> None:
    _, said = await studio.ask(
        ("manage_architecture", {"action": "add_group", "block_name": "Guide", "phase": "produce_inner"}),
        (
            "manage_architecture",
            {"action": "add_block", "block_name": "Light", "parent_name": "Guide", "depends_on": ["x"]},
        ),
        ("manage_architecture", {"action": "rename", "block_name": "Guide/Light", "new_name": "Lamps"}),
        ("manage_architecture", {"action": "copy", "block_name": "Lamps"}),
        ("manage_architecture", {"action": "move", "block_name": "x", "phase": "produce_inner", "before": "Guide"}),
        ("manage_architecture", {"action": "depend", "block_name": "x", "depends_on": ["Lamps"]}),
    )
    results = [event["result"] for event in said if event["type"] == "toolResult"]
    assert [result["status"] for result in results] == ["ok"] * 5 + ["error"]
    assert "circle" in results[-1]["message"]
    tree = await studio.get("/blocks")
    there = [(one["name"], one["kind"]) for one in tree if one["phase"] == "produce_inner"]
    assert there[:3] == [("x", "block"), ("Guide", "group"), ("Lamps", "block")]
    assert len(there) == 4
    (x, lamps) = (await studio.block("x"), await studio.block("Lamps"))
    assert lamps["dependsOn"] == [x["id"]]
    await studio.ask(("manage_architecture", {"action": "move", "block_name": "x", "before": "Guide/Lamps"}))
    assert (await studio.block("x"))["parentId"] == lamps["parentId"], "where the one stands that it shall stand before"
    run_id, said = await studio.ask(("manage_architecture", {"action": "delete", "block_name": "x"}))
    assert said[-1]["pause"]["variant"] == "needed"
    said = await studio.answer(run_id, said, {"kind": "confirmation", "accepted": True})
    assert result_of(said, "manage_architecture")["status"] == "ok"
    assert [one["name"] for one in await studio.get("/blocks?deleted=true")] == ["x"]


@pytest.mark.requirement("F3", "F9")
async def test_going_on_to_a_phase_asks_where_blocks_are_empty(studio: Studio) -> None:
    _, said = await studio.ask(("advance_to_phase", {}))
    assert result_of(said, "advance_to_phase")["data"] == {"phase": "research"}
    await block(studio.world, studio.project, "Interviews", phase="research")
    run_id, said = await studio.ask(("advance_to_phase", {"target_phase": "Kern entwerfen"}))
    assert (said[-1]["pause"]["variant"], said[-1]["pause"]["name"]) == ("incomplete", "“Interviews”")
    await studio.answer(run_id, said, {"kind": "confirmation", "accepted": True})
    seen = await studio.get()
    assert (seen["currentPhase"], seen["phaseStatus"]["intent"]) == ("design_inner", "completed")
    _, said = await studio.ask(("advance_to_phase", {"target_phase": "nirvana"}))
    refused = result_of(said, "advance_to_phase")
    assert (refused["status"], "design_inner" in refused["message"]) == ("error", True)
    assert (await studio.get())["currentPhase"] == "design_inner"


@pytest.mark.requirement("F3", "F9")
@pytest.mark.parametrize("reason", ["incomplete", ""])
async def test_a_yes_to_leave_one_phase_leaves_no_other(studio: Studio, reason: str) -> None:
    empty = await block(studio.world, studio.project, "Notes", phase="intent")
    if not reason:
        await write(studio.world, empty, "Go on.", by="alice")
    run_id, said = await studio.ask(("advance_to_phase", {}))
    assert (said[-1]["pause"]["variant"], said[-1]["pause"]["untrusted"]) == (reason, not reason)
    went_on = await studio.world.call("alice", "POST", f"{studio.path}/advance", {"force": True})
    assert went_on.json()["currentPhase"] == "research"
    await block(studio.world, studio.project, "Interviews", phase="research")
    said = await studio.answer(run_id, said, {"kind": "confirmation", "accepted": True})
    assert result_of(said, "advance_to_phase")["status"] == "error"
    assert (await studio.get())["currentPhase"] == "research"


@pytest.mark.requirement("F3")
async def test_personas_are_made_changed_listed_and_deleted(studio: Studio) -> None:
    anna = {"name": "Anna", "summary": "New to it", "goals": ["Arrive dry"]}
    _, said = await studio.ask(
        ("manage_persona", {"action": "create", "persona_data": anna}),
        ("manage_persona", {"action": "update", "persona_data": {"name": "anna", "pains": ["Ice"]}}),
        ("manage_persona", {"action": "list"}),
    )
    assert [event["result"] for event in said if event["type"] == "toolResult"][-1]["items"] == [
        {**anna, "pains": ["Ice"]}
    ]
    (stored,) = await studio.get("/personas")
    assert (stored["name"], stored["goals"], stored["pains"], stored["version"]) == ("Anna", ["Arrive dry"], ["Ice"], 2)
    assert stored["agentName"] == "Studio"
    run_id, said = await studio.ask(("manage_persona", {"action": "delete", "persona_data": {"name": "Anna"}}))
    await studio.answer(run_id, said, {"kind": "confirmation", "accepted": True})
    assert await studio.get("/personas") == []
    assert [one["name"] for one in await studio.get("/personas?deleted=true")] == ["Anna"]


@pytest.mark.requirement("F3")
async def test_an_evaluation_is_kept_with_scores_reasons_and_suggestions(studio: Studio) -> None:
    _, said = await studio.ask(("run_evaluation", {"target_fields": ["x"]}))
    assert actions(said) == ["evaluatedContent"]
    (kept,) = (await studio.get("/evaluations"))["items"]
    assert (kept["average"], len(kept["results"])) == (7.5, 5)
    assert all(result["reason"] and result["suggestions"] for result in kept["results"])
    assert [(target["name"], target["version"]) for target in kept["targets"]] == [("x", 1)]
    _, said = await studio.ask(("run_evaluation", {"target_fields": ["x"], "eval_dimensions": ["Humour"]}))
    refused = result_of(said, "run_evaluation")
    assert (refused["status"], "Humour" in refused["message"]) == ("error", True), "what was not judged is not made up"
    assert (await studio.get("/evaluations"))["total"] == 1


@pytest.mark.requirement("F3")
async def test_a_judgement_that_repeats_quotation_marks_is_kept(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ANSWERS, "run_evaluation", judgement(["“Voice”", "clarity "]))
    _, said = await studio.ask(("run_evaluation", {"eval_dimensions": ["Clarity", "Voice"]}))
    assert result_of(said, "run_evaluation")["status"] == "ok"
    (kept,) = (await studio.get("/evaluations"))["items"]
    assert [one["dimension"] for one in kept["results"]] == ["Clarity", "Voice"]


@pytest.mark.requirement("F3")
async def test_a_judgement_that_says_more_than_is_kept_is_cut(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    long = {"dimension": "Voice", "score": 4, "reason": "r" * 3_000, "suggestions": ["s" * 600, " "] + ["More."] * 20}
    monkeypatch.setitem(ANSWERS, "run_evaluation", json.dumps({"results": [long, {**long, "dimension": "Wit"}]}))
    await studio.ask(("run_evaluation", {"eval_dimensions": ["Voice"]}))
    (kept,) = (await studio.get("/evaluations"))["items"]
    (result,) = kept["results"]
    assert (result["dimension"], len(result["reason"])) == ("Voice", 2_000)
    assert [len(text) for text in result["suggestions"]] == [500, *[5] * 7]


@pytest.mark.requirement("F9", "M2")
async def test_what_a_conversation_in_the_trash_has_cost_was_spent_on_the_project(
    world: World, address: DatabaseAddress
) -> None:
    async with (
        searxng() as search,
        opened(world, address, search_url=search.url, private_addresses=True, search_price="0.25") as studio,
    ):
        await studio.ask(("run_research", {"query": "Who cycles in winter?"}))
        spent = (await studio.get())["costCHF"]
        assert Decimal(spent) == Decimal("0.25")
        path = f"/api/workspace/{world.instances['lab'].id}/conversations/{studio.conversation_id}"
        assert (await world.call("bob", "DELETE", path)).status_code == 204
        again = await conversation_of(world, studio.project)
        assert again != studio.conversation_id
        assert await conversation_of(world, studio.project) == again
        assert (await studio.get())["costCHF"] == spent


@pytest.mark.requirement("F3")
async def test_an_outline_adds_what_is_missing_once(studio: Studio) -> None:
    for status in ("ok", "error"):
        _, said = await studio.ask(("generate_outline", {"style": "guide"}))
        assert result_of(said, "generate_outline")["status"] == status
    opening = await studio.block("Opening")
    tree = {one["id"]: one for one in await studio.get("/blocks")}
    assert (tree[opening["parentId"]]["name"], opening["status"]) == ("Guide", "empty")
    assert [tree[id_]["name"] for id_ in opening["dependsOn"]] == ["x"]


@pytest.mark.requirement("F3")
async def test_of_an_outline_a_part_in_no_phase_is_left_out(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [{"name": "Lost", "phase": "nirvana"}, {"name": "Opening", "phase": "Kern ausarbeiten"}]
    monkeypatch.setitem(ANSWERS, "generate_outline", json.dumps({"parts": parts}))
    _, said = await studio.ask(("generate_outline", {}))
    assert result_of(said, "generate_outline")["status"] == "ok"
    assert [one["name"] for one in await studio.get("/blocks") if one["status"] == "empty"] == ["Opening"]


@pytest.mark.requirement("F3", "B8")
async def test_a_way_of_working_is_kept_as_a_skill(studio: Studio) -> None:
    skill = {"name": "short-sentences", "description": "For all texts.", "instructions": "Keep sentences short."}
    run_id, said = await studio.ask(("manage_skill", {"action": "create", "skill_data": skill}))
    await studio.answer(run_id, said, {"kind": "confirmation", "accepted": True})
    assert await studio.rows("select name from skills") == [("short-sentences",)]


@pytest.mark.requirement("F3")
async def test_research_is_stored_with_the_sources_it_names(world: World, address: DatabaseAddress) -> None:
    async with (
        searxng() as search,
        opened(world, address, search_url=search.url, private_addresses=True) as studio,
    ):
        _, said = await studio.ask(("run_research", {"query": "Who cycles in winter?", "research_type": "consumer"}))
        assert result_of(said, "run_research")["status"] == "ok", result_of(said, "run_research")
        stored = await studio.block("Who cycles in winter?")
        assert (stored["phase"], stored["status"], stored["fromOutside"]) == ("research", "needsReview", True)
        assert stored["text"].endswith("## Quellen\n\n- [1] [Library (Bern)](<https://library.example/hours>)")
        assert search.questions == 1
        search.answer([])
        _, said = await studio.ask(("run_research", {"query": "Nobody knows"}))
        pause_or_result = said[-1]
        assert pause_or_result["pause"]["variant"] == "research", "the question could carry away what was read"


@pytest.mark.requirement("F3")
async def test_a_question_that_no_block_can_be_called_is_researched_all_the_same(
    world: World, address: DatabaseAddress
) -> None:
    async with searxng() as search, opened(world, address, search_url=search.url, private_addresses=True) as studio:
        _, said = await studio.ask(("run_research", {"query": "\u200b👩\u200d💻 in/out?"}))
        assert result_of(said, "run_research")["status"] == "ok", result_of(said, "run_research")
        assert (await studio.block("👩 💻 in out?"))["version"] == 1


@pytest.mark.requirement("F3")
async def test_no_model_is_paid_for_blocks_that_cannot_be_added(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workroom.studio_tools.shared.project.MOST_BLOCKS", 2)
    _, said = await studio.ask(("generate_outline", {}))
    refused = result_of(said, "generate_outline")
    assert (refused["status"], refused["data"]["code"]) == ("error", "tooManyBlocks")
    assert all(request.tools for request in studio.provider.requests), "only the agent's own"


@pytest.mark.requirement("F3", "A1")
async def test_three_tools_in_sequence_take_four_rounds(studio: Studio) -> None:
    await studio.ask(
        ("query_field", {"field_name": "x"}),
        ("read_field", {"field_name": "x"}),
        ("update_field", {"field_name": "x", "content": "After reading."}),
    )
    rounds = [request for request in studio.provider.requests if request.tools]
    assert len(rounds) == 4
    assert len(studio.provider.requests) == 4


@pytest.mark.requirement("D1", "D2")
async def test_each_round_is_told_what_the_round_before_has_changed(studio: Studio) -> None:
    await studio.ask(
        ("manage_architecture", {"action": "add_block", "block_name": "Brand new", "phase": "produce_inner"}),
        ("advance_to_phase", {}),
    )
    told = [json.dumps(request.body, ensure_ascii=False) for request in studio.provider.requests]
    assert "## Its content" in told[0].replace("\\n", "\n")
    assert "Brand new" in told[1].split("Its content")[1].split("What this phase is for")[0]
    assert 'research \\"Zielgruppenforschung\\": inProgress' in told[2]


@pytest.mark.requirement("F5")
@pytest.mark.parametrize(
    ("name", "said"),
    [("@Twin", "Several blocks are called so"), ("@Nowhere", "no such block"), ("@Elsewhere", "no such block")],
)
async def test_a_name_that_means_two_blocks_none_or_one_of_another_project_is_refused(
    studio: Studio, name: str, said: str
) -> None:
    world, other = studio.world, await project(studio.world, name="Other")
    foreign = await block(world, other, "Elsewhere")
    for phase in ("produce_inner", "produce_outer"):
        await block(world, studio.project, "Twin", phase=phase)
    for given in (name, str(foreign.id)):
        _, heard = await studio.ask(("update_field", {"field_name": given, "content": "Smuggled"}))
        result = result_of(heard, "update_field")
        assert result["status"] == "error"
        assert (said if given == name else "no such block") in result["message"]
    assert await studio.rows("select text from content_block_versions where text = 'Smuggled'") == []


@pytest.mark.requirement("F3", "C5")
async def test_without_a_model_those_that_need_one_refuse_and_the_others_work(
    world: World, address: DatabaseAddress
) -> None:
    async with worker(world, address, None):
        made = await project_with_text(world)
        studio = Studio(world, None, made, await conversation_of(world, made))  # type: ignore[arg-type]
        for command in (
            '/modify_field field_name=x modification_instruction="Shorter"',
            "/generate_field_content field_name=x",
            "/run_evaluation",
            "/generate_outline",
        ):
            _, said = await studio.ask(more=command)
            tool = command.split()[0][1:]
            assert result_of(said, tool)["status"] == "error", tool
        await studio.ask(more='/update_field field_name=x content="Typed."')
        assert (await studio.block("x"))["text"] == "Typed."
        assert await studio.rows("select count(*) from content_evaluations") == [(0,)]


@pytest.mark.requirement("F3")
async def test_a_text_that_is_too_large_is_refused_and_one_that_just_fits_is_stored(studio: Studio) -> None:
    x = await studio.block("x")
    at = f"{studio.path}/blocks/{x['id']}/text"
    for size, status in ((300_001, 422), (300_000, 200)):
        body = {"version": 1, "text": "a" * size, "status": "draft"}
        assert (await studio.world.call("bob", "PUT", at, body)).status_code == status
    _, said = await studio.ask(("query_field", {"field_name": "x"}))
    assert "300,000 characters" in result_of(said, "query_field")["message"]
