"""What tests share: a PostgreSQL per session, a fresh database per test, the services on it, and people to act as.

What every test needs and none changes is made once per process: templates of databases, the list of installed plugins,
the defaults of the settings. `docs/explanation/test-costs.md` says what each of them costs.
"""

from __future__ import annotations

import os
import signal
import sys
from asyncio import BaseEventLoop
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from uuid import uuid4

import hypothesis
import pytest

from tests.documents.corpus import ROOT
from tests.files.object_storage import BUCKET, KEY, SECRET, ObjectStorage
from tests.quick_disk import quick_folder
from tests.read_only import ReadOnlyReads
from tests.row_locks import RowLocks
from tests.warm_parsers import keep_parsers_warm
from tests.world import World, copy_of, make_world
from workroom.agent import registry
from workroom.api.services import Services
from workroom.bootstrap.server import open_services
from workroom.core.generator_finalizer import deferred
from workroom.db import Database, DatabaseAddress
from workroom.db.testing import TestPostgres
from workroom.files.s3_bucket import BucketConfig
from workroom.settings import Settings

# A busy machine is no failure; what takes long is measured in `bench/`. Everybody's tests try the same examples; `make shake`
# looks for others.
hypothesis.settings.register_profile("steady", deadline=None, derandomize=True)
hypothesis.settings.register_profile("searching", deadline=None, print_blob=True)
hypothesis.settings.load_profile("searching" if "tests.shaking" in sys.modules else "steady")

PORT = 8420
# Tests that take seconds, in files that one process carries out from end to end.
SLOW = ("browser", "faults", "cli", "knowledge", "db")
OTHER_S3 = os.environ.get("WORKROOM_TEST_S3")


def pytest_configure() -> None:
    """A background job of a shell without job control ignores Ctrl+C and SIGQUIT, and so would every process of the tests."""
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files first when several processes share them: otherwise the others wait for whoever took one of them last."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        here = Path(__file__).parent
        ranks = {name: rank for rank, name in enumerate(SLOW)}
        items.sort(key=lambda item: ranks.get(item.path.relative_to(here).parts[0], len(SLOW)))


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer's own settings leaks into a test."""
    for name in set(os.environ) - {"WORKROOM_TEST_DATA"}:
        if name.startswith("WORKROOM_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    # Whether tesseract is there must not decide either: what recognises by itself says so.
    monkeypatch.setenv("WORKROOM_RECOGNISE", "asked")


@pytest.fixture(scope="session", autouse=True)
def _generators_are_closed_after_their_collection() -> Iterator[None]:
    """As every command has it (`cli/command_runner.py`)."""
    hook = "_asyncgen_finalizer_hook"
    usual = getattr(BaseEventLoop, hook)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseEventLoop, hook, property(lambda loop: deferred(loop, partial(usual, loop))))
        yield


@pytest.fixture(scope="session")
def _row_locks() -> Iterator[RowLocks]:
    with pytest.MonkeyPatch.context() as patch:
        watching = RowLocks()
        watching.install(patch)
        yield watching


@pytest.fixture(autouse=True)
def _rows_are_locked(_row_locks: RowLocks) -> Iterator[None]:
    """Nothing is written over that was read without a lock, by whatever a test does."""
    _row_locks.broken.clear()
    yield
    assert not _row_locks.broken, "\n".join(_row_locks.broken)


@pytest.fixture(scope="session", autouse=True)
def _plugins_are_found_once() -> Iterator[None]:
    """Opening the services looks for installed plugins: a file per installed package, read again for every test."""

    @cache
    def found(group: str, path: tuple[str, ...]) -> EntryPoints:
        return entry_points(group=group)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "entry_points", lambda group: found(group, tuple(sys.path)))
        yield


@pytest.fixture(scope="session")
def _read_only() -> Iterator[ReadOnlyReads]:
    with pytest.MonkeyPatch.context() as patch:
        watching = ReadOnlyReads()
        watching.install(patch)
        yield watching


@pytest.fixture(autouse=True)
def _reads_do_not_write(_read_only: ReadOnlyReads) -> Iterator[None]:
    """Whatever a test sends as a read is one, in the opinion of PostgreSQL."""
    _read_only.broken.clear()
    yield
    assert not _read_only.broken, "\n".join(_read_only.broken)


@pytest.fixture(scope="session")
def quick_disk() -> Iterator[Path]:
    """For what holds databases; emptied when the session ends."""
    with quick_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
async def postgres(quick_disk: Path) -> AsyncIterator[TestPostgres]:
    server = TestPostgres(quick_disk / "postgres")
    await server.start()
    yield server
    await server.stop()


@pytest.fixture(scope="session")
def _object_storage() -> Iterator[ObjectStorage]:
    with ObjectStorage() as server:
        yield server


@pytest.fixture
def object_storage(_object_storage: ObjectStorage) -> ObjectStorage:
    """One S3 server for all, emptied for each."""
    _object_storage.reset()
    return _object_storage


@pytest.fixture
def s3_place(object_storage: ObjectStorage) -> BucketConfig:
    """A prefix of its own there, or on another server where somebody wants to see the same tests pass."""
    return BucketConfig(BUCKET, f"tests/{uuid4()}", "us-east-1", OTHER_S3 or object_storage.url, KEY, SECRET)


@dataclass(frozen=True)
class WorldTemplate:
    """A database with the world in it, to which no connection is open, and the world as it was made there."""

    address: DatabaseAddress
    world: World


@pytest.fixture(scope="session")
async def world_template(postgres: TestPostgres, tmp_path_factory: pytest.TempPathFactory) -> WorldTemplate:
    address = await postgres.fresh()
    settings = Settings(data=tmp_path_factory.mktemp("template"), login="password", port=PORT, private_addresses=True)
    async with open_services(settings, address, PORT) as services:
        return WorldTemplate(address, await make_world(services))


@pytest.fixture
def _template(request: pytest.FixtureRequest) -> DatabaseAddress | None:
    """The database that the test's own is a copy of; None is the empty one."""
    if "world" not in request.fixturenames:
        return None
    template: WorldTemplate = request.getfixturevalue("world_template")
    return template.address


@pytest.fixture
async def address(postgres: TestPostgres, _template: DatabaseAddress | None) -> AsyncIterator[DatabaseAddress]:
    """A database of the test's own: with the world in it for a test that takes `world`, else empty."""
    made = await postgres.fresh(_template)
    yield made
    await postgres.drop(made)


@pytest.fixture
async def db(address: DatabaseAddress) -> AsyncIterator[Database]:
    opened = await Database.connect(address.application)
    yield opened
    await opened.close()


@cache
def _settings(environment: frozenset[tuple[str, str]]) -> Settings:
    # The world has two organisations: that one of them may use a server on this machine must be said.
    return Settings(data=Path("data"), login="password", port=PORT, private_addresses=True)


@pytest.fixture
async def other_worker(address: DatabaseAddress) -> AsyncIterator[Database]:
    """Another process, whose heartbeat comes once an hour: until then tests decide whether it is alive."""
    opened = await Database.connect(address.application)
    opened.heartbeat.seconds = 3600
    yield opened
    await opened.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    environment = frozenset((name, value) for name, value in os.environ.items() if not name.startswith("PYTEST_"))
    return _settings(environment).model_copy(update={"data": tmp_path / "data"})


@pytest.fixture(scope="session")
async def _warm_parsers() -> AsyncIterator[None]:
    async with keep_parsers_warm():
        yield


@pytest.fixture
async def services(settings: Settings, address: DatabaseAddress, _warm_parsers: None) -> AsyncIterator[Services]:
    async with open_services(settings, address, PORT) as opened:
        yield opened


@pytest.fixture
def world(services: Services, world_template: WorldTemplate) -> World:
    return copy_of(world_template.world, services)


@pytest.fixture(scope="module")
async def shared_world(postgres: TestPostgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """For tests whose requests must all be refused: they leave the world as it was, so one serves them all."""
    address = await postgres.fresh()
    settings = Settings(data=tmp_path_factory.mktemp("shared"), login="password", port=PORT)
    async with open_services(settings, address, PORT) as services:
        yield await make_world(services)
    await postgres.drop(address)


@pytest.fixture
def test_data() -> Path:
    """The folder of real documents; skips where it is absent, and fails where that must not happen (CI)."""
    if not ROOT.is_dir():
        missing = "No real documents here: set WORKROOM_TEST_DATA to the folder that holds `corpus`."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return ROOT
