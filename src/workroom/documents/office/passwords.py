"""Whether a workbook that does not open is encrypted: each format marks it in its own place."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

_ZIP, _OLE = b"PK", b"\xd0\xcf\x11\xe0"
_FILE_PASS = 0x2F  # the record of an old workbook that says how it is encrypted
_MAX_MANIFEST = 4 << 20
_MAX_RECORDS = 200


def wants_password(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(4)
    try:
        if start.startswith(_ZIP):
            return _open_document(path)
        return start == _OLE and _compound(path)
    except Exception:  # damaged as well: then that is what is said
        return False


def _open_document(path: Path) -> bool:
    with zipfile.ZipFile(path) as package, package.open("META-INF/manifest.xml") as manifest:
        return b"encryption-data" in manifest.read(_MAX_MANIFEST)


def _compound(path: Path) -> bool:
    import olefile

    with olefile.OleFileIO(str(path)) as compound:
        if compound.exists("EncryptedPackage"):
            return True
        name = next((name for name in ("Workbook", "Book") if compound.exists(name)), None)
        if name is None:
            return False
        with compound.openstream(name) as stream:
            for _ in range(_MAX_RECORDS):
                header = stream.read(4)
                if len(header) < 4:
                    return False
                kind, length = struct.unpack("<HH", header)
                if kind == _FILE_PASS:
                    return True
                stream.seek(length, 1)
    return False
