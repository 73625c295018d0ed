"""Errors of reading documents.

DocumentError                  422
├── UnsupportedDocument             no extractor for this kind (old Word and PowerPoint, programs, …)
├── EncryptedDocument               it needs a password
├── DamagedDocument                 it is not what it claims to be, or broken
├── DocumentTooLarge                over a limit of pages, cells, memory or time while it was read
├── ContainerLimitError             an archive that is nested too deep, unpacks too large, or has unsafe paths
└── OcrUnavailable             503  tesseract, the OCR program, is not installed
"""

from __future__ import annotations

from workroom.core.errors import WorkroomError


class DocumentError(WorkroomError):
    code = "documentUnreadable"
    status = 422
    exit_code = 2


class UnsupportedDocument(DocumentError):
    code = "documentUnsupported"


class EncryptedDocument(DocumentError):
    code = "documentEncrypted"


class DamagedDocument(DocumentError):
    code = "documentDamaged"


class DocumentTooLarge(DocumentError):
    code = "documentTooLarge"


class ContainerLimitError(DocumentError):
    code = "containerLimit"


class OcrUnavailable(DocumentError):
    code = "ocrUnavailable"
    status = 503
