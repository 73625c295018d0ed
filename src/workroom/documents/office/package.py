"""An office file as a ZIP package: its parts, with limits on their unpacked size, and their relationships."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Self

from workroom.core.errors import NotFound
from workroom.documents.bounded import BoundedFile, ReadTooLarge
from workroom.documents.errors import DamagedDocument, DocumentTooLarge, EncryptedDocument
from workroom.documents.safe_xml import parse_xml
from workroom.documents.types import SourceFile

MAX_PARTS = 20_000
MAX_PART = 64 << 20  # bytes of one part, unpacked
MAX_ALL = 512 << 20  # bytes of all parts that are read in one go
_DIRECTORY = 16 << 20
_CHUNK = 1 << 20
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = 0x1


@dataclass(frozen=True)
class Relation:
    kind: str  # the last word of its type: `image`, `slide`, `chart`
    target: str  # the name of a part, or an address outside
    external: bool


class Package:
    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self._check_start()
        self._file = BoundedFile(source.path, at_once=_DIRECTORY)
        try:
            self._zip = zipfile.ZipFile(self._file)
        except (zipfile.BadZipFile, ReadTooLarge, OSError, ValueError, NotImplementedError) as error:
            self._file.close()
            raise self._damaged(error) from None
        if len(self._zip.infolist()) > MAX_PARTS:
            self.close()
            raise DocumentTooLarge(f"{source.name} is made of more than {MAX_PARTS:,} parts. Split it.")
        self._parts = {_normal(info.filename): info for info in self._zip.infolist()}
        self._read = 0
        self._relations: dict[str, dict[str, Relation]] = {}

    def __contains__(self, part: str) -> bool:
        return _normal(part) in self._parts

    def names(self) -> list[str]:
        """As they are written, in the order of the file."""
        return [info.filename for info in self._parts.values()]

    def size(self, part: str) -> int:
        return self._info(part).file_size

    def read(self, part: str) -> bytes:
        chunks: list[bytes] = []
        with self.open(part) as stream:
            try:
                while chunk := stream.read(_CHUNK):
                    chunks.append(chunk)
                    self._count(len(chunk), len(chunks) * _CHUNK)
            except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
                raise self._damaged(error) from None
        return b"".join(chunks)

    def head(self, part: str, length: int = 4096) -> bytes:
        """The first bytes; empty when even they cannot be read."""
        with suppress(zipfile.BadZipFile, zlib.error, EOFError, OSError), self.open(part) as stream:
            return stream.read(length)
        return b""

    def open(self, part: str) -> IO[bytes]:
        info = self._info(part)
        if info.flag_bits & _ENCRYPTED:
            raise encrypted(self.source)
        try:
            return self._zip.open(info)
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, RuntimeError) as error:
            raise self._damaged(error) from None

    def tree(self, part: str) -> Any:
        """The root of an XML part; None when there is no such part."""
        return parse_xml(self.read(part), self.source.name, recover=True) if part in self else None

    def relations(self, part: str) -> dict[str, Relation]:
        """By their ids. Part "" is the package itself."""
        if part not in self._relations:
            folder, name = posixpath.split(part)
            root = self.tree(posixpath.join(folder, "_rels", f"{name}.rels"))
            items = [] if root is None else root.iter("{*}Relationship")
            self._relations[part] = {item.get("Id", ""): _relation(folder, item) for item in items}
        return self._relations[part]

    def related(self, part: str, kind: str) -> list[str]:
        """Names of the parts that `part` refers to as `kind`."""
        relations = self.relations(part).values()
        return [relation.target for relation in relations if relation.kind == kind and not relation.external]

    def close(self) -> None:
        self._zip.close()
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _info(self, part: str) -> zipfile.ZipInfo:
        info = self._parts.get(_normal(part))
        if info is None:
            raise NotFound(f"{self.source.name} has no part {part}.")
        return info

    def _count(self, more: int, of_part: int) -> None:
        self._read += more
        if of_part > MAX_PART or self._read > MAX_ALL:
            raise DocumentTooLarge(
                f"{self.source.name} unpacks to more than can be read ({MAX_PART >> 20} MB for a part, "
                f"{MAX_ALL >> 20} MB in all). It may be made to fill memory; otherwise split it."
            )

    def _check_start(self) -> None:
        with self.source.path.open("rb") as file:
            start = file.read(8)
        if not start:
            raise DamagedDocument(f"{self.source.name} is empty. The upload may have been cut off: send it again.")
        if start == _OLE:  # how Office stores a package with a password; old formats are told apart before
            raise encrypted(self.source)

    def _damaged(self, error: Exception) -> DamagedDocument:
        return DamagedDocument(
            f"{self.source.name} is damaged or no office file ({error}). Send it again, or save it anew where it opens."
        )


def encrypted(source: SourceFile) -> EncryptedDocument:
    return EncryptedDocument(f"{source.name} wants a password. Save a copy without one and send that.")


def _relation(folder: str, item: Any) -> Relation:
    kind = item.get("Type", "").rpartition("/")[2]
    target = item.get("Target", "")
    if item.get("TargetMode") == "External":
        return Relation(kind, target, external=True)
    joined = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
    return Relation(kind, joined, external=False)


def _normal(part: str) -> str:
    """Names are compared without regard to case, and some writers use backslashes."""
    return part.replace("\\", "/").lstrip("/").casefold()
