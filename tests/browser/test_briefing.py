"""A whole briefing in German: the lead hands over, widgets lead through it, the document is written beside the conversation,
edited by hand, exported, and read by the next specialist."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.conftest import screenshot, violations
from tests.browser.stage import Stage, said
from tests.faults.process import Workroom
from tests.interaction.briefing import DONE, QUESTION


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


@pytest.mark.requirement("F8", "A11", "B7", "P1", "D6")
async def test_a_briefing_from_the_first_question_to_the_export(visitors: Any) -> None:
    page = await (await visitors("desktop", "light", "de-DE")).enter("/i/workspace")
    await page.get_by_role("button", name="Firmen-DNA aufbauen").click()
    await page.wait_for_url("**/c/*")
    await expect(said(page, QUESTION)).to_be_visible()
    await expect(page.get_by_role("group", name="Briefing").first.locator("[aria-current=step]")).to_contain_text(
        "Firma"
    )
    await page.get_by_role("group", name="Das brauche ich").get_by_label("Euer Logo").check()
    await page.get_by_role("button", name=DONE).click()
    card = page.get_by_role("region", name="Deine Antwort wird gebraucht")
    await expect(card).to_contain_text("Stimmt das Briefing?")
    await card.get_by_role("button", name="Es stimmt").click()
    await expect(said(page, "Ich habe das Briefing gelesen.")).to_be_visible()

    beside = page.get_by_role("complementary", name="Dokument")
    text = beside.get_by_label("Text")
    await expect(text).to_have_value("## Ausgangslage\n\nMuster & Söhne <b>repariert</b> Velos.")
    await expect(page.get_by_role("group", name="Muster", exact=True)).to_contain_text("Briefing")
    await screenshot(page, "briefing-desktop-light")
    assert await violations(page) == []

    await text.fill("## Ausgangslage\n\nMuster & Söhne repariert Velos seit 2011.")
    await beside.get_by_role("button", name="Speichern").click()
    await expect(beside.get_by_role("button", name="Speichern")).to_be_disabled()
    async with page.expect_download() as downloading:
        await beside.get_by_role("button", name="Als Word").click()
    download = await downloading.value
    assert download.suggested_filename == "Muster – Briefing.docx"
    await page.reload()
    await expect(text).to_have_value("## Ausgangslage\n\nMuster & Söhne repariert Velos seit 2011.")
    await beside.get_by_role("button", name="Schliessen").click()
    await expect(beside).to_have_count(0)
