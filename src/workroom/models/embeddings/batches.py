"""What goes into one request: as many texts as the model takes at once, each cut to what it reads. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workroom.core.tokens import estimate
from workroom.models.embeddings.ports import EmbedderInfo

REQUEST_TOKENS = 100_000  # providers refuse requests with several times as many
# Every tokenizer counts differently, and a text that is too long is refused. Hardly any text has more tokens than this.
BYTES_PER_TOKEN = 2


def batches(texts: Sequence[str], info: EmbedderInfo) -> Iterator[Sequence[str]]:
    """In their order; never an empty one."""
    batch: list[str] = []
    size = 0
    for text in texts:
        tokens = min(estimate(text), info.input_tokens)
        if batch and (len(batch) == info.batch or size + tokens > REQUEST_TOKENS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += tokens
    if batch:
        yield batch


def expected_tokens(texts: Sequence[str], info: EmbedderInfo) -> int:
    """About what a request will be billed for."""
    return sum(min(estimate(text), info.input_tokens) for text in texts if not is_blank(text))


def cut(text: str, info: EmbedderInfo) -> str:
    most = info.input_tokens * BYTES_PER_TOKEN
    data = text.encode("utf-8", "replace")  # halves of surrogate pairs cannot be sent
    return data[:most].decode("utf-8", "ignore")


def is_blank(text: str) -> bool:
    """Providers refuse texts with nothing in them; ours is the zero vector."""
    return not text.strip()
