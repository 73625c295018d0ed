"""Charts in a conversation: drawn in light and dark, read as a table that sorts, taken along, and there again after a reload."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.async_api import Page, expect

from tests.browser.conftest import Size, Theme, every_look, screenshot, violations
from tests.browser.stage import Stage, begin, said
from tests.faults.process import Workroom

SERIES = [{"name": "Revenue", "values": [1200.5, 80, None, 10_000]}, {"name": "Cost", "values": [900, 70, 65, 8_000]}]
SALES = {"kind": "bar", "title": "Sales", "unit": "CHF", "categories": ["Q1", "Q2", "Q3", "Q4"], "series": SERIES}
FRAMES = 200
# Whether something was drawn in the colour of the first series: an empty canvas is one, too.
DRAWN = """figure => {
    const canvas = figure.querySelector('canvas')
    if (!canvas) return false
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const probe = document.createElement('span')
    probe.style.color = 'var(--chart-1)'
    figure.append(probe)
    const [r, g, b] = getComputedStyle(probe).color.match(/\\d+/g).map(Number)
    probe.remove()
    let count = 0
    for (let at = 0; at < data.length; at += 4) count += data[at] === r && data[at + 1] === g && data[at + 2] === b
    return count > 100
}"""


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


async def drawn(page: Page, name: str) -> None:
    figure = page.get_by_role("group", name=name).locator("figure")
    await expect(figure).to_have_attribute("aria-busy", "false")
    handle = await figure.element_handle()
    for _ in range(FRAMES):  # a canvas is painted with one of the next frames, and no event says so
        if await page.evaluate(DRAWN, handle):
            return
        await page.evaluate("() => new Promise(requestAnimationFrame)")
    pytest.fail(f"{name} is not drawn")


async def column(page: Page, name: str, number: int) -> list[str]:
    return await page.get_by_role("group", name=name).locator(f"tbody tr > :nth-child({number})").all_inner_texts()


@pytest.mark.requirement("P1", "P5")
@every_look
async def test_a_chart_is_seen_read_as_a_table_and_there_after_a_reload(
    visitors: Any, size: Size, theme: Theme
) -> None:
    _, page = await begin(visitors, f"drawChart {json.dumps(SALES)}", size, theme)
    card = page.get_by_role("group", name="Sales")
    picture = card.get_by_role("img")
    await drawn(page, "Sales")
    label = await picture.get_attribute("aria-label")
    assert label == (
        "Sales. Bar chart, 4 categories from Q1 to Q4."
        " Revenue: CHF\u00a080 to CHF\u00a010,000. Cost: CHF\u00a065 to CHF\u00a08,000."
    )
    box = await picture.bounding_box()
    await screenshot(page, f"chart-{size}-{theme}")
    await card.get_by_text("Show as a table").click()
    revenue = card.get_by_role("button", name="Revenue")
    await revenue.click()
    assert await column(page, "Sales", 1) == ["Q2", "Q1", "Q4", "Q3"]
    await revenue.press("Enter")
    assert await column(page, "Sales", 2) == ["CHF\u00a010,000", "CHF\u00a01,200.5", "CHF\u00a080", "–"]
    await expect(card.get_by_role("columnheader", name="Revenue")).to_have_attribute("aria-sort", "descending")
    assert await violations(page) == []
    await page.reload()
    await drawn(page, "Sales")
    again = await picture.bounding_box()
    assert box
    assert again
    assert (box["width"], box["height"]) == (again["width"], again["height"])
    if size == "phone":
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.requirement("P5")
async def test_a_chart_is_taken_along(visitors: Any, tmp_path: Path) -> None:
    _, page = await begin(visitors, f"drawChart {json.dumps(SALES)}")
    card = page.get_by_role("group", name="Sales")
    await drawn(page, "Sales")
    await card.get_by_role("button", name="Copy table").click()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[:2] == ["Category\tRevenue (CHF)\tCost (CHF)", "Q1\t1200.5\t900"]
    async with page.expect_download() as saved:
        await card.get_by_role("button", name="Save as PNG").click()
    download = await saved.value
    assert download.suggested_filename == "Sales.png"
    await download.save_as(tmp_path / "sales.png")
    picture = Image.open(tmp_path / "sales.png").convert("RGB")
    assert picture.width == 2_000
    colours = {colour for _, colour in picture.getcolors(maxcolors=1 << 24) or []}
    assert {(64, 80, 208), (255, 255, 255)} <= colours
    async with page.expect_download() as saved:
        await card.get_by_role("button", name="Save as CSV").click()
    await (await saved.value).save_as(tmp_path / "sales.csv")
    assert (tmp_path / "sales.csv").read_text("utf-8-sig").splitlines()[1] == "Q1,1200.5,900"


@pytest.mark.requirement("P1")
async def test_tables_of_an_answer_sort_and_a_chart_in_it_is_drawn(visitors: Any) -> None:
    _, page = await begin(visitors, "chart it")
    await drawn(page, "Visitors")
    answer = said(page, "The year in figures")
    table = answer.get_by_role("table")
    revenue, date = (table.get_by_role("button", name=name) for name in ("Revenue", "Date"))
    months = table.locator("tbody td:first-child")
    await revenue.focus()
    await page.keyboard.press("Enter")
    await expect(months).to_have_text(["February", "January", "March"])
    await page.keyboard.press("Enter")
    await expect(months).to_have_text(["March", "January", "February"])
    await page.keyboard.press("Enter")
    await expect(months).to_have_text(["January", "February", "March"])
    await expect(table.locator("[aria-sort]")).to_have_count(0)
    await date.click()
    await expect(months).to_have_text(["March", "January", "February"])
    await answer.get_by_role("button", name="Copy").click()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines() == [
        "Month\tRevenue\tShare\tDate",
        "March\tCHF 10'000.–\t80.5 %\t01.12.2025",
        "January\tCHF 1'200.50\t12 %\t31.01.2026",
        "February\tCHF 80.00\t7,5 %\t28.02.2026",
    ]
    rest = said(page, "And what is no chart")
    await expect(rest.locator("pre")).to_contain_text('"categories": []')
    await expect(rest.get_by_role("table").get_by_role("button")).to_have_count(0)
    assert await violations(page) == []


async def test_a_table_that_is_still_written_stays_sorted_and_does_not_jump(visitors: Any, stage: Stage) -> None:
    _, page = await begin(visitors, "chart it slowly")
    table = said(page, "The year in figures").get_by_role("table")
    await expect(table.locator("tbody tr")).to_have_count(2)
    share = table.get_by_role("button", name="Share")
    before = await table.bounding_box()
    await share.click()
    months = table.locator("tbody td:first-child")
    await expect(months).to_have_text(["February", "January"])
    after = await table.bounding_box()
    assert before
    assert after
    assert (before["y"], before["height"]) == (after["y"], after["height"])
    stage.gate.set()
    await drawn(page, "Visitors")
    await expect(months).to_have_text(["February", "January", "March"])
    await expect(share).to_be_focused()
