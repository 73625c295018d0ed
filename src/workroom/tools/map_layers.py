"""Layers that are on the map of the conversation."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.geo.matching import chosen, folded, words_found
from workroom.runs.maps import Maps


@tool("layers.shown", effect="read", sets={"map"})
async def layers_shown(ctx: ToolContext, query: Annotated[str, Field(max_length=200)] = "") -> list[dict[str, Any]]:
    """List the layers that are on the map of this conversation now; with `query`, those whose name resembles it."""
    shown = await ctx.use(Maps).layers(ctx.who, ctx.instance_id, ctx.conversation_id)
    items = [{"id": name, "label": str(layer.get("title") or name)} for name, layer in shown.items()]
    words = folded(query).split()
    if not words:
        return items
    found = chosen((words_found(words, f"{item['label']} {item['id']}"), item) for item in items)
    return [{**item, "confidence": round(score, 2)} for score, item in found]
