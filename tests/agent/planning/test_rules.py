"""Requests as people type them, and the plans they come to, with the phrases of the shipped guide to the map."""

from __future__ import annotations

from typing import Any

import pytest

from tests.agent.planning.navigator import INTENTS, planned
from workroom.core.plans import Plan

ASKS, ANSWERS = ("question", "needs_clarification"), ("question", "ok")
CLEARS = ("clear_map",)
SELECTED = [("oereb.extract_by_id", {"egrid": {"$selection": "/egrid"}})]

Step = tuple[Any, ...]


def address(query: str) -> Step:
    return ("goto_address", ("geolocation.geocode", {"query": query}))


def place(query: str) -> Step:
    return ("search_place", ("geolocation.geocode", {"query": query}))


def at(x: float, y: float) -> Step:
    return ("goto_coordinate", ("geolocation.coordinate", {"x": x, "y": y}))


def layer(query: str) -> Step:
    return ("load_layer", ("layers.search", {"query": query}))


def without(query: str) -> Step:
    return ("remove_layer", ("layers.shown", {"query": query}))


def extract_at(x: Any, y: Any) -> Step:
    return ("oereb_extract", ("oereb.egrid_by_xy", {"x": x, "y": y}), *SELECTED)


def extract_there(step: int = 0) -> Step:
    found = ({"$from": {"step": step, "call": 0, "pointer": f"/items/0/coord/{axis}"}} for axis in (0, 1))
    return extract_at(*found)


def extract_for(query: str) -> Step:
    coord = {"x": {"$selection": "/coord/0"}, "y": {"$selection": "/coord/1"}}
    return ("oereb_extract", ("geolocation.geocode", {"query": query}), ("oereb.egrid_by_xy", coord), *SELECTED)


def extract_of(egrid: str) -> Step:
    return ("oereb_extract", ("oereb.extract_by_id", {"egrid": egrid}))


def steps(plan: Plan) -> list[Step]:
    """A step as its intent and its calls; one that is told with the plan as its intent and status."""
    return [
        (step.intent, *((call.tool, call.arguments) for call in step.tool_calls))
        if step.result.status == "pending"
        else (step.intent, step.result.status)
        for step in plan.steps
    ]


HOME = "Langendorfstrasse 19b in Solothurn"
GERMAN: list[tuple[str, list[Step]]] = [
    ("Gehe zur Langendorfstrasse 19b in Solothurn", [address(HOME)]),
    ("Geh zur Langendorfstrasse 19b in Solothurn!", [address(HOME)]),
    ("gehe zur langendorfstrasse 19b in solothurn", [address("langendorfstrasse 19b in solothurn")]),
    ("Gehe bitte nach 4500 Solothurn, Hauptgasse 5", [address("4500 Solothurn, Hauptgasse 5")]),
    ("Gehen Sie bitte zur Hauptgasse 5 in Solothurn.", [address("Hauptgasse 5 in Solothurn")]),
    ("Könntest du bitte zur Bahnhofstrasse 1 in Olten gehen?", [address("Bahnhofstrasse 1 in Olten")]),
    ("Kannst du mich zur Hauptgasse 5 bringen", [address("Hauptgasse 5")]),
    ("Zeig mir die Langendorfstrasse 19b, 4500 Solothurn", [address("Langendorfstrasse 19b, 4500 Solothurn")]),
    ("Wo ist die Aarestrasse 14 in Aarau?", [address("Aarestrasse 14 in Aarau")]),
    ("gehe auf den Bundesplatz in Bern", [address("Bundesplatz in Bern")]),
    ("Fahre zur Hauptstraße 12, Grenchen", [address("Hauptstraße 12, Grenchen")]),
    ("Langendorfstrasse 19b, 4500 Solothurn", [address("Langendorfstrasse 19b, 4500 Solothurn")]),
    ("Gehe zur Bahnhofstr. 5, 9000 St. Gallen", [address("Bahnhofstr. 5, 9000 St. Gallen")]),
    ("Gehe nach Solothurn", [place("Solothurn")]),
    ("Gehe nach St. Gallen", [place("St. Gallen")]),
    ("Gehe zum Bahnhof Olten", [place("Bahnhof Olten")]),
    ("Zeige mir Solothurn auf der Karte", [place("Solothurn")]),
    ("Wo liegt Zermatt?", [place("Zermatt")]),
    ("Suche Matterhorn", [place("Matterhorn")]),
    ("Ich möchte nach Zermatt gehen", [place("Zermatt")]),
    ("Gehe nach Muri (AG)", [place("Muri (AG)")]),
    ("Gehe nach Bern Mitte", [place("Bern Mitte")]),
    ("Gehe nach Baden", [place("Baden")]),
    ("Zoome auf Olten", [place("Olten")]),
    ("Zeig mir, wo Zermatt liegt", [place("Zermatt")]),
    ("Zeig mir die Karte von Solothurn", [place("Solothurn")]),
    ("Ich suche die Hauptgasse 12 in Solothurn", [address("Hauptgasse 12 in Solothurn")]),
    ("Adresse: Hauptgasse 12, Solothurn", [address("Hauptgasse 12, Solothurn")]),
    ("Gehe nach Zürich, dann Bern", [place("Zürich"), place("Bern")]),
    ("Zeig mir Bern und dann Zürich", [place("Bern"), place("Zürich")]),
    ("gehe nach Bern und dann nach Zürich", [place("Bern"), place("Zürich")]),
    ("Solothurn", [place("Solothurn")]),
    ("solothurn", [ASKS]),
    ("Solothurn ist schön", [ASKS]),
    ("Danke!", [ANSWERS]),
    ("Lade Wald, dann Lärm", [layer("Wald"), layer("Lärm")]),
    ("Was ist bei 2600513, 1215519?", [at(2600513, 1215519)]),
    ("Welche Layer gibt es?", [ANSWERS]),
    ("Mach die Karte leer", [CLEARS]),
    ("ÖREB-Auszug Langendorfstrasse 19b in Solothurn", [extract_for(HOME)]),
    ("Gib mir den Auszug für Parzelle 1234 in Solothurn", [extract_for("Parzelle 1234 in Solothurn")]),
    ("Gehe zu Koordinate 2600513 1215519", [at(2600513, 1215519)]),
    ("Gehe zur Koordinate 2'600'513 / 1'215'519", [at(2600513, 1215519)]),
    ("Zeige die Koordinaten 2’600’513, 1’215’519", [at(2600513, 1215519)]),
    ("gehe zu 600513 / 215519", [at(600513, 215519)]),
    ("gehe zu 2600513.25, 1215519.5", [at(2600513.25, 1215519.5)]),
    ("gehe auf 47,2088; 7,5323", [at(47.2088, 7.5323)]),
    ("Gehe zu 47.2088° N, 7.5323° E", [at(47.2088, 7.5323)]),
    ("2'600'513 / 1'215'519", [at(2600513, 1215519)]),
    ("2 600 513 1 215 519", [at(2600513, 1215519)]),
    ("600 513 215 519", [at(600513, 215519)]),
    ("2.600.513, 1.215.519", [at(2600513, 1215519)]),
    ("E 2600513 N 1215519", [at(2600513, 1215519)]),
    ("47.2,7.5", [at(47.2, 7.5)]),
    ("Gehe zu 2600513, 1215519 und 2600600, 1215600", [at(2600513, 1215519), at(2600600, 1215600)]),
    ("lade den Gewässerschutzlayer", [layer("Gewässerschutz")]),
    ("Lade den Gewässerschutz-Layer", [layer("Gewässerschutz")]),
    ("Lade die Gewaesserschutzebene", [layer("Gewaesserschutz")]),
    ("Lade den Wald", [layer("Wald")]),
    ("Lade die Ebene Wald", [layer("Wald")]),
    ("Lade bitte noch den Layer mit den Bauzonen", [layer("Bauzonen")]),
    ("Kannst du mir bitte die Naturgefahrenkarte laden?", [layer("Naturgefahren")]),
    ("aktiviere die Bodenbedeckungskarte", [layer("Bodenbedeckung")]),
    ("Lade die Landeskarte", [layer("Landeskarte")]),
    ("Zeig mir die Gewässerschutzkarte", [layer("Gewässerschutz")]),
    ("zeige den Layer Bauzonen", [layer("Bauzonen")]),
    ("Füge den Layer Lärm hinzu", [layer("Lärm")]),
    ("Blende Wald und Bauzonen ein", [layer("Wald"), layer("Bauzonen")]),
    ("lade Gewässerschutz und Wald", [layer("Gewässerschutz"), layer("Wald")]),
    ("lade Gewässerschutz sowie Wald", [layer("Gewässerschutz"), layer("Wald")]),
    ("Lade Gewässerschutz, Wald und Naturgefahren", [layer("Gewässerschutz"), layer("Wald"), layer("Naturgefahren")]),
    ("Lade den Gewässerschutzlayer und den Waldlayer", [layer("Gewässerschutz"), layer("Wald")]),
    ("Gewässerschutz und Wald laden", [layer("Gewässerschutz"), layer("Wald")]),
    ("Lade Wald und Wald", [layer("Wald")]),
    ("Lade Wald & Lärm", [layer("Wald"), layer("Lärm")]),
    ("Lade die Ebene «Natur und Landschaft»", [layer("Natur und Landschaft")]),
    ("Lade Grund- und Quellwasserschutz", [layer("Grund- und Quellwasserschutz")]),
    ("Gewässerschutzlayer", [layer("Gewässerschutz")]),
    ("Entferne den Gewässerschutzlayer", [without("Gewässerschutz")]),
    ("Entferne Wald und Lärm", [without("Wald"), without("Lärm")]),
    ("blende den Wald wieder aus", [without("Wald")]),
    ("Lösche den Layer Wald", [without("Wald")]),
    ("Wald ausblenden", [without("Wald")]),
    ("nimm den Waldlayer weg", [without("Wald")]),
    ("Zeige den Wald nicht mehr", [without("Wald")]),
    ("Leere die Karte", [CLEARS]),
    ("Karte leeren", [CLEARS]),
    ("räum bitte die Karte auf", [CLEARS]),
    ("Lösche alles", [CLEARS]),
    ("Entferne alle Layer", [("remove_layers", ("layers.shown", {}))]),
    ("Lade den ÖREB-Auszug an der Koordinate 2600513, 1215519", [extract_at(2600513, 1215519)]),
    ("OEREB Auszug bei 2'600'513/1'215'519", [extract_at(2600513, 1215519)]),
    ("ÖREB-Auszug für CH767982496078", [extract_of("CH767982496078")]),
    ("Zeige den Auszug von ch 7679 8249 6078", [extract_of("CH767982496078")]),
    ("Ich hätte gerne den ÖREB-Auszug für CH767982496078", [extract_of("CH767982496078")]),
    ("CH767982496078", [extract_of("CH767982496078")]),
    ("ÖREB-Auszug für die Langendorfstrasse 19b in Solothurn", [extract_for(HOME)]),
    ("Zeig mir den Auszug zur Parzelle an der Hauptgasse 5", [extract_for("Hauptgasse 5")]),
    ("ÖREB-Auszug für Schloss Waldegg", [extract_for("Schloss Waldegg")]),
    ("Lade den ÖREB-Auszug für CH767982496078 und CH767982496079",
     [extract_of("CH767982496078"), extract_of("CH767982496079")]),
    ("Gehe zur Langendorfstrasse 19b in Solothurn und lade den Gewässerschutzlayer",
     [address(HOME), layer("Gewässerschutz")]),
    ("Gehe nach Bern und lade Wald und Lärm", [place("Bern"), layer("Wald"), layer("Lärm")]),
    ("Lade Wald, dann gehe nach Bern und danach leere die Karte", [layer("Wald"), place("Bern"), CLEARS]),
    ("Gehe nach Bern. Lade Wald.", [place("Bern"), layer("Wald")]),
    ("Gehe nach Bern; entferne Wald", [place("Bern"), without("Wald")]),
    ("Gehe nach Bern und nach Thun", [place("Bern"), place("Thun")]),
    ("Zuerst gehe nach Bern, anschliessend Wald laden", [place("Bern"), layer("Wald")]),
    ("Gehe zur Hauptgasse 5 und zeige dort den ÖREB-Auszug", [address("Hauptgasse 5"), extract_there()]),
    ("Gehe nach Solothurn und lade den ÖREB-Auszug", [place("Solothurn"), extract_there()]),
    ("Gehe zu 2600513, 1215519 und hole dort den Auszug", [at(2600513, 1215519), extract_there()]),
    ("Lade Wald, gehe nach Bern, lade Lärm und zeige hier den Auszug",
     [layer("Wald"), place("Bern"), layer("Lärm"), extract_there(1)]),
    ("Zeige den ÖREB-Auszug", [ASKS]),
    ("Zeige dort den ÖREB-Auszug und gehe nach Bern", [ASKS, place("Bern")]),
    ("Gehe zur Gasse Berg und Tal 5", [address("Gasse Berg und Tal 5")]),
    ("gehe zur gasse berg und tal 5", [address("gasse berg und tal 5")]),
    ("Gehe nach Berg und Tal und lade Wald", [place("Berg und Tal"), layer("Wald")]),
    ("Gehe nach Bern und trinke Kaffee", [place("Bern"), ASKS]),
    ("Gehe nach Bern und mach mir einen Kaffee", [place("Bern"), ASKS]),
    ("Erzähle einen Witz und lade Wald", [ASKS, layer("Wald")]),
    ("ÖREB-Auszug für CH767982496078 als PDF per Mail", [extract_of("CH767982496078"), ASKS]),
    ("Lade Wald und mach mir einen Kaffee", [layer("Wald"), ASKS]),
    ("Gehe nach Bern! Thun", [place("Bern"), place("Thun")]),
    ("Gehe nach " + "Bern" * 60, [ASKS]),
    ("Leere die Karte so nicht", [ASKS]),
    ("lade NICHT den Wald", [ASKS]),
    ("Lade den Wald nicht", [ASKS]),
    ("Lade keinen Wald und gehe nach Bern", [ASKS, place("Bern")]),
    ("Karte leeren will ich auf keinen Fall", [ASKS]),
    ("Hallo, lade bitte den Wald. Danke!", [layer("Wald")]),
    ("Hallo", [ANSWERS]),
    ("Was kannst du?", [ANSWERS]),
    ("Grüezi, was kannst du hier alles machen?", [ANSWERS]),
    ("Wie wird das Wetter morgen?", [ASKS]),
    ("Ich wohne an der Bahnhofstrasse 5", [ASKS]),
    ("lade", [ASKS]),
    ("gehe nach", [ASKS]),
]  # fmt: skip
ENGLISH: list[tuple[str, list[Step]]] = [
    ("Go to Langendorfstrasse 19b in Solothurn", [address(HOME)]),
    ("Could you please go to Langendorfstrasse 19b in Solothurn?", [address(HOME)]),
    ("Take me to Bahnhofstrasse 1, Olten", [address("Bahnhofstrasse 1, Olten")]),
    ("Where is Zermatt?", [place("Zermatt")]),
    ("Show me Zermatt on the map", [place("Zermatt")]),
    ("find the Matterhorn", [place("Matterhorn")]),
    ("Zoom in on Bern", [place("Bern")]),
    ("Could you show me where Zermatt is?", [place("Zermatt")]),
    ("I'd like to see the forest layer", [layer("forest")]),
    ("what's at 2600513, 1215519?", [at(2600513, 1215519)]),
    ("Navigate to 46.9480, 7.4474", [at(46.948, 7.4474)]),
    ("Go to the coordinate 2600513, 1215519", [at(2600513, 1215519)]),
    ("Please load the forest layer", [layer("forest")]),
    ("Load forest and noise", [layer("forest"), layer("noise")]),
    ("Load the groundwater protection layer and the forest layer", [layer("groundwater protection"), layer("forest")]),
    ("Add the layer noise to the map", [layer("noise")]),
    ("Show the forest layer", [layer("forest")]),
    ("Switch on noise", [layer("noise")]),
    ("Remove the forest layer", [without("forest")]),
    ("Turn off noise", [without("noise")]),
    ("Take the noise layer off", [without("noise")]),
    ("Don't show the forest any more", [without("forest")]),
    ("Don't load the forest", [ASKS]),
    ("do not load forest", [ASKS]),
    ("Clear the map", [CLEARS]),
    ("remove everything", [CLEARS]),
    ("Load the ÖREB extract at the coordinate 2600513, 1215519", [extract_at(2600513, 1215519)]),
    ("Get the extract for Langendorfstrasse 19b, Solothurn", [extract_for("Langendorfstrasse 19b, Solothurn")]),
    ("show the oereb extract of CH767982496078", [extract_of("CH767982496078")]),
    ("Go to Bern, then show the extract there", [place("Bern"), extract_there()]),
    ("Go to Langendorfstrasse 19b in Solothurn and load the forest layer", [address(HOME), layer("forest")]),
    ("Go to Bern and tell me a joke", [place("Bern"), ASKS]),
    ("What can you do?", [ANSWERS]),
    ("Good morning", [ANSWERS]),
    ("What is the meaning of life?", [ASKS]),
]  # fmt: skip
FRENCH: list[tuple[str, list[Step]]] = [
    ("Va à la Rue de Lausanne 10 à Fribourg", [address("Rue de Lausanne 10 à Fribourg")]),
    ("Pourriez-vous aller à la Rue de Lausanne 10 à Fribourg, s'il vous plaît ?",
     [address("Rue de Lausanne 10 à Fribourg")]),
    ("Va à Lausanne", [place("Lausanne")]),
    ("Où se trouve Zermatt ?", [place("Zermatt")]),
    ("Montre-moi Genève", [place("Genève")]),
    ("Montre-moi où se trouve Genève", [place("Genève")]),
    ("Va à La Chaux-de-Fonds", [place("La Chaux-de-Fonds")]),
    ("Va aux coordonnées 2600513, 1215519", [at(2600513, 1215519)]),
    ("Charge la couche Protection des eaux", [layer("Protection des eaux")]),
    ("Charge les forêts et le bruit", [layer("forêts"), layer("bruit")]),
    ("Charge la couche forêt et la couche bruit", [layer("forêt"), layer("bruit")]),
    ("Pourrais-tu charger la couche bruit s'il te plaît ?", [layer("bruit")]),
    ("Affiche la couche forêt", [layer("forêt")]),
    ("Ajoute la couche du bruit", [layer("bruit")]),
    ("Enlève la couche forêt", [without("forêt")]),
    ("N'affiche plus la forêt", [without("forêt")]),
    ("Ne charge pas la forêt", [ASKS]),
    ("Vide la carte", [CLEARS]),
    ("Efface tout", [CLEARS]),
    ("Charge l'extrait RDPPF aux coordonnées 2600513, 1215519", [extract_at(2600513, 1215519)]),
    ("Charge l’extrait RDPPF pour la Rue de Lausanne 10 à Fribourg", [extract_for("Rue de Lausanne 10 à Fribourg")]),
    ("Extrait RDPPF de CH767982496078", [extract_of("CH767982496078")]),
    ("Va à Berne puis affiche l'extrait ici", [place("Berne"), extract_there()]),
    ("Va à Lausanne et charge la couche protection des eaux", [place("Lausanne"), layer("protection des eaux")]),
    ("Va à la Rue du Pas 5", [address("Rue du Pas 5")]),
    ("Que peux-tu faire ?", [ANSWERS]),
    ("Bonjour", [ANSWERS]),
    ("Quel temps fait-il ?", [ASKS]),
]  # fmt: skip
OTHERS: list[tuple[str, str, list[Step]]] = [
    ("pt", "Vai para Lausanne e carrega a camada floresta", [place("Lausanne"), layer("floresta")]),
    ("pt", "Onde fica Zermatt?", [place("Zermatt")]),
    ("pt", "Não carregues a floresta", [ASKS]),
    ("pt", "Limpa o mapa, por favor", [CLEARS]),
    ("zh", "转到坐标 2600513, 1215519", [at(2600513, 1215519)]),
    ("zh", "请加载 Wald 图层，然后清空地图", [layer("Wald"), CLEARS]),
    ("zh", "Zermatt 在哪里？", [place("Zermatt")]),
    ("zh", "显示 2600513, 1215519 的地籍摘录", [extract_at(2600513, 1215519)]),
    ("zh", "你好", [ANSWERS]),
]
MISTYPED: list[tuple[str, list[Step]]] = [
    ("Ghee zur Hauptgasse 5", [address("Hauptgasse 5")]),
    ("Ldae den Wald", [layer("Wald")]),
    ("Laade den Wald", [layer("Wald")]),
    ("Zeieg mir Bern", [place("Bern")]),
    ("Entfrene den Wald", [without("Wald")]),
    ("Entferme den Layer Wald", [without("Wald")]),
    ("Aktivire den Wald", [layer("Wald")]),
    ("Wald einblednen", [layer("Wald")]),
    ("gehe zur Koordiante 2600513/1215519", [at(2600513, 1215519)]),
    ("gehe zur Kordinatte 2600513/1215519", [at(2600513, 1215519)]),
    ("Lade den Öreb-Auszg bei 2600513 1215519", [extract_at(2600513, 1215519)]),
    ("Lade den Oreb Auszug bei 2600513 1215519", [extract_at(2600513, 1215519)]),
    ("löshce alles", [CLEARS]),
    ("clear evrything", [CLEARS]),
    ("remoev the forest", [without("forest")]),
    ("Chagre la couche forêt", [layer("forêt")]),
    ("Chrage la cuche forêt", [layer("forêt")]),
    ("navigat to Bern", [place("Bern")]),
]
TOLD = [
    *(("de", *case) for case in GERMAN),
    *(("en", *case) for case in ENGLISH),
    *(("fr", *case) for case in FRENCH),
    *OTHERS,
    *(("de", *case) for case in MISTYPED),
]


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(
    ("language", "text", "expected"), TOLD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_is_typed_comes_to_this_plan(language: str, text: str, expected: list[Step]) -> None:
    assert steps(planned(text, language)) == expected


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.name)
def test_the_examples_people_are_given_are_understood(intent: Any) -> None:
    for language, example in intent.examples.items():
        assert [step.intent for step in planned(example, language).steps] == [intent.name]


def test_capitals_and_umlauts_make_no_difference() -> None:
    ways = ["Lösche den Layer Wald", "loesche den layer Wald", "LÖSCHE DEN LAYER Wald", "lo\u0308sche den Layer Wald"]
    assert {str(steps(planned(way))) for way in ways} == {str([without("Wald")])}
