"""What the frames took."""

from __future__ import annotations

import pytest

from desktop.pipeline.statistics import Statistics


def test_a_picture_that_is_shown_anew_has_no_latency():
    statistics = Statistics(on_gpu=False)
    for captured, finished in ((1.0, 1.02), (2.0, 2.02), (2.0, 90.0), (91.0, 91.02)):
        statistics.finished(finished, captured, follows=False)
    assert statistics.latency.values == pytest.approx([20.0, 20.0, 20.0])
