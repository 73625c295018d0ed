"""People of the world with a password."""

from __future__ import annotations

from tests.world import World

PASSWORD = "correct horse battery"


async def give_password(world: World, name: str, password: str = PASSWORD) -> None:
    person = world[name]
    await world.services.users.set_password(person.principal, person.user.id, password)
