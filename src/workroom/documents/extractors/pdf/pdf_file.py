"""Opens a PDF file, or raises the error for its owner; loads pages one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument, EncryptedDocument, UnsupportedDocument
from workroom.documents.types import SourceFile

_HEADER_WITHIN = 1024  # bytes; what comes before the header is junk that readers accept


class UnreadablePage(Exception):
    """One page is broken; the others may be fine."""


class Pdf:
    """An open document. `page` is the only place where pages are loaded, and each is closed before the next."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.pages: int = len(document)

    @property
    def encrypted(self) -> bool:
        """Opens without a password, but what it contains is encrypted: copying or printing is restricted."""
        return bool(pdfium.FPDF_GetSecurityHandlerRevision(self.document) != -1)

    @contextmanager
    def page(self, index: int) -> Iterator[Any]:
        if not 0 <= index < self.pages:
            raise NotFound(f"This document has {self.pages} pages; there is no page {index + 1}.")
        try:
            page = self.document[index]
        except pypdfium2.PdfiumError:
            raise UnreadablePage(f"Page {index + 1} is damaged and cannot be read.") from None
        try:
            yield page
        finally:
            page.close()


@contextmanager
def open_pdf(source: SourceFile) -> Iterator[Pdf]:
    _check_header(source)
    try:
        document = pypdfium2.PdfDocument(source.path)
    except pypdfium2.PdfiumError as error:
        raise _refusal(source, error.err_code) from None
    try:
        if len(document) == 0:
            raise DamagedDocument(
                f"{source.name} has no pages: it is empty, or damaged. Save it again, or send the original."
            )
        yield Pdf(document)
    finally:
        document.close()


def _check_header(source: SourceFile) -> None:
    with source.path.open("rb") as file:
        beginning = file.read(_HEADER_WITHIN)
    if not beginning.strip(b"\0\r\n\t "):
        raise DamagedDocument(f"{source.name} is empty. The upload may have been cut off: send it again.")
    if b"%PDF" not in beginning:
        raise DamagedDocument(
            f"{source.name} is called a PDF but is none. Open it where it came from and save it as a PDF."
        )


def _refusal(source: SourceFile, code: int | None) -> Exception:
    if code == pdfium.FPDF_ERR_PASSWORD:
        return EncryptedDocument(f"{source.name} wants a password. Save a copy without one and send that.")
    if code == pdfium.FPDF_ERR_SECURITY:
        return UnsupportedDocument(
            f"{source.name} is protected in a way that cannot be opened here. Save a copy without protection and send that."
        )
    return DamagedDocument(
        f"{source.name} is damaged and cannot be opened: pages may be missing. Send it again, or save it anew where it opens."
    )
