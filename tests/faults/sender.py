"""A good client of a server that is killed now and then: it asks until it is answered, and what it sends twice counts once."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Self

import httpx2

SECONDS = 120.0
OVER = frozenset({"completed", "maxRoundsReached", "budgetExceeded", "stopped", "error"})
LOOK_AGAIN = 0.05  # nobody can tell us when a killed server is back

Said = dict[str, Any]  # one line of a run's log


class Sender:
    def __init__(self, base_url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._client = httpx2.Client(base_url=base_url, headers=headers, trust_env=False, timeout=15)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def until_answered(self, method: str, path: str, **more: Any) -> Any:
        """The first answer that is neither a server in trouble nor a request to come again."""
        answer = self._answered(method, path, again=(409, 429), **more)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def consumed(self, run_id: str, call_id: str, answer: dict[str, Any]) -> None:
        """Answer a pause. That it has been answered already can only mean that we did not hear of it."""
        body = {"callId": call_id, "answer": answer}
        said = self._answered("POST", f"/api/runs/{run_id}/answer", again=(429,), json=body)
        if said.status_code != 409 or said.json()["code"] != "pauseConsumed":
            said.raise_for_status()

    def log(self, run_id: str) -> list[Said]:
        said: list[Said] = []
        while True:
            after = said[-1]["seq"] if said else 0
            items = self.until_answered("GET", f"/api/runs/{run_id}/log?after={after}")["items"]
            if not items:
                return said
            said += items

    def _answered(self, method: str, path: str, again: tuple[int, ...], **more: Any) -> httpx2.Response:
        give_up = time.monotonic() + SECONDS
        while True:
            with contextlib.suppress(httpx2.TransportError):
                answer = self._client.request(method, path, **more)
                if answer.status_code < 500 and answer.status_code not in again:
                    return answer
            assert time.monotonic() < give_up, f"{method} {path} is not answered"
            time.sleep(LOOK_AGAIN)


def is_gapless(said: Sequence[Said]) -> bool:
    """Every number from 1 on is there, as an event of its own or inside one that was made of several."""
    begins = [item["event"].get("since") or item["seq"] for item in said]
    return begins[:1] == [1] and all(
        begin == before["seq"] + 1 for (before, _), begin in zip(pairwise(said), begins[1:], strict=True)
    )


def waits_for(said: Sequence[Said]) -> str | None:
    """The call about which the run asks and has not been answered."""
    asked = [item["event"] for item in said if item["event"]["type"] == "choice"]
    return asked[-1]["callId"] if asked and asked[-1]["state"] == "waiting" else None
