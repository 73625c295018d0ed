"""What is drawn and written of the sample: tiles that fit together, a document that opens, and everywhere that it is a sample."""

from __future__ import annotations

import math

import pytest
from lxml import etree

from workroom.core.errors import InvalidInput, NotFound
from workroom.geo.grid import CORNER, LAST, ORIGIN, PIXELS, RESOLUTIONS, Tile
from workroom.geo.oereb.egrids import checked_egrid
from workroom.geo.oereb.embedded import EmbeddedOereb
from workroom.geo.sample.data import sample
from workroom.geo.sample.document import BANNER, pdf_of
from workroom.geo.sample.tiles import drawn, legend

HOUSE = (2609767.1, 1228437.4)


def tile_at(matrix: int, east: float, north: float) -> Tile:
    side = RESOLUTIONS[matrix] * PIXELS
    return Tile.of(matrix, int((ORIGIN[1] - north) // side), int((east - ORIGIN[0]) // side))


def test_the_grid_is_the_geoportals() -> None:
    assert (RESOLUTIONS[0], RESOLUTIONS[14], RESOLUTIONS[17], RESOLUTIONS[27], RESOLUTIONS[LAST]) == (
        4000,
        650,
        100,
        0.25,
        0.1,
    )
    assert len(RESOLUTIONS) == 29
    tile = Tile.of(20, 100, 150)
    assert (tile.left, tile.top) == (ORIGIN[0] + 150 * 2560, ORIGIN[1] - 100 * 2560)


@pytest.mark.parametrize("matrix", range(LAST + 1))
def test_a_place_lies_on_its_tile(matrix: int) -> None:
    x, y = tile_at(matrix, *HOUSE).pixel(*HOUSE)
    assert 0 <= x < PIXELS
    assert 0 <= y < PIXELS


@pytest.mark.parametrize(
    ("matrix", "row", "col"), [(-1, 0, 0), (29, 0, 0), (0, 1, 0), (0, 0, 1), (20, -1, 0), (20, 125, 0)]
)
def test_tiles_that_do_not_exist(matrix: int, row: int, col: int) -> None:
    with pytest.raises(NotFound):
        Tile.of(matrix, row, col)


def test_the_last_tile_reaches_the_corner() -> None:
    side = RESOLUTIONS[20] * PIXELS
    rows, cols = math.ceil((ORIGIN[1] - CORNER[1]) / side), math.ceil((CORNER[0] - ORIGIN[0]) / side)
    Tile.of(20, rows - 1, cols - 1)
    with pytest.raises(NotFound):
        Tile.of(20, rows, cols - 1)


@pytest.mark.parametrize("name", sample().layers)
def test_every_layer_is_drawn_where_the_examples_lead(name: str) -> None:
    layer = sample().layers[name]
    root = etree.fromstring(drawn(layer, tile_at(24, *HOUSE)).encode())
    names = {etree.QName(each).localname for each in root.iter()}
    assert {"svg", "path", "text"} == names, "shapes, labelled as a sample, and nothing that runs"
    assert "Sample" in "".join(str(text) for text in root.itertext())
    assert (root.get("width"), root.get("height")) == ("256", "256")
    empty = etree.fromstring(drawn(layer, tile_at(24, 2_800_000, 1_100_000)).encode())
    assert len(empty) == 0
    assert layer.title["fr"] in "".join(str(text) for text in etree.fromstring(legend(layer, "fr").encode()).itertext())


def test_neighbouring_tiles_fit_together() -> None:
    """The same point of a shape lies at the right edge of one and at the left edge of the next."""
    here = tile_at(24, *HOUSE)
    beside = Tile.of(here.matrix, here.row, here.col + 1)
    x, y = here.pixel(*HOUSE)
    assert beside.pixel(*HOUSE) == pytest.approx((x - PIXELS, y))


@pytest.mark.requirement("E7")
async def test_the_parcels_of_the_examples() -> None:
    first, second = await EmbeddedOereb().parcels((2600513.0, 1215519.0))
    assert (first.id, first.egrid, first.label) == ("p1", "CH1234567891011", "EGRID CH1234567891011 – Parzelle A")
    assert (first.coord, first.confidence, first.sample) == ((2600513, 1215519), 0.91, True)
    assert (second.id, second.egrid, second.name) == ("p2", "CH1234567891012", "Parzelle B")
    assert (second.coord, second.confidence) == ((2600520, 1215525), 0.78)
    assert len(await EmbeddedOereb().parcels(HOUSE)) == 1
    assert await EmbeddedOereb().parcels((2700000.0, 1200000.0)) == []


@pytest.mark.parametrize("egrid", [parcel.egrid for parcel in sample().parcels])
async def test_every_sample_parcel_has_an_extract_and_a_document(egrid: str) -> None:
    found = await EmbeddedOereb().extract(egrid, "de")
    assert found is not None
    assert found.sample
    assert found.url == f"/api/geo/oereb/{egrid}/extract.pdf"
    concerned = {theme.code for theme in found.themes if theme.concerned}
    assert concerned == {restriction.theme for restriction in found.restrictions} != set()
    assert all(restriction.documents for restriction in found.restrictions)
    text = _text(pdf_of(found))
    assert BANNER in text
    assert egrid in text
    assert found.restrictions[0].legend in text


LANGUAGES = ("de", "en", "fr", "pt", "zh")


@pytest.mark.requirement("E7")
async def test_an_extract_speaks_five_languages() -> None:
    found = [await EmbeddedOereb().extract("CH1234567891013", language) for language in LANGUAGES]
    told = [one.model_dump() for one in found if one is not None]
    assert [one["restrictions"][0]["legend"] for one in told] == [
        "Kernzone",
        "Centre zone",
        "Zone centre",
        "Zona central",
        "中心区",
    ]
    for name in ("kind", "authority"):
        assert len({one[name] for one in told}) == 5, name
    for name in ("title", "lawStatus", "office", "documents"):
        assert len({str(one["restrictions"][0][name]) for one in told}) == 5, name
    assert len({one["themes"][0]["title"] for one in told}) == 5
    assert len({(one["egrid"], one["area"], one["restrictions"][0]["theme"]) for one in told}) == 1, "but says the same"
    unspoken = await EmbeddedOereb().extract("CH1234567891013", "rm")
    assert unspoken == found[1], "nobody wrote it in Romansh"


async def test_parcels_are_named_in_five_languages() -> None:
    named = [(await EmbeddedOereb().parcels(HOUSE, language))[0].name for language in LANGUAGES]
    assert named == ["Parzelle C", "Parcel C", "Parcelle C", "Parcela C", "地块 C"]


def test_everything_that_is_said_is_said_in_all_of_them() -> None:
    known = sample()
    said = [
        *known.themes.values(),
        *known.words.values(),
        *(document.title for several in known.documents.values() for document in several),
        *(parcel.name for parcel in known.parcels),
        *(restriction.legend for parcel in known.parcels for restriction in parcel.restrictions),
    ]
    assert all(set(text) == set(LANGUAGES) and all(text.values()) for text in said)


async def test_a_parcel_nobody_knows() -> None:
    assert await EmbeddedOereb().extract("CH999999999999", "de") is None


def test_an_egrid_as_it_is_copied() -> None:
    assert checked_egrid(" egrid: ch 5806 3206 8782 ") == "CH580632068782"
    for wrong in ("", "CH12", "580632068782", "CH58063206878X", "../etc", "CH580632068782; drop"):
        with pytest.raises(InvalidInput, match="twelve digits"):
            checked_egrid(wrong)


def _text(pdf: bytes) -> str:
    """Read with the library that reads people's documents: it is one."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        return "\n".join(document[page].get_textpage().get_text_range() for page in range(len(document)))
    finally:
        document.close()
