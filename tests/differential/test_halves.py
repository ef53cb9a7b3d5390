"""Random graphs in 16 bits, beside ONNX Runtime in float32; 20,000 and more by the command (`python -m
differential --precision fp16`).

An adapter without `shader-f16` (llvmpipe of Mesa 22) computes none; on Dawn's the graphs are computed, on
which tests/dawn.txt runs this.
"""

from __future__ import annotations

import numpy as np
import onnx
import pytest

from differential.case import make, run_seed
from differential.half_chains import HALF_CHAINS
from differential.halves import LARGEST, TOLERANCE, UNIT, differences, evaluate
from differential.maker import Maker
from differential.oracle import Runner

pytestmark = pytest.mark.long
_SEEDS = range(100)


@pytest.mark.timeout(900)
def test_a_hundred_graphs(gpu) -> None:
    """Half of them begin with sums of squares or angles. NaN, infinity and errors are faults where rounding
    to 16 bits explains none.
    """
    if not gpu.has("shader-f16"):
        pytest.skip("the adapter has no shader-f16")
    findings = [found for seed in _SEEDS if (found := run_seed(gpu, seed, precision="fp16")) is not None]
    assert not findings, "\n".join(f"seed {f.seed}: {f.kind}: {f.detail[-300:]}" for f in findings)


def test_every_danger_is_met() -> None:
    """Each chain, and in half of the graphs one of them; without them a seed makes the graph that it makes
    for float32.
    """
    for name, chain in HALF_CHAINS.items():
        g = Maker(1)
        chain(g)
        assert len(g.nodes) >= 2, name
    pairs = [(make(seed, precision="fp16"), make(seed)) for seed in range(100)]
    assert 25 < sum(len(half.nodes) > len(whole.nodes) for half, whole in pairs) < 90


def _expected(nodes, arrays, opset=18):
    """(value, spread) of the last node's output."""
    known, runners = dict(arrays), []
    for op, inputs, output, attributes in nodes:
        runners.append(Runner(onnx.helper.make_node(op, inputs, [output], **attributes), opset, known, set()))
        known.update(zip(runners[-1].outputs, runners[-1].run(known), strict=True))
    expected = evaluate(runners, arrays, [output])
    return expected.arrays[output], expected.spread[output]


def _x(size: float, shape=(40, 64)) -> np.ndarray:
    return np.asarray(np.random.default_rng(0).normal(0, size, shape), np.float32)


def test_an_engine_of_16_bits_is_right_and_one_of_8_is_not() -> None:
    """Of a product of matrices, computed in float64 of rounded factors and rounded itself."""
    a, b = _x(1.0), _x(1.0, (64, 16))
    want, spread = _expected([("MatMul", ["a", "b"], "y", {})], {"a": a, "b": b})
    half = (a.astype(np.float16).astype(np.float64) @ b.astype(np.float16)).astype(np.float16)
    assert not differences(half, want, spread).any()
    rough = a * (1 + 2.0**-5 * np.sign(_x(1.0)))
    assert differences(rough @ b, want, spread).mean() > 0.3


def test_no_number_is_always_a_fault_but_where_rounding_makes_it_one() -> None:
    """An overflow of what is undecided is one; the logarithm of 1e-9, which 16 bits do not have, is not."""
    x = np.array([1.0, 300.0, 2.0, 3.0], np.float32)
    nodes = [("Mul", ["x", "x"], "q", {}), ("Mul", ["q", "half"], "y", {})]
    want, spread = _expected(nodes, {"x": x, "half": np.float32([0.5])})
    assert spread[1] > want[1] == 45000
    for value in (np.nan, np.inf):
        got = want.copy()
        got[1] = value
        assert differences(got, want, spread).tolist() == [False, True, False, False]
    got[1] = LARGEST / 2
    assert not differences(got, want, spread).any()
    want, spread = _expected([("Log", ["x"], "y", {})], {"x": np.array([1e-9, 1.0], np.float32)})
    assert differences(np.array([-np.inf, np.nan]), want, spread).tolist() == [False, True]


@pytest.mark.parametrize(("size", "wrong"), [(300.0, 65504.0 / 90000), (1e-4, 0.0)])
def test_squares_that_are_summed_are_no_excuse(size, wrong) -> None:
    """Neither those that saturate nor those that vanish: the spread is that of roundings."""
    nodes = [
        ("Mul", ["x", "x"], "q", {}),
        ("ReduceMean", ["q"], "m", {"axes": [1]}),
        ("Sqrt", ["m"], "y", {}),
    ]
    want, spread = _expected(nodes, {"x": _x(size)}, opset=13)
    assert (spread < 0.02 * want).all()
    assert differences(want * np.float32(np.sqrt(wrong)), want, spread).all()


def test_angles_are_not_rounded() -> None:
    """Positions times frequencies, up to 300: 2^-11 of that is 0.15, and no excuse."""
    t = np.arange(300, dtype=np.float32)[:, None] + np.float32(0.3)
    f = np.asarray(10000.0 ** (-np.arange(16) / 16), np.float32)[None]
    want, spread = _expected([("MatMul", ["t", "f"], "a", {}), ("Sin", ["a"], "y", {})], {"t": t, "f": f})
    assert (spread < 3 * TOLERANCE).all()
    assert differences(np.sin((t @ f).astype(np.float16).astype(np.float32)), want, spread).any()
    assert not differences(np.sin(t.astype(np.float64) @ f), want, spread).any()


def test_what_cancels_is_recognized() -> None:
    """A difference of near numbers hangs on their rounding, as ONNX Runtime shows of rounded ones; one of far
    numbers does not.
    """
    x = np.abs(_x(1.0)) + 1
    near, far = x * (1 + UNIT / 2), x * 3
    nodes = [("Sub", ["x", "z"], "d", {}), ("Div", ["d", "x"], "y", {})]
    want, spread = _expected(nodes, {"x": x, "z": near.astype(np.float32)})
    assert not differences(want + np.float32(UNIT), want, spread).any()
    want, spread = _expected(nodes, {"x": x, "z": far.astype(np.float32)})
    assert differences(want + np.float32(0.1), want, spread).all()
