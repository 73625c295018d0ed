"""Wake-ups for workers: a notification, sent with the transaction that makes work, that something of a kind is new.

It only saves waiting. What is to be done is in the rows, and every scheduler polls them as well, so a lost notification is a
delay. All workers hear it; which of them gets the work is decided by the claim (docs/decisions/0022).
"""

from __future__ import annotations

from collections.abc import Callable

from workroom.db.channels import WORK
from workroom.db.listener import Listener

Woken = Callable[[str], None]


def encode(kind: str, payload: str) -> str:
    return f"{kind}\n{payload}"


class Wakeups:
    """Register with `on` before the listener runs."""

    def __init__(self, listener: Listener) -> None:
        self._woken: dict[str, Woken] = {}
        listener.on(WORK, self._heard)
        listener.on_connect(self._missed)

    def on(self, kind: str, woken: Woken) -> None:
        """`woken(payload)` is called in the event loop and must not block; with '' when notifications may have been missed."""
        self._woken[kind] = woken

    def _heard(self, notification: str) -> None:
        kind, _, payload = notification.partition("\n")
        if (woken := self._woken.get(kind)) is not None:
            woken(payload)

    def _missed(self) -> None:
        for woken in self._woken.values():
            woken("")
