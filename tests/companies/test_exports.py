"""The documents of a company as one file: what is in it, in which language, and that nothing in it is carried out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2

from tests.companies.making import complete, create, path, write
from tests.documents.docx.making import MEDIA_TYPE, said
from tests.documents.making import stored
from tests.world import World
from workroom.documents.extractors.docx import EXTRACTOR

HOSTILE = '<b>AG</b> & #panic("no") ]]> Söhne'


async def exported(world: World, company: dict[str, Any], query: str, by: str = "rita") -> Any:
    return await world.call(by, "GET", path(world, company["id"], "export") + query)


async def test_a_docx_has_a_title_page_and_a_section_for_every_document(world: World, tmp_path: Path) -> None:
    company = await create(world, name=HOSTILE, website="alpenblick.example")
    await write(world, company, "swot", 0, complete("swot"))
    await write(world, company, "briefing", 0, complete("briefing"), "final")
    answer = await exported(world, company, "?timeZone=Europe/Zurich")
    assert (answer.status_code, answer.headers["content-type"]) == (200, MEDIA_TYPE)
    assert answer.headers["content-disposition"].startswith("attachment")
    file = stored(tmp_path, answer.content, MEDIA_TYPE, "dna.docx")
    toc = [(entry.level, entry.title) for entry in EXTRACTOR.scan(file).toc]
    assert [title for level, title in toc if level == 1] == ["Briefing", "SWOT-Analyse"]
    assert (2, "Stärken") in toc
    text = said(file)
    assert HOSTILE in text
    assert "https://alpenblick.example" in text
    assert "Final · Version 1" in text
    assert "Entwurf · Version 1" in text


async def test_a_pdf_of_one_document_in_the_language_of_the_company(world: World) -> None:
    company = await create(world, name=HOSTILE, language="fr")
    await write(world, company, "briefing", 0, complete("briefing", "fr"), "final")
    await write(world, company, "swot", 0, "# Forces et limites\n\n#panic()")
    answer = await exported(world, company, "?format=pdf&kinds=swot")
    assert answer.headers["content-type"] == "application/pdf"
    assert "Analyse%20SWOT.pdf" in answer.headers["content-disposition"]
    with pypdfium2.PdfDocument(answer.content) as document:
        pages = [page.get_textpage().get_text_range() for page in document]
    assert len(pages) == 2
    assert HOSTILE in " ".join(pages[0].split())
    assert "Brouillon · Version 1" in pages[1]
    assert "Forces et limites" in pages[1]
    assert "Analyse SWOT" not in pages[1], "it brings its own title"
    assert "#panic()" in pages[1]


async def test_what_nobody_has_written_or_there_is_not_cannot_be_exported(world: World) -> None:
    company = await create(world)
    answer = await exported(world, company, "")
    assert (answer.status_code, answer.json()["code"]) == (409, "nothingToExport")
    assert (await exported(world, company, "?kinds=slogan")).status_code == 404
    assert (await exported(world, company, "?format=odt")).status_code == 422
    assert (await exported(world, company, "?timeZone=Nowhere/Else")).status_code == 422
    assert (await exported(world, company, "", by="zoe")).status_code == 404
