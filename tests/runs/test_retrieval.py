"""What files say is read before every round, for what is asked by then, once, and within the budget."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic_ai.messages import ToolReturnPart, UserPromptPart

from tests.conversations.readers import shared
from tests.knowledge.room import Library, library
from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.summaries import SUMMED_UP
from workroom.agent.testing import SCRIPTED, ScriptedModel, call, say
from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart, Message, OpaquePart, Role
from workroom.core.tokens import estimate
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import Passage, Query
from workroom.models.embeddings.static import StaticEmbedder
from workroom.models.ports import ModelRequest
from workroom.models.providers.opaque import ProviderIdentity
from workroom.models.providers.outgoing import conversation
from workroom.models.providers.tool_prompt import spelled_out
from workroom.runs import preparation, session
from workroom.runs.retrieval import SHARE_FOR_MATERIAL, sought
from workroom.runs.service import Accepted

LEASE = "The notice period of the office lease is six months to the end of a quarter."
BOILER = "The boiler in the cellar was serviced by Huber in autumn; its pressure valve is worn."


class CountingKnowledge(Knowledge):
    asked: list[str]

    async def search(self, principal: object, query: Query) -> list[Passage]:
        self.asked.append(query.text)
        return await super().search(principal, query)  # type: ignore[arg-type]


@pytest.fixture
async def shelf(world: World) -> AsyncIterator[Library]:
    async with library(world, StaticEmbedder()) as made:
        await made.put("lease.md", LEASE)
        await made.put("boiler.md", BOILER)
        yield made


@pytest.fixture
def knowledge(shelf: Library) -> CountingKnowledge:
    services = shelf.world.services
    made = CountingKnowledge(services.db, services.files, shelf.embedders)
    made.asked = []
    return made


@pytest.fixture
def bench(world: World, knowledge: CountingKnowledge) -> RunBench:
    bench = RunBench(world)
    bench.knowledge = knowledge
    return bench


def shown(request: ModelRequest) -> list[MaterialPart]:
    return [part for message in request.messages for part in message.materials]


def texts(request: ModelRequest) -> list[str]:
    return [part.text for part in shown(request)]


async def stored(bench: RunBench, accepted: Accepted) -> list[MaterialPart]:
    """Whether it still fits into a later request or not."""
    messages = await bench.world.services.conversations.messages(bench.principal, bench.lab, accepted.conversation_id)
    return [part for item in messages for part in item.message.materials]


@pytest.mark.requirement("H5", "D4")
async def test_a_follow_up_is_searched_with_what_it_follows(bench: RunBench, knowledge: CountingKnowledge) -> None:
    first = await bench.ask("What was done to the boiler in the cellar?")
    await bench.advance(first, say("It was serviced."))
    second = await bench.ask("And by whom?", conversation_id=first.conversation_id)
    await bench.advance(second, say("By Huber."))
    assert knowledge.asked == [
        "What was done to the boiler in the cellar?",
        "What was done to the boiler in the cellar?\nAnd by whom?",
    ]


@pytest.mark.requirement("H5")
async def test_what_the_model_has_before_it_is_not_shown_again(bench: RunBench) -> None:
    first = await bench.ask("What was done to the boiler in the cellar?")
    model = await bench.advance(first, say("It was serviced."))
    assert texts(model.requests[0]) == [BOILER]
    second = await bench.ask("And who serviced the boiler?", conversation_id=first.conversation_id)
    model = await bench.advance(second, say("Huber."))
    assert texts(model.requests[0]) == [BOILER], "once, with the first question"


async def test_what_a_summary_stands_for_is_shown_again(bench: RunBench) -> None:
    bench.summarise_above = 0
    boiler = "What was done to the boiler in the cellar?"
    asked = [await bench.ask("Which colours does the rainbow have?")]
    await bench.advance(asked[0], say("Seven."))
    for prompt, after in (
        (boiler, ()),
        ("Which rivers flow into the sea?", (say("they spoke of a boiler"),)),
        (boiler, ()),
    ):
        asked.append(await bench.ask(prompt, conversation_id=asked[0].conversation_id))
        model = await bench.advance(asked[-1], say("Fine."), *after)
    assert model.requests[0].messages[0].text.startswith(SUMMED_UP)
    assert texts(model.requests[0]) == [BOILER]


async def test_the_same_question_answered_again_is_shown_it_again(bench: RunBench) -> None:
    accepted = await bench.ask("What was done to the boiler in the cellar?")
    await bench.advance(accepted, say("It was serviced."))
    again = await bench.runs.retry(bench.principal, bench.lab, accepted.conversation_id)
    model = await bench.advance(again, say("It was serviced by Huber."))
    assert texts(model.requests[0]) == [BOILER]


@pytest.mark.requirement("H5")
async def test_a_later_round_gets_what_the_agent_is_after_by_then(
    bench: RunBench, knowledge: CountingKnowledge
) -> None:
    accepted = await bench.ask("What was done to the boiler in the cellar?")
    model = await bench.advance(
        accepted, [call("listNotes", search="notice period office lease")], [call("listNotes")], say("Done.")
    )
    first, second, third = model.requests
    assert texts(first) == [BOILER]
    assert texts(second) == texts(third) == [BOILER, LEASE]
    assert second.messages[-2].materials, (
        "with the answer whose calls it comes after: what was said before stays as it was"
    )
    assert knowledge.asked == ["What was done to the boiler in the cellar?", "notice period office lease"]
    assert all(part.untrusted and part.mark and part.found for part in shown(third))


@pytest.mark.requirement("H5", "A8")
async def test_a_crash_neither_searches_again_nor_changes_what_the_model_sees(
    bench: RunBench, knowledge: CountingKnowledge
) -> None:
    accepted = await bench.ask("What was done to the boiler in the cellar?")
    dying = ScriptedModel([call("listNotes", search="notice period office lease")], RuntimeError("the worker dies"))
    async with bench.worker(dying) as runner:
        await runner.advance(bench.key(accepted))
    before = len(knowledge.asked)
    await bench.sql("update runs set state = 'queued', lease_holder = null, not_before = null, ended_at = null")
    model = await bench.advance(accepted, say("Done."))
    assert texts(model.requests[0]) == texts(dying.requests[-1]) == [BOILER, LEASE]
    assert len(knowledge.asked) == before


@pytest.mark.requirement("D4")
async def test_all_rounds_together_stay_within_a_quarter_of_the_window(bench: RunBench, shelf: Library) -> None:
    for number in range(12):
        await shelf.put(
            f"lease{number}.md", f"Office lease number {number}. " + f"Its notice period is {number} months. " * 60
        )
    calls = ([call("listNotes", search=f"office lease {number} notice period")] for number in range(5))
    model = ScriptedModel(*calls, say("Done."), info=replace(SCRIPTED, context_tokens=16_000))
    accepted = await bench.ask("Which office leases have which notice period?")
    async with bench.worker(model) as runner:
        await runner.advance(bench.key(accepted))
    read = await stored(bench, accepted)
    assert len(read) > 1
    assert len({part.mark for part in read}) == len(read)
    assert sum(estimate(part.text) for part in read) <= model.info.context_tokens // SHARE_FOR_MATERIAL


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"search": "notice period office lease"}, "notice period office lease"),
        ({"query": {"any": ["办公室租约", "the lease of the office"]}}, "办公室租约\nthe lease of the office"),
        ({"fileId": "report.pdf", "page": 12}, ""),
        ({"name": "summary.md", "text": "# Summary"}, ""),
        ({"fileId": "01a1e89e-551c-765d-80f1-9accfe2bd9f9"}, ""),
        ({"text": "word " * 100}, ""),
    ],
)
def test_what_an_agent_is_after(arguments: dict[str, Any], expected: str) -> None:
    asked = Message(id=new_id(), role=Role.ASSISTANT, parts=[call("someTool", **arguments)])
    assert sought(asked) == expected


async def test_models_that_read_calls_as_text_read_it_after_the_results(bench: RunBench) -> None:
    accepted = await bench.ask("What was done to the boiler in the cellar?")
    model = await bench.advance(accepted, [call("listNotes", search="notice period office lease")], say("Done."))
    told = list(spelled_out(model.requests[1].messages))
    assert LEASE in told[-1].text
    assert LEASE not in "".join(message.text for message in told[:-1])


async def test_models_with_tools_of_their_own_read_it_after_the_results(bench: RunBench) -> None:
    accepted = await bench.ask("What was done to the boiler in the cellar?")
    model = await bench.advance(accepted, [call("listNotes", search="notice period office lease")], say("Done."))
    *before, last = conversation(model.requests[1].messages, ProviderIdentity("openai", "some"))
    assert [type(part) for part in last.parts] == [ToolReturnPart, UserPromptPart]
    assert LEASE in str(last.parts[1])
    assert LEASE not in str(before)


THOUGHT = OpaquePart(
    provider="acme",
    model="deep",
    data={"part": {"part_kind": "thinking", "content": f"The file says: {BOILER}", "signature": "signed"}},
)


@pytest.mark.requirement("H6", "D4")
@pytest.mark.parametrize("asker", ["bob", "alice"])
async def test_thoughts_about_what_was_read_for_one_person_are_not_told_when_others_read_along(
    bench: RunBench, asker: str
) -> None:
    first = await bench.ask("What was done to the boiler in the cellar?")
    model = await bench.advance(first, [THOUGHT, *say("It was serviced.")])
    assert texts(model.requests[0]) == [BOILER]
    await shared(bench.world, first.conversation_id, "alice")
    bench.principal = bench.world[asker].principal
    second = await bench.ask("Thank you very much for that.", conversation_id=first.conversation_id)
    model = await bench.advance(second, say("You are welcome."))
    (request,) = model.requests
    assert "It was serviced." in [message.text for message in request.messages]
    assert BOILER not in "".join(message.model_dump_json() for message in request.messages)


@pytest.mark.requirement("H6", "D4")
async def test_a_reader_who_joins_while_a_run_is_being_prepared_bounds_what_is_read(
    bench: RunBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = await bench.ask("What was done to the boiler in the cellar?")
    prepare = preparation.prepare

    async def prepare_after_sharing(*given: Any) -> Any:
        monkeypatch.setattr(session, "prepare", prepare)
        await shared(bench.world, asked.conversation_id, "alice")
        return await prepare(*given)

    monkeypatch.setattr(session, "prepare", prepare_after_sharing)
    model = ScriptedModel(say("I do not know."), say("I do not know."))
    async with bench.worker(model) as runner:
        await runner.advance(bench.key(asked))
        await runner.advance(bench.key(asked))
    assert model.requests
    assert [texts(request) for request in model.requests] == [[]]
