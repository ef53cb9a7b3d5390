"""Networks as stages of the chain: the picture on both backends beside NumPy, masks, depth, failures,
rebuilding.

A stage's picture is read back in 8 bits: a tolerance of 2 codes holds rgba16float (half a code), the
network's rounding and the dither.
"""

from __future__ import annotations

import colorsys
import gc
import time
import weakref
from pathlib import Path

import cv2
import numpy as np
import pytest
import wgpu
from dense_models import SWAP, channel_model, convolution, depth_model, swap_model
from filter_rig import natural_picture
from onnx import helper
from PIL import Image
from test_pipeline import read_target, rgba_frame, target_texture
from tiny_models import fixed_network
from waiting import LIMIT_S
from waiting import until as until_so

from desktop.base.errors import ModelUnsupportedError
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.dense.dense_network import load_dense
from desktop.pipeline.running.inputs.picture import Picture
from desktop.pipeline.running.one.runner import InferenceRunner
from desktop.pipeline.running.one.strategy import Order
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.builtin import builtin_models
from desktop.vision.tasks import all_tasks
from desktop.vision.tasks.common.dense import DenseRequest

BACKENDS = ("wgpu", "onnxruntime")


@pytest.fixture(scope="module")
def library():
    return FilterLibrary(None)


@pytest.fixture
def pipeline(gpu):
    made = Pipeline(gpu, FilterLibrary(None), wait=True)
    yield made
    made.close()


@pytest.fixture
def live(gpu):
    made = Pipeline(gpu, FilterLibrary(None))
    yield made
    made.close()


def picture8(width: int, height: int, seed: int = 0) -> np.ndarray:
    """A natural picture, uint8 [h, w, 4], opaque."""
    rgb = np.rint(natural_picture(width, height, seed) * 255).astype(np.uint8)
    return np.dstack((rgb, np.full((height, width), 255, np.uint8)))


def styled(pipeline, library, shown, stage="style", **values):
    pipeline.set_chain(chain_of(library, [(stage, values)]))
    pipeline.render(rgba_frame(shown))
    assert [s.state for s in pipeline.chain.statuses] == ["running"], pipeline.chain.statuses[0].message
    return pipeline.export().result().astype(int)


def enlarged(image: np.ndarray, width: int, height: int) -> np.ndarray:
    """Catmull-Rom interpolation, the edge repeated, clipped to 0..1."""
    for axis, size in ((0, height), (1, width)):
        source = image.shape[axis]
        at = (np.arange(size) + 0.5) * source / size - 0.5
        first = np.floor(at).astype(int)
        f = at - first
        weights = (
            f * (-0.5 + f * (1 - 0.5 * f)),
            1 + f * f * (-2.5 + 1.5 * f),
            f * (0.5 + f * (2 - 1.5 * f)),
            f * f * (-0.5 + 0.5 * f),
        )
        taps = [np.take(image, np.clip(first + i - 1, 0, source - 1), axis) for i in range(4)]
        shape = (size, 1, 1) if axis == 0 else (1, size, 1)
        image = sum(w.reshape(shape) * tap for w, tap in zip(weights, taps, strict=True))
    return np.clip(image, 0, 1)


def runner_of(pipeline: Pipeline, stage: int = 0) -> InferenceRunner:
    """What runs the network of a stage, in the chain's order, from 0."""
    return pipeline.chain._stages[stage].feed._current.runner


def until(pipeline, picture, condition, seconds=LIMIT_S):
    """Show one picture again and again, as a live source does, until something is so."""
    end = time.perf_counter() + seconds
    while not condition():
        assert time.perf_counter() < end, pipeline.chain.statuses
        pipeline.render(rgba_frame(picture))
        time.sleep(0.005)
    pipeline.drain()


# -- a picture comes out -------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [(64, 48), (61, 43), (9, 30)])
def test_the_stage_shows_what_the_network_gives(pipeline, library, tmp_path, backend, size):
    # Sizes that are no multiple of 8 are padded and cropped: a 1 x 1 convolution gives every pixel exactly.
    picture = picture8(*size)
    model = str(swap_model(tmp_path / "swap.onnx"))
    result = styled(pipeline, library, picture, model=model, backend=backend)
    assert np.abs(result[..., :3] - picture[..., 2::-1]).max() <= 2
    assert (result[..., 3] == 255).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_edge_is_repeated_where_the_input_is_padded(pipeline, library, tmp_path, backend):
    picture = picture8(61, 43)
    weight = np.zeros((3, 3, 3, 3), np.float32)
    for c in range(3):
        weight[c, c] = 1 / 9
    model = str(convolution(tmp_path / "blur.onnx", weight))
    result = styled(pipeline, library, picture, model=model, backend=backend, size=128)
    padded = np.pad(picture[..., :3] / 255.0, ((0, 48 - 43), (0, 64 - 61), (0, 0)), "edge")
    expected = cv2.blur(padded, (3, 3), borderType=cv2.BORDER_CONSTANT)[:43, :61]
    assert np.abs(result[..., :3] - expected * 255).max() <= 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_working_size_shrinks_what_the_network_sees(pipeline, library, tmp_path, backend):
    picture = picture8(256, 144)
    model = str(swap_model(tmp_path / "swap.onnx"))
    result = styled(pipeline, library, picture, model=model, backend=backend, size=128)
    small = [
        np.asarray(
            Image.fromarray(picture[..., c] / np.float32(255), "F").resize(
                (128, 72), Image.Resampling.BILINEAR
            )
        )
        for c in (2, 1, 0)
    ]
    expected = enlarged(np.dstack(small), 256, 144)
    # The sampler's weights have 8 bits.
    assert np.abs(result[..., :3] - expected * 255).max() <= 3
    assert "128x72" in pipeline.chain.statuses[0].network.text


@pytest.mark.parametrize("opacity, keep", [(0.0, 0.0), (0.4, 0.0), (1.0, 1.0), (0.5, 0.6)])
def test_opacity_and_color_keeping(pipeline, library, tmp_path, opacity, keep):
    picture = picture8(48, 32)
    model = str(swap_model(tmp_path / "swap.onnx"))
    # `strength`, as version 0.1 called it.
    result = styled(pipeline, library, picture, model=model, strength=opacity, keep_colors=keep)
    c = picture[..., :3] / 255.0
    s = c[..., ::-1]
    luma = np.array([0.2126, 0.7152, 0.0722])
    recolored = c + ((s - c) @ luma)[..., None]
    expected = c + opacity * ((s + keep * (recolored - s)) - c)
    assert np.abs(result[..., :3] - np.clip(expected, 0, 1) * 255).max() <= 2


@pytest.mark.parametrize(
    "scale, gain, settings",
    [("0..255", 255.0, {}), ("-1..1", 2.0, {"input_range": "-1..1", "output_range": "-1..1"})],
)
def test_ranges(pipeline, library, tmp_path, scale, gain, settings):
    # A swap that ends in a clip to its range: the graph says the output's range, which is the input's too.
    low, high = (0.0, 255.0) if scale == "0..255" else (-1.0, 1.0)
    clip = helper.make_node("Clip", ["c", "low", "high"], ["y"])
    bounds = [
        helper.make_tensor("low", 1, [], [low]),
        helper.make_tensor("high", 1, [], [high]),
    ]
    model = convolution(tmp_path / "range.onnx", SWAP, after=[clip], constants=bounds)
    picture = picture8(40, 24)
    result = styled(pipeline, library, picture, model=str(model), **settings)
    assert np.abs(result[..., :3] - picture[..., 2::-1]).max() <= 2
    assert scale in pipeline.chain.statuses[0].network.text


@pytest.mark.parametrize("form", ["channels last", "half", "bgr", "fixed size"])
def test_forms_of_networks(pipeline, library, tmp_path, form):
    picture = picture8(48, 32)
    settings: dict[str, object] = {}
    expected = picture[..., 2::-1] / 255.0
    if form == "channels last":
        model = swap_model(tmp_path / "m.onnx", channels_last=True)
    elif form == "half":
        model = swap_model(tmp_path / "m.onnx", half=True)
    elif form == "bgr":
        # The first channel alone: of B, G, R it is blue, and goes back into blue.
        weight = np.zeros((3, 3, 1, 1), np.float32)
        weight[0, 0] = 1.0
        model = convolution(tmp_path / "m.onnx", weight)
        settings["input_colors"] = "BGR"
        expected = picture[..., :3] / 255.0 * (0, 0, 1)
    else:
        model = swap_model(tmp_path / "m.onnx", size=(24, 24))
        small = [
            np.asarray(
                Image.fromarray(np.ascontiguousarray(expected[..., c], np.float32), "F").resize(
                    (24, 24), Image.Resampling.BILINEAR
                )
            )
            for c in range(3)
        ]
        expected = enlarged(np.dstack(small), 48, 32)
    result = styled(pipeline, library, picture, model=str(model), **settings)
    assert np.abs(result[..., :3] - expected * 255).max() <= (3 if form == "fixed size" else 2)


def test_a_network_for_luma_keeps_the_colors(pipeline, library, tmp_path):
    # One channel in, one out, three times as large: what comes out is the picture's own BT.601 luma.
    resize = helper.make_node("Resize", ["c", "", "scales"], ["y"], mode="nearest")
    scales = [helper.make_tensor("scales", 1, [4], [1.0, 1.0, 3.0, 3.0])]
    weight = np.ones((1, 1, 1, 1), np.float32)
    graph = convolution(tmp_path / "up.onnx", weight, after=[resize], constants=scales, size=(48, 32))
    picture = picture8(48, 32)
    result = styled(pipeline, library, picture, model=str(graph))
    c = picture[..., :3] / 255.0
    shift = c @ np.array([0.299, 0.587, 0.114]) - c @ np.array([0.2126, 0.7152, 0.0722])
    assert np.abs(result[..., :3] - np.clip(c + shift[..., None], 0, 1) * 255).max() <= 2


def test_several_networks_in_a_row(pipeline, library, tmp_path):
    model = str(swap_model(tmp_path / "swap.onnx"))
    picture = picture8(48, 32)
    chain = chain_of(
        library,
        [
            ("style", {"model": model, "backend": "onnxruntime"}),
            ("invert", {}),
            ("style", {"model": model, "backend": "wgpu"}),
        ],
    )
    pipeline.set_chain(chain)
    pipeline.render(rgba_frame(picture))
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 3


# -- beside the pictures -------------------------------------------------------------------------------------


def test_on_the_cpu_the_picture_never_waits_and_the_newest_result_is_shown(live, library, tmp_path):
    model = str(swap_model(tmp_path / "swap.onnx"))
    picture = picture8(48, 32)
    live.set_chain(chain_of(library, [("style", {"model": model, "backend": "onnxruntime"})]))
    live.render(rgba_frame(picture))
    live.drain()
    # Nothing to show yet: the picture goes on as it is.
    assert np.abs(live.export().result().astype(int) - picture).max() <= 1
    assert live.chain.statuses[0].state == "compiling"
    until(live, picture, lambda: live.chain.statuses[0].state == "running")
    assert np.abs(live.export().result()[..., :3].astype(int) - picture[..., 2::-1]).max() <= 2
    report = live.chain.statuses[0].network
    assert (
        report.is_asynchronous
        and report.latency_ms > 0
        and "onnxruntime was chosen by the user" in report.text
    )
    assert [s.name for s in live.stats.stages] == ["upload", "color", "network:1", "filter:1"]
    # After a reset an old result is void.
    live.chain.reset()
    live.render(rgba_frame(picture))
    live.drain()
    assert np.abs(live.export().result().astype(int) - picture).max() <= 1
    # A stage of the same number that has no network has none in the statistics.
    live.set_chain(chain_of(library, [("exposure", {})]))
    until(live, picture, lambda: [s.name for s in live.stats.stages][2:] == ["filter:1"])
    live.drain()
    assert [s.name for s in live.stats.stages] == ["upload", "color", "filter:1"]


def test_a_result_that_comes_while_nothing_plays_asks_for_a_repaint(live, library, tmp_path):
    model = str(swap_model(tmp_path / "swap.onnx"))
    woken = []
    live.on_progress = lambda: woken.append(1)
    live.set_chain(chain_of(library, [("style", {"model": model, "backend": "onnxruntime"})]))
    picture = picture8(48, 32)
    live.render(rgba_frame(picture))
    end = time.perf_counter() + LIMIT_S
    while live.chain.statuses[0].state != "running" or live.wants_frames:
        assert time.perf_counter() < end
        live.render(None)
        time.sleep(0.01)
    assert woken
    readbacks = runner_of(live).strategy.readbacks
    assert readbacks == 1  # the same picture is not looked at again and again
    live.drain()
    assert np.abs(live.export().result()[..., :3].astype(int) - picture[..., 2::-1]).max() <= 2


def test_another_size_is_built_while_the_old_one_goes_on_and_is_kept(live, library, tmp_path, loads):
    model = str(swap_model(tmp_path / "swap.onnx"))
    picture = picture8(256, 144)
    chain = chain_of(library, [("style", {"model": model, "backend": "wgpu", "size": 256})])
    live.set_chain(chain)
    until(live, picture, lambda: live.chain.statuses[0].state == "running")
    chain = chain.with_values(1, {"size": 128})
    live.set_chain(chain)
    live.render(rgba_frame(picture))
    assert live.chain.statuses[0].state == "running"  # the old one
    until(live, picture, lambda: "128x72" in live.chain.statuses[0].network.text)
    live.set_chain(chain.with_values(1, {"size": 256}))
    live.render(rgba_frame(picture))
    assert "256x144" in live.chain.statuses[0].network.text  # at once: it was kept
    assert loads == [(256, 144), (128, 72)]


def test_a_network_too_slow_for_a_frame_is_spread_over_several(unhurried, library, tmp_path):
    live = unhurried
    model = str(swap_model(tmp_path / "swap.onnx"))
    live.set_chain(chain_of(library, [("style", {"model": model, "backend": "wgpu"})]))
    first, second = picture8(48, 32, 1), picture8(48, 32, 2)
    until(live, first, lambda: live.chain.statuses[0].state == "running")
    live.network_budget_ms = 1e-6  # one step a frame: input, network, output
    shown = []
    for index in range(1, 10):
        live.render(rgba_frame(second, pts=index * 0.04))
        live.drain()
        result = live.export().result()[..., :3].astype(int)
        shown.append([bool(np.abs(result - p[..., 2::-1]).max() <= 2) for p in (first, second)])
    assert shown[:3] == [
        [True, False],
        [True, False],
        [False, True],
    ]  # the old result until the new one is whole
    assert all(s == [False, True] for s in shown[3:])
    assert live.chain.statuses[0].network.is_asynchronous
    # A third picture is begun; nothing plays any more: a repaint finishes it.
    third = picture8(48, 32, 3)
    live.render(rgba_frame(third, pts=0.5))
    end = time.perf_counter() + LIMIT_S
    while live.wants_frames:
        assert time.perf_counter() < end
        live.render(None)
        time.sleep(0.01)
    live.drain()
    assert np.abs(live.export().result()[..., :3].astype(int) - third[..., 2::-1]).max() <= 2


def recolored(picture: np.ndarray) -> np.ndarray:
    """What Style gives of a network that swaps red and blue, with the picture's own colors; 0..255."""
    c = picture[..., :3] / 255.0
    luma = np.array([0.2126, 0.7152, 0.0722])
    return np.clip(c + ((c[..., ::-1] - c) @ luma)[..., None], 0, 1) * 255


@pytest.mark.parametrize("backend", BACKENDS)
def test_colors_that_are_kept_are_those_of_the_picture_that_was_repainted(
    unhurried, library, tmp_path, backend
):
    live = unhurried
    model = str(swap_model(tmp_path / "swap.onnx"))
    values = {"model": model, "backend": backend, "keep_colors": 1.0}
    live.set_chain(chain_of(library, [("style", values)]))
    first, second = picture8(48, 32, 1), picture8(48, 32, 2)
    live.network_budget_ms = 1e-6  # wgpu: one step a frame
    until(live, first, lambda: live.chain.statuses[0].state == "running")

    def is_of(picture):
        live.drain()
        return bool(np.abs(live.export().result()[..., :3] - recolored(picture)).max() <= 2)

    until(live, first, lambda: is_of(first))
    live.render(rgba_frame(second, pts=50.0))
    assert is_of(first) and not is_of(second)
    until(live, second, lambda: is_of(second))
    # A larger picture: nothing of the smaller one is left in it.
    third = picture8(64, 40, 3)
    live.render(rgba_frame(third, pts=60.0))
    assert not is_of(third)
    until(live, third, lambda: is_of(third))


@pytest.mark.parametrize("backend", BACKENDS)
def test_changing_sizes_leaves_nothing_behind(pipeline, library, tmp_path, backend):
    def counts():
        found = wgpu.diagnostics.object_counts.get_dict()
        return {name: found[name]["count"] for name in ("Buffer", "Texture", "BindGroup")}

    picture = picture8(220, 100)
    empty = ChainSpec()
    values = {"model": str(swap_model(tmp_path / "swap.onnx")), "backend": backend}
    chain = chain_of(library, [("style", values)])

    def show(size):
        pipeline.set_chain(chain.with_values(1, {"size": size}))
        pipeline.render(rgba_frame(picture))
        pipeline.drain()

    def wait_for(expected):
        # Networks that are no longer kept are closed on a thread.
        until_so(lambda: counts() == expected, lambda: f"{counts()} and not {expected}")

    # What other tests of the process left would go during this one.
    gc.collect()
    for size in (128, 160, 192, 224):
        show(size)
    time.sleep(0.3)
    before = counts()
    for size in (128, 160, 192, 224):
        show(size)
    wait_for(before)
    pipeline.set_chain(empty)
    pipeline.render(rgba_frame(picture))
    pipeline.drain()
    time.sleep(0.3)
    bare = counts()
    show(128)
    pipeline.set_chain(empty)
    wait_for(bare)


def test_edits_in_any_order(live, library, tmp_path):
    cv2.imwrite(str(tmp_path / "back.png"), np.zeros((9, 9, 3), np.uint8))
    models = [
        str(swap_model(tmp_path / "swap.onnx")),
        str(channel_model(tmp_path / "mask.onnx")),
        str(tmp_path / "gone.onnx"),
    ]
    rng = np.random.default_rng(11)
    chain = chain_of(
        library,
        [
            ("style", {"model": models[0]}),
            ("background", {"model": models[1]}),
            ("style", {"model": models[2]}),
        ],
    )
    sizes = [(64, 48), (40, 64), (33, 21)]
    size = sizes[0]
    for index in range(240):
        stage = chain.stages[rng.integers(3)]
        edits = [
            {"model": models[rng.integers(3)]},
            {"backend": BACKENDS[rng.integers(2)]},
            {"size": int(rng.choice([128, 160]))} if stage.filter == "style" else {"mode": "image"},
            {}
            if stage.filter == "style"
            else {"picture": str(tmp_path / rng.choice(["back.png", "no.png"]))},
        ]
        if rng.random() < 0.4:
            chain = chain.with_values(stage.id, edits[rng.integers(4)])
        if rng.random() < 0.1:
            chain = chain.with_enabled(stage.id, not stage.enabled)
        if rng.random() < 0.1:
            chain = chain.moved(stage.id, int(rng.integers(3)))
        if rng.random() < 0.05:
            size = sizes[rng.integers(3)]
        live.set_chain(chain)
        live.render(
            rgba_frame(picture8(*size, seed=index % 4), pts=index * 0.04) if rng.random() < 0.8 else None
        )
    chain = chain_of(library, [("style", {"model": models[0], "backend": "wgpu"})])
    live.set_chain(ChainSpec())
    picture = picture8(64, 48)
    live.render(rgba_frame(picture))
    live.set_chain(chain)
    until(live, picture, lambda: live.chain.statuses[0].state == "running")
    assert np.abs(live.export().result()[..., :3].astype(int) - picture[..., 2::-1]).max() <= 2


# -- failures ------------------------------------------------------------------------------------------------


def test_diffusion_without_a_network_says_what_it_takes(pipeline, library):
    pipeline.set_chain(chain_of(library, [("diffusion", {"model": ""})]))
    pipeline.render(rgba_frame(picture8(32, 24)))
    (status,) = pipeline.chain.statuses
    assert status.state == "failed"
    assert "Diffusion has no network; choose the folder of a Stable Diffusion pipeline" in status.message


def test_a_missing_or_broken_network_switches_its_stage_off_and_names_it(pipeline, library, tmp_path):
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"not a model at all")
    counts = convolution(tmp_path / "five.onnx", np.ones((5, 3, 1, 1), np.float32))
    picture = picture8(32, 24)
    for model, expected in (
        (str(tmp_path / "gone.onnx"), "There is no network"),
        (str(broken), "broken.onnx"),
        (str(counts), "5 channels"),
        ("", "No network is chosen"),
    ):
        pipeline.set_chain(chain_of(library, [("style", {"model": model}), ("invert", {})]))
        pipeline.render(rgba_frame(picture))
        failed, fine = pipeline.chain.statuses
        assert (failed.state, fine.state) == ("failed", "running")
        assert failed.message.startswith("Style was switched off: ") and expected in failed.message
        assert failed.message.count("\n") == 0 and failed.message.endswith(".")
        assert np.abs(pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 1
        pipeline.set_chain(ChainSpec())
    # Another value is the user's way to say: try again.
    chain = chain_of(library, [("style", {"model": str(broken)})])
    pipeline.set_chain(chain)
    pipeline.render(rgba_frame(picture))
    pipeline.set_chain(chain.with_values(1, {"model": str(swap_model(tmp_path / "swap.onnx"))}))
    pipeline.render(rgba_frame(picture))
    assert pipeline.chain.statuses[0].state == "running"


@pytest.mark.parametrize("wait", [True, False])
def test_a_network_that_fails_while_running_switches_its_stage_off(gpu, library, tmp_path, wait):
    # Reshape to a size that only the trial's picture would have: onnxruntime finds out when it runs.
    gather = helper.make_node("Gather", ["c", "index"], ["y"], axis=1)
    index = [helper.make_tensor("index", 7, [3], [0, 1, 2])]
    model = convolution(tmp_path / "m.onnx", SWAP, after=[gather], constants=index)
    pipeline = Pipeline(gpu, library, wait=wait)
    picture = picture8(32, 24)
    pipeline.set_chain(chain_of(library, [("style", {"model": str(model), "backend": "onnxruntime"})]))
    try:
        until(pipeline, picture, lambda: pipeline.chain.statuses[0].state == "running")
        network = runner_of(pipeline).network

        def fail(feeds):
            raise ModelUnsupportedError("The network gave up.")

        network.session.run = fail
        until(pipeline, picture, lambda: pipeline.chain.statuses[0].state == "failed")
        assert pipeline.chain.statuses[0].message == "Style was switched off: The network gave up."
        assert np.abs(pipeline.export().result().astype(int) - picture).max() <= 1
    finally:
        pipeline.close()


# -- masks ---------------------------------------------------------------------------------------------------


def red_mask_picture(width: int = 64, height: int = 48, seed: int = 3) -> np.ndarray:
    """Red is the mask: a soft disc; green and blue are the picture."""
    y, x = np.mgrid[0:height, 0:width]
    distance = np.hypot(x - width * 0.45, y - height * 0.55)
    picture = picture8(width, height, seed)
    picture[..., 0] = np.rint(255 / (1 + np.exp((distance - height * 0.3) / 2)))
    return picture


def half(image: np.ndarray) -> np.ndarray:
    """Bilinear samples at the middles of 2 x 2 pixels: their means."""
    return (image[0::2, 0::2] + image[1::2, 0::2] + image[0::2, 1::2] + image[1::2, 1::2]) / 4


def quarter(image: np.ndarray) -> np.ndarray:
    """Means of 4 x 4 pixels."""
    return half(half(image))


def box(image: np.ndarray, radius: int) -> np.ndarray:
    """Mean of a square window, the edge repeated."""
    size = (2 * radius + 1,) * 2
    return cv2.blur(image, size, borderType=cv2.BORDER_REPLICATE)


def smoothstep(a: float, b: float, x: np.ndarray) -> np.ndarray:
    t = np.clip((x - a) / (b - a), 0, 1)
    return t * t * (3 - 2 * t)


def refined(picture: np.ndarray, mask: np.ndarray, edges: int) -> np.ndarray:
    """The fast guided filter by the picture's luma (He and Sun 2015), as background.wgsl has it; float64 [h,
    w].
    """
    luma = picture[..., :3] / 255.0 @ np.array([0.2126, 0.7152, 0.0722])
    guide = quarter(luma)
    mean_i, mean_p = box(guide, edges), box(mask, edges)
    covariance = box(guide * mask, edges) - mean_i * mean_p
    variance = box(guide * guide, edges) - mean_i * mean_i
    a = covariance / (variance + 4e-4)
    b = mean_p - a * mean_i
    height, width = luma.shape
    a, b = (cv2.resize(box(v, edges), (width, height), interpolation=cv2.INTER_LINEAR) for v in (a, b))
    return np.clip(a * luma + b, 0, 1)


WHITE = (1.0, 1.0, 1.0, 1.0)
SOFT = {"mode": "colour", "color": WHITE, "threshold": 0.5, "feather": 0.5}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("edges", [0, 2])
def test_the_mask_is_drawn_to_the_edges_and_replaces_the_background(
    pipeline, library, tmp_path, backend, edges
):
    picture = red_mask_picture()
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    result = styled(
        pipeline,
        library,
        picture,
        "background",
        model=model,
        backend=backend,
        edges=edges,
        smoothing=0,
        **SOFT,
    )
    inside = smoothstep(0.0, 1.0, refined(picture, quarter(picture[..., 0] / 255.0), edges))
    expected = 1.0 + (picture[..., :3] / 255.0 - 1.0) * inside[..., None]
    assert np.abs(result[..., :3] - expected * 255).max() <= 2


def test_the_mask_is_smoothed_over_time_but_for_large_changes(pipeline, library, tmp_path):
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    values = {"model": model, "edges": 0, "smoothing": 0.1, "invert": True, **SOFT}
    pipeline.set_chain(chain_of(library, [("background", values)]))
    levels = (100, 140, 90, 250)
    state = None
    for index, level in enumerate(levels):
        picture = np.full((48, 64, 4), 255, np.uint8)
        picture[..., 0] = level
        picture[..., 1:3] = 0
        pipeline.render(rgba_frame(picture, pts=index * 0.04))
        now = level / 255
        share = 1.0 if state is None else 1 - np.exp(-0.04 / 0.1)
        change = 0.0 if state is None else float(smoothstep(0.4, 0.8, np.array(abs(now - state))))
        state = now if state is None else state + max(share, change) * (now - state)
        inside = 1 - smoothstep(0.0, 1.0, np.array(state))
        result = pipeline.export().result().astype(int)
        # Green is 0 in the picture and 1 in the color that replaces it.
        assert np.abs(result[..., 1] - (1 - inside) * 255).max() <= 2, index


def mask_and_luma(reds: tuple[int, ...], lumas: tuple[float, ...]) -> list[np.ndarray]:
    """Return (48, 64, 4) pictures whose red is the mask, with these means of R'G'B' luma (BT.709), 0 to 255."""
    pictures = []
    for red, wanted in zip(reds, lumas, strict=True):
        picture = np.full((48, 64, 4), 255, np.uint8)
        picture[..., :3] = (red, round((wanted - 0.2126 * red) / 0.7152), 0)
        pictures.append(picture)
    return pictures


def test_where_the_picture_stands_still_the_mask_is_smoothed_ten_times_as_long(pipeline, library, tmp_path):
    """On the left luma stays as it is while the mask comes and goes; on the right both change."""
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    values = {"model": model, "edges": 0, "smoothing": 0.1, **SOFT, "mode": "mask"}
    pipeline.set_chain(chain_of(library, [("background", values)]))
    reds = (200, 30, 220, 40)
    still, moving = mask_and_luma(reds, (100,) * 4), mask_and_luma(reds, (100, 60, 100, 60))
    left = right = reds[0] / 255
    for index, red in enumerate(reds):
        picture = np.concatenate([still[index][:, :32], moving[index][:, 32:]], 1)
        pipeline.render(rgba_frame(picture, pts=index * 0.04))
        change = float(smoothstep(0.4, 0.8, np.array(abs(red / 255 - right))))
        right += max(1 - np.exp(-0.04 / 0.1), change) * (red / 255 - right)
        sure = max((2 * red / 255 - 1) ** 2, 0.1)
        left += (1 - np.exp(-sure * 0.04 / 1.0)) * (red / 255 - left)
        result = pipeline.export().result()[..., 0].astype(int)
        # Between both, the mask follows within two blocks of 8 pixels beside what moves.
        for part, state in ((result[:, :12], left), (result[:, 36:], right)):
            assert np.abs(part - 255 * smoothstep(0.0, 1.0, np.array(state))).max() <= 2, index


def halves(left_is_person: bool) -> np.ndarray:
    """A (48, 64, 4) picture, red where a person is in `channel_model`'s answer, blue elsewhere."""
    picture = np.full((48, 64, 4), (0, 0, 255, 255), np.uint8)
    picture[:, slice(0, 32) if left_is_person else slice(32, 64), :3] = (255, 0, 0)
    return picture


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_mask_that_is_late_is_followed_though_nothing_moves_any_more(gpu, library, tmp_path, backend):
    """The picture changes once; on a thread, or in slices, its mask comes in a later frame."""
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    pipeline = Pipeline(gpu, library, adapts_budget=False)
    pipeline.network_budget_ms = 1e-6
    values = {"model": model, "edges": 0, "mode": "mask", "backend": backend}
    pipeline.set_chain(chain_of(library, [("background", values)]))

    target = target_texture(gpu, 64, 48)

    def shown(picture: np.ndarray, pts: float) -> tuple[bool, bool]:
        pipeline.render(rgba_frame(picture, pts=pts), target)
        got = read_target(gpu, target)[24, :, 0]
        return bool(got[8] > 250), bool(got[56] > 250)

    until_so(lambda: shown(halves(True), 1.0) == (True, False))
    pts = 1.1
    for side in (False, True, False, True):
        for _ in range(20):
            found = shown(halves(side), pts)
            pts += 1 / 30
            time.sleep(0.01)
        assert found == (side, not side)
    pipeline.close()


def test_another_network_shows_its_mask_at_once_in_a_pause(pipeline, library, tmp_path):
    picture = rgba_frame(halves(True), pts=1.0)
    for channel, wanted in ((0, (255, 0)), (2, (0, 255))):
        model = str(channel_model(tmp_path / f"{channel}.onnx", channel, size=(64, 48)))
        values = {"model": model, "edges": 0, "mode": "mask"}
        pipeline.set_chain(chain_of(library, [("background", values)]))
        for _ in range(2):
            pipeline.render(picture)
        result = pipeline.export().result()[24, :, 0]
        assert (result[8], result[56]) == wanted


def test_a_repaint_does_not_let_go_of_what_is_held(pipeline, library, tmp_path):
    """Luma stays as it is while the mask comes and goes; another effect is edited between two frames."""
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    values = {"model": model, "edges": 0, **SOFT, "mode": "mask"}
    held = []
    for number, picture in enumerate(mask_and_luma((220, 110) * 3, (100,) * 6)):
        frame = rgba_frame(picture, pts=number * 0.04)
        for brightness in (0.0, 0.001):
            stages = [("background", values), ("brightness_contrast", {"brightness": brightness})]
            pipeline.set_chain(chain_of(library, stages))
            pipeline.render(frame if brightness == 0.0 else None)
            held.append(int(pipeline.export().result()[24, 32, 0]))
    assert max(held) - min(held) < 20


def test_a_filter_that_gives_no_number_spoils_no_later_mask(gpu, tmp_path):
    """NaN in the luma of one frame; in the next ones the person moves."""
    broken = """/* lightloom
title = "Broken in the third frame"
*/
fn main(p: vec2i) -> vec4f {
  let c = load(p);
  return select(c, vec4f(sqrt(c.rgb - 2.0), 1.0), frame.index == 2u);
}
"""
    (tmp_path / "broken.wgsl").write_text(broken, "utf-8")
    library = FilterLibrary(tmp_path)
    pipeline = Pipeline(gpu, library, wait=True)
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    values = {"model": model, "edges": 0, "mode": "mask"}
    pipeline.set_chain(chain_of(library, [("broken", {}), ("background", values)]))
    for number in range(24):
        pipeline.render(rgba_frame(halves(number < 6), pts=number / 30))
    assert [stage.state for stage in pipeline.chain.statuses] == ["running", "running"]
    result = pipeline.export().result()[24, :, 0]
    assert (result[8], result[56]) == (0, 255)
    pipeline.close()


@pytest.mark.parametrize(("rate", "speed"), [(60, 12), (60, 24), (120, 48)])
def test_a_mask_goes_along_with_what_moves_slowly(pipeline, library, tmp_path, rate, speed):
    """An edge of two colors that differ in luma by 0.15 and moves by less than half a pixel a frame."""
    width = 160
    model = str(channel_model(tmp_path / "mask.onnx", size=(width, 48)))
    pipeline.set_chain(chain_of(library, [("background", {"model": model, "edges": 0, "mode": "mask"})]))
    person, ground = np.array([1.0, (0.5 - 0.2126) / 0.7152, 0]), np.array([0, 0.35 / 0.7152, 0])
    edge = 60.0
    for number in range(rate):
        edge = 60 + speed * number / rate
        share = np.clip(edge - np.arange(width), 0, 1)[None, :, None]
        frame = np.full((48, width, 4), 255, np.uint8)
        frame[..., :3] = np.rint(255 * (share * person + (1 - share) * ground))
        pipeline.render(rgba_frame(frame, pts=number / rate))
    behind = edge - pipeline.export().result()[24, :, 0].sum() / 255
    # Averaging over 0.08 s leaves it behind by as much as it moves in that time, at most 4 pixels.
    assert abs(behind) < 0.08 * speed + 1.5


def test_blur_keeps_the_person_out_of_the_background(pipeline, library, tmp_path):
    # The person is pure red, the background pure blue: blurred, it must stay blue right up to the person.
    picture = np.zeros((48, 64, 4), np.uint8)
    picture[..., 3] = 255
    picture[:, :32, 0] = 255
    picture[:, 32:, 2] = 255
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    values = {"edges": 0, "smoothing": 0, "feather": 0.005, "blur": 6}
    result = styled(pipeline, library, picture, "background", model=model, **values)
    assert (result[:, :28, 0] >= 253).all() and (result[:, 37:, 0] <= 4).all()
    assert (result[:, 37:, 2] >= 251).all()


def test_a_picture_replaces_the_background_and_dim_is_linear(pipeline, library, tmp_path):
    picture = np.full((48, 64, 4), 255, np.uint8)
    picture[..., :3] = (0, 128, 200)
    model = str(channel_model(tmp_path / "mask.onnx", size=(64, 48)))
    wide = np.zeros((20, 100, 3), np.uint8)
    wide[:, :25], wide[:, 25:75], wide[:, 75:] = (0, 0, 255), (0, 255, 0), (255, 0, 0)  # OpenCV's BGR
    cv2.imwrite(str(tmp_path / "wide.png"), wide)
    image = styled(
        pipeline,
        library,
        picture,
        "background",
        model=model,
        mode="image",
        picture=str(tmp_path / "wide.png"),
    )
    # The frame is 4 : 3, the image 5 : 1: its middle fills the frame.
    assert np.abs(image[:, 2:-2, :3] - (0, 255, 0)).max() <= 2
    dimmed = styled(pipeline, library, picture, "background", model=model, mode="dim", dim=0.25)
    linear = np.array([((v / 255 + 0.055) / 1.055) ** 2.4 if v else 0.0 for v in (0, 128, 200)]) * 0.25
    expected = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    assert np.abs(dimmed[..., :3] - expected * 255).max() <= 2


def test_a_class_is_cut_out_or_shown_as_a_mask(pipeline, library, tmp_path):
    """A person who is pure red before pure blue; with `invert` the background stays."""
    weight = np.array([[20.0, 0, -20]], np.float32).reshape(1, 3, 1, 1)
    model = str(convolution(tmp_path / "red_mask.onnx", weight, size=(64, 48)))
    picture = np.zeros((48, 64, 4), np.uint8)
    picture[..., 2:] = 255
    picture[:, :32] = (255, 0, 0, 255)
    hard = {"model": model, "edges": 0, "smoothing": 0.0, "feather": 0.005, "input_range": "0..1"}
    person = np.zeros((48, 64), bool)
    person[:, :32] = True
    for invert in (False, True):
        wanted = (person != invert) * 255
        cut = styled(pipeline, library, picture, "background", mode="cut out", invert=invert, **hard)
        mask = styled(pipeline, library, picture, "background", mode="mask", invert=invert, **hard)
        away = np.abs(np.arange(64) - 31.5) > 4  # the mask is kept at a quarter of the size
        assert (cut[:, away, :3] == picture[:, away, :3]).all()
        assert (cut[:, away, 3] == wanted[:, away]).all()
        assert (mask[:, away, :3] == wanted[:, away, None]).all() and (mask[..., 3] == 255).all()


def test_one_class_is_colored_alone(pipeline, library, tmp_path):
    rng = np.random.default_rng(8)
    weight = rng.normal(0, 3, (5, 3, 1, 1)).astype(np.float32)
    model = convolution(tmp_path / "roads_seg.onnx", weight, size=(64, 48))
    picture = picture8(64, 48)
    rgb = picture[..., :3] / 255.0
    found = (rgb @ weight[..., 0, 0].T.astype(np.float64)).argmax(-1)
    number = int(np.bincount(found.ravel()).argsort()[-2])
    values = {"model": str(model), "input_range": "0..1", "borders": 0.0, "opacity": 0.75, "only": number}
    result = styled(pipeline, library, picture, "segmentation", **values)
    covered = (found == number)[..., None]
    expected = np.where(covered, rgb * 0.25 + hue_color(number) * 0.75, rgb) * 255
    assert 0.01 < covered.mean() < 0.99
    assert np.mean(np.abs(result[..., :3] - expected).max(-1) > 2) <= 0.02


def hue_color(number: int) -> np.ndarray:
    """The color of a class: Python's own conversion from hue, saturation and value."""
    return np.array(colorsys.hsv_to_rgb((0.12 + number * 0.381966) % 1.0, 0.62, 1.0))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("numbers", [False, True])
def test_classes_are_shown_in_colors_of_their_own(pipeline, library, tmp_path, backend, numbers):
    rng = np.random.default_rng(8)
    weight = rng.normal(0, 3, (5, 3, 1, 1)).astype(np.float32)
    after = [helper.make_node("ArgMax", ["c"], ["y"], axis=1, keepdims=1)] if numbers else ()
    model = convolution(tmp_path / "roads_seg.onnx", weight, size=(64, 48), after=after)
    if numbers:
        _as_int64(model)
    picture = picture8(64, 48)
    values = {"model": str(model), "backend": backend, "input_range": "0..1", "borders": 0.0, "opacity": 0.75}
    result = styled(pipeline, library, picture, "segmentation", **values)
    rgb = picture[..., :3] / 255.0
    logits = rgb @ weight[..., 0, 0].T.astype(np.float64)
    found = logits.argmax(-1)
    colors = np.stack([hue_color(number) for number in range(5)])[found]
    expected = np.where((found == 0)[..., None], rgb, rgb * 0.25 + colors * 0.75) * 255
    # A pixel or two whose greatest scores tie.
    assert len(np.unique(found)) > 2
    assert np.mean(np.abs(result[..., :3] - expected).max(-1) > 2) <= 0.02


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("activation", ["sigmoid", "softmax", "argmax"])
def test_readings_of_masks(gpu, tmp_path, backend, activation):
    rng = np.random.default_rng(5)
    channels = 1 if activation == "sigmoid" else 4
    weight = rng.normal(0, 3, (channels, 3, 1, 1)).astype(np.float32)
    after, output = (), "y"
    if activation == "argmax":
        after = [helper.make_node("ArgMax", ["c"], ["y"], axis=1, keepdims=1)]
    model = convolution(tmp_path / "m.onnx", weight, size=(16, 12), after=after, output=output)
    if activation == "argmax":
        _as_int64(model)
    channel = None if activation == "sigmoid" else 2
    network = load_dense(
        gpu, str(model), (16, 12), DenseRequest("mask", scale="0..1", channel=channel), backend=backend
    )
    assert network.head.layout.activation == activation
    picture = picture8(16, 12)
    logits = picture[..., :3] / 255.0 @ weight[..., 0, 0].T.astype(np.float64)
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    expected = {
        "sigmoid": 1 / (1 + np.exp(-logits[..., 0])),
        "argmax": (logits.argmax(-1) == 2).astype(float),
    }.get(activation, (powers / powers.sum(-1, keepdims=True))[..., 2 if channels > 2 else 0])
    got = _run_once(gpu, network, picture)
    network.close()
    # Half floats in the texture, and a pixel or two whose greatest scores tie.
    assert np.mean(np.abs(got - expected) > 3e-3) <= (0.02 if activation == "argmax" else 0.0)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("activation", ["sigmoid", "softmax"])
def test_a_mask_on_a_small_map_is_that_of_its_enlarged_scores(gpu, tmp_path, backend, activation):
    channels = 1 if activation == "sigmoid" else 4
    scores = np.random.default_rng(7).normal(0, 4, (channels, 12, 16)).astype(np.float32)
    model = fixed_network(tmp_path / "m.onnx", {"mask": scores[None]}, (64, 48))
    channel = None if channels == 1 else 2
    network = load_dense(gpu, str(model), (64, 48), DenseRequest("mask", channel=channel), backend=backend)
    assert network.head.layout.activation == activation
    large = np.stack([cv2.resize(each, (64, 48), interpolation=cv2.INTER_LINEAR) for each in scores])
    powers = np.exp(large - large.max(0))
    expected = 1 / (1 + np.exp(-large[0])) if channels == 1 else (powers / powers.sum(0))[2]
    got = _run_once(gpu, network, picture8(64, 48))
    network.close()
    np.testing.assert_allclose(got, expected, atol=3e-3)  # half floats in the texture


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_part_of_a_small_map_that_the_picture_fills_is_enlarged(gpu, tmp_path, backend):
    """The input is padded to a multiple: the cells over the padding are cut off, and neighbors of the last
    ones all the same.
    """
    weight = np.random.default_rng(5).normal(0, 3, (1, 3, 1, 1)).astype(np.float32)
    pool = [helper.make_node("AveragePool", ["c"], ["y"], kernel_shape=[4, 4], strides=[4, 4])]
    model = convolution(tmp_path / "pooled_mask.onnx", weight, after=pool)
    picture = picture8(61, 42)
    network = load_dense(gpu, str(model), (61, 42), DenseRequest("mask", scale="0..1"), backend=backend)
    padded = np.pad(picture[..., :3] / 255.0, ((0, 6), (0, 3), (0, 0)), "edge")
    logits = (padded @ weight[0, :, 0, 0].astype(np.float64)).reshape(12, 4, 16, 4).mean((1, 3))
    large = cv2.resize(logits, (64, 48), interpolation=cv2.INTER_LINEAR)[:42, :61]
    assert network.head.layout.activation == "sigmoid"
    got = _run_once(gpu, network, picture)
    network.close()
    np.testing.assert_allclose(got, 1 / (1 + np.exp(-large)), atol=4e-3)


def _as_int64(path):
    import onnx

    model = onnx.load(str(path))
    model.graph.output[0].type.tensor_type.elem_type = 7
    model.graph.output[0].type.tensor_type.shape.dim[1].dim_value = 1
    onnx.save(model, str(path))


def _run_once(gpu, network, picture):
    from desktop.pipeline.running.one.picture_network import upload_rgb

    texture = upload_rgb(gpu, np.ascontiguousarray(picture[..., :3]))
    commands = FrameCommands(gpu, gpu.device.create_command_encoder())
    runner = InferenceRunner(gpu, network, wait=True)
    timer = FrameTimer(gpu)
    runner.encode(commands, Picture(texture, texture, 0.0), timer, "network")
    gpu.queue.submit([commands.encoder.finish()])
    timer.close()
    width, height = network.head.texture.width, network.head.texture.height
    layout = {"bytes_per_row": width * 8, "rows_per_image": height}
    raw = gpu.queue.read_texture({"texture": network.head.texture}, layout, (width, height, 1))
    return np.frombuffer(raw, np.float16).reshape(height, width, 4)[..., 0].astype(np.float64)


# -- depth ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [(64, 48), (50, 38)])
def test_depth_is_brought_to_0_to_1(pipeline, library, tmp_path, backend, size):
    picture = picture8(*size)
    model = str(depth_model(tmp_path / "depth.onnx", size=size))
    green = picture[..., 1] / 255.0
    near = (green - green.min()) / (green.max() - green.min())
    expected = cv2.resize(half(near), size, interpolation=cv2.INTER_LINEAR)
    settings = {"model": model, "backend": backend, "palette": "grey", "input_range": "0..1"}
    result = styled(pipeline, library, picture, "depth", **settings)
    assert np.abs(result[..., 0] - expected * 255).max() <= 2
    result = styled(pipeline, library, picture, "depth", invert=True, **settings)
    assert np.abs(result[..., 0] - (1 - expected) * 255).max() <= 2


def test_depth_blur_leaves_the_focus_alone(pipeline, library, tmp_path):
    # Near is the right half: green. Stripes of blue show the blur.
    picture = np.zeros((48, 64, 4), np.uint8)
    picture[..., 3] = 255
    picture[:, 32:, 1] = 255
    picture[:, ::4, 2] = 255
    model = str(depth_model(tmp_path / "depth.onnx", size=(64, 48)))
    settings = {"model": model, "show": "blur", "radius": 12, "input_range": "0..1"}
    result = styled(pipeline, library, picture, "depth", focus=1.0, **settings)
    assert np.abs(result[:, 36:, :3] - picture[:, 36:, :3]).max() <= 2
    assert result[:, 8:24, 2].std() < 0.2 * picture[:, 8:24, 2].std()


def test_a_users_filter_with_a_network(gpu, tmp_path):
    # The example of docs/filters.md.
    document = (Path(__file__).parents[2] / "docs" / "filters.md").read_text("utf-8")
    text = document.split("<!-- example: half_repainted -->\n```wgsl\n", 1)[1].split("```", 1)[0]
    (tmp_path / "half_repainted.wgsl").write_text(text, "utf-8")
    library = FilterLibrary(tmp_path)
    assert library.errors == {}
    pipeline = Pipeline(gpu, library, wait=True)
    picture = picture8(48, 32)
    try:
        result = styled(
            pipeline, library, picture, "half_repainted", net=str(swap_model(tmp_path / "s.onnx"))
        )
    finally:
        pipeline.close()
    assert np.abs(result[:, :24, :3] - picture[:, :24, 2::-1]).max() <= 2
    assert np.abs(result[:, 24:] - picture[:, 24:]).max() <= 1


# -- in the box ----------------------------------------------------------------------------------------------

STAGE_OF = {task.id: task.usual_stage for task in all_tasks() if task.usual_stage}
BOX = [model for model in builtin_models().values() if model.task in STAGE_OF]


@pytest.mark.parametrize("model", BOX, ids=[model.name for model in BOX])
def test_every_built_in_network_runs_as_its_stage_on_both_backends(pipeline, library, model):
    assert stage_for_model(model.path) == (STAGE_OF[model.task], {"model": model.name})
    picture = picture8(96, 61)
    results = [
        styled(pipeline, library, picture, STAGE_OF[model.task], model=model.name, backend=backend)
        for backend in BACKENDS
    ]
    # Half floats between the layers are rounded at other places by the two.
    difference = np.abs(results[0][..., :3] - results[1][..., :3])
    assert difference.mean() <= 1 and np.percentile(difference, 99) <= 8
    notes = pipeline.chain.statuses[0].network.text
    assert "assumed" not in notes and "Nothing" not in notes, "its table should state colors and range"


# -- presets -------------------------------------------------------------------------------------------------


def test_a_preset_keeps_networks_and_pictures(library, tmp_path):
    model = swap_model(tmp_path / "swap.onnx")
    cv2.imwrite(str(tmp_path / "back.png"), np.zeros((4, 4, 3), np.uint8))
    chain = chain_of(
        library,
        [
            ("style", {"model": str(model), "size": 320, "input_range": "0..255", "keep_colors": 0.5}),
            (
                "background",
                {"model": str(model), "mode": "image", "picture": str(tmp_path / "back.png"), "channel": 3},
            ),
        ],
    )
    path = tmp_path / "look.toml"
    save_preset(Setup(chain), library, path)
    text = path.read_text()
    assert (
        'model = "swap.onnx"' in text and 'picture = "back.png"' in text
    )  # beside the preset: it can be shared
    loaded = load_preset(path, library)
    assert loaded.warnings == () and loaded.setup.chain == chain
    model.unlink()
    loaded = load_preset(path, library)
    assert "the network of 'style', swap.onnx, is not there" in " ".join(loaded.warnings)
    assert loaded.setup.chain.stages[0].values["model"] == "swap.onnx"


def test_a_closed_network_is_freed_without_the_cycle_collector(gpu, library, tmp_path):
    """Its last result and onnxruntime's memory are hundreds of megabytes; the collector may come an hour
    later.
    """
    path = swap_model(tmp_path / "swap.onnx")
    source = gpu.device.create_texture(
        size=(16, 12, 1), format="rgba16float", usage=wgpu.TextureUsage.TEXTURE_BINDING
    )
    gc.collect()
    gc.disable()
    try:
        network = load_dense(gpu, str(path), (16, 12), DenseRequest("image"), backend="onnxruntime")
        runner = InferenceRunner(gpu, network)
        timer = FrameTimer(gpu)
        reading = None
        for _ in range(200):
            commands = FrameCommands(gpu, gpu.device.create_command_encoder())
            turn = runner.strategy.encode(
                commands, network.bind(source), timer, Order("network", take_up=True)
            )
            gpu.queue.submit([commands.encoder.finish()])
            turn.submitted()
            reading = runner.poll()
            if reading is not None:
                break
            time.sleep(0.02)
        assert reading is not None
        kept = [weakref.ref(network), weakref.ref(network.session), weakref.ref(reading.values)]
        del reading
        runner.close()
        del network, runner, turn
        assert [each() for each in kept] == [None, None, None]
    finally:
        gc.enable()
