"""The embedding models of this process that may be chosen: MiniLM, where its files lie. The static one needs no choice.

Whether they lie there is looked at every time: when they are gone, the model is not offered any more, and what counts is the
next one of the chain or the static one, as for a provider that was removed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workroom.core.errors import ConfigurationError
from workroom.models.embeddings import minilm
from workroom.models.embeddings.minilm import MiniLmEmbedder
from workroom.models.embeddings.minilm_files import FILES, folder_of
from workroom.models.embeddings.ports import EmbedderInfo
from workroom.settings import Settings


@dataclass(frozen=True)
class LocalOffer:
    """For everybody: nothing leaves the machine, and it costs nothing."""

    ref: str
    label: str
    info: EmbedderInfo
    folder: Path
    usable: bool = True

    @property
    def embedder(self) -> MiniLmEmbedder:
        return MiniLmEmbedder(self.folder)


def local_offers(setting: Path | None) -> Mapping[str, LocalOffer]:
    """By reference; `setting` is the configured folder."""
    folder = folder_of(setting)
    if folder is None:
        return {}
    return {minilm.INFO.ref: LocalOffer(minilm.INFO.ref, minilm.LABEL, minilm.INFO, folder)}


async def examine(settings: Settings) -> str:
    """For `workroom doctor`: raises what is wrong."""
    folder = folder_of(settings.minilm)
    if folder is not None:
        await asyncio.to_thread(MiniLmEmbedder(folder).examine)
        return f"usable, in {folder}"
    if settings.minilm is not None:
        raise ConfigurationError(
            f"{settings.minilm} does not have {', '.join(FILES)}. Put them there, or unset WORKROOM_MINILM. Until then"
            " search by meaning uses the built-in model where MiniLM was chosen."
        )
    return "not installed: search by meaning uses the built-in model, or the one of a provider"
