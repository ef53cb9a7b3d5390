"""Reference values of a graph, and the tolerance for a float32 engine.

Every node is computed by itself: by ONNX Runtime without optimizations, by onnx's reference where ONNX
Runtime has no kernel, or by ONNX's formula where ONNX Runtime's way of computing shows (`definitions.py`,
with the reasons).

The tolerance is measured, not guessed (stochastic arithmetic; J. Vignes, "A stochastic arithmetic for
reliable scientific computation", 1993): the whole graph is computed again with the inputs and results of
every rounding node changed by random relative amounts of up to 2^-20, which is 16 units of float32's last
place: GPUs promise no more of exp, pow and division, and leave the order of sums open. An engine may be off
by 16 times the largest change that this makes of an element, which also finds where a comparison, a rounding
or the sign of a zero cannot be decided: positions at which the samples disagree about NaN, infinity or a
whole number are not compared. One sample flushes denormal numbers, the squares inside a norm among them, and
makes every zero positive, one makes every zero negative, as WGSL allows, in constants, too.

Five samples tell a size, but not whether something hangs on a rounding: where it does on one, as which of two
equal numbers is the larger, one place in 16 looks decided. So 19 more are drawn, which widen no tolerance:
they only leave out places at which one of them decides otherwise, or is further off than what the first five
allow. What ONNX leaves open (`undecided.py`) is NaN in one sample.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from differential.definitions import SHIFTS, attributes, definition_of, has_close_size, has_empty_window
from differential.undecided import UNDECIDED

RULES_FOR = "1.32"
"""The version of ONNX Runtime that the rules are for; another one computes some nodes otherwise
(docs/network-engine.md).
"""
NOISE = 2.0**-20
MEASURING = 5
"""Samples that tell how far a number may be off."""
SAMPLES = 24
"""All of them: whether a decision hangs on a rounding. One that goes either way is missed once in 2^23 times.
"""
WIDE, WIDER = 14, 4.0
"""From which sample on the noise is so much larger, to tell only where NaN, infinity and whole numbers are:
the root of nearly zero is a number in most samples of the usual noise, and so now and then in all of them.
"""
SLACK = 16.0
_FLOOR = 1e-35
"""Absolute tolerance of any number: a GPU makes zeros of denormal numbers (1e-38), also of those inside an
operator, of which it then makes a product (Mish of -88: -88 times e to the -88).
"""
_LARGEST = 1e18
_FLUSHING = 0
"""The sample without denormal numbers."""
_OPEN = MEASURING
"""The sample in which what ONNX leaves open is NaN: none of those that measure."""
_EITHER = -1.0
"""Spread of an infinity whose sign hangs on that of a zero: it is one or the other."""

# Operators that choose, move or compare numbers: their results have no rounding of their own.
EXACT = frozenset(
    [
        "Abs",
        "And",
        "ArgMax",
        "ArgMin",
        "BitShift",
        "BitwiseAnd",
        "BitwiseNot",
        "BitwiseOr",
        "BitwiseXor",
        "Cast",
        "CastLike",
        "Ceil",
        "Clip",
        "Compress",
        "Concat",
        "Constant",
        "ConstantOfShape",
        "DepthToSpace",
        "Dropout",
        "Equal",
        "Expand",
        "EyeLike",
        "Flatten",
        "Floor",
        "Gather",
        "GatherElements",
        "GatherND",
        "GlobalMaxPool",
        "Greater",
        "GreaterOrEqual",
        "Hardmax",
        "Identity",
        "IsInf",
        "IsNaN",
        "Less",
        "LessOrEqual",
        "Max",
        "MaxPool",
        "MaxUnpool",
        "Min",
        "Neg",
        "NonMaxSuppression",
        "NonZero",
        "Not",
        "OneHot",
        "Or",
        "Pad",
        "Range",
        "ReduceMax",
        "ReduceMin",
        "Relu",
        "Reshape",
        "ReverseSequence",
        "Round",
        "ScatterElements",
        "ScatterND",
        "Shape",
        "Sign",
        "Size",
        "Slice",
        "SpaceToDepth",
        "Split",
        "Squeeze",
        "TensorScatter",
        "ThresholdedRelu",
        "Tile",
        "TopK",
        "Transpose",
        "Trilu",
        "Unique",
        "Unsqueeze",
        "Where",
        "Xor",
    ]
)


# Operators that compare numbers with each other. A set with a NaN has a NaN for its largest and smallest, at
# the first such place.
_COMPARING = frozenset(
    [
        "ArgMax",
        "ArgMin",
        "GlobalMaxPool",
        "Hardmax",
        "MaxPool",
        "ReduceMax",
        "ReduceMin",
        "TopK",
    ]
)


_POWERS = {"GlobalLpPool": 0, "LpNormalization": 0, "LpPool": 0, "ReduceL2": 2, "ReduceSumSquare": 2}
"""Operators that sum powers of their input, and which; 0 for the one that the attribute `p` states."""

_POOLS = frozenset(["AveragePool", "LpPool", "MaxPool"])


class Refused(Exception):
    """Neither ONNX Runtime nor the reference computes a node: the generator drops it."""


def options() -> onnxruntime.SessionOptions:
    """No optimization; one thread; no log."""
    found = onnxruntime.SessionOptions()
    found.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    found.add_session_config_entry("session.x64quantprecision", "1")
    found.intra_op_num_threads = found.inter_op_num_threads = 1
    found.log_severity_level = 4
    return found


def tensor_type(array: np.ndarray) -> int:
    """ONNX's element type of an array."""
    return helper.np_dtype_to_tensor_dtype(array.dtype)


def model_of(nodes, opset, inputs, outputs, constants) -> onnx.ModelProto:
    """A model of nodes; `inputs` and `constants` are arrays by name, `outputs` names and types."""
    graph = helper.make_graph(
        list(nodes),
        "g",
        [helper.make_tensor_value_info(name, tensor_type(a), a.shape) for name, a in inputs.items()],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs.items()],
        [numpy_helper.from_array(a, name) for name, a in constants.items()],
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8 if opset < 19 else 10
    )


def _names(graph) -> set[str]:
    """What a subgraph reads, of whatever graph."""
    found = set()
    for node in graph.node:
        found.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found |= _names(attribute.g)
    return found | {o.name for o in graph.output}


def reads(node, known) -> list[str]:
    """Every value that a node needs, those that its subgraphs take from outside included."""
    names = [name for name in node.input if name]
    for attribute in node.attribute:
        if attribute.HasField("g"):
            names += sorted(name for name in _names(attribute.g) if name in known and name not in names)
    return list(dict.fromkeys(names))


class Runner:
    """One node, ready to be computed."""

    def __init__(self, node, opset: int, arrays: dict[str, np.ndarray], constants: set[str]) -> None:
        """`constants`: the inputs that are initializers in the graph; they are here, too."""
        self.node, self.names = node, reads(node, arrays)
        self.outputs = [name for name in node.output if name]
        # The first input stays free where it holds floats, so that it can be shaken.
        first = {n for n in node.input[:1] if n in arrays and arrays[n].dtype.kind == "f"}
        fixed = {name: arrays[name] for name in self.names if name in constants and name not in first}
        self.free = [name for name in self.names if name not in fixed]
        model = model_of(
            [node], opset, {n: arrays[n] for n in self.free}, dict.fromkeys(self.outputs, 0), fixed
        )
        for info in model.graph.output:
            info.ClearField("type")
        for info in model.graph.input:
            info.type.tensor_type.ClearField("shape")
        self.model, self.opset = model, opset
        if node.op_type in _POOLS and has_empty_window(node, arrays[node.input[0]].shape):
            raise Refused("a window without a pixel")
        # Constants, too, for a formula reads them.
        self.fixed = fixed
        self._known, self._constants = {n: arrays[n] for n in self.names}, constants
        self._flushed: dict[bool, Runner] = {}
        self.session = self.evaluator = None
        try:
            self.session = onnxruntime.InferenceSession(
                model.SerializeToString(), options(), providers=["CPUExecutionProvider"]
            )
        except Exception:
            try:
                self.evaluator = ReferenceEvaluator(model)
            except Exception as error:
                raise Refused(str(error)) from error
        if self.session is None and node.op_type == "Resize" and has_close_size(node, {**arrays, **fixed}):
            raise Refused("a size that hangs on the precision of a product")

    def flushed(self, zero: float) -> Runner:
        """Itself with constants in which every zero is `zero`, and with a positive one every denormal number."""
        sign = bool(np.signbit(zero))
        if sign not in self._flushed:
            known = {n: _flushed(a, zero) if n in self.fixed else a for n, a in self._known.items()}
            same = all(known[n].tobytes() == a.tobytes() for n, a in self.fixed.items())
            self._flushed[sign] = self if same else Runner(self.node, self.opset, known, self._constants)
        return self._flushed[sign]

    def _by_rule(self, arrays: dict[str, np.ndarray]) -> list[np.ndarray] | None:
        """ONNX's formula, or what a comparison with NaN gives, where ONNX Runtime's answer hangs on how it
        goes through the numbers.
        """
        op = self.node.op_type
        definition = definition_of(op, self.opset)
        if definition is not None:
            with np.errstate(all="ignore"):
                found = definition(self.node, {**arrays, **self.fixed})
            return None if found is None else [found]
        if op == "MaxPool":
            return self._max_pool(arrays)
        if op == "GlobalMaxPool":  # ONNX Runtime makes the lowest finite number of minus infinities here, too
            x = arrays[self.node.input[0]]
            return [x.max(axis=tuple(range(2, x.ndim)), keepdims=True)]
        if op not in _COMPARING or not any(
            np.isnan(arrays[n]).any() for n in self.names if arrays[n].dtype.kind == "f"
        ):
            return None
        if op == "Hardmax":
            return [_hardmax(self.node, arrays[self.node.input[0]], self.opset)]
        feeds = {name: arrays[name] for name in self.free}
        with np.errstate(all="ignore"):
            return [np.asarray(a) for a in ReferenceEvaluator(self.model).run(self.outputs, feeds)]

    def _max_pool(self, arrays: dict[str, np.ndarray]) -> list[np.ndarray] | None:
        """The largest of numbers with a NaN is NaN, at its first place (the reference passes it over, PyTorch
        does not), and that of minus infinities is minus infinity (ONNX Runtime makes the lowest finite number
        of it).
        """
        name = self.node.input[0]
        x = arrays[name]
        if x.dtype.kind != "f" or not (np.isnan(x) | np.isneginf(x)).any():
            return None
        is_nan, largest = np.isnan(x), np.finfo(x.dtype).max
        low = np.nextafter(-largest, np.float32(0))
        plain = np.where(np.isneginf(x), low, np.where(is_nan, np.float32(0), x))
        values = self._computed({**arrays, name: plain})
        marks = self._computed({**arrays, name: is_nan.astype(np.float32)})
        # Places: a NaN before everything, infinity after it.
        ranked = np.where(is_nan, np.float32(np.inf), np.minimum(plain, largest))
        places = self._computed({**arrays, name: ranked})
        found = []
        for value, mark, place in zip(values, marks, places, strict=True):
            number = np.where(
                mark > 0, np.float32(np.nan), np.where(value == low, np.float32(-np.inf), value)
            )
            found.append(number if value.dtype.kind == "f" else place)
        return found

    def run(self, arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
        """Its outputs' arrays."""
        ruled = self._by_rule(arrays)
        return self._computed(arrays) if ruled is None else ruled

    def _computed(self, arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
        feeds = {name: arrays[name] for name in self.free}
        try:
            with np.errstate(all="ignore"):
                runner = self.session or self.evaluator
                return [np.asarray(a) for a in runner.run(self.outputs, feeds)]
        except Exception as error:
            raise Refused(str(error)) from error


def _hardmax(node, x: np.ndarray, opset: int) -> np.ndarray:
    axis = next((a.i for a in node.attribute if a.name == "axis"), -1 if opset >= 13 else 1)
    if (
        not -x.ndim <= axis < x.ndim
    ):  # the default axis 1 of one dimension: ONNX Runtime refuses it, and so does the engine
        raise Refused("an axis beyond the last")
    axis %= x.ndim
    rows = x if opset >= 13 else x.reshape(*x.shape[:axis], -1)
    found = np.zeros_like(rows)
    np.put_along_axis(found, np.expand_dims(np.argmax(rows, axis), axis), 1, axis)
    return found.reshape(x.shape)


@dataclass
class Expected:
    """Arrays of a graph's values and, in `spread`, how much each element may differ (infinite where it cannot
    be decided).
    """

    arrays: dict[str, np.ndarray]
    spread: dict[str, np.ndarray] = field(default_factory=dict)


def shaken(
    array: np.ndarray,
    rng: np.random.Generator,
    size: float,
    zero: float | None,
    way: float = 0.0,
) -> np.ndarray:
    """Floats with random relative changes of up to `size`.

    Args:
        zero: what every zero becomes; 0.0 makes denormal numbers zeros, too.
        way: 1 or -1 for the same change of all.
    """
    if array.dtype != np.float32 or not array.size:
        return array
    with np.errstate(all="ignore"):
        amount = rng.uniform(-1, 1, array.shape) if way == 0.0 else way
        noisy = array * np.asarray(1 + size * amount, np.float32)
        # Noise must not push what is finite over the edge.
        noisy = np.where(np.isfinite(array) & ~np.isfinite(noisy), array, noisy)
    return noisy.astype(np.float32) if zero is None else _flushed(noisy.astype(np.float32), zero)


def _flushed(array: np.ndarray, zero: float) -> np.ndarray:
    """With `zero` for every zero; a positive one for every denormal number, too."""
    if array.dtype != np.float32:
        return array
    largest = 0.0 if np.signbit(zero) else np.finfo(np.float32).smallest_normal
    return np.where((np.abs(array) < largest) | (array == 0), np.float32(zero), array)


def _without_tiny_powers(node, array: np.ndarray) -> np.ndarray:
    """The input of a norm, with zeros where the power that it sums is denormal: the root of a flushed square
    of 1e-22 is 0, not 1e-22.
    """
    if node.op_type not in _POWERS or array.dtype != np.float32:
        return array
    power = _POWERS[node.op_type] or attributes(node).get("p", 2)
    with np.errstate(all="ignore"):
        powers = np.abs(array.astype(np.float64)) ** power
    return np.where(powers < np.finfo(np.float32).smallest_normal, np.float32(0), array)


def _common(node, arrays: dict[str, np.ndarray], results: list[np.ndarray], rng) -> list[np.ndarray]:
    """A normalization's results with the noise that the elements of a group share (`definitions.py`)."""
    if node.op_type not in SHIFTS or results[0].dtype != np.float32:
        return results
    with np.errstate(all="ignore"):
        size, groups = SHIFTS[node.op_type](node, arrays)
        noise = 2.0**-23 * size * rng.uniform(-1, 1, groups)
        first = results[0] + np.where(np.isfinite(noise), noise, 0.0)
    return [first.astype(np.float32), *results[1:]]


def _left_open(runner: Runner, arrays: dict[str, np.ndarray], results: list[np.ndarray]) -> list[np.ndarray]:
    """Results with other elements where ONNX leaves them open (`undecided.py`)."""
    find = UNDECIDED.get(runner.node.op_type)
    masks = find(runner.node, arrays, [a.shape for a in results], runner.opset) if find else {}
    return [np.where(masks[i], _other(a), a) if i in masks else a for i, a in enumerate(results)]


def _other(array: np.ndarray) -> np.ndarray:
    """Elements that are equal to none of an array's."""
    if array.dtype.kind != "f":
        return array + array.dtype.type(1)
    return np.where(np.isnan(array), array.dtype.type(0), array.dtype.type(np.nan))


_ROUGH = ("GRU", "LSTM", "LogSoftmax", "ReduceLogSumExp", "RNN", "Softmax", "SoftmaxCrossEntropyLoss")


def _rough(
    array: np.ndarray, op: str, inputs: list[np.ndarray], rng: np.random.Generator, zero: float | None
) -> np.ndarray:
    """Absolute changes where a float32 kernel is right to so much of its range, and not of each result; with
    `zero`, what they may make of nothing stays it.

    ONNX Runtime's Sigmoid, Tanh and Erf are polynomials that are right to 1e-7 of 1, and so are recurrent
    networks of them; a sum of exponentials near 1 is rounded to as much, and its logarithm is no more right;
    places between pixels are.
    """
    if op in ("Sigmoid", "Tanh", "Erf", "Gelu", "Elu", "Selu", "Celu", *_ROUGH):
        size = 2.0**-23
    elif op in ("Resize", "Upsample", "GridSample"):
        size = NOISE * max(
            (float(np.abs(a[np.isfinite(a)]).max(initial=0.0)) for a in inputs if a.dtype.kind == "f"),
            default=0.0,
        )
    else:
        return array
    if array.dtype != np.float32:
        return array
    rough = (array + size * rng.uniform(-1, 1, array.shape)).astype(np.float32)
    return rough if zero is None else np.where(np.abs(array) < size, np.float32(zero), rough)


def evaluate(
    runners: list[Runner], given: dict[str, np.ndarray], outputs, *, samples: int = SAMPLES, seed: int = 0
) -> Expected:
    """Compute all nodes, then `samples` times with noise. `given`: the inputs and constants."""
    arrays = dict(given)
    for runner in runners:
        arrays.update(zip(runner.outputs, runner.run(arrays), strict=True))
    expected = Expected(arrays)
    rng = np.random.default_rng(seed)
    found: dict[str, list[np.ndarray]] = {name: [] for name in outputs}
    for sample in range(samples):
        zero = {_FLUSHING: 0.0, 1: -0.0}.get(sample)
        way = {1: 1.0, 2: -1.0}.get(sample, 0.0)  # a tie is then met from both sides
        amount = NOISE * (WIDER if sample >= WIDE else 1.0)
        noisy = {n: a if zero is None else shaken(a, rng, 0.0, zero) for n, a in given.items()}
        broken = False
        for runner in runners:
            exact = runner.node.op_type in EXACT
            own = noisy
            if not exact:
                own = dict(noisy)
                own.update((n, shaken(noisy[n], rng, amount, zero)) for n in runner.free)
            if sample == _FLUSHING:
                own = {n: _without_tiny_powers(runner.node, a) for n, a in own.items()}
            try:
                results = (runner if zero is None else runner.flushed(zero)).run(own)
            except Refused:  # a shape or an index that hangs on a rounding
                broken = True
                break
            if sample == _OPEN:
                results = _left_open(runner, {**own, **runner.fixed}, results)
            if not exact:
                results = _common(runner.node, {**noisy, **runner.fixed}, results, rng)
                results = [
                    _rough(a, runner.node.op_type, [noisy[n] for n in runner.free], rng, zero)
                    for a in results
                ]
                read = max((noisy[n].size for n in runner.free), default=1)
                results = [
                    shaken(a, rng, amount * (1 + (read / max(a.size, 1)) ** 0.5 / 16), zero, way)
                    for a in results
                ]
            elif zero is not None:
                results = [shaken(a, rng, 0.0, zero) for a in results]
            noisy.update(zip(runner.outputs, results, strict=True))
        for name in outputs:
            if not broken:
                found[name].append(noisy[name])
    beyond = _overflowing(runners, arrays)
    for name in outputs:
        if name in beyond:
            expected.spread[name] = np.full(arrays[name].shape, np.inf)
            continue
        expected.spread[name] = _spread(arrays[name], found[name], samples)
    return expected


def _overflowing(runners: list[Runner], arrays: dict[str, np.ndarray]) -> set[str]:
    """Values behind a rounding node that has a finite number whose square overflows: whether infinity or NaN
    comes out, and where, hangs on the order of its sums.
    """
    found: set[str] = set()
    for runner in runners:
        own = [arrays[n] for n in (*runner.names, *runner.outputs) if arrays[n].dtype.kind == "f"]
        large = any((np.abs(a[np.isfinite(a)]) > _LARGEST).any() for a in own)
        if found.intersection(runner.names) or (large and runner.node.op_type not in EXACT):
            found.update(runner.outputs)
    return found


def _spread(base: np.ndarray, samples: list[np.ndarray], wanted: int) -> np.ndarray:
    undecided = np.full(base.shape, np.inf)
    if len(samples) < wanted or any(s.shape != base.shape for s in samples):
        return undecided
    if not samples:
        return np.zeros(base.shape)
    with np.errstate(all="ignore"):
        if base.dtype.kind != "f":
            same = np.all([s == base for s in samples], axis=0)
            return np.where(same, 0.0, np.inf)
        kinds = [np.isnan(s) == np.isnan(base) for s in samples]
        kinds += [np.isinf(s) == np.isinf(base) for s in samples]
        finite = np.isfinite(base)
        wide = base.astype(np.float64)
        off = [np.abs(np.where(finite, s - wide, 0.0)) for s in samples]
        largest = np.max(off[:MEASURING], axis=0)
        numbers = largest[finite & np.isfinite(largest)]
        typical = np.median(numbers) if numbers.size else 0.0
        tolerance = SLACK * largest + 4 * typical + 1e-5 * np.abs(np.where(finite, wide, 0.0)) + _FLOOR
        decided = np.all(kinds, axis=0) & np.all([each <= tolerance for each in off[MEASURING:WIDE]], axis=0)
        turned = np.any([np.isinf(base) & (s != base) for s in samples], axis=0)
        return np.where(decided, np.where(turned, _EITHER, tolerance), np.inf)


def differences(actual: np.ndarray, expected: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """True where an element is not what it should be."""
    if expected.dtype.kind != "f":
        return (actual != expected) & np.isfinite(spread)
    with np.errstate(all="ignore"):
        nan = np.isnan(expected)
        close = np.abs(actual.astype(np.float64) - expected.astype(np.float64)) <= spread
        close |= np.isinf(actual) & (spread == _EITHER)
        same = np.where(nan, np.isnan(actual), (actual == expected) | close)
        return ~same & np.isfinite(spread)
