"""What an OLE file holds: old Word, Excel and PowerPoint, Outlook messages, and modern Office behind a password."""

from __future__ import annotations

from pathlib import Path

from workroom.documents.sniffing.magic import OLE
from workroom.documents.sniffing.names import BY_ENDING

ENCRYPTED_OFFICE = "application/x-encrypted-office"
_DISTINCTIVE = (
    ("encryptedpackage", ENCRYPTED_OFFICE),
    ("worddocument", BY_ENDING["doc"]),
    ("workbook", BY_ENDING["xls"]),
    ("book", BY_ENDING["xls"]),
    ("powerpoint document", BY_ENDING["ppt"]),
    ("__properties_version1.0", BY_ENDING["msg"]),
    ("visiodocument", BY_ENDING["vsd"]),
)


def kind_of_compound(path: Path) -> str:
    import olefile

    try:
        with olefile.OleFileIO(str(path)) as file:
            names = {entry[0].lower() for entry in file.listdir(streams=True, storages=True) if len(entry) == 1}
    except Exception:  # it reads hostile bytes in plain Python and fails in many ways; all mean the same here
        return OLE
    for name, media_type in _DISTINCTIVE:
        if name in names:
            return media_type
    return OLE
