"""Uploads of frames: bytes moved, objects made anew, frames refused."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import av
import numpy as np
import pytest
import wgpu
from color_rig import random_frame, reference, run

from desktop.base.errors import SourceUnsupportedError
from desktop.compute.gpu.device import Gpu
from desktop.media.conversion import WORKING_FORMAT
from desktop.media.frame import ColorInfo, Frame, Plane
from desktop.media.sources._av_frames import FORMATS, frame_from_av
from desktop.pipeline.picture.staging import FrameStaging
from desktop.pipeline.picture.upload import Uploader


class _Counting:
    """A device or queue that counts the calls to it."""

    def __init__(self, inner, calls):
        self._inner, self._calls = inner, calls

    def __getattr__(self, name):
        self._calls[name] += 1
        return getattr(self._inner, name)


class _Gpu:
    """A `Gpu` with other limits, whose device and queue are counted."""

    def __init__(self, gpu, limit=None):
        self._gpu = gpu
        self.calls = Counter()
        self.device = _Counting(gpu.device, self.calls)
        self.queue = _Counting(gpu.queue, self.calls)
        self.limits = {
            **gpu.limits,
            "max-texture-dimension-2d": limit or gpu.limits["max-texture-dimension-2d"],
        }

    def __getattr__(self, name):
        return getattr(self._gpu, name)

    def texture_writer(self):
        write = self._gpu.texture_writer()

        def counted(*arguments):
            self.calls["write_texture"] += 1
            write(*arguments)

        return counted


@pytest.fixture
def uploader(gpu):
    made = Uploader(gpu)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("name", "bytes_per_pixel"),
    [("yuv420p", 1.5), ("nv12", 1.5), ("yuv422p", 2), ("yuyv422", 2), ("yuv444p", 3), ("yuv420p10le", 3), ("p010le", 3),
     ("rgb24", 3), ("rgba", 4), ("gray", 1), ("rgba64le", 8)],
)  # fmt: skip
def test_bytes_a_pixel(uploader, name, bytes_per_pixel):
    uploader.upload(random_frame(FORMATS[name], 32, 16, seed=1))
    assert uploader.bytes_uploaded == 32 * 16 * bytes_per_pixel


def test_working_texture(uploader):
    uploader.upload(random_frame(FORMATS["yuv420p"], 12, 8, seed=1, rotation=90))
    texture = uploader.texture
    assert (texture.size[0], texture.size[1], texture.format) == (8, 12, WORKING_FORMAT)
    for usage in (
        wgpu.TextureUsage.TEXTURE_BINDING,
        wgpu.TextureUsage.STORAGE_BINDING,
        wgpu.TextureUsage.COPY_SRC,
    ):
        assert texture.usage & usage


def test_a_steady_frame_makes_nothing(gpu):
    counted = _Gpu(gpu)
    uploader = Uploader(counted)
    for seed in range(4):  # more than there are staging buffers
        run(counted, uploader, random_frame(FORMATS["yuv420p"], 16, 8, seed=seed))
    texture = uploader.texture
    counted.calls.clear()
    uploader.upload(random_frame(FORMATS["yuv420p"], 16, 8, seed=9))
    assert dict(counted.calls) == ({} if gpu.stages_uploads else {"write_texture": 3})
    assert uploader.texture is texture
    uploader.close()


def test_color_and_flip_cost_one_uniform_write(gpu):
    counted = _Gpu(gpu)
    uploader = Uploader(counted)
    frame = random_frame(FORMATS["nv12"], 16, 8, seed=1)
    for _ in range(4):
        run(counted, uploader, frame)
    texture = uploader.texture
    counted.calls.clear()
    uploader.upload(replace(frame, color=ColorInfo("bt601", "full"), mirrored=True, rotation=180))
    writes = {} if gpu.stages_uploads else {"write_texture": 2}
    assert dict(counted.calls) == {**writes, "write_buffer": 1}
    assert uploader.texture is texture
    uploader.close()


def test_working_texture_outlives_a_change_of_format(gpu, uploader):
    run(gpu, uploader, random_frame(FORMATS["yuv420p"], 16, 8, seed=1))
    texture = uploader.texture
    frame = random_frame(FORMATS["rgb24"], 16, 8, seed=2, color=ColorInfo("rgb", "full"))
    assert np.abs(run(gpu, uploader, frame) - reference(frame)).max() < 1.5e-3
    assert uploader.texture is texture
    run(gpu, uploader, random_frame(FORMATS["rgb24"], 8, 8, seed=3))
    assert uploader.texture is not texture


def test_sizes_formats_and_turns_may_change_every_frame(gpu, uploader):
    rng = np.random.default_rng(5)
    names = ["yuv420p", "yuv420p10le", "nv12", "rgb24", "bgra", "gray16le", "yuva444p", "uyvy422"]
    for seed in range(24):
        fmt = FORMATS[names[seed % len(names)]]
        color = ColorInfo("bt709", "limited") if fmt.is_yuv else ColorInfo("rgb", "full")
        width, height = (int(v) for v in rng.integers(1, 20, 2))
        frame = random_frame(fmt, width, height, seed, color=color, rotation=int(rng.integers(4)) * 90)
        assert np.abs(run(gpu, uploader, frame) - reference(frame)).max() < 1.5e-3


@pytest.mark.parametrize("width", [21, 22, 40, 64])
def test_three_channels_wider_than_a_texture(gpu, width):
    # With a limit of 64 a row of 64 x 3 samples takes three bands.
    small = _Gpu(gpu, limit=64)
    uploader = Uploader(small)
    for name in ("rgb24", "bgr48le"):
        frame = random_frame(FORMATS[name], width, 10, seed=width, color=ColorInfo("rgb", "full"))
        assert np.abs(run(small, uploader, frame) - reference(frame)).max() < 1.5e-3
    uploader.close()


def test_memory_may_be_reused_after_upload(gpu, uploader):
    frame = random_frame(FORMATS["yuv420p"], 16, 8, seed=1)
    want = reference(frame)
    uploader.upload(frame)
    for plane in frame.planes:
        plane.data[:] = 0
    uploader.convert()
    from color_rig import read_texture

    assert np.abs(read_texture(gpu, uploader.texture) - want).max() < 1.5e-3


def test_decoder_planes_are_taken_without_a_copy():
    picture = av.VideoFrame(64, 32, "yuv420p")
    frame = frame_from_av(picture)
    assert [type(plane.data) for plane in frame.planes] == [av.video.plane.VideoPlane] * 3
    assert [plane.data.buffer_ptr for plane in frame.planes] == [plane.buffer_ptr for plane in picture.planes]


def test_bytes_as_plane_data(gpu, uploader):
    frame = Frame((Plane(bytes([0, 128, 255, 64]), 2, 2, 2),), FORMATS["gray"], 2, 2, ColorInfo(range="full"))
    got = run(gpu, uploader, frame)
    assert np.abs(got[..., 0] - np.array([[0, 128], [255, 64]]) / 255).max() < 1e-3


@pytest.mark.parametrize(("size", "name"), [((65, 4), "yuv420p"), ((4, 65), "gray"), ((40, 40), "rgb24")])
def test_too_large_is_one_sentence(gpu, size, name):
    uploader = Uploader(_Gpu(gpu, limit=64))
    with pytest.raises(SourceUnsupportedError, match="limit of 64 a side; scale it down first") as caught:
        uploader.upload(random_frame(FORMATS[name], *size, seed=1))
    assert str(caught.value).count(".") == 1
    # The uploader is still of use.
    frame = random_frame(FORMATS["gray"], 8, 8, seed=1, color=ColorInfo(range="full"))
    assert np.abs(run(gpu, uploader, frame) - reference(frame)).max() < 1.5e-3
    uploader.close()


def test_encode_without_a_frame_does_nothing(gpu, uploader):
    uploader.convert()
    assert uploader.texture is None and uploader.bytes_uploaded == 0


def test_a_frame_staged_by_another_thread_is_the_same(gpu, uploader):
    staging = FrameStaging(gpu, 2)
    frames = [random_frame(FORMATS[name], 37, 11, seed=4) for name in ("yuv420p10le", "rgb24", "nv12")]
    with ThreadPoolExecutor(1) as pool:
        staged = [pool.submit(staging.stage, frame).result() for frame in frames]
    # There is memory for two; the third is written as ever.
    assert [frame.planes[0].staged is not None for frame in staged] == [True, True, False]
    for frame, same in zip(frames, staged, strict=True):
        assert np.abs(run(gpu, uploader, same) - reference(frame)).max() < 1.5e-3
    staging.close()
    assert np.abs(run(gpu, uploader, frames[0]) - reference(frames[0])).max() < 1.5e-3


def test_a_frame_that_another_device_has_staged_is_written(gpu, uploader):
    other = Gpu.open(gpu.adapter.choice)
    staging = FrameStaging(other, 1)
    frame = random_frame(FORMATS["nv12"], 20, 10, seed=5)
    staged = staging.stage(frame)
    assert staged.planes[0].staged is not None
    assert np.abs(run(gpu, uploader, staged) - reference(frame)).max() < 1.5e-3
    staging.close()
    del staged
    other.close()


def test_planes_that_hold_too_little_are_not_staged(gpu):
    staging = FrameStaging(gpu, 1)
    frame = random_frame(FORMATS["gray"], 8, 8, seed=1)
    short = replace(frame, planes=(replace(frame.planes[0], data=bytes(10)),))
    assert staging.stage(short) is short
    staging.close()
