"""Jobs a child can do. Each is a generator of frames, so that results are sent as they are produced."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, cast

from workroom.core.wire import Wire
from workroom.documents import kinds, model_images, ocr
from workroom.documents.containers import FoundMember, extract_path, open_inside, walk
from workroom.documents.containers.types import WalkedMember
from workroom.documents.errors import DamagedDocument, DocumentError, EncryptedDocument, UnsupportedDocument
from workroom.documents.ports import Paged, Placed, Searching
from workroom.documents.text_search import find_in_objects
from workroom.documents.types import Element
from workroom.documents.web_page import read_page
from workroom.documents.workers.frames import PIECE, Frame, FrameType
from workroom.documents.workers.registry import ExtractorRegistry
from workroom.documents.workers.serialisation import source_in, wanted_in

Request = dict[str, Any]


def run_job(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    return _JOBS[request["do"]](registry, request)


def _scan(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    source = source_in(request["source"])
    yield _value(registry.of(source.media_type).scan(source))


def _extract(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    source = source_in(request["source"])
    yield from map(_value, registry.of(source.media_type).extract(source, wanted_in(request["wanted"])))


def _element(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    source = source_in(request["source"])
    yield from _in_pieces(registry.of(source.media_type).element(source, request["location"]))


def _page_image(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    source = source_in(request["source"])
    extractor = registry.of(source.media_type)
    if not hasattr(extractor, "page_image"):
        raise UnsupportedDocument("The pages of this kind of document cannot be shown as pictures.")
    yield from _in_pieces(cast(Paged, extractor).page_image(source, request["page_index"], request["width"]))


def _page_text(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    source = source_in(request["source"])
    extractor = registry.of(source.media_type)
    if not hasattr(extractor, "page_text"):
        raise UnsupportedDocument("Where words stand on a page is not known for this kind of document.")
    yield _value(cast(Placed, extractor).page_text(source, request["page_index"]))


def _find(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    source, text = source_in(request["source"]), request["text"]
    extractor = registry.of(source.media_type)
    page = request["page_index"]
    by_itself = hasattr(extractor, "find")
    hits = (
        cast(Searching, extractor).find(source, text, page)
        if by_itself
        else find_in_objects(extractor, source, text, page)
    )
    yield from map(_value, islice(hits, request["most"]))


def _ocr(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    source = source_in(request["source"])
    text = ocr.read(registry.of(source.media_type), source, request["page_index"], request["location"])
    yield FrameType.VALUE, json.dumps(text).encode()


def _picture(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    source = source_in(request["source"])
    extractor = registry.of(source.media_type)
    yield from _in_pieces(model_images.model_image(extractor, source, request["page_index"], request["location"]))


def _members(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    with open_inside(source_in(request["source"]), request["inside"]) as container:
        yield from map(_value, container.members())


def _walk(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    problems: list[WalkedMember] = []

    def remember(found_member: FoundMember, problem: DocumentError) -> None:
        problems.append(_walked(found_member, problem=problem.message))

    for found_member in walk(source_in(request["source"]), on_problem=remember):
        yield from map(_value, problems)
        problems.clear()
        yield _value(_unpacked(found_member, Path(request["into"])) if request["into"] else _walked(found_member))
    yield from map(_value, problems)


def _unpacked(found_member: FoundMember, into: Path) -> WalkedMember:
    """Extract a member; a damaged or encrypted one is reported as its own problem, a limit refuses the whole archive."""
    if found_member.member.is_folder:
        return _walked(found_member)
    try:
        return _walked(found_member, path=found_member.extract(into))
    except (DamagedDocument, EncryptedDocument, UnsupportedDocument) as problem:
        return _walked(found_member, problem=problem.message)


def _walked(found_member: FoundMember, **more: Any) -> WalkedMember:
    return WalkedMember(
        container_path=found_member.container_path, depth=found_member.depth, member=found_member.member, **more
    )


def _value(value: Wire) -> Frame:
    return FrameType.VALUE, value.model_dump_json().encode()


def _take(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    path = extract_path(source_in(request["source"]), request["inside"], Path(request["into"]))
    yield FrameType.VALUE, json.dumps(str(path)).encode()


def _kind(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    yield FrameType.VALUE, json.dumps(asdict(kinds.detect(Path(request["path"]), request["name"]))).encode()


def _web_page(registry: ExtractorRegistry, request: Request) -> Iterator[Frame]:
    yield _value(read_page(Path(request["path"]), request["url"], request["charset"]))


def _in_pieces(element: Element) -> Iterator[Frame]:
    about = {"media_type": element.media_type, "name": element.name, "metadata": element.metadata}
    yield FrameType.VALUE, json.dumps(about).encode()
    with memoryview(element.data) as data:
        for start in range(0, len(data), PIECE):
            yield FrameType.DATA, bytes(data[start : start + PIECE])


_JOBS: dict[str, Callable[[ExtractorRegistry, Request], Iterator[Frame]]] = {
    "scan": _scan,
    "extract": _extract,
    "element": _element,
    "page_image": _page_image,
    "page_text": _page_text,
    "find": _find,
    "ocr": _ocr,
    "picture": _picture,
    "members": _members,
    "walk": _walk,
    "take": _take,
    "kind": _kind,
    "web_page": _web_page,
}
