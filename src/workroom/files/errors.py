"""Errors of storing and fetching files.

StorageFull        507   no space left on the disk or storage (defined in `core.errors`: databases fill up, too)
StorageUnavailable 503   the storage does not answer, or answers wrongly; a retry may help
QuotaExceeded      413   the quota of the person or the organisation is used up; `details` has `used` and `limit`
TextQuotaExceeded  413   the quota has space for the file, but not for the text extracted from it
UploadOffset       409   a chunk does not begin where the last one ended; `details.offset` is the expected offset
UploadBusy         409   another chunk of the same upload is being written at this moment
UploadDamaged      422   the checksum does not match what arrived
FileExists         409   there is a file of that name, and `on_conflict` forbids a new version
FileChanged        409   another version was stored meanwhile; `details.version` is the newest, `details.lines` what is in the way
ContentMissing     410   the file's content is not in the store (for example a database restored without it)
FileLinkInvalid    404   a link to a file that is malformed or expired, or whose creator lost the right to read it
SharingRefused     403   only its owner changes who sees a file
PromotionRefused   403   sharing with the whole mandate, and taking that back, needs access level ALL
NotForAllReaders   409   the file to be attached is private, and others read the conversation
BulkRefused        409   a bulk change failed for at least one file, so none was changed; `details.errors` has the reasons
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound, TooLarge, WorkroomError
from workroom.core.errors import StorageFull as StorageFull


class StorageUnavailable(WorkroomError):
    code = "storageUnavailable"
    status = 503
    again = True

    def __init__(self) -> None:
        super().__init__(
            "The storage for files cannot be reached right now. Nothing was stored; try again in a moment."
        )


class QuotaExceeded(TooLarge):
    code = "quotaExceeded"

    def __init__(self, scope: str, used: int, limit: int, size: int) -> None:
        whose = "Your files use" if scope == "user" else "The files of your organisation use"
        super().__init__(
            f"{whose} {used:,} of {limit:,} bytes, and this needs {size:,} more. Delete what is not needed, and empty the"
            " trash.",
            scope=scope,
            used=used,
            limit=limit,
            size=size,
        )


class TextQuotaExceeded(TooLarge):
    code = "textQuotaExceeded"

    def __init__(self) -> None:
        super().__init__(
            "There is too much text in this file for the room its owner has left. Split it, or delete what is not needed and"
            " empty the trash."
        )


class UploadOffset(Conflict):
    code = "uploadOffset"

    def __init__(self, offset: int, message: str = "The upload goes on from another place.") -> None:
        super().__init__(f"{message} Send what begins at byte {offset:,}.", offset=offset)


class UploadBusy(Conflict):
    code = "uploadBusy"

    def __init__(self) -> None:
        super().__init__("Another part of this upload is being written. Wait for it, then ask where to go on.")


class UploadDamaged(InvalidInput):
    code = "uploadDamaged"

    def __init__(self) -> None:
        super().__init__("The file changed on its way. Nothing was stored; send it again from the start.", offset=0)


class FileExists(Conflict):
    code = "fileExists"

    def __init__(self, name: str) -> None:
        super().__init__(f"There is a file “{name}” here already. Choose another name.", name=name)


class FileChanged(Conflict):
    code = "fileChanged"

    def __init__(self, name: str, version: int, lines: Sequence[int] = ()) -> None:
        details: dict[str, Any] = {"lines": list(lines)} if lines else {}
        where = f" in the same lines ({', '.join(map(str, lines))})" if lines else ""
        super().__init__(
            f"“{name}” was changed in the meantime{where}: version {version} is the newest. Nothing was overwritten; look at it,"
            " then change it.",
            name=name,
            version=version,
            **details,
        )


class ContentMissing(WorkroomError):
    code = "contentMissing"
    status = 410

    def __init__(self) -> None:
        super().__init__(
            "The content of this file is not on this server. An administrator can bring it back from a backup of the data"
            " folder."
        )


class FileLinkInvalid(NotFound):
    code = "fileLinkInvalid"

    def __init__(self) -> None:
        super().__init__("This link to a file has expired or is not for you. Open the file in the workspace.")


class SharingRefused(Forbidden):
    code = "sharingRefused"

    def __init__(self) -> None:
        super().__init__("Only the owner of a file says who sees it. Ask them to share it.")


class PromotionRefused(Forbidden):
    code = "promotionRefused"

    def __init__(self) -> None:
        super().__init__(
            "Only somebody with access level ALL to files shares with everybody, or takes that back. Ask an administrator."
        )


class NotForAllReaders(Conflict):
    code = "notForAllReaders"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Not everybody who reads this conversation may see “{name}”. Share the file with them first, or ask in a"
            " conversation of your own.",
            name=name,
        )


class BulkRefused(Conflict):
    code = "bulkRefused"

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        super().__init__(
            f"Nothing was changed: {len(errors)} of these files cannot be changed like this. Leave them out and repeat it.",
            errors=errors,
        )
