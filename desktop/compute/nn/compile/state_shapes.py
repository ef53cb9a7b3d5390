"""Infer the sizes of states that a network's file leaves free, from the outputs that are the next states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from desktop.base.errors import ModelError, ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.compile.shapes import DAMAGE, infer_decided
from desktop.compute.nn.frontends.network_file import NetworkFile
from desktop.compute.nn.frontends.onnx import ANY_OPERATOR, import_model
from desktop.compute.nn.ops import OPERATORS
from desktop.compute.nn.passes.qlinear import expand_qlinear
from desktop.compute.nn.passes.separate_names import separate_names

Shape = tuple[int, ...]


def state_shapes(
    file: NetworkFile,
    states: Mapping[str, tuple[str, Shape]],
    input_shapes: Mapping[str, Sequence[int]],
    input_values: Mapping[str, np.ndarray],
) -> dict[str, Shape]:
    """Return the shape of each state; raise ModelUnsupportedError if the other inputs do not decide it.

    Args:
        states: by input name: the output that gives the next one, and the input's shape (0 is free).
        input_shapes, input_values: of the other inputs, see `import_onnx`.
    """
    if not any(0 in shape for _, shape in states.values()):
        return {name: shape for name, (_, shape) in states.items()}
    # Authors start with zeros of size 1, which broadcast to any size.
    begun = {name: tuple(n or 1 for n in shape) for name, (_, shape) in states.items()}
    found = _results(file, states, {**input_shapes, **begun}, input_values)
    if found is None or _results(file, states, {**input_shapes, **found}, input_values) != found:
        raise ModelUnsupportedError(
            sentence(
                "{name} leaves the sizes of its states ({states}) free, and they do not follow from the "
                "image size; export it with fixed sizes.",
                name=file.name,
                states=", ".join(states),
            )
        )
    return found


def _results(
    file: NetworkFile,
    states: Mapping[str, tuple[str, Shape]],
    input_shapes: Mapping[str, Sequence[int]],
    input_values: Mapping[str, np.ndarray],
) -> dict[str, Shape] | None:
    """Return the shapes of the next states; None if they are not known."""
    try:
        graph = import_model(
            file.bare,
            file.path,
            ANY_OPERATOR,
            weights=file.weights,
            input_shapes=input_shapes,
            input_values=input_values,
        )
        values = infer_decided(expand_qlinear(separate_names(graph)), OPERATORS).graph.values
    except (ModelError, *DAMAGE):
        return None
    found = {name: values[output].shape for name, (output, _) in states.items() if output in values}
    return found if len(found) == len(states) else None
