"""Links of a page, written into its text as Markdown does it: `[our report](https://example.org/report.pdf)`.

A PDF knows only rectangles that lie over words. What stands below none of the words of the running text, in a table or on a
picture, is left over, and listed after the page. Addresses that do more than lead somewhere are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from workroom.documents.extractors.pdf.geometry import Box
from workroom.documents.extractors.pdf.layout import PdfParagraph, TextSegment, same_row

MOST = 500  # on one page
_LONGEST = 2_000  # characters of an address
_SAFE = re.compile(r"(?:https?://|ftp://|mailto:|tel:)[^\s\x00-\x1f]+", re.IGNORECASE)
_WRITTEN = re.compile(r"\[([^\[\]]*)\]\((?:https?://|ftp://|mailto:|tel:)[^\s()]*\)?", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?://|ftp://|mailto:|tel:)?(?:www\.)?", re.IGNORECASE)
_BEFORE, _AFTER = ".…(", ".,;:!?"  # signs of the sentence, not of the link
_ESCAPED = {"(": "%28", ")": "%29", "<": "%3C", ">": "%3E"}  # they would end the link
_MARGIN = 1.0  # points

Link = tuple[Box, str]


def safe_links(links: Sequence[Link]) -> list[Link]:
    stripped = ((box, address.strip()) for box, address in links)
    return [(box, address) for box, address in stripped if len(address) <= _LONGEST and _SAFE.fullmatch(address)][:MOST]


def mark_links(pieces: Sequence[TextSegment], links: Sequence[Link], apart: Collection[int]) -> list[tuple[str, str]]:
    """Mark the linked words of every segment. Returns words and addresses of the links without running text; segments in
    `apart`, by identity, are not running text."""
    shown: set[int] = set()
    words: dict[int, list[str]] = {}
    for piece in pieces if links else ():  # most pages have none
        near = [(number, link) for number, link in enumerate(links) if _touches(piece.box, link[0])]
        if not near:
            continue
        placed = [(word.text, _over(word.box, near)) for word in piece.words]
        for text, number in placed:
            if number is not None:
                words.setdefault(number, []).append(text)
        if id(piece) not in apart and any(number is not None for _, number in placed):
            shown.update(number for _, number in placed if number is not None)
            piece.linked = [(text, "" if number is None else links[number][1]) for text, number in placed]
    left = [(" ".join(words.get(number, [])), links[number][1]) for number in range(len(links)) if number not in shown]
    return [(label, address) for label, address in dict.fromkeys(left) if not _is_written_out(label, address)]


def with_links(paragraph: PdfParagraph) -> str:
    """The text with Markdown links; a link across lines is one link."""
    if not any(piece.linked for piece in paragraph.pieces):
        return paragraph.text
    text = ""
    for address, words in groupby(_words(paragraph), key=itemgetter(2)):
        group = list(words)
        joined = "".join(f"{before}{word}" for before, word, _ in group)
        text += joined if not address else f"{group[0][0]}{_link(joined.removeprefix(group[0][0]), address)}"
    return text


def without_links(text: str) -> str:
    """The text as printed on the page, for finding quotations in it."""
    return _WRITTEN.sub(r"\1", text)


def list_links(left: Sequence[tuple[str, str]]) -> str:
    return "\n".join(_link(words, address) if words else address for words, address in left)


def _words(paragraph: PdfParagraph) -> Iterator[tuple[str, str, str]]:
    """What separates each from the one before, the word, and where it leads."""
    before: TextSegment | None = None
    for piece in paragraph.pieces:
        between = "" if before is None else " " if same_row(before.box, piece.box) else "\n"
        for word, address in piece.linked or [(piece.text, "")]:
            yield between, word, address
            between = " "
        before = piece


def _link(words: str, address: str) -> str:
    """A Markdown link, or the words alone if they are the address."""
    if _is_written_out(words, address):
        return words
    core = words.lstrip(_BEFORE).rstrip(_AFTER) or words
    before, _, after = words.partition(core)
    return f"{before}[{core}]({''.join(_ESCAPED.get(sign, sign) for sign in address)}){after}"


def _is_written_out(words: str, address: str) -> bool:
    return _bare("".join(words.split())) == _bare(address)


def _bare(address: str) -> str:
    return _SCHEME.sub("", address).rstrip("/.,;").casefold()


def _touches(first: Box, second: Box) -> bool:
    return (
        first.left < second.right
        and second.left < first.right
        and first.top < second.bottom
        and second.top < first.bottom
    )


def _over(word: Box, links: Sequence[tuple[int, Link]]) -> int | None:
    return next((number for number, (box, _) in links if box.holds(*word.middle, margin=_MARGIN)), None)
