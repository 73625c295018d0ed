"""Commands are carried out as they are written, whatever model is set up: nobody has to understand them, nobody is paid."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.runs.bench import PRICED, RunBench
from tests.world import World
from workroom.agent.testing import ScriptedModel, say
from workroom.models.embedded import EMBEDDED
from workroom.models.types import Operation
from workroom.runs import preparation
from workroom.runs.testing import FixedModels


@pytest.mark.requirement("C5")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [("/listNotes milk", EMBEDDED), ("/help", EMBEDDED), ("/unknown thing", None), ("what is /listNotes?", None)],
)
async def test_a_command_goes_to_the_model_that_needs_no_language(world: World, text: str, wanted: str | None) -> None:
    bench = RunBench(world)
    accepted = await bench.ask(text)
    models = FixedModels(ScriptedModel(say("fine"), info=PRICED))
    async with bench.worker(models.models[0]) as runner:
        runner._services = replace(runner._services, models=models)
        await runner.advance(bench.key(accepted))
    assert models.asked[0] == (Operation.AGENT, wanted)


async def test_rules_do_not_read_what_a_large_model_understands(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """They compare a message with the phrases of every tool in every language, on the event loop."""
    read: list[str] = []
    monkeypatch.setattr(preparation, "ordered_tool", lambda text, tools: read.append(text))
    for info in (PRICED, replace(PRICED, id="tiny-3b", own_server=True)):
        bench = RunBench(world)
        accepted = await bench.ask(f"Note: {info.id}")
        async with bench.worker(ScriptedModel(say("fine"), info=info)) as runner:
            await runner.advance(bench.key(accepted))
    assert read == ["Note: tiny-3b"]
