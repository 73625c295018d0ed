"""H4: whatever the index knows of a file and of its passages can be asked for over HTTP, by whoever may read the file."""

from __future__ import annotations

import re

import pytest

from tests.contents.room import numbered_pdf
from tests.documents.containers.hostile import zipped
from tests.files.sending import make
from tests.knowledge.room import Library
from workroom.identity.sharing import Visibility

OF_FILES = (
    "id userId featureInstanceId mandateId isShared fileName mimeType containerPath totalObjects totalSize structure"
    " objectSummary extractedAt status"
)
OF_CHUNKS = "id contentObjectId fileId userId featureInstanceId contentType data contextRef summary metadata embedding"


@pytest.mark.requirement("H4")
async def test_every_field_of_a_file_and_its_chunks(shelf: Library) -> None:
    world = shelf.world
    file = await shelf.put("report.pdf", numbered_pdf(12), visibility=Visibility.GROUP)
    index = (await world.call("rita", "GET", f"/api/files/{file.id}/index")).json()
    assert set(OF_FILES.split()) <= set(index)
    assert (index["id"], index["fileName"], index["status"]) == (str(file.id), "report.pdf", "extracted")
    assert (index["userId"], index["isShared"]) == (str(world["bob"].user.id), False)
    assert (index["structure"]["pages"], index["totalObjects"], len(index["objectSummary"])) == (12, 12, 12)
    assert index["structure"]["counts"]["pages"] == 12, index["structure"]["counts"]
    assert index["objectSummary"][6]["location"].startswith("page:7/")
    state = (await world.call("rita", "GET", f"/api/files/{file.id}/knowledge")).json()
    assert (state["state"], state["chunks"], state["done"], state["total"]) == ("indexed", 12, 12, 12)

    chunks = (await world.call("rita", "GET", f"/api/files/{file.id}/knowledge/chunks")).json()["items"]
    assert len({chunk["id"] for chunk in chunks}) == len(chunks) == 12
    seventh = chunks[6]
    assert set(seventh) == set(OF_CHUNKS.split())
    assert (seventh["fileId"], seventh["contentType"]) == (str(file.id), "text")
    assert (seventh["contextRef"]["containerPath"], seventh["contextRef"]["pageIndex"]) == ("report.pdf", 6)
    assert seventh["contentObjectId"] == index["objectSummary"][6]["location"] == seventh["contextRef"]["location"]
    assert "This is page number 7" in seventh["data"]
    assert seventh["data"].startswith(seventh["summary"][:20])
    assert all(chunk["embedding"] == {"model": state["embedder"], "dimensions": 256} for chunk in chunks)
    [hit] = await shelf.find("page number 7", most_instance=1)
    assert hit.chunks == [seventh["metadata"]["number"]]


async def test_they_come_in_pages_and_from_archives(shelf: Library) -> None:
    text = "\n\n".join(f"# Part {n}\n\nSentence number {n}." for n in range(5))
    file = await shelf.put("box.zip", zipped({"docs/long.md": text.encode()}))
    path, seen, cursor = f"/api/files/{file.id}/knowledge/chunks", list[str](), "0"
    while cursor is not None:
        page = (await shelf.world.call("bob", "GET", f"{path}?limit=2&cursor={cursor}")).json()
        assert len(page["items"]) <= 2
        seen += [chunk["data"] for chunk in page["items"]]
        assert {chunk["contextRef"]["containerPath"] for chunk in page["items"]} == {"box.zip/docs/long.md"}
        cursor = page["nextCursor"]
    assert re.findall(r"number (\d)", "".join(seen)) == ["0", "1", "2", "3", "4"]


async def test_an_old_version_has_no_chunks_and_a_waiting_file_none_yet(shelf: Library) -> None:
    file = await shelf.put("note.txt", "The old text.")
    path = f"/api/files/{file.id}/knowledge/chunks"
    assert [c["data"] for c in (await shelf.world.call("bob", "GET", path)).json()["items"]] == ["The old text."]
    await make(shelf.world, "bob", "note.txt", b"The new text.")
    assert (await shelf.world.call("bob", "GET", path)).json() == {"items": [], "nextCursor": None}
    await shelf.settle()
    assert [c["data"] for c in (await shelf.world.call("bob", "GET", path)).json()["items"]] == ["The new text."]
    assert (await shelf.world.call("rita", "GET", path)).status_code == 404
