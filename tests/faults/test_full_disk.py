"""Drill R5, the whole server on one full disk: files, what is unpacked, and PostgreSQL itself have no room left."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from tests.faults.process import Workroom
from tests.faults.tiny_disk import TinyDisk, tiny_disk

Serve = Callable[..., Workroom]
MB = 1 << 20
ROOM = 24 * MB  # beside what a fresh house needs
CHUNK = 2 * MB
HONEST = {503, 507}


@pytest.fixture
def disk() -> Iterator[TinyDisk]:
    folder = Path(tempfile.mkdtemp(prefix="wr-full-")).resolve()
    folder.chmod(0o755)  # PostgreSQL may run as somebody else
    try:
        with tiny_disk(folder / "disk", 1 << 30, inodes=100_000) as made:
            yield made
    finally:
        shutil.rmtree(folder)


@pytest.mark.drill
def test_a_house_without_room_refuses_and_goes_on_when_there_is_some(
    disk: TinyDisk, started_once: Path, serve: Serve
) -> None:
    data = disk.path / "data"
    shutil.copytree(started_once, data)
    workroom = serve(data)
    with workroom.signed_in() as client:
        instance = client.get("/api/session").json()["defaultInstanceId"]
        kept = store(client, instance, "kept.bin", os.urandom(CHUNK))
        used = shutil.disk_usage(disk.path).used
        disk.resize(used + ROOM, inodes=100_000)
        answers: Counter[int] = Counter()
        for number in range(30):
            answers[begin_and_send(client, instance, f"{number}.bin")] += 1
        assert answers[507] > 0, f"it ran full: {answers}"
        fill(disk.path / "filler")
        for number in range(300):  # the database needs room for these
            body = {"title": f"{number}", "text": os.urandom(4_000).hex()}
            note = client.post(f"/api/workspace/{instance}/notes", json=body)
            answers[note.status_code] += 1
        assert {status for status in answers if status >= 400} <= HONEST, answers
        assert client.get(f"/api/files/{kept}/content").status_code in {200, *HONEST}
        (disk.path / "filler").unlink()
        disk.resize(1 << 30, inodes=100_000)
        workroom.wait_until(lambda: is_writable(client, instance), "writable again")
        assert len(client.get(f"/api/files/{kept}/content").content) == CHUNK
        store(client, instance, "afterwards.bin", os.urandom(CHUNK))
    print(f"answers {dict(answers)}")
    assert workroom.stop() == 0


def begin_and_send(client: httpx2.Client, instance: str, name: str) -> int:
    """The status of the first step that was refused, or of the last."""
    begun = client.post(f"/api/workspace/{instance}/uploads", json={"name": name, "size": CHUNK})
    if begun.status_code != 201:
        return begun.status_code
    upload = f"/api/uploads/{begun.json()['uploadId']}"
    sent = client.patch(upload, content=os.urandom(CHUNK), headers={"Upload-Offset": "0"})
    return sent.status_code if sent.status_code != 200 else client.post(f"{upload}/finish", json={}).status_code


def store(client: httpx2.Client, instance: str, name: str, content: bytes) -> str:
    begun = client.post(f"/api/workspace/{instance}/uploads", json={"name": name, "size": len(content)})
    upload = f"/api/uploads/{begun.raise_for_status().json()['uploadId']}"
    client.patch(upload, content=content, headers={"Upload-Offset": "0"}).raise_for_status()
    return str(client.post(f"{upload}/finish", json={}).raise_for_status().json()["id"])


def is_writable(client: httpx2.Client, instance: str) -> bool:
    return client.post(f"/api/workspace/{instance}/notes", json={"title": "again"}).status_code == 201


def fill(path: Path) -> None:
    """Whatever is left."""
    with path.open("wb", buffering=0) as file:
        for size in (MB, 4096):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
