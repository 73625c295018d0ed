"""What a person asks to be reminded of is suggested as a todo with everything they said, without a language model, too."""

from __future__ import annotations

import pytest

from workroom import tools
from workroom.agent.registry import discover
from workroom.models.embedded.command_matching import likeness
from workroom.models.embedded.language import LANGUAGES

TOOLS = [tool.schema for tool in discover(tools)]


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("de", "Erinnere mich am Freitag an die Steuererklärung", "am Freitag an die Steuererklärung"),
        ("de", "Erinnere mich am Montag um 9 Uhr an den Zahnarzt", "am Montag um 9 Uhr an den Zahnarzt"),
        ("en", "Remind me on Friday to call Bob", "on Friday to call Bob"),
        ("en", "Remind me tomorrow to call Bob", "tomorrow to call Bob"),
        ("fr", "Rappelle-moi vendredi de payer le loyer", "vendredi de payer le loyer"),
        ("fr", "Rappelle-moi demain de payer le loyer", "demain de payer le loyer"),
        ("pt", "Lembre-me na sexta de pagar o aluguel", "na sexta de pagar o aluguel"),
        ("pt", "Me lembre amanhã de pagar o aluguel", "amanhã de pagar o aluguel"),
        ("zh", "提醒我星期五报税", "星期五报税"),
    ],
)
def test_a_reminder_keeps_its_day(language: str, text: str, kept: str) -> None:
    suggested = likeness(text, TOOLS, LANGUAGES[language])
    assert suggested is not None
    assert (suggested.tool.name, suggested.arguments) == ("addTodos", {"titles": [kept]})
