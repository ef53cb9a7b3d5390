"""Sums of convolutions of one tensor are one convolution, and compute what onnxruntime does."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from nn_cases import check, reference, relative_error, save, session_for
from onnx import helper

from desktop.compute.nn.compile.driver import build_graph

CHANNELS = 8
SHAPE = (1, CHANNELS, 11, 13)


class Branches:
    """Nodes over the tensor 'r', the Relu of the input, with their constants."""

    def __init__(self) -> None:
        self.nodes = [helper.make_node("Relu", ["x"], ["r"])]
        self.constants: dict[str, np.ndarray] = {}
        self._rng = np.random.default_rng(7)

    def array(self, *shape, positive=False):
        """The name of a constant of random numbers."""
        name = f"c{len(self.constants)}"
        values = self._rng.standard_normal(shape).astype(np.float32) * 0.4
        self.constants[name] = np.abs(values) + 0.5 if positive else values
        return name

    def add(self, op, *inputs, **attributes):
        """The name of a node's result."""
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [name], **attributes))
        return name

    def conv(self, kernel, *, groups=1, outputs=CHANNELS, bias=True, source="r", pads=None, **attributes):
        """A convolution, padded so that a stride of 1 keeps the size."""
        inputs = [source, self.array(outputs, CHANNELS // groups, *kernel)] + [self.array(outputs)] * bias
        pads = [(size - 1) // 2 for size in kernel] * 2 if pads is None else pads
        return self.add("Conv", *inputs, group=groups, pads=pads, **attributes)

    def norm(self, source):
        """A BatchNormalization with known statistics."""
        scale, shift, mean = (self.array(CHANNELS) for _ in range(3))
        return self.add("BatchNormalization", source, scale, shift, mean, self.array(CHANNELS, positive=True))

    def path(self, folder, result, shape=SHAPE):
        """A model whose output is the Relu of a value."""
        self.nodes.append(helper.make_node("Relu", [result], ["y"]))
        return save(folder / "m.onnx", self.nodes, {"x": shape}, "y", self.constants)


def of_repvgg(b, groups):
    """3x3 and 1x1 with a normalization behind each, and a normalization."""
    three, one = b.norm(b.conv((3, 3), groups=groups)), b.norm(b.conv((1, 1), groups=groups, bias=False))
    return b.add("Add", b.add("Add", three, one), b.norm("r"))


def of_fastvit(b, groups):
    """x + scale * (branches - normalization), a sum that begins with 0."""
    b.constants["zero"] = np.float32(0.0)
    one = b.add("Add", b.norm(b.conv((1, 1), groups=groups, bias=False)), "zero")
    mixed = b.add("Add", b.add("Add", b.norm("r"), one), b.norm(b.conv((3, 3), groups=groups)))
    apart = b.add("Sub", mixed, b.norm("r"))
    return b.add("Add", "r", b.add("Mul", b.array(CHANNELS, 1, 1), apart))


def of_strides(b, groups):
    """7x7 and 3x3 that move by two pixels."""
    large = b.conv((7, 7), groups=groups, strides=[2, 2])
    return b.add("Add", large, b.conv((3, 3), groups=groups, strides=[2, 2]))


def of_uneven_pads(b, groups):
    """Kernels of even sizes and pads on one side."""
    large = b.conv((4, 3), groups=groups, pads=[2, 1, 1, 1])
    return b.add("Sub", large, b.conv((2, 1), groups=groups, pads=[1, 0, 0, 0]))


def of_a_difference(b, groups):
    """What is subtracted is larger."""
    return b.add("Sub", b.conv((1, 1), groups=groups), b.conv((3, 3), groups=groups))


def of_biases(b, groups):
    """A constant a channel on either side."""
    shifted = b.add("Add", b.array(1, CHANNELS, 1, 1), b.conv((3, 3), groups=groups))
    return b.add("Add", b.conv((1, 1), groups=groups), b.add("Sub", shifted, b.array(CHANNELS, 1, 1)))


MERGED = [of_repvgg, of_fastvit, of_strides, of_uneven_pads, of_a_difference, of_biases]


def convolutions(session):
    """The dispatches that convolve."""
    kernels = [each.kernel for each in session.plan.dispatches]
    return [each for each in kernels if each.startswith(("conv", "depthwise"))]


@pytest.mark.parametrize("groups", [1, 2, CHANNELS])
@pytest.mark.parametrize("make", MERGED)
def test_branches_are_one_convolution(gpu, tmp_path, make, groups):
    b = Branches()
    path = b.path(tmp_path, make(b, groups))
    check(
        gpu, path, {"x": np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)}, tolerance=1e-5
    )
    session = session_for(gpu, path)
    assert len(convolutions(session)) == 1
    assert len(session.plan.dispatches) <= (4 if groups == 2 else 3)  # and what moves numbers between layouts
    session.close()


def test_branches_in_one_and_three_dimensions(gpu, tmp_path):
    for rank in (1, 3):
        b = Branches()
        sizes = b.conv((3,) * rank), b.conv((1,) * rank)
        path = b.path(tmp_path, b.add("Add", *sizes), (1, CHANNELS, *[6] * rank))
        x = np.random.default_rng(0).standard_normal((1, CHANNELS, *[6] * rank)).astype(np.float32)
        check(gpu, path, {"x": x})
        session = session_for(gpu, path)
        assert len(convolutions(session)) == 1
        session.close()


@pytest.mark.parametrize("kernels", [[(1, 1)], [(3, 3), (1, 1)]])
def test_sums_in_a_row(gpu, tmp_path, kernels):
    """A convolution, or a sum of them, of a sum."""
    b = Branches()
    total = b.add("Add", b.conv((3, 3)), b.conv((1, 1)))
    rows = [b.conv(kernel, source=total) for kernel in kernels]
    path = b.path(tmp_path, rows[0] if len(rows) == 1 else b.add("Add", *rows))
    check(
        gpu, path, {"x": np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)}, tolerance=1e-5
    )
    session = session_for(gpu, path)
    assert len(convolutions(session)) == 2
    session.close()


@pytest.mark.parametrize("op", ["Mul", "Add", "Sub"])
@pytest.mark.parametrize("constant", [(1, 1, 1, 1), (1, 3, 1, 1), (1, 4, 1, 1)])
def test_a_constant_that_adds_a_dimension(gpu, tmp_path, op, constant):
    """The axis of the channels is another one behind it."""
    shape = (constant[1] if constant[1] > 1 else 4, CHANNELS, 6)
    b = Branches()
    parts = [b.add(op, b.conv((size,)), b.array(*constant)) for size in (3, 1)]
    path = b.path(tmp_path, b.add("Add", *parts), shape)
    check(
        gpu, path, {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}, tolerance=1e-5
    )


@pytest.mark.parametrize(("factor", "count"), [(2.0, 1), (200.0, 2), (1e-6, 2)])
def test_weights_that_float16_does_not_hold_stay_apart(gpu, tmp_path, factor, count):
    """A float16 model's weights are float16 after the factor, too: beyond its range, and below its digits."""
    b = Branches()
    large, small = b.conv((3, 3), bias=False), b.conv((1, 1), bias=False)
    scale = 1000 if factor > 1 else 1
    b.constants = {name: (array * scale).astype(np.float16) for name, array in b.constants.items()}
    b.constants["factor"] = np.float16(factor)
    if factor > 1:
        total = b.add("Add", b.add("Mul", large, "factor"), small)
    else:
        total = b.add("Mul", b.add("Add", large, small), "factor")
    path = b.path(tmp_path, total)
    model = onnx.load(path)
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT16
    onnx.save(model, path)
    convs = [node for node in build_graph(path).nodes if node.op == "Conv"]
    assert len(convs) == count
    x = (np.random.default_rng(0).standard_normal(SHAPE) * (1e-4 if factor > 1 else 50)).astype(np.float16)
    session = session_for(gpu, path, precision="fp32")
    found = session.run({"x": x})["y"].astype(np.float32)
    session.close()
    expected = reference(path, {"x": x})["y"].astype(np.float32)
    assert relative_error(found, expected) <= 3e-3


def test_a_constant_for_the_last_axis_is_no_factor_per_channel(gpu, tmp_path):
    b = Branches()
    shape = (1, CHANNELS, 5, CHANNELS)
    scaled = b.add("Mul", b.conv((3, 3)), b.array(CHANNELS))
    path = b.path(tmp_path, b.add("Add", scaled, b.conv((1, 1))), shape)
    check(
        gpu, path, {"x": np.random.default_rng(0).standard_normal(shape).astype(np.float32)}, tolerance=1e-5
    )


def of_other_tensors(b):
    """Convolutions of two tensors."""
    return b.add("Add", b.conv((3, 3)), b.conv((1, 1), source=b.add("Sigmoid", "r")))


def of_crossed_kernels(b):
    """Neither kernel is in the other."""
    return b.add("Add", b.conv((1, 3)), b.conv((3, 1)))


def of_groups(b):
    """Weights for other channels."""
    return b.add("Add", b.conv((3, 3)), b.conv((3, 3), groups=CHANNELS))


def of_dilations(b):
    """Taps that lie apart."""
    return b.add("Add", b.conv((3, 3), dilations=[2, 2], pads=[2] * 4), b.conv((3, 3)))


def of_a_part_that_is_read(b):
    """A convolution that something else reads, too."""
    part = b.conv((1, 1))
    return b.add("Mul", b.add("Add", b.conv((3, 3)), part), b.add("Sigmoid", part))


def of_an_activation(b):
    """What is between them is not linear."""
    return b.add("Add", b.conv((3, 3)), b.add("Relu", b.conv((1, 1))))


@pytest.mark.parametrize(
    "make",
    [of_other_tensors, of_crossed_kernels, of_groups, of_dilations, of_a_part_that_is_read, of_an_activation],
)
def test_what_is_not_merged(gpu, tmp_path, make):
    b = Branches()
    path = b.path(tmp_path, make(b))
    check(
        gpu, path, {"x": np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)}, tolerance=1e-5
    )
    session = session_for(gpu, path)
    assert len(convolutions(session)) == 2
    session.close()


def test_a_part_that_is_kept_stays(gpu, tmp_path):
    b = Branches()
    part = b.conv((1, 1))
    path = b.path(tmp_path, b.add("Add", b.conv((3, 3)), part))
    session = session_for(gpu, path, keep=[part])
    assert len(convolutions(session)) == 2
    session.close()


def test_one_residual_stays_an_addition(gpu, tmp_path):
    """`x + Conv(x)` costs no dispatch more, and a 1 in the weights would take digits from them."""
    b = Branches()
    path = b.path(tmp_path, b.add("Add", b.conv((3, 3)), "r"))
    (conv,) = [node for node in build_graph(path).nodes if node.op == "Conv"]
    assert conv.inputs[1] in b.constants
    check(gpu, path, {"x": np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)})
