"""A project in a real browser: taken along as JSON, brought in again, and its blocks named in the conversation about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import every_look, screenshot, violations
from tests.browser.pages import settled, unique
from tests.browser.stage import Stage
from tests.faults.process import Workroom


@pytest.fixture
def server(stage: Stage) -> Workroom:
    return stage.server


async def fits(page: Page, name: str) -> None:
    """Accessible, and nothing scrolls sideways; a picture to look at."""
    await settled(page)
    assert await violations(page) == [], name
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    await screenshot(page, f"project-files-{name}")


def at(client: Any) -> str:
    rooms = client.get("/api/instances").raise_for_status().json()["items"]
    return f"/api/workspace/{next(room['id'] for room in rooms if room['slug'] == 'workspace')}/studio/projects"


def project(server: Workroom, name: str) -> str:
    """With the blocks it begins with and `Der Titel`, which is written. Its id."""
    with server.signed_in() as client:
        made = client.post(at(client), json={"name": name}).raise_for_status().json()
        blocks = f"{at(client)}/{made['id']}/blocks"
        block = client.post(blocks, json={"name": "Der Titel"}).raise_for_status().json()
        client.put(f"{blocks}/{block['id']}/text", json={"version": 0, "text": "Velo"}).raise_for_status()
    return str(made["id"])


@pytest.mark.requirement("F2", "P1", "P4")
@every_look
async def test_a_project_is_taken_along_and_brought_in_again(
    visitors: Any, server: Workroom, tmp_path: Path, size: str, theme: str
) -> None:
    name = unique("Velo <b>Ratgeber</b>")
    visitor = await visitors(size, theme)
    visitor.expect("422 (Unprocessable")
    page = await visitor.enter(f"/i/workspace/studio/{project(server, name)}")
    await page.get_by_role("main").get_by_role("button", name=f"Actions for {name}").click()
    await fits(page, f"menu-{size}-{theme}")
    async with page.expect_download() as waiting:
        await page.get_by_role("menuitem", name="As JSON").click()
    await (await waiting.value).save_as(path := tmp_path / "project.json")
    assert json.loads(path.read_text())["project"]["name"] == name

    await page.goto(page.url.rsplit("/", 1)[0])
    chooser = page.get_by_label("Import", exact=True).and_(page.locator("input"))
    (wrong := tmp_path / "wrong.json").write_text(path.read_text().replace('"number": 2', '"number": 1'))
    await chooser.set_input_files(wrong)
    await expect(page.get_by_role("alert")).to_contain_text("(number 1) has the number of another block")
    await fits(page, f"refused-{size}-{theme}")
    await chooser.set_input_files(path)
    report = page.get_by_role("status").filter(has_text="is here")
    await expect(report).to_contain_text(name)
    await fits(page, f"imported-{size}-{theme}")
    await report.get_by_role("link", name="Open").click()
    await expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    await page.get_by_role("treeitem", name="Der Titel").get_by_role("link").click()
    await expect(page.get_by_text("Contains content from outside")).to_be_visible()
    await fits(page, f"from-outside-{size}-{theme}")
    await page.get_by_role("radio", name="Preview").check()
    for block, mode in (("Absichtsanalyse", "Write"), ("Der Titel", "Preview")):  # nothing to see of an empty one
        if size == "phone":
            await page.get_by_role("link", name="Blocks", exact=True).click()
        await page.get_by_role("treeitem", name=block).get_by_role("link").click()
        await expect(page.get_by_role("heading", level=2, name=block)).to_be_visible()
        await expect(page.get_by_role("radio", name=mode)).to_be_checked()


@pytest.mark.requirement("F2")
async def test_the_open_block_is_in_sight_in_a_long_tree(visitors: Any, server: Workroom) -> None:
    made = project(server, unique("Velo"))
    with server.signed_in() as client:
        file = client.get(f"{at(client)}/{made}/export", params={"format": "json"}).raise_for_status().json()
        file["blocks"] += [
            {"number": number, "phase": "evaluate", "name": f"Kapitel {number}"} for number in range(3, 63)
        ]
        long = client.post(f"{at(client)}/import", json=file).raise_for_status().json()["id"]
        last = client.get(f"{at(client)}/{long}/blocks").raise_for_status().json()[-1]["id"]
    page = await (await visitors()).enter(f"/i/workspace/studio/{long}/{last}")
    await expect(page.get_by_role("treeitem", name="Kapitel 62", selected=True)).to_be_in_viewport()


@pytest.mark.requirement("F5", "P1")
@every_look
async def test_blocks_are_named_in_the_conversation_about_their_project(
    visitors: Any, server: Workroom, size: str, theme: str
) -> None:
    made = project(server, unique("Velo"))
    with server.signed_in() as client:
        conversation = client.post(f"{at(client)}/{made}/conversation").raise_for_status().json()["workflowId"]
    page = await (await visitors(size, theme)).enter(f"/i/workspace/c/{conversation}")
    field = page.get_by_role("textbox", name="Message")
    await field.press_sequentially("Kürze @tit")
    option = page.get_by_role("option", name="Der Titel")
    await expect(option).to_contain_text("Absicht")
    await fits(page, f"mention-{size}-{theme}")
    await page.keyboard.press("Enter")
    await expect(field).to_have_value('Kürze @"Der Titel" ')
