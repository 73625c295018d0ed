"""HTML as blocks: headings, paragraphs, lists, code, tables, pictures. Scripts and what is hidden are dropped, links and
pictures are named and never fetched. One pass over the tree, without recursion."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.html_tables import cell_text, is_layout, table_rows
from workroom.documents.passages import PASSAGE, TextBlock
from workroom.documents.whitespace import one_line, tidy

MAX_BYTES = 40 << 20
DROPPED = frozenset(
    {"script", "style", "noscript", "template", "head", "svg", "math", "iframe", "object", "embed", "canvas", "map"}
    | {"button", "select", "input", "datalist", "dialog", "audio", "video", "frameset"}
)
_BREAKING = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "form", "fieldset", "figure"}
    | {"blockquote", "address", "ul", "ol", "dl", "dd", "dt", "li", "details", "summary", "hr", "body", "html"}
    | {"figcaption", "center", "legend", "label", "tr", "td", "th", "caption", "tbody", "thead", "pre", "h1", "h2"}
    | {"h3", "h4", "h5", "h6", "table", "option", "menu", "hgroup", "search"}
)
Inside = Callable[[str], str | None]
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "s": "~~", "del": "~~", "strike": "~~", "code": "`"}
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NO_ADDRESS = re.compile(r"\s*(?:javascript|data|vbscript):", re.IGNORECASE)


def parse_html(text: str, what: str) -> Any:
    """The root element, or None for a page without content."""
    from lxml import etree

    if len(text) > MAX_BYTES:
        raise DocumentTooLarge(f"{what} has more than {MAX_BYTES >> 20} MB of HTML. Split it.")
    parser = etree.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False, encoding="utf-8")
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, etree.ParserError) as error:
        if not text.strip():
            return None
        raise DamagedDocument(f"{what} cannot be read as HTML ({error}). Save it again where it was made.") from None


def in_page(address: str) -> str | None:
    return address if address.startswith("data:image/") else None


def html_blocks(root: Any, inside: Inside = in_page) -> Iterator[TextBlock]:
    """`inside` says which pictures come with the document, and by what they are found: those become blocks."""
    if root is not None:
        yield from _TreeWalk(inside).run(root)


def title_of(root: Any) -> str:
    title = None if root is None else root.find(".//title")
    return one_line(title.text or "", 300) if title is not None else ""


def is_dropped(element: Any) -> bool:
    if not isinstance(element.tag, str) or element.tag in DROPPED:
        return True
    if element.get("hidden") is not None and element.get("hidden") != "until-found":
        return True
    style = element.get("style")
    return style is not None and _HIDDEN.search(style) is not None


def picture_text(element: Any) -> str:
    """A picture elsewhere: its words and its address."""
    address = element.get("src") or ""
    words = one_line(element.get("alt") or element.get("title") or "", 300)
    if not address or _NO_ADDRESS.match(address):
        return words
    return f"![{words}]({address})"


class _TreeWalk:
    def __init__(self, inside: Inside) -> None:
        self._inside = inside
        self._text: list[str] = []
        self._number = 0
        self._pictures = 0
        self._lists: list[list[Any]] = []  # tag and counter of each list that is open
        self._mark = ""
        self._preformatted = 0
        self._links: list[tuple[Any, int]] = []

    def run(self, root: Any) -> Iterator[TextBlock]:
        from lxml import etree

        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if event == "start":
                if is_dropped(element):
                    walk.skip_subtree()
                elif element.tag == "table" and not is_layout(element):
                    yield from self._table(element)
                    walk.skip_subtree()
                elif element.tag in _HEADINGS:
                    yield from self._flush()
                    yield from self._heading(element)
                    walk.skip_subtree()
                else:
                    yield from self._start(element)
            else:
                yield from self._end(element)
        yield from self._flush()

    def _start(self, element: Any) -> Iterator[TextBlock]:
        tag = element.tag
        if tag in _BREAKING:
            yield from self._flush()
        if tag in ("ul", "ol", "menu", "dl"):
            self._lists.append([tag, 0])
        elif tag in ("li", "dd"):
            self._item(tag)
        elif tag == "pre":
            self._preformatted += 1
        elif tag == "br":
            self._text.append("\n")
        elif tag == "img":
            yield from self._picture(element)
        elif tag == "a":
            self._links.append((element, len(self._text)))
        if tag in _MARKS and not self._preformatted:
            self._text.append(_MARKS[tag])
        self._say(element.text)

    def _end(self, element: Any) -> Iterator[TextBlock]:
        tag = element.tag
        if isinstance(tag, str) and not is_dropped(element) and tag not in _HEADINGS and not self._is_table(element):
            if tag in _MARKS and not self._preformatted:
                self._close_mark(_MARKS[tag])
            if tag == "a" and self._links and self._links[-1][0] is element:
                self._link(*self._links.pop())
            if tag in _BREAKING:
                yield from self._flush(code=tag == "pre")
            if tag == "pre":
                self._preformatted -= 1
            if tag in ("ul", "ol", "menu", "dl") and self._lists:
                self._lists.pop()
        self._say(element.tail)
        if len(self._text) > PASSAGE:  # a page without any paragraph must still be cut somewhere
            yield from self._flush()

    def _is_table(self, element: Any) -> bool:
        return element.tag == "table" and not is_layout(element)

    def _say(self, text: str | None) -> None:
        if text:
            self._text.append(text if self._preformatted else re.sub(r"\s+", " ", text))

    def _item(self, tag: str) -> None:
        depth = max(len(self._lists) - 1, 0)
        current: list[Any] = self._lists[-1] if self._lists else [tag, 0]
        current[1] += 1
        self._mark = "  " * min(depth, 8) + (f"{current[1]}. " if current[0] == "ol" else "- ")

    def _close_mark(self, mark: str) -> None:
        """Emphasis around nothing is dropped; white space goes outside, where Markdown wants it."""
        for index in range(len(self._text) - 1, -1, -1):
            if self._text[index] == mark:
                inner = "".join(self._text[index + 1 :])
                del self._text[index:]
                core = inner.strip()
                before, after = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
                self._text.append(f"{before}{mark}{core}{mark}{after}" if core else inner)
                return

    def _link(self, element: Any, start: int) -> None:
        address = (element.get("href") or "").strip()
        words = "".join(self._text[start:])
        core = words.strip()
        if core and address and "\n" not in core and not _NO_ADDRESS.match(address) and start <= len(self._text):
            del self._text[start:]
            before, after = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
            self._text.append(f"{before}[{core}]({address}){after}")

    def _picture(self, element: Any) -> Iterator[TextBlock]:
        inside_path = self._inside(element.get("src") or "")
        if inside_path is not None:
            self._pictures += 1
            yield from self._flush()
            words = one_line(element.get("alt") or element.get("title") or "", 300)
            self._number += 1
            facts = {"number": self._pictures, "data": inside_path}
            yield TextBlock("image", words, self._number, self._number, facts=facts)
        elif text := picture_text(element):
            self._text.append(text)

    def _heading(self, element: Any) -> Iterator[TextBlock]:
        text = one_line(cell_text(element), 500)
        if text:
            self._number += 1
            yield TextBlock("heading", text, self._number, self._number, _HEADINGS[element.tag])

    def _table(self, element: Any) -> Iterator[TextBlock]:
        yield from self._flush()
        rows = table_rows(element)
        self._number += 1
        if len(rows) > 1 or (rows and len(rows[0]) > 1):
            yield TextBlock("table", "", self._number, self._number, rows=rows)
        elif rows and rows[0] and rows[0][0]:
            yield TextBlock("text", rows[0][0], self._number, self._number)

    def _flush(self, *, code: bool = False) -> Iterator[TextBlock]:
        joined = "".join(self._text)
        self._text = []
        self._links = [(element, 0) for element, _ in self._links]
        text = joined.strip("\n") if self._preformatted else tidy(joined)
        if not text.strip():
            return
        if code:
            text = f"```\n{text}\n```"
        self._number += 1
        mark, self._mark = self._mark, ""
        yield TextBlock("text", mark + text, self._number, self._number, facts={"item": True} if mark else {})
