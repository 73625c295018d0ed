"""Is this folder ours to write in? Asked once, early, so that the answer is one sentence and not a failure later on."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path

from workroom.core.errors import ConfigurationError


def owned_folder(folder: Path) -> Path:
    """The folder, made if needed (for us alone), without symbolic links in its path; otherwise ConfigurationError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = folder.resolve(strict=True)
        owner = folder.stat().st_uid
        if sys.platform != "win32" and owner != os.geteuid():
            raise ConfigurationError(
                f"The folder {folder} belongs to another user ({user_name(owner)}): run Workroom as that user, "
                "or choose another folder with WORKROOM_DATA."
            )
        if sys.platform != "win32" and folder.stat().st_mode & 0o022:
            raise ConfigurationError(
                f"Other users can write to the folder {folder}, so they could replace what is in it: run "
                f"chmod 700 '{folder}', or choose another folder with WORKROOM_DATA."
            )
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigurationError(_reason(folder, error)) from error
    return folder


def user_name(uid: int) -> str:
    if sys.platform != "win32":
        import pwd

        try:
            return pwd.getpwuid(uid).pw_name
        except KeyError:
            pass
    return f"user id {uid}"


def _reason(folder: Path, error: OSError) -> str:
    choose = "choose another folder with WORKROOM_DATA."
    match error.errno:
        case errno.EEXIST | errno.ENOTDIR:
            return f"{folder} is not a folder, or one of its parents is a file: {choose}"
        case errno.EROFS:
            return f"The folder {folder} is on a disk that is mounted read-only: {choose}"
        case errno.EACCES | errno.EPERM:
            return f"The folder {folder} cannot be written to by this user: change its permissions, or {choose}"
        case errno.ENOSPC | errno.EDQUOT:
            return f"The disk of the folder {folder} is full: make room, or {choose}"
        case _:
            return f"The folder {folder} cannot be used ({error.strerror or error}): {choose}"
