"""Outlook messages as containers: attachments are listed and taken out, messages in messages become files."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from tests.documents.containers.hostile import source, zipped
from tests.documents.containers.messages import MSG, Streams, message, saved, sharing
from tests.documents.corpus import documents
from workroom.documents.compound_writer import compound_file
from workroom.documents.containers import UnpackingLimits, extract_path, open_container, open_inside, walk
from workroom.documents.containers.budget import UnpackingBudget
from workroom.documents.errors import ContainerLimitError, DamagedDocument, DocumentError, DocumentTooLarge
from workroom.documents.extractors.outlook_mail import EXTRACTOR
from workroom.documents.kinds import kind_of
from workroom.documents.types import ExtractionScope, SourceFile

pytestmark = pytest.mark.requirement("I4")


def stored(folder: Path, data: bytes, name: str = "mail.msg") -> SourceFile:
    path = folder / name
    path.write_bytes(data)
    return source(path, kind_of(path, name))


def deep(levels: int) -> Streams:
    made = message("core", [("core.txt", b"deep down")])
    for level in range(levels):
        made = message(f"level {level}", [made])
    return made


def test_attachments_are_listed_and_taken_out(tmp_path: Path, into: Path) -> None:
    attached = [("Übersicht.pdf", b"%PDF-1.7 " + b"x" * 9_000), ("data.zip", zipped({"a.txt": b"hello"})), ("", b"1")]
    mail = stored(tmp_path, saved(message("Three", [*attached])))
    assert mail.media_type == MSG
    with open_container(mail) as container:
        members = list(container.members())
        assert [(member.path, member.size) for member in members] == [
            ("Übersicht.pdf", 9_009),
            ("data.zip", len(attached[1][1])),
            ("attachment-3", 1),
        ]
        assert [member.media_type for member in members[:2]] == ["application/pdf", "application/zip"]
        assert list(into.iterdir()) == []
        assert [container.extract(member, into).read_bytes() for member in members] == [data for _, data in attached]
    assert extract_path(mail, "data.zip/a.txt", into).read_bytes() == b"hello"


def test_a_message_in_a_message_becomes_a_file_with_everything_in_it(tmp_path: Path, into: Path) -> None:
    mail = stored(tmp_path, saved(deep(2)))
    (outer,) = walk(mail)
    assert (outer.member.path, outer.member.media_type) == ("level 0.msg", MSG)
    inner = extract_path(mail, "level 0.msg", into)
    assert kind_of(inner, inner.name) == MSG
    told = EXTRACTOR.scan(source(inner, MSG))
    assert (told.properties["subject"], told.counts["attachments"]) == ("level 0", 1)
    texts = [item.text for item in EXTRACTOR.extract(source(inner, MSG), ExtractionScope())]
    assert "The text of level 0." in texts
    assert "The text of core." not in texts, "what is attached is read where it is opened"
    assert extract_path(mail, "level 0.msg/core.msg/core.txt", into).read_bytes() == b"deep down"
    with open_inside(mail, "level 0.msg/core.msg") as container:
        assert [member.path for member in container.members()] == ["core.txt"]


def test_messages_in_messages_are_opened_five_deep(tmp_path: Path, into: Path) -> None:
    mail = stored(tmp_path, saved(deep(5)))
    way = [f"level {level}.msg" for level in reversed(range(4))] + ["core.msg"]
    assert extract_path(mail, "/".join(way[:4]), into).is_file()
    with pytest.raises(ContainerLimitError, match="5 deep"):
        extract_path(mail, "/".join([*way, "core.txt"]), into)


@pytest.mark.parametrize("name", ["../out.txt", "/etc/passwd", "C:\\x.txt", "..", "a\nb.txt", "NUL"])
def test_names_that_lead_out_become_names(name: str, tmp_path: Path, into: Path) -> None:
    mail = stored(tmp_path, saved(message("Bad names", [(name, b"x"), (name, b"y")])))
    with open_container(mail) as container:
        found = [container.extract(member, into) for member in container.members()]
        assert len({member.path for member in container.members()}) == 2
    assert [path.read_bytes() for path in found] == [b"x", b"y"]
    assert all(path.parent.parent == into and path.name.upper() != "NUL" for path in found)


def test_attachments_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ContainerLimitError, match="share the same bytes"):
        open_container(stored(tmp_path, sharing(40, 5_000)))


def test_more_attachments_than_anybody_sends_are_refused(tmp_path: Path) -> None:
    mail = stored(tmp_path, saved(message("Crowd", [("a", b"")] * 1_001)))
    with pytest.raises(ContainerLimitError, match="1,000 attachments"):
        open_container(mail)


def test_what_is_taken_out_counts_against_the_limits(tmp_path: Path, into: Path) -> None:
    mail = stored(tmp_path, saved(message("Large", [("a.bin", bytes(6_000)), ("b.bin", bytes(6_000))])))
    with pytest.raises(ContainerLimitError, match="larger than"):
        list(walk(mail, UnpackingLimits(bytes=10_000)))
    with pytest.raises(ContainerLimitError, match="more than 1 files"):
        list(walk(mail, UnpackingLimits(files=1)))
    inner = stored(tmp_path, saved(message("Inner", [message("Large", [("a.bin", os.urandom(60_000))])])))
    with open_container(inner, UnpackingBudget(UnpackingLimits(bytes=50_000))) as container:
        (member,) = container.members()
        with pytest.raises(ContainerLimitError, match="larger than"):
            container.extract(member, into)
    assert list(into.iterdir()) == []


def test_a_message_inside_that_is_too_large_is_refused(
    tmp_path: Path, into: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = stored(tmp_path, saved(message("Outer", [message("Inner", [("a.bin", bytes(9_000))])])))
    monkeypatch.setattr("workroom.documents.outlook_message.MAX_STREAM", 9_000)
    with pytest.raises(DocumentTooLarge):
        extract_path(mail, "Inner.msg", into)
    assert list(into.iterdir()) == []


def test_an_attachment_that_is_only_an_address_is_no_file(tmp_path: Path) -> None:
    made = message("Link", [("kept.txt", b"x"), ("elsewhere.txt", b"")])
    del made["__attach_version1.0_#00000001", "__substg1.0_37010102"]
    with open_container(stored(tmp_path, saved(made))) as container:
        assert [member.path for member in container.members()] == ["kept.txt"]


def test_a_message_with_flipped_bytes_is_read_or_refused(tmp_path: Path, into: Path) -> None:
    whole = saved(message("Flip", [("a.txt", b"text" * 2_000), message("Inner", [("b.txt", b"x")])]))
    for at in range(0, len(whole), 61):
        broken = bytearray(whole)
        broken[at] ^= 0xFF
        with suppress(DocumentError):
            for item in walk(source(stored(tmp_path, bytes(broken)).path, MSG)):
                assert item.extract(into).is_relative_to(into)


def test_a_message_cut_anywhere_is_read_or_refused(tmp_path: Path, into: Path) -> None:
    whole = saved(message("Cut", [("a.txt", b"text" * 2_000), message("Inner", [("b.txt", b"x")])]))
    refused = 0
    for length in range(0, len(whole), 509):
        try:
            for item in walk(source(stored(tmp_path, whole[:length]).path, MSG)):
                assert item.extract(into).is_relative_to(into)
        except DocumentError:
            refused += 1
    assert refused > 0


@pytest.mark.parametrize("data", [b"", b"no message", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2_000)])
def test_what_is_no_message_is_refused(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(DamagedDocument):
        open_container(source(stored(tmp_path, data).path, MSG))


@pytest.mark.parametrize("path", list(documents("msg")))
def test_real_messages(path: Path, into: Path) -> None:
    told = EXTRACTOR.scan(source(path, MSG))
    found = [item.extract(into) for item in walk(source(path, MSG))]
    assert len(found) == told.counts["attachments"]
    assert all(file.stat().st_size for file in found)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 40, 200])
@pytest.mark.parametrize("size", [0, 63, 64, 4_095, 4_096, 100_000])
def test_compound_files_are_read_as_they_were_written(count: int, size: int, tmp_path: Path) -> None:
    import olefile

    streams: Streams = {(f"stream {number}",): os.urandom(size if number < 3 else 10) for number in range(count)}
    streams |= {("storage", "in it", "deep"): b"x" * 70, ("storage", "beside"): os.urandom(size)}
    path = tmp_path / "made"
    path.write_bytes(compound_file(streams))
    with olefile.OleFileIO(str(path), raise_defects=olefile.DEFECT_UNSURE) as read:
        assert {tuple(name): read.openstream(name).read() for name in read.listdir()} == streams


def test_a_compound_file_may_need_a_table_of_its_tables(tmp_path: Path) -> None:
    import olefile

    data = os.urandom(8 << 20)
    path = tmp_path / "made"
    path.write_bytes(compound_file({("large",): data, ("small",): b"y"}))
    with olefile.OleFileIO(str(path), raise_defects=olefile.DEFECT_UNSURE) as read:
        assert read.openstream("large").read() == data
