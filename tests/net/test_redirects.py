"""Being sent on: where we still go, and what we still say there (S2, S19)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx2
import pytest

from workroom.net import GuardedClient, Origin, Response
from workroom.net.errors import AddressRefused, OutgoingFailed, RedirectRefused, TooManyRedirects, UrlRefused
from workroom.net.redirects import RedirectTrail
from workroom.net.testing import ScriptedInternet, ScriptedResponse, ScriptedSite

SECRETS = {
    "Authorization": "Bearer hunter2",
    "Cookie": "session=hunter2",
    "X-Api-Key": "hunter2",
    "Proxy-Authorization": "hunter2",
    "X-Custom": "hunter2",
}


async def ours(client: GuardedClient, url: str, method: str = "GET", content: bytes | None = None) -> int:
    answer = await client.request(method, url, headers=SECRETS, content=content, follow_redirects=True)
    return answer.status


async def librarys(client: GuardedClient, url: str, method: str = "GET", content: bytes | None = None) -> int:
    library = client.http_client()
    library.headers.update(SECRETS)
    library.cookies.set("jar", "hunter2")
    answer = await library.request(method, url, content=content, follow_redirects=True)
    return answer.status_code


Door = Callable[..., Awaitable[int]]
DOORS = pytest.mark.parametrize("door", [ours, librarys])


@pytest.fixture
async def first(internet: ScriptedInternet) -> ScriptedSite:
    return await internet.site("first.example", "93.184.216.34")


@pytest.fixture
async def second(internet: ScriptedInternet) -> ScriptedSite:
    return await internet.site("second.example", "93.184.216.35")


async def test_a_redirect_is_an_answer_unless_asked_otherwise(internet: ScriptedInternet, first: ScriptedSite) -> None:
    first.answers["/"] = ScriptedResponse(302, b"moved", {"Location": "http://127.0.0.1/"})
    answer = await internet.client().request("GET", "http://first.example/")
    assert isinstance(answer, Response)
    assert (answer.status, answer.headers["location"], answer.body) == (302, "http://127.0.0.1/", b"")
    assert (await internet.client().http_client().get("http://first.example/")).status_code == 302


@DOORS
async def test_the_own_origin_keeps_its_secrets(internet: ScriptedInternet, first: ScriptedSite, door: Door) -> None:
    first.answers |= {"/": ScriptedResponse.redirect("/next"), "/next": ScriptedResponse(204)}
    assert await door(internet.client(), "http://first.example/") == 204
    for name in ("authorization", "x-api-key", "x-custom"):
        assert "hunter2" in first.received[1].headers[name]


@DOORS
async def test_another_origin_gets_none(
    internet: ScriptedInternet, first: ScriptedSite, second: ScriptedSite, door: Door
) -> None:
    first.answers["/"] = ScriptedResponse.redirect("http://second.example/")
    second.answers |= {"/": ScriptedResponse.redirect("/on"), "/on": ScriptedResponse(204)}
    assert await door(internet.client(), "http://first.example/") == 204
    assert [request.target for request in second.received] == ["/", "/on"]
    for request in second.received:
        assert "hunter2" not in str(request.headers)
        assert request.headers["host"] == "second.example"
        assert request.headers["user-agent"].startswith("workroom/")


@DOORS
async def test_who_sends_us_away_and_back_gets_none_either(
    internet: ScriptedInternet, first: ScriptedSite, second: ScriptedSite, door: Door
) -> None:
    first.answers |= {"/": ScriptedResponse.redirect("http://second.example/"), "/back": ScriptedResponse(204)}
    second.answers["/"] = ScriptedResponse.redirect("http://first.example/back")
    assert await door(internet.client(), "http://first.example/") == 204
    assert "hunter2" in str(first.received[0].headers)
    assert "hunter2" not in str(first.received[1].headers)


async def test_a_library_that_signs_every_hop_does_not_sign_those_elsewhere(
    internet: ScriptedInternet, first: ScriptedSite, second: ScriptedSite
) -> None:
    async def sign(request: httpx2.Request) -> None:
        request.headers["X-Api-Key"] = "hunter2"

    library = internet.client().http_client()
    library.event_hooks["request"] = [sign]
    first.answers |= {"/": ScriptedResponse.redirect("http://second.example/"), "/back": ScriptedResponse(204)}
    second.answers |= {
        "/": ScriptedResponse.redirect("/on"),
        "/on": ScriptedResponse.redirect("http://first.example/back"),
    }
    answer = await library.get("http://first.example/", follow_redirects=True)
    assert (answer.status_code, len(second.received)) == (204, 2)
    assert first.received[0].headers["x-api-key"] == "hunter2"
    assert "hunter2" not in str([*second.received, first.received[1]])


@DOORS
async def test_another_port_is_another_origin(internet: ScriptedInternet, first: ScriptedSite, door: Door) -> None:
    other = await internet.site("first.example", "93.184.216.34", port=8080)
    first.answers["/"] = ScriptedResponse.redirect("http://first.example:8080/")
    other.answers["/"] = ScriptedResponse(204)
    assert await door(internet.client(), "http://first.example/") == 204
    assert "hunter2" not in str(other.received[0].headers)


@DOORS
@pytest.mark.parametrize(
    ("status", "method", "then", "keeps_body"),
    [
        (301, "POST", "GET", False),
        (302, "POST", "GET", False),
        (303, "POST", "GET", False),
        (303, "PUT", "GET", False),
        (301, "PUT", "PUT", True),
        (307, "POST", "POST", True),
        (308, "POST", "POST", True),
        (302, "HEAD", "HEAD", False),
    ],
)
async def test_methods_change_as_in_browsers(
    internet: ScriptedInternet,
    first: ScriptedSite,
    door: Door,
    status: int,
    method: str,
    then: str,
    keeps_body: bool,
) -> None:
    first.answers |= {"/": ScriptedResponse.redirect("/next", status), "/next": ScriptedResponse(200)}
    await door(internet.client(), "http://first.example/", method, None if method == "HEAD" else b"body")
    assert first.received[1].method == then
    assert first.received[1].body == (b"body" if keeps_body else b"")


@DOORS
@pytest.mark.parametrize("status", [307, 308])
async def test_content_is_not_carried_to_another_origin(
    internet: ScriptedInternet, first: ScriptedSite, second: ScriptedSite, door: Door, status: int
) -> None:
    """A refresh token travels in the body of a POST."""
    first.answers["/"] = ScriptedResponse.redirect("http://second.example/", status)
    with pytest.raises(RedirectRefused):
        await door(internet.client(), "http://first.example/", "POST", b"refresh_token=hunter2")
    assert second.received == []


@DOORS
async def test_a_public_site_does_not_lead_to_an_allowed_origin(
    internet: ScriptedInternet, first: ScriptedSite, door: Door
) -> None:
    local = await internet.site("ollama.internal", "10.0.0.7", port=11434)
    local.answers["*"] = ScriptedResponse(204)
    client = internet.client(allowed_private=frozenset({Origin.parse("http://ollama.internal:11434")}))
    first.answers["/"] = ScriptedResponse.redirect("http://ollama.internal:11434/api/delete")
    with pytest.raises(RedirectRefused, match="internal network"):
        await door(client, "http://first.example/")
    assert local.received == []
    assert await door(client, "http://ollama.internal:11434/") == 204


@DOORS
@pytest.mark.parametrize(
    "location",
    [
        "http://user:pw@second.example/",
        "ftp://second.example/",
        "file:///etc/passwd",
        "http://second.example\\@127.0.0.1/",
        "//user@second.example/",
        "http://exam%70le.example/",
        "javascript:alert(1)",
        "http://second.example:99999/",
    ],
)
async def test_every_hop_is_checked_like_the_first(
    internet: ScriptedInternet, first: ScriptedSite, second: ScriptedSite, door: Door, location: str
) -> None:
    first.answers["/"] = ScriptedResponse.redirect(location)
    with pytest.raises((UrlRefused, httpx2.InvalidURL)):
        await door(internet.client(), "http://first.example/")
    assert second.received == []
    assert len(first.received) == 1


async def test_too_many_hops(internet: ScriptedInternet, first: ScriptedSite) -> None:
    first.answers["*"] = ScriptedResponse.redirect("/again")
    client = internet.client()
    with pytest.raises(TooManyRedirects, match=r"http://first\.example redirects more than 2 times"):
        await client.request("GET", "http://first.example/", follow_redirects=True, max_redirects=2)
    assert len(first.received) == 3
    with pytest.raises(httpx2.TooManyRedirects):
        await client.http_client().get("http://first.example/", follow_redirects=True)


async def test_the_body_of_a_redirect_is_not_loaded(internet: ScriptedInternet, first: ScriptedSite) -> None:
    first.answers |= {"/": ScriptedResponse(302, bytes(1000), {"Location": "/next"}), "/next": ScriptedResponse(204)}
    answer = await internet.client().request("GET", "http://first.example/", follow_redirects=True, max_bytes=10)
    assert (answer.status, answer.url) == (204, "http://first.example/next")


async def test_streamed_content_cannot_be_sent_again(internet: ScriptedInternet, first: ScriptedSite) -> None:
    async def content() -> AsyncIterator[bytes]:
        yield b"once"

    first.answers["/"] = ScriptedResponse.redirect("/next", 307)
    with pytest.raises(OutgoingFailed, match="only once"):
        await internet.client().request(
            "PUT", "http://first.example/", headers={"Content-Length": "4"}, content=content(), follow_redirects=True
        )
    assert [request.body for request in first.received] == [b"once"]


def test_encryption_is_not_given_up_on_the_way() -> None:
    secure, plain = Origin.parse("https://first.example"), Origin.parse("http://first.example")
    with pytest.raises(RedirectRefused, match="without encryption"):
        RedirectTrail(secure).next(plain, has_body=False, allowed_private=frozenset())
    assert RedirectTrail(plain).next(secure, has_body=False, allowed_private=frozenset()) == RedirectTrail(
        secure, left_first_origin=True
    )


@DOORS
@pytest.mark.parametrize("target", ["http://127.0.0.1/", "http://169.254.169.254/latest/", "//[::1]/", "//localhost/"])
async def test_a_redirect_into_the_own_network(
    internet: ScriptedInternet, first: ScriptedSite, door: Door, target: str
) -> None:
    internet.resolver.answer("localhost", ["127.0.0.1"])
    first.answers["/"] = ScriptedResponse.redirect(target)
    with pytest.raises(AddressRefused):
        await door(internet.client(), "http://first.example/")
    assert internet.connector.opened == ["93.184.216.34"]
