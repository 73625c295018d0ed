"""Numbers and dates of spreadsheets as people see them in their cells."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.making import SHEETS, read, relations, stored, text_of, xlsx
from workroom.documents.extractors.sheets import EXTRACTOR
from workroom.documents.office import sheet_layout
from workroom.documents.office.date_formats import date_format
from workroom.documents.office.format_tokens import is_date, is_of_an_era, sections_of
from workroom.documents.office.number_formats import _Section, number_format, plain
from workroom.documents.types import SourceFile

MOMENT = datetime.datetime.fromisoformat("2024-05-01T13:07:09.250000")


@pytest.mark.parametrize(
    ("code", "value", "expected"),
    [
        ("0", 1234.567, "1235"),
        ("0.00", 2.675, "2.68"),  # as decimals are rounded, not as binary fractions are
        ("#,##0", 1234567.0, "1,234,567"),
        ("#,##0.00", -1234.5, "-1,234.50"),
        ("0%", 0.255, "26%"),
        ("0.0%", -0.5, "-50.0%"),
        ("0.###", 2.5, "2.5"),
        ("0.###", 2.0, "2"),
        ("00000", 42.0, "00042"),
        (".00", 0.5, ".50"),
        ("#", 0.0, "0"),
        ("[$CHF-807] #,##0.00", 1234.5, "CHF 1,234.50"),
        ("#,##0.00 [$€-407]", 9.0, "9.00 €"),
        ('#,##0.00\\ "Fr."', 9.0, "9.00 Fr."),
        ("$#,##0.00;[Red]($#,##0.00)", -1234.5, "($1,234.50)"),
        ('_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', 0.0, "-"),
        ('_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', -7.0, "(7.00)"),
        ('#,##0.0,,"M"', 1234567.0, "1.2M"),
        ('[>=1000]0.0,"k";0', 1500.0, "1.5k"),
        ('[>=1000]0.0,"k";0', 500.0, "500"),
        ('"yes";"no";"zero"', -3.0, "no"),
        ("0.00E+00", 1234.567, "1.23E+03"),
        ("0.00E+00", 0.0, "0.00E+00"),
        ("# ?/?", 2.5, "2 1/2"),
        ("# ??/16", 0.5, "8/16"),
        ("?/?", 1.5, "3/2"),
        ("000-00-0000", 1234567.0, "001-23-4567"),
        ("#\\ ##0", 7.0, "7"),
        ("0.00", -0.001, "0.00"),
        ('General" kg"', 2.5, "2.5 kg"),
        (";;;", 12.5, "12.5"),  # hidden from people, not from us
        ("0;-0;;@", 0.0, "0"),
        ("@", 1.25, "1.25"),
        ('0"%"', 0.5, "1%"),
        ("\\1\\.0#", 7.0, "1.7"),
    ],
)
def test_numbers(code: str, value: float, expected: str) -> None:
    show = number_format(sections_of(code))
    assert show is not None
    assert show(value) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("dd.mm.yyyy", "01.05.2024"),
        ("d/m/yy", "1/5/24"),
        ("yyyy\\-mm\\-dd\\ hh:mm:ss", "2024-05-01 13:07:09"),
        ("h:mm AM/PM", "1:07 PM"),
        ("mm:ss.0", "07:09.2"),
        ("[$-407]d. mmmm yyyy", "1. Mai 2024"),
        ("[$-40C]dddd d mmm", "mercredi 1 mai"),
        ("dddd, mmmm dd, yyyy", "Wednesday, May 01, 2024"),
        ("mmm\\-yy;@", "May-24"),
        ("mmmmm", "M"),
        ("[$-F800]dddd\\,\\ mmmm\\ dd", "Wednesday, May 01"),
    ],
)
def test_dates(code: str, expected: str) -> None:
    sections = sections_of(code)
    assert is_date(sections)
    assert date_format(sections[0])(MOMENT) == expected


def test_spans_of_time_and_times_of_day() -> None:
    spans = date_format(sections_of("[h]:mm:ss")[0])
    assert spans(datetime.timedelta(hours=30, seconds=5)) == "30:00:05"
    assert date_format(sections_of("hh:mm")[0])(datetime.time(8, 5)) == "08:05"
    assert date_format(sections_of("d.m.yyyy")[0])(datetime.date(2024, 5, 1)) == "1.5.2024"


def test_what_is_no_format_is_none() -> None:
    assert number_format(sections_of("General")) is None
    assert is_of_an_era(sections_of('[$-411]ggge"年"m"月"d"日"'))
    assert not is_date(sections_of('"day"0'))
    assert not is_date(sections_of("[Red]0"))


@given(st.text('0#?.,%/@E+-"\\_*[]$;hmsdyAMP/ x1', max_size=20), st.floats(allow_nan=False, allow_infinity=False))
def test_any_format_shows_something_or_fails_as_expected(code: str, value: float) -> None:
    """`CellFormats.show` takes these errors for a format that means nothing."""
    sections = sections_of(code)
    try:
        if is_date(sections):
            date_format(sections[0])(MOMENT)
        elif (show := number_format(sections)) is not None:
            assert show(value).strip()
    except (ArithmeticError, ValueError, IndexError, StopIteration):
        return


def book(tmp_path: Path, formats: list[str], cells: str) -> SourceFile:
    escaped = [code.replace("&", "&amp;").replace('"', "&quot;") for code in formats]
    styles = (
        f'<styleSheet xmlns="{SHEETS}"><numFmts>'
        + "".join(f'<numFmt numFmtId="{170 + at}" formatCode="{code}"/>' for at, code in enumerate(escaped))
        + '</numFmts><cellXfs><xf numFmtId="0"/>'
        + "".join(f'<xf numFmtId="{170 + at}"/>' for at in range(len(formats)))
        + '<xf numFmtId="9"/><xf numFmtId="14"/></cellXfs></styleSheet>'
    )
    parts: dict[str, bytes | str] = {
        "xl/_rels/workbook.xml.rels": relations(r1=("worksheet", "worksheets/sheet1.xml"), s1=("styles", "styles.xml")),
        "xl/styles.xml": styles,
    }
    content = f'<worksheet xmlns="{SHEETS}"><sheetData>{cells}</sheetData></worksheet>'
    return stored(tmp_path, xlsx({"S": content}, parts))


@pytest.mark.parametrize("laid_out", [True, False])
def test_a_sheet_is_read_as_it_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, laid_out: bool) -> None:
    if not laid_out:
        monkeypatch.setattr(sheet_layout, "MAX_AREA", 0)
    cells = (
        '<row r="3"><c r="B3" t="inlineStr"><is><t>sum</t></is></c><c r="C3" s="1"><f>A1*2</f><v>1234.5</v></c>'
        '<c s="2" r="D3"><v>45413</v></c><c r="E3" s="3"><v>0.5</v></c></row>'
        '<row r="4"><c r="B4" s="1" t="inlineStr"><is><t>text</t></is></c><c r="C4"><v>1234.5</v></c>'
        '<c r="D4" s="4"><v>45413</v></c><c r="E4" s="99"><v>7</v></c></row>'
    )
    source = book(tmp_path, ['#,##0.00 "CHF"', "dd.mm.yyyy"], cells)
    assert text_of(read(EXTRACTOR, source)).splitlines() == [
        "| sum | 1,234.50 CHF | 01.05.2024 | 50% |",
        "| --- | --- | --- | --- |",
        "| text | 1234.5 | 2024-05-01 | 7 |",
    ]


def test_formats_that_mean_nothing_leave_the_number_as_it_is(tmp_path: Path) -> None:
    cells = "".join(
        f'<row r="{at}"><c r="A{at}" s="{at}"><v>1.5</v></c><c r="B{at}"><v>1</v></c></row>' for at in (1, 2, 3)
    )
    source = book(tmp_path, ["E+", "/", '"'], cells)
    assert "1.5" in text_of(read(EXTRACTOR, source))


def test_plain_numbers() -> None:
    assert [plain(value) for value in (3.0, 0.1 + 0.2, 1e300)] == ["3", "0.3", "1e+300"]


@given(
    st.sampled_from(["0", "0.00", "#,##0", "#,##0.000", "0.0%", "[$CHF-807] #,##0.00", '#,##0.0,"k"', '0" kg"']),
    st.decimals(-(10**9), 10**9, places=5).map(float),
)
def test_the_short_way_shows_what_the_long_way_shows(code: str, value: float) -> None:
    (section,) = map(_Section, sections_of(code))
    assert section._spec
    assert section.show(value) == " ".join(section._shown(value).split())
