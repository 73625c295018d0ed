"""Claude, in what it does not share with other providers."""

from __future__ import annotations

import pytest

from tests.models.asking import KEY, TOOL, heard, known, message, user
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, OpaquePart, Role
from workroom.models.ports import Forcing, ModelInfo, ModelRequest
from workroom.models.providers.anthropic import ADDRESS, AnthropicModel
from workroom.models.providers.instructions import CALL_A_TOOL
from workroom.models.testing import Call, Reply, ScriptedProvider
from workroom.net import GuardedClient
from workroom.net.testing import ScriptedInternet


@pytest.fixture
def claude(provider: ScriptedProvider, client: GuardedClient) -> AnthropicModel:
    return AnthropicModel(known("claude-sonnet-4-6"), KEY, client, provider.root_url)


async def body(model: AnthropicModel, provider: ScriptedProvider, asked: ModelRequest) -> dict[str, object]:
    provider.script.append(Reply("Fine."))
    await heard(model, asked)
    return dict(provider.requests[-1].body)


@pytest.mark.requirement("A9")
@pytest.mark.parametrize(
    ("name", "choice", "told"),
    [("claude-sonnet-4-6", "any", False), ("claude-opus-5", "any", False), ("claude-opus-5-5", "auto", True)],
)
async def test_the_newest_refuse_to_be_forced_and_are_told_in_words(
    provider: ScriptedProvider, client: GuardedClient, name: str, choice: str, told: bool
) -> None:
    model = AnthropicModel(known(name), KEY, client, provider.root_url)
    sent = await body(model, provider, ModelRequest("", [user("Read it.")], [TOOL], Forcing.ANY))
    assert sent["tool_choice"] == {"type": choice}
    assert (CALL_A_TOOL in str(sent["messages"])) == told


@pytest.mark.parametrize(("name", "accepts"), [("claude-sonnet-4-6", True), ("claude-opus-5", False)])
async def test_the_newer_ones_refuse_a_temperature(
    provider: ScriptedProvider, client: GuardedClient, name: str, accepts: bool
) -> None:
    model = AnthropicModel(known(name), KEY, client, provider.root_url)
    sent = await body(model, provider, ModelRequest("", [user("Hello")], temperature=0.7))
    assert ("temperature" in sent) == accepts


async def test_there_is_always_a_limit(provider: ScriptedProvider, client: GuardedClient) -> None:
    info = ModelInfo("anthropic", "claude-sonnet-4-6", known("m").price, output_tokens=777)
    model = AnthropicModel(info, KEY, client, provider.root_url)
    assert (await body(model, provider, ModelRequest("", [user("Hello")])))["max_tokens"] == 777
    assert (await body(model, provider, ModelRequest("", [user("Hello")], max_output_tokens=5)))["max_tokens"] == 5


async def test_thoughts_go_back_signed(claude: AnthropicModel, provider: ScriptedProvider) -> None:
    provider.script.append(Reply("Yes.", [Call("notes__read", {"id": 1})], reasoning="Because."))
    _, answer = await heard(claude, ModelRequest("", [user("Why?")], [TOOL]))
    history = [user("Why?"), message(Role.ASSISTANT, *answer.parts), user("And?")]
    sent = await body(claude, provider, ModelRequest("", history, [TOOL]))
    assert isinstance(sent["messages"], list)
    blocks = sent["messages"][1]["content"]
    assert [block["type"] for block in blocks] == ["thinking", "text", "tool_use"]
    assert blocks[0] == {"type": "thinking", "thinking": "Because.", "signature": "c2lnbmVk"}


async def test_tools_of_the_past_are_named_when_there_are_none_now(
    claude: AnthropicModel, provider: ScriptedProvider
) -> None:
    """Claude refuses a conversation with calls in it and no tools, as there is at the end of a run."""
    call = CallPart(call_id=new_id(), tool="notes.read", arguments={})
    sent = await body(
        claude, provider, ModelRequest("", [user("Read."), message(Role.ASSISTANT, call, call), user("?")])
    )
    assert isinstance(sent["tools"], list)
    assert [tool["name"] for tool in sent["tools"]] == ["notes__read"]
    assert sent["tool_choice"] == {"type": "none"}
    assert "tools" not in await body(claude, provider, ModelRequest("", [user("Hello")]))


async def test_where_thoughts_are_bound_to_what_came_before_stale_ones_may_be_dropped(
    provider: ScriptedProvider, client: GuardedClient
) -> None:
    """Otherwise a changed prompt would be refused: a request for nothing."""
    model = AnthropicModel(known("claude-opus-5-5"), KEY, client, provider.root_url)
    sent = await body(model, provider, ModelRequest("", [user("Hello")]))
    assert sent["thinking"] == {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
    assert provider.requests[0].headers["anthropic-beta"] == "thinking-binding-controls-2026-08-01"


async def test_the_prompt_is_cached(claude: AnthropicModel, provider: ScriptedProvider) -> None:
    """Up to the end of tools and instructions, for other conversations, and up to the last message, for this one."""
    sent = await body(claude, provider, ModelRequest("Be brief.", [user("Hello")], [TOOL]))
    assert isinstance(sent["tools"], list)
    assert isinstance(sent["system"], list)
    places = [sent, sent["tools"][-1], sent["system"][-1]]
    assert [place["cache_control"] for place in places] == [{"type": "ephemeral", "ttl": "5m"}] * 3


async def test_without_an_address_it_is_anthropic_itself(provider: ScriptedProvider) -> None:
    internet = ScriptedInternet()
    model = AnthropicModel(known("claude-sonnet-4-6"), KEY, internet.client())
    with pytest.raises(Exception, match=f"{ADDRESS} was not found"):
        await heard(model, ModelRequest("", [user("Hello")]))
    await internet.aclose()


async def test_a_part_of_another_library_is_left_out(claude: AnthropicModel, provider: ScriptedProvider) -> None:
    odd = OpaquePart(
        provider=str(provider.origin), model="claude-sonnet-4-6", data={"part": {"part_kind": "telepathy"}}
    )
    history = [user("Why?"), message(Role.ASSISTANT, odd), user("And?")]
    sent = await body(claude, provider, ModelRequest("", history))
    assert "telepathy" not in str(sent)
