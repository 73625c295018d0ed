"""What the map panel needs beside its actions: extracts to read, and the sample layers as tiles."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import Response

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.core.languages import Language
from workroom.geo.grid import LAST
from workroom.geo.oereb.egrids import LONGEST as LONGEST_EGRID
from workroom.geo.types import Extract, MapConfig

router = APIRouter(prefix="/api/geo", tags=["geo"])

SVG, PDF = "image/svg+xml", "application/pdf"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "private, max-age=86400",  # the sample changes with the product, not between two looks
}
Egrid = Annotated[str, Path(max_length=LONGEST_EGRID)]
LayerName = Annotated[str, Path(max_length=120)]
Index = Annotated[int, Path(ge=0, le=100_000)]


def _bytes(media_type: str) -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {media_type: {"schema": {"type": "string", "format": "binary"}}}}}


@router.get("/config")
async def get_map_config(principal: CurrentPrincipal, services: AppServices) -> MapConfig:
    """What the map is drawn on, whom it is from, and whether services answer or the sample."""
    return services.geo.config()


@router.get("/oereb/{egrid}")
async def get_oereb_extract(
    egrid: Egrid, principal: CurrentPrincipal, services: AppServices, language: Language = "de"
) -> Extract:
    """What the cadastre of public-law restrictions says of a parcel."""
    return await services.geo.required_extract(egrid, language)


@router.get("/oereb/{egrid}/extract.pdf", response_class=Response, responses=_bytes(PDF))
async def get_oereb_document(egrid: Egrid, principal: CurrentPrincipal, services: AppServices) -> Response:
    """The extract of a sample parcel as a document. Those of a cadastre are at its own address, which the extract names."""
    named = {"Content-Disposition": 'inline; filename="extract.pdf"'}
    return Response(await services.geo.document(egrid), headers=HEADERS | named, media_type=PDF)


@router.get("/tiles/{layer}/{TileMatrix}/{TileRow}/{TileCol}.svg", response_class=Response, responses=_bytes(SVG))
async def get_map_tile(
    layer: LayerName,
    TileMatrix: Annotated[int, Path(ge=0, le=LAST)],
    TileRow: Index,
    TileCol: Index,
    principal: CurrentPrincipal,
    services: AppServices,
) -> Response:
    """A tile of a sample layer, in the grid of the Swiss geoportal (EPSG:2056)."""
    drawn = services.geo.tile(layer, TileMatrix, TileRow, TileCol)
    return Response(drawn, headers=HEADERS, media_type=SVG)


@router.get("/legend/{layer}.svg", response_class=Response, responses=_bytes(SVG))
async def get_map_legend(
    layer: LayerName, principal: CurrentPrincipal, services: AppServices, language: Language = "de"
) -> Response:
    """What the colours of a sample layer mean."""
    return Response(services.geo.legend(layer, language), headers=HEADERS, media_type=SVG)
