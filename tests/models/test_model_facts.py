"""What servers say of their models is read where it makes sense, and nothing else of it counts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.models.model_facts import (
    FEWEST_CONTEXT_TOKENS,
    MOST_CONTEXT_TOKENS,
    combined,
    facts_of_listing,
    facts_of_lm_studio,
    facts_of_props,
    facts_of_show,
)
from workroom.models.types import ModelFacts, OwnModel

PROPS: dict[str, Any] = {
    "default_generation_settings": {"id": 0, "n_ctx": 8192, "params": {"temperature": 0.8}},
    "total_slots": 1,
    "chat_template": "{%- if tools %}{{ tools }}{% endif %}",
    "modalities": {"vision": True, "audio": False},
}
SHOW: dict[str, Any] = {
    "parameters": 'stop    "<|im_end|>"\nnum_ctx                        16384\ntemperature 0.7',
    "template": "{{ .System }} {{ .Tools }}",
    "details": {"family": "qwen3"},
    "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960, "qwen3.block_count": 36},
    "capabilities": ["completion", "tools"],
}


class TestLlamaCpp:
    def test_says_its_window_and_whether_it_sees(self) -> None:
        assert facts_of_props(PROPS) == ModelFacts(8192, tools=True, images=True, structured=True)

    def test_says_what_its_template_is_capable_of(self) -> None:
        refuses = PROPS | {"chat_template_caps": {"supports_tools": False}}
        assert facts_of_props(refuses) == ModelFacts(8192, tools=False, images=True, structured=True)
        assert facts_of_props(PROPS | {"chat_template": "{{ messages }}"}) == ModelFacts(
            8192, tools=False, images=True, structured=True
        )

    def test_that_is_old_says_little(self) -> None:
        assert facts_of_props({"default_generation_settings": {}}) == ModelFacts(structured=True)

    @pytest.mark.parametrize("body", [None, [], "no", {"status": "ok"}, {"default_generation_settings": [1]}])
    def test_is_no_other_server(self, body: Any) -> None:
        assert facts_of_props(body) is None


class TestOllama:
    def test_says_what_was_set_and_what_the_model_can_do(self) -> None:
        assert facts_of_show(SHOW) == ModelFacts(16384, tools=True, images=False, structured=True)

    def test_says_what_is_loaded(self) -> None:
        assert facts_of_show(SHOW, 32768) == ModelFacts(32768, tools=True, images=False, structured=True)

    def test_gives_little_where_nothing_is_set(self) -> None:
        """It cuts off what is longer, without a word, whatever the model could read."""
        assert facts_of_show(SHOW | {"parameters": ""}) == ModelFacts(4096, tools=True, images=False, structured=True)

    def test_gives_all_to_models_elsewhere(self) -> None:
        elsewhere = SHOW | {"parameters": "", "remote_host": "https://ollama.com:443"}
        assert facts_of_show(elsewhere) == ModelFacts(40960, tools=True, images=False, structured=True)

    def test_gives_no_more_than_the_model_can_read(self) -> None:
        assert facts_of_show(SHOW | {"parameters": "num_ctx 100000"}) == ModelFacts(
            40960, tools=True, images=False, structured=True
        )

    def test_says_nothing_of_conversations_with_a_model_for_vectors(self) -> None:
        assert facts_of_show(SHOW | {"capabilities": ["embedding"]}) == ModelFacts(16384)

    @pytest.mark.parametrize("body", [None, [], {"error": "model not found"}, {"model_info": 3}])
    def test_is_no_other_server(self, body: Any) -> None:
        assert facts_of_show(body) is None


@pytest.mark.parametrize(
    ("entry", "facts"),
    [
        ({"id": "m", "owned_by": "vllm", "max_model_len": 32768}, ModelFacts(32768, structured=True)),
        ({"id": "m", "owned_by": "llamacpp", "meta": {"n_ctx": 4096, "n_ctx_train": 131072}}, ModelFacts(4096)),
        (
            {"id": "m", "context_length": 200_000, "architecture": {"input_modalities": ["text", "image"]}},
            ModelFacts(200_000, images=True),
        ),
        ({"id": "m", "object": "model"}, ModelFacts()),
    ],
)
def test_lists_of_models_say_more_than_names(entry: dict[str, Any], facts: ModelFacts) -> None:
    assert facts_of_listing(entry) == facts


def test_lm_studio_says_what_is_loaded() -> None:
    entry = {"id": "m", "type": "vlm", "max_context_length": 131072, "loaded_context_length": 8192}
    assert facts_of_lm_studio(entry) == ModelFacts(8192, images=True, structured=True)
    assert facts_of_lm_studio({"id": "m", "type": "llm", "max_context_length": 131072}) == ModelFacts(
        images=False, structured=True
    )
    assert facts_of_lm_studio({"id": "m", "type": "embeddings"}) == ModelFacts()


LIES = [True, 1, -1, 0, FEWEST_CONTEXT_TOKENS - 1, MOST_CONTEXT_TOKENS + 1, 10**400, 8192.0, "8192", None, [8192], {}]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: str(lie)[:20])
def test_lengths_that_cannot_be_are_not_believed(lie: Any) -> None:
    assert facts_of_listing({"max_model_len": lie}) == ModelFacts()
    assert facts_of_props({"default_generation_settings": {"n_ctx": lie}}) == ModelFacts(structured=True)
    assert facts_of_lm_studio({"loaded_context_length": lie}) == ModelFacts()
    assert facts_of_show(SHOW, lie) == facts_of_show(SHOW)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys((*PROPS, *SHOW, "chat_template_caps", "meta"), json_values)))
def test_any_json_is_read_without_harm(body: dict[str, Any]) -> None:
    for facts in (facts_of_props(body), facts_of_show(body), facts_of_listing(body), facts_of_lm_studio(body)):
        assert facts is None or facts.tools in (None, True, False)
        assert facts is None or 0 < (facts.context_tokens or 1) <= MOST_CONTEXT_TOKENS


class TestAModelThatIsTold:
    def test_takes_what_its_server_says(self) -> None:
        facts = ModelFacts(4096, tools=False, images=True, structured=True)
        told = OwnModel("m", 4096, 4096, tools=False, images=True, structured=True, facts=facts)
        assert OwnModel("m").told(facts) == told

    def test_keeps_what_a_person_entered_before(self) -> None:
        facts = ModelFacts(4096, tools=False)
        told = OwnModel("m", 16_000, 2_000, images=True).told(facts)
        assert told == OwnModel("m", 16_000, 2_000, tools=False, images=True, facts=facts)

    def test_keeps_what_a_person_entered_instead(self) -> None:
        """Also the usual value: they know that the server says otherwise."""
        told = OwnModel("m").told(ModelFacts(4096, tools=False))
        entered = OwnModel("m", 128_000, told.output_tokens, tools=True, facts=told.facts)
        again = entered.told(ModelFacts(8192, tools=False))
        assert (again.context_tokens, again.tools) == (128_000, True)
        assert again.facts == ModelFacts(8192, tools=False)

    def test_follows_its_server(self) -> None:
        told = OwnModel("m").told(ModelFacts(4096, tools=False)).told(ModelFacts(32_768, tools=True))
        assert (told.context_tokens, told.output_tokens, told.tools) == (32_768, 8_192, True)

    def test_keeps_what_was_said_before_while_nothing_is_said(self) -> None:
        told = OwnModel("m").told(ModelFacts(4096, images=True))
        assert told.told(ModelFacts()) == told


def test_facts_of_two_places_are_combined() -> None:
    assert combined(ModelFacts(4096, images=True), ModelFacts(tools=False, images=False)) == ModelFacts(
        4096, tools=False, images=False
    )
    assert combined(ModelFacts(4096), None) == ModelFacts(4096)
