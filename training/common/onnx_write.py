"""Write a trained network as an ONNX file: half precision, batch normalization folded, nothing but the
operators of inference.

The graph is written node by node rather than traced: what stands in the file is then exactly what the design
says, with readable names, and does not change with PyTorch's exporter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from desktop.base.errors import LightloomError, SourceDamagedError, SourceNotFoundError

OPSET = 17
_IR_VERSION = 8  # the one of opset 17: older readers take the file


class GraphWriter:
    """Collects nodes and fp16 constants; every method appends one operation and returns its output's name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def node(self, kind: str, *inputs: str, output: str = "", **attributes: object) -> str:
        """Append one node with one output."""
        output = output or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=output, **attributes))
        return output

    def constant(self, value: Tensor | np.ndarray, name: str) -> str:
        """Add a constant: floating-point ones as fp16, integers as int64.

        Raises:
            LightloomError: a value does not fit into fp16.
        """
        array = value.detach().cpu().numpy() if isinstance(value, Tensor) else value
        if array.dtype.kind == "f":
            array = array.astype(np.float16)
            if not np.isfinite(array).all():
                raise LightloomError(
                    f"The weight '{name}' does not fit into half precision; train with more weight decay."
                )
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def convolution(
        self, x: str, layer: nn.Sequential | nn.Conv2d, name: str, pads: Sequence[int] | None = None
    ) -> str:
        """Append a convolution, folding the batch normalization that may follow it in `layer`.

        `pads`: above, left, below, right, where they are not the layer's own.
        """
        conv = layer[0] if isinstance(layer, nn.Sequential) else layer
        norm = layer[1] if isinstance(layer, nn.Sequential) else None
        assert isinstance(conv, nn.Conv2d)
        weight, bias = folded(conv, norm)
        return self.node(
            "Conv",
            x,
            self.constant(weight, f"{name}.weight"),
            self.constant(bias, f"{name}.bias"),
            output=name,
            kernel_shape=list(conv.kernel_size),
            strides=list(conv.stride),
            pads=[*conv.padding, *conv.padding] if pads is None else list(pads),
            group=conv.groups,
        )

    def doubled(self, x: str) -> str:
        """Append a bilinear enlargement to twice the size. Resize takes its scales in float32 whatever x is."""
        if all(constant.name != "double" for constant in self.constants):
            self.constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "double"))
        return self.node(
            "Resize", x, "", "double", mode="linear", coordinate_transformation_mode="half_pixel"
        )

    def write(
        self,
        path: Path,
        inputs: list[int | str] | Mapping[str, list[int | str]],
        outputs: Mapping[str, list[int | str]],
    ) -> None:
        """Check the graph and write it; inputs and outputs are given by name with their shapes, all fp16. A
        shape alone is of 'image'.
        """
        given = inputs if isinstance(inputs, Mapping) else {"image": inputs}
        graph = helper.make_graph(
            self.nodes,
            self.name,
            [helper.make_tensor_value_info(name, TensorProto.FLOAT16, size) for name, size in given.items()],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT16, size)
                for name, size in outputs.items()
            ],
            self.constants,
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=_IR_VERSION,
            producer_name="lightloom",
        )
        onnx.checker.check_model(model, full_check=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(model, str(path))


def folded(conv: nn.Conv2d, norm: nn.BatchNorm2d | None) -> tuple[Tensor, Tensor]:
    """Return weight and bias of the one convolution that computes both."""
    weight = conv.weight.detach().float()
    bias = (
        conv.bias.detach().float()
        if conv.bias is not None
        else torch.zeros(len(weight), device=weight.device)
    )
    if norm is None:
        return weight, bias
    assert norm.running_var is not None and norm.running_mean is not None
    gain = norm.weight.detach() / (norm.running_var + norm.eps).sqrt()
    return weight * gain[:, None, None, None], norm.bias.detach() + (bias - norm.running_mean) * gain


def average_weights(path: Path, other: Path) -> None:
    """Set the weights of an exported network to the means of its own and those of another file (Wortsman et al.
    2022, "Model soups"). Both must come from the same weights: otherwise their mean has no meaning.

    Raises:
        SourceNotFoundError: there is no other file.
        SourceDamagedError: the other file is of another design.
    """
    if not other.exists():
        raise SourceNotFoundError(f"There is no {other}; give the network that the training began with.")
    model, second = onnx.load(str(path)), onnx.load(str(other))
    theirs = {item.name: numpy_helper.to_array(item) for item in second.graph.initializer}
    shapes = {item.name: tuple(item.dims) for item in model.graph.initializer}
    if shapes != {name: value.shape for name, value in theirs.items()}:
        raise SourceDamagedError(f"{other} is of another design than {path.name}; give one of the same.")
    for item in model.graph.initializer:
        mine = numpy_helper.to_array(item)
        if mine.dtype == np.float16:
            mean = (mine.astype(np.float32) + theirs[item.name].astype(np.float32)) / 2
            item.CopyFrom(numpy_helper.from_array(mean.astype(np.float16), item.name))
    onnx.save(model, str(path))
