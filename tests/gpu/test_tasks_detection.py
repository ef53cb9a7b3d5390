"""Detectors on both backends: candidates chosen on the GPU against NumPy, a tiny detector's whole path, real
ones against onnxruntime.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

import cv2
import numpy as np
import pytest
import wgpu
from test_pipeline import rgba_frame
from tiny_models import square_detector, squares

from desktop.base.errors import ModelUnsupportedError, UsageError
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Tensor
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import RESULT_BYTES
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.running.one.loading import load_network
from desktop.pipeline.setup.setup import Setup
from desktop.vision.backends.onnxruntime import OnnxRuntimeSession
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import recognize_facts
from desktop.vision.tasks.detection.candidates import MOST, choose_candidates
from desktop.vision.tasks.detection.decoder import AnchorGroup, Columns
from desktop.vision.tasks.detection.gpu_candidates import CAPACITY, GpuCandidates

RED, BLUE = (48, 32, 64, 48), (96, 64, 112, 80)


# -- candidates ----------------------------------------------------------------------------------------------


def on_gpu(gpu, outputs, groups, powers, threshold, shown, lead=0):
    """The GPU's candidates of arrays; `lead` elements stand before each in its buffer."""
    tensors = {}
    for name, array in outputs.items():
        data = np.concatenate([np.full(lead, 0.99, array.dtype), array.ravel()]).tobytes()
        buffer = gpu.device.create_buffer_with_data(
            data=data + bytes(-len(data) % 4), usage=wgpu.BufferUsage.STORAGE
        )
        tensors[name] = Tensor(buffer, array.shape, array.dtype.name, offset=lead * array.itemsize)
    unit = GpuCandidates(gpu, tensors, groups, powers)
    unit.adjust(threshold, shown)
    # Twice: the second run must not see the first one's list.
    for _ in range(2):
        gpu.compute(unit.encode)
    assert unit.result_bytes <= RESULT_BYTES
    found = unit.decode(gpu.queue.read_buffer(unit.result))
    unit.close()
    return found


def same(found, expected):
    assert found.passed == expected.passed
    assert found.anchors.tolist() == expected.anchors.tolist()
    assert found.classes.tolist() == expected.classes.tolist()
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-5)
    # Boxes come as halves: 11 bits.
    np.testing.assert_allclose(found.values, expected.values, rtol=2.0**-11, atol=1e-6)


def table(anchors, classes, dtype, *, last, seed=1):
    rng = np.random.default_rng(seed)
    array = rng.random((anchors, 5 + classes)).astype(dtype)
    array[:, :4] = rng.uniform(-3, 300, (anchors, 4))
    # Rounded, so that there are equals.
    array[:, 4:] = (array[:, 4:] ** 6).round(2)
    return (array if last else np.ascontiguousarray(array.T))[None]


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize(("anchors", "classes"), [(84, 2), (2100, 80), (630, 33)])
def test_candidates_are_numpys(gpu, dtype, last, anchors, classes):
    outputs = {"y": table(anchors, classes, dtype, last=last)}
    groups = (
        AnchorGroup(anchors, classes, Columns("y", 5, last), Columns("y", 0, last), Columns("y", 4, last)),
    )
    shown = np.arange(classes) % 3 != 1
    expected = choose_candidates(outputs, groups, (1.0, 1.0), 0.25, shown)
    assert len(expected.anchors) > 0
    same(on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.25, shown), expected)


@pytest.mark.parametrize("powers", [(0.6, 0.4), (0.5, 0.5), (0.0, 1.0)])
def test_scores_by_powers_and_without_objectness(gpu, powers):
    outputs = {"y": table(300, 5, "float32", last=True)}
    objectness = Columns("y", 4) if powers[0] else None
    groups = (AnchorGroup(300, 5, Columns("y", 5), Columns("y", 0), objectness),)
    shown = np.ones(5, bool)
    expected = choose_candidates(outputs, groups, powers, 0.3, shown)
    found = on_gpu(gpu, outputs, groups, powers, 0.3, shown)
    assert found.passed == expected.passed > 3
    # The GPU's power is not correctly rounded: equals by the CPU may differ in the last bits and change
    # places.
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-5)
    assert set(found.anchors.tolist()) == set(expected.anchors.tolist())


def test_groups_in_outputs_of_their_own_and_inside_buffers(gpu):
    rng = np.random.default_rng(3)
    outputs, groups = {}, []
    for stride, count in ((8, 64), (16, 16), (32, 4)):
        outputs[f"cls_{stride}"] = rng.random((1, count, 1), np.float32).round(2)
        outputs[f"obj_{stride}"] = np.ones((1, count, 1), np.float32)
        outputs[f"box_{stride}"] = rng.random((1, count, 4), np.float32)
        slots = (Columns(f"{kind}_{stride}", 0) for kind in ("cls", "box", "obj"))
        groups.append(AnchorGroup(count, 1, *slots))
    shown = np.ones(1, bool)
    expected = choose_candidates(outputs, groups, (1.0, 1.0), 0.5, shown)
    assert expected.anchors.max() >= 80
    same(on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.5, shown, lead=4), expected)


def test_points_in_outputs_of_their_own(gpu):
    rng = np.random.default_rng(8)
    outputs, groups = {}, []
    for stride, count in ((8, 64), (16, 16), (32, 4)):
        outputs[f"cls_{stride}"] = rng.random((1, count, 1), np.float32).round(2)
        outputs[f"box_{stride}"] = rng.random((1, count, 4), np.float32)
        outputs[f"points_{stride}"] = rng.uniform(-9, 9, (1, count, 11)).astype(np.float32)
        slots = (Columns(f"{kind}_{stride}", 0) for kind in ("cls", "box"))
        groups.append(AnchorGroup(count, 1, *slots, extra=Columns(f"points_{stride}", 1), extras=10))
    shown = np.ones(1, bool)
    expected = choose_candidates(outputs, groups, (1.0, 1.0), 0.5, shown)
    assert {0, 1, 2} == set(np.digitize(expected.anchors, [64, 80]))
    np.testing.assert_array_equal(expected.extras[0], np.vstack([outputs[f"points_{s}"][0] for s in (8, 16, 32)])[
        expected.anchors[0], 1:
    ])  # fmt: skip
    found = on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.5, shown, lead=4)
    same(found, expected)
    np.testing.assert_array_equal(found.extras, expected.extras)


@pytest.mark.parametrize("activation", ["sigmoid", "softmax"])
def test_objectness_is_a_logit_where_scores_are(gpu, activation):
    rng = np.random.default_rng(9)
    rows = rng.normal(0, 3, (300, 12)).astype(np.float32)
    rows[5, 4] = np.nan
    outputs = {"y": rows[None]}
    groups = (AnchorGroup(300, 7, Columns("y", 5), Columns("y", 0), Columns("y", 4), activation=activation),)
    shown = np.ones(7, bool)
    expected = choose_candidates(outputs, groups, (1.0, 1.0), 0.3, shown)
    best, logits = expected.anchors[0], rows[:, 5:].astype(np.float64)
    powers = np.exp(logits[best])
    classes = 1 / (1 + 1 / powers) if activation == "sigmoid" else powers / powers.sum()
    assert expected.scores[0] == pytest.approx(classes.max() / (1 + np.exp(-float(rows[best, 4]))), rel=1e-5)
    same(on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.3, shown), expected)


@pytest.mark.parametrize("bins", [8, 16])
@pytest.mark.parametrize("last", [True, False])
def test_boxes_as_distributions(gpu, bins, last):
    rng = np.random.default_rng(10)
    logits = rng.normal(0, 4, (90, 4, bins)).astype(np.float32)
    table = np.concatenate((logits.reshape(90, -1), rng.random((90, 3), np.float32)), axis=1)
    outputs = {"y": (table if last else np.ascontiguousarray(table.T))[None]}
    groups = (AnchorGroup(90, 3, Columns("y", 4 * bins, last), Columns("y", 0, last), bins=bins),)
    shown = np.ones(3, bool)
    expected = choose_candidates(outputs, groups, (1.0, 1.0), 0.6, shown)
    powers = np.exp(logits[expected.anchors].astype(np.float64))
    means = (powers * np.arange(bins)).sum(axis=2) / powers.sum(axis=2)
    np.testing.assert_allclose(expected.values, means, rtol=1e-6)
    same(on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.6, shown), expected)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize(("said", "count"), [(3, 3), (0, 0), (-1, 0), (500, 40)])
def test_rows_behind_those_that_count_are_none(gpu, dtype, said, count):
    rows = np.random.default_rng(11).random((40, 5), np.float32)
    rows[:, 4] = np.linspace(0.5, 0.9, 40)
    outputs = {"y": rows[None], "count": np.array([said], dtype)}
    groups = (AnchorGroup(40, 1, Columns("y", 4), Columns("y", 0), rows="count"),)
    expected = choose_candidates(outputs, groups, (1.0, 1.0), 0.3, np.ones(1, bool))
    assert sorted(expected.anchors.tolist()) == list(range(count))
    same(on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.3, np.ones(1, bool)), expected)


def test_only_peaks_of_a_map_are_looked_at(gpu):
    rng = np.random.default_rng(12)
    across, down = 13, 9
    scores = rng.random((1, 2, down, across), np.float32).round(1)
    outputs = {"heat": scores, "box": rng.random((1, 4, down, across), np.float32)}
    group = AnchorGroup(across * down, 2, Columns("heat", 0, False), Columns("box", 0, False), peaks=across)
    expected = choose_candidates(outputs, (group,), (1.0, 1.0), 0.3, np.ones(2, bool))
    around = np.pad(scores[0], ((0, 0), (1, 1), (1, 1)))
    highest = np.max([around[:, y : y + down, x : x + across] for y in range(3) for x in range(3)], axis=0)
    best = scores[0].argmax(axis=0).ravel()
    is_peak = (scores[0] == highest).reshape(2, -1)[best, np.arange(across * down)]
    assert sorted(expected.anchors.tolist()) == np.flatnonzero(is_peak).tolist()
    same(on_gpu(gpu, outputs, (group,), (1.0, 1.0), 0.3, np.ones(2, bool)), expected)


def test_a_column_with_the_classs_number(gpu):
    rng = np.random.default_rng(4)
    rows = rng.random((300, 6), np.float32).round(2)
    rows[:, 5] = rng.integers(-1, 12, 300)
    rows[7, 5], rows[8, 5] = np.nan, np.inf
    outputs = {"y": rows[None]}
    groups = (AnchorGroup(300, 10, Columns("y", 4), Columns("y", 0), class_number=Columns("y", 5)),)
    shown = np.arange(10) != 3
    expected = choose_candidates(outputs, groups, (0.0, 1.0), 0.4, shown)
    assert set(expected.classes.tolist()) == set(range(10)) - {3}
    same(on_gpu(gpu, outputs, groups, (0.0, 1.0), 0.4, shown, lead=2), expected)


def test_what_is_not_a_number_counts_as_nothing(gpu):
    outputs = {"y": table(90, 3, "float32", last=True)}
    outputs["y"][0, ::7, 5] = np.nan
    outputs["y"][0, 1::7, 6] = np.inf
    outputs["y"][0, 2::7, 4] = np.nan
    outputs["y"][0, 3::7, 7] = -np.inf
    groups = (AnchorGroup(90, 3, Columns("y", 5), Columns("y", 0), Columns("y", 4)),)
    shown = np.ones(3, bool)
    expected = choose_candidates(outputs, groups, (1.0, 1.0), 0.1, shown)
    same(on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.1, shown), expected)


@pytest.mark.parametrize(("activation", "others"), [("sigmoid", 0), ("softmax", 1)])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_logits_are_made_scores(gpu, dtype, activation, others):
    """Against the formulae in Python: one over one and a power, or a power over their sum."""
    rng = np.random.default_rng(6)
    logits = rng.normal(0, 3, (100, 7 + others)).astype(dtype)
    logits[3, 2], logits[4, 1], logits[5, 0], logits[6] = np.nan, np.inf, -np.inf, np.nan
    outputs = {"logits": logits[None], "boxes": rng.random((1, 100, 4)).astype(dtype)}
    groups = (
        AnchorGroup(100, 7, Columns("logits", 0), Columns("boxes", 0), activation=activation, others=others),
    )
    shown = np.ones(7, bool)
    found = on_gpu(gpu, outputs, groups, (0.0, 1.0), 0.4, shown)
    expected = choose_candidates(outputs, groups, (0.0, 1.0), 0.4, shown)
    assert found.passed == expected.passed > 9
    np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-5)
    order = np.argsort(found.anchors), np.argsort(expected.anchors)
    assert found.anchors[order[0]].tolist() == expected.anchors[order[1]].tolist()
    assert found.classes[order[0]].tolist() == expected.classes[order[1]].tolist()
    sane = np.clip(np.where(np.isnan(logits), -1e4, logits.astype(np.float64)), -1e4, 1e4)
    for anchor, index, score in zip(found.anchors, found.classes, found.scores, strict=True):
        row = [math.exp(value - sane[anchor].max()) for value in sane[anchor]]
        plain = row[index] / sum(row) if activation == "softmax" else 1 / (1 + math.exp(-sane[anchor, index]))
        assert index == int(np.argmax(sane[anchor, :7])) and score == pytest.approx(plain, rel=1e-4)


def test_the_best_of_more_than_fit(gpu):
    outputs = {"y": table(2000, 1, "float32", last=True)}
    outputs["y"][0, :, 4:] = 1.0
    outputs["y"][0, :, 5] = np.random.default_rng(2).permutation(np.linspace(0.3, 0.99, 2000))
    groups = (AnchorGroup(2000, 1, Columns("y", 5), Columns("y", 0), Columns("y", 4)),)
    expected = choose_candidates(outputs, groups, (1.0, 1.0), 0.2, np.ones(1, bool))
    found = on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.2, np.ones(1, bool))
    assert (len(found.anchors), found.passed) == (MOST, 2000)
    same(found, expected)


def test_more_than_the_list_holds_are_counted(gpu):
    count = CAPACITY + 1000
    outputs = {"y": np.full((1, count, 6), 0.9, np.float32)}
    groups = (AnchorGroup(count, 1, Columns("y", 5), Columns("y", 0), Columns("y", 4)),)
    found = on_gpu(gpu, outputs, groups, (1.0, 1.0), 0.5, np.ones(1, bool))
    assert found.passed == count and len(set(found.anchors.tolist())) == MOST


def test_outputs_that_the_gpu_path_does_not_take(gpu):
    group = AnchorGroup(10, 1, Columns("y", 5), Columns("y", 0), Columns("y", 4))
    whole = {"y": Tensor(gpu.buffer(240, wgpu.BufferUsage.STORAGE), (1, 10, 6), "int32")}
    with pytest.raises(ModelUnsupportedError, match="int32"):
        GpuCandidates(gpu, whole, (group,), (1.0, 1.0))
    huge = {"y": replace(whole["y"], dtype="float32")}
    with pytest.raises(ModelUnsupportedError, match="anchors"):
        GpuCandidates(gpu, huge, (replace(group, anchors=1 << 20),), (1.0, 1.0))


# -- the whole path on a tiny detector -----------------------------------------------------------------------


@pytest.fixture
def model(tmp_path):
    return square_detector(tmp_path / "squares.onnx")


def boxes_of(reading):
    return {item.label: tuple(round(v, 3) for v in item.box) for item in reading.objects}


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_squares_are_found_where_they_are(gpu, model, backend):
    network = load_network(gpu, model, "detection", backend=backend)
    found = network.analyze_pixels(squares())
    assert boxes_of(found) == {"red": RED, "blue": BLUE}
    assert [item.label for item in found.objects] == ["red", "blue"]
    # Halving the picture mixes an eighth of what is beside it into the cell's outer pixels, along both axes.
    inside = (31 / 32) ** 2
    np.testing.assert_allclose(
        [item.score for item in found.objects], [inside, inside * 230 / 255], atol=2e-3
    )
    assert (found.size, found.left_out) == ((128, 96), 0)
    text = network.describe()
    assert "YOLOX" in text and "BGR" in text and "squares.txt" in text
    network.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_thresholds_and_classes_change_while_it_runs(gpu, model, backend):
    network = load_network(gpu, model, "detection", backend=backend)
    for settings, expected in (
        ({"score": 0.9}, {"red"}),
        ({"classes": ("Blue",)}, {"blue"}),
        ({"classes": ("green",)}, set()),
        ({}, {"red", "blue"}),
    ):
        network.head.adjust(settings)
        assert set(boxes_of(network.analyze_pixels(squares()))) == expected
    with pytest.raises(UsageError, match="score"):
        network.head.adjust({"score": 1.5})
    network.close()


def test_what_is_wrong_is_said(gpu, model):
    with pytest.raises(UsageError, match="no decoder 'yolo9000'"):
        load_network(gpu, model, "detection", settings={"decoder": "yolo9000"})
    for decoder in ("yunet", "ultraface", "fastestdet"):
        with pytest.raises(ModelUnsupportedError, match="are not those of"):
            load_network(gpu, model, "detection", settings={"decoder": decoder})
    network = load_network(gpu, model, "detection", settings={"classes": ("red", "unicorn")})
    assert "no class 'unicorn'" in network.describe()
    network.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_size_that_is_an_input_is_the_networks_own(gpu, tmp_path, backend):
    """As RT-DETR's authors export it: three lists, boxes as shares times an input."""
    path = three_lists(tmp_path / "rtdetr.onnx", ["orig_target_sizes"])
    network = load_network(gpu, path, backend=backend)
    assert network.head.decoder.id == "rtdetr_pixels"
    found = network.analyze_pixels(np.zeros((100, 200, 3), np.uint8))
    assert [(item.index, round(item.score, 3)) for item in found.objects] == [(16, 0.9), (0, 0.75)]
    # The picture is stretched, so that shares stay shares; halves of pixels of the input: 1/2048 of them.
    expected = [(20, 10, 80, 50), (100, 20, 190, 90)]
    np.testing.assert_allclose([item.box for item in found.objects], expected, atol=0.1)
    network.close()


def test_an_input_that_is_no_size_is_not_filled(tmp_path):
    facts = ModelFile.open(three_lists(tmp_path / "two.onnx", ["orig_target_sizes", "more"])).facts
    assert facts.inputs == 3 and recognize_facts(facts) is None


def three_lists(path, sizes):
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    shares = np.zeros((1, 50, 4), np.float32)
    shares[0, 3], shares[0, 7] = (0.1, 0.1, 0.4, 0.5), (0.5, 0.2, 0.95, 0.9)
    scores, labels = np.full((1, 50), 0.01, np.float32), np.zeros((1, 50), np.int64)
    scores[0, 3], scores[0, 7], labels[0, 3] = 0.9, 0.75, 16
    weights = [
        numpy_helper.from_array(array, name)
        for name, array in (("a", shares), ("b", scores), ("c", labels), ("nothing", np.float32(0)))
    ]
    nodes = [
        helper.make_node("ReduceMean", ["images"], ["mean"], keepdims=0),
        helper.make_node("Mul", ["mean", "nothing"], ["zero"]),
        helper.make_node("Cast", ["zero"], ["whole"], to=TensorProto.INT64),
        helper.make_node("Concat", [sizes[0], sizes[-1]], ["pair"], axis=1),
        helper.make_node("Cast", ["pair"], ["factors"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["factors", "axis"], ["rows"]),
        helper.make_node("Mul", ["a", "rows"], ["large"]),
        helper.make_node("Add", ["large", "zero"], ["boxes"]),
        helper.make_node("Add", ["b", "zero"], ["scores"]),
        helper.make_node("Add", ["c", "whole"], ["labels"]),
    ]
    weights.append(numpy_helper.from_array(np.array([1], np.int64), "axis"))
    graph = helper.make_graph(
        nodes,
        "three lists",
        [
            helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, 64, 96]),
            *(helper.make_tensor_value_info(name, TensorProto.INT64, ["N", 2]) for name in sizes),
        ],
        [
            helper.make_tensor_value_info("labels", TensorProto.INT64, [1, 50]),
            helper.make_tensor_value_info("boxes", TensorProto.FLOAT, [1, 50, 4]),
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 50]),
        ],
        weights,
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


def play(pipeline, frame, limit=400):
    """Render until the network has said something."""
    for count in range(limit):
        pipeline.render(frame if count == 0 else None)
        pipeline.drain()
        if pipeline.analyses.latest is not None:
            return pipeline.analyses.latest
        time.sleep(0.002)
    raise AssertionError("the network never answered")


def picture_frame(rgb):
    return rgba_frame(np.dstack((rgb, np.full(rgb.shape[:2], 255, np.uint8))))


@pytest.mark.parametrize("budget", [None, 1e-6])
@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_in_the_pipeline_and_in_slices(gpu, model, backend, budget):
    pipeline = Pipeline(gpu, FilterLibrary(None))
    network = LiveNetwork.load(gpu, NetworkSpec(str(model), backend))
    assert network.features.task == "detection" and network.features.labels == ("red", "blue")
    pipeline.set_analysis(network)
    pipeline.network_budget_ms = budget
    found = play(pipeline, picture_frame(squares()))
    assert boxes_of(found) == {"red": RED, "blue": BLUE}
    assert found.size == (128, 96)
    pipeline.close()


def test_the_size_is_that_of_the_picture_that_was_looked_at(gpu, model):
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pipeline.set_analysis(LiveNetwork.load(gpu, NetworkSpec(str(model), "wgpu")))
    pipeline.network_budget_ms = 1e-6
    pipeline.render(picture_frame(squares()))
    pipeline.drain()
    while pipeline.analyses.latest is None:
        # Another size comes while the slices of the first one's inference are still recorded.
        pipeline.render(picture_frame(squares(256, 192)))
        pipeline.network_budget_ms = 1e-6
        pipeline.drain()
    assert pipeline.analyses.latest.size == (128, 96)
    assert boxes_of(pipeline.analyses.latest) == {"red": RED, "blue": BLUE}
    pipeline.close()


def test_a_threshold_does_not_load_the_network_anew(model):
    loaded = []

    def load(gpu, spec):
        loaded.append(spec)
        return LiveNetwork.load(gpu, spec)

    engine = Engine(Gpu.open, FilterLibrary(None), load, wait=True)
    spec = NetworkSpec(str(model), task="detection")
    engine.current.set_setup(Setup(network=spec))
    assert len(engine.analyze_frame(picture_frame(squares())).objects) == 2
    engine.current.set_setup(Setup(network=replace(spec, settings={"score": 0.9})))
    assert [o.label for o in engine.analyze_frame(picture_frame(squares())).objects] == ["red"]
    engine.current.set_setup(Setup(network=replace(spec, settings={"classes": ("blue",)})))
    assert [o.label for o in engine.analyze_frame(picture_frame(squares())).objects] == ["blue"]
    assert len(loaded) == 1
    engine.current.set_setup(Setup(network=replace(spec, preprocess={"resize": "stretch"})))
    assert len(loaded) == 2
    engine.close()


def test_the_task_can_be_said(gpu, model):
    with pytest.raises(ModelUnsupportedError, match="is not a classifier"):
        LiveNetwork.load(gpu, NetworkSpec(str(model), task="classification"))


# -- real networks -------------------------------------------------------------------------------------------


def sigmoid(x):
    return 1.0 / (1.0 + math.exp(-x))


def reference_yolox(outputs):
    rows = outputs["output"][0]
    number = 0
    for stride in (8, 16, 32):
        for y in range(416 // stride):
            for x in range(416 // stride):
                row = rows[number]
                number += 1
                best = int(np.argmax(row[5:]))
                w, h = math.exp(row[2]) * stride, math.exp(row[3]) * stride
                yield (x + row[0]) * stride, (y + row[1]) * stride, w, h, row[4] * row[5 + best], best


def reference_fastestdet(outputs):
    (grid,) = outputs.values()
    for y in range(22):
        for x in range(22):
            column = grid[0, :, y, x]
            best = int(np.argmax(column[5:]))
            score = column[0] ** 0.6 * column[5 + best] ** 0.4
            middle = (x + math.tanh(column[1])) * 16, (y + math.tanh(column[2])) * 16
            yield *middle, sigmoid(column[3]) * 352, sigmoid(column[4]) * 352, score, best


def reference_ultraface(outputs):
    for score, box in zip(outputs["scores"][0], outputs["boxes"][0], strict=True):
        left, top, right, bottom = box * (320, 240, 320, 240)
        yield (left + right) / 2, (top + bottom) / 2, right - left, bottom - top, score[1], 0


def reference_yunet(outputs):
    for stride in (8, 16, 32):
        across = 320 // stride
        kinds = (outputs[f"{kind}_{stride}"][0] for kind in ("cls", "obj", "bbox"))
        for number, (cls, obj, box) in enumerate(zip(*kinds, strict=True)):
            x, y = (number % across + box[0]) * stride, (number // across + box[1]) * stride
            score = math.sqrt(cls[0] * obj[0])
            yield x, y, math.exp(box[2]) * stride, math.exp(box[3]) * stride, score, 0


def reference_boxes(rows, threshold, iou):
    """(class, score, box in the input) by OpenCV's suppression, each class for itself."""
    rows = [row for row in rows if row[4] >= threshold]
    found = []
    for index in sorted({row[5] for row in rows}):
        of_class = [row for row in rows if row[5] == index]
        boxes = [[float(x - w / 2), float(y - h / 2), float(w), float(h)] for x, y, w, h, _, _ in of_class]
        scores = [float(row[4]) for row in of_class]
        for i in cv2.dnn.NMSBoxes(boxes, scores, threshold, iou):
            x, y, w, h = boxes[i]
            found.append((index, scores[i], (x, y, x + w, y + h)))
    return found


def overlap(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    shared = max(w, 0) * max(h, 0)
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


REAL = {
    "detect/yolox_nano_zoo": (reference_yolox, "pets.jpg", {16}, 2),
    "detect/FastestDet": (reference_fastestdet, "pets.jpg", {16}, 2),
    "face/ultraface_version-RFB-320": (reference_ultraface, "face.jpg", {0}, 4),
    "face/yunet_n_dynamic": (reference_yunet, "face.jpg", {0}, 4),
}


@pytest.mark.parametrize("backend", ["onnxruntime", "wgpu"])
@pytest.mark.parametrize("name", REAL)
def test_real_detectors_find_what_is_there(gpu, shared, name, backend):
    reference, image, classes, count = REAL[name]
    path = shared / "models" / f"{name}.onnx"
    network = load_network(gpu, path, "detection", backend=backend)
    picture = cv2.imread(str(shared / "images" / "samples" / image))[..., ::-1]
    found = network.analyze_pixels(np.ascontiguousarray(picture))
    assert {item.index for item in found.objects} == classes and len(found.objects) == count
    plan, decoder = network.preprocess, network.head.decoder
    tensor = network.read_input()
    outputs = OnnxRuntimeSession.load(path, input_shapes={"input": plan.shape}).run(
        {network.session.inputs[0].name: tensor}
    )
    expected = reference_boxes(reference(outputs), decoder.score, decoder.iou)
    height, width = picture.shape[:2]
    scale = min(plan.width / width, plan.height / height)
    for index, score, box in expected:
        if plan.resize == "letterbox":
            at = ((plan.width - round(width * scale)) // 2, (plan.height - round(height * scale)) // 2) * 2
            box = [(v - a) / scale for v, a in zip(box, at, strict=True)]
        else:
            box = [
                v * n / m
                for v, n, m in zip(box, (width, height) * 2, (plan.width, plan.height) * 2, strict=True)
            ]
        box = [min(max(v, 0), limit) for v, limit in zip(box, (width, height) * 2, strict=True)]
        near = [item for item in found.objects if item.index == index and overlap(item.box, box) >= 0.97]
        assert len(near) == 1 and abs(near[0].score - score) < 5e-3, (index, score, box)
    assert len(expected) == count
    network.close()


@pytest.mark.parametrize("backend", ["onnxruntime", "wgpu"])
def test_yunets_points_are_opencvs(gpu, shared, backend):
    """Beside OpenCV's own detector of this network, which is given what the network is: within 1 % of the
    picture's diagonal.
    """
    path = shared / "models" / "face" / "yunet_n_dynamic.onnx"
    picture = cv2.imread(str(shared / "images" / "samples" / "face.jpg"))
    network = load_network(gpu, path, "detection", backend=backend)
    found = network.analyze_pixels(np.ascontiguousarray(picture[..., ::-1]))
    tensor = network.read_input()
    plan = network.preprocess
    network.close()
    laid = np.ascontiguousarray(np.rint(tensor[0].transpose(1, 2, 0)).clip(0, 255).astype(np.uint8))
    reference = cv2.FaceDetectorYN.create(str(path), "", (plan.width, plan.height), 0.6, 0.3)
    _, faces = reference.detect(laid)
    height, width = picture.shape[:2]
    scale = min(plan.width / width, plan.height / height)
    at = ((plan.width - round(width * scale)) / 2, (plan.height - round(height * scale)) / 2)
    expected = [(face[4:14].reshape(5, 2) - at) / scale for face in faces]
    assert len(found.objects) == len(expected) == 4
    for item in found.objects:
        far = [np.linalg.norm(np.array(item.points) - points, axis=1).max() for points in expected]
        assert min(far) <= 0.01 * math.hypot(width, height)
