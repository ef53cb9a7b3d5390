"""Gather facts about a model's inputs and outputs, for `Preprocess.infer` and `choose_labels`.

Terms as in onnx/docs/IR.md; image metadata as in onnx/docs/MetadataProps.md and Windows ML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from desktop.base.errors import ModelInvalidError
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.weights import Weights
from desktop.compute.nn.session import TensorInfo
from desktop.vision.models.first_layer import first_layer, last_channels, settled
from desktop.vision.models.receptive_field import ReceptiveField, receptive_field_of
from desktop.vision.models.recurrence import StatePair, state_pairs
from desktop.vision.models.tail import Tail, tails_of

Vector = tuple[float, ...]


@dataclass(frozen=True)
class InputArithmetic:
    """Operations on the image before the first layer: y = x * scale + offset, one value or one a channel."""

    scale: Vector
    offset: Vector


@dataclass(frozen=True)
class ModelFacts:
    """Evidence about a network's image input and its outputs.

    Attributes:
        input_name: the first input that is not a weight nor PaddleDetection's numbers before an image.
        input_shape: 0 for a free dimension that the weights do not determine. An image without a batch has a
            batch of one here, as added by `opened_with_batch`.
        settled_axes: axes of `input_shape` that are free in the file and determined by the weights.
        input_dtype: NumPy's name of its element type.
        output_name: the first output.
        classes: elements of that output without the batch; 0 if unknown.
        metadata: the model's metadata properties.
        producer: the program that wrote the file.
        softmax: True if the graph ends in Softmax, Sigmoid or scikit-learn's equivalents: probabilities.
        arithmetic: see `InputArithmetic`; None if the first layer reads the input unchanged.
        input_statistics: (mean, variance) a channel of a batch normalization as the first layer.
        quantized_range: (least, greatest) value that the first QuantizeLinear of the input can represent.
        bias_to_weight: median |bias| of the first convolution over its median filter norm; 0.0 if unknown.
            With a batch normalization folded in: about the deviation of the training inputs.
        outputs: all outputs except states; 0 for a free dimension, unless the last convolution determines it.
        inputs: number of inputs that are neither weights nor states.
        states: recurrent states: an input and the output with its next value.
        last_operator: the operator that computes the first output, not counting reshapes and conversions.
        modules: outermost modules of the exported PyTorch network, from names of weights and nodes.
        reach: receptive field and scale of the first output's pixels; None if undetermined.
        tails: operators between the last convolutions and each output, by its name.
        lacks_batch: the image input has no batch axis.
        makers: the operator that computes an output, and which of that operator's outputs it is, by its name.
    """

    input_name: str
    input_shape: tuple[int, ...]
    input_dtype: str = "float32"
    output_name: str = ""
    classes: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    producer: str = ""
    softmax: bool = False
    arithmetic: InputArithmetic | None = None
    input_statistics: tuple[Vector, Vector] | None = None
    quantized_range: tuple[float, float] | None = None
    bias_to_weight: float = 0.0
    outputs: tuple[TensorInfo, ...] = ()
    inputs: int = 1
    others: tuple[TensorInfo, ...] = ()
    states: tuple[StatePair, ...] = ()
    last_operator: str = ""
    operators: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    file_name: str = ""
    reach: ReceptiveField | None = None
    tails: Mapping[str, Tail] = field(default_factory=dict)
    settled_axes: tuple[int, ...] = ()
    lacks_batch: bool = False
    makers: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def leaves_sizes_open(self) -> bool:
        """True if the file leaves a size of the image input free: a session needs all of them."""
        return bool(self.settled_axes) or 0 in self.input_shape


_MOST_MAKERS: Final = 64
_LEAST_SIDE: Final = 16
"""Smallest side in pixels of an image without a batch; smaller tensors may be any table."""
_PASS_THROUGH: Final = frozenset(
    {"Identity", "Cast", "Transpose", "Dropout", "Squeeze", "Unsqueeze", "DequantizeLinear"}
)
_AFTER_SOFTMAX: Final = frozenset(
    {
        "Identity",
        "Cast",
        "Reshape",
        "Flatten",
        "Squeeze",
        "Dropout",
        "QuantizeLinear",
        "DequantizeLinear",
        "Unsqueeze",
    }
)


def facts_of(model: Any, name: str, weights: Weights | None = None) -> ModelFacts:
    """Gather facts of an `onnx.ModelProto` and its separate weights; raise ModelInvalidError if invalid."""
    # Here, because it brings onnx.
    from desktop.compute.nn.frontends.structure import check_structure

    check_structure(model, name, weights)
    return _GraphEnds(model, name, weights or Weights()).facts()


class _GraphEnds:
    """Walk of the start and the end of a graph."""

    def __init__(self, model: Any, name: str, values: Weights) -> None:
        self._model = model
        self._name = name
        self._values = values
        self._graph = model.graph
        self._weights = {tensor.name: tensor for tensor in self._graph.initializer}
        self._makers = {out: node for node in self._graph.node for out in node.output}
        inputs = [value for value in self._graph.input if value.name not in self._weights]
        if not inputs or not self._graph.output:
            raise ModelInvalidError(
                sentence("{name} has no input or no output; it is not a network that can be run.", name=name)
            )
        self._input = _picture_of(inputs)
        self._others = [value for value in inputs if value is not self._input]
        self._output = self._graph.output[0]

    def facts(self) -> ModelFacts:
        first, arithmetic = self._walk_input()
        last = self._last_operator()
        outputs, others = self._outputs(), _infos(self._others)
        states = state_pairs(others, outputs)
        remembered = {info for pair in states for info in (pair.input, pair.output)}
        others = tuple(info for info in others if info not in remembered)
        declared = _shape(self._input)
        lacks_batch = _is_picture_alone(declared)
        declared = (1, *declared) if lacks_batch else declared
        is_open = len(declared) == 4 and 0 in declared[1:]
        shape = settled(declared, first_layer(self._model, self._input.name) if is_open else None)
        return ModelFacts(
            input_name=_text(self._input.name),
            input_shape=shape,
            settled_axes=tuple(axis for axis, size in enumerate(declared) if size != shape[axis]),
            input_dtype=_dtype(self._input),
            output_name=_text(self._output.name),
            classes=_classes(_shape(self._output)),
            metadata={_text(prop.key): _text(prop.value) for prop in self._model.metadata_props},
            producer=_text(self._model.producer_name),
            softmax=last is not None and _gives_probabilities(last),
            arithmetic=arithmetic,
            input_statistics=self._statistics(first),
            quantized_range=self._quantized_range(first),
            bias_to_weight=self._bias_to_weight(first),
            outputs=tuple(info for info in outputs if info not in remembered),
            inputs=1 + len(others),
            others=others,
            states=states,
            last_operator=_text(last.op_type) if last is not None else "",
            operators=frozenset(_text(node.op_type) for node in self._graph.node),
            modules=self._modules(),
            file_name=self._name,
            reach=receptive_field_of(self._model),
            tails=tails_of(self._model, self._values),
            lacks_batch=lacks_batch,
            makers=self._named_makers(),
        )

    def _named_makers(self) -> dict[str, tuple[str, int]]:
        names = [value.name for value in self._graph.output[:_MOST_MAKERS]]
        made = {name: self._makers[name] for name in names if name in self._makers}
        return {
            _text(name): (_text(node.op_type), list(node.output).index(name)) for name, node in made.items()
        }

    def _outputs(self) -> tuple[TensorInfo, ...]:
        first, *rest = _infos(self._graph.output)
        if len(first.shape) == 4 and not any(first.shape[1:]):  # as Optimum declares an output image
            channels = last_channels(self._graph, self._output.name)
            first = TensorInfo(first.name, (first.shape[0], channels, 0, 0), first.dtype)
        return (first, *rest)

    def _consumers(self, value: str) -> list[Any]:
        return [node for node in self._graph.node if value in node.input]

    def _walk_input(self) -> tuple[Any | None, InputArithmetic | None]:
        # Follow the only consumer of the input while the node is element-wise arithmetic with a constant.
        value = self._input.name
        scale, offset, found = np.ones(1), np.zeros(1), False
        for _ in range(32):
            nodes = self._consumers(value)
            if len(nodes) != 1:
                return (nodes[0] if nodes else None), _arithmetic(scale, offset, found)
            node = nodes[0]
            step = self._affine(node, value)
            if step is not None:
                scale, offset, found = scale * step[0], offset * step[0] + step[1], True
            elif node.op_type not in _PASS_THROUGH:
                return node, _arithmetic(scale, offset, found)
            value = next(iter(node.output), "")
        return None, _arithmetic(scale, offset, found)

    def _affine(self, node: Any, value: str) -> tuple[np.ndarray, np.ndarray] | None:
        if node.op_type == "ImageScaler":
            return _image_scaler(node)
        make = _AFFINE.get(node.op_type)
        if make is None or len(node.input) != 2:
            return None
        left = node.input[0] == value
        constant = self._constant(node.input[1] if left else node.input[0])
        # At most a value a channel; a mean image is averaged by channel below.
        if constant is None or constant.size > 1 << 20 or constant.size == 0:
            return None
        if not left and node.op_type in ("Sub", "Div"):
            return None
        vector = _by_channel(constant)
        if node.op_type == "Div" and not np.all(vector):
            return None
        return make(vector)

    def _constant(self, name: str) -> np.ndarray | None:
        from onnx import numpy_helper

        tensor = self._weights.get(name)
        if tensor is None:
            node = self._makers.get(name)
            if node is None:
                return None
            if node.op_type in ("Identity", "DequantizeLinear", "Cast", "Unsqueeze", "Reshape"):
                return self._scaled(node)
            if node.op_type != "Constant":
                return None
            tensor = next((a.t for a in node.attribute if a.name == "value"), None)
        tensor = None if tensor is None else self._values.with_values(tensor)
        if tensor is None:
            return None
        try:
            return np.asarray(numpy_helper.to_array(tensor), dtype=np.float64)
        except Exception:  # damaged or unusual weights: no evidence, and the loader reports the error
            return None

    def _scaled(self, node: Any) -> np.ndarray | None:
        inner = self._constant(node.input[0]) if node.input and node.input[0] in self._weights else None
        if inner is None or node.op_type != "DequantizeLinear":
            return inner
        scale = self._constant(node.input[1]) if len(node.input) > 1 else None
        if scale is None or inner.ndim == 0:
            return None
        return inner * (
            scale.reshape((-1,) + (1,) * (inner.ndim - 1))
            if scale.size == inner.shape[0]
            else scale.ravel()[0]
        )

    def _statistics(self, first: Any | None) -> tuple[Vector, Vector] | None:
        if first is None or first.op_type != "BatchNormalization" or len(first.input) < 5:
            return None
        mean, variance = self._constant(first.input[3]), self._constant(first.input[4])
        if mean is None or variance is None:
            return None
        return tuple(map(float, mean.ravel())), tuple(map(float, variance.ravel()))

    def _quantized_range(self, first: Any | None) -> tuple[float, float] | None:
        if first is None or first.op_type != "QuantizeLinear" or len(first.input) < 2:
            return None
        scale = self._constant(first.input[1])
        zero = self._constant(first.input[2]) if len(first.input) > 2 else np.zeros(1)
        if scale is None or zero is None or scale.size != 1 or zero.size != 1:
            return None
        tensor = self._weights.get(first.input[2]) if len(first.input) > 2 else None
        signed = tensor is not None and tensor.data_type == 3
        least, greatest = (-128, 127) if signed else (0, 255)
        s, z = float(scale.ravel()[0]), float(zero.ravel()[0])
        return ((least - z) * s, (greatest - z) * s)

    def _bias_to_weight(self, first: Any | None) -> float:
        conv = next((node for node in self._graph.node if node.op_type == "Conv"), None)
        if first is None or conv is None or len(conv.input) < 3:
            return 0.0
        weight, bias = self._constant(conv.input[1]), self._constant(conv.input[2])
        if weight is None or bias is None or weight.ndim != 4:
            return 0.0
        norm = float(np.median(np.sqrt((weight**2).sum(axis=(1, 2, 3)))))
        return float(np.median(np.abs(bias))) / norm if norm > 0 else 0.0

    def _modules(self) -> frozenset[str]:
        # torch.onnx names a node '/side1/Conv', a weight 'side1.weight'; a wrapper module adds a prefix.
        names = (
            *(_text(node.name).strip("/").split("/")[:-1] for node in self._graph.node),
            *(_text(weight).split(".")[:-1] for weight in self._weights),
        )
        return frozenset(part for parts in names for part in parts[:2])

    def _last_operator(self) -> Any | None:
        node = self._makers.get(self._output.name)
        for _ in range(16):
            if node is None or node.op_type not in _AFTER_SOFTMAX or not node.input:
                break
            node = self._makers.get(node.input[0])
        return node


def _gives_probabilities(node: Any) -> bool:
    if node.op_type == "LinearClassifier":
        return any(a.name == "post_transform" and a.s in _LIKELIHOODS for a in node.attribute)
    if node.op_type == "Normalizer":  # by their sum: scikit-learn's of one class against the rest
        return any(a.name == "norm" and a.s == b"L1" for a in node.attribute)
    return node.op_type in ("Softmax", "Sigmoid", "QLinearSoftmax", "QLinearSigmoid")


_LIKELIHOODS: Final = (b"SOFTMAX", b"LOGISTIC", b"SOFTMAX_ZERO")
_AFFINE: Final[dict[str, Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]]] = {
    "Add": lambda c: (np.ones(1), c),
    "Sub": lambda c: (np.ones(1), -c),
    "Mul": lambda c: (c, np.zeros(1)),
    "Div": lambda c: (1.0 / c, np.zeros(1)),
}


def _image_scaler(node: Any) -> tuple[np.ndarray, np.ndarray]:
    # ONNX's experimental operators, as Windows ML's converters wrote them: y = scale * x + bias.
    scale = next((a.f for a in node.attribute if a.name == "scale"), 1.0)
    bias = next((list(a.floats) for a in node.attribute if a.name == "bias"), []) or [0.0]
    return np.array([scale]), np.array(bias)


def _by_channel(constant: np.ndarray) -> np.ndarray:
    if constant.size in (1, 3):
        return constant.ravel()
    for axis in (-3, -1):  # CHW, then HWC
        if constant.ndim >= 3 and constant.shape[axis] == 3:
            rest = tuple(a for a in range(constant.ndim) if a != constant.ndim + axis)
            return constant.mean(axis=rest)
    return np.array([constant.mean()])


def _arithmetic(scale: np.ndarray, offset: np.ndarray, found: bool) -> InputArithmetic | None:
    if not found:
        return None
    return InputArithmetic(tuple(map(float, scale)), tuple(map(float, offset)))


def _picture_of(inputs: list[Any]) -> Any:
    first = inputs[0]
    if len(_shape(first)) > 2:
        return first
    return next((value for value in inputs if len(_shape(value)) == 4 and _shape(value)[1] == 3), first)


def _is_picture_alone(shape: tuple[int, ...]) -> bool:
    """Return True for an image [3, height, width], as in torchvision's detectors, which take lists."""
    return len(shape) == 3 and shape[0] == 3 and all(side == 0 or side >= _LEAST_SIDE for side in shape[1:])


def _text(value: str | bytes) -> str:
    # protobuf returns strings that are not UTF-8 as bytes.
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _infos(values: Iterable[Any]) -> tuple[TensorInfo, ...]:
    return tuple(TensorInfo(_text(v.name), _shape(v), _dtype(v)) for v in values)


def _shape(value: Any) -> tuple[int, ...]:
    dims = value.type.tensor_type.shape.dim
    return tuple(int(dim.dim_value) if dim.HasField("dim_value") and dim.dim_value > 0 else 0 for dim in dims)


def _dtype(value: Any) -> str:
    from onnx import helper

    try:
        return str(helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type))
    except (KeyError, ValueError):
        return "unknown"


def _classes(shape: tuple[int, ...]) -> int:
    rest = [size for size in shape[1:] if size != 1] if len(shape) > 1 else list(shape)
    return rest[0] if len(rest) == 1 else 0
