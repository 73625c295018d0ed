"""Every version of a file is scanned once, by some worker (`contents/`). The row says what is left to do; a wake-up only saves
waiting. This is bookkeeping of the system: it acts for no person, inside the file's mandate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from workroom.core.changes import Change, ChangeKind
from workroom.db import UnitOfWork
from workroom.db.work_scheduler import EMPTY_LOAD, Load
from workroom.files import auto_filing
from workroom.files.names import clean_media_type
from workroom.files.store import files as store
from workroom.files.store import scans as scan_store
from workroom.files.store import versions as version_store
from workroom.files.types import File, FileStatus, FileVersion
from workroom.identity.sharing import Visibility

SCAN_JOB = "file.stored"
SCANNED_JOB = "file.scanned"  # for what is done with a file once its content is known


@dataclass(frozen=True)
class Scan:
    """A version that a worker has claimed to scan it. `tries` counts this one; `epoch` is the fencing number of the lease."""

    mandate_id: UUID
    file_id: UUID
    version: int
    owner_id: UUID
    tries: int
    epoch: int


async def begin(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> None:
    """A new version is there."""
    await scan_store.reset(uow, mandate_id, file_id)
    await uow.wake(SCAN_JOB)


async def claim(uow: UnitOfWork, worker_id: UUID, load: Load = EMPTY_LOAD, *, slow: bool = False) -> Scan | None:
    """Across mandates, as the system actor `sweep`: the next that is free, in fair order. `slow`: of those that took too long at
    the first try; else of all others."""
    row = await scan_store.claim(uow, worker_id, load, slow)
    return None if row is None else Scan(**dict(row))


async def read(uow: UnitOfWork, scan: Scan) -> tuple[File, FileVersion] | None:
    """None when it is gone, in the trash or replaced by now."""
    file = await store.get(uow, scan.mandate_id, scan.file_id)
    if file is None or file.deleted_at is not None or file.version != scan.version:
        return None
    return file, (await version_store.listed(uow, scan.mandate_id, scan.file_id, scan.version))[0]


async def found(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, media_type: str, lie: str | None
) -> None:
    """What kind of content it is. Rules may file it elsewhere for that, if it is still the newest version."""
    known = clean_media_type(media_type)
    await version_store.set_found(uow, mandate_id, file_id, version, known, lie)
    file = await store.get(uow, mandate_id, file_id, lock=True)
    if file is None or file.version != version or file.media_type == known:
        return
    changed = file.model_copy(update={"media_type": known})
    changed = await auto_filing.refile(uow, mandate_id, changed)
    await store.update(uow, mandate_id, changed)
    await announce(uow, mandate_id, changed)


async def is_ours(uow: UnitOfWork, scan: Scan) -> bool:
    return await scan_store.is_ours(uow, *_lease(scan))


async def done(uow: UnitOfWork, scan: Scan) -> None:
    """Nothing happens to a file that has a newer version by now, or that another worker has claimed since."""
    file = await store.get(uow, scan.mandate_id, scan.file_id, lock=True)
    if file is None or file.version != scan.version or not await scan_store.done(uow, *_lease(scan)):
        return
    await uow.wake(SCANNED_JOB)
    if file.status is FileStatus.PROCESSING:
        changed = file.model_copy(update={"status": FileStatus.ACTIVE})
        await store.update(uow, scan.mandate_id, changed)
        await announce(uow, scan.mandate_id, changed)


async def postpone(uow: UnitOfWork, scan: Scan, pause: timedelta) -> None:
    """The next try comes after `pause`."""
    await scan_store.postpone(uow, *_lease(scan), pause.total_seconds())


async def release_failed(uow: UnitOfWork, scan: Scan) -> None:
    await scan_store.release_failed(uow, *_lease(scan))


async def slow_down(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int) -> None:
    """Reading this version takes long: from now on it waits among those that are read at low priority."""
    await scan_store.slow_down(uow, mandate_id, file_id, version)


async def release(uow: UnitOfWork, scan: Scan) -> None:
    """Another worker may take it at once, and this try does not count."""
    await scan_store.release(uow, *_lease(scan))
    await uow.wake(SCAN_JOB)


async def announce(uow: UnitOfWork, mandate_id: UUID, file: File, before: File | None = None) -> None:
    """Open pages hear of it, whose people may see it, or could until now."""
    known = (file, before or file)
    levels = {each.visibility for each in known}
    await uow.announce(
        Change(
            mandate_id=mandate_id,
            kind=ChangeKind.FILE,
            id=file.id,
            owner_id=file.owner_id,
            instance_id=None if levels == {Visibility.MY} else file.instance_id,
            everybody=Visibility.ALL in levels,
            persons=sorted({person for each in known for person in each.shared_with}),
        )
    )


def _lease(scan: Scan) -> tuple[UUID, UUID, int, int]:
    return scan.mandate_id, scan.file_id, scan.version, scan.epoch
