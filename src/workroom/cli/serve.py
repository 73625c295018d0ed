"""`workroom serve`."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from workroom import __version__
from workroom.cli.command_runner import load, run


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on [WORKROOM_HOST, 127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on [WORKROOM_PORT, 8420].")] = None,
    data: Annotated[Path | None, typer.Option(help="Data folder [WORKROOM_DATA].")] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the workspace in your browser.")] = False,
) -> None:
    """Start the workspace: database, web pages and a worker. Ctrl+C stops all of it."""
    settings = load(host=host, port=port, data=data)

    def announce(address: str, link: str | None) -> None:
        print(f"\nWorkroom {__version__} is running at {address}   (data in {settings.data})")
        if link:
            print(f"\n  Open this link, it works once:\n\n    {link}\n")
        print("Ctrl+C stops it.")
        sys.stdout.flush()
        if open_browser:
            webbrowser.open(link or address)

    from workroom.app import serve as run_server

    run(run_server(settings, announce))
    print("Workroom has stopped.")
