"""What tests share: a PostgreSQL per session, a fresh database per test, the services on it, and people to act as."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import hypothesis
import pytest

from tests.documents.corpus import ROOT
from tests.files.object_storage import BUCKET, KEY, SECRET, ObjectStorage
from tests.quick_disk import quick_folder
from tests.read_only import ReadOnlyReads
from tests.row_locks import RowLocks
from tests.world import World, make_world
from workroom.api.services import Services
from workroom.bootstrap.server import open_services
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
OTHER_S3 = os.environ.get("WORKROOM_TEST_S3")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer's own settings leaks into a test."""
    for name in set(os.environ) - {"WORKROOM_TEST_DATA"}:
        if name.startswith("WORKROOM_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    # Whether tesseract is there must not decide either: what recognises by itself says so.
    monkeypatch.setenv("WORKROOM_RECOGNISE", "asked")


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


@pytest.fixture
async def address(postgres: TestPostgres) -> AsyncIterator[DatabaseAddress]:
    made = await postgres.fresh()
    yield made
    await postgres.drop(made)


@pytest.fixture
async def db(address: DatabaseAddress) -> AsyncIterator[Database]:
    opened = await Database.connect(address.application)
    yield opened
    await opened.close()


@pytest.fixture
async def other_worker(address: DatabaseAddress) -> AsyncIterator[Database]:
    """Another process, whose heartbeat comes once an hour: until then tests decide whether it is alive."""
    opened = await Database.connect(address.application)
    opened.heartbeat.seconds = 3600
    yield opened
    await opened.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    # The world has two organisations: that one of them may use a server on this machine must be said.
    return Settings(data=tmp_path / "data", login="password", port=PORT, private_addresses=True)


@pytest.fixture
async def services(settings: Settings, address: DatabaseAddress) -> AsyncIterator[Services]:
    async with open_services(settings, address, PORT) as opened:
        yield opened


@pytest.fixture
async def world(services: Services) -> World:
    return await make_world(services)


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
