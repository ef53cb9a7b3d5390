"""A frame placed by a compute pass is the same as one that is drawn."""

from __future__ import annotations

import numpy as np
import pytest
import wgpu

from desktop.pipeline.picture.present import Presenter, View

_USAGE = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC


def frame(gpu, size):
    """Return a working texture of noise with transparent parts."""
    rng = np.random.default_rng(7)
    values = rng.uniform(-0.1, 1.1, (size[1], size[0], 4)).astype(np.float16)
    values[..., 3] = rng.integers(0, 2, size[::-1])
    usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
    texture = gpu.device.create_texture(size=(*size, 1), format="rgba16float", usage=usage)
    layout = {"bytes_per_row": size[0] * 8, "rows_per_image": size[1]}
    gpu.queue.write_texture({"texture": texture}, values, layout, (*size, 1))
    return texture


def shown(gpu, presenter, texture, view, size, usage):
    target = gpu.device.create_texture(size=(*size, 1), format="rgba8unorm", usage=_USAGE | usage)
    encoder = gpu.command_encoder()
    presenter.encode(encoder, target, texture, texture, (texture.width, texture.height), view)
    gpu.queue.submit([encoder.finish()])
    layout = {"bytes_per_row": size[0] * 4, "rows_per_image": size[1]}
    data = gpu.queue.read_texture({"texture": target}, layout, (*size, 1))
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 4).astype(int)


@pytest.fixture(scope="module")
def presenter(gpu):
    made = Presenter(gpu, "rgba8unorm")
    yield made
    made.close()


@pytest.mark.parametrize("size", [(64, 36), (37, 61), (130, 50)])
@pytest.mark.parametrize(
    "view",
    [
        View(),
        View("fill"),
        View("free", 1.0, (0.2, 0.9)),
        View("free", 4.0, (0.4, 0.4)),
        View("free", 0.3, (0.5, 0.7)),
        View(mirrored=True, checkered=True, background=(0.9, 0.1, 0.4)),
    ],
    ids=str,
)
def test_it_is_placed_as_it_is_drawn(gpu, presenter, view, size):
    texture = frame(gpu, (64, 36))
    drawn = shown(gpu, presenter, texture, view, size, 0)
    placed = shown(gpu, presenter, texture, view, size, wgpu.TextureUsage.STORAGE_BINDING)
    # A storage texture may round the last bit otherwise than an attachment.
    assert np.abs(drawn - placed).max() <= 1
    assert len(np.unique(drawn[..., :3])) > 16


def test_a_split_and_an_overlay_are_drawn_on_any_target(gpu, presenter):
    texture = frame(gpu, (64, 36))
    overlay = np.zeros((36, 64, 4), np.uint8)
    overlay[4:9, 10:20] = (0, 200, 0, 200)
    for view, image in ((View(split=0.5), None), (View(), overlay)):
        presenter.set_overlay(image)
        storage = wgpu.TextureUsage.STORAGE_BINDING
        one, other = (shown(gpu, presenter, texture, view, (64, 36), usage) for usage in (0, storage))
        assert np.array_equal(one, other)
    presenter.set_overlay(None)
