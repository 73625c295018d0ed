"""What a person is told when an answer ends before its end, because it reached the length that was granted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workroom.core.messages import CallPart, Part, TextPart
from workroom.models.ports import Answer

CUT_OFF: Mapping[str, str] = {
    "de": "Die Antwort bricht hier ab: Sie hat die zulässige Länge erreicht.",
    "en": "The answer stops here: it reached the maximum length.",
    "fr": "La réponse s’arrête ici : elle a atteint la longueur maximale.",
    "pt": "A resposta termina aqui: atingiu o comprimento máximo.",
    "zh": "回答在此中断：已达到最大长度。",
}


def parts_of(answer: Answer, language: str) -> Sequence[Part]:
    """Its parts, and a note if it was cut. When it asks for tools there is none: another answer follows."""
    if not answer.cut or any(isinstance(part, CallPart) for part in answer.parts):
        return answer.parts
    return [*answer.parts, TextPart(text=f"\n\n[{CUT_OFF.get(language, CUT_OFF['en'])}]")]
