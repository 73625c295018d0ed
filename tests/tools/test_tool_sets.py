"""B3: each tool set has the tools the specification names, as far as they exist; what comes later is named here."""

from __future__ import annotations

import pytest

from workroom.agent.registry import discover
from workroom.agent.tool_sets import TOOL_SETS
from workroom.bootstrap.tools import TOOL_PACKAGES

CORE = frozenset(
    {"readFile", "writeFile", "listFiles", "searchFiles", "extractContent", "summarizeContent", "generateDocument"}
)
CONNECTIONS = frozenset({"listConnections", "externalBrowse", "externalDownload", "externalUpload", "externalSearch"})
TRUSTEE = frozenset({"trustee.extractFromFiles", "trustee.processDocuments", "trustee.syncToAccounting"})
NAMED = {
    "core": CORE,
    "chatbot": CORE | {"sqlQuery", "webSearch"},
    "chatbotWeb": CORE | {"webSearch"},
    "editor": CORE | {"applyFileEdit"},
    "playground": CORE | {"webSearch", "sendMail"},
    "trustee": CORE | CONNECTIONS | TRUSTEE | {"sendMail", "analyzeContent"},
}
LATER = CONNECTIONS | TRUSTEE | {"sqlQuery", "sendMail"}


@pytest.mark.requirement("B3")
@pytest.mark.parametrize("name", NAMED)
def test_a_set_has_what_the_specification_names(name: str) -> None:
    chosen = discover(*TOOL_PACKAGES).chosen({name}).keys()
    assert NAMED[name] - LATER <= chosen
    assert TOOL_SETS[name].tools | TOOL_SETS["core"].tools == NAMED[name], "also what does not exist yet"


@pytest.mark.requirement("B3")
def test_what_exists_is_not_for_later_and_the_web_is_opted_into() -> None:
    known = discover(*TOOL_PACKAGES)
    assert LATER.isdisjoint({tool.name for tool in known}), "it exists by now: take it out of LATER"
    assert "webSearch" not in TOOL_SETS["core"].tools
