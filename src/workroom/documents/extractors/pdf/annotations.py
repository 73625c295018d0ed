"""Annotations of a page: links, values of form fields, comments."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from workroom.documents.content import clean
from workroom.documents.extractors.pdf.geometry import Box, PageFrame
from workroom.documents.extractors.pdf.pdf_file import Pdf

_MOST = 2_000  # on one page
_REMARKS = frozenset(
    {
        pdfium.FPDF_ANNOT_TEXT,
        pdfium.FPDF_ANNOT_FREETEXT,
        pdfium.FPDF_ANNOT_HIGHLIGHT,
        pdfium.FPDF_ANNOT_UNDERLINE,
        pdfium.FPDF_ANNOT_STRIKEOUT,
        pdfium.FPDF_ANNOT_SQUIGGLY,
        pdfium.FPDF_ANNOT_STAMP,
        pdfium.FPDF_ANNOT_CARET,
        pdfium.FPDF_ANNOT_SQUARE,
        pdfium.FPDF_ANNOT_CIRCLE,
    }
)


@dataclass
class Annotations:
    links: list[tuple[Box, str]] = field(default_factory=list)
    jumps: list[tuple[Box, int]] = field(default_factory=list)  # to a page of the same document
    fields: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[tuple[str, str]] = field(default_factory=list)  # author, text


def annotations_on(pdf: Pdf, page: Any, frame: PageFrame) -> Annotations:
    annotations = Annotations()
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            _add(annotations, pdf, annotation, frame)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return annotations


def _add(annotations: Annotations, pdf: Pdf, annotation: Any, frame: PageFrame) -> None:
    kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    if kind == pdfium.FPDF_ANNOT_LINK:
        rect = pdfium.FS_RECTF()
        if not pdfium.FPDFAnnot_GetRect(annotation, rect):
            return
        (left, right), (bottom, top) = sorted((rect.left, rect.right)), sorted((rect.bottom, rect.top))
        box = frame.box(left, bottom, right, top)  # corners come in any order
        if address := _address(pdf, annotation):
            annotations.links.append((box, address))
        elif (page := _page(pdf, annotation)) is not None:
            annotations.jumps.append((box, page))
    elif kind == pdfium.FPDF_ANNOT_WIDGET:
        value = _string(annotation, b"V").strip()
        if value and value != "Off":
            annotations.fields.append((_string(annotation, b"TU") or _string(annotation, b"T"), value))
    elif kind in _REMARKS and (text := _string(annotation, b"Contents").strip()):
        annotations.remarks.append((_string(annotation, b"T"), text))


def _address(pdf: Pdf, annotation: Any) -> str:
    link = pdfium.FPDFAnnot_GetLink(annotation)
    action = pdfium.FPDFLink_GetAction(link) if link else None
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    size = pdfium.FPDFAction_GetURIPath(pdf.document, action, None, 0)
    buffer = ctypes.create_string_buffer(min(max(size, 1), 8192))
    pdfium.FPDFAction_GetURIPath(pdf.document, action, buffer, len(buffer))
    return clean(buffer.value.decode("utf-8", "replace"))


def _page(pdf: Pdf, annotation: Any) -> int | None:
    """Where it jumps to within the document, said by itself or by its action; pages that are not there are none."""
    link = pdfium.FPDFAnnot_GetLink(annotation)
    goal = pdfium.FPDFLink_GetDest(pdf.document, link) if link else None
    action = pdfium.FPDFLink_GetAction(link) if link and not goal else None
    if action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_GOTO:
        goal = pdfium.FPDFAction_GetDest(pdf.document, action)
    page = pdfium.FPDFDest_GetDestPageIndex(pdf.document, goal) if goal else -1
    return page if 0 <= page < pdf.pages else None


def _string(annotation: Any, key: bytes) -> str:
    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if not 2 < size < 1_000_000:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return clean(buffer.raw[: size - 2].decode("utf-16-le", "ignore"))
