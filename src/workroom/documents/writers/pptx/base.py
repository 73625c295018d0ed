"""Slides of our own: 16:9, white, one accent colour, wide margins. The masters that python-pptx brings, changed."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from lxml import etree

from workroom.documents.safe_xml import parse_xml
from workroom.documents.writers.pptx.look import EMU, kind_of
from workroom.documents.writers.pptx.pieces import INDENT, SlideBox
from workroom.documents.writers.pptx.xml import A, P, a, p

WIDTH, HEIGHT = 960.0, 540.0
KEPT = {"title": "title", "secHead": "section", "obj": "content", "titleOnly": "titleOnly"}
LEVELS = 9
SIZES = (18, 16, 16)
BULLETS = ("•", "–", "▪")
COLOURS: Mapping[str, str] = {
    "dk1": "1F2430", "lt1": "FFFFFF", "dk2": "2B3040", "lt2": "EEF0F4",
    "accent1": "3B4CCA", "accent2": "0E8A7D", "accent3": "D9822B", "accent4": "8A5CC7", "accent5": "C2405B", "accent6": "5F6B7A",
    "hlink": "3B4CCA", "folHlink": "5A5F8A",
}  # fmt: skip
LATIN, EAST_ASIAN = "Calibri", "Microsoft YaHei"
# Texts begin exactly where tables and pictures do, so placeholders reach a little further.
PLACES: Mapping[str, Mapping[str | None, SlideBox]] = {
    "title": {"ctrTitle": SlideBox(65, 110, 830, 180), "subTitle": SlideBox(65, 322, 830, 130)},
    "section": {"title": SlideBox(65, 130, 830, 180), "body": SlideBox(65, 338, 830, 100)},
    "content": {"title": SlideBox(41, 36, 878, 78), None: SlideBox(41, 118, 878, 372)},
    "titleOnly": {"title": SlideBox(41, 36, 878, 78)},
}
NUMBER = SlideBox(800, 502, 119, 22)


def base_presentation() -> Any:
    from pptx import Presentation

    presentation: Any = Presentation()
    presentation.slide_width, presentation.slide_height = _emu(WIDTH), _emu(HEIGHT)
    master = presentation.slide_master
    for layout in list(presentation.slide_layouts):
        if layout._element.get("type") not in KEPT:
            presentation.slide_layouts.remove(layout)
    _drop_printer(presentation)
    _paint(master)
    _style(master._element)
    for shape in master.placeholders:
        _place(shape, {"title": PLACES["content"]["title"], "body": PLACES["content"][None]}.get(kind_of(shape) or ""))
    for layout in presentation.slide_layouts:
        _arrange(layout, KEPT[str(layout._element.get("type"))])
    for one in (master, *presentation.slide_layouts):
        _only_numbers(one)
    _bar(master._element, SlideBox(48.2, 30, 36, 4), "accent1")
    return presentation


def _drop_printer(presentation: Any) -> None:
    for id_, relation in list(presentation.part.rels.items()):
        if relation.reltype.endswith("/printerSettings"):
            presentation.part.rels.pop(id_)


def _paint(master: Any) -> None:
    """Colours and fonts of the theme."""
    part = next(one.target_part for one in master.part.rels.values() if one.reltype.endswith("/theme"))
    root = parse_xml(part.blob, "theme")
    root.set("name", "Workroom")
    for name, colour in COLOURS.items():
        element = root.find(f".//{{{A}}}clrScheme/{{{A}}}{name}")
        element[:] = [a("srgbClr", val=colour)]
    for kind in ("majorFont", "minorFont"):
        fonts = root.find(f".//{{{A}}}{kind}")
        fonts.find(f"{{{A}}}latin").set("typeface", LATIN)
        fonts.find(f"{{{A}}}ea").set("typeface", EAST_ASIAN)
        for font in fonts.findall(f"{{{A}}}font"):
            if font.get("script") in ("Hans", "Hant"):
                font.set("typeface", EAST_ASIAN)
    part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def _style(master: Any) -> None:
    title = master.find(f".//{{{P}}}titleStyle/{{{A}}}lvl1pPr")
    title.set("algn", "l")
    run = title.find(f"{{{A}}}defRPr")
    run.set("sz", "2800")
    run.set("b", "1")
    for level in range(LEVELS):
        style = master.find(f".//{{{P}}}bodyStyle/{{{A}}}lvl{level + 1}pPr")
        style.set("marL", str(_emu(INDENT * (level + 1))))
        style.set("indent", str(-_emu(INDENT)))
        style.find(f"{{{A}}}buChar").set("char", BULLETS[level % len(BULLETS)])
        style.find(f"{{{A}}}defRPr").set("sz", str(SIZES[min(level, len(SIZES) - 1)] * 100))


def _arrange(layout: Any, kind: str) -> None:
    places = PLACES[kind]
    for shape in layout.placeholders:
        _place(shape, places.get(kind_of(shape)))
    if kind not in ("title", "section"):
        return
    layout._element.set("showMasterSp", "0")
    is_dark = kind == "section"
    for shape in layout.placeholders:
        if kind_of(shape) in places:
            is_title = kind_of(shape) in ("title", "ctrTitle")
            size = (36 if is_dark else 40) if is_title else 18
            _restyle(shape, size, "b" if is_title else "t", "bg1" if is_dark else "tx1", is_bold=is_title)
        elif is_dark and kind_of(shape) == "sldNum":
            _restyle(shape, 12, "ctr", "bg1", is_bold=False, algn="r")
    if is_dark:
        background = p("bg", p("bgPr", a("solidFill", a("schemeClr", val="accent1")), a("effectLst")))
        layout._element.find(f"{{{P}}}cSld").insert(0, background)
    _bar(layout._element, SlideBox(72.2, 304 if not is_dark else 322, 60, 5), "bg1" if is_dark else "accent1")


def _restyle(shape: Any, size: int, anchor: str, colour: str, *, is_bold: bool, algn: str = "l") -> None:
    text = shape._element.find(f"{{{P}}}txBody")
    text.find(f"{{{A}}}bodyPr").set("anchor", anchor)
    fill = a("schemeClr", val=colour)
    if not is_bold and colour == "tx1":
        fill.extend([a("lumMod", val=65_000), a("lumOff", val=35_000)])
    style = a(
        "lvl1pPr",
        a("buNone"),
        a("defRPr", a("solidFill", fill), sz=size * 100, b=int(is_bold)),
        marL=0,
        indent=0,
        algn=algn,
    )
    old = text.find(f"{{{A}}}lstStyle")
    text.replace(old, a("lstStyle", style))


def _only_numbers(slide: Any) -> None:
    """No dates and footers: only the number of a slide, at the right below."""
    for shape in list(slide.placeholders):
        kind = kind_of(shape)
        if kind in ("dt", "ftr"):
            shape._element.getparent().remove(shape._element)
        elif kind == "sldNum":
            _place(shape, NUMBER)


def _place(shape: Any, box: SlideBox | None) -> None:
    if box is not None:
        shape.left, shape.top, shape.width, shape.height = map(_emu, (box.left, box.top, box.width, box.height))
        body = shape._element.find(f"{{{P}}}txBody/{{{A}}}bodyPr")
        if kind_of(shape) == "title" and body is not None:
            body.set("anchor", "ctr" if box is PLACES["content"]["title"] else "b")


def _bar(slide: Any, box: SlideBox, colour: str) -> None:
    tree = slide.find(f"{{{P}}}cSld/{{{P}}}spTree")
    number = max(int(one.get("id", "0")) for one in tree.iter(f"{{{P}}}cNvPr")) + 1
    shape = p(
        "sp",
        p("nvSpPr", p("cNvPr", id=number, name="Accent"), p("cNvSpPr"), p("nvPr", userDrawn=1)),
        p(
            "spPr",
            a("xfrm", a("off", x=_emu(box.left), y=_emu(box.top)), a("ext", cx=_emu(box.width), cy=_emu(box.height))),
            a("prstGeom", a("avLst"), prst="rect"),
            a("solidFill", a("schemeClr", val=colour)),
            a("ln", a("noFill")),
        ),
    )
    tree.insert(2, deepcopy(shape))


def _emu(points: float) -> int:
    return round(points * EMU)
