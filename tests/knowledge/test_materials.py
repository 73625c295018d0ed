"""What files say to a question comes before the model with it; without knowledge the question is answered all the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Never
from uuid import UUID

import pytest

from tests.contents.room import numbered_pdf
from tests.knowledge.room import Library
from tests.world import World
from workroom.core.actions import OpenFile
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart, Message, Role, TextPart
from workroom.core.places import file_place, numbered_place
from workroom.identity.types import Principal
from workroom.knowledge.materials import DEGRADED, RetrievedMaterials
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import Passage, Query
from workroom.models.embeddings.multilingual import MultilingualEmbedder


class Pointing:
    """What the question points at."""

    def __init__(self, *parts: MaterialPart) -> None:
        self._parts = parts

    async def of(
        self, principal: Principal, instance_id: UUID, question: Message, tokens: int
    ) -> Sequence[MaterialPart]:
        return self._parts


class AwayKnowledge(Knowledge):
    async def search(self, principal: Principal, query: Query) -> list[Passage]:
        raise TimeoutError


def knowledge(shelf: Library, kind: type[Knowledge] = Knowledge) -> Knowledge:
    return kind(shelf.world.services.db, shelf.world.services.files, shelf.embedders)


async def retrieved(
    shelf: Library, text: str, *pointed: MaterialPart, kind: type[Knowledge] = Knowledge, tokens: int = 20_000
) -> list[MaterialPart]:
    question = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=text)])
    materials = RetrievedMaterials(Pointing(*pointed), knowledge(shelf, kind))
    bob = shelf.world["bob"].principal
    return list(await materials.of(bob, shelf.world.instances["lab"].id, question, tokens))


@pytest.mark.requirement("H5")
async def test_passages_come_with_the_question_and_open_where_they_stand(shelf: Library) -> None:
    file = await shelf.put("report.pdf", numbered_pdf(12))
    (first, *_) = await retrieved(shelf, "What is on page number 7?")
    assert (first.kind, first.label, first.untrusted) == ("text", "page 7 of report.pdf", True)
    assert first.opens == OpenFile(file_id=file.id, page=7, quote="This is page number 7")
    assert first.found
    assert f'<material mark="{first.mark}" of="page 7 of report.pdf"' in first.prompt_text
    colleague = first.seen_by(new_id())
    assert (colleague.text, colleague.opens) == ("", OpenFile(file_id=file.id, page=7)), "that it was read, not what"
    assert first.seen_by(first.read_for).opens == first.opens
    assert first.text == "This is page number 7"
    assert first.read_for == shelf.world["bob"].principal.user_id


@pytest.mark.parametrize("text", ["Hello", "Guten Tag!", "Who are you?"])
async def test_a_greeting_is_not_asked_of_files(shelf: Library, text: str) -> None:
    await shelf.put("mail.txt", "Hello and guten Tag! Who are you?")
    assert await retrieved(shelf, text) == []


@pytest.mark.parametrize("text", ["Hello!", "What is the capital of Mongolia?", "the", "🙂"])
async def test_what_has_nothing_to_do_with_it_is_left_out(shelf: Library, text: str) -> None:
    await shelf.put("garden.md", "# Roses\n\nRoses want sun, water and a little patience.\n")
    assert await retrieved(shelf, text) == []


async def test_a_name_is_the_same_in_every_language(shelf: Library) -> None:
    await shelf.put("sales.md", "Sales by brand: Nespresso grew by four percent, chocolate fell.")
    for text in ("Wie hoch war der Umsatz von Nespresso?", "Quel était le chiffre d'affaires de Nespresso ?"):
        (found,) = await retrieved(shelf, text)
        assert "Nespresso grew" in found.text, text
    assert await retrieved(shelf, "Nestlé verkauft wieviel Schokolade an welche Kunden?") == []


async def test_a_name_may_stand_in_what_a_file_is_called(shelf: Library) -> None:
    shelf.embedders.made = MultilingualEmbedder()
    said = "The customer pays an annual fee, invoiced quarterly in advance."
    await shelf.put("maintenance_agreement_Acme.md", said)
    await shelf.put("other.md", said.replace("customer", "tenant"))
    for number in range(20):  # more than are looked at, and as alike
        await shelf.put(
            f"fees {number}.md", f"Gebühren: In Nummer {number} der Liste steht, welche Gebühr verlangt wird."
        )
    found = await retrieved(shelf, "Bis wann ist der Betrag an die Firma Acme zu bezahlen?")
    assert "maintenance_agreement_Acme.md" in [part.label for part in found]
    assert "other.md" not in [part.label for part in found]
    hers = await shelf.put("Zenith.md", said, person="alice")
    assert str(hers.id) not in str(await retrieved(shelf, "Bis wann ist der Betrag an die Firma Zenith zu bezahlen?"))


async def test_what_a_file_is_called_counts_with_what_it_says(shelf: Library) -> None:
    rows = "\n".join(["article;hall;count", *(f"screw M{n};{n % 5};{n}" for n in range(2, 40)), "compressor;3;2"])
    await shelf.put("warehouse list.csv", rows.encode())
    question = "How many compressors are left in the warehouse?"
    assert any("compressor" in part.text for part in await retrieved(shelf, question))
    await shelf.put("other.csv", rows.replace("compressor", "compressor, blue").encode())
    assert not any("blue" in part.text for part in await retrieved(shelf, f"{question} And who empties it, and when?"))


async def test_a_question_that_names_its_places_gets_those_alone(shelf: Library) -> None:
    await shelf.put("report.pdf", numbered_pdf(12))
    principal = shelf.world["bob"].principal.user_id
    assert principal is not None
    page = MaterialPart(kind="text", place=numbered_place("page", [3], "other.pdf"), text="…", read_for=principal)
    assert await retrieved(shelf, "What is on page number 7?", page) == [page]


async def test_a_question_about_a_file_searches_in_that_file(shelf: Library) -> None:
    await shelf.put("one.txt", "The kettle is blue.")
    two = await shelf.put("two.txt", "The kettle is red.")
    principal = shelf.world["bob"].principal.user_id
    assert principal is not None
    outline = MaterialPart(
        kind="outline", place=file_place("two.txt"), read_for=principal, opens=OpenFile(file_id=two.id)
    )
    found = await retrieved(shelf, "Which colour has the kettle?", outline)
    assert [(part.kind, part.text) for part in found] == [("text", "The kettle is red."), ("outline", "")]
    asked = await retrieved(shelf, "Which sections are about the kettle?", outline)
    assert [part.kind for part in asked] == ["outline", "text"], "the outline comes first for who asks for it"
    small = MaterialPart(
        kind="text", place=file_place("one.txt"), text="whole", read_for=principal, opens=OpenFile(file_id=new_id())
    )
    both = await retrieved(shelf, "Which colour has the kettle?", outline, small)
    assert "The kettle is red." in [part.text for part in both], "one that was read whole does not hide the other"


async def test_it_fits_into_what_there_is_room_for(shelf: Library) -> None:
    for number in range(8):
        await shelf.put(f"{number}.txt", f"The pump number {number} is old. " + "It makes noise all day. " * 30)
    all_of_them = await retrieved(shelf, "old pump")
    few = await retrieved(shelf, "old pump", tokens=800)
    assert 0 < len(few) < len(all_of_them)


@pytest.mark.requirement("A7")
async def test_without_knowledge_the_run_goes_on_and_says_so(shelf: Library) -> None:
    (note,) = await retrieved(shelf, "What is on page number 7?", kind=AwayKnowledge)
    assert (note.kind, note.label, note.untrusted) == ("note", DEGRADED, False)
    assert "could not be searched" in note.text


async def test_a_later_piece_of_a_long_mail_says_who_wrote_it(shelf: Library) -> None:
    points = "\n\n".join(
        f"Point {n}: the committee approves of section {n}. {'It was said before. ' * 20}" for n in range(60)
    )
    head = "From: Rita <rita@bau.example>\nDate: Fri, 3 May 2024 08:00:00 +0200\nSubject: Minutes"
    await shelf.put("minutes.eml", f"{head}\n\n{points}".encode())
    await shelf.put("minutes.txt", f"{head}\n\n{points.replace('Point', 'Remark')}".encode())
    parts = await retrieved(shelf, "Which section does the committee approve of in point 50?")
    mail = next(part for part in parts if "Point 50:" in part.text)
    assert mail.text.startswith(f"{head}\n\n")
    assert mail.text.count("From: Rita") == 1
    assert not any(part.text.startswith("From:") for part in parts if "Remark 50:" in part.text), "it is no mail"


async def test_who_wrote_a_mail_that_is_gone_meanwhile_is_left_out(shelf: Library) -> None:
    class Gone(Knowledge):
        async def chunks(self, *_: object) -> Never:
            raise NotFound("gone")

    points = "\n\n".join(f"Point {n}: the committee approves. {'It was said before. ' * 20}" for n in range(60))
    await shelf.put("minutes.eml", f"From: a@b.example\nSubject: Minutes\n\n{points}".encode())
    parts = await retrieved(shelf, "Does the committee approve of point 50?", kind=Gone)
    assert any("Point 50:" in part.text for part in parts)


def asked(text: str) -> Message:
    return Message(id=new_id(), role=Role.USER, parts=[TextPart(text=text)])


async def test_why_nothing_could_be_searched_is_logged_without_the_question(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """Database drivers repeat the arguments of a query that fails."""

    class Broken:
        async def search(self, principal: Principal, query: Query) -> list[Passage]:
            raise ValueError(f"invalid input for query argument $1: {query.text!r}")

    class Nothing:
        async def of(self, *_: object) -> list[MaterialPart]:
            return []

    broken: Any = Broken()
    found = await RetrievedMaterials(Nothing(), broken).of(
        world["bob"].principal, world.instances["lab"].id, asked("Is Bob dismissed?"), 1_000
    )
    assert [part.kind for part in found] == ["note"]
    [record] = [record for record in caplog.records if record.name == "workroom.knowledge.materials"]
    assert record.__dict__["reason"] == "ValueError"
