"""The published schemas of the cadastre: what our doubles say is valid by them, and what real services say is understood."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from lxml import etree

from tests.geo import answers
from workroom.geo.oereb.response_parsing import parse_extract, parse_parcels
from workroom.geo.oereb.response_trees import parse_tree
from workroom.geo.types import Extract

ROOT = Path(os.environ.get("WORKROOM_TEST_DATA") or Path(__file__).parents[3] / "shared") / "contracts" / "oereb"
URL = "https://cadastre.example.org/extract"
# Geometry and signatures have schemas of their own, which are not here: anything goes where they would be used.
ANYTHING = """<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" targetNamespace="{space}" elementFormDefault="qualified">
{parts}</xsd:schema>"""
ANY_TYPE = """<xsd:complexType name="{name}"><xsd:sequence>
<xsd:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xsd:sequence></xsd:complexType>"""
SHAPES = ("CoordType", "PolylineType", "SurfaceType", "MultiSurfaceType")


@pytest.fixture(autouse=True)
def _contracts() -> None:
    if not ROOT.is_dir():
        missing = "No interface descriptions here: set WORKROOM_TEST_DATA to the folder that holds `contracts`."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)


@pytest.fixture
def schema(tmp_path: Path) -> etree.XMLSchema:
    """The schemas as published, beside stand-ins for the two they import from elsewhere."""
    shapes = "".join(ANY_TYPE.format(name=name) for name in SHAPES)
    geometry = ANYTHING.format(space="http://www.interlis.ch/geometry/1.0", parts=shapes)
    (tmp_path / "geometry.xsd").write_text(geometry)
    signature = ANYTHING.format(space="http://www.w3.org/2000/09/xmldsig#", parts='<xsd:element name="Signature"/>')
    (tmp_path / "signature.xsd").write_text(signature)
    for name in ("Extract.xsd", "ExtractData.xsd"):
        text = (ROOT / name).read_text(encoding="utf-8")
        text = text.replace("http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd", "signature.xsd")
        (tmp_path / name).write_text(text, encoding="utf-8")
    return etree.XMLSchema(etree.parse(str(tmp_path / "Extract.xsd")))


@pytest.mark.requirement("E7")
@pytest.mark.parametrize("said", [answers.EGRID_XML, answers.EXTRACT_XML], ids=["getegrid", "extract"])
def test_our_doubles_speak_the_published_xml(schema: etree.XMLSchema, said: bytes) -> None:
    schema.assertValid(etree.fromstring(said))


@pytest.mark.requirement("E7")
def test_our_doubles_speak_the_published_json() -> None:
    data = json.loads((ROOT / "extractdata.json").read_text(encoding="utf-8"))
    outer = (ROOT / "extract.json").read_text(encoding="utf-8").replace("extractdata.json/definitions", "#/definitions")
    together = {"$schema": data["$schema"], "definitions": data["definitions"] | json.loads(outer)["definitions"]}

    def valid(name: str, said: Any) -> None:
        jsonschema_rs.validate(together | {"$ref": f"#/definitions/{name}"}, said)

    valid("Extract", answers.EXTRACT)
    valid("GetExtractByIdResponse", json.loads(answers.EXTRACT_JSON)["GetExtractByIdResponse"])
    valid("GetEGRIDResponse", answers.EGRIDS)
    with pytest.raises(jsonschema_rs.ValidationError):
        valid("Extract", {**answers.EXTRACT, "ConcernedTheme": "none"})


@pytest.mark.requirement("E7")
def test_what_solothurn_answers_to_a_point() -> None:
    tree = parse_tree((ROOT / "so-egrid-xy.xml").read_bytes())
    found = parse_parcels(tree, (2638365.0, 1251421.0))
    assert [(parcel.egrid, parcel.name, parcel.confidence) for parcel in found] == [
        ("CH710605328767", "Liegenschaft 401", 0.9),
        ("CH580632068782", "Baurecht 514", 0.7),
        ("CH186032068919", "Bergwerk 402", 0.7),
    ]


@pytest.mark.parametrize(
    ("name", "egrid", "themes", "restrictions"),
    [
        ("so-CH580632068782.xml", "CH580632068782", (3, 26), 5),
        ("so-CH793281100623.xml", "CH793281100623", (1, 26), 1),
        ("sample-extract.json", "CH113928077734", (4, 24), 10),
    ],
)
def test_real_extracts(name: str, egrid: str, themes: tuple[int, int], restrictions: int) -> None:
    found = parse_extract(parse_tree((ROOT / name).read_bytes()), URL, "de")
    assert found.egrid == egrid
    assert (sum(theme.concerned is True for theme in found.themes), len(found.themes)) == themes
    assert len(found.restrictions) == restrictions
    assert found.coord is not None
    _complete(found)


def _complete(found: Extract) -> None:
    assert found.canton in ("SO", "BL")
    assert found.municipality
    assert found.number
    assert found.area
    for restriction in found.restrictions:
        assert restriction.theme.startswith("ch.")
        assert restriction.title
        assert restriction.legend
        assert restriction.law_status == "Rechtskräftig"
        assert restriction.documents
        assert all(document.title and document.kind for document in restriction.documents)
    assert all("<" not in text for text in json.dumps(found.model_dump(mode="json")).split())


def test_where_a_real_parcel_is() -> None:
    found = parse_extract(parse_tree((ROOT / "so-CH580632068782.xml").read_bytes()), URL, "de")
    assert found.coord == (2638385.0, 1251430.0), "the middle of its outline"
    drawn = parse_extract(parse_tree((ROOT / "sample-extract.json").read_bytes()), URL, "de")
    assert drawn.coord == (2608879.2, 1261849.8), "without an outline: the middle of its plan"
