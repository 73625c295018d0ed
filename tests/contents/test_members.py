"""What lies in archives and mails: listed without unpacking, read like any file, taken out when somebody wants it."""

from __future__ import annotations

import gzip
import io
import tarfile
from email.message import EmailMessage

import pytest

from tests.contents.room import Desk, numbered_pdf, scalar
from tests.documents.containers.hostile import crowded, lying_about_size, named_raw, nested, overlapping, zipped
from tests.documents.containers.messages import message, saved, sharing
from tests.documents.containers.quine import quine
from tests.files.sending import names
from tests.world import World
from workroom.files.quotas import Quotas


async def paths(desk: Desk, **query: object) -> list[str]:
    return [member["path"] for member in (await desk.told("members", **query))["items"]]


@pytest.mark.requirement("I4")
async def test_an_archive_is_listed_before_anything_in_it_is_unpacked(world: World) -> None:
    desk = await Desk.with_file(
        world, "project.zip", zipped({"readme.md": b"# Hi", "docs/report.pdf": numbered_pdf(3)})
    )
    found = await desk.told("reading")
    assert (found["isContainer"], found["structure"]["kind"]) == (True, "container")
    assert found["structure"]["counts"]["files"] == 2
    members = (await desk.told("members"))["items"]
    assert [(m["path"], m["mediaType"], m["opens"]) for m in members] == [
        ("readme.md", "text/markdown", False),
        ("docs/report.pdf", "application/pdf", False),
    ]
    assert await paths(desk, q="REPORT") == ["docs/report.pdf"]
    assert desk.did("members") == 0


@pytest.mark.requirement("I4")
async def test_a_document_in_an_archive_is_read_like_any_other(world: World) -> None:
    desk = await Desk.with_file(world, "project.zip", zipped({"docs/report.pdf": numbered_pdf(50)}))
    where = {"inside": "docs/report.pdf"}
    found = await desk.told("reading", **where)
    assert (found["name"], found["mediaType"], found["structure"]["pages"]) == ("report.pdf", "application/pdf", 50)
    for _ in range(2):
        objects = (await desk.told("objects", part="page:47", **where))["items"]
        assert [item["text"] for item in objects] == ["This is page number 47"]
        assert objects[0]["ref"]["containerPath"] == "project.zip/docs/report.pdf"
    assert (desk.did("parts"), desk.did("members")) == (1, 1)
    assert (await desk.ask("pages/47/image", **where)).status_code == 200
    assert len((await desk.told("find", q="number 47", **where))["hits"]) == 1


@pytest.mark.requirement("H3")
async def test_the_same_content_in_an_archive_and_alone_is_read_once(world: World) -> None:
    alone = await Desk.with_file(world, "report.pdf", numbered_pdf(3))
    packed = await Desk.with_file(world, "project.zip", zipped({"other.pdf": numbered_pdf(3)}))
    await alone.texts(part="page:2")
    looks = alone.did("scans")
    assert await packed.texts(part="page:2", inside="other.pdf") == ["This is page number 2"]
    assert alone.did("parts") == 1
    assert alone.did("scans") == looks + 1, "the archive itself"


async def test_archives_in_archives_open_one_after_the_other(world: World) -> None:
    inner = zipped({"deep/a.txt": b"found me"})
    desk = await Desk.with_file(
        world, "outer.zip", zipped({"in/inner.zip": inner, "b.txt.gz": gzip.compress(b"other")})
    )
    members = (await desk.told("members"))["items"]
    assert {m["path"]: m["opens"] for m in members} == {"in/inner.zip": True, "b.txt.gz": True}
    assert await paths(desk, inside="in/inner.zip") == ["deep/a.txt"]
    assert await desk.texts(inside="in/inner.zip/deep/a.txt") == ["found me"]
    assert await desk.texts(inside="b.txt.gz/b.txt") == ["other"]


@pytest.mark.requirement("I4")
async def test_five_deep_and_no_deeper(world: World) -> None:
    desk = await Desk.with_file(world, "deep.zip", nested(6, b"core"))
    inside: list[str] = []
    for _ in range(5):
        query = {"inside": "/".join(inside)} if inside else {}
        inside += [(await paths(desk, **query))[0]]
    refused = await desk.ask("members", inside="/".join(inside))
    assert refused.status_code == 200
    deeper = await desk.ask("reading", inside="/".join([*inside, "core.txt"]))
    assert (deeper.status_code, deeper.json()["code"]) == (422, "containerLimit")


@pytest.mark.requirement("I4")
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(named_raw(b"../../etc/passwd"), id="traversal"),
        pytest.param(overlapping(50, 5_000_000), id="overlapping"),
        pytest.param(crowded(10_001), id="too many"),
    ],
)
async def test_hostile_archives_are_refused_and_nothing_of_them_is_kept(world: World, content: bytes) -> None:
    desk = await Desk.with_file(world, "bad.zip", content)
    found = await desk.told("reading")
    if found["problem"] is None:  # it shows when something is taken out
        refused = await desk.ask("reading", inside=(await paths(desk))[0])
        assert (refused.status_code, refused.json()["code"]) == (422, "containerLimit")
    else:
        assert found["problem"]["code"] == "containerLimit"
        assert (await desk.ask("members")).status_code == 422
    bob = world["bob"].principal
    async with world.services.db.unit_of_work(bob.actor) as uow:
        assert await uow.fetchval("select count(*) from content_members where hash is not null") == 0
        assert await uow.fetchval("select count(*) from content_objects") == 0
    scratch = world.services.settings.scratch
    assert not [path for path in scratch.rglob("*") if path.is_file()] if scratch.exists() else True


async def test_an_archive_that_contains_itself_ends(world: World) -> None:
    desk = await Desk.with_file(world, "quine.zip", quine())
    (name,) = await paths(desk)
    inside = [name]
    for _ in range(4):
        assert await paths(desk, inside="/".join(inside)) == [name]
        inside.append(name)
    refused = await desk.ask("members", inside="/".join([*inside, name]))
    assert (refused.status_code, refused.json()["code"]) == (422, "containerLimit")


async def test_a_size_that_lies_is_refused_when_it_is_unpacked(world: World) -> None:
    desk = await Desk.with_file(world, "liar.zip", lying_about_size(b"x" * 5_000, 10))
    (name,) = await paths(desk)
    assert (await desk.ask("reading", inside=name)).status_code == 422


@pytest.mark.parametrize(
    "inside", ["nothing.txt", "a.txt/deeper", "docs", "../a.txt", "/a.txt", "a\x00b", "docs/../a.txt"]
)
async def test_paths_that_lead_nowhere(world: World, inside: str) -> None:
    desk = await Desk.with_file(world, "p.zip", zipped({"a.txt": b"text", "docs/b.txt": b"text"}))
    assert (await desk.ask("reading", inside=inside)).status_code in (404, 422)


async def test_a_mail_has_its_attachments(world: World) -> None:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "Figures", "a@example.org", "b@example.org"
    mail.set_content("See the report.")
    mail.add_attachment(numbered_pdf(2), maintype="application", subtype="pdf", filename="report.pdf")
    desk = await Desk.with_file(world, "mail.eml", bytes(mail))
    found = await desk.told("reading")
    assert (found["isContainer"], found["structure"]["kind"]) == (False, "mail")
    assert "report.pdf" in await paths(desk)
    assert await desk.texts(part="page:2", inside="report.pdf") == ["This is page number 2"]


async def test_nobody_learns_how_somebody_else_called_the_same_bytes(world: World) -> None:
    packed = gzip.compress(b"the same", mtime=0)
    mine = await Desk.with_file(world, "my secret plan.txt.gz", packed)
    hers = await Desk.with_file(world, "harmless.csv.gz", packed, person="alice")
    assert await paths(mine) == ["my secret plan.txt"]
    assert await mine.texts(inside="my secret plan.txt") == ["the same"]
    assert await paths(hers) == ["harmless.csv"]
    found = await hers.told("objects", inside="harmless.csv")
    assert "secret" not in str(found)
    assert (await hers.ask("reading", inside="my secret plan.txt")).status_code == 404


async def test_members_have_bytes_in_ranges(world: World) -> None:
    desk = await Desk.with_file(world, "p.zip", zipped({"a.txt": b"0123456789"}))
    async with world.client("bob", {"Range": "bytes=2-4"}) as client:
        part = await client.get(f"/api/files/{desk.file_id}/content", params={"inside": "a.txt", "inline": True})
    assert (part.status_code, part.content) == (206, b"234")
    assert part.headers["content-type"] == "text/plain; charset=utf-8"
    whole = await desk.ask("content", inside="a.txt")
    assert whole.content == b"0123456789"
    assert 'filename="a.txt"' in whole.headers["content-disposition"]


async def test_members_are_taken_out_as_files(world: World) -> None:
    packed = zipped({"a.txt": b"one", "in/b.txt": b"two", "c.txt": b"three"})
    desk = await Desk.with_file(world, "p.zip", packed)
    taken = await desk.post("members/extract", paths=["a.txt", "in/b.txt"])
    assert taken.status_code == 201, taken.text
    assert [(f["name"], f["description"]) for f in taken.json()["items"]] == [
        ("a.txt", "From p.zip/a.txt"),
        ("b.txt", "From p.zip/in/b.txt"),
    ]
    assert sorted(await names(world, "bob")) == ["a.txt", "b.txt", "p.zip"]
    missing = await desk.post("members/extract", paths=["c.txt", "nothing.txt"])
    assert missing.status_code == 404
    assert "c.txt" not in await names(world, "bob"), "all of them or none"


async def test_a_reader_may_look_inside_but_not_take_out(world: World) -> None:
    desk = await Desk.with_file(world, "p.zip", zipped({"a.txt": b"one"}), visibility="GROUP")
    rita = Desk(world, desk.file_id, "rita")
    assert await rita.texts(inside="a.txt") == ["one"]
    assert (await rita.post("members/extract", paths=["a.txt"])).status_code == 403


async def test_a_long_list_goes_on(world: World) -> None:
    desk = await Desk.with_file(world, "many.zip", zipped({f"{n:03}.txt": b"" for n in range(25)}))
    first = await desk.told("members", limit=10)
    assert [m["path"] for m in first["items"]] == [f"{n:03}.txt" for n in range(10)]
    rest = await desk.told("members", limit=1000, cursor=first["nextCursor"])
    assert len(rest["items"]) == 15
    assert rest["nextCursor"] is None


@pytest.mark.requirement("I4")
async def test_an_outlook_message_has_its_attachments_and_messages_in_it(world: World) -> None:
    inner = message("The older one", [("notes.txt", b"found deep inside")])
    mail = saved(message("Figures", [("report.pdf", numbered_pdf(2)), inner], body="See the report."))
    desk = await Desk.with_file(world, "mail.msg", mail)
    found = await desk.told("reading")
    assert (found["isContainer"], found["structure"]["kind"]) == (False, "mail")
    members = (await desk.told("members"))["items"]
    assert [(member["path"], member["opens"]) for member in members] == [
        ("report.pdf", False),
        ("The older one.msg", True),
    ]
    assert await desk.texts(part="page:2", inside="report.pdf") == ["This is page number 2"]
    assert await paths(desk, inside="The older one.msg") == ["notes.txt"]
    assert "The text of The older one." in await desk.texts(inside="The older one.msg")
    assert await desk.texts(inside="The older one.msg/notes.txt") == ["found deep inside"]
    assert "The text of The older one." not in await desk.texts()
    taken = await desk.post("members/extract", paths=["The older one.msg"])
    assert taken.status_code == 201, taken.text


@pytest.mark.requirement("I4")
async def test_attachments_of_a_hostile_outlook_message_are_refused_and_none_is_kept(world: World) -> None:
    desk = await Desk.with_file(world, "bad.msg", sharing(40, 5_000))
    found = await desk.told("reading")
    assert found["problem"] is None, "what it says itself can be read"
    assert any("share the same bytes" in note for note in found["structure"]["notes"])
    assert (await desk.told("members"))["items"] == []
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        assert await uow.fetchval("select count(*) from content_members") == 0


@pytest.mark.parametrize("member", ["report", "content"])
async def test_a_compressed_tar_keeps_the_names_in_it(world: World, member: str) -> None:
    """However the archive is called: its members have names of their own."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        info = tarfile.TarInfo(member)
        info.size = 5
        archive.addfile(info, io.BytesIO(b"hello"))
    desk = await Desk.with_file(world, "report.gz", made.getvalue())
    assert [item["path"] for item in (await desk.told("members"))["items"]] == [member]
    assert await desk.texts(inside=member) == ["hello"]


async def test_what_there_is_no_room_for_is_not_taken_out(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """100 members at a time, each as large as a file may be: nothing of it may lie on the disk for a day."""
    archive = zipped({f"{n}.bin": bytes([n]) * 10_000 for n in range(5)})
    desk = await Desk.with_file(world, "a.zip", archive)
    small = Quotas(file=10**9, user=len(archive) + 20_000)
    for where in (world.services.files, world.services.files._contents):
        monkeypatch.setattr(where, "_quotas", small)
    before = await scalar(world, "select count(*) from blobs")
    refused = await desk.post("members/extract", paths=[f"{n}.bin" for n in range(5)])
    assert (refused.status_code, refused.json()["code"]) == (413, "quotaExceeded")
    assert await scalar(world, "select count(*) from blobs") == before
