"""What the doubles of map services say. `test_contracts.py` holds those of a cadastre against the published schemas."""

from __future__ import annotations

import json
from typing import Any

from workroom.net.testing import ScriptedResponse

EGRID, POINT = "CH580632068782", (2638385.0, 1251430.0)
SPACES = (
    'xmlns:geo="http://www.interlis.ch/geometry/1.0" xmlns:data="http://schemas.geo.admin.ch/V_D/OeREB/2.0/ExtractData"'
    ' xmlns="http://schemas.geo.admin.ch/V_D/OeREB/2.0/Extract"'
)


def text(tag: str, value: str, french: str = "") -> str:
    more = f"<data:LocalisedText><data:Language>fr</data:Language><data:Text>{french}</data:Text></data:LocalisedText>"
    return (
        f"<data:{tag}><data:LocalisedText><data:Language>de</data:Language><data:Text>{value}</data:Text>"
        f"</data:LocalisedText>{more if french else ''}</data:{tag}>"
    )


def ring(*points: tuple[float, float]) -> str:
    coords = "".join(f"<geo:coord><geo:c1>{e}</geo:c1><geo:c2>{n}</geo:c2></geo:coord>" for e, n in points)
    return f"<geo:surface><geo:exterior><geo:polyline>{coords}</geo:polyline></geo:exterior></geo:surface>"


SQUARE = ((2638370.0, 1251420.0), (2638370.0, 1251440.0), (2638400.0, 1251440.0), (2638400.0, 1251420.0))
KIND = f"<data:Code>RealEstate</data:Code>{text('Text', 'Liegenschaft', 'Bien-fonds')}"
RIGHT = f"<data:Code>Distinct_and_permanent_rights.BuildingRight</data:Code>{text('Text', 'Baurecht')}"
EGRID_XML = f"""<?xml version="1.0" encoding="UTF-8"?>
<GetEGRIDResponse {SPACES}>
<egrid>CH710605328767</egrid><number>401</number><identDN>SO0200002498</identDN><type>{RIGHT}</type>
<egrid>{EGRID}</egrid><number>514</number><identDN>SO0200002498</identDN><type>{KIND}</type>
<limit>{ring(*SQUARE)}</limit>
</GetEGRIDResponse>""".encode()

STATUS = f"<data:Lawstatus><data:Code>inKraft</data:Code>{text('Text', 'Rechtskräftig', 'En vigueur')}</data:Lawstatus>"
OFFICE = f"{text('Name', 'Gemeinde &lt;b&gt;Rohr&lt;/b&gt;')}"
THEME = f"<data:Code>ch.Nutzungsplanung</data:Code>{text('Text', 'Nutzungsplanung', 'Plans d’affectation')}"
MAP = (
    "<data:min><geo:c1>2638366.0</geo:c1><geo:c2>1251418.0</geo:c2></data:min>"
    "<data:max><geo:c1>2638404.0</geo:c1><geo:c2>1251442.0</geo:c2></data:max>"
    "<data:layerIndex>0</data:layerIndex><data:layerOpacity>0.6</data:layerOpacity>"
)


def document(title: str, url: str) -> str:
    return (
        f"<data:LegalProvisions><data:Type><data:Code>Law</data:Code>{text('Text', 'Gesetz')}</data:Type>"
        f"{text('Title', title)}{text('TextAtWeb', url)}{STATUS}<data:Index>1</data:Index>"
        f"<data:ResponsibleOffice>{OFFICE}</data:ResponsibleOffice></data:LegalProvisions>"
    )


RESTRICTION = f"""<data:RestrictionOnLandownership>{text("LegendText", "Wohnzone W2", "Zone d’habitation W2")}
<data:Theme>{THEME}</data:Theme><data:TypeCode>1110</data:TypeCode>{STATUS}<data:AreaShare>120</data:AreaShare>
<data:PartInPercent>20.0</data:PartInPercent><data:SymbolRef>https://cadastre.example.org/s.png</data:SymbolRef>
<data:Geometry><data:Surface>{ring(*SQUARE)}</data:Surface>{STATUS}</data:Geometry><data:Map>{MAP}</data:Map>
{document("Raumplanungsgesetz", "https://law.example.org/rpg?a=1&amp;copy=2")}{document("Reglement", "javascript:alert(1)")}
<data:ResponsibleOffice>{OFFICE}</data:ResponsibleOffice></data:RestrictionOnLandownership>"""
EXTRACT_XML = f"""<?xml version="1.0" encoding="UTF-8"?>
<GetExtractByIdResponse {SPACES}><data:Extract><data:CreationDate>2026-11-01T10:00:00</data:CreationDate>
<data:ConcernedTheme>{THEME}</data:ConcernedTheme>
<data:NotConcernedTheme><data:Code>ch.Grundwasserschutzzonen</data:Code>
{text("Text", "Grundwasserschutz")}</data:NotConcernedTheme>
<data:ThemeWithoutData><data:Code>ch.Planungszonen</data:Code>{text("Text", "Planungszonen")}</data:ThemeWithoutData>
<data:LogoPLRCadastreRef>https://x.example.org/1</data:LogoPLRCadastreRef>
<data:FederalLogoRef>https://x.example.org/2</data:FederalLogoRef>
<data:CantonalLogoRef>https://x.example.org/3</data:CantonalLogoRef>
<data:MunicipalityLogoRef>https://x.example.org/4</data:MunicipalityLogoRef>
<data:ExtractIdentifier>1</data:ExtractIdentifier>
<data:RealEstate><data:Number>514</data:Number><data:IdentDN>SO0200002498</data:IdentDN><data:EGRID>{EGRID}</data:EGRID>
<data:Type>{KIND}</data:Type><data:Canton>SO</data:Canton><data:MunicipalityName>Rohr (SO)</data:MunicipalityName>
<data:MunicipalityCode>2498</data:MunicipalityCode>
<data:SubunitOfLandRegisterDesignation>Grundbuch</data:SubunitOfLandRegisterDesignation>
<data:LandRegistryArea>600</data:LandRegistryArea><data:Limit>{ring(*SQUARE)}</data:Limit>{RESTRICTION}
<data:PlanForLandRegister>{MAP}</data:PlanForLandRegister>
<data:PlanForLandRegisterMainPage>{MAP}</data:PlanForLandRegisterMainPage></data:RealEstate>
<data:PLRCadastreAuthority>{text("Name", "Amt für Geoinformation")}</data:PLRCadastreAuthority>
<data:UpdateDateOS>2026-10-01T00:00:00</data:UpdateDateOS></data:Extract></GetExtractByIdResponse>""".encode()


def said(german: str, french: str = "") -> list[dict[str, str]]:
    return [{"Language": "de", "Text": german}, *([{"Language": "fr", "Text": french}] if french else [])]


PLAN = {
    "min": {"type": "Point", "coordinates": [2638366.0, 1251418.0], "crs": "EPSG:2056"},
    "max": {"type": "Point", "coordinates": [2638404.0, 1251442.0], "crs": "EPSG:2056"},
    "layerIndex": 0,
    "layerOpacity": 0.6,
}
LAW = {"Code": "inKraft", "Text": said("Rechtskräftig", "En vigueur")}
NAMED_THEME = {"Code": "ch.Nutzungsplanung", "Text": said("Nutzungsplanung", "Plans d’affectation")}
MUNICIPALITY = {"Name": said("Gemeinde <b>Rohr</b>")}


def provision(title: str, url: str) -> dict[str, Any]:
    return {
        "Type": {"Code": "Law", "Text": said("Gesetz")},
        "Title": said(title),
        "TextAtWeb": said(url),
        "Lawstatus": LAW,
        "Index": 1,
        "ResponsibleOffice": MUNICIPALITY,
    }


EXTRACT: dict[str, Any] = {
    "CreationDate": "2026-11-01T10:00:00",
    "ConcernedTheme": [NAMED_THEME],
    "NotConcernedTheme": [{"Code": "ch.Grundwasserschutzzonen", "Text": said("Grundwasserschutz")}],
    "ThemeWithoutData": [{"Code": "ch.Planungszonen", "Text": said("Planungszonen")}],
    "LogoPLRCadastreRef": "https://x.example.org/1",
    "FederalLogoRef": "https://x.example.org/2",
    "CantonalLogoRef": "https://x.example.org/3",
    "MunicipalityLogoRef": "https://x.example.org/4",
    "ExtractIdentifier": "1",
    "RealEstate": {
        "Number": "514",
        "IdentDN": "SO0200002498",
        "EGRID": EGRID,
        "Type": {"Code": "Liegenschaft", "Text": said("Liegenschaft", "Bien-fonds")},
        "Canton": "SO",
        "MunicipalityName": "Rohr (SO)",
        "MunicipalityCode": 2498,
        "SubunitOfLandRegisterDesignation": "Grundbuch",
        "LandRegistryArea": 600,
        "Limit": {"type": "MultiPolygon", "coordinates": [[[*map(list, SQUARE)]]], "crs": "EPSG:2056"},
        "RestrictionOnLandownership": [
            {
                "LegendText": said("Wohnzone W2", "Zone d’habitation W2"),
                "Theme": NAMED_THEME,
                "TypeCode": "1110",
                "Lawstatus": LAW,
                "AreaShare": 120,
                "PartInPercent": 20.0,
                "SymbolRef": "https://cadastre.example.org/s.png",
                "Geometry": [{"Lawstatus": LAW}],
                "Map": PLAN,
                "LegalProvisions": [
                    provision("Raumplanungsgesetz", "https://law.example.org/rpg?a=1&copy=2"),
                    provision("Reglement", "javascript:alert(1)"),
                ],
                "ResponsibleOffice": MUNICIPALITY,
            }
        ],
        "PlanForLandRegister": PLAN,
        "PlanForLandRegisterMainPage": PLAN,
    },
    "PLRCadastreAuthority": {"Name": said("Amt für Geoinformation")},
    "UpdateDateOS": "2026-10-01T00:00:00",
}
EXTRACT_JSON = json.dumps({"GetExtractByIdResponse": {"extract": EXTRACT}}).encode()
EGRIDS: list[dict[str, Any]] = [
    {"egrid": "CH710605328767", "number": "401", "identDN": "SO0200002498",
     "type": {"Code": "SelbstRecht.Baurecht", "Text": said("Baurecht")}},
    {"egrid": EGRID, "number": "514", "identDN": "SO0200002498",
     "type": {"Code": "Liegenschaft", "Text": said("Liegenschaft")},
     "limit": {"type": "MultiPolygon", "coordinates": [[[*map(list, SQUARE)]]]}},
]  # fmt: skip
EGRID_JSON = json.dumps({"GetEGRIDResponse": EGRIDS}).encode()


def location(label: str, east: float, north: float, *, origin: str = "address", number: int = 1) -> dict[str, Any]:
    """A result of the SearchServer: `y` is the easting, `x` the northing."""
    attrs = {"label": label, "detail": label.lower(), "y": east, "x": north, "lat": 47.2, "lon": 7.5, "origin": origin}
    return {"id": number, "weight": 1, "attrs": attrs | {"featureId": f"f{number}"}}


def layer(name: str, title: str) -> dict[str, Any]:
    return {
        "id": 9,
        "attrs": {"layer": name, "label": f"<b>{title}</b>", "title": title, "origin": "layer", "lang": "de"},
    }


def results(*found: dict[str, Any]) -> ScriptedResponse:
    return ScriptedResponse(
        body=json.dumps({"results": list(found)}).encode(), headers={"Content-Type": "application/json"}
    )
