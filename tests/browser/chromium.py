"""Finds the Chromium that browser tests drive. `python -m tests.browser.chromium` installs it where that is one command."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


def find() -> str | None:
    """`WORKROOM_CHROMIUM`, else the first one on the PATH."""
    candidates = (os.environ.get("WORKROOM_CHROMIUM"), *map(shutil.which, NAMES), MAC)
    return next((path for path in candidates if path and os.access(path, os.X_OK)), None)


def ensure() -> str:
    """Debian's package when we are root; otherwise the exact command, for the person to run."""
    if (found := find()) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing Chromium for the browser tests …", flush=True)
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]):
            subprocess.run(
                command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            )
        found = find()
    if found is None:
        sys.exit(
            "The browser tests need Chromium or Chrome, and there is none here. Install it with:\n"
            "    sudo apt-get install chromium        (Debian, Ubuntu)\n"
            "    brew install --cask google-chrome    (macOS)\n"
            "or set WORKROOM_CHROMIUM to the program."
        )
    return found


if __name__ == "__main__":
    ensure()
