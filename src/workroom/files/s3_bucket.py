"""Requests to a bucket on S3-compatible storage: the only module that uses opendal, loaded with the first request.

opendal brings its own HTTP client. It talks to the endpoint an operator has set, and to nothing a user could name; see
docs/decisions/0012-blobs-on-s3.md. Errors are raised as `ObjectMissing` or StorageUnavailable, after a few retries.
"""

from __future__ import annotations

import contextlib
import functools
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from workroom.core.waiting import to_its_end
from workroom.files.errors import StorageUnavailable

if TYPE_CHECKING:
    from opendal import AsyncOperator

log = logging.getLogger(__name__)

PIECE = 256 * 1024  # read at once
PART = 8 * 1024 * 1024  # sent at once; S3 takes 10,000 of them for one object
TRY_SECONDS = 30.0


class ObjectMissing(Exception):
    """No object of that name."""


@dataclass(frozen=True)
class BucketConfig:
    """Location and credentials of a bucket. Without a key, the machine's own AWS role is used."""

    bucket: str
    root: str
    region: str
    endpoint: str | None = None
    key: str | None = None
    secret: str | None = field(default=None, repr=False)

    @property
    def label(self) -> str:
        return f"s3://{self.bucket}/{self.root}".rstrip("/") + (f" at {self.endpoint}" if self.endpoint else "")


@dataclass(frozen=True)
class StoredObject:
    name: str
    size: int
    written: datetime


class Bucket:
    """`pause` is the delay in seconds before the first of three retries; it doubles with each."""

    def __init__(self, config: BucketConfig, pause: float = 0.2) -> None:
        self.config, self._pause = config, pause

    @functools.cached_property
    def _operator(self) -> AsyncOperator:
        from opendal import AsyncOperator
        from opendal.layers import RetryLayer, TimeoutLayer

        options = {"bucket": self.config.bucket, "root": f"/{self.config.root}", "region": self.config.region}
        if self.config.endpoint:
            options["endpoint"] = self.config.endpoint
        if self.config.key and self.config.secret:
            options |= {"access_key_id": self.config.key, "secret_access_key": self.config.secret}
            # With a configured key, no other credentials are looked up: files, variables or a cloud's metadata service.
            options |= {"disable_config_load": "true", "disable_ec2_metadata": "true"}
        operator = AsyncOperator("s3", **options).layer(TimeoutLayer(timeout=TRY_SECONDS, io_timeout=TRY_SECONDS))
        return operator.layer(RetryLayer(max_times=3, min_delay=self._pause, max_delay=2.0, jitter=True))

    async def size(self, name: str) -> int:
        """Raises ObjectMissing."""
        with _as_storage_errors():
            return (await self._operator.stat(name)).content_length

    async def put(self, name: str, content: bytes) -> None:
        """Write an object atomically. Completes before it returns, even if the caller is cancelled."""

        async def written() -> None:
            await self._operator.write(name, content)

        with _as_storage_errors():
            await to_its_end(written())

    async def put_all(self, name: str, pieces: AsyncIterator[bytes]) -> None:
        """As `put`, of any size, as a multipart upload. An error raised by `pieces` aborts it: no object is made, and the
        storage's lifecycle rule removes the parts (opendal cannot)."""
        with _as_storage_errors():
            writer = await self._operator.open(name, "wb", chunk=PART)
        async for piece in pieces:
            with _as_storage_errors():
                await writer.write(piece)
        # Never `async with`: that would complete the object after an error, from a part of the pieces.

        async def closed() -> None:
            await writer.close()

        with _as_storage_errors():
            await to_its_end(closed())

    async def read(self, name: str, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        """Bytes of an object; the first are read before it returns, so a later deletion does no harm. A missing object raises
        StorageUnavailable, too."""
        with _as_storage_errors():
            if stop is None:
                reader = await self._operator.open(name, "rb", offset=start)
            else:
                reader = await self._operator.open(name, "rb", offset=start, size=stop - start)
            first = await reader.read(PIECE)

        async def pieces(piece: bytes) -> AsyncIterator[bytes]:
            while piece:
                yield piece
                with _as_storage_errors():
                    piece = await reader.read(PIECE)

        return pieces(first)

    async def list(self, folder: str) -> list[StoredObject]:
        """All objects below `folder/`, sorted by their name relative to it."""
        objects = []
        with _as_storage_errors():
            async for entry in await self._operator.list(f"{folder}/", recursive=True):
                metadata = entry.metadata
                if not entry.path.endswith("/") and metadata.last_modified is not None:
                    name = entry.path.removeprefix(f"{folder}/")
                    objects.append(StoredObject(name, metadata.content_length, metadata.last_modified))
        return sorted(objects, key=lambda stored: stored.name)

    async def delete(self, name: str) -> None:
        """Delete an object; no error if it does not exist."""

        async def deleted() -> None:
            await self._operator.delete(name)

        with _as_storage_errors():
            await to_its_end(deleted())


@contextlib.contextmanager
def _as_storage_errors() -> Iterator[None]:
    from opendal import exceptions

    try:
        yield
    except exceptions.NotFound as error:
        raise ObjectMissing from error
    except _opendal_errors() as error:
        log.warning("the file storage did not do its work", extra={"reason": reason(error)})
        raise StorageUnavailable from error


@functools.cache
def _opendal_errors() -> tuple[type[Exception], ...]:
    """All exception classes of opendal, which have no common base; reading an open file raises OSError instead."""
    from opendal import exceptions

    classes = [kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*classes, OSError)


def reason(error: BaseException) -> str:
    """The first line of opendal's message, without its context."""
    return str(error).strip().partition("\n")[0].partition(", context:")[0][:300] or type(error).__name__
