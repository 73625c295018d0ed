"""As whom PostgreSQL runs. It refuses root, so root needs a way around; everyone else runs it directly.

Directly         as ourselves
user namespace   still our user to the machine, an ordinary one to PostgreSQL: files stay ours, and folders below
                 /root stay reachable. Also for an account without an entry in /etc/passwd, which initdb refuses.
nobody           where namespaces are forbidden (most containers): files are given to `nobody`
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from workroom.core.errors import ConfigurationError
from workroom.db.embedded.binaries import Binaries
from workroom.db.embedded.process import WatchedProcess

if sys.platform != "win32":  # there the supervisor says so, instead of this import failing
    import pwd

_PROBE_SECONDS = 10.0


@dataclass(frozen=True)
class RunAs:
    """A way to start a program; `uid` and `gid` are who owns its files, seen from outside."""

    name: str
    uid: int
    gid: int
    prefix: tuple[str, ...] = ()
    changes_user: bool = False

    @classmethod
    def directly(cls) -> RunAs:
        return cls("directly", os.geteuid(), os.getegid())

    @classmethod
    def user_namespace(cls, unshare: str | None = None) -> RunAs | None:
        """None when there is no `unshare`, or no ordinary account whose name could be borrowed."""
        program = unshare or shutil.which("unshare")
        inside = next((uid for uid in (1000, 1, 65534) if _has_name(uid)), None)
        if program is None or inside is None:
            return None
        prefix = (program, "-U", f"--map-user={inside}", f"--map-group={inside}")
        return cls("user namespace", os.geteuid(), os.getegid(), prefix)

    @classmethod
    def nobody(cls) -> RunAs:
        try:
            entry = pwd.getpwnam("nobody")
        except KeyError:
            raise ConfigurationError(
                "PostgreSQL does not run as root and this machine has no account `nobody` to run it: start Workroom "
                "as a normal user."
            ) from None
        return cls("nobody", entry.pw_uid, entry.pw_gid, changes_user=True)

    @classmethod
    async def choose(cls, *, unshare: str | None = None) -> RunAs:
        """The first way that works here; tried with a harmless program, not guessed."""
        root = os.geteuid() == 0
        if not root and _has_name(os.geteuid()):
            return cls.directly()
        namespace = cls.user_namespace(unshare)
        if namespace and await namespace.can_run(["/bin/sh", "-c", ":"]):
            return namespace
        if root:
            return cls.nobody()
        raise ConfigurationError(
            f"PostgreSQL needs an account with a name, and user id {os.geteuid()} has none in /etc/passwd: start "
            "Workroom as a user that has one, or use a PostgreSQL server of your own with WORKROOM_DATABASE_URL."
        )

    @property
    def is_direct(self) -> bool:
        return not self.prefix and not self.changes_user

    def popen(
        self, command: Sequence[str], *, env: Mapping[str, str], output: IO[bytes] | int
    ) -> subprocess.Popen[bytes]:
        """Start it in a session of its own: Ctrl+C in our terminal is for us, we stop it ourselves."""
        return subprocess.Popen(
            [*self.prefix, *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",  # ours may be closed to the other user
            env=dict(env),
            start_new_session=True,
            user=self.uid if self.changes_user else None,
            group=self.gid if self.changes_user else None,
            extra_groups=[] if self.changes_user else None,
        )

    async def can_run(self, command: Sequence[str]) -> bool:
        try:
            process = await WatchedProcess.spawn(
                lambda: self.popen(command, env={"LC_ALL": "C", "PATH": os.defpath}, output=subprocess.DEVNULL)
            )
        except OSError:
            return False
        try:
            return await process.gone_within(_PROBE_SECONDS) and process.returncode == 0
        finally:
            await process.kill()

    async def can_enter(self, folder: Path) -> bool:
        return self.is_direct or await self.can_run(["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)])

    async def can_use(self, binaries: Binaries) -> bool:
        return self.is_direct or await self.can_run([str(binaries.path("postgres")), "--version"])

    def give(self, path: Path) -> None:
        """Make the path this user's own."""
        if self.changes_user:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


def _has_name(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
