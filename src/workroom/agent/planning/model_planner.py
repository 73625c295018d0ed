"""A plan by a language model: asked for once, in a fixed form, and once more when it cannot be carried out. After that the rules
plan: a small model must not be worse than none."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from workroom.agent.context import compose
from workroom.agent.model_calls import ModelCalls
from workroom.agent.planning.intents import Intent
from workroom.agent.planning.plan_schema import exact_plan_schema, plan_schema
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.agent.planning.validation import problems
from workroom.agent.ports import AgentSpec, Attempts, Progress, WorkspaceState
from workroom.agent.tool import Tool, explain
from workroom.core.messages import CallPart
from workroom.core.plans import Plan, PlannedResult, PlannedStep
from workroom.models.ports import Forcing, ModelInfo, ModelRequest, ModelResponse, ToolSchema

SUBMIT = "submitPlan"
TRIES = 2
PLAN_TOKENS = 4_096  # twelve full steps, or an answer of pages; some models think first, and that counts
MOST_EXAMPLES = 3
SHOWN = 4_000  # characters of a plan that has to be mended
LONGEST_TEXT = 200_000  # in which a plan is looked for
ORDER = (
    "Do not answer yet: plan. {how} with everything the last message asks for, as steps in its order. Each step has "
    "one intent of the list below and the calls it takes, in order, of the tools named with the intent. Later calls may use what "
    'earlier ones find: {{"$selection": "/egrid"}} is a value of what the call before found, or the user chose of it; '
    '{{"$from": {{"step": 0, "call": 0, "pointer": "/items/0/coord/0"}}}} is one of any earlier result (status, items, message, '
    "data). Never make up names, coordinates or ids that a call can find. What is unclear becomes a step without calls whose "
    'result has status "needs_clarification" and a question as its message; what can be answered in words alone becomes a step '
    'without calls whose result has status "ok" and the answer as its message, in the language of the question.'
)
AS_CALL = f"Call {SUBMIT} once"
AS_JSON = 'Answer with JSON, {"steps": [{"intent": …, "toolCalls": [{"tool": …, "arguments": …}]}]},'
IN_WORDS = "it is written in words, and nothing is done by them: send steps"
AGAIN = "The plan you sent cannot be carried out:\n{problems}\nIt was:\n{plan}\nSend it again, mended."


@dataclass(frozen=True)
class ModelPlan:
    plan: Plan
    response: ModelResponse


@dataclass
class ModelPlanner:
    progress: Progress
    spec: AgentSpec
    tools: Mapping[str, Tool]
    intents: Sequence[Intent]
    model_calls: ModelCalls
    journal: Attempts
    by_rules: Callable[[], Awaitable[Plan]]

    async def ask(self, request_id: str, message_id: UUID) -> ModelPlan:
        """A plan that can be carried out; if there is none after all, that of the rules."""
        order = ""
        for left in reversed(range(TRIES)):
            response = await self.model_calls.ask(lambda model: self._composed(model, order), message_id)  # noqa: B023 - asked now
            plan, wrong = await self._read(response, request_id)
            if plan is not None and not wrong:
                return ModelPlan(plan, response)
            if left:
                await self.journal.attempt_failed(response.model, response.used, assumed=response.assumed)
                sent = json.dumps(_sent(response) or response.text, ensure_ascii=False)[:SHOWN]
                order = AGAIN.format(problems="\n".join(f"- {problem}" for problem in wrong), plan=sent)
        return ModelPlan((await self.by_rules()).model_copy(update={"fallback": True}), response)

    def _composed(self, model: ModelInfo, order: str) -> ModelRequest:
        intents = described(self.intents, self.tools, in_json=model.structured)
        request = compose(
            self.progress,
            self.spec,
            {},
            model,
            forcing=Forcing.NONE,
            workspace=WorkspaceState(intents),
            order=order,
            output_tokens=min(PLAN_TOKENS, model.output_tokens),
        )
        if model.structured:
            return replace(request, answer_schema=exact_plan_schema(self.intents, self.tools), forcing=Forcing.AUTO)
        submit = ToolSchema(SUBMIT, "Send the plan for what the user asks.", plan_schema(self.intents))
        return replace(request, tools=(submit,), forcing=Forcing.ANY)

    async def _read(self, response: ModelResponse, request_id: str) -> tuple[Plan | None, list[str]]:
        """The plan and what is wrong with it. Words instead of one are the answer, unless the rules know what to do."""
        sent = _sent(response)
        if sent is None and (await self.by_rules()).calls_tools:
            return None, [IN_WORDS]
        if sent is None:
            step = PlannedStep(intent="question", result=PlannedResult(status="ok", message=response.text[:20_000]))
            return Plan(request_id=request_id, steps=[step]), []
        try:
            plan = Plan.model_validate({"requestId": request_id, "steps": sent.get("steps")})
        except ValidationError as error:
            return None, [explain(error)]
        return plan, problems(plan, self.intents, self.tools)


def asks_back(request_id: str, message: str) -> Plan:
    step = PlannedStep(intent="question", result=PlannedResult(status="needs_clarification", message=message))
    return Plan(request_id=request_id, steps=[step])


def described(intents: Sequence[Intent], tools: Mapping[str, Tool], *, in_json: bool = False) -> str:
    """For the system prompt: every intent, every tool with its parameters, sorted by name, and examples."""
    wanted = [f"- {one.name} ({', '.join(one.tools) or 'no calls'}): {one.description}" for one in intents]
    used = sorted({name for one in intents for name in one.tools if name in tools})
    known = [
        f"- {name}: {tools[name].description}\n  parameters: {json.dumps(tools[name].prompt_schema.parameters, sort_keys=True)}"
        for name in used
    ]
    parts = [
        ORDER.format(how=AS_JSON if in_json else AS_CALL),
        "\n".join(["Intents:", *wanted]),
        "\n".join(["Tools for plans:", *known]),
        examples(intents, tools),
    ]
    return "## Planning\n" + "\n\n".join(filter(None, parts))


def examples(intents: Sequence[Intent], tools: Mapping[str, Tool]) -> str:
    """Plans as they should be, for the first intents that have an example: made by the rules, so they can be carried out."""
    shown: list[str] = []
    for intent in intents:
        said = intent.examples.get("en")
        if said is None or not intent.tools or len(shown) == MOST_EXAMPLES:
            continue
        plan = plan_by_rules(said, intents, "", "en")
        if plan.calls_tools and not problems(plan, intents, tools):
            shown.append(f"{said}\n{_compact(plan)}")
    return "\n".join(["Examples:", *shown]) if shown else ""


def _compact(plan: Plan) -> str:
    """Only what a model has to write."""
    steps = [
        {
            "intent": step.intent,
            "toolCalls": [call.model_dump(include={"tool", "arguments"}) for call in step.tool_calls],
        }
        for step in plan.steps
    ]
    return json.dumps({"steps": steps}, ensure_ascii=False)


def _sent(response: ModelResponse) -> dict[str, Any] | None:
    """What the model sent as a plan: as a call, or written down as JSON. None: it answered in words."""
    for part in response.answer.parts:
        if isinstance(part, CallPart):
            return part.arguments if part.tool == SUBMIT else {}
    text = response.text[:LONGEST_TEXT]
    begin, end = text.find("{"), text.rfind("}")
    if not 0 <= begin < end:
        return None
    try:
        read = json.loads(text[begin : end + 1])
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) and "steps" in read else None
