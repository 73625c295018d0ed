"""all-MiniLM-L6-v2, an embedding model of this process that is there where its files lie: English, for nothing.

It knows sentences, where the static one knows words, and takes about a hundred times as long.
"""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workroom.core.errors import ConfigurationError
from workroom.core.money import FREE
from workroom.models.embeddings.minilm_files import REMEDY
from workroom.models.embeddings.network_worker import NetworkEmbedder
from workroom.models.embeddings.ports import EmbedderInfo, Floors

if TYPE_CHECKING:  # numpy and the tokenizer take a while to load
    from workroom.models.embeddings.minilm_network import Network

# From `calibration.py`, over the questions and paragraphs of XQuAD in English (1,190): they keep 99 and 98 of 100 matching pairs,
# and 95 and 97 of 100 others away. In Spanish and Turkish the same rule gives .21 and .23: these lose nothing there either, but
# keep hardly anything away, since the language itself is most of such a vector.
FLOORS: Final = Floors(instance=0.19, shared=0.24)
INFO: Final = EmbedderInfo(
    provider="embedded",
    id="minilm-384",
    dimensions=384,
    price=FREE,
    batch=16,
    input_tokens=256,
    floors=FLOORS,
    embedded=True,
)
LABEL: Final = "MiniLM (English, on this machine)"


class MiniLmEmbedder(NetworkEmbedder):
    def __init__(self, folder: Path) -> None:
        super().__init__(INFO, partial(_loaded, folder))


@cache
def _loaded(folder: Path) -> Network:
    """Only in the thread that works, so once."""
    from workroom.models.embeddings.minilm_network import Network

    network = Network.load(folder, INFO.input_tokens)
    if network.dimensions != INFO.dimensions:
        raise ConfigurationError(f"It is another model than all-MiniLM-L6-v2. {REMEDY}")
    return network
