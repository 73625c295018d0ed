"""Names of places and of themes, several of them, and wishes with nothing between them: in five languages."""

from __future__ import annotations

import pytest

from tests.agent.planning.navigator import INTENTS, NAMES, planned
from tests.agent.planning.plan_steps import (
    ANSWERS,
    ASKS,
    CLEARS,
    Step,
    address,
    at,
    extract_there,
    layer,
    place,
    steps,
    without,
)
from workroom.agent.planning.intents import Intent, Way
from workroom.agent.planning.ports import KnownNames, NameCatalogue
from workroom.agent.planning.rules.machine import machine
from workroom.agent.planning.rules.matching import MOST_WORK, Matching
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.agent.planning.rules.words import read
from workroom.core.languages import Language
from workroom.core.plans import PlannedCall
from workroom.core.texts import texts


class CountingNames:
    """A catalogue that remembers which names it was asked for."""

    def __init__(self, names: NameCatalogue) -> None:
        self._names = names
        self.asked: set[str] = set()

    def has(self, name: str) -> bool:
        self.asked.add(name)
        return self._names.has(name)

    def has_word(self, word: str) -> bool:
        return self._names.has_word(word)


CLOSER, WIDER = (("zoom_map", ("map.zoom", {"steps": steps})) for steps in (1, -1))

LISTS: list[tuple[str, str, list[Step]]] = [
    ("de", "zeig Bern, Zürich und Olten", [place("Bern"), place("Zürich"), place("Olten")]),
    ("en", "show Bern, Zurich and Olten", [place("Bern"), place("Zurich"), place("Olten")]),
    ("fr", "montre Berne, Zurich et Olten", [place("Berne"), place("Zurich"), place("Olten")]),
    ("pt", "mostra Berna, Zurique e Olten", [place("Berna"), place("Zurique"), place("Olten")]),
    ("zh", "显示伯尔尼、苏黎世和奥尔滕", [place("伯尔尼"), place("苏黎世"), place("奥尔滕")]),
    ("de", "zeig bern, zürich und olten", [place("bern"), place("zürich"), place("olten")]),
    ("de", "Gehe nach Bern und Thun", [place("Bern"), place("Thun")]),
    ("de", "Bern, Zürich und Olten", [place("Bern"), place("Zürich"), place("Olten")]),
    ("de", "zeig Bern, Zürich und Bern", [place("Bern"), place("Zürich")]),
    ("de", "zeig Bern, das Matterhorn und Olten", [place("Bern"), place("Matterhorn"), place("Olten")]),
    ("fr", "montre La Chaux-de-Fonds, Le Locle et Berne", [place("La Chaux-de-Fonds"), place("Le Locle"), place("Berne")]),
    ("fr", "va à Genève, Lausanne ainsi que Sion", [place("Genève"), place("Lausanne"), place("Sion")]),
    ("de", "zeig Bern und Zürich und lade Wald", [place("Bern"), place("Zürich"), layer("Wald")]),
    ("de", "zeig Bern und Thun und dort den Auszug", [place("Bern"), place("Thun"), extract_there(1)]),
]  # fmt: skip
ONE_SEARCH: list[tuple[str, str, list[Step]]] = [
    ("de", "zeig die Bahnhofstrasse 1, 8001 Zürich", [address("Bahnhofstrasse 1, 8001 Zürich")]),
    ("de", "Bahnhofstrasse 1, 8001 Zürich", [address("Bahnhofstrasse 1, 8001 Zürich")]),
    ("en", "show Bahnhofstrasse 1, 8001 Zürich", [address("Bahnhofstrasse 1, 8001 Zürich")]),
    ("fr", "montre la Rue de la Gare 3, 2502 Bienne", [address("Rue de la Gare 3, 2502 Bienne")]),
    ("pt", "mostra Bahnhofstrasse 1, 8001 Zürich", [address("Bahnhofstrasse 1, 8001 Zürich")]),
    ("zh", "显示 Bahnhofstrasse 1, 8001 Zürich", [address("Bahnhofstrasse 1, 8001 Zürich")]),
    ("de", "Zeig Zürich, Schweiz", [place("Zürich, Schweiz")]),
    ("de", "Gehe nach Berg und Tal", [place("Berg und Tal")]),
]
SIDE_BY_SIDE: list[tuple[str, str, list[Step]]] = [
    ("de", "gehe nach Bern lade Wald", [place("Bern"), layer("Wald")]),
    ("en", "go to Bern load forest", [place("Bern"), layer("forest")]),
    ("fr", "va à Berne charge la forêt", [place("Berne"), layer("forêt")]),
    ("pt", "vai para Berna carrega a floresta", [place("Berna"), layer("floresta")]),
    ("zh", "去伯尔尼加载森林", [place("伯尔尼"), layer("森林")]),
    ("de", "lade Wald gehe nach Bern", [layer("Wald"), place("Bern")]),
    ("de", "Gehe zur Hauptgasse 5 lade Wald", [address("Hauptgasse 5"), layer("Wald")]),
    ("de", "gehe zu 2600513 1215519 lade Wald", [at(2600513, 1215519), layer("Wald")]),
    ("de", "gehe nach Bern lade Wald zeige dort den Auszug leere die Karte",
     [place("Bern"), layer("Wald"), extract_there(), CLEARS]),
    ("de", "Bern lade Wald", [place("Bern"), layer("Wald")]),
    ("en", "go to Bern remove noise", [place("Bern"), without("noise")]),
    ("de", "gehe nach Bern lade nicht den Wald", [place("Bern"), ASKS]),
    ("en", "find Bern Show Room", [place("Bern Show Room")]),
    ("de", "gehe nach Bern erzähle einen Witz", [place("Bern erzähle einen Witz")]),
]  # fmt: skip
THEMES: list[tuple[str, str, list[Step]]] = [
    ("de", "zeig den Gewässerschutz", [layer("Gewässerschutz")]),
    ("en", "show me the groundwater protection", [layer("groundwater protection")]),
    ("fr", "montre la protection des eaux", [layer("protection des eaux")]),
    ("pt", "mostra a proteção das águas", [layer("proteção das águas")]),
    ("zh", "显示地下水保护区", [layer("地下水保护区")]),
    ("de", "Gewässerschutz anzeigen", [layer("Gewässerschutz")]),
    ("de", "suche Lärm auf der Karte", [layer("Lärm")]),
    ("de", "zeig Wald und Lärm", [layer("Wald"), layer("Lärm")]),
    ("de", "zeig Wald und Waldabstand", [layer("Wald und Waldabstand")]),
    ("de", "zeig Wald und Bern", [layer("Wald"), place("Bern")]),
    ("de", "zeig Bern und Wald", [place("Bern"), layer("Wald")]),
    ("de", "Wald", [layer("Wald")]),
    ("en", "noise", [layer("noise")]),
    ("de", "zeig Wald", [layer("Wald")]),
    ("de", "zeig den Ort Wald", [place("Wald")]),
    ("de", "zeig die Gemeinde Wald", [place("Wald")]),
    ("en", "show the town of Wald", [place("Wald")]),
    ("fr", "montre le village de Wald", [place("Wald")]),
    ("pt", "mostra a cidade de Wald", [place("Wald")]),
    ("zh", "显示地点 Wald", [place("Wald")]),
    ("de", "gehe nach Wald", [place("Wald")]),
    ("de", "gehe nach Rüti und Wald", [place("Rüti"), place("Wald")]),
    ("de", "Wo liegt Wald?", [place("Wald")]),
    ("de", "zeig den Wald nicht", [ASKS]),
    ("de", "Wald ist schön", [ASKS]),
]
ALONE: list[tuple[str, str, list[Step]]] = [
    ("de", "Danke", [ANSWERS]),
    ("de", "Hallo", [ANSWERS]),
    ("de", "Guten Tag", [ANSWERS]),
    ("de", "Rechnung", [ASKS]),
    ("de", "Termin", [ASKS]),
    ("en", "Invoice", [ASKS]),
    ("fr", "Facture", [ASKS]),
    ("pt", "Fatura", [ASKS]),
    ("zh", "发票", [ASKS]),
    ("de", "Frau Meier", [ASKS]),
    ("de", "Bern", [place("Bern")]),
    ("de", "Bern bitte", [place("Bern")]),
    ("de", "Buchs SG", [place("Buchs SG")]),
    ("de", "4500 Solothurn", [place("4500 Solothurn")]),
    ("en", "Geneva", [place("Geneva")]),
    ("fr", "La Chaux-de-Fonds", [place("La Chaux-de-Fonds")]),
    ("fr", "Soleure", [place("Soleure")]),
    ("pt", "Genebra", [place("Genebra")]),
    ("zh", "日内瓦", [place("日内瓦")]),
    ("de", "Hauptgasse 5", [address("Hauptgasse 5")]),
    ("de", "bern", [ASKS]),
    ("de", "Bern ist schön", [ASKS]),
]
ZOOMS: list[tuple[str, str, list[Step]]] = [
    ("de", "zoome näher", [CLOSER]),
    ("de", "Zoome bitte etwas näher ran", [CLOSER]),
    ("de", "noch näher", [CLOSER]),
    ("de", "weiter raus", [WIDER]),
    ("de", "zoome weiter raus", [WIDER]),
    ("de", "rauszoomen", [WIDER]),
    ("en", "zoom in", [CLOSER]),
    ("en", "zoom in a bit more", [CLOSER]),
    ("en", "zoom out a little", [WIDER]),
    ("en", "closer", [CLOSER]),
    ("en", "further out", [WIDER]),
    ("fr", "zoome", [CLOSER]),
    ("fr", "zoomez un peu plus près", [CLOSER]),
    ("fr", "dézoome", [WIDER]),
    ("fr", "zoome arrière", [WIDER]),
    ("pt", "aproxima o mapa", [CLOSER]),
    ("pt", "mais perto", [CLOSER]),
    ("pt", "afaste um pouco", [WIDER]),
    ("zh", "放大地图", [CLOSER]),
    ("zh", "缩小", [WIDER]),
    ("de", "gehe nach Bern und zoome näher", [place("Bern"), CLOSER]),
    ("en", "go to Bern zoom in", [place("Bern"), CLOSER]),
    ("en", "zoom in on Bern", [place("Bern")]),
    ("fr", "zoome sur Berne", [place("Berne")]),
    ("de", "zoome nicht näher", [ASKS]),
]


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [*LISTS, *ONE_SEARCH, *SIDE_BY_SIDE, *THEMES, *ALONE, *ZOOMS],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_typed_comes_to_this_plan(language: str, text: str, expected: list[Step]) -> None:
    assert steps(planned(text, language)) == expected


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("language", ["de", "en", "fr", "pt", "zh"])
def test_a_word_that_is_no_place_is_answered_with_what_can_be_asked(language: Language) -> None:
    (step,) = planned("Rechnung", language).steps
    assert step.result.message.startswith(texts("workroom.agent.planning.rules", language)["unclear"])
    assert sum(intent.examples[language] in step.result.message for intent in INTENTS) == 3


def met(text: str) -> list[object]:
    """An agent somebody made, with names in the middle of what is said."""
    call = PlannedCall(tool="meet", arguments={"where": "{town}", "about": "{theme}", "how": "{title}"})
    way = Way(phrases={"en": ["meet in {town} about {theme} [with {title}]"]}, calls=[call])
    found = plan_by_rules(text, [Intent(name="meet", tools=["meet"], ways=[way])], "r", "en", names=NAMES).steps
    return [call.arguments for step in found for call in step.tool_calls]


def test_names_also_stand_in_the_phrases_of_others() -> None:
    assert met("meet in La Chaux-de-Fonds about road noise with Ada show her everything") == [
        {"where": "La Chaux-de-Fonds", "about": "road noise", "how": "Ada show her everything"}
    ]
    for text in ("meet in Nowhere about noise", "meet in Bern about football", "meet in bern about noise"):
        assert met(text) == []


def test_several_places_are_a_step_each_beside_what_else_is_said() -> None:
    way = Way(
        phrases={"en": ["send {title} to {place}"]},
        calls=[PlannedCall(tool="send", arguments={"what": "{title}", "to": "{place}"})],
    )
    intent = Intent(name="s", tools=["send"], ways=[way])
    found = plan_by_rules("send greetings to Bern and Thun", [intent], "r", "en", names=NAMES)
    assert [step.tool_calls[0].arguments for step in found.steps] == [
        {"what": "greetings", "to": "Bern"},
        {"what": "greetings", "to": "Thun"},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Bern " * 399,
        "zeig " + "Bern, " * 399,
        "zeig " + "wald und " * 250,
        "lade Wald " * 130,
        "gehe nach Bern lade Wald " * 80,
        "wald " * 399,
        "zeig " + "森" * 1_990,
        "显示森林" * 490,
    ],
    ids=lambda text: text[:12],
)
def test_names_and_wishes_without_end_are_bounded_work(text: str) -> None:
    places, themes = CountingNames(NAMES.places), CountingNames(NAMES.themes)
    made = machine(INTENTS)
    matching = Matching(made, read(text, endings=made.endings), KnownNames(places, themes))
    matching.parts()
    assert matching.steps <= MOST_WORK // 2
    looked_up = len(places.asked) + len(themes.asked)
    assert looked_up <= 12 * len(matching.reading.words), "a name is looked up as far as names are long"
    assert planned(text).steps
