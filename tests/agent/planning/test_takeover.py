"""What was said to another agent and is meant for the map."""

from __future__ import annotations

import pytest

from workroom.agent.planning.takeover import is_meant_for
from workroom.agents.shipped import NAVIGATOR_ID, names_of, shipped
from workroom.bootstrap.tools import KNOWN_NAMES


def meant(text: str, language: str, *, answered_otherwise: bool = True) -> bool:
    intents = shipped(language)[NAVIGATOR_ID].intents
    return is_meant_for(
        text, names_of(NAVIGATOR_ID), intents, language, KNOWN_NAMES, answered_otherwise=answered_otherwise
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("show me Bern on the map", "en"),
        ("Where is the Matterhorn on the map?", "en"),
        ("zeige alle Bäckereien bei Zürich auf der Karte", "de"),
        ("Leere die Karte", "de"),
        ("montre Genève sur la carte", "fr"),
        ("mostre Lugano no mapa", "pt"),
        ("在地图上显示苏黎世", "zh"),
    ],
)
def test_who_says_map_means_the_map(text: str, language: str) -> None:
    assert meant(text, language)


@pytest.mark.parametrize(
    "text",
    ["gehe nach Bern", "wo liegt Olten?", "lade Wald", "Gehe zur Langendorfstrasse 19b in Solothurn", "zoome näher"],
)
def test_known_names_are_enough_where_nothing_else_answers(text: str) -> None:
    assert meant(text, "de", answered_otherwise=False)
    assert not meant(text, "de")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("zeig meine Notizen", "de"),
        ("show report", "en"),
        ("find the contract", "en"),
        ("remove the note", "en"),
        ("Note that the key is under the mat", "en"),
        ("Which hotels are on the map on page 3?", "en"),
        ("Who drew the map in the report?", "en"),
        ("What does the lease say about pets?", "en"),
        ("zeig die Kartei der Kunden", "de"),
        ("thanks", "en"),
        ("", "en"),
    ],
)
def test_other_requests_stay_where_they_are(text: str, language: str) -> None:
    assert not meant(text, language, answered_otherwise=False)
