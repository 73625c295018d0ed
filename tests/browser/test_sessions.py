"""Sessions in a real browser: a one-time link opens one, and signing out ends it in every tab."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from tests.browser.pages import settled
from tests.faults.process import Workroom, one_time_link


@pytest.mark.requirement("N3")
async def test_a_one_time_link_opens_the_workspace_and_leaves_no_trace(server: Workroom, visitors: Any) -> None:
    visitor = await visitors()
    link = one_time_link(server.command("users", "link").fine())
    page = await visitor.open("/" + link.split("/", 3)[3])
    await page.wait_for_url("**/i/*")  # where this person was last
    field = page.get_by_label("Message", exact=True)
    await expect(field).to_be_visible()
    assert link.partition("#")[2] not in await page.evaluate("location.href + JSON.stringify(history.state)")
    await page.reload()
    await expect(field).to_be_visible()
    stranger = await visitors()
    again = await stranger.open("/" + link.split("/", 3)[3])
    await expect(again.get_by_text("already used, or it has expired")).to_be_visible()
    stranger.expect("status of 401")


async def test_signing_out_in_one_tab_signs_out_the_other(visitors: Any) -> None:
    visitor = await visitors()
    first = await visitor.enter()
    second = await visitor.open("/i/workspace")
    await settled(second)
    await first.get_by_role("button", name="Your account").click()
    await first.get_by_role("menuitem", name="Sign out").click()
    for page in (first, second):
        await expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    visitor.expect("status of 401")
