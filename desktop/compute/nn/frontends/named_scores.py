"""Classifiers whose file names the scores: ai.onnx.ml's ZipMap behind the network, with class names as texts.

Exporters (Custom Vision, Core ML, scikit-learn) give a map {name: score} per image and the likeliest name.
The names become metadata of the file, the map one row of scores per image; the text is left out.
https://onnx.ai/onnx/operators/onnx_aionnxml_ZipMap.html
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import onnx

from desktop.compute.nn.frontends.formats import SCORE_NAMES
from desktop.compute.nn.frontends.pruning import prune_to_outputs

_MAPS: Final = "ai.onnx.ml"
_OPSET: Final = 18
_TEXT: Final = onnx.TensorProto.STRING


def name_scores(model: Any) -> bool:
    """Change an `onnx.ModelProto` in place, the scores as first outputs; return False if unchanged.

    A ZipMap whose names contradict themselves stays, and the backends refuse it.
    """
    graph = model.graph
    outputs = {value.name for value in graph.output}
    named = {}
    for node in graph.node:
        if node.op_type == "ZipMap" and node.domain == _MAPS and outputs.issuperset(node.output):
            names = _names(node)
            if names and len(node.input) == len(node.output) == 1 and isinstance(node.output[0], str):
                _set_names(model, names)
                _become_scores(graph, node, len(names))
                named[node.output[0]] = len(names)
    plain = [
        value.name
        for value in graph.output
        if value.name not in named and value.type.tensor_type.elem_type != _TEXT
    ]
    if not named and len(plain) in (0, len(graph.output)):
        return False
    if named and not any(entry.domain in ("", "ai.onnx") for entry in model.opset_import):
        model.opset_import.add(domain="", version=_OPSET)  # a file of ai.onnx.ml alone
    prune_to_outputs(graph, {*named, *plain})
    _put_first(graph, named)
    return True


def _names(node: Any) -> tuple[str, ...]:
    """The names of a ZipMap's scores; () where they are missing or one is there twice."""
    for attribute in node.attribute:
        if attribute.name == "classlabels_strings" and attribute.strings:
            found = tuple(text.decode("utf-8", "replace") for text in attribute.strings)
            break
        if attribute.name == "classlabels_int64s" and attribute.ints:
            found = tuple(map(str, attribute.ints))
            break
    else:
        return ()
    return found if len(set(found)) == len(found) else ()


def _set_names(model: Any, names: Sequence[str]) -> None:
    if all(entry.key != SCORE_NAMES for entry in model.metadata_props):  # of several maps the first one's
        model.metadata_props.add(key=SCORE_NAMES, value=json.dumps(names, ensure_ascii=False))


def _become_scores(graph: Any, node: Any, count: int) -> None:
    """Put a Reshape in a ZipMap's place, which takes a row of scores with and without a batch."""
    shape = f"{node.output[0]}:shape"
    graph.initializer.append(onnx.numpy_helper.from_array(np.array([-1, count], np.int64), shape))
    node.op_type, node.domain = "Reshape", ""
    node.input.append(shape)
    del node.attribute[:]


def _put_first(graph: Any, named: dict[str, int]) -> None:
    """Declare the scores as what they are now, in front of the other outputs."""
    others = [value for value in graph.output if value.name not in named]
    scores = [
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [None, count])
        for name, count in named.items()
    ]
    made = onnx.GraphProto()
    made.output.extend([*scores, *others])
    del graph.output[:]
    graph.output.extend(made.output)
