"""Requests to remove something are carried out only where they are unambiguous: in five languages."""

from __future__ import annotations

import pytest

from tests.agent.planning.navigator import INTENTS, NAMES, planned
from tests.agent.planning.plan_steps import ANSWERS, ASKS, CLEARS, Step, layer, place, steps, without
from workroom.agent.planning.intents import Intent, Way
from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.machine import machine
from workroom.agent.planning.rules.matching import MOST_WORK, Matching
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.agent.planning.rules.words import LONGEST, read
from workroom.core.plans import PlannedCall
from workroom.core.texts import texts
from workroom.geo.geocoding import embedded

TAKES_AWAY = {"clear_map", "remove_layer", "remove_layers"}
LANGUAGES = ["de", "en", "fr", "pt", "zh"]

LIMITED = [
    ("de", "Alles löschen, nur den Wald nicht"),
    ("de", "Alles löschen ausser Wald"),
    ("de", "Entferne alles ausser Wald"),
    ("de", "Entferne alles bis auf Wald"),
    ("de", "Leere die Karte erst morgen"),
    ("de", "Leere die Karte nur wenn ich es sage"),
    ("de", "Entferne den Wald erst morgen"),
    ("de", "Entferne Wald oder Lärm"),
    ("de", "Entferne Wald, behalte Lärm"),
    ("de", "Entferne den Wald, der Lärm bleibt"),
    ("de", "Wie kann ich alles löschen?"),
    ("de", "Mach ja keine Umstände usw. leere die Karte"),
    ("de", "Verspiel die Daten bzw. leere die Karte"),
    ("de", "Hör auf, alles zu löschen"),
    ("en", "clear everything except forest"),
    ("en", "clear all but the forest"),
    ("en", "remove everything but the forest"),
    ("en", "clear the map when I say so"),
    ("en", "remove the forest when I say so"),
    ("en", "if you see Bob, clear the map"),
    ("en", "remove neither forest nor noise"),
    ("en", "remove everything apart from the forest layer"),
    ("en", "hide forest, noise stays"),
    ("fr", "efface tout sauf la forêt"),
    ("fr", "enlève la forêt, garde le bruit"),
    ("fr", "enlève tout sauf la forêt"),
    ("fr", "vide la carte quand je le dis"),
    ("fr", "enlevez la forêt si je le dis"),
    ("pt", "apaga tudo exceto a floresta"),
    ("pt", "remova tudo menos a floresta"),
    ("pt", "limpe o mapa só amanhã"),
    ("pt", "remova a floresta, mantenha o ruído"),
    ("zh", "清除所有，除了森林"),
    ("zh", "除了森林，清空地图"),
    ("zh", "移除森林以外的所有"),
    ("zh", "删除森林，保留噪音"),
    ("zh", "清空地图，如果我说"),
]
FORBIDDEN = [
    ("de", "Du sollst nicht, ich wiederhole, die Karte leeren"),
    ("de", "Nicht, leere die Karte"),
    ("de", "Leere die Karte. Nein!"),
    ("de", "Leere die Karte. Doch nicht."),
    ("de", "Entferne Wald, nicht Lärm"),
    ("de", "Entferne Wald, nein, Lärm"),
    ("en", "don't, clear the map"),
    ("en", "you should not, under any circumstances, clear the map"),
    ("en", "you should never, e.g. Clear the map"),
    ("en", "clear the map? no!"),
    ("en", "clear the map. No, wait"),
    ("en", "clear the map... no"),
    ("fr", "Il ne faut pas, surtout pas, effacer la carte"),
    ("fr", "vide la carte, non"),
    ("pt", "não, limpe o mapa"),
    ("pt", "limpe o mapa. Não!"),
    ("zh", "不要，清空地图"),
    ("zh", "清空地图。不！"),
]
QUOTED = [
    ("de", "Suche nach dem Text „entferne alle Layer“"),
    ("de", "«Leere die Karte» soll auf dem Plakat stehen"),
    ("de", "»Leere die Karte«"),
    ("de", "Suche ‚leere die Karte‘"),
    ("de", "Sie sagte: „Leere die Karte"),
    ("en", 'search for "clear the map"'),
    ("en", "search for 'clear the map'"),
    ("en", "“a and clear the map”"),
    ("en", '"clear the map'),
    ("en", "“clear the map"),
    ("en", f'"{"so it went on " * 20}, clear the map"'),
    ("fr", "Cherche le texte « efface tout »"),
    ("pt", "Procura o texto “limpa o mapa”"),
    ("zh", "搜索“清空地图”"),
    ("zh", "「清空地图」"),
]
TOLD_OF_A_LOSS = [
    ("de", "Hilfe, alles weg"),
    ("de", "Alle Layer weg! Was ist passiert?"),
    ("de", "Karte weg"),
    ("de", "Die Karte ist leer"),
    ("de", "Karte leer"),
    ("de", "Der Wald ist weg"),
    ("de", "Sie löschte alles"),
    ("en", "the map is clear"),
    ("en", "who cleared the map"),
]
SLIPS = [
    ("de", "Rest"),
    ("de", "Lehre die Karte"),
    ("de", "Die Karte lehren"),
    ("en", "Rest in Bern"),
    ("en", "Go to Bern and rest"),
    ("en", "Cleary"),
    ("en", "clear"),
    ("en", "ok, clear"),
    ("en", "deleted everything"),
    ("fr", "reste"),
    ("pt", "limpo o mapa"),
]
ASKED = [
    ("de", "Kann ich die Karte leeren?"),
    ("de", "Hallo kann ich bitte alles löschen"),
    ("de", "Darf ich den Wald entfernen?"),
    ("de", "Kann man alle Ebenen entfernen?"),
    ("en", "can I clear the map?"),
    ("en", "Hi, could I remove all layers?"),
    ("en", "may I remove the forest?"),
    ("fr", "Puis-je vider la carte ?"),
    ("fr", "Est-ce que je peux enlever la forêt ?"),
    ("fr", "Peut-on enlever toutes les couches ?"),
    ("pt", "Posso limpar o mapa?"),
    ("pt", "Dá para remover a floresta?"),
    ("zh", "我可以清空地图吗？"),
    ("zh", "可以清空地图吗？"),
    ("zh", "我能不能清空地图？"),
    ("zh", "我能移除所有图层吗？"),
]
LAYERS: Step = ("remove_layers", ("layers.shown", {}))
ORDERS: list[tuple[str, str, list[Step]]] = [
    ("de", "Leere bitte die Karte!", [CLEARS]),
    ("de", "leere die Karte und gehe nach Bern", [CLEARS, place("Bern")]),
    ("de", "Leere die Karte und lade Wald und Lärm", [CLEARS, layer("Wald"), layer("Lärm")]),
    ("de", "Kannst du alles löschen?", [CLEARS]),
    ("de", "Hallo, leere die Karte. Danke!", [CLEARS]),
    ("de", "Kann ich den Wald laden?", [layer("Wald")]),
    ("de", "Entferne alle Ebenen", [LAYERS]),
    ("de", "Bitte alle Layer ausblenden und nach Bern gehen", [LAYERS, place("Bern")]),
    ("de", "Erzähle einen Witz. Leere die Karte.", [ASKS, CLEARS]),
    ("de", "Leere die Karte. Erzähle einen Witz.", [CLEARS, ASKS]),
    ("de", "Lade keinen Wald. Leere die Karte.", [ASKS, CLEARS]),
    ("de", "Entferne «Wald» und «Lärm»", [without("Wald"), without("Lärm")]),
    ("de", "Entferne «Nicht bebaut»", [without("Nicht bebaut")]),
    ("de", "Entferne «Wald oder Lärm»", [without("Wald oder Lärm")]),
    ("de", "Alles weg", [ASKS]),
    ("de", "Wald weg", [ASKS]),
    ("de", "Gehe nach «Bern», leere die Karte", [place("Bern"), CLEARS]),
    ("de", "Zeige den Wald nicht mehr und leere die Karte", [without("Wald"), CLEARS]),
    ("de", "Löscge den Wald", [without("Wald")]),
    ("en", "clear the map please", [CLEARS]),
    ("en", "could you clear the map?", [CLEARS]),
    ("en", "go to Bern, clear the map and load the forest", [place("Bern"), CLEARS, layer("forest")]),
    ("en", "stop showing the forest and stop showing noise", [without("forest"), without("noise")]),
    ("en", "don't show the forest any more and clear the map", [without("forest"), CLEARS]),
    ("en", "reset", [CLEARS]),
    ("en", "remove all the layers from the map", [LAYERS]),
    ("en", "remove all", [CLEARS]),
    ("fr", "vide la carte s'il te plaît et va à Berne", [CLEARS, place("Berne")]),
    ("fr", "N'affiche plus la forêt puis efface tout", [without("forêt"), CLEARS]),
    ("fr", "va à Berne puis vide la carte", [place("Berne"), CLEARS]),
    ("fr", "enlevez toutes les couches", [LAYERS]),
    ("pt", "limpe o mapa e vai para Berna", [CLEARS, place("Berna")]),
    ("pt", "remova todas as camadas", [LAYERS]),
    ("zh", "移除所有图层", [LAYERS]),
    ("zh", "请清空地图，然后前往伯尔尼", [CLEARS, place("伯尔尼")]),
    ("zh", "能不能清空地图？", [CLEARS]),
]  # fmt: skip
UNWANTED: list[tuple[str, str, list[Step]]] = [
    ("de", "Lade Wald, nicht Gewässerschutz", [layer("Wald")]),
    ("de", "Lade Wald und Lärm, aber keinen Gewässerschutz", [layer("Wald"), layer("Lärm")]),
    ("de", "Lade Wald nicht Gewässerschutz", [layer("Wald")]),
    ("de", "Lade Wald, nicht Lärm, Bauzonen", [ASKS]),
    ("de", "Lade Wald, nicht Lärm, und gehe nach Bern", [layer("Wald"), place("Bern")]),
    ("de", "Lade «Nicht bebaut»", [layer("Nicht bebaut")]),
    ("de", "Lade Nicht-ionisierende Strahlung", [layer("Nicht-ionisierende Strahlung")]),
    ("en", "load forest but not noise", [layer("forest")]),
    ("en", "load forest, not noise", [layer("forest")]),
    ("fr", "charge la forêt, mais pas le bruit", [layer("forêt")]),
    ("fr", "charge la forêt, pas le bruit", [layer("forêt")]),
    ("pt", "carregue a floresta, não o ruído", [layer("floresta")]),
    ("pt", "carregue a floresta mas não o ruído", [layer("floresta")]),
    ("zh", "加载森林，不要噪音", [layer("森林")]),
    ("zh", "加载森林但不要噪音", [layer("森林")]),
    ("zh", "加载土地不透水", [layer("土地不透水")]),
]


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(
    ("language", "text"),
    [*LIMITED, *FORBIDDEN, *QUOTED, *TOLD_OF_A_LOSS, *SLIPS, *ASKED],
    ids=lambda value: value[:40],
)
def test_nothing_is_taken_away_that_may_not_be_meant(language: str, text: str) -> None:
    assert not TAKES_AWAY & {step.intent for step in planned(text, language).steps}


@pytest.mark.parametrize(("language", "text"), [*LIMITED, *FORBIDDEN], ids=lambda value: value[:40])
def test_it_is_asked_about(language: str, text: str) -> None:
    assert {status for _, status in steps(planned(text, language))} == {"needs_clarification"}


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(("language", "text"), ASKED, ids=lambda value: value[:40])
def test_who_asks_whether_it_can_be_done_is_told_so_and_how_to_say_it(language: str, text: str) -> None:
    step = planned(text, language).steps[-1]
    assert (step.intent, step.result.status) == ANSWERS
    assert step.result.message.startswith(texts("workroom.agent.planning.rules", language)["able"])
    examples = [one.examples for one in INTENTS if one.name in TAKES_AWAY]
    assert any(said[spoken] in step.result.message for said in examples for spoken in said if spoken == language)


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(
    ("language", "text", "expected"), [*ORDERS, *UNWANTED], ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_is_typed_comes_to_this_plan(language: str, text: str, expected: list[Step]) -> None:
    assert steps(planned(text, language)) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_is_asked_is_told_why_and_how_to_say_it(language: str) -> None:
    order = next(
        text for name in INTENTS if name.name == "clear_map" for one, text in name.examples.items() if one == language
    )
    told = planned(f"{order}, qwertz uiop", language).steps[0].result.message
    assert told.startswith(texts("workroom.agent.planning.rules", language)["unsure"])
    assert order in told


def test_what_was_not_read_may_have_taken_it_back() -> None:
    assert steps(planned("Leere die Karte. " + "Lade Wald. " * LONGEST))[0] == ASKS
    assert steps(planned("Leere die Karte" + " " * (LONGEST - 15))) == [CLEARS]


def test_the_agents_of_others_say_which_of_their_intents_take_away() -> None:
    def shredded(text: str, *, takes_away: bool) -> list[str]:
        call = PlannedCall(tool="shred", arguments={"what": "{title}"})
        ways = [Way(phrases={"en": ["shred {title}", "shred (everything|nothing but dust)"]}, calls=[call])]
        intent = Intent(name="shred", tools=["shred"], ways=ways, takes_away=takes_away)
        assert Intent.model_validate_json(intent.model_dump_json(by_alias=True)) == intent
        found = plan_by_rules(text, [intent], "r", "en", names=NAMES).steps
        return [step.intent if step.tool_calls else step.result.message for step in found]

    said = texts("workroom.agent.planning.rules", "en")["unsure"]
    for text in ("shred letters unless Bob needs them", "Never mind. Shred letters, not bills"):
        assert shredded(text, takes_away=False)[-1] == "shred"
        assert shredded(text, takes_away=True)[-1] == said, "without an example there is none"
    assert shredded("shred nothing but dust", takes_away=True) == ["shred"], "what the phrase says itself is meant"
    assert shredded("sherd letters", takes_away=False) == ["shred"]
    assert shredded("sherd letters", takes_away=True) != ["shred"]
    assert not Intent(name="keep").takes_away


def test_words_that_limit_are_none_that_say_nothing() -> None:
    doubts = vocabulary.single("limits") | vocabulary.single("refusals") | vocabulary.single("negations")
    assert not doubts & vocabulary.single("fillers")


TOWNS: list[tuple[str, list[Step]]] = [
    ("Zürich und Baden", [place("Zürich"), place("Baden")]),
    ("Zürich, Baden", [place("Zürich"), place("Baden")]),
    ("Bern, Zürich und Baden", [place("Bern"), place("Zürich"), place("Baden")]),
    ("Zürich und Röschenz", [place("Zürich"), place("Röschenz")]),
    ("Zürich und Lalden", [place("Zürich"), place("Lalden")]),
    ("Zürich, Ayer", [place("Zürich"), place("Ayer")]),
    ("Boncourt", [place("Boncourt")]),
    ("Lully VD", [place("Lully VD")]),
    ("Wald baden", [layer("Wald")]),
    ("bonjur", [ANSWERS]),
]


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(("text", "expected"), TOWNS, ids=lambda value: value if isinstance(value, str) else "")
def test_the_name_of_a_town_is_no_slip(text: str, expected: list[Step]) -> None:
    assert steps(planned(text)) == expected


@pytest.mark.parametrize("said", ["{}", "Zürich und {}"])
def test_no_town_is_read_as_an_order(said: str) -> None:
    names = {town.name for towns in embedded._index().values() for town, _ in towns}
    assert len(names) > 1_500
    others = {
        step.intent: name
        for name in names
        for step in planned(said.format(name)).steps
        if step.intent not in ("search_place", "goto_address", "question")
    }
    assert others == {"load_layer": "Wald"}, "which is a theme as well"
    unknown = [name for name in names if NAMES.places.has(name) and steps(planned(name)) == [ANSWERS]]
    assert unknown == [], "nor as a greeting"


async def test_a_canton_in_the_name_of_a_town_is_the_one_that_is_asked_for() -> None:
    found = await embedded.EmbeddedGeocoder().geocode("Lully VD", "fr")
    assert [one.label for one in found][:1] == ["Lully VD (VD)"]


@pytest.mark.parametrize(
    "text", ["leere die karte " * 130, "«leere die Karte», " * 110, "'nicht, " * 250, "Baden, Röschenz, " * 110]
)
def test_to_be_careful_is_bounded_work(text: str) -> None:
    made = machine(INTENTS)
    matching = Matching(made, read(text, endings=made.endings), NAMES)
    matching.parts()
    assert matching.steps <= MOST_WORK // 2
    assert planned(text).steps
