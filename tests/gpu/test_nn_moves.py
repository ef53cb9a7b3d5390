"""Chains of nodes that move numbers, and element-wise ones between them, in few dispatches and with the results
of onnxruntime.
"""

from __future__ import annotations

import math

import numpy as np
import onnx
import pytest
from nn_cases import needs_halves, reference, relative_error, session_for
from onnx import TensorProto, helper, numpy_helper

SEEDS = range(120)
SIZES = (1, 2, 3, 4, 5, 7, 8, 12)
UNARY = ("Neg", "Relu", "Abs", "Sigmoid", "Sqrt", "Exp")
BINARY = ("Add", "Sub", "Mul", "Max", "Min")


class Network:
    """A network that is written node by node, and the arrays that its values hold for its inputs."""

    def __init__(self, seed=0):
        self.random = np.random.default_rng(seed)
        self.nodes, self.constants, self.arrays, self.inputs = [], {}, {}, []

    def input(self, *shape):
        name = f"x{len(self.inputs)}"
        self.inputs.append(name)
        self.arrays[name] = self.random.uniform(-1, 1, shape).astype(np.float32)
        return name

    def constant(self, array, dtype=np.int64):
        name = f"c{len(self.constants)}"
        self.constants[name] = self.arrays[name] = np.asarray(array, dtype)
        return name

    def floats(self, *shape):
        return self.constant(self.random.uniform(-1, 1, shape), np.float32)

    def shape(self, name):
        return self.arrays[name].shape

    def add(self, op, *inputs, result=None, **attributes):
        """Add a node; return its output, or outputs if there are several results."""
        results = result if isinstance(result, list) else [result]
        names = [f"v{len(self.nodes)}_{i}" for i in range(len(results))]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        self.arrays.update(zip(names, results, strict=True))
        return names if isinstance(result, list) else names[0]

    def node(self, op, *inputs, like=None, **attributes):
        """Add a node whose result has the shape of `like`, by default of the first input."""
        return self.add(op, *inputs, result=self.arrays[like or inputs[0]], **attributes)

    def reshape(self, x, *shape):
        return self.add("Reshape", x, self.constant(shape), result=self.arrays[x].reshape(shape))

    def transpose(self, x, *order):
        return self.add("Transpose", x, result=self.arrays[x].transpose(order), perm=order)

    def slice(self, x, axis, start, end, step=1):
        kept = [slice(None)] * len(self.shape(x))
        kept[axis] = slice(start, None if end < -1000 or end > 1000 else end, step)
        ranges = [self.constant([n]) for n in (start, end, axis, step)]
        return self.add("Slice", x, *ranges, result=self.arrays[x][tuple(kept)])

    def concat(self, axis, *names):
        joined = np.concatenate([self.arrays[name] for name in names], axis)
        return self.add("Concat", *names, result=joined, axis=axis)

    def roll(self, x, shift, axis):
        """As torch.roll is exported."""
        return self.concat(axis, self.slice(x, axis, -shift, 2**40), self.slice(x, axis, 0, -shift))

    def linear(self, x, columns):
        """Weights that keep the size of the numbers."""
        rows = self.shape(x)[-1]
        weights = self.constant(self.random.standard_normal((rows, columns)) / math.sqrt(rows), np.float32)
        return self.add("MatMul", x, weights, result=np.zeros((*self.shape(x)[:-1], columns), np.float32))

    def save(self, path, *outputs):
        graph = helper.make_graph(
            self.nodes,
            "moves",
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, self.shape(n)) for n in self.inputs],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
            [numpy_helper.from_array(array, name) for name, array in self.constants.items()],
        )
        opsets = [helper.make_opsetid("", 17)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
        return path

    @property
    def feeds(self):
        return {name: self.arrays[name] for name in self.inputs}


def compare(gpu, path, feeds, *, tolerance=1e-6, precision="fp32"):
    """Run, compare every output with onnxruntime's; return the number of dispatches."""
    session = session_for(gpu, path, precision=precision)
    actual, count = session.run(feeds), session.dispatch_count
    session.close()
    for name, expected in reference(path, feeds).items():
        assert actual[name].shape == expected.shape
        assert relative_error(actual[name], expected) <= tolerance, name
    return count


def _divided(random, size):
    """Factors of a number, at random."""
    factors = []
    while size > 1 and random.random() < 0.8:
        factor = int(random.choice([n for n in range(1, size + 1) if size % n == 0]))
        factors.append(factor)
        size //= factor
    return [*factors, size]


def _moved(net, x, others):
    """A random node that moves numbers behind `x`; its outputs."""
    random, array = net.random, net.arrays[x]
    rank, shape = array.ndim, list(array.shape)
    axis = int(random.integers(0, max(rank, 1)))
    kinds = ["reshape", "unsqueeze"]
    if rank:
        kinds += [
            "transpose",
            "transpose",
            "slice",
            "split",
            "concat",
            "pad",
            "expand",
            "tile",
            "gather",
            "roll",
        ]
    kind = random.choice(kinds)
    if kind == "reshape":
        shape = _divided(random, array.size)
        return [net.reshape(x, *shape[:5], math.prod(shape[5:]))]
    if kind == "unsqueeze":
        at = int(random.integers(0, rank + 1))
        if rank >= 6:
            return [net.reshape(x, -1)]
        return [net.add("Unsqueeze", x, net.constant([at]), result=np.expand_dims(array, at))]
    if kind == "transpose":
        return [net.transpose(x, *(int(n) for n in random.permutation(rank)))]
    if kind == "slice":
        step = int(random.choice([1, 1, 2, -1, -2, 3]))
        start, end = sorted(int(n) for n in random.integers(0, shape[axis] + 1, 2))
        if start == end:
            start, end = 0, shape[axis]
        if step < 0:
            start, end = end - 1, start - 1 if start else -(2**40)
        return [net.slice(x, axis, start, end, step)]
    if kind == "split" and shape[axis] > 1:
        cut = int(random.integers(1, shape[axis]))
        sizes = net.constant([cut, shape[axis] - cut])
        return net.add("Split", x, sizes, result=np.split(array, [cut], axis), axis=axis)
    if kind == "concat":
        fits = [
            each
            for each in others
            if net.arrays[each].ndim == rank
            and all(a == b for i, (a, b) in enumerate(zip(net.shape(each), shape, strict=True)) if i != axis)
        ]
        shape[axis] = int(random.choice(SIZES))
        parts = [x, str(random.choice(fits)), net.floats(*shape)]
        return [net.concat(axis, *(parts[i] for i in random.permutation(3)[: random.integers(2, 4)]))]
    if kind == "pad":
        pads = random.integers(-1, 4, (2, rank)) * (random.random((2, rank)) < 0.5)
        pads = np.where(np.array(shape) + pads.sum(0) > 0, pads, 0)
        fill = float(random.uniform(-2, 2))
        cropped = array[
            tuple(slice(max(-a, 0), n - max(-b, 0)) for a, b, n in zip(*pads, shape, strict=True))
        ]
        padded = np.pad(cropped, np.maximum(pads, 0).T, constant_values=fill)
        return [
            net.add("Pad", x, net.constant(pads.reshape(-1)), net.constant(fill, np.float32), result=padded)
        ]
    if kind == "expand":
        shape = [int(random.choice(SIZES)) if n == 1 else n for n in shape]
        shape = [2] * int(rank < 6 and random.random() < 0.3) + shape
        return [net.add("Expand", x, net.constant(shape), result=np.broadcast_to(array, shape))]
    if kind == "tile":
        repeats = random.choice([1, 1, 1, 2, 3], rank)
        return [net.add("Tile", x, net.constant(repeats), result=np.tile(array, repeats))]
    if kind == "gather":
        indices = [
            np.arange(shape[axis])[::-1],
            np.roll(np.arange(shape[axis]), 2),
            np.array(shape[axis] - 1),
        ]
        chosen = indices[random.integers(0, 3)]
        return [net.add("Gather", x, net.constant(chosen), result=np.take(array, chosen, axis), axis=axis)]
    shift = int(random.integers(1, shape[axis])) if rank and shape[axis] > 1 else 0
    return [net.roll(x, shift, axis)] if shift else [x]


def _computed(net, x, others):
    """A random element-wise node behind `x`."""
    random, shape = net.random, net.shape(x)
    if random.random() < 0.4:
        op = str(random.choice(UNARY))
        return net.node(op, net.node("Abs", x) if op == "Sqrt" else x)
    alike = [each for each in others if net.shape(each) == shape and each not in net.constants]
    own = [n if random.random() < 0.6 else 1 for n in shape][int(random.integers(0, len(shape) + 1)) :]
    other = str(random.choice(alike)) if random.random() < 0.5 else net.floats(*own)
    pair = [x, other] if random.random() < 0.7 else [other, x]
    return net.node(str(random.choice(BINARY)), *pair, like=x)


def chain(seed):
    """A network of random moves and element-wise nodes; its outputs."""
    net = Network(seed)
    rank = int(net.random.integers(1, 6))
    values = [net.input(*(int(n) for n in net.random.choice(SIZES, rank))) for _ in range(2)]
    at = values[0]
    for _ in range(int(net.random.integers(3, 14))):
        at = str(net.random.choice(values[-3:])) if net.random.random() < 0.3 else at
        made = _moved(net, at, values) if net.random.random() < 0.65 else [_computed(net, at, values)]
        made = [name for name in made if net.arrays[name].size <= 20_000]
        values += made
        at = made[0] if made else at
    at = net.node("Neg", at)
    return net, [at] if net.random.random() < 0.7 or len(values) < 4 or values[-2] in net.inputs else [
        at,
        values[-2],
    ]


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("seed", SEEDS)
def test_chains_at_random(gpu, tmp_path, seed, precision):
    needs_halves(gpu, precision)
    net, outputs = chain(seed)
    path = net.save(tmp_path / "m.onnx", *dict.fromkeys(outputs))
    compare(gpu, path, net.feeds, tolerance=2e-6 if precision == "fp32" else 4e-3, precision=precision)


def _windows(net, x, size):
    """(batch, height, width, channels) as windows of `size` x `size`, as in the Swin transformer."""
    b, h, w, c = net.shape(x)
    split = net.reshape(x, b, h // size, size, w // size, size, c)
    return net.reshape(net.transpose(split, 0, 1, 3, 2, 4, 5), -1, size * size, c)


def _joined(net, x, size, shape):
    """The image that windows were cut from."""
    b, h, w, c = shape
    split = net.reshape(x, b, h // size, w // size, size, size, c)
    return net.reshape(net.transpose(split, 0, 1, 3, 2, 4, 5), b, h, w, c)


def _attention(net, q, k, v):
    """Of (batch, heads, tokens, numbers), as timm writes it."""
    scores = np.zeros((*net.shape(q)[:-1], net.shape(k)[-2]), np.float32)
    scale = net.constant(net.shape(q)[-1] ** -0.5, np.float32)
    turned = net.transpose(k, 0, 1, 3, 2)
    weights = net.node(
        "Softmax", net.add("MatMul", net.node("Mul", q, scale), turned, result=scores), axis=-1
    )
    result = net.transpose(net.add("MatMul", weights, v, result=net.arrays[v]), 0, 2, 1, 3)
    return net.reshape(result, *net.shape(result)[:2], -1)


def _heads(net, x, heads):
    b, n, c = net.shape(x)
    return net.transpose(net.reshape(x, b, n, heads, c // heads), 0, 2, 1, 3)


def _shifted_window_block(net, channels, heads, size, shift):
    """Swin's block without its MLP, between two tensors of the image's shape."""
    x = net.input(2, size * 3, size * 2, channels)
    nothing = net.constant([0] * 8)
    padded = net.add("Pad", x, nothing, result=net.arrays[x])
    cut = _windows(net, net.roll(net.roll(padded, -shift, 1), -shift, 2), size)
    qkv = net.linear(cut, 3 * channels)
    n, tokens, _ = net.shape(qkv)
    split = net.transpose(net.reshape(qkv, n, tokens, 3, heads, channels // heads), 2, 0, 3, 1, 4)
    q, k, v = (
        net.add("Gather", split, net.constant(i), result=net.arrays[split][i], axis=0) for i in range(3)
    )
    out = net.linear(_attention(net, q, k, v), channels)
    image = _joined(net, out, size, net.shape(x))
    back = net.roll(net.roll(image, shift, 1), shift, 2)
    return net.node("Add", x, net.slice(back, 1, 0, 2**40))


def _rotated(net, x, interleaved):
    """x cos + rotated(x) sin, after the first token, as EVA-02 and Llama write them."""
    tokens, numbers = net.shape(x)[-2] - 1, net.shape(x)[-1]
    first, rest = net.slice(x, 2, 0, 1), net.slice(x, 2, 1, 2**40)
    if interleaved:
        odd, even = net.node("Neg", net.slice(rest, 3, 1, 2**40, 2)), net.slice(rest, 3, 0, 2**40, 2)
        parts = [
            net.add("Unsqueeze", each, net.constant([-1]), result=net.arrays[each][..., None])
            for each in (odd, even)
        ]
        turned = net.reshape(net.concat(-1, *parts), *net.shape(rest))
    else:
        low, high = net.add("Split", rest, result=np.split(net.arrays[rest], 2, -1), axis=-1)
        turned = net.concat(-1, net.node("Neg", high), low)
    cosine = net.node("Mul", rest, net.floats(tokens, numbers))
    sine = net.node("Mul", turned, net.floats(tokens, numbers))
    return net.concat(2, first, net.node("Add", cosine, sine))


def _rotary_attention(net, channels, heads, interleaved):
    x = net.input(2, 10, channels)
    q, k, v = (_heads(net, net.linear(x, channels), heads) for _ in range(3))
    turned = [_rotated(net, each, interleaved) for each in (q, k)]
    return net.linear(_attention(net, *turned, v), channels)


def _merged_patches(net, channels):
    """Four neighboring pixels side by side, normalized and multiplied, as between Swin's stages."""
    x = net.input(2, 6, 8, channels)
    parts = [
        net.slice(net.slice(x, 1, row, 2**40, 2), 2, column, 2**40, 2) for column in (0, 1) for row in (0, 1)
    ]
    whole = net.concat(-1, *parts)
    normalized = net.node("LayerNormalization", whole, net.floats(4 * channels), net.floats(4 * channels))
    return net.linear(normalized, 2 * channels)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize(
    ("write", "most"),
    [
        # Partition, product, attention, product, and all the way back with the residual.
        (lambda net: _shifted_window_block(net, 32, 2, 4, 2), 5),
        (lambda net: _shifted_window_block(net, 10, 2, 5, 2), 8),
        # The products of q, k and v as one, two rotations, attention, product.
        (lambda net: _rotary_attention(net, 192, 3, interleaved=True), 5),
        (lambda net: _rotary_attention(net, 192, 3, interleaved=False), 5),
        (lambda net: _rotary_attention(net, 24, 2, interleaved=True), 8),
        # Move, normalization, product.
        (lambda net: _merged_patches(net, 12), 3),
        (lambda net: _merged_patches(net, 5), 3),
    ],
)
def test_blocks_of_transformers_take_few_dispatches(gpu, tmp_path, write, most, precision):
    needs_halves(gpu, precision)
    net = Network()
    output = write(net)
    path = net.save(tmp_path / "m.onnx", output)
    tolerance = 2e-6 if precision == "fp32" else 4e-3
    assert compare(gpu, path, net.feeds, tolerance=tolerance, precision=precision) <= most
