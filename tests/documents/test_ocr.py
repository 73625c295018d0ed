"""OCR: what is asked of tesseract, and what is said when it is missing, slow or broken. A script plays its part."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.documents.fake_tesseract import install
from tests.documents.pdf.making import Page, one_page
from workroom.documents import ocr
from workroom.documents.errors import DamagedDocument, DocumentTooLarge, OcrUnavailable
from workroom.documents.extractors.pdf import EXTRACTOR


@pytest.fixture(autouse=True)
def _forgetful() -> None:
    ocr._installed.cache_clear()


def test_when_it_is_missing_the_command_to_install_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not ocr.is_available()
    with pytest.raises(OcrUnavailable, match="apt install tesseract-ocr"):
        ocr.read_picture(b"picture")
    with pytest.raises(OcrUnavailable):
        ocr.read_page(EXTRACTOR, one_page(tmp_path / "page.pdf", Page()), 0)


def test_what_cannot_be_started_says_why_and_not_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tesseract").write_text("no program")
    (tmp_path / "tesseract").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OcrUnavailable, match="Exec format error") as refused:
        ocr.read_picture(b"picture")
    assert str(tmp_path) not in refused.value.message


def test_our_languages_are_asked_for_as_far_as_they_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "print(' '.join(sys.argv[1:]), len(picture))")
    assert ocr.read_picture(b"12345") == "stdin stdout -l deu+eng --psm 1 5"


def test_other_languages_are_better_than_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "print(sys.argv[4:])", languages=("ita",))
    assert ocr.read_picture(b"x") == "['ita', '--psm', '3']"


def test_without_any_language_it_is_as_good_as_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "pass", languages=("osd",))
    with pytest.raises(OcrUnavailable, match="language"):
        ocr.read_picture(b"x")


def test_it_is_stopped_when_it_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "import threading; threading.Event().wait()")
    with pytest.raises(DocumentTooLarge, match="longer than"):
        ocr.read_picture(b"x", seconds=1.0)


def test_what_it_cannot_read_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "sys.exit(1)")
    with pytest.raises(DamagedDocument):
        ocr.read_picture(b"x")


def test_it_gets_a_picture_of_the_page_and_none_of_our_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKROOM_SECRET_KEY", "secret")
    install(
        tmp_path, monkeypatch, "print(picture[1:4].decode(), sorted(name for name in os.environ if 'WORK' in name))"
    )
    document = one_page(tmp_path / "page.pdf", Page().picture(0, 0, 595, 842))
    assert ocr.read_page(EXTRACTOR, document, 0) == "PNG []"


def test_strange_bytes_become_clean_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, r"os.write(1, b'a\0b\xff\x0c')")
    assert ocr.read_picture(b"x") == "ab\ufffd"


@pytest.mark.skipif(not ocr.is_available(), reason=f"tesseract is not on {os.environ.get('PATH', '')!r}")
def test_the_real_one_reads_a_page(tmp_path: Path) -> None:
    document = one_page(tmp_path / "page.pdf", Page().text(60, 100, "Lake Constance 1848", size=36))
    assert ocr.read_page(EXTRACTOR, document, 0) == "Lake Constance 1848"
