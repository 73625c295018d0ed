"""A script in the place of tesseract."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

FAKE = """#!{python}
import os, sys
if "--list-langs" in sys.argv:
    print("List of available languages in /usr/share (2):\\n" + "\\n".join({languages}))
    sys.exit()
picture = sys.stdin.buffer.read()
{behaviour}
"""


def install(
    folder: Path, monkeypatch: pytest.MonkeyPatch, behaviour: str, languages: tuple[str, ...] = ("eng", "deu", "osd")
) -> None:
    program = folder / "tesseract"
    program.write_text(FAKE.format(python=sys.executable, languages=list(languages), behaviour=behaviour))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
