"""The mask layer against a plain NumPy drawing: into the window with zoom, mirror and split, and over a
picture for a file.
"""

from __future__ import annotations

import colorsys

import numpy as np
import pytest
import wgpu
from test_pipeline import read_target, rgba_frame, target_texture

from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.mask_layer import class_color
from desktop.pipeline.picture.present import Exporter, LaidOver, View, place
from desktop.pipeline.pipeline import Pipeline
from desktop.vision.tasks.shapes import Mask

WIDTH, HEIGHT = 48, 32


@pytest.fixture
def pipeline(gpu):
    made = Pipeline(gpu, FilterLibrary(None), wait=True)
    yield made
    made.close()


def texture_of(gpu, layers):
    """An r32float array texture of float32 [layers, height, width]."""
    data = np.ascontiguousarray(layers, np.float32)
    count, height, width = data.shape
    usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
    texture = gpu.device.create_texture(size=(width, height, count), format="r32float", usage=usage)
    layout = {"offset": 0, "bytes_per_row": width * 4, "rows_per_image": height}
    gpu.queue.write_texture({"texture": texture}, data, layout, (width, height, count))
    return texture


def blobs(count=2, size=(12, 10)):
    """Logits of a disk in each layer."""
    x, y = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
    return np.stack([3.0 - np.hypot(x - 5 - 2 * k, y - 5) * 1.1 for k in range(count)]).astype(np.float32)


def drawn(canvas, mask, values, ends):
    """Blend one mask over float [height, width, 3], pixel by pixel; `ends` is where the picture lies, as the
    layer takes it.
    """
    height, width = canvas.shape[:2]
    left, top, right, bottom = ends
    x0, x1 = (left + share * (right - left) for share in (mask.left, mask.right))
    y0, y1 = (top + share * (bottom - top) for share in (mask.top, mask.bottom))
    px, py = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    covered = (px > min(x0, x1)) & (px < max(x0, x1)) & (py > y0) & (py < y1)
    rows, columns = values.shape
    pl, pt, pr, pb = mask.part

    def at(px, py):
        tx = (pl + (px - x0) / (x1 - x0) * (pr - pl)) * columns - 0.5
        ty = (pt + (py - y0) / (y1 - y0) * (pb - pt)) * rows - 0.5
        ix, iy = np.floor(tx).astype(int), np.floor(ty).astype(int)
        fx, fy = tx - ix, ty - iy
        a, b = (np.clip(ix + k, 0, columns - 1) for k in (0, 1))
        c, d = (np.clip(iy + k, 0, rows - 1) for k in (0, 1))
        upper = values[c, a] * (1 - fx) + values[c, b] * fx
        return upper * (1 - fy) + (values[d, a] * (1 - fx) + values[d, b] * fx) * fy

    value = at(px, py)
    # The slope within the pixel's own cell, by differences so small that they do not leave it.
    tiny = 1e-6
    dx = (at(px + tiny, py) - value) / tiny
    dy = (at(px, py + tiny) - value) / tiny
    depth = np.clip((value - mask.level) / np.maximum(np.hypot(dx, dy), 1e-6), -9, 9)
    inside = np.clip(depth + 0.5, 0, 1)
    alpha = np.maximum(0.45 * inside, 0.9 * inside * np.clip(2.0 - depth, 0, 1))
    alpha = np.where(covered, alpha, 0)[..., None]
    color = np.array(colorsys.hsv_to_rgb((0.12 + mask.index * 0.381966) % 1.0, 0.62, 1.0))
    return canvas * (1 - alpha) + color * alpha


def picture_of():
    x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    rgb = np.stack((x * 5, y * 7, 255 - x * 3), axis=-1).astype(np.uint8)
    return rgba_frame(np.dstack((rgb, np.full((HEIGHT, WIDTH), 255, np.uint8))))


VIEWS = [
    View("free", zoom=1.0),
    View("free", zoom=3.0, center=(0.4, 0.55)),
    View("free", zoom=1.0, mirrored=True),
    View("fit", split=0.5),
    View("free", zoom=2.0, split=0.25, mirrored=True),
]


@pytest.mark.parametrize("view", VIEWS)
def test_masks_are_drawn_over_the_picture_as_it_lies(gpu, pipeline, view):
    values = blobs()
    texture = texture_of(gpu, values)
    masks = (
        Mask("a", 3, texture, 0.1, 0.1, 0.7, 0.9, layer=1, part=(0.05, 0.1, 0.95, 0.9), level=0.0),
        Mask("b", 1, texture, 0.4, 0.0, 1.0, 0.8, identity=3, layer=0, level=0.25),
    )
    target = target_texture(gpu, 120, 90)
    pipeline.view = view
    pipeline.render(picture_of(), target)
    plain = read_target(gpu, target)[..., :3] / 255
    pipeline.set_masks(masks)
    pipeline.render(None, target)
    shown = read_target(gpu, target)[..., :3] / 255
    at = place(view, (WIDTH, HEIGHT), (120, 90))
    ends = [at.x, at.y, at.x + WIDTH * at.zoom, at.y + HEIGHT * at.zoom]
    left = ends[0]
    if view.mirrored:
        ends[0], ends[2] = ends[2], ends[0]
    expected = plain
    for mask in masks[::-1]:
        expected = drawn(expected, mask, values[mask.layer], ends)
    split = 0 if view.split is None else round(max(left, view.split * 120))
    expected[:, :split] = plain[:, :split]
    difference = np.abs(shown - expected)
    # A pixel's middle may lie on a texel's border or on the quad's rim, where both sides are right.
    assert np.mean(difference.max(axis=-1) > 3 / 255) < 0.004
    assert np.abs(shown - plain).max() > 0.3, "something was drawn"
    pipeline.set_masks(())
    pipeline.render(None, target)
    assert (read_target(gpu, target)[..., :3] / 255 == plain).all()


def exported(gpu, pixels, over):
    """What a file has of float [height, width, 4] with masks and an image over it, in 0..1; without
    dithering.
    """
    height, width = pixels.shape[:2]
    usage = wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
    source = gpu.device.create_texture(size=(width, height, 1), format="rgba32float", usage=usage)
    layout = {"offset": 0, "bytes_per_row": width * 16, "rows_per_image": height}
    data = np.ascontiguousarray(pixels, np.float32)
    gpu.queue.write_texture({"texture": source}, data, layout, (width, height, 1))
    exporter = Exporter(gpu, dither=False)
    found = exporter.begin(source, over).result() / 255
    exporter.close()
    return found


def test_a_file_and_the_window_at_scale_1_are_the_same_pixels(gpu, pipeline):
    mask = Mask("a", 3, texture_of(gpu, blobs()), 0.1, 0.1, 0.7, 0.9, layer=1, level=0.0)
    target = target_texture(gpu, WIDTH, HEIGHT)
    pipeline.view = View("free", zoom=1.0)
    pipeline.render(picture_of(), target)
    plain = read_target(gpu, target)
    pipeline.set_masks((mask,))
    pipeline.render(None, target)
    shown = read_target(gpu, target)[..., :3] / 255
    saved = exported(gpu, plain / 255, LaidOver(masks=(mask,)))
    assert np.abs(saved[..., :3] - shown).max() <= 1.5 / 255 and (saved[..., 3] == 1).all()


def on(below, color, alpha):
    """R'G'B'A with straight alpha of a color over R'G'B'A with straight alpha (Porter and Duff 1984, "over")."""
    kept = below[..., 3:] * (1 - alpha)
    out = alpha + kept
    return np.concatenate((color * alpha + below[..., :3] * kept, out * out), -1) / np.maximum(out, 1e-6)


@pytest.mark.parametrize("opacity", [0.0, 0.3, 1.0])
def test_masks_and_boxes_over_a_transparent_picture_keep_their_color(gpu, opacity):
    values = blobs()
    texture = texture_of(gpu, values)
    masks = (
        Mask("a", 3, texture, 0.1, 0.1, 0.7, 0.9, layer=1, level=0.0),
        Mask("b", 1, texture, 0.3, 0.0, 1.0, 0.8, layer=0, level=0.25),
    )
    picture = np.random.default_rng(3).uniform(0, 1, (HEIGHT, WIDTH, 4))
    picture[..., 3] = opacity
    image = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    image[4:9, 20:40] = 128, 0, 0, 128
    ends = (0, 0, WIDTH, HEIGHT)
    expected = picture
    for mask in masks[::-1]:
        # A mask drawn on black and on white has its opacity in their difference.
        black, white = (
            drawn(np.full((HEIGHT, WIDTH, 3), v), mask, values[mask.layer], ends) for v in (0.0, 1.0)
        )
        alpha = 1 - (white - black)[..., :1]
        expected = on(expected, black / np.maximum(alpha, 1e-6), alpha)
    box = image[..., 3:] / 255
    expected = on(expected, image[..., :3] / 255 / np.maximum(box, 1e-6), box)
    found = exported(gpu, picture, LaidOver(image, masks))
    seen = expected[..., 3] > 0.05
    difference = np.abs(found - expected)[seen]
    # A pixel's middle may lie on a texel's border or on the quad's rim, where both sides are right.
    assert np.mean(difference.max(axis=-1) > 3 / 255) < 0.004 and seen.sum() > 300


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_do_no_harm(gpu, pipeline, bad):
    values = blobs()
    values[:, 3:5] = bad
    target = target_texture(gpu, 60, 40)
    pipeline.set_masks((Mask("a", 0, texture_of(gpu, values), layer=1, level=0.0),))
    pipeline.render(picture_of(), target)
    assert (read_target(gpu, target)[..., 3] == 255).all()


def test_the_overlay_has_the_same_colors():
    from desktop.overlay import painting

    for number in (0, 1, 7, 79, 4000):
        color = painting.class_color(number)
        assert class_color(number) == pytest.approx((color.redF(), color.greenF(), color.blueF()), abs=2e-3)
