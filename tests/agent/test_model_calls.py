"""What a model has written is paid for, however the call ends; and failing again and again has a limit."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

import pytest

from tests.agent.bench import Bench
from workroom.agent import model_calls
from workroom.agent.model_calls import ModelCalls, size_of
from workroom.agent.testing import SCRIPTED, InMemoryJournal, call, say
from workroom.agent.truncation_note import CUT_OFF, REPEATED
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.core.run_events import RunState
from workroom.core.tokens import Usage, estimate
from workroom.models.ports import Answer, HiddenDelta, ModelFailed, ModelInfo, ModelRequest, StreamItem, TextDelta

QUESTION = ModelRequest("Be brief.", [Message(id=new_id(), role=Role.USER, parts=[TextPart(text="Write a file.")])])
READ = size_of(QUESTION)
BROKEN = ModelFailed("It broke off.", again=True)
Said = StreamItem | ModelFailed


@dataclass
class Wire:
    """Says the same each time, or fails where a failure stands."""

    said: Sequence[Said]
    info: ModelInfo = SCRIPTED
    asked: int = 0

    async def stream(self, _: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        self.asked += 1
        for item in self.said:
            if isinstance(item, ModelFailed):
                raise ModelFailed(item.message, again=item.again, used=item.used)
            yield item


@dataclass
class Bills(InMemoryJournal):
    assumed: list[bool] = field(default_factory=list)

    async def attempt_failed(self, model: ModelInfo, used: Usage, *, assumed: bool = False) -> None:
        self.assumed.append(assumed)
        await super().attempt_failed(model, used, assumed=assumed)

    @property
    def used(self) -> list[Usage]:
        return [used for _, used in self.bills]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0, 0.0, 0.0))


async def failed(journal: Bills, *models: Wire) -> ModelFailed:
    with pytest.raises(ModelFailed) as caught:
        await ModelCalls(models, journal, lambda _: None).ask(lambda _: QUESTION, new_id())
    return caught.value


@pytest.mark.requirement("C4")
@pytest.mark.parametrize("kind", [TextDelta, HiddenDelta])
async def test_whatever_was_heard_before_it_broke_is_billed(kind: type[TextDelta | HiddenDelta]) -> None:
    journal = Bills()
    await failed(journal, Wire([kind('{"text": "one '), kind("two three"), BROKEN]))
    heard = Usage(READ, estimate('{"text": "one two three'))
    assert journal.used == [heard, heard]
    assert journal.assumed == [True, True]


async def test_what_the_provider_reported_before_it_broke_is_billed() -> None:
    """It may have said what it read, and nothing yet of what it wrote; or all of it, and then withheld the answer."""
    journal = Bills()
    reported = ModelFailed("withheld", again=False, used=Usage(70, 1, 50))
    await failed(journal, Wire([HiddenDelta("x" * 400), reported]))
    await failed(journal, Wire([reported]))
    assert journal.used == [Usage(70, 100, 50), Usage(70, 1, 50)]


@pytest.mark.parametrize("said", [[BROKEN], [TextDelta(""), BROKEN]])
async def test_a_refusal_costs_nothing_and_is_tried_four_times(said: Sequence[Said]) -> None:
    journal = Bills()
    await failed(journal, wire := Wire(said))
    assert wire.asked == 4
    assert journal.used == [Usage()] * 4
    assert journal.assumed == [False] * 4


async def test_what_is_billed_is_repeated_once_and_then_asked_of_one_other() -> None:
    half: list[Said] = [TextDelta("half"), BROKEN]
    journal, models = Bills(), [Wire(half), Wire([BROKEN]), Wire(half), Wire(half)]
    assert (await failed(journal, *models)).message == "It broke off."
    assert [model.asked for model in models] == [2, 4, 1, 0]
    assert len([used for used in journal.used if used != Usage()]) == 3


async def test_empty_answers_are_billed_and_repeated_once() -> None:
    journal, wire = Bills(), Wire([HiddenDelta("hm"), Answer([], Usage(9, 1))])
    await failed(journal, wire)
    assert (wire.asked, journal.used) == (2, [Usage(9, 1)] * 2)


async def test_calls_nobody_counted_are_estimated_from_what_was_written() -> None:
    asked = ModelCalls([Wire([HiddenDelta("x" * 40), Answer([call("look")], requests=2)])], Bills(), lambda _: None)
    heard = await asked.ask(lambda _: QUESTION, new_id())
    assert (heard.used, heard.assumed) == (Usage(2 * READ, 10), True)


async def test_half_a_report_is_completed() -> None:
    asked = ModelCalls([Wire([TextDelta("x" * 40), Answer(say("x"), Usage(7, 0))])], Bills(), lambda _: None)
    heard = await asked.ask(lambda _: QUESTION, new_id())
    assert (heard.used, heard.assumed) == (Usage(7, 10), True)


@pytest.mark.parametrize("language", [*CUT_OFF, "xx"])
@pytest.mark.parametrize("repeats", [False, True])
async def test_an_answer_that_was_cut_says_so_and_why(language: str, *, repeats: bool) -> None:
    bench = Bench(language=language)
    bench.models = [Wire([TextDelta("So far"), Answer(say("So far"), Usage(1, 1), cut=True, repeats=repeats)])]
    assert await bench.run() is RunState.COMPLETED
    notes = REPEATED if repeats else CUT_OFF
    assert bench.progress.messages[-1].text == f"So far\n\n[{notes.get(language, notes['en'])}]"
    assert bench.journal.answers[-1].text == bench.progress.messages[-1].text
