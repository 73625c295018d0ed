"""People with tokens in a running workspace, made through its services: enough of them that everybody has one stream."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from workroom.bootstrap.server import open_services
from workroom.db import DatabaseAddress
from workroom.identity.builtin import MEMBER
from workroom.identity.mandates import operator
from workroom.settings import Settings


@dataclass(frozen=True)
class Person:
    token: str
    instance: str


def make(data: Path, many: int) -> list[Person]:
    return asyncio.run(_make(data, many))


async def _make(data: Path, many: int) -> list[Person]:
    settings = Settings(data=data)
    async with open_services(settings, DatabaseAddress.joined(settings), settings.port) as services:
        mandate = await services.mandates.create("Bench")
        principal = operator(mandate.id)
        role = await services.roles.by_key(principal, MEMBER)
        instance = await services.instances.create(principal, "Bench")
        made = []
        for number in range(many):
            user = await services.users.create(principal, f"person{number}@example.org", f"Person {number}", role.id)
            await services.instances.put_member(principal, instance.id, user.id, None)
            token = await services.tokens.create(principal, "bench", user_id=user.id)
            made.append(Person(token.secret, str(instance.id)))
        return made
