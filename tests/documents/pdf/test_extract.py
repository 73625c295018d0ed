"""Content objects of a PDF: only the wanted pages, in reading order, with places, captions and tables."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from tests.documents.pdf.making import BOLD, Bookmark, Page, PdfMaker, one_page
from workroom.core.errors import NotFound
from workroom.documents.extractors.pdf import EXTRACTOR
from workroom.documents.types import ContentObject, ContentType, ExtractionScope, SourceFile

LEFT = [f"left column line {number} with several words" for number in range(8)]
RIGHT = [f"right column line {number} with several words" for number in range(8)]


def objects(source: SourceFile, *pages: int) -> list[ContentObject]:
    return list(EXTRACTOR.extract(source, ExtractionScope(pages=frozenset(pages))))


def texts(source: SourceFile) -> str:
    return "\n".join(found.text for found in objects(source))


def numbered(count: int) -> list[Page]:
    return [Page().text(60, 60, f"This is page number {number}") for number in range(count)]


@pytest.mark.requirement("I2")
def test_only_the_wanted_page_is_loaded(tmp_path: Path, loaded: list[int]) -> None:
    document = PdfMaker(numbered(60)).save(tmp_path / "many.pdf")
    found = objects(document, 46)
    assert loaded == [46]
    assert [item.text for item in found] == ["This is page number 46"]
    assert found[0].ref.page_index == 46
    assert found[0].ref.location.startswith("page:47/")


@pytest.mark.requirement("I2")
def test_a_section_by_bookmarks_loads_its_pages_alone(tmp_path: Path, loaded: list[int]) -> None:
    maker = PdfMaker(numbered(30))
    maker.bookmarks = [Bookmark("One", 0), Bookmark("Two", 10), Bookmark("Three", 13)]
    found = list(EXTRACTOR.extract(maker.save(tmp_path / "parts.pdf"), ExtractionScope(sections=frozenset({"s2"}))))
    assert loaded == [10, 11, 12]
    assert {item.ref.section_id for item in found} == {"s2"}


def test_a_section_ends_where_the_next_begins_on_the_same_page(tmp_path: Path) -> None:
    prose = ["Words of the body text that nobody would take for a heading"] * 6
    page = Page().text(60, 60, "First", size=18, font=BOLD).lines(60, 90, [*prose, "END OF FIRST"])
    page.text(60, 300, "Second", size=18, font=BOLD).lines(60, 330, [*prose, "END OF SECOND"])
    document = one_page(tmp_path / "two.pdf", page)
    found = "\n".join(item.text for item in EXTRACTOR.extract(document, ExtractionScope(sections=frozenset({"s2"}))))
    assert "END OF SECOND" in found
    assert "END OF FIRST" not in found


def test_locations_are_the_same_whatever_else_is_wanted(tmp_path: Path) -> None:
    prose = ["Words of the body text that nobody would take for a heading"] * 6
    page = Page().text(60, 60, "First", size=18, font=BOLD).lines(60, 90, prose)
    page.text(60, 300, "Second", size=18, font=BOLD).lines(60, 330, prose)
    document = one_page(tmp_path / "two.pdf", page)
    everything = {item.ref.location: item.text for item in objects(document)}
    for item in EXTRACTOR.extract(document, ExtractionScope(sections=frozenset({"s2"}))):
        assert everything[item.ref.location] == item.text


def test_what_does_not_exist_is_not_found(tmp_path: Path) -> None:
    document = PdfMaker(numbered(2)).save(tmp_path / "short.pdf")
    with pytest.raises(NotFound):
        objects(document, 7)
    with pytest.raises(NotFound):
        list(EXTRACTOR.extract(document, ExtractionScope(sections=frozenset({"s9"}))))


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    page = Page().text(60, 60, "A title over both columns", size=16, font=BOLD)
    page.lines(60, 100, LEFT).lines(320, 100, RIGHT)
    found = texts(one_page(tmp_path / "columns.pdf", page))
    assert found.index("A title") < found.index(LEFT[-1]) < found.index(RIGHT[0])


def test_columns_drawn_row_by_row_are_read_one_after_the_other(tmp_path: Path) -> None:
    page = Page()
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        page.text(320, 100 + 14 * number, right).text(60, 100 + 14 * number, left)
    found = texts(one_page(tmp_path / "rows.pdf", page))
    assert found.index(LEFT[-1]) < found.index(RIGHT[0])


def test_a_page_drawn_from_the_bottom_up_is_read_from_the_top_down(tmp_path: Path) -> None:
    page = Page()
    for number in reversed(range(10)):
        page.text(60, 100 + 20 * number, f"This is line {number} of the text")
    found = texts(one_page(tmp_path / "up.pdf", page))
    places = [found.index(f"line {number} ") for number in range(10)]
    assert places == sorted(places)


def test_a_grid_is_a_table_whose_merged_cells_speak_once(tmp_path: Path) -> None:
    page = Page().grid([60, 200, 340], [100, 120, 140]).rule(60, 160, 340, 160).rule(60, 140, 60, 160)
    page.rule(340, 140, 340, 160)
    cells = {
        (65, 114): "Name",
        (205, 114): "Amount",
        (65, 134): "Rent | heat",
        (205, 134): "1200",
        (65, 154): "All paid",
    }
    for (x, y), text in cells.items():
        page.text(x, y, text)
    document = one_page(tmp_path / "grid.pdf", page)
    (table,) = [item for item in objects(document) if item.metadata.get("table")]
    assert table.text.splitlines() == [
        "| Name | Amount |",
        "| --- | --- |",
        "| Rent \\| heat | 1200 |",
        "| All paid |  |",
    ]
    assert (table.metadata["rows"], table.metadata["columns"]) == (3, 2)
    assert EXTRACTOR.tables(document, 0) == [table.text]


def test_rows_without_lines_between_them_are_told_apart(tmp_path: Path) -> None:
    page = Page().grid([60, 200, 340], [100, 120, 200])
    for number, row in enumerate([("Name", "Amount"), ("Rent", "1200"), ("Heat", "300"), ("Water", "80")]):
        page.text(65, 114 + 22 * number, row[0]).text(205, 114 + 22 * number, row[1])
    (table,) = EXTRACTOR.tables(one_page(tmp_path / "open.pdf", page), 0)
    assert table.splitlines()[2:] == ["| Rent | 1200 |", "| Heat | 300 |", "| Water | 80 |"]


def test_aligned_words_are_a_table_without_any_line(tmp_path: Path) -> None:
    page = Page().lines(60, 60, ["Some words about the table that follows below this line."])
    rows = [("City", "2020", "2021"), ("Bern", "134", "135"), ("Basel", "178", "177"), ("Zug", "30", "31")]
    for number, row in enumerate(rows):
        for x, text in zip((60, 220, 330), row, strict=True):
            page.text(x, 100 + 16 * number, text)
    (table,) = EXTRACTOR.tables(one_page(tmp_path / "aligned.pdf", page), 0)
    assert table.splitlines()[0] == "| City | 2020 | 2021 |"
    assert table.splitlines()[-1] == "| Zug | 30 | 31 |"


def test_crosses_far_apart_are_cells_of_their_own(tmp_path: Path) -> None:
    page = Page().grid([60, 200, 300, 400, 500], [100, 120, 140, 160])
    for number, name in enumerate(("Read", "Write", "Erase")):
        page.text(65, 114 + 20 * number, name)
        for x in (240, 340, 440):
            page.text(x, 114 + 20 * number, "X")
    (table,) = EXTRACTOR.tables(one_page(tmp_path / "crosses.pdf", page), 0)
    assert table.splitlines()[0] == "| Read | X | X | X |"


def test_boxes_of_a_drawing_are_no_table(tmp_path: Path) -> None:
    page = Page()
    for x, y in [(60, 100), (160, 140), (260, 180), (360, 220)]:
        page.grid([x, x + 100], [y, y + 40]).text(x + 10, y + 20, "Step in the plan")
    assert EXTRACTOR.tables(one_page(tmp_path / "drawing.pdf", page), 0) == []


def test_two_columns_of_prose_are_no_table(tmp_path: Path) -> None:
    page = Page()
    for number, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True)):
        page.text(60, 100 + 14 * number, left).text(320, 100 + 14 * number, right)
    assert EXTRACTOR.tables(one_page(tmp_path / "prose.pdf", page), 0) == []


def test_a_list_is_no_table(tmp_path: Path) -> None:
    page = Page()
    for number in range(6):
        page.text(60, 100 + 14 * number, f"{number + 1}.").text(90, 100 + 14 * number, "buy milk")
    assert EXTRACTOR.tables(one_page(tmp_path / "list.pdf", page), 0) == []


@pytest.mark.requirement("I5")
def test_a_picture_has_its_place_its_caption_and_its_bytes(tmp_path: Path) -> None:
    page = Page().text(60, 60, "Text above").picture(60, 600, 160, 80).text(60, 700, "Figure 3: Overview of it all")
    document = one_page(tmp_path / "figure.pdf", page)
    (picture,) = [item for item in objects(document) if item.content_type is ContentType.IMAGE]
    assert picture.ref.location == "page:1/region:bottomLeft/image:1"
    assert picture.ref.label == "Figure 3: Overview of it all"
    assert (picture.metadata["width"], picture.metadata["height"]) == (8, 4)
    element = EXTRACTOR.element(document, picture.ref.location)
    with Image.open(io.BytesIO(element.data)) as image:
        assert image.format == "PNG"
        assert image.convert("RGB").getpixel((image.width // 2, image.height // 2)) == (200, 30, 30)


def test_a_scanned_page_says_so_and_is_a_picture(tmp_path: Path) -> None:
    document = one_page(tmp_path / "scan.pdf", Page().picture(0, 0, 595, 842))
    (page,) = objects(document)
    assert page.content_type is ContentType.IMAGE
    assert page.metadata["scanned"] is True
    assert page.ref.location == "page:1"
    assert EXTRACTOR.element(document, "page:1").media_type == "image/png"


def test_an_empty_page_has_nothing(tmp_path: Path) -> None:
    assert objects(one_page(tmp_path / "empty.pdf", Page())) == []


def test_a_page_shown_turned_is_read_as_it_is_shown(tmp_path: Path) -> None:
    page = Page(rotate=90).text(60, 60, "Near the corner")
    (found,) = objects(one_page(tmp_path / "turned.pdf", page))
    assert found.text == "Near the corner"
    assert EXTRACTOR.page_image(one_page(tmp_path / "turned.pdf", page), 0, 842).metadata["height"] == 595


def test_links_forms_and_remarks_are_found(tmp_path: Path) -> None:
    page = Page().text(60, 60, "See our site").link(60, 60, 60, "https://example.org/a")
    page.field("Family name", "Meier").remark("Anna", "Is this right?")
    found = objects(one_page(tmp_path / "notes.pdf", page))
    assert found[0].metadata["links"] == ["https://example.org/a"]
    assert found[0].text == "[See our site](https://example.org/a)"
    assert [item.text for item in found[1:]] == ["Family name: Meier", "Is this right?"]
    assert found[2].metadata["author"] == "Anna"


def test_attached_files_are_objects_with_bytes(tmp_path: Path) -> None:
    maker = PdfMaker([Page().text(60, 60, "See the attachment")])
    maker.attachments = {"figures.csv": b"a,b\n1,2\n"}
    document = maker.save(tmp_path / "attached.pdf")
    other = objects(document)[-1]
    assert (other.content_type, other.ref.label, other.ref.location) == (
        ContentType.OTHER,
        "figures.csv",
        "attachment:1",
    )
    element = EXTRACTOR.element(document, "attachment:1")
    assert (element.data, element.name, element.media_type) == (b"a,b\n1,2\n", "figures.csv", "text/csv")


def test_a_broken_word_keeps_its_hyphen(tmp_path: Path) -> None:
    page = Page().lines(60, 60, ["The unbelievable distribu-", "tion of goods went on for years."])
    assert "distribu-\ntion" in texts(one_page(tmp_path / "hyphen.pdf", page))


@pytest.mark.parametrize("width", [1, 200, 100_000])
def test_page_images_have_the_asked_width_within_reason(tmp_path: Path, width: int) -> None:
    document = one_page(tmp_path / "page.pdf", Page().text(60, 60, "Text"))
    element = EXTRACTOR.page_image(document, 0, width)
    assert abs(element.metadata["width"] - min(width, 4_000)) <= 1
    with pytest.raises(NotFound):
        EXTRACTOR.page_image(document, 1, width)


@pytest.mark.parametrize("location", ["page:1/region:top/block:1", "page:1/region:top/image:9", "page:0", "x", ""])
def test_places_that_hold_no_bytes_are_not_found(tmp_path: Path, location: str) -> None:
    with pytest.raises(NotFound):
        EXTRACTOR.element(one_page(tmp_path / "page.pdf", Page().text(60, 60, "Text")), location)
