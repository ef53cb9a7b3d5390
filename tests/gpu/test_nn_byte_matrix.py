"""Quantized networks on matrices of bytes: Tint takes every kernel, and with loops in place of the matrices
it computes, to the last bit, what the engine's other kernels compute, and what onnxruntime does.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from nn_cases import integer_reference, save
from onnx import helper
from test_nn_quantized import Builder
from test_nn_subgroup_matrix import _reader, count_that_share

from desktop.base.webgpu import chosen
from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, lower_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.kernels import byte_matrix
from desktop.compute.nn.kernels.byte_matrix import ByteMatrices, shift_of, shifted_bias
from desktop.compute.nn.kernels.matrix import IntegerDetail
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.runtime.session import WgpuSession

pytestmark = pytest.mark.skipif(chosen().name != "dawn", reason="this process has wgpu-native")

TILES = byte_matrix.TILES
SMALL = ByteMatrices(32, 32, 64, (16, 32), slices=2)
"""Tile that a software adapter compiles fastest."""
KERNEL = ByteMatrices.kernel

CASES = {
    # x, w, attributes
    "padded": ((2, 24, 13, 11), (40, 24, 3, 3), {"pads": [1, 1, 1, 1]}),
    "strided": ((1, 24, 13, 11), (40, 24, 4, 3), {"strides": [2, 1], "dilations": [2, 1], "pads": [2, 0, 0, 1]}),
    "pointwise": ((1, 70, 9, 11), (33, 70, 1, 1), {}),
    "strided pointwise": ((1, 64, 13, 12), (32, 64, 1, 1), {"strides": [2, 2]}),
    "odd channels": ((1, 37, 9, 10), (45, 37, 3, 3), {"pads": [1, 0, 1, 2]}),
    "groups": ((1, 24, 12, 12), (32, 12, 3, 3), {"group": 2, "pads": [1, 1, 1, 1]}),
    "picture": ((1, 3, 30, 33), (32, 3, 7, 7), {"strides": [2, 2], "pads": [3, 3, 3, 3]}),
    "wide": ((1, 72, 12, 11), (128, 72, 1, 1), {}),
    "layers": ((1, 16, 5, 7, 6), (24, 16, 3, 3, 3), {"pads": [1] * 6, "strides": [1, 2, 1]}),
}  # fmt: skip


def _network(folder, name, kind="uint8", zero=121):
    """Of one convolution; returns its path and its feeds."""
    x, w, attributes = CASES[name]
    build = Builder(kind)
    q = build.quantize("x", 0.02, zero)
    build.add("Conv", [q, *build.weights("c", w, 0.02)], "c", **attributes)
    return build.save(folder, x, build.quantize("c", 0.004 * np.prod(w[1:]) ** 0.5, 130)), _feeds(x)


def _feeds(shape, scale=2.0):
    return {"x": (np.random.default_rng(7).standard_normal(shape) * scale).astype(np.float32)}


def _target(gpu, *, workgroups=132):
    """One of a GPU with matrices of bytes and much workgroup memory."""
    target = target_of(gpu, "fp32")
    return replace(target, workgroups=workgroups, byte_matrices=True, workgroup_memory=1 << 16)


@pytest.fixture
def own_target(gpu, loops_for_matrices):
    """A target with matrices, or loops in their place, and the adapter's own workgroup memory."""
    if byte_matrix.CONFIGURATION not in gpu.matrices:
        loops_for_matrices(byte_matrix, ByteMatrices)
    return replace(_target(gpu), workgroup_memory=gpu.limits["max-compute-workgroup-storage-size"])


def _plan(graph, target, tile=None):
    """With `tile` for each product that it is valid for."""
    keys = [site.decision.key for site in lower_graph(graph, target).sites] if tile else []
    return make_plan(graph, target, Tuning({key: str(tile) for key in keys}))


def _run(gpu, graph, plan, feeds):
    session = WgpuSession(gpu, Prepared(graph, plan, "int8"))
    (found,) = session.run(feeds).values()
    session.close()
    return found


def _kernels(plan):
    return [dispatch.kernel for dispatch in plan.dispatches]


def _check(gpu, path, feeds, target, tile=SMALL, *, count=1):
    """With matrices as without, and as onnxruntime; returns the results."""
    graph = build_graph(path)
    plan = _plan(graph, target, tile)
    assert _kernels(plan).count(KERNEL) == count
    assert tile is None or set(_tiles(graph, target, plan)) == {str(tile)}
    found = _run(gpu, graph, plan, feeds)
    others = _plan(graph, replace(target, byte_matrices=False))
    assert KERNEL not in _kernels(others)
    np.testing.assert_array_equal(found, _run(gpu, graph, others, feeds), str(tile))
    (expected,) = integer_reference(path, feeds).values()
    values = np.unique(expected)
    assert values.size > 16
    # A wrong integer is off by a whole step of the grid.
    np.testing.assert_allclose(found, expected, rtol=0, atol=np.diff(values).min() / 100, err_msg=str(tile))
    return found


def _tiles(graph, target, plan):
    """Names of those that a plan of `graph` has."""
    sites = [
        site for site in lower_graph(graph, target).sites if isinstance(site.decision.rule, ByteMatrices)
    ]
    return [plan.dispatches[site.index].tuned or str(site.decision.rule) for site in sites]


def test_tint_takes_every_tile(gpu, tmp_path):
    seen = set()
    for name in CASES:
        graph = build_graph(_network(tmp_path, name)[0])
        for tile in TILES:
            plan = _plan(graph, _target(gpu), tile)
            (code,) = [
                each.code for each in plan.dispatches if each.kernel == KERNEL
            ]  # by the rule where the tile wastes too much
            assert "subgroupMatrixMultiplyAccumulate" in code
            _reader().create_shader_module(code=code)
            seen |= set(_tiles(graph, _target(gpu), plan))
    assert seen == {str(tile) for tile in TILES}


def test_tiles_are_valid():
    """What the kernel's text takes for granted of one."""
    for tile in TILES:
        assert tile.threads <= 256 and tile.threads % (tile.depth // 4) == 0, tile
        assert tile.rows * tile.depth // 4 % tile.threads == 0, tile
        assert tile.columns * tile.depth // 16 % tile.threads == 0, tile
        assert tile.depth // tile.slices % 32 == 0 and byte_matrix._PADDED % tile.depth == 0, tile
        drained = tile.parts[0] * tile.at_once * 16 * tile.columns // 4
        assert drained % tile.threads == 0 and tile.threads % (tile.columns // 4) == 0, tile
        assert tile.rows % tile.part[0] == tile.columns % tile.part[1] == 0, tile
    assert len(set(map(str, TILES))) == len(TILES)


# A software adapter takes ten seconds to compile one.
@pytest.mark.parametrize("tile", TILES, ids=str)
def test_every_tile_computes_the_same(gpu, tmp_path, own_target, tile):
    if tile.memory > own_target.workgroup_memory:
        pytest.skip("more workgroup memory than this adapter has")
    x, w = (1, 36, 13, 11), (100, 36, 3, 3)
    build = Builder("uint8")
    q = build.quantize("x", 0.02, 121)
    build.add("Conv", [q, *build.weights("c", w, 0.02)], "c", pads=[1, 1, 1, 1])
    _check(gpu, build.save(tmp_path, x, build.quantize("c", 0.1, 130)), _feeds(x), own_target, tile)


@pytest.mark.parametrize("name", CASES)
def test_a_convolution(gpu, tmp_path, own_target, name):
    _check(gpu, *_network(tmp_path, name), own_target)


@pytest.mark.parametrize(
    ("kind", "zero"),
    [("int8", 0), ("int8", 128), ("int8", 255), ("uint8", 0), ("uint8", 127), ("uint8", 129), ("uint8", 255)],
)
def test_zero_points(gpu, tmp_path, own_target, kind, zero):
    """From bytes that lie as they are to those that are moved by 128 either way: the padding is a number of
    them.
    """
    found = _check(gpu, *_network(tmp_path, "padded", kind, zero), own_target)
    assert found.min() < 0 < found.max()


def test_sums_beyond_24_bits(gpu, tmp_path, own_target):
    shape = (1, 600, 8, 6)
    build = Builder("uint8")
    q = build.quantize("x", 0.01, 3)
    names = build.weights("c", (36, 600, 1, 1), 0.01)
    build.constants["c_w"] = np.where(build.constants["c_w"] < 0, -127, 127).astype(np.int8)
    build.constants["c_w"][::2] = np.abs(build.constants["c_w"][::2])
    build.add("Conv", [q, *names], "c")
    path = build.save(tmp_path, shape, build.quantize("c", 6.0, 10))
    feeds = _feeds(shape, 3.0)
    graph = build_graph(path)
    others = _plan(graph, replace(own_target, byte_matrices=False))
    assert any("vec4<i32>" in each.code for each in others.dispatches)
    _check(gpu, path, feeds, own_target)


@pytest.mark.parametrize("rows", [1, 17, 197])
def test_a_product(gpu, tmp_path, own_target, rows):
    """One row is not worth a tile of sixteen."""
    shape = (1, rows, 72)
    build = Builder("int8")
    q = build.quantize("x", 0.02, 100)
    w, _ = build.weights("m", (72, 136), 0.02, axis=1)
    build.add("MatMul", [q, w], "m")
    path = build.save(tmp_path, shape, build.quantize("m", 0.05, 120))
    tile = ByteMatrices(16, 32, 128, (16, 32), slices=4, buffers=1) if rows == 17 else SMALL
    graph = build_graph(path)
    if rows == 1:
        assert KERNEL not in _kernels(_plan(graph, own_target, tile))
    else:
        _check(gpu, path, _feeds(shape), own_target, tile)


@pytest.mark.parametrize("kind", ["int8", "uint8"])
def test_an_epilogue(gpu, tmp_path, own_target, kind):
    """A residual, an activation and what comes after them, by the rule."""
    shape = (1, 36, 12, 11)
    build = Builder(kind)
    q = build.quantize("x", 0.03, 128)
    build.add("Conv", [q, *build.weights("c", (36, 36, 1, 1), 0.03)], "c")
    build.add("Relu", ["c"], "r")
    a = build.quantize("r", 0.03, 0)
    build.add("Conv", [a, *build.weights("d", (36, 36, 3, 3), 0.03)], "d", pads=[1, 1, 1, 1])
    d = build.quantize("d", 0.12, 140)
    build.add("Add", [a, d], "s")
    build.add("Relu", ["s"], "t")
    path = build.save(tmp_path, shape, build.quantize("t", 0.1, 0))
    _check(gpu, path, _feeds(shape), own_target, count=2)


def test_qlinear_conv(gpu, tmp_path, own_target):
    """uint8 weights with a zero point."""
    random = np.random.default_rng(5)
    constants = {
        "s": np.float32(0.02), "z": np.uint8(255),
        "w": random.integers(0, 256, (40, 20, 3, 3)).astype(np.uint8), "ws": np.float32(0.01),
        "wz": np.uint8(128), "b": random.integers(-2000, 2000, 40).astype(np.int32),
        "cs": np.float32(0.3), "cz": np.uint8(200),
    }  # fmt: skip
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
        helper.make_node(
            "QLinearConv", ["q", "s", "z", "w", "ws", "wz", "cs", "cz", "b"], ["c"], pads=[1, 1, 1, 1]
        ),
        helper.make_node("DequantizeLinear", ["c", "cs", "cz"], ["y"]),
    ]
    shape = (1, 20, 11, 10)
    path = save(tmp_path / "m.onnx", nodes, {"x": shape}, "y", constants)
    _check(gpu, path, _feeds(shape), own_target)


def _whole(graph, lowest, highest):
    """The graph with its convolution told to be one of whole numbers."""
    detail = IntegerDetail(lowest, highest)
    return graph.with_nodes([n.with_detail(detail) if n.op == "Conv" else n for n in graph.nodes], {})


def _reflected(folder, lowest, highest, weights=None, bias=None):
    """A convolution whose input is found by an `InputMap`, of whole numbers in float32."""
    random = np.random.default_rng(2)
    shape = (1, 20, 11, 12)
    constants = {
        "around": np.int64([0, 0, 2, 2, 0, 0, 2, 2]),
        "w": random.integers(-128, 128, (36, 20, 5, 5)).astype(np.float32) if weights is None else weights,
        "b": random.integers(-9999, 9999, 36).astype(np.float32) if bias is None else bias,
    }
    nodes = [
        helper.make_node("Pad", ["x", "around"], ["p"], mode="reflect"),
        helper.make_node("Conv", ["p", "w", "b"], ["y"]),
    ]
    path = save(folder / "reflected.onnx", nodes, {"x": shape}, "y", constants)
    feeds = {"x": random.integers(lowest, highest + 1, shape).astype(np.float32)}
    return path, feeds


@pytest.mark.parametrize(("lowest", "highest"), [(-128, 127), (0, 255), (-255, 0), (-40, 215), (5, 200)])
def test_pixels_that_are_mapped(gpu, tmp_path, own_target, lowest, highest):
    path, feeds = _reflected(tmp_path, lowest, highest)
    graph = _whole(build_graph(path), lowest, highest)
    plan = _plan(graph, own_target, SMALL)
    (code,) = [each.code for each in plan.dispatches if each.kernel == KERNEL]
    assert "const MAPPED = 1u" in code
    x, w = np.pad(feeds["x"], ((0, 0), (0, 0), (2, 2), (2, 2)), mode="reflect"), graph.constants["w"]
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.int64), (5, 5), (2, 3))
    expected = np.einsum("bchwij,ocij->bohw", windows, w.astype(np.int64))
    expected += graph.constants["b"].astype(np.int64)[:, None, None]
    np.testing.assert_array_equal(_run(gpu, graph, plan, feeds), expected.astype(np.float32))


def test_what_bytes_do_not_hold_is_computed_otherwise(gpu, tmp_path):
    """Of all that fits but one number."""
    w = np.random.default_rng(3).integers(-128, 128, (36, 20, 5, 5)).astype(np.float32)

    def changed(number):
        other = w.copy()
        other[7, 3, 2, 1] = number
        return other

    bias = np.zeros(36, np.float32)
    cases = [
        (-128, 127, w, bias, True),
        (-1, 254, w, bias, True),
        (-1, 255, w, bias, False),
        (-128, 128, w, bias, False),
        (2, 256, w, bias, False),  # the padding's zero counts
        (-128, 127, changed(128), bias, False),
        (-128, 127, changed(-129), bias, False),
        (-128, 127, changed(0.5), bias, False),
        (-128, 127, w, bias + 0.5, False),
        (-128, 127, w, bias + np.float32(2.0**31 - 128), False),
    ]
    for lowest, highest, weights, added, taken in cases:
        path, _ = _reflected(tmp_path, 0, 1, weights, added)
        kernels = _kernels(make_plan(_whole(build_graph(path), lowest, highest), _target(gpu)))
        assert (KERNEL in kernels) == taken, (lowest, highest)


def test_weights_whose_zero_point_takes_them_beyond_a_byte(gpu, tmp_path):
    path, _ = _network(tmp_path, "padded")
    assert KERNEL in _kernels(make_plan(build_graph(path), _target(gpu)))
    build = Builder("uint8")
    q = build.quantize("x", 0.02, 121)
    names = build.weights("c", (40, 24, 3, 3), 0.02, per_channel=False)
    build.constants["c_w"] = np.random.default_rng(0).integers(0, 256, (40, 24, 3, 3)).astype(np.uint8)
    build.constants["c_wz"] = np.uint8(100)
    build.add("Conv", [q, *names], "c")
    path = build.save(tmp_path, (2, 24, 13, 11), build.quantize("c", 0.1, 130))
    assert KERNEL not in _kernels(make_plan(build_graph(path), _target(gpu)))


def test_numbers_of_two_types_in_one_tensor(gpu, tmp_path):
    """int8 and uint8 of one scale and zero point are from -128 to 255 together."""
    random = np.random.default_rng(1)
    nodes, constants = [], {"s": np.float32(0.02), "ws": np.float32(0.01), "wz": np.int8(0)}
    for kind in (np.int8, np.uint8):
        name = np.dtype(kind).name
        constants[f"{name}_z"] = kind(0)
        nodes += [
            helper.make_node("QuantizeLinear", ["x", "s", f"{name}_z"], [f"{name}_q"]),
            helper.make_node("DequantizeLinear", [f"{name}_q", "s", f"{name}_z"], [name]),
        ]
    constants["w"] = random.integers(-127, 128, (32, 32, 1, 1)).astype(np.int8)
    nodes += [
        helper.make_node("Concat", ["int8", "uint8"], ["c"], axis=1),
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wf"]),
        helper.make_node("Conv", ["c", "wf"], ["d"]),
        helper.make_node("QuantizeLinear", ["d", "s", "int8_z"], ["e"]),
        helper.make_node("DequantizeLinear", ["e", "s", "int8_z"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 16, 9, 9)}, "y", constants)
    graph = build_graph(path)
    (whole,) = filter(None, (each.detail(IntegerDetail) for each in graph.nodes))
    assert (whole.lowest, whole.highest) == (-128, 255)
    assert KERNEL not in _kernels(make_plan(graph, _target(gpu)))


def test_shifts():
    found = [
        shift_of(IntegerDetail(*bounds)) for bounds in ((-128, 127), (0, 255), (-255, 0), (3, 9), (-1, 200))
    ]
    assert found == [0, -128, 127, 0, -127]
    assert shift_of(IntegerDetail(-100, 156)) is None


def test_sums_that_no_int32_holds():
    weights = np.full((1, 1 << 17, 1), 127, np.float32)
    (plain,) = shifted_bias(weights[:, : 1 << 16], np.float64([5]), 0)
    (moved,) = shifted_bias(weights[:, : 1 << 16], np.float64([5]), -128)
    assert (plain, moved) == (5, 5 + 128 * 127 * (1 << 16))
    assert shifted_bias(weights, None, 0) is not None
    assert shifted_bias(weights, None, -128) is None
    assert shifted_bias(weights[:, :1], np.float64([2.0**31]), 0) is None


def test_candidates_read_the_same_memory(gpu, tmp_path):
    """As the tuner asks of them: it puts one dispatch in the place of another."""
    seen = 0
    for name in CASES:
        graph, target = build_graph(_network(tmp_path, name)[0]), _target(gpu)
        assert all(site.decision.exact for site in lower_graph(graph, target).sites)
        seen += count_that_share(graph, target)
    assert seen > 50


def test_other_networks_have_the_plans_they_had(gpu, tmp_path):
    """Those of floats, and all on a device without such matrices."""
    build = Builder("uint8")
    build.constants["w"] = np.ones((32, 24, 3, 3), np.float32)
    path = save(
        tmp_path / "f.onnx",
        [helper.make_node("Conv", ["x", "w"], ["y"])],
        {"x": (1, 24, 12, 12)},
        "y",
        build.constants,
    )
    target = _target(gpu)
    for with_bytes in (False, True):
        assert KERNEL not in _kernels(make_plan(build_graph(path), replace(target, byte_matrices=with_bytes)))
