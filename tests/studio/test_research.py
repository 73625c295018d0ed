"""Research for a project: which of what is found goes into a block that everybody reads."""

from __future__ import annotations

import pytest

from tests.knowledge.room import library
from tests.studio.tool_calls import FixedSearches, conversation_of, project_with_text
from tests.tools.room import Room
from tests.world import World
from workroom.agent.testing import ScriptedModel, say
from workroom.core.errors import Conflict
from workroom.identity.sharing import Visibility
from workroom.models.embeddings.static import StaticEmbedder
from workroom.models.types import Operation
from workroom.studio_tools.run_research import run_research


async def researcher(world: World, model: ScriptedModel) -> Room:
    """Bob, whose web search finds nothing."""
    room = Room(world, conversation_id=await conversation_of(world, await project_with_text(world)))
    room.web_searches = FixedSearches()
    room.journal.models_by_operation[Operation.AGENT] = [model]
    return room


@pytest.mark.requirement("F3", "H6")
async def test_private_files_stay_out_of_what_everybody_reads(world: World) -> None:
    model = ScriptedModel(say("Kettles are red [1]."))
    room = await researcher(world, model)
    async with library(world, StaticEmbedder()) as shelf:
        await shelf.put("diary.txt", "My kettle is gold.")
        with pytest.raises(Conflict, match="Private files were left out"):
            await room.call(run_research, query="Which kettle?")
        assert model.requests == [], "nobody was paid to write of nothing"
        await shelf.put("report.txt", "Most kettles are red.", visibility=Visibility.GROUP)
    stored = await room.call(run_research, query="Which kettle?")
    assert "Private files were left out" in stored.message
    (asked,) = model.requests
    assert ("red" in asked.messages[0].text, "gold" in asked.messages[0].text) == (True, False)


@pytest.mark.requirement("F3")
async def test_a_report_that_names_no_source_is_not_stored(world: World) -> None:
    room = await researcher(world, ScriptedModel(say("Kettles are red, as everybody knows [7].")))
    async with library(world, StaticEmbedder()) as shelf:
        await shelf.put("report.txt", "Most kettles are red.", visibility=Visibility.GROUP)
    with pytest.raises(Conflict, match="named none of the sources"):
        await room.call(run_research, query="Which kettle?")
    assert room.committed is None
