"""Cadastres of cantons: XML and JSON say the same, 204 is nothing, and what is broken or hostile is a sentence."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.geo import answers
from tests.geo.answers import EGRID, POINT
from tests.geo.conftest import CADASTRE
from workroom.geo.errors import GeoServiceFailed
from workroom.geo.json_response import MOST_NODES
from workroom.geo.oereb import live
from workroom.geo.oereb.live import OerebServices
from workroom.geo.service_client import MOST_BYTES, ServiceClient
from workroom.net.testing import ScriptedInternet, ScriptedResponse, ScriptedSite

OTHER = "http://other.example.org/oereb"
EGRID_AT, EXTRACT_AT = "/oereb/getegrid/{}/", "/oereb/extract/{}/"


@pytest.fixture
def cadastre(client: ServiceClient, cadastre_site: ScriptedSite) -> OerebServices:
    return OerebServices(client, [CADASTRE])


def speaks(site: ScriptedSite, form: str) -> None:
    """It has the one form, and refuses the other."""
    both = {"xml": (answers.EGRID_XML, answers.EXTRACT_XML), "json": (answers.EGRID_JSON, answers.EXTRACT_JSON)}
    for name, (egrids, extract) in both.items():
        site.answers[EGRID_AT.format(name)] = ScriptedResponse(body=egrids) if name == form else ScriptedResponse(400)
        site.answers[EXTRACT_AT.format(name)] = (
            ScriptedResponse(body=extract) if name == form else ScriptedResponse(400)
        )


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


@pytest.mark.requirement("E7")
async def test_names_are_in_the_language_of_the_person_and_parcels_are_asked_for_once(
    cadastre: OerebServices, cadastre_site: ScriptedSite
) -> None:
    speaks(cadastre_site, "xml")
    named = [(await cadastre.parcels(POINT, language))[0].name for language in ("de", "fr", "zh")]
    assert named == ["Liegenschaft 514", "Bien-fonds 514", "Liegenschaft 514"], "in German where it has no other"
    assert len(cadastre_site.received) == 1, "the answer has them all"
    for language in ("de", "fr", "pt", "zh", "fr"):
        await cadastre.extract(EGRID, language)
    asked = [request.target.rpartition("LANG=")[2] for request in cadastre_site.received[1:]]
    assert asked == ["de", "fr", "en"], "once in each language it may have"


@pytest.mark.parametrize("answer", [ScriptedResponse(204), ScriptedResponse(200, b"  ")], ids=["204", "empty"])
async def test_nothing_there(cadastre: OerebServices, cadastre_site: ScriptedSite, answer: ScriptedResponse) -> None:
    cadastre_site.answers["*"] = answer
    assert await cadastre.parcels(POINT) == []
    assert await cadastre.extract(EGRID, "de") is None


BOMB = b'<!DOCTYPE a [<!ENTITY b "xxxxxxxxxx">]><GetEGRIDResponse>&b;</GetEGRIDResponse>'
FILE = b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><GetEGRIDResponse><egrid>&b;</egrid></GetEGRIDResponse>'


@pytest.mark.parametrize(
    ("answer", "words", "again"),
    [
        (ScriptedResponse(500), "cannot at the moment", True),
        (ScriptedResponse(503), "cannot at the moment", True),
        (ScriptedResponse(404), "WORKROOM_OEREB_URL", False),
        (ScriptedResponse(403), "WORKROOM_OEREB_URL", False),
        (ScriptedResponse(body=b"<html><body>maintenance"), "cannot be read", True),
        (ScriptedResponse(body=b"{"), "cannot be read", True),
        (ScriptedResponse(body=b"5"), "cannot be read", True),
        (ScriptedResponse(body=b"[" * 100_000), "cannot be read", True),
        (ScriptedResponse(body=b"<a>" * 5_000 + b"</a>" * 5_000), "cannot be read", True),
        (ScriptedResponse(body=b"[" + b"{}," * MOST_NODES + b"{}]"), "cannot be read", True),
        (ScriptedResponse(body=BOMB), "cannot be read", True),
        (ScriptedResponse(body=FILE), "cannot be read", True),
        (ScriptedResponse(body=b"\x00\xff\xfe"), "cannot be read", True),
    ],
    ids=[
        "500",
        "503",
        "404",
        "403",
        "HTML",
        "half",
        "number",
        "deep JSON",
        "deep XML",
        "many",
        "bomb",
        "file",
        "bytes",
    ],
)
async def test_a_cadastre_that_fails_is_a_sentence(
    cadastre: OerebServices, cadastre_site: ScriptedSite, answer: ScriptedResponse, words: str, again: bool
) -> None:
    cadastre_site.answers["*"] = answer
    for asked in (cadastre.parcels(POINT), cadastre.extract(EGRID, "de")):
        with pytest.raises(GeoServiceFailed, match=words) as caught:
            await asked
        assert caught.value.again is again
        assert "root:" not in caught.value.message


async def test_a_huge_answer_is_not_read(cadastre: OerebServices, cadastre_site: ScriptedSite) -> None:
    """An extract may be twice as large as a list of parcels."""
    for name, body in ((EGRID_AT, answers.EGRID_XML), (EXTRACT_AT, answers.EXTRACT_XML)):
        cadastre_site.answers[name.format("xml")] = ScriptedResponse(body=body + b" " * MOST_BYTES)
    assert await cadastre.extract(EGRID, "de") is not None
    with pytest.raises(GeoServiceFailed, match="does not answer"):
        await cadastre.parcels(POINT)
    cadastre_site.answers["*"] = ScriptedResponse(body=answers.EXTRACT_XML + b" " * (2 * MOST_BYTES))
    cadastre_site.answers.pop(EXTRACT_AT.format("xml"))
    with pytest.raises(GeoServiceFailed, match="does not answer"):
        await cadastre.extract(EGRID, "de")


async def test_answers_are_read_beside_everything_else(
    cadastre: OerebServices, cadastre_site: ScriptedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[threading.Thread] = []

    def noted(reads: Callable[..., Any]) -> Callable[..., Any]:
        def read(*asked: Any) -> Any:
            readers.append(threading.current_thread())
            return reads(*asked)

        return read

    for name in ("parse_tree", "parse_parcels", "parse_extract"):
        monkeypatch.setattr(live, name, noted(getattr(live, name)))
    speaks(cadastre_site, "xml")
    await cadastre.parcels(POINT)
    await cadastre.extract(EGRID, "de")
    assert len(readers) == 4
    assert threading.main_thread() not in readers


BIG = 10**400


@pytest.mark.parametrize(
    "odd",
    [
        {"LandRegistryArea": BIG},
        {"Limit": {"coordinates": [[[[BIG, 1], [2, BIG], [3, 3]]]]}},
        {"PlanForLandRegister": {"min": [BIG, 1], "max": [1, 1]}},
        {"Number": "\ud800", "MunicipalityName": "\udfff", "Canton": ["SO"], "EGRID": "\ud800"},
        {"EGRID": "CH5806320687821"},
        {"EGRID": "<b>another parcel</b>"},
        {"Type": {"Text": [{"Language": ["de"], "Text": "a"}, {"Language": {}, "Text": 5}]}},
        {"RestrictionOnLandownership": [{"AreaShare": BIG, "PartInPercent": -BIG, "Theme": {"Code": {"a": []}}}]},
    ],
    ids=["area", "outline", "plan", "surrogates", "long EGRID", "no EGRID", "languages", "restriction"],
)
async def test_values_that_cannot_be_are_left_out(
    cadastre: OerebServices, cadastre_site: ScriptedSite, odd: dict[str, Any]
) -> None:
    cadastre_site.answers["*"] = ScriptedResponse(body=json.dumps({"extract": {"RealEstate": odd}}).encode())
    found = await cadastre.extract(EGRID, "de")
    assert found is not None
    assert found.egrid == EGRID, "the one that was asked for"
    assert (found.number, found.area, found.coord, found.municipality, found.canton, found.kind) == (None,) * 6
    assert all((each.area_share, each.percent, each.theme) == (None, None, "") for each in found.restrictions)
    assert found.model_dump_json(), "it can be sent"


async def test_a_link_is_whole_characters(cadastre: OerebServices, cadastre_site: ScriptedSite) -> None:
    papers = [answers.provision("Law", f"https://law.example.org/{end}") for end in ("\ud800", "\u202efdp", "x")]
    estate = {"RestrictionOnLandownership": [{"LegalProvisions": papers}]}
    cadastre_site.answers["*"] = ScriptedResponse(body=json.dumps({"extract": {"RealEstate": estate}}).encode())
    found = await cadastre.extract(EGRID, "de")
    assert found is not None
    assert [each.url for each in found.restrictions[0].documents] == [None, None, "https://law.example.org/x"]


async def test_only_what_is_an_egrid_is_passed_on(cadastre: OerebServices, cadastre_site: ScriptedSite) -> None:
    said = [
        *("", "CH58063206878", "CH5806320687821", "CH58063206878x", "DE580632068782", "\ud800", "../../extract"),
        *(5, None, ["CH580632068782"], "ch 5806 3206 8782"),
    ]
    odd = {"egrid": "CH710605328767", "type": {"Code": ["RealEstate"]}, "limit": {"coordinates": [[[[BIG, 1]] * 3]]}}
    listed = [*({"egrid": each, "number": "1"} for each in said), odd]
    cadastre_site.answers["*"] = ScriptedResponse(body=json.dumps(listed).encode())
    found = await cadastre.parcels(POINT)
    assert [(parcel.egrid, parcel.coord) for parcel in found] == [(EGRID, POINT), ("CH710605328767", POINT)]


async def test_an_extract_with_gaps_is_shown_with_gaps(cadastre: OerebServices, cadastre_site: ScriptedSite) -> None:
    bare = {"extract": {"RealEstate": {"RestrictionOnLandownership": [{}, 5], "Limit": {"coordinates": [[["x"]]]}}}}
    cadastre_site.answers["*"] = ScriptedResponse(body=json.dumps(bare).encode())
    found = await cadastre.extract(EGRID, "de")
    assert found is not None
    assert (found.egrid, found.coord, found.municipality, found.themes) == (EGRID, None, None, [])
    assert len(found.restrictions) == 1


async def test_a_parcel_that_several_have_is_one(
    internet: ScriptedInternet, client: ServiceClient, cadastre_site: ScriptedSite
) -> None:
    other = await internet.site("other.example.org", "93.184.216.36")
    twice = ScriptedResponse(body=json.dumps({"GetEGRIDResponse": [*answers.EGRIDS, *answers.EGRIDS]}).encode())
    other.answers["*"] = cadastre_site.answers["*"] = twice
    both = OerebServices(client, [OTHER, CADASTRE])
    found = await both.parcels(POINT)
    assert [(parcel.id, parcel.egrid) for parcel in found] == [(EGRID, EGRID), ("CH710605328767",) * 2]
    other.answers["*"] = cadastre_site.answers["*"] = ScriptedResponse(body=answers.EXTRACT_JSON)
    extract = await both.extract(EGRID, "de")
    assert extract is not None
    assert extract.url.startswith(OTHER), "who was named first has it"


async def test_each_canton_is_asked_and_the_one_that_has_it_answers(
    internet: ScriptedInternet, client: ServiceClient, cadastre_site: ScriptedSite
) -> None:
    other = await internet.site("other.example.org", "93.184.216.36")
    other.answers["*"] = ScriptedResponse(204)
    speaks(cadastre_site, "xml")
    both = OerebServices(client, [OTHER, CADASTRE])
    assert [parcel.egrid for parcel in await both.parcels(POINT)] == [EGRID, "CH710605328767"]
    assert len(other.received) == 1
    found = await both.extract(EGRID, "de")
    assert found is not None
    assert found.url.startswith(CADASTRE)
    assert len(other.received) == 1, "who named the parcel is asked first"
    other.answers["*"] = ScriptedResponse(500)
    assert await both.parcels((2638385.0, 1251431.0)), "one that is away does not matter where another one answers"
    cadastre_site.answers["*"] = ScriptedResponse(204)
    cadastre_site.answers.pop(EGRID_AT.format("xml"))
    with pytest.raises(GeoServiceFailed):
        await both.parcels((2638385.0, 1251432.0))
