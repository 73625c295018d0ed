"""What tests of PDF share: the extractor, and a count of the pages it loads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from workroom.documents.extractors.pdf.pdf_file import Pdf


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Indices of pages, in the order in which they are loaded."""
    pages: list[int] = []
    real = Pdf.page

    @contextmanager
    def counted(self: Pdf, index: int) -> Iterator[Any]:
        with real(self, index) as page:
            pages.append(index)
            yield page

    monkeypatch.setattr(Pdf, "page", counted)
    return pages
