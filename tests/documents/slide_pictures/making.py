"""Slides with everything that they inherit, for tests that draw them."""

from __future__ import annotations

from tests.documents.making import DRAWING, OFFICE, SLIDES, package, relations

NAMES = f'xmlns:p="{SLIDES}" xmlns:a="{DRAWING}" xmlns:r="{OFFICE}"'
POINT = 12_700


def tree(root: str, shapes: str, before: str = "", after: str = "", attributes: str = "") -> str:
    return f"<p:{root} {NAMES} {attributes}><p:cSld>{before}<p:spTree>{shapes}</p:spTree></p:cSld>{after}</p:{root}>"


def frame(x: float, y: float, wide: float, high: float, attributes: str = "") -> str:
    off, ext = (int(x * POINT), int(y * POINT)), (int(wide * POINT), int(high * POINT))
    return f'<a:xfrm {attributes}><a:off x="{off[0]}" y="{off[1]}"/><a:ext cx="{ext[0]}" cy="{ext[1]}"/></a:xfrm>'


def box(
    text: str = "", *, form: str = "rect", look: str = "", place: str = "", placeholder: str = "", body: str = "<a:bodyPr/>",
    paragraph: str = "", run: str = "", style: str = "",
) -> str:  # fmt: skip
    paragraphs = "".join(
        f"<a:p>{paragraph}<a:r>{run}<a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n") if text
    )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr>'
        f'<p:spPr>{place}<a:prstGeom prst="{form}"/>{look}</p:spPr>{style}'
        f"<p:txBody>{body}{paragraphs}</p:txBody></p:sp>"
    )


THEME = f"""<a:theme xmlns:a="{DRAWING}"><a:themeElements><a:clrScheme name="x">
<a:dk1><a:sysClr val="windowText" lastClr="111111"/></a:dk1><a:lt1><a:srgbClr val="FEFEFE"/></a:lt1>
<a:accent1><a:srgbClr val="336699"/></a:accent1></a:clrScheme>
<a:fontScheme name="x"><a:majorFont><a:latin typeface="Georgia"/></a:majorFont>
<a:minorFont><a:latin typeface="Verdana"/></a:minorFont></a:fontScheme>
<a:fmtScheme name="x"><a:fillStyleLst><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:fillStyleLst>
<a:lnStyleLst><a:ln w="25400"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln></a:lnStyleLst></a:fmtScheme>
</a:themeElements></a:theme>"""

TITLE = '<p:ph type="title"/>'
BODY = '<p:ph idx="1"/>'
CLOSED = '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1"/>'


def deck(
    slide: str, *, layout: str = "", master: str = "", after_master: str = CLOSED, more: dict[str, bytes | str] | None = None
) -> bytes:  # fmt: skip
    """One slide of 720 x 405 points; `slide`, `layout` and `master` are whole parts or the shapes on them."""

    def part(root: str, content: str, after: str = "") -> str:
        return content if content.startswith("<p:sld ") else tree(root, content, after=after)

    parts: dict[str, bytes | str] = {
        "_rels/.rels": relations(r1=("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f'<p:presentation {NAMES}><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst>'
        '<p:sldSz cx="9144000" cy="5143500"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(r1=("slide", "slides/slide1.xml")),
        "ppt/slides/slide1.xml": part("sld", slide),
        "ppt/slides/_rels/slide1.xml.rels": relations(
            r1=("slideLayout", "../slideLayouts/slideLayout1.xml"),
            r2=("image", "../media/picture.png"),
            r3=("image", "https://example.com/secret.png"),
        ),
        "ppt/slideLayouts/slideLayout1.xml": part("sldLayout", layout),
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": relations(r1=("slideMaster", "../slideMasters/m.xml")),
        "ppt/slideMasters/m.xml": part("sldMaster", master, after_master),
        "ppt/slideMasters/_rels/m.xml.rels": relations(r1=("theme", "../theme/theme1.xml")),
        "ppt/theme/theme1.xml": THEME,
    }
    return package(parts | (more or {}))
