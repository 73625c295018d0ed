"""Cadastres of cantons: XML and JSON say the same, 204 is nothing, and what is broken or hostile is a sentence."""

from __future__ import annotations

import json

import pytest

from tests.geo import answers
from tests.geo.answers import EGRID, POINT
from tests.geo.conftest import CADASTRE
from workroom.geo.errors import GeoServiceFailed
from workroom.geo.line import Line
from workroom.geo.oereb.live import OerebServices
from workroom.net.testing import Answer, ScriptedInternet, ScriptedSite

OTHER = "http://other.example.org/oereb"
EGRID_AT, EXTRACT_AT = "/oereb/getegrid/{}/", "/oereb/extract/{}/"


@pytest.fixture
def cadastre(line: Line, cadastre_site: ScriptedSite) -> OerebServices:
    return OerebServices(line, [CADASTRE])


def speaks(site: ScriptedSite, form: str) -> None:
    """It has the one form, and refuses the other."""
    both = {"xml": (answers.EGRID_XML, answers.EXTRACT_XML), "json": (answers.EGRID_JSON, answers.EXTRACT_JSON)}
    for name, (egrids, extract) in both.items():
        site.answers[EGRID_AT.format(name)] = Answer(body=egrids) if name == form else Answer(400)
        site.answers[EXTRACT_AT.format(name)] = Answer(body=extract) if name == form else Answer(400)


@pytest.mark.requirement("E7")
@pytest.mark.parametrize("form", ["xml", "json"])
async def test_parcels_at_a_point(cadastre: OerebServices, cadastre_site: ScriptedSite, form: str) -> None:
    speaks(cadastre_site, form)
    parcel, right = await cadastre.parcels((2638385.04, 1251430.0))
    assert (parcel.egrid, parcel.id, parcel.name, parcel.number) == (EGRID, EGRID, "Liegenschaft 514", "514")
    assert parcel.label == f"EGRID {EGRID} – Liegenschaft 514"
    assert parcel.coord == POINT, "where it says that it is"
    assert (right.name, right.coord) == ("Baurecht 401", (2638385.04, 1251430.0)), "where it was asked for"
    assert parcel.confidence > right.confidence
    assert not parcel.sample
    assert cadastre_site.received[0].target == "/oereb/getegrid/xml/?EN=2638385.040,1251430.000"


@pytest.mark.requirement("E7")
@pytest.mark.parametrize("form", ["xml", "json"])
async def test_an_extract(cadastre: OerebServices, cadastre_site: ScriptedSite, form: str) -> None:
    speaks(cadastre_site, form)
    found = await cadastre.extract(EGRID, "fr")
    assert found is not None
    assert (found.egrid, found.number, found.municipality, found.canton) == (EGRID, "514", "Rohr (SO)", "SO")
    assert (found.kind, found.area, found.coord, found.sample) == ("Bien-fonds", 600, POINT, False)
    assert found.url == f"{CADASTRE}/extract/pdf/?EGRID={EGRID}"
    assert [(theme.code, theme.concerned) for theme in found.themes] == [
        ("ch.Nutzungsplanung", True),
        ("ch.Grundwasserschutzzonen", False),
        ("ch.Planungszonen", None),
    ]
    (restriction,) = found.restrictions
    assert (restriction.theme, restriction.title) == ("ch.Nutzungsplanung", "Plans d’affectation")
    assert (restriction.legend, restriction.law_status) == ("Zone d’habitation W2", "En vigueur")
    assert (restriction.area_share, restriction.percent) == (120, 20)
    assert restriction.office == "Gemeinde Rohr", "words, not HTML"
    law, rules = restriction.documents
    assert (law.title, law.url) == ("Raumplanungsgesetz", "https://law.example.org/rpg?a=1&copy=2")
    assert (rules.title, rules.url) == ("Reglement", None), "what would run is no link"


@pytest.mark.parametrize("answer", [Answer(204), Answer(200, b"  ")], ids=["204", "empty"])
async def test_nothing_there(cadastre: OerebServices, cadastre_site: ScriptedSite, answer: Answer) -> None:
    cadastre_site.answers["*"] = answer
    assert await cadastre.parcels(POINT) == []
    assert await cadastre.extract(EGRID, "de") is None


BOMB = b'<!DOCTYPE a [<!ENTITY b "xxxxxxxxxx">]><GetEGRIDResponse>&b;</GetEGRIDResponse>'
FILE = b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><GetEGRIDResponse><egrid>&b;</egrid></GetEGRIDResponse>'


@pytest.mark.parametrize(
    ("answer", "words", "again"),
    [
        (Answer(500), "cannot at the moment", True),
        (Answer(503), "cannot at the moment", True),
        (Answer(404), "WORKROOM_OEREB_URL", False),
        (Answer(403), "WORKROOM_OEREB_URL", False),
        (Answer(body=b"<html><body>maintenance"), "cannot be read", True),
        (Answer(body=b"{"), "cannot be read", True),
        (Answer(body=b"5"), "cannot be read", True),
        (Answer(body=b"[" * 100_000), "cannot be read", True),
        (Answer(body=b"<a>" * 5_000 + b"</a>" * 5_000), "cannot be read", True),
        (Answer(body=BOMB), "cannot be read", True),
        (Answer(body=FILE), "cannot be read", True),
        (Answer(body=b"\x00\xff\xfe"), "cannot be read", True),
    ],
    ids=["500", "503", "404", "403", "HTML", "half", "number", "deep JSON", "deep XML", "bomb", "file", "bytes"],
)
async def test_a_cadastre_that_fails_is_a_sentence(
    cadastre: OerebServices, cadastre_site: ScriptedSite, answer: Answer, words: str, again: bool
) -> None:
    cadastre_site.answers["*"] = answer
    for asked in (cadastre.parcels(POINT), cadastre.extract(EGRID, "de")):
        with pytest.raises(GeoServiceFailed, match=words) as caught:
            await asked
        assert caught.value.again is again
        assert "root:" not in caught.value.message


async def test_a_huge_answer_is_not_read(internet: ScriptedInternet, cadastre_site: ScriptedSite) -> None:
    cadastre_site.answers["*"] = Answer(body=b"<a>" + b" " * 2_000_000 + b"</a>")
    cadastre = OerebServices(Line(internet.client(), most_bytes=1_000_000), [CADASTRE])
    with pytest.raises(GeoServiceFailed, match="does not answer"):
        await cadastre.extract(EGRID, "de")


async def test_an_extract_with_gaps_is_shown_with_gaps(cadastre: OerebServices, cadastre_site: ScriptedSite) -> None:
    bare = {"extract": {"RealEstate": {"RestrictionOnLandownership": [{}, 5], "Limit": {"coordinates": [[["x"]]]}}}}
    cadastre_site.answers["*"] = Answer(body=json.dumps(bare).encode())
    found = await cadastre.extract(EGRID, "de")
    assert found is not None
    assert (found.egrid, found.coord, found.municipality, found.themes) == (EGRID, None, None, [])
    assert len(found.restrictions) == 1


async def test_each_canton_is_asked_and_the_one_that_has_it_answers(
    internet: ScriptedInternet, line: Line, cadastre_site: ScriptedSite
) -> None:
    other = await internet.site("other.example.org", "93.184.216.36")
    other.answers["*"] = Answer(204)
    speaks(cadastre_site, "xml")
    both = OerebServices(line, [OTHER, CADASTRE])
    assert [parcel.egrid for parcel in await both.parcels(POINT)] == [EGRID, "CH710605328767"]
    assert len(other.received) == 1
    found = await both.extract(EGRID, "de")
    assert found is not None
    assert found.url.startswith(CADASTRE)
    assert len(other.received) == 1, "who named the parcel is asked first"
    other.answers["*"] = Answer(500)
    assert await both.parcels((2638385.0, 1251431.0)), "one that is away does not matter where another one answers"
    cadastre_site.answers["*"] = Answer(204)
    cadastre_site.answers.pop(EGRID_AT.format("xml"))
    with pytest.raises(GeoServiceFailed):
        await both.parcels((2638385.0, 1251432.0))
