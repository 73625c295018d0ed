"""Questions about single elements: pictures are looked at, texts are read, once each."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from tests.documents.pdf.making import Page as PdfPage
from tests.documents.pdf.making import PdfMaker
from tests.files.sending import make
from tests.knowledge.digests.room import EYES, Question, Summariser, book, room_with
from tests.tools.room import Room
from tests.world import World
from workroom.contents.parts import PartSelection
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.results import ToolResult
from workroom.documents import ocr
from workroom.documents.errors import OcrUnavailable
from workroom.knowledge.digests import part_text
from workroom.models.ports import NoModel
from workroom.tools.digests import analyze_content

REPORT = PdfMaker([PdfPage().text(50, 80, f"This is page {n}.") for n in range(1, 6)]).data()
ASKED = "What is on it?"


def large_png() -> bytes:
    made = io.BytesIO()
    Image.new("RGBA", (4_000, 1_000), (200, 0, 0, 128)).save(made, "PNG")
    return made.getvalue()


def shown(question: Question) -> Image.Image:
    [picture] = question.pictures
    assert picture.media_type == "image/jpeg"
    return Image.open(io.BytesIO(base64.b64decode(picture.data)))


async def asked(room: Room, name: str, question: str = ASKED, **more: object) -> ToolResult:
    result = await room.call(analyze_content, fileId=name, question=question, **more)
    assert isinstance(result, ToolResult)
    return result


@pytest.mark.requirement("I2", "I7")
async def test_a_picture_is_seen_by_a_model_with_eyes_once(world: World) -> None:
    await make(world, "bob", "photo.png", large_png())
    cheap, eyes = Summariser(), Summariser(EYES, lambda _: "A red field.")
    room = room_with(world, cheap, eyes=eyes)
    result = await asked(room, "photo.png")
    assert "A red field." in result.message
    assert "recognised" not in result.message
    picture = shown(eyes.asked[0])
    assert picture.size == (1_568, 392)
    red, green, _ = picture.convert("RGB").getpixel((10, 10))  # type: ignore[misc]
    assert red > 200
    assert 100 < green < 160, "what is half transparent lies on white"
    assert ASKED in eyes.asked[0].order
    assert (await asked(room, "photo.png")).message == result.message
    assert (len(eyes.asked), cheap.asked) == (1, [])
    await asked(room, "photo.png", "How large is it?")
    assert len(eyes.asked) == 2


@pytest.mark.requirement("I2")
async def test_a_page_is_seen_as_it_looks(world: World) -> None:
    await make(world, "bob", "report.pdf", REPORT)
    eyes = Summariser(EYES)
    result = await asked(room_with(world, Summariser(), eyes=eyes), "report.pdf", page=3)
    assert max(shown(eyes.asked[0]).size) == 1_568
    assert (opens := result.sources[0].opens) is not None
    assert opens.page == 3
    assert f"page 3 of report.pdf [[{result.sources[0].mark}]]" in result.message
    assert world.services.reader.counts["parts"] == 0, "nothing is extracted for a look"


async def test_a_picture_in_a_document_is_seen_by_its_location(world: World) -> None:
    page = PdfPage().text(50, 80, "Look below.").picture(100, 200, 300, 100)
    file = await make(world, "bob", "report.pdf", PdfMaker([page]).data())
    place = await world.services.reader.place(world["bob"].principal, file.id)
    passages = await world.services.reader.passages(world["bob"].principal, place, PartSelection())
    [image] = [object for object in passages.objects if object.content_type.value == "image"]
    eyes, cheap = Summariser(EYES), Summariser()
    room = room_with(world, cheap, eyes=eyes)
    await asked(room, "report.pdf", location=image.ref.location)
    assert len(eyes.asked[0].pictures) == 1
    [text] = [object for object in passages.objects if object.content_type.value == "text"]
    result = await asked(room, "report.pdf", location=text.ref.location)
    assert "Look below." in cheap.asked[0].material
    assert "answered from the text alone" in result.message
    with pytest.raises(NotFound, match="nothing at that place"):
        await asked(room, "report.pdf", location="page:1/region:top/image:99")


async def test_without_eyes_a_page_is_read_and_a_picture_recognised_and_it_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make(world, "bob", "report.pdf", REPORT)
    await make(world, "bob", "photo.png", large_png())
    cheap = Summariser()
    room = room_with(world, cheap)
    result = await asked(room, "report.pdf", page=2)
    assert "This is page 2." in cheap.asked[0].material
    assert "no model has looked at it" in result.message
    if ocr.is_available():
        result = await asked(room, "photo.png")
        assert "text that was recognised in it, and not an answer" in result.message

    async def missing(*_: object, **__: object) -> str:
        raise OcrUnavailable("Not installed.")

    monkeypatch.setattr(world.services.reader, "recognise", missing)
    with pytest.raises(NoModel, match="text recognition is not set up"):
        await asked(room, "photo.png")
    assert len(cheap.asked) == 1


async def test_a_text_or_a_section_of_it_is_read_once(world: World) -> None:
    await make(world, "bob", "notes.md", b"# One\n\nFirst things.\n\n# Two\n\nSecond things.\n")
    cheap = Summariser(says=lambda _: "Things.")
    room = room_with(world, cheap, eyes=Summariser(EYES))
    for _ in range(2):
        result = await asked(room, "notes.md", location="section:s2")
        assert "Things." in result.message
    [question] = cheap.asked
    assert "Second things." in question.material
    assert "First things." not in question.material
    await asked(room, "notes.md")
    assert "First things." in cheap.asked[1].material
    with pytest.raises(InvalidInput, match="not both"):
        await asked(room, "notes.md", location="section:s2", page=1)


async def test_what_one_may_not_read_is_not_looked_at(world: World) -> None:
    file = await make(world, "bob", "photo.png", large_png())
    eyes = Summariser(EYES)
    await asked(room_with(world, Summariser(), eyes=eyes), "photo.png")
    with pytest.raises(NotFound):
        await asked(room_with(world, Summariser(), "rita", eyes), str(file.id))
    assert len(eyes.asked) == 1


async def test_a_question_about_a_whole_document_reads_what_a_model_could_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part_text, "MOST_TEXT", 1_000)
    monkeypatch.setattr(part_text, "AT_A_TIME", 10)
    await make(world, "bob", "book.pdf", book(60, 6))
    model = Summariser()
    await room_with(world, model).call(analyze_content, fileId="book.pdf", question="What is it?")
    [question] = model.asked
    assert len(question.material) < 2_000
    assert part_text.CUT in question.material
    assert world.services.reader.counts["parts"] < 60
