"""1,000 random graphs on the engine, beside ONNX Runtime; 20,000 and more by the command (`python -m
differential`).
"""

from __future__ import annotations

import os

import numpy as np
import onnx
import pytest

from differential.case import make, run_seed
from differential.maker import OPSETS
from differential.oracle import Refused, Runner, differences, evaluate
from differential.runner import run
from differential.shrink import shrink
from differential.undecided import layer_normalization, reduce_prod

pytestmark = pytest.mark.long


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seeds", [range(300), range(300, 1000)], ids=["the first 300", "300 to 1000"])
def test_a_thousand_graphs(seeds: range) -> None:
    """Every difference is a fault of the engine: where ONNX Runtime is no guide, `definitions.py` says what
    is right, and why.
    """
    said: list[str] = []
    findings = run(
        seeds, min(2, os.cpu_count() or 1), adapter=os.environ.get("LIGHTLOOM_ADAPTER"), say=said.append
    )
    wrong = [f"seed {f.seed}: {f.kind}: {f.detail[-300:]}" for f in findings]
    assert not wrong, "\n".join(wrong)


def test_graphs_are_rich() -> None:
    """A hundred operators and more, all opsets from 7 on, several outputs, inner values as outputs,
    constants, special numbers.
    """
    made = [make(seed) for seed in range(300)]
    operators = {node.op_type for g in made for node in g.nodes}
    assert len(operators) > 100
    assert {g.opset for g in made} == set(OPSETS)
    old = {node.op_type for g in made if g.opset < 11 for node in g.nodes}
    assert len(old) > 60
    read = [{name for runner in g.runners for name in runner.names} for g in made]
    assert sum(len(g.wanted) > 1 for g in made) > 100
    assert sum(bool(names.intersection(g.wanted)) for g, names in zip(made, read, strict=True)) > 50
    assert sum(any(np.isnan(a).any() for a in g.feeds().values() if a.dtype.kind == "f") for g in made) > 5
    assert sum(max((a.size for a in g.arrays.values()), default=0) > 65_535 for g in made) >= 5
    for g in made[:50]:
        if g.wanted:
            model = g.model()
            for info in model.graph.output:
                for size in g.arrays[info.name].shape:
                    info.type.tensor_type.shape.dim.add().dim_value = size
                info.type.tensor_type.shape.SetInParent()
            onnx.checker.check_model(model)


def test_a_seed_makes_the_same_graph() -> None:
    """With the same inputs."""
    first, second = make(7), make(7)
    assert first.model().SerializeToString(deterministic=True) == second.model().SerializeToString(
        deterministic=True
    )
    for name, array in first.feeds().items():
        np.testing.assert_array_equal(array, second.feeds()[name])


def test_differences_are_seen() -> None:
    """NaN and infinity by their place, numbers by their spread, and nothing where it is undecided."""
    want = np.array([1.0, np.nan, np.inf, -np.inf, 2.0], np.float32)
    spread = np.array([1e-5, 1e-5, 1e-5, 1e-5, np.inf])
    got = np.array([1.0 + 5e-6, np.nan, np.inf, -np.inf, 9.0], np.float32)
    assert not differences(got, want, spread).any()
    for at, value in enumerate((1.001, 1.0, np.nan, np.inf)):
        other = got.copy()
        other[at] = value
        assert differences(other, want, spread).tolist() == [i == at for i in range(5)]


def test_the_sign_of_a_zero_is_not_asked_for() -> None:
    """1 / 0 is infinite, of either sign, and no number."""
    node = onnx.helper.make_node("Reciprocal", ["x"], ["y"])
    arrays = {"x": np.array([0.0, 2.0], np.float32)}
    expected = evaluate([Runner(node, 18, arrays, set())], arrays, ["y"])
    for value, wrong in ((np.inf, False), (-np.inf, False), (0.0, True), (np.nan, True), (3e38, True)):
        got = np.array([value, 0.5], np.float32)
        assert differences(got, expected.arrays["y"], expected.spread["y"]).tolist() == [wrong, False]


def _expected(nodes, arrays, constants=(), opset=18):
    """(runners' values, spread) of the last node's output."""
    known, runners = dict(arrays), []
    for op, inputs, output, attributes in nodes:
        node = onnx.helper.make_node(op, inputs, [output], **attributes)
        runners.append(Runner(node, opset, known, set(constants)))
        known.update(zip(runners[-1].outputs, runners[-1].run(known), strict=True))
    expected = evaluate(runners, arrays, [output])
    return expected.arrays[output], expected.spread[output]


def test_denormal_constants_may_be_zeros() -> None:
    """Of a power by 1e-40 a GPU may make 1, of a negative number, too; of one by 1e-3 not."""
    arrays = {"x": np.array([-2.0, -2.0], np.float32), "c": np.array([1e-40, 1e-3], np.float32)}
    want, spread = _expected([("Pow", ["x", "c"], "y", {})], arrays, ["c"])
    assert differences(np.array([1.0, 1.0], np.float32), want, spread).tolist() == [False, True]
    arrays["x"] = np.zeros(2, np.float32)
    want, spread = _expected([("Equal", ["x", "c"], "y", {})], arrays, ["c"])
    assert differences(np.array([True, True]), want, spread).tolist() == [False, True]


def test_a_choice_between_equal_numbers_is_not_asked_for() -> None:
    """Of 2,000 pairs whose numbers are equal but for rounding, none; of those that differ by more than the
    noise, every one.
    """
    rng = np.random.default_rng(0)
    close = rng.uniform(-1, 1, (2000, 1)).astype(np.float32)
    far = close + np.float32([0.0, 2e-4])
    pairs = np.concatenate([close + np.float32([0.0, 0.0]), far])
    nodes = [("Tanh", ["x"], "t", {}), ("Hardmax", ["t"], "y", {"axis": 1})]
    want, spread = _expected(nodes, {"x": pairs})
    wrong = differences(1 - want, want, spread)
    assert not wrong[:2000].any() and wrong[2000:].all()
    nodes[1] = ("ArgMax", ["t"], "y", {"axis": 1})
    want, spread = _expected(nodes, {"x": pairs})
    wrong = differences(1 - want, want, spread)
    assert not wrong[:2000].any() and wrong[2000:].all()


def test_what_hangs_on_a_bound_is_not_asked_for() -> None:
    """0.2 x + 0.3 is 0 at -1.5, or not quite: one divided by it is infinite or large. Away from there it is
    what it is.
    """
    x = np.concatenate([np.full(2000, -1.5), np.full(2000, -1.501), np.full(2000, -1.499)]).astype(np.float32)
    nodes = [("HardSigmoid", ["x"], "h", {"beta": 0.3}), ("Reciprocal", ["h"], "y", {})]
    want, spread = _expected(nodes, {"x": x})
    wrong = differences(np.where(np.isinf(want), np.float32(1.3e8), np.float32(np.inf)), want, spread)
    assert not wrong[:2000].any() and wrong[2000:].all()


def test_noise_that_a_plane_shares() -> None:
    """A mean of normalized planes is off by what their shift is rounded to, and by no more."""
    x = np.random.default_rng(0).normal(300, 1, (1, 9, 32, 6)).astype(np.float32)
    arrays = {"x": x, "s": np.ones(9, np.float32), "b": np.zeros(9, np.float32)}
    names = ["x", "s", "b"]
    want, spread = _expected(
        [("InstanceNormalization", names, "n", {}), ("GlobalAveragePool", ["n"], "y", {})], arrays
    )
    factor = 1 / np.sqrt(x.var(axis=(2, 3), keepdims=True, dtype=np.float64) + 1e-5)
    shift = (x.mean(axis=(2, 3), keepdims=True, dtype=np.float64) * factor).astype(np.float32)
    got = (x * factor.astype(np.float32) - shift).mean(axis=(2, 3), keepdims=True, dtype=np.float64)
    assert np.abs(got).max() > 5e-6 and not differences(got.astype(np.float32), want, spread).any()
    assert differences(want + np.float32(5e-3), want, spread).all()


@pytest.mark.parametrize(
    ("op", "inputs", "attributes", "opset"),
    [
        ("BatchNormalization", ["x", "s", "b", "b", "s"], {}, 15),
        ("GroupNormalization", ["x", "s", "b"], {"num_groups": 3}, 21),
        ("GroupNormalization", ["x", "s3", "b3"], {"num_groups": 3}, 18),
        ("InstanceNormalization", ["x", "s", "b"], {}, 18),
        ("LayerNormalization", ["x", "r", "r"], {"axis": 2}, 18),
        ("MeanVarianceNormalization", ["x"], {}, 18),
        ("RMSNormalization", ["x", "r"], {"axis": 2}, 23),
    ],
)
def test_normalizations_have_noise_of_their_groups(op, inputs, attributes, opset) -> None:
    """It leaves room for a rounding of the shift, and not for an error of 2e-4."""
    x = np.random.default_rng(0).normal(0.3, 1, (2, 9, 8, 6)).astype(np.float32)
    ones = {"s": (9,), "b": (9,), "s3": (3,), "b3": (3,), "r": (8, 6)}
    arrays = {"x": x, **{n: np.ones(shape, np.float32) for n, shape in ones.items()}}
    want, spread = _expected([(op, inputs, "y", attributes)], {n: arrays[n] for n in inputs}, opset=opset)
    assert spread.shape == want.shape and not differences(want + np.float32(2e-7), want, spread).any()
    assert differences(want + np.float32(2e-4) * (1 + np.abs(want)), want, spread).all()


def test_whole_numbers_saturate_in_every_opset() -> None:
    """Also in one of which ONNX Runtime has no kernel and the reference wraps around."""
    x = np.array([1e12, -1e12, np.inf, -np.inf, 0.5, 1.0], np.float32)
    arrays = {"x": x, "s": np.array(0.02, np.float32), "z": np.array(58, np.uint8)}
    for opset in (13, OPSETS.stop - 1):
        want, _ = _expected([("QuantizeLinear", ["x", "s", "z"], "y", {})], arrays, ["s", "z"], opset)
        np.testing.assert_array_equal(want, np.array([255, 0, 255, 0, 83, 108], np.uint8))


def test_a_bound_that_is_left_out_before_opset_11_and_since() -> None:
    """Old opsets have the largest finite number for it, newer ones nothing."""
    x = np.array([-np.inf, 0.5, np.inf], np.float32)
    largest = np.finfo(np.float32).max
    for opset, end in ((10, largest), (11, np.inf)):
        want, _ = _expected([("Clip", ["x"], "y", {})], {"x": x}, opset=opset)
        np.testing.assert_array_equal(want, np.array([-end, 0.5, end], np.float32))


@pytest.mark.parametrize("first", [1.0, np.nan])
def test_an_axis_beyond_the_last_is_refused(first) -> None:
    """The default of old opsets in one dimension, with NaN and without."""
    with pytest.raises(Refused, match="axis"):
        _expected([("Hardmax", ["x"], "y", {})], {"x": np.array([first, 2.0], np.float32)}, opset=9)


@pytest.mark.parametrize("seed", [3, 11])
def test_faults_are_found_and_shrunk(gpu, monkeypatch, seed) -> None:
    """With a fault put into the engine: the seed is reported, and few nodes are left of its graph."""
    from desktop.compute.nn.runtime.session import WgpuSession

    right = WgpuSession.run
    monkeypatch.setattr(
        WgpuSession,
        "run",
        lambda self, feeds: {k: v + 1 if v.dtype.kind == "f" else v for k, v in right(self, feeds).items()},
    )
    found = next(f for f in (run_seed(gpu, each) for each in range(seed, seed + 10)) if f is not None)
    assert found.kind == "wrong"
    model, feeds, small = shrink(gpu, found.seed, found.kind)
    assert small.kind == "wrong" and len(model.graph.node) == 1
    assert {i.name for i in model.graph.input} == set(feeds)


def test_reports_are_written_as_it_goes() -> None:
    """A run that is killed leaves the last one; after `minutes` no seed is begun, and the count says how many
    were.
    """
    reports: list[tuple[int, int]] = []

    def report(findings: list, done: int) -> None:
        reports.append((len(findings), done))

    def quiet(text: str) -> None:
        pass

    adapter = os.environ.get("LIGHTLOOM_ADAPTER")
    run(range(1000), 1, adapter=adapter, minutes=0.0, report=report, say=quiet)
    assert reports == [(0, 0)]
    reports.clear()
    run(range(3), 1, adapter=adapter, batch=2, report=report, say=quiet)
    assert reports == [(0, 2), (0, 3)]


def test_a_seed_that_ends_its_process_is_a_finding(monkeypatch) -> None:
    """And the seeds after it are checked."""
    monkeypatch.setenv("DIFFERENTIAL_DIE_AT", "1")
    findings = run(range(3), 1, adapter=os.environ.get("LIGHTLOOM_ADAPTER"), say=lambda text: None)
    assert [(f.seed, f.kind) for f in findings if f.kind == "crash"] == [(1, "crash")]


def test_zeros_behind_a_kernel_are_not_asked_for() -> None:
    """Of a kernel of 3 with a stride of 2, a place is filled with zeros: an infinite input may make NaN of
    the output there, and of no other.
    """
    x = np.ones((1, 1, 1, 4), np.float32)
    x[..., 1] = np.inf
    arrays = {"x": x, "w": np.ones((1, 1, 1, 3), np.float32)}
    want, spread = _expected([("ConvTranspose", ["x", "w"], "y", {"strides": [1, 2]})], arrays, ["w"])
    np.testing.assert_array_equal(want[0, 0, 0], [1, 1, np.inf, np.inf, np.inf, 1, 2, 1, 1])
    wrong = differences(np.full_like(want, np.nan), want, spread)
    assert wrong[0, 0, 0].tolist() == [at != 5 for at in range(9)]


def test_products_that_overflow_in_some_orders_are_not_asked_for() -> None:
    """1e30 * 1e30 * 1e-30 is 1e30 or infinite, 1e30 * 1e30 infinite, and 1e30 * 1e-30 is 1."""
    rows = np.array([[1e30, 1e30, 1e-30], [1e30, 1e30, 1.0], [1e30, 1e-30, 1.0]], np.float32)
    found = reduce_prod(
        onnx.helper.make_node("ReduceProd", ["x"], ["y"], axes=[1]), {"x": rows}, [(3, 1)], 13
    )
    assert found[0][:, 0].tolist() == [True, False, False]


def test_a_root_of_nearly_nothing_is_not_asked_for() -> None:
    """Of a difference of the size of a rounding, whose sign is open; of one that is a hundred times as large,
    it is.
    """
    a = np.full(2000, 0.5, np.float32)
    b = a - np.float32([2.0**-23, 2.0**-14]).repeat(1000)
    want, spread = _expected([("Sub", ["a", "b"], "d", {}), ("Sqrt", ["d"], "y", {})], {"a": a, "b": b})
    wrong = differences(np.full_like(want, np.nan), want, spread)
    assert not wrong[:1000].any() and wrong[1000:].all()


def test_a_result_below_the_noise_of_its_kernel_may_be_zero() -> None:
    """A denormal number out of a Sigmoid becomes zero on a GPU, and with it a condition false."""
    nodes = [("Sigmoid", ["x"], "s", {}), ("Cast", ["s"], "y", {"to": onnx.TensorProto.BOOL})]
    want, spread = _expected(nodes, {"x": np.array([-100.0, -2.0], np.float32)})
    assert differences(~want, want, spread).tolist() == [False, True]


@pytest.mark.parametrize(
    ("op", "attributes", "shape", "opset"),
    [
        ("ReduceL2", {"axes": [1]}, (5, 3), 13),
        ("LpNormalization", {"axis": 1}, (5, 3), 13),
        ("LpPool", {"kernel_shape": [3], "p": 2}, (5, 1, 3), 18),
        ("GlobalLpPool", {"p": 2}, (5, 1, 3), 13),
    ],
)
def test_a_norm_of_numbers_with_denormal_squares_may_be_zero(op, attributes, shape, opset) -> None:
    """A GPU may flush the square of 1e-22, but not that of 1e-15: there the norm is asked for."""
    rows = np.float32([1e-22, 1e-15, 1e-15, 1e-15, 1e-15]).repeat(3).reshape(shape)
    want, spread = _expected([(op, ["x"], "y", attributes)], {"x": rows}, opset=opset)
    assert (want > 0).all()
    wrong = differences(np.zeros_like(want), want, spread).reshape(5, -1)
    assert not wrong[0].any() and wrong[1:].all()


def test_the_mean_of_a_row_with_an_infinity_is_not_asked_for() -> None:
    """Infinite or no number; what the other rows' are is asked for."""
    node = onnx.helper.make_node("LayerNormalization", ["x"], ["y", "mean"])
    rows = np.array([[1.0, np.inf], [1.0, 3.0]], np.float32)
    found = layer_normalization(node, {"x": rows}, [(2, 2), (2, 1)], 17)
    assert {i: mask[:, 0].tolist() for i, mask in found.items()} == {1: [True, False]}


def test_the_first_of_equal_numbers_is_asked_for_where_nothing_was_rounded() -> None:
    """Of given numbers, and of none that a division has made equal."""
    x = {"x": np.full((100, 7), 3.0, np.float32)}
    last = np.eye(7, dtype=np.float32)[np.full(100, 6)]
    want, spread = _expected([("Hardmax", ["x"], "y", {"axis": 1})], x)
    assert differences(last, want, spread).any(axis=1).all()
    nodes = [("LpNormalization", ["x"], "n", {"axis": 1}), ("Hardmax", ["n"], "y", {"axis": 1})]
    want, spread = _expected(nodes, x)
    assert not differences(last, want, spread).any()
