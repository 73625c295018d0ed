"""The frame every request passes: hosts, origins, headers, sizes, errors, pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from tests.world import World
from workroom.api import openapi, schemas
from workroom.api.auth import link_command
from workroom.api.events import event_stream
from workroom.api.frame.headers import SecurityHeaders
from workroom.api.frame.site import Site
from workroom.settings import Settings

LOCAL = Site.of(Settings(), 8420)
PUBLIC = Site.of(Settings(host="0.0.0.0", login="password", public_url="https://work.example.org"), 8420)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8420", "localhost:9999", "[::1]:8420", "localhost", "LOCALHOST:1", "localhost.:1"]
)
def test_local_names_are_answered(host: str) -> None:
    assert LOCAL.accepts_host(host)


@pytest.mark.parametrize(
    "host", ["", "evil.example", "127.0.0.1.evil.example", "192.168.1.5", "localhost@evil", "[::1", "a b"]
)
def test_foreign_names_are_not(host: str) -> None:
    assert not LOCAL.accepts_host(host)


def test_a_public_server_answers_to_its_name_and_to_addresses_but_not_to_other_names() -> None:
    assert PUBLIC.accepts_host("work.example.org")
    assert PUBLIC.accepts_host("192.168.1.5:8420")
    assert not PUBLIC.accepts_host("rebound.example")


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Host": ""}])
async def test_a_foreign_host_header_is_refused(shared_world: World, headers: dict[str, str]) -> None:
    answer = await shared_world.call("alice", "GET", "/api/session", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (421, "hostRefused")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:3000"},
        {"Origin": "http://127.0.0.1:8420.evil.example"},
        {"Origin": "file://127.0.0.1:8420"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_page_of_another_site_is_refused(shared_world: World, headers: dict[str, str], method: str) -> None:
    path = "/api/session" if method == "GET" else "/api/auth/logout"
    answer = await shared_world.call("alice", method, path, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "originRefused")
    assert (await shared_world.call("alice", "GET", "/api/session")).status_code == 200


async def test_our_own_page_and_plain_programs_are_answered(shared_world: World) -> None:
    for headers in (
        {"Origin": "http://127.0.0.1:8420", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {},
    ):
        assert (await shared_world.call("alice", "GET", "/api/session", headers=headers)).status_code == 200


async def test_the_cookie_is_strict_unreadable_and_of_this_port(world: World) -> None:
    link = await world.services.users.link(world["alice"].principal, world["bob"].user.id)
    answer = await world.call(None, "POST", "/api/auth/link", {"token": link.secret})
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("workroom_8420=")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert "secure" not in cookie  # plain http on loopback
    assert (PUBLIC.cookie_name, PUBLIC.secure) == ("__Host-workroom", True)


@pytest.mark.parametrize("path", ["/", "/i/lab", "/settings/users", "/api/session", "/health", "/nothing/here"])
async def test_every_answer_carries_the_security_headers(shared_world: World, path: str) -> None:
    answer = await shared_world.call("alice", "GET", path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert len(answer.headers["x-trace-id"]) == 32
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.requirement("O1")
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "notFound"),
        ("GET", "/assets/nothing.js", 404, "notFound"),
        ("POST", "/api/session", 405, "methodNotAllowed"),
        ("GET", "/api/users?limit=0", 422, "invalidInput"),
        ("GET", "/api/users?sort=x", 422, "invalidInput"),
        ("GET", "/api/users?cursor=!!", 422, "invalidInput"),
    ],
)
async def test_every_error_has_the_same_shape(
    shared_world: World, method: str, path: str, status: int, code: str
) -> None:
    answer = await shared_world.call("alice", method, path)
    body = answer.json()
    assert (answer.status_code, body["code"]) == (status, code)
    assert set(body) <= {"code", "message", "traceId", "details"}
    assert body["message"]
    assert body["traceId"] == answer.headers["x-trace-id"]


async def test_a_refused_body_is_not_repeated_in_the_answer(shared_world: World) -> None:
    answer = await shared_world.call(None, "POST", "/api/auth/login", {"login": 7, "password": ["geheim"]})
    assert answer.status_code == 422
    assert "geheim" not in answer.text


@pytest.mark.parametrize("content", [b"{", b"null", b"[1]", b"\xff\xfe", b'{"a":' * 3000, b""])
async def test_garbage_is_the_clients_error(shared_world: World, content: bytes) -> None:
    async with shared_world.client("alice") as client:
        answer = await client.post("/api/users", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalidInput"


@pytest.mark.parametrize("declared", [True, False])
async def test_a_body_over_the_limit_is_refused_whatever_its_header_says(shared_world: World, declared: bool) -> None:
    size = shared_world.services.settings.max_body_bytes + 1

    async def parts() -> AsyncIterator[bytes]:
        for start in range(0, size, 100_000):
            yield b"x" * min(100_000, size - start)

    async with shared_world.client("alice") as client:
        content = b"x" * size if declared else parts()
        answer = await client.post("/api/users", content=content, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "tooLarge")


async def test_an_unexpected_error_tells_nothing_but_a_trace_id(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail: hunter2")

    monkeypatch.setattr(type(world.services.audit), "list", broken)
    answer = await world.call("alice", "GET", "/api/audit")
    assert (answer.status_code, answer.json()["code"]) == (500, "unexpected")
    assert "hunter2" not in answer.text


async def test_metrics_need_their_own_token(world: World) -> None:
    """Numbers over all mandates are for the operator: no role of a mandate opens them (S16)."""
    assert (await world.call("alice", "GET", "/metrics")).status_code == 404
    settings = Settings(metrics_token="long-secret")
    object.__setattr__(world.services, "settings", settings)
    assert (await world.call("alice", "GET", "/metrics")).status_code == 401
    answer = await world.call(None, "GET", "/metrics", headers={"Authorization": "Bearer long-secret"})
    assert 'workroom_objects{kind="mandates"} 2.0' in answer.text
    assert "alice" not in answer.text
    assert "long-secret" not in repr(settings)


async def test_ready_says_what_is_missing(world: World) -> None:
    answer = await world.call(None, "GET", "/ready")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "checks": {"database": True}})

    async def never() -> bool:
        return False

    world.services.readiness.add("worker", never)
    answer = await world.call(None, "GET", "/ready")
    assert (answer.status_code, answer.json()["checks"]["worker"]) == (503, False)


@pytest.mark.requirement("O1")
def test_the_published_description_is_the_one_the_client_is_made_from() -> None:
    published = Path(__file__).parents[2] / "web" / "openapi.json"
    assert published.read_text() == openapi.text(), "run `make openapi`"


@pytest.mark.requirement("O3")
def test_the_published_schemas_of_events_are_the_ones_of_the_code() -> None:
    published = Path(__file__).parents[2] / "web" / "schemas" / "events.json"
    assert published.read_text() == schemas.text(), "run `make openapi`"
    kinds = json.loads(schemas.text())["events"]["run"]["properties"]["event"]["discriminator"]["mapping"]
    assert {"chunk", "message", "toolCall", "toolResult", "agentSummary", "complete", "stopped", "error"} <= set(kinds)


@pytest.mark.requirement("O1")
def test_everything_on_the_wire_is_camel_case() -> None:
    def names(node: object) -> set[str]:
        if isinstance(node, dict):
            own = set(node.get("properties", {})) if isinstance(node.get("properties"), dict) else set()
            listed = node.get("parameters")
            own |= {p["name"] for p in (listed if isinstance(listed, list) else []) if p.get("in") != "header"}
            return own.union(*(names(value) for value in node.values()))
        return set().union(*(names(item) for item in node)) if isinstance(node, list) else set()

    found = names(json.loads(openapi.text()))
    assert "displayName" in found
    assert {name for name in found if "_" in name} == set()


async def test_changes_reach_other_browsers_but_only_those_who_may_know(world: World) -> None:
    async def listen(name: str, wanted: asyncio.Event, opened: asyncio.Event) -> None:
        cookie = f"{world.services.site.cookie_name}={world[name].cookie}".encode()
        scope = {"type": "http", "app": world.app, "headers": [(b"cookie", cookie)], "client": ("127.0.0.1", 1)}
        async for part in event_stream(Request(scope), world[name].principal, world.services):
            if b"hello" in part:
                opened.set()
            if b"changed" in part and str(world["rita"].user.id).encode() in part:
                wanted.set()

    seen = {name: asyncio.Event() for name in ("alice", "bob", "olaf", "zoe")}
    opened = {name: asyncio.Event() for name in seen}
    tasks = [asyncio.create_task(listen(name, seen[name], opened[name])) for name in seen]
    await asyncio.wait_for(asyncio.gather(*(event.wait() for event in opened.values())), 60)
    await world.call("rita", "PATCH", "/api/me", {"displayName": "Margarita"})
    await asyncio.wait_for(seen["alice"].wait(), 60)
    # Inboxes are filled at the same moment for everybody; closing lets each stream send what it has, then end.
    world.services.changes.close()
    await asyncio.wait_for(asyncio.gather(*tasks), 60)
    assert not seen["olaf"].is_set()
    assert not seen["zoe"].is_set()


async def test_pages_are_compressed_cached_and_revalidated(shared_world: World) -> None:
    async with shared_world.client() as client:
        page = await client.get("/i/lab")
        if page.status_code == 503:
            pytest.fail("the web pages are not built: run `make web`")
        assert page.headers["content-type"].startswith("text/html")
        assert page.headers["cache-control"] == "no-cache"
        again = await client.get("/i/lab", headers={"If-None-Match": page.headers["etag"]})
        assert again.status_code == 304
        scripts = [part for part in page.text.split('"') if part.startswith("/assets/") and part.endswith(".js")]
        assets = [await client.get(script) for script in scripts]
        assert all("immutable" in asset.headers["cache-control"] for asset in assets)
        assert any(asset.headers.get("content-encoding") == "gzip" for asset in assets)
        largest = next(script for script in scripts if "/index-" in script)
        sizes = {}
        for accepted, encoding in (("gzip, br", "br"), ("gzip", "gzip"), ("br;q=0, identity", None)):
            answer = await client.send(
                client.build_request("GET", largest, headers={"Accept-Encoding": accepted}), stream=True
            )
            assert answer.headers.get("content-encoding") == encoding
            sizes[encoding] = len(b"".join([part async for part in answer.aiter_raw()]))
            await answer.aclose()
        assert sizes["br"] < sizes["gzip"] < sizes[None]


async def test_the_way_back_in_is_told_only_where_it_is_one(shared_world: World) -> None:
    """In password mode nobody learns a path of the server; on one's own machine the command is the exact one."""
    assert (await shared_world.call(None, "GET", "/api/status")).json()["signInCommand"] is None
    local = link_command(Settings(data=Path("/tmp/a b")))
    assert local.startswith("WORKROOM_DATA='/tmp/a b' ")
    assert local.replace("'", "").endswith("workroom users link")
    assert "WORKROOM_DATA" not in link_command(Settings())


async def test_pictures_may_come_from_where_the_operator_says_and_nothing_else() -> None:
    said: dict[str, str] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        said.update({name.decode(): value.decode() for name, value in message["headers"]})

    framed = SecurityHeaders(app, secure=False, pictures_from=["https://tiles.example"])
    await framed({"type": "http", "path": "/"}, None, send)  # type: ignore[arg-type]
    policy = said["content-security-policy"].split("; ")
    assert "img-src 'self' data: blob: https://tiles.example" in policy
    assert [part for part in policy if "tiles.example" in part] == ["img-src 'self' data: blob: https://tiles.example"]
