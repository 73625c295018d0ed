"""The store that the settings name, in the whole application: two machines, a storage that is away, a wrong setting."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.files.object_storage import ObjectStorage
from tests.files.sending import begin, content, patch, upload
from tests.world import World
from workroom import worker
from workroom.bootstrap.server import open_services
from workroom.bootstrap.worker import WorkerServices
from workroom.core.clock_jumps import ClockJumps
from workroom.core.errors import ConfigurationError
from workroom.db import Database, DatabaseAddress
from workroom.files.blob_stores import open_store
from workroom.files.disk import DiskBlobStore
from workroom.files.s3 import S3BlobStore
from workroom.files.s3_bucket import Bucket, BucketConfig
from workroom.settings import Settings

CHUNK = b"0123456789" * 1000


def on_s3(data: Path, place: BucketConfig) -> Settings:
    return Settings.load(
        data=data,
        login="password",
        blobs_url=f"s3://{place.bucket}/{place.root}",
        blobs_endpoint=place.endpoint,
        blobs_key=place.key,
        blobs_secret=place.secret,
    )


@pytest.fixture
def settings(tmp_path: Path, s3_place: BucketConfig) -> Settings:
    return on_s3(tmp_path / "one", s3_place)


@pytest.fixture
async def other(world: World, address: DatabaseAddress, tmp_path: Path, s3_place: BucketConfig) -> AsyncIterator[World]:
    """The same people at another machine."""
    async with open_services(on_s3(tmp_path / "two", s3_place), address, 8420) as services:
        yield replace(world, services=services)


async def test_an_upload_begins_at_one_machine_and_ends_at_another(
    world: World, other: World, object_storage: ObjectStorage, tmp_path: Path
) -> None:
    upload_id = (await begin(world, "bob", size=2 * len(CHUNK))).json()["uploadId"]
    assert (await patch(world, "bob", upload_id, 0, CHUNK)).json()["offset"] == len(CHUNK)
    assert (await patch(other, "bob", upload_id, len(CHUNK), CHUNK)).json()["offset"] == 2 * len(CHUNK)
    finished = await other.call("bob", "POST", f"/api/uploads/{upload_id}/finish", {})
    assert finished.json()["hash"] == hashlib.sha256(2 * CHUNK).hexdigest()
    for machine in (world, other):
        assert (await content(machine, "bob", finished.json()["id"])).content == 2 * CHUNK
    assert len(object_storage.objects) == 1
    assert not any((tmp_path / name / "blobs").exists() for name in ("one", "two")), "nothing lies on a disk"


async def test_a_storage_that_is_away_is_told_as_such_and_nothing_is_lost(
    world: World, object_storage: ObjectStorage
) -> None:
    file = await upload(world, "bob", b"stored before")
    upload_id = (await begin(world, "bob", size=len(CHUNK))).json()["uploadId"]
    object_storage.fault = lambda _: 403  # as 503, but not tried again
    for answer in (await patch(world, "bob", upload_id, 0, CHUNK), await content(world, "bob", file["id"])):
        assert (answer.status_code, answer.json()["code"]) == (503, "storageUnavailable")
    object_storage.fault = lambda _: None
    assert (await content(world, "bob", file["id"])).content == b"stored before"
    assert (await patch(world, "bob", upload_id, 0, CHUNK)).json()["offset"] == len(CHUNK)


async def test_housekeeping_does_what_needs_no_storage(
    db: Database, s3_place: BucketConfig, object_storage: ObjectStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[Database]()

    async def compacted(given: Database) -> None:
        done.append(given)

    monkeypatch.setattr(worker, "compact_finished", compacted)
    object_storage.fault = lambda _: "away"
    store = S3BlobStore(Bucket(s3_place, pause=0.001), cast(Any, None), tmp_path)

    async def noticed() -> None: ...

    idle = SimpleNamespace(notice=noticed)
    worker_services = cast(
        WorkerServices,
        SimpleNamespace(answerer=idle, scanner=idle, indexer=idle, outdated=idle, evaluator=idle, blobs=store),
    )
    await worker.housekeeping(db, worker_services, ClockJumps())
    assert object_storage.asked
    assert done == [db]


async def test_without_a_setting_it_is_the_disk(tmp_path: Path) -> None:
    async with open_store(Settings(data=tmp_path), "postgresql://nobody@127.0.0.1:1/none") as store:
        assert isinstance(store, DiskBlobStore)


@pytest.mark.parametrize(
    ("name", "given", "named"),
    [
        ("BLOBS", "https://s3.example.org/bucket", "WORKROOM_BLOBS"),
        ("BLOBS", "s3://", "WORKROOM_BLOBS"),
        ("BLOBS", "s3://bucket/../other", "WORKROOM_BLOBS"),
        ("BLOBS", "s3://key:secret@bucket", "WORKROOM_BLOBS"),
        ("BLOBS_ENDPOINT", "s3.example.org", "WORKROOM_BLOBS_ENDPOINT"),
        ("BLOBS_KEY", "key", "WORKROOM_BLOBS_SECRET"),
        ("BLOBS_SECRET", "secret", "WORKROOM_BLOBS_SECRET"),
    ],
)
def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, name: str, given: str, named: str) -> None:
    monkeypatch.setenv(f"WORKROOM_{name}", given)
    with pytest.raises(ConfigurationError, match=f"^{named} is not usable"):
        Settings.load()


def test_the_secret_is_not_shown(tmp_path: Path, s3_place: BucketConfig) -> None:
    assert s3_place.secret
    assert s3_place.secret not in repr(on_s3(tmp_path, s3_place))
    assert s3_place.secret not in repr(s3_place)
