"""How a run that reached a limit ends: what the model is told, and what is said when no model can be asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from workroom.agent.ports import Ending
from workroom.agent.tool import Tool
from workroom.core.messages import Message, ResultPart, TextPart
from workroom.core.results import ResultStatus
from workroom.core.sidecars import in_language

SUMMARY_TOKENS = 500
_SUM_UP = (
    " Do not ask for tools any more: sum up in a few sentences what is done, what was found, and what is left to do, in the "
    "language of the conversation."
)
ASKED_TO_SUM_UP: Mapping[Ending, str] = {
    Ending.ROUNDS: "You have reached the limit of rounds for this answer." + _SUM_UP,
    Ending.CIRCLE: "You have asked for the same thing again and again without getting further." + _SUM_UP,
    Ending.BUDGET: "The money for this answer is used up." + _SUM_UP,
}

# By language: what ended it, for each ending; then the words for the list of what was done.
_REASONS: Mapping[str, Mapping[Ending, str]] = {
    "de": {
        Ending.ROUNDS: "Die Grenze der Runden für diese Antwort ist erreicht.",
        Ending.CIRCLE: "Die Antwort drehte sich im Kreis und wurde beendet.",
        Ending.BUDGET: "Das Budget ist aufgebraucht, darum endet die Antwort hier.",
    },
    "en": {
        Ending.ROUNDS: "The limit of rounds for this answer is reached.",
        Ending.CIRCLE: "The answer was going in circles and was ended.",
        Ending.BUDGET: "The budget is used up, so the answer ends here.",
    },
    "fr": {
        Ending.ROUNDS: "La limite de tours pour cette réponse est atteinte.",
        Ending.CIRCLE: "La réponse tournait en rond et a été arrêtée.",
        Ending.BUDGET: "Le budget est épuisé, la réponse s’arrête donc ici.",
    },
    "pt": {
        Ending.ROUNDS: "O limite de rondas para esta resposta foi atingido.",
        Ending.CIRCLE: "A resposta andava em círculos e foi encerrada.",
        Ending.BUDGET: "O orçamento esgotou-se, por isso a resposta termina aqui.",
    },
    "zh": {
        Ending.ROUNDS: "此回答的轮次已达上限。",
        Ending.CIRCLE: "回答陷入循环，已被终止。",
        Ending.BUDGET: "预算已用完，回答到此为止。",
    },
}
_DONE = {"de": "Bisher getan", "en": "Done so far", "fr": "Fait jusqu’ici", "pt": "Feito até agora", "zh": "目前已完成"}
_FAILED = {"de": "fehlgeschlagen", "en": "failed", "fr": "échoué", "pt": "falhou", "zh": "失败"}


# By language: which budget it was, and when or how there is more.
_BUDGETS: Mapping[str, Mapping[str, str]] = {
    "de": {
        "run": "Das Budget dieser Antwort ist aufgebraucht. Frage noch einmal, um weiterzumachen.",
        "workflow": "Das Budget dieser Unterhaltung ist aufgebraucht. Beginne eine neue, oder lass es erhöhen.",
        "user": "Dein Budget für heute ist aufgebraucht. Morgen (UTC) geht es weiter, oder lass es erhöhen.",
        "mandate": "Das Budget der Organisation für diesen Monat ist aufgebraucht. Eine Administratorin kann es erhöhen.",
    },
    "en": {
        "run": "The budget of this answer is used up. Ask again to go on.",
        "workflow": "The budget of this conversation is used up. Begin a new one, or have it raised.",
        "user": "Your budget for today is used up. It goes on tomorrow (UTC), or have it raised.",
        "mandate": "The organisation's budget for this month is used up. An administrator can raise it.",
    },
    "fr": {
        "run": "Le budget de cette réponse est épuisé. Posez à nouveau la question pour continuer.",
        "workflow": "Le budget de cette conversation est épuisé. Commencez-en une nouvelle, ou faites-le augmenter.",
        "user": "Votre budget du jour est épuisé. La suite demain (UTC), ou faites-le augmenter.",
        "mandate": "Le budget mensuel de l’organisation est épuisé. Un administrateur peut l’augmenter.",
    },
    "pt": {
        "run": "O orçamento desta resposta esgotou-se. Pergunte de novo para continuar.",
        "workflow": "O orçamento desta conversa esgotou-se. Comece uma nova, ou peça que o aumentem.",
        "user": "O seu orçamento de hoje esgotou-se. Continua amanhã (UTC), ou peça que o aumentem.",
        "mandate": "O orçamento da organização para este mês esgotou-se. Um administrador pode aumentá-lo.",
    },
    "zh": {
        "run": "此回答的预算已用完。再次提问即可继续。",
        "workflow": "此对话的预算已用完。请开始新的对话，或请人提高预算。",
        "user": "您今天的预算已用完。明天（UTC）可继续，或请人提高预算。",
        "mandate": "组织本月的预算已用完。管理员可以提高预算。",
    },
}


def without_a_model(
    ending: Ending, messages: Sequence[Message], language: str, budget: str = "", *, tools: Mapping[str, Tool]
) -> str:
    """What was said and done, told without asking a model. `budget`: which one is used up."""
    language = language if language in _REASONS else "en"
    lines = [_BUDGETS[language].get(budget, _REASONS[language][ending])]
    results = [part for message in messages for part in message.parts if isinstance(part, ResultPart)]
    if results:
        good = Counter(part.tool for part in results if part.result.status is not ResultStatus.ERROR)
        bad = Counter(part.tool for part in results if part.result.status is ResultStatus.ERROR)
        done = [f"- {_label(tool, tools, language)} ×{times}" for tool, times in good.items()]
        done += [f"- {_label(tool, tools, language)} ×{times} ({_FAILED[language]})" for tool, times in bad.items()]
        lines += ["", f"{_DONE[language]}:", *done]
    words = [part.text for message in messages for part in message.parts if isinstance(part, TextPart)]
    if len(words) > 1 and (latest := words[-1].strip()):  # the first is the user's
        lines += ["", latest]
    return "\n".join(lines)


def _label(name: str, tools: Mapping[str, Tool], language: str) -> str:
    """What the tool does, in words; its name if it has no texts."""
    texts = in_language(tools[name].texts, language) if name in tools else None
    return texts.label if texts else name
