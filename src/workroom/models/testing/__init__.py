"""A provider for tests and drills that ships: a server on loopback that speaks by script, in the words of OpenAI,
Anthropic or Google, whichever is asked.

    async with ScriptedProvider([Reply("Hello"), Status(429, retry_after=3)]) as provider:
               model = OpenAiCompatibleModel(ModelInfo("scripted", "m", FREE), provider.base_url, "", client)

replies.py     what it can be told to say, faults included
dialects/      the same in the words of each API
requests.py    what it was asked
provider.py    the server
vectors.py     what it says when it is asked for vectors (hashing.py: vectors made of words); ranks.py: for an order
fixed_embedder.py, fixed_reranker.py  an embedding and a reranking model without a server
behaviours.py  replies computed from the request: small deterministic agents
scripted.py    the server as a process of its own: `python -m workroom.models.testing.scripted --behaviour writer`
"""

from __future__ import annotations

from workroom.models.testing.behaviours import BEHAVIOURS, echo, embedder, flaky, writer
from workroom.models.testing.fixed_embedder import FixedEmbedder
from workroom.models.testing.fixed_reranker import FixedReranker
from workroom.models.testing.provider import Behaviour, ScriptedProvider
from workroom.models.testing.ranks import Ranks
from workroom.models.testing.replies import Call, Cut, Drip, Garbage, Nothing, Reply, ScriptedAnswer, Status
from workroom.models.testing.requests import ReceivedRequest
from workroom.models.testing.vectors import Vectors

__all__ = [
    "BEHAVIOURS",
    "Behaviour",
    "Call",
    "Cut",
    "Drip",
    "FixedEmbedder",
    "FixedReranker",
    "Garbage",
    "Nothing",
    "Ranks",
    "ReceivedRequest",
    "Reply",
    "ScriptedAnswer",
    "ScriptedProvider",
    "Status",
    "Vectors",
    "echo",
    "embedder",
    "flaky",
    "writer",
]
