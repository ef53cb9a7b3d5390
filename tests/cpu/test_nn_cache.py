"""Prepared sessions on disk: the same plan comes back, and nothing damaged, foreign or stale does."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.compute.nn.compile import cache as cache_module
from desktop.compute.nn.compile.cache import PlanLostError, Prepared, SessionCache, decode, encode
from desktop.compute.nn.compile.driver import build_graph, make_plan
from desktop.compute.nn.compile.flops import node_costs
from desktop.compute.nn.measure.report import DEFAULT_LIMITS

TARGET = DEFAULT_LIMITS["fp32"]


def write(path, value=1.0, location=""):
    weights = np.full((5, 3, 3, 3), value, np.float32)
    tensor = numpy_helper.from_array(weights, "w")
    if location:
        (path.parent / location).write_bytes(weights.tobytes())
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=location)
        tensor.external_data.add(key="length", value=str(weights.nbytes))
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("Concat", ["c", "c"], ["k"], axis=1),
        helper.make_node("Softmax", ["k"], ["y"], axis=1),
    ]
    infos = [
        helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in (("x", [1, 3, 8, 8]), ("y", None))
    ]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], [tensor])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


def prepare(path):
    graph = build_graph(path)
    return Prepared(graph, make_plan(graph, TARGET), "fp32", {c.name: c.flops for c in node_costs(graph)})


@pytest.fixture
def prepared(tmp_path):
    return prepare(write(tmp_path / "m.onnx"))


def written(path, prepared):
    path.write_bytes(b"".join(encode(prepared)))
    return path


@pytest.mark.parametrize("piece", [16, 48, 8 << 20])
def test_the_plan_comes_back(tmp_path, prepared, monkeypatch, piece):
    """Whatever the size of the pieces in which constants are stored and read."""
    monkeypatch.setattr(cache_module, "_PIECE", piece)
    found = decode(written(tmp_path / "k.plan", prepared))
    plan, want = found.plan, prepared.plan
    assert (plan.dispatches, plan.slots, plan.slot_of) == (want.dispatches, want.slots, want.slot_of)
    assert plan.operands == want.operands
    for a, b in zip(plan.storages, want.storages, strict=True):
        assert replace(a, data=None) == replace(b, data=None)
        assert (a.data is None) == (b.data is None)
        if a.data is not None:
            np.testing.assert_array_equal(a.data.array(), b.data.array())
            assert (a.data.dtype, a.data.size) == (b.data.dtype, b.data.size)
            assert all(p.size <= piece and len(p.read()) == p.size for p in a.data.pieces)
    assert max(len(s.data.pieces) for s in plan.storages if s.data is not None) > 1 or piece > 16
    assert (found.precision, found.flops) == (prepared.precision, prepared.flops)
    for name in (*found.graph.inputs, *found.graph.outputs):
        assert found.graph.values[name] == prepared.graph.values[name]


def test_what_is_kept_is_found_again(tmp_path, prepared):
    cache = SessionCache(tmp_path / "cache")
    calls = []

    def make():
        calls.append(1)
        return prepared

    assert cache.get_or_make("k", make) is prepared
    cache.wait()
    assert cache.get_or_make("k", make).plan.dispatches == prepared.plan.dispatches
    assert len(calls) == 1
    assert [file.suffix for file in (tmp_path / "cache").iterdir()] == [".plan"]


def _read(cache, key):
    """Everything of a prepared session, constants too; None where some of it is not to be had."""
    found = cache.get(key)
    if found is None:
        return None
    try:
        return [None if s.data is None else s.data.array() for s in found.plan.storages]
    except PlanLostError:
        return None


def test_every_byte_is_checked(tmp_path, prepared, caplog):
    """A flip anywhere and every truncation are found, logged, and the file goes away."""
    cache = SessionCache(tmp_path)
    data = b"".join(encode(prepared))
    file = tmp_path / "k.plan"
    generator = np.random.default_rng(0)
    for at in (0, 9, 13, 21, 29, len(data) - 1, len(data) - 6, *generator.integers(20, len(data), 200)):
        caplog.clear()
        broken = bytearray(data)
        broken[int(at)] ^= 4
        file.write_bytes(bytes(broken))
        with caplog.at_level(logging.WARNING):
            assert _read(cache, "k") is None, at
        assert not file.exists() and "damaged" in caplog.text
    for length in (0, 5, 20, 200, len(data) - 1):
        file.write_bytes(data[:length])
        assert cache.get("k") is None
    file.write_bytes(data + b"\0" * 16)
    assert cache.get("k") is None


def test_constants_that_change_after_the_file_was_opened(tmp_path, prepared, caplog):
    """They are checked when they are used: what was written over, cut off or deleted meanwhile is not taken."""
    cache = SessionCache(tmp_path)
    data = b"".join(encode(prepared))
    file = tmp_path / "k.plan"
    broken = bytearray(data)
    broken[-40] ^= 1  # the last constant's, before a table of few checksums
    for change in (
        lambda: file.write_bytes(bytes(broken)),
        lambda: file.write_bytes(data[:-60]),
        lambda: file.write_bytes(b""),
        file.unlink,
    ):
        file.write_bytes(data)
        found = cache.get("k")
        change()
        with pytest.raises(PlanLostError):
            [s.data.array() for s in found.plan.storages if s.data is not None]
        assert not file.exists()


def test_a_good_checksum_is_not_enough(tmp_path, prepared):
    """Plans that are well written but point outside of what they have."""
    plan = prepared.plan
    last = plan.dispatches[-1]
    bad = [
        replace(plan, dispatches=(replace(last, writes=(len(plan.storages),)),)),
        replace(plan, dispatches=(replace(last, reads=(-1,)),)),
        replace(plan, dispatches=(replace(last, workgroups=(1, 1, -1)),)),
        replace(plan, slots=tuple(16 for _ in plan.slots)),
        replace(plan, slots=()),
        replace(plan, operands={n: replace(o, shape=(9, 9999)) for n, o in plan.operands.items()}),
        replace(plan, operands={n: replace(o, dtype="float64") for n, o in plan.operands.items()}),
        replace(plan, operands={}),
        replace(plan, storages=tuple(replace(s, size=s.size + 4) for s in plan.storages)),
    ]
    for each in bad:
        with pytest.raises((ValueError, TypeError, KeyError)):
            decode(written(tmp_path / "k.plan", replace(prepared, plan=each)))


def test_the_key_is_the_content(tmp_path):
    cache = SessionCache(tmp_path / "cache")
    (tmp_path / "a").mkdir()
    first, same = write(tmp_path / "m.onnx"), write(tmp_path / "a" / "other.onnx")
    key = cache.key(first, [TARGET])
    assert key == cache.key(same, [TARGET])
    others = {
        cache.key(write(tmp_path / "n.onnx", 2.0), [TARGET]),
        cache.key(first, [replace(TARGET, workgroups=1)]),
        cache.key(first, [TARGET], input_shapes={"x": (1, 3, 9, 9)}),
        cache.key(first, [TARGET], input_values={"x": np.zeros(1)}),
        cache.key(first, [TARGET], input_values={"x": np.ones(1)}),
        cache.key(first, [TARGET], keep=("c",)),
    }
    assert len(others | {key}) == 7
    assert cache.key(tmp_path / "none.onnx", [TARGET]) == ""


def test_external_data_is_part_of_the_key(tmp_path):
    cache = SessionCache(tmp_path / "cache")
    path = write(tmp_path / "m.onnx", 1.0, "w.bin")
    key = cache.key(path, [TARGET])
    write(tmp_path / "m.onnx", 2.0, "w.bin")
    assert cache.key(path, [TARGET]) != key


def test_of_external_data_only_what_the_network_names_is_part_of_the_key(tmp_path):
    cache = SessionCache(tmp_path / "cache")
    path = write(tmp_path / "m.onnx", 1.0, "w.bin")
    key = cache.key(path, [TARGET])
    with (tmp_path / "w.bin").open("ab") as file:
        file.truncate(3 << 30)  # holes, which nobody reads
    assert cache.key(path, [TARGET]) == key


def test_what_the_cache_has_no_room_for_is_not_hashed(tmp_path):
    path = write(tmp_path / "m.onnx", 1.0, "w.bin")
    size = (tmp_path / "w.bin").stat().st_size
    assert SessionCache(tmp_path / "cache", limit=size).key(path, [TARGET]) != ""
    assert SessionCache(tmp_path / "cache", limit=size - 1).key(path, [TARGET]) == ""


def test_the_least_recently_used_goes_first(tmp_path, prepared):
    size = sum(len(chunk) for chunk in encode(prepared))
    cache = SessionCache(tmp_path, limit=size * 5 // 2)
    for at, key in enumerate("ab"):
        cache.put(key, prepared)
        _age(tmp_path / f"{key}.plan", 100 - at)
    (tmp_path / "stray.part").write_bytes(b"0" * 8)
    _age(tmp_path / "stray.part", 999)
    assert cache.get("a") is not None  # 'b' is the older one now
    cache.put("c", prepared)
    assert {file.name for file in tmp_path.glob("*.p*")} - {"m.onnx"} == {"a.plan", "c.plan"}
    SessionCache(tmp_path / "small", limit=size).put("k", prepared)
    assert not (tmp_path / "small").exists()


def _age(file, seconds):
    import os
    import time

    then = time.time() - seconds
    os.utime(file, (then, then))


def test_a_folder_that_can_only_be_read_serves(tmp_path, prepared, monkeypatch):
    cache = SessionCache(tmp_path)
    cache.put("k", prepared)

    def refuse(*_, **__):
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(cache_module.os, "utime", refuse)
    found = cache.get("k")
    assert found is not None and found.plan.slots == prepared.plan.slots


def test_what_another_process_takes_away_meanwhile_is_passed_over(tmp_path, prepared, monkeypatch):
    cache = SessionCache(tmp_path)
    cache.put("a", prepared)
    (tmp_path / "k.plan.1.part").write_bytes(b"half")  # of another process, which is writing
    listed = type(tmp_path).iterdir

    def renamed_behind(folder):
        found = list(listed(folder))
        (tmp_path / "k.plan.1.part").unlink(missing_ok=True)
        return iter(found)

    monkeypatch.setattr(type(tmp_path), "iterdir", renamed_behind)
    cache.put("b", prepared)
    assert cache.get("b") is not None


def test_a_folder_that_cannot_be_written(tmp_path, prepared, caplog):
    (tmp_path / "file").write_text("no folder")
    cache = SessionCache(tmp_path / "file" / "cache")
    with caplog.at_level(logging.INFO):
        assert cache.get_or_make("k", lambda: prepared) is prepared
        cache.wait()
    assert "not kept" in caplog.text
