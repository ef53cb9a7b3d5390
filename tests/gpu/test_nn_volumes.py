"""Convolutions of three dimensions by the kernels of two."""

from __future__ import annotations

import numpy as np
import pytest
from nn_cases import check, save, session_for
from onnx import helper

VOLUMES = [
    # x, w, attributes
    ((1, 3, 5, 9, 11), (8, 3, 3, 3, 3), {"pads": [1, 1, 1, 1, 1, 1]}),
    ((1, 3, 4, 15, 13), (12, 3, 3, 7, 7), {"pads": [1, 3, 3, 1, 3, 3], "strides": [1, 2, 2]}),
    ((2, 8, 5, 6, 7), (20, 8, 3, 1, 1), {"pads": [1, 0, 0, 1, 0, 0], "strides": [2, 1, 1]}),
    ((1, 7, 6, 5, 4), (9, 7, 2, 3, 2), {"dilations": [2, 1, 2], "pads": [0, 2, 1, 1, 0, 1]}),
    ((1, 16, 1, 8, 9), (12, 16, 1, 1, 1), {}),
    ((1, 16, 3, 7, 5), (10, 16, 1, 3, 3), {"pads": [0, 1, 1, 0, 1, 1]}),
    ((1, 6, 4, 5, 6), (6, 1, 3, 3, 3), {"group": 6, "pads": [1, 1, 1, 1, 1, 1]}),
    ((2, 8, 5, 7, 6), (8, 1, 3, 2, 3), {"group": 8, "strides": [2, 1, 2], "pads": [1, 0, 1, 1, 1, 0]}),
    ((1, 8, 4, 5, 5), (12, 2, 2, 3, 3), {"group": 4}),
    ((1, 20, 3, 4, 4), (20, 2, 2, 2, 2), {"group": 10}),
    ((1, 4, 5, 6, 6), (8, 4, 3, 3, 3), {"auto_pad": "SAME_UPPER", "strides": [2, 2, 2]}),
]


def _rand(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _volume(tmp_path, x, w, attributes):
    """Behind a Relu, so that the convolution reads what a kernel wrote."""
    constants = {"w": _rand(1, *w) / np.float32(np.sqrt(np.prod(w[1:]))), "b": _rand(2, w[0])}
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Conv", ["r", "w", "b"], ["c"], **attributes),
        helper.make_node("Sigmoid", ["c"], ["y"]),
    ]
    return save(tmp_path / "m.onnx", nodes, {"x": x}, "y", constants), {"x": _rand(3, *x)}


@pytest.mark.parametrize("workgroups", [1, 2, 128])
@pytest.mark.parametrize(("x", "w", "attributes"), VOLUMES)
def test_three_dimensions(gpu, tmp_path, x, w, attributes, workgroups):
    path, feeds = _volume(tmp_path, x, w, attributes)
    check(gpu, path, feeds, workgroups=workgroups)


def test_random_shapes(gpu, tmp_path):
    rng = np.random.default_rng(5)
    for _ in range(5):
        kernel, stride, dilation = (rng.integers(1, high, 3) for high in (4, 3, 3))
        size = dilation * (kernel - 1) + 1 + rng.integers(0, 5, 3)
        inputs, outputs = (int(n) for n in rng.integers(1, 30, 2))
        attributes = {
            "strides": [int(n) for n in stride],
            "dilations": [int(n) for n in dilation],
            "pads": [int(n) for n in rng.integers(0, 3, 6)],
        }
        x, w = (1, inputs, *map(int, size)), (outputs, inputs, *map(int, kernel))
        path, feeds = _volume(tmp_path, x, w, attributes)
        check(gpu, path, feeds, workgroups=int(rng.choice([2, 128])))


def test_none_takes_the_general_kernel(gpu, tmp_path):
    for x, w, attributes in VOLUMES:
        if attributes.get("group", 1) in (1, w[0]):
            session = session_for(gpu, _volume(tmp_path, x, w, attributes)[0])
            assert "conv_direct" not in [dispatch.kernel for dispatch in session.plan.dispatches]
            session.close()
