"""How far a picture network looks and by how much it enlarges, as its graph says: walked from the picture to the output, no weights read.

The receptive field of a chain of convolutions: Araujo, Norris and Sim, "Computing Receptive Fields of Convolutional Neural Networks",
Distill 2019, section 3.
"""

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
"""Each of these gives a place of what it makes from that place alone; of Slice and Concat those along channels, which pictures have."""
_WHOLE: Final = frozenset(["InstanceNormalization", "GroupNormalization", "MeanVarianceNormalization"])
"""What they make lies as what they read, and each place hangs on all of them."""
_SIZES: Final = frozenset(("Shape", "Size"))
"""What they make is the same for every picture of a size."""


@dataclass(frozen=True)
class Reach:
    """How one tensor lies over the picture.

    Attributes:
        scale: its pixels for one of the picture, along each side.
        radius: how far its pixels look in the picture, in the picture's pixels; infinite where one looks at all of it or it is not known.
        coarsest: the least scale on the way from the picture to it.
    """

    scale: Fraction = Fraction(1)
    radius: float = 0.0
    coarsest: Fraction = Fraction(1)

    def onward(self, factor: Fraction | int, radius: float = 0.0) -> Reach:
        """Return how it lies after a step that has `factor` pixels for one, and looks so many of the picture's pixels farther."""
        scale = self.scale * factor
        return Reach(scale, self.radius + radius, min(self.coarsest, scale))

    @property
    def multiple(self) -> int:
        """Return what the picture's sides are to be multiples of, so that no step rounds them."""
        return math.ceil(1 / self.coarsest)

    @property
    def margin(self) -> int | None:
        """Return `radius` as whole pixels; None where it is not known, or all of the picture."""
        return None if math.isinf(self.radius) else math.ceil(self.radius)


def reach_of(model: Any) -> Reach | None:
    """Return how the first output of an `onnx.ModelProto` lies over its first input; None where the graph does not tell its scale.

    Nor does the outline of a TensorFlow Lite file: its windows are in options that it leaves out.
    """
    graph = model.graph
    if any(opset.domain == "tflite" for opset in model.opset_import):
        return None
    weights = {tensor.name: tensor for tensor in graph.initializer}
    inputs = [value.name for value in graph.input if value.name not in weights]
    if not inputs or not graph.output:
        return None
    known: dict[str, Reach | None] = {inputs[0]: Reach()}
    walk = _Walk(weights, known)
    for node in graph.node:
        walk.pass_through(node)
    return walk.known.get(graph.output[0].name)


class _Walk:
    """The tensors of a graph that come from the picture; None for those whose places are not known."""

    def __init__(self, weights: Mapping[str, Any], known: dict[str, Reach | None]) -> None:
        self._weights = dict(weights)
        self.known = known

    def pass_through(self, node: Any) -> None:
        """Add what a node makes."""
        if node.op_type == "Constant":
            tensor = next((a.t for a in node.attribute if a.name == "value"), None)
            if tensor is not None:
                self._weights[node.output[0]] = tensor
            return
        sources = [self.known[name] for name in node.input if name in self.known]
        if sources and node.op_type not in _SIZES:
            self.known.update(dict.fromkeys(filter(None, node.output), self._made(node, sources)))

    def _made(self, node: Any, sources: Sequence[Reach | None]) -> Reach | None:
        placed = [source for source in sources if source is not None]
        scales = {source.scale for source in placed}
        if len(scales) != 1:
            return None
        # Beside the picture a statistic of it, a gate of channels say: the picture's places count, and hang on all of it.
        radius = max(source.radius for source in placed) if len(placed) == len(sources) else math.inf
        source = Reach(scales.pop(), radius, min(source.coarsest for source in placed))
        rule = _RULES.get(node.op_type)
        if rule is not None:
            return rule(self, node, source)
        if node.op_type in _WHOLE:
            return source.onward(1, math.inf)
        return source if node.op_type in _POINTWISE else None

    def _floats(self, name: str) -> np.ndarray | None:
        from onnx import numpy_helper

        tensor = self._weights.get(name)
        if tensor is None or tensor.data_location == 1:
            return None
        try:
            return np.asarray(numpy_helper.to_array(tensor), np.float64).ravel()
        except Exception:  # damaged: no evidence, and the loader will say what is wrong with it
            return None

    def convolution(self, node: Any, source: Reach) -> Reach | None:
        """A window that moves on by its stride."""
        span, stride = self._window(node)
        if span is None or stride is None:
            return None
        # A window of even size looks one farther to one side.
        return source.onward(Fraction(1, stride), float(span // 2 / source.scale))

    def transposed(self, node: Any, source: Reach) -> Reach | None:
        """The same backwards: each place is made of those that spread to it."""
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

    def to_space(self, node: Any, source: Reach) -> Reach | None:
        """Channels become pixels."""
        block = int(_attribute(node, "blocksize", 0))
        return source.onward(block) if block > 0 else None

    def to_depth(self, node: Any, source: Reach) -> Reach | None:
        """Pixels become channels: one of the result is made of a block."""
        block = int(_attribute(node, "blocksize", 0))
        return source.onward(Fraction(1, block), float(block / source.scale)) if block > 0 else None

    def resize(self, node: Any, source: Reach) -> Reach | None:
        """Enlarged by constants, with a window of 4 pixels at most; by sizes that the graph computes the scale is not known."""
        at = 2 if node.op_type == "Resize" else 1
        factors = self._floats(node.input[at]) if len(node.input) > at else None
        if factors is None:
            factors = np.asarray(_attribute(node, "scales", ()), np.float64)
        if factors.size != 4 or factors[2] != factors[3] or not 1 / 64 <= factors[2] <= 64:
            return None
        factor = Fraction(float(factors[2])).limit_denominator(64)
        return source.onward(factor, float(2 * max(Fraction(1), 1 / factor) / source.scale))

    def pad(self, node: Any, source: Reach) -> Reach | None:
        """Only what lies at the picture's edge is another."""
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
