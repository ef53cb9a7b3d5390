"""Kernels that are compiled without checks of their indices stay inside all their arrays: every index that
they use is looked at.

Storage is bound as the session binds it, so that an array's end is that of its memory.
"""

from __future__ import annotations

import ast
import contextlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from differential.case import make
from index_watch import beyond, moved, watched
from nn_cases import save
from onnx import helper
from test_nn_tuning import CASES

from desktop.base.errors import ModelError
from desktop.base.webgpu import chosen
from desktop.compute.nn.compile.cache import Prepared
from desktop.compute.nn.compile.driver import build_graph, lower_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.lowering.tuning import Tuning
from desktop.compute.nn.runtime.session import WgpuSession

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(chosen().name == "dawn", reason="Dawn compiles everything with checks"),
]

SEEDS = range(60)
DESKTOP = Path(__file__).parents[2] / "desktop"


def _one(op, shape, inputs=(), constants=(), **attributes):
    """How to write a network of one node that reads `x`, further inputs of the shapes given, and constants of
    the shapes given.
    """
    shapes = {"x": shape, **{f"in{n}": each for n, each in enumerate(inputs)}}
    arrays = {f"c{n}": np.random.default_rng(n).random(each, np.float32) for n, each in enumerate(constants)}

    def write(path):
        node = helper.make_node(op, [*shapes, *arrays], ["y"], **attributes)
        return save(path, [node], shapes, "y", arrays, opset=21)

    return write


def _attention(heads, queries, keys, head, causal=0):
    def write(path):
        sizes = {"q": (2, heads, queries, head), "k": (2, heads, keys, head), "v": (2, heads, keys, head)}
        node = helper.make_node("Attention", list(sizes), ["y"], is_causal=causal)
        return save(path, [node], sizes, "y", opset=23)

    return write


def _normalized(rows, depth, columns):
    """A product, its residual and the normalization of both."""

    def write(path):
        nodes = [
            helper.make_node("MatMul", ["x", "w"], ["p"]),
            helper.make_node("Add", ["p", "r"], ["s"]),
            helper.make_node("LayerNormalization", ["s", "scale", "bias"], ["n"]),
            helper.make_node("Add", ["s", "n"], ["y"]),
        ]
        constants = {"w": (depth, columns), "scale": (columns,), "bias": (columns,)}
        made = {name: np.full(shape, 0.01, np.float32) for name, shape in constants.items()}
        return save(path, nodes, {"x": (1, rows, depth), "r": (1, rows, columns)}, "y", made, opset=17)

    return write


def _transposed(path):
    """Both factors of a product, of odd sizes."""
    nodes = [
        helper.make_node("Transpose", ["x"], ["a"], perm=[0, 2, 1]),
        helper.make_node("Transpose", ["z"], ["b"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["a", "b"], ["y"]),
    ]
    return save(path, nodes, {"x": (2, 61, 37), "z": (2, 35, 61)}, "y")


def _growing(path):
    """A convolution that writes behind what it reads, of vec4s that are no octets."""
    nodes = [
        helper.make_node("Conv", ["x", "v"], ["a"], pads=[1] * 4),
        helper.make_node("Conv", ["a", "w"], ["b"], pads=[1] * 4),
        helper.make_node("Concat", ["a", "b"], ["c"], axis=1),
        helper.make_node("Neg", ["c"], ["y"]),
    ]
    made = {"v": np.full((12, 5, 3, 3), 0.01, np.float32), "w": np.full((16, 12, 3, 3), 0.01, np.float32)}
    return save(path, nodes, {"x": (2, 5, 9, 7)}, "y", made)


def _moved(path):
    """A roll, a padding and a stretched operand, of channels that are no whole vec4s, then ones that are."""
    constants = {
        "zero": [0],
        "two": [2],
        "end": [9],
        "axis": [1],
        "pads": [0, 1, 0, 0, 2, 1],
        "s": [2, 56, 3],
    }
    nodes = [
        helper.make_node("Slice", ["x", "two", "end", "axis"], ["a"]),
        helper.make_node("Slice", ["x", "zero", "two", "axis"], ["b"]),
        helper.make_node("Concat", ["a", "b"], ["c"], axis=1),
        helper.make_node("Pad", ["c", "pads"], ["d"]),
        helper.make_node("Sub", ["d", "w"], ["e"]),
        helper.make_node("Transpose", ["e"], ["f"], perm=[0, 2, 1]),
        helper.make_node("Reshape", ["f", "s"], ["g"]),
        helper.make_node("Slice", ["g", "end", "zero", "axis", "back"], ["h"]),
        helper.make_node("Relu", ["h"], ["y"]),
    ]
    arrays = {name: np.array(numbers, np.int64) for name, numbers in constants.items()}
    arrays |= {"w": np.ones((12, 1), np.float32), "back": np.array([-1], np.int64)}
    return save(path, nodes, {"x": (2, 9, 13)}, "y", arrays, opset=17)


OTHERS = {
    "moved": _moved,
    "attention": _attention(3, 75, 71, 40),
    "attention, few keys": _attention(2, 9, 5, 24, causal=1),
    "attention, wide": _attention(1, 130, 200, 160),
    "attention, odd": _attention(1, 33, 70, 13),
    "pool": _one(
        "MaxPool", (2, 9, 13, 11), kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1], ceil_mode=1
    ),
    "average": _one("AveragePool", (1, 10, 9, 7), kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    "line": _one("MaxPool", (2, 5, 31), kernel_shape=[4], strides=[3], pads=[1, 2], dilations=[2]),
    "pooled volume": _one(
        "MaxPool", (1, 5, 6, 7, 8), kernel_shape=[2, 3, 2], pads=[0, 1, 1, 1, 1, 0], strides=[1, 2, 2]
    ),
    "averaged volume": _one(
        "AveragePool", (1, 5, 6, 7, 8), kernel_shape=[3, 3, 3], pads=[1] * 6, count_include_pad=1
    ),
    "computed weights": _one("Conv", (2, 6, 9, 7), [(4, 3, 3, 2)], group=2, pads=[1, 0, 2, 1]),
    "many channels": _one("Conv", (2, 40, 17, 15), constants=[(36, 40, 3, 3)], pads=[1] * 4),
    "shared depth": _one("Conv", (1, 510, 7, 7), constants=[(60, 510, 3, 3)], pads=[1] * 4),
    "volume": _one("Conv", (1, 5, 4, 6, 7), constants=[(6, 5, 3, 3, 3)], pads=[1] * 6),
    "depthwise": _one(
        "Conv", (2, 10, 11, 13), constants=[(10, 1, 5, 5)], group=10, strides=[2, 3], pads=[2] * 4
    ),
    "transposed": _one(
        "ConvTranspose", (2, 9, 5, 7), constants=[(9, 6, 3, 4)], strides=[2, 3], pads=[1, 0, 0, 2]
    ),
    "transposed, dilated": _one(
        "ConvTranspose",
        (2, 9, 5, 7),
        constants=[(9, 6, 3, 4)],
        strides=[2, 3],
        dilations=[1, 2],
        pads=[1, 0, 0, 2],
    ),
    "pad": _one("Pad", (2, 5, 6, 7), mode="reflect", pads=[0, 0, 2, 3, 0, 0, 4, 1]),
    "lrn": _one("LRN", (2, 11, 5, 6), size=5),
    "softmax": _one("Softmax", (3, 70)),
    "softmax of columns": _one("Softmax", (2, 35, 9), axis=1),
    "global average": _one("GlobalAveragePool", (2, 9, 33, 35)),
    "instance": _one("InstanceNormalization", (2, 9, 31, 37), constants=[(9,), (9,)]),
    "group": _one("GroupNormalization", (2, 12, 31, 37), constants=[(12,), (12,)], num_groups=3),
    "rows held": _one("LayerNormalization", (7, 768), constants=[(768,), (768,)]),
    "rows": _one("LayerNormalization", (3, 5, 77), constants=[(77,), (77,)]),
    "product": _one("MatMul", (2, 3, 37, 21), [(3, 21, 70)]),
    "product of a shared depth": _one("MatMul", (3, 37, 405), [(3, 405, 50)]),
    "transposed products": _transposed,
    "growing": _growing,
    "one row": _one("MatMul", (1, 1030), constants=[(1030, 137)]),
    "normalized product": _normalized(37, 2304, 96),
    "sum": _one("Add", (2, 7, 9, 5), [(7, 1, 5)]),
}


def _feeds(graph):
    generator = np.random.default_rng(0)

    def made(name):
        value = graph.values[name]
        if value.dtype in ("float32", "float16"):
            return generator.standard_normal(value.shape).astype(value.dtype)
        return generator.integers(0, 2, value.shape).astype(value.dtype)

    return {name: made(name) for name in graph.inputs}


def _look(gpu, graph, target, feeds, seen, tuning=None):
    """Run each dispatch that is compiled without checks, watched, on what it is given in the network."""
    plan = make_plan(graph, target, tuning)
    found = {(each.code, each.workgroups) for each in plan.dispatches if each.own_indices}
    if found <= seen.keys():
        return
    session = WgpuSession(gpu, Prepared(graph, plan, "fp16" if target.dtype == "float16" else "fp32"))
    session.run(feeds)
    try:
        for dispatch in plan.dispatches:
            if not dispatch.own_indices or (dispatch.code, dispatch.workgroups) in seen:
                continue
            seen[dispatch.code, dispatch.workgroups] = dispatch.kernel
            # Indices do not hang on numbers in memory, so that it does not matter what a shared slot holds by
            # now.
            assert not beyond(gpu, session, dispatch), (dispatch.node, dispatch.kernel, dispatch.workgroups)
    finally:
        session.close()


def _targets(gpu):
    for precision in ("fp32", "fp16") if gpu.has("shader-f16") else ("fp32",):
        for workgroups in (1, 128):
            yield replace(target_of(gpu, precision), workgroups=workgroups)


def test_an_index_beyond_the_end_is_seen(gpu, tmp_path):
    path = CASES["conv"](tmp_path / "m.onnx")
    graph = build_graph(path)
    target = replace(target_of(gpu, "fp32"), workgroups=128)
    plan = make_plan(graph, target)
    session = WgpuSession(gpu, Prepared(graph, plan, "fp32"))
    session.run(_feeds(graph))
    (dispatch,) = [each for each in plan.dispatches if each.kernel.startswith("conv")]
    assert not beyond(gpu, session, dispatch)
    assert set(beyond(gpu, session, moved(dispatch, "bias[", "bias[4096u + "))) == {"bias"}
    session.close()


def test_every_index_is_watched(gpu, tmp_path):
    nodes = [helper.make_node("Softmax", ["x"], ["y"])]
    graph = build_graph(save(tmp_path / "m.onnx", nodes, {"x": (3, 70)}, "y"))
    plan = make_plan(graph, replace(target_of(gpu, "fp32"), workgroups=128))
    (dispatch,) = [each for each in plan.dispatches if each.kernel == "softmax"]
    code, names = watched(dispatch)
    assert set(names) == {"x", "y", "partial"}
    for name in names:
        assert code.count(f"{name}[") == code.count(f"{name}[seen_{name}(")


def _marked():
    """The names that the sources give kernels which are compiled without checks, where they are written out."""
    found = set()
    for path in DESKTOP.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and any(k.arg == "own_indices" for k in call.keywords):
                found |= {each.value for each in call.args[:1] if isinstance(each, ast.Constant)}
    return found


def _kernels(graph, target):
    """The names of a network's kernels that are compiled without checks."""
    return {each.kernel for each in make_plan(graph, target).dispatches if each.own_indices}


# A test for each, as the driver compiles ten minutes of kernels in all where it has kept none.
@pytest.mark.usefixtures("winograd_anywhere")
@pytest.mark.parametrize("name", OTHERS)
def test_kernels_stay_inside(gpu, tmp_path, name):
    graph = build_graph(OTHERS[name](tmp_path / "m.onnx"))
    seen = {}
    for target in _targets(gpu):
        _look(gpu, graph, target, _feeds(graph), seen)


@pytest.mark.usefixtures("winograd_anywhere")
def test_each_such_kernel_is_looked_at(gpu, tmp_path):
    kernels = set()
    for write in OTHERS.values():
        graph = build_graph(write(tmp_path / "m.onnx"))
        for target in _targets(gpu):
            kernels |= _kernels(graph, target)
    marked = _marked()
    assert len(marked) > 10
    assert marked <= kernels, marked - kernels
    assert {"conv_sliced", "attention"} <= kernels


@pytest.mark.parametrize("name", CASES)
def test_candidates_stay_inside(gpu, tmp_path, name):
    graph = build_graph(CASES[name](tmp_path / "m.onnx"))
    feeds, seen = _feeds(graph), {}
    for target in _targets(gpu):
        for site in lower_graph(graph, target).sites:
            for candidate in site.decision.candidates:
                _look(gpu, graph, target, feeds, seen, Tuning({site.decision.key: str(candidate)}))
    assert len(seen) >= 3


def _random_graphs(seeds, folder):
    """Graphs of every operator that has such kernels, in the sizes that the differential test draws, and feeds."""
    for seed in seeds:
        graph_made = make(seed)
        path = folder / f"{seed}.onnx"
        path.write_bytes(graph_made.model().SerializeToString())
        with contextlib.suppress(ModelError):  # refused, as the differential test knows
            yield build_graph(path), graph_made.feeds()


@pytest.mark.parametrize("first", SEEDS[::10])
def test_random_graphs_stay_inside(gpu, tmp_path, first):
    seen = {}
    for graph, feeds in _random_graphs(range(first, first + 10), tmp_path):
        with contextlib.suppress(ModelError):
            for target in _targets(gpu):
                _look(gpu, graph, target, feeds, seen)
    assert seen


def test_random_graphs_have_kernels_of_many_kinds(gpu, tmp_path):
    kernels = set()
    for graph, _ in _random_graphs(SEEDS, tmp_path):
        with contextlib.suppress(ModelError):
            for target in _targets(gpu):
                kernels |= _kernels(graph, target)
    assert {"conv_sliced", "matmul", "normalize", "softmax", "elementwise", "pool"} <= kernels, kernels
