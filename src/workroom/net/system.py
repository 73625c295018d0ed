"""Resolver and connector of the operating system. Which addresses are allowed is decided in `backend`."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address

import httpcore2

from workroom.net.addresses import IPAddress


class SystemResolver:
    """`getaddrinfo` in its own thread pool: a name server that never answers must not block the default pool."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=8, thread_name_prefix="resolver")

    async def resolve(self, host: str, port: int) -> list[IPAddress]:
        answers = await asyncio.get_running_loop().run_in_executor(self._threads, _lookup, host, port)
        return list(dict.fromkeys(ip_address(address) for address in answers))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class SystemConnector:
    def __init__(self) -> None:
        self._sockets = httpcore2.AnyIOBackend()

    async def connect(self, address: IPAddress, port: int, timeout: float | None) -> httpcore2.AsyncNetworkStream:
        return await self._sockets.connect_tcp(str(address), port, timeout=timeout)


def _lookup(host: str, port: int) -> list[str]:
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(address[0]) for *_, address in answers]
