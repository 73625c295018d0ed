"""A plugin for drills, as a stranger's package would be: tools that reach outside, to a counter on loopback.

On the path of a started program it is found by the entry point beside it. Where the counter listens is in the arguments,
because the plugin has no settings of its own.
"""

from __future__ import annotations

from workroom.agent.tool import ToolContext, tool
from workroom.net import GuardedClient, Origin


@tool("sendOutside", effect="outside", sets={"core"}, seconds=20)
async def send_outside(ctx: ToolContext, url: str) -> str:
    """Tell a server elsewhere that this call has happened."""
    return await _send(ctx, url)


async def _ask(ctx: ToolContext, url: str) -> str:
    return f"Send something to {url}?"


@tool("sendConfirmed", effect="outside", sets={"core"}, seconds=20, confirm=_ask)
async def send_confirmed(ctx: ToolContext, url: str) -> str:
    """The same, if the user agrees."""
    return await _send(ctx, url)


async def _send(ctx: ToolContext, url: str) -> str:
    client = GuardedClient(allowed_private=frozenset({Origin.parse(url)}))
    try:
        answer = await client.request("POST", f"{url}/{ctx.call_id}")
        return f"sent: {answer.status}"
    finally:
        await client.aclose()
