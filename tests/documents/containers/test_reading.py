"""Honest containers of every kind: listed without unpacking, unpacked one by one."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tarfile
import zipfile
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.documents.containers.hostile import GZIP, TAR, ZIP, source, tar_member, tarred, zipped
from workroom.core.errors import NotFound
from workroom.documents.containers import UnpackingLimits, extract_path, open_container, open_inside, walk
from workroom.documents.containers.budget import UnpackingBudget
from workroom.documents.errors import DamagedDocument, UnsupportedDocument
from workroom.documents.kinds import FOLDER, kind_of
from workroom.documents.types import SourceFile

FILES = {"readme.txt": b"hello", "deep/er/data.csv": b"a,b\n1,2\n"}


def packed(path: Path) -> SourceFile:
    return source(path, kind_of(path, path.name))


def make(kind: str, folder: Path, files: Mapping[str, bytes] = FILES) -> SourceFile:
    path = folder / f"archive.{kind}"
    if kind == "zip":
        path.write_bytes(zipped(files))
    elif kind == "folder":
        for name, data in files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
    else:
        mode = {"tar": "w:", "tar.gz": "w:gz", "tar.bz2": "w:bz2", "tar.xz": "w:xz"}[kind]
        path.write_bytes(tarred(*(tar_member(name, data) for name, data in files.items()), mode=mode))
    return packed(path)


@pytest.mark.requirement("I4")
@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz", "folder"])
def test_members_are_listed_and_unpacked(kind: str, tmp_path: Path, into: Path) -> None:
    with open_container(make(kind, tmp_path)) as container:
        members = [member for member in container.members() if not member.is_folder]
        assert {member.path: member.size for member in members} == {name: len(data) for name, data in FILES.items()}
        assert {member.media_type for member in members} == {"text/plain", "text/csv"}
        assert all(member.modified is not None for member in members)
        assert list(into.iterdir()) == []
        for member in reversed(members):
            unpacked = container.extract(member, into)
            assert unpacked.read_bytes() == FILES[member.path]
            assert unpacked.is_relative_to(into)


@pytest.mark.parametrize(("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_one_compressed_file(ending: str, pack: object, tmp_path: Path, into: Path) -> None:
    path = tmp_path / f"table.csv.{ending}"
    path.write_bytes(pack(b"a,b\n" * 9))  # type: ignore[operator]
    with open_container(packed(path)) as container:
        (member,) = container.members()
        assert (member.path, member.size, member.media_type) == ("table.csv", None, "text/csv")
        assert container.extract(member, into).read_bytes() == b"a,b\n" * 9


def test_attachments_of_a_mail(tmp_path: Path, into: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "a@example.org", "b@example.org", "Zwei Anhänge"
    mail.set_content("Siehe unten.")
    mail.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="Übersicht.pdf")
    mail.add_attachment(zipped(FILES), maintype="application", subtype="zip", filename="Übersicht.zip")
    forwarded = EmailMessage()
    forwarded["Subject"] = "Before"
    forwarded.set_content("Original text.")
    mail.add_attachment(forwarded)
    path = tmp_path / "mail.eml"
    path.write_bytes(bytes(mail))
    with open_container(packed(path)) as container:
        members = list(container.members())
        assert [member.path for member in members] == ["Übersicht.pdf", "Übersicht.zip", "Before.eml"]
        assert container.extract(members[0], into).read_bytes() == b"%PDF-1.7"
    assert extract_path(packed(path), "Übersicht.zip/readme.txt", into).read_bytes() == b"hello"
    assert b"Original text." in extract_path(packed(path), "Before.eml", into).read_bytes()


@pytest.mark.requirement("I4")
def test_containers_in_containers_are_walked_through(tmp_path: Path, into: Path) -> None:
    inner = tarred(tar_member("c.txt", b"deep"), tar_member("more.gz", gzip.compress(b"deeper")), mode="w:gz")
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"x/b.tgz": inner, "no-ending": zipped(FILES), "plain.txt": b"1"}))
    found = {item.container_path: (item.depth, item.member.path) for item in walk(packed(path))}
    assert found == {
        "a.zip/x/b.tgz": (1, "x/b.tgz"),
        "a.zip/x/b.tgz/c.txt": (2, "c.txt"),
        "a.zip/x/b.tgz/more.gz": (2, "more.gz"),
        "a.zip/x/b.tgz/more.gz/more": (3, "more"),
        "a.zip/no-ending": (1, "no-ending"),
        "a.zip/no-ending/readme.txt": (2, "readme.txt"),
        "a.zip/no-ending/deep/er/data.csv": (2, "deep/er/data.csv"),
        "a.zip/plain.txt": (1, "plain.txt"),
    }
    texts = {item.container_path: item.extract(into).read_bytes() for item in walk(packed(path))}
    assert texts["a.zip/x/b.tgz/more.gz/more"] == b"deeper"


def test_a_path_is_followed_down_alone(tmp_path: Path, into: Path) -> None:
    inner = tarred(tar_member("c.txt", b"deep"), tar_member("d.txt", b"other"))
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"x/b.tar": inner, "plain.txt": b"1"}))
    assert extract_path(packed(path), "x/b.tar/c.txt", into).read_bytes() == b"deep"
    assert [file.name for file in into.rglob("*") if file.is_file()] == ["c.txt"]
    with open_inside(packed(path), "x/b.tar") as container:
        assert [member.path for member in container.members()] == ["c.txt", "d.txt"]
    with pytest.raises(NotFound):
        extract_path(packed(path), "x/b.tar/none.txt", into)
    with pytest.raises(UnsupportedDocument), open_inside(packed(path), "plain.txt"):
        pass


def test_a_damaged_inner_archive_stays_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"broken.zip": zipped(FILES)[:-30], "fine.txt": b"1"}))
    problems: list[str] = []
    found = [
        item.member.path for item in walk(packed(path), on_problem=lambda item, _: problems.append(item.container_path))
    ]
    assert (found, problems) == (["broken.zip", "fine.txt"], ["a.zip/broken.zip"])


def test_listing_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"a.txt": bytes(600)}))
    with open_container(packed(path), UnpackingBudget(UnpackingLimits(bytes=1000))) as container:
        assert list(container.members()) == list(container.members())


def test_the_same_name_twice_is_two_files(tmp_path: Path, into: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", b"one")
        for text in (b"two", b"three"):
            with pytest.warns(UserWarning, match="Duplicate"):
                archive.writestr("a.txt", text)
    path = tmp_path / "a.zip"
    path.write_bytes(buffer.getvalue())
    with open_container(packed(path)) as container:
        found = {member.path: container.extract(member, into).read_bytes() for member in container.members()}
    assert found == {"a.txt": b"one", "a (2).txt": b"two", "a (3).txt": b"three"}


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
@pytest.mark.parametrize("keep", [0.2, 0.5, 0.8])
def test_half_an_archive_is_damaged_and_leaves_nothing(kind: str, keep: float, tmp_path: Path, into: Path) -> None:
    files = {"one.bin": random.Random(1).randbytes(30_000), "two.bin": random.Random(2).randbytes(30_000)}
    whole = make(kind, tmp_path, files)
    data = whole.path.read_bytes()
    whole.path.write_bytes(data[: int(len(data) * keep)])
    found: list[Path] = []
    with pytest.raises(DamagedDocument), open_container(whole) as container:
        found.extend(container.extract(member, into) for member in container.members() if not member.is_folder)
    assert all(path.read_bytes() in files.values() for path in found)
    assert len([file for file in into.rglob("*") if file.is_file()]) == len(found)


@pytest.mark.parametrize("kind", [ZIP, TAR, GZIP, "application/x-bzip2", "application/x-xz"])
@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"\x1f\x8b\x08", b"no archive at all " * 100])
def test_what_is_no_archive_is_refused(kind: str, data: bytes, tmp_path: Path, into: Path) -> None:
    path = tmp_path / "not-an-archive"
    path.write_bytes(data)
    with pytest.raises(DamagedDocument), open_container(source(path, kind)) as container:
        for member in container.members():
            container.extract(member, into)


def test_other_archives_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x.7z"
    path.write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(30))
    with pytest.raises(UnsupportedDocument, match="as a ZIP"):
        open_container(packed(path))


def test_a_real_archive(test_data: Path, into: Path) -> None:
    archives = sorted(test_data.rglob("*.zip"))
    assert archives
    for path in archives:
        files = [item.extract(into) for item in walk(packed(path)) if not item.member.is_folder]
        assert files


def test_an_empty_folder_and_an_empty_archive_hold_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.zip").write_bytes(zipped({}))
    with tarfile.open(tmp_path / "empty.tar", "w"):
        pass
    for name, kind in (("empty", FOLDER), ("empty.zip", ZIP), ("empty.tar", TAR)):
        with open_container(source(tmp_path / name, kind)) as container:
            assert list(container.members()) == []
