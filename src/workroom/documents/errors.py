"""What can be wrong with a file.

DocumentError                  422
├── UnsupportedDocument             nobody here can read this kind (old Word and PowerPoint, programs, …)
├── EncryptedDocument               it wants a password
├── DamagedDocument                 it is not what it says, or broken in the middle
├── DocumentTooLarge                over a limit of pages, cells, memory or time while it was read
├── ContainerLimitError             an archive that is too deep, too large, too many, or tries to break out
└── OcrUnavailable             503  the program that reads text in pictures is not installed here
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
