"""Web search: which service searches the web for agents here, and whether it answers."""

from __future__ import annotations

from decimal import Decimal

from fastapi import APIRouter
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.core.money import CHF
from workroom.core.wire import Wire
from workroom.websearch.administration import DEAREST, SearchInput
from workroom.websearch.types import DEFAULT_PRICES, SearchProvider, SearchSettings, WebResult

router = APIRouter(prefix="/api/web-search", tags=["webSearch"])
SHOWN = 3


class SearchService(Wire):
    """`environment`: it comes from the settings of the process; what is put here stands in its place. `readable` false: the key
    must be entered again. Address and end of the key are for those who may change them."""

    provider: SearchProvider
    base_url: str | None
    private: bool
    price_chf: CHF = Field(alias="priceCHF")
    has_key: bool
    key_hint: str
    environment: bool
    readable: bool

    @classmethod
    def of(cls, settings: SearchSettings) -> SearchService:
        return cls(**vars(settings))


class WebSearchView(Wire):
    """`service` null: none is set up, and agents do not have the tool webSearch."""

    service: SearchService | None
    usual_prices: dict[SearchProvider, CHF]


class WebSearchInput(Wire):
    """`baseUrl` is for SearXNG, `key` for Tavily; without one the stored key stays. `allowPrivate` confirms an address inside
    your own network. `priceCHF` is per search."""

    provider: SearchProvider
    base_url: str | None = Field(None, max_length=2_000)
    allow_private: bool = False
    price_chf: Decimal = Field(alias="priceCHF", ge=0, le=DEAREST)
    key: str | None = Field(None, max_length=4_000, repr=False)


class SearchTestView(Wire):
    """How many results came, and the first of them."""

    count: int
    results: list[WebResult]
    milliseconds: int


@router.get("")
async def get_web_search(principal: CurrentPrincipal, services: AppServices) -> WebSearchView:
    """What is asked now."""
    found = await services.search_administration.get(principal)
    return _view(found)


@router.put("")
async def put_web_search(body: WebSearchInput, principal: CurrentPrincipal, services: AppServices) -> WebSearchView:
    """Replaces what was set up before."""
    return _view(await services.search_administration.put(principal, SearchInput(**dict(body))))


@router.delete("", status_code=204)
async def remove_web_search(principal: CurrentPrincipal, services: AppServices) -> None:
    """What the environment names is asked again, if it names any."""
    await services.search_administration.remove(principal)


@router.post("/test")
async def test_web_search(principal: CurrentPrincipal, services: AppServices) -> SearchTestView:
    """Asks once. Costs what one search costs."""
    tested = await services.search_administration.test(principal)
    return SearchTestView(
        count=len(tested.results), results=list(tested.results[:SHOWN]), milliseconds=tested.milliseconds
    )


def _view(settings: SearchSettings | None) -> WebSearchView:
    return WebSearchView(
        service=None if settings is None else SearchService.of(settings), usual_prices=dict(DEFAULT_PRICES)
    )
