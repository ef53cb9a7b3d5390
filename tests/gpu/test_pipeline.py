"""The pipeline and the engine: what comes out, what is read back, edits, failures, device loss."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pytest
import wgpu
from waiting import LIMIT_S

from desktop.base.errors import DeviceLostError, FilterError, GpuError, ModelError, SourceUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.outputs.transparency import over_black
from desktop.pipeline.chain.spec import ChainSpec, chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import View, place
from desktop.pipeline.pipeline import Pipeline
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.snapshot import NetworkStatus
from desktop.vision.tasks.task import Features


def rgba_frame(picture: np.ndarray, pts: float = 0.0) -> Frame:
    """A frame with the uint8 [h, w, 4] picture as it is."""
    height, width = picture.shape[:2]
    plane = Plane(picture.tobytes(), width * 4, width, height)
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    return Frame((plane,), RGBA, width, height, color, pts=pts, captured_at=time.perf_counter())


def noise(seed: int, width: int = 48, height: int = 32) -> np.ndarray:
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 4), dtype=np.uint8)
    picture[..., 3] = 255
    return picture


@pytest.fixture
def library():
    return FilterLibrary(None)


def test_a_picture_passes_unchanged(pipeline):
    picture = noise(1)
    pipeline.render(rgba_frame(picture))
    # Dithering moves a value by less than one code.
    assert np.abs(pipeline.export().result().astype(int) - picture).max() <= 1


def test_stages_run_in_order(pipeline, library):
    picture = noise(2)
    invert_then_posterize = chain_of(library, [("invert", {}), ("exposure", {"stops": -1})])
    pipeline.set_chain(invert_then_posterize)
    pipeline.render(rgba_frame(picture))
    first = pipeline.export().result().astype(int)
    stages = invert_then_posterize.stages
    pipeline.set_chain(ChainSpec((stages[1], stages[0])))
    pipeline.render(rgba_frame(picture))
    second = pipeline.export().result().astype(int)
    linear = lambda c: np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)  # noqa: E731
    coded = lambda c: np.where(c <= 0.0031308, c * 12.92, 1.055 * c ** (1 / 2.4) - 0.055)  # noqa: E731
    value = picture[..., :3] / 255.0
    assert np.abs(first[..., :3] - coded(linear(1 - value) / 2) * 255).max() <= 2
    assert np.abs(second[..., :3] - (1 - coded(linear(value) / 2)) * 255).max() <= 2


def test_values_count_on_the_next_frame_without_new_gpu_objects(pipeline, library):
    chain = chain_of(library, [("exposure", {"stops": 0})])
    pipeline.set_chain(chain)
    for _ in range(4):  # more than there are staging buffers
        pipeline.render(rgba_frame(noise(3)))
    pipeline.drain()
    before = wgpu.diagnostics.object_counts.get_dict()
    for step in range(8):
        chain = chain.with_values(1, {"stops": step / 8})
        pipeline.set_chain(chain)
        pipeline.render(rgba_frame(noise(3)))
    pipeline.drain()
    after = wgpu.diagnostics.object_counts.get_dict()
    for name in ("Buffer", "Texture", "BindGroup", "ComputePipeline", "ShaderModule"):
        assert after[name]["count"] == before[name]["count"], name


def test_readback_is_small_and_upload_is_the_planes(pipeline, library):
    pipeline.set_chain(chain_of(library, [("gaussian_blur", {}), ("exposure", {"stops": 1})]))
    picture = noise(4)
    for _ in range(4):
        pipeline.render(rgba_frame(picture))
    pipeline.drain()
    stats = pipeline.stats
    assert stats.readback_bytes <= 4096
    assert stats.upload_bytes == picture.nbytes
    assert stats.frames == 4
    assert [s.name for s in stats.stages] == ["upload", "color", "filter:1", "filter:2"]
    if stats.timing_source == "GPU timestamps":
        assert all(s.gpu_ms is not None and s.gpu_ms >= 0 for s in stats.stages[1:])


def test_a_stage_that_joins_a_still_picture_has_its_time(pipeline, library):
    pipeline.render(rgba_frame(noise(5)))
    chain = chain_of(library, [("invert", {}), ("exposure", {"stops": 1})])
    pipeline.set_chain(chain)
    pipeline.render(None)
    pipeline.drain()
    assert [s.name for s in pipeline.stats.stages] == ["upload", "color", "filter:1", "filter:2"]
    pipeline.set_chain(chain.with_enabled(1, False))
    pipeline.render(None)
    pipeline.drain()
    assert [s.name for s in pipeline.stats.stages] == ["upload", "color", "filter:2"]


def test_a_failing_stage_is_named_and_the_others_go_on(gpu, tmp_path):
    (tmp_path / "broken.wgsl").write_text(
        '/* lightloom\ntitle = "Broken"\n*/\nfn main(p: vec2i) -> vec4f { return oops; }'
    )
    library = FilterLibrary(tmp_path)
    pipeline = Pipeline(gpu, library, wait=True)
    pipeline.set_chain(chain_of(library, [("broken", {}), ("invert", {})]))
    picture = noise(5)
    pipeline.render(rgba_frame(picture))
    broken, invert = pipeline.chain.statuses
    assert broken.state == "failed"
    assert "oops" in broken.message and "broken.wgsl:4" in broken.message
    assert invert.state == "running"
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 1
    (tmp_path / "broken.wgsl").write_text(
        '/* lightloom\ntitle = "Broken"\n*/\nfn main(p: vec2i) -> vec4f { return load(p); }'
    )
    library.refresh()
    pipeline.chain.filters_changed()
    pipeline.render(rgba_frame(picture))
    assert [s.state for s in pipeline.chain.statuses] == ["running", "running"]
    pipeline.close()


def test_source_size_may_change(pipeline, library):
    pipeline.set_chain(chain_of(library, [("motion_trails", {}), ("gaussian_blur", {"radius": 3})]))
    for size in ((48, 32), (33, 17), (64, 64)):
        pipeline.render(rgba_frame(noise(6, *size)))
        assert pipeline.export().result().shape[:2] == size[::-1]


def test_a_repaint_does_not_run_temporal_filters_again(pipeline, library):
    pipeline.set_chain(chain_of(library, [("motion_trails", {"decay": 0.5})]))
    bright = np.full((16, 16, 4), 255, np.uint8)
    dark = np.zeros((16, 16, 4), np.uint8)
    dark[..., 3] = 255
    pipeline.render(rgba_frame(bright))
    pipeline.render(rgba_frame(dark))
    for _ in range(3):
        pipeline.render(None)
    assert abs(int(pipeline.export().result()[0, 0, 0]) - 128) <= 1


def test_images_of_a_slide_show_have_no_past(pipeline, library):
    pipeline.set_chain(chain_of(library, [("motion_trails", {"decay": 0.5})]))
    bright = np.full((16, 16, 4), 255, np.uint8)
    dark = np.zeros((16, 16, 4), np.uint8)
    dark[..., 3] = 255
    for follows, left in ((True, 128), (False, 0)):
        pipeline.render(rgba_frame(bright))
        pipeline.render(replace(rgba_frame(dark, pts=0.04), follows=follows))
        assert abs(int(pipeline.export().result()[0, 0, 0]) - left) <= 1


def target_texture(gpu, width, height):
    usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
    return gpu.device.create_texture(size=(width, height, 1), format="rgba8unorm", usage=usage)


def read_target(gpu, texture):
    layout = {"bytes_per_row": texture.width * 4, "rows_per_image": texture.height}
    raw = gpu.queue.read_texture({"texture": texture}, layout, (texture.width, texture.height, 1))
    return np.frombuffer(raw, np.uint8).reshape(texture.height, texture.width, 4)


def test_transparent_parts_are_shown_as_files_without_alpha_have_them(gpu, pipeline):
    """Over black, which `over_black` writes; over a checkerboard of two grays where that is asked for."""
    picture = noise(9, 48, 48)
    picture[..., 3] = np.arange(48, dtype=np.uint8) * 5
    target = target_texture(gpu, 48, 48)
    pipeline.view = View("free", zoom=1.0)
    pipeline.render(rgba_frame(picture), target)
    shown = read_target(gpu, target)[..., :3].astype(int)
    assert np.abs(shown - over_black(picture)[..., :3]).max() <= 1
    pipeline.view = View("free", zoom=1.0, checkered=True)
    pipeline.render(None, target)
    y, x = np.mgrid[:48, :48]
    squares = np.where((x // 12 + y // 12) % 2 == 1, 0.42, 0.32)[..., None] * 255
    opacity = picture[..., 3:] / 255
    expected = picture[..., :3] * opacity + squares * (1 - opacity)
    assert np.abs(read_target(gpu, target)[..., :3] - expected).max() <= 1.5


def test_present_one_to_one_split_mirror_and_overlay(gpu, pipeline, library):
    pipeline.set_chain(chain_of(library, [("invert", {})]))
    picture = noise(7, 40, 20)
    target = target_texture(gpu, 60, 30)
    pipeline.view = View("free", zoom=1.0, split=0.5)
    pipeline.render(rgba_frame(picture), target)
    shown = read_target(gpu, target)
    # 40x20 in the middle of 60x30: left upper corner at (10, 5); the split runs at x = 30.
    left, right = shown[5:25, 10:29, :3].astype(int), shown[5:25, 32:50, :3].astype(int)
    assert np.abs(left - picture[:, :19, :3]).max() <= 1
    assert np.abs(right - (255 - picture[:, 22:, :3])).max() <= 1
    pipeline.view = View("free", zoom=1.0, mirrored=True)
    overlay = np.zeros((30, 60, 4), np.uint8)
    overlay[:4] = (10, 20, 30, 255)
    pipeline.set_overlay(overlay)
    pipeline.render(None, target)
    shown = read_target(gpu, target)
    assert np.abs(shown[5:25, 10:50, :3].astype(int) - (255 - picture[:, ::-1, :3])).max() <= 1
    assert (shown[:4, :, :3] == (10, 20, 30)).all()
    # Exports are never mirrored.
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 1


def test_no_frame_is_wanted_before_the_first_picture(pipeline, library):
    pipeline.set_chain(ChainSpec().added("invert", library.get("invert").defaults))
    assert not pipeline.wants_frames
    pipeline.render(None)
    assert not pipeline.wants_frames
    pipeline.render(rgba_frame(noise(1)))
    pipeline.set_chain(ChainSpec())
    assert pipeline.wants_frames


def test_present_before_any_picture(gpu, pipeline):
    target = target_texture(gpu, 8, 8)
    pipeline.view = View(background=(0.2, 0.4, 0.6))
    pipeline.render(None, target)
    assert np.abs(read_target(gpu, target)[0, 0, :3].astype(int) - (51, 102, 153)).max() <= 1


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (View("fit"), (0.0, 25.0, 0.5)),
        (View("fill"), (-50.0, 0.0, 1.0)),
        (View("free", zoom=2.0, center=(0.0, 0.0)), (50.0, 50.0, 2.0)),
    ],
)
def test_placement(view, expected):
    at = place(view, (200, 100), (100, 100))
    assert (at.x, at.y, at.zoom) == expected


def test_device_loss_is_reported(gpu, library):
    own = Gpu.open()
    pipeline = Pipeline(own, library, wait=True)
    pipeline.render(rgba_frame(noise(8)))
    pipeline.drain()  # destroying a device under a map that has just succeeded aborts inside wgpu-native
    own.device.destroy()
    with pytest.raises(DeviceLostError):
        for _ in range(3):
            pipeline.render(rgba_frame(noise(8)))
    pipeline.close()


def test_engine_survives_device_loss_with_the_users_chain(library):
    engine = Engine(Gpu.open, library, load_network=None, wait=True)
    engine.current.set_setup(Setup(chain_of(library, [("invert", {})])))
    engine.pipeline.view = View("free", zoom=3.0)
    rebuilt = []
    engine.on_rebuild = lambda: rebuilt.append(engine.gpu)
    picture = noise(9)
    engine.render(rgba_frame(picture))
    engine.pipeline.drain()
    engine.gpu.device.destroy()
    for _ in range(3):
        engine.render(rgba_frame(picture))
    assert engine.rebuilds == 1 and rebuilt == [engine.gpu]
    assert engine.pipeline.view.zoom == 3.0
    assert (
        np.abs(engine.pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 1
    )
    engine.close()


def drawn(engine, picture):
    """What a picture is exported as, and what of it is shown, after a steady frame, which is drawn with what
    the one before left.
    """
    usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
    target = engine.gpu.device.create_texture(size=(64, 40, 1), format="rgba8unorm", usage=usage)
    for _ in range(2):
        engine.render(rgba_frame(picture), target)
    engine.pipeline.drain()
    layout = {"bytes_per_row": 256, "rows_per_image": 40}
    shown = engine.gpu.queue.read_texture({"texture": target}, layout, (64, 40, 1))
    return engine.pipeline.export().result(), np.frombuffer(shown, np.uint8).reshape(40, 64, 4)


def test_nothing_that_is_kept_from_frame_to_frame_is_stale(library):
    """Other values, another chain, size, view, device: each time the pictures are those of an engine that
    never drew another.
    """

    def setup(amount, *more):
        return Setup(chain_of(library, [("gaussian_blur", {"radius": amount}), *((m, {}) for m in more)]))

    def opened():
        return Engine(Gpu.open, library, load_network=None, wait=True)

    steps = [
        (setup(2), View(), noise(20), None),
        (setup(7), View(), noise(20), None),
        (setup(7), View(), noise(21, 64, 20), None),
        (setup(7, "saturation", "sharpen"), View(split=0.5), noise(21, 64, 20), None),
        (
            setup(7, "saturation", "sharpen"),
            View("free", zoom=2.0, mirrored=True),
            noise(22, 30, 44),
            "rebuild",
        ),
        (setup(3), View(), noise(20), "lose"),
    ]
    steady = opened()
    found = []
    for wanted, view, picture, loss in steps:
        if loss == "rebuild":
            steady.rebuild()
        elif loss == "lose":
            steady.pipeline.drain()
            steady.gpu.device.destroy()
            steady.render(rgba_frame(picture))  # which finds it
        fresh = opened()
        for engine in (steady, fresh):
            engine.current.set_setup(wanted)
            engine.current.view = view
        pictures = [drawn(engine, picture) for engine in (steady, fresh)]
        fresh.close()
        for kept, made in zip(*pictures, strict=True):
            np.testing.assert_array_equal(kept, made)
        if steady.gpu.has("timestamp-query"):
            assert all(
                stage.gpu_ms is not None for stage in steady.pipeline.stats.stages if stage.name != "upload"
            )
        found.append(pictures[0][0].tobytes() + pictures[0][1].tobytes())
    assert steady.rebuilds >= 1 and len(set(found)) == len(steps)
    steady.close()


def test_live_pipeline_compiles_beside_the_frames(gpu, library):
    pipeline = Pipeline(gpu, library)
    picture = noise(10)
    pipeline.set_chain(chain_of(library, [("invert", {})]))
    end = time.perf_counter() + LIMIT_S
    while pipeline.chain.is_compiling and time.perf_counter() < end:
        pipeline.render(rgba_frame(picture))
        pipeline.drain()
    pipeline.render(rgba_frame(picture))
    pipeline.drain()
    assert pipeline.chain.statuses[0].state == "running"
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 1
    pipeline.close()


def test_a_full_chain_is_refused():
    chain = ChainSpec()
    for _ in range(32):
        chain = chain.added("invert", {})
    with pytest.raises(FilterError, match="at most 32"):
        chain.added("invert", {})


def big_frame():
    """A frame that claims to be larger than any texture; its planes are never read."""
    side = 1 << 17
    return Frame(
        (Plane(b"", side * 4, side, side),), RGBA, side, side, ColorInfo("rgb", "full", "srgb", "bt709")
    )


def test_a_picture_that_is_too_large_leaves_the_pipeline_usable(gpu, library):
    pipeline = Pipeline(gpu, library)
    for _ in range(4):
        with pytest.raises(SourceUnsupportedError, match="larger than this GPU's limit"):
            pipeline.render(big_frame())
    assert pipeline.render(rgba_frame(noise(11)))
    pipeline.close()


def test_a_stage_that_the_gpu_refuses_is_switched_off_and_named(pipeline, library):
    chain = chain_of(library, [("motion_trails", {}), ("invert", {})])
    pipeline.set_chain(chain)
    picture = noise(12)
    pipeline.render(rgba_frame(picture))
    # What is found only when the whole frame's recording is finished: more workgroups than there may be.
    stage = pipeline.chain._stages[0].stage
    command = stage._command
    stage._command = lambda *args: (*command(*args)[:2], (1 << 20, 1, 1))
    stage._bind()
    del stage._command  # the class's own again
    pipeline.render(rgba_frame(picture))
    trails, invert = pipeline.chain.statuses
    assert trails.state == "failed" and "was switched off" in trails.message and "\n" not in trails.message
    assert invert.state == "running"
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 1
    # Off and on again is the user's way to say: try again. A new size gives it new textures.
    pipeline.set_chain(chain.with_enabled(1, False))
    pipeline.set_chain(chain)
    pipeline.render(rgba_frame(noise(12, 20, 20)))
    assert [s.state for s in pipeline.chain.statuses] == ["running", "running"]


def test_a_stage_that_does_not_compile_fails_again_when_switched_on(gpu, tmp_path):
    (tmp_path / "broken.wgsl").write_text(
        '/* lightloom\ntitle = "Broken"\n*/\nfn main(p: vec2i) -> vec4f { oops }'
    )
    library = FilterLibrary(tmp_path)
    pipeline = Pipeline(gpu, library, wait=True)
    chain = chain_of(library, [("broken", {})])
    for spec in (chain, chain.with_enabled(1, False), chain):
        pipeline.set_chain(spec)
        pipeline.render(rgba_frame(noise(13)))
    (status,) = pipeline.chain.statuses
    assert status.state == "failed" and "broken.wgsl:4" in status.message
    assert not pipeline.chain.is_compiling
    pipeline.close()


def test_a_filter_with_more_bindings_than_the_gpu_has_is_a_sentence(gpu, tmp_path):
    rows = "".join(f'[[buffer]]\nname = "b{i}"\ntype = "array<u32, 64>"\nbytes = 16\n' for i in range(4))
    body = "fn main(p: vec2i) -> vec4f { return vec4f(f32(b0[p.x] + b1[p.x] + b2[p.x] + b3[p.x])); }"
    (tmp_path / "mine.wgsl").write_text(f'/* lightloom\ntitle = "Mine"\n{rows}*/\n{body}')
    library = FilterLibrary(tmp_path)
    pipeline = Pipeline(gpu, library, wait=True)
    pipeline.set_chain(chain_of(library, [("mine", {})]))
    pipeline.render(rgba_frame(noise(14)))
    assert pipeline.chain.statuses[0].state == "failed"
    assert "mine.wgsl" in pipeline.chain.statuses[0].message
    pipeline.close()


def test_a_stage_that_was_off_has_no_past(pipeline, library):
    chain = chain_of(library, [("motion_trails", {"decay": 0.5})])
    dark = np.zeros((16, 16, 4), np.uint8)
    dark[..., 3] = 255
    pipeline.set_chain(chain)
    pipeline.render(rgba_frame(np.full((16, 16, 4), 255, np.uint8)))
    pipeline.set_chain(chain.with_enabled(1, False))
    pipeline.render(rgba_frame(dark))
    pipeline.set_chain(chain)
    pipeline.render(rgba_frame(dark))
    assert pipeline.export().result()[0, 0, 0] <= 1


def test_a_table_that_cannot_be_read_leaves_the_last_one(pipeline, library, tmp_path):
    path = tmp_path / "negative.cube"
    corners = [(1 - r, 1 - g, 1 - b) for b in (0, 1) for g in (0, 1) for r in (0, 1)]
    path.write_text("LUT_3D_SIZE 2\n" + "\n".join(f"{r} {g} {b}" for r, g, b in corners))
    chain = chain_of(library, [("lut", {"table": str(path)})])
    pipeline.set_chain(chain)
    picture = noise(15)
    pipeline.render(rgba_frame(picture))
    path.unlink()
    pipeline.set_chain(chain.with_values(1, {"table": str(tmp_path / "gone.cube")}))
    pipeline.render(rgba_frame(picture))
    (status,) = pipeline.chain.statuses
    assert status.state == "running" and "gone.cube" in status.message
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 2
    pipeline.set_chain(chain.with_values(1, {"table": ""}))
    pipeline.render(rgba_frame(picture))
    assert pipeline.chain.statuses[0].message == ""
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - picture[..., :3]).max() <= 2


class FakeNetwork:
    """An analysis that records nothing, or something that the GPU refuses."""

    description = "fake"
    features = Features()
    pending = False
    readback_bytes = 0
    networks = ()

    def __init__(self, bad_copy=None):
        self.budget_ms = None
        self.bad_copy = bad_copy
        self.closed = 0

    def encode(self, encoder, texture, pts, timer, *, is_new):
        if self.bad_copy is not None:
            encoder.copy_buffer_to_buffer(self.bad_copy, 0, self.bad_copy, 0, 16)

    def copy_result(self, encoder, target, offset):
        return 0

    def poll(self):
        return None

    def close(self):
        self.closed += 1


def test_a_network_that_the_gpu_refuses_is_switched_off(gpu, pipeline, library):
    pipeline.set_chain(chain_of(library, [("invert", {})]))
    network = FakeNetwork(gpu.device.create_buffer(size=16, usage=wgpu.BufferUsage.COPY_DST))
    pipeline.set_analysis(network)
    picture = noise(16)
    pipeline.render(rgba_frame(picture))
    assert "network was switched off" in pipeline.analyses.error and "\n" not in pipeline.analyses.error
    assert pipeline.chain.statuses[0].state == "running"
    assert np.abs(pipeline.export().result()[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 1
    pipeline.drain()
    assert network.closed == 1


def test_a_retired_network_is_closed_though_frames_are_always_in_flight(pipeline):
    first, second = FakeNetwork(), FakeNetwork()
    pipeline.set_analysis(first)
    pipeline.render(rgba_frame(noise(17)))
    pipeline.set_analysis(second)
    assert first.closed == 0 or pipeline._ring.finished_frames == 1
    pipeline.drain()
    for _ in range(3):
        pipeline.render(rgba_frame(noise(17)))
    assert (first.closed, second.closed) == (1, 0)


def test_a_listener_that_fails_does_not_stop_the_frames(gpu, library):
    pipeline = Pipeline(gpu, library)

    def fail():
        raise RuntimeError("deleted")

    pipeline.on_progress = fail
    for _ in range(5):
        assert pipeline.render(rgba_frame(noise(18)))
        assert pipeline.drain(10.0)
    pipeline.close()


def test_a_plain_device_without_timestamps(library):
    own = Gpu.open(features=[])
    assert "timestamp-query" not in own.features
    pipeline = Pipeline(own, library, wait=True)
    pipeline.set_chain(chain_of(library, [("invert", {}), ("gaussian_blur", {"radius": 2})]))
    for _ in range(3):
        pipeline.render(rgba_frame(noise(19)))
    pipeline.drain()
    stats = pipeline.stats
    assert stats.timing_source == "CPU time" and stats.gpu_ms is None
    assert [s.gpu_ms for s in stats.stages] == [None] * 4
    assert stats.frames == 3 and stats.readback_bytes == 0
    pipeline.close()
    own.close()


def test_times_of_stages_that_are_gone_are_forgotten(pipeline, library):
    chain = ChainSpec()
    for _ in range(5):
        chain = chain.added("invert", {})
        pipeline.set_chain(chain)
        pipeline.render(rgba_frame(noise(20)))
        pipeline.drain()
        chain = chain.removed(chain.stages[0].id).added("invert", {})
    pipeline.set_chain(ChainSpec())
    assert not [name for name in pipeline.statistics.spans if name.startswith("filter:")]


def test_closing_one_device_is_no_loss_of_another(library):
    first, second = Gpu.open(), Gpu.open()
    pipeline = Pipeline(second, library, wait=True)
    pipeline.render(rgba_frame(noise(21)))
    pipeline.drain()
    first.close()
    pipeline.render(rgba_frame(noise(21)))
    pipeline.close()
    second.close()


def test_engine_says_so_when_no_new_device_can_be_made_and_does_not_ask_for_ever(library):
    asked = []

    def open_gpu():
        asked.append(1)
        if len(asked) > 1:
            raise GpuError("The driver refused.")
        return Gpu.open()

    engine = Engine(open_gpu, library, load_network=None, wait=True)
    engine.render(rgba_frame(noise(22)))
    engine.pipeline.drain()
    engine.gpu.device.destroy()
    for _ in range(3):
        with pytest.raises(GpuError, match="The driver refused"):
            engine.render(rgba_frame(noise(22)))
    for _ in range(5):
        with pytest.raises(GpuError, match="lost 3 times within 30 s"):
            engine.render(rgba_frame(noise(22)))
    assert len(asked) == 4
    engine.close()


def test_engine_shows_whatever_a_model_sets_off(gpu, library):
    def load(gpu, spec):
        raise KeyError("of a bug in a reader")

    engine = Engine(Gpu.open, library, load)
    engine.current.set_setup(Setup(network=NetworkSpec("x.onnx")))
    end = time.perf_counter() + LIMIT_S
    while engine.current.network_status.state == "loading" and time.perf_counter() < end:
        engine.render(rgba_frame(noise(23)))
        engine.pipeline.drain()
    assert engine.current.network_status.state == "failed"
    assert "cannot be loaded" in engine.current.network_status.text
    engine.close()


def test_engine_says_of_a_network_that_dies_while_it_runs_that_it_failed(library):
    class Dying(FakeNetwork):
        dead = False

        def poll(self):
            if self.dead:
                raise ModelError("The network gave up.")

    made = []

    def load(gpu, spec):
        made.append(Dying())
        return made[-1]

    engine = Engine(Gpu.open, library, load, wait=True)
    engine.current.set_setup(Setup(network=NetworkSpec("x.onnx")))
    engine.render(rgba_frame(noise(25)))
    assert engine.current.network_status.state == engine.current.snapshot().network.state == "running"
    made[0].dead = True
    engine.render(rgba_frame(noise(25)))
    assert (
        engine.current.network_status
        == engine.current.snapshot().network
        == NetworkStatus("failed", "The network gave up.")
    )
    # Other settings load it anew, and what was said of the old one is over.
    engine.current.set_setup(Setup(network=NetworkSpec("x.onnx", every=2)))
    engine.render(rgba_frame(noise(25)))
    assert engine.current.network_status.state == "running" and len(made) == 2
    made[1].dead = True
    engine.render(None)
    assert engine.current.network_status.state == "failed"
    engine.current.set_setup(Setup())
    assert engine.current.network_status.state == "none"
    engine.close()


def test_engine_closes_a_network_that_is_not_wanted_any_more(library):
    made = {}
    release = threading.Event()

    def load(gpu, spec):
        release.wait(LIMIT_S)
        made[spec.model] = FakeNetwork()
        return made[spec.model]

    engine = Engine(Gpu.open, library, load)
    for name in ("a", "b", "c"):
        engine.current.set_setup(Setup(network=NetworkSpec(name)))
    release.set()
    end = time.perf_counter() + LIMIT_S
    while engine.current.network_status.state == "loading" and time.perf_counter() < end:
        engine.render(rgba_frame(noise(24)))
        engine.pipeline.drain()
    assert engine.current.network_status.text == "fake"
    # "b" was never begun; "a" was under way.
    assert {name: network.closed for name, network in made.items()} == {"a": 1, "c": 0}
    engine.close()
    assert made["c"].closed == 1


def test_a_chain_that_is_tried_is_shown_and_never_exported(library):
    engine = Engine(Gpu.open, library, load_network=None, wait=True)
    setup = Setup(chain_of(library, [("exposure", {"stops": -1.0})]))
    engine.current.set_setup(setup)
    picture = noise(17)
    engine.render(rgba_frame(picture))
    wanted = engine.current.export().result()
    target = target_texture(engine.gpu, picture.shape[1], picture.shape[0])
    engine.current.try_chain(chain_of(library, [("invert", {})]))
    engine.render(None, target)
    engine.pipeline.drain()
    shown = read_target(engine.gpu, target)[..., :3].astype(int)
    assert np.abs(shown - (255 - picture[..., :3])).max() <= 1
    assert engine.current.setup == setup
    assert np.array_equal(engine.current.export().result(), wanted)
    # It ends with the next setup as well.
    engine.current.try_chain(chain_of(library, [("invert", {})]))
    engine.render(None)
    engine.current.set_setup(Setup())
    engine.render(None)
    assert np.abs(engine.current.export().result().astype(int) - picture).max() <= 1
    engine.close()
