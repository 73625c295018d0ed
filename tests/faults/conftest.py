"""The database behind a wire that can be cut, and data folders that are quick to start in."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.faults.any_input import Door, open_door
from tests.faults.leftovers import end_all
from tests.faults.process import Workroom
from tests.faults.proxy import Proxy
from tests.faults.two_houses import TwoHouses, two_houses
from tests.quick_disk import open_quick_folder
from workroom.db import DatabaseAddress
from workroom.db.testing import TestPostgres


@pytest.fixture
async def proxy(postgres: TestPostgres) -> AsyncIterator[Proxy]:
    """In front of the tests' PostgreSQL."""
    socket = Path(postgres.endpoint.host) / f".s.PGSQL.{postgres.endpoint.port}"
    async with Proxy(socket) as made:
        yield made


@pytest.fixture
def through_proxy(address: DatabaseAddress, proxy: Proxy) -> DatabaseAddress:
    """The fresh database, reached through the proxy as the application; administration stays direct."""
    parts = urlsplit(address.application)
    login = parts.netloc.rpartition("@")[0]
    return replace(address, application=f"postgresql://{login}@{proxy.host}:{proxy.port}{parts.path}?sslmode=disable")


@pytest.fixture(scope="session")
def started_once(quick_disk: Path) -> Path:
    """A data folder in which `serve` has run and was stopped: starting in a copy of it saves initdb and migrations."""
    folder = quick_disk / "started-once" / "data"
    with Workroom(folder, WORKER="false") as workroom:
        assert workroom.stop() == 0
    return folder


@pytest.fixture
def data(started_once: Path) -> Iterator[Path]:
    """A data folder of one's own, with a database in it. Nothing of it runs after the test."""
    yield from _copy(started_once)


@pytest.fixture(scope="module")
def shared_data(started_once: Path) -> Iterator[Path]:
    yield from _copy(started_once)


@pytest.fixture(scope="module")
def running(shared_data: Path) -> Iterator[Workroom]:
    """One running workspace for a module whose tests leave it running."""
    with Workroom(shared_data) as workroom:
        yield workroom


@pytest.fixture(scope="module")
def door(running: Workroom) -> Iterator[Door]:
    with open_door(running) as door:
        yield door


@pytest.fixture(scope="session")
async def houses(postgres: TestPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TwoHouses]:
    """Two servers for every drill that needs them; what a test sets up there, it takes away again."""
    address = await postgres.fresh()
    async with two_houses(tmp_path_factory.mktemp("houses"), address) as made:
        yield made
    await postgres.drop(address)


@pytest.fixture
def serve() -> Iterator[Callable[..., Workroom]]:
    """Start a workspace that may be stopped and killed at will; whatever is left of it ends with the test."""
    made: list[Workroom] = []

    def start(data: Path, *, ready: bool = True, **settings: object) -> Workroom:
        workroom = Workroom(data, **settings)
        made.append(workroom)
        workroom.start()
        if ready:
            workroom.wait_ready()
        return workroom

    yield start
    for workroom in made:
        workroom.clean_up()


def _copy(original: Path) -> Iterator[Path]:
    with open_quick_folder() as folder:
        data = folder / "data"
        shutil.copytree(original, data)
        try:
            yield data
        finally:
            end_all(folder)
