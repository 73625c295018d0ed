"""Questions nobody would ask in a demonstration: stop words, five thousand words, emoji, control characters, the wrong
language, and a file that is gone by the time its passage is opened."""

from __future__ import annotations

import pytest

from tests.files.sending import lab
from tests.knowledge.room import Library
from workroom.contents.materials import QuestionMaterials
from workroom.core.ids import new_id
from workroom.core.messages import MaterialPart, Message, Role, TextPart
from workroom.identity.sharing import Visibility
from workroom.knowledge.materials import RetrievedMaterials
from workroom.knowledge.search import LONGEST_QUERY
from workroom.knowledge.service import Knowledge

CONTRACT = (
    "Vertrag Nr. 4711-B zwischen der Muster AG und Frau Nakamura über die Lieferung von Dampfturbinen. Die Summe beträgt"
    " 98500 Franken, zahlbar bis Ende März."
)
OTHERS = {
    "garden.txt": "The roses in the garden want sun, water and patience. Cut them back in early spring.",
    "rezept.txt": "Den Teig eine Stunde ruhen lassen und danach bei 220 Grad backen, bis er goldbraun ist.",
    "voyage.txt": "Le train part de Lyon le matin et arrive à Marseille avant midi, sans changement.",
    "receita.txt": "O relatório anual descreve as vendas de sapatos no Porto e em Lisboa durante o inverno.",
    "天气.txt": "今年冬天的天气比往年暖和,湖面没有结冰。",
}


async def materials(shelf: Library, text: str) -> list[MaterialPart]:
    """What a run of bob's would be given with this question."""
    services = shelf.world.services
    pointed = QuestionMaterials(services.files, services.finder, services.reader)
    reading = RetrievedMaterials(pointed, Knowledge(services.db, services.files, shelf.embedders))
    question = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=text)])
    return list(await reading.of(shelf.world["bob"].principal, shelf.world.instances["lab"].id, question, 8_000))


async def filled(shelf: Library) -> None:
    for name, text in OTHERS.items():
        await shelf.put(name, text)
    await shelf.put("vertrag.txt", CONTRACT)


BAD = {
    "a stop word": "the",
    "another": "und",
    "punctuation": "?!… --- ()",
    "emoji": "🦄🎉👩‍👩‍👧‍👦",
    "controls": "\x01\x02\x07\x1b[31m\x7f",
    "nothing but spaces": " \t\n\u00a0\u2003 ",
    "half a character": "\ud800",
    "operators": "'qx' & !qy | (qz:*) <-> ::regconfig \\ {}",
    "right to left": "\u202e\u2066\u2069",
    "one long word": "x" * LONGEST_QUERY,
}


async def test_what_asks_for_nothing_gets_nothing_and_breaks_nothing(shelf: Library) -> None:
    """What is merely the best of nothing is not put before a model; and the next question is answered."""
    await filled(shelf)
    for kind, text in BAD.items():
        found = await shelf.find(text)
        assert all(passage.why.lexical is None for passage in found), f"{kind} has no word that says anything"
        assert await shelf.find(text, meaning=False) == [], kind
        assert await materials(shelf, text) == [], kind
        assert await shelf.names("4711-B", meaning=False) == ["vertrag.txt"], kind


async def test_five_thousand_words_are_cut_for_a_run_and_refused_with_a_reason_over_http(shelf: Library) -> None:
    await filled(shelf)
    long = "Dampfturbinen Nakamura Lieferung " + "and so on " * 1_667
    assert len(long.split()) > 5_000
    assert (await shelf.names(long))[0] == "vertrag.txt", "how it begins says what is wanted"
    async with shelf.world.client("bob") as client:
        answer = await client.get(lab(shelf.world, "knowledge", "search"), params={"q": long})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalidInput")
    assert answer.json()["details"]["fields"][0]["field"] == "q"
    assert str(LONGEST_QUERY) in answer.json()["message"]
    assert "Nakamura" not in answer.text


async def test_over_http_it_is_answered(shelf: Library) -> None:
    await filled(shelf)
    async with shelf.world.client("bob") as client:
        for q in ("\x00", "a\x00b", "\x01", "🦄", "the", "%", "_", "'", '"', "\\"):
            answer = await client.get(lab(shelf.world, "knowledge", "search"), params={"q": q})
            assert answer.status_code == 200, answer.text


@pytest.mark.requirement("H5")
async def test_names_and_numbers_find_a_document_of_another_language(shelf: Library) -> None:
    """The contract is in German. Names and numbers are the same in every language, and they find it.

    What static vectors cannot do is to know that "steam turbines" are "Dampfturbinen": a question without a name finds a text
    of another language only with an embedding model that was trained for that (docs/explanation/knowledge.md)."""
    await filled(shelf)
    for text in (
        "Was steht im Vertrag 4711-B mit Frau Nakamura?",
        "How much is to be paid under contract 4711-B with Ms Nakamura?",
        "Quel est le montant du contrat 4711-B avec Mme Nakamura ?",
        "Qual é o valor do contrato 4711-B com a senhora Nakamura?",
        "与 Nakamura 签订的合同 4711-B 金额是多少？",
    ):
        first = (await shelf.find(text))[0]
        assert first.file_name == "vertrag.txt", text
        assert any(word.startswith("nakamura") for word in first.why.words), text


@pytest.mark.parametrize("how", ["takenBack", "deleted", "archivedVersion"])
@pytest.mark.requirement("H6")
async def test_a_passage_whose_file_is_gone_is_not_opened(shelf: Library, how: str) -> None:
    world = shelf.world
    file = await shelf.put("plan.txt", "The lighthouse keeper hid the lantern.", visibility=Visibility.GROUP)
    [hit] = await shelf.find("lighthouse lantern", "rita")
    bob = world["bob"].principal
    if how == "deleted":
        await world.services.files.delete(bob, file.id)
    else:
        await world.services.files.share(bob, [file.id], Visibility.MY)
    version = "?version=1" if how == "archivedVersion" else ""
    for path in ("", "/content", "/reading", "/objects", "/knowledge", "/knowledge/chunks"):
        answer = await world.call("rita", "GET", f"/api/files/{hit.file_id}{path}{version}")
        assert (answer.status_code, answer.json()["code"]) == (404, "notFound"), path
        assert answer.json()["message"] == "There is no such thing here, or it is not yours to see."
        assert "plan.txt" not in answer.text
    assert await shelf.find("lighthouse lantern", "rita") == []


@pytest.mark.requirement("H5")
@pytest.mark.parametrize(
    "question",
    ["When is the family day?", "Wann ist der family day?", "C'est quand, le family day ?", "Quando é o family day?"],
)
async def test_small_words_of_the_question_are_no_words_of_it(shelf: Library, question: str) -> None:
    """They are rare in files of another language, and would count for more than what is asked."""
    french = (
        'Le rapport cite "what is the matter, when is the day" et ist der wann é o quando, puis reprend en français.'
    )
    await shelf.put("rapport.txt", f"{french} Nous avons étudié les entrepôts de données et leurs usages. " * 3)
    await shelf.put(
        "mail.txt", "Subject: Family day\n\nThe family day takes place on the second of May, in the garden."
    )
    found = await shelf.find(question)
    assert found[0].file_name == "mail.txt"
    assert found[0].why.words[:1] == ["famili"]
