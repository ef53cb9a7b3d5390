"""ResNet50 and MobileNetV3-Large as torchvision shapes them (torchvision 0.21, `resnet.py`,
`mobilenetv3.py`), batch normalizations folded in, with random weights: for comparing engines, at any width.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# kernel, expanded, out, squeeze and excitation, hard swish, stride
_V3_LARGE = (
    *((3, 16, 16, False, False, 1), (3, 64, 24, False, False, 2), (3, 72, 24, False, False, 1)),
    *((5, 72, 40, True, False, 2), (5, 120, 40, True, False, 1), (5, 120, 40, True, False, 1)),
    *((3, 240, 80, False, True, 2), (3, 200, 80, False, True, 1), (3, 184, 80, False, True, 1)),
    *((3, 184, 80, False, True, 1), (3, 480, 112, True, True, 1), (3, 672, 112, True, True, 1)),
    *((5, 672, 160, True, True, 2), (5, 960, 160, True, True, 1), (5, 960, 160, True, True, 1)),
)


class _Builder:
    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def weight(self, values: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values.astype(np.float32), name))
        return name

    def node(self, op: str, *inputs: str, **attributes: object) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=name, **attributes))
        return name

    def conv(
        self, x: str, given: int, out: int, kernel: int, stride: int = 1, group: int = 1, gain: float = 2.0
    ) -> str:
        fan = given // group * kernel * kernel
        weight = self.random.normal(0, np.sqrt(gain / fan), (out, given // group, kernel, kernel))
        bias = self.random.normal(0, 0.05, out)
        window = {
            "kernel_shape": [kernel] * 2,
            "pads": [kernel // 2] * 4,
            "strides": [stride] * 2,
            "group": group,
        }
        return self.node("Conv", x, self.weight(weight), self.weight(bias), **window)

    def linear(self, x: str, given: int, out: int) -> str:
        weight = self.random.normal(0, np.sqrt(1 / given), (out, given))
        return self.node(
            "Gemm", x, self.weight(weight), self.weight(self.random.normal(0, 0.05, out)), transB=1
        )

    def save(self, path: Path, result: str, size: int, classes: int) -> Path:
        graph = helper.make_graph(
            self.nodes,
            "g",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, size, size])],
            [helper.make_tensor_value_info(result, TensorProto.FLOAT, [1, classes])],
            self.weights,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model)
        onnx.save(model, path)
        return path


def resnet50(path: Path, *, width: int = 64, size: int = 224, classes: int = 1000) -> Path:
    """Write ResNet50; torchvision's has a width of 64."""
    b = _Builder(1)
    x = b.node("Relu", b.conv("x", 3, width, 7, 2))
    x = b.node("MaxPool", x, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])
    given = width
    for stage, count in enumerate((3, 4, 6, 3)):
        inner = width << stage
        for block in range(count):
            stride = 2 if stage and not block else 1
            y = b.node("Relu", b.conv(x, given, inner, 1))
            y = b.node("Relu", b.conv(y, inner, inner, 3, stride))
            y = b.conv(y, inner, inner * 4, 1, gain=0.5)
            kept = x if block else b.conv(x, given, inner * 4, 1, stride, gain=1.0)
            x = b.node("Relu", b.node("Add", y, kept))
            given = inner * 4
    x = b.node("Flatten", b.node("GlobalAveragePool", x))
    return b.save(path, b.linear(x, given, classes), size, classes)


def _divisible(value: float) -> int:
    # torchvision's _make_divisible: to a multiple of 8, and not more than a tenth less.
    near = max(8, int(value + 4) // 8 * 8)
    return near + 8 if near < 0.9 * value else near


def mobilenet_v3(path: Path, *, width: float = 1.0, size: int = 224, classes: int = 1000) -> Path:
    """Write MobileNetV3-Large; torchvision's has a width of 1."""
    b = _Builder(2)

    def scaled(channels: int) -> int:
        return _divisible(channels * width)

    given = scaled(16)
    x = b.node("HardSwish", b.conv("x", 3, given, 3, 2))
    for kernel, expanded, out, squeezes, swishes, stride in _V3_LARGE:
        inner, out = scaled(expanded), scaled(out)
        act = "HardSwish" if swishes else "Relu"
        y = x if inner == given else b.node(act, b.conv(x, given, inner, 1))
        y = b.node(act, b.conv(y, inner, inner, kernel, stride, group=inner))
        if squeezes:
            few = _divisible(inner / 4)
            s = b.node("Relu", b.conv(b.node("GlobalAveragePool", y), inner, few, 1))
            y = b.node("Mul", y, b.node("HardSigmoid", b.conv(s, few, inner, 1), alpha=1 / 6))
        y = b.conv(y, inner, out, 1, gain=1.0)
        x = b.node("Add", y, x) if stride == 1 and given == out else y
        given = out
    x = b.node("HardSwish", b.conv(x, given, given * 6, 1))
    x = b.node("Flatten", b.node("GlobalAveragePool", x))
    last = scaled(1280)
    x = b.node("HardSwish", b.linear(x, given * 6, last))
    return b.save(path, b.linear(x, last, classes), size, classes)
