"""Two networks on one picture: names and points of what a detector finds, on both backends, live and in batch
work, beside plain NumPy.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from key_point_models import constant_network
from onnx import TensorProto, helper, numpy_helper
from test_tasks_detection import RED, picture_frame
from tiny_models import red_or_blue_model, square_detector, squares

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.crop_network import RESULT_BYTES
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.running.pairs.frame_pair import FramePair
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.shapes import Box, Points

SIDE = 32
SIZE = (128, 96)


def free_batch(path):
    """A file's network with a batch that is free."""
    model = onnx.load(path)
    for info in (*model.graph.input, *model.graph.output):
        info.type.tensor_type.shape.dim[0].dim_param = "n"
    for constant in model.graph.initializer:
        if constant.name == "s":
            constant.CopyFrom(numpy_helper.from_array(np.array([-1, 3], np.int64), "s"))
    onnx.save(model, path)
    return path


def pointer(path, broken=False):
    """A network of 21 points that stand still in what it sees, and a score: how red that is.

    The points are such that the region that follows from them is the one that they are in; with `broken`, of
    what is not red no numbers.
    """
    points = np.tile(np.array((16.0, 17.6, 0.0), np.float32), (21, 1))
    for number, place in {0: (16, 25.6), 1: (8, 17.6), 2: (16, 9.6), 17: (24, 17.6)}.items():
        points[number, :2] = place
    points[[5, 9, 13], :2] = (16, 12)
    weight = np.zeros((1, 3, 1, 1), np.float32)
    weight[0, 0] = 20
    constants = {
        "w": weight,
        "b": np.array([-4], np.float32),
        "one": np.array([1, 1], np.int64),
        "p": points.reshape(1, 63),
        "zero": np.zeros((1, 1), np.float32),
    }
    nodes = [
        helper.make_node("GlobalAveragePool", ["x"], ["mean"]),
        helper.make_node("Conv", ["mean", "w", "b"], ["logit"]),
        helper.make_node("Reshape", ["logit", "one"], ["row"]),
        helper.make_node("Sigmoid", ["row"], ["score"]),
        *([helper.make_node("Sqrt", ["row"], ["root"])] if broken else []),
        helper.make_node("Mul", ["root" if broken else "row", "zero"], ["nothing"]),
        helper.make_node("Add", ["p", "nothing"], ["points"]),
    ]
    graph = helper.make_graph(
        nodes,
        "pointer",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, SIDE, SIDE])],
        [
            helper.make_tensor_value_info("points", TensorProto.FLOAT, [1, 63]),
            helper.make_tensor_value_info("score", TensorProto.FLOAT, [1, 1]),
        ],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pairs")
    return {
        "squares": square_detector(folder / "squares.onnx"),
        "single": red_or_blue_model(folder / "colors.onnx"),
        "batch": free_batch(red_or_blue_model(folder / "many.onnx")),
        "pointer": pointer(folder / "pointer.onnx"),
    }


def spec_of(files, second, backend, second_backend=None, **fields):
    closer = NetworkSpec(str(files[second]), second_backend or backend, **fields)
    return NetworkSpec(str(files["squares"]), backend, second=closer)


def play(pipeline, picture, *, most=1000):
    """Render a picture, and nothing new behind it, until both networks have answered."""
    pipeline.analyses.latest = None
    for count in range(most):
        pipeline.render(picture_frame(picture) if count == 0 else None)
        pipeline.drain()
        if pipeline.analyses.latest is not None:
            return pipeline.analyses.latest
        time.sleep(0.002)
    raise AssertionError("the networks never answered")


WAYS = [("wgpu", None), ("onnxruntime", None), ("wgpu", "onnxruntime"), ("onnxruntime", "wgpu")]


@pytest.mark.parametrize("budget", [None, 1e-6])
@pytest.mark.parametrize("second", ["single", "batch"])
@pytest.mark.parametrize(("backend", "other"), WAYS)
def test_each_thing_is_named_by_the_second_network(gpu, files, backend, other, second, budget):
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pair = load_analysis(gpu, spec_of(files, second, backend, other))
    assert isinstance(pair, FramePair) == (backend == "wgpu" and other is None)
    pipeline.set_analysis(pair)
    pipeline.network_budget_ms = budget
    found = play(pipeline, squares())
    assert found.size == SIZE and found.others == () and not found.rested
    boxes = {shape.label: shape for shape in found.shapes()}
    assert set(boxes) == {"red: red", "blue: blue"}
    red = boxes["red: red"]
    assert (red.left, red.top, red.right, red.bottom) == pytest.approx(
        [v / s for v, s in zip(RED, SIZE * 2, strict=True)]
    )
    # The crop is the square alone: red is 1, and softmax of (8, 0, 0) is what the second says.
    assert red.score == pytest.approx(math.exp(8) / (math.exp(8) + 2), abs=1e-3)
    assert [entry["second"]["top"][0]["label"] for entry in found.json()["objects"]] == ["red", "blue"]
    json.dumps(found.json())
    assert any("red" in line for line in found.lines()) and found.text()
    pipeline.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_points_are_brought_into_the_picture(gpu, files, backend):
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pipeline.set_analysis(load_analysis(gpu, spec_of(files, "pointer", backend)))
    found = play(pipeline, squares())
    # The blue square is not red enough to have points; the red one's region is 20 pixels around (56, 40).
    (look,) = found.objects
    assert look.found.label == "red"
    wrist = np.array(look.points[0]) * SIZE
    assert wrist == pytest.approx((46 + 16 / SIDE * 20, 30 + 25.6 / SIDE * 20), abs=1e-3)
    box, points = found.shapes()
    assert isinstance(box, Box) and isinstance(points, Points) and box.thing == points.thing == 0
    entry = found.json()["objects"][0]
    assert np.allclose(entry["second"][-1]["points"][0], wrist) and len(entry["region"]) == 4
    pipeline.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_what_is_no_number_in_either_is_told(gpu, files, tmp_path, backend):
    found = []
    for first, second in (
        (files["squares"], files["pointer"]),
        (square_detector(tmp_path / "broken.onnx", 1), files["batch"]),
        (files["squares"], pointer(tmp_path / "pointer.onnx", broken=True)),
    ):
        pipeline = Pipeline(gpu, FilterLibrary(None))
        spec = NetworkSpec(str(first), backend, second=NetworkSpec(str(second), backend))
        pipeline.set_analysis(load_analysis(gpu, spec))
        found.append(play(pipeline, squares()).has_nan)
        pipeline.close()
    assert found == [False, True, True]


@pytest.fixture
def without_rest(monkeypatch):
    """A pair on threads runs again at once."""
    monkeypatch.setattr("desktop.pipeline.running.pairs.live_pair._LEAST_REST_S", 0.0)


@pytest.mark.usefixtures("without_rest")
@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_the_detector_rests_while_the_points_are_sure(gpu, files, backend, monkeypatch):
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pair = load_analysis(gpu, spec_of(files, "pointer", backend, things=1))
    pipeline.set_analysis(pair)
    bound = []
    finds = pair.first.head.encode if backend == "wgpu" else pair.first.head.read
    monkeypatch.setattr(
        pair.first.head, "encode" if backend == "wgpu" else "read", lambda *a: (bound.append(1), finds(*a))[1]
    )

    def show(picture):
        pipeline.network_budget_ms = 1e6
        return play(pipeline, picture)

    first = show(squares())
    assert not first.rested and len(bound) == 1
    for _ in range(25):
        carried = show(squares())
        assert carried.rested and len(carried.objects) == 1 and carried.objects[0].found.box is None
        # On the GPU a position is kept as a 32768th of what the network sees, frame by frame.
        assert np.allclose(carried.objects[0].points, first.objects[0].points, atol=1e-3)
    # As many as are wanted are held, so it never looked again.
    assert len(bound) == 1
    # What was followed is gone: the picture after that is looked at by the detector, and so are all until
    # something is found.
    assert show(np.zeros_like(squares())).objects == ()
    for _ in range(2):
        assert show(np.zeros_like(squares())).objects == () and not pipeline.analyses.latest.rested
    elsewhere = np.roll(squares(), (16, 32), (0, 1))
    again = show(elsewhere)
    assert not again.rested and np.allclose(
        np.array(again.objects[0].points) * SIZE,
        np.array(first.objects[0].points) * SIZE + (32, 16),
        atol=1e-3,
    )
    assert show(elsewhere).rested
    pipeline.close()


def test_slices_of_a_resting_pair_are_those_of_the_second_network(gpu, files):
    """With next to no time a frame takes one step: an inference while the detector rests has as many as the
    second network alone.
    """
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pair = load_analysis(gpu, spec_of(files, "pointer", "wgpu", things=1))
    pipeline.set_analysis(pair)
    frames = []
    for number in range(3):
        pipeline.analyses.latest = None
        pipeline.network_budget_ms = 1e-9
        pipeline.render(picture_frame(squares()))
        count = 1
        while pipeline.analyses.latest is None:
            pipeline.network_budget_ms = 1e-9
            pipeline.render(None)
            pipeline.drain()
            count += 1
        frames.append(count)
        assert pipeline.analyses.latest.rested == (number > 0) and len(pipeline.analyses.latest.objects) == 1
    assert frames[1] <= pair.second.steps + 2 < frames[0]
    pipeline.close()


@pytest.mark.usefixtures("without_rest")
@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_it_looks_for_more_from_time_to_time(gpu, files, backend):
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pipeline.set_analysis(load_analysis(gpu, spec_of(files, "pointer", backend, things=2)))
    one = squares()
    one[64:80, 96:112] = 0
    two = squares()
    two[64:80, 96:112] = (255, 0, 0)
    rested, counts = [], []
    for picture in [one] * 3 + [two] * 12:
        pipeline.network_budget_ms = 1e6
        found = play(pipeline, picture)
        rested.append(found.rested)
        counts.append(len(found.objects))
    assert rested[:3] == [False, True, True]
    # The second square is seen when the detector looks again; the first keeps its place before it. Then all
    # that are wanted are held.
    joined = rested.index(False, 3)
    assert counts == [1] * joined + [2] * (15 - joined) and all(rested[joined + 1 :])
    pipeline.close()


def test_batch_work_looks_at_each_picture_anew(gpu, files):
    engine = Engine(lambda: Gpu.open(None), FilterLibrary(None), load_analysis, wait=True, in_flight=1)
    for backend in ("wgpu", "onnxruntime"):
        engine.current.set_setup(Setup(network=spec_of(files, "pointer", backend)))
        assert "Secondary network" in engine.current.network_status.text
        for picture in (squares(), np.roll(squares(), (16, 32), (0, 1)), squares()):
            found = engine.analyze_frame(picture_frame(picture))
            assert len(found.objects) == 1 and not found.rested
    engine.close()


def test_at_most_four_kib_come_back_with_a_frame(gpu, files):
    for second in ("single", "batch", "pointer"):
        pair = load_analysis(gpu, spec_of(files, second, "wgpu"))
        assert pair.second.most * 48 + pair.second.result_bytes <= RESULT_BYTES
        pipeline = Pipeline(gpu, FilterLibrary(None))
        pipeline.set_analysis(pair)
        play(pipeline, squares())
        assert 0 < pipeline.stats.readback_bytes <= 4096
        pipeline.close()


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_more_things_than_it_looks_at_are_shown_or_left(gpu, files, backend):
    pipeline = Pipeline(gpu, FilterLibrary(None))
    pipeline.set_analysis(load_analysis(gpu, spec_of(files, "single", backend, things=1)))
    found = play(pipeline, squares())
    assert len(found.objects) == 1
    # What comes back of a frame are the regions alone; a result that was read back has the others too.
    assert len(found.others) == found.left_out == (backend == "onnxruntime")
    assert bool(found.hint) == (backend == "onnxruntime")
    pipeline.close()


def test_settings_of_both_change_while_they_run(gpu, files):
    for backend in ("wgpu", "onnxruntime"):
        spec = spec_of(files, "pointer", backend)
        pair = load_analysis(gpu, spec)
        assert pair.features.task == "detection" and pair.features.second.task == "key_points"
        pipeline = Pipeline(gpu, FilterLibrary(None))
        pipeline.set_analysis(pair)
        assert len(play(pipeline, squares()).objects) == 1
        assert pair.adjust(replace(spec, settings={"classes": ("blue",)}))
        assert len(play(pipeline, squares()).objects) == 0
        # Now the blue one is sure enough.
        assert pair.adjust(
            replace(
                spec, settings={"classes": ("blue",)}, second=replace(spec.second, settings={"score": 0.0})
            )
        )
        assert [look.found.label for look in play(pipeline, squares()).objects] == ["blue"]
        for other in (replace(spec, second=None), replace(spec, second=replace(spec.second, things=2))):
            assert not pair.adjust(other)
        pipeline.close()


def test_a_network_that_cannot_serve_says_so(gpu, files, shared):
    style = NetworkSpec(str(shared / "models" / "style" / "fns_candy.onnx"))
    with pytest.raises(ModelUnsupportedError, match="cannot be a secondary network"):
        load_analysis(gpu, NetworkSpec(str(files["squares"]), second=style))
    named = NetworkSpec(str(files["single"]), second=NetworkSpec(str(files["single"])))
    with pytest.raises(ModelUnsupportedError, match="detects no objects"):
        load_analysis(gpu, named)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_large_second_network_looks_at_fewer_or_is_refused(gpu, files, tmp_path, monkeypatch, backend):
    monkeypatch.setitem(gpu.limits, "max-storage-buffer-binding-size", 3 * 96 * 96 * 4 * 3)
    large = constant_network(tmp_path / "large.onnx", {"y": np.zeros((1, 3), np.float32)}, (96, 96))
    pair = load_analysis(gpu, spec_of({**files, "large": large}, "large", backend))
    assert pair.second.most == 3
    pair.close()
    monkeypatch.setitem(gpu.limits, "max-storage-buffer-binding-size", 3 * 96 * 96 * 4 - 1)
    with pytest.raises(ModelUnsupportedError, match="smaller"):
        load_analysis(gpu, spec_of({**files, "large": large}, "large", backend))


# -- real networks, beside plain NumPy -----------------------------------------------------------------------


def numpy_hand(folder, picture):
    """The two stages by ONNX Runtime, OpenCV and the published numbers: points (21, 2) of the best hand, in
    pixels.
    """
    height, width = picture.shape[:2]
    palm = onnxruntime.InferenceSession(str(folder / "keypoints" / "keijiro_palm_detection.onnx"))
    ratio = min(128 / width, 128 / height)
    size = (round(width * ratio), round(height * ratio))
    left, top = (128 - size[0]) // 2, (128 - size[1]) // 2
    from PIL import Image

    small = np.dstack(
        [
            np.asarray(Image.fromarray(picture[..., c].astype(np.float32) / 255).resize(size, 2))
            for c in range(3)
        ]
    )
    whole = np.zeros((128, 128, 3), np.float32)
    whole[top : top + size[1], left : left + size[0]] = small
    boxes, logits = palm.run(
        ["regressors", "classificators"], {"input": (whole * 2 - 1).transpose(2, 0, 1)[None]}
    )
    scores = 1 / (1 + np.exp(-np.clip(logits[0, :, 0].astype(float), -100, 100)))
    cells = [
        (x, y, s)
        for s, n in ((8, 2), (16, 6))
        for y in range(128 // s)
        for x in range(128 // s)
        for _ in range(n)
    ]
    middles = np.array([((x + 0.5) * s, (y + 0.5) * s) for x, y, s in cells])
    best = int(scores.argmax())
    assert scores[best] > 0.5
    values = boxes[0].astype(float)
    middle = middles + values[:, :2]
    corners = np.hstack((middle - values[:, 2:4] / 2, middle + values[:, 2:4] / 2))
    points = values[:, 4:].reshape(-1, 7, 2) + middles[:, None]
    low, high = np.maximum(corners[best, :2], corners[:, :2]), np.minimum(corners[best, 2:], corners[:, 2:])
    common = np.prod(np.maximum(high - low, 0), axis=1)
    area = np.prod(values[:, 2:4], axis=1)
    mine = (common / (area + area[best] - common) > 0.3) & (scores >= 0.5)
    weight = scores[mine] / scores[mine].sum()

    def mean(rows):
        return np.tensordot(weight, rows[mine], 1)

    back = np.array((width / size[0], height / size[1]))
    box = np.clip(((mean(corners).reshape(2, 2) - (left, top)) * back), 0, (width, height))
    line = ((mean(points) - (left, top)) * back)[[0, 2]]
    turn = math.radians(90) - math.atan2(-(line[1] - line[0])[1], (line[1] - line[0])[0])
    side = 2.6 * (box[1] - box[0]).max()
    shift = -0.5 * (box[1] - box[0])[1]
    center = box.mean(axis=0) + shift * np.array((-math.sin(turn), math.cos(turn)))
    axes = np.array(((math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn)))) * side / 224
    # A bilinear sample is of two texels; where a pixel covers more, it is the mean of several.
    each = max(1, math.ceil(side / 224 / 2))
    fine = axes / each
    middle_of_first = center - axes @ (112, 112) + fine @ (0.5, 0.5) - 0.5
    samples = cv2.warpAffine(
        picture.astype(np.float32) / 255,
        np.hstack((fine, middle_of_first[:, None])),
        (224 * each, 224 * each),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    crop = samples.reshape(224, each, 224, each, 3).mean(axis=(1, 3))
    hand = onnxruntime.InferenceSession(str(folder / "landmark" / "mp_hand_landmark_lite.onnx"))
    found, presence = hand.run(["Identity", "Identity_1"], {"input_1": crop[None]})
    assert presence[0, 0] > 0.5
    marks = found.reshape(21, 3)[:, :2].astype(float)
    return marks @ axes.T + center - axes @ (112, 112)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_hands_are_those_of_numpy(gpu, shared, backend):
    models = shared / "models"
    second = NetworkSpec(str(models / "landmark" / "mp_hand_landmark_lite.onnx"), backend)
    spec = NetworkSpec(str(models / "keypoints" / "keijiro_palm_detection.onnx"), backend, second=second)
    # Batch work: nothing is carried from picture to picture.
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True)
    pipeline.set_analysis(load_analysis(gpu, spec))
    for name in ("9.jpg", "784.jpg", "1402.jpg"):
        picture = cv2.imread(str(shared / "truth" / "keypoints" / "onehand10k" / name))[..., ::-1]
        expected = numpy_hand(models, picture)
        found = play(pipeline, np.ascontiguousarray(picture))
        points = np.array(found.objects[0].points) * (picture.shape[1], picture.shape[0])
        diagonal = math.hypot(*(expected.max(axis=0) - expected.min(axis=0)))
        assert np.hypot(*(points - expected).T).max() < 0.01 * diagonal
    pipeline.close()
