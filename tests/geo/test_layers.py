"""Sample layers: found by name in five languages, offered with their neighbours when the name is only similar."""

from __future__ import annotations

import pytest

from workroom.geo.layers.embedded import EmbeddedLayers, LayerThemes
from workroom.geo.sample.data import sample
from workroom.geo.types import MapLayer

LANGUAGES = {"de", "en", "fr", "pt", "zh"}


async def find(query: str, language: str | None = None) -> list[MapLayer]:
    return list(await EmbeddedLayers().search(query, language))


@pytest.mark.requirement("E7")
async def test_the_layer_of_the_examples() -> None:
    (found,) = await find("Gewässerschutz")
    assert (found.id, found.type, found.sample, found.confidence) == ("ch.so.gws", "wmts", True, 1.0)
    assert found.source.url == "/api/geo/tiles/ch.so.gws/{TileMatrix}/{TileRow}/{TileCol}.svg"
    assert found.source.legend == "/api/geo/legend/ch.so.gws.svg?language=de"


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Gewässerschutzlayer", "ch.so.gws"),
        ("den Layer Gewaesserschutz", "ch.so.gws"),
        ("ch.so.gws", "ch.so.gws"),
        ("Grundwasser", "ch.so.gws"),
        ("groundwater protection", "ch.so.gws"),
        ("protection des eaux souterraines", "ch.so.gws"),
        ("proteção das águas", "ch.so.gws"),
        ("地下水保护图层", "ch.so.gws"),
        ("Wald", "ch.so.wald"),
        ("noise", "ch.so.laerm"),
        ("Gefahrenkarte", "ch.so.naturgefahren"),
    ],
)
async def test_by_one_of_its_names(query: str, name: str) -> None:
    assert [layer.id for layer in await find(query)] == [name]


@pytest.mark.parametrize("query", ["Gewaserschutz", "Gewässerschuz", "Bauzohnen", "Lerm"])
async def test_a_name_that_is_only_similar_is_asked_about(query: str) -> None:
    found = await find(query)
    assert len(found) > 1, "one alone would be shown at once"
    assert found[0].confidence > found[1].confidence
    assert all(layer.confidence < 0.9 for layer in found)


async def test_labels_are_in_the_language_that_was_asked_in() -> None:
    assert (await find("forest"))[0].label == "Forest and forest distance"
    assert (await find("forêt"))[0].label == "Forêt et distance à la forêt"
    assert (await find("forest", "de"))[0].label == "Wald und Waldabstand"


@pytest.mark.parametrize("query", ["Eisenbahn", "xyz", "."])
async def test_nothing_like_it_is_nothing(query: str) -> None:
    assert await find(query) == []


def test_every_layer_speaks_five_languages() -> None:
    for layer in sample().layers.values():
        assert LANGUAGES == layer.title.keys() == layer.names.keys()
        assert all(zone.title.keys() == LANGUAGES for zone in layer.zones)


@pytest.mark.parametrize(
    "theme",
    [
        "Gewässerschutz",
        "den Wald",
        "Waldlayer",
        "forest",
        "la forêt",
        "protection des eaux",
        "ruído",
        "森林",
        "地下水保护区",
    ],
)
def test_themes_are_known_by_all_their_names(theme: str) -> None:
    assert LayerThemes().has(theme)
    assert all(LayerThemes().has_word(word) for word in theme.removesuffix("layer").split())
    assert theme < "一" or all(map(LayerThemes().has_word, theme)), "each sign is a word"


@pytest.mark.parametrize("theme", ["", "der", "Layer", "Bern", "Wald Lärm", "Gewaserschutz", "Wasser"])
def test_what_only_resembles_a_theme_is_none(theme: str) -> None:
    assert not LayerThemes().has(theme)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
async def test_label_and_legend_are_in_the_language_that_is_wanted(language: str) -> None:
    (found,) = await find("Wald", language)
    assert found.label == sample().layers["ch.so.wald"].title[language]
    assert found.source.legend == f"/api/geo/legend/ch.so.wald.svg?language={language}"
    (other,) = await find("Wald", "rm")
    assert (other.label, other.source.legend) == (
        "Forest and forest distance",
        "/api/geo/legend/ch.so.wald.svg?language=en",
    )
