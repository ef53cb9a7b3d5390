"""Networks whose input turns with the frames: the engine loads them for the orientation of its source."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from tiny_models import square_detector
from waiting import LIMIT_S

import lightloom
from desktop.__main__ import main
from desktop.base.errors import GpuError, ModelInvalidError, ModelUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.running.one.loading import load_network
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.builtin import builtin_models
from desktop.vision.models.model_file import ModelFile

NOTE = "Its input turns with the frames: 64x32, and 32x64 for frames higher than wide."


def with_sidecar(model: Path, text: str) -> Path:
    model.with_name(f"{model.name}.lightloom.toml").write_text(text)
    return model


@pytest.fixture(scope="module")
def wide(tmp_path_factory) -> Path:
    """A detector of 64 x 32 pixels that turns: one of its cells is a square of 16 x 16 pixels of a frame."""
    folder = tmp_path_factory.mktemp("wide")
    return with_sidecar(square_detector(folder / "wide.onnx", size=(64, 32)), "[input]\nturns = true\n")


def with_square(width: int, height: int, left: int, top: int, pts: float = 0.0, rotation: int = 0) -> Frame:
    """A dark frame with a red square of 16 x 16 pixels."""
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[..., 3] = 255
    pixels[top : top + 16, left : left + 16, 0] = 255
    plane = Plane(pixels.tobytes(), width * 4, width, height)
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    return Frame((plane,), RGBA, width, height, color, pts=pts, rotation=rotation)


def boxes(result) -> list[tuple[int, ...]]:
    return [tuple(round(side) for side in item.box) for item in result.objects]


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_batch_loads_the_network_for_the_orientation_of_each_frame(wide, backend):
    engine = Engine(Gpu.open, FilterLibrary(None), LiveNetwork.load, wait=True, in_flight=1)
    engine.current.set_setup(Setup(network=NetworkSpec(str(wide), backend, settings={"score": 0.9})))
    assert NOTE in engine.current.network_status.text
    heard = []
    engine.on_tracked_result.append(heard.append)
    frames = [
        with_square(128, 64, 96, 32, 0.0),
        with_square(64, 128, 32, 96, 0.1),
        with_square(128, 64, 16, 32, 0.2, rotation=90),
        with_square(128, 64, 64, 0, 0.3),
    ]
    found = [boxes(engine.analyze_frame(frame)) for frame in frames]
    assert found == [[(96, 32, 112, 48)], [(32, 96, 48, 112)], [(16, 16, 32, 32)], [(64, 0, 80, 16)]]
    # The results in flight are awaited before the network is replaced.
    for frame in (frames[0], frames[1], frames[3]):
        engine.render(frame)
    engine.await_result()
    assert [each.pts for each in heard[4:]] == [0.0, 0.1, 0.3]
    engine.close()


class Loads:
    """Loads networks for an engine; `count` is how many times, `open` how many of them are not closed."""

    def __init__(self, most_open: int = 9) -> None:
        self.count = self.open = 0
        self._most_open = most_open

    def __call__(self, gpu: Gpu, spec: NetworkSpec, model: ModelFile | None = None) -> LiveNetwork:
        self.count += 1
        if self.open == self._most_open:
            raise GpuError("There is not enough memory; close something.")
        network = LiveNetwork.load(gpu, spec, model)
        self.open += 1
        close = network.close

        def closed() -> None:
            self.open -= 1
            close()

        network.close = closed
        return network


LANDSCAPE, PORTRAIT = (96, 32, 112, 48), (32, 96, 48, 112)


def alternating(count: int, rotation: int = 0) -> list[Frame]:
    """Frames of both orientations in turn."""
    made = []
    for number in range(count):
        size, at = ((64, 128), (32, 96)) if number % 2 else ((128, 64), (96, 32))
        made.append(with_square(*size, *at, number / 10, rotation))
    return made


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_a_batch_loads_a_network_once_for_each_orientation(wide, backend):
    loads = Loads()
    engine = Engine(Gpu.open, FilterLibrary(None), loads, wait=True, in_flight=1)
    spec = NetworkSpec(str(wide), backend, settings={"score": 0.9}, every=2)
    engine.current.set_setup(Setup(network=spec))
    found = [boxes(engine.analyze_frame(frame)) for frame in alternating(8)]
    # With every = 2: each frame is the first after a turn, as it is where the network is loaded again.
    assert found == [[LANDSCAPE], [PORTRAIT]] * 4
    assert (loads.count, loads.open) == (2, 2)
    # The one set aside takes the settings that were changed meanwhile.
    engine.current.set_setup(Setup(network=replace(spec, settings={"score": 0.9999})))
    assert [boxes(engine.analyze_frame(frame)) for frame in alternating(3)] == [[], [], []]
    assert loads.count == 2
    engine.current.set_setup(Setup(network=replace(spec, precision="fp32")))
    assert boxes(engine.analyze_frame(alternating(1)[0])) == [LANDSCAPE]
    assert (loads.count, loads.open) == (3, 1)
    engine.analyze_frame(alternating(2)[1])
    assert (loads.count, loads.open) == (4, 2)
    engine.current.set_setup(Setup())
    engine.render(alternating(1)[0])
    engine.pipeline.drain()
    assert loads.open == 0
    engine.close()


def test_a_network_for_which_there_is_no_memory_twice_is_loaded_at_each_turn(wide):
    loads = Loads(most_open=1)
    engine = Engine(Gpu.open, FilterLibrary(None), loads, wait=True, in_flight=1)
    engine.current.set_setup(Setup(network=NetworkSpec(str(wide), settings={"score": 0.9})))
    found = [boxes(engine.analyze_frame(frame)) for frame in alternating(4)]
    assert found == [[LANDSCAPE], [PORTRAIT]] * 2
    assert (loads.count, loads.open) == (5, 1), "one more: the first time both are tried"
    engine.close()


def test_a_folder_of_both_orientations_prints_each_line_about_its_network_once(wide, tmp_path, capsys):
    folder = tmp_path / "images"
    folder.mkdir()
    for number, size in enumerate([(128, 64), (64, 128)] * 3):
        Image.new("RGB", size).save(folder / f"{number}.png")
    given = [str(folder), "-o", str(tmp_path / "out-%d.png"), "--model", str(wide)]
    assert main(["process", *given]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines.count(NOTE) == 1 and len(lines) == len(set(lines))
    # Both sizes of its input are told.
    assert sum("64x32" in line and line != NOTE for line in lines) == 1
    assert sum("32x64" in line and line != NOTE for line in lines) == 1


def test_no_result_of_the_other_orientation_is_shown_while_the_network_is_loaded_again(wide):
    engine = Engine(Gpu.open, FilterLibrary(None), LiveNetwork.load)
    engine.current.set_setup(Setup(network=NetworkSpec(str(wide), settings={"score": 0.9})))

    def until_found(frame: Frame) -> None:
        end = time.perf_counter() + LIMIT_S
        while engine.current.result is None and time.perf_counter() < end:
            engine.render(frame)
            time.sleep(0.005)

    until_found(with_square(128, 64, 96, 32))
    assert boxes(engine.current.result) == [(96, 32, 112, 48)]
    engine.render(with_square(64, 128, 32, 96, 0.1))
    assert engine.current.result is None and engine.current.network_status.state == "loading"
    until_found(with_square(64, 128, 32, 96, 0.2))
    assert boxes(engine.current.result) == [(32, 96, 48, 112)] and engine.current.result.size == (64, 128)
    # It is only loaded again for another orientation, and its threshold is changed without that.
    engine.current.set_setup(Setup(network=NetworkSpec(str(wide), settings={"score": 0.8})))
    engine.render(with_square(32, 64, 0, 0, 0.3))
    assert engine.current.network_status.state == "running"
    engine.close()


@pytest.mark.parametrize(
    ("size", "sidecar", "turns"),
    [
        ((64, 32), "", False),
        ((64, 32), "[input]\nturns = false\nother = 1\n", False),
        ((32, 64), "[input]\nturns = true\n", True),
        ((64, 64), "[input]\nturns = true\n", False),
    ],
)
def test_a_network_of_a_fixed_size_turns_if_its_settings_say_so(gpu, tmp_path, size, sidecar, turns):
    path = with_sidecar(square_detector(tmp_path / "a.onnx", size=size), sidecar)
    for is_portrait in (False, True):
        network = load_network(gpu, path, backend="onnxruntime", is_portrait=is_portrait)
        found = (network.preprocess.width, network.preprocess.height)
        wanted = (min(size), max(size)) if is_portrait else (max(size), min(size))
        assert found == (wanted if turns else size)
        assert network.turns == turns == (NOTE in network.notes)
        network.close()


def zeros_of_strides(path: Path, inputs: list[int | str], shapes: dict[int, list[int]]) -> Path:
    """A detector of zeros: a pooled map of each stride, with 6 channels for the strides that a shape is given."""
    nodes, weights, outputs = [], [], []
    for stride, shape in shapes.items():
        weights += [
            numpy_helper.from_array(np.zeros((shape[1], 3, 1, 1), np.float32), f"w{stride}"),
            numpy_helper.from_array(np.array(shape, np.int64), f"s{stride}"),
        ]
        sides = {"kernel_shape": [stride] * 2, "strides": [stride] * 2}
        nodes += [
            helper.make_node("AveragePool", ["x"], [f"p{stride}"], **sides),
            helper.make_node("Conv", [f"p{stride}", f"w{stride}"], [f"c{stride}"]),
            helper.make_node("Reshape", [f"c{stride}", f"s{stride}"], [f"grid_{stride}"]),
        ]
        declared = [size if size > 0 else "cells" for size in shape]
        outputs.append(helper.make_tensor_value_info(f"grid_{stride}", TensorProto.FLOAT, declared))
    taken = helper.make_tensor_value_info("x", TensorProto.FLOAT, inputs)
    graph = helper.make_graph(nodes, "zeros", [taken], outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, path)
    return path


@pytest.mark.parametrize(
    ("stated", "turns"),
    [
        ('width = 64\nheight = 32\nresize = "letterbox"\n', True),
        ('width = 64\nheight = 32\nresize = "letterbox"\n[input]\nturns = false\n', False),
        ('width = 64\nheight = 32\nresize = "stretch"\n', False),
        ('width = 32\nheight = 64\nresize = "letterbox"\n', False),
    ],
)
def test_a_network_of_a_free_size_turns_if_whole_frames_are_fitted_into_it(gpu, tmp_path, stated, turns):
    path = zeros_of_strides(tmp_path / "a.onnx", [1, 3, "height", "width"], {8: [1, 6, -1]})
    with_sidecar(path, f'decoder = "yolov8"\nunits = "pixels"\n[preprocess]\n{stated}')
    network = load_network(gpu, path, "detection", backend="onnxruntime", is_portrait=True)
    assert network.turns == turns
    size = network.preprocess.width, network.preprocess.height
    assert size == ((32, 64) if turns or "width = 32" in stated else (64, 32))
    network.close()


def test_a_network_whose_layers_take_one_size_is_refused_with_what_to_state(gpu, tmp_path):
    shapes = {stride: [1, 11, 32 // stride, 64 // stride] for stride in (8, 16, 32)}
    path = with_sidecar(
        zeros_of_strides(tmp_path / "fixed.onnx", [1, 3, 32, 64], shapes), "[input]\nturns = true\n"
    )
    load_network(gpu, path, backend="onnxruntime").close()
    for backend in ("onnxruntime", "wgpu"):
        with pytest.raises(
            ModelUnsupportedError, match=r"state turns = false under \[input\] in fixed\.onnx"
        ):
            load_network(gpu, path, backend=backend, is_portrait=True)
    with_sidecar(path, '[input]\nturns = "yes"\n')
    with pytest.raises(ModelInvalidError, match="'turns' must be true or false"):
        load_network(gpu, path, backend="onnxruntime")


def test_a_network_that_cannot_be_turned_runs_again_for_frames_that_it_takes(tmp_path):
    shapes = {stride: [1, 11, 32 // stride, 64 // stride] for stride in (8, 16, 32)}
    path = zeros_of_strides(tmp_path / "fixed.onnx", [1, 3, 32, 64], shapes)
    with_sidecar(path, "[input]\nturns = true\n")
    engine = Engine(Gpu.open, FilterLibrary(None), LiveNetwork.load)
    engine.current.set_setup(Setup(network=NetworkSpec(str(path), "onnxruntime")))

    def state_with(frame: Frame) -> str:
        end = time.perf_counter() + LIMIT_S
        engine.render(frame)
        while engine.current.network_status.state == "loading" and time.perf_counter() < end:
            engine.render(frame)
            time.sleep(0.005)
        return engine.current.network_status.state

    portrait, landscape = with_square(64, 128, 0, 0), with_square(128, 64, 0, 0)
    states = [state_with(each) for each in (landscape, portrait, portrait, landscape)]
    assert states == ["running", "failed", "failed", "running"]
    engine.close()


def test_the_library_takes_images_of_both_orientations(wide):
    with lightloom.load(wide, score=0.9, backend="onnxruntime") as network:
        found = []
        for height, width, at in ((64, 128, (0, 16)), (128, 64, (96, 32)), (64, 128, (0, 16))):
            pixels = np.zeros((height, width, 3), np.uint8)
            pixels[at[0] : at[0] + 16, at[1] : at[1] + 16, 0] = 255
            found.append(np.rint(network(pixels).boxes).astype(int).tolist())
            assert network.inputs == {"x": (1, 3, 64, 32) if height > width else (1, 3, 32, 64)}
    assert found == [[[16, 0, 32, 16]], [[32, 96, 48, 112]], [[16, 0, 32, 16]]]


def reference_boxes(path: Path, pixels: np.ndarray, least: float) -> list[tuple[float, tuple[float, ...]]]:
    """Scores and boxes (before suppression) of persons in a portrait image of exactly the turned input's size,
    by ONNX Runtime and plain arithmetic.
    """
    model = onnx.load(path)
    for value in (*model.graph.input, *model.graph.output):
        rows, columns = value.type.tensor_type.shape.dim[2:]
        rows.dim_value, columns.dim_value = columns.dim_value, rows.dim_value
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    given = (pixels.transpose(2, 0, 1)[None] / 127.5 - 1).astype(np.float16)
    found = []
    for stride in (8, 16, 32):
        (grid,) = session.run([f"grid_{stride}"], {"image": given})
        for row, column in np.ndindex(grid.shape[2:]):
            x, y, w, h, *_ = values = grid[0, :, row, column].astype(float)
            score = 1 / (1 + np.exp(-values[8]))
            if score >= least:
                middle, size = np.array([column + x, row + y]) * stride, np.exp([w, h]) * stride
                corners = np.clip((*(middle - size / 2), *(middle + size / 2)), 0, pixels.shape[1::-1] * 2)
                found.append((score, tuple(corners)))
    return sorted(found, reverse=True)


def drawn_person() -> np.ndarray:
    """(416, 320, 3) R'G'B': a person who stands, with arms, legs, hair and a face, in blurred colors."""
    pixels = np.full((416, 320, 3), 90, np.uint8)
    shirt, skin, dark = (40, 60, 150), (225, 180, 150), (50, 35, 30)
    cv2.ellipse(pixels, (160, 265), (55, 110), 0, 0, 360, shirt, -1)
    for x in (95, 225):
        cv2.ellipse(pixels, (x, 240), (16, 85), 8 if x < 160 else -8, 0, 360, shirt, -1)
    for x in (120, 170):
        cv2.rectangle(pixels, (x, 340), (x + 30, 415), dark, -1)
    cv2.ellipse(pixels, (160, 110), (36, 46), 0, 0, 360, skin, -1)
    cv2.ellipse(pixels, (160, 80), (38, 26), 0, 180, 360, dark, -1)
    for x in (146, 174):
        cv2.circle(pixels, (x, 105), 5, dark, -1)
    cv2.ellipse(pixels, (160, 132), (14, 5), 0, 0, 180, (160, 60, 60), -1)
    return cv2.GaussianBlur(pixels, (0, 0), 1.2)


def test_the_built_in_detector_finds_in_a_portrait_image_what_onnxruntime_finds(gpu):
    path = builtin_models()["detector"].path
    pixels = drawn_person()
    settings = {"score": 0.05, "iou": 1.0, "classes": ("person",)}
    network = load_network(gpu, path, settings=settings, backend="onnxruntime", is_portrait=True)
    found = network.analyze_pixels(pixels).objects
    network.close()
    wanted = reference_boxes(path, pixels, 0.05)
    assert found and len(found) == len(wanted)
    for item, (score, box) in zip(found, wanted, strict=True):
        assert item.score == pytest.approx(score, abs=0.01)
        assert item.box == pytest.approx(box, abs=1.0)
