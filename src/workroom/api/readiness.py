"""Whether this process can do its work: what must be true is registered at start and asked each time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

Check = Callable[[], Awaitable[bool]]


class Readiness:
    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}

    def add(self, name: str, check: Check) -> None:
        self._checks[name] = check

    async def report(self) -> dict[str, bool]:
        return {name: await check() for name, check in self._checks.items()}
