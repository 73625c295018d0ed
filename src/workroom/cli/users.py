"""`workroom users`: people, from the command line of the machine the workspace runs on."""

from __future__ import annotations

from typing import Annotated

import typer

from workroom.api.services import Services
from workroom.cli.command_runner import joined, load, run
from workroom.cli.tables import print_table
from workroom.core.pages import MAX_LIMIT, Cursor, PageRequest
from workroom.identity.builtin import ADMIN, MEMBER
from workroom.identity.mandates import operator
from workroom.identity.types import InstanceStatus, Principal, Status, User
from workroom.identity.users import UserChange

app = typer.Typer(help="List, invite, suspend and remove people; make one-time links.", no_args_is_help=True)

Login = Annotated[str, typer.Argument(help="E-mail address or name they sign in with.")]
MandateName = Annotated[str | None, typer.Option("--mandate", help="Which mandate, if there are several.")]


@app.command("list")
def list_users(mandate: MandateName = None) -> None:
    """Everybody in the mandate."""

    async def work() -> None:
        async with joined(load()) as services:
            principal = await _operator(services, mandate)
            roles = {
                role.id: role.name
                for role in (await services.roles.list(principal, PageRequest(limit=MAX_LIMIT))).items
            }
            rows = [
                (user.login, user.display_name, roles[user.role_id], user.status, user.last_seen_at)
                for user in await _everybody(services, principal)
            ]
            print_table(("LOGIN", "NAME", "ROLE", "STATUS", "LAST SEEN"), rows)

    run(work())


@app.command()
def add(
    login: Login,
    name: Annotated[str | None, typer.Option(help="Display name.")] = None,
    admin: Annotated[bool, typer.Option("--admin", help="May do everything in the mandate.")] = False,
    mandate: MandateName = None,
    new_mandate: Annotated[str | None, typer.Option(help="Make a new mandate with this name first.")] = None,
) -> None:
    """Invite a person; prints the one-time link that lets them in."""

    async def work() -> None:
        async with joined(load()) as services:
            if new_mandate is not None:
                principal = operator((await services.mandates.create(new_mandate)).id)
                await services.instances.create(principal, "Workspace")
            else:
                principal = await _operator(services, mandate)
            role = await services.roles.by_key(principal, ADMIN if admin or new_mandate is not None else MEMBER)
            user = await services.users.create(principal, login, name or login.split("@")[0], role.id)
            active = await services.instances.list(principal, PageRequest(limit=MAX_LIMIT), InstanceStatus.ACTIVE)
            if len(active.items) == 1:  # with several, an administrator chooses
                await services.instances.put_member(principal, active.items[0].id, user.id, None)
            await _print_link(services, principal, user)

    run(work())


@app.command()
def link(
    login: Annotated[str | None, typer.Argument(help="Whose; the first administrator's by default.")] = None,
    mandate: MandateName = None,
) -> None:
    """Print a new one-time link for a person."""

    async def work() -> None:
        async with joined(load()) as services:
            principal = await _operator(services, mandate)
            if login is None:
                role = await services.roles.by_key(principal, ADMIN)
                everybody = sorted(await _everybody(services, principal), key=lambda user: user.created_at)
                user = next(u for u in everybody if u.role_id == role.id and u.status is Status.ACTIVE)
            else:
                user = await services.users.by_login(principal, login)
            await _print_link(services, principal, user)

    run(work())


@app.command()
def suspend(login: Login, mandate: MandateName = None) -> None:
    """Sign a person out everywhere and keep them out; nothing of theirs is deleted."""
    _set_status(login, mandate, Status.SUSPENDED)


@app.command()
def activate(login: Login, mandate: MandateName = None) -> None:
    """Let a suspended person in again."""
    _set_status(login, mandate, Status.ACTIVE)


@app.command()
def password(login: Login, mandate: MandateName = None) -> None:
    """Set a person's password; asks for it twice."""

    async def work() -> None:
        async with joined(load()) as services:
            principal = await _operator(services, mandate)
            user = await services.users.by_login(principal, login)
            new = typer.prompt("New password", hide_input=True, confirmation_prompt=True)
            await services.users.set_password(principal, user.id, new)
            print(f"The password of {user.login} is set; their other sessions have ended.")

    run(work())


@app.command()
def remove(
    login: Login,
    mandate: MandateName = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a person for good. `suspend` keeps everything and can be undone."""
    if not yes:
        typer.confirm(f"Delete {login} for good?", abort=True)

    async def work() -> None:
        async with joined(load()) as services:
            principal = await _operator(services, mandate)
            await services.users.delete(principal, (await services.users.by_login(principal, login)).id)
            print(f"{login} is gone.")

    run(work())


def _set_status(login: str, mandate: str | None, status: Status) -> None:
    async def work() -> None:
        async with joined(load()) as services:
            principal = await _operator(services, mandate)
            user = await services.users.by_login(principal, login)
            await services.users.change(principal, user.id, UserChange(status=status))
            print(f"{user.login} is {status}.")

    run(work())


async def _operator(services: Services, mandate: str | None) -> Principal:
    return operator((await services.mandates.choose(mandate)).id)


async def _everybody(services: Services, principal: Principal) -> list[User]:
    found: list[User] = []
    request = PageRequest(limit=MAX_LIMIT)
    while True:
        page = await services.users.list(principal, request)
        found += page.items
        if page.next_cursor is None:
            return found
        request = PageRequest(limit=MAX_LIMIT, cursor=Cursor.decode(page.next_cursor))


async def _print_link(services: Services, principal: Principal, user: User) -> None:
    made = await services.users.link(principal, user.id)
    print(f"One-time link for {user.login}, until {made.expires_at.astimezone():%Y-%m-%d %H:%M}:\n")
    print(f"  {services.site.link(made.secret)}\n")
