"""Products whose depth workgroups share: what they add up to, which products they are, and that every share
has something to do.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from nn_cases import needs_halves, reference, relative_error, save, session_for
from onnx import helper

from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.kernels.shares import Shared, fastest
from desktop.compute.nn.kernels.tiles import Tile, shared_tiles

TOLERANCE = {"fp32": 1e-5, "fp16": 2e-3}
TILES = [Tile(8, 8, 1, 4, staged=True), Tile(8, 8, 1, 4, slices=2, staged=True)]


def rand(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def _conv(folder, x, weights, **attributes):
    """With an activation and a residual behind it."""
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Conv", ["r", "w", "b"], ["c"], **attributes),
        helper.make_node("Conv", ["r", "v"], ["d"]),
        helper.make_node("Add", ["c", "d"], ["s"]),
        helper.make_node("Relu", ["s"], ["y"]),
    ]
    ones = (1,) * (len(x) - 2)
    constants = {
        "w": rand(1, *weights) / np.float32(np.sqrt(np.prod(weights[1:]))),
        "b": rand(2, weights[0]),
        "v": rand(3, weights[0], x[1], *ones),
    }
    return save(folder / "conv.onnx", nodes, {"x": x}, "y", constants)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("tile", TILES, ids=str)
@pytest.mark.parametrize(
    ("x", "weights"), [((2, 40, 9, 7), (36, 40, 3, 3)), ((1, 9, 4, 6, 5), (20, 9, 3, 3, 3))]
)
@pytest.mark.parametrize("count", [2, 3])
def test_shares_add_up(gpu, tmp_path, share_depth, precision, tile, x, weights, count):
    """A depth that is no multiple of the shares, pixels and channels that fill no tile."""
    needs_halves(gpu, precision)

    share_depth(lambda convolution: Shared(tile, count, 0.0) if convolution.window.taps > 1 else None)
    path = _conv(tmp_path, x, weights, pads=[1] * 2 * (len(x) - 2))
    feeds = {"x": rand(9, *x)}
    session = session_for(gpu, path, workgroups=128, precision=precision)
    (shared,) = [each for each in session.plan.dispatches if each.workgroups[2] == count]
    kernels = [each.kernel for each in session.plan.dispatches]
    found = session.run(feeds)["y"]
    session.close()
    assert shared.kernel == "conv_tiled" and kernels.count("sum_shares") == 1
    assert relative_error(found, reference(path, feeds)["y"]) <= TOLERANCE[precision]


@pytest.mark.parametrize(
    ("x", "weights", "expected"),
    [
        ((1, 512, 7, 7), (512, 512, 3, 3), True),
        ((1, 2048, 7, 7), (512, 2048, 1, 1), True),
        ((1, 576, 14, 14), (96, 576, 1, 1), False),
        ((1, 64, 56, 56), (64, 64, 1, 1), False),
        ((1, 64, 112, 112), (64, 64, 3, 3), False),
    ],
)
def test_few_tiles_share_the_depth(gpu, tmp_path, x, weights, expected):
    pad = weights[2] // 2
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("Conv", ["r", "w"], ["y"], pads=[pad] * 4),
    ]
    path = save(tmp_path / "conv.onnx", nodes, {"x": x}, "y", {"w": np.zeros(weights, np.float32)})
    target = replace(target_of(gpu, "fp32"), workgroups=132)
    kernels = [each.kernel for each in make_plan(build_graph(path), target).dispatches]
    assert ("sum_shares" in kernels) == expected


def test_a_software_adapter_shares_nothing(gpu, tmp_path):
    path = _conv(tmp_path, (1, 512, 7, 7), (64, 512, 3, 3), pads=[1] * 4)
    target = replace(target_of(gpu, "fp32"), workgroups=1)
    assert "sum_shares" not in [each.kernel for each in make_plan(build_graph(path), target).dispatches]


def test_no_share_is_of_nothing(gpu):
    target = replace(target_of(gpu, "fp32"), workgroups=132)
    for depth in range(8, 700, 13):
        for tile, count, _ in shared_tiles(49, 64, depth, 16, target):
            part = -(-depth // (8 * tile.slices * count)) * 8
            assert part * tile.slices * (count - 1) < depth, (depth, count, tile)


def test_the_sums_of_all_shares_can_be_bound(gpu):
    """As many shares as their memory may be, and none where that is one."""
    target = replace(target_of(gpu, "fp32"), workgroups=132)
    free = fastest(49, 128, 1152, None, target)
    assert free is not None and free.shares > 3
    bound = fastest(49, 128, 1152, None, replace(target, max_binding=49 * 128 * 16 * 3))
    assert bound is not None and bound.shares == 3
    assert fastest(49, 128, 1152, None, replace(target, max_binding=49 * 128 * 16)) is None
