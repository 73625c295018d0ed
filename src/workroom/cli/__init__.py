"""The command line: one file per command. An error is one sentence and an exit code (NAMES), never a traceback."""

from __future__ import annotations

import asyncio
import logging
import sys

import typer

from workroom import __version__
from workroom.cli import db, doctor, instructions, serve, tokens, users, worker
from workroom.core.errors import WorkroomError

app = typer.Typer(
    name="workroom",
    help="A self-hosted workspace where people work with AI agents on their own documents, data and maps.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("doctor")(doctor.doctor)
app.add_typer(db.app, name="db")
app.add_typer(users.app, name="users")
app.add_typer(tokens.app, name="tokens")
app.add_typer(instructions.app, name="instructions")


def _version(requested: bool) -> None:
    if requested:
        print(f"workroom {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show it."),
) -> None:
    pass


def main() -> None:
    try:
        app()
    except WorkroomError as error:
        print(f"workroom: {error.message}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except asyncio.CancelledError:  # SIGTERM before `serve` was ready; what it had started has ended
        sys.exit(143)
    except Exception as error:
        logging.getLogger(__name__).debug("unexpected", exc_info=True)
        print(
            f"workroom: something unexpected happened ({type(error).__name__}: {error}). "
            "Run `workroom doctor`, or set WORKROOM_LOG_LEVEL=debug for the details.",
            file=sys.stderr,
        )
        sys.exit(1)
