"""What calls of the studio's tools need around them: a project with a text, a search that finds something, models that answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from tests.studio.making import block, project, write
from tests.world import World
from workroom.identity.types import Principal
from workroom.models.testing import ReceivedRequest, Reply, ScriptedAnswer, echo, writer
from workroom.studio.types import Project
from workroom.studio_tools import generate_field_content, generate_outline, modify_field, run_evaluation, run_research
from workroom.websearch.service import WebSearches
from workroom.websearch.types import WebResult

FOUND = WebResult(title="Commuters [2026]", url="https://commute.example/a b>", excerpt="Half of them would cycle.")


def judgement(dimensions: Sequence[str] = run_evaluation.DIMENSIONS["de"]) -> str:
    results = [
        {"dimension": name, "score": 7.5, "reason": f"“Rent” shows {name}.", "suggestions": ["Say who it is for."]}
        for name in dimensions
    ]
    return json.dumps({"results": results})


OUTLINE = {
    "parts": [
        {"name": "Guide", "phase": "produce_inner", "kind": "group"},
        {"name": "Opening", "phase": "produce_inner", "group": "Guide", "dependsOn": ["x"]},
    ]
}
# What a model is asked for by a tool, in words that the tool accepts.
ANSWERS: Mapping[str, str] = {
    "modify_field": "Shorter.",
    "generate_field_content": "Written by a model.",
    "run_research": "Half of the commuters would cycle [1].",
    "run_evaluation": judgement(),
    "generate_outline": json.dumps(OUTLINE),
}


# How the questions of tools begin, which come without tools of their own.
TASKS: Mapping[str, str] = {
    modify_field.TASK[:40]: "modify_field",
    generate_field_content.TASK[:40]: "generate_field_content",
    run_research.TASKS["consumer"][:40]: "run_research",
    run_research.TASKS["generic"][:40]: "run_research",
    run_evaluation.TASK[:40]: "run_evaluation",
    generate_outline.TASK[:40]: "generate_outline",
}


def content_writer(request: ReceivedRequest) -> ScriptedAnswer:
    """The agent does what it is told line by line; what its tools ask is answered in words they accept."""
    if request.tools:
        return writer(request)
    asked = json.dumps(request.body, ensure_ascii=False)
    return next((Reply(ANSWERS[tool]) for task, tool in TASKS.items() if task in asked), None) or echo(request)


class FixedSearches(WebSearches):
    """Finds the same for every question."""

    def __init__(self, *results: WebResult) -> None:
        self.results = results
        self.asked: list[str] = []

    async def is_set_up(self, principal: Principal) -> bool:
        return True

    async def find(self, principal: Principal, query: str, site: str | None, pay: Any) -> Sequence[WebResult]:
        self.asked.append(query)
        return self.results


async def project_with_text(world: World, by: str = "bob") -> Project:
    """With the intent and a block `x`, both written."""
    made = await project(world, by, f"{by}'s guide")
    principal, lab = world[by].principal, world.instances["lab"].id
    _, tree = await world.services.studio.blocks.tree(principal, lab, made.id)
    (intent,) = tree.by_id.values()
    await write(world, intent, "Commuters shall cycle.", by=by)
    await write(world, await block(world, made, "x", by=by), "Some text.", by=by)
    return made


async def conversation_of(world: World, made: Project, by: str = "bob") -> UUID:
    principal, lab = world[by].principal, world.instances["lab"].id
    return await world.services.studio.conversations.open(principal, lab, made.id)
