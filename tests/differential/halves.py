"""Reference values of a graph, and the tolerance for an engine that stores them in 16 bits and computes in
32.

The reference is ONNX Runtime in float32, node by node, as in `oracle.py`. The tolerance of an output is 8
roundings of its largest number, which is what a chain of a dozen operators comes to. A graph that blows
roundings up by itself is recognized by computing it again with every value rounded to float16, once to the
nearest and otherwise by chance up or down (stochastic arithmetic, see `oracle.py`): an element may also be
off by 8 times the largest change that the first samples make of it, and places at which a sample decides
otherwise (a comparison, a whole number, what overflows 16 bits) are left out. NaN or infinity where the
reference has a number is a fault even there, but where ONNX Runtime has none either, once values are rounded:
an Atanh of 0.9999, a logarithm of 1e-8.

Two things are asked of 16 bits that plain rounding does not give, because runtimes of 16 bits take care of
them:

- Sums, means and norms, and the powers and products that they are of, are float32 in PyTorch's autocast
  (https://docs.pytorch.org/docs/stable/amp.html#cuda-ops-that-can-autocast-to-float32: norm, pow, prod, sum,
  cumsum), and TensorRT asks for float32 at the Pow and Reduce of a normalization. They are neither clamped to
  65504 nor lost below 2^-24 here (`_wide`).
- Angles and places in a picture, up to the numbers that they are made of: transformers computes rotary
  embeddings with autocast off, the product of positions and frequencies included (`_exact`). They have the
  noise of float32 here.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from differential.oracle import EXACT, NOISE, Expected, Refused, Runner, shaken

UNIT = 2.0**-11
"""Half of a float16's last place, relative."""
LEAST = 2.0**-25
"""Half of its smallest number."""
LARGEST = 65504.0
TOLERANCE = 8 * UNIT
SLACK = 8.0
MEASURING = 6
SAMPLES = 24
_ANYTHING = np.nan
"""Spread of a number that rounding makes NaN or infinite."""
FEW = 4
"""Terms of a product of places and frequencies: a place has as many numbers."""

_SUMS = frozenset(
    ["CumSum", "GlobalAveragePool", "GlobalLpPool", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceMean", "ReduceSum", "ReduceSumSquare"]
)  # fmt: skip
_POINTWISE = frozenset(
    ["Abs", "Add", "Clip", "Div", "Max", "Mean", "Min", "Mul", "Neg", "Pow", "Relu", "Sub", "Sum", "Where"]
)
_MOVES = frozenset(
    [
        "Concat",
        "Expand",
        "Flatten",
        "Gather",
        "Identity",
        "Pad",
        "Reshape",
        "Slice",
        "Split",
        "Squeeze",
        "Tile",
        "Transpose",
        "Unsqueeze",
    ]
)
_FIXED = frozenset(["DequantizeLinear", "QuantizeLinear", "Range", "Resize", "Upsample"])
_ANGLES = {"Sin": 0, "Cos": 0, "Tan": 0, "GridSample": 1, "RoiAlign": 1}
"""Operators, and which input is angles or places."""


def _sources(runner: Runner, arrays: dict[str, np.ndarray]) -> Iterable[str]:
    """The inputs of which a node's angles are made."""
    op, names = runner.node.op_type, [name for name in runner.node.input if name]
    if op in _POINTWISE or op in _MOVES or op in ("CumSum", "Mod"):
        return names
    if op in ("MatMul", "Gemm") and _terms(runner, arrays) <= FEW:
        return names
    return []


def _terms(runner: Runner, arrays: dict[str, np.ndarray]) -> int:
    transposed = any(a.name == "transA" and a.i for a in runner.node.attribute)
    return arrays[runner.node.input[0]].shape[0 if transposed else -1]


def _exact(runners: list[Runner], arrays: dict[str, np.ndarray]) -> set[str]:
    """Angles, places and what they are computed from."""
    found: set[str] = set()
    for runner in reversed(runners):
        at = _ANGLES.get(runner.node.op_type)
        if at is not None:
            found.add(runner.node.input[at])
        if found.intersection(runner.outputs):
            found.update(_sources(runner, arrays))
    return found


def _wide(runners: list[Runner]) -> set[str]:
    """Sums, what is computed from them element by element, and the products that are summed up."""
    found: set[str] = set()
    makers = {name: runner for runner in runners for name in runner.outputs}
    for runner in runners:
        op, names = runner.node.op_type, runner.node.input
        if op in _SUMS:
            found.update(runner.outputs)
            maker = makers.get(names[0])
            if maker is not None and _is_power(maker):
                found.update(maker.outputs)
        elif op in (*_POINTWISE, *_MOVES, "Sqrt") and found.intersection(names):
            found.update(runner.outputs)
    return found


def _is_power(runner: Runner) -> bool:
    names = runner.node.input
    return runner.node.op_type == "Pow" or (runner.node.op_type == "Mul" and names[0] == names[1])


def _freed(runner: Runner, arrays: dict[str, np.ndarray]) -> Runner:
    """Itself with constant floats as inputs, so that they can be rounded; but for those that decide shapes
    and grids.
    """
    if runner.node.op_type in _FIXED or not any(a.dtype.kind == "f" for a in runner.fixed.values()):
        return runner
    whole = {name for name, array in runner.fixed.items() if array.dtype.kind != "f"}
    return Runner(runner.node, runner.opset, arrays, whole)


def _rounded(array: np.ndarray, rng: np.random.Generator | None, wide: bool) -> np.ndarray:
    """As a float16, to the nearest or by chance; `wide`: with as few digits, but beyond its range."""
    if array.dtype != np.float32:
        return array
    with np.errstate(all="ignore"):
        if rng is None:
            narrow = array if wide else array.astype(np.float16).astype(np.float32)
        else:
            least = 0.0 if wide else LEAST * (array != 0)
            noise = rng.uniform(-1, 1, (2, *array.shape))
            narrow = array * (1 + UNIT * noise[0]) + least * noise[1]
        if not wide:
            narrow = np.clip(narrow, -LARGEST, LARGEST)
        return np.asarray(narrow, np.float32)


def evaluate(runners: list[Runner], given: dict[str, np.ndarray], outputs, *, seed: int = 0) -> Expected:
    """Compute all nodes in float32, then `SAMPLES` times in 16 bits. `given`: the inputs and constants."""
    arrays = dict(given)
    for runner in runners:
        arrays.update(zip(runner.outputs, runner.run(arrays), strict=True))
    exact, wide = _exact(runners, arrays), _wide(runners)
    free = [_freed(runner, arrays) for runner in runners]
    rng = np.random.default_rng(seed)
    found: dict[str, list[np.ndarray]] = {name: [] for name in outputs}
    for sample in range(SAMPLES):
        chance = None if sample == 0 else rng

        def kept(name: str, array: np.ndarray, chance=chance) -> np.ndarray:
            if name in exact:
                return shaken(array, rng, NOISE, None)
            return _rounded(array, chance, name in wide)

        noisy = {name: kept(name, array) for name, array in given.items()}
        try:
            for runner in free:
                made = runner.run(noisy)
                moves = any(noisy[n].dtype.kind == "f" for n in runner.names) and runner.node.op_type in EXACT
                if not moves:  # of whole numbers floats are made, which are rounded, too
                    made = [kept(name, array) for name, array in zip(runner.outputs, made, strict=True)]
                noisy.update(zip(runner.outputs, made, strict=True))
        except Refused:  # a shape or an index that hangs on a rounding
            continue
        for name in outputs:
            found[name].append(noisy[name])
    beyond = _beyond(runners, arrays, given, exact | wide)
    spread = {name: _spread(arrays[name], found[name]) for name in outputs}
    for name in beyond.intersection(outputs):
        spread[name] = np.where(np.isnan(spread[name]), _ANYTHING, np.inf)
    return Expected(arrays, spread)


def _beyond(
    runners: list[Runner], arrays: dict[str, np.ndarray], given: dict[str, np.ndarray], held: set[str]
) -> set[str]:
    """Values computed from what 16 bits do not reach: an engine cuts it off, where is its own affair. `held`:
    what lies in 32.
    """

    def is_large(name: str) -> bool:
        array = arrays[name]
        return (
            name not in held
            and array.dtype == np.float32
            and bool((np.abs(array[np.isfinite(array)]) > LARGEST).any())
        )

    found = {name for name in given if is_large(name)}
    for runner in runners:
        names = {*runner.names, *runner.fixed}
        found.update(name for name in runner.outputs if found & names or is_large(name))
    return found


def _spread(base: np.ndarray, samples: list[np.ndarray]) -> np.ndarray:
    if len(samples) < SAMPLES or any(s.shape != base.shape for s in samples):
        return np.full(base.shape, np.inf)
    with np.errstate(all="ignore"):
        if base.dtype.kind != "f":
            return np.where(np.all([s == base for s in samples], axis=0), 0.0, np.inf)
        finite = np.isfinite(base)
        wide = base.astype(np.float64)
        off = np.array(
            [np.where(finite, np.abs(s - wide), np.where(s == base, 0.0, np.inf)) for s in samples]
        )
        off = np.where(np.isnan(base) & np.isnan(samples), 0.0, np.nan_to_num(off, nan=np.inf, posinf=np.inf))
        largest = np.abs(wide[finite]).max(initial=0.0)
        tolerance = TOLERANCE * largest + SLACK * off[:MEASURING].max(axis=0)
        lost = finite & ~np.isfinite(samples).all(axis=0)
        decided = (off[MEASURING:] <= tolerance).all(axis=0)
        return np.where(lost, _ANYTHING, np.where(decided, tolerance, np.inf))


def differences(actual: np.ndarray, expected: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """True where an element is not what it should be; `spread` as `evaluate` gives it."""
    if expected.dtype.kind != "f":
        return (actual != expected) & np.isfinite(spread)
    with np.errstate(all="ignore"):
        close = np.abs(actual.astype(np.float64) - expected) <= spread
        same = np.where(np.isnan(expected), np.isnan(actual), (actual == expected) | close)
        return (~same & np.isfinite(spread)) | (
            np.isfinite(expected) & ~np.isfinite(actual) & ~np.isnan(spread)
        )
