"""Our documents in what other people open them with: LibreOffice, where it is installed, makes a PDF that says the same."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

import pypdfium2
import pytest

from tests.documents.making import png
from tests.documents.writers.docx.test_templates import template
from workroom.documents.writers.files import document_of
from workroom.documents.writers.report import DocumentFormat, Report, ReportSection

PROGRAM = shutil.which("soffice")
MARKDOWN = """
[TOC]

# Summary

Costs[^1] **fell**, see [there](https://example.org).

1. first
   - inner
2. second

![The house](house.png)

Table: Power in kWh

| Month | Planned |
|:------|--------:|
| January | 4'100 |

[^1]: By a third.

## 中文 and עברית
"""
WORDS = ("Heating", "Summary", "Costs", "inner", "The house", "Power in kWh", "4'100", "By a third.", "and")


@pytest.mark.skipif(PROGRAM is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize("look", [None, template()], ids=["ours", "template"])
async def test_it_opens_there_and_says_the_same(tmp_path: Path, look: bytes | None) -> None:
    report = Report(
        title="Heating",
        lines=["2026"],
        language="en",
        sections=[ReportSection(title="", note="", markdown=MARKDOWN)],
        pictures={"house.png": png(40, 30)},
        template=look,
    )
    (tmp_path / "made.docx").write_bytes(await document_of(report, DocumentFormat.DOCX))
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = [
        str(PROGRAM),
        profile,
        "--headless",
        "--convert-to",
        "pdf",
        "--outdir",
        str(tmp_path),
        str(tmp_path / "made.docx"),
    ]
    await asyncio.to_thread(
        subprocess.run, command, check=True, capture_output=True, timeout=180, env=os.environ | {"HOME": str(tmp_path)}
    )
    with pypdfium2.PdfDocument(tmp_path / "made.pdf") as document:
        text = "\n".join(document[at].get_textpage().get_text_bounded() for at in range(len(document)))
    for words in WORDS:
        assert words in text, words
