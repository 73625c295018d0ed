"""One pass over the text: headings and the sections they make, pages, and how much there is of everything.

Without heading styles, headings are detected by their font. A shorter pass, for the places where pages and sections begin,
reads only the text of headings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field

from workroom.documents.flow.blocks import Flow, FlowBlock, everything, only_headings
from workroom.documents.headings import HeadingFinder
from workroom.documents.section_numbers import SectionHeading, is_wanted, sections_of
from workroom.documents.types import ExtractionScope, PageInfo, Section
from workroom.documents.whitespace import one_line

_MIDDLE = 0.5  # of a page: paragraphs know no place on it
_FINE = 16  # parts of a page in which is counted before it is known how many pages there are
_BELIEVED = (
    3.0  # times more or less pages than estimated: a file that says anything else was changed by another program
)


@dataclass
class FlowPage:
    first: int = 0  # number of the first block that begins on it
    headings: list[str] = field(default_factory=list)
    images: int = 0
    tables: int = 0
    characters: int = 0


@dataclass
class Survey:
    headings: dict[int, SectionHeading] = field(default_factory=dict)  # by the number of their block
    sections: list[Section] = field(default_factory=list)
    pages: list[FlowPage] = field(default_factory=list)
    estimated: bool = False  # nothing in the file says where pages end
    stretch: float = 1.0  # of the estimate, so that there are as many pages as the file says
    blocks: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    title: str = ""
    cut: int = 0  # tables too large to be read whole

    def page_of(self, block: FlowBlock) -> int:
        return _stretched(_fine(block), self.stretch) if self.estimated else block.page

    def wanted_blocks(self, wanted: ExtractionScope) -> frozenset[int] | None:
        """None for all of them."""
        if wanted.everything:
            return None
        ranges = [
            range(section.first or 0, (section.last or 0) + 1)
            for section in self.sections
            if is_wanted(section.id, wanted.sections)
        ]
        ends = [*(page.first for page in self.pages[1:]), self.blocks + 1]
        ranges += [range(self.pages[page].first, ends[page]) for page in wanted.pages if 0 <= page < len(ends)]
        return frozenset(number for span in ranges for number in span)

    def page_map(self) -> list[PageInfo]:
        return [
            PageInfo(
                page_index=index,
                headings=page.headings,
                has_images=page.images > 0,
                text_length=page.characters,
                has_table=page.tables > 0,
            )
            for index, page in enumerate(self.pages)
        ]


def survey(flow: Flow, *, whole: bool = True) -> Survey:
    """Without `whole`, counts of what stands on pages are left out."""
    result = Survey()
    finder = HeadingFinder()
    marked: list[FlowPage] = []
    fine: list[FlowPage] = []
    for block in flow.blocks(everything if whole else only_headings):
        result.blocks = block.number
        _count(result, block)
        _count_on(marked, block.page, block)
        _count_on(fine, _fine(block), block)
        if block.level and block.text:
            result.headings[block.number] = SectionHeading(titled(block), block.level, block.number)
        elif not result.headings and block.rows is None and block.text and block.label is None:
            # Each paragraph is a page of its own to the finder: none is the continuation of another.
            finder.see(block.text, block.size, block.bold, page=block.number, top=_MIDDLE, height=0.0)
        if block.is_title and not result.title:
            result.title = one_line(block.text, 300)
    if not result.headings and not whole:
        return survey(flow)
    if not result.headings:
        detected = finder.headings(pages=result.blocks)
        result.headings = {
            heading.page: SectionHeading(one_line(heading.title, 300), heading.level, heading.page)
            for heading in detected
        }
    result.estimated = not flow.pages_are_marked
    if result.estimated:
        result.stretch = _stretch(len(fine) / _FINE, flow.declared_pages)
    result.pages = _joined(fine, result.stretch) if result.estimated else marked
    result.sections = _with_pages(sections_of(list(result.headings.values()), result.blocks), result.pages)
    return result


def _fine(block: FlowBlock) -> int:
    return int(block.estimate * _FINE)


def _stretched(fine: int, stretch: float) -> int:
    return int(fine * stretch / _FINE)


def _stretch(estimated: float, declared: int | None) -> float:
    """Pages that are said for each that is estimated. Programs that write files from templates say any number."""
    if not declared or not estimated / _BELIEVED <= declared <= estimated * _BELIEVED:
        return 1.0
    return (declared - 0.5) / estimated  # the last page need not be full


def _joined(fine: list[FlowPage], stretch: float) -> list[FlowPage]:
    pages: list[FlowPage] = []
    for index, part in enumerate(fine):
        while len(pages) <= _stretched(index, stretch):
            pages.append(FlowPage(part.first))
        page = pages[-1]
        page.headings += part.headings
        page.images += part.images
        page.tables += part.tables
        page.characters += part.characters
    return pages


def titled(block: FlowBlock) -> str:
    """A heading with the number that is drawn before it."""
    return one_line(f"{block.label} {block.text}" if block.label and block.label != "-" else block.text, 300)


def _count(result: Survey, block: FlowBlock) -> None:
    result.cut += block.cut
    result.counts.update(
        {
            "images": _images(block),
            "tables": int(block.rows is not None),
            "charts": sum(parts.kind == "chart" for parts in block.parts),
            "objects": sum(parts.kind == "object" for parts in block.parts),
            "paragraphs": int(bool(block.text)),
            "footnotes": sum(note.kind != "comment" for note in block.notes),
            "comments": sum(note.kind == "comment" for note in block.notes),
            "characters": _characters(block),
        }
    )


def _count_on(pages: list[FlowPage], index: int, block: FlowBlock) -> None:
    while len(pages) <= index:
        pages.append(FlowPage(block.number))
    page = pages[index]
    page.images += _images(block)
    page.tables += block.rows is not None
    page.characters += _characters(block)
    if block.level and block.text:
        page.headings.append(titled(block))


def _images(block: FlowBlock) -> int:
    return sum(parts.kind == "image" for parts in block.parts)


def _characters(block: FlowBlock) -> int:
    text = len(block.text) if block.rows is None else sum(len(cell) for row in block.rows for cell in row)
    return text + sum(map(len, block.boxes))


def _with_pages(sections: list[Section], pages: list[FlowPage]) -> list[Section]:
    starts = [page.first for page in pages]
    paged = []
    for section in sections:
        first, last = section.first or 0, section.last or 0
        update = {"start_page": _page(starts, first), "end_page": _page(starts, last)}
        paged.append(section.model_copy(update=update))
    return paged


def _page(starts: list[int], number: int) -> int:
    return max(0, bisect_right(starts, number) - 1)
