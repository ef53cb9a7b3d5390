"""Networks of two pictures that blend them by the time, (1 - t) a + t b, in the forms that exports have."""

from __future__ import annotations

import onnx
from onnx import TensorProto, helper

FLOAT = TensorProto.FLOAT


def value(name, shape):
    return helper.make_tensor_value_info(name, FLOAT, shape)


def saved(path, nodes, inputs, shape=(1, 3, "h", "w"), constants=()):
    graph = helper.make_graph(nodes, "g", inputs, [value("out", shape)], list(constants))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def ints(name, *values):
    return helper.make_tensor(name, TensorProto.INT64, [len(values)], values)


ONE = helper.make_tensor("one", FLOAT, [1], [1.0])
BLEND = [
    helper.make_node("Sub", ["one", "t"], ["rest"]),
    helper.make_node("Mul", ["a", "rest"], ["old"]),
    helper.make_node("Mul", ["b", "t"], ["new"]),
    helper.make_node("Add", ["old", "new"], ["out"]),
]
AXIS = ints("axis", 1)
ENDS = [ints(f"c{n}", n) for n in (0, 3, 6, 7)]
HALVES = [
    helper.make_node("Slice", ["x", "c0", "c3", "axis"], ["a"]),
    helper.make_node("Slice", ["x", "c3", "c6", "axis"], ["b"]),
]


def two_and_time(path, time=(1, 1, 1, 1), sides=("h", "w")):
    inputs = [value("img0", (1, 3, *sides)), value("img1", (1, 3, *sides)), value("timestep", time)]
    nodes = [
        helper.make_node("Identity", ["img0"], ["a"]),
        helper.make_node("Identity", ["img1"], ["b"]),
        helper.make_node("Identity", ["timestep"], ["t"]),
        *BLEND,
    ]
    return saved(path, nodes, inputs, (1, 3, *sides), [ONE])


def channels_last(path, time=(1, "h", "w", 1), sides=("h", "w")):
    inputs = [value("img0", (1, *sides, 3)), value("img1", (1, *sides, 3)), value("timestep", time)]
    nodes = [
        helper.make_node("Identity", ["img0"], ["a"]),
        helper.make_node("Identity", ["img1"], ["b"]),
        helper.make_node("Identity", ["timestep"], ["t"]),
        *BLEND,
    ]
    return saved(path, nodes, inputs, (1, *sides, 3), [ONE])


def seven_channels(path):
    nodes = [*HALVES, helper.make_node("Slice", ["x", "c6", "c7", "axis"], ["t"]), *BLEND]
    return saved(path, nodes, [value("x", (1, 7, "h", "w"))], constants=[ONE, AXIS, *ENDS])


def six_channels(path):
    half = helper.make_tensor("t", FLOAT, [1], [0.5])
    return saved(
        path, [*HALVES, *BLEND], [value("x", (1, 6, "h", "w"))], constants=[ONE, half, AXIS, *ENDS[:3]]
    )


def enlarging(path):
    """A network whose result has twice the size, as those do that enlarge too."""
    scales = helper.make_tensor("scales", FLOAT, [4], [1.0, 1.0, 2.0, 2.0])
    nodes = [*BLEND, helper.make_node("Resize", ["out", "", "scales"], ["large"], mode="nearest")]
    inputs = [value("a", (1, 3, "h", "w")), value("b", (1, 3, "h", "w")), value("t", (1,))]
    graph = helper.make_graph(nodes, "g", inputs, [value("large", (1, 3, "hh", "ww"))], [ONE, scales])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return path


def relu(path):
    """A network of one picture."""
    return saved(path, [helper.make_node("Relu", ["x"], ["out"])], [value("x", (1, 3, "h", "w"))])
