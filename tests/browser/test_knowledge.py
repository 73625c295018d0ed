"""What files say, searched in a real browser: from the upload to the page a passage stands on."""

from __future__ import annotations

import io
import re
import uuid
import zipfile
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.browser.conftest import screenshot
from tests.browser.knowledge_pages import INDEXING, Room, enter, fits, names
from tests.browser.uploads import MAKE_ROOM
from tests.documents.pdf.making import Page as Sheet
from tests.documents.pdf.making import PdfMaker

SIZES = ["desktop", "phone"]
THEMES = ["light", "dark"]
SHARE = """id => fetch(`/api/files/${id}`, {
    method: 'PATCH', headers: {'content-type': 'application/json'}, body: JSON.stringify({visibility: 'ALL'})
}).then(answer => answer.json())"""

POST = """([path, body]) => fetch(path, {
    method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)
}).then(answer => answer.json())"""

LEASE = [
    ["Lease", "between the owner of the house at Lindenstrasse 4 and the tenant named below."],
    ["Rent", "The monthly rent is 1,850 francs. It is due on the first day of every month, in advance."],
    ["Deposit", "The tenant pays a deposit of three monthly rents into a blocked account of a bank."],
    ["Heating", "The house is heated with wood pellets from October to April."],
    ["Pets", "Cats and small animals are allowed. Dogs need the consent of the owner."],
    ["Repairs", "The owner repairs the roof and the windows; small repairs are for the tenant to pay."],
    ["Notice", "Either party may terminate the lease with three months of notice to the end of a quarter."],
    ["Keys", "The tenant receives four keys. Lost keys are replaced, with the lock, at their expense."],
]


def lease() -> bytes:
    return PdfMaker([Sheet().lines(60, 80, lines) for lines in LEASE]).data()


def archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("minutes/2026/march.md", "# Minutes of March\n\nThe board decided to buy a cargo bicycle.")
        file.writestr("broken.pdf", b"%PDF-1.7 nothing")
    return packed.getvalue()


@pytest.mark.requirement("H2")
@pytest.mark.requirement("P2")
async def test_a_stored_pdf_is_found_and_opens_at_its_page(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await expect(page.get_by_text("Nothing to search yet")).to_be_visible()
    await room.put("Lease Lindenstrasse.pdf", lease())
    example = page.get_by_role("main").get_by_role("button", name="between the owner")
    await expect(example).to_be_visible(timeout=INDEXING)
    await example.click()
    await expect(room.hits.first).to_contain_text("Page 1")
    await page.get_by_role("heading", level=1).click()
    await page.keyboard.press("/")
    await expect(room.field).to_be_focused()
    await room.search("when may the tenant terminate?")
    await page.wait_for_url("**q=when+may+the+tenant+terminate**")
    first = room.hits.first
    await expect(first.get_by_role("link")).to_have_text("Page 7")
    assert "terminate" in await first.locator("mark").all_inner_texts()
    await first.get_by_text("Why?").click()
    await expect(first).to_contain_text("Weight of the words")
    await expect(first).to_contain_text("termin")
    await room.field.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        await page.keyboard.press(key)
    await expect(first.get_by_role("link")).to_be_focused()
    for key, is_open in {"ArrowLeft": False, "ArrowRight": True}.items():
        await page.keyboard.press(key)
        await expect(first.locator("details")).to_have_js_property("open", is_open)
    await fits(page, "found-desktop")
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile(r"/files/[^?]+\?page=7&quote="))
    sheet = page.locator('[data-page="7"]')
    await expect(sheet.get_by_role("img", name="Page 7")).to_be_in_viewport(timeout=INDEXING)
    await expect(sheet.locator("mark").first).to_be_in_viewport(timeout=INDEXING)
    await screenshot(page, "knowledge-opened-desktop")
    await page.go_back()
    await expect(first.get_by_role("link")).to_have_text("Page 7")
    await expect(room.field).to_have_value("when may the tenant terminate?")


@pytest.mark.requirement("H5")
async def test_meaning_finds_what_words_do_not(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("Lease Lindenstrasse.pdf", lease())
    await room.indexed("Lease Lindenstrasse.pdf")
    await room.open("?q=kitten+puppy")
    await expect(room.hits.first).to_contain_text("Cats and small animals")
    await expect(room.hits.first).to_contain_text("by meaning")
    await page.get_by_label("Words only").check()
    await expect(page.get_by_text("No passage has these words")).to_be_visible()
    await page.wait_for_url("**words=1**")
    await fits(page, "nothing-words-desktop")
    await page.get_by_role("button", name="Search by meaning, too").click()
    await expect(room.hits.first).to_contain_text("Cats and small animals")
    await page.get_by_label("Words only").check()
    await room.field.fill("pets ")
    await page.wait_for_url("**q=pets&words=1")
    await expect(room.field).to_have_value("pets ")  # who goes on typing, goes on with a new word
    await expect(room.hits).to_have_count(1)
    await expect(room.hits.first).to_contain_text("Page 5")


@pytest.mark.requirement("H2")
async def test_a_file_that_cannot_be_read_says_why_and_can_be_tried_again(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("odd.pdf", b"%PDF-1.7 nothing")
    notice = page.get_by_text("1 file could not be read.")
    await expect(notice).to_be_visible(timeout=INDEXING)
    await notice.locator("..").get_by_role("link", name="Show").click()
    row = room.row("odd.pdf")
    await expect(row).to_contain_text("Could not be read")
    await expect(row).to_contain_text("damaged")
    await room.put("scan.pdf", PdfMaker([Sheet()]).data())
    await expect(room.row("scan.pdf")).to_contain_text("No text in it", timeout=INDEXING)
    await expect(room.row("scan.pdf")).to_contain_text("probably scanned")
    await fits(page, "failed-desktop")
    await row.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text("is being read again")
    await expect(row).to_contain_text("Could not be read", timeout=INDEXING)
    await room.open(part="files")
    badge = room.row("odd.pdf").get_by_role("button", name="Could not be read")
    await badge.click()
    reason = page.get_by_role("dialog", name="Could not be read")
    await expect(reason).to_contain_text("damaged")
    await fits(page, "failed-in-list-desktop")
    await reason.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text("is being read again")
    await expect(reason).to_be_hidden()


@pytest.mark.requirement("H2")
async def test_what_is_indexed_meanwhile_is_found_without_asking_again(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.search("cargo bicycle")
    await expect(page.get_by_text("Nothing found for “cargo bicycle”")).to_be_visible()
    await room.put("minutes.zip", archive())
    await expect(room.hits).to_have_count(1, timeout=INDEXING)
    found = page.get_by_role("region", name="march.md")
    await expect(found).to_contain_text("minutes.zip › minutes › 2026")
    await room.put("Later.md", "# Later\n\nThe cargo bicycle was sold again.")
    await page.get_by_role("button", name="Search again").click(timeout=INDEXING)
    await expect(page.get_by_role("region", name="Later.md")).to_be_visible()
    await found.locator("[data-hit]").click()
    await page.wait_for_url("**inside=minutes/2026/march.md**")
    await expect(page.get_by_role("region", name="Text")).to_contain_text("cargo bicycle", timeout=INDEXING)
    await room.open("?tab=files")
    left_out = room.row("minutes.zip").get_by_text("1 part was left out")
    await left_out.click()
    await expect(room.row("minutes.zip")).to_contain_text("broken.pdf")
    await fits(page, "notes-desktop")


@pytest.mark.requirement("H1")
@pytest.mark.requirement("P2")
async def test_readers_are_named_and_one_file_can_be_searched_alone(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    rare = f"quagga{uuid.uuid4().hex[:6]}"
    await room.put("own.md", f"# Own\n\nThe {rare} lives in this workspace.")
    shared = await room.put("shared.md", f"# Shared\n\nThe {rare} is known to everybody.")
    await page.evaluate(SHARE, shared)
    await room.put("figures.csv", f"animal,count\n{rare},12\n")
    await room.indexed("own.md", "shared.md", "figures.csv")
    await room.open(f"?q={rare}")
    for name, readers in (("own.md", "Your private file"), ("shared.md", "Everybody in the organisation can read it")):
        header = page.get_by_role("region", name=name).locator("header")
        await expect(header.get_by_text(readers)).to_be_visible()
    only = page.get_by_role("list", name="Only in one file")
    await only.get_by_role("link", name="own.md").click()
    await expect(room.hits).to_have_count(1)
    await expect(page.get_by_role("region", name="own.md")).to_be_visible()
    await fits(page, "one-file-desktop")
    await room.search("nothing of the sort, surely")
    await page.get_by_label("Words only").check()
    await page.get_by_role("button", name="Search in all files").click()
    await expect(only.get_by_role("link", name="No longer only in")).to_have_count(0)
    await page.evaluate(SHARE.replace("'ALL'", "'MY'"), shared)  # other tests look at what everybody shares, too


def confirm(page: Page, title: str) -> Locator:
    return page.get_by_role("dialog", name=title)


@pytest.mark.requirement("P2")
async def test_files_are_sorted_by_any_column_and_found_by_name(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("b2 long.pdf", lease())
    await room.put("B10 short.md", "# Kurz\n\nDie Miete ist am ersten Tag jedes Monats im Voraus fällig und zu zahlen.")
    await room.put("a broken.pdf", b"%PDF-1.7 nothing")
    await room.indexed("b2 long.pdf", "B10 short.md")
    await expect(room.row("a broken.pdf")).to_contain_text("Could not be read", timeout=INDEXING)
    await expect(names(page)).to_have_text(["a broken.pdf", "B10 short.md", "b2 long.pdf"])  # the newest first
    for head, order in {
        "Name": ["a broken.pdf", "b2 long.pdf", "B10 short.md"],
        "State": ["a broken.pdf", "b2 long.pdf", "B10 short.md"],
        "Passages": ["b2 long.pdf", "B10 short.md", "a broken.pdf"],
        "Language": ["b2 long.pdf", "B10 short.md", "a broken.pdf"],
    }.items():
        button = page.get_by_role("columnheader", name=head).get_by_role("button")
        await button.click()
        await expect(names(page)).to_have_text(order)
    await page.get_by_role("columnheader", name="Name").get_by_role("button").dblclick()
    await expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
    await expect(names(page)).to_have_text(["B10 short.md", "b2 long.pdf", "a broken.pdf"])
    await expect(room.row("B10 short.md")).to_contain_text("German")
    await page.get_by_role("searchbox", name="Search files").fill("short")
    await expect(names(page)).to_have_text(["B10 short.md"])
    await page.wait_for_url("**&name=short&sort=name")
    await page.reload()
    await expect(page.get_by_label("Search files")).to_have_value("short")
    await expect(page.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "descending")
    await expect(names(page)).to_have_text(["B10 short.md"])
    await page.get_by_role("searchbox", name="Search files").fill("no such file")
    await expect(page.get_by_text("Nothing found for “no such file”")).to_be_visible()
    await fits(page, "files-none-found-desktop")


@pytest.mark.requirement("H1")
@pytest.mark.requirement("H6")
async def test_sharing_asks_says_what_it_means_and_can_be_undone(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    one, two = f"one {uuid.uuid4().hex[:6]}.md", f"two {uuid.uuid4().hex[:6]}.md"
    for name in (one, two):
        await room.put(name, f"# {name}\n\nThe rules of this house.")
    await room.indexed(one, two)
    await room.row(one).get_by_role("button", name="Actions").click()
    await page.get_by_role("menuitem", name="Share with everybody").click()
    asked = confirm(page, f"Share “{one}” with everybody?")
    await expect(asked).to_contain_text("agents answer from it")
    await fits(page, "share-asks-desktop")
    await asked.get_by_role("button", name="Cancel").click()
    layers = page.get_by_role("navigation", name="Which files")
    await layers.get_by_role("link", name="Shared with all").click()
    await page.wait_for_url("**tab=files&layer=shared")
    await expect(room.row(one)).to_have_count(0)
    await expect(room.row(two)).to_have_count(0)
    await layers.get_by_role("link", name="Private 2").click()
    await page.wait_for_url("**tab=files&layer=private")
    await expect(room.row(one)).to_contain_text("Only you can read it")
    await expect(layers.get_by_role("link", name="This workspace 0")).to_be_visible()
    for name in (one, two):
        await page.get_by_label(f"Select {name}").check()
    bar = page.get_by_role("toolbar", name="Selected files")
    await expect(bar).to_contain_text("2 selected")
    await fits(page, "files-selected-desktop")
    await bar.get_by_role("button", name="Sharing").click()
    await page.get_by_role("menuitem", name="Share with everybody").click()
    await confirm(page, "Share 2 files with everybody?").get_by_role("button", name="Share with everybody").click()
    told = page.get_by_role("region", name="Notifications")
    await expect(told).to_contain_text("2 files: Everybody in the organisation")
    await expect(room.row(one)).to_have_count(0)
    elsewhere = await page.evaluate(MAKE_ROOM, f"Elsewhere {uuid.uuid4().hex[:6]}")
    other = Room(await page.context.new_page(), elsewhere["id"], elsewhere["slug"])
    await other.page.goto(page.url)
    await other.open("?tab=files&layer=shared")
    await expect(other.row(one)).to_contain_text("Searchable")
    await expect(other.row(one)).to_contain_text("from Your files")
    await expect(other.row(one)).to_contain_text("Everybody in the organisation can read it")
    await told.get_by_role("button", name="Undo").click()
    await expect(room.row(one)).to_be_visible()
    await expect(room.row(two)).to_be_visible()
    await other.open("?tab=files&layer=shared")
    await expect(other.row(one)).to_have_count(0)
    await room.row(one).get_by_role("button", name="Actions").click()
    await expect(page.get_by_role("menuitem", name="Take back")).to_have_count(0)  # nobody else sees it


@pytest.mark.requirement("H2")
async def test_many_files_are_read_again_at_once(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    for name in ("one.md", "two.md"):
        await room.put(name, f"# {name}\n\nThe rules of this house.")
    await room.indexed("one.md", "two.md")
    await page.get_by_label("Select all files on the page").check()
    bar = page.get_by_role("toolbar", name="Selected files")
    await bar.get_by_role("button", name="Index again").click()
    await expect(page.get_by_role("region", name="Notifications")).to_contain_text("2 files are being read again.")
    for name in ("one.md", "two.md"):
        await expect(room.row(name)).to_contain_text("Searchable", timeout=INDEXING)
    await bar.get_by_role("button", name="Clear the selection").click()
    await expect(bar).to_have_count(0)


async def test_many_passages_come_in_parts(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("animals.pdf", PdfMaker([Sheet().text(60, 80, f"Quagga number {n}") for n in range(40)]).data())
    await room.indexed("animals.pdf")
    await room.open("?q=quagga&words=1")
    await expect(room.hits).to_have_count(3)
    await expect(page.get_by_role("button", name="12 more passages in this file")).to_be_visible()
    await page.get_by_role("button", name="Load more").click()
    await page.get_by_role("button", name="37 more passages in this file").click()
    await expect(room.hits).to_have_count(40)
    await expect(page.get_by_role("button", name="Load more")).to_have_count(0)
    await room.hits.nth(30).get_by_role("link").click()
    await expect(page.locator(".viewer")).to_be_visible()
    await page.go_back()
    await expect(room.hits.nth(30)).to_be_in_viewport()


@pytest.mark.requirement("P4")
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
async def test_every_state_is_accessible_and_fits(visitors: Any, size: str, theme: str) -> None:
    room = await enter(visitors, size, theme)
    page = room.page
    await expect(page.get_by_text("Nothing to search yet")).to_be_visible()
    await fits(page, f"none-{size}-{theme}")
    await room.put("Lease of the house at Lindenstrasse with a rather long name.pdf", lease())
    await room.put("minutes.zip", archive())
    await room.put("odd.pdf", b"%PDF-1.7 nothing")
    await room.indexed("minutes.zip", "Lease of the house at Lindenstrasse with a rather long name.pdf")
    await expect(room.row("odd.pdf")).to_contain_text("Could not be read", timeout=INDEXING)
    await fits(page, f"files-{size}-{theme}")
    await room.open()
    await expect(page.get_by_text("Ask your files")).to_be_visible()
    await expect(page.get_by_text("1 file could not be read.")).to_be_visible()
    await fits(page, f"begin-{size}-{theme}")
    await room.search("tenant rent or bicycle")
    await room.hits.first.get_by_text("Why?").click()
    await fits(page, f"found-{size}-{theme}")
    await room.open("?q=zzyzx&words=1")
    await expect(page.get_by_text("No passage has these words")).to_be_visible()
    await fits(page, f"nothing-{size}-{theme}")
    await room.open(part="files")
    await expect(room.row("odd.pdf")).to_contain_text("Could not be read")
    await fits(page, f"in-list-{size}-{theme}")


@pytest.mark.requirement("P2", "P4")
async def test_the_page_is_one_command_and_one_link_away(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await page.get_by_role("link", name="Files", exact=True).first.click()
    await page.get_by_role("navigation", name="Navigation").get_by_role("link", name="Knowledge", exact=True).click()
    await expect(room.field).to_be_focused()
    await page.get_by_role("link", name="Files", exact=True).first.click()
    await expect(page.get_by_role("heading", level=1, name="Files")).to_be_visible()
    await page.keyboard.press("Control+k")
    await page.get_by_role("dialog").get_by_role("combobox").fill("knowl")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1, name="Knowledge")).to_be_visible()


@pytest.mark.requirement("P4")
async def test_the_page_speaks_five_languages_on_a_phone(visitors: Any) -> None:
    room = await enter(visitors, "phone")
    await room.put("Lease Lindenstrasse.pdf", lease())
    await room.put("odd.pdf", b"%PDF-1.7 nothing")
    await room.indexed("Lease Lindenstrasse.pdf")
    await expect(room.row("odd.pdf")).to_contain_text("Could not be read", timeout=INDEXING)
    for locale, place in (("de-CH", "Seite 3"), ("fr-CH", "Page 3"), ("pt-BR", "Página 3"), ("zh-CN", "第 3 页")):
        visitor = await visitors("phone", "light", locale)
        page = await visitor.enter(f"/i/{room.slug}/knowledge?q=deposit")
        await expect(page.locator("[data-hit]").first).to_have_text(place)
        await page.locator("summary").first.click()
        await fits(page, f"found-phone-{locale}")
        await page.goto(f"{page.url.split('?')[0]}?tab=files")
        await expect(page.get_by_role("row")).to_have_count(2)
        await fits(page, f"files-phone-{locale}")
        text = await page.get_by_role("main").inner_text()
        assert not any(family in text for family in ("knowledge.", "readers.", "wordless."))


@pytest.mark.requirement("P2")
async def test_lists_find_what_is_inside_without_being_asked(visitors: Any) -> None:
    room = await enter(visitors)
    page = room.page
    await room.put("Lease Lindenstrasse.pdf", lease())
    await room.indexed("Lease Lindenstrasse.pdf")
    await room.open(part="files")
    await page.get_by_role("searchbox", name="Search files").fill("wood pellets")
    inside = page.get_by_role("region", name="Inside files")
    await expect(inside.get_by_role("link", name="Lease Lindenstrasse.pdf").first).to_contain_text("Page 4")
    await expect(page.get_by_text("Nothing found")).to_have_count(0)
    await fits(page, "inside-files")
    await inside.get_by_role("link", name="Lease Lindenstrasse.pdf").first.click()
    await page.wait_for_url("**/files/*page=4*")


@pytest.mark.requirement("P2", "P4")
@pytest.mark.parametrize("size", SIZES)
async def test_one_search_finds_everything_by_keyboard(visitors: Any, size: str) -> None:
    room = await enter(visitors, size)
    page = room.page
    await room.put("Lease Lindenstrasse.pdf", lease())
    await room.indexed("Lease Lindenstrasse.pdf")
    for path, body in (
        ("notes", {"title": "Bank", "text": "The deposit goes to the cantonal bank."}),
        ("todos", {"title": "Pay the deposit"}),
        ("input", {"prompt": "Note that the deposit is three rents"}),
    ):
        await page.evaluate(POST, [f"/api/workspace/{room.id}/{path}", body])
    await page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search")
    await expect(field).to_be_focused()
    await page.keyboard.type("deposit")
    options = page.get_by_role("option")
    for group, text in (
        ("Conversations", "the deposit is three rents"),
        ("Notes", "The deposit goes to the cantonal bank."),
        ("Todos", "Pay the deposit"),
        ("Inside files", "Page 3"),
        ("Inside conversations", "the deposit is three rents"),
    ):
        await expect(page.get_by_role("group", name=group, exact=True).get_by_role("option").first).to_contain_text(
            text
        )
    await expect(options.locator("mark", has_text="deposit").first).to_be_visible()
    await fits(page, f"palette-{size}")
    # By Tab to a filter, and back to the field with it.
    for _ in range(2):
        await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="Files", exact=True, pressed=False)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Files", exact=True, pressed=True)).to_be_visible()
    await expect(field).to_be_focused()
    await expect(options.filter(has_text="Pay the deposit")).to_have_count(0)
    await expect(options.first).to_contain_text("Page 3")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/files/*page=3*")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    # Words of a conversation lead to the message, a todo can be ticked off.
    await page.keyboard.press("Control+k")
    await page.keyboard.type("three rents")
    said = page.get_by_role("group", name="Inside conversations").get_by_role("option")
    await expect(said).to_be_visible()
    await page.keyboard.press("ArrowUp")
    await expect(said).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/c/*message=*")
    await expect(page.locator(".bubble", has_text="the deposit is three rents")).to_be_in_viewport()
    # Without words a kind shows its newest.
    await page.keyboard.press("Control+k")
    await page.get_by_role("button", name="Todos", exact=True).click()
    await expect(options).to_have_text([re.compile("Pay the deposit")])
    await expect(field).to_be_focused()
    await page.keyboard.type("pay the dep")
    await expect(options.filter(has_text="Pay the deposit")).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("Enter")
    await page.get_by_role("dialog", name="Pay the deposit").get_by_label("Done").check()
    await fits(page, f"found-todo-{size}")
