"""People see that a model of an own server is still reading, and that it writes at last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from workroom.agent import model_calls, waiting_notice
from workroom.agent.model_calls import ModelCalls
from workroom.agent.testing import SCRIPTED, InMemoryJournal, say
from workroom.core.ids import new_id
from workroom.core.messages import Message, Role, TextPart
from workroom.core.run_events import RunEvent, StatusChanged
from workroom.models.ports import Answer, HiddenDelta, ModelFailed, ModelInfo, ModelRequest, StreamItem

QUESTION = ModelRequest("Be brief.", [Message(id=new_id(), role=Role.USER, parts=[TextPart(text="Write a file.")])])


class SlowReader:
    """Writes when it is told to, or fails then."""

    def __init__(self, *, own_server: bool = True, fails: bool = False) -> None:
        self.info: ModelInfo = replace(SCRIPTED, own_server=own_server)
        self.fails = fails
        self.writes = asyncio.Event()
        self.asked = 0

    async def stream(self, _: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        self.asked += 1
        await self.writes.wait()
        if self.fails:
            raise ModelFailed("It took too long.", again=True)
        yield HiddenDelta("{")
        yield HiddenDelta("}")
        yield Answer(say("Done."))


class Listener:
    """Tells the model to write after so many notices."""

    def __init__(self, model: SlowReader, notices: int) -> None:
        self.model = model
        self.notices = notices
        self.told: list[tuple[str | None, str | None]] = []

    def __call__(self, event: RunEvent) -> None:
        assert isinstance(event, StatusChanged)
        self.told.append((event.activity, event.details.get("seconds")))
        if len(self.told) == self.notices:
            self.model.writes.set()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_notice, "FIRST_SECONDS", 0.01)
    monkeypatch.setattr(waiting_notice, "EVERY_SECONDS", 0.03)
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0,))


async def test_it_is_told_again_and_again_until_the_model_writes() -> None:
    model = SlowReader()
    listener = Listener(model, notices=2)
    await ModelCalls([model], InMemoryJournal(), listener).ask(lambda _: QUESTION, new_id())
    assert listener.told == [("modelReading", "0.01"), ("modelReading", "0.04"), ("writing", None)]


async def test_a_model_that_answers_soon_is_not_spoken_of() -> None:
    model = SlowReader()
    model.writes.set()
    listener = Listener(model, notices=9)
    await ModelCalls([model], InMemoryJournal(), listener).ask(lambda _: QUESTION, new_id())
    assert listener.told == []


async def test_models_elsewhere_are_not_said_to_read() -> None:
    """They think without a word, and read in no time."""
    model = SlowReader(own_server=False)
    listener = Listener(model, notices=9)
    asyncio.get_running_loop().call_later(0.05, model.writes.set)
    await ModelCalls([model], InMemoryJournal(), listener).ask(lambda _: QUESTION, new_id())
    assert listener.told == []


@pytest.mark.parametrize(("longest", "asked"), [(600.0, 2), (0.0, 1)])
async def test_who_has_waited_for_long_in_vain_does_not_wait_again(
    monkeypatch: pytest.MonkeyPatch, longest: float, asked: int
) -> None:
    monkeypatch.setattr(model_calls, "LONGEST_WAIT", longest)
    model = SlowReader(fails=True)
    with pytest.raises(ModelFailed, match="too long"):
        await ModelCalls([model], InMemoryJournal(), Listener(model, notices=1)).ask(lambda _: QUESTION, new_id())
    assert model.asked == asked
