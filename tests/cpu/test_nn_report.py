"""`examine` against counts made by hand, and verification's inputs and measures against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelError, ModelInvalidError
from desktop.compute.nn.compile.flops import node_costs
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.lowering.plan import Dispatch, Operand, Plan, Storage
from desktop.compute.nn.measure.report import DEFAULT_LIMITS, examine, memory_of
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.verification import picture_input, random_input, synthetic_picture, verify


def write(path, nodes, constants, shape=(1, 3, 8, 8), opset=17):
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


def conv_and_gemm(path, last="Gemm", shape=(1, 3, 8, 8)):
    constants = {
        "w": np.ones((6, 3, 3, 3), np.float32),
        "b": np.ones(6, np.float32),
        "g": np.ones((6, 10), np.float32),
        "s": np.array([1, 6]),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv"),
        helper.make_node("Relu", ["c"], ["r"]),
        helper.make_node("GlobalAveragePool", ["r"], ["p"]),
        helper.make_node("Reshape", ["p", "s"], ["f"]),
        helper.make_node(last, ["f", "g"], ["y"], name="last"),
    ]
    return write(path, nodes, constants, shape)


def test_counts_of_a_small_network(tmp_path):
    report = examine(conv_and_gemm(tmp_path / "m.onnx"))
    assert report.operators == {"Conv": 1, "Relu": 1, "GlobalAveragePool": 1, "Reshape": 1, "Gemm": 1}
    assert report.parameters == 6 * 27 + 6 + 60  # the shape is no parameter
    assert [(n.name, n.flops) for n in report.nodes] == [("conv", 2 * 6 * 36 * 27), ("last", 2 * 60)]
    assert report.flops == sum(n.flops for n in report.nodes)
    assert report.opsets == {"ai.onnx": 17}
    assert [(i.name, i.shape) for i in report.inputs] == [("x", (1, 3, 8, 8))]
    assert report.refused == "" and report.unsupported == ()
    whole, half = (choice.memory for choice in report.precisions)
    assert half.weights < whole.weights
    assert whole.peak_live <= whole.activations
    # Input, convolution's result (channels padded to 8) and their being needed together.
    assert whole.peak_live >= 4 * (3 * 64 + 8 * 36)


def test_a_refused_model_still_tells_what_it_is(tmp_path):
    report = examine(conv_and_gemm(tmp_path / "m.onnx", last="Explode"))
    assert report.unsupported == ("Explode 'last' (opset 17)",)
    assert "Explode" in report.refused and report.refused.endswith(".")
    assert report.parameters == 228 and report.operators["Explode"] == 1 and report.flops is None


def test_free_dimensions_are_named_and_bound(tmp_path):
    path = conv_and_gemm(tmp_path / "m.onnx", shape=(1, 3, "h", "w"))
    report = examine(path)
    assert report.inputs[0].shape == (1, 3, "h", "w") and "h" in report.refused
    report = examine(path, input_shapes={"x": (1, 3, 5, 7)})
    assert report.nodes[0].flops == 2 * 6 * 15 * 27


def test_a_precision_that_the_adapter_lacks(tmp_path):
    targets = {"fp32": DEFAULT_LIMITS["fp32"], "fp16": "No halves here."}
    report = examine(conv_and_gemm(tmp_path / "m.onnx"), targets)
    assert report.precisions[1].refused == "No halves here." and report.refused == ""


def test_no_model(tmp_path):
    with pytest.raises(ModelInvalidError):
        examine(tmp_path / "none.onnx")


@pytest.mark.parametrize(
    ("op", "shapes", "attributes", "products"),
    [
        ("Conv", [(2, 8, 10), (4, 2, 3), (2, 4, 8)], {"group": 4}, 2 * 4 * 8 * 2 * 3),
        ("ConvTranspose", [(1, 4, 5, 5), (4, 3, 2, 2), (1, 3, 10, 10)], {}, 4 * 25 * 3 * 4),
        ("MatMul", [(7, 3, 4), (4, 5), (7, 3, 5)], {}, 7 * 3 * 5 * 4),
        ("Gemm", [(4, 3), (4, 5), (3, 5)], {"transA": 1}, 3 * 5 * 4),
        ("Einsum", [(3, 4, 5), (3, 5, 6), (3, 4, 6)], {"equation": "bij,bjk->bik"}, 3 * 4 * 5 * 6),
        ("Attention", [(1, 2, 3, 4), (1, 2, 5, 4), (1, 2, 3, 6)], {}, 2 * 3 * 5 * (4 + 6)),
    ],
)
def test_products(op, shapes, attributes, products):
    names = ("a", "b", "y")
    values = {n: Value(n, shape, "float32") for n, shape in zip(names, shapes, strict=True)}
    graph = Graph((Node(op, "n", names[:2], names[2:], attributes),), ("a", "b"), ("y",), values, {})
    assert [cost.flops for cost in node_costs(graph)] == [2 * products]


def test_memory_of_a_chain():
    """in (16) -> a (64) -> b (32) -> out (16): a and b are needed at the same time, two slots hold them."""
    storages = (Storage(0, 16, True), Storage(1, 64), Storage(2, 32), Storage(3, 16, True))
    weights = Storage(4, 48, True, is_constant=True)
    dispatches = tuple(Dispatch(str(i), "k", "", (i, 4), (i + 1,), (1, 1, 1)) for i in range(3))
    operand = Operand(0, (4,), "float32", "NCHW")
    plan = Plan((*storages, weights), dispatches, {"x": operand}, (64, 32), {1: 0, 2: 1})
    memory = memory_of(plan)
    assert (memory.weights, memory.activations, memory.peak_live) == (48, 128, 128)


# -- verification --------------------------------------------------------------------------------------------


def test_a_synthetic_picture_falls_off_as_one_over_f():
    picture = synthetic_picture(128, 128, np.random.default_rng(1))
    assert picture.shape == (128, 128, 3) and picture.min() >= 0 and picture.max() <= 1
    power = np.abs(np.fft.fft2(picture.mean(-1) - picture.mean())) ** 2
    radius = np.hypot(*np.meshgrid(np.fft.fftfreq(128), np.fft.fftfreq(128)))
    bands = [(2 / 128, 6 / 128), (8 / 128, 24 / 128)]
    low, high = (power[(radius >= a) & (radius < b)].mean() for a, b in bands)
    assert 8 < low / high < 32  # a band four times as high has a sixteenth of the power


def test_inputs_have_the_networks_range():
    generator = np.random.default_rng(2)
    facts = ModelFacts("x", (1, 3, 16, 16), input_statistics=((0.0,) * 3, (1.0,) * 3))
    picture = picture_input(TensorInfo("x", (1, 3, 16, 16), "float32"), facts, generator)
    assert picture.shape == (1, 3, 16, 16) and picture.dtype == np.float32
    bytes_ = ModelFacts("x", (1, 16, 16, 3), input_dtype="uint8")
    picture = picture_input(TensorInfo("x", (1, 16, 16, 3), "uint8"), bytes_, generator)
    assert picture.dtype == np.uint8 and picture.std() > 10
    other = picture_input(TensorInfo("z", (1, 7, 16, 16), "float32"), facts, generator)
    assert abs(float(other.mean())) < 0.2 and 0.5 < float(other.std()) < 1.5
    tokens = random_input(TensorInfo("t", (1, 9), "int64"), generator)
    assert tokens.dtype == np.int64 and tokens.min() >= 0


class Scaled:
    """A session whose output is the input times a factor."""

    backend = device = "test"

    def __init__(self, factor, precision="fp32"):
        self.factor, self.precision = factor, precision
        self.inputs = self.outputs = (TensorInfo("x", (1, 3, 4, 4), "float32"),)

    def run(self, feeds):
        return {"x": feeds["x"] * np.float32(self.factor)}

    def close(self):
        pass


@pytest.mark.parametrize(
    ("factor", "passes"), [(1.0, True), (1.0005, True), (1.01, False), (float("nan"), False)]
)
def test_relative_error(factor, passes):
    errors = verify(Scaled(factor), Scaled(1.0), None)
    assert [e.kind for e in errors] == ["random", "picture"]
    assert all(e.passed is passes for e in errors)
    if np.isfinite(factor):
        assert errors[0].relative == pytest.approx(factor - 1, abs=1e-6)
        assert errors[0].maximum >= errors[0].mean


def test_half_precision_has_its_own_limit():
    assert all(e.passed for e in verify(Scaled(1.01, "fp16"), Scaled(1.0), None))
    assert not any(e.passed for e in verify(Scaled(1.03, "fp16"), Scaled(1.0), None))


class _Answers:
    """A session that gives fixed numbers, and takes integers up to `most` only."""

    backend, device, precision = "test", "CPU", "int8"

    def __init__(self, off: float, most: int = 100) -> None:
        self._off, self._most = off, most
        self.inputs = (TensorInfo("x", (4,), "float32"), TensorInfo("i", (3,), "int64"))
        self.outputs = (TensorInfo("y", (2,), "float32"),)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        if feeds["i"].max() > self._most:
            raise ModelError("An index lies beyond its axis.")
        return {"y": np.array([1.0, self._off])}

    def close(self) -> None:
        """Nothing to release."""


def test_a_quantized_networks_bound_is_what_another_engine_differs() -> None:
    reference = _Answers(0.0, most=2)  # indices of an axis of 3
    for off, right in ((0.2, True), (0.4, False)):
        (random, picture) = verify(_Answers(off, most=2), reference, None, peer=_Answers(0.1, most=2))
        assert random.passed is right and picture.passed is right
        assert random.limit == pytest.approx(0.3)
    alone = verify(_Answers(0.2, most=2), reference, None)
    assert not any(error.passed for error in alone)


class _Wavering(_Answers):
    """Is off by `off` on every second input only."""

    def __init__(self, off: float) -> None:
        super().__init__(off)
        self._runs = 0

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        self._runs += 1
        return super().run(feeds) if self._runs % 2 == 0 else {"y": np.array([1.0, 0.0])}


def test_a_quantized_networks_bound_is_measured_on_four_inputs_of_each_kind() -> None:
    """Over four inputs, on two of which it is off by 0.2, the other engine differs by the root of 2 * 0.04 /
    4.
    """
    (random, picture) = verify(_Answers(0.1), _Answers(0.0), None, peer=_Wavering(0.2), runs=1)
    assert random.passed and picture.passed
    assert random.limit == picture.limit == pytest.approx(3 * 0.02**0.5)
