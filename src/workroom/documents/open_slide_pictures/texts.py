"""Paragraphs and lists of a shape as its file says them, and where that is silent, its styles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.flow.numerals import numeral
from workroom.documents.open_slide_pictures.lengths import attribute, length, share
from workroom.documents.open_slide_pictures.paint import colour
from workroom.documents.open_slide_pictures.styles import Chain, OpenSlideStyles, level_in, said
from workroom.documents.slide_pictures.colours import BLACK
from workroom.documents.slide_pictures.text_layout import SlideParagraph, SlideRun, TextFrame

_USUAL_SIZE, _LARGEST = 18.0, 400.0
_MOST = 100_000  # characters of one shape
_DEEPEST = 9
_ALIGN = {"center": "ctr", "end": "r", "right": "r", "justify": "just"}
_ANCHOR = {"middle": "ctr", "bottom": "b"}
_PADDING = {"left": 7.1, "top": 3.5, "right": 7.1, "bottom": 3.5}  # points
_INDENT = 18.0
_NUMBERS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "1": "decimal"}
_SPACES = 1_000
_SPACE = re.compile(r"\s+")


def frame_of(chain: Chain) -> tuple[TextFrame, tuple[float, float, float, float]]:
    """How the text stands, and its distances from the left, the top, the right and the bottom of its shape."""
    every = said(chain, "graphic", "padding")
    left, top, right, bottom = (
        length(said(chain, "graphic", f"padding-{side}") or every, usual) for side, usual in _PADDING.items()
    )
    frame = TextFrame(
        anchor=_ANCHOR.get(said(chain, "graphic", "textarea-vertical-align"), "t"),
        wraps=said(chain, "graphic", "wrap-option") != "no-wrap",
        shrinks=said(chain, "graphic", "fit-to-size") == "shrink-to-fit",
    )
    return frame, (left, top, right, bottom)


class OpenSlideTexts:
    """Of one layer. `number` is what its field for the number of the slide shows."""

    def __init__(self, styles: OpenSlideStyles, number: int) -> None:
        self._styles, self._number = styles, number

    def paragraphs(self, holder: Any, shape: Chain, outline: str = "") -> list[SlideParagraph]:
        """`shape` are the styles of the shape; `outline` is the style of the first level of an outline, `Default-outline1`."""
        found: list[SlideParagraph] = []
        size = 0
        for paragraph in _OpenTextReader(self._styles, self._number, shape, outline).read(holder):
            found.append(paragraph)
            size += 1 + sum(len(run.text) for run in paragraph.runs)
            if size > _MOST:
                break
        return found


class _OpenTextReader:
    """Of one shape; it counts the numbers of its lists."""

    def __init__(self, styles: OpenSlideStyles, number: int, shape: Chain, outline: str) -> None:
        self._styles, self._number, self._shape, self._outline = styles, number, shape, outline
        self._counters: dict[int, int] = {}

    def read(self, holder: Any, level: int = 0, list_style: str = "") -> Iterator[SlideParagraph]:
        for child in holder:
            name = local_name(child)
            if name in ("p", "h"):
                if not level:
                    self._counters.clear()
                yield self._paragraph(child, level, None)
            elif name == "list" and level < _DEEPEST:
                yield from self._list(child, level + 1, attribute(child, "style-name") or list_style)

    def _list(self, holder: Any, level: int, list_style: str) -> Iterator[SlideParagraph]:
        for item in holder:
            marked = local_name(item) == "list-item"
            for child in item if marked or local_name(item) == "list-header" else ():
                name = local_name(child)
                if name in ("p", "h"):
                    mark = self._level(list_style, level) if marked else None
                    yield self._paragraph(child, level, mark, marked)
                    marked = False
                elif name == "list" and level < _DEEPEST:
                    yield from self._list(child, level + 1, attribute(child, "style-name") or list_style)

    def _level(self, list_style: str, level: int) -> Any:
        found = self._styles.list_level(list_style, level)
        for style in () if found is not None else self._chain(level):
            for properties in style.iterfind("{*}graphic-properties"):
                if (inside := level_in(properties.find("{*}list-style"), level)) is not None:
                    return inside
        return found

    def _chain(self, level: int) -> Chain:
        """An outline has a style for each of its levels, in whose names only the number differs."""
        if level > 1 and self._outline.endswith("1"):
            return [*self._styles.chain("presentation", f"{self._outline[:-1]}{level}"), *self._shape]
        return self._shape

    def _paragraph(self, element: Any, level: int, mark: Any, marked: bool = False) -> SlideParagraph:
        own = self._styles.chain("paragraph", attribute(element, "style-name"))
        chain = [*own, *self._chain(level)]
        runs = list(self._runs(element, chain, 0))
        size = runs[0].size if runs else self._run("", chain).size
        has_words = any(run.text.strip() for run in runs)
        place = None if mark is None else mark.find("{*}list-level-properties")
        left, indent = length(said(chain, "paragraph", "margin-left")), length(said(chain, "paragraph", "text-indent"))
        if level:
            label = length(attribute(place, "min-label-width"), _INDENT)
            left, indent = length(attribute(place, "space-before"), _INDENT * (level - 1)) + label, -label
        return SlideParagraph(
            runs=runs,
            align=_ALIGN.get(said(chain, "paragraph", "text-align"), "l"),
            left=max(0.0, left),
            indent=indent,
            bullet=self._bullet(mark, level, runs[0]) if marked and has_words else None,
            before=max(0.0, length(said(chain, "paragraph", "margin-top"))),
            after=max(0.0, length(said(chain, "paragraph", "margin-bottom"))),
            spacing=min(10.0, max(0.1, share(said(chain, "paragraph", "line-height")))),
            size=size,
        )

    def _bullet(self, mark: Any, level: int, first: SlideRun) -> SlideRun | None:
        for deeper in [known for known in self._counters if known > level]:
            del self._counters[deeper]
        if mark is not None and local_name(mark) == "list-level-style-number":
            self._counters[level] = self._counters.get(level, 0) + 1
            kind = _NUMBERS.get(attribute(mark, "num-format"))
            if kind is None:
                return None
            shown = numeral(self._counters[level], kind)
            text = f"{attribute(mark, 'num-prefix')}{shown}{attribute(mark, 'num-suffix')}"
        else:
            char = attribute(mark, "bullet-char")[:1] or "•"
            text = "•" if "\ue000" <= char <= "\uf8ff" else char  # a letter of a font of symbols
        return SlideRun(text, size=first.size, bold=first.bold, colour=first.colour, font=first.font)

    def _runs(self, element: Any, chain: Chain, depth: int) -> Iterator[SlideRun]:
        if element.text:
            yield self._run(_SPACE.sub(" ", element.text), chain)
        for child in element:
            name = local_name(child)
            if name == "line-break":
                yield self._run("\n", chain)
            elif name == "tab":
                yield self._run("\t", chain)
            elif name == "s":
                count = attribute(child, "c")
                yield self._run(" " * min(int(count) if count.isdecimal() and len(count) < 6 else 1, _SPACES), chain)
            elif name == "page-number":
                yield self._run(str(self._number), chain)
            elif name not in ("annotation", "note") and isinstance(child.tag, str) and depth < _DEEPEST:
                inside = [*self._styles.chain("text", attribute(child, "style-name"))[:_DEEPEST], *chain]
                yield from self._runs(child, inside if name == "span" else chain, depth + 1)
            if child.tail:
                yield self._run(_SPACE.sub(" ", child.tail), chain)

    def _run(self, text: str, chain: Chain) -> SlideRun:
        position = said(chain, "text", "text-position")
        font = said(chain, "text", "font-family") or said(chain, "text", "font-name")
        capitals = said(chain, "text", "text-transform") == "uppercase"
        return SlideRun(
            text=text.upper() if capitals else text,
            size=_size(chain),
            bold=said(chain, "text", "font-weight") in ("bold", "600", "700", "800", "900"),
            italic=said(chain, "text", "font-style") in ("italic", "oblique"),
            underlined=said(chain, "text", "text-underline-style") not in ("", "none"),
            struck=said(chain, "text", "text-line-through-style") not in ("", "none"),
            raised=0.33 if position.startswith("super") else -0.33 if position.startswith("sub") else 0.0,
            colour=colour(said(chain, "text", "color")) or BLACK,
            font=font.strip("'\""),
        )


def _size(chain: Chain) -> float:
    """A size in percent is of what is inherited."""
    scale = 1.0
    for style in chain:
        text = said([style], "text", "font-size")
        if text.endswith("%"):
            scale *= share(text)
        elif text:
            return max(1.0, min(length(text, _USUAL_SIZE) * scale, _LARGEST))
    return max(1.0, min(_USUAL_SIZE * scale, _LARGEST))
