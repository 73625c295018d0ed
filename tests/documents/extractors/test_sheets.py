from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from tests.documents.corpus import source
from tests.documents.making import CHART, SHEETS, package, png, read, relations, sheet, stored, text_of, xlsx
from workroom.documents.errors import DamagedDocument, DocumentError, EncryptedDocument
from workroom.documents.extractors import sheets
from workroom.documents.extractors.sheets import EXTRACTOR
from workroom.documents.office import sheet_layout
from workroom.documents.office.merged_cells import MergedCells, said_once
from workroom.documents.office.table_heads import is_figure
from workroom.documents.office.workbook import shown
from workroom.documents.types import ContentType, ExtractionScope

XDR = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
DRAWN = '<drawing r:id="r1"/>'


def test_every_sheet_is_a_table_with_its_place(tmp_path: Path) -> None:
    made = stored(tmp_path, xlsx({"One": sheet({"A1": "a", "B1": "b", "A2": "<v>1.5</v>"}), "Two": sheet({"C3": "x"})}))
    structure = EXTRACTOR.scan(made)
    assert [(info.name, info.rows, info.columns) for info in structure.sheets] == [("One", 2, 2), ("Two", 3, 1)]
    found = read(EXTRACTOR, made)
    assert found[0].text == "| a | b |\n| --- | --- |\n| 1.5 |  |"
    assert (found[0].ref.location, found[0].ref.sheet_name) == ("sheet:One/rows:1-2", "One")
    assert (found[1].text, found[1].ref.location) == ("x", "sheet:Two/rows:3-3/columns:C-C")
    assert text_of(read(EXTRACTOR, made, ExtractionScope(sheets=frozenset({"Two"})))) == "x"


def test_hidden_sheets_are_marked(tmp_path: Path) -> None:
    made = stored(tmp_path, xlsx({"Seen": sheet({"A1": "x"}), "Hidden": sheet({"A1": "y"})}, hidden='state="hidden"'))
    assert [info.hidden for info in EXTRACTOR.scan(made).sheets] == [False, True]
    assert [each.metadata.get("hidden") for each in read(EXTRACTOR, made)] == [None, True]


def test_long_sheets_come_in_slices_with_the_header(tmp_path: Path) -> None:
    cells = {"A1": "id", "B1": "value"} | {
        f"{column}{row}": f"{column}{row}" for row in range(2, 452) for column in "AB"
    }
    found = read(EXTRACTOR, stored(tmp_path, xlsx({"Q4": sheet(cells)})))
    locations = ["sheet:Q4/rows:1-200", "sheet:Q4/rows:201-400", "sheet:Q4/rows:401-451"]
    assert [each.ref.location for each in found] == locations
    assert all(each.text.startswith("| id | value |") for each in found)


def test_tables_apart_from_one_another_are_read_one_by_one(tmp_path: Path) -> None:
    left = {f"{column}{row}": f"{column}{row}" for row in range(3, 7) for column in "AB"}
    right = {f"{column}{row}": f"{column}{row}" for row in range(5, 12) for column in "EF"}
    found = read(EXTRACTOR, stored(tmp_path, xlsx({"S": sheet({"A1": "Title", **left, **right})})))
    assert [each.ref.location for each in found] == [
        "sheet:S/rows:1-1/columns:A-A",
        "sheet:S/rows:3-6/columns:A-B",
        "sheet:S/rows:5-11/columns:E-F",
    ]


def test_empty_rows_and_columns_within_a_table_do_not_cut_it(tmp_path: Path) -> None:
    cells = {f"{column}{row}": f"{column}{row}" for row in (1, 2, 4, 5) for column in "ABD"}
    (table,) = read(EXTRACTOR, stored(tmp_path, xlsx({"S": sheet(cells)})))
    assert table.text.splitlines()[-1] == "| A5 | B5 |  | D5 |"


def _grid(corner: str, *rows: str) -> dict[str, str]:
    """Cells by address, from a corner on; `Bern 7` are the cells of a row, and figures are figures."""
    column, row = ord(corner[0]), int(corner[1:])
    return {
        f"{chr(column + right)}{row + down}": f"<v>{text}</v>" if text.isdigit() else text
        for down, line in enumerate(rows)
        for right, text in enumerate(line.split())
        if text != "-"
    }


BIRDS = ("Bird Seen", "Duck 3", "Goose 5")
TOWNS = ("Town People", "Bern 130", "Basel 170")


@pytest.mark.parametrize(
    ("cells", "tables"),
    [
        (_grid("A3", *BIRDS) | _grid("A7", *TOWNS), {"3-5/columns:A-B": "Bird", "7-9/columns:A-B": "Town"}),
        (_grid("A3", *BIRDS) | _grid("A9", *TOWNS), {"3-5/columns:A-B": "Bird", "9-11/columns:A-B": "Town"}),
        (_grid("B4", *BIRDS) | _grid("E4", *TOWNS), {"4-6/columns:B-C": "Bird", "4-6/columns:E-F": "Town"}),
        (
            _grid("A1", "Town 2023 2024", "Bern 5 6") | _grid("A4", "Bird 2023 2024", "Duck 7 8"),
            {"1-2/columns:A-C": "Town", "4-5/columns:A-C": "Bird"},
        ),
        (_grid("B1", *TOWNS) | _grid("B5", *TOWNS), {"1-3/columns:B-C": "Town", "5-7/columns:B-C": "Town"}),
        (
            _grid("A1", "Who Where", "Anna Bern") | _grid("A5", "Bird Colour", "Duck grey"),
            {"1-2/columns:A-B": "Who", "5-6/columns:A-B": "Bird"},
        ),
        (_grid("A1", *BIRDS) | _grid("A5", "Swan 7", "Heron 8"), {"1-6": "Bird"}),
        (_grid("A1", *BIRDS) | _grid("A8", "Swan 7", "Heron 8"), {"1-9": "Bird"}),
        (_grid("A1", *BIRDS) | _grid("A8", "Total 8"), {"1-8": "Bird"}),
        (_grid("A1", "Bird May - June", "Duck 1 - 2", "Swan 3 - 4"), {"1-3": "Bird"}),
        (_grid("C5", *BIRDS), {"5-7/columns:C-D": "Bird"}),
    ],
    ids=["below", "far-below", "beside", "years", "repeated", "words", "gap", "wide-gap", "total", "column", "corner"],
)
def test_every_table_of_a_sheet_has_its_own_head_and_place(
    tmp_path: Path, cells: dict[str, str], tables: dict[str, str]
) -> None:
    found = read(EXTRACTOR, stored(tmp_path, xlsx({"S": sheet(cells)})))
    assert {each.ref.location.removeprefix("sheet:S/rows:"): each.text[2:6].strip() for each in found} == tables


def test_a_large_sheet_says_in_which_column_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "SMALL_ROWS", 2)
    (table,) = read(EXTRACTOR, stored(tmp_path, xlsx({"S": sheet(_grid("C5", *BIRDS))})))
    assert table.ref.location == "sheet:S/rows:5-7/columns:C-D"


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("7", True), ("1’234.50", True), ("-5 %", True), ("CHF 12.00", True), ("€ 3", True), ("(4)", True), ("5 kg", True),
        ("31.12.2024", True), ("2024-05-01", True), ("B5", False), ("Q4", False), ("3 rooms", False), ("Units", False),
        ("", False), ("-", False),
    ],
)  # fmt: skip
def test_what_is_a_figure(text: str, figure: bool) -> None:
    assert is_figure(text) is figure


def test_merged_cells_say_their_text_once_in_each_row(tmp_path: Path) -> None:
    more = '<mergeCells count="2"><mergeCell ref="A1:B1"/><mergeCell ref="A2:A3"/></mergeCells>'
    cells = {"A1": "wide", "C1": "c", "A2": "tall", "B2": "1", "C2": "2", "B3": "3", "C3": "4"}
    (table,) = read(EXTRACTOR, stored(tmp_path, xlsx({"S": sheet(cells, more)})))
    assert table.text.splitlines()[0] == "| wide |  | c |"
    assert table.text.splitlines()[3] == "| tall | 3 | 4 |"


def test_a_table_begins_with_what_reaches_into_it() -> None:
    reaching = MergedCells([((0, 0), (1, 3))], 0)
    first, second = (reaching.fill(row, [text, "", "", "", "x"]) for row, text in ((0, "wide"), (1, "")))
    assert said_once(first) == said_once(second) == ["wide", "", "", "", "x"]
    assert said_once(first[2:]) == ["wide", "", "x"], "of the part of a sheet that begins there"
    assert said_once(["same", "same"]) == ["same", "same"], "two cells that happen to say the same"


def test_a_title_over_the_whole_table_is_said_once(tmp_path: Path) -> None:
    more = '<mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells>'
    cells = {"A1": "Title", "A2": "a", "B2": "b", "C2": "c", "A3": "1", "B3": "2", "C3": "3"}
    title, table = read(EXTRACTOR, stored(tmp_path, xlsx({"S": sheet(cells, more)})))
    assert (title.text, title.ref.location) == ("Title", "sheet:S/rows:1-1")
    assert (table.text.splitlines()[0], table.ref.location) == ("| a | b | c |", "sheet:S/rows:2-3")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3.0, "3"),
        (0.1 + 0.2, "0.3"),
        (1e300, "1e+300"),
        (True, "TRUE"),
        (datetime.datetime.fromisoformat("2024-05-01"), "2024-05-01"),
        (datetime.datetime.fromisoformat("2024-05-01T13:30"), "2024-05-01 13:30:00"),
        (datetime.time(8, 5), "08:05:00"),
        (datetime.timedelta(hours=30, seconds=5), "30:00:05"),
        (datetime.date(2024, 5, 1), "2024-05-01"),
        ("as it is", "as it is"),
    ],
)
def test_values_as_people_see_them(value: object, expected: str) -> None:
    assert shown(value) == expected


@pytest.mark.parametrize("far", ["XFD1048576", "BI1048576"])
def test_one_cell_far_away_does_not_fill_the_memory(tmp_path: Path, far: str) -> None:
    """Laid out, such a sheet would take up to 500 GB."""
    made = stored(tmp_path, xlsx({"Far": sheet({"A1": "near", "A2": "<v>7</v>", far: "far"})}))
    assert EXTRACTOR.scan(made).sheets[0].rows == 1_048_576
    assert [each.text for each in read(EXTRACTOR, made)][-1] == "far"


def test_streamed_sheets_read_like_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    styles = (
        f'<styleSheet xmlns="{SHEETS}"><numFmts><numFmt numFmtId="170" formatCode="yyyy&quot;d&quot;"/></numFmts>'
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>'
    )
    shared = f'<sst xmlns="{SHEETS}"><si><t>shared</t><rPh><t>no</t></rPh></si></sst>'
    rows = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="inlineStr"><is><t>in</t></is></c></row>'
        '<row r="2"><c r="A2" s="1"><v>45413</v></c><c r="B2" s="2"><v>45413.5</v></c>'
        '<c r="C2"><v>0.30000000000000004</v></c></row>'
    )
    book = {
        "xl/_rels/workbook.xml.rels": relations(
            r1=("worksheet", "worksheets/sheet1.xml"),
            s1=("styles", "styles.xml"),
            s2=("sharedStrings", "sharedStrings.xml"),
        ),
        "xl/styles.xml": styles,
        "xl/sharedStrings.xml": shared,
    }
    content = f'<worksheet xmlns="{SHEETS}"><sheetData>{rows}</sheetData></worksheet>'
    made = stored(tmp_path, xlsx({"S": content}, dict(book)))
    laid_out = text_of(read(EXTRACTOR, made))
    monkeypatch.setattr(sheet_layout, "MAX_AREA", 0)
    assert text_of(read(EXTRACTOR, made)) == laid_out
    assert laid_out.splitlines()[0] == "| shared | TRUE | in |"
    assert laid_out.splitlines()[2] == "| 2024-05-01 | 2024d | 0.3 |"


def test_pictures_charts_and_remarks_belong_to_their_sheet(tmp_path: Path) -> None:
    anchor = "<xdr:from><xdr:col>1</xdr:col><xdr:row>6</xdr:row></xdr:from>"
    drawing = (
        f'<xdr:wsDr xmlns:xdr="{XDR}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        f'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:oneCellAnchor>{anchor}<xdr:pic>'
        '<xdr:nvPicPr><xdr:cNvPr id="1" name="p" descr="Logo"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="r1"/>'
        f"</xdr:blipFill></xdr:pic></xdr:oneCellAnchor><xdr:oneCellAnchor>{anchor}<xdr:graphicFrame>"
        f'<c:chart xmlns:c="{CHART}" r:id="r2"/></xdr:graphicFrame></xdr:oneCellAnchor></xdr:wsDr>'
    )
    more: dict[str, bytes | str] = {
        "xl/worksheets/_rels/sheet1.xml.rels": relations(
            r1=("drawing", "../drawings/d.xml"), r2=("comments", "../comments1.xml")
        ),
        "xl/drawings/d.xml": drawing,
        "xl/drawings/_rels/d.xml.rels": relations(r1=("image", "../media/a.png"), r2=("chart", "../charts/c.xml")),
        "xl/media/a.png": png(),
        "xl/charts/c.xml": f'<c:chartSpace xmlns:c="{CHART}">'
        '<c:ser><c:val><c:pt idx="0"><c:v>5</c:v></c:pt></c:val></c:ser></c:chartSpace>',
        "xl/comments1.xml": f'<comments xmlns="{SHEETS}"><authors><author>Ann</author></authors><commentList>'
        '<comment ref="B2" authorId="0"><text><t>Really?</t></text></comment></commentList></comments>',
    }
    made = stored(tmp_path, xlsx({"S": sheet({"A1": "x", "A2": "y"}, DRAWN)}, more))
    table, picture, chart, remark = read(EXTRACTOR, made)
    assert picture.content_type is ContentType.IMAGE
    assert (picture.ref.location, picture.ref.label, picture.metadata["cell"]) == ("sheet:S/image:1", "Logo", "B7")
    assert EXTRACTOR.element(made, "sheet:S/image:1").data == png()
    assert chart.text.splitlines()[-1] == "| 1 | 5 |"
    assert remark.text == "B2: Ann: Really?"
    assert {each.ref.sheet_name for each in (table, picture, chart, remark)} == {"S"}


def test_workbooks_with_a_password_say_so(test_data: Path) -> None:
    for name in ("pass_protected.xlsx", "pass_protected.xlsb", "pass_protected.ods", "issue_385.xls"):
        with pytest.raises(EncryptedDocument):
            EXTRACTOR.scan(source(test_data / "calamine/tests" / name, ""))


def test_a_reader_that_panics_is_a_refusal(test_data: Path) -> None:
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(source(test_data / "calamine/tests/ptgexp-truncated-operand.xls", ""))


def test_a_workbook_cut_anywhere_is_read_or_refused(tmp_path: Path) -> None:
    whole = xlsx({"S": sheet({"A1": "x", "B2": "y"})})
    for length in range(0, len(whole), 61):
        with pytest.raises(DocumentError):
            read(EXTRACTOR, stored(tmp_path, whole[:length]))


def test_a_zip_that_is_no_workbook_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(stored(tmp_path, package({"readme.txt": "hello"})))
