"""A calculator: models are bad at sums."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.tools.arithmetic.formula import LONGEST, value_of
from workroom.tools.arithmetic.numbers import shown


@tool("calculate", effect="read", sets={"core"})
async def calculate(
    ctx: ToolContext, expression: Annotated[str, Field(min_length=1, max_length=LONGEST)]
) -> dict[str, object]:
    """Work out an arithmetic expression such as `(3.20 + 4.15) * 1.081` or `round(12.5% * 840, 2)`, exactly."""
    text, exact = shown(value_of(expression))
    return {"expression": expression, "result": text, "exact": exact}
