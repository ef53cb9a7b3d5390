"""Groups of nodes as exporters write them, so that the passes of the engine find something to fuse, and their
neighbors.
"""

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
    """Something whose products with itself do not overflow half-way: one step then gives a number where
    several give infinity.
    """
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
        # The bias is a whole multiple of the product's unit, as exporters write it: the engine adds it as
        # one.
        unit = g.arrays[g.nodes[-2].input[1]] * g.arrays[scale]
        bias = g.const(np.asarray(g.rng.integers(-300, 300, m) * unit, np.float32))
        x = g.one("Conv", y, w, *([bias] if g.chance(0.6) else []))
        if g.chance(0.5):
            x = g.one("Relu", x)
    if g.chance(0.8):
        quantized(g, x, per_channel=False)


@chain
def qdq_tokens(g: Maker) -> None:
    """A quantized product of rows of any number of dimensions, with one scale or one a column, and a
    quantized sum.
    """
    width, columns = g.choose(4, 8, 6), g.choose(4, 8, 5)
    x = g.new((*g.choose((), (1,), (2,), (1, 2)), g.choose(1, 3, columns), width), constant=0.0)
    if not np.isfinite(g.arrays[x]).all():
        return
    many = g.opset >= 13 and g.chance(0.6)
    scale = g.const(np.asarray(g.rng.uniform(0.002, 0.01, (columns,) if many else ()), np.float32))
    zero = g.const(np.zeros((columns,) if many else (), np.int8))
    w = g.const(g.numbers((width, columns), "int8"))
    w = g.one("DequantizeLinear", w, scale, zero, axis=1 if many else None)
    y = quantized(g, g.one("MatMul", quantized(g, x, per_channel=False), w), per_channel=False)
    if g.chance(0.5):
        other = g.new(g.choose(g.shape(y), g.shape(y)[-1:], (*g.shape(y)[:-1], 1)), constant=0.2)
        if not np.isfinite(g.arrays[other]).all():
            return
        quantized(g, either(g, "Add", y, quantized(g, other, per_channel=False)), per_channel=False)


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


# -- what lies channels last, and what is added to it --------------------------------------------------------


def last_first(rank: int) -> tuple[list[int], list[int]]:
    """The permutations that put the channels last, and first again."""
    return [0, *range(2, rank), 1], [0, rank - 1, *range(1, rank - 1)]


def channels_picture(g: Maker, *ranks: int) -> str:
    """A picture or volume, mostly with channels in whole vec4s, often what a convolution gives."""
    rank, channels = g.choose(*ranks), g.choose(4, 8, 8, 12, 3, 6, 1)
    x = g.new((g.choose(1, 1, 2), channels, *[g.between(1, 5) for _ in range(rank - 2)]), constant=0.0)
    if g.chance(0.7):
        x = g.one("Conv", x, g.weights((channels, channels, *[1] * (rank - 2))))
    return x


@chain
def convnext(g: Maker) -> None:
    """A depthwise convolution, products over channels that lie last, a scale of each channel, a residual;
    some of it read elsewhere.
    """
    x = channels_picture(g, 3, 4, 4, 5)
    rank, channels = g.rank(x), g.shape(x)[1]
    last, first = last_first(rank)
    y = x
    if g.chance(0.6):
        y = g.one(
            "Conv", x, g.weights((channels, 1, *[3] * (rank - 2))), group=channels, pads=[1] * 2 * (rank - 2)
        )
    t = g.one("Transpose", y, perm=last)
    z = t
    for _ in range(g.between(1, 2)):
        width = g.shape(z)[-1]
        z = g.one("MatMul", z, g.weights((width, width)))
        if g.chance(0.5):
            z = either(g, "Add", z, g.fixed(g.choose((width,), (1,), (1, width))))
        if g.chance(0.4):
            z = g.one(g.choose("Relu", "Tanh", "Erf"), z)
    if g.chance(0.3):
        z = either(g, "Add", z, t)
    if g.chance(0.3):
        z = either(g, "Mul", z, g.fixed((channels,)))
    z = g.one("Transpose", z, perm=first if g.chance(0.9) else g.rng.permutation(rank).tolist())
    if g.chance(0.4):
        z = either(g, "Mul", z, g.fixed((channels, *[1] * (rank - 2))))
    other = g.choose(x, x, x, y, z) if g.shape(z) == g.shape(x) else g.beside(z)
    z = either(g, "Add", z, other)
    if g.chance(0.5):
        z = g.one("Conv", z, g.weights((g.choose(4, 5), g.shape(z)[1], *[1] * (rank - 2))))
        if g.chance(0.3):
            either(g, "Add", g.one("Transpose", z, perm=last), g.fixed((g.shape(z)[1],)))


@chain
def tokens(g: Maker) -> None:
    """A picture that becomes tokens and a picture again, with residuals before, between and after."""
    x = channels_picture(g, 4, 4, 5)
    batch, channels, *sizes = g.shape(x)
    many = math.prod(sizes)
    t = g.one("Reshape", x, g.ints([batch, channels, g.choose(many, -1)]))
    if g.chance(0.3):
        t = g.one(g.choose("Relu", "Neg"), t)
    t = g.one("Transpose", t, perm=[0, 2, 1])
    y = g.one("MatMul", t, g.weights((channels, channels)))
    if g.chance(0.6):
        y = either(g, "Add", y, g.choose(t, t, y, g.fixed((channels,)), g.fixed((1, many, channels))))
    if g.chance(0.3):
        y = g.one("Softmax", y, axis=g.choose(-1, 1))
    y = g.one("Transpose", y, perm=[0, 2, 1])
    y = g.one("Reshape", y, g.ints([batch, channels, *(sizes if g.chance(0.7) else sizes[::-1])]))
    if g.shape(y) == g.shape(x) and g.chance(0.7):
        y = either(g, "Add", y, x)
    if g.chance(0.6):
        convolve(g, y)


@chain
def projections(g: Maker) -> None:
    """A product of rows that get their dimensions back before a residual, which may be stretched, or stretch
    it.
    """
    batch, many, width = g.choose(1, 1, 2), g.between(1, 5), g.choose(4, 8, 6)
    whole = (batch, many, width)
    r = g.new(g.choose(whole, whole, whole, (batch, 1, width), (2, *whole)), constant=0.1)
    if g.chance(0.5):
        r = g.one("Relu", r)
    x = g.new((batch * many, g.choose(4, 8, 5)), constant=0.0)
    w = g.weights((g.shape(x)[1], width))
    if g.chance(0.6):
        y = g.one(
            "Gemm", x, w, *([g.fixed(g.choose((width,), (1,), (batch * many, 1)))] if g.chance(0.5) else [])
        )
    else:
        y = g.one("MatMul", x, w)
    if batch == 1 and g.chance(0.4):
        axis = g.choose(0, 1)
        y = g.one("Unsqueeze", y, g.ints([axis])) if g.opset >= 13 else g.one("Unsqueeze", y, axes=[axis])
    else:
        y = g.one("Reshape", y, g.ints(g.choose(whole, whole, (many, batch, width), (1, *whole))))
    if g.rank(y) == 3 and g.chance(0.4):
        y = g.one("Transpose", y, perm=[1, 0, 2])
    z = either(g, "Add", y, g.choose(r, r, r, y))
    if g.chance(0.3):
        either(g, "Mul", z, y)


@chain
def gated(g: Maker) -> None:
    """A product that is cut into parts, one of which is the other's gate; bias and weights may have one
    column that is stretched.
    """
    part, count = g.choose(64, 64, 68, 8), g.choose(2, 2, 3)
    width = part * count
    x = g.new((*g.choose((), (1,), (2,)), g.between(1, 3), g.choose(4, 8, 5)), constant=0.0)
    bias = g.choose((width,), (width,), (1,), (1, width), None)
    y = g.one("MatMul", x, g.weights((g.shape(x)[-1], 1 if bias == (width,) and g.chance(0.1) else width)))
    if bias is not None:
        y = either(g, "Add", y, g.fixed(bias))
    axis = g.choose(-1, g.rank(y) - 1)
    if g.chance(0.5):
        sizes = [part] * count
        extra = {} if g.opset >= 13 else {"split": sizes}
        names = g.node("Split", [y, g.ints(sizes)] if g.opset >= 13 else [y], count, axis=axis, **extra)
    else:
        starts = [part * n for n in range(count)]
        if g.chance(0.2):
            starts = [0] * count
        names = [
            g.one(
                "Slice",
                y,
                g.ints([at]),
                g.ints([at + part if at + part < width else 2**31 - 1]),
                g.ints([axis]),
            )
            for at in starts
        ]
    gate = g.one(g.choose("Sigmoid", "Relu", "Tanh"), names[-1])
    either(g, "Mul", names[0], gate)
    if g.chance(0.1):
        g.one("Neg", y)


@chain
def group_norm_spelled(g: Maker) -> None:
    """As exporters write it before opset 21, or the operator itself; scales and biases of fitting and of
    other shapes; SiLU after it.
    """
    groups = g.choose(1, 2, 3, 4)
    shape = (
        g.choose(1, 2),
        groups * g.choose(1, 2, 3, 4),
        *[g.between(1, 6) for _ in range(g.choose(1, 2, 2, 3))],
    )
    x = g.new(shape, constant=0.0)
    if math.prod(shape[1:]) // groups < 3:
        raise Refused("a group with next to no variance")
    rest, channels = [1] * (len(shape) - 2), shape[1]
    if g.chance(0.4):
        x = g.one("Relu", x) if g.chance(0.5) else g.one("Conv", x, g.weights((channels, channels, *rest)))
    epsilon = g.choose(None, 1e-3, 1e-5)
    if g.opset >= 21 and g.chance(0.5):
        y = g.one(
            "GroupNormalization",
            x,
            g.fixed((channels,)),
            g.fixed((channels,)),
            num_groups=groups,
            epsilon=epsilon,
        )
    else:
        seen = g.one("Reshape", x, g.ints(g.choose([0, groups, -1], [shape[0], groups, -1])))
        parameters = [g.put(g.numbers((groups,)), constant=g.chance(0.9)) for _ in range(2)]
        y = g.one("InstanceNormalization", seen, *parameters, epsilon=epsilon)
        if g.chance(0.1):
            g.one("Neg", y)
        y = g.one("Reshape", y, g.ints(shape))
    shapes = [
        (channels, *rest),
        (1, channels, *rest),
        (1,),
        (),
        shape[2:],
        shape,
        (2, *[1] * (len(shape) - 1)),
    ]
    for op in g.choose(("Mul", "Add"), ("Mul", "Add"), ("Add", "Mul"), ("Mul",), ()):
        y = either(g, op, y, g.fixed(g.choose(*shapes[:2], *shapes)))
    if g.chance(0.7):
        y = either(g, "Mul", y, g.one("Sigmoid", y))
    if g.rank(y) == len(shape) and g.chance(0.5):
        convolve(g, y)


@chain
def joined_residuals(g: Maker) -> None:
    """Convolutions added to each other, to themselves, to their input and to what is computed after them."""
    x = channels_picture(g, 3, 4, 4, 5)
    rank, channels = g.rank(x), g.shape(x)[1]
    rest = [1] * (rank - 2)

    def conv(of: str) -> str:
        return g.one("Conv", of, g.weights((channels, channels, *rest)))

    a = conv(x)
    kind = g.choose("time", "two", "self", "input", "concat")
    if kind == "time":
        late = g.one(
            "Conv",
            g.new((g.shape(x)[0], channels, *rest), constant=0.0),
            g.weights((channels, channels, *rest)),
        )
        y = either(g, "Add", a, g.one("Tanh", late) if g.chance(0.5) else late)
    elif kind == "two":
        y = either(g, "Add", a, conv(a if g.chance(0.3) else x))
    elif kind == "self":
        y = either(g, "Add", a, g.choose(a, g.one("Relu", a)))
    elif kind == "input":
        y = either(g, "Add", a, x)
    else:
        b = conv(x)
        y = g.one("Concat", a, either(g, "Add", b, g.choose(a, x, conv(x))), axis=1)
        if g.chance(0.5):
            y = g.one("Transpose", y, perm=last_first(rank)[0])
            y = g.one(g.choose("Relu", "Neg"), y)
        else:
            y = g.one("Concat", y, x, axis=1)
    if g.chance(0.5):
        y = g.one("Relu", y)
    if g.chance(0.4):
        g.one("Reshape", y, g.ints([g.shape(y)[0], g.shape(y)[1], -1]))
    if g.chance(0.3):
        g.one("GlobalAveragePool", y)


@chain
def volumes(g: Maker) -> None:
    """Convolutions of three dimensions, one after another, with what stands between them."""
    x = g.new((g.choose(1, 1, 2), g.choose(1, 3, 4, 8), *[g.between(1, 5) for _ in range(3)]), constant=0.0)
    for _ in range(g.between(1, 3)):
        x = convolve(g, x)
        if g.chance(0.4):
            x = normalized(g, x)
        if g.chance(0.5):
            x = g.one(g.choose("Relu", "Sigmoid", "HardSwish" if g.opset >= 14 else "Tanh"), x)
        if g.chance(0.3):
            x = either(g, "Add", x, g.beside(x))


@chain
def causal(g: Maker) -> None:
    """Attention under masks that take whole tiles of keys out, any diagonal, -inf and low numbers."""
    heads, queries, size = g.choose(1, 2), g.choose(1, 3, 8, 40), g.choose(4, 8, 5)
    keys = g.choose(queries, queries, queries + 3, 36, 70)
    q, k, v = (g.new((1, heads, n, size), constant=0.0) for n in (queries, keys, keys))
    if not all(np.isfinite(g.arrays[name]).all() for name in (q, k, v)):
        raise Refused("what is not read may be no number")
    scores = either(
        g, "Mul", g.one("MatMul", q, g.one("Transpose", k, perm=[0, 1, 3, 2])), scalar(g, size**-0.5)
    )
    diagonal = g.choose(0, 0, keys - queries, 1, 2)
    taken = np.triu(np.ones((queries, keys), bool), 1 + diagonal)
    if g.chance(0.3):
        taken |= g.rng.random(taken.shape) < 0.3
        taken[:, 0] &= g.chance(0.1)
    low = g.choose(-np.inf, -np.inf, np.finfo(np.float32).min, -1e4)
    if g.chance(0.5):
        mask = np.where(taken, low, 0).astype(np.float32)
        mask = mask if g.chance(0.5) else mask[None, None]
        scores = either(g, "Add", scores, g.put(mask, constant=g.chance(0.9)))
    else:
        scores = g.one("Where", g.put(taken, constant=g.chance(0.9)), scalar(g, low), scores)
    if g.chance(0.2):
        scores = either(g, "Add", scores, g.fixed((queries, keys)))
    g.one("MatMul", g.one("Softmax", scores, axis=-1), v)
