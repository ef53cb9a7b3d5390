"""Resize of the two spatial dimensions: nearest and linear, with every coordinate transformation but crop.

https://onnx.ai/onnx/operators/onnx__Resize.html
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from desktop.compute.nn.graph import Node, Value
from desktop.compute.nn.lowering import Lowering, ceil_div
from desktop.compute.nn.operator import Constants, Operator, constant_input, refuse_unless, require

_LARGEST = 1 << 16
_COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
_ROUNDING: Final[dict[str, Callable[[np.ndarray], np.ndarray]]] = {
    "round_prefer_floor": lambda at: np.ceil(at - 0.5),
    "round_prefer_ceil": lambda at: np.floor(at + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}


def scales(node: Node, shape: Sequence[int], constants: Constants) -> tuple[list[float], list[int]]:
    """Scale and output size of each dimension. Opset 10 and Upsample have the scales as input 1, later ones as input 2."""
    old = node.op == "Upsample" or node.version < 11
    given = node.attributes.get("scales") or constant_input(node, 1 if old else 2, constants)
    sizes = None if old else constant_input(node, 3, constants)
    refuse_unless("axes" not in node.attributes, node, "the axes attribute")
    refuse_unless(
        node.attributes.get("keep_aspect_ratio_policy", "stretch") == "stretch",
        node,
        "keeping the aspect ratio",
    )
    if sizes is not None and sizes.size:
        require(sizes.size == len(shape), node, "sizes that do not fit its input")
        outputs = [int(n) for n in sizes.reshape(-1)]
        factors = [out / n for out, n in zip(outputs, shape, strict=True)]
    else:
        factors = [] if given is None else [float(f) for f in given]
        require(len(factors) == len(shape), node, "scales that do not fit its input")
        require(
            all(math.isfinite(f) and 0 < f <= _LARGEST for f in factors), node, "a scale that is not positive"
        )
        outputs = [math.floor(n * f) for n, f in zip(shape, factors, strict=True)]
    require(all(0 < n <= _LARGEST for n in outputs), node, f"a result of shape {outputs}")
    return factors, outputs


def infer(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """The sizes, or floor(size * scale)."""
    _, outputs = scales(node, inputs[0].shape, constants)
    return [Value(node.outputs[0], tuple(outputs), inputs[0].dtype)]


def _places(coordinate: str, scale: float, size: int, count: int) -> np.ndarray:
    """Where each of `count` outputs lies among `size` inputs, in float64."""
    at = np.arange(count, dtype=np.float64)
    if coordinate == "asymmetric":
        return at / scale
    if coordinate == "align_corners":
        return at * (size - 1) / max(count - 1, 1)
    if coordinate == "pytorch_half_pixel" and count == 1:
        return np.zeros(1)
    return (at + 0.5) / scale - 0.5


def _sources(places: np.ndarray, size: int, rounding: str | None) -> np.ndarray:
    """(input, fraction towards the next input) for each place; without `rounding`, for linear interpolation."""
    if rounding is not None:
        places = _ROUNDING[rounding](places)
    places = np.clip(places, 0, size - 1)
    first = np.floor(places)
    return np.stack([first, places - first], axis=1)


def lower(lowering: Lowering, node: Node) -> None:
    """Each thread mixes up to four neighbours of four channels."""
    shape = lowering.graph.shape(node.inputs[0])
    factors, outputs = scales(node, shape, lowering.graph.constants)
    mode = node.attributes.get("mode", "nearest")
    asymmetric = node.op == "Upsample" or node.version < 11
    coordinate = (
        "asymmetric" if asymmetric else node.attributes.get("coordinate_transformation_mode", "half_pixel")
    )
    rounding = "floor" if asymmetric else node.attributes.get("nearest_mode", "round_prefer_floor")
    refuse_unless(mode in ("nearest", "linear"), node, f"mode {mode}")
    refuse_unless(coordinate in _COORDINATES and rounding in _ROUNDING, node, f"{coordinate} with {rounding}")
    refuse_unless(not node.attributes.get("antialias", 0), node, "antialias")
    refuse_unless(
        len(shape) == 4 and list(shape[:2]) == outputs[:2], node, "resizing off the two spatial dimensions"
    )
    x, result = lowering.channels_last(node.inputs[0]), lowering.result(node.outputs[0])
    groups = ceil_div(result.pixels * result.blocks, 64)
    width = min(groups, 4096)
    numbers = {
        "PIXELS": result.pixels, "BLOCKS": result.blocks, "WIDTH": width * 64, "IN_H": shape[2], "IN_W": shape[3],
        "OUT_H": outputs[2], "OUT_W": outputs[3], "LINEAR": int(mode == "linear"),
    }  # fmt: skip
    constants = {}
    for name, axis in (("rows", 2), ("columns", 3)):
        places = _places(coordinate, factors[axis], shape[axis], outputs[axis])
        table = _sources(places, shape[axis], None if mode == "linear" else rounding)
        constants[name] = (lowering.constant(table, dtype="float32"), "vec2<f32>")
    lowering.dispatch(
        node.name, "resize", {"x": x}, result, (width, ceil_div(groups, width), 1), numbers,
        constants=constants, epilogue=node.epilogue,
    )  # fmt: skip


OPERATOR = Operator("Resize", infer, lower, fuses=True, host=(1, 2, 3))
