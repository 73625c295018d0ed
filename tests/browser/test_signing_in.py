"""A server with logins: passwords, wrong ones, several organisations, and what a reader gets to see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import screenshot, violations
from tests.faults.process import Workroom, one_time_link

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workroom]:
    """In password mode; overrides the shared one for this module."""
    with Workroom(tmp_path_factory.mktemp("passwords") / "data", LOGIN="password") as running:
        running.command("users", "add", "two@example.org", "--name", "Twofold").fine()
        running.command("users", "add", "two@example.org", "--name", "Twofold", "--new-mandate", "Second").fine()
        for mandate in ("My organisation", "Second"):
            running.command(
                "users", "password", "two@example.org", "--mandate", mandate, given=f"{PASSWORD}\n{PASSWORD}\n"
            ).fine()
        yield running


async def fill_in(page: Page, login: str, password: str) -> None:
    await page.get_by_label("Login").fill(login)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in").click()


@pytest.mark.requirement("N3")
async def test_a_wrong_password_keeps_what_was_typed(visitors: Any) -> None:
    visitor = await visitors()
    page = await visitor.open("/settings/users")
    await fill_in(page, "two@example.org", "wrong wrong")
    await expect(page.get_by_text("Login or password is not right.")).to_be_visible()
    await expect(page.get_by_label("Login")).to_have_value("two@example.org")
    assert await violations(page) == []
    visitor.expect("status of 401")


async def test_a_forgotten_password_says_whom_to_ask(visitors: Any) -> None:
    page = await (await visitors("phone")).open("/")
    await page.get_by_label("Login").fill("two@example.org")
    await page.get_by_role("button", name="Forgotten password?").click()
    await expect(page.get_by_text("Ask an administrator of this Workroom for a sign-in link.")).to_be_visible()
    await expect(page.get_by_label("E-mail address")).to_have_count(0)
    assert await violations(page) == []
    await screenshot(page, "forgotten-phone")
    await page.go_back()
    await expect(page.get_by_label("Login")).to_have_value("two@example.org")
    await page.get_by_role("button", name="Forgotten password?").click()
    await page.get_by_role("button", name="Back to sign-in").click()
    await expect(page.get_by_label("Login")).to_have_value("two@example.org")


@pytest.mark.requirement("N3")
async def test_a_login_of_two_organisations_chooses_one(visitors: Any) -> None:
    visitor = await visitors()
    page = await visitor.open("/")
    await fill_in(page, "two@example.org", PASSWORD)
    choice = page.get_by_label("Organisation")
    await expect(choice).to_be_visible()
    await choice.select_option(label="Second")
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/i/workspace")
    await expect(page.get_by_text("Second").first).to_be_attached()
    visitor.expect("status of 401", "status of 409")


@pytest.mark.requirement("N1")
@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_a_reader_sees_their_workspace_and_nothing_they_cannot_use(
    server: Workroom, visitors: Any, size: str
) -> None:
    login = f"reader-{size}@example.org"
    server.command("users", "add", login, "--name", "Rita Reader", "--mandate", "My organisation").fine()
    with server.signed_in("My organisation") as administrator:
        roles = {role["key"]: role["id"] for role in administrator.get("/api/roles").json()["items"]}
        reader = administrator.get("/api/users", params={"q": login}).json()["items"][0]
        administrator.patch(f"/api/users/{reader['id']}", json={"roleId": roles["reader"]}).raise_for_status()
    link = one_time_link(server.command("users", "link", login, "--mandate", "My organisation").fine())
    page = await (await visitors(size)).open("/" + link.split("/", 3)[3])
    await page.get_by_role("button", name="Later").click()
    await expect(page.get_by_role("link", name="Look through the files")).to_be_visible()
    assert await violations(page) == []
    await page.get_by_role("button", name="Begin").click()
    await page.wait_for_url("**/i/workspace")
    await expect(page.locator("h1[tabindex]")).to_be_visible()
    assert await violations(page) == []
    for absent in ("Invite someone", "Make another workspace", "Use the API", "Audit log"):
        await expect(page.get_by_text(absent)).to_have_count(0)
    await page.goto(server.base_url + "/settings/audit")
    await expect(page.get_by_role("heading", name="There is nothing here")).to_be_visible()
