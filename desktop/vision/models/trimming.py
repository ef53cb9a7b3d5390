"""Change networks at their ends: drop unused outputs, adapt inputs to prepared images, and turn them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from desktop.compute.nn.frontends.formats import ONNX
from desktop.compute.nn.frontends.pruning import copied, prune_to_outputs, retain
from desktop.vision.models.model_file import Model, ModelFile


def trimmed(file: ModelFile, outputs: Collection[str]) -> ModelFile:
    """Return an open file of the same path reduced to what computes some of its outputs.

    Unused inputs are removed too, so that no shape depends on them. The parsed model of `file` is taken;
    external data stay in place. Raises ModelInvalidError as `NetworkFile.proto`.
    """
    model = file.take_proto()
    prune_to_outputs(model.graph, outputs)
    return ModelFile(file.path, model.SerializeToString(), file._stamp)


_QUANTIZED: Final = ("uint8", "int8", "uint16", "int16")


@contextmanager
def opened_with_batch(model: Model) -> Iterator[ModelFile]:
    """Open a network; add a batch axis to an image [3, height, width], as of torchvision's detectors."""
    with ModelFile.opened(model) as file:
        if file.format != ONNX or not file.facts.lacks_batch:
            yield file
            return
        changed = _with_batch(file)
        try:
            yield changed
        finally:
            changed.release()


@contextmanager
def opened_real(file: ModelFile) -> Iterator[ModelFile]:
    """Yield an open ONNX network that gives quantized outputs as real numbers; the file itself if it has none."""
    if file.format != ONNX or all(output.dtype not in _QUANTIZED for output in file.facts.outputs):
        yield file
        return
    from desktop.compute.nn.frontends.real_outputs import dequantize_outputs  # imports onnx

    model = file.take_proto()
    changed = file
    if dequantize_outputs(model):
        changed = ModelFile(file.path, model.SerializeToString(), file._stamp)
    try:
        yield changed
    finally:
        if changed is not file:
            changed.release()


def turned(file: ModelFile, rows: int) -> ModelFile:
    """Return an open file with the height and width of its image input exchanged, and those of its maps.

    Its layers must take any size, as convolutions do. `rows` is the axis of the height, which the width follows.
    The parsed model of `file` is taken.
    """
    facts = file.facts
    height, width = facts.input_shape[rows : rows + 2]
    model = file.take_proto()
    for value in (*model.graph.input, *model.graph.output):
        sides = value.type.tensor_type.shape.dim[rows : rows + 2]
        down, across = (side.dim_value for side in sides) if len(sides) == 2 else (0, 0)
        if down and down * width == across * height:
            sides[0].dim_value, sides[1].dim_value = across, down
    del model.graph.value_info[:]
    return ModelFile(file.path, model.SerializeToString(), file._stamp)


def _with_batch(file: ModelFile) -> ModelFile:
    from onnx import helper, numpy_helper

    name = file.facts.input_name
    model = file.take_proto()
    inner = f"{name}_without_batch"
    _rename(model.graph, name, inner)
    # A first slice, because Squeeze's axes are an attribute or an input, depending on the opset.
    first = numpy_helper.from_array(np.array(0, np.int64), f"{name}_first")
    _put_in_front(
        model.graph, inner, name, [helper.make_node("Gather", [name, first.name], [inner], axis=0)], [first]
    )
    return ModelFile(file.path, model.SerializeToString(), file._stamp)


def _put_in_front(graph: Any, old: str, name: str, nodes: Sequence[Any], constants: Sequence[Any]) -> None:
    """Compute the former input `old` in place from a new input `name` with a batch axis of 1."""
    from onnx import helper

    before = next(value for value in graph.input if value.name == old)
    sides = [dim.dim_value or dim.dim_param or None for dim in before.type.tensor_type.shape.dim]
    new = helper.make_tensor_value_info(name, before.type.tensor_type.elem_type, [1, *sides])
    rest = [copied(node) for node in graph.node]
    del graph.node[:]
    graph.node.extend([*nodes, *rest])
    retain(graph.input, lambda value: value.name != old)
    graph.input.insert(0, new)
    graph.initializer.extend(constants)


def _rename(graph: Any, old: str, new: str) -> None:
    """Rename a value of a graph, in place, in its branches and bodies too."""
    for value in (*graph.input, *graph.output):
        value.name = new if value.name == old else value.name
    for node in graph.node:
        node.input[:] = [new if each == old else each for each in node.input]
        for attribute in node.attribute:
            for inner in (*([attribute.g] if attribute.HasField("g") else ()), *attribute.graphs):
                _rename(inner, old, new)


def with_pixels(file: ModelFile, name: str, offset: Sequence[float]) -> ModelFile:
    """Return an open file whose input [height, width, 3] became `name`, [1, height, width, 3] less `offset`.

    The network adds the three channels' offset again. The parsed model of `file` is taken.
    """
    from onnx import helper, numpy_helper

    before = file.facts
    model = file.take_proto()
    dtype = np.dtype(before.input_dtype)
    added = numpy_helper.from_array(np.array(offset, dtype), f"{name}_offset")
    # A first slice, because Squeeze's axes are an attribute or an input, depending on the opset.
    first = numpy_helper.from_array(np.array(0, np.int64), f"{name}_first")
    nodes = [
        helper.make_node("Gather", [name, first.name], [f"{name}_alone"], axis=0),
        helper.make_node("Add", [f"{name}_alone", added.name], [before.input_name]),
    ]
    _put_in_front(model.graph, before.input_name, name, nodes, [first, added])
    return ModelFile(file.path, model.SerializeToString(), file._stamp)
