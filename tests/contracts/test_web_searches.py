"""What holds for every service that searches the web: scripted servers answer in the real formats."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from workroom.net import GuardedClient
from workroom.net.testing import ReceivedRequest, ScriptedInternet, ScriptedResponse, ScriptedSite
from workroom.websearch.errors import SearchFailed
from workroom.websearch.ports import WebSearch
from workroom.websearch.searxng import SearxngSearch
from workroom.websearch.tavily import TavilySearch
from workroom.websearch.testing import InMemoryWebSearch
from workroom.websearch.types import MOST_RESULTS, WebResult

JSON = {"Content-Type": "application/json"}
URL = "http://search.example"
PAGES = [
    WebResult(title="Opening hours", url="https://library.example/hours", excerpt="Open from nine.", date="2026-11-02"),
    WebResult(title="Hours of the bakery", url="http://bakery.example/", excerpt="Bread from six & later."),
]


def tavily_answer(pages: list[dict[str, Any]]) -> dict[str, Any]:
    results = [{**page, "score": 0.9, "raw_content": None} for page in pages]
    return {
        "query": "q",
        "follow_up_questions": None,
        "answer": None,
        "images": [],
        "results": results,
        "response_time": 1.1,
    }


def searxng_answer(pages: list[dict[str, Any]]) -> dict[str, Any]:
    named = [
        {
            "publishedDate": page.pop("published_date", None),
            **page,
            "engine": "brave",
            "engines": ["brave"],
            "category": "general",
        }
        for page in pages
    ]
    empty: dict[str, Any] = {
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [],
    }
    return {"query": "q", "number_of_results": 0, "results": named, **empty}


MAKERS: dict[str, Callable[[GuardedClient], WebSearch]] = {
    "tavily": lambda client: TavilySearch(client, URL, "tvly-secret"),
    "searxng": lambda client: SearxngSearch(client, f"{URL}/"),
}
ANSWERS = {"tavily": tavily_answer, "searxng": searxng_answer}


class Desk:
    def __init__(self, name: str, search: WebSearch, site: ScriptedSite) -> None:
        self.name, self.search, self.site = name, search, site

    def answers(self, pages: list[dict[str, Any]]) -> None:
        body = json.dumps(ANSWERS[self.name](pages)).encode()
        self.site.answers["/search"] = ScriptedResponse(body=body, headers=JSON)

    @property
    def received(self) -> ReceivedRequest:
        return self.site.received[-1]


@pytest.fixture(params=MAKERS)
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    internet = ScriptedInternet()
    site = await internet.site("search.example", "93.184.216.34")
    yield Desk(request.param, MAKERS[request.param](internet.client()), site)
    await internet.aclose()


def entry(title: Any, url: Any, content: Any, **more: Any) -> dict[str, Any]:
    return {"title": title, "url": url, "content": content, **more}


@pytest.mark.requirement("B9")
async def test_results_have_title_address_excerpt_and_date(desk: Desk) -> None:
    desk.answers(
        [
            entry("Opening <b>hours</b>", PAGES[0].url, "Open from\n nine.", published_date="2026-11-02"),
            entry("Hours of the bakery", "http://bakery.example", "Bread from six &amp; later."),
        ]
    )
    assert list(await desk.search.search("opening hours")) == PAGES


async def test_the_fake_behaves_alike() -> None:
    fake = InMemoryWebSearch(PAGES)
    assert list(await fake.search("hours")) == PAGES
    assert list(await fake.search("hours", "bakery.example")) == [PAGES[1]]
    assert not await fake.search("weather")


@pytest.mark.parametrize("site", [None, "library.example"])
async def test_a_question_may_be_about_one_website(desk: Desk, site: str | None) -> None:
    desk.answers([])
    assert not await desk.search.search("hours & days", site)
    if desk.name == "tavily":
        sent = json.loads(desk.received.body)
        assert (desk.received.method, desk.received.headers["authorization"]) == ("POST", "Bearer tvly-secret")
        assert (sent["query"], sent.get("include_domains")) == ("hours & days", [site] if site else None)
    else:
        asked = "q=hours+%26+days" + ("+site%3Alibrary.example" if site else "")
        assert desk.received.target == f"/search?{asked}&format=json"


@pytest.mark.requirement("B6")
async def test_what_is_no_page_is_left_out(desk: Desk) -> None:
    """S13: an address becomes a link that people click."""
    wrong = [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://x.example/",
        "https://u:p@x.example/",
        "",
        None,
        7,
        "x" * 9_000,
    ]
    desk.answers(
        [*(entry("x", url, "x") for url in wrong), entry(None, PAGES[0].url, None), entry("again", PAGES[0].url, "")]
    )
    assert [(result.title, result.url) for result in await desk.search.search("x")] == [(PAGES[0].url, PAGES[0].url)]


async def test_no_more_than_is_kept_and_long_texts_are_cut(desk: Desk) -> None:
    """S15."""
    desk.answers([entry("t" * 5_000, f"https://x.example/{n}", "word " * 5_000) for n in range(40)])
    found = await desk.search.search("x")
    assert len(found) == MOST_RESULTS
    assert max(len(result.title) + len(result.excerpt) for result in found) < 2_000


@pytest.mark.parametrize(
    ("answer", "code", "again"),
    [
        (ScriptedResponse(429), "searchBusy", True),
        (ScriptedResponse(500), "searchUnavailable", True),
        (ScriptedResponse(503, body=b"<html>"), "searchUnavailable", True),
        (ScriptedResponse(401, body=b'{"detail": {"error": "Unauthorized"}}'), "searchKeyRefused", False),
        (ScriptedResponse(body=b"<!doctype html><title>Search</title>"), "searchNoJson", True),
        (ScriptedResponse(body=b'{"results": "none"}', headers=JSON), "searchNoJson", False),
        (ScriptedResponse(body=b"[]", headers=JSON), "searchNoJson", False),
        (ScriptedResponse(404), "searchNoJson", False),
        (ScriptedResponse(raw=b"not http at all"), "searchNoJson", True),
        (ScriptedResponse.redirect("http://127.0.0.1/"), "searchNoJson", False),
    ],
)
async def test_failures_say_what_to_do(desk: Desk, answer: ScriptedResponse, code: str, again: bool) -> None:
    desk.site.answers["/search"] = answer
    with pytest.raises(SearchFailed) as caught:
        await desk.search.search("x")
    assert caught.value.code == code
    assert caught.value.again is again or code == "searchNoJson"
    assert "tvly-secret" not in caught.value.message


async def test_an_instance_that_does_not_allow_json_says_so(desk: Desk) -> None:
    desk.site.answers["/search"] = ScriptedResponse(403)
    with pytest.raises(SearchFailed) as caught:
        await desk.search.search("x")
    assert caught.value.code == ("searchNoJson" if desk.name == "searxng" else "searchKeyRefused")
