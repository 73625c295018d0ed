"""What was read, as a text somebody quotes from: every piece says where it stands, and there is never more than fits."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from workroom.contents.parts import Wish
from workroom.contents.service import Reader
from workroom.contents.types import Place
from workroom.documents.types import ContentObject, ContentType, ContextRef
from workroom.identity.types import Principal

AT_A_TIME = 10  # objects; whoever wants little does not make us read much
FACTS = ("width", "height", "duration", "mediaType", "bytes")
Accept = Callable[[ContentObject], bool]


@dataclass(frozen=True)
class Quote:
    """`more`: where it goes on, for `after`; `cut`: the file has more than is kept of it."""

    text: str
    objects: int
    more: tuple[int, int] | None = None
    cut: bool = False


async def quote(
    reader: Reader,
    who: Principal,
    place: Place,
    wish: Wish,
    room: int,
    *,
    measure: Callable[[str], int] = len,
    after: tuple[int, int] = (0, 0),
    types: Collection[ContentType] = (),
    accept: Accept = lambda _: True,
) -> Quote:
    """As many whole objects as there is room for, but always one."""
    pieces, spent, heading = list[str](), 0, ""
    while True:
        found = await reader.passages(who, place, wish, after=after, most=AT_A_TIME)
        for object, at in zip(found.objects, found.at, strict=True):
            if (types and object.content_type not in types) or not accept(object):
                continue
            here, said = where(object.ref, place.name), told(object)
            piece = said if here == heading else f"[{here}]\n{said}"
            cost = measure(piece) + 1
            if pieces and spent + cost > room:
                return Quote("\n\n".join(pieces), len(pieces), at, found.cut)
            pieces.append(piece)
            spent, heading = spent + cost, here
        if found.more is None:
            return Quote("\n\n".join(pieces), len(pieces), None, found.cut)
        after = found.more


def where(ref: ContextRef, name: str) -> str:
    """`page 47 of report.pdf`, as people say it."""
    if ref.page_index is not None:
        return f"page {ref.page_index + 1} of {name}"
    if ref.slide_index is not None:
        return f"slide {ref.slide_index + 1} of {name}"
    if ref.sheet_name is not None:
        return f"sheet {ref.sheet_name} of {name}"
    return f"section {ref.section_id} of {name}" if ref.section_id else name


def told(object: ContentObject) -> str:
    """Its text; of a picture or recording what is known of it, and how to ask for it."""
    if object.text:
        return object.text
    facts = [f"{key} {object.metadata[key]}" for key in FACTS if object.metadata.get(key)]
    label = f" “{object.ref.label}”" if object.ref.label else ""
    return f"[{object.content_type}{label}, {', '.join([*facts, f'location {object.ref.location}'])}]"
