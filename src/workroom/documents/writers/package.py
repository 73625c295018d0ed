"""An Office file as parts with content types and relations: read from a file that may be hostile, changed, and zipped again."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lxml import etree

from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.safe_xml import parse_xml

R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT_TYPES = "[Content_Types].xml"
UNPREFIXED: Any = {None: RELATIONS}  # not every program reads these parts with a prefix
MADE_AT = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP file can say: the same report makes the same bytes


@dataclass(frozen=True)
class PartRelation:
    id: str
    kind: str
    target: str
    is_external: bool

    @property
    def name(self) -> str:
        """The last word of its type, such as `styles`."""
        return self.kind.rpartition("/")[2]


class OfficePackage:
    """Names of parts are without the leading slash, as in the archive."""

    def __init__(self, parts: dict[str, bytes]) -> None:
        self.parts = parts

    @classmethod
    def opened(cls, data: bytes, most_parts: int, most_bytes: int, program: str) -> OfficePackage:
        """Of a file that people made with `program`. Raises DamagedDocument and DocumentTooLarge."""
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = [one for one in archive.infolist() if not one.is_dir()]
                if len(members) > most_parts or sum(one.file_size for one in members) > most_bytes:
                    raise DocumentTooLarge(
                        f"The template is too large: it unpacks to more than {most_bytes // 1_000_000} MB. Use a smaller one."
                    )
                parts = {one.filename.lstrip("/"): archive.read(one) for one in members}
                if len({name.casefold() for name in parts}) < len(members):
                    raise zipfile.BadZipFile  # programs differ in which of two they read
                return cls(parts)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError):
            raise DamagedDocument(
                f"The template cannot be opened. Save it again with {program}, and choose that."
            ) from None

    @property
    def document(self) -> str:
        """The name of the part that is the document itself."""
        return next(
            posixpath.normpath(relation.target.lstrip("/"))
            for relation in self.relations("")
            if relation.name == "officeDocument"
        )

    def xml(self, part: str) -> Any:
        return parse_xml(self.parts[part], part)

    def put(self, part: str, root: Any, content_type: str | None = None) -> None:
        self.parts[part] = serialised(root)
        if content_type:
            self.declare(part, content_type)

    def related(self, kind: str) -> str | None:
        """The part that the document relates to in this way."""
        relation = next((one for one in self.relations(self.document) if one.name == kind), None)
        part = None if relation is None else self.target(self.document, relation)
        return part if part in self.parts else None

    def target(self, part: str, relation: PartRelation) -> str:
        if relation.target.startswith("/"):
            return relation.target.lstrip("/")
        return posixpath.normpath(posixpath.join(posixpath.dirname(part), relation.target))

    def relations(self, part: str) -> Iterator[PartRelation]:
        name = relations_of(part)
        for element in self.xml(name) if name in self.parts else ():
            if isinstance(element.tag, str):
                outside = element.get("TargetMode") == "External"
                yield PartRelation(element.get("Id", ""), element.get("Type", ""), element.get("Target", ""), outside)

    def relate(self, part: str, kind: str, target: str, *, id_: str) -> None:
        """A new relation of that part."""
        self.relate_all(part, kind, {id_: target})

    def relate_all(self, part: str, kind: str, targets: Mapping[str, str], *, external: bool = False) -> None:
        name = relations_of(part)
        root = (
            self.xml(name) if name in self.parts else etree.Element(f"{{{RELATIONS}}}Relationships", nsmap=UNPREFIXED)
        )
        for id_, target in targets.items():
            values = {"Id": id_, "Type": f"{R}/{kind}", "Target": target}
            mode = {"TargetMode": "External"} if external else {}
            etree.SubElement(root, f"{{{RELATIONS}}}Relationship", values | mode)
        self.parts[name] = serialised(root)

    def drop_relations(self, part: str, ids: set[str]) -> None:
        root = self.xml(relations_of(part))
        for element in list(root):
            if element.get("Id") in ids:
                root.remove(element)
        self.parts[relations_of(part)] = serialised(root)

    def keep_reachable(self) -> None:
        """Without parts that nothing refers to, and relations of parts that are not there."""
        kept, pending = {CONTENT_TYPES}, [""]
        while pending:
            part = pending.pop()
            if (name := relations_of(part)) in self.parts:
                kept.add(name)
            for relation in self.relations(part):
                target = self.target(part, relation)
                if not relation.is_external and target in self.parts and target not in kept:
                    kept.add(target)
                    pending.append(target)
        self.parts = {name: content for name, content in self.parts.items() if name in kept}
        self.forget_missing()

    def forget_missing(self) -> None:
        """No content types of parts that are not there."""
        types = self.xml(CONTENT_TYPES)
        for element in list(types):
            name = element.get("PartName")
            if name is not None and posixpath.normpath(name.lstrip("/")) not in self.parts:
                types.remove(element)
        self.parts[CONTENT_TYPES] = serialised(types)

    def declare(self, part: str, content_type: str) -> None:
        root = self.xml(CONTENT_TYPES)
        declared = next((one for one in root if one.get("PartName") == f"/{part}"), None)
        if declared is None:
            declared = etree.SubElement(root, f"{{{TYPES}}}Override", PartName=f"/{part}")
        declared.set("ContentType", content_type)
        self.parts[CONTENT_TYPES] = serialised(root)

    def declare_ending(self, extension: str, content_type: str) -> None:
        root = self.xml(CONTENT_TYPES)
        if not any(one.get("Extension", "").lower() == extension for one in root):
            root.insert(0, etree.Element(f"{{{TYPES}}}Default", Extension=extension, ContentType=content_type))
        self.parts[CONTENT_TYPES] = serialised(root)

    def content_type(self, part: str) -> str:
        root = self.xml(CONTENT_TYPES)
        own = next((one.get("ContentType") for one in root if one.get("PartName") == f"/{part}"), None)
        ending = part.rpartition(".")[2].lower()
        common = next((one.get("ContentType") for one in root if one.get("Extension", "").lower() == ending), "")
        return str(own or common)

    def zipped(self) -> bytes:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in sorted(self.parts, key=lambda name: name != CONTENT_TYPES):  # it comes first
                archive.writestr(zipfile.ZipInfo(name, MADE_AT), self.parts[name], zipfile.ZIP_DEFLATED)
        return made.getvalue()


def relations_of(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def serialised(root: Any) -> bytes:
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
