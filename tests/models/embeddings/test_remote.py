"""Embedding models somewhere else: what is sent, what is accepted, what is tried again, and what a person is told."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

from tests.models.embeddings.places import KEY, embedder_at
from workroom.core.tokens import Usage
from workroom.models.embeddings.ports import EmbeddingChanged
from workroom.models.embeddings.remote import MOST_BILLED, RemoteEmbedder
from workroom.models.ports import ModelFailed
from workroom.models.provider_client import ProviderClient
from workroom.models.testing import (
    Cut,
    Nothing,
    ReceivedRequest,
    Reply,
    ScriptedAnswer,
    ScriptedProvider,
    Status,
    Vectors,
)
from workroom.models.types import ProviderKind

TEXTS = ["one two", "three", "four five six"]


async def failure(remote: RemoteEmbedder, provider: ScriptedProvider, *said: ScriptedAnswer) -> ModelFailed:
    provider.script[:] = said
    with pytest.raises(ModelFailed) as caught:
        await remote.embed(TEXTS)
    return caught.value


class TestSending:
    async def test_openai_is_asked_for_bytes_of_so_many_dimensions(
        self, provider: ScriptedProvider, lines: list[ProviderClient]
    ) -> None:
        remote = embedder_at(provider, lines, ProviderKind.OPENAI)
        got = await remote.embed(TEXTS)
        (asked,) = provider.requests
        assert asked.path == "/v1/embeddings"
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        assert asked.body == {
            "model": "text-embedding-3-small",
            "input": TEXTS,
            "encoding_format": "base64",
            "dimensions": 8,
        }
        assert (got.usage, got.assumed) == (Usage(input_tokens=6), False)

    async def test_a_server_of_ones_own_is_told_nothing_it_may_not_know(
        self, provider: ScriptedProvider, remote: RemoteEmbedder
    ) -> None:
        await remote.embed(TEXTS)
        (asked,) = provider.requests
        assert asked.body == {"model": "bge-m3", "input": TEXTS, "encoding_format": "float"}

    @pytest.mark.parametrize(("query", "task"), [(False, "RETRIEVAL_DOCUMENT"), (True, "RETRIEVAL_QUERY")])
    async def test_google_is_told_the_task(
        self, provider: ScriptedProvider, lines: list[ProviderClient], query: bool, task: str
    ) -> None:
        remote = embedder_at(provider, lines, ProviderKind.GOOGLE)
        got = await remote.embed(["one"], query=query)
        (asked,) = provider.requests
        assert asked.path == "/v1beta/models/gemini-embedding-001:batchEmbedContents"
        assert asked.headers["x-goog-api-key"] == KEY
        assert asked.body["requests"] == [
            {
                "model": "models/gemini-embedding-001",
                "content": {"parts": [{"text": "one"}]},
                "outputDimensionality": 8,
                "taskType": task,
            }
        ]
        assert got.assumed, "it does not say what it used"
        assert got.usage.input_tokens == 1

    async def test_google_s_newer_model_is_told_in_words(
        self, provider: ScriptedProvider, lines: list[ProviderClient]
    ) -> None:
        remote = embedder_at(provider, lines, ProviderKind.GOOGLE, model="gemini-embedding-2")
        await remote.embed(["one"], query=True)
        (sent,) = provider.requests[0].body["requests"]
        assert "taskType" not in sent
        assert sent["content"]["parts"][0]["text"] == "task: search result | query: one"

    async def test_blanks_are_not_sent(self, provider: ScriptedProvider, remote: RemoteEmbedder) -> None:
        await remote.embed(["", "one", "  "])
        assert [asked.body["input"] for asked in provider.requests] == [["one"]]
        await remote.embed(["", " "])
        assert len(provider.requests) == 1


class TestAnswers:
    async def test_vectors_belong_to_their_number_not_their_place(
        self, provider: ScriptedProvider, remote: RemoteEmbedder
    ) -> None:
        expected = (await remote.embed(TEXTS)).vectors
        provider.script.append(Vectors(reversed=True))
        for got, wanted in zip((await remote.embed(TEXTS)).vectors, expected, strict=True):
            assert np.array_equal(got, wanted)

    async def test_what_is_not_counted_is_estimated(self, provider: ScriptedProvider, remote: RemoteEmbedder) -> None:
        provider.script.append(Vectors(counted=False))
        got = await remote.embed(TEXTS)
        assert got.assumed
        assert got.usage.input_tokens == 2 + 2 + 4

    async def test_vectors_of_another_length_are_made_length_one(
        self, provider: ScriptedProvider, remote: RemoteEmbedder
    ) -> None:
        provider.script.append(Vectors(rows=[[3.0, 4.0, 0, 0, 0, 0, 0, 0]]))
        (vector,) = (await remote.embed(["one"])).vectors
        assert vector[:3].tolist() == pytest.approx([0.6, 0.8, 0])

    @pytest.mark.parametrize("dimensions", [1, 7, 9, 1536])
    @pytest.mark.parametrize("kind", [ProviderKind.OPENAI, ProviderKind.GOOGLE, ProviderKind.ENDPOINT])
    async def test_another_dimension_is_another_model(
        self, provider: ScriptedProvider, lines: list[ProviderClient], kind: ProviderKind, dimensions: int
    ) -> None:
        remote = embedder_at(provider, lines, kind)
        failed = await failure(remote, provider, Vectors(dimensions))
        assert isinstance(failed, EmbeddingChanged)
        assert failed.code == "embeddingChanged"
        assert not failed.again
        assert f"{dimensions} numbers instead of 8" in failed.message
        assert len(provider.requests) == 1, "asking again gives the same"

    @pytest.mark.parametrize(
        "row",
        [
            [float("nan")] * 8,
            [1.0] * 7 + [float("inf")],
            [1e39] * 8,
            [0.0] * 8,
            ["a"] * 8,
            [None] * 8,
            "not base64!",
            "AAAA",
        ],
    )
    async def test_what_is_no_vector_is_refused(
        self, provider: ScriptedProvider, remote: RemoteEmbedder, row: Any
    ) -> None:
        good = [1.0] * 8
        failed = await failure(remote, provider, Vectors(rows=[good, row, good]))
        assert not failed.again
        assert failed.message.startswith("bge-m3 answered with vectors")

    async def test_too_few_are_asked_for_again(self, provider: ScriptedProvider, remote: RemoteEmbedder) -> None:
        provider.script.append(Vectors(missing=1))
        assert len((await remote.embed(TEXTS)).vectors) == 3
        assert len(provider.requests) == 2

    async def test_a_model_to_talk_to_is_recognised(self, provider: ScriptedProvider, remote: RemoteEmbedder) -> None:
        failed = await failure(remote, provider, *[Reply("Hello! How can I help?")] * 4)
        assert "holds no vectors" in failed.message
        assert (failed.code, failed.details) == ("noEmbeddings", {"model": "bge-m3"})

    @pytest.mark.parametrize("useless", [Reply("Hello!"), Vectors(missing=1), Cut(Reply("x"), after=1)])
    async def test_what_was_answered_is_counted_and_not_asked_for_without_end(
        self, provider: ScriptedProvider, remote: RemoteEmbedder, useless: ScriptedAnswer
    ) -> None:
        failed = await failure(remote, provider, *[useless] * 4)
        assert len(provider.requests) == MOST_BILLED
        assert failed.used == Usage(input_tokens=MOST_BILLED * (2 + 2 + 4))
        provider.script[:] = [useless, Status(500)]
        got = await remote.embed(TEXTS)
        assert (got.usage, got.assumed) == (Usage(input_tokens=2 + 2 + 4 + 6), True)

    @pytest.mark.parametrize("tokens", [-6, 0, 1.5, float("nan"), float("inf"), "6", None])
    async def test_what_is_no_number_of_tokens_is_estimated(
        self, provider: ScriptedProvider, remote: RemoteEmbedder, tokens: Any
    ) -> None:
        provider.script.append(Vectors(tokens=tokens))
        got = await remote.embed(TEXTS)
        assert (got.usage, got.assumed) == (Usage(input_tokens=2 + 2 + 4), True)


class TestTryingAgain:
    @pytest.mark.parametrize(
        "stumble",
        [Status(429, retry_after=0), Status(500), Status(503), Nothing(dropped=True), Cut(Reply("x"), after=1)],
    )
    async def test_what_passes_is_waited_for(
        self, provider: ScriptedProvider, remote: RemoteEmbedder, stumble: ScriptedAnswer
    ) -> None:
        provider.script[:] = [stumble, stumble]
        assert len((await remote.embed(TEXTS)).vectors) == 3
        assert len(provider.requests) == 3

    async def test_half_way_through_only_the_rest_is_asked_again(
        self, provider: ScriptedProvider, remote: RemoteEmbedder
    ) -> None:
        texts = [f"text {number}" for number in range(10)]
        provider.script[:] = [Vectors(), Status(500), Vectors(), Vectors()]
        assert len((await remote.embed(texts)).vectors) == 10
        assert [len(asked.body["input"]) for asked in provider.requests] == [4, 4, 4, 2]

    async def test_four_times_and_no_more(self, provider: ScriptedProvider, remote: RemoteEmbedder) -> None:
        failed = await failure(remote, provider, *[Status(503)] * 5)
        assert failed.again
        assert len(provider.requests) == 4
        assert failed.message == "Scripted has a problem of its own (503). Try again later."

    async def test_a_long_wait_is_for_whoever_asked(self, provider: ScriptedProvider, remote: RemoteEmbedder) -> None:
        failed = await failure(remote, provider, Status(429, retry_after=3600))
        assert (failed.again, failed.after) == (True, 3600)
        assert len(provider.requests) == 1

    @pytest.mark.parametrize(
        ("status", "told"),
        [
            (Status(401, f"Incorrect API key: {KEY}"), "The key for Scripted was refused."),
            (Status(404), "The model bge-m3 does not exist at Scripted."),
            (Status(429, code="insufficient_quota"), "The account at Scripted has no credit left"),
            (Status(400, f"too long, {KEY}"), "Scripted did not accept the texts (400): too long, …"),
        ],
    )
    async def test_what_does_not_pass_is_told_at_once_without_the_key(
        self, provider: ScriptedProvider, remote: RemoteEmbedder, status: Status, told: str
    ) -> None:
        failed = await failure(remote, provider, status)
        assert not failed.again
        assert failed.message.startswith(told)
        assert KEY not in failed.message
        assert len(provider.requests) == 1

    async def test_nobody_there_is_said(self, lines: list[ProviderClient]) -> None:
        async with ScriptedProvider() as gone:
            remote = embedder_at(gone, lines)
        with pytest.raises(ModelFailed, match="does not accept connections") as caught:
            await remote.embed(TEXTS)
        assert caught.value.again

    async def test_whoever_gives_up_hangs_up(self, provider: ScriptedProvider, remote: RemoteEmbedder) -> None:
        asked = asyncio.Event()

        def silent(_: ReceivedRequest) -> ScriptedAnswer:
            asked.set()
            return Nothing()

        provider.behaviour = silent
        asking = asyncio.create_task(remote.embed(TEXTS))
        async with asyncio.timeout(60):
            await asked.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with asyncio.timeout(60):
            await provider.departed.wait()
