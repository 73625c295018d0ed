"""OCR by tesseract, where it is installed: a separate program, started per picture with a time limit, and loaded only when it
is used."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from functools import lru_cache
from typing import cast

from workroom.documents.content import clean
from workroom.documents.errors import DamagedDocument, DocumentTooLarge, OcrUnavailable, UnsupportedDocument
from workroom.documents.pictures import as_png, open_picture
from workroom.documents.ports import Extractor, Paged
from workroom.documents.types import Element, ExtractionScope, SourceFile

# Languages of the workspace, by tesseract's codes. English last among the Latin ones: the first determines the alphabet, and
# `für` would become `fur`.
LANGUAGES = ("deu", "fra", "por", "eng", "chi_sim")
PAGE_WIDTH = 2_480  # pixels: 300 per inch on A4
_KNOWN = frozenset({"image/png", "image/jpeg", "image/tiff"})
_SECONDS = 60.0
_MAX_BYTES = 64 << 20
_MOST_PIXELS = 16_000_000  # tesseract takes 20 bytes for each, and has as much memory as the process that started it
_INSTALL = "apt install tesseract-ocr tesseract-ocr-deu tesseract-ocr-fra tesseract-ocr-por tesseract-ocr-chi-sim"


def is_available() -> bool:
    return _program() is not None


def require() -> None:
    """Raise OcrUnavailable, with instructions, unless tesseract is installed."""
    _required()


def read(extractor: Extractor, source: SourceFile, page_index: int | None = None, location: str | None = None) -> str:
    """A page, or the picture at a location; where neither is said, the picture that the document is."""
    _required()
    if location is not None:
        return read_element(extractor.element(source, location))
    if page_index is not None and hasattr(extractor, "page_image"):
        return read_page(cast(Paged, extractor), source, page_index)
    pictures = extractor.extract(
        source, ExtractionScope() if page_index is None else ExtractionScope(pages=frozenset({page_index}))
    )
    first = next(pictures, None) if source.media_type.startswith("image/") else None
    if first is None:
        raise UnsupportedDocument(
            "Text is read from pages and pictures. Say which page of this document, or which of its pictures."
        )
    return read_element(extractor.element(source, first.ref.location))


def read_element(element: Element) -> str:
    """A picture in whatever format; what tesseract may not know, or cannot hold in its memory, is made a smaller PNG first."""
    if not element.media_type.startswith("image/"):
        raise UnsupportedDocument("This is no picture: there is no text to be read from it.")
    what = element.name or "This picture"
    with open_picture(io.BytesIO(element.data), what) as picture:
        pixels = picture.width * picture.height
        if element.media_type in _KNOWN and pixels <= _MOST_PIXELS:
            return read_picture(element.data)
        scale = min(1.0, (_MOST_PIXELS / pixels) ** 0.5)
        return read_picture(as_png(picture, what, within=(int(picture.width * scale), int(picture.height * scale))))


def read_picture(picture: bytes, *, seconds: float = _SECONDS) -> str:
    """The text in a picture (PNG, JPEG, TIFF), in whichever of our languages are installed."""
    if len(picture) > _MAX_BYTES:
        raise DocumentTooLarge(
            f"This picture is larger than {_MAX_BYTES >> 20} MB. Send a smaller one to read its text."
        )
    program = _required()
    command = [program, "stdin", "stdout", "-l", "+".join(languages()), "--psm", _mode(program)]
    done = _run(command, picture, seconds)
    if done.returncode < 0:  # it ran out of memory
        raise DocumentTooLarge("There is too much in this picture to read its text. Send a smaller part of it.")
    if done.returncode != 0:
        raise DamagedDocument(
            "The text of this picture cannot be read: it is damaged, or of a kind that OCR does not know."
        )
    return clean(done.stdout.decode("utf-8", "replace")).strip()


def read_page(extractor: Paged, source: SourceFile, page_index: int) -> str:
    """The text on a page that was scanned."""
    _required()
    drawn = extractor.page_image(source, page_index, PAGE_WIDTH)
    if drawn.media_type == "image/svg+xml":
        raise UnsupportedDocument(
            "The text of this page is in the document itself: nothing has to be read from a picture."
        )
    return read_element(drawn)


def languages() -> list[str]:
    """Those of ours that tesseract knows here; else whatever it knows."""
    installed = _installed(_required())
    ours = [language for language in LANGUAGES if language in installed]
    usable = ours or [language for language in installed if language != "osd"][:1]
    if not usable:
        raise OcrUnavailable(f"tesseract is installed but knows no language. Install some: {_INSTALL}")
    return usable


def _mode(program: str) -> str:
    """Whole pages; turned upright first, where tesseract has learnt which way is up."""
    return "1" if "osd" in _installed(program) else "3"


@lru_cache(maxsize=4)
def _installed(program: str) -> tuple[str, ...]:
    done = _run([program, "--list-langs"], b"", 10.0)
    lines = (done.stdout or done.stderr).decode("utf-8", "replace").splitlines()
    return tuple(line.strip() for line in lines if line.strip() and not line.startswith("List of") and "/" not in line)


def _program() -> str | None:
    return shutil.which("tesseract")


def _required() -> str:
    program = _program()
    if program is None:
        raise OcrUnavailable(
            f"Text in pictures cannot be read here, because tesseract is not installed. Whoever runs this machine can: {_INSTALL}"
        )
    return program


def _run(command: list[str], data: bytes, seconds: float) -> subprocess.CompletedProcess[bytes]:
    # One thread: pages are read side by side in processes of their own. No settings or secrets of ours go along.
    environment = {"PATH": os.environ.get("PATH", os.defpath), "OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8"}
    if prefix := os.environ.get("TESSDATA_PREFIX"):
        environment["TESSDATA_PREFIX"] = prefix
    try:
        return subprocess.run(command, input=data, capture_output=True, timeout=seconds, env=environment, check=False)
    except subprocess.TimeoutExpired:
        raise DocumentTooLarge(
            f"Reading the text of this picture took longer than {seconds:.0f} seconds and was stopped. Send a smaller part of it."
        ) from None
    except OSError as error:
        reason = error.strerror or "the system refuses"
        raise OcrUnavailable(f"tesseract cannot be started ({reason}). Install it again: {_INSTALL}") from None
