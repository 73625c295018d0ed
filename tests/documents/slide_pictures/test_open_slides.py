"""A slide of an OpenDocument presentation as a picture: what stands where, in which colours, and nothing that could do harm."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from tests.documents.making import png, stored
from tests.documents.open_making import ODP, PICTURE, frame, odp, page
from tests.documents.slide_pictures.svg import SVG, assert_harmless, lines
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument, DocumentError, EncryptedDocument
from workroom.documents.extractors.odp import EXTRACTOR
from workroom.documents.open_slide_pictures import shapes
from workroom.documents.slide_pictures import canvas

RED = '<style:graphic-properties draw:fill="solid" draw:fill-color="#ff0000" draw:stroke="none"/>'
MASTER = """
<office:styles>
 <style:default-style style:family="graphic"><style:graphic-properties draw:fill-color="#729fcf" svg:stroke-color="#3465a4"/>
  <style:text-properties fo:font-size="18pt" fo:color="#111111"/></style:default-style>
 <style:style style:name="Blue-outline1" style:family="presentation">
  <style:graphic-properties draw:fill="none" draw:stroke="none">
  <text:list-style><text:list-level-style-bullet text:level="1" text:bullet-char="●"><style:list-level-properties
   text:space-before="0.3cm" text:min-label-width="0.9cm"/></text:list-level-style-bullet>
  <text:list-level-style-bullet text:level="2" text:bullet-char="–"/></text:list-style></style:graphic-properties>
  <style:text-properties fo:font-size="32pt"/></style:style>
 <style:style style:name="Blue-outline2" style:family="presentation" style:parent-style-name="Blue-outline1">
  <style:text-properties fo:font-size="28pt"/></style:style>
 <style:style style:name="Blue-title" style:family="presentation"><style:graphic-properties draw:fill="none" draw:stroke="none"
  draw:textarea-vertical-align="middle"/><style:paragraph-properties fo:text-align="center"/>
  <style:text-properties fo:font-size="44pt" fo:font-weight="bold" fo:color="#336699"/></style:style>
 <draw:gradient draw:name="Sky" draw:style="linear" draw:start-color="#0000ff" draw:end-color="#ffffff" draw:angle="900"/>
</office:styles>
<office:automatic-styles>
 <style:page-layout style:name="PM1">
  <style:page-layout-properties fo:page-width="25.4cm" fo:page-height="14.2875cm"/></style:page-layout>
 <style:style style:name="Mdp1" style:family="drawing-page">
  <style:drawing-page-properties draw:fill="solid" draw:fill-color="#eeeeff"/></style:style>
 <style:style style:name="Mgr1" style:family="graphic">
  <style:graphic-properties draw:fill="solid" draw:fill-color="#00ff00"/></style:style>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Blue" style:page-layout-name="PM1" draw:style-name="Mdp1">
 <draw:rect draw:style-name="Mgr1" svg:x="0cm" svg:y="0cm" svg:width="5.08cm" svg:height="2.54cm">
  <text:p>Company</text:p></draw:rect>
 <draw:frame presentation:class="title" svg:x="0cm" svg:y="0cm" svg:width="9cm" svg:height="2cm">
  <draw:text-box><text:p>Click</text:p></draw:text-box></draw:frame></style:master-page></office:master-styles>
"""
ON_BLUE = ' draw:master-page-name="Blue"'


def drawn(folder: Path, content: bytes, index: int = 0, width: int = 720) -> Any:
    made = EXTRACTOR.page_image(stored(folder, content, ODP, "deck.odp"), index, width)
    assert made.media_type == "image/svg+xml"
    root = etree.fromstring(made.data, etree.XMLParser(resolve_entities=False))
    assert_harmless(root)
    return root


def styled(name: str, body: str, family: str = "graphic") -> str:
    return f'<style:style style:name="{name}" style:family="{family}">{body}</style:style>'


def test_it_has_the_size_of_its_master_and_the_width_that_is_asked_for(tmp_path: Path) -> None:
    root = drawn(tmp_path, odp(page(frame("Hello"), more=ON_BLUE), styles=MASTER), width=1_000)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("1000", "562", "0 0 720 405")
    assert lines(root) == ["Company", "Hello"]
    ground, *_ = [rect.get("fill") for rect in root.iter(f"{SVG}rect")][1:]
    assert ground == "#eeeeff"


def test_a_file_without_styles_is_drawn_all_the_same(tmp_path: Path) -> None:
    assert lines(drawn(tmp_path, odp(page(frame("First\nSecond"))))) == ["First", "Second"]


def test_shapes_have_their_place_form_fill_and_line(tmp_path: Path) -> None:
    look = styled(
        "gr1",
        '<style:graphic-properties draw:fill="solid" draw:fill-color="#ff0000" draw:stroke="dash" svg:stroke-color="#0000ff" '
        'svg:stroke-width="2pt" draw:opacity="50%"/>',
    )
    shape = '<draw:rect draw:style-name="gr1" svg:x="10pt" svg:y="20pt" svg:width="100pt" svg:height="50pt"/>'
    (path,) = drawn(tmp_path, odp(page(shape), automatic=look)).iter(f"{SVG}path")
    assert path.get("d") == "M10 20L110 20L110 70L10 70z"
    assert (path.get("fill"), path.get("fill-opacity"), path.get("stroke")) == ("#ff0000", "0.5", "#0000ff")
    assert (path.get("stroke-width"), path.get("stroke-dasharray")) == ("2", "6.00 4.00")


@pytest.mark.parametrize(
    ("shape", "start"),
    [
        ('<draw:ellipse {at}/>', "M60 20L60 20A50 25"),
        ('<draw:custom-shape {at}><draw:enhanced-geometry draw:type="diamond"/></draw:custom-shape>', "M60 20L110 45"),
        ('<draw:custom-shape {at}><draw:enhanced-geometry draw:type="ooxml-triangle"/></draw:custom-shape>', "M60 20L110 70"),
        ('<draw:custom-shape {at}><draw:enhanced-geometry draw:type="non-primitive"/></draw:custom-shape>', "M10 20L110 20"),
        ('<draw:polygon {at} svg:viewBox="0 0 10 10" draw:points="0,0 10,0 5,10"/>', "M10 20L110 20L60 70z"),
        ('<draw:line draw:style-name="gr1" svg:x1="1pt" svg:y1="2pt" svg:x2="3pt" svg:y2="4pt"/>', "M1 2L3 4"),
        ('<draw:path {at} svg:viewBox="0 0 10 10" svg:d="M0 0L10 0L5 10z"/>', "M0 0L10 0L5 10z"),
    ],
)  # fmt: skip
def test_forms(tmp_path: Path, shape: str, start: str) -> None:
    at = 'draw:style-name="gr1" svg:x="10pt" svg:y="20pt" svg:width="100pt" svg:height="50pt"'
    look = styled("gr1", RED.replace('draw:stroke="none"', 'draw:stroke="solid" svg:stroke-color="#000000"'))
    (path,) = drawn(tmp_path, odp(page(shape.replace("{at}", at)), automatic=look)).iter(f"{SVG}path")
    assert path.get("d").startswith(start)


def test_what_is_turned_stands_where_its_transform_says(tmp_path: Path) -> None:
    shape = (
        '<draw:rect draw:style-name="gr1" svg:width="100pt" svg:height="50pt" '
        'draw:transform="rotate (-1.5707963) translate (72pt 36pt)"/>'
    )
    (path,) = drawn(tmp_path, odp(page(shape), automatic=styled("gr1", RED))).iter(f"{SVG}path")
    assert (path.get("transform"), path.get("d")[:4]) == ("translate(72 36) rotate(90)", "M0 0")


def test_titles_and_outlines_look_as_their_master_says(tmp_path: Path) -> None:
    automatic = (
        '<style:style style:name="pr1" style:family="presentation" style:parent-style-name="Blue-title"/>'
        '<style:style style:name="pr2" style:family="presentation" style:parent-style-name="Blue-outline1"/>'
    )
    title = (
        '<draw:frame presentation:style-name="pr1" presentation:class="title" svg:x="1cm" svg:y="1cm" svg:width="20cm" '
        'svg:height="3cm"><draw:text-box><text:p>Results</text:p></draw:text-box></draw:frame>'
    )
    inner = "<text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list>"
    outline = (
        '<draw:frame presentation:style-name="pr2" presentation:class="outline" svg:x="1cm" svg:y="5cm" svg:width="20cm" '
        f'svg:height="9cm"><draw:text-box><text:list><text:list-item><text:p>one</text:p>{inner}</text:list-item></text:list>'
        "</draw:text-box></draw:frame>"
    )
    root = drawn(tmp_path, odp(page(title, outline, more=ON_BLUE), automatic=automatic, styles=MASTER))
    assert lines(root) == ["Company", "Results", "●", "one", "–", "inner"]
    _, heading, bullet, one, _, deeper = root.iter(f"{SVG}text")
    look = heading[0].attrib
    assert (look["font-size"], look["font-weight"], look["fill"]) == ("44", "bold", "#336699")
    assert heading.get("text-anchor") == "middle"
    assert (one[0].get("font-size"), deeper[0].get("font-size")) == ("32", "28")
    assert float(one.get("x")) > float(bullet.get("x"))
    assert {path.get("fill") for path in root.iter(f"{SVG}path")} == {"#00ff00"}, "outlines are not filled"


def test_words_have_their_own_looks(tmp_path: Path) -> None:
    automatic = styled("T1", '<style:text-properties fo:font-weight="bold" fo:color="#ff0000"/>', "text") + styled(
        "P1",
        '<style:paragraph-properties fo:text-align="end"/><style:text-properties fo:font-size="20pt"/>',
        "paragraph",
    )
    box = frame("X").replace(
        "<text:p>X</text:p>",
        '<text:p text:style-name="P1">plain <text:span text:style-name="T1">strong</text:span><text:s text:c="2"/>page '
        "<text:page-number>&lt;number&gt;</text:page-number></text:p>",
    )
    (line,) = drawn(tmp_path, odp(page(), page(box), automatic=automatic), 1).iter(f"{SVG}text")
    assert "".join(line.itertext()) == "plain strong  page 2"
    assert line.get("text-anchor") == "end"
    assert [(part.get("font-weight"), part.get("fill"), part.get("font-size")) for part in line][:2] == [
        (None, "#000000", "20"),
        ("bold", "#ff0000", "20"),
    ]


def test_numbers_are_counted(tmp_path: Path) -> None:
    automatic = (
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="a" '
        'style:num-suffix=")"/></text:list-style>'
    )
    items = "".join(f"<text:list-item><text:p>{name}</text:p></text:list-item>" for name in ("x", "y"))
    box = frame("X").replace("<text:p>X</text:p>", f'<text:list text:style-name="L1">{items}</text:list>')
    assert lines(drawn(tmp_path, odp(page(box), automatic=automatic))) == ["a)", "x", "b)", "y"]


def test_a_table_is_a_grid(tmp_path: Path) -> None:
    automatic = styled("co1", '<style:table-column-properties style:column-width="100pt"/>', "table-column")
    automatic += styled("ce1", '<style:graphic-properties draw:fill="solid" draw:fill-color="#ff0000"/>', "table-cell")
    rows = (
        '<table:table-column table:style-name="co1" table:number-columns-repeated="2"/>'
        '<table:table-row><table:table-cell table:style-name="ce1" table:number-columns-spanned="2"><text:p>wide</text:p>'
        "</table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell><text:p>1</text:p>"
        "</table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row>"
    )
    at = 'svg:x="0pt" svg:y="0pt" svg:width="200pt" svg:height="60pt"'
    box = f"<draw:frame {at}><table:table>{rows}</table:table></draw:frame>"
    root = drawn(tmp_path, odp(page(box), automatic=automatic))
    assert lines(root) == ["wide", "1", "2"]
    cells = [(rect.get("x"), rect.get("width"), rect.get("fill")) for rect in list(root.iter(f"{SVG}rect"))[1:]]
    assert cells == [("0", "200", "#ff0000"), ("0", "100", "none"), ("100", "100", "none")]


def test_pictures_are_written_into_the_drawing(tmp_path: Path) -> None:
    root = drawn(tmp_path, odp(page(PICTURE)))
    (image,) = root.iter(f"{SVG}image")
    assert image.get("href").startswith("data:image/png;base64,")
    assert float(image.get("width")) == pytest.approx(226.77)


def test_what_cannot_be_drawn_is_a_box_with_its_name(tmp_path: Path) -> None:
    chart = (
        '<draw:frame draw:name="Object 1" svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="6cm">'
        '<draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/>'
        "<svg:title>Sales</svg:title></draw:frame>"
    )
    broken = odp(page(chart), more={"ObjectReplacements/Object 1": b"VCLMTF no picture"})
    assert lines(drawn(tmp_path, broken)) == ["Sales"]
    outside = PICTURE.replace("Pictures/a.png", "https://example.org/a.png").replace(
        "<draw:frame", '<draw:frame draw:name="A"'
    )
    assert lines(drawn(tmp_path, odp(page(outside)))) == ["A"]


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ('draw:fill="solid" draw:fill-color="#ff0000"', "#ff0000"),
        ('draw:fill="gradient" draw:fill-gradient-name="Sky"', "url(#d0)"),
        ('draw:fill="none"', "#eeeeff"),
    ],
)
def test_a_background_is_the_slides_own_or_its_masters(tmp_path: Path, said: str, seen: str) -> None:
    automatic = styled("dp1", f"<style:drawing-page-properties {said}/>", "drawing-page")
    root = drawn(tmp_path, odp(page(more=f'{ON_BLUE} draw:style-name="dp1"'), automatic=automatic, styles=MASTER))
    assert [rect.get("fill") for rect in root.iter(f"{SVG}rect")][:2] == ["#ffffff", seen]


def test_a_slide_may_do_without_what_its_master_puts_there(tmp_path: Path) -> None:
    automatic = styled(
        "dp1", '<style:drawing-page-properties presentation:background-objects-visible="false"/>', "drawing-page"
    )
    deck = odp(page(frame("Alone"), more=f'{ON_BLUE} draw:style-name="dp1"'), automatic=automatic, styles=MASTER)
    assert lines(drawn(tmp_path, deck)) == ["Alone"]


def test_places_that_are_kept_free_are_not_drawn(tmp_path: Path) -> None:
    empty = frame("Click to add text", more=' presentation:placeholder="true"', kind="outline")
    assert lines(drawn(tmp_path, odp(page(empty)))) == []


def test_a_slide_that_is_not_there(tmp_path: Path) -> None:
    for index in (-1, 1):
        with pytest.raises(NotFound, match="1 slides"):
            EXTRACTOR.page_image(stored(tmp_path, odp(page()), ODP), index, 100)


def test_locked_and_empty_files_say_so(tmp_path: Path) -> None:
    locked = odp(page(), more={"META-INF/manifest.xml": "<manifest><encryption-data/></manifest>"})
    with pytest.raises(EncryptedDocument):
        EXTRACTOR.page_image(stored(tmp_path, locked, ODP), 0, 100)
    with pytest.raises(DamagedDocument):
        EXTRACTOR.page_image(stored(tmp_path, b"PK\3\4 no more", ODP), 0, 100)


HOSTILE = [
    '<draw:path svg:x="1cm" svg:width="1cm" svg:height="1cm" svg:viewBox="0 0 0 0" svg:d="M0 0&quot;/&gt;&lt;script/&gt;"/>',
    '<draw:path svg:x="1e999cm" svg:width="99999999999999999cm" svg:height="-5cm" svg:d="M0 0L1 1z"/>',
    '<draw:rect draw:style-name="loop" svg:x="nan" svg:y="--1cm" svg:width="1cm" svg:height="1cm"/>',
    '<draw:polygon svg:viewBox="x" draw:points="1,2,3 &lt;b&gt;" svg:width="1cm" svg:height="1cm"/>',
    '<draw:rect draw:transform="rotate (1e400) translate (nan) matrix(1 2 3)" svg:width="1cm" svg:height="1cm"/>',
    frame("&lt;script&gt;alert(1)&lt;/script&gt; \"' &amp;"),
    "<draw:g>" * 60 + frame("deep") + "</draw:g>" * 60,
    '<draw:frame svg:width="5cm" svg:height="5cm"><draw:image xlink:href="file:///etc/passwd"/></draw:frame>',
    '<draw:frame svg:width="5cm" svg:height="5cm"><draw:image xlink:href="../../../etc/passwd"/></draw:frame>',
    frame("X").replace("<text:p>", '<text:p text:style-name="P9"><text:s text:c="999999999"/>'),
    '<draw:frame><table:table><table:table-column table:number-columns-repeated="99999"/><table:table-row><table:table-cell '
    'table:number-columns-repeated="99999"><text:p>x</text:p></table:table-cell></table:table-row></table:table></draw:frame>',
]


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_shapes_draw_something_harmless(tmp_path: Path, shape: str) -> None:
    loop = '<style:style style:name="loop" style:family="graphic" style:parent-style-name="loop"/>'
    font = styled(
        "P9",
        '<style:text-properties fo:font-family="x\');}&lt;script&gt;" fo:color="url(x)" fo:font-size="9e9pt"/>',
        "paragraph",
    )
    drawn(tmp_path, odp(page(shape), automatic=loop + font))


def test_a_slide_with_too_much_on_it_ends_somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "MAX_SHAPES", 3)
    assert len(lines(drawn(tmp_path, odp(page(*[frame("x")] * 9))))) == 3
    monkeypatch.undo()
    monkeypatch.setattr(canvas, "MAX_SVG", 3_000)
    assert len(lines(drawn(tmp_path, odp(page(*[frame("x")] * 99))))) < 20


def test_a_file_with_flipped_bytes_is_drawn_or_refused(tmp_path: Path) -> None:
    whole = odp(page(frame("Words"), PICTURE, more=ON_BLUE), styles=MASTER, more={"Pictures/a.png": png(40, 30)})
    for at in range(0, len(whole), 37):
        broken = bytearray(whole)
        broken[at] ^= 0xFF
        with suppress(DocumentError, NotFound):
            drawn(tmp_path, bytes(broken), width=200)
