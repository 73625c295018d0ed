"""What lies on top of a page: links, values of filled forms, remarks of readers."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from workroom.documents.content import clean
from workroom.documents.extractors.pdf.geometry import Box, Frame
from workroom.documents.extractors.pdf.opening import Pdf

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
    fields: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[tuple[str, str]] = field(default_factory=list)  # author, text


def annotations_on(pdf: Pdf, page: Any, frame: Frame) -> Annotations:
    found = Annotations()
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            _add(found, pdf, annotation, frame)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _add(found: Annotations, pdf: Pdf, annotation: Any, frame: Frame) -> None:
    kind = pdfium.FPDFAnnot_GetSubtype(annotation)
    if kind == pdfium.FPDF_ANNOT_LINK:
        address = _address(pdf, annotation)
        rect = pdfium.FS_RECTF()
        if address and pdfium.FPDFAnnot_GetRect(annotation, rect):
            (left, right), (bottom, top) = sorted((rect.left, rect.right)), sorted((rect.bottom, rect.top))
            found.links.append((frame.box(left, bottom, right, top), address))  # corners come in any order
    elif kind == pdfium.FPDF_ANNOT_WIDGET:
        value = _string(annotation, b"V").strip()
        if value and value != "Off":
            found.fields.append((_string(annotation, b"TU") or _string(annotation, b"T"), value))
    elif kind in _REMARKS and (text := _string(annotation, b"Contents").strip()):
        found.remarks.append((_string(annotation, b"T"), text))


def _address(pdf: Pdf, annotation: Any) -> str:
    link = pdfium.FPDFAnnot_GetLink(annotation)
    action = pdfium.FPDFLink_GetAction(link) if link else None
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    size = pdfium.FPDFAction_GetURIPath(pdf.document, action, None, 0)
    buffer = ctypes.create_string_buffer(min(max(size, 1), 8192))
    pdfium.FPDFAction_GetURIPath(pdf.document, action, buffer, len(buffer))
    return clean(buffer.value.decode("utf-8", "replace"))


def _string(annotation: Any, key: bytes) -> str:
    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if not 2 < size < 1_000_000:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAnnot_GetStringValue(annotation, key, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return clean(buffer.raw[: size - 2].decode("utf-16-le", "ignore"))
