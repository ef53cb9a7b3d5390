"""Kernels chosen by measuring: every candidate computes what onnxruntime does, and what was measured is used,
kept and forgotten.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from nn_cases import needs_halves, reference, relative_error, save
from onnx import TensorProto, helper
from test_nn_quantized import Builder, check_equal

from desktop.__main__ import main
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.compile.cache import Prepared, SessionCache
from desktop.compute.nn.compile.driver import build_graph, lower_graph, make_plan
from desktop.compute.nn.compile.target import target_of
from desktop.compute.nn.kernels.tiles import Tile
from desktop.compute.nn.lowering.tuning import Tuning, load_tuning, save_tuning, tuning_file, tuning_folder
from desktop.compute.nn.measure.profile import profile_session
from desktop.compute.nn.measure.tuner import Comparison, Tuner, difference
from desktop.compute.nn.runtime.session import WgpuSession
from desktop.vision.backends.loader import load_session


def _random(seed, *shape, scale=0.3):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def _network(path, dtype=TensorProto.FLOAT):
    """Convolution, depthwise and pointwise convolution, fully connected layer: kernels of every family that
    networks hold most.
    """
    constants = {
        "w": _random(0, 12, 3, 3, 3),
        "d": _random(1, 12, 1, 3, 3),
        "p": _random(2, 20, 12, 1, 1),
        "m": _random(3, 20, 10),
    }
    if dtype == TensorProto.FLOAT16:
        constants = {name: array.astype(np.float16) for name, array in constants.items()}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["a"], ["r"]),
        helper.make_node("Conv", ["r", "d"], ["b"], group=12, pads=[1, 1, 1, 1]),
        helper.make_node("Conv", ["b", "p"], ["c"]),
        helper.make_node("GlobalAveragePool", ["c"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("MatMul", ["f", "m"], ["y"]),
    ]
    return save(path, nodes, {"x": (1, 3, 9, 11)}, "y", constants, dtype=dtype)


def _one(path, op, x, constants, **attributes):
    node = helper.make_node(op, ["x", *constants], ["y"], **attributes)
    return save(path, [node], {"x": x}, "y", constants)


CASES = {
    "conv": lambda p: _one(p, "Conv", (1, 20, 13, 11), {"w": _random(0, 24, 20, 3, 3)}, pads=[1, 2, 0, 1]),
    "strided": lambda p: _one(p, "Conv", (2, 9, 12, 10), {"w": _random(0, 21, 9, 3, 2)}, strides=[2, 3]),
    "picture": lambda p: _one(p, "Conv", (1, 3, 14, 15), {"w": _random(0, 10, 3, 5, 5)}, dilations=[2, 1]),
    "pointwise": lambda p: _one(p, "Conv", (1, 44, 9, 10), {"w": _random(0, 36, 44, 1, 1)}),
    "connected": lambda p: _one(p, "Gemm", (1, 75), {"w": _random(0, 75, 50), "b": _random(1, 50)}),
    "narrow": lambda p: _one(p, "Conv", (2, 10, 9, 13), {"w": _random(0, 3, 10, 3, 5)}, pads=[1, 0, 1, 3]),
    "depthwise": lambda p: _one(p, "Conv", (1, 10, 11, 13), {"w": _random(0, 10, 1, 3, 3)}, group=10),
    "transposed": lambda p: _one(p, "ConvTranspose", (1, 9, 5, 7), {"w": _random(0, 9, 40, 3, 3)}, strides=[2, 2]),
    "gathered": lambda p: _one(p, "ConvTranspose", (1, 9, 5, 7), {"w": _random(0, 9, 40, 3, 3)}, dilations=[2, 1], strides=[2, 2]),
}  # fmt: skip


def _each_candidate(gpu, path, precision, workgroups):
    """For each choice of the network and each candidate: the decision, the candidate's name and the outputs
    with it.
    """
    graph = build_graph(path)
    target = replace(target_of(gpu, precision), workgroups=workgroups)
    shapes = {name: graph.values[name].shape for name in graph.inputs}
    kind = np.dtype(graph.values[graph.inputs[0]].dtype)
    feeds = {name: _random(9, *shape, scale=1.0).astype(kind) for name, shape in shapes.items()}
    for site in lower_graph(graph, target).sites:
        for candidate in site.decision.candidates:
            plan = make_plan(graph, target, Tuning({site.decision.key: str(candidate)}))
            session = WgpuSession(gpu, Prepared(graph, plan, precision))
            yield site.decision, candidate, feeds, session.run(feeds)
            session.close()


@pytest.mark.parametrize("name", CASES)
def test_every_candidate_computes_what_onnxruntime_does(gpu, tmp_path, name):
    path = CASES[name](tmp_path / "m.onnx")
    expected, count = None, 0
    for _, candidate, feeds, found in _each_candidate(gpu, path, "fp32", 128):
        expected = reference(path, feeds)["y"] if expected is None else expected
        assert relative_error(found["y"], expected) <= 1e-5, str(candidate)
        count += 1
    assert count >= 3


def test_every_candidate_of_a_product_of_computed_matrices(gpu, tmp_path):
    nodes = [helper.make_node("MatMul", ["x", "z"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"x": (2, 3, 37, 21), "z": (3, 21, 70)}, "y")
    names = set()
    for _, candidate, feeds, found in _each_candidate(gpu, path, "fp32", 128):
        assert relative_error(found["y"], reference(path, feeds)["y"]) <= 1e-5, str(candidate)
        names.add(str(candidate))
    assert len(names) == 5


def test_every_candidate_of_a_depth_that_is_shared(gpu, tmp_path):
    nodes = [helper.make_node("MatMul", ["x", "z"], ["p"]), helper.make_node("Relu", ["p"], ["y"])]
    path = save(tmp_path / "m.onnx", nodes, {"x": (3, 37, 405), "z": (3, 405, 50)}, "y")
    names = set()
    for decision, candidate, feeds, found in _each_candidate(gpu, path, "fp32", 128):
        assert "shares" in decision.key
        assert relative_error(found["y"], reference(path, feeds)["y"]) <= 1e-5, str(candidate)
        names.add(str(candidate))
    assert len(names) == 4


def test_every_16_bit_candidate(gpu, tmp_path):
    needs_halves(gpu)
    path = CASES["conv"](tmp_path / "m.onnx")
    kernels = set()
    for _, candidate, feeds, found in _each_candidate(gpu, path, "fp16", 128):
        assert relative_error(found["y"], reference(path, feeds)["y"]) <= 5e-3, str(candidate)
        kernels.add(candidate.kernel)
    assert kernels == {"conv_tiled", "conv_sliced"}


def test_choices_of_a_quantized_network_are_exact(gpu, tmp_path):
    shape = (1, 10, 14, 15)
    build = Builder("uint8")
    q = build.quantize("x", 0.02, 100)
    build.add("Conv", [q, *build.weights("c", (9, 10, 3, 3), 0.02)], "c")
    path = build.save(tmp_path, shape, build.quantize("c", 0.1, 120))
    check_equal(gpu, path, shape)  # the rule's, against onnxruntime
    results = []
    for decision, _, _, found in _each_candidate(gpu, path, "fp32", 128):
        assert decision.exact
        results.append(found)
    assert len(results) > 3
    for found in results[1:]:
        for name, array in found.items():
            np.testing.assert_array_equal(array, results[0][name])


# -- measuring -----------------------------------------------------------------------------------------------


def _feeds(tuner):
    return {info.name: _random(9, *info.shape, scale=1.0).astype(info.dtype) for info in tuner.inputs}


def _measure(tuner, seconds=60.0, check=lambda: None):
    return list(tuner.measure(_feeds(tuner), seconds, check))


def _check_measured(measured):
    for each in measured:
        assert each.rule_ms > 0 and each.winner_ms > 0 and each.count >= 1
        timed = {trial.choice: trial.ms for trial in each.trials}
        assert each.rule not in timed and each.trials
        assert each.winner in {each.rule, *timed}
        if each.is_tuned:
            assert each.winner_ms <= 0.95 * each.rule_ms
    assert len({each.key for each in measured}) == len(measured)


def test_the_kernels_of_large_gpus_are_measured_and_agree(gpu, tmp_path):
    target = replace(target_of(gpu, "fp32"), workgroups=128)
    tuner = Tuner(gpu, build_graph(_network(tmp_path / "m.onnx")), target, "fp32")
    measured = _measure(tuner, seconds=120.0)
    _check_measured(measured)
    assert {trial.note for each in measured for trial in each.trials} <= {"", "slower"}
    tuner.close()


def test_a_tuned_network_computes_the_same(gpu, tmp_path):
    path = _network(tmp_path / "m.onnx")
    tuner = Tuner.load(gpu, path, precision="fp32")
    measured = _measure(tuner)
    _check_measured(measured)
    assert len(measured) == tuner.shapes == 4
    assert {trial.note for each in measured for trial in each.trials} <= {"", "slower"}
    # Whatever won: the last trial of each, so that the comparison is of two networks.
    tuning = Tuning({each.key: each.trials[-1].choice for each in measured})
    compared = tuner.compare(tuning, 0.0, lambda: None)
    assert compared.difference <= 1e-5 and compared.before_ms > 0 and compared.after_ms > 0
    feeds = _feeds(tuner)
    tuner.close()
    plain = WgpuSession.load(gpu, path, precision="fp32")
    tuned = WgpuSession.load(gpu, path, precision="fp32", tuning=tuning)
    assert sum(bool(d.tuned) for d in tuned.plan.dispatches) == 4
    before, after = plain.run(feeds)["y"], tuned.run(feeds)["y"]
    assert relative_error(after, before) <= 1e-5
    assert relative_error(after, reference(path, feeds)["y"]) <= 1e-5
    plain.close()
    tuned.close()


def test_what_a_kernel_reads_beside_its_result_stays_while_it_is_measured(gpu, tmp_path):
    """A convolution that writes behind what it reads: candidates are compared on their real inputs."""
    constants = {"v": _random(0, 8, 4, 3, 3), "w": _random(1, 12, 8, 3, 3)}
    nodes = [
        helper.make_node("Conv", ["x", "v"], ["a"], pads=[1] * 4),
        helper.make_node("Conv", ["a", "w"], ["b"], pads=[1] * 4),
        helper.make_node("Concat", ["a", "b"], ["c"], axis=1),
        helper.make_node("Neg", ["c"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 4, 9, 11)}, "y", constants)
    target = replace(target_of(gpu, "fp32"), workgroups=128)
    tuner = Tuner(gpu, build_graph(path), target, "fp32")
    measured = _measure(tuner)
    assert len(measured) == 2
    assert {trial.note for each in measured for trial in each.trials} <= {"", "slower"}
    tuning = Tuning({each.key: each.trials[-1].choice for each in measured})
    assert tuner.compare(tuning, 0.0, lambda: None).difference <= 1e-5
    tuner.close()


def test_measuring_without_timestamps_on_an_adapter_with_default_limits(gpu, tmp_path):
    plain = Gpu.open(gpu.adapter.name, features=())
    try:
        tuner = Tuner.load(plain, _network(tmp_path / "m.onnx"))
        assert tuner.clock == "CPU"
        _check_measured(_measure(tuner, seconds=20.0))
        tuner.close()
    finally:
        plain.close()


def test_measuring_leaves_a_concatenation_whole(gpu, tmp_path):
    """The convolutions write parts of one tensor; a candidate's run must not cost what the others wrote."""
    constants = {"a": _random(0, 8, 8, 3, 3), "b": _random(1, 12, 8, 1, 1)}
    nodes = [
        helper.make_node("Conv", ["x", "a"], ["p"], pads=[1, 1, 1, 1]),
        helper.make_node("Conv", ["x", "b"], ["q"]),
        helper.make_node("Concat", ["p", "q"], ["c"], axis=1),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    path = save(tmp_path / "m.onnx", nodes, {"x": (1, 8, 7, 9)}, "y", constants)
    tuner = Tuner.load(gpu, path, precision="fp32")
    measured = _measure(tuner)
    _check_measured(measured)
    assert len(measured) == 2
    tuner.close()


class Stopped(Exception):
    pass


def test_measuring_can_be_stopped_and_keeps_what_it_has(gpu, tmp_path):
    tuner = Tuner.load(gpu, _network(tmp_path / "m.onnx"), precision="fp32")
    found, calls = [], 0

    def check():
        nonlocal calls
        calls += bool(found)
        if calls > 1:
            raise Stopped

    with pytest.raises(Stopped):
        for each in tuner.measure(_feeds(tuner), 60.0, check):
            found.append(each)
    _check_measured(found)
    assert len(found) == 1
    tuner.close()


def test_without_time_nothing_is_measured(gpu, tmp_path):
    tuner = Tuner.load(gpu, _network(tmp_path / "m.onnx"), precision="fp32")
    assert _measure(tuner, seconds=0.0) == []
    tuner.close()


def test_a_kernel_that_computes_something_else_is_left_out_and_named(gpu, tmp_path, monkeypatch):
    class Short(Tile):
        """One row of workgroups too few."""

        def groups(self, rows, blocks):
            across, down = super().groups(rows, blocks)
            return across, down - 1

    wrong = Short(2, 8, 1, 4)
    monkeypatch.setattr("desktop.compute.nn.kernels.matrix.other_tiles", lambda *_: [wrong])
    monkeypatch.setattr("desktop.compute.nn.measure.tuner._SLOWER", np.inf)  # whatever its time
    path = _one(tmp_path / "m.onnx", "Conv", (1, 12, 8, 8), {"w": _random(0, 16, 12, 1, 1)})
    tuner = Tuner.load(gpu, path, precision="fp32")
    (measured,) = _measure(tuner)
    assert not measured.is_tuned
    (trial,) = measured.trials
    assert trial.choice == str(wrong) and trial.note.startswith("its result differs by")
    tuner.close()


def test_the_difference_of_two_results():
    a = np.array([3.0, 4.0, np.nan], np.float32)
    assert difference(a, a, exact=False) == difference(a, a, exact=True) == 0.0
    assert difference(a, np.array([3.0, 4.5, np.nan], np.float32), exact=False) == pytest.approx(0.1)
    assert difference(a, np.array([3.0, 4.0, 1.0], np.float32), exact=False) == np.inf
    assert difference(a, np.nextafter(a, 9), exact=True) == np.inf
    zero, huge = np.zeros(3, np.float32), np.full(3, 1e30, np.float32)
    assert difference(zero, zero, exact=False) == 0.0
    assert difference(zero, a[:1].repeat(3), exact=False) == np.inf
    assert difference(huge, huge * np.float32(1.5), exact=False) == pytest.approx(0.5)
    assert difference(np.full(3, np.inf, np.float16), zero.astype(np.float16), exact=False) == np.inf


# -- from the table to the session ---------------------------------------------------------------------------


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def _forced(gpu, path):
    """A table written by hand that takes, for every shape of a network, a candidate that the rule does not."""
    sites = lower_graph(build_graph(path), target_of(gpu, "fp32")).sites
    chosen = {s.decision.key: str(s.decision.candidates[1]) for s in sites if len(s.decision.candidates) > 1}
    assert chosen
    return Tuning(chosen)


def test_a_table_written_by_hand_is_used_by_every_later_session(gpu, tmp_path, cache_folder):
    path = _network(tmp_path / "m.onnx")
    feeds = {"x": _random(9, 1, 3, 9, 11, scale=1.0)}
    first = load_session(path, gpu=gpu, backend="wgpu").session
    assert not any(d.tuned for d in first.plan.dispatches)
    before = first.run(feeds)["y"]
    first.close()
    forced = _forced(gpu, path)
    save_tuning(tuning_folder(), gpu.adapter, forced)
    assert tuning_folder().is_relative_to(cache_folder)
    for _ in range(2):  # the second time from the cache of prepared networks
        session = load_session(path, gpu=gpu, backend="wgpu").session
        tuned = {d.tuned for d in session.plan.dispatches if d.tuned}
        assert tuned == set(forced.choices.values())
        assert {n.tuned for n in profile_session(session, 1).nodes} - {""} == tuned
        assert relative_error(session.run(feeds)["y"], before) <= 1e-5
        session.close()
    untuned = load_session(path, gpu=gpu, backend="wgpu", tuning=None).session
    assert not any(d.tuned for d in untuned.plan.dispatches)
    untuned.close()


def test_a_prepared_session_is_not_used_after_a_tuning(gpu, tmp_path):
    path, cache = _network(tmp_path / "m.onnx"), SessionCache(tmp_path / "networks")
    forced = _forced(gpu, path)
    for tuning, files in ((None, 1), (None, 1), (Tuning(), 1), (forced, 2), (forced, 2), (None, 2)):
        session = WgpuSession.load(gpu, path, precision="fp32", cache=cache, tuning=tuning)
        cache.wait()
        assert any(d.tuned for d in session.plan.dispatches) == (tuning is forced)
        assert len(list((tmp_path / "networks").glob("*.plan"))) == files
        session.close()


def test_a_table_with_nonsense_changes_nothing(gpu, tmp_path, cache_folder):
    path = _network(tmp_path / "m.onnx")
    keys = _forced(gpu, path).choices
    save_tuning(
        tuning_folder(), gpu.adapter, Tuning(dict.fromkeys(keys, "conv_tiled; @compute fn main() {}"))
    )
    session = load_session(path, gpu=gpu, backend="wgpu").session
    plan = make_plan(build_graph(path), target_of(gpu, "auto"))
    assert session.plan.dispatches == plan.dispatches
    session.close()


# -- the command ---------------------------------------------------------------------------------------------


def test_the_command_tunes_shows_and_forgets(gpu, tmp_path, cache_folder, capsys):
    model = _network(tmp_path / "m.onnx")
    path = str(model)
    assert main(["model", "tune", path, "--json", "--seconds", "30"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["shapes"] == len(data["measured"]) == 4 and not data["interrupted"]
    kept = load_tuning(tuning_folder(), gpu.adapter)
    winners = {m["key"]: m["winner"] for m in data["measured"] if m["is_tuned"]}
    if winners:
        assert data["before_ms"] > 0 and data["after_ms"] > 0 and data["difference"] <= 1e-5
    else:
        assert data["before_ms"] is data["after_ms"] is data["difference"] is None
    assert kept.choices == (winners if data["kept"] else {})
    assert (data["file"] is not None) == bool(kept.choices)
    save_tuning(tuning_folder(), gpu.adapter, _forced(gpu, model))
    assert main(["model", "profile", path, "--json", "--runs", "1"]) == 0
    nodes = json.loads(capsys.readouterr().out)["nodes"]
    assert {n["tuned"] for n in nodes} - {""} == set(_forced(gpu, model).choices.values())
    assert main(["model", "profile", path, "--runs", "1"]) == 0
    assert "; tuned: " in capsys.readouterr().out
    assert main(["model", "tune", "--forget"]) == 0
    assert "1 tuning deleted" in capsys.readouterr().out
    assert not tuning_file(tuning_folder(), gpu.adapter).exists()


def test_the_command_says_what_it_did(gpu, tmp_path, cache_folder, capsys):
    assert main(["model", "tune", str(_network(tmp_path / "m.onnx")), "--seconds", "20"]) == 0
    out = capsys.readouterr().out
    assert "4 of 4 shapes measured by" in out
    assert ("an inference: " in out) == (" -> " in out)


def test_ctrl_c_keeps_what_was_measured(gpu, tmp_path, cache_folder, capsys, monkeypatch):
    path = str(_network(tmp_path / "m.onnx"))
    measure = Tuner.measure

    def until_the_second(self, *arguments):
        found = measure(self, *arguments)
        first = next(found)
        yield replace(first, winner=first.trials[0].choice, winner_ms=first.rule_ms / 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(Tuner, "measure", until_the_second)
    assert main(["model", "tune", path, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["interrupted"] and len(data["measured"]) == 1
    kept = load_tuning(tuning_folder(), gpu.adapter).choices
    assert kept == {data["measured"][0]["key"]: data["measured"][0]["winner"]}


@pytest.mark.parametrize("command", [[], ["m.onnx", "--forget"], ["m.onnx", "--seconds", "0"], ["none.onnx"]])
def test_typed_wrongly(command, cache_folder):
    try:
        status = main(["model", "tune", *command])
    except SystemExit as ended:
        status = ended.code
    assert status == 2


@pytest.mark.parametrize(
    ("times", "off", "said"),
    [((2.0, 3.0), 0.0, "is no faster"), ((2.0, 1.0), 0.5, "computes something else")],
)
def test_a_tuning_that_is_no_use_to_the_network_is_not_kept(
    gpu, tmp_path, cache_folder, capsys, monkeypatch, times, off, said
):
    monkeypatch.setattr(Tuner, "compare", lambda *_: Comparison(*times, off, 1e-3))
    model = _one(tmp_path / "m.onnx", "Conv", (1, 32, 32, 32), {"w": _random(0, 64, 32, 1, 1)})
    monkeypatch.setattr(Tuner, "measure", _other_wins(Tuner.measure))
    assert main(["model", "tune", str(model)]) == 0
    assert said in capsys.readouterr().out
    assert load_tuning(tuning_folder(), gpu.adapter) == Tuning()


def _other_wins(measure):
    def with_another_winner(self, *arguments):
        for each in measure(self, *arguments):
            yield replace(each, winner=each.trials[0].choice)

    return with_another_winner
