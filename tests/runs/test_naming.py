"""The title of a conversation by a model: one question to the cheap one after the first answer, and never over a person's."""

from __future__ import annotations

import asyncio
from unittest.mock import AsyncMock

import pytest

from tests.runs.bench import PRICED, RunBench, Waiting, budget
from tests.world import World
from workroom.agent.testing import ScriptedModel, say
from workroom.conversations.types import TitleSource
from workroom.core import clock
from workroom.core.run_events import RunState
from workroom.runs.after_run_payment import AfterRunPayment
from workroom.runs.conversation_titles import ConversationNaming, believed
from workroom.runs.service import Accepted
from workroom.runs.testing import FixedModels
from workroom.usage import budgets
from workroom.usage.jobs import AFTER_RUN, settle_leftovers
from workroom.usage.service import Budgets

LONG = "Compare the three offers we got for the new roof\nand tell me which one is the cheapest over ten years."
BY_RULES = "Compare the three offers we got for the new roof"


class Naming:
    def __init__(self, world: World) -> None:
        self.bench = RunBench(world)

    async def answer(self, accepted: Accepted, *titles: object) -> ScriptedModel:
        """The run is answered; the cheap model says these."""
        cheap = ScriptedModel(*titles, info=PRICED)  # type: ignore[arg-type]
        self.bench.naming = ConversationNaming(self.bench.db, FixedModels(cheap), Budgets(self.bench.db))
        await self.bench.advance(accepted, say("The second one."))
        return cheap

    async def title(self) -> tuple[str, TitleSource]:
        (found,) = await self.bench.rows("select title, titled_by from conversations")
        return found["title"], TitleSource(found["titled_by"])


@pytest.fixture
def naming(world: World) -> Naming:
    return Naming(world)


async def test_the_cheap_model_names_it_after_the_first_answer_once_and_is_paid(naming: Naming) -> None:
    accepted = await naming.bench.ask(LONG)
    assert await naming.title() == (BY_RULES, TitleSource.RULES)
    cheap = await naming.answer(accepted, say('Title: "Offers for the new roof".'))
    assert await naming.title() == ("Offers for the new roof", TitleSource.MODEL)
    (asked,) = cheap.requests
    assert LONG in asked.messages[0].text
    assert "The second one." in asked.messages[0].text
    (billed,) = await naming.bench.rows("select cost_chf, run_id from billing where model = $1", PRICED.id)
    assert billed["cost_chf"] > 0
    assert billed["run_id"] == accepted.run_id
    assert await naming.bench.sql("select cost_chf from runs") == billed["cost_chf"]
    assert await naming.bench.sql("select count(*) from reservations") == 0
    again = await naming.bench.ask("and over twenty years, all things considered, which would you choose then?",
                                   conversation_id=accepted.conversation_id)  # fmt: skip
    assert (await naming.answer(again, say("Another"))).requests == []


async def test_a_title_that_a_person_gave_stays(naming: Naming) -> None:
    accepted = await naming.bench.ask(LONG)
    bench = naming.bench
    await bench.world.services.conversations.rename(bench.principal, bench.lab, accepted.conversation_id, "Mine")
    assert (await naming.answer(accepted, say("Offers"))).requests == []
    assert await naming.title() == ("Mine", TitleSource.PERSON)


async def test_a_person_who_is_faster_than_the_model_wins(naming: Naming) -> None:
    accepted = await naming.bench.ask(LONG)
    bench = naming.bench

    class Slow(ScriptedModel):
        async def stream(self, request):  # type: ignore[no-untyped-def]
            conversations = bench.world.services.conversations
            await conversations.rename(bench.principal, bench.lab, accepted.conversation_id, "Mine")
            async for said in super().stream(request):
                yield said

    bench.naming = ConversationNaming(bench.db, FixedModels(Slow(say("Offers"))), Budgets(bench.db))
    await bench.advance(accepted, say("The second one."))
    assert await naming.title() == ("Mine", TitleSource.PERSON)


async def test_a_short_message_is_its_own_title_and_costs_nothing(naming: Naming) -> None:
    accepted = await naming.bench.ask("the budget")
    assert (await naming.answer(accepted, say("Money"))).requests == []
    assert await naming.title() == ("the budget", TitleSource.RULES)


@pytest.mark.parametrize("answer", [say("word " * 40), say("***"), RuntimeError("broken")])
async def test_whatever_goes_wrong_the_answer_and_the_first_title_stay(naming: Naming, answer: object) -> None:
    accepted = await naming.bench.ask(LONG)
    await naming.answer(accepted, answer)
    assert (await naming.title())[0] == BY_RULES
    assert await naming.bench.sql("select state from runs") == RunState.COMPLETED
    assert await naming.bench.sql("select count(*) from reservations") == 0


async def test_where_the_budget_is_used_up_no_title_is_asked_for(naming: Naming) -> None:
    accepted = await naming.bench.ask(LONG)
    await budget(naming.bench, run="0.0001")
    assert (await naming.answer(accepted, say("Offers"))).requests == []
    assert (await naming.title())[0] == BY_RULES


@pytest.mark.requirement("A5")
@pytest.mark.parametrize("swept_first", [True, False])
async def test_a_title_is_billed_once_whoever_settles_it(
    naming: Naming, monkeypatch: pytest.MonkeyPatch, swept_first: bool
) -> None:
    """Housekeeping comes while the model is still writing, or after the worker that asked has died."""
    bench = naming.bench
    slow = Waiting(say("Offers"), info=PRICED)
    bench.naming = ConversationNaming(bench.db, FixedModels(slow), Budgets(bench.db))
    monkeypatch.setattr(budgets, "now", lambda: clock.now() - 2 * AFTER_RUN)
    accepted = await bench.ask(LONG)
    async with bench.worker(ScriptedModel(say("The second one."))) as runner:
        naming_it = asyncio.create_task(runner.advance(bench.key(accepted)))
        await slow.asked.wait()
        if swept_first:
            assert await settle_leftovers(bench.db) == 1
            slow.let.set()
            await naming_it
        else:
            monkeypatch.setattr(AfterRunPayment, "give_up", AsyncMock())  # killed: it settles nothing
            naming_it.cancel()
            await asyncio.wait([naming_it])
            assert await settle_leftovers(bench.db) == 1
    (run,) = await bench.rows(
        "select cost_chf, (select array_agg(cost_chf) from billing where cost_chf > 0) as billed from runs"
    )
    assert run["billed"] == [run["cost_chf"]]
    assert await bench.sql("select count(*) from reservations") == 0
    assert await bench.sql("select sum(reserved) from budget_accounts") == 0


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("**Offerten fürs Dach**", "Offerten fürs Dach"),
        ("标题：屋顶报价。", "屋顶报价"),
        ("\n« Devis du toit »\nVoilà", "Devis du toit"),
        ("I cannot name this conversation because it contains nothing that could be named, and so on and on.", ""),
    ],
)
def test_what_is_believed_of_a_models_words(written: str, title: str) -> None:
    assert believed(written) == title
