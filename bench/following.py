"""A reader of server-sent events that costs almost nothing itself, and keeps what it must compare."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

from bench.dripping_provider import age_of
from bench.people import Person

ENDS = {"complete", "error", "stopped"}


@dataclass
class Heard:
    """What a client got of one run."""

    numbers: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    ages: list[float] = field(default_factory=list)
    attempts: Counter[int] = field(default_factory=Counter)
    """Tokens by attempt: a model call that was repeated starts its text anew."""
    over: str = ""

    def take(self, seq: int, event: dict[str, Any]) -> None:
        self.numbers.append(seq)
        if event["type"] == "chunk":
            self.texts.append(event["text"])
            ages = [age_of(stamped) for stamped in event["text"].split()]
            self.ages += ages
            self.attempts[event["attempt"]] += len(ages)
        elif event["type"] in ENDS:
            self.over = event.get("state") or event["type"]

    @property
    def is_gapless(self) -> bool:
        return self.numbers == list(range(1, len(self.numbers) + 1))


class Follower(asyncio.Protocol):
    """One open `GET`. Our server sends whole events per write, so looking for their ends is enough, chunked or not."""

    def __init__(self, port: int, path: str, person: Person) -> None:
        self._request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {person.token}\r\n"
            "Accept: text/event-stream\r\n\r\n"
        ).encode()
        self._rest = b""
        self.heard = Heard()
        self.opened = asyncio.Event()
        self.finished = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        *events, self._rest = (self._rest + data).split(b"\n\n")
        for event in events:
            head, found, said = event.rpartition(b"\ndata: ")  # before the first one stands the head of the answer
            if not found:
                continue
            self.opened.set()
            payload = json.loads(said)
            if head.endswith(b"event: run"):
                self.heard.take(payload["seq"], payload["event"])
            elif b"id: " in head:
                number = head.partition(b"id: ")[2].partition(b"\n")[0].rpartition(b".")[2]
                self.heard.take(int(number), payload)
        if self.heard.over:
            self.finished.set()

    def connection_lost(self, error: Exception | None) -> None:
        self.opened.set()
        self.finished.set()


async def follow(port: int, path: str, person: Person) -> Follower:
    loop = asyncio.get_running_loop()
    _, follower = await loop.create_connection(lambda: Follower(port, path, person), "127.0.0.1", port)
    return follower
