"""Housekeeping: empties old trash, drops abandoned uploads, sweeps unreferenced blobs. Safe to run twice, by any worker."""

from __future__ import annotations

import logging
from datetime import timedelta

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import Conflict
from workroom.db import Database, trash
from workroom.files.ports import BlobStore
from workroom.files.store import blobs as blob_store
from workroom.files.store import files as file_store
from workroom.files.store import folders as folder_store
from workroom.files.store import uploads as upload_store

log = logging.getLogger(__name__)

UPLOADS_KEPT = timedelta(days=1)
UNUSED_KEPT = timedelta(days=1)
AT_ONCE = 500


async def clean_up(db: Database, blobs: BlobStore) -> None:
    await empty_trash(db)
    await drop_uploads(db, blobs)
    await sweep_blobs(db, blobs)


async def empty_trash(db: Database) -> int:
    return await trash.empty_trash(
        db, "files", lambda uow, before: file_store.sweep(uow, before, now()), folder_store.sweep
    )


async def drop_uploads(db: Database, blobs: BlobStore) -> int:
    """Drop old upload rows and old drafts, each by its own age: a draft without a row was left by a process that died."""
    before = now() - UPLOADS_KEPT
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        removed = await upload_store.sweep(uow, before)
    return removed + await blobs.sweep_drafts(before)


async def sweep_blobs(db: Database, blobs: BlobStore) -> int:
    """Delete blobs no file version names. The bytes go before the row's deletion is committed: a writer of the same content
    waits for that row and then stores it anew. If we die in between, the next sweep finds the row again."""
    before = now() - UNUSED_KEPT
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        unused = await blob_store.unused(uow, before, AT_ONCE)
    swept = 0
    for blob in unused:
        try:
            async with db.unit_of_work(UserActor(blob.mandate_id)) as uow:
                if await blob_store.forget(uow, blob, before):
                    await blobs.delete(blob)
                    swept += 1
        except Conflict:
            log.info("content came into use while it was being swept")
    if swept:
        log.info("removed content that no file names", extra={"blobs": swept})
    return swept
