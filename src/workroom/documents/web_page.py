"""A web page as its readers see it: title, text as Markdown, links. Invisible text is left out.

Hidden text is where pages address machines instead of people, so it is taken out of the tree before anything is read:
elements that are `hidden`, `aria-hidden`, or made invisible by a style of their own. Style sheets are not loaded.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from workroom.core.wire import Wire
from workroom.documents.html_blocks import html_blocks, is_dropped, parse_html, title_of
from workroom.documents.passages import joined
from workroom.documents.sniffing.encoding import encoding_of
from workroom.documents.text_files import decode
from workroom.documents.whitespace import one_line

LONGEST_TEXT = 400_000  # characters
MOST_LINKS = 1_000
LONGEST_TITLE = 200
LITTLE_TEXT = 60  # characters: a page with less, and with scripts, shows its content by script
_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{2,40})""", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_INVISIBLE = re.compile(
    r"(?:font-size|opacity)\s*:\s*0(?:\.0+)?(?:[a-z]+|%)?\s*(?:[;!]|$)|visibility\s*:\s*collapse"
    r"|display\s*:\s*none|visibility\s*:\s*hidden",
    re.IGNORECASE,
)
_NAVIGATION = frozenset({"navigation", "search", "menu", "menubar"})  # roles
_BYTE_ORDER_MARK = ("utf-8-sig", "utf-16", "utf-32")


class WebPage(Wire):
    """`links` are absolute, in the order of the page. `needs_script`: it has nearly no text without its scripts. `cut`: its text
    was longer."""

    title: str
    text: str
    links: list[str]
    needs_script: bool = False
    cut: bool = False


def read_page(path: Path, url: str, charset: str | None) -> WebPage:
    """`charset` is what the server says; a byte order mark counts before it, the page's own word after it."""
    root = parse_html(_decoded(path.read_bytes(), charset), "This page")
    if root is None:
        return WebPage(title="", text="", links=[])
    title, scripted = one_line(title_of(root), LONGEST_TITLE), _has_scripts(root)
    _remove(root, _is_invisible)
    links = _links(root, url)
    _remove(root, _is_navigation)
    blocks = [block for block in html_blocks(root, lambda address: None) if block.kind != "image"]
    heading = next((block.text for block in blocks if block.kind == "heading"), "")
    text = joined(blocks)
    return WebPage(
        title=title or one_line(heading, LONGEST_TITLE),
        text=text[:LONGEST_TEXT],
        links=links,
        needs_script=scripted and len(text) < LITTLE_TEXT,
        cut=len(text) > LONGEST_TEXT,
    )


def _decoded(data: bytes, charset: str | None) -> str:
    if (marked := encoding_of(data[:4])) in _BYTE_ORDER_MARK:
        return data.decode(marked, "replace")
    declared = _CHARSET.search(data[:4096])
    for name in (charset, declared[1].decode() if declared else None):
        if name and (text := _valid(data, name)) is not None:
            return text
    return decode(data)


def _valid(data: bytes, charset: str) -> str | None:
    """The text, if it can be that. The end of a page that was cut off may be half a character."""
    # What browsers mean by these names is what Windows has: with more characters than the standards of that name.
    name = {"iso-8859-1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252", "latin1": "cp1252"}.get(charset.lower())
    name = name or {"shift_jis": "cp932", "shift-jis": "cp932", "gb2312": "gb18030", "gbk": "gb18030"}.get(
        charset.lower(), charset
    )
    for text in (data, data[:-1], data[:-2], data[:-3]):
        try:
            return text.decode(name)
        except (LookupError, ValueError):
            continue
    return None


def _is_invisible(element: Any) -> bool:
    if element.tag in ("html", "body", "head"):
        return False  # some are shown by a script once everything is there
    if element.get("aria-hidden", "").strip().lower() == "true":
        return True
    style = element.get("style")
    return is_dropped(element) or (style is not None and _INVISIBLE.search(_COMMENT.sub("", style)) is not None)


def _is_navigation(element: Any) -> bool:
    return element.tag == "nav" or (element.get("role") or "").strip().lower() in _NAVIGATION


def _remove(root: Any, unwanted: Any) -> None:
    """Take elements out of the tree; the text behind them stays."""
    for element in [element for element in root.iter("*") if unwanted(element)]:
        parent = element.getparent()
        if parent is None:
            continue
        if element.tail:
            before = element.getprevious()
            if before is None:
                parent.text = (parent.text or "") + element.tail
            else:
                before.tail = (before.tail or "") + element.tail
        parent.remove(element)


def _links(root: Any, url: str) -> list[str]:
    base = root.find(".//base[@href]")
    start = _joined_address(url, base.get("href")) or url if base is not None else url
    found: dict[str, None] = {}
    for anchor in root.iter("a"):
        href, rel = anchor.get("href"), (anchor.get("rel") or "").lower().split()
        if href and "nofollow" not in rel and (address := _joined_address(start, href)):
            found[address.partition("#")[0]] = None
        if len(found) == MOST_LINKS:
            break
    return list(found)


def _joined_address(base: str, href: str) -> str | None:
    try:
        return urljoin(base, href.strip())
    except ValueError:  # brackets that hold no address
        return None


def _has_scripts(root: Any) -> bool:
    return next(root.iter("script"), None) is not None
