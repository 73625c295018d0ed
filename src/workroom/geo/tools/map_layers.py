"""The tool that lists the layers on the map of the conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.geo.name_matching import best_matches, folded, word_coverage
from workroom.geo.service import Geo
from workroom.runs.maps import Maps


@tool("layers.shown", effect="read", sets={"map"})
async def layers_shown(ctx: ToolContext, query: Annotated[str, Field(max_length=200)] = "") -> list[dict[str, Any]]:
    """List the layers that are on the map of this conversation now, also those that a user has hidden (`visible: false`);
    with `query`, those whose name resembles it."""
    shown = await ctx.use(Maps).layers(ctx.principal, ctx.instance_id, ctx.conversation_id, on=ctx.message_id)
    items = [_item(name, layer) for name, layer in shown.items()]
    words = folded(query).split()
    if not words:
        return items
    geo = ctx.use(Geo)
    matches = best_matches(
        (_resembles(words, [f"{item['label']} {item['id']}", *geo.names(item["id"])]), item) for item in items
    )
    return [{**item, "confidence": round(score, 2)} for score, item in matches]


def _resembles(words: Sequence[str], names: Sequence[str]) -> float:
    """How well a layer fits under any of its names: one added in one language may be removed in another."""
    return max(word_coverage(words, name) for name in names)


def _item(name: str, layer: Mapping[str, Any]) -> dict[str, Any]:
    item = {"id": name, "label": str(layer.get("title") or name)}
    return item if layer.get("visible", True) else {**item, "visible": False}
