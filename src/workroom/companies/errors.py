"""What can be wrong with companies and their documents.

CompanyChanged   409   another person changed the company meanwhile; nothing was overwritten
DocumentChanged  409   as CompanyChanged, of a document: a person or an agent has written it
NothingToExport  409   none of the documents that are wanted has a text
"""

from __future__ import annotations

from workroom.core.errors import Conflict


class CompanyChanged(Conflict):
    code = "companyChanged"

    def __init__(self, version: int) -> None:
        super().__init__(
            f"The company was changed in the meantime: version {version} is the newest. Nothing was overwritten; look at it,"
            " then change it.",
            version=version,
        )


class DocumentChanged(Conflict):
    code = "documentChanged"

    def __init__(self, kind: str, version: int) -> None:
        super().__init__(
            f"The document was changed in the meantime: version {version} is the newest. Nothing was overwritten; read it, then"
            " write it.",
            kind=kind,
            version=version,
        )


class NothingToExport(Conflict):
    code = "nothingToExport"

    def __init__(self) -> None:
        super().__init__("There is no text in these documents yet. Write one of them first.")
