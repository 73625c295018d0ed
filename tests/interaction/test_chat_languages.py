"""`/api/chat` in the language of the person: names on the map, the words around them, and what is refused."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

import pytest

from tests.interaction.planner_chat import EXTRACT, Chat, by_rules
from tests.world import World
from workroom.agent.planning.wording import say
from workroom.api import run_waiting
from workroom.core.texts import texts
from workroom.db import DatabaseAddress
from workroom.identity.users import UserChange
from workroom.runs import chat_sessions

LANGUAGES = ("de", "en", "fr", "pt", "zh")
PACKAGE = "workroom.agent.planning"


async def speaks(world: World, language: str, name: str = "bob") -> None:
    person = world[name]
    await world.services.users.change(person.principal, person.user.id, UserChange(language=language))


def layer_of(told: dict[str, Any]) -> tuple[str, str]:
    (step,) = told["steps"]
    (action,) = step["mapActions"]
    return action["payload"]["title"], action["payload"]["source"]["legend"].rpartition("=")[2]


@pytest.mark.requirement("E7", "D6")
async def test_names_are_in_the_language_that_somebody_has_chosen(world: World, address: DatabaseAddress) -> None:
    async with by_rules(world, address) as chat:
        assert layer_of(await chat.says("Lade den Wald")) == ("Wald und Waldabstand", "de"), (
            "none chosen: as they write"
        )
        await speaks(world, "fr")
        assert layer_of(await chat.says("Wald")) == ("Forêt et distance à la forêt", "fr")
        choice = await chat.says("RDPPF 2600513, 1215519")
        assert choice["steps"][0]["choices"][0]["label"].endswith("Parcelle A")
        assert choice["steps"][0]["message"] == texts("workroom.geo.presentation", "fr")["whichParcel"]
        await speaks(world, "zh")
        assert layer_of(await chat.says("Wald")) == ("森林与林界距离", "zh")
        gone = await chat.says("Entferne den Wald")
        assert gone["steps"][0]["mapActions"][0]["payload"] == {"id": "ch.so.wald"}, "by any of its names"


@pytest.mark.requirement("E7", "D6")
async def test_a_coordinate_out_of_range_is_told_as_such(world: World, address: DatabaseAddress) -> None:
    async with by_rules(world, address) as chat:
        for language in LANGUAGES:
            await speaks(world, language)
            sentences = texts("workroom.geo.presentation", language)
            for text, reason in (
                ("47.37, 208.54", "outOfRange"),
                ("lat 95 lon 200", "outOfRange"),
                ("52.5, 13.4", "outside"),
            ):
                (step,) = (await chat.says(text))["steps"]
                assert step["message"] == sentences[reason], (language, text)


@pytest.mark.requirement("E5", "D6")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_choice_that_is_not_taken_is_refused_in_it(
    world: World, address: DatabaseAddress, language: str
) -> None:
    await speaks(world, language)
    async with by_rules(world, address) as chat:
        nothing = await chat.chooses("p1")
        assert (nothing["overallStatus"], nothing["steps"][0]["message"]) == ("error", say("nothingPending", language))
        await chat.says(EXTRACT)
        wrong = await chat.chooses("p9")
        assert wrong["steps"][0]["message"] == say("notOffered", language)


@pytest.mark.requirement("D6")
async def test_who_has_chosen_none_is_answered_as_they_wrote(world: World, address: DatabaseAddress) -> None:
    async with by_rules(world, address) as chat:
        await chat.says(EXTRACT)
        wrong = await chat.chooses("p9")
        assert wrong["steps"][0]["message"] == say("notOffered", "de")
        assert (await chat.chooses("p9", session="other"))["steps"][0]["message"] == say("nothingPending", "en")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_does_not_even_begin_is_refused_in_it(
    world: World, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    await speaks(world, language)
    empty = await Chat(world).post({"userMessage": "  "})
    assert (empty.status_code, empty.json()["code"]) == (422, "invalidInput")
    assert empty.json()["message"] == say("writeSomething", language)
    monkeypatch.setattr(run_waiting, "PATIENCE", 0.0)  # and nobody works
    late = await Chat(world).post({"userMessage": "Wald"})
    assert (late.status_code, late.json()["code"]) == (504, "stillRunning")
    assert late.json()["message"] == say("stillRunning", language)
    monkeypatch.setattr(chat_sessions, "MOST_WAITING", 0)
    busy = await Chat(world).post({"userMessage": "Wald"})
    assert (busy.status_code, busy.json()["code"]) == (429, "tooManyRequests")
    assert busy.json()["message"] == say("tooManyWaiting", language)


@pytest.mark.parametrize(
    ("code", "told"), [("modelFailed", "error.modelFailed"), ("agentGone", "error.agentGone"), ("unexpected", "failed")]
)
async def test_a_run_that_failed_says_so_in_it(world: World, code: str, told: str) -> None:
    """Nobody carries it out: what became of it is written as a worker does."""
    principal, chats = world["bob"].principal, world.services.chats
    lab = world.instances["lab"].id
    for language, expected in (("fr", say(told, "fr")), ("en", "It broke at 12 %.")):
        await speaks(world, language)
        asked = await chats.say(principal, lab, f"s-{language}", "Zermatt", language=language)
        async with world.services.db.unit_of_work(principal.actor) as uow:
            await uow.execute(
                "update runs set state = 'error', ended_at = now(), error = $1, error_code = $2 where run_id = $3",
                "It broke at 12 %.",
                code,
                asked.run_id,
            )
        (step,) = await chats.outcomes(principal, lab, asked, None)
        assert (step.status, step.message) == ("error", expected)


def test_sentences_of_plans_are_the_same_in_every_language() -> None:
    folder = resources.files(PACKAGE) / "texts"
    assert sorted(file.name for file in folder.iterdir()) == sorted(f"{one}.json" for one in LANGUAGES)
    english = texts(PACKAGE, "en")
    for language in LANGUAGES:
        told = texts(PACKAGE, language)
        assert told.keys() == english.keys()
        assert all(re.findall(r"\{\w+\}", text) == re.findall(r"\{\w+\}", english[key]) for key, text in told.items())
        assert language == "en" or all(text != english[key] for key, text in told.items())


ZOOMS = {
    "de": ("Gehe nach Bern", "zoome näher", "weiter raus"),
    "en": ("Go to Bern", "zoom in", "zoom out"),
    "fr": ("Va à Berne", "zoome", "dézoome"),
    "pt": ("Vai para Berna", "aproxima o mapa", "afasta o mapa"),
    "zh": ("去伯尔尼", "放大地图", "缩小地图"),
}


@pytest.mark.requirement("E3")
async def test_the_map_goes_closer_and_back(world: World, address: DatabaseAddress) -> None:
    async with by_rules(world, address) as chat:
        for language, (going, closer, wider) in ZOOMS.items():
            await speaks(world, language)
            words = texts("workroom.geo.presentation", language)
            early = await chat.says(closer, session=language)
            assert (early["overallStatus"], early["steps"][0]["message"]) == ("needs_clarification", words["noView"])
            (view, _) = (await chat.says(going, session=language))["steps"][0]["mapActions"]
            for wish, zoom, said in ((closer, 14, "closer"), (wider, 13, "wider"), (wider, 12, "wider")):
                (step,) = (await chat.says(wish, session=language))["steps"]
                assert (step["intent"], step["status"], step["message"]) == ("zoom_map", "ok", words[said])
                (action,) = step["mapActions"]
                assert action == {"type": "setView", "payload": {**view["payload"], "zoom": zoom}}


@pytest.mark.requirement("E3")
async def test_closer_in_the_same_breath(world: World, address: DatabaseAddress) -> None:
    async with by_rules(world, address) as chat:
        going, closer = (await chat.says("Gehe nach Bern zoome näher"))["steps"]
        center = going["mapActions"][0]["payload"]["center"]
        assert closer["mapActions"] == [
            {"type": "setView", "payload": {"center": center, "zoom": 14, "crs": "EPSG:2056"}}
        ]
