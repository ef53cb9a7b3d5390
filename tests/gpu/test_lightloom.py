"""The library: results against ONNX Runtime, NumPy and OpenCV, and what it says of what cannot be."""

from __future__ import annotations

import gc
import itertools
import json
import os
import subprocess
import sys
import types
from pathlib import Path

import av
import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from constant_models import write_constant
from onnx import TensorProto, helper, numpy_helper
from script_rig import COLORS, FRAMES, HEIGHT, RATE, WIDTH, color_finder, scripted_crossings, scripted_video
from tiny_models import red_or_blue_model, square_detector, squares

import lightloom

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def gpu():
    with lightloom.Gpu() as opened:
        yield opened


@pytest.fixture(scope="module")
def finder(tmp_path_factory):
    return color_finder(tmp_path_factory.mktemp("finder") / "colors.onnx")


@pytest.fixture(scope="module")
def detector(tmp_path_factory):
    return square_detector(tmp_path_factory.mktemp("detector") / "squares.onnx")


def map_model(path, name, channels, size=(32, 24)):
    """A network whose output is a 1x1 convolution of its input in 0..1, after a sigmoid if it is called a
    mask.
    """
    width, height = size
    weight = np.random.default_rng(3).standard_normal((channels, 3, 1, 1)).astype(np.float32)
    nodes = [helper.make_node("Conv", ["x", "w"], ["c" if name == "mask" else name])]
    if name == "mask" and channels == 1:
        nodes.append(helper.make_node("Sigmoid", ["c"], [name]))
    elif name == "mask":
        nodes.append(helper.make_node("Softmax", ["c"], [name], axis=1))
    graph = helper.make_graph(
        nodes,
        "map",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, height, width])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, height, width])],
        [numpy_helper.from_array(weight, "w")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    path.with_name(f"{path.name}.lightloom.toml").write_text(
        '[preprocess]\nscale = "0..1"\nmean = [0, 0, 0]\nstd = [1, 1, 1]\n'
    )
    return path, weight


@pytest.fixture(scope="module")
def image():
    """As large as the input of `map_model`, so that nothing is resized on the way in."""
    noise = np.random.default_rng(1).integers(0, 256, (6, 8, 3), np.uint8)
    return cv2.resize(noise, (32, 24), interpolation=cv2.INTER_CUBIC)


# -- networks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_classifier_says_what_onnxruntime_computes(gpu, tmp_path, backend):
    path = red_or_blue_model(tmp_path / "color.onnx")
    plain = np.zeros((40, 50, 3), np.uint8)
    plain[:] = (10, 60, 200)
    with lightloom.load(path, backend=backend, gpu=gpu, preprocess={"scale": "0..1"}) as network:
        result = network(plain)
        raw = network.run(plain)["y"][0]
    given = np.broadcast_to(plain[0, 0] / np.float32(255), (32, 32, 3)).transpose(2, 0, 1)[None]
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    (expected,) = session.run(None, {"x": given.astype(np.float32)})
    np.testing.assert_allclose(raw, expected[0], atol=2e-3)  # fp16 arithmetic
    assert [each.label for each in result] == ["blue", "green", "red"]
    np.testing.assert_allclose([each.score for each in result], sorted(expected[0], reverse=True), atol=2e-3)
    assert result.top.class_id == 2 and result.size == (50, 40) and not result.has_nan
    assert json.loads(json.dumps(result.as_dict()))["predictions"][0]["label"] == "blue"


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_detector_finds_the_squares(gpu, detector, backend):
    with lightloom.load(detector, backend=backend, gpu=gpu, score=0.5) as network:
        found = network(squares())
        one = [each for each in found if each.label == "red"]
        assert network.labels == ("red", "blue") and network.task == "detection"
    np.testing.assert_allclose(found.boxes, [[48, 32, 64, 48], [96, 64, 112, 80]], atol=0.5)
    assert found.labels == ("red", "blue") and found.boxes.dtype == np.float32
    assert one[0].box == tuple(found.boxes[0]) and one[0].identity is None
    assert len(found[found.class_ids == 1]) == 1 and found[[1]].labels == ("blue",) and len(found[:0]) == 0
    with pytest.raises(ValueError, match="read-only"):
        found.boxes[0] = 0
    assert [each["label"] for each in found.as_dict()["objects"]] == ["red", "blue"]


def test_an_array_a_file_and_a_frame_are_the_same_image(gpu, detector, tmp_path):
    cv2.imwrite(str(tmp_path / "squares.png"), squares()[..., ::-1])
    with lightloom.load(detector, gpu=gpu, score=0.5) as network:
        (frame,) = lightloom.open(tmp_path / "squares.png", gpu=gpu)
        transparent = np.dstack((squares(), np.full(squares().shape[:2], 9, np.uint8)))
        found = [network(each) for each in (squares(), tmp_path / "squares.png", frame, transparent)]
    for each in found[1:]:
        np.testing.assert_allclose(each.boxes, found[0].boxes, atol=0.1)
        np.testing.assert_allclose(each.scores, found[0].scores, atol=2e-3)
    np.testing.assert_array_equal(frame.array, squares())


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_mask_covers_the_image(gpu, tmp_path, image, backend):
    path, weight = map_model(tmp_path / "mask.onnx", "mask", 1)
    with lightloom.load(path, backend=backend, gpu=gpu, precision="fp32") as network:
        result = network(image)
        assert network.task == "mask"
    expected = 1 / (1 + np.exp(-(image / 255 @ weight[0, :, 0, 0])))
    assert result.values.shape == (24, 32) and result.values.dtype == np.float32
    np.testing.assert_allclose(result.values, expected, atol=3e-3)  # the texture has half precision
    assert result.as_dict()["area"] == pytest.approx((expected > 0.5).mean(), abs=0.01)


def test_depth_is_in_the_networks_own_numbers(gpu, tmp_path, image):
    path, weight = map_model(tmp_path / "depth.onnx", "depth", 1)
    with lightloom.load(path, gpu=gpu, precision="fp32") as network:
        result = network(image)
        again = network(np.ascontiguousarray(image[:, ::-1]))
    expected = image / 255 @ weight[0, :, 0, 0]
    np.testing.assert_allclose(result.values, expected, atol=2e-3)
    np.testing.assert_allclose(again.values, result.values[:, ::-1], atol=1e-4)
    assert isinstance(result, lightloom.Depth) and result.as_dict()["near"] == pytest.approx(
        expected.max(), abs=2e-3
    )


def test_classes_of_pixels(gpu, tmp_path, image):
    path, weight = map_model(tmp_path / "segments.onnx", "mask", 4)
    path.with_suffix(".txt").write_text("sky\nroad\ncar\ntree\n")
    with lightloom.load(path, gpu=gpu, precision="fp32") as network:
        result = network(image)
    expected = (image / 255 @ weight[:, :, 0, 0].T).argmax(axis=-1)
    assert (result.class_ids == expected).mean() > 0.99
    assert sum(result.shares().values()) == pytest.approx(1) and set(result.shares()) <= {
        "sky",
        "road",
        "car",
        "tree",
    }


@pytest.mark.parametrize("size", [(64, 48), (33, 47), (5, 100), (1, 1)])
def test_maps_take_the_size_of_the_image(gpu, tmp_path, size):
    """Bilinear against OpenCV; the nearest value against whole numbers, where OpenCV rounds."""
    from desktop.vision.tasks.common.maps import enlarged
    from lightloom._images import nearest

    values = np.random.default_rng(2).random((24, 32), np.float32)
    np.testing.assert_allclose(
        enlarged(values, size), cv2.resize(values, size, interpolation=cv2.INTER_LINEAR), atol=1e-6
    )
    rows, columns = ((2 * np.arange(n) + 1) * m // (2 * n) for n, m in zip(size[::-1], (24, 32), strict=True))
    np.testing.assert_array_equal(nearest(values, size), values[np.ix_(rows, columns)])
    path, _ = map_model(tmp_path / "depth.onnx", "depth", 1)
    with lightloom.load(path, gpu=gpu) as network:
        assert network(np.zeros((size[1], size[0], 3), np.uint8)).values.shape == size[::-1]


def test_an_image_network_gives_an_image(gpu):
    white = np.full((48, 64, 3), 255, np.uint8)
    with lightloom.load("style_ink", gpu=gpu) as network:
        made = network(white)
        larger = network(np.full((64, 96, 3), 255, np.uint8))
    assert (
        made.array.dtype == np.uint8 and made.array.shape[2] == 3 and made.scale == pytest.approx(1, abs=0.2)
    )
    assert larger.array.shape[1] > made.array.shape[1] and made.array.mean() > 60


def test_raw_outputs_and_a_decoder_of_ones_own(gpu, detector):
    seen = []

    def decode(outputs, given):
        seen.append((outputs, given))
        return "decoded"

    letterbox = {"resize": "letterbox", "scale": "0..255", "colors": "BGR"}
    with lightloom.load(detector, decode=decode, preprocess=letterbox, gpu=gpu) as network:
        assert network(squares()) == "decoded" and network.task == ""
    ((outputs, given),) = seen
    assert outputs["y"].shape == (1, 84, 7) and given.size == (128, 96) and given.input_size == (64, 64)
    # Cell 4, 3 of 8 x 8 pixels is the red square: the image is at half its size, 8 pixels below the upper
    # edge.
    np.testing.assert_allclose(given.to_image(np.array([24, 24, 32, 32])), [48, 32, 64, 48], atol=1e-9)
    reds = outputs["y"][0, :64, 5].reshape(8, 8)
    assert np.unravel_index(reds.argmax(), reds.shape) == (3, 3)


def test_tensors_hold_the_last_run(gpu, tmp_path):
    path = red_or_blue_model(tmp_path / "color.onnx")
    with lightloom.load(path, backend="wgpu", precision="fp32", gpu=gpu) as network:
        result = network(np.full((32, 32, 3), (250, 10, 10), np.uint8))
        values = gpu.read(network.tensor("y"))
        assert values.shape == network.outputs["y"] == (1, 3) and values[0].max() == pytest.approx(
            result.top.score
        )
        assert gpu.read(network.tensor("x")).shape == (1, 3, 32, 32)
        with pytest.raises(lightloom.errors.ModelError, match="'z'"):
            network.tensor("z")
    with (
        lightloom.load(path, backend="onnxruntime", gpu=gpu) as network,
        pytest.raises(lightloom.errors.ModelUnsupportedError, match="backend='wgpu'"),
    ):
        network.tensor("y")


def test_textures_go_up_and_come_back(gpu, image):
    texture = gpu.upload(image)
    np.testing.assert_array_equal(gpu.download(texture)[..., :3], image)
    texture.destroy()


# -- chains --------------------------------------------------------------------------------------------------


def test_an_empty_chain_gives_every_image_back(gpu):
    given = np.random.default_rng(0).integers(0, 256, (33, 47, 4), np.uint8)
    given[..., 3] |= 1  # what is fully transparent has no color
    with lightloom.Chain([], gpu=gpu) as chain:
        np.testing.assert_array_equal(chain(given), given)
        np.testing.assert_array_equal(chain(given[..., :3]), given[..., :3])
        np.testing.assert_array_equal(chain(given[::2, ::-1, :3]), given[::2, ::-1, :3])


def test_stages_take_values(gpu, image):
    stages = [("invert", {"strength": np.float32(0.5)}), "mirror"]
    with lightloom.Chain(stages, gpu=gpu) as chain:
        found = chain(image)
        assert [name for name, _ in chain.stages] == ["invert", "mirror"]
    with lightloom.Chain([("invert", {"strength": 0.5})], gpu=gpu) as chain:
        gray = chain(image)
    assert np.abs(gray.astype(int) - 127.5).max() <= 1 and found.shape == image.shape


def test_a_filter_with_a_memory_follows_the_calls(gpu):
    black, white = np.zeros((16, 16, 3), np.uint8), np.full((16, 16, 3), 255, np.uint8)
    with lightloom.Chain(["frame_difference"], gpu=gpu) as chain:
        chain(black)
        changed = chain(white)
        chain.reset()
        first = chain(white)
        same = chain(white)
    assert changed.mean() > 100 and np.array_equal(first, chain_first(gpu, white)) and same.mean() < 2


def chain_first(gpu, image):
    with lightloom.Chain(["frame_difference"], gpu=gpu) as chain:
        return chain(image)


def test_a_preset_is_a_chain(gpu, image, tmp_path):
    with lightloom.Chain.load("night_city", gpu=gpu) as chain:
        found, stages = chain(image), chain.stages
    with lightloom.Chain(stages, gpu=gpu) as chain:
        np.testing.assert_array_equal(chain(image), found)
    (tmp_path / "odd.toml").write_text(
        'lightloom = 1\n[[filter]]\nname = "invert"\n[[filter]]\nname = "nothing"\n'
    )
    with (
        pytest.warns(UserWarning, match="nothing"),
        lightloom.Chain.load(tmp_path / "odd.toml", gpu=gpu) as chain,
    ):
        np.testing.assert_array_equal(chain(image), 255 - image)


def test_a_preset_hides_what_it_hides_in_the_program(gpu, detector, tmp_path):
    (tmp_path / "hidden.toml").write_text(
        f'lightloom = 1\n[network]\nmodel = "{detector.as_posix()}"\nscore = 0.5\n[anonymize]\nkind = "fill"\nclasses = ["red"]\n'
    )
    with lightloom.Chain.load(tmp_path / "hidden.toml", gpu=gpu) as chain:
        found = chain(squares())
    assert found[36:44, 52:60].max() < 40, "the red square is hidden"
    np.testing.assert_array_equal(found[68:76, 100:108], squares()[68:76, 100:108])


# -- sources, tracks, zones ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    return scripted_video(tmp_path_factory.mktemp("video") / "script.mp4")


def test_frames_are_those_of_another_decoder(gpu, video):
    with av.open(str(video)) as container:
        expected = [(frame.time, frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]
    with lightloom.open(video, gpu=gpu) as source:
        found = [(frame.time, frame.array, frame.index, frame.size) for frame in source]
        assert source.rate == pytest.approx(RATE) and source.duration == pytest.approx(FRAMES / RATE)
        assert not source.is_live and source.size == (WIDTH, HEIGHT)
    assert len(found) == FRAMES
    for number, ((time, array, index, size), (other, pixels)) in enumerate(zip(found, expected, strict=True)):
        assert time == pytest.approx(other) and index == number and size == (WIDTH, HEIGHT)
        # The file does not name its matrix: swscale takes another one than Lightloom, which shows in pure
        # colors alone.
        assert np.abs(array.astype(int) - pixels).mean() < 6 and array.dtype == np.uint8


def test_a_source_is_read_once_and_its_arrays_while_it_is_open(gpu, video):
    source = lightloom.open(video, gpu=gpu)
    frame = next(iter(source))
    with pytest.raises(lightloom.errors.UsageError, match="already"):
        iter(source)
    source.close()
    with pytest.raises(lightloom.errors.UsageError, match="closed"):
        _ = frame.array
    kept = list(lightloom.open(video, gpu=gpu))
    gc.collect()
    assert kept[0].array.shape == (HEIGHT, WIDTH, 3), "frames may outlive a source that nobody closed"


def test_tracks_cross_a_line_as_the_script_says(gpu, video, finder):
    zones = lightloom.Zones(
        [
            lightloom.Line("door", (0.5, 0.05), (0.5, 0.8)),
            lightloom.Zone("room", ((0.7, 0.4), (1.0, 0.4), (1.0, 0.7), (0.7, 0.7)), classes=("blue",)),
        ]
    )
    colors = {}
    with lightloom.load(finder, gpu=gpu) as network:
        for frame, found in lightloom.track(network, video):
            for each in found:
                if each.identity:
                    colors.setdefault(each.identity, set()).add(each.label)
            zones(found, frame.time)
    assert all(len(each) == 1 for each in colors.values()) and set().union(*colors.values()) == set(COLORS)
    door, room = zones.counts["door"], zones.counts["room"]
    assert (door.forward, door.backward) == scripted_crossings()
    assert (room.inside, room.entered, room.left) == (0, 1, 1) and room.classes[0].label == "blue"
    zones.reset()
    assert zones.counts["door"].forward == 0


def test_images_of_a_folder_are_tracked_as_frames_of_a_video(gpu, video, finder, tmp_path):
    with av.open(str(video)) as container:
        for number, frame in enumerate(itertools.islice(container.decode(video=0), 12)):
            frame.to_image().save(tmp_path / f"{number:03}.png")
    with lightloom.load(finder, gpu=gpu) as network:
        found = [(frame.time, each) for frame, each in lightloom.track(network, tmp_path)]
        of_video = [each for _, each in itertools.islice(lightloom.track(network, video), 12)]
    assert [time for time, _ in found] == pytest.approx([0.04 * number for number in range(12)])
    assert any(0 not in each.identities for each in of_video)
    assert [each.identities.tolist() for _, each in found] == [each.identities.tolist() for each in of_video]


def test_tracks_end_at_cuts_if_wanted(gpu, tmp_path):
    lists = {
        "boxes": np.array([[[8, 8, 30, 30]]], np.float32),
        "scores": np.array([[0.9]], np.float32),
        "classes": np.array([[5]]),
    }
    path, clip = write_constant(tmp_path / "net.onnx", lists), tmp_path / "cut.mp4"
    with av.open(str(clip), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        for level in (20, 20, 20, 230, 230, 230):
            picture = np.full((64, 64, 3), level, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    with lightloom.load(path, gpu=gpu) as network:
        for settings, wanted in (({}, [1] * 6), ({"cuts": True}, [1, 1, 1, 2, 2, 2])):
            found = [each.identities.tolist() for _, each in lightloom.track(network, clip, **settings)]
            assert found == [[identity] for identity in wanted]


def test_what_finds_no_objects_is_not_tracked(gpu, video):
    with (
        lightloom.load("classifier", gpu=gpu) as network,
        pytest.raises(lightloom.errors.UsageError, match="load a detector"),
    ):
        next(lightloom.track(network, video))


def test_key_points_are_tracked_by_where_they_are():
    tracker, found = lightloom.Tracker(), []
    for step in range(5):
        points = np.array([[[10, 10], [30, 60]], [[110, 10], [130, 60]]], np.float32)
        points[..., 0] += 2 * step
        one = lightloom.Keypoints(
            size=(200, 100),
            points=points[:: (-1) ** step].copy(),
            confidences=np.ones((2, 2), np.float32),
            scores=np.full(2, 0.9, np.float32),
            class_ids=np.zeros(2, np.int64),
            labels=("person",) * 2,
        )
        found.append(tracker(one, step / 30).identities[:: (-1) ** step].tolist())
    assert found == [[1, 2]] * 5 or found == [[2, 1]] * 5


def test_zones_come_from_a_file(tmp_path):
    (tmp_path / "zones.toml").write_text(
        '[[zones]]\nname = "Door"\nkind = "line"\npoints = [[0.5, 0.0], [0.5, 1.0]]\n'
    )
    assert set(lightloom.Zones.load(tmp_path / "zones.toml").counts) == {"Door"}


# -- refusals ------------------------------------------------------------------------------------------------

_LINE = lightloom.Line("a", (0.0, 0.5), (1.0, 0.5))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda gpu: lightloom.load("detektor", gpu=gpu), "ModelInvalidError", "no network 'detektor'"),
        (lambda gpu: lightloom.load("detector", skore=1, gpu=gpu), "UsageError", "no setting 'skore'"),
        (lambda gpu: lightloom.load("detector", score=7, gpu=gpu), "UsageError", "'score' is 7"),
        (lambda gpu: lightloom.load("person_mask", score=1, gpu=gpu), "UsageError", "no setting 'score'"),
        (lambda gpu: lightloom.load("detector", precision="fp8", gpu=gpu), "UsageError", "fp8"),
        (lambda gpu: lightloom.load("detector", backend="tpu", gpu=gpu), "UsageError", "no backend 'tpu'"),
        (lambda gpu: lightloom.load("detector", task="nothing", gpu=gpu), "UsageError", "no task 'nothing'"),
        (lambda gpu: lightloom.load("detector", gpu=7), "UsageError", "not int"),
        (lambda gpu: lightloom.Gpu("no such adapter"), "NoAdapterError", "no such adapter"),
        (lambda gpu: lightloom.Chain(["nothing"], gpu=gpu), "FilterError", "no filter called 'nothing'"),
        (lambda gpu: lightloom.Chain([("invert", {"x": 1})], gpu=gpu), "FilterError", "no parameter 'x'"),
        (lambda gpu: lightloom.Chain([("invert", 1)], gpu=gpu), "UsageError", "A stage is"),
        (lambda gpu: lightloom.Chain([7], gpu=gpu), "UsageError", "A stage begins"),
        (lambda gpu: lightloom.Chain.load("nothing", gpu=gpu), "PresetError", "no look nothing"),
        (lambda gpu: lightloom.open("nothing.mp4"), "SourceNotFoundError", "nothing.mp4"),
        (lambda gpu: lightloom.Tracker(speed=1), "UsageError", "'speed'"),
        (lambda gpu: lightloom.Tracker(cuts=True), "UsageError", "gets no images"),
        (lambda gpu: lightloom.Zones([_LINE, _LINE]), "UsageError", "Two zones"),
        (lambda gpu: lightloom.Zones([lightloom.Line("a", (0, 0), (20, 3))]), "UsageError", "shares"),
        (lambda gpu: lightloom.Zones([lightloom.Line("a", (0, 0), (0, 0))]), "UsageError", "no length"),
        (lambda gpu: lightloom.Zones([lightloom.Zone("a", ((0, 0),) * 3)]), "UsageError", "no area"),
        (lambda gpu: lightloom.Zones([lightloom.Zone("a", (), anchor="x")]), "UsageError", "shares"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(gpu, call, error, text):
    with pytest.raises(lightloom.LightloomError, match=text) as refused:
        call(gpu)
    assert type(refused.value).__name__ == error and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (np.zeros((4, 4), np.uint8), r"uint8 \[4, 4\]"),
        (np.zeros((4, 4, 2), np.uint8), r"\[4, 4, 2\]"),
        (np.zeros((0, 4, 3), np.uint8), r"\[0, 4, 3\]"),
        (np.zeros((4, 4, 3), np.float32), "multiply it by 255"),
        (np.zeros((4, 4, 3), np.int64), "0..255"),
        ([[0]], "not list"),
    ],
)
def test_what_is_no_image_is_refused(gpu, detector, given, text):
    with lightloom.load(detector, gpu=gpu) as network, lightloom.Chain([], gpu=gpu) as chain:
        for call in (network, chain, network.run):
            with pytest.raises(lightloom.errors.UsageError, match=text):
                call(given)


def test_closed_is_closed(detector):
    network, chain = lightloom.load(detector), lightloom.Chain(["invert"])
    for each in (network, chain, network.gpu):
        each.close()
        each.close()
    assert "closed" in repr(network) and "closed" in repr(chain) and "closed" in repr(network.gpu)
    for call in (network, network.run, chain):
        with pytest.raises(lightloom.errors.UsageError, match="closed"):
            call(squares())
    with pytest.raises(lightloom.errors.UsageError, match="closed"):
        network.gpu.upload(squares())


def test_what_a_closed_gpu_was_shared_by_says_so(detector):
    shared = lightloom.Gpu()
    network, chain = lightloom.load(detector, gpu=shared), lightloom.Chain(["invert"], gpu=shared)
    shared.close()
    for call in (network, chain):
        with pytest.raises(lightloom.errors.UsageError, match="GPU is closed"):
            call(squares())
        call.close()


# -- supervision ---------------------------------------------------------------------------------------------


def test_results_become_those_of_supervision(gpu, detector, monkeypatch):
    """With a stand-in that keeps what it is given; supervision itself is in no environment of the tests."""
    module = types.ModuleType("supervision")
    module.Detections = module.Classifications = module.KeyPoints = lambda **given: given
    monkeypatch.setitem(sys.modules, "supervision", module)
    with lightloom.load(detector, gpu=gpu, score=0.5) as network:
        found = lightloom.Tracker()(network(squares()), 0.0)
    given = found.as_supervision()
    np.testing.assert_array_equal(given["xyxy"], found.boxes)
    assert given["tracker_id"].tolist() == [1, 2] and list(given["data"]["class_name"]) == ["red", "blue"]
    assert given["xyxy"].flags.writeable, "it is the caller's own"


def test_without_supervision_one_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "supervision", None)
    with pytest.raises(lightloom.errors.UsageError, match="pip install supervision"):
        lightloom.Classification(size=(1, 1), predictions=()).as_supervision()


# -- the whole -----------------------------------------------------------------------------------------------


def test_the_readme_runs_without_qt_sound_and_mqtt(tmp_path):
    """The lines of README.md, with an import of what the library does without made to fail."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    program = readme.split("## As a library")[1].split("```python\n")[1].split("```")[0]
    assert len([line for line in program.splitlines() if line.strip()]) <= 9
    cv2.imwrite(str(tmp_path / "street.jpg"), squares()[..., ::-1])
    blocked = "PySide6", "rendercanvas", "miniaudio", "paho"
    header = f"import sys\nfor name in {blocked}: sys.modules[name] = None\n"
    done = subprocess.run(
        [sys.executable, "-c", header + program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=_environment(),
    )
    assert done.returncode == 0, done.stderr


def _environment():
    return {**os.environ, "PYTHONPATH": str(ROOT)}
