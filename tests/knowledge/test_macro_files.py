"""Office files with macros, and binary ones: known by their content types, read, counted and found like the plain ones."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tests.documents.docx.making import docx, p
from tests.documents.making import pptx, shape, sheet, slide, xlsx
from tests.documents.old_making import xlsb
from tests.knowledge.room import Library, status
from workroom.documents.sniffing.names import BY_ENDING
from workroom.knowledge.types import IndexState

MAIN = {
    "docm": "ms-word.document.macroEnabled.main",
    "xlsm": "ms-excel.sheet.macroEnabled.main",
    "xlsb": "ms-excel.sheet.binary.macroEnabled.main",
    "pptm": "ms-powerpoint.presentation.macroEnabled.main",
}


def typed(content: bytes, kind: str) -> bytes:
    """The same package, whose content types say that it has macros."""
    made = io.BytesIO(content)
    with zipfile.ZipFile(made, "a") as archive:
        archive.writestr(
            "[Content_Types].xml", f'<Types><Override ContentType="application/vnd.{MAIN[kind]}+xml"/></Types>'
        )
    return made.getvalue()


@pytest.fixture
def contents(tmp_path: Path) -> dict[str, bytes]:
    return {
        "docm": docx(tmp_path, p("The rent is due on Mondays.")).path.read_bytes(),
        "xlsm": xlsx({"Rent": sheet({"A1": "Month", "B1": "Rent", "A2": "May", "B2": "<v>1250</v>"})}),
        "xlsb": xlsb([[(1250, 0), (2, 0)], [(3, 0), (4, 0)]]),
        "pptm": pptx([slide(shape("The rent is due on Mondays."))]),
    }


@pytest.mark.parametrize("kind", sorted(MAIN))
async def test_their_objects_are_counted_and_found(shelf: Library, contents: dict[str, bytes], kind: str) -> None:
    file = await shelf.put(f"rent.{kind}", typed(contents[kind], kind))
    known = await status(shelf, file.id)
    index = await shelf.world.services.reader.index(shelf.world["bob"].principal, file.id)
    assert (known.state, known.problem) == (IndexState.INDEXED, None)
    assert index.mime_type == BY_ENDING[kind]
    assert (index.status, index.total_objects > 0) == ("extracted", True)
    assert await shelf.names("1250" if kind.startswith("xls") else "rent") == [f"rent.{kind}"]


def test_media_types_are_kept_as_they_are_stored() -> None:
    assert [kind for kind in BY_ENDING.values() if kind != kind.lower()] == []
