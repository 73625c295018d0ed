"""The text of each page is read back out of the PDF, in all languages of the tasks."""

from __future__ import annotations

import pypdfium2
import pytest
from evals.pdf_pages import pdf_of_pages
from evals.tools.tasks import all_tasks

PAGED = {f"{task.id} {file.name}": file.pages for task in all_tasks() for file in task.files if file.pages}


@pytest.mark.parametrize("pages", PAGED.values(), ids=PAGED)
def test_pages_are_read_back(pages: list[str]) -> None:
    with pypdfium2.PdfDocument(pdf_of_pages(pages)) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    assert [text.split() for text in texts] == [page.split() for page in pages]
