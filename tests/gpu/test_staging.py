"""Staging memory, and uploads through it: the same pixels as by `write_texture`."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import wgpu

from desktop.compute.gpu.staging import Rows, StagingRing, staged_bytes


@pytest.fixture
def ring(gpu):
    made = StagingRing(gpu, 2)
    yield made
    made.close()


def texture(gpu, size, fmt="rgba8unorm"):
    usage = wgpu.TextureUsage.COPY_DST | wgpu.TextureUsage.COPY_SRC
    return gpu.device.create_texture(size=(*size, 1), format=fmt, usage=usage)


def pixels(gpu, of, texel):
    layout = {"bytes_per_row": of.width * texel, "rows_per_image": of.height}
    data = gpu.queue.read_texture({"texture": of}, layout, (of.width, of.height, 1))
    return np.frombuffer(data, np.uint8).reshape(of.height, of.width * texel)


def copied(gpu, rows, to, *, skipped=0, at=(0, 0), size=None):
    encoder = gpu.command_encoder()
    rows.copy(encoder, skipped, to, at, size or (to.width, to.height))
    gpu.queue.submit([encoder.finish()])


def test_rows_of_any_pitch_arrive_in_a_part_of_a_texture(gpu, ring):
    rng = np.random.default_rng(1)
    memory = ring.take(staged_bytes(40, 7) + staged_bytes(92, 16))
    rows = rng.integers(0, 256, 20 + 60 * 7, np.uint8)  # rows of 60 bytes, of which 40 are used
    whole = rng.integers(0, 256, (16, 23, 4), np.uint8)
    part, all_of_it = memory.put(Rows(rows, 20, 60, 40, 7), Rows(whole, 0, 92, 92, 16))
    target = texture(gpu, (23, 16))
    copied(gpu, all_of_it, target)
    copied(gpu, part, target, skipped=8, at=(5, 3), size=(8, 7))
    want = whole.copy()
    want[3:10, 5:13] = [rows[28 + 60 * k :][:32].reshape(8, 4) for k in range(7)]
    np.testing.assert_array_equal(pixels(gpu, target, 4), want.reshape(16, 92))


def test_memory_is_written_again_only_when_the_gpu_has_read_it(gpu, ring):
    target = texture(gpu, (256, 256), "r8unorm")
    for turn in range(20):
        memory = ring.take(staged_bytes(256, 256))
        (rows,) = memory.put(Rows(np.full((256, 256), turn, np.uint8), 0, 256, 256, 256))
        copied(gpu, rows, target)
        del memory, rows
        if turn % 7 == 0:
            assert (pixels(gpu, target, 1) == turn).all()
    assert (pixels(gpu, target, 1) == 19).all()


def test_there_is_none_while_every_buffer_is_in_use_and_then_there_is(ring):
    first, second = ring.take(1024), ring.take(1024)
    assert first is not None and second is not None and ring.take(1024) is None
    del second
    gc.collect()
    assert ring.take(1 << 20) is not None


def test_memory_that_was_never_copied_from_is_used_again(gpu, ring):
    for turn in range(5):
        memory = ring.take(4096)
        (rows,) = memory.put(Rows(bytes([turn]) * 1024, 0, 256, 256, 4))
    target = texture(gpu, (64, 4))
    copied(gpu, rows, target)
    assert (pixels(gpu, target, 4) == 4).all()


@pytest.mark.parametrize(
    ("data", "row", "count"), [(bytes(1000), 256, 4), (bytes(1 << 16), 256, 256), (bytes(4096), 512, 4)]
)
def test_rows_that_are_not_there_or_do_not_fit_are_refused(ring, data, row, count):
    with pytest.raises(ValueError, match="do not fit"):
        ring.take(4096).put(Rows(data, 0, 256, row, count))


def test_it_can_be_closed_while_memory_is_in_use(gpu):
    ring = StagingRing(gpu, 1)
    memory = ring.take(4096)
    ring.close()
    with pytest.raises(ValueError, match="do not fit"):
        memory.put(Rows(bytes(4096), 0, 256, 256, 4))
    del memory
    assert ring.take(16) is None
