"""A model by script that has content judged when it is asked to, and judges it."""

from __future__ import annotations

import json

from workroom.models.testing import Call, ReceivedRequest, Reply, ScriptedAnswer

JUDGE = "have the content judged"
JUDGE_IN_TWO = "have the content judged in two respects"
SCORES = {"Effect on the audience": 8, "Fit with the intent": 6.5, "Clarity": 9, "Credibility": 7, "Voice": 4.5}
IN_TWO = {"Clarity": 5, "Voice": 7}
REASON = "“Oil the chain after every ride in the rain” says in one sentence what to do, and for whom."
SUGGESTION = "Begin with the person who rides to work, not with the bicycle."


def of_the_judge(asked: ReceivedRequest) -> bool:
    return asked.question.startswith(JUDGE) or "as a strict editor" in str(asked.messages[0]["content"])


def judge(asked: ReceivedRequest) -> ScriptedAnswer:
    if not asked.question.startswith(JUDGE):
        system = str(asked.messages[0]["content"])
        scores = SCORES if "Credibility" in system else IN_TWO
        results = [
            {"dimension": name, "score": score, "reason": REASON, "suggestions": [SUGGESTION] if score < 7 else []}
            for name, score in scores.items()
        ]
        return Reply(json.dumps({"results": results}))
    if asked.results:
        return Reply("The content is judged.")
    arguments = {"eval_dimensions": list(IN_TWO)} if asked.question == JUDGE_IN_TWO else {}
    return Reply(calls=[Call("run_evaluation", arguments)])
