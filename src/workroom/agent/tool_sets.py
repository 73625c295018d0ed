"""Tool sets: which tools an instance's agents have, as data. A workspace names one of these.

A set contains the tools named here, those whose definition names the set (`sets={"core"}`), and those of the sets it
includes. Every set includes `core`, so what is in `core` is everywhere. A name whose tool does not exist yet is skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ToolSet:
    name: str
    description: str
    tools: frozenset[str]
    includes: frozenset[str] = frozenset({"core"})
    everywhere: bool = False  # an agent may pick it in every workspace: it reads what is public, and changes nothing


def _set(
    name: str, description: str, tools: str, includes: Iterable[str] = ("core",), *, everywhere: bool = False
) -> ToolSet:
    return ToolSet(name, description, frozenset(tools.split()), frozenset(includes), everywhere)


TOOL_SETS: Mapping[str, ToolSet] = {
    tool_set.name: tool_set
    for tool_set in (
        _set(
            "core",
            "Files and documents, notes, todos, the clock, the calculator, questions to the user.",
            "readFile writeFile listFiles searchFiles extractContent summarizeContent generateDocument",
            includes=(),
        ),
        _set("chatbot", "The core, databases and the web.", "sqlQuery webSearch"),
        _set("chatbotWeb", "The core and the web.", "webSearch"),
        _set("editor", "The core, and changes to files as proposals.", "applyFileEdit"),
        _set(
            "map",
            "The core, and addresses, places, layers and parcels on the map of Switzerland.",
            "geolocation.geocode geolocation.coordinate layers.search layers.shown map.zoom oereb.egrid_by_xy"
            " oereb.extract_by_id",
            everywhere=True,
        ),
        _set(
            "skills",
            "The core, and what specialists work with: roadmap, checklist, suggested replies, confirmations, websites.",
            "",
            everywhere=True,
        ),
        _set(
            "studio",
            "The core, and what writes content in phases: blocks, research, personas, evaluations.",
            "manage_skill",
            everywhere=True,
        ),
        _set("playground", "The core, the web and mail.", "webSearch sendMail"),
        _set(
            "trustee",
            "The core, connections to other systems, and bookkeeping from documents.",
            "listConnections externalBrowse externalDownload externalUpload externalSearch sendMail analyzeContent"
            " trustee.extractFromFiles trustee.processDocuments trustee.syncToAccounting",
        ),
    )
}
