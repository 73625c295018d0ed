"""Every version of a file is looked into once, by some worker (`contents/`). The row says what is left to do; the bell only
saves waiting. This is the house's own bookkeeping: it acts for nobody, inside the file's mandate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from workroom.core.changes import Change, ChangeKind
from workroom.core.taking import NOTHING, Load
from workroom.db import UnitOfWork
from workroom.files import auto_filing
from workroom.files.names import clean_media_type
from workroom.files.store import files as store
from workroom.files.store import looks as look_store
from workroom.files.store import versions as version_store
from workroom.files.types import File, FileStatus, FileVersion
from workroom.identity.sharing import Visibility

LOOK_JOB = "file.stored"
LOOKED_JOB = "file.looked"  # for whoever does more with what is known now


@dataclass(frozen=True)
class Look:
    """A version somebody has to look into. `tries` counts this one, `claim` is theirs alone."""

    mandate_id: UUID
    file_id: UUID
    version: int
    owner_id: UUID
    tries: int
    claim: int


async def begin(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> None:
    """A new version is there."""
    await look_store.reset(uow, mandate_id, file_id)
    await uow.ring(LOOK_JOB)


async def claim(
    uow: UnitOfWork, now: datetime, until: datetime, load: Load = NOTHING, *, slow: bool = False
) -> Look | None:
    """Across mandates, as the system actor `sweep`: what nobody looks into now, whoever's turn it is. `slow`: of those that
    took too long at the first try; else of all others."""
    row = await look_store.claim(uow, now, until, load, slow)
    return None if row is None else Look(**dict(row))


async def read(uow: UnitOfWork, look: Look) -> tuple[File, FileVersion] | None:
    """None when it is gone, in the trash or replaced by now."""
    file = await store.get(uow, look.mandate_id, look.file_id)
    if file is None or file.deleted_at is not None or file.version != look.version:
        return None
    return file, (await version_store.listed(uow, look.mandate_id, look.file_id, look.version))[0]


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


async def done(uow: UnitOfWork, look: Look) -> None:
    """Nothing happens to a file that has a newer version by now."""
    file = await store.get(uow, look.mandate_id, look.file_id, lock=True)
    if file is None or file.version != look.version:
        return
    await look_store.done(uow, look.mandate_id, look.file_id, look.version)
    await uow.ring(LOOKED_JOB)
    if file.status is FileStatus.PROCESSING:
        changed = file.model_copy(update={"status": FileStatus.ACTIVE})
        await store.update(uow, look.mandate_id, changed)
        await announce(uow, look.mandate_id, changed)


async def hold(uow: UnitOfWork, look: Look, until: datetime) -> None:
    """It is still ours, or nobody's for a while."""
    await look_store.hold(uow, look.mandate_id, look.file_id, look.version, look.claim, until)


async def slow_down(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int) -> None:
    """Reading this version takes long: from now on it waits among those that are read at low priority."""
    await look_store.slow_down(uow, mandate_id, file_id, version)


async def give_back(uow: UnitOfWork, look: Look) -> None:
    """Somebody else may take it at once, and this try does not count."""
    await look_store.give_back(uow, look.mandate_id, look.file_id, look.version, look.claim)
    await uow.ring(LOOK_JOB)


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
