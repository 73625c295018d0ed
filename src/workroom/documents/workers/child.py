"""The program of a child process: reads jobs from its input, answers on its output, ends when its input does.

A second thread reads the input, so that the death of the parent is noticed also in the middle of a document.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import queue
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from workroom.core.errors import ConfigurationError, StorageFull, WorkroomError
from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.workers import frames, sandbox
from workroom.documents.workers.frames import Frame, FrameType
from workroom.documents.workers.jobs import run_job
from workroom.documents.workers.registry import ExtractorRegistry
from workroom.documents.workers.serialisation import error_out


def main() -> None:
    options = _options()
    jobs, answers = _pipes()
    registry = ExtractorRegistry(options.module)
    sandbox.apply_limits(options.memory_mb)
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    listening = threading.Thread(target=_listen, args=(jobs, waiting), daemon=True)
    listening.start()
    try:
        _send(answers, (FrameType.READY, b""))
        while True:
            request = json.loads(waiting.get())
            _send(answers, (FrameType.BEGUN, b""))
            sandbox.allow_seconds(options.seconds)
            worn_out = _do(registry, request, answers)
            _tidy()
            retire = worn_out or sandbox.is_worn_out(options.memory_mb)
            _send(answers, (FrameType.DONE, json.dumps({"retire": retire}).encode()))
    except BrokenPipeError:
        listening.join()  # the parent is gone: the listening thread cleans up and ends this process


def _do(registry: ExtractorRegistry, request: dict[str, Any], answers: IO[bytes]) -> bool:
    """True when the job left this process in a state in which it should not take another."""
    try:
        for frame in run_job(registry, request):
            _send(answers, frame)
    except WorkroomError as error:
        _fail(answers, error)
    except MemoryError:
        _fail(answers, DocumentTooLarge("This document needs more memory than is allowed. Split it into smaller ones."))
        return True
    except frames.BadFrame:
        _fail(answers, DocumentTooLarge("There is too much in one piece of this document. Split it into smaller ones."))
    except ImportError as error:
        missing = f"What is needed to read documents of this kind is not installed here ({error.name}). Install it, try again."
        _fail(answers, ConfigurationError(missing))
    except OSError as error:
        _fail(answers, _disk(error))
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        _fail(
            answers, DamagedDocument(_DAMAGED), f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
        )
    return False


_DAMAGED = (
    "This document is damaged, or not what its name says. Open it in the program it comes from and save it again."
)


def _disk(error: OSError) -> WorkroomError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StorageFull()
    if error.errno == errno.EFBIG:
        return DocumentTooLarge(
            "What comes out of this document is larger than is allowed. Split it into smaller ones."
        )
    return DamagedDocument(_DAMAGED)


def _fail(answers: IO[bytes], error: WorkroomError, cause: str = "") -> None:
    """`cause` is for the log: where it happened, never what was in the document."""
    _send(answers, (FrameType.ERROR, json.dumps(error_out(error) | {"cause": cause}, default=str).encode()))


def _send(answers: IO[bytes], frame: Frame) -> None:
    answers.write(frames.pack_frame(*frame))
    answers.flush()


def _listen(jobs: IO[bytes], waiting: queue.SimpleQueue[bytes]) -> None:
    with suppress(Exception):
        while frame := frames.read_frame(jobs):
            waiting.put(frame[1])
    _tidy(everything=True)
    os.killpg(0, signal.SIGKILL)  # whatever this process started ends with it


def _tidy(*, everything: bool = False) -> None:
    """The temporary folder is this process's own; its parent removes it when it cannot do so itself."""
    folder = Path(tempfile.gettempdir())
    with suppress(OSError):
        for left in folder.iterdir():
            if left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink()
        if everything:
            folder.rmdir()


def _pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Takes input and output for itself, so that a library that prints does not talk in between."""
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return jobs, answers


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory-mb", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--scratch", required=True, type=Path)
    parser.add_argument("--module", action="append", default=[])
    options = parser.parse_args()
    if os.getsid(0) != os.getpid():
        sys.exit("This program is started by Workroom, in a session of its own.")
    tempfile.tempdir = str(options.scratch)
    return options


if __name__ == "__main__":
    main()
