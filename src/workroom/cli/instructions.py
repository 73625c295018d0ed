"""`workroom instructions`: what every agent of this platform is told, in every mandate."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from workroom.agents.instructions import store
from workroom.agents.instructions.service import clean
from workroom.agents.instructions.types import Instruction
from workroom.cli.command_runner import load, run
from workroom.cli.tables import print_table
from workroom.core.clock import now
from workroom.core.errors import ConfigurationError
from workroom.core.pages import MAX_LIMIT, PageRequest
from workroom.db import DatabaseAddress
from workroom.db.checks import require_usable
from workroom.db.operator_access import as_owner

app = typer.Typer(help="Read and change what every agent of this platform is told.", no_args_is_help=True)


@app.command()
def show() -> None:
    """The instructions of the platform, as they are now."""

    async def work() -> Instruction:
        async with as_owner(await _address()) as uow:
            return await store.platform(uow)

    print(run(work()).text)


@app.command("set")
def set_(
    text: Annotated[
        str, typer.Argument(help="What to tell all agents; `-` reads it from the input, nothing takes it away.")
    ],
) -> None:
    """Change them; what was said before is kept as a version."""
    cleaned = clean(sys.stdin.read() if text == "-" else text)

    async def work() -> int:
        async with as_owner(await _address()) as uow:
            known = await store.platform(uow)
            if known.text == cleaned:
                return known.version
            await store.add_platform(uow, known.version + 1, cleaned, now())
            return known.version + 1

    print(f"Every answer from now on is made with version {run(work())}.")


@app.command()
def versions() -> None:
    """What they were, newest first."""

    async def work() -> None:
        async with as_owner(await _address()) as uow:
            page = await store.versions(uow, None, PageRequest(order="desc", limit=MAX_LIMIT))
            print_table(("VERSION", "SINCE", "TEXT"), [(v.version, v.made_at, v.text) for v in page.items])

    run(work())


async def _address() -> str:
    address = DatabaseAddress.joined(load())
    await require_usable(address)
    if address.migration is None:
        raise ConfigurationError("Set WORKROOM_MIGRATION_DATABASE_URL: only the migration login may change this.")
    return address.migration
