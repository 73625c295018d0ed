"""A slide as a picture: what stands where, in which colours, and nothing that could do harm."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from tests.documents.corpus import documents, source
from tests.documents.making import png, stored
from tests.documents.slide_pictures.making import BODY, TITLE, box, deck, frame, tree
from tests.documents.slide_pictures.svg import SVG, assert_harmless, lines
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.pptx import EXTRACTOR
from workroom.documents.slide_pictures import canvas

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
RED = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'


def drawn(folder: Path, content: bytes, width: int = 720) -> Any:
    made = EXTRACTOR.page_image(stored(folder, content, PPTX, "deck.pptx"), 0, width)
    assert made.media_type == "image/svg+xml"
    root = etree.fromstring(made.data, etree.XMLParser(resolve_entities=False))
    assert_harmless(root)
    return root


def test_it_has_the_size_of_the_slide_and_the_width_that_is_asked_for(tmp_path: Path) -> None:
    root = drawn(tmp_path, deck(box("Hello", place=frame(10, 10, 200, 50))), width=1_000)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("1000", "562", "0 0 720 405")
    assert lines(root) == ["Hello"]


def test_shapes_have_their_place_form_fill_and_line(tmp_path: Path) -> None:
    line = '<a:ln w="25400"><a:solidFill><a:schemeClr val="accent1"/></a:solidFill><a:prstDash val="dash"/></a:ln>'
    root = drawn(tmp_path, deck(box(form="rect", look=RED + line, place=frame(10, 20, 100, 50))))
    (path,) = root.iter(f"{SVG}path")
    assert path.get("d") == "M10 20L110 20L110 70L10 70z"
    assert (path.get("fill"), path.get("stroke"), path.get("stroke-width")) == ("#ff0000", "#336699", "2")
    assert path.get("stroke-dasharray") == "8 6"


@pytest.mark.parametrize(
    ("form", "start"),
    [("ellipse", "M60 20L60 20A50 25"), ("roundRect", "M18.33 20L"), ("line", "M10 20L110 70"), ("cloud", "M10 20L110 20L")],
)  # fmt: skip
def test_forms(tmp_path: Path, form: str, start: str) -> None:
    look = f"{RED}<a:ln>{RED}</a:ln>"
    (path,) = drawn(tmp_path, deck(box(form=form, look=look, place=frame(10, 20, 100, 50)))).iter(f"{SVG}path")
    assert path.get("d").startswith(start)
    assert path.get("fill") == ("none" if form == "line" else "#ff0000")


def test_turned_mirrored_and_in_groups(tmp_path: Path) -> None:
    turned = box(look=RED, place=frame(0, 0, 100, 50, 'rot="5400000" flipH="1"'))
    group = (
        '<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x="1270000" y="0"/><a:ext cx="1270000" cy="1270000"/>'
        '<a:chOff x="0" y="0"/><a:chExt cx="2540000" cy="2540000"/></a:xfrm></p:grpSpPr>'
        f"{box(look=RED, place=frame(20, 40, 100, 100))}</p:grpSp>"
    )
    first, second = drawn(tmp_path, deck(turned + group)).iter(f"{SVG}path")
    assert first.get("transform") == "rotate(90 50 25) translate(100 0) scale(-1 1)"
    assert second.get("d") == "M110 20L160 20L160 70L110 70z"


def test_placeholders_stand_where_layout_and_master_say(tmp_path: Path) -> None:
    slide = box("Title", placeholder=TITLE) + box("Words", placeholder=BODY)
    layout = box("Click here", placeholder=BODY, place=frame(50, 100, 300, 200))
    master = box("Click here", placeholder=TITLE, place=frame(50, 10, 600, 60))
    styles = (
        '<p:clrMap bg1="lt1" tx1="dk1"/><p:txStyles><p:titleStyle><a:lvl1pPr algn="ctr"><a:defRPr sz="4400" b="1">'
        '<a:solidFill><a:schemeClr val="accent1"/></a:solidFill><a:latin typeface="+mj-lt"/></a:defRPr></a:lvl1pPr>'
        '</p:titleStyle><p:bodyStyle><a:lvl1pPr marL="254000" indent="-254000"><a:buChar char="•"/><a:defRPr sz="2000"/>'
        "</a:lvl1pPr></p:bodyStyle></p:txStyles>"
    )
    root = drawn(tmp_path, deck(slide, layout=layout, master=master, after_master=styles))
    assert lines(root) == ["Title", "•", "Words"]
    title, bullet, words = root.iter(f"{SVG}text")
    look = title[0].attrib
    assert (look["font-size"], look["font-weight"], look["fill"]) == ("44", "bold", "#336699")
    assert look["font-family"].startswith("'Georgia'")
    assert (title.get("text-anchor"), title.get("x")) == ("middle", "350")
    assert words[0].get("font-size") == "20"
    assert float(words.get("x")) - float(bullet.get("x")) == 20
    assert 100 < float(words.get("y")) < 130
    assert words[0].get("fill") == "#111111"


def test_what_master_and_layout_put_on_every_slide_is_below(tmp_path: Path) -> None:
    above = box(look=RED, place=frame(0, 0, 10, 10))
    below = box("Company", look=RED, place=frame(0, 0, 20, 20))
    assert lines(drawn(tmp_path, deck(above, master=below))) == ["Company"]
    without = tree("sld", above, attributes='showMasterSp="0"')
    assert lines(drawn(tmp_path, deck(without, master=below))) == []


def test_backgrounds_come_from_the_nearest_that_has_one(tmp_path: Path) -> None:
    ground = f"<p:bg><p:bgPr>{RED}</p:bgPr></p:bg>"
    own = drawn(tmp_path, deck(tree("sld", "", before=ground)))
    assert [each.get("fill") for each in own.iter(f"{SVG}rect")] == ["#fefefe", "#ff0000"]
    themed = '<p:bg><p:bgRef idx="1001"><a:schemeClr val="accent1"/></p:bgRef></p:bg>'
    inherited = drawn(tmp_path, deck(tree("sld", "", before=themed)))
    assert [each.get("fill") for each in inherited.iter(f"{SVG}rect")][1] == "#336699"


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        ('<a:srgbClr val="808080"><a:lumMod val="50000"/></a:srgbClr>', "#404040"),
        ('<a:srgbClr val="808080"><a:lumMod val="50000"/><a:lumOff val="50000"/></a:srgbClr>', "#c0c0c0"),
        ('<a:srgbClr val="000000"><a:tint val="50000"/></a:srgbClr>', "#808080"),
        ('<a:schemeClr val="bg1"/>', "#fefefe"),
        ('<a:prstClr val="dkBlue"/>', "#00008b"),
        ('<a:sysClr val="window"/>', "#ffffff"),
        ('<a:srgbClr val="&quot;/&gt;&lt;script"/>', "#000000"),
    ],
)
def test_colours(tmp_path: Path, colour: str, expected: str) -> None:
    look = f"<a:solidFill>{colour}</a:solidFill>"
    (path,) = drawn(tmp_path, deck(box(look=look, place=frame(0, 0, 9, 9)))).iter(f"{SVG}path")
    assert path.get("fill") == expected


def test_gradients_and_transparency(tmp_path: Path) -> None:
    gradient = (
        '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="FF0000"/></a:gs><a:gs pos="100000"><a:srgbClr val="0000FF">'
        '<a:alpha val="50000"/></a:srgbClr></a:gs></a:gsLst><a:lin ang="5400000"/></a:gradFill>'
    )
    root = drawn(tmp_path, deck(box(look=gradient, place=frame(0, 0, 9, 9))))
    (made,) = root.iter(f"{SVG}linearGradient")
    assert [stop.get("stop-color") for stop in made] == ["#ff0000", "#0000ff"]
    assert made[1].get("stop-opacity") == "0.5"
    assert next(root.iter(f"{SVG}path")).get("fill") == f"url(#{made.get('id')})"


def test_styles_of_a_theme_paint_shapes_that_say_nothing_themselves(tmp_path: Path) -> None:
    style = (
        '<p:style><a:lnRef idx="1"><a:srgbClr val="00FF00"/></a:lnRef><a:fillRef idx="1"><a:schemeClr val="accent1"/>'
        '</a:fillRef><a:fontRef idx="minor"><a:schemeClr val="lt1"/></a:fontRef></p:style>'
    )
    root = drawn(tmp_path, deck(box("On blue", style=style, place=frame(0, 0, 200, 90))))
    (path,) = root.iter(f"{SVG}path")
    assert (path.get("fill"), path.get("stroke"), path.get("stroke-width")) == ("#336699", "#00ff00", "2")
    assert next(root.iter(f"{SVG}tspan")).get("fill") == "#fefefe"


def test_long_text_is_broken_and_made_smaller_where_its_box_asks_for_that(tmp_path: Path) -> None:
    text = "word " * 60
    fits = '<a:bodyPr anchor="b"><a:normAutofit/></a:bodyPr>'
    root = drawn(tmp_path, deck(box(text.strip(), body=fits, place=frame(0, 0, 200, 60))))
    made = list(root.iter(f"{SVG}text"))
    assert len(made) > 3
    assert " ".join(lines(root)) == text.strip()
    assert float(made[0][0].get("font-size")) < 10
    assert all(0 < float(line.get("y")) <= 60 for line in made)
    assert all(float(line.get("textLength")) <= 186 for line in made)
    loose = drawn(tmp_path, deck(box(text.strip(), place=frame(0, 0, 200, 60))))
    assert next(loose.iter(f"{SVG}tspan")).get("font-size") == "18"


def test_numbers_bullets_and_levels(tmp_path: Path) -> None:
    numbered = '<a:pPr><a:buAutoNum type="romanUcPeriod" startAt="3"/></a:pPr>'
    symbol = '<a:pPr><a:buFont typeface="Wingdings"/><a:buChar char="ü"/></a:pPr>'
    slide = box("a\nb", paragraph=numbered, place=frame(0, 0, 300, 90)) + box(
        "c", paragraph=symbol, place=frame(0, 100, 300, 90)
    )
    assert lines(drawn(tmp_path, deck(slide))) == ["III.", "a", "IV.", "b", "✓", "c"]


def test_the_number_of_the_slide_is_its_own(tmp_path: Path) -> None:
    field = '<a:p><a:fld type="slidenum"><a:t>‹#›</a:t></a:fld></a:p>'
    shape = box("x", place=frame(0, 0, 99, 30)).replace("<a:p><a:r><a:t>x</a:t></a:r></a:p>", field)
    assert lines(drawn(tmp_path, deck(shape))) == ["1"]


CELL = "<a:tc {about}><a:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody><a:tcPr>{fill}</a:tcPr></a:tc>"


def test_tables_are_grids(tmp_path: Path) -> None:
    rows = [
        CELL.format(about='gridSpan="2"', text="wide", fill=RED) + CELL.format(about='hMerge="1"', text="", fill=""),
        CELL.format(about="", text="one", fill="") + CELL.format(about="", text="two", fill=""),
    ]
    table = (
        '<a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="1270000"/><a:gridCol w="2540000"/></a:tblGrid>'
        + "".join(f'<a:tr h="381000">{row}</a:tr>' for row in rows)
        + "</a:tbl>"
    )
    shape = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="T"/><p:nvPr/></p:nvGraphicFramePr>'
        f"{frame(10, 10, 300, 60).replace('a:xfrm', 'p:xfrm')}<a:graphic><a:graphicData>{table}</a:graphicData></a:graphic>"
        "</p:graphicFrame>"
    )
    root = drawn(tmp_path, deck(shape))
    cells = [
        tuple(each.get(name) for name in ("x", "y", "width", "height", "fill")) for each in root.iter(f"{SVG}rect")
    ]
    assert cells[1:] == [
        ("10", "10", "300", "30", "#ff0000"),
        ("10", "40", "100", "30", "none"),
        ("110", "40", "200", "30", "none"),
    ]
    assert lines(root) == ["wide", "one", "two"]


PICTURE = (
    '<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 4" descr="A duck"/><p:nvPr/></p:nvPicPr><p:blipFill>'
    '<a:blip r:{how}="{id}"/>{cut}</p:blipFill><p:spPr>{place}<a:prstGeom prst="rect"/></p:spPr></p:pic>'
)


def test_pictures_are_as_small_as_they_are_shown_and_cut_as_the_author_cut_them(tmp_path: Path) -> None:
    from PIL import Image

    shape = PICTURE.format(how="embed", id="r2", cut='<a:srcRect l="50000"/>', place=frame(0, 0, 100, 50))
    large = io.BytesIO()
    half = Image.new("RGB", (2_000, 1_000), "blue")
    half.paste("red", (0, 0, 1_000, 1_000))
    half.save(large, "PNG")
    root = drawn(tmp_path, deck(shape, more={"ppt/media/picture.png": large.getvalue()}), width=1_440)
    (image,) = root.iter(f"{SVG}image")
    data = base64.b64decode(image.get("href").partition("base64,")[2])
    shown = Image.open(io.BytesIO(data))
    assert shown.size == (200, 100)
    assert shown.convert("RGB").getpixel((5, 5)) == (0, 0, 255)
    assert (image.get("x"), image.get("width"), image.get("height")) == ("0", "100", "50")


@pytest.mark.parametrize(
    ("how", "id_", "data"),
    [("embed", "r2", b"no picture"), ("link", "r3", b""), ("embed", "r3", b""), ("embed", "r9", b""),
     ("embed", "r2", png(60_000, 60_000))],
)  # fmt: skip
def test_pictures_that_cannot_be_drawn_are_named(tmp_path: Path, how: str, id_: str, data: bytes) -> None:
    shape = PICTURE.format(how=how, id=id_, cut="", place=frame(0, 0, 100, 50))
    root = drawn(tmp_path, deck(shape, more={"ppt/media/picture.png": data}))
    assert list(root.iter(f"{SVG}image")) == []
    assert " ".join(lines(root)) == "A duck"


def test_words_of_a_document_are_only_words(tmp_path: Path) -> None:
    evil = "&lt;script&gt;alert(1)&lt;/script&gt;\n]]&gt;&amp;amp;\n&quot; onload=&quot;x"
    run = '<a:rPr><a:latin typeface="x&apos;;}&lt;/style&gt; url(//evil)"/></a:rPr>'
    root = drawn(tmp_path, deck(box(evil, run=run, place=frame(0, 0, 700, 300))))
    assert lines(root) == ["<script>alert(1)</script>", "]]>&amp;", '" onload="x']
    assert "(" not in next(root.iter(f"{SVG}tspan")).get("font-family")


def test_it_never_becomes_larger_than_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "MAX_SVG", 20_000)
    root = drawn(tmp_path, deck(box("x" * 200, look=RED, place=frame(0, 0, 300, 300)) * 300))
    assert len(etree.tostring(root)) < 21_000
    assert len(lines(root)) > 5


def test_numbers_that_are_none_do_no_harm(tmp_path: Path) -> None:
    odd = '<a:xfrm rot="x"><a:off x="1e999" y="--"/><a:ext cx="99999999999999999999" cy="NaN"/></a:xfrm>'
    run = '<a:rPr sz="99999999999" baseline="x"/>'
    drawn(
        tmp_path,
        deck(box("words", form="roundRect", look=RED, place=odd, run=run, paragraph='<a:pPr lvl="-4" marL="x"/>')),
    )


def test_a_slide_that_is_not_there(tmp_path: Path) -> None:
    document = stored(tmp_path, deck(box("x")), PPTX, "deck.pptx")
    with pytest.raises(NotFound):
        EXTRACTOR.page_image(document, 1, 500)
    with pytest.raises(DamagedDocument):
        drawn(tmp_path, deck("", more={"ppt/slides/slide1.xml": b"\0\1\2"}))


@pytest.mark.parametrize("path", list(documents("pptx")))
def test_real_slides_can_be_drawn(path: Path) -> None:
    document = source(path, PPTX)
    for slide in EXTRACTOR.scan(document).slides[:20]:
        made = EXTRACTOR.page_image(document, slide.slide_index, 1_000)
        assert_harmless(etree.fromstring(made.data, etree.XMLParser(resolve_entities=False, huge_tree=True)))
        assert len(made.data) <= canvas.MAX_SVG
