"""The HTTP client of a map service: guarded, with a concurrency limit, a short-lived cache, and errors that name the service."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace

from workroom.core.errors import ConfigurationError, OutgoingRefused, WorkroomError
from workroom.geo.concurrency_limit import ConcurrencyLimit
from workroom.geo.errors import GeoServiceFailed
from workroom.net import GuardedClient, Origin, Response
from workroom.net.limits import DEFAULT_LIMITS
from workroom.net.urls import parse_url

SECONDS = 15.0
MOST_BYTES = 4 * 1024 * 1024  # enough for a list of results; callers that expect more pass `most_bytes`
REMEMBERED_SECONDS = 300.0
MOST_REMEMBERED = 64
MOST_REMEMBERED_BYTES = 512 * 1024  # a larger answer is fetched again rather than kept
LIMITS = replace(DEFAULT_LIMITS, connect_seconds=5.0, read_seconds=SECONDS, total_seconds=SECONDS, max_bytes=MOST_BYTES)
NOTHING_THERE = 204
BUSY = frozenset({408, 425, 429})


class ServiceClient:
    def __init__(
        self,
        client: GuardedClient,
        *,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._seconds = seconds
        self._clock = clock
        self._limits: dict[str, ConcurrencyLimit] = {}
        self._cache: OrderedDict[tuple[str, str], tuple[float, Response]] = OrderedDict()

    @classmethod
    def open(cls, setting: str, urls: Sequence[str]) -> ServiceClient:
        """Naming an address in the settings is how an operator allows it, also inside their own network."""
        return cls(GuardedClient(allowed_private=frozenset(_origin(setting, url) for url in urls), limits=LIMITS))

    async def get(self, url: str, accept: str, *, most_bytes: int = MOST_BYTES) -> Response:
        """The response: a good one, an empty one (204), or a client error, which the caller interprets. Else GeoServiceFailed."""
        key = (url, accept)
        if (known := self._cached(key)) is not None:
            return known
        origin = str(parse_url(url).origin)
        async with self._limits.setdefault(origin, ConcurrencyLimit(origin)).slot():
            if (known := self._cached(key)) is not None:
                return known  # another request has fetched it while this one waited
            answer = await self._request(url, origin, accept, most_bytes)
        if answer.ok:
            self._store(key, answer)
        return answer

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _request(self, url: str, origin: str, accept: str, most_bytes: int) -> Response:
        try:
            answer = await self._client.request(
                "GET",
                url,
                headers={"Accept": accept},
                timeout=self._seconds,
                max_bytes=most_bytes,
                follow_redirects=True,
                max_redirects=3,
            )
        except OutgoingRefused as error:
            raise GeoServiceFailed(f"The map service cannot be asked: {error.message}") from error
        except WorkroomError as error:
            raise GeoServiceFailed(f"The map service does not answer: {error.message}", again=error.again) from error
        if answer.status >= 500 or answer.status in BUSY:
            raise GeoServiceFailed(
                f"The map service at {origin} answers that it cannot at the moment ({answer.status}). Try again later.",
                again=True,
            )
        return answer

    def _cached(self, key: tuple[str, str]) -> Response | None:
        if key not in self._cache:
            return None
        until, answer = self._cache[key]
        if until < self._clock():
            del self._cache[key]
            return None
        self._cache.move_to_end(key)
        return answer

    def _store(self, key: tuple[str, str], answer: Response) -> None:
        if len(answer.body) > MOST_REMEMBERED_BYTES:
            return
        self._cache[key] = (self._clock() + REMEMBERED_SECONDS, answer)
        while len(self._cache) > MOST_REMEMBERED:
            self._cache.popitem(last=False)


def request_refused(url: str, status: int, setting: str) -> GeoServiceFailed:
    """The service rejects our request: the address in the settings is wrong, or another kind of service is there."""
    return GeoServiceFailed(
        f"The map service at {parse_url(url).origin} does not take this request ({status}). An administrator should check"
        f" {setting}."
    )


def response_unreadable(url: str) -> GeoServiceFailed:
    return GeoServiceFailed(
        f"The map service at {parse_url(url).origin} gave an answer that cannot be read. Try again later.", again=True
    )


def _origin(setting: str, url: str) -> Origin:
    try:
        return parse_url(url).origin
    except OutgoingRefused as error:
        raise ConfigurationError(f"{setting} is not usable: {error.message}") from None
