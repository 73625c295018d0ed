"""What goes wrong with a search, in words for users and administrators.

SearchFailed             502
├── code searchKeyRefused      the key is not good, or there is no credit left
├── code searchBusy            429
├── code searchUnavailable     5xx, or no answer at all
└── code searchNoJson          something answers, and not in the format of the service
NoWebSearch              409   nothing is set up
PrivateSearchForbidden   403   an address in the operator's network
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from workroom.core.errors import Conflict, OutgoingRefused, WorkroomError
from workroom.net.errors import InvalidResponse, OutgoingFailed
from workroom.net.responses import Response

KEY_REFUSED = (401, 402, 403, 432, 433)  # the last two: Tavily's, for a plan or a budget that is used up
BUSY = 429


class SearchFailed(WorkroomError):
    code = "searchUnavailable"
    status = 502

    def __init__(self, message: str, provider: str, *, code: str, again: bool = False, refused: bool = False) -> None:
        """`refused`: the service has not done it, so it costs nothing."""
        super().__init__(message, code=code, provider=provider)
        self.again = again
        self.refused = refused


class NoWebSearch(Conflict):
    code = "noWebSearch"

    def __init__(self) -> None:
        super().__init__("No web search is set up here. An administrator can do it in Settings → Web search.")


class PrivateSearchForbidden(WorkroomError):
    """An instance in the operator's own network, which organisations may not reach here."""

    code = "privateSearchForbidden"
    status = 403

    def __init__(self) -> None:
        super().__init__(
            "Servers in the own network of this installation are not open to organisations. Ask its operator to set"
            " WORKROOM_PRIVATE_ADDRESSES=true, or use an instance with a public address."
        )


@contextmanager
def as_search_failures(provider: str) -> Iterator[None]:
    """Failures of the client as those of the service."""
    try:
        yield
    except InvalidResponse:
        raise no_json(provider) from None
    except OutgoingRefused as refused:
        raise SearchFailed(refused.message, provider, code="searchUnavailable", refused=True) from None
    except OutgoingFailed as failed:
        raise SearchFailed(failed.message, provider, code="searchUnavailable", again=failed.again) from None


def require_answer(response: Response, provider: str) -> None:
    """Raises what the status means."""
    if response.status in KEY_REFUSED:
        raise SearchFailed(
            f"{provider} refuses the search (status {response.status}): the key is wrong, or its credit is used up. An"
            " administrator can correct it in Settings → Web search.",
            provider,
            code="searchKeyRefused",
            refused=True,
        )
    if response.status == BUSY:
        raise SearchFailed(
            f"{provider} takes no more searches at the moment. Try again later.",
            provider,
            code="searchBusy",
            again=True,
            refused=True,
        )
    if response.status >= 500:
        raise SearchFailed(
            f"{provider} has a problem of its own (status {response.status}). Try again later.",
            provider,
            code="searchUnavailable",
            again=True,
            refused=True,
        )
    if not response.ok:
        raise no_json(provider)


def no_json(provider: str) -> SearchFailed:
    return SearchFailed(
        f"What answers for {provider} does not send search results. Check the address; SearXNG sends them only when its"
        " settings allow the format json.",
        provider,
        code="searchNoJson",
    )
