"""A team of specialists by script, in German: the lead hands over, the briefing asks, has its result confirmed, writes it and
hands over to SWOT, who reads it."""

from __future__ import annotations

from workroom.models.testing import Call, ReceivedRequest, Reply, ScriptedAnswer

TEXT = "## Ausgangslage\n\nMuster & Söhne <b>repariert</b> Velos."
QUESTION = "Was macht ihr, für wen und seit wann?"
DONE = "Das ist alles"
PHASES = [{"name": "Firma", "status": "active"}, {"name": "Anlass"}]
FIRST = [
    Call("skill_roadmap", {"title": "Briefing", "phases": PHASES}),
    Call("skill_todos", {"title": "Das brauche ich", "items": [{"title": "Euer Logo"}]}),
    Call("skill_suggestions", {"suggestions": [DONE, "Später"]}),
]
LAST = [
    Call("skill_confirm", {"text": "Stimmt das Briefing?", "confirmLabel": "Es stimmt"}),
    Call("skill_sidebar", {"company": "Muster", "document": "briefing", "text": TEXT, "final": True}),
    Call("handOff", {"agent": "swot_specialist", "reason": "Das Briefing steht."}),
]


def of_the_team(asked: ReceivedRequest) -> bool:
    return "Firmen-DNA" in str(asked.messages[0]["content"])


def specialists(asked: ReceivedRequest) -> ScriptedAnswer:
    system, done = str(asked.messages[0]["content"]), len(asked.results)
    if "erfahrene Strategieberaterin" in system:
        return Reply(calls=[Call("handOff", {"agent": "briefing_specialist", "reason": "Zuerst das Briefing."})])
    if "erfahrene Strategieanalystin" in system:
        return Reply("Ich habe das Briefing gelesen.") if done else Reply(calls=[Call("skill_dna_lookup", {})])
    if asked.question == DONE:
        return Reply(calls=[LAST[done]])
    return Reply(QUESTION) if done else Reply(calls=FIRST)
