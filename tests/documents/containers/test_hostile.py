"""Archives that were made to do harm (S10, S11): refused within the limits, with a sentence, and nothing left behind."""

from __future__ import annotations

import gzip
import os
import resource
import signal
import struct
import tarfile
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import pytest

from tests.documents.containers import hostile
from tests.documents.containers.hostile import GZIP, TAR, ZIP, nested, source, tar_member, tarred, zipped
from tests.documents.containers.quine import quine
from workroom.documents.containers import UnpackingLimits, extract_path, open_container, walk
from workroom.documents.errors import ContainerLimitError, DamagedDocument, DocumentError, EncryptedDocument
from workroom.documents.kinds import FOLDER, kind_of

pytestmark = pytest.mark.requirement("I4")
UNSAFE = [
    "../out.txt",
    "../",
    "a/../",
    "a/../../out.txt",
    "/etc/passwd",
    "C:/x.txt",
    "a\\..\\..\\x",
    "..\\x",
    "a\nb",
    "x/...",
    "\\\\host\\x",
]


def unpack(data: bytes, folder: Path, into: Path, kind: str = ZIP, limits: UnpackingLimits | None = None) -> list[Path]:
    """Everything that can be got out, as somebody would who trusts us."""
    path = folder / "hostile"
    path.write_bytes(data)
    return [item.extract(into) for item in walk(source(path, kind), limits) if not item.member.is_folder]


@pytest.mark.parametrize("name", UNSAFE)
def test_names_that_lead_out_are_refused(name: str, tmp_path: Path, into: Path) -> None:
    for data, kind in ((zipped({name: b"x"}), ZIP), (tarred(tar_member(name, b"x")), TAR)):
        with pytest.raises(ContainerLimitError, match="cannot be unpacked safely"):
            unpack(data, tmp_path, into, kind)
    assert list(into.iterdir()) == []


def test_a_name_with_a_zero_byte_is_not_cut_there(tmp_path: Path, into: Path) -> None:
    with pytest.raises(ContainerLimitError, match="cannot be unpacked safely"):
        unpack(hostile.named_raw(b"fine.txt\0.exe"), tmp_path, into)


@pytest.mark.parametrize("name", ["NUL", "con.txt", "folder/aux", "trailing. ", "12:30|c?.txt", ".htaccess"])
def test_names_that_some_systems_treat_specially_never_reach_the_disk(name: str, tmp_path: Path, into: Path) -> None:
    (path,) = unpack(zipped({name: b"x"}), tmp_path, into)
    assert path.name.lower() not in ("nul", "con.txt", "aux", "trailing. ", ".htaccess")
    assert not set(path.name) & set(':|?*"<>')
    assert path.read_bytes() == b"x"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused(kind: bytes, tmp_path: Path, into: Path) -> None:
    data = tarred(tar_member("innocent", kind=kind, link="/etc/passwd"), tar_member("innocent/x", b"x"))
    with pytest.raises(ContainerLimitError, match=r"link|device"):
        unpack(data, tmp_path, into, TAR)
    assert list(into.iterdir()) == []


def test_links_in_a_zip_are_refused(tmp_path: Path, into: Path) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    path = tmp_path / "links.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(ContainerLimitError, match="link"):
        unpack(path.read_bytes(), tmp_path, into)


def test_links_in_a_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(ContainerLimitError, match="link"), open_container(source(folder, FOLDER)) as container:
        list(container.members())


def test_a_link_put_there_after_listing_is_not_followed(tmp_path: Path, into: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").write_text("fine")
    with open_container(source(folder, FOLDER)) as container:
        (member,) = container.members()
        (folder / "a.txt").unlink()
        (folder / "a.txt").symlink_to("/etc/passwd")
        with pytest.raises(DamagedDocument):
            container.extract(member, into)
    assert list(into.iterdir()) == []


def test_pipes_in_a_folder_are_refused_without_waiting(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    with pytest.raises(ContainerLimitError), open_container(source(folder, FOLDER)) as container:
        list(container.members())


def test_a_bomb_of_archives_in_archives_hits_the_limit_of_bytes(tmp_path: Path, into: Path) -> None:
    """Like 42.zip: sixteen in each of sixteen, every one of them harmless by itself."""
    core = zipped({"zeros.bin": bytes(1_000_000)})
    for _ in range(2):
        core = zipped({f"{number}.zip": core for number in range(16)})
    assert len(core) < 20_000
    with pytest.raises(ContainerLimitError, match="larger than 100 MB"):
        unpack(core, tmp_path, tmp_path, limits=UnpackingLimits(bytes=100_000_000))


@pytest.mark.parametrize(("levels", "fits"), [(5, True), (6, False)])
def test_depth(levels: int, fits: bool, tmp_path: Path, into: Path) -> None:
    data = nested(levels, b"core")
    if fits:
        assert "core.txt" in [path.name for path in unpack(data, tmp_path, into)]
        return
    with pytest.raises(ContainerLimitError, match="5 deep"):
        unpack(data, tmp_path, into)
    inside = "/".join(f"level{level}.zip" for level in reversed(range(levels - 1))) + "/core.txt"
    with pytest.raises(ContainerLimitError, match="5 deep"):
        extract_path(source(tmp_path / "hostile"), inside, into)


def test_an_archive_that_holds_itself(tmp_path: Path, into: Path) -> None:
    data = quine()
    path = tmp_path / "self.zip"
    path.write_bytes(data)
    with zipfile.ZipFile(path) as archive:
        assert archive.read(archive.namelist()[0]) == data
    with pytest.raises(ContainerLimitError, match="holds itself"):
        unpack(data, tmp_path, into)


def test_files_that_share_their_bytes(tmp_path: Path, into: Path) -> None:
    data = hostile.overlapping(20, 1_000_000)
    path = tmp_path / "overlap.zip"
    path.write_bytes(data)
    with zipfile.ZipFile(path) as archive:  # the bomb works on those who do not look
        assert sum(len(archive.read(info)) for info in archive.infolist()) > 20_000_000 > 1000 * len(data)
    with pytest.raises(ContainerLimitError, match="share the same bytes"):
        unpack(data, tmp_path, into)


@pytest.mark.parametrize("claim", [10, 0, 40_000])
def test_a_zip_that_lies_about_a_size(claim: int, tmp_path: Path, into: Path) -> None:
    with pytest.raises(DocumentError):
        unpack(hostile.lying_about_size(b"x" * 20_000, claim), tmp_path, into)
    assert list(into.iterdir()) == []


def test_declared_sizes_count_before_anything_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    path.write_bytes(hostile.lying_about_size(b"x", 501_000_000))
    with pytest.raises(ContainerLimitError, match="500 MB"), open_container(source(path)) as container:
        list(container.members())


def test_what_becomes_too_much_larger_is_refused(tmp_path: Path, into: Path) -> None:
    zeros = bytes(30_000_000)
    with pytest.raises(ContainerLimitError, match="250 times"):
        unpack(zipped({"zeros.bin": zeros}), tmp_path, into)
    with pytest.raises(ContainerLimitError, match="250 times"):
        unpack(gzip.compress(zeros), tmp_path, into, GZIP)
    with pytest.raises(ContainerLimitError, match="250 times"):
        unpack(tarred(tar_member("zeros.bin", zeros), mode="w:gz"), tmp_path, into, GZIP)
    assert list(into.iterdir()) == []


def test_a_stream_without_a_size_is_cut_at_the_limit(tmp_path: Path, into: Path) -> None:
    data = gzip.compress(os.urandom(3_000_000), 0) * 2  # in two parts, so that the size at its end is not its size
    with pytest.raises(ContainerLimitError, match="larger than 2 MB"):
        unpack(data, tmp_path, into, GZIP, UnpackingLimits(bytes=2_000_000))
    assert list(into.iterdir()) == []


@pytest.mark.parametrize("files", [10_001, 100_000, 400_000])
def test_too_many_files(files: int, tmp_path: Path, into: Path) -> None:
    path = tmp_path / "crowded.zip"
    path.write_bytes(hostile.crowded(files))
    with pytest.raises(ContainerLimitError, match="10,000 files"), open_container(source(path)) as container:
        list(container.members())


def test_too_many_files_in_a_tar_and_in_levels(tmp_path: Path, into: Path) -> None:
    data = tarred(*(tar_member(f"{number}.txt") for number in range(60)))
    with pytest.raises(ContainerLimitError, match="50 files"):
        unpack(data, tmp_path, into, TAR, UnpackingLimits(files=50))
    data = zipped({f"{number}.zip": zipped({f"{name}.txt": b"" for name in range(20)}) for number in range(3)})
    with pytest.raises(ContainerLimitError, match="50 files"):
        unpack(data, tmp_path, into, ZIP, UnpackingLimits(files=50))


def test_a_tar_with_a_size_below_zero_does_not_go_in_circles(tmp_path: Path, into: Path) -> None:
    header = bytearray(tarred(tar_member("back.txt", b""))[:512])
    header[124:136] = b"\xff" * 3 + struct.pack(">q", -1024).rjust(9, b"\xff")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    with pytest.raises((ContainerLimitError, DamagedDocument)):
        unpack(bytes(header) + bytes(2048), tmp_path, into, TAR)


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE])
@pytest.mark.parametrize("size", [400_000_000, -1024])
def test_an_extended_header_of_any_size_is_not_read_into_memory(
    kind: bytes, size: int, tmp_path: Path, into: Path
) -> None:
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = kind, abs(size)
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    if size < 0:
        header[124:136] = b"\xff" * 4 + struct.pack(">q", size)
        header[148:156] = b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
    with pytest.raises((ContainerLimitError, DamagedDocument)):
        unpack(bytes(header) + bytes(4096), tmp_path, into, TAR)


def test_headers_in_headers_without_end(tmp_path: Path, into: Path) -> None:
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, 0
    with pytest.raises(DamagedDocument):
        unpack(info.tobuf(tarfile.USTAR_FORMAT) * 5000, tmp_path, into, TAR)


def test_locked_members_are_listed_and_refused(tmp_path: Path, into: Path) -> None:
    path = tmp_path / "locked.zip"
    path.write_bytes(hostile.named_raw(b"locked.txt", flags=0x1))
    with open_container(source(path)) as container:
        (member,) = container.members()
        assert member.encrypted
        with pytest.raises(EncryptedDocument, match="password"):
            container.extract(member, into)
    assert list(into.iterdir()) == []


@pytest.mark.parametrize(
    ("raw", "flags", "extra", "name"),
    [
        ("Grüße.txt".encode(), 0x800, b"", "Grüße.txt"),
        ("Grüße.txt".encode(), 0, b"", "Grüße.txt"),
        ("Grüße.txt".encode("cp437"), 0, b"", "Grüße.txt"),
        (
            b"Gr?e.txt",
            0,
            struct.pack("<HHBL", 0x7075, 14, 1, zlib.crc32(b"Gr?e.txt")) + "Größe.tx".encode()[:9],
            "Größe.t",
        ),
    ],
)
def test_names_in_other_encodings(raw: bytes, flags: int, extra: bytes, name: str, tmp_path: Path) -> None:
    path = tmp_path / "names.zip"
    path.write_bytes(hostile.named_raw(raw, flags=flags, extra=extra))
    with open_container(source(path)) as container:
        assert [member.path for member in container.members()] == [name]


def test_a_tar_name_that_is_not_utf8(tmp_path: Path) -> None:
    data = tarred(tar_member("Gr\udcfc\udcdfe.txt", b"x"))
    path = tmp_path / "names.tar"
    path.write_bytes(data)
    with open_container(source(path, TAR)) as container:
        assert [member.path for member in container.members()] == ["Grüße.txt"]


def test_a_broken_utf8_name_is_damage(tmp_path: Path, into: Path) -> None:
    with pytest.raises(DamagedDocument):
        unpack(hostile.named_raw(b"\xff\xfe.txt", flags=0x800), tmp_path, into)


def test_a_walk_that_is_not_finished_leaves_nothing(tmp_path: Path, scratch: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(nested(4, b"core"))
    found = walk(source(path))
    for item in found:
        if item.depth == 3:
            break
    assert list(scratch.iterdir())
    found.close()  # type: ignore[attr-defined]
    assert list(scratch.iterdir()) == []


def test_a_full_disk_leaves_nothing(tmp_path: Path, into: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zipped({"a.bin": os.urandom(300_000)}))
    with open_container(source(path)) as container:
        (member,) = container.members()
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))  # a disk with room for a third of it
        try:
            with pytest.raises(OSError, match="too large"):
                container.extract(member, into)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, ignored)
    assert list(into.iterdir()) == []


def test_any_bytes_after_an_honest_beginning_are_an_error_or_a_list(tmp_path: Path, into: Path) -> None:
    """Every byte of small archives flipped once: never anything but a DocumentError."""
    files = {"a/b.txt": b"hello hello hello", "c.zip": zipped({"d.txt": b"1"})}
    honest = [zipped(files), tarred(*(tar_member(name, data) for name, data in files.items()))[:2048]]
    for data in honest:
        for at in range(0, len(data), 1 if len(data) < 600 else 7):
            broken = bytearray(data)
            broken[at] ^= 0xFF
            path = tmp_path / "flipped"
            path.write_bytes(broken)
            with suppress(DocumentError):
                for item in walk(source(path, kind_of(path, "x.zip") if data is honest[0] else TAR)):
                    if not item.member.is_folder:
                        assert item.extract(into).is_relative_to(into)
