"""A stage that enlarges the picture, whole and in tiles, beside ONNX Runtime on the whole picture.

A stage's picture is read back in 8 bits: a tolerance of 2 codes holds rgba16float (half a code), the
network's rounding and the dither.
"""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
import wgpu
from dense_models import convolution, enlarging_model
from filter_rig import natural_picture
from onnx import helper, numpy_helper
from test_pipeline import rgba_frame
from test_stages_network import enlarged, picture8, until
from waiting import LIMIT_S

from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import TensorInfo
from desktop.pipeline.chain.network_stages import stage_for_model
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.picture.present import View
from desktop.pipeline.running.dense import enlarging
from desktop.pipeline.running.dense.tiled_session import GpuTiles, HostTiles, Place, TiledShapes, tiled
from desktop.pipeline.running.dense.tiling import tile_picture
from desktop.pipeline.setup.setup import Setup
from desktop.vision.backends.loader import load_session

BACKENDS = ("wgpu", "onnxruntime")
STAGE = "super_resolution"


def reference(model: Path, picture: np.ndarray) -> np.ndarray:
    """What ONNX Runtime makes of a whole picture, uint8 [h, w, 3 or more], as codes [h, w, c]."""
    session = onnxruntime.InferenceSession(str(model))
    given = picture[..., :3].astype(np.float32).transpose(2, 0, 1)[None] / 255
    return session.run(None, {session.get_inputs()[0].name: given})[0][0].transpose(1, 2, 0) * 255


def shown(pipeline, library, picture, *stages, model, **values):
    pipeline.set_chain(chain_of(library, [(STAGE, {"model": str(model), **values}), *stages]))
    pipeline.render(rgba_frame(picture))
    assert {s.state for s in pipeline.chain.statuses} == {"running"}, pipeline.chain.statuses[0].message
    return pipeline.export().result().astype(int)


# -- the larger picture --------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size, factor", [((61, 43), 2), ((32, 24), 4), ((9, 30), 3)])
def test_the_picture_is_as_large_as_the_network_makes_it(pipeline, library, tmp_path, backend, size, factor):
    picture, model = picture8(*size), enlarging_model(tmp_path / "net.onnx", factor)
    result = shown(pipeline, library, picture, model=model, backend=backend)
    assert result.shape[:2] == (size[1] * factor, size[0] * factor)
    assert pipeline.shown_size == (size[0] * factor, size[1] * factor)
    assert np.abs(result[..., :3] - reference(model, picture)).max() <= 2
    assert (result[..., 3] == 255).all()
    assert "tiles" not in pipeline.chain.statuses[0].network.text


def test_stages_behind_it_have_the_larger_picture(pipeline, library, tmp_path):
    picture, model = picture8(40, 28), enlarging_model(tmp_path / "net.onnx")
    one = reference(model, picture)
    # Each pixel alone, and one that knows the picture's size: a mirror of the larger picture.
    result = shown(pipeline, library, picture, ("invert", {}), ("mirror", {"mode": "left half"}), model=model)
    assert result.shape[:2] == (56, 80)
    inverted = 255 - one
    mirrored = np.concatenate((inverted[:, :40], inverted[:, 39::-1]), axis=1)
    assert np.abs(result[..., :3] - mirrored).max() <= 2
    # Twice in a chain.
    values = {"model": str(model)}
    pipeline.set_chain(chain_of(library, [(STAGE, values), (STAGE, values)]))
    pipeline.render(rgba_frame(picture))
    assert pipeline.export().result().shape[:2] == (112, 160)


def test_without_it_the_picture_is_as_before_and_its_textures_are_gone(pipeline, library, tmp_path):
    picture, model = picture8(32, 24), enlarging_model(tmp_path / "net.onnx")
    shown(pipeline, library, picture, ("invert", {}), model=model)
    pipeline.drain()
    before = wgpu.diagnostics.object_counts.get_dict()["Texture"]["count"]
    chain = chain_of(library, [(STAGE, {"model": str(model)}), ("invert", {})])
    for index in range(6):
        pipeline.set_chain(chain.with_enabled(1, bool(index % 2)))
        pipeline.render(rgba_frame(picture))
        size = 2 if index % 2 else 1
        assert pipeline.export().result().shape[:2] == (24 * size, 32 * size)
    pipeline.drain()
    assert wgpu.diagnostics.object_counts.get_dict()["Texture"]["count"] <= before + 1


def test_strength_mixes_with_interpolation(pipeline, library, tmp_path):
    picture, model = picture8(40, 24), enlarging_model(tmp_path / "net.onnx")
    smooth = enlarged(picture[..., :3] / 255.0, 80, 48) * 255
    result = shown(pipeline, library, picture, model=model, strength=0.0)
    assert np.abs(result[..., :3] - smooth).max() <= 3  # the sampler's weights have 8 bits
    result = shown(pipeline, library, picture, model=model, strength=0.5)
    assert np.abs(result[..., :3] - (smooth + reference(model, picture)) / 2).max() <= 3


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_channel_is_luma_and_the_picture_keeps_its_colors(pipeline, library, tmp_path, backend):
    picture, model = picture8(40, 24), enlarging_model(tmp_path / "gray.onnx", 2, channels=1)
    result = shown(pipeline, library, picture, model=model, backend=backend)
    luma = np.array([0.2126, 0.7152, 0.0722])
    rgb = picture[..., :3] / 255.0
    # Gray goes in by the weights that `Preprocess` states: the network's own are looked up in what it is
    # given.
    session = onnxruntime.InferenceSession(str(model))
    given = (rgb @ np.array([0.299, 0.587, 0.114]))[None, None].astype(np.float32)
    gray = session.run(None, {"x": given})[0][0, 0]
    smooth = enlarged(rgb, 80, 48)
    expected = np.clip(smooth + (gray - smooth @ luma)[..., None], 0, 1) * 255
    assert np.abs(result[..., :3] - expected).max() <= 3


# -- tiles ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_tiles_give_what_the_whole_picture_gives(pipeline, library, tmp_path, backend):
    picture, model = picture8(139, 101), enlarging_model(tmp_path / "net.onnx")
    result = shown(pipeline, library, picture, model=model, backend=backend, tile=64)
    assert "tiles" in pipeline.chain.statuses[0].network.text
    assert np.abs(result[..., :3] - reference(model, picture)).max() <= 2


def _shapes(model: Path, whole: tuple[int, int], tile: tuple[int, int], factor: int = 2) -> TiledShapes:
    given = TensorInfo("x", (1, 3, tile[1], tile[0]), "float32")
    made = TensorInfo("y", (1, 3, tile[1] * factor, tile[0] * factor), "float32")
    return TiledShapes(tile_picture(whole, tile, 2), given, made, Place(2, 3, 1), Place(2, 3, 1), factor)


@pytest.mark.parametrize("backend", BACKENDS)
def test_tiled_numbers_equal_whole_ones(gpu, tmp_path, backend):
    # The numbers themselves, before a texture rounds them: sums of the same products, so float32's rounding
    # alone.
    model, shapes = enlarging_model(tmp_path / "net.onnx"), _shapes(tmp_path, (139, 101), (48, 40))
    picture = natural_picture(139, 101, 3).astype(np.float32).transpose(2, 0, 1)[None].copy()
    expected = onnxruntime.InferenceSession(str(model)).run(None, {"x": picture})[0]
    session = load_session(model, gpu=gpu, backend=backend, input_shapes={"x": shapes.input.shape}).session
    whole = tiled(gpu, session, shapes)
    assert isinstance(whole, GpuTiles if backend == "wgpu" else HostTiles)
    try:
        assert whole.inputs[0].shape == (1, 3, 101, 139) and whole.outputs[0].shape == (1, 3, 202, 278)
        np.testing.assert_allclose(whole.run({"x": picture})["y"], expected, atol=2e-6)
        if backend == "wgpu":
            assert np.abs(_recorded(gpu, whole, picture, parts=1) - expected).max() <= 2e-6
            # In slices of 5 dispatches, after another picture: nothing of that is left.
            _recorded(gpu, whole, 1.0 - picture, parts=1)
            assert np.abs(_recorded(gpu, whole, picture, parts=5) - expected).max() <= 2e-6
    finally:
        whole.close()


def _recorded(gpu, session, picture: np.ndarray, *, parts: int) -> np.ndarray:
    """Record an inference, whole or each `parts` dispatches in a submission of their own, and read the output
    back.
    """
    assert session.capabilities.recorder is session
    gpu.queue.write_buffer(session.tensor("x").buffer, 0, np.ascontiguousarray(picture, np.float32))
    step = session.dispatch_count if parts == 1 else parts
    for start in range(0, session.dispatch_count, step):
        encoder = gpu.device.create_command_encoder()
        compute_pass = encoder.begin_compute_pass()
        session.encode(compute_pass, start, min(start + step, session.dispatch_count))
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])
    tensor = session.tensor("y")
    size = int(np.prod(tensor.shape)) * 4
    return np.frombuffer(gpu.queue.read_buffer(tensor.buffer, 0, size), np.float32).reshape(tensor.shape)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("size", [(150, 70), (40, 70), (30, 20)])
def test_a_network_of_fixed_size_sees_all_of_a_picture_of_any_size(
    pipeline, library, tmp_path, backend, size
):
    # Larger than its input both ways, one way, and smaller: its edge is then repeated behind it.
    picture = picture8(*size)
    fixed = enlarging_model(tmp_path / "fixed.onnx", size=(64, 64))
    free = enlarging_model(tmp_path / "free.onnx")
    result = shown(pipeline, library, picture, model=fixed, backend=backend)
    pads = [(0, max(0, 64 - picture.shape[0])), (0, max(0, 64 - picture.shape[1])), (0, 0)]
    expected = reference(free, np.pad(picture, pads, "edge"))[: 2 * size[1], : 2 * size[0]]
    assert result.shape[:2] == (2 * size[1], 2 * size[0])
    assert np.abs(result[..., :3] - expected).max() <= 2


def _box_model(path: Path, side: int, *, hidden: bool) -> Path:
    """A mean over 9 x 9 pixels, each pixel of it four times; of fixed size. `hidden`: by a reshape that
    nobody looks behind.
    """
    weight = np.zeros((12, 3, 9, 9), np.float32)
    for c in range(12):
        weight[c, c // 4] = 1 / 81
    shape = numpy_helper.from_array(np.array([1, 12, side, side], np.int64), "shape")
    nodes = [helper.make_node("DepthToSpace", ["r" if hidden else "c"], ["y"], blocksize=2, mode="CRD")]
    if hidden:
        nodes.insert(0, helper.make_node("Reshape", ["c", "shape"], ["r"]))
    convolution(path, weight, size=(side, side), after=nodes, constants=[shape])
    model = onnx.load(str(path))
    dims = model.graph.output[0].type.tensor_type.shape.dim
    for dim, count in zip(dims, (1, 3, 2 * side, 2 * side), strict=True):
        dim.dim_value = count
    onnx.save(model, str(path))
    return path


@pytest.mark.parametrize("hidden", [False, True])
def test_seams_do_not_show(pipeline, library, tmp_path, hidden):
    # Steps from pixel to pixel, at each seam and elsewhere, of a smooth picture with some grain.
    grain = np.random.default_rng(0).normal(0, 12, (120, 200, 1))
    ramp = np.linspace(40, 210, 200)[None, :, None] + np.linspace(0, 20, 120)[:, None, None] + grain
    rgb = np.rint(np.clip(np.repeat(ramp, 3, 2), 0, 255))
    picture = np.dstack((rgb, np.full((120, 200), 255))).astype(np.uint8)
    model = _box_model(tmp_path / "box.onnx", 64, hidden=hidden)
    result = shown(pipeline, library, picture, model=model)
    told = pipeline.chain.statuses[0].network.text
    assert ("is not known" if hidden else "looks 4 pixels far") in told
    smooth = cv2.blur(rgb, (9, 9), borderType=cv2.BORDER_CONSTANT)
    assert np.abs(result[::2, ::2, :3] - smooth).max() <= 2
    columns = tile_picture((200, 120), (64, 64), None if hidden else 4).columns
    steps = np.abs(np.diff(result[8:-8, ::2, 1], axis=1)).mean(axis=0)  # of 199 pairs of columns
    at = np.unique([round(end) - 1 + by for span in columns[1:] for end in span.rise for by in (-1, 0, 1)])
    assert len(columns) >= 4 and at.size >= 12
    elsewhere = np.delete(steps, at)[8:-8]  # not the picture's own edge, beside which are zeros
    assert steps[at].mean() <= elsewhere.mean() * 1.15 and steps[at].max() <= elsewhere.max() + 0.5


def test_a_real_network_in_tiles(shared, pipeline, library):
    picture, model = picture8(120, 66), shared / "models" / "superres/animejanai_v3_ultracompact.onnx"
    assert stage_for_model(model)[0] == STAGE
    result = shown(pipeline, library, picture, model=model, tile=64, backend="onnxruntime")
    assert np.abs(result[..., :3] - np.clip(reference(model, picture), 0, 255)).max() <= 2


def test_a_real_network_of_fixed_size_beside_itself_without_one(shared, pipeline, library, tmp_path):
    # ESPCN takes 224 x 224; its convolutions take anything. Gray, so that what comes out is the luma.
    path = shared / "models" / "enhance/super-resolution-10.onnx"
    free = onnx.load(str(path))
    last = max(at for at, node in enumerate(free.graph.node) if node.op_type == "Conv")
    kept = list(free.graph.node)[: last + 1]
    kept.append(helper.make_node("DepthToSpace", [kept[-1].output[0]], ["whole"], blocksize=3, mode="CRD"))
    del free.graph.node[:], free.graph.output[:]
    free.graph.node.extend(kept)
    free.graph.output.append(helper.make_tensor_value_info("whole", 1, None))
    for dim in free.graph.input[0].type.tensor_type.shape.dim[2:]:
        dim.dim_param = f"side{dim.dim_value}"
    free.opset_import[0].version = 11  # 'CRD'
    onnx.save(free, str(tmp_path / "free.onnx"))
    gray = cv2.cvtColor(picture8(300, 240)[..., :3], cv2.COLOR_RGB2GRAY)
    picture = np.dstack((gray, gray, gray, np.full_like(gray, 255)))
    session = onnxruntime.InferenceSession(str(tmp_path / "free.onnx"))
    expected = session.run(None, {session.get_inputs()[0].name: (gray / np.float32(255))[None, None]})[0][
        0, 0
    ]
    result = shown(pipeline, library, picture, model=path)
    assert "tiles" in pipeline.chain.statuses[0].network.text and result.shape[:2] == (720, 900)
    assert np.abs(result[..., 1] - np.clip(expected, 0, 1) * 255).max() <= 2


# -- live, shown and saved -----------------------------------------------------------------------------------


@pytest.mark.parametrize("timing", ["newest result", "in step"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_live_the_picture_grows_when_the_result_is_there(in_slices, library, tmp_path, backend, timing):
    live = in_slices
    picture, model = picture8(48, 32), enlarging_model(tmp_path / "net.onnx")
    values = {"model": str(model), "backend": backend, "timing": timing, "tile": 32}
    live.set_chain(chain_of(library, [(STAGE, values), ("invert", {})]))
    live.render(rgba_frame(picture))
    assert live.shown_size == (48, 32)  # the network is being built
    until(live, picture, lambda: live.shown_size == (96, 64))
    result = live.export().result().astype(int)
    assert np.abs(result[..., :3] - (255 - reference(model, picture))).max() <= 2
    other = picture8(40, 40)
    until(live, other, lambda: live.shown_size == (80, 80) and not live.chain.is_compiling)
    until(
        live,
        other,
        lambda: np.abs(live.export().result()[..., :3] - (255 - reference(model, other))).max() <= 2,
    )


@pytest.mark.parametrize("timing", ["newest result", "in step"])
def test_results_that_are_always_quicker_than_pictures_are_no_compiling(live, library, tmp_path, timing):
    """On a fast machine each result is there before the next picture, so there is always one that no frame
    has taken up.
    """
    picture, model = picture8(48, 32), enlarging_model(tmp_path / "net.onnx")
    values = {"model": str(model), "backend": "onnxruntime", "timing": timing, "tile": 32}
    live.set_chain(chain_of(library, [(STAGE, values)]))
    until(live, picture, lambda: live.shown_size == (96, 64))
    for _ in range(5):
        live.render(rgba_frame(picture))
        live.drain()
        end = time.perf_counter() + LIMIT_S
        while not live.chain.has_news and time.perf_counter() < end:
            time.sleep(0.001)
        assert live.chain.has_news and not live.chain.is_compiling and live.wants_frames


def test_before_and_after_lie_over_each_other(library, tmp_path):
    # Nothing but each pixel's own value four times: both sides of the split show the same picture.
    picture = picture8(40, 30)
    picture[..., :3] = np.linspace(0, 255, 40)[None, :, None]
    engine = Engine(Gpu.open, library, load_network=None, wait=True)
    gpu = engine.gpu
    usage = wgpu.TextureUsage
    target = gpu.device.create_texture(
        size=(160, 120, 1), format="rgba8unorm", usage=usage.RENDER_ATTACHMENT | usage.COPY_SRC
    )
    model = enlarging_model(tmp_path / "net.onnx")

    def drawn(stages, view) -> np.ndarray:
        engine.current.set_setup(Setup(chain=chain_of(library, stages)))
        engine.current.view = view
        engine.render(rgba_frame(picture), target)
        layout = {"offset": 0, "bytes_per_row": 640, "rows_per_image": 120}
        data = gpu.queue.read_texture({"texture": target}, layout, (160, 120, 1))
        return np.frombuffer(data, np.uint8).reshape(120, 160, 4)[..., :3].astype(int)

    try:
        stages = [(STAGE, {"model": str(model), "strength": 0.0})]
        plain = drawn([], View())
        assert engine.current.picture_size == (40, 30)
        larger = drawn(stages, View())
        assert engine.current.picture_size == engine.current.snapshot().picture_size == (80, 60)
        # A texel of the original covers 4 x 4 pixels, one of the larger picture 2 x 2: a step of the ramp is
        # 6.5 codes.
        assert np.abs(larger - plain).max() <= 7
        split = drawn(stages, View(split=0.5))
        assert np.abs(np.delete(split - larger, range(78, 83), axis=1)).max() <= 7
        # 1:1 is a pixel of the larger picture: it fills half of the target.
        one = drawn(stages, View(mode="free", zoom=1.0))
        inside = one[30:90, 40:120]
        exported = engine.current.export().result()[..., :3].astype(int)
        assert np.abs(inside - exported).max() <= 2
    finally:
        engine.close()


# -- what is too large ---------------------------------------------------------------------------------------


@pytest.fixture
def loads_nothing(monkeypatch):
    """A session that is loaded fails the test."""
    monkeypatch.setattr(enlarging, "load_session", lambda *_, **__: pytest.fail("was loaded"))


@pytest.mark.usefixtures("loads_nothing")
def test_a_picture_beyond_the_textures_is_refused_before_anything_is_loaded(pipeline, library, tmp_path):
    most = pipeline.gpu.limits["max-texture-dimension-2d"]
    model = enlarging_model(tmp_path / "net.onnx", 4)
    pipeline.set_chain(chain_of(library, [(STAGE, {"model": str(model)})]))
    width = most // 4 + 1
    pipeline.render(rgba_frame(np.zeros((2, width, 4), np.uint8)))
    (status,) = pipeline.chain.statuses
    assert status.state == "failed"
    assert f"{4 * width} x 8 pixels, and this GPU takes {most} a side" in status.message
    assert pipeline.export().result().shape[:2] == (2, width)  # the picture goes on as it is


@pytest.mark.usefixtures("loads_nothing")
def test_a_picture_beyond_the_memory_is_refused_before_anything_is_loaded(
    pipeline, library, tmp_path, monkeypatch
):
    model = enlarging_model(tmp_path / "net.onnx", 4)
    monkeypatch.setattr(enlarging, "_MOST_PICTURE", 1 << 20)
    pipeline.set_chain(chain_of(library, [(STAGE, {"model": str(model)})]))
    pipeline.render(rgba_frame(picture8(64, 48)))
    message = pipeline.chain.statuses[0].message
    assert "net.onnx would produce an image of 256 x 192 pixels, which takes 0.0 GiB" in message
    assert "0.0 are allowed" in message and message.count(".onnx") == 1


def test_tiles_follow_the_memory(gpu, library, tmp_path, pipeline, monkeypatch):
    # 15 planes of 139 x 101 and more are alive together: with a share of that a tile of 128 is what fits.
    monkeypatch.setattr(enlarging, "_MOST_MEMORY", 300 * 200 * 4 * 12)
    picture, model = picture8(300, 200), enlarging_model(tmp_path / "net.onnx")
    result = shown(pipeline, library, picture, model=model)
    assert "tiles" in pipeline.chain.statuses[0].network.text
    assert np.abs(result[..., :3] - reference(model, picture)).max() <= 2


def test_too_many_tiles_are_refused(pipeline, library, tmp_path):
    model = enlarging_model(tmp_path / "tiny.onnx", size=(8, 8))
    pipeline.set_chain(chain_of(library, [(STAGE, {"model": str(model)})]))
    pipeline.render(rgba_frame(picture8(400, 300)))
    message = pipeline.chain.statuses[0].message
    assert "takes 8 x 8 pixels at a time" in message and "1024 are allowed" in message


def test_a_chain_of_it_is_written_and_read(library, tmp_path):
    chain = chain_of(library, [(STAGE, {"model": "x.onnx", "tile": 256})])
    assert chain.stages[0].values["tile"] == 256 and isinstance(chain, ChainSpec)
