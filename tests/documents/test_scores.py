"""How much of each format is found stays what it is, or gets better: floors are data in `scoring.py`."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest

from tests.documents.scoring import FORMATS, scores


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_no_less_is_found_than_before(test_data: Path, suffix: str) -> None:
    format = FORMATS[suffix]
    found = scores(format)
    assert found, f"no ground truth for {suffix} in {test_data}"
    assert fmean(score.words for score in found) >= format.words
    assert fmean(score.order for score in found) >= format.order
