"""A bucket on S3-compatible storage: the only module that knows opendal, and loads it with the first request.

opendal brings its own HTTP client. It talks to the endpoint an operator has set, and to nothing a user could name; see
docs/decisions/0012-blobs-on-s3.md. What goes wrong comes out as `Absent` or StorageUnavailable, after a few tries.
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


class Absent(Exception):
    """No object of that name."""


@dataclass(frozen=True)
class Place:
    """Where, and with whose key. Without a key, the machine's own rights at AWS are used."""

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
class Found:
    name: str
    size: int
    written: datetime


class Bucket:
    """`pause` is what lies between the first two of four tries, in seconds; it doubles with each."""

    def __init__(self, place: Place, pause: float = 0.2) -> None:
        self.place, self._pause = place, pause

    @functools.cached_property
    def _operator(self) -> AsyncOperator:
        from opendal import AsyncOperator
        from opendal.layers import RetryLayer, TimeoutLayer

        options = {"bucket": self.place.bucket, "root": f"/{self.place.root}", "region": self.place.region}
        if self.place.endpoint:
            options["endpoint"] = self.place.endpoint
        if self.place.key and self.place.secret:
            options |= {"access_key_id": self.place.key, "secret_access_key": self.place.secret}
            # A given key is the key: no look into files, variables or the metadata service of a cloud.
            options |= {"disable_config_load": "true", "disable_ec2_metadata": "true"}
        patient = AsyncOperator("s3", **options).layer(TimeoutLayer(timeout=TRY_SECONDS, io_timeout=TRY_SECONDS))
        return patient.layer(RetryLayer(max_times=3, min_delay=self._pause, max_delay=2.0, jitter=True))

    async def size(self, name: str) -> int:
        """Raises Absent."""
        with _explained():
            return (await self._operator.stat(name)).content_length

    async def put(self, name: str, content: bytes) -> None:
        """Whole or not at all. Over when it answers, even if the caller is cancelled."""

        async def written() -> None:
            await self._operator.write(name, content)

        with _explained():
            await to_its_end(written())

    async def put_all(self, name: str, pieces: AsyncIterator[bytes]) -> None:
        """As `put`, of any size. An error of `pieces` is how to change one's mind: there is no object then, only parts
        that the storage forgets by a rule of its own (opendal has no way to tell it to)."""
        with _explained():
            writer = await self._operator.open(name, "wb", chunk=PART)
        async for piece in pieces:
            with _explained():
                await writer.write(piece)
        # Never `async with`: that would make an object of the parts when they are not all there.

        async def closed() -> None:
            await writer.close()

        with _explained():
            await to_its_end(closed())

    async def read(self, name: str, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        """Begun when it answers: a deletion after that does no harm. What is not there is StorageUnavailable, too."""
        with _explained():
            if stop is None:
                reader = await self._operator.open(name, "rb", offset=start)
            else:
                reader = await self._operator.open(name, "rb", offset=start, size=stop - start)
            first = await reader.read(PIECE)

        async def pieces(piece: bytes) -> AsyncIterator[bytes]:
            while piece:
                yield piece
                with _explained():
                    piece = await reader.read(PIECE)

        return pieces(first)

    async def list(self, folder: str) -> list[Found]:
        """Everything below `folder/`, in order of its name, by its name below the folder."""
        found = []
        with _explained():
            async for entry in await self._operator.list(f"{folder}/", recursive=True):
                about = entry.metadata
                if not entry.path.endswith("/") and about.last_modified is not None:
                    name = entry.path.removeprefix(f"{folder}/")
                    found.append(Found(name, about.content_length, about.last_modified))
        return sorted(found, key=lambda each: each.name)

    async def delete(self, name: str) -> None:
        """Whether it is there or not."""

        async def deleted() -> None:
            await self._operator.delete(name)

        with _explained():
            await to_its_end(deleted())


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    from opendal import exceptions

    try:
        yield
    except exceptions.NotFound as error:
        raise Absent from error
    except _failures() as error:
        log.warning("the file storage did not do its work", extra={"reason": reason(error)})
        raise StorageUnavailable from error


@functools.cache
def _failures() -> tuple[type[Exception], ...]:
    """They have no base of their own, and reading from an open file raises OSError instead."""
    from opendal import exceptions

    every = [kind for kind in vars(exceptions).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*every, OSError)


def reason(error: BaseException) -> str:
    """The one line of opendal's many that says what happened."""
    return str(error).strip().partition("\n")[0].partition(", context:")[0][:300] or type(error).__name__
