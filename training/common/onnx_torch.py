"""An ONNX network as a PyTorch module: the teachers and the perceptual features of the trainings.

Only the operators that the teachers use are here; another one is refused by name. Semantics follow the ONNX
operator specification (https://onnx.ai/onnx/operators/) of the opset that the file declares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from google.protobuf.message import DecodeError
from onnx import numpy_helper
from torch import Tensor

from desktop.base.errors import ModelInvalidError, ModelUnsupportedError, UsageError

Sizes = tuple[int, ...]
"""An integer constant or the result of arithmetic on shapes: known while the module runs, never a tensor on a
device.
"""
Step = Callable[[Sequence[Any]], Any]
"""From a node's inputs to its output, or to the list of its outputs."""


class OnnxModule(torch.nn.Module):
    """A network of an ONNX file, its weights frozen; differentiable in its input.

    Args:
        path: the ONNX file. Fixed sizes that it declares are not enforced: any batch size runs, and any
            picture size that the operators allow.
        outputs: the values to return, graph outputs or inner ones (a node's output name); by default the
            graph's outputs. Nodes that none of them needs are not run.
        dtype: of weights, input and outputs; fp16 weights are converted. Under autocast, PyTorch's rules for
            casting apply.

    Raises:
        ModelInvalidError: no readable ONNX file.
        ModelUnsupportedError: an operator or an attribute that is not implemented here; all of them are
            listed.
        UsageError: `outputs` names no value of the graph.
    """

    def __init__(
        self, path: str | Path, outputs: Sequence[str] | None = None, dtype: torch.dtype = torch.float32
    ) -> None:
        super().__init__()
        model = _load(Path(path))
        graph = model.graph
        opset = next(item.version for item in model.opset_import if item.domain in ("", "ai.onnx"))
        constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.outputs = tuple(outputs) if outputs else tuple(value.name for value in graph.output)
        nodes = _needed(graph.node, self.outputs, Path(path).name)
        self.input_name: str = next(v.name for v in graph.input if v.name not in constants)
        self.input_shape: tuple[int, ...] = tuple(
            d.dim_value
            for v in graph.input
            if v.name == self.input_name
            for d in v.type.tensor_type.shape.dim
        )
        """The shape that the file declares; 0 where it is free."""
        unknown = sorted({node.op_type for node in nodes} - _OPERATORS.keys())
        if unknown:
            raise ModelUnsupportedError(
                f"{Path(path).name} needs the operators {', '.join(unknown)}, which training/common/onnx_torch.py"
                " lacks; add them there.",
                tuple(unknown),
            )
        self._sizes: dict[str, Sizes | tuple[float, ...]] = {}
        self._buffer_of: dict[str, str] = {}
        factors = {node.input[2] for node in nodes if node.op_type == "Resize" and len(node.input) > 2}
        factors |= {node.input[1] for node in nodes if node.op_type == "Upsample" and len(node.input) > 1}
        for name in sorted({name for node in nodes for name in node.input} & constants.keys()):
            if name in factors:  # they decide on shapes, like the whole numbers
                self._sizes[name] = tuple(float(v) for v in constants[name].reshape(-1))
            else:
                self._keep(name, constants[name], dtype)
        self._steps = [
            (_OPERATORS[node.op_type](_Attributes(node, opset)), tuple(node.input), tuple(node.output))
            for node in nodes
        ]

    def _keep(self, name: str, value: np.ndarray, dtype: torch.dtype) -> None:
        if value.dtype.kind != "f":
            self._sizes[name] = tuple(int(v) for v in value.reshape(-1))
            return
        self._buffer_of[name] = f"constant_{len(self._buffer_of)}"
        self.register_buffer(self._buffer_of[name], torch.from_numpy(value.copy()).to(dtype))

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        """Return the chosen values.

        Args:
            x: the network's input in its own layout; the batch is free.
        """
        values: dict[str, Any] = {"": None, self.input_name: x, **self._sizes}
        values.update((name, getattr(self, attribute)) for name, attribute in self._buffer_of.items())
        for step, inputs, outputs in self._steps:
            made = step([values[name] for name in inputs])
            if isinstance(made, list):
                values.update(zip(outputs, made, strict=True))
            else:
                values[outputs[0]] = made
        return {name: values[name] for name in self.outputs}


def _load(path: Path) -> onnx.ModelProto:
    try:
        model = onnx.load(str(path))
        onnx.checker.check_model(model, full_check=False)
    except (OSError, DecodeError, onnx.checker.ValidationError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ModelInvalidError(
            f"{path.name} is not a readable ONNX model ({reason}); choose another."
        ) from error
    return model


def _needed(nodes: Sequence[onnx.NodeProto], outputs: Sequence[str], file: str) -> list[onnx.NodeProto]:
    """Return the nodes that `outputs` depend on, in the graph's order (which is topological by
    specification).
    """
    made = {name for node in nodes for name in node.output}
    missing = [name for name in outputs if name not in made]
    if missing:
        raise UsageError(f"{file} has no value named '{missing[0]}'; name an output of one of its nodes.")
    wanted, kept = set(outputs), []
    for node in reversed(nodes):
        if wanted & set(node.output):
            wanted.update(node.input)
            kept.append(node)
    return kept[::-1]


class _Attributes:
    """A node's attributes, with the specification's defaults at the place of use."""

    def __init__(self, node: onnx.NodeProto, opset: int) -> None:
        self.node = node
        self.opset = opset
        self.values = {item.name: onnx.helper.get_attribute_value(item) for item in node.attribute}

    def get(self, name: str, default: Any) -> Any:
        value = self.values.get(name, default)
        return value.decode() if isinstance(value, bytes) else value

    def refuse(self, what: str) -> ModelUnsupportedError:
        reason = f"{self.node.op_type} '{self.node.name or self.node.output[0]}' has {what}"
        return ModelUnsupportedError(
            f"{reason}, which training/common/onnx_torch.py lacks; add it there.", (reason,)
        )

    def pads(self, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> _Pads:
        return _Pads(
            self.get("auto_pad", "NOTSET"),
            tuple(self.get("pads", [0] * 2 * len(kernel))),
            tuple(kernel),
            tuple(strides),
            tuple(dilations),
        )


class _Pads:
    """Padding of a window over a picture: explicit, or SAME, which depends on the picture's size."""

    def __init__(
        self, auto: str, pads: tuple[int, ...], kernel: Sizes, strides: Sizes, dilations: Sizes
    ) -> None:
        self.auto, self.pads = auto, pads
        self.kernel, self.strides, self.dilations = kernel, strides, dilations

    def split(self, x: Tensor) -> tuple[list[int], list[int]]:
        """Return (what F.pad adds, in its order; the symmetric rest for the operator itself)."""
        begin, end = self._of(x)
        if begin == end:
            return [], begin
        extra = [pad for pair in zip(reversed(begin), reversed(end), strict=True) for pad in pair]
        return extra, [0] * len(begin)

    def _of(self, x: Tensor) -> tuple[list[int], list[int]]:
        rank = len(self.kernel)
        if self.auto in ("NOTSET", "VALID"):
            pads = self.pads if self.auto == "NOTSET" else (0,) * 2 * rank
            return list(pads[:rank]), list(pads[rank:])
        spans = [
            max(0, (math.ceil(n / s) - 1) * s + (k - 1) * d + 1 - n)
            for n, k, s, d in zip(x.shape[2:], self.kernel, self.strides, self.dilations, strict=True)
        ]
        small, large = [n // 2 for n in spans], [n - n // 2 for n in spans]
        return (small, large) if self.auto == "SAME_UPPER" else (large, small)


def _conv(node: _Attributes) -> Step:
    group = node.get("group", 1)

    def run(inputs: Sequence[Any]) -> Tensor:
        x, weight = inputs[:2]
        kernel = weight.shape[2:]
        ones = [1] * len(kernel)
        strides, dilations = node.get("strides", ones), node.get("dilations", ones)
        extra, padding = node.pads(kernel, strides, dilations).split(x)
        bias = inputs[2] if len(inputs) > 2 else None
        x = F.pad(x, extra) if extra else x
        return F.conv2d(x, weight, bias, strides, padding, dilations, group)

    return run


def _conv_transpose(node: _Attributes) -> Step:
    group, dilations = node.get("group", 1), node.get("dilations", [1, 1])
    strides, pads = node.get("strides", [1, 1]), node.get("pads", [0, 0, 0, 0])
    if node.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID") or pads[:2] != pads[2:]:
        raise node.refuse("automatic or asymmetric padding")

    def run(inputs: Sequence[Any]) -> Tensor:
        x, weight = inputs[:2]
        # `output_shape` states what a picture of the declared size gives; other sizes need no correction
        # where nothing is cut.
        full = [(k - 1) * d + 1 for k, d in zip(weight.shape[2:], dilations, strict=True)]
        if "output_shape" in node.values and full != list(strides):
            raise node.refuse("an output shape and overlapping windows")
        bias = inputs[2] if len(inputs) > 2 else None
        extra = node.get("output_padding", [0, 0])
        return F.conv_transpose2d(x, weight, bias, strides, pads[:2], extra, group, dilations)

    return run


def _pool(node: _Attributes, maximum: bool) -> Step:
    kernel = node.get("kernel_shape", None)
    strides = node.get("strides", [1, 1])
    window = node.pads(kernel, strides, [1, 1])
    ceil, count = bool(node.get("ceil_mode", 0)), bool(node.get("count_include_pad", 0))

    def run(inputs: Sequence[Any]) -> Tensor:
        x = inputs[0]
        extra, padding = window.split(x)
        if maximum:
            x = F.pad(x, extra, value=-math.inf) if extra else x
            return F.max_pool2d(x, kernel, strides, padding, ceil_mode=ceil)
        if extra:
            raise node.refuse("asymmetric padding")
        return F.avg_pool2d(x, kernel, strides, padding, ceil_mode=ceil, count_include_pad=count)

    return run


def _clip(node: _Attributes) -> Step:
    low, high = node.get("min", None), node.get("max", None)

    def run(inputs: Sequence[Any]) -> Tensor:
        bounds = [*inputs[1:], None, None][:2] if node.opset >= 11 else [low, high]
        return torch.clamp(inputs[0], *bounds)

    return run


def _mean(node: _Attributes) -> Step:
    axes, keep = node.get("axes", None), bool(node.get("keepdims", 1))

    def run(inputs: Sequence[Any]) -> Tensor:
        over = inputs[1] if len(inputs) > 1 and inputs[1] is not None else axes
        return inputs[0].mean(dim=tuple(over) if over else tuple(range(inputs[0].dim())), keepdim=keep)

    return run


def _softmax(node: _Attributes) -> Step:
    axis = node.get("axis", 1 if node.opset < 13 else -1)

    def run(inputs: Sequence[Any]) -> Tensor:
        x = inputs[0]
        if node.opset >= 13:
            return x.softmax(axis)
        return x.flatten(axis).softmax(-1).reshape(x.shape)  # before opset 13: over all axes from `axis` on

    return run


def _reshape(node: _Attributes) -> Step:
    attribute = tuple(node.get("shape", ()))

    def run(inputs: Sequence[Any]) -> Tensor:
        x = inputs[0]
        shape = list(inputs[1] if len(inputs) > 1 else attribute)
        shape = [x.shape[i] if n == 0 else n for i, n in enumerate(shape)]
        if (
            shape and shape[0] == 1 and x.shape[0] > 1
        ):  # exported for a batch of 1: the first axis is the batch
            shape[0] = x.shape[0]
        return x.reshape(shape)

    return run


def _concat(node: _Attributes) -> Step:
    axis = node.get("axis", 1)

    def run(inputs: Sequence[Any]) -> Any:
        if isinstance(inputs[0], tuple):
            return tuple(n for part in inputs for n in part)
        return torch.cat(list(inputs), axis)

    return run


def _slice(node: _Attributes) -> Step:
    def run(inputs: Sequence[Any]) -> Any:
        data, starts, ends = (
            inputs[:3] if node.opset >= 10 else (inputs[0], node.get("starts", ()), node.get("ends", ()))
        )
        axes = inputs[3] if len(inputs) > 3 and inputs[3] else node.get("axes", range(len(starts)))
        steps = inputs[4] if len(inputs) > 4 else (1,) * len(starts)
        if isinstance(data, tuple):
            return data[starts[0] : ends[0] : steps[0]]
        cuts = [slice(None)] * data.dim()
        for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
            if step < 1:
                raise node.refuse("a negative step")
            cuts[axis] = slice(start, end, step)
        return data[tuple(cuts)]

    return run


def _split(node: _Attributes) -> Step:
    axis, lengths, count = node.get("axis", 0), node.get("split", None), len(node.node.output)

    def run(inputs: Sequence[Any]) -> list[Tensor]:
        given = inputs[1] if len(inputs) > 1 else lengths
        return list(inputs[0].split(list(given), axis) if given else inputs[0].chunk(count, axis))

    return run


_RESIZE_MODES: Final[Mapping[tuple[str, str], dict[str, Any]]] = {
    ("linear", "half_pixel"): {"mode": "bilinear", "align_corners": False},
    ("linear", "pytorch_half_pixel"): {"mode": "bilinear", "align_corners": False},
    ("linear", "align_corners"): {"mode": "bilinear", "align_corners": True},
    ("nearest", "asymmetric"): {"mode": "nearest"},
}


def _resize(node: _Attributes) -> Step:
    how = (node.get("mode", "nearest"), node.get("coordinate_transformation_mode", "half_pixel"))
    if how not in _RESIZE_MODES:
        raise node.refuse(f"the mode {how[0]}, {how[1]}")
    if how[0] == "nearest" and node.get("nearest_mode", "round_prefer_floor") != "floor":
        raise node.refuse("a nearest mode other than floor")

    def run(inputs: Sequence[Any]) -> Tensor:
        x = inputs[0]
        if len(inputs) > 3 and inputs[3]:
            size = tuple(inputs[3][2:])
        else:
            size = tuple(int(n * s) for n, s in zip(x.shape[2:], inputs[2][2:], strict=True))
        return F.interpolate(x, size=size, **_RESIZE_MODES[how])

    return run


def _upsample(node: _Attributes) -> Step:
    def run(inputs: Sequence[Any]) -> Tensor:
        x, factors = inputs
        if x.shape[2:] != (1, 1):
            raise node.refuse("a map of more than one pixel")  # its modes place pixels as no other operator
        return x.expand(-1, -1, *(int(n) for n in factors[2:]))

    return run


def _gemm(node: _Attributes) -> Step:
    def run(inputs: Sequence[Any]) -> Tensor:
        a = inputs[0].t() if node.get("transA", 0) else inputs[0]
        b = inputs[1].t() if node.get("transB", 0) else inputs[1]
        product = node.get("alpha", 1.0) * (a @ b)
        return product + node.get("beta", 1.0) * inputs[2] if len(inputs) > 2 else product

    return run


def _hard_sigmoid(node: _Attributes) -> Step:
    alpha, beta = node.get("alpha", 0.2), node.get("beta", 0.5)
    return lambda inputs: torch.clamp(inputs[0] * alpha + beta, 0.0, 1.0)


def _simple(function: Callable[..., Any]) -> Callable[[_Attributes], Step]:
    return lambda _: lambda inputs: function(*inputs)


_OPERATORS: Final[Mapping[str, Callable[[_Attributes], Step]]] = {
    "Add": _simple(torch.add),
    "AveragePool": lambda node: _pool(node, maximum=False),
    "Clip": _clip,
    "Concat": _concat,
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "Dropout": _simple(lambda x, *_: x),  # inference
    "Flatten": lambda node: lambda inputs: inputs[0].flatten(node.get("axis", 1)),
    "Gemm": _gemm,
    "GlobalAveragePool": _simple(lambda x: x.mean(dim=(2, 3), keepdim=True)),
    "HardSigmoid": _hard_sigmoid,
    "HardSwish": _simple(F.hardswish),
    "Identity": _simple(lambda x: x),
    "LeakyRelu": lambda node: lambda inputs: F.leaky_relu(inputs[0], node.get("alpha", 0.01)),
    "MaxPool": lambda node: _pool(node, maximum=True),
    "Mul": _simple(torch.mul),
    "ReduceMean": _mean,
    "Relu": _simple(torch.relu),
    "Reshape": _reshape,
    "Resize": _resize,
    "Upsample": _upsample,
    "Shape": _simple(lambda x: tuple(x.shape)),
    "Sigmoid": _simple(torch.sigmoid),
    "Slice": _slice,
    "Softmax": _softmax,
    "Split": _split,
    "Transpose": lambda node: (
        lambda inputs: inputs[0].permute(node.get("perm", range(inputs[0].dim())[::-1]))
    ),
}
