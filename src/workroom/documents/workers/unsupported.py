"""Errors for kinds of files without an extractor."""

from __future__ import annotations

from workroom.documents.errors import DocumentError, EncryptedDocument, UnsupportedDocument
from workroom.documents.kinds import ENCRYPTED_OFFICE, is_container
from workroom.documents.sniffing.names import BY_ENDING

_OLD_OFFICE = {
    BY_ENDING[
        "doc"
    ]: "This is a Word document in the format of before 2007. Open it in Word, save it as DOCX, upload that.",
    BY_ENDING[
        "ppt"
    ]: "This is a PowerPoint file in the format of before 2007. Open it in PowerPoint, save it as PPTX, upload that.",
    BY_ENDING["vsd"]: "Visio drawings cannot be read here. Save it as a PDF and upload that.",
    BY_ENDING["vsdx"]: "Visio drawings cannot be read here. Save it as a PDF and upload that.",
}
_PROGRAMS = frozenset(
    {
        BY_ENDING["exe"],
        BY_ENDING["so"],
        BY_ENDING["wasm"],
        BY_ENDING["apk"],
        "application/java-vm",
        "application/x-mach-binary",
    }
)


def unsupported_error(media_type: str) -> DocumentError:
    if media_type == ENCRYPTED_OFFICE:
        return EncryptedDocument("This document is locked with a password. Save it without one and upload that.")
    if media_type in _OLD_OFFICE:
        return UnsupportedDocument(_OLD_OFFICE[media_type])
    if media_type in _PROGRAMS:
        return UnsupportedDocument("This is a program, not a document. There is nothing to read in it.")
    if is_container(media_type):
        return UnsupportedDocument("This is an archive. Open it and choose one of its files.")
    return UnsupportedDocument(
        f"Files of this kind ({media_type}) cannot be read here. Save it as a PDF or as text and upload that."
    )
