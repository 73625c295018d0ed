"""What some models want to read in front of a text, to know whether it is a question or something to be found. Data.

Without these words such models find worse, and nothing says so. Which family a model is of is seen by its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Prefixes:
    document: str = ""
    query: str = ""

    def of(self, text: str, *, query: bool) -> str:
        return (self.query if query else self.document) + text


PLAIN = Prefixes()
_ASKED = "Given a web search query, retrieve relevant passages that answer the query"
FAMILIES: tuple[tuple[re.Pattern[str], Prefixes], ...] = tuple(
    (re.compile(name), wording)
    for name, wording in (
        (r"gemini-embedding-2|embeddinggemma", Prefixes("title: none | text: ", "task: search result | query: ")),
        (r"\be5-.*instruct|qwen3-embedding", Prefixes(query=f"Instruct: {_ASKED}\nQuery: ")),
        (r"(?:^|[^a-z])e5-", Prefixes("passage: ", "query: ")),
        (r"nomic-embed", Prefixes("search_document: ", "search_query: ")),
        (
            r"mxbai-embed|snowflake-arctic-embed(?!2|-l-v2|-m-v2)",
            Prefixes(query="Represent this sentence for searching relevant passages: "),
        ),
        (r"snowflake-arctic-embed", Prefixes(query="query: ")),
    )
)


def wording_of(model: str) -> Prefixes:
    """By the first family that fits."""
    return next((wording for family, wording in FAMILIES if family.search(model.lower())), PLAIN)
