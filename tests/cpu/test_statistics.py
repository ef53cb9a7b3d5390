"""Statistics of frame times."""

from __future__ import annotations

import numpy as np
import pytest

from desktop.compute.gpu.timing import Percentiles
from desktop.pipeline.statistics import Statistics


def test_a_picture_that_is_shown_anew_has_no_latency():
    statistics = Statistics(on_gpu=False)
    for captured, finished in ((1.0, 1.02), (2.0, 2.02), (2.0, 90.0), (91.0, 91.02)):
        statistics.finished(finished, captured, follows=False)
    assert statistics.latency.values == pytest.approx([20.0, 20.0, 20.0])


@pytest.mark.parametrize("on_gpu", [True, False])
def test_stages_keep_their_last_times(on_gpu):
    statistics = Statistics(on_gpu=on_gpu)
    for number in range(500):
        statistics.uploaded(1.0)
        statistics.timed("color", float(number) if on_gpu else None, float(-number))
        statistics.submitted(7.0, is_new=True)
        if on_gpu:
            statistics.ran(float(number))
    stats = statistics.summary(("upload", "color", "present"), 0)
    upload, color = stats.stages
    assert upload.gpu_ms is None and set(upload.samples) == {1.0}
    kept = len(color.samples)
    last = [float(number) for number in range(500 - kept, 500)]
    assert 100 <= kept < 500 and color.samples == tuple(last if on_gpu else [-each for each in last])
    assert stats.frame_ms == (tuple(last) if on_gpu else (7.0,) * kept)
    statistics.reset()
    assert statistics.summary(("color",), 0).frame_ms == ()


def test_inferences_are_kept_until_the_network_changes():
    statistics = Statistics(on_gpu=True)
    for ms in (3.0, None, 5.0):
        statistics.analyzed(ms)
    assert statistics.summary((), 0).inferences == (3.0, 5.0)
    statistics.clear_analysis()
    assert statistics.summary((), 0).inferences == ()


@pytest.mark.parametrize("count", [1, 2, 3, 7, 240])
def test_percentiles_are_those_of_numpy(count):
    values = np.random.default_rng(count).uniform(0.0, 30.0, count).tolist()
    found = Percentiles.of(values)
    assert np.allclose((found.p50, found.p95, found.p99), np.percentile(values, (50, 95, 99)), rtol=1e-12)
