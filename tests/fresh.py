"""`make fresh`: what the README promises, on a machine that has nothing of ours.

A clone of what is committed, an empty home of mode 0700, no settings, no caches of the project: `make run` until the page
is there and Ctrl+C, a second `make run`, then `make test`. Standard library only: it runs before anything is installed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
KEPT = (
    "PATH",
    "LANG",
    "LC_ALL",
    "TERM",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CI",
    "WORKROOM_TEST_DATA",
    "WORKROOM_CHROMIUM",
)
KEPT_PREFIXES = ("PIP_", "NPM_CONFIG_", "npm_config_", "http_proxy", "https_proxy", "no_proxy", "NODE_EXTRA_CA_CERTS")
START_SECONDS = 900


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="workroom-fresh-"))
    home = folder / "home of ünïcode"
    home.mkdir(mode=0o700)
    clone = home / "workroom"
    try:
        subprocess.run(["git", "clone", "--quiet", str(SOURCE), str(clone)], check=True)
        env = environment(home)
        print(f"first start:  {run_once(clone, env):6.1f} s until the page is there")
        print(f"second start: {run_once(clone, env):6.1f} s")
        print("make test …", flush=True)
        subprocess.run(["make", "test", f"PYTHON={sys.executable}"], cwd=clone, env=env, check=True)
        print("\nfresh: both commands work in a fresh clone.")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def environment(home: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k in KEPT or k.startswith(KEPT_PREFIXES)}
    data = os.environ.get("WORKROOM_TEST_DATA") or str(SOURCE.parent / "shared")
    return kept | {"HOME": str(home), "WORKROOM_PORT": "8497", "WORKROOM_TEST_DATA": data}


def run_once(clone: Path, env: dict[str, str]) -> float:
    """`make run` until the page answers, then Ctrl+C; nothing may be left running."""
    started = time.monotonic()
    command = ["make", "run", f"PYTHON={sys.executable}"]
    process = subprocess.Popen(command, cwd=clone, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "Ctrl+C stops it." in line or time.monotonic() - started > START_SECONDS:
            break
    link = re.search(r"http://\S+/enter#\S+", "".join(said))
    if link is None:
        raise SystemExit(f"make run printed no link: {''.join(said)}")
    with urllib.request.urlopen(link[0].partition("/enter")[0] + "/ready", timeout=30) as answer:
        assert answer.status == 200
    seconds = time.monotonic() - started
    os.killpg(process.pid, signal.SIGINT)
    process.stdout.read()
    process.wait(60)
    with contextlib.suppress(subprocess.CalledProcessError):
        left = subprocess.run(["pgrep", "-f", str(clone)], capture_output=True, text=True, check=True).stdout.split()
        raise SystemExit(f"Ctrl+C left processes behind: {left}")
    return seconds


if __name__ == "__main__":
    main()
