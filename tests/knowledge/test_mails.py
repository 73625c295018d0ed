"""What is attached to mails is searched with them, each hit where it stands, whichever program kept the mail."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from tests.documents.containers.messages import message, saved
from tests.knowledge.room import Library

NOTES = b"The turbine was repaired in Winterthur."


def of_outlook() -> bytes:
    inner = message("Older", [("notes.txt", NOTES)], body="A word about the gearbox.")
    return saved(message("Visit", [inner], body="Greetings from the workshop."))


def of_others() -> bytes:
    inner, outer = EmailMessage(), EmailMessage()
    inner["Subject"], outer["Subject"] = "Older", "Visit"
    inner["From"] = outer["From"] = "a@example.org"
    inner.set_content("A word about the gearbox.")
    inner.add_attachment(NOTES, maintype="text", subtype="plain", filename="notes.txt")
    outer.set_content("Greetings from the workshop.")
    outer.add_attachment(inner)
    return bytes(outer)


@pytest.mark.requirement("I4")
@pytest.mark.parametrize(("name", "mail"), [("mail.msg", of_outlook()), ("mail.eml", of_others())])
async def test_attachments_of_mails_in_mails_are_found_where_they_stand(shelf: Library, name: str, mail: bytes) -> None:
    await shelf.put(name, mail)
    ending = name[-4:]
    for words, inside in (
        ("greetings workshop", ""),
        ("gearbox", f"Older{ending}"),
        ("turbine Winterthur", f"Older{ending}/notes.txt"),
    ):
        found = await shelf.find(words)
        assert found[0].inside == inside
        assert [passage.inside for passage in found].count(inside) == 1, "each is indexed once"
