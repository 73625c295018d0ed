"""What a shape may hold beside text: a table, a chart, a diagram, a picture, a recording, an object of another program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DocumentError
from workroom.documents.office.package import Package, Relation
from workroom.documents.office.paragraphs import paragraphs, run_text
from workroom.documents.types import ContentType

_MAX_CELLS = 200_000
_MEDIA = {"videoFile": ContentType.VIDEO, "audioFile": ContentType.AUDIO, "wavAudioFile": ContentType.AUDIO}


@dataclass(frozen=True)
class FramePart:
    """A part inside the package, and what it is to the reader."""

    part: str
    content_type: ContentType


def table_rows(frame: Any) -> list[list[str]]:
    """Merged cells say once in each of their rows what they say: every row can be read alone."""
    table = frame.find(".//{*}tbl")
    rows: list[list[str]] = []
    cells = 0
    for row in [] if table is None else table.iterfind("{*}tr"):
        current: list[str] = []
        for item in row.iterfind("{*}tc"):
            current.append(_cell(item, current, rows))
        rows.append(current)
        cells += len(current)
        if cells > _MAX_CELLS:
            break
    return rows


def _cell(item: Any, row: list[str], above: list[list[str]]) -> str:
    if item.get("hMerge") in ("1", "true") and row:
        return ""
    if item.get("vMerge") in ("1", "true") and above and len(above[-1]) > len(row):
        return above[-1][len(row)]
    body = item.find("{*}txBody")
    return "" if body is None else " ".join(paragraphs(body))


def chart_of(package: Package, part: str, frame: Any) -> Any:
    """The root of the chart in a frame; None when there is none."""
    for reference in frame.iter("{*}chart"):
        target = _target(package, part, reference, "id")
        if target:
            return package.tree(target)
    return None


def diagram_texts(package: Package, part: str, frame: Any) -> list[str]:
    """The words in a SmartArt diagram."""
    for reference in frame.iter("{*}relIds"):
        target = _target(package, part, reference, "dm")
        root = package.tree(target) if target else None
        points = [] if root is None else root.iter("{*}pt")
        texts = (" ".join(run_text(paragraph) for paragraph in point.iter("{*}p")).strip() for point in points)
        return [f"- {text}" for text in texts if text]
    return []


def parts_in_frame(package: Package, part: str, element: Any) -> Iterator[FramePart]:
    """Recordings and objects before the picture that stands for them."""
    relations = package.relations(part)
    seen: set[str] = set()
    for reference in element.iter():
        name = local_name(reference)
        if name in _MEDIA:
            target = _inside(package, relations, _ids(reference))
            content_type = _MEDIA[name]
        elif name == "media":
            target, content_type = _inside(package, relations, _ids(reference)), ContentType.VIDEO
        elif name == "oleObj":
            target, content_type = _inside(package, relations, _ids(reference)), ContentType.OTHER
        elif name == "blip":
            target, content_type = _inside(package, relations, _ids(reference)), ContentType.IMAGE
        elif name == "svgBlip":
            continue  # the same picture again, for programs that draw vectors
        else:
            continue
        if target and target not in seen:
            seen.add(target)
            yield FramePart(target, content_type)


def links_outside(package: Package, part: str, element: Any) -> list[str]:
    """Addresses of recordings that are not in the file; they are named, never fetched."""
    relations = package.relations(part)
    referenced = (
        relations.get(id_) for reference in element.iter() if local_name(reference) in _MEDIA for id_ in _ids(reference)
    )
    return [relation.target for relation in referenced if relation is not None and relation.external]


def _ids(reference: Any) -> list[str]:
    """Values of its attributes `embed`, `link`, `id`, whichever namespace the dialect uses; what is inside first."""
    attributes = {name.rpartition("}")[2]: value for name, value in reference.attrib.items() if "}" in name}
    return [attributes[name] for name in ("embed", "id", "link") if name in attributes]


def _inside(package: Package, relations: dict[str, Relation], ids: list[str]) -> str | None:
    for id_ in ids:
        relation = relations.get(id_)
        if relation is not None and not relation.external and relation.target in package:
            return relation.target
    return None


def _target(package: Package, part: str, reference: Any, name: str) -> str | None:
    try:
        relations = package.relations(part)
    except DocumentError:
        return None
    attributes = {key.rpartition("}")[2]: value for key, value in reference.attrib.items() if "}" in key}
    return _inside(package, relations, [attributes[name]] if name in attributes else [])
