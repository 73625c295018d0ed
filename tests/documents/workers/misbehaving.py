"""An extractor that does, in a child process, what the name of the document says."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import NoReturn

from workroom.documents.errors import EncryptedDocument
from workroom.documents.types import (
    ContentObject,
    ContentType,
    ContextRef,
    Element,
    ExtractionScope,
    SourceFile,
    Structure,
)

KIND = "application/x-misbehaving"


def _object(sequence: int, text: str) -> ContentObject:
    ref = ContextRef(container_path="x", location=f"line:{sequence}")
    return ContentObject(sequence=sequence, content_type=ContentType.TEXT, text=text, ref=ref)


def _hang() -> NoReturn:
    while True:
        time.sleep(60)


def _spin() -> NoReturn:
    while True:
        pass


def _eat() -> None:
    kept = []
    while True:
        kept.append(bytearray(10_000_000))


def _segfault() -> None:
    ctypes.string_at(0)


def _print() -> None:
    os.write(1, b"noise on the output\n" * 100)
    print("more noise")
    sys.stderr.write("and on the error output\n" * 10_000)
    assert sys.stdin.read() == ""


def _litter() -> None:
    tempfile.mkdtemp()
    _hang()


def _call_home() -> None:
    import socket

    socket.create_connection(("127.0.0.1", 9))


def _abort() -> None:
    os.write(2, b"memory allocation of 4294967296 bytes failed\n")
    os.abort()


def _lack() -> None:
    import a_library_that_is_missing  # type: ignore[import-not-found]  # noqa: F401


def _lock() -> None:
    raise EncryptedDocument("It wants a password.", hint="ask its owner")


def _stumble() -> None:
    raise ValueError("the secret content of the document")


DEEDS: dict[str, Callable[[], object]] = {
    "hang": _hang,
    "spin": _spin,
    "eat": _eat,
    "segfault": _segfault,
    "exit": lambda: os._exit(3),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "abort": _abort,
    "print": _print,
    "litter": _litter,
    "callhome": _call_home,
    "lack": _lack,
    "locked": _lock,
    "stumble": _stumble,
    "recurse": lambda: _recurse(0),
}


def _recurse(depth: int) -> int:
    return _recurse(depth + 1) + 1


class Misbehaving:
    media_types = frozenset({KIND})

    def scan(self, source: SourceFile) -> Structure:
        deed = DEEDS.get(source.name)
        if deed:
            deed()
        environment = ",".join(sorted(os.environ))
        open_files = ",".join(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else ""
        return Structure(
            kind="test",
            properties={"pid": str(os.getpid()), "environment": environment, "files": open_files, "cwd": os.getcwd()},
            counts={"niceness": os.nice(0), "session": os.getsid(0)},
        )

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        if source.name == "flood":
            for sequence in range(10**9):
                yield _object(sequence, "x" * 10_000)
        if source.name == "another":
            with subprocess.Popen(["sleep", "600"]) as another:
                yield _object(0, str(another.pid))
                _hang()
        if source.name == "boulder":
            yield _object(0, "x" * 20_000_000)
        for page in sorted(wanted.pages) or range(3):
            yield _object(page, f"page {page}")
            if source.name == "breaks" and page == 1:
                os._exit(1)

    def element(self, source: SourceFile, location: str) -> Element:
        return Element(data=bytes(range(256)) * 12_000, media_type="image/png", name=location, metadata={"width": 7})

    def page_image(self, source: SourceFile, page_index: int, width: int) -> Element:
        return Element(data=b"\x89PNG", media_type="image/png", metadata={"page": page_index, "width": width})


EXTRACTOR = Misbehaving()
