"""Detectors on tiles of a frame beside the whole: boxes of small objects, joined across the tiles' edges."""

from __future__ import annotations

import itertools

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from tiny_models import square_detector
from waiting import until

from desktop.base.errors import ModelUnsupportedError, UsageError
from desktop.base.fields import Value
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.loading import load_network
from desktop.pipeline.running.opening import load_analysis
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks.detection.tiles import frame_and_tiles, is_complete

SIDE = 224
"""Of the frame in pixels: two tiles of 128 overlap by 32. A cell of `square_detector` is 28 pixels of the frame
and 16 of a tile.
"""


@pytest.fixture(scope="module")
def detector(tmp_path_factory) -> str:
    return str(square_detector(tmp_path_factory.mktemp("tiles") / "squares.onnx"))


def with_squares(*corners: tuple[int, int], side: int = 16) -> np.ndarray:
    pixels = np.zeros((SIDE, SIDE, 3), np.uint8)
    for left, top in corners:
        pixels[top : top + side, left : left + side, 0] = 255
    return pixels


def detected_boxes(detector: str, gpu: Gpu, pixels: np.ndarray, **settings: Value) -> list[tuple[int, ...]]:
    """Return the boxes (left, top, right, bottom) that a detector finds in uint8 RGB pixels [height, width, 3], in
    whole pixels of that image, sorted; `settings` are the task's.
    """
    network = load_network(gpu, detector, settings={"score": 0.9, **settings}, backend="onnxruntime")
    try:
        return sorted(tuple(map(round, item.box)) for item in network.analyze_pixels(pixels).objects)
    finally:
        network.close()


def test_small_squares_are_found_in_tiles_and_a_large_one_in_the_whole_frame(gpu, detector):
    # In the first tile, in the part that all four share, and in the last.
    small = with_squares((16, 32), (96, 112), (192, 192))
    assert detected_boxes(detector, gpu, small) == []
    wanted = [(16, 32, 32, 48), (96, 112, 112, 128), (192, 192, 208, 208)]
    assert detected_boxes(detector, gpu, small, tiles=2) == wanted
    large = with_squares((84, 84), side=28)
    assert detected_boxes(detector, gpu, large) == [(84, 84, 112, 112)]
    assert (84, 84, 112, 112) in detected_boxes(detector, gpu, large, tiles=2)


def test_tiles_are_what_onnxruntime_finds_in_crops_of_the_frame(gpu, detector):
    rng = np.random.default_rng(0)
    blocks = rng.integers(0, 2, (14, 14, 1), np.uint8) * np.array([255, 0, 0], np.uint8)
    pixels = blocks.repeat(16, 0).repeat(16, 1)
    session = onnxruntime.InferenceSession(detector, providers=["CPUExecutionProvider"])
    wanted = set()
    for left, top in ((0, 0), (96, 0), (0, 96), (96, 96)):
        tile = pixels[top : top + 128, left : left + 128]
        halved = tile.reshape(64, 2, 64, 2, 3).mean((1, 3))[..., ::-1]
        (table,) = session.run(None, {"x": halved.transpose(2, 0, 1)[None].astype(np.float32)})
        for cell in np.flatnonzero(table[0, :64, 5] * table[0, :64, 4] >= 0.9):
            x, y = left + cell % 8 * 16, top + cell // 8 * 16
            if x != (96 if left else 112) and y != (96 if top else 112):
                wanted.add((int(x), int(y), int(x) + 16, int(y) + 16))
    assert len(wanted) > 50
    found = detected_boxes(detector, gpu, pixels, tiles=2)
    assert [box for box in found if box[2] - box[0] == 16] == sorted(wanted)


def test_the_tiles_of_a_frame_cover_it_and_share_a_quarter():
    plan = Preprocess(64, 48, resize="letterbox")
    assert frame_and_tiles(plan, 1) == (plan,)
    whole, *tiles = frame_and_tiles(plan, 3)
    assert whole == plan and len(tiles) == 9
    boxes = [tile.box(400, 300) for tile in tiles]
    assert (boxes[0].x, boxes[0].y) == (0, 0)
    assert (boxes[-1].x + boxes[-1].width, boxes[-1].y + boxes[-1].height) == (400, 300)
    for one, other in itertools.pairwise(boxes[:3]):
        assert (one.x + one.width - other.x) / one.width == pytest.approx(0.25, abs=0.02)
    assert [tile.box(3, 1).width for tile in tiles] == [1, 2, 2] * 3


def test_boxes_that_end_at_an_inner_edge_of_a_tile_are_left_to_other_parts():
    _, first, *_ = parts = frame_and_tiles(Preprocess(64, 64), 2)
    boxes = np.array([[0, 0, 50, 50], [90, 10, 127, 60], [10, 90, 60, 128], [60, 60, 120, 120]], float)
    assert is_complete(boxes, first, (SIDE, SIDE)).tolist() == [True, False, False, True]
    assert is_complete(boxes, parts[0], (SIDE, SIDE)).all()


CROPPED = {"resize": "crop", "crop": 0.5}
"""Of a frame of 320 x 224 pixels the network sees 112 x 112 from (104, 56) on, and two tiles of 64 overlap by 16."""


@pytest.mark.parametrize("backend", ["onnxruntime", "wgpu"])
def test_tiles_of_a_network_with_a_crop_are_what_onnxruntime_finds_in_crops_of_the_middle(
    gpu, detector, backend
):
    rng = np.random.default_rng(1)
    blocks = rng.integers(0, 2, (28, 40, 1), np.uint8) * np.array([255, 0, 0], np.uint8)
    pixels = blocks.repeat(8, 0).repeat(8, 1)
    session = onnxruntime.InferenceSession(detector, providers=["CPUExecutionProvider"])
    wanted = set()
    for left, top in itertools.product((104, 152), (56, 104)):
        tile = pixels[top : top + 64, left : left + 64, ::-1].transpose(2, 0, 1)[None]
        (table,) = session.run(None, {"x": tile.astype(np.float32)})
        for cell in np.flatnonzero(table[0, :64, 5] * table[0, :64, 4] >= 0.9):
            x, y = left + cell % 8 * 8, top + cell // 8 * 8
            # Cells at an inner edge are left to the tile beside.
            if x != (152 if left == 152 else 160) and y != (104 if top == 104 else 112):
                wanted.add((int(x), int(y), int(x) + 8, int(y) + 8))
    assert len(wanted) > 50
    preset = dict(CROPPED)
    network = load_network(gpu, detector, settings={"score": 0.9, "tiles": 2}, backend=backend, preset=preset)
    found = [tuple(map(round, item.box)) for item in network.analyze_pixels(pixels).objects]
    network.close()
    assert sorted(box for box in found if box[2] - box[0] == 8) == sorted(wanted)


@pytest.mark.parametrize("resize", ["crop", "stretched_crop"])
@pytest.mark.parametrize("crop", [1.0, 0.875, 0.5])
def test_the_tiles_of_a_crop_cover_what_the_network_sees_of_the_whole_frame(crop, resize):
    whole, *tiles = frame_and_tiles(Preprocess(64, 32, resize=resize, crop=crop), 3)
    for size in ((1920, 1080), (333, 500), (7, 3)):
        outer, boxes = whole.box(*size), [tile.box(*size) for tile in tiles]
        aspect = 2.0 if resize == "crop" else size[0] / size[1]
        assert all(box.width / box.height == pytest.approx(aspect) for box in boxes)
        assert (boxes[0].x, boxes[0].y) == pytest.approx((outer.x, outer.y))
        ends = boxes[-1].x + boxes[-1].width, boxes[-1].y + boxes[-1].height
        assert ends == pytest.approx((outer.x + outer.width, outer.y + outer.height))
        for one, other in itertools.pairwise(boxes[:3]):
            assert (one.x + one.width - other.x) / one.width == pytest.approx(0.25)
        # What touches an outer edge is complete, as there is no other part that has more of it.
        right, bottom = ends
        box = np.array([[right - 0.4 * boxes[-1].width, bottom - 0.4 * boxes[-1].height, right, bottom]])
        assert is_complete(box, tiles[-1], size).all()


def test_tiles_are_a_setting_of_a_network_in_the_engine(detector):
    engine = Engine(Gpu.open, FilterLibrary(None), load_analysis, wait=True, in_flight=1)
    rgba = np.dstack((with_squares((16, 32), (96, 112)), np.full((SIDE, SIDE), 255, np.uint8)))
    plane = Plane(rgba.tobytes(), SIDE * 4, SIDE, SIDE)
    frame = Frame((plane,), RGBA, SIDE, SIDE, ColorInfo("rgb", "full", "srgb", "bt709"))
    engine.current.watch_input(True)
    for tiles, count in ((1, 0), (2, 2)):
        spec = NetworkSpec(detector, "onnxruntime", settings={"score": 0.9, "tiles": tiles})
        engine.current.set_setup(Setup(network=spec))
        assert len(engine.analyze_frame(frame).objects) == count
        assert ("It processes each frame 5 times" in engine.current.network_status.text) == (tiles == 2)
    (seen,) = until(lambda: engine.analyze_frame(frame) and engine.current.recent_inputs())
    assert len(seen.pictures) == 5
    with pytest.raises(UsageError, match="tiles"):
        engine.current.set_setup(Setup(network=NetworkSpec(detector, settings={"tiles": 5})))
    engine.close()


def test_inputs_of_bytes_that_do_not_end_at_a_word_are_refused(gpu, tmp_path):
    path = tmp_path / "bytes.onnx"
    weight = numpy_helper.from_array(np.zeros((6, 3, 8, 8), np.float32), "w")
    shape = numpy_helper.from_array(np.array([1, 6, -1], np.int64), "s")
    nodes = [
        helper.make_node("Cast", ["x"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("Conv", ["f", "w"], ["c"], strides=[8, 8]),
        helper.make_node("Reshape", ["c", "s"], ["y"]),
    ]
    # 67 x 67 x 3 bytes, and five times as many, are no multiple of 4; what a buffer is rounded up to is one.
    given = helper.make_tensor_value_info("x", TensorProto.UINT8, [1, 3, 67, 67])
    taken = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 6, 64])
    graph = helper.make_graph(nodes, "bytes", [given], [taken], [weight, shape])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    path.with_name("bytes.onnx.lightloom.toml").write_text('decoder = "yolov8"\nunits = "pixels"\n')
    preset = {"colors": "BGR", "scale": "0..255", "mean": [0.0] * 3, "std": [1.0] * 3, "resize": "stretch"}
    load_network(gpu, path, "detection", backend="onnxruntime", preset=preset).close()
    with pytest.raises(ModelUnsupportedError, match="set tiles to 1"):
        load_network(gpu, path, "detection", settings={"tiles": 2}, backend="onnxruntime", preset=preset)


def test_no_number_in_a_tile_is_reported(gpu, tmp_path):
    path = square_detector(tmp_path / "broken.onnx", broken=1)
    pixels = np.full((SIDE, SIDE, 3), 200, np.uint8)
    preset = {"colors": "BGR", "scale": "0..255", "mean": [0.0] * 3, "std": [1.0] * 3}
    network = load_network(gpu, path, settings={"tiles": 2}, backend="onnxruntime", preset=preset)
    assert not network.analyze_pixels(pixels).has_nan
    pixels[:128, :128] = 0
    assert network.analyze_pixels(pixels).has_nan
    network.close()
