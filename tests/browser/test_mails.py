"""A server that sends mails: an invitation from the first click to the first steps, and a forgotten password."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.conftest import screenshot, violations
from tests.faults.process import Workroom
from tests.mail.mail_server import MailServer, link_in, serving

PASSWORD, OTHER = "correct horse battery", "seven green umbrellas"
DORA = "dora@example.org"
CONTACT = "Alice Meier, 031 000 00 00"


@pytest.fixture(scope="module")
async def smtp() -> AsyncIterator[MailServer]:
    async with serving() as running:
        yield running


@pytest.fixture(scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory, smtp: MailServer) -> AsyncIterator[Workroom]:
    mails = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": smtp.port, "SMTP_TLS": "none", "SMTP_FROM": "workroom@example.org"}
    with Workroom(tmp_path_factory.mktemp("mails") / "data", LOGIN="password", **mails) as running:
        yield running


async def invite(page: Page, login: str) -> None:
    await page.get_by_role("button", name="Invite someone").click()
    await page.get_by_label("Name").fill("Dora")
    await page.get_by_label("Login").fill(login)
    await page.get_by_role("button", name="Create invitation").click()


async def sign_in(page: Page, password: str) -> None:
    await page.get_by_label("Login").fill(DORA)
    await page.get_by_label("Password").fill(password)
    await page.get_by_role("button", name="Sign in").click()
    await page.wait_for_url("**/i/workspace")


@pytest.mark.requirement("N3")
async def test_an_invited_person_gets_in_and_gets_in_again_after_forgetting_the_password(
    visitors: Any, smtp: MailServer
) -> None:
    administrator = await visitors()
    administrator.expect("status of 502")
    page = await administrator.enter("/settings/about")
    await page.get_by_label("Contact").fill(CONTACT)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("The contact is saved.")).to_be_visible()
    await page.get_by_label("Test mail to").fill("alice@example.org")
    smtp.refusals["recipient"].append("550 5.1.1 no such mailbox")
    await page.get_by_role("button", name="Send a test mail").click()
    await expect(page.get_by_text("does not accept this address")).to_be_visible()
    await page.get_by_text("What the mail server says").click()
    await expect(page.get_by_text("550 5.1.1 no such mailbox")).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, "mail-test-refused")
    await page.get_by_role("button", name="Send a test mail").click()
    await expect(page.get_by_text("has taken the test mail")).to_be_visible()
    await smtp.mail_to("alice@example.org", "Test mail")

    await page.goto(f"{page.url.rpartition('/')[0]}/users")
    await invite(page, DORA)
    await expect(page.get_by_text(f"Sent to {DORA}.")).to_be_visible()
    await screenshot(page, "mail-invited")

    visitor = await visitors("phone")
    phone = await visitor.open(f"/enter#{link_in(await smtp.mail_to(DORA, 'invitation'))}")
    await expect(phone.get_by_role("heading", name="Welcome to")).to_be_visible()
    assert await violations(phone) == []
    await screenshot(phone, "welcome-phone")
    await phone.get_by_label("New password").fill("Dora-2026!!")
    await phone.get_by_role("button", name="Continue").click()
    await expect(phone.get_by_text("This is made of your name")).to_be_visible()
    await phone.get_by_label("New password").fill(PASSWORD)
    await phone.get_by_role("button", name="Continue").click()
    await expect(phone.get_by_role("heading", name="First steps")).to_be_visible()
    await expect(phone.get_by_text(CONTACT)).to_be_visible()
    await expect(phone.get_by_role("link", name="Meet the agents")).to_contain_text("Assistant")
    assert await violations(phone) == []
    await screenshot(phone, "first-steps-phone")
    await phone.get_by_role("button", name="Begin").click()
    await phone.wait_for_url("**/i/workspace")
    await expect(phone.locator("h1[tabindex]")).to_be_visible()
    visitor.expect("status of 422")

    stranger = await (await visitors()).open("/")
    await stranger.get_by_role("button", name="Forgotten password?").click()
    await stranger.get_by_label("E-mail address").fill(DORA)
    assert await violations(stranger) == []
    await screenshot(stranger, "forgotten-by-mail")
    await stranger.get_by_role("button", name="Send a link").click()
    await expect(stranger.get_by_role("heading", name="Look into your inbox")).to_be_visible()
    await stranger.goto(
        stranger.url.replace("/login", "/enter") + "#" + link_in(await smtp.mail_to(DORA, "new password"))
    )
    await expect(stranger.get_by_role("heading", name="Choose a new password")).to_be_visible()
    assert await violations(stranger) == []
    await stranger.get_by_label("New password").fill(OTHER)
    await stranger.get_by_role("button", name="Set a password").click()
    await stranger.wait_for_url("**/i/workspace")
    await smtp.mail_to(DORA, "was changed")
    await phone.reload()
    await sign_in(phone, OTHER)
    visitor.expect("status of 401")


async def test_a_mail_that_was_refused_is_told_where_people_are_and_sent_again(visitors: Any, smtp: MailServer) -> None:
    page = await (await visitors("phone")).enter("/settings/users")
    smtp.refusals["recipient"].append("550 5.1.1 unknown here")
    await invite(page, "emil@example.org")
    await expect(page.get_by_text("Could not be sent to emil@example.org.").first).to_be_visible()
    await page.get_by_role("button", name="Done").click()
    told = page.get_by_role("region", name="1 mail was not sent yet")
    await expect(told).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, "mail-unsent-phone")
    await told.get_by_role("button", name="Send again").click()
    await expect(told).to_have_count(0)
    await smtp.mail_to("emil@example.org", "invitation")
