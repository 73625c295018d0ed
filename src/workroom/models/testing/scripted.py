"""The scripted provider as a process of its own, for drills whose workers are processes too.

    python -m workroom.models.testing.scripted --port 0 --behaviour writer

The first line it writes is its base URL; it serves until it is ended. `GET /requests` tells what it was asked.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from workroom.models.testing.behaviours import BEHAVIOURS
from workroom.models.testing.provider import ScriptedProvider


async def serve(behaviour: str, port: int) -> None:
    async with ScriptedProvider(behaviour=BEHAVIOURS[behaviour](), port=port) as provider:
        sys.stdout.write(f"{provider.base_url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripted", description="A provider that says what it is told.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--behaviour", choices=sorted(BEHAVIOURS), default="writer")
    chosen = parser.parse_args()
    asyncio.run(serve(chosen.behaviour, chosen.port))


if __name__ == "__main__":
    main()
