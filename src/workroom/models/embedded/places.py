"""Where something stands, in the language of the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workroom.core.actions import OpenFile
from workroom.core.places import called
from workroom.core.sources import Source, citation
from workroom.models.embedded.language import Language

LONGEST = 100
PLACE = re.compile(r"\[([^\[\]\n]{1,500})\] \[\[([a-z2-7]{5})\]\]")


def worded(label: str, opens: OpenFile | None, language: Language) -> str:
    """`page 47 of report.pdf`, as somebody says it who speaks this language; as a heading, in one line."""
    found = called(label, opens)
    what = found.what.replace("-", "–") if found.kind in ("pages", "slides") else found.what
    said = language.say(f"place.{found.kind}", what=what, path=found.path)
    said = " ".join((language.say("place.recognised", place=said) if found.recognised else said).split())
    return f"**{said if len(said) <= LONGEST else said[:LONGEST].rstrip() + ' …'}**"


def placed(text: str, sources: Sequence[Source], language: Language) -> str:
    """Every line that says where the next ones stand, `[page 3 of report.pdf] [[k7qda]]`, as a heading with its mark."""
    opens = {source.mark: source.opens for source in sources}
    return "\n".join(
        f"{worded(found[1], opens[found[2]], language)} {citation([found[2]])}\n"
        if (found := PLACE.fullmatch(line.strip())) and found[2] in opens
        else line
        for line in text.split("\n")
    )
