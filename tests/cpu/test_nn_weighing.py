"""Networks that would take more memory than there is are refused before ONNX Runtime allocates any of it."""

from __future__ import annotations

import numpy as np
import onnx
import psutil
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ModelInvalidError, ModelMemoryError, ModelUnsupportedError
from desktop.base.trials import most_memory
from desktop.compute.nn.compile import memory_estimate
from desktop.compute.nn.compile.memory_estimate import check_plan, free_memory, weigh
from desktop.compute.nn.frontends.external_data import check_external
from desktop.compute.nn.measure.report import DEFAULT_LIMITS, examine
from desktop.serving.faults import loading_fault
from desktop.vision.backends.loader import load_session
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession

FREE = 8 << 30
SIDE = np.array([100_000, 100_000])


@pytest.fixture(autouse=True)
def _machine(monkeypatch):
    monkeypatch.setattr(memory_estimate, "free_memory", lambda: FREE)
    monkeypatch.setattr(memory_estimate, "most_memory", lambda: 1 << 60)


def save(path, nodes, constants=(), *, shape=(1, 4), outputs=("y",), inputs=()):
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape), *inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in dict(constants).items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    file = path / "m.onnx"
    file.write_bytes(model.SerializeToString())
    return file


def largest(name, *inputs, **attributes):
    """Nodes that make a large tensor 'a', of which one number is added to x."""
    return [
        helper.make_node(name, inputs, ["a"], **attributes),
        helper.make_node("ReduceMax", ["a"], ["m"], keepdims=0),
        helper.make_node("Add", ["x", "m"], ["y"]),
    ]


HUGE = {
    "ConstantOfShape": (largest("ConstantOfShape", "s"), {"s": SIDE}),
    "Expand of a constant": (largest("Expand", "c", "s"), {"c": np.float32(1), "s": SIDE}),
    "Expand": (largest("Expand", "x", "s"), {"s": np.array([100_000, 100_000, 1, 1])}),
    "Tile": (largest("Tile", "x", "s"), {"s": SIDE}),
    "Range": (largest("Range", "b", "l", "d"), {"b": np.float32(0), "l": np.float32(1e10), "d": np.float32(1)}),
    "Pad": (largest("Pad", "x", "p"), {"p": np.array([0, 0, 100_000, 100_000])}),
    "OneHot": (largest("OneHot", "i", "d", "v"), {"i": np.zeros(100, np.int64), "d": np.int64(4e8), "v": np.zeros(2, np.float32)}),
    "shape that is computed": (
        [helper.make_node("Mul", ["r", "r"], ["s"]), *largest("ConstantOfShape", "s")],
        {"r": np.array([400, 400])},
    ),
    "small results, many alive": (
        [
            *(helper.make_node("Tile", ["x", "s"], [f"a{i}"]) for i in range(60)),
            helper.make_node("Sum", [f"a{i}" for i in range(60)], ["b"]),
            helper.make_node("ReduceMax", ["b"], ["y"]),
        ],
        {"s": np.array([1, 60_000_000])},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", HUGE)
def test_a_small_file_that_asks_for_much_is_refused_by_both_backends(tmp_path, what):
    path = save(tmp_path, *HUGE[what])
    before = psutil.Process().memory_info().rss
    with pytest.raises(
        ModelUnsupportedError, match=r"too large for this machine: .* GiB, and 8\.0 GiB of memory are free"
    ) as caught:
        OnnxRuntimeSession.load(path)
    assert "\n" not in str(caught.value)
    # Not the file's fault: with more memory it would be loaded.
    assert isinstance(caught.value, ModelMemoryError)
    with pytest.raises(ModelMemoryError):
        load_session(path, gpu=None)
    if what != "small results, many alive":
        assert examine(path, {"fp32": DEFAULT_LIMITS["fp32"]}).refused
    assert psutil.Process().memory_info().rss - before < 100 << 20


@pytest.mark.parametrize("what", HUGE)
def test_what_never_fits_is_not_said_to_lack_memory_for_now(tmp_path, monkeypatch, what):
    """A server tries again what lacks memory for now, and the window says to end other programs."""
    path = save(tmp_path, *HUGE[what])
    monkeypatch.setattr(memory_estimate, "most_memory", lambda: 10 << 30)
    told = r"needs more memory than this machine has: .* GiB, of 10\.0 GiB in all; use a smaller network"
    with pytest.raises(ModelUnsupportedError, match=told) as caught:
        OnnxRuntimeSession.load(path)
    assert not isinstance(caught.value, ModelMemoryError)
    with pytest.raises(ModelUnsupportedError) as caught:
        load_session(path, gpu=None)
    assert not isinstance(caught.value, ModelMemoryError)
    assert loading_fault(caught.value).kind == "invalid"
    monkeypatch.setattr(memory_estimate, "most_memory", lambda: None)
    with pytest.raises(ModelMemoryError):
        OnnxRuntimeSession.load(path)


@pytest.mark.parametrize("shape", [(1, 1, 2, 2), (1, 1, "h", "w")])
def test_what_only_the_onnx_package_can_tell_is_taken_from_it(tmp_path, shape):
    nodes = [
        helper.make_node("Resize", ["x", "", "s"], ["a"], mode="nearest"),
        helper.make_node("ReduceMax", ["a"], ["y"]),
    ]
    path = save(tmp_path, nodes, {"s": np.array([1, 1, 1e5, 1e5], np.float32)}, shape=shape)
    with pytest.raises(ModelUnsupportedError, match="too large"):
        OnnxRuntimeSession.load(path)


def test_an_input_of_another_type_hides_nothing(tmp_path):
    other = helper.make_tensor_value_info("z", TensorProto.DOUBLE, (1,))
    path = save(tmp_path, *HUGE["ConstantOfShape"], inputs=[other])
    with pytest.raises(ModelUnsupportedError, match="too large"):
        OnnxRuntimeSession.load(path)


def test_results_are_counted_while_they_are_alive(tmp_path):
    """By hand: 1 MiB each; a, b and the sum are alive together, then one after the other."""
    nodes = [
        helper.make_node("Relu", ["x"], ["a"]),
        helper.make_node("Neg", ["x"], ["b"]),
        helper.make_node("Add", ["a", "b"], ["c"]),
        helper.make_node("Relu", ["c"], ["d"]),
        helper.make_node("Neg", ["d"], ["y"]),
    ]
    weight = weigh(save(tmp_path, nodes, {"w": np.zeros((4, 4), np.float32)}, shape=(1, 1 << 18)))
    assert weight.peak == 3 << 20
    assert weight.largest[0] == 1 << 20
    assert weight.constants == 64


def test_an_ordinary_network_passes(tmp_path):
    node = helper.make_node("Conv", ["x", "w"], ["y"])
    path = save(tmp_path, [node], {"w": np.ones((4, 3, 3, 3), np.float32)}, shape=("n", 3, 16, 16))
    session = OnnxRuntimeSession.load(path)
    assert session.run({"x": np.ones((1, 3, 16, 16), np.float32)})["y"].shape == (1, 4, 14, 14)
    session.close()


def test_a_plan_is_weighed(tmp_path):
    check_plan(tmp_path / "m.onnx", 6 << 30)
    with pytest.raises(ModelUnsupportedError, match=r"m\.onnx is too large .* its tensors take 7\.0 GiB"):
        check_plan(tmp_path / "m.onnx", 7 << 30)


def test_free_memory_is_some_of_the_machines(monkeypatch):
    monkeypatch.undo()
    assert 0 < free_memory() <= psutil.virtual_memory().total
    assert most_memory() in (None, psutil.virtual_memory().total)


# -- external data -------------------------------------------------------------------------------------------


def with_external(path, *ranges, location="w.bin", size=1024):
    """A model with a constant of 64 floats for each (offset, length)."""
    (path / "w.bin").write_bytes(bytes(size))
    names = [f"w{i}" for i in range(len(ranges))]
    graph = helper.make_graph(
        [helper.make_node("Sum", ["x", *names], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (64,))],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (64,))],
    )
    for name, (offset, length) in zip(names, ranges, strict=True):
        tensor = graph.initializer.add(name=name, data_type=TensorProto.FLOAT, dims=[64])
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", offset), ("length", length)):
            tensor.external_data.add(key=key, value=str(value))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    file = path / "m.onnx"
    file.write_bytes(model.SerializeToString())
    return file


@pytest.mark.parametrize(
    ("ranges", "location", "message"),
    [
        ([(0, 256), (128, 256)], "w.bin", "tensors overlap"),
        ([(-4, 256)], "w.bin", "does not fit"),
        ([(0, -256)], "w.bin", "does not fit"),
        ([(900, 256)], "w.bin", "does not fit"),
        ([(0, 256)], "../w.bin", "outside the model's folder"),
        ([(0, 256)], "/dev/zero", "outside the model's folder"),
        ([(0, 256)], ".", "is missing"),
        ([("x", 256)], "w.bin", "damaged address"),
    ],
)
def test_external_data_is_checked_before_either_backend_reads_it(tmp_path, ranges, location, message):
    path = with_external(tmp_path, *ranges, location=location)
    with pytest.raises(ModelInvalidError, match=message):
        OnnxRuntimeSession.load(path)
    assert message in examine(path, {"fp32": DEFAULT_LIMITS["fp32"]}).refused


def test_tied_weights_may_name_the_same_range(tmp_path):
    path = with_external(tmp_path, (0, 256), (0, 256), (256, 256))
    check_external(onnx.load(path, load_external_data=False), path)
    session = OnnxRuntimeSession.load(path)
    assert session.run({"x": np.ones(64, np.float32)})["y"].tolist() == [1.0] * 64
    session.close()
