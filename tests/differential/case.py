"""One seed: a graph, what it should give, what the engine gives."""

from __future__ import annotations

import tempfile
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.compute.nn.session import Precision
from differential import halves
from differential.chains import CHAINS
from differential.half_chains import HALF_CHAINS
from differential.maker import Maker
from differential.operators import OPERATORS, WEIGHTS, large
from differential.oracle import Refused, Runner, differences, evaluate

_LARGE = 0.03
"""Share of the seeds with one operator over more than 65,535 elements."""


@dataclass
class Finding:
    """A seed at which the engine differs.

    Attributes:
        kind: 'wrong', 'special' (NaN or infinity elsewhere), 'refused', 'error' (no `LightloomError`),
            'shape', 'crash' or 'hang'.
        operators: of the graph.
        detail: what is wrong, and whether onnx's reference says so, where it computes the graph.
    """

    seed: int
    kind: str
    operators: list[str]
    detail: str


def make(seed: int, *, precision: Precision = "fp32") -> Maker:
    """The graph of a seed; that of 'fp16' may begin with what is dangerous to 16 bits."""
    g = Maker(seed)
    if precision == "fp16" and g.chance(0.5):
        g.special = False
        with suppress(Refused):
            HALF_CHAINS[g.choose(*HALF_CHAINS)](g)
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


def run_engine(
    gpu, model: onnx.ModelProto, feeds: dict[str, np.ndarray], precision: Precision = "fp32"
) -> dict[str, np.ndarray]:
    """The engine's outputs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.onnx"
        path.write_bytes(model.SerializeToString())
        session = WgpuSession.load(gpu, path, precision=precision)
        try:
            return session.run(feeds)
        finally:
            session.close()


def check(
    gpu,
    seed: int,
    model: onnx.ModelProto,
    feeds: dict[str, np.ndarray],
    runners=None,
    given=None,
    *,
    precision: Precision = "fp32",
) -> Finding | None:
    """Compare; None where the engine is right. `precision`: 'fp16' is compared as `halves.py` says."""
    operators = sorted({node.op_type for node in model.graph.node})
    if runners is None:
        runners, given = runners_of(model, feeds)
    outputs = [o.name for o in model.graph.output]
    half = precision == "fp16"
    expected = (halves.evaluate if half else evaluate)(runners, given, outputs, seed=seed)
    compared = halves.differences if half else differences
    try:
        actual = run_engine(gpu, model, feeds, precision)
    except ModelUnsupportedError as error:
        return Finding(seed, "refused", operators, str(error))
    except Exception:
        return Finding(seed, "error", operators, traceback.format_exc(limit=-4))
    for name in outputs:
        want, got = expected.arrays[name], actual[name]
        if got.shape != want.shape or got.dtype != want.dtype:
            return Finding(
                seed, "shape", operators, f"{name}: {got.dtype}{got.shape}, not {want.dtype}{want.shape}"
            )
        wrong = compared(got, want, expected.spread[name])
        if wrong.any():
            detail = _describe(model, name, got, want, wrong, expected.spread[name])
            other = _reference(model, feeds).get(name)
            if other is not None and other.shape == want.shape:
                beside = wrong & compared(got, other, expected.spread[name])
                detail += (
                    "; not as onnx's reference has it" if beside.any() else "; as onnx's reference has it"
                )
            return Finding(seed, _kind(got, want, wrong), operators, detail)
    return None


def _reference(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    try:
        with np.errstate(all="ignore"):
            names = [o.name for o in model.graph.output]
            return dict(zip(names, map(np.asarray, ReferenceEvaluator(model).run(names, feeds)), strict=True))
    except Exception:
        return {}


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


def run_seed(gpu, seed: int, *, precision: Precision = "fp32") -> Finding | None:
    """Make and check a seed's graph."""
    g = make(seed, precision=precision)
    if not g.wanted:
        return None
    return check(gpu, seed, g.model(), g.feeds(), g.runners, g.given(), precision=precision)
