"""The map service: geocoding, layer search, parcels at a point, and extracts from the cadastre.

With nothing set, everything is answered by what comes with the product, and nothing leaves the machine. A service that is
set answers instead of the sample, never mixed with it: a made-up parcel must not be taken for a real one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workroom.core.errors import InvalidInput, NotFound
from workroom.geo.coordinates import ParsedCoordinate, normalised
from workroom.geo.geoadmin import SETTING as SEARCH_SETTING
from workroom.geo.geoadmin import SearchServer
from workroom.geo.geocoding.embedded import EmbeddedGeocoder
from workroom.geo.geocoding.geoadmin import GeoAdminGeocoder
from workroom.geo.geocoding.ports import Geocoder
from workroom.geo.grid import Tile
from workroom.geo.layers import geoadmin
from workroom.geo.layers.embedded import EmbeddedLayers
from workroom.geo.layers.ports import LayerSearch
from workroom.geo.oereb.egrids import checked_egrid
from workroom.geo.oereb.embedded import EmbeddedOereb
from workroom.geo.oereb.live import SETTING as OEREB_SETTING
from workroom.geo.oereb.live import OerebServices
from workroom.geo.oereb.ports import Oereb
from workroom.geo.plain_text import plain_text
from workroom.geo.sample import tiles
from workroom.geo.sample.data import SampleLayer, sample
from workroom.geo.sample.document import pdf_of
from workroom.geo.service_client import ServiceClient
from workroom.geo.types import Extract, GeoPlace, MapConfig, MapLayer, Parcel
from workroom.settings import Settings

LONGEST_QUERY = 200
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?(?=/)")
OWN_DATA = "Places: GeoNames (CC BY 4.0)"
NO_LAYER = "There is no such sample layer here."
NO_PARCEL = (
    "The cadastre knows no parcel with this EGRID. Check the number, or look the parcel up by a point on the map."
)


class Geo:
    def __init__(
        self,
        geocoder: Geocoder,
        layers: LayerSearch,
        oereb: Oereb,
        clients: Sequence[ServiceClient] = (),
        *,
        base_map: str | None = None,
        tile_origins: Sequence[str] = (),
    ) -> None:
        """`tile_origins`: where pages load map tiles from, beside us."""
        self._geocoder = geocoder
        self._layers = layers
        self._oereb = oereb
        self._clients = clients
        self._base_map = base_map
        self.tile_origins = tuple(tile_origins)

    @classmethod
    def of(cls, settings: Settings) -> Geo:
        clients: list[ServiceClient] = []
        geocoder: Geocoder = EmbeddedGeocoder()
        layers: LayerSearch = EmbeddedLayers()
        oereb: Oereb = EmbeddedOereb()
        if settings.geo_search_url:
            clients.append(client := ServiceClient.open(SEARCH_SETTING, [settings.geo_search_url]))
            server = SearchServer(client, settings.geo_search_url)
            geocoder = GeoAdminGeocoder(server)
            layers = geoadmin.GeoAdminLayers(server, settings.map_wmts or geoadmin.GEOPORTAL)
        if settings.oereb_bases:
            clients.append(client := ServiceClient.open(OEREB_SETTING, settings.oereb_bases))
            oereb = OerebServices(client, settings.oereb_bases)
        base = geoadmin.base_map(settings.map_wmts) if settings.map_wmts else None
        tiles_from = settings.map_wmts or (geoadmin.GEOPORTAL if settings.geo_search_url else "")
        return cls(geocoder, layers, oereb, clients, base_map=base, tile_origins=origins(tiles_from))

    @property
    def search_is_live(self) -> bool:
        return not isinstance(self._geocoder, EmbeddedGeocoder)

    @property
    def oereb_is_live(self) -> bool:
        return not isinstance(self._oereb, EmbeddedOereb)

    async def geocode(self, query: str, language: str = "de") -> Sequence[GeoPlace]:
        return await self._geocoder.geocode(_checked(query), language)

    def coordinate(self, x: float, y: float) -> ParsedCoordinate:
        return normalised(x, y)

    async def layers(self, query: str, language: str | None = None) -> Sequence[MapLayer]:
        return await self._layers.search(_checked(query), language)

    async def parcels(self, x: float, y: float, language: str = "de") -> Sequence[Parcel]:
        return await self._oereb.parcels(normalised(x, y).coord, language)

    async def extract(self, egrid: str, language: str = "de") -> Extract | None:
        return await self._oereb.extract(checked_egrid(egrid), language)

    async def required_extract(self, egrid: str, language: str = "de") -> Extract:
        if (extract := await self.extract(egrid, language)) is None:
            raise NotFound(NO_PARCEL)
        return extract

    async def document(self, egrid: str) -> bytes:
        """The PDF of a sample parcel. A real one is fetched where it is published: it carries an office's signature."""
        if self.oereb_is_live:
            raise NotFound(
                "This document is at the service that keeps the cadastre: open the address that the extract names."
            )
        return pdf_of(await self.required_extract(egrid))

    def names(self, layer: str) -> Sequence[str]:
        """The names of a sample layer in all languages, beside its title; none for layers of a live service."""
        known = None if self.search_is_live else sample().layers.get(layer)
        return [name for names in known.names.values() for name in names] if known else []

    def tile(self, layer: str, matrix: int, row: int, col: int) -> str:
        return tiles.drawn(self._sample_layer(layer), Tile.of(matrix, row, col))

    def legend(self, layer: str, language: str) -> str:
        return tiles.legend(self._sample_layer(layer), language)

    def config(self) -> MapConfig:
        live = self.search_is_live or self._base_map is not None
        return MapConfig(
            wmts=self._base_map,
            attribution=geoadmin.ATTRIBUTION if live else OWN_DATA,
            live=self.search_is_live,
            oereb_live=self.oereb_is_live,
        )

    async def aclose(self) -> None:
        for client in self._clients:
            await client.aclose()

    def _sample_layer(self, name: str) -> SampleLayer:
        layer = None if self.search_is_live else sample().layers.get(name)
        if layer is None:
            raise NotFound(NO_LAYER)
        return layer


def origins(template: str) -> list[str]:
    """The origin of a tile template for the content security policy, free of characters that could extend the policy."""
    match = _ORIGIN.match(template)
    return [match[0]] if match else []


def _checked(query: str) -> str:
    """The query as plain text, also when markup is pasted; refused when it is empty or too long."""
    text = plain_text(query)
    if not text:
        raise InvalidInput("Say what to look for: an address, a place, or the name of a layer.", field="query")
    if len(text) > LONGEST_QUERY:
        raise InvalidInput(f"What is looked for has at most {LONGEST_QUERY} characters.", field="query")
    return text
