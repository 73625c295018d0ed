"""A plugin for drills, as a stranger's package would be: one tool that reaches outside, to a counter on loopback.

On the path of a started program it is found by the entry point beside it. Where the counter listens is in the arguments,
because the plugin has no settings of its own.
"""

from __future__ import annotations

from workroom.agent.tool import ToolContext, tool
from workroom.net import GuardedClient, Origin


@tool("sendOutside", effect="outside", sets={"core"}, seconds=20)
async def send_outside(ctx: ToolContext, url: str) -> str:
    """Tell a server elsewhere that this call has happened."""
    client = GuardedClient(allowed_private=frozenset({Origin.parse(url)}))
    try:
        answer = await client.request("POST", f"{url}/{ctx.call_id}")
        return f"sent: {answer.status}"
    finally:
        await client.aclose()
