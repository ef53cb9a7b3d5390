"""Estimate the memory of a network before anything is allocated: a file of a hundred bytes may need 40 GB.

`ConstantOfShape`, `Expand`, `Tile` and others make large tensors of small ones, and ONNX Runtime, unlike the
engine, has no bounds and folds while it loads. So each file is walked first with the engine's shape
inference, leaving out nodes of unknown shapes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx

from desktop.base.errors import LightloomError, ModelError, ModelMemoryError, ModelUnsupportedError
from desktop.base.trials import free_memory, most_memory
from desktop.base.wording import sentence
from desktop.compute.nn.compile.shapes import DAMAGE
from desktop.compute.nn.frontends.external_data import check_external, tensors_of
from desktop.compute.nn.frontends.network_file import Model, NetworkFile
from desktop.compute.nn.frontends.onnx import ANY_OPERATOR, import_model, read_model
from desktop.compute.nn.frontends.weights import Weights, is_left_out
from desktop.compute.nn.ir.graph import Graph, Node, Value
from desktop.compute.nn.ir.narrow_floats import numpy_dtype
from desktop.compute.nn.ops import OPERATORS
from desktop.compute.nn.session import usual_sizes

_SMALL: Final = 1 << 20
"""Largest result, in bytes, that is computed here because shapes may depend on it."""

_SHARE: Final = 0.8
"""Share of the free memory that a network may take."""

_LARGEST_INFERRED: Final = 256 << 20  # the onnx package copies the whole model

_LONGEST_SHAPE: Final = 1 << 16

_MOST_STEPS: Final = 40_000
_INTEGERS: Final = (onnx.TensorProto.INT32, onnx.TensorProto.INT64)


@dataclass
class Weight:
    """Memory of a network, in bytes: `constants` with what is folded of them, `largest` result and its node.

    `peak` is the most bytes of results that are alive at once.
    """

    constants: int = 0
    largest: tuple[int, str] = (0, "")
    peak: int = 0


@dataclass
class _Walk:
    graph: Graph
    values: dict[str, Value] = field(default_factory=dict)
    constants: dict[str, np.ndarray] = field(default_factory=dict)
    fixed: set[str] = field(default_factory=set)
    weight: Weight = field(default_factory=Weight)
    is_partial: bool = False  # the results of some nodes are not known

    def run(self) -> Weight:
        """Record the sizes of every node's results, as far as they are known."""
        self.values.update(self.graph.values)
        self.constants.update(self.graph.constants)
        self.fixed.update(self.constants)
        self.weight.constants = sum(array.nbytes for array in self.constants.values())
        order: list[tuple[Node, int]] = []
        waiting = list(reversed(self.graph.nodes))
        while waiting and len(order) < _MOST_STEPS:
            node = waiting.pop()
            expanded = self._expanded(node)
            if expanded is not None:
                waiting.extend(reversed(expanded))
                continue
            order.append((node, self._results(node)))
        self.weight.peak = _peak(order, self.graph.outputs, self._bytes)
        return self.weight

    def _bytes(self, name: str) -> int:
        value = self.values.get(name)
        return 0 if value is None or name in self.fixed else _size(value)

    def _expanded(self, node: Node) -> Sequence[Node] | None:
        operator = OPERATORS.get(node.op)
        if operator is None or operator.expand is None:
            return None
        try:
            expansion = operator.expand(node, self.values, self.constants)
        except (LightloomError, *DAMAGE):
            return None
        if expansion is None:
            return None
        self.constants.update(expansion.constants)
        self.fixed.update(expansion.constants)
        self.values.update((k, Value(k, a.shape, a.dtype.name)) for k, a in expansion.constants.items())
        self.values.update((value.name, value) for value in expansion.sequences)
        return expansion.nodes

    def _results(self, node: Node) -> int:
        outputs = self._inferred(node)
        if outputs is None:
            self.is_partial = True
            return 0
        operator = OPERATORS[node.op]
        total = sum(size for _, size in outputs)
        self.values.update((value.name, value) for value, _ in outputs)
        self.weight.largest = max(self.weight.largest, (total, str(node)))
        if all(name in self.fixed for name in node.inputs if name):
            # onnxruntime computes it while loading, and keeps it.
            self.fixed.update(value.name for value, _ in outputs)
            self.weight.constants += total
            if total <= _SMALL and operator.fold is not None:
                self._fold(node)
        elif operator.known is not None:
            known = operator.known(node, self._inputs(node))
            self.constants.update(zip(node.outputs, known, strict=False))
        return total

    def _inputs(self, node: Node) -> list[Value]:
        return [self.values[name] if name else Value("", (), "") for name in node.inputs]

    def _inferred(self, node: Node) -> list[tuple[Value, int]] | None:
        """Return a node's results and their bytes; None if the engine cannot infer them."""
        operator = OPERATORS.get(node.op)
        if operator is None or operator.expand is not None:
            return None
        if any(name not in self.values for name in node.reads):
            return None
        try:
            found = operator.infer(node, self._inputs(node), self.constants)
            return [(value, _size(value)) for value in found if value.name]
        except (LightloomError, *DAMAGE):
            return None

    def _fold(self, node: Node) -> None:
        operator = OPERATORS[node.op]
        if operator.fold is None or any(name not in self.constants for name in node.inputs if name):
            return
        if sum(self.constants[name].nbytes for name in node.inputs if name) > _SMALL:
            return
        try:
            given = [self.constants[name] if name else np.zeros(0) for name in node.inputs]
            arrays = operator.fold(node, given)
        except (LightloomError, *DAMAGE):
            return
        self.constants.update(zip(node.outputs, arrays or (), strict=False))


def _size(value: Value) -> int:
    try:
        width = numpy_dtype(value.dtype).itemsize
    except TypeError:
        width = 4
    return max(0, math.prod(value.shape)) * width


def _peak(order: Sequence[tuple[Node, int]], outputs: Sequence[str], size: Any) -> int:
    """Return the most bytes of results alive at once, each being freed after its last reader."""
    last = {name: at for at, (node, _) in enumerate(order) for name in node.reads}
    last.update(dict.fromkeys(outputs, len(order)))
    ends: dict[int, list[str]] = {}
    alive = peak = 0
    for at, (node, _) in enumerate(order):
        for name in filter(None, node.outputs):
            alive += size(name)
            ends.setdefault(last.get(name, at), []).append(name)
        peak = max(peak, alive)
        alive -= sum(size(name) for name in ends.pop(at, ()))
    return peak


def weigh(model: Model, input_shapes: Mapping[str, Sequence[int]] | None = None) -> Weight:
    """Estimate the memory of an ONNX model, which, if open, gives up its parsed form.

    `input_shapes`: sizes of free dimensions, else `usual_sizes`. Raises ModelInvalidError.
    """
    with NetworkFile.opened(model) as file:
        read_model(file)
        parsed, weights = file.take_bare()  # `_declared` changes it
        path = file.path
    check_external(parsed, path)
    shapes = {info.name: _filled(info) for info in parsed.graph.input} | dict(input_shapes or {})
    known = {name: shape for name, shape in shapes.items() if shape is not None}
    try:
        graph = import_model(parsed, path, ANY_OPERATOR, weights=weights, input_shapes=known)
    except ModelError:
        return _declared(parsed, shapes, weights)
    walk = _Walk(graph)
    weight = walk.run()
    if walk.is_partial:
        weight.largest = max(weight.largest, _declared(parsed, shapes, weights).largest)
    return weight


def _declared(model: Any, shapes: Mapping[str, Sequence[int] | None], weights: Weights) -> Weight:
    """Estimate from shapes inferred by the onnx package, for models of other backends; modifies the model."""
    for tensor in tensors_of(model.graph):
        # Constants that may be shapes keep their numbers, however long they are.
        if (
            is_left_out(tensor)
            and tensor.data_type in _INTEGERS
            and (whole := weights.with_values(tensor)) is not None
        ):
            tensor.CopyFrom(whole)
    if model.ByteSize() > _LARGEST_INFERRED:
        return Weight()
    for info in model.graph.input:
        for dimension, size in zip(
            info.type.tensor_type.shape.dim, shapes.get(info.name) or (), strict=False
        ):
            dimension.dim_value = int(size)
    try:
        inferred = onnx.shape_inference.infer_shapes(model).graph
        if not _has_long_vector(inferred):
            inferred = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    except Exception:  # whatever a file causes there, the backend reports it
        return Weight()
    weight = Weight()
    for info in (*inferred.value_info, *inferred.output):
        tensor = info.type.tensor_type
        sizes = [d.dim_value if d.HasField("dim_value") else 1 for d in tensor.shape.dim]
        try:
            width = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)).itemsize
        except (KeyError, TypeError, ValueError):
            width = 1
        weight.largest = max(weight.largest, (math.prod(max(n, 0) for n in sizes) * width, f"'{info.name}'"))
    return weight


def _has_long_vector(graph: Any) -> bool:
    """Return True if a tensor of one axis is longer than any shape.

    Data propagation makes an object per element: a vector of 2^40 took all memory.
    """
    shapes = (info.type.tensor_type.shape.dim for info in (*graph.input, *graph.value_info, *graph.output))
    return any(len(shape) == 1 and shape[0].dim_value > _LONGEST_SHAPE for shape in shapes)


def _filled(info: Any) -> tuple[int, ...] | None:
    if not info.type.HasField("tensor_type"):
        return None
    sizes = [d.dim_value if d.HasField("dim_value") else 0 for d in info.type.tensor_type.shape.dim]
    if all(n > 0 for n in sizes):
        return None
    return usual_sizes(sizes)


def check_weight(model: Model, input_shapes: Mapping[str, Sequence[int]] | None = None) -> None:
    """Raise ModelMemoryError if a network needs more memory than is free, ModelUnsupportedError if it needs more than
    the machine has, so that closing other programs does not help; other errors as in `weigh`.
    """
    with NetworkFile.opened(model) as file:
        weight, path = weigh(file, input_shapes), file.path
    free = free_memory()
    needed = weight.constants + weight.peak
    size, node = weight.largest
    if size > _SHARE * free:
        what = sentence("the result of {node} takes {size}", node=node, size=_gib(size))
        raise _too_large(path, what, size, free)
    if needed > _SHARE * free:
        what = sentence("its constants and results take {size}", size=_gib(needed))
        raise _too_large(path, what, needed, free)


def check_plan(path: Path, memory: int) -> None:
    """Raise as `check_weight` if a plan exceeds the main memory, for adapters that use it."""
    free = free_memory()
    if memory > _SHARE * free:
        raise _too_large(path, sentence("its tensors take {size}", size=_gib(memory)), memory, free)


def _too_large(path: Path, what: str, needed: int, free: int) -> ModelUnsupportedError:
    most = most_memory()
    if most is not None and needed > _SHARE * most:
        return ModelUnsupportedError(
            sentence(
                "{name} needs more memory than this machine has: {what}, of {most} in all; use a smaller network or "
                "input.",
                name=path.name,
                what=what,
                most=_gib(most),
            ),
            (what,),
        )
    return ModelMemoryError(
        sentence(
            "{name} is too large for this machine: {what}, and {free} of memory are free; use a smaller "
            "network or input.",
            name=path.name,
            what=what,
            free=_gib(free),
        ),
        (what,),
    )


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB" if size < 1 << 60 else "more than a million TiB"
