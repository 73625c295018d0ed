"""Paragraphs of a shape as its file says them, and where that is silent, its layout, its master and the presentation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.flow.numerals import numeral
from workroom.documents.slide_pictures.colours import Colour
from workroom.documents.slide_pictures.lineage import Lineage
from workroom.documents.slide_pictures.paint import fill_in
from workroom.documents.slide_pictures.places import EMU, points, said, whole
from workroom.documents.slide_pictures.text_layout import SlideParagraph, SlideRun, TextFrame

_USUAL_SIZE = 1_800  # hundredths of a point
_LARGEST = 40_000
_INSETS = (("lIns", 91_440), ("tIns", 45_720), ("rIns", 91_440), ("bIns", 45_720))
_MOST = 100_000  # characters of one shape
_NUMBERS = {"alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman"}
_SYMBOLS = {"§": "▪", "Ø": "➢", "ü": "✓", "q": "❑", "v": "❖", "à": "→", "l": "●", "n": "■", "o": "○", "u": "◆"}


class SlideTexts:
    """Of one slide. `number` is what its field for the number of the slide shows."""

    def __init__(self, lineage: Lineage, number: int) -> None:
        self._lineage = lineage
        self._number = number

    def frame(self, shape: Any, body: Any) -> tuple[TextFrame, tuple[float, float, float, float], str]:
        """How the text stands, its distances from the edges of the shape, and in which direction it runs."""
        told = [body.find("{*}bodyPr"), *(each.find("{*}txBody/{*}bodyPr") for each in self._lineage.ancestors(shape))]
        about = [each for each in told if each is not None]
        insets = [
            next((points(each, name) for each in about if each.get(name)), usual / EMU) for name, usual in _INSETS
        ]
        fit = next(
            (child for each in about for child in each if local_name(child).endswith(("utofit", "utoFit"))), None
        )
        scale = reduction = 1.0
        if fit is not None and local_name(fit) == "normAutofit":
            scale = max(0.1, whole(fit, "fontScale", 100_000) / 100_000)
            reduction = max(0.2, 1 - whole(fit, "lnSpcReduction") / 100_000)
        frame = TextFrame(
            anchor=_first(about, "anchor", "t"),
            wraps=_first(about, "wrap", "square") != "none",
            shrinks=fit is not None and local_name(fit) == "normAutofit",
            scale=scale,
            lines_scale=reduction,
        )
        left, top, right, bottom = insets
        return frame, (left, top, right, bottom), _first(about, "vert", "horz")

    def paragraphs(self, shape: Any, body: Any, plain: SlideRun | None = None) -> list[SlideParagraph]:
        """`plain` is what a table says of the text in its cells."""
        reader = _SlideTextReader(self._lineage, self._number, shape, body, plain)
        found: list[SlideParagraph] = []
        length = 0
        for paragraph in body.iterfind("{*}p"):
            found.append(reader.read(paragraph))
            length += sum(len(run.text) for run in found[-1].runs)
            if length > _MOST:
                break
        return found


class _SlideTextReader:
    """Of one shape; it counts the numbers of its lists."""

    def __init__(self, lineage: Lineage, number: int, shape: Any, body: Any, plain: SlideRun | None) -> None:
        self._lineage, self._number, self._shape, self._plain = lineage, number, shape, plain
        self._bodies = [body, *(each.find("{*}txBody") for each in lineage.ancestors(shape))]
        reference = shape.find("{*}style/{*}fontRef")
        self._themed = lineage.palette.colour(reference)
        self._counters: dict[int, int] = {}

    def read(self, paragraph: Any) -> SlideParagraph:
        own = paragraph.find("{*}pPr")
        level = min(max(whole(own, "lvl"), 0), 8) + 1 if own is not None else 1
        styles = self._styles(level)
        near = [each for each in (own, *styles) if each is not None]
        runs = list(self._runs(paragraph, styles))
        ending = paragraph.find("{*}endParaRPr")
        size = runs[0].size if runs else self._run("", ending, styles).size
        about = {
            name: float(points(holder, name))
            for name in ("marL", "indent")
            if (holder := _saying(near, name)) is not None
        }
        return SlideParagraph(
            runs=runs,
            align=_first(near, "algn", "l"),
            left=about.get("marL", 0.0),
            indent=about.get("indent", 0.0),
            bullet=self._bullet(near, runs, level) if any(run.text.strip() for run in runs) else None,
            before=_space(near, "spcBef", size),
            after=_space(near, "spcAft", size),
            spacing=_spacing(near),
            size=size,
        )

    def _styles(self, level: int) -> list[Any]:
        found = [body.find(f"{{*}}lstStyle/{{*}}lvl{level}pPr") for body in self._bodies if body is not None]
        self._own = len(found)
        return [*found, *self._lineage.text_style(self._shape, level)]

    def _runs(self, paragraph: Any, styles: Sequence[Any]) -> Iterator[SlideRun]:
        for child in paragraph:
            name = local_name(child)
            about = child.find("{*}rPr")
            if name == "br":
                yield self._run("\n", about, styles)
            elif name in ("r", "fld", "m"):
                text = "".join(part.text or "" for part in child.iter("{*}t"))
                if name == "fld" and child.get("type") == "slidenum":
                    text = str(self._number)
                yield self._run(text, about, styles)
            elif name == "AlternateContent":  # formulas
                yield self._run("".join(part.text or "" for part in child.iter("{*}t")), None, styles)

    def _run(self, text: str, about: Any, styles: Sequence[Any]) -> SlideRun:
        defaults = [None if style is None else style.find("{*}defRPr") for style in styles]
        near = [each for each in (about, *defaults) if each is not None]
        plain = self._plain
        font = next((latin.get("typeface", "") for each in near if (latin := each.find("{*}latin")) is not None), "")
        capitals = _first(near, "cap", "none")
        raised = whole(about, "baseline") / 100_000
        bold = _saying(near, "b")
        return SlideRun(
            text=text.upper() if capitals == "all" else text,
            size=min(whole(_saying(near, "sz"), "sz", _USUAL_SIZE), _LARGEST) / 100,
            bold=plain.bold if plain is not None and (about is None or about.get("b") is None) else said(bold, "b"),
            italic=said(_saying(near, "i"), "i"),
            underlined=_first(near, "u", "none") != "none" or _links(about),
            struck=_first(near, "strike", "noStrike") != "noStrike",
            raised=max(-1.0, min(raised, 1.0)),
            colour=self._colour(about, defaults),
            font=self._lineage.font(font or "+mn-lt"),
        )

    def _colour(self, about: Any, defaults: Sequence[Any]) -> Colour:
        palette = self._lineage.palette
        if _links(about):
            return palette.named("hlink")
        for holder in (about, *defaults[: self._own]):
            if (found := palette.colour(fill_in(holder))) is not None:
                return found
        if self._plain is not None:
            return self._plain.colour
        if self._themed is not None:
            return self._themed
        for holder in defaults[self._own :]:
            if (found := palette.colour(fill_in(holder))) is not None:
                return found
        return palette.named("tx1")

    def _bullet(self, near: Sequence[Any], runs: Sequence[SlideRun], level: int) -> SlideRun | None:
        for deeper in [known for known in self._counters if known > level]:
            del self._counters[deeper]
        for holder in near:
            for child in holder:
                name = local_name(child)
                if name == "buNone":
                    return None
                if name == "buChar":
                    return self._marked(near, runs, _symbol(child.get("char", "•"), holder))
                if name == "buBlip":
                    return self._marked(near, runs, "•")
                if name == "buAutoNum":
                    self._counters[level] = self._counters.get(level, whole(child, "startAt", 1) - 1) + 1
                    return self._marked(near, runs, _numbered(self._counters[level], child.get("type", "")))
        return None

    def _marked(self, near: Sequence[Any], runs: Sequence[SlideRun], text: str) -> SlideRun:
        holder = next((colour for each in near if (colour := each.find("{*}buClr")) is not None), None)
        percent = next((size for each in near if (size := each.find("{*}buSzPct")) is not None), None)
        scale = 1.0 if percent is None else min(4.0, max(0.25, whole(percent, "val", 100_000) / 100_000))
        colour = self._lineage.palette.colour(holder) or runs[0].colour
        return SlideRun(text, size=runs[0].size * scale, bold=runs[0].bold, colour=colour, font=runs[0].font)


def _saying(holders: Sequence[Any], name: str) -> Any:
    return next((each for each in holders if each.get(name) is not None), None)


def _first(holders: Sequence[Any], name: str, default: str) -> str:
    holder = _saying(holders, name)
    return default if holder is None else str(holder.get(name))


def _links(about: Any) -> bool:
    return about is not None and about.find("{*}hlinkClick") is not None


def _space(near: Sequence[Any], name: str, size: float) -> float:
    """Above or below a paragraph, in points; it may be said in parts of a line."""
    for holder in near:
        if (space := holder.find(f"{{*}}{name}")) is not None:
            for child in space:
                value = whole(child, "val")
                return size * 1.2 * value / 100_000 if local_name(child) == "spcPct" else min(value / 100, 500.0)
    return 0.0


def _spacing(near: Sequence[Any]) -> float:
    for holder in near:
        if (space := holder.find("{*}lnSpc")) is not None:
            for child in space:
                value = whole(child, "val")
                if local_name(child) == "spcPct":
                    return min(max(value / 100_000, 0.1), 10.0)
                return -min(max(value / 100, 1.0), 1_000.0)
    return 1.0


def _symbol(char: str, holder: Any) -> str:
    """Symbol fonts draw letters as pictures; the usual ones are known."""
    font = holder.find("{*}buFont")
    drawn = font is not None and font.get("typeface", "").startswith(("Wingdings", "Symbol", "Webdings"))
    char = char[:2] or "•"
    if drawn or "\ue000" <= char[0] <= "\uf8ff":
        return _SYMBOLS.get(char[0], "•")
    return char


def _numbered(value: int, kind: str) -> str:
    shown = numeral(value, next((name for start, name in _NUMBERS.items() if kind.startswith(start)), "decimal"))
    if kind.endswith("ParenBoth"):
        return f"({shown})"
    return shown + (")" if kind.endswith("ParenR") else "" if kind.endswith("Plain") else ".")
