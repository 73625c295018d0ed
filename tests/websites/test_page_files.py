"""What pages are called as files, and what stands at their top."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from workroom.files.names import LONGEST_NAME, clean_file_name
from workroom.websites.page_files import file_name, folder_path, markdown
from workroom.websites.types import ReadPage


def page(title: str, url: str = "https://example.org/en/about-us/?x=1", text: str = "Words.") -> ReadPage:
    return ReadPage(url, title, text, datetime(2026, 11, 18, 20, 5, tzinfo=UTC))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("About  us", "About us.md"),
        ("Bread/Rolls \\ more", "Bread – Rolls – more.md"),
        ("", "about-us.md"),
        ("...", "about-us.md"),
        ("\x00\u202e\n", "about-us.md"),
        ("图书馆", "图书馆.md"),
        ("<img src=x>", "<img src=x>.md"),
    ],
)
def test_they_are_named_by_their_title(title: str, name: str) -> None:
    assert file_name(page(title)) == name
    assert clean_file_name(name) == name


def test_every_name_can_be_stored() -> None:
    assert len(clean_file_name(file_name(page("long " * 200)))) < LONGEST_NAME
    assert file_name(page("", "https://example.org/")) == "example.org.md"
    assert clean_file_name(file_name(page("", "https://example.org/%2E%2E%2F%00")))


def test_address_and_date_stand_at_the_top() -> None:
    head = "> <https://example.org/en/about-us/?x=1> · 2026-11-18 20:05 UTC"
    assert markdown(page("About")) == f"# About\n\n{head}\n\nWords.\n"
    assert markdown(page("About", text="# About us\n\nWords.")).startswith(head), "it has its title already"
    assert folder_path("example.org:8080") == "/Websites/example.org 8080"
