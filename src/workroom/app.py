"""`workroom serve`: the process that owns the data folder, its PostgreSQL, the HTTP server and a worker."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import uvicorn

from workroom.api.application import build
from workroom.api.frame.wire_limits import BoundedHttp, most_connections
from workroom.api.services import Services
from workroom.bootstrap.server import open_services, prepare_database
from workroom.core import loop_lag
from workroom.core.errors import AlreadyRunning, ConfigurationError, WorkroomError
from workroom.core.waiting import wait_for
from workroom.db import DatabaseAddress
from workroom.db.address import postgres_folder
from workroom.db.embedded import EmbeddedPostgres, FolderLock
from workroom.db.provision import provision
from workroom.first_start import ensure_first_user, one_time_link
from workroom.secrets import Secrets
from workroom.settings import Settings
from workroom.worker_child import WorkerChild

log = logging.getLogger(__name__)

Announce = Callable[[str, str | None], None]
RESTART_SECONDS = 1.0


async def serve(settings: Settings, announce: Announce) -> None:
    """Run until a signal; `announce(address, one_time_link)` is called once the first request can be answered."""
    settings.require_safe_binding()
    _end_cleanly_while_starting()
    lock = FolderLock.acquire(settings.data)
    listening = None
    try:
        listening = _listen(settings)
        async with _database(settings) as address:
            await prepare_database(address)
            port = listening.getsockname()[1]
            async with open_services(settings, address, port) as services:
                await ensure_first_user(services)
                lock.announce(services.site.base_url)
                await _run(services, listening, announce)
    finally:
        if listening is not None:
            listening.close()
        lock.release()


def _end_cleanly_while_starting() -> None:
    """Cancel this task on SIGTERM, which would otherwise end the process at once and leave PostgreSQL behind."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


async def _run(services: Services, listening: socket.socket, announce: Announce) -> None:
    link = await one_time_link(services)
    server = _Server(services, lambda: announce(services.site.base_url, link))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, server.stop_gracefully)
    async with contextlib.AsyncExitStack() as stack:
        if services.settings.worker:
            child = await stack.enter_async_context(WorkerChild(services.settings).running())
            services.readiness.add("worker", child.is_alive)
        await stack.enter_async_context(_background(loop_lag.watch(services.metrics.loop_lag.observe)))
        await server.serve(sockets=[listening])


class _Server(uvicorn.Server):
    """Uvicorn with our own signal handlers: event streams are closed before it waits for connections to end."""

    def __init__(self, services: Services, started: Callable[[], None]) -> None:
        config = uvicorn.Config(
            build(services),
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            http=BoundedHttp,
            limit_concurrency=most_connections(),
            timeout_graceful_shutdown=5,
            proxy_headers=bool(services.settings.trusted_proxies),
            forwarded_allow_ips=services.settings.trusted_proxies or None,
        )
        super().__init__(config)
        self._services = services
        self._on_started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]  # ours are set in `_run`
        yield

    def stop_gracefully(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True
        self._services.changes.close()
        self._services.tail.close()


@contextlib.asynccontextmanager
async def _database(settings: Settings) -> AsyncIterator[DatabaseAddress]:
    if not settings.embedded:
        yield DatabaseAddress.remote(settings)
        return
    secrets = Secrets.load_or_create(settings.data)
    postgres = EmbeddedPostgres(postgres_folder(settings), superuser_password=secrets.superuser_password)
    try:
        endpoint = await postgres.start()
        address = await provision(endpoint, secrets)
        async with _background(_keep_alive(postgres)):
            yield address
    finally:
        await postgres.stop()


async def _keep_alive(postgres: EmbeddedPostgres) -> None:
    """Restart the embedded PostgreSQL whenever it dies; the pool reconnects by itself."""
    never = asyncio.Event()
    while True:
        await postgres.wait_lost()
        log.error("the embedded PostgreSQL has gone away; starting it again")
        while not await _restarted(postgres):
            await wait_for(never, RESTART_SECONDS)


async def _restarted(postgres: EmbeddedPostgres) -> bool:
    try:
        await postgres.start()
    except WorkroomError as error:  # a full disk, say: the next try may find it mended
        log.error(error.message)
        return False
    log.info("the embedded PostgreSQL is back")
    return True


def _listen(settings: Settings) -> socket.socket:
    """Take the port before anything slow happens. A taken port is not exchanged for another in silence."""
    try:
        return _bound(settings.host, settings.port)
    except OSError as error:
        if isinstance(error, socket.gaierror):
            raise ConfigurationError(f"WORKROOM_HOST={settings.host} is not an address of this machine.") from None
        free = next(
            (p for p in range(settings.port + 1, settings.port + 50) if p < 65536 and _is_free(settings.host, p)), None
        )
        offer = f" Port {free} is free: `workroom serve --port {free}`." if free else ""
        raise AlreadyRunning(f"Cannot listen on {settings.host}:{settings.port}: {error.strerror}.{offer}") from None


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(2048)
        listening.setblocking(False)
    except BaseException:
        listening.close()
        raise
    return listening


def _is_free(host: str, port: int) -> bool:
    try:
        _bound(host, port).close()
    except OSError:
        return False
    return True


@contextlib.asynccontextmanager
async def _background(work: Awaitable[None]) -> AsyncIterator[None]:
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
