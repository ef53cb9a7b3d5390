"""Groups of nodes that 16 bits are dangerous to, as exporters write them: sums of squares, normalizations,
angles.
"""

from __future__ import annotations

import numpy as np

from differential.chains import either, scalar
from differential.maker import Maker

HALF_CHAINS = {}


def chain(make):
    """Register a chain."""
    HALF_CHAINS[make.__name__] = make
    return make


def loud(g: Maker, *ranks: int) -> str:
    """A tensor of features whose squares, or their sums, are beyond 65504, or below 2^-24; some of them lie
    away from zero.
    """
    shape = g.random_shape(g.choose(*ranks))
    size, shift = g.choose(300.0, 40.0, 1.0, 1e-2, 2e-4), g.choose(0.0, 0.0, 1.5)
    x = g.put(np.asarray((g.rng.standard_normal(shape) + shift) * size, np.float32), constant=False)
    if g.chance(0.5):  # a value that the engine has in 16 bits, and not the network's own input
        x = g.one(g.choose("Relu", "Neg", "Abs"), x)
    return x


def square(g: Maker, x: str) -> str:
    """x * x, or x to the power of 2."""
    return g.one("Mul", x, x) if g.chance(0.5) else g.one("Pow", x, scalar(g, 2.0))


def reduced(g: Maker, op: str, x: str, axes: list[int]) -> str:
    """A reduction that keeps its dimensions, axes as the opset has them."""
    since = 13 if op == "ReduceSum" else 18
    if g.opset >= since:
        return g.one(op, x, g.ints(axes), keepdims=1)
    return g.one(op, x, axes=axes, keepdims=1)


def some_axes(g: Maker, x: str) -> list[int]:
    """The last ones."""
    rank = g.rank(x)
    return list(range(g.between(min(1, rank - 1), rank - 1), rank))


def over_root(g: Maker, x: str, of: str) -> str:
    """x / sqrt(of + epsilon), one way or another."""
    if g.chance(0.8):
        of = either(g, "Add", of, scalar(g, g.choose(1e-6, 1e-5, 1e-12)))
    root = g.one("Sqrt", of) if g.chance(0.7) else g.one("Pow", of, scalar(g, 0.5))
    if g.chance(0.5):
        return g.one("Div", x, root)
    return either(g, "Mul", x, g.one("Reciprocal", root))


@chain
def rms_norm(g: Maker) -> None:
    """x / sqrt(mean(x^2) + epsilon) * scale."""
    x = loud(g, 2, 3, 4)
    squares = square(g, x)
    if g.chance(0.2):
        squares = g.one("Transpose", g.one("Transpose", squares))
    y = over_root(g, x, reduced(g, "ReduceMean", squares, some_axes(g, x)))
    if g.chance(0.5):
        either(g, "Mul", y, g.fixed(g.shape(x)[-1:]))


@chain
def layer_norm(g: Maker) -> None:
    """Of what lies away from zero."""
    x = loud(g, 2, 3, 4)
    axes = some_axes(g, x)
    d = g.one("Sub", x, reduced(g, "ReduceMean", x, axes))
    over_root(g, d, reduced(g, "ReduceMean", square(g, d), axes))


@chain
def variance(g: Maker) -> None:
    """mean((x - mean(x))^2), as a result; or by sums."""
    x = loud(g, 2, 3, 4)
    axes = some_axes(g, x)
    d = g.one("Sub", x, reduced(g, "ReduceMean", x, axes))
    op = g.choose("ReduceMean", "ReduceSum")
    v = reduced(g, op, square(g, d), axes)
    if g.chance(0.5):
        v = g.one("Div", v, scalar(g, 7.0))
    if g.chance(0.7):
        v = g.one("Sqrt", v)
    if g.chance(0.3):
        g.one("Relu", v)


@chain
def length(g: Maker) -> None:
    """A norm, and what is divided by it."""
    x = loud(g, 2, 3, 4)
    op = g.choose("ReduceL2", "ReduceSumSquare", "ReduceL1", "ReduceSum")
    if op == "ReduceSum":
        norm = reduced(g, op, square(g, x), some_axes(g, x))
    else:
        norm = reduced(g, op, x, some_axes(g, x))
    if op in ("ReduceSum", "ReduceSumSquare"):
        over_root(g, x, norm)
    elif g.chance(0.5):
        g.one("Div", x, norm)
    else:
        g.one("Div", x, g.one("Clip", norm, g.const(np.float32(1e-12))))


@chain
def statistics(g: Maker) -> None:
    """Over the pixels of each channel: an instance normalization, spelled out or not."""
    x = loud(g, 4, 4, 3)
    channels = g.shape(x)[1]
    if g.chance(0.3):
        g.one("InstanceNormalization", x, g.fixed((channels,)), g.fixed((channels,)), epsilon=1e-5)
        return
    mean = g.one("GlobalAveragePool", x)
    d = g.one("Sub", x, mean)
    over_root(g, d, g.one("GlobalAveragePool", square(g, d)))


@chain
def many(g: Maker) -> None:
    """The sum of many, and a share of it."""
    n = g.choose(600, 2000, 5000)
    x = g.put(np.asarray(g.rng.uniform(0, g.choose(1.0, 50.0, 400.0), (1, n)), np.float32), constant=False)
    x = g.one("Relu", x)
    g.one("Div", x, reduced(g, "ReduceSum", x, [1]))


@chain
def nearness(g: Maker) -> None:
    """A cosine, or a distance, of rows."""
    a = loud(g, 2, 3)
    b = g.put(
        np.asarray(g.rng.standard_normal(g.shape(a)) * np.abs(g.arrays[a]).max(), np.float32), constant=False
    )
    axes = [g.rank(a) - 1]
    if g.chance(0.5):
        d = g.one("Sub", a, b)
        g.one("Sqrt", reduced(g, "ReduceSum", square(g, d), axes))
        return
    dot = reduced(g, "ReduceSum", g.one("Mul", a, b), axes)
    norms = g.one("Mul", reduced(g, "ReduceL2", a, axes), reduced(g, "ReduceL2", b, axes))
    g.one("Div", dot, norms)


@chain
def rotary(g: Maker) -> None:
    """Positions by frequencies, as a product of matrices, and their sines and cosines."""
    tokens, half = g.between(2, 300), g.choose(4, 8, 16)
    positions = np.arange(tokens, dtype=np.float32)
    if g.chance(0.5):
        positions = np.asarray(g.rng.uniform(0, 1000, tokens), np.float32)
    frequencies = np.asarray(10000.0 ** (-np.arange(half) / half), np.float32)
    fixed = g.chance(0.6)
    if g.chance(0.5):
        a = g.put(positions[:, None], constant=False)
        b = g.put(frequencies[None], constant=fixed)
    else:
        a = g.put(frequencies[None, :, None], constant=False)
        b = g.put(positions[None, None], constant=fixed)
    y = g.one("MatMul", a, b)
    if g.chance(0.5):
        y = g.one("Transpose", y)
    if g.chance(0.5):
        y = g.one("Concat", y, y, axis=-1)
    g.one("Sin", y)
    g.one("Cos", y)


@chain
def random_features(g: Maker) -> None:
    """Points times a random matrix, 2 pi of it, sines and cosines, as the prompts of SAM."""
    points, of, features = g.between(1, 40), g.choose(2, 3, 4), g.choose(4, 8, 12)
    x = g.put(np.asarray(g.rng.uniform(-1, 1, (1, points, of)), np.float32), constant=False)
    w = g.put(
        np.asarray(g.rng.standard_normal((of, features)) * g.choose(1, 10), np.float32),
        constant=g.chance(0.8),
    )
    if g.chance(0.5):
        x = either(g, "Mul", x, scalar(g, 2.0))
    y = either(g, "Mul", g.one("MatMul", x, w), scalar(g, 2 * np.pi))
    g.one("Concat", g.one("Sin", y), g.one("Cos", y), axis=-1)
