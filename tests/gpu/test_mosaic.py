"""Several lanes on one device: what each shows stands in its place, texel for texel, and all are made anew
after a device loss.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
import wgpu

from desktop.compute.gpu.device import Gpu
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.mosaic import Area, Mosaic, areas
from desktop.pipeline.setup.setup import Setup

FORMAT = "rgba8unorm"


def frame_of(picture: np.ndarray) -> Frame:
    """A frame with the uint8 [h, w, 4] picture as it is."""
    height, width = picture.shape[:2]
    plane = Plane(picture.tobytes(), width * 4, width, height)
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    return Frame((plane,), RGBA, width, height, color, captured_at=time.perf_counter())


def noise(seed: int, width: int = 64, height: int = 36) -> np.ndarray:
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)
    picture[..., 3] = 255
    return picture


def canvas(gpu: Gpu, width: int, height: int) -> wgpu.GPUTexture:
    usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
    return gpu.device.create_texture(size=(width, height, 1), format=FORMAT, usage=usage)


def read(gpu: Gpu, texture: wgpu.GPUTexture) -> np.ndarray:
    width, height = texture.width, texture.height
    layout = {"bytes_per_row": width * 4, "rows_per_image": height}
    raw = gpu.queue.read_texture({"texture": texture}, layout, (width, height, 1))
    return np.frombuffer(raw, np.uint8).reshape(height, width, 4).copy()


@pytest.fixture
def library() -> FilterLibrary:
    return FilterLibrary(None)


@pytest.fixture
def engine(library):
    made = Engine(Gpu.open, library, load_network=None, wait=True)
    yield made
    made.close()


# -- places --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1320, 820), (641, 363), (300, 900), (97, 61)])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_tiles_fill_a_target_and_lie_nowhere_twice(count, size):
    gap = 0 if count == 1 else 3
    taken = np.zeros(size[::-1], int)
    for area in areas(count, size, gap):
        assert area.width > 0 and area.height > 0
        taken[area.y : area.y + area.height, area.x : area.x + area.width] += 1
    assert taken.max() == 1
    if count != 3:
        # What is free is the lines between and around them, three pixels wide.
        empty_rows, empty_columns = (taken == 0).all(1).sum(), (taken == 0).all(0).sum()
        lines = sorted((empty_rows // 3, empty_columns // 3)) if gap else []
        assert lines == {1: [], 2: [2, 3], 4: [3, 3]}[count]
        assert (taken == 0).sum() == size[0] * size[1] - (taken == 1).sum()


def test_two_tiles_lie_as_a_usual_picture_is_larger():
    beside, above = areas(2, (1920, 540), 0), areas(2, (720, 720), 0)
    assert beside == (Area(0, 0, 960, 540), Area(960, 0, 960, 540))
    assert above == (Area(0, 0, 720, 360), Area(0, 360, 720, 360))


# -- pictures ------------------------------------------------------------------------------------------------


def test_each_tile_is_what_its_own_lane_shows_and_one_is_framed(engine, library):
    source_pipelines = [engine.current, *(engine.add_source_pipeline() for _ in range(3))]
    filters = (("invert", {}), ("exposure", {"stops": -1}), ("exposure", {"stops": 1}), ("vignette", {}))
    size, gap = (203, 131), 3
    mosaic = Mosaic(engine.gpu, FORMAT, (1.0, 0.0, 0.0))
    places = areas(4, size, gap)
    assert mosaic.lay_out(places) and not mosaic.lay_out(places)
    alone = []
    for number, (source_pipeline, stage) in enumerate(zip(source_pipelines, filters, strict=True)):
        source_pipeline.set_setup(Setup(chain_of(library, [stage])))
        assert engine.render(frame_of(noise(number)), mosaic.texture(number), source_pipeline)
        # The picture that this lane draws where it has a target of this size to itself.
        target = canvas(engine.gpu, places[number].width, places[number].height)
        assert engine.render(None, target, source_pipeline)
        alone.append(read(engine.gpu, target))
    target = canvas(engine.gpu, *size)
    mosaic.compose(target, 2, gap, (0.0, 0.0, 1.0))
    composed = read(engine.gpu, target)
    for area, expected in zip(places, alone, strict=True):
        shown = composed[area.y : area.y + area.height, area.x : area.x + area.width]
        np.testing.assert_array_equal(shown, expected)
    assert len({picture.tobytes() for picture in alone}) == 4
    red, blue = (255, 0, 0), (0, 0, 255)
    used, first = places[2], places[0]
    around = composed[used.y - gap : used.y + used.height + gap, used.x - gap : used.x + used.width + gap, :3]
    edge = np.ones(around.shape[:2], bool)
    edge[gap:-gap, gap:-gap] = False
    assert (around[edge] == red).all()
    assert (composed[: first.y, :, :3] == blue).all() and (
        composed[: first.y + first.height, : first.x, :3] == blue
    ).all()
    mosaic.close()


def test_a_lane_that_is_edited_leaves_the_others_as_they_are(engine, library):
    other = engine.add_source_pipeline()
    picture = noise(7)
    engine.render(frame_of(picture))
    engine.render(frame_of(picture), None, other)
    engine.current.set_setup(Setup(chain_of(library, [("invert", {})])))
    engine.render(None)
    engine.render(None, None, other)
    first = engine.current.export().result()
    engine.use_source_pipeline(other)
    second = engine.current.export().result()
    assert np.abs(first[..., :3].astype(int) - (255 - picture[..., :3])).max() <= 1
    assert np.abs(second.astype(int) - picture).max() <= 1
    assert engine.current.setup == Setup() and engine.current.snapshot().stages == ()


def test_a_new_lane_begins_as_the_one_in_use(engine, library):
    setup = Setup(chain_of(library, [("invert", {})]))
    engine.current.set_setup(setup)
    assert engine.add_source_pipeline().setup == setup


def test_a_lost_device_is_one_loss_and_all_lanes_come_back(library):
    opened = []

    def open_gpu():
        opened.append(Gpu.open())
        return opened[-1]

    engine = Engine(open_gpu, library, load_network=None, wait=True)
    source_pipelines = [engine.current, *(engine.add_source_pipeline() for _ in range(3))]
    chains = [chain_of(library, [("exposure", {"stops": stops})]) for stops in (0, 1, 2, 3)]
    before = []
    for number, (source_pipeline, chain) in enumerate(zip(source_pipelines, chains, strict=True)):
        source_pipeline.set_setup(Setup(chain))
        engine.render(frame_of(noise(number)), None, source_pipeline)
        before.append(source_pipeline.pipeline.export().result())
    source_pipelines[3].pipeline.drain()
    opened[0].device.destroy()
    # Noticed by one that is not in use.
    assert engine.render(frame_of(noise(3)), None, source_pipelines[3])
    assert engine.rebuilds == 1 and len(opened) == 2
    for number, source_pipeline in enumerate(source_pipelines):
        assert engine.render(None, None, source_pipeline)
        np.testing.assert_array_equal(source_pipeline.pipeline.export().result(), before[number])
        assert source_pipeline.setup.chain == chains[number]
    assert engine.rebuilds == 1
    engine.close()


def test_a_lane_that_goes_leaves_the_others_running(engine):
    other = engine.add_source_pipeline()
    engine.render(frame_of(noise(1)), None, other)
    engine.remove_source_pipeline(other)
    assert engine.render(frame_of(noise(2)))
    assert np.abs(engine.current.export().result().astype(int) - noise(2)).max() <= 1


def test_only_the_lane_in_use_is_listened_to(engine):
    heard = []
    engine.on_tracked_result.append(heard.append)
    other = engine.add_source_pipeline()
    other.on_tracked_result("of the other")
    engine.use_source_pipeline(other)
    other.on_tracked_result("of the one in use")
    assert heard == ["of the one in use"]


def test_beside_others_a_lane_has_one_picture_on_the_gpu_and_alone_two(library):
    """One that is slow then holds the others up by one of its pictures; a frame that came back too late is
    not submitted behind it.
    """
    engine = Engine(Gpu.open, library, load_network=None, in_flight=2)
    other = engine.add_source_pipeline()
    # Nothing comes back while the ring's thread waits here.
    ring = engine.pipeline._ring
    with ring._reading:
        assert engine.render(frame_of(noise(1)))
        assert engine.current.is_busy() and not other.is_busy()
        engine.remove_source_pipeline(other)
        # A software adapter executes one after the other, so that a second one would wait to be submitted.
        assert engine.current.is_busy() is engine.gpu.turns.are_needed
        assert engine.render(frame_of(noise(2))) is not engine.gpu.turns.are_needed
        assert engine.current.is_busy()
    assert engine.pipeline.drain() and not engine.current.is_busy()
    engine.close()
