"""`workroom tokens`: API tokens, from the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from workroom.cli.command_runner import joined, load, run
from workroom.cli.tables import print_table
from workroom.core.errors import NotFound
from workroom.core.pages import MAX_LIMIT, PageRequest
from workroom.identity.mandates import operator

app = typer.Typer(help="List, make and revoke API tokens.", no_args_is_help=True)

MandateName = Annotated[str | None, typer.Option("--mandate", help="Which mandate, if there are several.")]


@app.command("list")
def list_tokens(mandate: MandateName = None) -> None:
    """Tokens of everybody in the mandate."""

    async def work() -> None:
        async with joined(load()) as services:
            principal = operator((await services.mandates.choose(mandate)).id)
            page = await services.tokens.list(principal, PageRequest(limit=MAX_LIMIT))
            rows = [(t.prefix + "…", t.name, t.user_name, t.expires_at, t.last_used_at) for t in page.items]
            print_table(("TOKEN", "NAME", "OWNER", "EXPIRES", "LAST USED"), rows)

    run(work())


@app.command()
def create(
    login: Annotated[str, typer.Argument(help="Whose token it is: it may do what they may.")],
    name: Annotated[str, typer.Option(help="What it is for.")],
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="Expires after so many days.")] = None,
    mandate: MandateName = None,
) -> None:
    """Make a token; prints it, this once."""

    async def work() -> None:
        async with joined(load()) as services:
            principal = operator((await services.mandates.choose(mandate)).id)
            user = await services.users.by_login(principal, login)
            made = await services.tokens.create(principal, name, user_id=user.id, expires_in_days=days)
            print(made.secret)

    run(work())


@app.command()
def revoke(prefix: Annotated[str, typer.Argument(help="As `list` shows it.")], mandate: MandateName = None) -> None:
    """Revoke a token; it stops working at once."""

    async def work() -> None:
        async with joined(load()) as services:
            principal = operator((await services.mandates.choose(mandate)).id)
            page = await services.tokens.list(principal, PageRequest(query=prefix.rstrip("…"), limit=MAX_LIMIT))
            matching = [token for token in page.items if token.prefix.startswith(prefix.rstrip("…"))]
            if len(matching) != 1:
                raise NotFound(f"{len(matching)} tokens begin with {prefix}. `workroom tokens list` shows all of them.")
            await services.tokens.revoke(principal, matching[0].id)
            print(f"{matching[0].name} is revoked.")

    run(work())
