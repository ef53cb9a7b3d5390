"""In 16 bits: places, angles, sums of squares and masks beside ONNX Runtime's float32; on any adapter: what
the plan stores them as.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import pytest
from nn_cases import check, reference, session_for
from onnx import TensorProto, helper, numpy_helper

from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.ir.scalar import narrowed
from desktop.compute.nn.measure.report import DEFAULT_LIMITS
from desktop.compute.nn.passes.full_precision import full_precision

LOWEST = np.finfo(np.float32).min
TOLERANCE = 2e-3
"""Relative, as of any network in 16 bits; places rounded to 16 bits are 4e-3 to 1e-1 off, squares beyond them
4e-2 to 1, a mask that became infinite is NaN.
"""


@dataclass(frozen=True)
class Case:
    """Nodes as (operator, inputs, output, attributes), arrays, and the values that have to lie in float32."""

    nodes: tuple[tuple[str, list[str], str, dict[str, object]], ...]
    feeds: dict[str, np.ndarray]
    constants: dict[str, np.ndarray]


def _cases() -> dict[str, Case]:
    rng = np.random.default_rng(0)

    def f(array: object) -> np.ndarray:
        return np.asarray(array, np.float32)

    y, x = np.meshgrid(np.arange(40), np.arange(240), indexing="ij")
    at, flow = f(np.stack([x, y], -1)[None]), f(rng.normal(0, 3, (1, 40, 240, 2)))
    picture = f(np.cumsum(rng.normal(0, 1, (1, 8, 40, 240)), -1))
    scale = {"k": f([2 / 239, 2 / 39]), "one": f(1)}
    grid = [("Mul", ["a", "k"], "b", {}), ("Sub", ["b", "one"], "g", {})]
    sample = ("GridSample", ["x", "g"], "y", {"align_corners": 1})
    last = {"perm": [0, 2, 3, 1]}
    both = [("Sin", ["a"], "s", {}), ("Cos", ["a"], "c", {}), ("Concat", ["s", "c"], "y", {"axis": -1})]
    falling = f(10000 ** (-np.arange(64) / 64))
    softmax = ("Softmax", ["m"], "y", {"axis": -1})
    scores, keep = f(rng.normal(0, 1, (1, 4, 8, 8))), f(rng.random((1, 1, 8, 8)) < 0.5)
    keep[0, 0, 0] = 0  # a row that is masked everywhere
    loud, quiet = f(rng.normal(0, 300, (1, 40, 64))), f(rng.normal(0, 1e-4, (1, 40, 64)))
    other = f(rng.normal(0, 300, (1, 40, 64)))
    rms = [("Add", ["m", "eps"], "e", {}), ("Sqrt", ["e"], "s", {}), ("Div", ["a", "s"], "y", {})]
    eps = {"ax": np.array([-1]), "eps": f(1e-12), "two": f(2)}
    boxes = f(np.sort(rng.uniform(0, 1, (12, 2, 2)), axis=1).reshape(12, 4))
    pooled = {"spatial_scale": 1 / 16, "output_height": 7, "output_width": 7, "sampling_ratio": 2}
    return {
        "warp by a flow": Case(
            (("Add", ["flow", "at"], "a", {}), *grid, sample),
            {"x": picture, "flow": flow},
            {"at": at, **scale},
        ),
        "warp by a turned flow": Case(
            (("Add", ["flow", "at"], "p", {}), ("Transpose", ["p"], "a", last), *grid, sample),
            {"x": picture, "flow": np.ascontiguousarray(np.moveaxis(flow, -1, 1))},
            {"at": np.ascontiguousarray(np.moveaxis(at, -1, 1)), **scale},
        ),
        "time of a diffusion step": Case(
            (("Mul", ["t", "f"], "a", {}), *both), {"t": f([[981]])}, {"f": falling[None]}
        ),
        "Fourier features": Case(
            (("Unsqueeze", ["t", "ax"], "u", {}), ("Mul", ["u", "f"], "a", {}), *both),
            {"t": f(rng.uniform(0, 3, (64, 3)))},
            {"ax": np.array([-1]), "f": f(2.0 ** np.arange(10))},
        ),
        "frequencies by a product": Case(
            (("MatMul", ["t", "f"], "a", {}), *both),
            {"t": f(np.arange(300)[None, :, None])},
            {"f": falling[None]},
        ),
        "positions by a product, turned": Case(
            (("MatMul", ["f", "t"], "p", {}), ("Transpose", ["p"], "a", {"perm": [0, 2, 1]}), *both),
            {"t": f(np.arange(300)[None, None]), "f": falling[None, :, None]},
            {},
        ),
        "points by a random matrix": Case(
            (("MatMul", ["t", "w"], "p", {}), ("Mul", ["p", "turn"], "a", {}), *both),
            {"t": f(rng.uniform(-1, 1, (1, 64, 2)))},
            {"w": f(rng.normal(0, 4, (2, 64))), "turn": f(2 * np.pi)},
        ),
        "mean of squares": Case(
            (
                ("Relu", ["x"], "a", {}),
                ("Mul", ["a", "a"], "q", {}),
                ("ReduceMean", ["q", "ax"], "m", {}),
                *rms,
            ),
            {"x": loud},
            eps,
        ),
        "squares that are turned before their mean": Case(
            (
                ("Relu", ["x"], "a", {}),
                ("Pow", ["a", "two"], "p", {}),
                ("Reshape", ["p", "whole"], "q", {}),
                ("ReduceMean", ["q", "ax"], "m", {}),
                *rms,
            ),
            {"x": loud},
            {**eps, "whole": np.array([1, 40, 64])},
        ),
        "variance of the quiet": Case(
            (
                ("ReduceMean", ["x", "ax"], "n", {}),
                ("Sub", ["x", "n"], "a", {}),
                ("Mul", ["a", "a"], "q", {}),
                ("ReduceMean", ["q", "ax"], "m", {}),
                ("Sqrt", ["m"], "y", {}),
            ),
            {"x": quiet},
            eps,
        ),
        "variance of a picture": Case(
            (
                ("GlobalAveragePool", ["x"], "n", {}),
                ("Sub", ["x", "n"], "a", {}),
                ("Mul", ["a", "a"], "q", {}),
                ("GlobalAveragePool", ["q"], "m", {}),
                *rms,
            ),
            {"x": f(rng.normal(0, 300, (1, 8, 12, 20)))},
            eps,
        ),
        "sum of squares": Case(
            (("Relu", ["x"], "a", {}), ("ReduceSumSquare", ["a", "ax"], "m", {}), *rms), {"x": loud}, eps
        ),
        "share of a sum": Case(
            (("Abs", ["x"], "a", {}), ("ReduceSum", ["a"], "m", {}), ("Div", ["a", "m"], "y", {})),
            {"x": loud},
            {},
        ),
        "cosine": Case(
            (
                ("Neg", ["x"], "a", {}),
                ("Mul", ["a", "z"], "q", {}),
                ("ReduceSum", ["q", "ax"], "m", {}),
                ("ReduceL2", ["a", "ax"], "s", {}),
                ("ReduceL2", ["z", "ax"], "e", {}),
                ("Mul", ["s", "e"], "n", {}),
                ("Div", ["m", "n"], "y", {}),
            ),
            {"x": loud, "z": other},
            {"ax": np.array([-1])},
        ),
        "places counted in a mask": Case(
            (
                ("CumSum", ["mask", "ax"], "n", {}),
                ("Unsqueeze", ["n", "end"], "u", {}),
                ("Mul", ["u", "f"], "a", {}),
                *both,
            ),
            {"mask": np.ones((1, 20, 160), np.float32)},
            {"ax": np.array(2), "end": np.array([-1]), "f": falling},
        ),
        "boxes in pixels": Case(
            (("Mul", ["b", "size"], "r", {}), ("RoiAlign", ["x", "r", "i"], "y", pooled)),
            {"x": f(np.cumsum(rng.normal(0, 1, (1, 4, 60, 120)), -1)), "b": boxes},
            {"size": f([1920, 960, 1920, 960]), "i": np.zeros(12, np.int64)},
        ),
        "mask times the lowest number": Case(
            (
                ("Sub", ["one", "keep"], "n", {}),
                ("Mul", ["n", "low"], "l", {}),
                ("Add", ["q", "l"], "m", {}),
                softmax,
            ),
            {"q": scores, "keep": keep},
            {"one": f(1), "low": np.full((1, 1, 8, 8), LOWEST, np.float32)},
        ),
        "the lowest number in place of a score": Case(
            (
                ("Cast", ["keep"], "is_kept", {"to": TensorProto.BOOL}),
                ("Where", ["is_kept", "q", "low"], "m", {}),
                softmax,
            ),
            {"q": scores, "keep": keep},
            {"low": np.full((1, 1, 8, 8), LOWEST, np.float32)},
        ),
    }


CASES = _cases()


OVERFLOWS = {
    "Cast": [("Cast", ["w"], "h", {"to": TensorProto.FLOAT}), ("Tile", ["h", "one"], "q", {})],
    "MatMul": [("Cast", ["w"], "f", {"to": TensorProto.FLOAT}), ("MatMul", ["f", "f"], "q", {})],
    "Max": [("Cast", ["w"], "f", {"to": TensorProto.FLOAT}), ("Max", ["f", "f", "f"], "q", {})],
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_what_is_beyond_16_bits_is_no_infinity(gpu, tmp_path, name) -> None:
    """A finite number that a kernel of plain numbers stores becomes the largest one: no infinity less itself
    is then no number.
    """
    nodes = [*OVERFLOWS[name], ("Sub", ["q", "q"], "y", {})]
    graph = helper.make_graph(
        [helper.make_node(op, inputs, [output], **more) for op, inputs, output, more in nodes],
        "test",
        [helper.make_tensor_value_info("w", TensorProto.INT32, [4, 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.array([2, 1]), "one")],
    )
    path = tmp_path / "m.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), path)
    feeds = {"w": np.full((4, 4), 175774, np.int32)}
    for precision in ("fp32", *(["fp16"] if gpu.has("shader-f16") else [])):
        session = session_for(gpu, path, precision=precision)
        np.testing.assert_array_equal(session.run(feeds)["y"], reference(path, feeds)["y"])
        session.close()


def _write(path: Path, case: Case) -> Path:
    graph = helper.make_graph(
        [
            helper.make_node(op, inputs, [output], **attributes)
            for op, inputs, output, attributes in case.nodes
        ],
        "test",
        [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape)
            for name, array in case.feeds.items()
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in case.constants.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), path)
    return path


@pytest.mark.parametrize("name", CASES)
def test_places_angles_and_masks_in_16_bits(gpu, tmp_path, name) -> None:
    """As far off as results of 16 bits are, not as places of 16 bits."""
    path = _write(tmp_path / "m.onnx", CASES[name])
    check(gpu, path, CASES[name].feeds)
    if gpu.has("shader-f16"):
        check(gpu, path, CASES[name].feeds, tolerance=TOLERANCE, precision="fp16")


SUMS = ("mean of", "squares", "variance", "share", "cosine")


@pytest.mark.parametrize(
    "name", [name for name in CASES if "lowest" not in name and not any(s in name for s in SUMS)]
)
def test_what_leads_to_places_lies_in_float32(tmp_path, name) -> None:
    """Every value that is stored before the GridSample, RoiAlign or sine, on an adapter that this machine
    need not have.
    """
    case = CASES[name]
    graph = build_graph(_write(tmp_path / "m.onnx", case))
    plan = make_plan(graph, DEFAULT_LIMITS["fp16"])
    held = [value for value in ("p", "a", "b", "g", "n", "u", "r") if value in plan.operands]
    assert held and all(plan.operands[value].dtype == "float32" for value in held)


@pytest.mark.parametrize("name", [name for name in CASES if any(s in name for s in SUMS)])
def test_squares_and_sums_lie_in_float32_and_features_do_not(tmp_path, name) -> None:
    """From the powers to what is divided by, and no more: not what they are computed from."""
    case = CASES[name]
    graph = build_graph(_write(tmp_path / "m.onnx", case), keep=["a"])
    plan = make_plan(graph, DEFAULT_LIMITS["fp16"])
    held = [value for value in ("p", "q", "m", "e", "s") if value in plan.operands]
    assert held and all(plan.operands[value].dtype == "float32" for value in held)
    assert plan.operands["a"].dtype == "float16"


def test_features_without_danger_stay_in_16_bits(tmp_path) -> None:
    """A squeeze and excitation of gated features, a gate, a square that is not summed, a sum of few, a
    normalization that is one node, a wide product and its sine: nothing lies in float32 that a sine does not
    read.
    """
    rng = np.random.default_rng(0)
    nodes = (
        ("Conv", ["x", "w"], "h", {"kernel_shape": [1, 1]}),
        ("Tanh", ["h"], "i", {}),
        ("Mul", ["h", "i"], "j", {}),
        ("GlobalAveragePool", ["j"], "g", {}),
        ("Conv", ["g", "w"], "u", {"kernel_shape": [1, 1]}),
        ("Sigmoid", ["u"], "v", {}),
        ("Mul", ["h", "v"], "n", {}),
        ("Mul", ["n", "n"], "k", {}),
        ("Conv", ["k", "w"], "l", {"kernel_shape": [1, 1]}),
        ("ReduceSum", ["l", "ax"], "m", {}),
        ("InstanceNormalization", ["m", "one", "one"], "o", {}),
        ("Reshape", ["o", "flat"], "r", {}),
        ("MatMul", ["r", "b"], "a", {}),
        ("Sin", ["a"], "y", {}),
    )
    constants = {
        "w": np.asarray(rng.normal(0, 0.3, (8, 8, 1, 1)), np.float32),
        "one": np.ones(8, np.float32),
        "ax": np.array([-1]),
        "flat": np.array([8, 40]),
        "b": np.ones((40, 8), np.float32),
    }
    feeds = {"x": np.asarray(rng.normal(0, 1, (1, 8, 40, 16)), np.float32)}
    graph = build_graph(_write(tmp_path / "m.onnx", Case(nodes, feeds, constants)))
    assert full_precision(graph) == frozenset()


def test_features_stay_in_16_bits(tmp_path) -> None:
    """The picture that is sampled, and what is computed from the sampled one."""
    case = CASES["warp by a flow"]
    nodes = (
        ("Conv", ["x", "w"], "h", {"kernel_shape": [1, 1]}),
        *case.nodes[:-1],
        ("GridSample", ["h", "g"], "s", {"align_corners": 1}),
        ("GlobalAveragePool", ["s"], "y", {}),
    )
    constants = {**case.constants, "w": np.ones((8, 8, 1, 1), np.float32)}
    graph = build_graph(_write(tmp_path / "m.onnx", Case(nodes, case.feeds, constants)))
    plan = make_plan(graph, DEFAULT_LIMITS["fp16"])
    assert {name: plan.operands[name].dtype for name in ("h", "s", "g")} == {
        "h": "float16",
        "s": "float16",
        "g": "float32",
    }


def test_finite_constants_stay_finite() -> None:
    """Infinities, NaN and what 16 bits hold are as NumPy rounds them; the type is kept where it is no
    float16.
    """
    given = np.array([LOWEST, 1e6, 65504, -1.5, np.inf, -np.inf, np.nan], np.float32)
    want = np.array([-65504, 65504, 65504, -1.5, np.inf, -np.inf, np.nan], np.float16)
    np.testing.assert_array_equal(narrowed(given, "float16"), want)
    np.testing.assert_array_equal(narrowed(given, "float32"), given)
    assert narrowed(given[0].reshape(()), "float16") == np.float16(-65504)  # a mask's number of no dimension
