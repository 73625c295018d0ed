"""Administration in a real browser: people, API tokens, workspaces."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx2
import pytest
from playwright.async_api import Route, expect

from tests.browser.conftest import screenshot, search, violations
from tests.browser.pages import unique
from tests.browser.uploads import MAKE_ROOM
from tests.faults.process import Workroom


@pytest.mark.requirement("N1")
async def test_somebody_is_invited_enters_and_is_suspended(visitors: Any) -> None:
    page = await (await visitors()).enter("/settings/users")
    name = unique("Eve")
    await page.get_by_role("button", name="Invite someone").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill(name)
    await dialog.get_by_label("Login").fill(name.replace(" ", "").lower() + "@example.org")
    await dialog.get_by_role("button", name="Create invitation").click()
    field = dialog.get_by_label("One-time sign-in link")
    await expect(field).to_be_visible()
    link = await field.input_value() if await field.evaluate("e => 'value' in e") else await field.inner_text()
    guest = await visitors()
    guests = await guest.open("/" + link.strip().split("/", 3)[3])
    await expect(guests.get_by_text(name).first).to_be_attached()
    await page.keyboard.press("Escape")
    await search(page, "Search people", name)
    await page.get_by_role("button", name=f"Actions for {name}").click()
    await page.get_by_role("menuitem", name="Suspend").click()
    await expect(page.get_by_text(f"{name} is suspended.")).to_be_visible()
    # S7: the guest's open page learns of it by itself.
    await expect(guests.get_by_role("heading", name="Sign in")).to_be_visible()
    guest.expect("status of 401")


async def test_an_invitation_is_sent_before_the_roles_are_here(visitors: Any) -> None:
    page = await (await visitors()).enter("/settings/profile")
    roles_may_come = asyncio.Event()

    async def hold_up(route: Route) -> None:
        await roles_may_come.wait()
        await route.continue_()

    await page.route("**/api/roles?*", hold_up)
    await page.get_by_role("navigation").get_by_role("link", name="People").click()
    await page.get_by_role("button", name="Invite someone").click()
    dialog = page.get_by_role("dialog")
    name = unique("Fay")
    await dialog.get_by_label("Name").fill(name)
    await dialog.get_by_label("Login").fill(name.replace(" ", "").lower())
    await dialog.get_by_role("button", name="Create invitation").click()
    await expect(dialog.get_by_role("button", name="Create invitation")).to_have_attribute("aria-busy", "true")
    roles_may_come.set()
    await expect(dialog.get_by_label("One-time sign-in link")).to_be_visible()


@pytest.mark.requirement("N3")
async def test_a_token_is_made_shown_once_used_and_revoked(server: Workroom, visitors: Any) -> None:
    page = await (await visitors()).enter("/settings/tokens")
    name = unique("script")
    await page.get_by_role("button", name="New API token").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name").fill(name)
    await dialog.get_by_role("button", name="Create token").click()
    await expect(dialog.get_by_text("shown only this once")).to_be_visible()
    shown = await dialog.evaluate("d => d.innerText + [...d.querySelectorAll('input')].map(i => i.value)")
    secret = re.search(r"wrk_[A-Za-z0-9_-]+", shown)
    assert secret
    headers = {"Authorization": f"Bearer {secret[0]}"}
    with httpx2.Client(base_url=server.base_url, headers=headers, trust_env=False) as client:
        assert client.get("/api/session").status_code == 200
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name=f"Actions for {name}").click()
        await page.get_by_role("menuitem", name="Revoke token").click()
        await page.get_by_role("dialog").get_by_role("button", name="Revoke token").click()
        await expect(page.get_by_text(f"{name} was revoked.")).to_be_visible()
        assert client.get("/api/session").status_code == 401


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_the_audit_log_is_narrowed_down_and_taken_along(visitors: Any, size: str) -> None:
    page = await (await visitors(size)).enter("/settings/audit")
    name = unique("Room")
    await page.evaluate(MAKE_ROOM, name)
    table = page.get_by_role("table", name="Audit log")
    await expect(table.get_by_text(f"Workspace created: {name}")).to_be_visible()
    await page.get_by_label("What", exact=True).select_option("Sign-ins")
    await page.wait_for_url("**/settings/audit?kind=session")
    await expect(table.get_by_text("Workspace created")).to_have_count(0)
    await expect(table.get_by_text("Signed in").first).to_be_visible()
    await screenshot(page, f"audit-{size}")
    assert await violations(page) == []
    await page.get_by_label("What", exact=True).select_option("Workspaces")
    await page.get_by_label("Search the log").fill(name)
    await expect(table.get_by_role("group")).to_have_count(1)
    async with page.expect_download() as leaving:
        await page.get_by_role("link", name="Download as CSV").click()
    lines = (await (await leaving.value).path()).read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 2
    assert ",instance.created,instance," in lines[1]
    assert name in lines[1]


async def test_a_workspace_is_archived_and_brought_back_by_undo(visitors: Any) -> None:
    page = await (await visitors()).enter("/settings/instances")
    name = unique("Room")
    await page.get_by_role("button", name="New workspace").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Name", exact=True).fill(name)
    await dialog.get_by_role("button", name="Create").click()
    await page.goto(page.url.split("/i/")[0].split("/settings")[0] + "/settings/instances")
    await page.get_by_role("button", name=f"Actions for {name}").click()
    await page.get_by_role("menuitem", name="Archive").click()
    await expect(page.get_by_text(f"{name} is archived.")).to_be_visible()
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_text(f"{name} is back.")).to_be_visible()
