"""Compute an image network's receptive field and scale from its graph (Araujo et al., Distill 2019)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

_POINTWISE: Final = frozenset((
    "Abs", "Add", "Affine", "BatchNormalization", "Cast", "Ceil", "Clip", "Concat", "Cos", "DequantizeLinear", "Div", "Dropout",
    "Elu", "Erf", "Exp", "Expand", "Floor", "Gelu", "HardSigmoid", "HardSwish", "Identity", "ImageScaler", "LRN", "LeakyRelu", "Log",
    "Max", "Min", "Mish", "Mod", "Mul", "Neg", "Not", "PRelu", "Pow", "QuantizeLinear", "Reciprocal", "Relu", "Relu6", "Round",
    "Selu", "Sigmoid", "Sign", "Sin", "Slice", "Softplus", "Softsign", "Split", "Sqrt", "Squeeze", "Sub", "Sum", "Swish", "Tanh",
    "ThresholdedRelu", "Tile", "Transpose", "Unsqueeze", "Where",
))  # fmt: skip
"""Operators whose result depends on one position; Slice and Concat along channels, for images."""
_GLOBAL_OPERATORS: Final = frozenset(
    ["InstanceNormalization", "GroupNormalization", "MeanVarianceNormalization"]
)
"""Operators whose result has the input's positions, each of which depends on all of them."""
_SIZES: Final = frozenset(("Shape", "Size"))
"""Operators whose result is the same for every image of a size."""


@dataclass(frozen=True)
class ReceptiveField:
    """Position of a tensor's pixels on the image.

    Attributes:
        scale: its pixels per pixel of the image, along each side; `coarsest` is the least up to it.
        radius: receptive field to each side, in image pixels; infinite if it is the whole image or unknown.
    """

    scale: Fraction = Fraction(1)
    radius: float = 0.0
    coarsest: Fraction = Fraction(1)

    def onward(self, factor: Fraction | int, radius: float = 0.0) -> ReceptiveField:
        """Return the reach after a scaling by `factor` that widens the field by `radius` image pixels."""
        scale = self.scale * factor
        return ReceptiveField(scale, self.radius + radius, min(self.coarsest, scale))

    @property
    def multiple(self) -> int:
        """Return the number whose multiples the image's sides must be, so that no step rounds them."""
        return math.ceil(1 / self.coarsest)

    @property
    def margin(self) -> int | None:
        """Return `radius` as whole pixels; None if it is unknown, or all of the image."""
        return None if math.isinf(self.radius) else math.ceil(self.radius)


def receptive_field_of(model: Any) -> ReceptiveField | None:
    """Return the reach of the first output over the first input; None if unknown, as for TensorFlow Lite."""
    graph = model.graph
    if any(opset.domain == "tflite" for opset in model.opset_import):
        return None
    weights = {tensor.name: tensor for tensor in graph.initializer}
    inputs = [value.name for value in graph.input if value.name not in weights]
    if not inputs or not graph.output:
        return None
    known: dict[str, ReceptiveField | None] = {inputs[0]: ReceptiveField()}
    walk = _Walk(weights, known)
    for node in graph.node:
        walk.pass_through(node)
    return walk.known.get(graph.output[0].name)


class _Walk:
    """The tensors of a graph that depend on the image; None for those with unknown positions."""

    def __init__(self, weights: Mapping[str, Any], known: dict[str, ReceptiveField | None]) -> None:
        self._weights = dict(weights)
        self.known = known

    def pass_through(self, node: Any) -> None:
        """Add the results of a node."""
        if node.op_type == "Constant":
            tensor = next((a.t for a in node.attribute if a.name == "value"), None)
            if tensor is not None:
                self._weights[node.output[0]] = tensor
            return
        sources = [self.known[name] for name in node.input if name in self.known]
        if sources and node.op_type not in _SIZES:
            self.known.update(dict.fromkeys(filter(None, node.output), self._made(node, sources)))

    def _made(self, node: Any, sources: Sequence[ReceptiveField | None]) -> ReceptiveField | None:
        placed = [source for source in sources if source is not None]
        scales = {source.scale for source in placed}
        if len(scales) != 1:
            return None
        # Combined with an image statistic, such as a channel gate: each position depends on the whole image.
        radius = max(source.radius for source in placed) if len(placed) == len(sources) else math.inf
        source = ReceptiveField(scales.pop(), radius, min(source.coarsest for source in placed))
        rule = _RULES.get(node.op_type)
        if rule is not None:
            return rule(self, node, source)
        if node.op_type in _GLOBAL_OPERATORS:
            return source.onward(1, math.inf)
        return source if node.op_type in _POINTWISE else None

    def _floats(self, name: str) -> np.ndarray | None:
        from onnx import numpy_helper

        tensor = self._weights.get(name)
        if tensor is None or tensor.data_location == 1:
            return None
        try:
            return np.asarray(numpy_helper.to_array(tensor), np.float64).ravel()
        except Exception:  # damaged: no evidence, and the loader reports the error
            return None

    def convolution(self, node: Any, source: ReceptiveField) -> ReceptiveField | None:
        """Return the reach after a sliding window with a stride."""
        span, stride = self._window(node)
        if span is None or stride is None:
            return None
        # A window of even size extends one farther to one side.
        return source.onward(Fraction(1, stride), float(span // 2 / source.scale))

    def transposed(self, node: Any, source: ReceptiveField) -> ReceptiveField | None:
        """Return the reach after a transposed convolution, where each output sums overlapping inputs."""
        span, stride = self._window(node)
        if span is None or stride is None:
            return None
        return source.onward(stride, float(math.ceil(span / stride) / source.scale))

    def _window(self, node: Any) -> tuple[int | None, int | None]:
        kernel = list(_attribute(node, "kernel_shape", ()))
        if not kernel and len(node.input) > 1 and node.input[1] in self._weights:
            kernel = list(self._weights[node.input[1]].dims)[2:]
        strides = set(_attribute(node, "strides", (1, 1)))
        dilations = list(_attribute(node, "dilations", ())) or [1] * len(kernel)
        if len(kernel) != 2 or len(strides) != 1 or min(*strides, *kernel, *dilations) < 1:
            return None, None
        return max((k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=False)), strides.pop()

    def to_space(self, node: Any, source: ReceptiveField) -> ReceptiveField | None:
        """Return the reach after channels become pixels."""
        block = int(_attribute(node, "blocksize", 0))
        return source.onward(block) if block > 0 else None

    def to_depth(self, node: Any, source: ReceptiveField) -> ReceptiveField | None:
        """Return the reach after pixels become channels: a pixel of the result is made from a block."""
        block = int(_attribute(node, "blocksize", 0))
        return source.onward(Fraction(1, block), float(block / source.scale)) if block > 0 else None

    def resize(self, node: Any, source: ReceptiveField) -> ReceptiveField | None:
        """Return the reach after an enlargement by constants (window up to 4 pixels); None for others."""
        at = 2 if node.op_type == "Resize" else 1
        factors = self._floats(node.input[at]) if len(node.input) > at else None
        if factors is None:
            factors = np.asarray(_attribute(node, "scales", ()), np.float64)
        if factors.size != 4 or factors[2] != factors[3] or not 1 / 64 <= factors[2] <= 64:
            return None
        factor = Fraction(float(factors[2])).limit_denominator(64)
        return source.onward(factor, float(2 * max(Fraction(1), 1 / factor) / source.scale))

    def pad(self, node: Any, source: ReceptiveField) -> ReceptiveField | None:
        """Return the reach after padding, which changes only the border."""
        return source


def _attribute(node: Any, name: str, otherwise: Any) -> Any:
    for attribute in node.attribute:
        if attribute.name == name:
            return attribute.ints or attribute.floats or attribute.i
    return otherwise


_RULES: Final = {
    **dict.fromkeys(
        ("Conv", "MaxPool", "AveragePool", "ConvInteger", "QLinearConv", "LpPool"), _Walk.convolution
    ),
    "ConvTranspose": _Walk.transposed,
    "DepthToSpace": _Walk.to_space,
    "SpaceToDepth": _Walk.to_depth,
    **dict.fromkeys(("Resize", "Upsample"), _Walk.resize),
    "Pad": _Walk.pad,
}
