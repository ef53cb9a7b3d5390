"""Convolutions of three dimensions by the kernels of two, and those of 16-bit floats that only a tuning takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from nn_cases import check, reference, relative_error, save, session_for
from onnx import helper

from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, lower_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.kernels.tiles import Packed
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.runtime.session import WgpuSession

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


# -- candidates in 16 bits ---------------------------------------------------------------------------------------------

# x, w, attributes, tile: the larger ones take llvmpipe 15 s each to compile.
PACKED = [
    ((1, 16, 17, 15), (40, 16, 3, 3), {"pads": [1, 1, 1, 1]}, Packed(4, 8, 1, 4, slices=4, step=2)),
    ((1, 72, 11, 13), (68, 72, 1, 1), {}, Packed(4, 8, 1, 4, slices=8, step=1)),
    (
        (1, 16, 5, 8, 9),
        (44, 16, 3, 3, 2),
        {"pads": [1, 1, 0, 1, 1, 1], "strides": [2, 1, 1], "dilations": [1, 2, 1]},
        Packed(4, 8, 1, 2, slices=8, step=2),
    ),
]


def _computed_by(gpu, path, tile, feeds):
    """The result of a network in 16 bits whose last node is computed by a tile that a tuning chose."""
    graph, target = build_graph(path), replace(target_of(gpu, "fp16"), workgroups=128)
    decision = lower_graph(graph, target).sites[-1].decision
    assert tile in decision.candidates
    plan = make_plan(graph, target, Tuning({decision.key: str(tile)}))
    assert plan.dispatches[-1].kernel == "conv_packed"
    session = WgpuSession(gpu, Prepared(graph, plan, "fp16"))
    result = session.run(feeds)["y"]
    session.close()
    return result


@pytest.mark.parametrize(("x", "w", "attributes", "tile"), PACKED)
def test_packed_halves(gpu, tmp_path, x, w, attributes, tile):
    if not gpu.has("shader-f16"):
        pytest.skip("no 16-bit floats")
    path, feeds = _volume(tmp_path, x, w, attributes)
    assert relative_error(_computed_by(gpu, path, tile, feeds), reference(path, feeds)["y"]) < 2e-3


def test_a_picture_that_was_padded_or_enlarged_before(gpu, tmp_path):
    if not gpu.has("shader-f16"):
        pytest.skip("no 16-bit floats")
    constants = {"w": _rand(1, 24, 16, 3, 3) / np.float32(12), "pads": np.int64([0, 0, 1, 1, 0, 0, 1, 1])}
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Pad", ["r", "pads"], ["p"], mode="reflect"),
        helper.make_node("Conv", ["p", "w"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 16, 9, 10)}, "y", constants)
    feeds = {"x": _rand(3, 1, 16, 9, 10)}
    result = _computed_by(gpu, path, Packed(4, 8, 1, 2, slices=8, step=2), feeds)
    assert relative_error(result, reference(path, feeds)["y"]) < 2e-3
