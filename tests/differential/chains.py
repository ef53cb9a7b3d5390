"""Groups of nodes as exporters write them, so that the passes of the engine find something to fuse, and their neighbors."""

from __future__ import annotations

import math

import numpy as np

from differential.maker import Maker
from differential.operators import convolve, normalized, padded, quantized, reduced, resized, since
from differential.oracle import Refused

CHAINS = {}


def chain(make):
    """Register a chain."""
    CHAINS[make.__name__] = make
    return make


def picture(g: Maker) -> str:
    """Something with two spatial dimensions."""
    return g.pick(4, fresh=0.4)


def moderate(g: Maker) -> str:
    """Something whose products with itself do not overflow half-way: one step then gives a number where several give infinity."""
    x = g.pick()
    a = g.arrays[x]
    if (np.abs(a[np.isfinite(a)]) > 1e37).any():
        raise Refused("overflows half-way")
    return x


def scalar(g: Maker, value: float) -> str:
    """A constant of no dimension, or of one element."""
    return g.const(np.asarray(value, np.float32) if g.chance(0.7) else np.asarray([value], np.float32))


def either(g: Maker, op: str, a: str, b: str) -> str:
    """A commutative operator either way round."""
    return g.one(op, *((a, b) if g.chance(0.5) else (b, a)))


@chain
def conv_norm_act(g: Maker) -> None:
    """Conv, BatchNormalization, activation, residual."""
    x = picture(g)
    y = convolve(g, x)
    if g.chance(0.7):
        y = normalized(g, y)
    if g.chance(0.8):
        y = g.one(g.choose("Relu", "Sigmoid", "LeakyRelu", "Tanh", "Elu", "Softplus"), y)
    if g.chance(0.4):
        g.one("Add", y, g.beside(y))


@chain
def source_conv(g: Maker) -> None:
    """Resize or Pad or both, then a Conv, often 1x1."""
    x = picture(g)
    if g.chance(0.6):
        x = resized(g, x, plain=g.chance(0.8))
    if g.chance(0.6):
        x = padded(g, x, picture=True)
    if g.chance(0.2):
        x = g.one("Relu", x)
    convolve(g, x, pointwise=g.chance(0.6))


@chain
def gelu(g: Maker) -> None:
    """x / sqrt(2) -> Erf -> + 1 -> * x -> / 2."""
    x = moderate(g)
    z = (
        g.one("Div", x, scalar(g, math.sqrt(2)))
        if g.chance(0.5)
        else either(g, "Mul", x, scalar(g, math.sqrt(0.5)))
    )
    gate = either(g, "Add", g.one("Erf", z), scalar(g, 1.0))
    if g.chance(0.5):
        either(g, "Mul", either(g, "Mul", x, gate), scalar(g, 0.5))
    else:
        either(g, "Mul", either(g, "Mul", x, scalar(g, 0.5)), gate)


@chain
def gelu_tanh(g: Maker) -> None:
    """sqrt(2 / pi) (x + 0.044715 x^3)."""
    x = moderate(g)
    cube = g.one("Pow", x, scalar(g, 3.0)) if g.chance(0.5) else either(g, "Mul", x, g.one("Mul", x, x))
    inner = either(g, "Add", x, either(g, "Mul", cube, scalar(g, 0.044715)))
    gate = either(
        g, "Add", g.one("Tanh", either(g, "Mul", inner, scalar(g, math.sqrt(2 / math.pi)))), scalar(g, 1.0)
    )
    either(g, "Mul", either(g, "Mul", x, gate), scalar(g, 0.5))


@chain
def swish(g: Maker) -> None:
    """x * Sigmoid(x), x * HardSigmoid(x)."""
    x = moderate(g)
    if g.chance(0.5):
        gate = g.one("Sigmoid", x)
    else:
        gate = g.one("HardSigmoid", x, alpha=1 / 6, beta=0.5)
    either(g, "Mul", x, gate)


@chain
def hard_swish(g: Maker) -> None:
    """x * Clip(x + 3, 0, 6) / 6."""
    x = moderate(g)
    inner = g.one("Clip", either(g, "Add", x, scalar(g, 3.0)), g.const(np.float32(0)), g.const(np.float32(6)))
    g.one("Div", either(g, "Mul", x, inner), scalar(g, 6.0))


@chain
def layer_norm(g: Maker) -> None:
    """A normalization in primitives, over the last axes."""
    x = g.pick(2, 3, 3, 4)
    rank = g.rank(x)
    axes = list(range(g.between(1, rank - 1), rank))

    def mean(name: str) -> str:
        if g.opset >= 18:
            return g.one("ReduceMean", name, g.ints(axes), keepdims=1)
        return g.one("ReduceMean", name, axes=axes, keepdims=1)

    d = g.one("Sub", x, mean(x))
    square = g.one("Mul", d, d) if g.chance(0.5) else g.one("Pow", d, scalar(g, 2.0))
    y = g.one("Div", d, g.one("Sqrt", either(g, "Add", mean(square), scalar(g, g.choose(1e-5, 1e-3)))))
    if g.chance(0.7):
        y = either(g, "Mul", y, g.fixed(g.shape(x)[-1:]))
        if g.chance(0.7):
            either(g, "Add", y, g.fixed(g.shape(x)[-1:]))


@chain
def attention(g: Maker) -> None:
    """Q, K and V by products, softmax(scale Q K^T + mask) V."""
    batch, tokens, heads, size = g.choose(1, 1, 2), g.between(1, 9), g.choose(1, 2, 3), g.choose(2, 4, 5, 8)
    width = heads * size
    x = g.new((batch, tokens, width), constant=0.0)

    def head() -> str:
        y = g.one("MatMul", x, g.weights((width, width)))
        if g.chance(0.5):
            y = g.one("Add", y, g.fixed((width,)))
        return g.one("Reshape", y, g.ints([batch, tokens, heads, size]))

    q, v = (g.one("Transpose", head(), perm=[0, 2, 1, 3]) for _ in range(2))
    if g.chance(0.5):
        k = g.one("Transpose", head(), perm=[0, 2, 3, 1])
    else:
        k = g.one("Transpose", g.one("Transpose", head(), perm=[0, 2, 1, 3]), perm=[0, 1, 3, 2])
    kind = g.choose("mul", "div", "before", "none")
    if kind == "before":
        q = either(g, "Mul", q, scalar(g, size**-0.5))
    scores = g.one("MatMul", q, k)
    if kind == "mul":
        scores = either(g, "Mul", scores, scalar(g, size**-0.5))
    elif kind == "div":
        scores = g.one("Div", scores, scalar(g, size**0.5))
    if g.chance(0.4):
        shape = g.choose(
            (tokens, tokens), (batch, 1, tokens, tokens), (1, heads, 1, tokens), (batch, 1, 1, tokens)
        )
        mask = np.where(g.rng.random(shape) < 0.3, g.choose(-1e4, -np.inf, -3.0), 0).astype(np.float32)
        scores = either(g, "Add", scores, g.put(mask, constant=g.chance(0.6)))
    y = g.one("MatMul", g.one("Softmax", scores, axis=-1), v)
    y = g.one("Reshape", g.one("Transpose", y, perm=[0, 2, 1, 3]), g.ints([batch, tokens, width]))
    if g.chance(0.5):
        g.one("Add", g.one("MatMul", y, g.weights((width, width))), x)


@chain
def transposes(g: Maker) -> None:
    """Transposes with element-wise operators between them."""
    x = picture(g)
    y = g.one("Transpose", x, perm=[0, 2, 3, 1])
    for _ in range(g.between(0, 3)):
        kind = g.between(0, 4)
        if kind == 0:
            y = g.one(g.choose("Relu", "Sigmoid", "Neg", "Abs"), y)
        elif kind == 1:
            y = g.one("Add", y, g.fixed((g.shape(y)[-1],)))
        elif kind == 2:
            y = g.one("Mul", y, g.beside(y))
        elif kind == 3:
            y = g.one("Concat", y, y if g.chance(0.3) else g.new(g.shape(y)), axis=g.choose(-1, 3, 1))
        else:
            y = g.one("Softmax", y, axis=g.choose(-1, 1, 3))
    y = g.one("Transpose", y, perm=[0, 3, 1, 2])
    if g.chance(0.5):
        convolve(g, y)


@chain
def qdq_conv(g: Maker) -> None:
    """A quantized convolution or product between QuantizeLinear and DequantizeLinear."""
    x = g.new((1, g.choose(1, 3, 4, 8), g.between(3, 8), g.between(3, 8)), constant=0.0)
    if not np.isfinite(g.arrays[x]).all():
        return
    for _ in range(g.between(1, 3)):
        y = quantized(g, x, per_channel=False)
        c, m = g.shape(y)[1], g.choose(1, 3, 4, 8)
        channels = g.opset >= 13 and g.chance(0.5)
        w = g.const(g.numbers((m, c, g.choose(1, 3), g.choose(1, 3)), "int8"))
        scale = g.const(np.asarray(g.rng.uniform(0.002, 0.01, (m,) if channels else ()), np.float32))
        zero = g.const(np.zeros((m,) if channels else (), np.int8))
        w = g.one("DequantizeLinear", w, scale, zero, axis=0 if channels else None)
        # The bias is a whole multiple of the product's unit, as exporters write it: the engine adds it as one.
        unit = g.arrays[g.nodes[-2].input[1]] * g.arrays[scale]
        bias = g.const(np.asarray(g.rng.integers(-300, 300, m) * unit, np.float32))
        x = g.one("Conv", y, w, *([bias] if g.chance(0.6) else []))
        if g.chance(0.5):
            x = g.one("Relu", x)
    if g.chance(0.8):
        quantized(g, x, per_channel=False)


@chain
def qdq_moves(g: Maker) -> None:
    """Quantized sums, pools, concatenations."""
    x = g.new((1, g.choose(3, 4, 8), g.between(3, 6), g.between(3, 6)), constant=0.0)
    if not np.isfinite(g.arrays[x]).all():
        return
    a = quantized(g, x, per_channel=False)
    kind = g.choose("Add", "Mul", "MaxPool", "Concat", "GlobalAveragePool", "Reshape", "Relu", "Sigmoid")
    if kind in ("Add", "Mul"):
        other = g.new(g.shape(x), constant=0.0)
        if not np.isfinite(g.arrays[other]).all():
            return
        y = g.one(kind, a, quantized(g, other, per_channel=False))
    elif kind == "MaxPool":
        y = g.one("MaxPool", a, kernel_shape=[2, 2])
    elif kind == "Concat":
        y = g.one("Concat", a, a, axis=1)
    elif kind == "Reshape":
        y = g.one("Reshape", a, g.ints([1, g.shape(a)[1], -1]))
    else:
        y = g.one(kind, a)
    quantized(g, y, per_channel=False)


@chain
def squeeze_excite(g: Maker) -> None:
    """A gate a channel."""
    x = picture(g)
    c = g.shape(x)[1]
    pooled = g.one("GlobalAveragePool", x) if g.chance(0.6) else reduced(g, "ReduceMean", x, [2, 3])
    if g.rank(pooled) != 4:
        return
    y = g.one("Relu", g.one("Conv", pooled, g.weights((3, c, 1, 1))))
    y = g.one("Conv", y, g.weights((c, 3, 1, 1)), g.fixed((c,)))
    gate = g.one("Sigmoid", y) if g.chance(0.5) else g.one("HardSigmoid", y)
    either(g, "Mul", x, gate)


@chain
def branches(g: Maker) -> None:
    """Convolutions that are joined by Concat, and parted again."""
    x = picture(g)
    names = []
    for _ in range(g.between(2, 3)):
        w = g.weights((g.choose(2, 4, 8), g.shape(x)[1], 1, 1))
        y = g.one("Conv", x, w)
        if g.chance(0.5):
            y = g.one("Relu", y)
        names.append(y)
    y = g.one("Concat", *names, axis=1)
    if g.chance(0.4):
        convolve(g, y)
    if g.chance(0.4):
        half = g.shape(y)[1] // 2
        sizes = [half, g.shape(y)[1] - half]
        if g.opset >= 13:
            a, b = g.node("Split", [y, g.ints(sizes)], 2, axis=1)
        else:
            a, b = g.node("Split", [y], 2, axis=1, split=sizes)
        g.one("Relu", a)
        convolve(g, b)


@chain
def shuffle(g: Maker) -> None:
    """ShuffleNet's channels, pixel shuffles by hand."""
    x = g.new((1, 2 * g.choose(1, 2, 3, 4), g.between(2, 6), g.between(2, 6)), constant=0.0)
    _, c, h, w = g.shape(x)
    y = g.one("Reshape", x, g.ints([1, 2, c // 2, h, w]))
    y = g.one("Transpose", y, perm=[0, 2, 1, 3, 4])
    y = g.one("Reshape", y, g.ints([1, c, h, w]))
    if g.chance(0.5):
        convolve(g, y)


@chain
def folded(g: Maker) -> None:
    """Operators on constants alone, whose result is then used."""
    shape = g.choose((), (1,), (3,), (2, 3))
    c = g.const(g.numbers(shape))
    for _ in range(g.between(1, 3)):
        op = g.choose(
            "Softsign",
            "Tanh",
            "Relu",
            "Sqrt",
            "Exp",
            "Neg",
            "Sigmoid",
            "Abs",
            "Erf",
            "Reciprocal",
            "Softplus",
            "Sin",
            "Celu",
        )
        if op == "Celu":
            since(g, 12)
        c = g.one(op, c)
    g.one(g.choose("Add", "Mul"), g.new((2, 3), constant=0.0), c)


@chain
def mlp(g: Maker) -> None:
    """Products with biases and activations, and a residual."""
    x = g.pick(2, 3)
    width = g.shape(x)[-1]
    y = g.one("Add", g.one("MatMul", x, g.weights((width, 2 * width))), g.fixed((2 * width,)))
    y = g.one(g.choose("Relu", "Tanh", "Softplus", "Erf"), y)
    y = g.one("MatMul", y, g.weights((2 * width, width)))
    if g.chance(0.6):
        either(g, "Add", x, y)
