"""Measured choices of kernels: the table, its file, and that nothing in a file is believed that the rules do
not allow.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from desktop.base.errors import ExportError
from desktop.compute.gpu.device import AdapterInfo
from desktop.compute.nn.compile.cache import Prepared, SessionCache, decode, encode
from desktop.compute.nn.compile.driver import build_graph, lower_graph, make_plan
from desktop.compute.nn.kernels.tiles import (
    Block,
    Neighbors,
    Square,
    Tile,
    choose_block,
    choose_neighbors,
    choose_square,
    choose_tile,
    other_blocks,
    other_neighbors,
    other_squares,
    other_tiles,
)
from desktop.compute.nn.lowering.tuning import (
    Tuning,
    delete_tunings,
    load_tuning,
    save_tuning,
    tuning_file,
)
from desktop.compute.nn.measure.report import DEFAULT_LIMITS

TARGET = DEFAULT_LIMITS["fp32"]
ADAPTER = AdapterInfo("Some GPU", "discrete", "Vulkan", "Maker", "driver 1.2")
CHOICES = Tuning({"conv a": "conv_tiled 16x16 threads of 1x8", "matmul b": "matmul direct"})


# -- the table -----------------------------------------------------------------------------------------------


def test_without_a_measured_choice_the_rule_holds_and_nobody_asks_for_others():
    def never():
        raise AssertionError("the candidates were asked for")

    decision = Tuning().decide("k", "rule", never)
    assert (decision.chosen, decision.tuned) == ("rule", "")


def test_a_measured_choice_is_taken_where_it_is_valid():
    decision = Tuning({"k": "b"}).decide("k", "a", lambda: ["a", "b"])
    assert (decision.chosen, decision.tuned, decision.candidates) == ("b", "b", ("a", "b"))


@pytest.mark.parametrize("name", ["c", "", "B", "b "])
def test_a_choice_that_is_not_valid_is_ignored(name):
    decision = Tuning({"k": name}).decide("k", "a", lambda: ["a", "b"])
    assert (decision.chosen, decision.tuned) == ("a", "")


def test_newer_choices_replace_older_ones():
    merged = CHOICES.updated({"conv a": None, "conv c": "x", "matmul b": "y"})
    assert merged == Tuning({"matmul b": "y", "conv c": "x"})


def test_the_digest_is_of_the_choices_whatever_their_order():
    assert Tuning().digest == ""
    turned = Tuning(dict(reversed(CHOICES.choices.items())))
    assert turned.digest == CHOICES.digest != CHOICES.updated({"conv a": "other"}).digest


# -- the file ------------------------------------------------------------------------------------------------


def test_a_tuning_comes_back(tmp_path):
    assert load_tuning(tmp_path / "none", ADAPTER) == Tuning()
    file = save_tuning(tmp_path / "new" / "folder", ADAPTER, CHOICES)
    assert file == tuning_file(tmp_path / "new" / "folder", ADAPTER)
    assert load_tuning(tmp_path / "new" / "folder", ADAPTER) == CHOICES
    assert [each.name for each in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("change", [{"name": "Other"}, {"driver": "driver 1.3"}, {"backend": "Metal"}])
def test_another_adapter_or_driver_has_its_own(tmp_path, change):
    save_tuning(tmp_path, ADAPTER, CHOICES)
    assert load_tuning(tmp_path, replace(ADAPTER, **change)) == Tuning()
    assert load_tuning(tmp_path, ADAPTER) == CHOICES


def test_another_engine_does_not_take_it(tmp_path, caplog):
    save_tuning(tmp_path, ADAPTER, CHOICES)
    file = tuning_file(tmp_path, ADAPTER)
    file.write_text(json.dumps({**json.loads(file.read_text()), "engine": "0.0"}))
    with caplog.at_level(logging.INFO):
        assert load_tuning(tmp_path, ADAPTER) == Tuning()
    assert [r.message for r in caplog.records if "another engine" in r.message]
    assert len(caplog.records) == 1


def test_a_file_of_another_adapter_under_this_name_is_ignored(tmp_path):
    other = save_tuning(tmp_path, replace(ADAPTER, name="Other"), CHOICES)
    other.rename(tuning_file(tmp_path, ADAPTER))
    assert load_tuning(tmp_path, ADAPTER) == Tuning()


def _document(tmp_path):
    return json.loads(save_tuning(tmp_path, ADAPTER, CHOICES).read_text())


@pytest.mark.parametrize(
    "damage",
    [
        lambda d: b"",
        lambda d: b"\xff\xfe\x00",
        lambda d: b"[" * 100_000,
        lambda d: b"null",
        lambda d: b"[1, 2]",
        lambda d: json.dumps(d).encode()[:-20],
        lambda d: json.dumps({**d, "choices": None}).encode(),
        lambda d: json.dumps({**d, "choices": [["a", "b"]]}).encode(),
        lambda d: json.dumps({**d, "choices": {"a": 1}}).encode(),
        lambda d: json.dumps({**d, "choices": {"a": ["b"]}}).encode(),
        lambda d: json.dumps({**d, "format": "lightloom tuning 0"}).encode(),
        lambda d: json.dumps({k: v for k, v in d.items() if k != "engine"}).encode(),
        lambda d: json.dumps({**d, "choices": {"a": "b" * (5 << 20)}}).encode(),
    ],
)
def test_a_broken_file_is_ignored_with_one_line(tmp_path, caplog, damage):
    document = _document(tmp_path)
    tuning_file(tmp_path, ADAPTER).write_bytes(damage(document))
    with caplog.at_level(logging.INFO):
        assert load_tuning(tmp_path, ADAPTER) == Tuning()
    assert len(caplog.records) == 1
    assert "\n" not in caplog.records[0].message
    save_tuning(tmp_path, ADAPTER, CHOICES)  # and is replaced
    assert load_tuning(tmp_path, ADAPTER) == CHOICES


def test_a_folder_in_the_place_of_the_file_is_ignored(tmp_path):
    tuning_file(tmp_path, ADAPTER).mkdir(parents=True)
    assert load_tuning(tmp_path, ADAPTER) == Tuning()


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match=r"cannot be written: .*; make room or set LIGHTLOOM_CACHE"):
        save_tuning(tmp_path / "file" / "tuning", ADAPTER, CHOICES)


def test_forgetting(tmp_path):
    assert delete_tunings(tmp_path / "none") == 0
    save_tuning(tmp_path, ADAPTER, CHOICES)
    save_tuning(tmp_path, replace(ADAPTER, name="Other"), CHOICES)
    assert delete_tunings(tmp_path) == 2
    assert load_tuning(tmp_path, ADAPTER) == Tuning()
    assert list(tmp_path.iterdir()) == []


# -- which kernels are valid ---------------------------------------------------------------------------------

SHAPES = [(1, 1, 1), (1, 250, 320), (49, 80, 40), (12544, 8, 7), (3136, 6, 36), (64, 64, 9), (65536, 4, 288)]


@pytest.mark.parametrize(("rows", "blocks", "depth"), SHAPES)
@pytest.mark.parametrize("workgroups", [1, 24, 128])
def test_every_tile_keeps_to_the_limits_of_webgpu(rows, blocks, depth, workgroups):
    target = replace(TARGET, workgroups=workgroups)
    rule, others = choose_tile(rows, blocks, depth, target), other_tiles(rows, blocks, depth, target)
    assert others or rows * blocks == 1
    names = [str(tile) for tile in dict.fromkeys((rule, *others))]
    assert len(set(names)) == len(names)
    for tile in (rule, *others):
        across, down = tile.groups(rows, blocks)
        threads = tile.across * tile.down * tile.slices
        assert threads <= 256 and max(across, down) <= 65535
        assert across * tile.across * tile.columns >= blocks and down * tile.down * tile.rows >= rows
        if tile.staged:
            memory = (tile.down * tile.rows + 4 * tile.across * tile.columns) * 4 * 16 * tile.slices
            memory += (tile.slices - 1) * tile.down * tile.rows * tile.across * tile.columns * 16
        else:
            memory = threads * tile.rows * tile.columns * 16 if tile.slices > 1 else 0
            # Several steps at once read without looking whether there are so many.
            assert tile.unroll == 1 or depth % (tile.slices * tile.unroll) == 0
        assert memory <= 16384


def test_a_tile_that_needs_too_many_workgroups_is_no_candidate():
    tiles = other_tiles(1 << 20, 4, 9, replace(TARGET, max_groups=20_000))
    assert tiles and all(tile.groups(1 << 20, 4)[1] <= 20_000 for tile in tiles)
    assert len(tiles) < len(other_tiles(1 << 20, 4, 9, TARGET))


def test_the_other_kernels():
    assert choose_neighbors(1 << 20, 64, TARGET) == Neighbors("depthwise", 4)
    assert [each.count for each in other_neighbors(3)] == [1, 2]
    assert choose_square(64, 64, TARGET) == Square(4)
    assert choose_square(64, 64, replace(TARGET, workgroups=1)) == Square(0)
    assert [each.side for each in other_squares(70_000, 8, 8, TARGET)] == [0]
    assert choose_block(16) in other_blocks(16, 100, TARGET)
    assert other_blocks(1, 1 << 22, TARGET) == [Block(1, 64)] or not other_blocks(1, 1 << 22, TARGET)


# -- plans ---------------------------------------------------------------------------------------------------


def _model(path):
    weights = np.random.default_rng(0).standard_normal((32, 16, 3, 3)).astype(np.float32)
    node = helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])
    infos = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 16, 40, 40]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, None),
    ]
    graph = helper.make_graph([node], "g", infos[:1], infos[1:], [numpy_helper.from_array(weights, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


@pytest.fixture
def graph(tmp_path):
    return build_graph(_model(tmp_path / "m.onnx"))


def _site(graph):
    (site,) = lower_graph(graph, TARGET).sites
    return site


def test_an_empty_tuning_changes_nothing(graph):
    assert make_plan(graph, TARGET, Tuning()).dispatches == make_plan(graph, TARGET).dispatches
    assert all(not d.tuned for d in make_plan(graph, TARGET).dispatches)


def test_each_candidate_is_lowered_over_the_same_memory(graph):
    site = _site(graph)
    assert len(site.decision.candidates) > 10
    rule = make_plan(graph, TARGET).dispatches
    codes = set()
    for candidate in site.decision.candidates:
        plan = make_plan(graph, TARGET, Tuning({site.decision.key: str(candidate)}))
        dispatch = plan.dispatches[site.index]
        assert dispatch.kernel == candidate.kernel
        assert [(d.reads, d.writes) for d in plan.dispatches] == [(d.reads, d.writes) for d in rule]
        assert dispatch.tuned == ("" if candidate == site.decision.rule else str(candidate))
        codes.add((dispatch.code, dispatch.workgroups))
    assert len(codes) == len(site.decision.candidates)


def test_a_choice_for_another_shape_or_that_is_not_valid_leaves_the_rule(graph):
    key = _site(graph).decision.key
    rule = make_plan(graph, TARGET).dispatches
    bad = str(Tile(64, 64, 4, 8))
    for choices in ({key: bad}, {f"{key} ": str(Tile(8, 8, 1, 4))}, {key: "conv_tiled; discard"}):
        assert make_plan(graph, TARGET, Tuning(choices)).dispatches == rule


def test_the_precision_is_in_the_key(graph):
    fp16 = lower_graph(graph, DEFAULT_LIMITS["fp16"]).sites[0].decision.key
    assert fp16 != _site(graph).decision.key


def test_a_prepared_session_remembers_what_was_tuned(tmp_path, graph):
    site = _site(graph)
    plan = make_plan(graph, TARGET, Tuning({site.decision.key: str(site.decision.candidates[1])}))
    file = tmp_path / "k.plan"
    file.write_bytes(b"".join(encode(Prepared(graph, plan, "fp32", {}))))
    found = decode(file)
    assert found.plan.dispatches == plan.dispatches
    assert any(d.tuned for d in found.plan.dispatches)


def test_the_name_of_a_prepared_session_hangs_on_the_tuning(tmp_path):
    cache, path = SessionCache(tmp_path / "cache"), _model(tmp_path / "m.onnx")
    keys = [cache.key(path, [TARGET], tuning=each.digest) for each in (Tuning(), CHOICES)]
    assert keys[0] == cache.key(path, [TARGET]) != keys[1]
