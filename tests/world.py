"""Two mandates with people in them, so that a test can act as anyone and reach for anything.

Acme    alice  administrator, member of `lab`        Zeta   zoe   administrator, member of `den`
        bob    member, member of `lab`                      yann  member, member of `den`
        rita   reader, member of `lab`
        olaf   member, belongs to no workspace
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any
from uuid import UUID

import httpx2
from fastapi import FastAPI
from starlette.routing import BaseRoute

from workroom.api.application import build, describe
from workroom.api.pages import WebApp
from workroom.api.services import Services
from workroom.identity.builtin import ADMIN, MEMBER, READER
from workroom.identity.mandates import operator
from workroom.identity.types import Client, Instance, Mandate, Principal, Role, User

BASE = "http://127.0.0.1:8420"


@dataclass
class Person:
    user: User
    principal: Principal
    cookie: str = field(repr=False)


@dataclass
class World:
    services: Services
    acme: Mandate
    zeta: Mandate
    people: dict[str, Person]
    instances: dict[str, Instance]
    roles: dict[str, Role]

    @cached_property
    def app(self) -> FastAPI:
        app = build(self.services, _pages())
        shared = _routes()
        app.router.routes[: len(shared)] = shared
        return app

    def __getitem__(self, name: str) -> Person:
        return self.people[name]

    @asynccontextmanager
    async def client(
        self, name: str | None = None, headers: Mapping[str, str] | None = None
    ) -> AsyncIterator[httpx2.AsyncClient]:
        """The application over HTTP, as that person's browser (or nobody's)."""
        cookies = {self.services.site.cookie_name: self[name].cookie} if name else {}
        transport = httpx2.ASGITransport(app=self.app, client=("127.0.0.1", 40_000))
        async with httpx2.AsyncClient(
            transport=transport, base_url=BASE, cookies=cookies, headers=dict(headers or {})
        ) as opened:
            yield opened

    async def call(
        self,
        name: str | None,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx2.Response:
        async with self.client(name, headers) as client:
            return await client.request(method, path, json=body)


def copy_of(world: World, services: Services) -> World:
    """The same people and places on `services`, whose database is a copy of the one `world` was made in."""
    people = {name: replace(person) for name, person in world.people.items()}
    return World(services, world.acme, world.zeta, people, dict(world.instances), dict(world.roles))


async def make_world(services: Services) -> World:
    acme = await services.mandates.create("Acme")
    zeta = await services.mandates.create("Zeta")
    world = World(services, acme, zeta, {}, {}, {})
    for mandate, slug in ((acme, "lab"), (zeta, "den")):
        principal = operator(mandate.id)
        world.instances[slug] = await services.instances.create(principal, slug.capitalize(), slug)
        for key in (ADMIN, MEMBER, READER):
            world.roles[f"{slug}-{key}"] = await services.roles.by_key(principal, key)
    await _add(world, acme, "alice", world.roles["lab-admin"], "lab")
    await _add(world, acme, "bob", world.roles["lab-member"], "lab")
    await _add(world, acme, "rita", world.roles["lab-reader"], "lab")
    await _add(world, acme, "olaf", world.roles["lab-member"], None)
    await _add(world, zeta, "zoe", world.roles["den-admin"], "den")
    await _add(world, zeta, "yann", world.roles["den-member"], "den")
    return world


async def _add(world: World, mandate: Mandate, name: str, role: Role, slug: str | None) -> None:
    services, principal = world.services, operator(mandate.id)
    user = await services.users.create(principal, f"{name}@example.org", name.capitalize(), role.id)
    if slug:
        await services.instances.put_member(principal, world.instances[slug].id, user.id, None)
    await sign_in(world, name, principal, user)


async def sign_in(world: World, name: str, principal: Principal, user: User) -> None:
    link = await world.services.users.link(principal, user.id)
    signed_in = await world.services.sign_in.with_link(link.secret, Client("127.0.0.1", "tests"))
    world.people[name] = Person(user, signed_in.principal, signed_in.cookie)


@cache
def _pages() -> WebApp:
    """Read and compressed once for all worlds."""
    return WebApp()


@cache
def _routes() -> list[BaseRoute]:
    """One list for all worlds: what FastAPI works out of a route's signature, at its first request, is of no world."""
    return describe().router.routes


def some_id() -> UUID:
    return UUID("01920000-0000-7000-8000-000000000000")
