"""Operators on regions, columns and moved taps, at sizes that ONNX's own cases do not have, against
onnxruntime and NumPy.
"""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import check_node

from desktop.base.errors import ModelUnsupportedError


def _values(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("ratio", [0, 3])
@pytest.mark.parametrize("opset", [10, 16])
def test_roi_align(gpu, tmp_path, mode, ratio, opset):
    rois = np.array([[0, 0, 31, 23], [4.5, 2.25, 20, 9], [-6, -3, 5, 40], [10, 10, 10.2, 10.1]], np.float32)
    feeds = {"x": np.abs(_values(2, 5, 12, 16)), "rois": rois, "batch": np.array([0, 1, 1, 0], np.int64)}
    given = {
        "output_height": 3,
        "output_width": 5,
        "sampling_ratio": ratio,
        "spatial_scale": 0.5,
        "mode": mode,
    }
    check_node(gpu, tmp_path, "RoiAlign", feeds, opset=opset, tolerance=1e-5, **given)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("masked", [False, True])
def test_deform_conv(gpu, tmp_path, groups, masked):
    feeds = {
        "x": _values(2, 4, 9, 11),
        "w": _values(6, 4 // groups, 3, 2, seed=1),
        "offset": _values(2, 2 * 2 * 6, 5, 12, seed=2) * 2,
        "b": _values(6, seed=3),
    }
    if masked:
        feeds["mask"] = np.random.default_rng(4).uniform(0, 1, (2, 2 * 6, 5, 12)).astype(np.float32)
    window = {
        "pads": [1, 0, 2, 2],
        "strides": [2, 1],
        "dilations": [1, 1],
        "group": groups,
        "offset_group": 2,
    }
    check_node(gpu, tmp_path, "DeformConv", feeds, opset=19, tolerance=1e-5, **window)


def test_reverse_sequence_over_the_second_axis(gpu, tmp_path):
    feeds = {"x": _values(3, 7, 2), "lengths": np.array([7, 0, 4], np.int64)}
    check_node(gpu, tmp_path, "ReverseSequence", feeds, batch_axis=0, time_axis=1)


def test_col2im_undoes_a_window_without_overlap(gpu, tmp_path):
    constants = {"image": np.array([6, 10], np.int64), "block": np.array([3, 2], np.int64)}
    window = {"strides": [3, 2]}
    check_node(gpu, tmp_path, "Col2Im", {"x": _values(2, 4 * 6, 10)}, constants, tolerance=1e-6, **window)


def test_what_does_not_fit_is_refused(gpu, tmp_path):
    rois = {"x": _values(1, 2, 4, 4), "rois": _values(3, 4), "batch": np.zeros(2, np.int64)}
    with pytest.raises(ModelUnsupportedError, match="RoiAlign"):
        check_node(gpu, tmp_path, "RoiAlign", rois, opset=16)
    columns = {"image": np.array([5, 5], np.int64), "block": np.array([9, 9], np.int64)}
    with pytest.raises(ModelUnsupportedError, match="Col2Im"):
        check_node(gpu, tmp_path, "Col2Im", {"x": _values(1, 81, 4)}, columns)
