"""How large the thing is: what an installation puts on the disk, and what a browser loads before it shows anything."""

from __future__ import annotations

import gzip
import re
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import workroom

PACKAGE = Path(workroom.__file__).parent
PAGES = PACKAGE / "_web"
_SCRIPTS = re.compile(r"""<(?:script[^>]*\ssrc|link[^>]*\srel="modulepreload"[^>]*\shref)="([^"]+\.js)\"""")
# `import … from "./x.js"` and `import "./x.js"`; not `import("./x.js")`, which loads later.
_STATIC = re.compile(r"""(?:\bfrom|\bimport)\s*["'](\./[^"']+\.js)["']""")


def installed() -> dict[str, int]:
    """Bytes by distribution: Workroom with its pages, and everything it needs to run."""
    sizes = {"workroom": sum(path.stat().st_size for path in PACKAGE.rglob("*") if _is_shipped(path))}
    waiting = _needs("workroom")
    while waiting:
        name = waiting.pop()
        if name not in sizes:
            sizes[name] = _size(metadata.distribution(name))
            waiting += _needs(name)
    return sizes


def initial_scripts() -> dict[str, int]:
    """Compressed bytes by file: the scripts of the first page, and all that they import without being asked."""
    html = (PAGES / "index.html").read_text()
    waiting = [PAGES / src.lstrip("/") for src in _SCRIPTS.findall(html)]
    sizes: dict[str, int] = {}
    while waiting:
        file = waiting.pop()
        if file.name not in sizes:
            text = file.read_bytes()
            sizes[file.name] = len(gzip.compress(text, 9))
            waiting += [file.parent / found for found in _STATIC.findall(text.decode())]
    return sizes


def _is_shipped(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


def _needs(name: str) -> list[str]:
    wanted = map(Requirement, metadata.distribution(name).requires or [])
    return [
        canonicalize_name(need.name) for need in wanted if need.marker is None or need.marker.evaluate({"extra": ""})
    ]


def _size(found: metadata.Distribution) -> int:
    paths = (Path(str(found.locate_file(file))) for file in found.files or [])
    return sum(path.stat().st_size for path in paths if path.is_file())
