"""What tests of documents share: the folder of real ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.documents.corpus import ROOT


@pytest.fixture
def test_data() -> Path:
    if not ROOT.is_dir():
        missing = "No real documents here: set WORKROOM_TEST_DATA to the folder that holds `corpus`."
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return ROOT
