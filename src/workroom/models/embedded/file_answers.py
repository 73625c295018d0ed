"""What is answered from files without a language model: passages word for word, what a document is made of for who asks for that,
or that nothing in it answers. What a document is made of is no answer to a question about what it says."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.messages import MaterialPart
from workroom.models.embedded.language import LANGUAGES, Language
from workroom.models.embedded.outline_words import UNITS, is_unreadable
from workroom.models.embedded.places import by_name, place_heading
from workroom.models.embedded.quotation import MOST_QUOTED, answering, quoted

LOOKED_AT = 1_000  # characters: such requests are short
MADE_OF = ("outline", "listing")


def answer_from_files(materials: Sequence[MaterialPart], question: str, language: Language) -> str:
    outlines = [part for part in materials if _stands_for_file(part)]
    request = _without_names(question, outlines)[:LOOKED_AT]
    if outlines and _asks_summary(request):
        named = [part for part in materials if not part.found and part not in outlines]
        return _told("needsModel", outlines, question, language) + _quoted_too(named, question, language)
    shown = answering(materials)
    is_known = any(part.found or part.place.kind == "named" for part in shown)  # named: that it could not be searched
    if not outlines or is_known or _asks_structure(request):
        return _told(_lead(shown), shown, question, language)
    named = [part for part in shown if part not in outlines]
    names = ", ".join(place_heading(part.place, language) for part in outlines[:MOST_QUOTED])
    return _told("nothingIn", outlines, question, language, names=names) + _quoted_too(named, question, language)


def _stands_for_file(part: MaterialPart) -> bool:
    """Whether it is there because the question names the file, and says nothing about what is written in it."""
    return part.kind == "outline" and not part.found and not is_unreadable(part.text)


def _asks_summary(request: str) -> bool:
    return any(_has(language.summary, request, language) for language in LANGUAGES.values())


def _asks_structure(request: str) -> bool:
    return any(_has([*language.structure, *_counting(language)], request, language) for language in LANGUAGES.values())


def _counting(language: Language) -> list[str]:
    units = [language.say(f"unit.{unit}") for unit in UNITS.split("|")]
    return [f"{phrase} {unit}" for phrase in language.counting for unit in units]


def _has(phrases: Sequence[str], request: str, language: Language) -> bool:
    return any(language.end_of(phrase, request) is not None for phrase in phrases)


def _without_names(question: str, outlines: Sequence[MaterialPart]) -> str:
    """`summary.pdf` in a question is no wish for a summary."""
    for part in outlines:
        question = question.replace(by_name(part.place).path, "")
    return question


def _lead(shown: Sequence[MaterialPart]) -> str:
    if all(part.found for part in shown):
        return "found"
    return "madeOf" if all(part.kind in MADE_OF for part in shown) else "quoted"


def _told(lead: str, shown: Sequence[MaterialPart], question: str, language: Language, **values: str) -> str:
    return f"{language.say(lead, **values)}\n\n{quoted(shown, question, language)}"


def _quoted_too(named: Sequence[MaterialPart], question: str, language: Language) -> str:
    """What else the question names."""
    return f"\n\n{_told('quoted', named, question, language)}" if named else ""
