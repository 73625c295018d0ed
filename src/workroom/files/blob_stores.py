"""Opens the blob store the settings select: this machine's disk, or S3-compatible storage that several machines share."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

from workroom.core.errors import ConfigurationError
from workroom.db.locks import AdvisoryLocks
from workroom.files import s3
from workroom.files.disk import DiskBlobStore
from workroom.files.errors import StorageUnavailable
from workroom.files.ports import BlobStore
from workroom.files.s3_bucket import Bucket, BucketConfig, ObjectMissing, reason
from workroom.settings import Settings


@contextlib.asynccontextmanager
async def open_store(settings: Settings, dsn: str) -> AsyncIterator[BlobStore]:
    """The configured store. `dsn` is the database for the locks that keep two machines from writing to one draft."""
    if settings.blobs_url is None:
        yield DiskBlobStore(settings.blobs)
        return
    locks = AdvisoryLocks(dsn)
    try:
        yield s3.S3BlobStore(Bucket(bucket_config(settings)), locks, settings.copies)
    finally:
        await locks.close()


def bucket_config(settings: Settings) -> BucketConfig:
    assert settings.blobs_url is not None
    parts = urlsplit(settings.blobs_url)
    return BucketConfig(
        bucket=parts.netloc,
        root=parts.path.strip("/"),
        region=settings.blobs_region,
        endpoint=settings.blobs_endpoint,
        key=settings.blobs_key.get_secret_value() if settings.blobs_key else None,
        secret=settings.blobs_secret.get_secret_value() if settings.blobs_secret else None,
    )


async def examine(settings: Settings) -> str:
    """Check the store for `workroom doctor` and describe where it is. Raises ConfigurationError with what to mend."""
    if settings.blobs_url is None:
        folder = settings.blobs
        if folder.exists() and not (folder.is_dir() and os.access(folder, os.R_OK | os.W_OK | os.X_OK)):
            raise ConfigurationError(
                f"{folder} is not a folder you may write to. Give it to the user Workroom runs as."
            )
        return f"on this machine, {folder}" + ("" if folder.exists() else " (will be made)")
    bucket = Bucket(bucket_config(settings))
    try:
        await s3.probe(bucket)
    except (StorageUnavailable, ObjectMissing) as error:
        raise ConfigurationError(
            f"{bucket.config.label} cannot be used: {reason(error.__cause__ or error)}. Check WORKROOM_BLOBS, the bucket,"
            " the endpoint and the key; it must be allowed to list, read, write and delete."
        ) from None
    return f"{bucket.config.label}: written, read, listed and deleted"
