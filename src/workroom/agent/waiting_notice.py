"""Tells people that a model of an own server is still reading the question: without a graphics card that takes minutes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from workroom.agent.ports import Emit
from workroom.core.run_events import RunState, StatusChanged
from workroom.models.ports import ModelInfo

FIRST_SECONDS = 10.0
# The page counts in between; told again, the number is right for those who open it later.
EVERY_SECONDS = 30.0


class WaitingNotice:
    def __init__(self, model: ModelInfo, emit: Emit) -> None:
        self._model = model
        self._emit = emit
        self._timer: asyncio.TimerHandle | None = None
        self._is_told = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        if self._model.own_server:
            self._wait(FIRST_SECONDS, FIRST_SECONDS)
        try:
            yield
        finally:
            self._stop()

    def began(self) -> None:
        """The model writes, maybe a call that is not shown yet."""
        self._stop()
        if self._is_told:
            self._is_told = False
            self._emit(StatusChanged(state=RunState.RUNNING, activity="writing"))

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self, seconds: float, waited: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._tell, waited)

    def _tell(self, waited: float) -> None:
        text = f"{self._model.id} is still reading the question."
        details = {"model": self._model.id, "seconds": f"{waited:g}"}
        self._emit(StatusChanged(state=RunState.RUNNING, text=text, activity="modelReading", details=details))
        self._is_told = True
        self._wait(EVERY_SECONDS, waited + EVERY_SECONDS)
