"""Operators of random graphs: one function each, which adds a node with random attributes to a `Maker`."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from onnx import TensorProto, helper

from differential.maker import Maker
from differential.oracle import Refused

Template = Callable[[Maker], None]
OPERATORS: dict[str, Template] = {}
WEIGHTS: dict[str, float] = {}


def operator(*names: str, weight: float = 1.0):
    """Register a template; of several names it gets one as its second argument."""

    def register(make):
        for name in names:
            OPERATORS[name] = make if len(names) == 1 else (lambda g, n=name: make(g, n))
            WEIGHTS[name] = weight
        return make

    return register


def since(g: Maker, opset: int) -> None:
    """Drop a template that this opset does not have."""
    if g.opset < opset:
        raise Refused("another opset")


# -- element by element --------------------------------------------------------------------------------------

_UNARY = [
    "Abs",
    "Neg",
    "Exp",
    "Log",
    "Sqrt",
    "Reciprocal",
    "Floor",
    "Ceil",
    "Round",
    "Sign",
    "Erf",
    "Sigmoid",
    "Tanh",
    "Relu",
    "Softplus",
    "Softsign",
    "Sin",
    "Cos",
    "Tan",
    "Asin",
    "Acos",
    "Atan",
    "Sinh",
    "Cosh",
    "Asinh",
    "Acosh",
    "Atanh",
    "Identity",
]


@operator(*_UNARY, weight=0.35)
def unary(g: Maker, op: str) -> None:
    """On any float; now and then of no dimension, or constant."""
    x = g.pick()
    if g.chance(0.1):
        x = g.new(g.choose((), (1,), (3, 4)), constant=1.0)
    g.one(op, x)


@operator(
    "LeakyRelu",
    "Elu",
    "ThresholdedRelu",
    "Celu",
    "Selu",
    "HardSigmoid",
    "HardSwish",
    "Shrink",
    "Mish",
    "Gelu",
    weight=0.4,
)
def activation(g: Maker, op: str) -> None:
    """With its parameters."""
    since(g, {"Celu": 12, "HardSwish": 14, "Mish": 18, "Gelu": 20}.get(op, 1))
    alpha = g.choose(None, 0.1, 0.5, 1.7)
    kinds = {
        "Selu": {"alpha": alpha, "gamma": g.choose(None, 1.3)},
        "HardSigmoid": {"alpha": alpha, "beta": g.choose(None, 0.3)},
        "HardSwish": {},
        "Mish": {},
        "Shrink": {"lambd": g.choose(None, 0.2), "bias": g.choose(None, 0.3)},
        "Gelu": {"approximate": g.choose(None, "tanh", "none")},
    }
    g.one(op, g.pick(), **kinds.get(op, {"alpha": alpha}))


@operator("Clip", weight=1.2)
def clip(g: Maker) -> None:
    """Both bounds, one, or none."""
    x = g.pick()
    low, high = sorted(g.rng.normal(size=2) * 2)
    if g.opset < 11:
        given = {"min": low, "max": high}
        g.one("Clip", x, **{name: float(v) for name, v in given.items() if g.chance(0.75)})
        return
    bounds = [g.const(np.float32(v)) if g.chance(0.75) else "" for v in (low, high)]
    if g.chance(0.1):
        bounds[g.between(0, 1)] = g.const(np.float32(g.choose(np.inf, -np.inf, 0.0)))
    while bounds and not bounds[-1]:
        bounds.pop()
    g.one("Clip", x, *bounds)


@operator("PRelu", weight=0.5)
def prelu(g: Maker) -> None:
    """A slope a channel, or one."""
    x = g.pick(2, 3, 4)
    shape = g.choose((1,), (g.shape(x)[1], *[1] * (g.rank(x) - 2)), g.shape(x)[-1:])
    g.one("PRelu", x, g.const(g.numbers(shape)))


@operator("Add", "Sub", "Mul", "Div", weight=1.5)
def arithmetic(g: Maker, op: str) -> None:
    """Of floats, and of whole numbers."""
    dtype = g.choose("float32", "float32", "float32", "float32", "int32", "int64")
    a = g.pick(dtype=dtype)
    b = g.beside(a)
    if (
        dtype != "float32"
        and op == "Div"
        and (not (g.arrays[a].astype(np.float64) >= 0).all() or (g.arrays[b] <= 0).any())
    ):
        raise Refused("division that is not ONNX's to define")
    if dtype != "float32" and op == "Mul" and np.abs(g.arrays[a]).max() * np.abs(g.arrays[b]).max() > 2**30:
        raise Refused("beyond 32 bits")
    g.one(op, *((a, b) if g.chance(0.5) else (b, a) if op != "Div" or dtype == "float32" else (a, b)))


@operator("Pow", weight=0.9)
def power(g: Maker) -> None:
    """By a number, or by a tensor; zero and negative bases."""
    x = g.pick()
    if g.chance(0.3):
        a = g.numbers(g.random_shape(g.between(0, 3)))
        a = np.where(g.rng.random(a.shape) < 0.3, np.float32(0), np.round(a * 2) / 2).astype(np.float32)
        x = g.put(a, constant=g.chance(0.2))
    if g.chance(0.6):
        y = g.const(np.float32(g.choose(0.0, 1.0, 2.0, 3.0, 0.5, -1.0, -2.0, -0.5, 2.5, 4.0, -3.0)))
    else:
        y = g.beside(x)
    if g.opset >= 12 and g.chance(0.15):
        y = g.const(np.asarray(g.choose(2, 3, -1, 0), g.choose("int64", "int32")))
    g.one("Pow", x, y)


@operator("Max", "Min", "Sum", "Mean", weight=0.7)
def variadic(g: Maker, op: str) -> None:
    """Of one to four tensors."""
    x = g.pick()
    if g.opset >= 12 and op in ("Max", "Min") and g.chance(0.12):
        x = g.pick(dtype=g.choose("int32", "int64"))
    others = range(g.choose(0, 1, 1, 1, 2, 3))
    if g.opset < 8:  # nothing is stretched
        g.one(op, x, *(g.new(g.shape(x), constant=0.4) for _ in others))
        return
    g.one(op, x, *(g.beside(x) for _ in others))


@operator("Mod", weight=0.5)
def mod(g: Maker) -> None:
    """Of floats (fmod) and whole numbers."""
    if g.chance(0.5):
        g.one("Mod", g.pick(), g.fixed((), 0.5, 3.0), fmod=1)
        return
    x = g.pick(dtype=g.choose("int32", "int64"))
    y = g.const(np.asarray(g.choose(1, 2, 3, 7, -2, -5), g.dtype(x)))
    g.one("Mod", x, y, fmod=g.choose(None, 0, 1))


@operator("Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", weight=0.6)
def comparison(g: Maker, op: str) -> None:
    """Of floats, whole numbers, bools; of a value with itself."""
    since(g, 12 if op.endswith("OrEqual") else 1)
    dtype = g.choose("float32", "float32", "int64", "int32", "bool" if op == "Equal" else "float32")
    if (dtype == "float32" and op == "Equal" and g.opset < 11) or (dtype != "float32" and g.opset < 9):
        raise Refused("another type")
    x = g.pick(dtype=dtype)
    g.one(op, x, x if g.chance(0.1) else g.beside(x))


@operator("And", "Or", "Xor", weight=0.3)
def logic(g: Maker, op: str) -> None:
    """Of bools."""
    x = g.pick(dtype="bool")
    g.one(op, x, x if g.chance(0.1) else g.beside(x))


@operator("Not", weight=0.3)
def invert(g: Maker) -> None:
    """Of bools."""
    g.one("Not", g.pick(dtype="bool"))


@operator("IsNaN", "IsInf", weight=0.3)
def is_special(g: Maker, op: str) -> None:
    """Of floats."""
    x = g.pick()
    if g.chance(0.5):
        x = g.one("Log", x)
    more = (
        {"detect_negative": g.choose(None, 0, 1), "detect_positive": g.choose(None, 0, 1)}
        if op == "IsInf"
        else {}
    )
    g.one(op, x, **more)


@operator("BitShift", weight=0.2)
def bit_shift(g: Maker) -> None:
    """Of unsigned numbers."""
    dtype = g.choose("uint8", "uint32")
    x = g.new(g.random_shape(2), dtype)
    g.one("BitShift", x, g.const(np.asarray(g.between(0, 5), dtype)), direction=g.choose("LEFT", "RIGHT"))


@operator("BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot", weight=0.15)
def bitwise(g: Maker, op: str) -> None:
    """Of whole numbers."""
    since(g, 18)
    x = g.pick(dtype=g.choose("int32", "uint8", "int64"))
    g.one(op, x, *(() if op == "BitwiseNot" else (g.beside(x),)))


@operator("Where", weight=1.2)
def where(g: Maker) -> None:
    """Three tensors that broadcast."""
    x = g.pick(dtype=g.choose("float32", "float32", "float32", "int64", "int32"))
    y = g.beside(x)
    try:
        shape = np.broadcast_shapes(g.shape(x), g.shape(y))
    except ValueError as error:
        raise Refused("no broadcast") from error
    base = g.beside(x, dtype="bool") if g.chance(0.6) else g.new(shape, "bool")
    g.one("Where", base, *((x, y) if g.chance(0.5) else (y, x)))


@operator("Cast", weight=1.0)
def cast(g: Maker) -> None:
    """Between the types that the engine holds."""
    x = g.pick(dtype=g.choose("float32", "float32", "int64", "int32", "bool", "uint8", "int8"))
    to = g.choose("FLOAT", "FLOAT", "INT32", "INT64", "BOOL", "UINT8", "INT8")
    a = g.arrays[x]
    if a.dtype.kind == "f" and to not in ("FLOAT", "BOOL"):
        low, high = (0, 255) if to == "UINT8" else (-127, 127)
        if not (np.isfinite(a).all() and a.min() >= low and a.max() <= high):
            raise Refused("a cast that ONNX leaves open")
    g.one("Cast", x, to=getattr(TensorProto, to))


# -- convolutions and pools ----------------------------------------------------------------------------------


def _window(g: Maker, sizes, *, dilate: bool = True, big: float = 0.0) -> dict:
    kernel, pads_before, pads_after, strides, dilations = [], [], [], [], []
    for n in sizes:
        k = min(n, g.choose(1, 1, 2, 3, 3, 3, 4, 5, 7))
        d = g.choose(1, 1, 1, 2, 3) if dilate else 1
        if d * (k - 1) + 1 > n + 2:
            d = 1
        kernel.append(k)
        dilations.append(d)
        strides.append(g.choose(1, 1, 1, 2, 2, 3))
        most = (k - 1) * d
        pads_before.append(g.between(0, min(most, 3)) if g.chance(0.5) else 0)
        pads_after.append(g.between(0, min(most, 3)) if g.chance(0.5) else 0)
    found: dict = {"kernel_shape": kernel}
    undilated = not dilate or not g.chance(0.4)
    if undilated:  # padding is smaller than a window
        pads_before = [min(p, k - 1) for p, k in zip(pads_before, kernel, strict=True)]
        pads_after = [min(p, k - 1) for p, k in zip(pads_after, kernel, strict=True)]
    if g.chance(0.6):
        found["strides"] = strides
    if not undilated:
        found["dilations"] = dilations
    kind = g.choose("pads", "pads", "pads", "none", "SAME_UPPER", "SAME_LOWER", "VALID")
    if kind == "pads":
        found["pads"] = pads_before + pads_after
    elif kind != "none":
        found["auto_pad"] = kind
    return found


@operator("Conv", weight=4.0)
def conv(g: Maker) -> None:
    """One to three dimensions, groups, depthwise, computed weights."""
    x = g.pick(3, 4, 4, 4, 4, 5)
    convolve(g, x)


def convolve(g: Maker, x: str, *, pointwise: bool = False, bias: float = 0.6) -> str:
    """A convolution of x; returns its name."""
    channels, sizes = g.shape(x)[1], g.shape(x)[2:]
    divisors = [n for n in range(1, channels + 1) if channels % n == 0]
    group = g.choose(1, 1, 1, channels, g.choose(*divisors))
    if group > 1 and not np.isfinite(g.arrays[x]).all():
        group = 1  # zeros stand between the groups of the product that the engine makes of it: docs/network-engine.md
    out = group * g.choose(1, 1, 2, 3) if group > 1 else g.choose(1, 2, 3, 4, 5, 8, 12, 16, 20, 33)
    window = _window(g, sizes)
    if pointwise:
        window = {"kernel_shape": [1] * len(sizes)}
    kernel = window["kernel_shape"]
    if g.chance(0.4):
        window.pop("kernel_shape")
    w = g.weights((out, channels // group, *kernel))
    inputs = [x, w] + ([g.put(g.numbers((out,)), constant=g.chance(0.9))] if g.chance(bias) else [])
    return g.one("Conv", *inputs, group=group if group > 1 or g.chance(0.3) else None, **window)


@operator("ConvTranspose", weight=1.8)
def conv_transpose(g: Maker) -> None:
    """One to three dimensions, groups, output padding."""
    x = g.pick(3, 4, 4, 4, 5)
    if g.chance(0.15):
        x = g.new(
            (1, g.choose(2, 4, 6), *[g.between(2, 6) for _ in range(g.choose(1, 2, 2, 3))]), constant=1.0
        )
    channels, sizes = g.shape(x)[1], g.shape(x)[2:]
    group = g.choose(*[n for n in range(1, channels + 1) if channels % n == 0]) if g.chance(0.4) else 1
    window = _window(g, sizes)
    strides = window.get("strides", [1] * len(sizes))
    window["kernel_shape"] = [min(k, 4) for k in window["kernel_shape"]]
    if "pads" in window:
        window["pads"] = [min(p, 1) for p in window["pads"]]
    if g.chance(0.25) and "auto_pad" not in window:
        window["output_padding"] = [g.between(0, s - 1) for s in strides]
    w = g.weights((channels, g.choose(1, 2, 3, 4, 8), *window["kernel_shape"]))
    out = g.shape(w)[1] * group
    inputs = [x, w] + ([g.put(g.numbers((out,)), constant=g.chance(0.9))] if g.chance(0.5) else [])
    g.one("ConvTranspose", *inputs, group=group if group > 1 else None, **window)


@operator("MaxPool", weight=1.5)
def max_pool(g: Maker) -> None:
    """With and without Indices, ceil_mode, dilations."""
    x = g.pick(3, 4, 4, 4, 5)
    window = _window(g, g.shape(x)[2:])
    window["ceil_mode"] = g.choose(None, 0, 1)
    if window.get("auto_pad", "").startswith("SAME"):
        window.pop("dilations", None)  # ONNX Runtime forgets them when it pads
    kind = g.rng.random()
    if kind < 0.4:
        order = g.choose(None, 0, 1)
        y, _ = g.node("MaxPool", [x], 2, storage_order=order, **window)
    else:
        y = g.one("MaxPool", x, **window)
    if g.chance(0.5):
        g.one(g.choose("Relu", "Sigmoid", "Neg"), y)


@operator("AveragePool", weight=1.2)
def average_pool(g: Maker) -> None:
    """With padding counted or not; over the whole picture."""
    x = g.pick(3, 4, 4, 4, 5)
    window = _window(g, g.shape(x)[2:], dilate=g.opset >= 19)
    if window.get("auto_pad", "").startswith("SAME"):
        window.pop("dilations", None)  # ONNX Runtime forgets them when it pads
    if g.chance(0.15):
        window = {"kernel_shape": list(g.shape(x)[2:])}
    window["count_include_pad"] = g.choose(None, 0, 1)
    window["ceil_mode"] = g.choose(None, None, 0, 1)
    g.one("AveragePool", x, **window)


@operator("LpPool", weight=0.4)
def lp_pool(g: Maker) -> None:
    """p of 1 to 3."""
    x = g.pick(3, 4)
    window = _window(g, g.shape(x)[2:], dilate=g.opset >= 18)
    if window.get("auto_pad", "").startswith("SAME"):
        window.pop("dilations", None)  # ONNX Runtime forgets them when it pads
    g.one("LpPool", x, p=g.choose(None, 1, 2, 3), ceil_mode=g.choose(None, None, 0, 1), **window)


@operator("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", weight=0.6)
def global_pool(g: Maker, op: str) -> None:
    """Of three to five dimensions."""
    g.one(op, g.pick(3, 4, 4, 5))


@operator("MaxUnpool", weight=0.2)
def max_unpool(g: Maker) -> None:
    """Of what MaxPool made."""
    x = g.new((1, g.choose(1, 3, 4), 4, 6))
    y, places = g.node("MaxPool", [x], 2, kernel_shape=[2, 2], strides=[2, 2])
    g.one("MaxUnpool", y, places, kernel_shape=[2, 2], strides=[2, 2])


@operator("LRN", weight=0.4)
def lrn(g: Maker) -> None:
    """Across channels."""
    x = g.pick(3, 4)
    if not (np.abs(g.arrays[x]) < 1e15).all():
        raise Refused("ONNX Runtime's running sum makes NaN of what an infinity leaves")
    g.one(
        "LRN",
        x,
        size=g.choose(1, 3, 5),
        alpha=g.choose(None, 0.1),
        beta=g.choose(None, 0.5),
        bias=g.choose(None, 2.0),
    )


# -- padding and sizes ---------------------------------------------------------------------------------------


@operator("Pad", weight=1.8)
def pad(g: Maker) -> None:
    """All modes; negative pads; axes."""
    padded(g, g.pick(), picture=g.chance(0.4))


def padded(g: Maker, x: str, *, picture: bool = False) -> str:
    """A Pad of x; `picture`: of the last two dimensions only."""
    rank, shape = g.rank(x), g.shape(x)
    if not rank:
        raise Refused("nothing to pad")
    mode = g.choose("constant", "constant", "reflect", "edge", "wrap" if g.opset >= 19 else "edge")
    before, after = [], []
    for axis in range(rank):
        most = min(3, shape[axis] - 1) if mode in ("reflect", "wrap") else 3
        free = axis >= rank - 2 or (not picture and g.chance(0.4))
        for pads in (before, after):
            n = g.between(0, max(most, 0)) if free and g.chance(0.6) else 0
            if g.chance(0.08) and mode == "constant" and shape[axis] > 3:
                n = -1
            pads.append(n)
    inputs = [x]
    axes = None
    pads = before + after
    if g.opset < 11:
        value = g.choose(None, 0.0, 1.5, -2.0) if mode == "constant" else None
        return g.one(
            "Pad", x, pads=pads, value=value, mode=mode if mode != "constant" or g.chance(0.3) else None
        )
    if g.opset >= 18 and g.chance(0.3):
        axes = sorted(g.rng.permutation(rank)[: g.between(1, rank)].tolist())
        pads = [before[a] for a in axes] + [after[a] for a in axes]
    inputs.append(g.ints(pads))
    if mode == "constant" and (g.chance(0.4) or axes):
        inputs.append(g.const(np.float32(g.choose(0.0, 1.5, -2.0))) if g.chance(0.8) else "")
    if axes:
        inputs += [""] * (3 - len(inputs)) + [g.ints(axes)]
    return g.one("Pad", *inputs, mode=mode if mode != "constant" or g.chance(0.3) else None)


@operator("Resize", weight=2.0)
def resize(g: Maker) -> None:
    """All modes, by scales and by sizes."""
    resized(g, g.pick(3, 4, 4, 4))


def resized(g: Maker, x: str, *, plain: bool = False) -> str:
    """A Resize (before opset 10 an Upsample) of x; `plain`: nearest, by whole factors."""
    plain = (
        plain or not np.isfinite(g.arrays[x]).all()
    )  # whether zero times infinity is computed is nobody's to say
    rank, shape = g.rank(x), g.shape(x)
    if g.opset < 11:
        return _upsampled(g, x, plain=plain)
    if plain:
        factors = [1.0] * (rank - 2) + [float(g.choose(1, 2, 2, 3)) for _ in range(2)]
        attributes = {
            "mode": "nearest",
            "coordinate_transformation_mode": g.choose("asymmetric", "half_pixel", None),
        }
        attributes["nearest_mode"] = g.choose("floor", None, "round_prefer_floor")
        roi = "" if g.opset >= 13 else g.const(np.zeros(0, np.float32))
        return g.one("Resize", x, roi, g.const(np.asarray(factors, np.float32)), **attributes)
    mode = g.choose("nearest", "nearest", "linear", "linear", "cubic")
    transform = g.choose(None, "half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
    attributes = {"mode": mode, "coordinate_transformation_mode": transform}
    if mode == "nearest":
        attributes["nearest_mode"] = g.choose(
            None, "floor", "ceil", "round_prefer_floor", "round_prefer_ceil"
        )
    if mode == "cubic":
        attributes["cubic_coeff_a"] = g.choose(None, -0.5)
        attributes["exclude_outside"] = g.choose(None, 0, 1)
    if g.opset >= 18 and g.chance(0.2) and mode != "nearest":
        attributes["antialias"] = 1
    spatial = range(rank - 2, rank) if rank > 3 else range(rank - 1, rank)
    roi = "" if g.opset >= 13 else g.const(np.zeros(0, np.float32))
    if g.chance(0.5):
        factors = [1.0] * rank
        for axis in spatial:
            factors[axis] = g.choose(1.0, 2.0, 2.0, 3.0, 0.5, 1.5, 0.7, 2.6)
        whole = all((n * f).is_integer() for n, f in zip(shape, factors, strict=True))
        if transform == "align_corners" and not whole:
            raise Refused("ONNX Runtime takes the rounded length, the conformance tests its fraction")
        return g.one("Resize", x, roi, g.const(np.asarray(factors, np.float32)), **attributes)
    sizes = list(shape)
    for axis in spatial:
        sizes[axis] = g.between(1, 2 * shape[axis] + 1)
    scales = "" if g.opset >= 13 else g.const(np.zeros(0, np.float32))
    return g.one("Resize", x, roi, scales, g.ints(sizes), **attributes)


def _upsampled(g: Maker, x: str, *, plain: bool) -> str:
    """Of opset 10 a Resize that knows only scales, of older ones an Upsample, which only enlarges."""
    rank = g.rank(x)
    factors = [1.0] * (rank - 2) + [float(g.choose(1, 2, 2, 3)) for _ in range(2)]
    if not plain and g.chance(0.4):
        factors[-1] = g.choose(1.5, 2.6, 0.5, 0.7) if g.opset >= 10 else g.choose(1.5, 2.6)
    mode = g.choose(None, "nearest") if plain or rank != 4 else g.choose(None, "nearest", "linear", "linear")
    if g.opset < 9:
        return g.one("Upsample", x, scales=factors, mode=mode)
    op = "Resize" if g.opset >= 10 else "Upsample"
    return g.one(op, x, g.const(np.asarray(factors, np.float32)), mode=mode)


@operator("DepthToSpace", "SpaceToDepth", weight=0.5)
def depth_space(g: Maker, op: str) -> None:
    """Blocks of 2 and 3."""
    b = g.choose(2, 2, 3)
    if op == "DepthToSpace":
        x = g.new((g.choose(1, 2), b * b * g.choose(1, 2, 3, 4), g.between(1, 5), g.between(1, 5)))
        g.one(op, x, blocksize=b, mode=g.choose(None, "DCR", "CRD"))
    else:
        g.one(
            op,
            g.new((g.choose(1, 2), g.choose(1, 3, 4), b * g.between(1, 4), b * g.between(1, 4))),
            blocksize=b,
        )


@operator("GridSample", weight=0.5)
def grid_sample(g: Maker) -> None:
    """All modes."""
    since(g, 16)
    x = g.pick(4)
    if not np.isfinite(g.arrays[x]).all():
        raise Refused("weights of zero times infinity")
    grid = g.fixed((g.shape(x)[0], g.between(1, 5), g.between(1, 5), 2), -1.3, 1.3)
    linear, cubic = ("linear", "cubic") if g.opset >= 20 else ("bilinear", "bicubic")
    mode, padding = g.choose(linear, "nearest", cubic), g.choose("zeros", "border", "reflection")
    if mode == cubic and padding != "zeros":
        padding = "zeros"  # grid_sample.wgsl says how runtimes differ
    g.one("GridSample", x, grid, mode=mode, padding_mode=padding, align_corners=g.choose(None, 0, 1))


# -- products ------------------------------------------------------------------------------------------------


@operator("MatMul", weight=2.5)
def mat_mul(g: Maker) -> None:
    """Of tensors of one to five dimensions, constant and computed."""
    a = g.pick(1, 2, 2, 3, 4)
    k = g.shape(a)[-1]
    kind = g.rng.random()
    if kind < 0.1:
        shape: tuple[int, ...] = (k,)
    elif kind < 0.65:
        shape = (k, g.size())
    else:
        outer = tuple(n if g.chance(0.7) else 1 for n in g.shape(a)[:-2])
        shape = (*outer[g.between(0, len(outer)) :], k, g.size())
    b = g.put(np.asarray(g.rng.standard_normal(shape) / math.sqrt(k), np.float32), constant=g.chance(0.6))
    y = g.one("MatMul", a, b)
    if g.chance(0.4) and g.rank(y):
        y = g.one("Add", y, g.fixed((g.shape(y)[-1],)))
    if g.chance(0.3):
        g.one(g.choose("Relu", "Tanh", "Sigmoid"), y)


@operator("Gemm", weight=1.2)
def gemm(g: Maker) -> None:
    """All of its attributes."""
    a = g.pick(2)
    trans_a, trans_b = g.choose(None, 0, 1), g.choose(None, 0, 1)
    m, k = g.shape(a)[::-1] if trans_a else g.shape(a)
    n = g.size()
    b = g.weights((n, k) if trans_b else (k, n))
    c = (
        [g.put(g.numbers(g.choose((n,), (m, n), (1, n), (m, 1), (1,), ())), constant=g.chance(0.7))]
        if g.opset < 11 or g.chance(0.7)
        else []
    )
    g.one(
        "Gemm",
        a,
        b,
        *c,
        transA=trans_a,
        transB=trans_b,
        alpha=g.choose(None, 0.5),
        beta=g.choose(None, 0.25, 0.0),
    )


@operator("Einsum", weight=0.6)
def einsum(g: Maker) -> None:
    """A few equations."""
    since(g, 12)
    equation = g.choose(
        "ij,jk->ik",
        "bij,bjk->bik",
        "bij,kj->bik",
        "ij->ji",
        "ij->",
        "i,j->ij",
        "bhid,bhjd->bhij",
        "ii->i",
        "ij,ij->i",
        "bij->bj",
    )
    sizes: dict[str, int] = {}
    names = []
    for term in equation.partition("->")[0].split(","):
        shape = tuple(sizes.setdefault(letter, g.between(1, 6)) for letter in term)
        names.append(g.new(shape))
    g.one("Einsum", *names, equation=equation)


@operator("Det", weight=0.15)
def det(g: Maker) -> None:
    """Of small matrices."""
    n = g.between(1, 4)
    g.one("Det", g.new((*[2] * g.between(0, 2), n, n)))


# -- normalizations ------------------------------------------------------------------------------------------


@operator("BatchNormalization", weight=1.2)
def batch_norm(g: Maker) -> None:
    """At inference."""
    normalized(g, g.pick(2, 3, 4, 4, 4, 5))


def normalized(g: Maker, x: str) -> str:
    """A BatchNormalization of x."""
    c = g.shape(x)[1]
    inputs = [g.fixed((c,), 0.5, 1.5), g.fixed((c,)), g.fixed((c,)), g.fixed((c,), 0.3, 2.0)]
    return g.one("BatchNormalization", x, *inputs, epsilon=g.choose(None, 1e-3), spatial=g.choose(None, 1))


@operator("InstanceNormalization", weight=0.8)
def instance_norm(g: Maker) -> None:
    """With constant and computed parameters."""
    x = g.pick(3, 4, 4, 5)
    c = g.shape(x)[1]
    scale, bias = (g.put(g.numbers((c,)), constant=g.chance(0.8)) for _ in range(2))
    g.one("InstanceNormalization", x, scale, bias, epsilon=g.choose(None, 1e-3))


@operator("LayerNormalization", weight=1.0)
def layer_norm(g: Maker) -> None:
    """Over any of the last axes; mean and deviation as outputs."""
    since(g, 17)
    x = g.pick(2, 3, 3, 4)
    axis = g.axis(x)
    own = g.shape(x)[axis:]
    inputs = [x, g.put(g.numbers(own), constant=g.chance(0.8))]
    if g.chance(0.6):
        inputs.append(g.put(g.numbers(own), constant=g.chance(0.8)))
    g.node("LayerNormalization", inputs, g.choose(1, 1, 1, 2, 3), axis=axis, epsilon=g.choose(None, 1e-3))


@operator("GroupNormalization", weight=0.4)
def group_norm(g: Maker) -> None:
    """With a scale a channel, and a group before opset 21."""
    since(g, 18)
    groups = g.choose(1, 2, 3)
    x = g.new((g.choose(1, 2), groups * g.choose(1, 2, 4), *[g.between(2, 6) for _ in range(g.choose(1, 2))]))
    c = g.shape(x)[1] if g.opset >= 21 else groups
    g.one("GroupNormalization", x, g.fixed((c,)), g.fixed((c,)), num_groups=groups)


@operator("RMSNormalization", weight=0.3)
def rms_norm(g: Maker) -> None:
    """Of opset 23."""
    since(g, 23)
    x = g.pick(2, 3, 4)
    axis = g.axis(x)
    g.one("RMSNormalization", x, g.fixed(g.shape(x)[axis:]), axis=axis)


@operator("LpNormalization", weight=0.3)
def lp_norm(g: Maker) -> None:
    """p of 1 and 2."""
    x = g.pick(2, 3, 4)
    g.one("LpNormalization", x, axis=g.axis(x), p=g.choose(1, 2))


@operator("MeanVarianceNormalization", weight=0.4)
def mvn(g: Maker) -> None:
    """Over the default axes and others."""
    g.one("MeanVarianceNormalization", g.pick(4), axes=g.choose(None, [0, 2, 3], [2, 3], [1]))


@operator("Softmax", "LogSoftmax", "Hardmax", weight=0.7)
def softmax(g: Maker, op: str) -> None:
    """Along any axis."""
    x = g.pick(1, 2, 3, 4)
    g.one(op, x, axis=g.axis(x) if g.chance(0.8) else None)


# -- reductions ----------------------------------------------------------------------------------------------

_REDUCE = ["Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSum", "LogSumExp"]


@operator(*(f"Reduce{kind}" for kind in _REDUCE), weight=0.35)
def reduce_axes(g: Maker, op: str) -> None:
    """Over any axes, of floats and whole numbers."""
    x = g.pick()
    if g.chance(0.15) and op in ("ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd"):
        x = g.pick(dtype=g.choose("int32", "int64"))
    reduced(g, op, x)


def reduced(g: Maker, op: str, x: str, axes=None) -> str:
    """A Reduce of x over random axes."""
    rank = g.rank(x)
    if axes is None and g.chance(0.8) and rank:
        chosen = sorted(g.rng.permutation(rank)[: g.between(1, rank)].tolist())
        if rank >= 3 and g.chance(0.3):
            chosen = list(range(2, rank))
        axes = [a - rank if g.chance(0.3) else a for a in chosen]
    attributes = {"keepdims": g.choose(None, 0, 1)}
    inputs = [x]
    by_input = g.opset >= 18 or (op == "ReduceSum" and g.opset >= 13)
    if by_input:
        if axes is not None:
            inputs.append(g.ints(axes))
        elif g.chance(0.2):
            attributes["noop_with_empty_axes"] = 1
    elif axes is not None:
        attributes["axes"] = axes
    return g.one(op, *inputs, **attributes)


@operator("ArgMax", "ArgMin", weight=0.6)
def arg_extreme(g: Maker, op: str) -> None:
    """First or last of equal ones."""
    x = g.pick(1, 2, 3, 4)
    last = g.choose(None, 0, 1) if g.opset >= 12 else None
    g.one(
        op,
        x,
        axis=g.axis(x) if g.chance(0.8) else None,
        keepdims=g.choose(None, 0, 1),
        select_last_index=last,
    )


@operator("CumSum", weight=0.6)
def cum_sum(g: Maker) -> None:
    """Forwards, backwards, exclusive."""
    x = g.pick(1, 2, 3, 4, dtype=g.choose("float32", "float32", "int32", "int64"))
    axis = g.const(np.asarray(g.axis(x), g.choose("int32", "int64")))
    g.one("CumSum", x, axis, exclusive=g.choose(None, 0, 1), reverse=g.choose(None, 0, 1))


@operator("TopK", weight=0.7)
def top_k(g: Maker) -> None:
    """Largest and smallest."""
    x = g.pick(1, 2, 3, dtype=g.choose("float32", "float32", "int64", "int32"))
    axis = g.axis(x)
    k = g.between(1, g.shape(x)[axis])
    if g.opset < 10:
        g.node("TopK", [x], 2, axis=axis, k=k)
        return
    g.node("TopK", [x, g.ints([k])], 2, axis=axis, largest=g.choose(None, 0, 1))


# -- moving numbers ------------------------------------------------------------------------------------------


def _any(g: Maker, *ranks: int) -> str:
    return g.pick(
        *ranks, dtype=g.choose("float32", "float32", "float32", "float32", "int64", "int32", "bool")
    )


@operator("Concat", weight=1.5)
def concat(g: Maker) -> None:
    """Of one to four tensors."""
    x = _any(g, 1, 2, 3, 4, 4)
    axis = g.axis(x)
    if g.rank(x) >= 3 and g.chance(0.6):
        axis = 1
    names = [x]
    for _ in range(g.choose(0, 1, 1, 2, 3)):
        shape = list(g.shape(x))
        shape[axis] = g.choose(1, 2, 4, 8)
        same = [n for n in g.pool if g.dtype(n) == g.dtype(x) and g.rank(n) == len(shape)]
        same = [
            n
            for n in same
            if all(
                a == b
                for i, (a, b) in enumerate(zip(g.shape(n), shape, strict=True))
                if i != axis % len(shape)
            )
        ]
        names.append(g.choose(*same) if same and g.chance(0.5) else g.new(shape, g.dtype(x)))
    names = [names[i] for i in g.rng.permutation(len(names))]
    g.one("Concat", *names, axis=axis)


@operator("Split", weight=0.9)
def split(g: Maker) -> None:
    """Evenly, or in parts; some not used."""
    x = _any(g, 1, 2, 3, 4)
    axis = g.axis(x)
    n = g.shape(x)[axis]
    parts = g.between(1, min(4, n))
    cuts = sorted(g.rng.permutation(n - 1)[: parts - 1] + 1) if n > 1 else []
    sizes = [int(b - a) for a, b in zip([0, *cuts], [*cuts, n], strict=True)]
    if g.opset >= 18 and g.chance(0.4):
        g.node("Split", [x], min(parts, n), axis=axis, num_outputs=min(parts, n))
    elif g.opset >= 13:
        g.node("Split", [x, g.ints(sizes)], len(sizes), axis=axis)
    else:
        g.node("Split", [x], len(sizes), axis=axis, split=sizes)


@operator("Slice", weight=1.2)
def slice_(g: Maker) -> None:
    """With steps, backwards, from the end."""
    x = _any(g, 1, 2, 3, 4)
    rank = g.rank(x)
    axes = sorted(g.rng.permutation(rank)[: g.between(1, rank)].tolist())
    starts, ends, steps = [], [], []
    for axis in axes:
        n = g.shape(x)[axis]
        step = g.choose(1, 1, 1, 2, 3, -1, -2) if g.opset >= 10 else 1
        a, b = sorted((g.between(0, n), g.between(0, n)))
        if step > 0:
            starts.append(a - n if g.chance(0.3) and a < n else a)
            ends.append(g.choose(b, b, 2**31 - 1, 2**63 - 1))
        else:
            starts.append(g.choose(b, b, 2**31 - 1))
            ends.append(g.choose(a - 1 if a else -n - 1, -(2**31)))
        steps.append(step)
    if g.opset < 10:
        given = axes if g.chance(0.7) or axes != list(range(len(axes))) else None
        g.one("Slice", x, starts=starts, ends=ends, axes=given)
        return
    inputs = [g.ints(starts), g.ints(ends), g.ints([a - rank if g.chance(0.2) else a for a in axes])]
    g.one("Slice", x, *inputs, *([g.ints(steps)] if any(s != 1 for s in steps) or g.chance(0.5) else []))


@operator("Gather", weight=0.9)
def gather(g: Maker) -> None:
    """By constant and computed indices, from the end too."""
    x = _any(g, 1, 2, 3, 4)
    axis = g.axis(x)
    n = g.shape(x)[axis]
    shape = g.choose((), (1,), (g.between(1, 5),), (2, 3))
    index = g.put(g.rng.integers(-n, n, shape).astype(g.choose("int64", "int32")), constant=g.chance(0.6))
    g.one("Gather", x, index, axis=axis)


@operator("GatherElements", weight=0.7)
def gather_elements(g: Maker) -> None:
    """Indices of a smaller shape too; everything constant now and then."""
    x = _any(g, 1, 2, 3, 4)
    if g.chance(0.25):
        x = g.new(g.random_shape(2), constant=1.0)
    axis = g.axis(x)
    n = g.shape(x)[axis]
    shape = [g.between(1, m) if g.chance(0.4) else m for m in g.shape(x)]
    shape[axis] = g.between(1, 6)
    index = g.put(g.rng.integers(-n, n, shape).astype(g.choose("int64", "int32")), constant=g.chance(0.6))
    g.one("GatherElements", x, index, axis=axis)


@operator("GatherND", weight=0.6)
def gather_nd(g: Maker) -> None:
    """With and without batch dimensions."""
    x = _any(g, 2, 3, 4)
    shape = g.shape(x)
    batch = g.choose(0, 0, 1) if g.opset >= 12 and len(shape) > 1 else 0
    depth = g.between(1, len(shape) - batch)
    outer = (*shape[:batch], g.between(1, 4))
    limits = np.asarray(shape[batch : batch + depth])
    index = (g.rng.random((*outer, depth)) * limits).astype(np.int64)
    if g.chance(0.3):
        index -= limits * (g.rng.random(index.shape) < 0.5)
    g.one("GatherND", x, g.put(index, constant=g.chance(0.6)), batch_dims=batch or None)


@operator("ScatterElements", weight=0.6)
def scatter_elements(g: Maker) -> None:
    """With reductions from opset 16 on."""
    x = g.pick(1, 2, 3, dtype=g.choose("float32", "float32", "int32"))
    axis = g.axis(x)
    shape = list(g.shape(x))
    kinds = (
        [None, "none"] + (["add", "mul"] if g.opset >= 16 else []) + (["max", "min"] if g.opset >= 18 else [])
    )
    kind = g.choose(*kinds)
    for i in range(len(shape)):
        shape[i] = g.between(1, shape[i])
    n = g.shape(x)[axis]
    if kind in (None, "none"):
        index = np.argsort(
            g.rng.random((*[m for i, m in enumerate(shape) if i != axis % len(shape)], n)), axis=-1
        )
        index = np.moveaxis(index[..., : shape[axis]], -1, axis)
    else:
        index = g.rng.integers(-n, n, shape)
    updates = g.put(g.numbers(tuple(shape), g.dtype(x)), constant=g.chance(0.5))
    inputs = [x, g.put(index.astype(np.int64), constant=g.chance(0.5)), updates]
    g.one("ScatterElements", *inputs, axis=axis, reduction=kind if g.opset >= 16 else None)


@operator("Scatter", weight=0.3)
def scatter(g: Maker) -> None:
    """ScatterElements before opset 11."""
    x = g.pick(1, 2, 3)
    axis = g.axis(x)
    n = g.shape(x)[axis]
    index = np.argsort(g.rng.random(g.shape(x)), axis=axis).take(np.arange(g.between(1, n)), axis=axis)
    updates = g.put(g.numbers(index.shape), constant=g.chance(0.5))
    g.one("Scatter", x, g.put(index.astype(np.int64), constant=g.chance(0.5)), updates, axis=axis)


@operator("ScatterND", weight=0.6)
def scatter_nd(g: Maker) -> None:
    """With reductions from opset 16 on."""
    x = g.pick(1, 2, 3, 4, dtype=g.choose("float32", "float32", "int32"))
    shape = g.shape(x)
    depth = g.between(1, len(shape))
    kinds = (
        [None] + (["none", "add", "mul"] if g.opset >= 16 else []) + (["max", "min"] if g.opset >= 18 else [])
    )
    kind = g.choose(*kinds)
    total = math.prod(shape[:depth])
    count = g.between(1, min(6, total))
    if kind in (None, "none"):
        flat = g.rng.permutation(total)[:count]
    else:
        flat = g.rng.integers(0, total, count)
    index = np.stack(np.unravel_index(flat, shape[:depth]), axis=-1).astype(np.int64)
    updates = g.put(g.numbers((count, *shape[depth:]), g.dtype(x)), constant=g.chance(0.5))
    g.one("ScatterND", x, g.put(index, constant=g.chance(0.5)), updates, reduction=kind)


@operator("Transpose", weight=1.5)
def transpose(g: Maker) -> None:
    """Any permutation."""
    x = _any(g, 2, 3, 4, 4, 5)
    rank = g.rank(x)
    perm = g.rng.permutation(rank).tolist()
    if rank == 4 and g.chance(0.5):
        perm = g.choose([0, 2, 3, 1], [0, 3, 1, 2], [0, 2, 1, 3])
    g.one("Transpose", x, perm=perm if g.chance(0.9) else None)


@operator("Reshape", weight=1.2)
def reshape(g: Maker) -> None:
    """With -1 and 0."""
    x = _any(g)
    reshaped(g, x)


def reshaped(g: Maker, x: str) -> str:
    """Some other shape of as many elements."""
    total, shape = math.prod(g.shape(x)), []
    left = total
    for _ in range(g.between(0, 4)):
        divisors = [n for n in range(1, min(left, 40) + 1) if left % n == 0]
        shape.append(g.choose(*divisors))
        left //= shape[-1]
    shape.append(left)
    shape = [shape[i] for i in g.rng.permutation(len(shape))]
    if g.chance(0.4):
        shape[g.between(0, len(shape) - 1)] = -1
    elif g.chance(0.4) and g.rank(x) and shape[0] == g.shape(x)[0]:
        shape[0] = 0
    if total == 1 and g.chance(0.3):
        shape = []
    return g.one("Reshape", x, g.const(np.asarray(shape, np.int64)))


@operator("Squeeze", "Unsqueeze", weight=0.5)
def squeeze(g: Maker, op: str) -> None:
    """By axes, or all of 1."""
    x = _any(g)
    rank = g.rank(x)
    if op == "Unsqueeze":
        if rank > 4:
            raise Refused("too many dimensions")
        axes = sorted(g.rng.permutation(rank + 1)[: g.between(1, min(2, rank + 1))].tolist())
    else:
        axes = [i for i, n in enumerate(g.shape(x)) if n == 1]
        axes = axes[: g.between(0, len(axes))]
        if not axes:
            g.one(op, x)
            return
    if g.opset >= 13:
        g.one(op, x, g.ints(axes))
    else:
        g.one(op, x, axes=axes or None)


@operator("Flatten", weight=0.6)
def flatten(g: Maker) -> None:
    """At any axis."""
    x = g.pick()
    g.one("Flatten", x, axis=g.between(-g.rank(x), g.rank(x)) if g.chance(0.8) else None)


@operator("Expand", weight=0.7)
def expand(g: Maker) -> None:
    """Of dimensions of 1, and in front."""
    x = _any(g, 0, 1, 2, 3, 4)
    if g.chance(0.5):
        x = g.new([1 if g.chance(0.5) else n for n in g.random_shape(g.between(1, 4))])
    shape = [g.choose(1, 2, 5) if n == 1 else g.choose(n, n, 1) for n in g.shape(x)]
    if g.chance(0.3) and len(shape) < 5:
        shape = [2, *shape]
    g.one("Expand", x, g.const(np.asarray(shape, np.int64)))


@operator("Tile", weight=0.6)
def tile(g: Maker) -> None:
    """Up to three times."""
    x = _any(g, 1, 2, 3, 4)
    g.one("Tile", x, g.ints([g.choose(1, 1, 2, 3) for _ in g.shape(x)]))


@operator("Trilu", weight=0.3)
def trilu(g: Maker) -> None:
    """Upper and lower."""
    since(g, 14)
    x = _any(g, 2, 3)
    more = [g.const(np.asarray(g.between(-3, 3), np.int64))] if g.chance(0.6) else []
    g.one("Trilu", x, *more, upper=g.choose(None, 0, 1))


@operator("OneHot", weight=0.3)
def one_hot(g: Maker) -> None:
    """Of whole numbers."""
    depth = g.between(2, 6)
    index = g.put(
        g.rng.integers(-depth, depth, g.random_shape(g.between(1, 2))).astype(np.int64),
        constant=g.chance(0.3),
    )
    g.one(
        "OneHot",
        index,
        g.const(np.asarray(depth, np.int64)),
        g.const(np.asarray([0.5, 2.0], np.float32)),
        axis=g.choose(None, -1, 0, 1),
    )


@operator("ReverseSequence", weight=0.2)
def reverse_sequence(g: Maker) -> None:
    """Both orders."""
    x = g.pick(2, 3)
    batch = g.choose(0, 1)
    n, time = g.shape(x)[batch], g.shape(x)[1 - batch]
    g.one("ReverseSequence", x, g.ints(g.rng.integers(1, time + 1, n)), batch_axis=batch, time_axis=1 - batch)


@operator("EyeLike", weight=0.15)
def eye_like(g: Maker) -> None:
    """With a diagonal."""
    g.one("EyeLike", g.pick(2), k=g.choose(None, -1, 1))


@operator("Shape", weight=0.4)
def shape_chain(g: Maker) -> None:
    """What exporters write for x.view(x.size(0), -1)."""
    x = g.pick(2, 3, 4)
    shape = g.one("Shape", x)
    first = g.one("Gather", shape, g.const(np.asarray(0, np.int64)), axis=0)
    if g.opset >= 13:
        first = g.one("Unsqueeze", first, g.ints([0]))
    else:
        first = g.one("Unsqueeze", first, axes=[0])
    g.one("Reshape", x, g.one("Concat", first, g.ints([-1]), axis=0))


@operator("Dropout", weight=0.3)
def dropout(g: Maker) -> None:
    """The identity."""
    g.node("Dropout", [g.pick()], g.choose(1, 1, 2), ratio=g.choose(None, 0.0, 0.3))


@operator("Constant", weight=0.3)
def constant(g: Maker) -> None:
    """A node that makes a constant."""
    value = g.numbers(g.random_shape(g.between(0, 2)))
    g.one(
        "Constant",
        value=helper.make_tensor("value", TensorProto.FLOAT, value.shape, value.reshape(-1).tolist()),
    )


# -- whole numbers for floats --------------------------------------------------------------------------------


@operator("QuantizeLinear", weight=1.0)
def quantize(g: Maker) -> None:
    """And back; a scale a tensor or a channel."""
    x = g.pick(2, 3, 4)
    if not np.isfinite(g.arrays[x]).all():
        raise Refused("what is not finite has no whole number")
    quantized(g, x)


def quantized(g: Maker, x: str, *, per_channel: bool | None = None) -> str:
    """QuantizeLinear and DequantizeLinear of x."""
    per_channel = g.chance(0.3) and g.opset >= 13 if per_channel is None else per_channel
    dtype = g.choose("uint8", "int8")
    axis = 1 if per_channel else None
    shape = (g.shape(x)[1],) if per_channel else ()
    scale = g.const(np.asarray(g.rng.uniform(0.02, 0.1, shape), np.float32))
    zero = g.const(g.numbers(shape, dtype) // 2)
    q = g.one("QuantizeLinear", x, scale, zero, axis=axis)
    return g.one("DequantizeLinear", q, scale, zero, axis=axis)


@operator("DynamicQuantizeLinear", weight=0.2)
def dynamic_quantize(g: Maker) -> None:
    """To uint8."""
    x = g.pick(1, 2, 3)
    if not np.isfinite(g.arrays[x]).all():
        raise Refused("what is not finite has no whole number")
    g.node("DynamicQuantizeLinear", [x], 3)


@operator("MatMulInteger", weight=0.4)
def mat_mul_integer(g: Maker) -> None:
    """uint8 by int8 or uint8."""
    m, k, n = g.between(1, 9), g.between(1, 9), g.between(1, 9)
    kind = g.choose("int8", "uint8")
    a, b = g.new((m, k), "uint8"), g.const(g.numbers((k, n), kind))
    zeros = [g.const(np.asarray(g.between(0, 200), np.uint8)), g.const(np.asarray(g.between(0, 9), kind))]
    y = g.one("MatMulInteger", a, b, *zeros[: g.between(0, 2)])
    if g.chance(0.5):
        g.one("Cast", y, to=TensorProto.FLOAT)


@operator("ConvInteger", weight=0.2)
def conv_integer(g: Maker) -> None:
    """uint8 by uint8."""
    c = g.between(1, 5)
    x = g.new((1, c, g.between(3, 7), g.between(3, 7)), "uint8")
    w = g.const(g.numbers((g.between(1, 5), c, 3, 3), "uint8"))
    g.one(
        "ConvInteger",
        x,
        w,
        *([g.const(np.uint8(g.between(0, 9)))] if g.chance(0.5) else []),
        pads=g.choose(None, [1, 1, 1, 1]),
    )


# -- recurrent and control flow ------------------------------------------------------------------------------


@operator("LSTM", "GRU", "RNN", weight=0.3)
def recurrent(g: Maker, op: str) -> None:
    """Forwards, backwards, both."""
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[op]
    time, batch, size, hidden = g.between(1, 4), g.between(1, 2), g.between(1, 5), g.between(1, 5)
    direction = g.choose("forward", "reverse", "bidirectional")
    d = 2 if direction == "bidirectional" else 1
    x = g.new((time, batch, size), constant=0.0)
    if not np.isfinite(g.arrays[x]).all():
        raise Refused("ONNX Runtime's recurrent activations clamp NaN away")
    inputs = [x, g.weights((d, gates * hidden, size)), g.weights((d, gates * hidden, hidden))]
    if g.chance(0.7):
        inputs.append(g.fixed((d, 2 * gates * hidden), -0.3, 0.3))
    more = {"linear_before_reset": g.choose(None, 0, 1)} if op == "GRU" else {}
    if g.chance(0.3) and len(inputs) == 4:
        inputs += ["", g.fixed((d, batch, hidden))]
    g.node(op, inputs, g.choose(1, 2), hidden_size=hidden, direction=direction, **more)


@operator("If", weight=0.2)
def conditional(g: Maker) -> None:
    """A constant condition."""
    x = g.pick()
    kind = int(helper.np_dtype_to_tensor_dtype(np.dtype("float32")))
    branches = {}
    for name, op in (("then_branch", "Relu"), ("else_branch", "Neg")):
        out = g.name("b")
        body = [helper.make_node(op, [x], [out])]
        branches[name] = helper.make_graph(body, name, [], [helper.make_tensor_value_info(out, kind, None)])
    g.one("If", g.const(np.asarray(g.chance(0.5))), **branches)


# -- large ones ----------------------------------------------------------------------------------------------

_LONG = (65_536, 66_000, 70_001, 131_073)


def large(g: Maker) -> None:
    """One operator over more elements than a loop of an old software adapter has rounds."""
    g.largest = 400_000
    kind = g.choose(
        *(
            "reduce",
            "reduce",
            "reduce",
            "norm",
            "norm",
            "cumsum",
            "softmax",
            "arg",
            "matmul",
            "conv",
            "pool",
            "global",
            "instance",
        ),
        *(
            "lp",
            "mvn",
            "einsum",
            "group",
            "scatter",
            "hardmax",
            "topk",
            "convt",
            "direct",
            "gemm",
            "lrn",
            "gather",
            "deep",
        ),
    )
    n = g.choose(*_LONG)
    if kind in ("reduce", "global", "instance", "mvn", "group"):
        shape = g.choose((1, 1, n), (1, 2, n), (1, 3, 300, 230), (1, 1, 257, 257), (1, 2, 41, 41, 41))
    else:
        shape = g.choose((n,), (1, n), (2, n))
    x = g.put(g.rng.standard_normal(shape).astype(np.float32), constant=False)
    g.pool.append(x)
    if kind == "reduce":
        op = "Reduce" + g.choose(*(k for k in _REDUCE if k != "Prod"))
        if op == "ReduceLogSum":
            x = g.one("Abs", x)
        reduced(
            g, op, x, g.choose(None, list(range(len(shape))), list(range(1, len(shape))), [len(shape) - 1])
        )
    elif kind == "norm":
        since(g, 17)
        axis = g.between(0, len(shape) - 1)
        g.one("LayerNormalization", x, g.fixed(shape[axis:]), g.fixed(shape[axis:]), axis=axis)
    elif kind == "cumsum":
        g.one(
            "CumSum",
            x,
            g.const(np.asarray(len(shape) - 1, np.int64)),
            reverse=g.choose(0, 1),
            exclusive=g.choose(0, 1),
        )
    elif kind in ("softmax", "hardmax"):
        g.one(g.choose("Softmax", "LogSoftmax") if kind == "softmax" else "Hardmax", x, axis=-1)
    elif kind == "arg":
        g.one(g.choose("ArgMax", "ArgMin"), x, axis=len(shape) - 1)
    elif kind in ("matmul", "gemm", "deep"):
        a = x if len(shape) == 2 else g.one("Reshape", x, g.ints([1, n]))
        w = np.asarray(g.rng.standard_normal((n, g.choose(1, 2, 5))) / 256, np.float32)
        b = g.put(w, constant=g.chance(0.5))
        y = g.one("Gemm" if kind == "gemm" else "MatMul", a, b)
        if kind == "deep":
            g.one("Relu", y)
    elif kind in ("conv", "direct", "convt"):
        channels = g.choose(1, 2) if kind == "conv" else 1
        side = 270
        if kind == "convt":
            c = 66_000
            x2 = g.new((1, c, 1, 2), constant=0.0)
            g.one(
                "ConvTranspose",
                x2,
                g.put(np.asarray(g.rng.standard_normal((c, 1, 1, 2)) / 256, np.float32), constant=True),
            )
            return
        x2 = g.new((1, channels, side, side), constant=0.0)
        w = g.put(
            np.asarray(g.rng.standard_normal((2, channels, 262, 262)) / 256, np.float32),
            constant=kind == "conv",
        )
        g.one("Conv", x2, w, strides=[4, 4])
    elif kind == "pool":
        x2 = g.new((1, 1, 270, 270), constant=0.0)
        y = g.choose("AveragePool", "MaxPool", "LpPool")
        g.one(y, x2, kernel_shape=[260, 260], strides=[5, 5])
    elif kind == "global":
        g.one(g.choose("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"), x)
    elif kind == "instance":
        g.one(
            "InstanceNormalization",
            x,
            g.fixed((shape[1],)),
            g.put(g.numbers((shape[1],)), constant=g.chance(0.5)),
        )
    elif kind == "lp":
        g.one("LpNormalization", x, axis=-1, p=g.choose(1, 2))
    elif kind == "mvn":
        x = g.one("Reshape", x, g.ints([1, shape[1], 1, -1]))
        g.one("MeanVarianceNormalization", x, axes=[2, 3])
    elif kind == "einsum":
        since(g, 12)
        g.one("Einsum", x, x, equation="i,i->" if len(shape) == 1 else "bi,bi->b")
    elif kind == "group":
        since(g, 21)
        g.one("GroupNormalization", x, g.fixed((shape[1],)), g.fixed((shape[1],)), num_groups=1)
    elif kind == "scatter":
        since(g, 16)
        base = g.put(np.zeros(3, np.float32), constant=False)
        index = g.put(g.rng.integers(0, 3, n), constant=False)
        updates = g.put(np.round(g.rng.standard_normal(n) * 4).astype(np.float32), constant=False)
        if g.chance(0.5):
            g.one("ScatterElements", base, index, updates, axis=0, reduction="add")
        else:
            g.one(
                "ScatterND",
                base,
                g.put(g.arrays[index].reshape(-1, 1), constant=False),
                updates,
                reduction="add",
            )
    elif kind == "topk":
        g.node("TopK", [x, g.ints([g.choose(1, 5, 300)])], 2, axis=-1)
    elif kind == "lrn":
        x2 = g.new((1, 3, 5, 5), constant=0.0)
        g.one("LRN", x2, size=3)
    elif kind == "gather":
        g.one("Gather", x, g.put(g.rng.integers(0, n, 5), constant=g.chance(0.5)), axis=-1)
