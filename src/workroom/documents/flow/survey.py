"""One pass over the text: headings and the sections they make, pages, and how much there is of everything.

Where no style says what a heading is, looks do.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field

from workroom.documents.flow.blocks import Block, Flow, everything
from workroom.documents.headings import HeadingFinder
from workroom.documents.section_numbers import Heading, is_wanted, sections_of
from workroom.documents.spacing import one_line
from workroom.documents.types import PageInfo, Section, Wanted

_MIDDLE = 0.5  # of a page: paragraphs know no place on it


@dataclass
class Page:
    first: int = 0  # number of the first block that begins on it
    headings: list[str] = field(default_factory=list)
    images: int = 0
    tables: int = 0
    characters: int = 0


@dataclass
class Survey:
    headings: dict[int, Heading] = field(default_factory=dict)  # by the number of their block
    sections: list[Section] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    estimated: bool = False  # nothing in the file says where pages end
    blocks: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    title: str = ""
    cut: int = 0  # tables too large to be read whole

    def page_of(self, block: Block) -> int:
        return block.estimated_page if self.estimated else block.page

    def wanted_blocks(self, wanted: Wanted) -> frozenset[int] | None:
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


def survey(flow: Flow) -> Survey:
    found = Survey()
    finder = HeadingFinder()
    marked: list[Page] = []
    estimated: list[Page] = []
    for block in flow.blocks(everything):
        found.blocks = block.number
        _count(found, block)
        _count_on(marked, block.page, block)
        _count_on(estimated, block.estimated_page, block)
        if block.level and block.text:
            found.headings[block.number] = Heading(titled(block), block.level, block.number)
        elif not found.headings and block.rows is None and block.text and block.label is None:
            # Each paragraph is a page of its own to the finder: none is the continuation of another.
            finder.see(block.text, block.size, block.bold, page=block.number, top=_MIDDLE, height=0.0)
        if block.is_title and not found.title:
            found.title = one_line(block.text, 300)
    if not found.headings:
        looks = finder.headings(pages=found.blocks)
        found.headings = {one.page: Heading(one_line(one.title, 300), one.level, one.page) for one in looks}
    found.estimated = not flow.pages_are_marked
    found.pages = estimated if found.estimated else marked
    found.sections = _with_pages(sections_of(list(found.headings.values()), found.blocks), found.pages)
    return found


def titled(block: Block) -> str:
    """A heading with the number that is drawn before it."""
    return one_line(f"{block.label} {block.text}" if block.label and block.label != "-" else block.text, 300)


def _count(found: Survey, block: Block) -> None:
    found.cut += block.cut
    found.counts.update(
        {
            "images": _images(block),
            "tables": int(block.rows is not None),
            "charts": sum(held.kind == "chart" for held in block.held),
            "objects": sum(held.kind == "object" for held in block.held),
            "paragraphs": int(bool(block.text)),
            "footnotes": sum(note.kind != "comment" for note in block.notes),
            "comments": sum(note.kind == "comment" for note in block.notes),
            "characters": _characters(block),
        }
    )


def _count_on(pages: list[Page], index: int, block: Block) -> None:
    while len(pages) <= index:
        pages.append(Page(block.number))
    page = pages[index]
    page.images += _images(block)
    page.tables += block.rows is not None
    page.characters += _characters(block)
    if block.level and block.text:
        page.headings.append(titled(block))


def _images(block: Block) -> int:
    return sum(held.kind == "image" for held in block.held)


def _characters(block: Block) -> int:
    text = len(block.text) if block.rows is None else sum(len(cell) for row in block.rows for cell in row)
    return text + sum(map(len, block.boxes))


def _with_pages(sections: list[Section], pages: list[Page]) -> list[Section]:
    starts = [page.first for page in pages]
    paged = []
    for section in sections:
        first, last = section.first or 0, section.last or 0
        update = {"start_page": _page(starts, first), "end_page": _page(starts, last)}
        paged.append(section.model_copy(update=update))
    return paged


def _page(starts: list[int], number: int) -> int:
    return max(0, bisect_right(starts, number) - 1)
