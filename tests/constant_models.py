"""Networks that give the same outputs for every image: for tests of how outputs are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper


def write_constant(
    path: Path,
    outputs: Mapping[str, np.ndarray],
    *,
    shape: Sequence[int] = (1, 3, 64, 64),
    free: Mapping[str, Sequence[int | str]] | None = None,
    metadata: Mapping[str, str] | None = None,
    name: str = "images",
) -> Path:
    """Write an ONNX network with these outputs; `free` are the shapes to declare for some of them."""
    nodes = [
        helper.make_node("ReduceMean", [name], ["mean"], keepdims=0),
        helper.make_node("Sub", ["mean", "mean"], ["zero"]),
    ]
    weights, infos = [], []
    for number, (output, values) in enumerate(outputs.items()):
        kind = helper.np_dtype_to_tensor_dtype(values.dtype)
        weights.append(numpy_helper.from_array(values, f"constant{number}"))
        nodes.append(helper.make_node("Cast", ["zero"], [f"zero{number}"], to=kind))
        nodes.append(helper.make_node("Add", [f"constant{number}", f"zero{number}"], [output]))
        infos.append(helper.make_tensor_value_info(output, kind, (free or {}).get(output, values.shape)))
    picture = helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, list(shape))
    graph = helper.make_graph(nodes, "constant", [picture], infos, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    for key, value in (metadata or {}).items():
        model.metadata_props.add(key=key, value=value)
    onnx.save(model, path)
    return path
