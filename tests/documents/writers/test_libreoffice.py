"""LibreOffice, where it is installed, opens what we write, and says what stands in it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest

from tests.documents.writers.docx.making import template
from tests.documents.writers.making import drawn, report
from workroom.documents.writers.csv import csv_of
from workroom.documents.writers.docx.writer import docx_of
from workroom.documents.writers.html.writer import html_of
from workroom.documents.writers.pptx.writer import pptx_of
from workroom.documents.writers.xlsx.writer import xlsx_of

SOFFICE = shutil.which("soffice")
MARKDOWN = """
# Zahlen

| Haus | Menge | Preis | Summe |
|---|--:|--:|--:|
| Seehof | 2 | CHF 12.50 | =B2*C2 |
| Bergheim | 3 | CHF 1'000.00 | =IF(VLOOKUP("Bergheim",A2:B3,2,FALSE)=3,TEXT(C3,"0.0"),"falsch") |
"""
WORDS = ("Haus", "Seehof", "Bergheim")


@pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")
def test_libreoffice_opens_all_of_them(tmp_path: Path) -> None:
    text = f"{MARKDOWN}\n\n![Bild](haus.png)\n\nText[^1].\n\n[^1]: Note\n"
    made = {
        "letter.docx": docx_of(report(f"[TOC]\n\n{text}", pictures={"haus.png": drawn()})),
        "house.docx": docx_of(report(text, template=template())),
        "slides.pptx": pptx_of(report(text, pictures={"haus.png": drawn()})),
        "company.pptx": pptx_of(report(text, template=pptx_of(report(text)))),
        "book.xlsx": xlsx_of(report(MARKDOWN)),
        "table.csv": csv_of(report(MARKDOWN)),
        "page.html": html_of(report(text, pictures={"haus.png": drawn()})),
    }
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    said = _said([tmp_path / name for name in made])
    for name, text in said.items():
        assert [word for word in WORDS if word not in text] == [], name
    assert "Note" in said["letter.docx"]
    assert "Note" in said["house.docx"]
    assert "25" in said["book.xlsx"]
    assert "1000.0" in said["book.xlsx"]


def _said(files: Sequence[Path]) -> dict[str, str]:
    """The words of each file, as LibreOffice prints it; it starts once. Other runs of it are not disturbed."""
    folder = files[0].parent
    command = [str(SOFFICE), f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "pdf"]
    subprocess.run([*command, "--outdir", folder, *files], check=True, capture_output=True, timeout=120)
    said = {}
    for file in files:
        with pypdfium2.PdfDocument(file.with_suffix(".pdf")) as document:
            said[file.name] = " ".join(page.get_textpage().get_text_range() for page in document)
    return said
