"""How much of each format is found, judged by documents that rules are not tuned on: floors are data in `scoring.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.scoring import FORMATS, mean, scores


@pytest.mark.parametrize("suffix", sorted(FORMATS))
def test_no_less_is_found_than_before(test_data: Path, suffix: str) -> None:
    format = FORMATS[suffix]
    measured = scores(format)
    tuning, held_out = (mean(score for score in measured if score.held_out is half) for half in (False, True))
    print(f"{suffix}: tuning {tuning}, held-out {held_out}")
    assert held_out, f"no ground truth for {suffix} in {test_data}"
    assert held_out.words >= format.held_out.words
    assert held_out.order >= format.held_out.order
    assert (tuning is None) == (format.tuning is None)
    if tuning and format.tuning:
        assert tuning.words >= format.tuning.words
        assert tuning.order >= format.tuning.order
