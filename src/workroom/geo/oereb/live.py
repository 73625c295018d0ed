"""The ÖREB web services of the cantons (version 2.0). Each serves its own canton; all that are configured are asked.

`getegrid` and `extract`, as XML or, where a service does not have that, as JSON. 204 means that nothing is there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlencode

from workroom.core.map_actions import Coord
from workroom.geo.errors import GeoServiceFailed
from workroom.geo.json_response import Tree, UnreadableResponse
from workroom.geo.oereb.response_parsing import parse_extract, parse_parcels
from workroom.geo.oereb.response_trees import parse_tree
from workroom.geo.service_client import MOST_BYTES, NOTHING_THERE, ServiceClient, request_refused, response_unreadable
from workroom.geo.types import Extract, Parcel

SETTING = "WORKROOM_OEREB_URL"
FORMS = {"xml": "application/xml, text/xml", "json": "application/json"}
NOT_OFFERED = frozenset({400, 404, 406, 415})  # what services say to a form they do not have
SPOKEN = frozenset({"de", "fr", "it", "rm", "en"})
OTHERWISE = "en"
MOST_KNOWN = 1_000
MOST_OF = {"getegrid": MOST_BYTES, "extract": 2 * MOST_BYTES}  # an extract may bring its pictures with it


class OerebServices:
    def __init__(self, client: ServiceClient, bases: Sequence[str]) -> None:
        self._client = client
        self._bases = [base.rstrip("/") for base in bases]
        self._keepers: OrderedDict[str, str] = OrderedDict()  # EGRID → the service that has it

    async def parcels(self, coord: Coord, language: str = "de") -> Sequence[Parcel]:
        """Asks all services at once. The point lies in one canton; a parcel that several services know is listed once."""
        asking = (self._parcels_of(base, coord, language) for base in self._bases)
        answers = await asyncio.gather(*asking, return_exceptions=True)
        parcels: dict[str, Parcel] = {}
        for base, answer in zip(self._bases, answers, strict=True):
            for parcel in () if isinstance(answer, BaseException) else answer:
                if parcels.setdefault(parcel.egrid, parcel) is parcel:
                    self._keepers[parcel.egrid] = base
        while len(self._keepers) > MOST_KNOWN:
            self._keepers.popitem(last=False)
        if not parcels:
            _raise_first(answers)
        return sorted(parcels.values(), key=lambda parcel: -parcel.confidence)

    async def extract(self, egrid: str, language: str) -> Extract | None:
        """The service that named the parcel first; an EGRID does not tell its canton."""
        known = self._keepers.get(egrid)
        failure: GeoServiceFailed | None = None
        for base in sorted(self._bases, key=lambda base: base != known):
            try:
                if (extract := await self._extract_of(base, egrid, language)) is not None:
                    return extract
            except GeoServiceFailed as error:
                failure = failure or error
        if failure is not None:
            raise failure
        return None

    async def _parcels_of(self, base: str, coord: Coord, language: str) -> list[Parcel]:
        """The answer has the names in all languages of the canton: asked once, read in any."""
        tree = await self._tree(base, "getegrid", EN=f"{coord[0]:.3f},{coord[1]:.3f}")
        if tree is None:
            return []
        try:
            return await asyncio.to_thread(parse_parcels, tree, coord, _spoken(language))
        except UnreadableResponse:
            raise response_unreadable(base) from None

    async def _extract_of(self, base: str, egrid: str, language: str) -> Extract | None:
        spoken = _spoken(language)
        tree = await self._tree(base, "extract", EGRID=egrid, GEOMETRY="true", LANG=spoken)
        if tree is None:
            return None
        try:
            read = await asyncio.to_thread(parse_extract, tree, document(base, egrid), spoken)
        except UnreadableResponse:
            raise response_unreadable(base) from None
        return read if read.egrid else read.model_copy(update={"egrid": egrid})

    async def _tree(self, base: str, what: Literal["getegrid", "extract"], **parameters: str) -> Tree | None:
        status = 0
        for form, accept in FORMS.items():
            url = f"{base}/{what}/{form}/?{urlencode(parameters, safe=',')}"
            answer = await self._client.get(url, accept, most_bytes=MOST_OF[what])
            if answer.status == NOTHING_THERE or (answer.ok and not answer.body.strip()):
                return None
            if answer.ok:
                try:
                    return await asyncio.to_thread(parse_tree, answer.body)
                except UnreadableResponse:
                    raise response_unreadable(base) from None
            if answer.status not in NOT_OFFERED:
                raise request_refused(base, answer.status, SETTING)
            status = answer.status
        raise request_refused(base, status, SETTING)


def document(base: str, egrid: str) -> str:
    """The service's own address of the PDF, for a browser to open."""
    return f"{base}/extract/pdf/?{urlencode({'EGRID': egrid})}"


def _spoken(language: str) -> str:
    return language if language in SPOKEN else OTHERWISE


def _raise_first(answers: Sequence[object]) -> None:
    """No parcel was found and a service failed: then it is unknown whether one is there."""
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
