"""Where a passage stands, as people say it."""

from __future__ import annotations

from workroom.knowledge.types import Passage


def place_of(passage: Passage) -> str:
    """`report.pdf, page 47`."""
    ref = passage.ref
    where = [ref.container_path]
    if ref.page_index is not None:
        where.append(f"page {ref.page_index + 1}")
    if ref.slide_index is not None:
        where.append(f"slide {ref.slide_index + 1}")
    if ref.sheet_name is not None:
        where.append(f"sheet {ref.sheet_name}")
    if ref.page_index is None and ref.label:
        where.append(f"“{ref.label}”")
    return ", ".join(where)
