"""The embedding models of this process: the multilingual one, which counts unless another is chosen, the static one, which is
quicker, and MiniLM, where its files lie.

Whether they lie there is looked at every time: when they are gone, the model is not offered any more, and what counts is the
next one of the chain or the usual one, as for a provider that was removed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from workroom.core.errors import ConfigurationError
from workroom.models.embeddings import minilm, multilingual, static
from workroom.models.embeddings.minilm import MiniLmEmbedder
from workroom.models.embeddings.minilm_files import FILES, folder_of
from workroom.models.embeddings.multilingual import MultilingualEmbedder
from workroom.models.embeddings.ports import Embedder, EmbedderInfo
from workroom.models.embeddings.static import StaticEmbedder
from workroom.settings import BuiltInEmbedding, Settings


@dataclass(frozen=True)
class LocalOffer:
    """For everybody: nothing leaves the machine, and it costs nothing."""

    ref: str
    label: str
    info: EmbedderInfo
    open: Callable[[], Embedder]
    usable: bool = True

    @property
    def embedder(self) -> Embedder:
        return self.open()


MULTILINGUAL: Final = LocalOffer(multilingual.INFO.ref, multilingual.LABEL, multilingual.INFO, MultilingualEmbedder)
STATIC: Final = LocalOffer(static.INFO.ref, static.LABEL, static.INFO, StaticEmbedder)
BUILT_IN: Final[Mapping[BuiltInEmbedding, LocalOffer]] = {"multilingual": MULTILINGUAL, "static": STATIC}


def local_offers(setting: Path | None) -> Mapping[str, LocalOffer]:
    """By reference; `setting` is the configured folder of MiniLM."""
    offers = [MULTILINGUAL, STATIC]
    if (folder := folder_of(setting)) is not None:
        offers.append(LocalOffer(minilm.INFO.ref, minilm.LABEL, minilm.INFO, partial(MiniLmEmbedder, folder)))
    return {offer.ref: offer for offer in offers}


async def examine_usual(settings: Settings) -> str:
    """For `workroom doctor`: raises what is wrong with the files of the multilingual model."""
    await asyncio.to_thread(MultilingualEmbedder().examine)
    return "usable"


async def examine_minilm(settings: Settings) -> str:
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
