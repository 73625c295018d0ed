"""The embedding model that is used unless another is chosen: sentences in sixteen languages, and from one to another, in this
process, for nothing. No network, no GPU.

Where the encoder does not speak the language of a text, its vectors are the static ones (`multilingual_network.py`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from workroom.core.money import FREE
from workroom.models.embeddings.network_worker import NetworkEmbedder
from workroom.models.embeddings.ports import EmbedderInfo, Floors

if TYPE_CHECKING:  # numpy and the tokenizers take a while to load
    from workroom.models.embeddings.multilingual_network import MultilingualNetwork

# Nine of ten questions of bench/languages.json reach .10 with the passage that answers them in each pair of five languages;
# within English, Spanish and Turkish (XQuAD) 99 of 100 reach .14. The third is from `bench.finding`.
FLOORS: Final = Floors(instance=0.10, shared=0.14, calibrated_answer=0.22)
INFO: Final = EmbedderInfo(
    provider="embedded",
    id="multilingual-768",  # another one whenever the vectors change: stored ones must never be compared with new ones
    dimensions=768,
    price=FREE,
    batch=16,
    input_tokens=1_024,
    floors=FLOORS,
    embedded=True,
    multilingual=True,
)

LABEL: Final = "Multilingual (on this machine)"


class MultilingualEmbedder(NetworkEmbedder):
    def __init__(self) -> None:
        super().__init__(INFO, _loaded)


@cache
def _loaded() -> MultilingualNetwork:
    """Only in the thread that works, so once."""
    from workroom.models.embeddings.multilingual_network import MultilingualNetwork

    return MultilingualNetwork.load(INFO.input_tokens)
