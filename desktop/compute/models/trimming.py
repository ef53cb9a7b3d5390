"""Networks changed at their ends: without the outputs that nobody reads, and with an input as pictures are prepared for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from desktop.compute.models.model_file import ModelFile
from desktop.compute.nn.frontends.pruning import copied, keep, keep_outputs


def trimmed(file: ModelFile, outputs: Collection[str]) -> ModelFile:
    """Return an open file of the same path that holds only what computes some of its outputs.

    Inputs that nothing asks for any more are left out, too: what a file computes beside those outputs costs nothing then, and shapes that
    hang on such an input hang on nothing. External data stay where they are.

    Args:
        file: an ONNX network; its parsed model is taken.
        outputs: names of those that stay.

    Raises:
        ModelInvalidError: see `NetworkFile.proto`.
    """
    model = file.take_proto()
    keep_outputs(model.graph, outputs)
    return ModelFile(file.path, model.SerializeToString(), file._stamp)


def with_pixels(file: ModelFile, name: str, offset: Sequence[float]) -> ModelFile:
    """Return an open file of the same path whose only input, pixels [height, width, 3], became [1, height, width, 3] less an offset.

    Args:
        file: an ONNX network; its parsed model is taken.
        name: what the input is called now.
        offset: of the three channels, which the network adds again.

    Raises:
        ModelInvalidError: see `NetworkFile.proto`.
    """
    from onnx import helper, numpy_helper

    before = file.facts
    model = file.take_proto()
    graph = model.graph
    old = next(value for value in graph.input if value.name == before.input_name)
    sides = [dim.dim_value or dim.dim_param or None for dim in old.type.tensor_type.shape.dim]
    new = helper.make_tensor_value_info(name, old.type.tensor_type.elem_type, [1, *sides])
    dtype = np.dtype(before.input_dtype)
    added = numpy_helper.from_array(np.array(offset, dtype), f"{name}_offset")
    # A first slice, as Squeeze takes its axes in two ways, by the opset.
    first = numpy_helper.from_array(np.array(0, np.int64), f"{name}_first")
    nodes = [
        helper.make_node("Gather", [name, first.name], [f"{name}_alone"], axis=0),
        helper.make_node("Add", [f"{name}_alone", added.name], [old.name]),
    ]
    rest = [copied(node) for node in graph.node]
    del graph.node[:]
    graph.node.extend([*nodes, *rest])
    keep(graph.input, lambda value: value.name != old.name)
    graph.input.insert(0, new)
    graph.initializer.extend([first, added])
    return ModelFile(file.path, model.SerializeToString(), file._stamp)
