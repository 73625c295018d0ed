"""What a person is told when an answer ends before its end, because it reached the length that was granted or
repeated itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workroom.core.messages import CallPart, Part, TextPart
from workroom.models.ports import Answer

CUT_OFF: Mapping[str, str] = {
    "de": "Die Antwort bricht hier ab: Sie hat die zulässige Länge erreicht.",
    "en": "The answer stops here: it reached the maximum length.",
    "fr": "La réponse s’arrête ici\u00a0: elle a atteint la longueur maximale.",
    "pt": "A resposta termina aqui: atingiu o comprimento máximo.",
    "zh": "回答在此中断：已达到最大长度。",
}
REPEATED: Mapping[str, str] = {
    "de": "Die Antwort wurde hier beendet: Das Modell wiederholte sich.",
    "en": "The answer was ended here: the model kept repeating itself.",
    "fr": "La réponse a été arrêtée ici\u00a0: le modèle se répétait.",
    "pt": "A resposta foi encerrada aqui: o modelo estava a repetir-se.",
    "zh": "回答在此终止：模型不断重复相同内容。",
}


def parts_of(answer: Answer, language: str) -> Sequence[Part]:
    """Its parts, and a note if it was cut. When it asks for tools there is none: another answer follows."""
    if not answer.cut or any(isinstance(part, CallPart) for part in answer.parts):
        return answer.parts
    notes = REPEATED if answer.repeats else CUT_OFF
    return [*answer.parts, TextPart(text=f"\n\n[{notes.get(language, notes['en'])}]")]
