"""Transposed convolutions, and the sum of a sliding window's columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from desktop.compute.nn.ir.graph import Node, Value
from desktop.compute.nn.ir.scalar import load, store
from desktop.compute.nn.kernels import phases
from desktop.compute.nn.kernels.dense import convolve
from desktop.compute.nn.kernels.direct import Arithmetic, convolve_direct
from desktop.compute.nn.kernels.indexing import address, coordinates, emit, finish, unfused
from desktop.compute.nn.kernels.matrix import bias_constant, conv_key, input_for, weights_constant
from desktop.compute.nn.kernels.strided import source
from desktop.compute.nn.kernels.tiles import choose_block, other_blocks
from desktop.compute.nn.kernels.window import SlidingWindow, WindowAxis
from desktop.compute.nn.lowering.launch import Kernel, Launch
from desktop.compute.nn.lowering.lowering import Lowering
from desktop.compute.nn.lowering.operator import (
    Constants,
    Operator,
    Shapes,
    integers,
    left_to_the_gpu,
    refuse_unless,
    require,
)
from desktop.compute.nn.lowering.plan import NCHW, NHWC, Operand
from desktop.compute.nn.lowering.workgroups import ceil_div

# ConvTranspose: of any number of dimensions, with groups, strides, dilations, pads and output sizes.

_LARGEST = 1 << 16


def _list(node: Node, name: str, count: int, default: int) -> list[int]:
    values = [int(n) for n in node.attributes.get(name) or [default] * count]
    require(
        len(values) == count and all(0 <= n <= _LARGEST for n in values), node, f"'{name}' is out of range"
    )
    return values


def _group(node: Node) -> int:
    group = int(node.attributes.get("group", 1))
    require(group > 0, node, f"{group} groups")
    return group


def _sizes(node: Node, x: Sequence[int], w: Sequence[int]) -> tuple[list[int], list[int]]:
    """Spatial size of the output, and the padding at the top and left."""
    group, rank = _group(node), len(x) - 2
    fits = rank > 0 and len(x) == len(w) and x[1] == w[0] and x[1] % group == 0
    require(fits, node, "weights that do not fit its input")
    strides, dilations = _list(node, "strides", rank, 1), _list(node, "dilations", rank, 1)
    pads, extra = _list(node, "pads", 2 * rank, 0), _list(node, "output_padding", rank, 0)
    require(min(strides) > 0 and min(dilations) > 0, node, "a stride or dilation of zero")
    auto = node.attributes.get("auto_pad", "NOTSET")
    wanted = node.attributes.get("output_shape")
    sizes, before = [], []
    for axis in range(rank):
        full = strides[axis] * (x[2 + axis] - 1) + extra[axis] + (w[2 + axis] - 1) * dilations[axis] + 1
        if wanted is not None or auto.startswith("SAME"):
            # SAME requests input * stride; a kernel shorter than its stride reaches less, and nothing is cut.
            size = int(wanted[axis - rank]) if wanted is not None else min(x[2 + axis] * strides[axis], full)
            total = max(full - size, 0)
            # The specification gives the larger half to the end for SAME_UPPER only.
            before.append(total // 2 if auto == "SAME_UPPER" else total - total // 2)
        else:
            size = full - pads[axis] - pads[rank + axis]
            before.append(pads[axis])
        require(0 < size <= _LARGEST, node, f"an output of size {size}")
        sizes.append(size)
    return sizes, before


def _infer_conv_transpose(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, output channels, spatial...)."""
    x, w = inputs[0].shape, inputs[1].shape
    sizes, _ = _sizes(node, x, w)
    return [Value(node.outputs[0], (x[0], w[1] * _group(node), *sizes), inputs[0].dtype)]


def _lower_conv_transpose(lowering: Lowering, node: Node) -> None:
    """Lower to the convolution of its phases, or a kernel that gathers the inputs of each output."""
    constants = lowering.graph.constants
    weights, bias = constants.get(node.inputs[1]), constants.get(node.input(2))
    computed = weights is None or (bias is None and bool(node.input(2)))
    if computed or _group(node) > 1 or len(lowering.graph.shape(node.inputs[0])) != 4:
        _general(lowering, node)
        return
    assert weights is not None
    x, result = input_for(lowering, node.inputs[0]), lowering.values.result(node.outputs[0])
    _, before = _sizes(node, x.shape, weights.shape)
    strides, dilations = _list(node, "strides", 2, 1), _list(node, "dilations", 2, 1)
    sizes = (weights.shape[2:], strides, before, x.shape[2:], result.shape[2:])
    rows, columns = (phases.PhaseAxis(*(int(pair[axis]) for pair in sizes)) for axis in (0, 1))
    if dilations == [1, 1] and phases.pays(rows, columns, lowering.target):
        convolve(lowering, phases.convolution_of(node, x, result, (rows, columns), weights, bias))
        return
    _gather(lowering, node, x, result, (rows, columns), dilations)


def _gather(
    lowering: Lowering,
    node: Node,
    x: Operand,
    result: Operand,
    axes: tuple[phases.PhaseAxis, phases.PhaseAxis],
    dilations: Sequence[int],
) -> None:
    constants = lowering.graph.constants
    weights, bias = constants[node.inputs[1]], constants.get(node.input(2))
    rows, across = axes
    # A thread's four outputs are a stride apart: the same taps of the kernel reach all of them.
    columns = ceil_div(ceil_div(across.output, across.stride), 4) * across.stride
    count = result.batch * rows.output * columns
    cut = rows.cut, across.cut
    window = SlidingWindow(
        (rows.kernel, across.kernel),
        (rows.stride, across.stride),
        (dilations[0], dilations[1]),
        cut,
        cut,
        (rows.size, across.size),
        (rows.output, across.output),
    )
    decision = lowering.decide(
        conv_key("transposed", lowering.target, x, result, window),
        choose_block(result.blocks),
        lambda: other_blocks(result.blocks, count, lowering.target),
    )
    block = decision.chosen
    numbers = {
        **window.numbers(), "IN_BLOCKS": x.blocks, "OUT_BLOCKS": result.blocks, "COLUMNS": columns,
        "ACROSS": block.across, "DOWN": block.down,
        "SHIFT": ceil_div((across.kernel - 1) * dilations[1], across.stride), "COUNT": count,
    }  # fmt: skip
    packed = {
        "weights": weights_constant(lowering, weights.transpose(1, 0, 2, 3)),
        "bias": bias_constant(lowering, bias, result.channels),
    }
    groups = ceil_div(count, block.down)
    lowering.dispatch(
        Launch(
            node.name,
            Kernel("conv_transpose", numbers, own_indices=True),
            {"x": x},
            result,
            (ceil_div(result.blocks, block.across), groups, 1),
            arrays=packed,
            epilogue=node.epilogue,
            decision=decision,
        )
    )


def _general(lowering: Lowering, node: Node) -> None:
    graph = lowering.graph
    x, w = graph.shape(node.inputs[0]), graph.shape(node.inputs[1])
    sizes, before = _sizes(node, x, w)
    strides, dilations = _list(node, "strides", len(sizes), 1), _list(node, "dilations", len(sizes), 1)
    axes = [
        WindowAxis(w[2 + i], strides[i], dilations[i], before[i], 0, x[2 + i], size)
        for i, size in enumerate(sizes)
    ]
    reads = {"x": lowering.nchw(node.inputs[0]), "w": lowering.nchw(node.inputs[1])}
    done = "Element(v)"
    if node.input(2):
        reads["b"] = lowering.nchw(node.inputs[2])
        done = "Element(v + f32(b[channel]))"
    rows = unfused(lowering, node)
    arithmetic = Arithmetic("f32", "f32(x[at])", "f32(w[at])", done)
    convolve_direct(lowering, node.name, reads, rows, axes, _group(node), arithmetic, transposed=True)
    finish(lowering, node, rows)


def _multiply_adds_conv_transpose(node: Node, shape: Shapes) -> int:
    """A product for each result that an input element reaches."""
    return math.prod(shape(node.inputs[0])) * math.prod(shape(node.inputs[1])[1:])


# Col2Im: columns of a sliding window added up to the image that they were taken from.
def _columns_window(node: Node, constants: Constants) -> tuple[list[list[int]], list[int]]:
    """Image, block, strides, dilations, pads before; and how many windows there are along each axis."""
    image, block = (integers(node, name, index, constants) for index, name in ((1, "image"), (2, "block")))
    require(image is not None and block is not None, node, "no image or block")
    assert image is not None and block is not None
    rank = len(image)
    ones, zeros = [1] * rank, [0] * rank
    strides = [int(n) for n in node.attributes.get("strides", ones)]
    dilations = [int(n) for n in node.attributes.get("dilations", ones)]
    pads = [int(n) for n in node.attributes.get("pads", zeros * 2)]
    sizes = (block, strides, dilations)
    require(
        all(len(each) == rank and min(each) > 0 for each in sizes),
        node,
        "a window that does not fit its image",
    )
    require(
        len(pads) == 2 * rank and min(image) > 0 and min(pads) >= 0, node, "pads that do not fit its image"
    )
    counts = [
        (image[i] + pads[i] + pads[i + rank] - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1
        for i in range(rank)
    ]
    require(min(counts) > 0, node, "a window larger than its image")
    return [[int(n) for n in each] for each in (image, block, strides, dilations, pads[:rank])], counts


def _infer_col2_im(node: Node, inputs: Sequence[Value], constants: Constants) -> Sequence[Value]:
    """(batch, channels, the image's dimensions)."""
    (image, block, *_), counts = _columns_window(node, constants)
    shape = inputs[0].shape
    require(
        len(shape) == 3 and shape[1] % math.prod(block) == 0 and shape[2] == math.prod(counts),
        node,
        "columns that do not fit its window",
    )
    return [Value(node.outputs[0], (shape[0], shape[1] // math.prod(block), *image), inputs[0].dtype)]


def _lower_col2_im(lowering: Lowering, node: Node) -> None:
    """Each pixel adds up the elements of the windows that it lies in."""
    (_, block, strides, dilations, pads), counts = _columns_window(node, lowering.graph.constants)
    refuse_unless(math.prod(block) <= 1 << 12, node, "a window of more than 4096 elements")
    x, result = source(lowering, node.inputs[0]), lowering.values.result(node.outputs[0], NCHW)
    dtype = lowering.graph.values[node.inputs[0]].dtype
    body = [
        *coordinates(result.shape),
        "var sum = 0.0;",
        f"for (var k = 0u; k < {math.prod(block)}u; k++) {{",
    ]
    body += [f"  {line}" for line in coordinates(block, "k", "k")]
    column = "0u"
    for i in range(len(block)):
        body += [
            f"  let p{i} = i32(c{i + 2}) + {pads[i]} - i32(k{i}) * {dilations[i]};",
            f"  if (p{i} < 0 || p{i} % {strides[i]} != 0 || p{i} / {strides[i]} >= {counts[i]}) "
            f"{{ continue; }}",
        ]
        column = f"({column}) * {counts[i]}u + u32(p{i} / {strides[i]})"
    row = f"c1 * {math.prod(block)}u + k"
    body += [
        f"  sum += {load('x', address(x, ['c0', row, column]), dtype)};",
        "}",
        f"return {store('sum', dtype)};",
    ]
    emit(lowering, node, {"x": x}, result, body)


OPERATORS: Final = (
    Operator(
        "ConvTranspose",
        _infer_conv_transpose,
        _lower_conv_transpose,
        fuses=True,
        layout=NHWC,
        fold=left_to_the_gpu,
        multiply_adds=_multiply_adds_conv_transpose,
    ),
    Operator("Col2Im", _infer_col2_im, _lower_col2_im, host=(1, 2), fold=left_to_the_gpu),
)
