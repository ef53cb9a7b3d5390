"""Graphs that give known arrays whatever they see, with the inputs, axes, types and operators that an
exporter's graphs have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

Input = tuple[tuple[int | str, ...], str]
"""Shape and type of an input beside the picture."""


@dataclass(frozen=True)
class Graph:
    """What an exporter makes around a network.

    Attributes:
        channels_last: the picture is [1, height, width, 3].
        batched: the picture has a batch axis.
        dtype: of the picture.
        picture: the input's name.
        free: names of its axes, in their order, for those that the file leaves free.
        others: inputs beside the picture.
        others_first: these come before the picture.
        rows: outputs whose first axis is free.
        scaled: output -> (input, 'Mul' or 'Div', index of each column): the columns are multiplied with these
            numbers of an input, or divided by them; -1 stands for 1.
        times: output -> constant by which the graph multiplies it; what is given is the product.
        ends: output -> operator behind it: 'Sigmoid' or 'Softmax', of logits that are given.
        convolved: output [1, n, columns] -> how many of its columns come out of each of its last
            convolutions, behind which nothing is computed any more.
        uses: operators that the graph has somewhere, to no effect: 'GridSample', 'Exp'.
        metadata, producer: of the file.
    """

    channels_last: bool = False
    batched: bool = True
    dtype: str = "float32"
    picture: str = "images"
    free: Mapping[int, str] = field(default_factory=dict)
    others: Mapping[str, Input] = field(default_factory=dict)
    others_first: bool = False
    rows: tuple[str, ...] = ()
    scaled: Mapping[str, tuple[str, str, tuple[int, ...]]] = field(default_factory=dict)
    times: Mapping[str, float] = field(default_factory=dict)
    ends: Mapping[str, str] = field(default_factory=dict)
    convolved: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    uses: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    producer: str = "pytorch"

    def save(self, path: Path, outputs: Mapping[str, np.ndarray], size: tuple[int, int]) -> Path:
        """Write the network of these outputs, for pictures of a size (width, height)."""
        return _Writer(self).save(path, outputs, size)


class _Writer:
    """Puts one graph together."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []

    def save(self, path: Path, outputs: Mapping[str, np.ndarray], size: tuple[int, int]) -> Path:
        zero = self._nothing()
        for name, array in outputs.items():
            self._output(name, array, zero)
        inputs = [self._picture(size)]
        others = [_value(name, dtype, shape) for name, (shape, dtype) in self._graph.others.items()]
        graph = helper.make_graph(
            self._nodes,
            "known",
            [*others, *inputs] if self._graph.others_first else [*inputs, *others],
            [_value(n, a.dtype.name, self._shape(n, a)) for n, a in outputs.items()],
            self._weights,
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", 16)],
            ir_version=8,
            producer_name=self._graph.producer,
        )
        helper.set_model_props(model, dict(self._graph.metadata))
        onnx.save(model, str(path))
        return path

    def _shape(self, name: str, array: np.ndarray) -> list[int | str]:
        return ["n", *array.shape[1:]] if name in self._graph.rows else list(array.shape)

    def _picture(self, size: tuple[int, int]) -> onnx.ValueInfoProto:
        width, height = size
        shape = [1, height, width, 3] if self._graph.channels_last else [1, 3, height, width]
        free = [self._graph.free.get(axis, length) for axis, length in enumerate(shape)]
        return _value(self._graph.picture, self._graph.dtype, free if self._graph.batched else free[1:])

    def _node(self, operator: str, inputs: list[str], output: str, **attributes: object) -> str:
        self._nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def _weight(self, name: str, array: np.ndarray) -> str:
        self._weights.append(numpy_helper.from_array(array, name))
        return name

    def _nothing(self) -> str:
        """A number that is 0 and follows from the inputs, so that nothing is known beforehand."""
        picture = self._graph.picture
        if self._graph.dtype != "float32":
            picture = self._node("Cast", [picture], "floats", to=TensorProto.FLOAT)
        zero = self._weight("zero", np.float32(0))
        parts = [self._node("ReduceMean", [picture], "mean", keepdims=0)]
        if "Exp" in self._graph.uses:
            parts.append(self._node("Exp", [self._node("Mul", ["mean", zero], "still")], "power"))
        if "GridSample" in self._graph.uses:
            at = self._weight("at", np.zeros((1, 1, 1, 2), np.float32))
            self._node("GridSample", [picture, at], "sampled")
            parts.append(self._node("ReduceMean", ["sampled"], "of sampled", keepdims=0))
        for name, (_, dtype) in self._graph.others.items():
            floats = (
                name
                if dtype == "float32"
                else self._node("Cast", [name], f"{name} floats", to=TensorProto.FLOAT)
            )
            parts.append(self._node("ReduceMean", [floats], f"{name} mean", keepdims=0))
        total = parts[0]
        for number, part in enumerate(parts[1:]):
            total = self._node("Add", [total, part], f"total {number}")
        return self._node("Mul", [total, zero], "nothing")

    def _convolved(self, name: str, array: np.ndarray, zero: str) -> None:
        parts, first = [], 0
        for number, columns in enumerate(self._graph.convolved[name]):
            part, label = array[0, :, first : first + columns], f"{name} {number}"
            known = self._weight(f"{label} is", np.ascontiguousarray(part.T)[None, :, :, None])
            same = self._weight(f"{label} same", np.eye(columns, dtype=np.float32)[:, :, None, None])
            still = self._node("Add", [known, zero], f"{label} still")
            parts.append(self._node("Conv", [still, same], f"{label} map"))
            first += columns
        shape = self._weight(f"{name} shape", np.array([1, first, -1], np.int64))
        flat = self._node(
            "Reshape", [self._node("Concat", parts, f"{name} maps", axis=1), shape], f"{name} flat"
        )
        self._node("Transpose", [flat], name, perm=[0, 2, 1])

    def _output(self, name: str, array: np.ndarray, zero: str) -> None:
        if name in self._graph.convolved:
            self._convolved(name, array, zero)
            return
        known = self._weight(f"{name} is", array)
        if array.dtype != np.float32:
            of_type = self._node(
                "Cast", [zero], f"{name} nothing", to=helper.np_dtype_to_tensor_dtype(array.dtype)
            )
            self._node("Add", [known, of_type], name)
            return
        stages = [name in stage for stage in (self._graph.scaled, self._graph.times, self._graph.ends)]
        names = iter([f"{name} {number}" for number in range(sum(stages))] + [name])
        if name in self._graph.times:
            factor = np.float32(self._graph.times[name])
            self._weights[-1] = numpy_helper.from_array(array / factor, known)
        value = self._node("Add", [known, zero], next(names))
        if name in self._graph.scaled:
            operator, factors = self._factors(name)
            value = self._node(operator, [value, factors], next(names))
        if name in self._graph.times:
            value = self._node("Mul", [value, self._weight(f"{name} times", factor)], next(names))
        if name in self._graph.ends:
            self._node(self._graph.ends[name], [value], next(names))

    def _factors(self, name: str) -> tuple[str, str]:
        source, operator, indices = self._graph.scaled[name]
        one = self._weight(f"{name} ones", np.ones(1, np.float32))
        flat = self._weight(f"{name} flat", np.array([-1], np.int64))
        numbers = source
        if self._graph.others[source][1] != "float32":
            numbers = f"{source} floats"
        row = self._node("Reshape", [numbers, flat], f"{name} row")
        all_ = self._node("Concat", [one, row], f"{name} numbers", axis=0)
        chosen = self._weight(f"{name} columns", np.array(indices, np.int64) + 1)
        return operator, self._node("Gather", [all_, chosen], f"{name} factors", axis=0)


def _value(name: str, dtype: str, shape: list[int | str] | tuple[int | str, ...]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)
