"""What calls of the studio's tools need around them: a project with a text, a search that finds something, models that answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from tests.studio.making import block, project, write
from tests.world import World
from workroom.identity.types import Principal
from workroom.studio.types import Project
from workroom.studio_tools.run_evaluation import DIMENSIONS
from workroom.websearch.service import WebSearches
from workroom.websearch.types import WebResult

FOUND = WebResult(title="Commuters [2026]", url="https://commute.example/a b>", excerpt="Half of them would cycle.")


def judgement(dimensions: Sequence[str] = DIMENSIONS["de"]) -> str:
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
