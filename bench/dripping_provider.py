"""A model server that costs almost nothing itself: it streams as many tokens, as fast, as the user's message says.

    python -m bench.dripping_provider        the first line it writes is its base URL

"tokens=1200 rate=20" makes a stream of 1,200 tokens, 20 a second; rate=0 is as fast as the reader takes them. Every
token is the moment it was written (`stamp`), so that whoever reads it anywhere on this machine knows how old it is.
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from typing import cast

import uvloop

LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
WANTED = re.compile(rb"tokens=(\d+) rate=(\d+)")
AT_A_TIME = 64  # tokens written before other streams get their turn
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
PIECE = (
    '{"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench",'
    '"service_tier":"default","system_fingerprint":"fp_bench","choices":[%s],"usage":%s}'
)
CHOICE = '{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}'


def stamp() -> str:
    """Now, in microseconds of the machine's clock, as eight hexadecimal digits: unique for an hour."""
    return f"{time.monotonic_ns() // 1000 & 0xFFFFFFFF:08x}"


def age_of(stamped: str) -> float:
    """Seconds since then."""
    return ((time.monotonic_ns() // 1000 - int(stamped, 16)) & 0xFFFFFFFF) / 1e6


def _frame(data: str) -> bytes:
    line = f"data: {data}\n\n"
    return f"{len(line):x}\r\n{line}\r\n".encode()


BEGIN = _frame(PIECE % (CHOICE % ('{"role":"assistant","content":""}', "null"), "null"))
BEFORE, AFTER = _frame(PIECE % (CHOICE % ('{"content":"-stamp-- "}', "null"), "null")).split(b"-stamp--")
END = (
    _frame(PIECE % (CHOICE % ("{}", '"stop"'), "null"))
    + _frame(PIECE % ("", '{"prompt_tokens":10,"completion_tokens":100,"total_tokens":110}'))
    + _frame("[DONE]")
    + b"0\r\n\r\n"
)


class Stream(asyncio.Protocol):
    def __init__(self) -> None:
        self._heard = b""
        self._left = 0
        self._pause = 0.0
        self._flowing = True
        self._next = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one without saying so

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, found, body = self._heard.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if not found or (length is not None and len(body) < int(length[1])):
            return
        wanted = WANTED.findall(body)
        self._left, rate = map(int, wanted[-1]) if wanted else (3, 0)
        self._pause = 1 / rate if rate else 0.0
        self._next = asyncio.get_running_loop().time()
        self._transport.write(HEAD + BEGIN)
        self._go_on()

    def pause_writing(self) -> None:
        self._flowing = False

    def resume_writing(self) -> None:
        self._flowing = True
        if not self._pause:
            self._go_on()

    def _go_on(self) -> None:
        """One token, or without a rate a handful; a reader that is too slow for the rate gets it late, not never."""
        if self._transport.is_closing() or (not self._pause and not self._flowing):
            return
        for _ in range(1 if self._pause else AT_A_TIME):
            if not self._left:
                self._transport.write(END)
                self._transport.close()
                return
            self._left -= 1
            self._transport.write(BEFORE + stamp().encode() + AFTER)
        loop = asyncio.get_running_loop()
        if self._pause:
            self._next += self._pause
            loop.call_at(self._next, self._go_on)
        else:
            loop.call_soon(self._go_on)


async def serve() -> None:
    server = await asyncio.get_running_loop().create_server(Stream, "127.0.0.1", 0, backlog=1024)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1\n")
    sys.stdout.flush()
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve())
