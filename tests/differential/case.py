"""One seed: a graph, what it should give, what the engine gives."""

from __future__ import annotations

import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from desktop.compute.nn.runtime.session import WgpuSession
from desktop.errors import ModelUnsupportedError
from differential.chains import CHAINS
from differential.maker import Maker
from differential.operators import OPERATORS, WEIGHTS, large
from differential.oracle import Refused, Runner, differences, evaluate

SIDED = {
    "Clip": "a bound that is left out is the largest finite number in ONNX Runtime, and none in the reference: infinity stays",
    "InstanceNormalization": "of a plane of one pixel ONNX Runtime's x * scale + shift cancels",
    "MaxPool": "of minus infinity ONNX Runtime makes the lowest finite number",
    "MeanVarianceNormalization": "ONNX Runtime adds nothing to a deviation of zero",
    "Resize": "ONNX Runtime computes places in float32, so that the nearest pixel at a tie is another one",
}
"""Operators at which the engine has what onnx's reference has, and ONNX Runtime has not, and why."""
_LARGE = 0.03
"""Share of the seeds with one operator over more than 65,535 elements."""


@dataclass
class Finding:
    """A seed at which the engine differs.

    Attributes:
        kind: 'wrong', 'special' (NaN or infinity elsewhere), 'refused', 'error' (no `LightloomError`), 'shape', 'crash' or 'hang'.
        operators: of the graph.
    """

    seed: int
    kind: str
    operators: list[str]
    detail: str
    sided: list[str] = field(default_factory=list)


def make(seed: int) -> Maker:
    """The graph of a seed."""
    g = Maker(seed)
    names, weights = list(OPERATORS), np.array([WEIGHTS[n] for n in OPERATORS])
    wanted = min(1 + int(g.rng.geometric(0.28)), 14)
    is_large = g.chance(_LARGE)
    for _ in range(100):
        if g.nodes and (is_large or len(g.nodes) >= wanted):
            break
        before = len(g.nodes)
        try:
            if is_large:
                large(g)
            elif g.chance(0.14):
                CHAINS[g.choose(*CHAINS)](g)
            else:
                OPERATORS[names[int(g.rng.choice(len(names), p=weights / weights.sum()))]](g)
        except Refused:
            is_large = is_large and len(g.nodes) == before and not g.nodes
    g.finish()
    return g


def runners_of(
    model: onnx.ModelProto, feeds: dict[str, np.ndarray]
) -> tuple[list[Runner], dict[str, np.ndarray]]:
    """A model's nodes ready to be computed, and the values that are given."""
    given = dict(feeds)
    constants = {t.name: onnx.numpy_helper.to_array(t) for t in model.graph.initializer}
    given.update(constants)
    arrays, runners = dict(given), []
    for node in model.graph.node:
        runner = Runner(node, model.opset_import[0].version, arrays, set(constants))
        arrays.update(zip(runner.outputs, runner.run(arrays), strict=True))
        runners.append(runner)
    return runners, given


def run_engine(gpu, model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The engine's outputs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.onnx"
        path.write_bytes(model.SerializeToString())
        session = WgpuSession.load(gpu, path, precision="fp32")
        try:
            return session.run(feeds)
        finally:
            session.close()


def check(
    gpu, seed: int, model: onnx.ModelProto, feeds: dict[str, np.ndarray], runners=None, given=None
) -> Finding | None:
    """Compare; None where the engine is right."""
    operators = sorted({node.op_type for node in model.graph.node})
    if runners is None:
        runners, given = runners_of(model, feeds)
    outputs = [o.name for o in model.graph.output]
    expected = evaluate(runners, given, outputs, seed=seed)
    try:
        actual = run_engine(gpu, model, feeds)
    except ModelUnsupportedError as error:
        return Finding(seed, "refused", operators, str(error))
    except Exception:
        return Finding(seed, "error", operators, traceback.format_exc(limit=-4))
    other: dict[str, np.ndarray] | None = None
    sided = []
    for name in outputs:
        want, got = expected.arrays[name], actual[name]
        if got.shape != want.shape or got.dtype != want.dtype:
            return Finding(
                seed, "shape", operators, f"{name}: {got.dtype}{got.shape}, not {want.dtype}{want.shape}"
            )
        wrong = differences(got, want, expected.spread[name])
        if not wrong.any():
            continue
        if other is None:
            other = _reference(model, feeds)
        if name in other and other[name].shape == want.shape:
            by_reference = differences(got, other[name], expected.spread[name])
            if not (wrong & by_reference).any():
                sided.append(next((op for op in _behind(model, name) if op in SIDED), _producer(model, name)))
                continue
        return Finding(
            seed,
            _kind(got, want, wrong),
            operators,
            _describe(model, name, got, want, wrong, expected.spread[name]),
        )
    if sided:
        explained = set(sided) <= SIDED.keys()
        return Finding(
            seed,
            "sided" if explained else "wrong",
            operators,
            "as onnx's reference has it, and not as ONNX Runtime",
            sided,
        )
    return None


def _reference(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    try:
        with np.errstate(all="ignore"):
            names = [o.name for o in model.graph.output]
            return dict(zip(names, map(np.asarray, ReferenceEvaluator(model).run(names, feeds)), strict=True))
    except Exception:
        return {}


def _behind(model: onnx.ModelProto, name: str) -> list[str]:
    """Operators that an output hangs on."""
    needed, found = {name}, []
    for node in reversed(model.graph.node):
        if needed.intersection(node.output):
            needed.update(node.input)
            found.append(node.op_type)
    return found


def _producer(model: onnx.ModelProto, name: str) -> str:
    return next(node.op_type for node in model.graph.node if name in node.output)


def _kind(got: np.ndarray, want: np.ndarray, wrong: np.ndarray) -> str:
    if got.dtype.kind != "f":
        return "wrong"
    return "special" if (np.isfinite(got) != np.isfinite(want))[wrong].any() else "wrong"


def _describe(model, name, got, want, wrong, spread) -> str:
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    what = f"{_producer(model, name)} {name}{list(want.shape)}: {int(wrong.sum())} of {wrong.size} elements"
    return f"{what}, at {at} {got[at]!r} for {want[at]!r} within {spread[at]:.2g}"


def run_seed(gpu, seed: int) -> Finding | None:
    """Make and check a seed's graph."""
    g = make(seed)
    if not g.wanted:
        return None
    return check(gpu, seed, g.model(), g.feeds(), g.runners, g.given())
