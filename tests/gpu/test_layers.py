"""Layers against Pillow, and against the frames that are due."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from desktop.base.errors import LightloomError
from desktop.media.frame import RGBA, ColorInfo, Frame, Plane
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.layers.kind import layer_kind
from desktop.pipeline.layers.spec import LayerPlace, Layers, LayerSpec
from desktop.pipeline.layers.texts import PaintedText
from desktop.pipeline.pipeline import Pipeline

WIDTH, HEIGHT = 96, 64


def noise(width: int, height: int, seed: int, *, opaque: bool = True) -> np.ndarray:
    """Return a smooth random image, uint8 [height, width, 4]."""
    random = np.random.default_rng(seed)
    small = random.integers(0, 256, (6, 8, 4), np.uint8)
    if opaque:
        small[..., 3] = 255
    return np.array(Image.fromarray(small, "RGBA").resize((width, height), Image.Resampling.BICUBIC))


def frame_of(pixels: np.ndarray, pts: float = 0.0) -> Frame:
    """Return an image as a frame."""
    height, width = pixels.shape[:2]
    color = ColorInfo("rgb", "full", "srgb", "bt709")
    plane = Plane(pixels.tobytes(), width * 4, width, height)
    return Frame((plane,), RGBA, width, height, color, pts=pts, duration=0.1)


def paint(wanted: PaintedText) -> np.ndarray:
    """Paint a bar as long as the text, in the text's color."""
    image = np.zeros((4, 2 * len(wanted.text), 4), np.uint8)
    image[:] = [round(255 * part) for part in wanted.color]
    return image


@pytest.fixture(scope="module")
def layered(gpu):
    """Return a function (main, layers, chain, pts) -> what is exported, uint8 [height, width, 4]."""
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True, dither=False, paint_text=paint)

    def run(main: np.ndarray, layers: Layers, chain: ChainSpec | None = None, pts: float = 0.0) -> np.ndarray:
        pipeline.set_chain(chain or ChainSpec())
        pipeline.set_layers(layers)
        assert pipeline.render(frame_of(main, pts))
        return pipeline.export().result()

    yield run
    pipeline.close()


def image_layer(path: Path, **settings) -> LayerSpec:
    """Return a layer with an image."""
    return LayerSpec(0, "image", layer_kind("image").check({"path": str(path)}), **settings)


def saved(pixels: np.ndarray, folder: Path, name: str = "layer.png") -> Path:
    """Write an image."""
    Image.fromarray(pixels, "RGBA").save(folder / name)
    return folder / name


def is_close(found: np.ndarray, wanted: np.ndarray, *, most: int = 1) -> None:
    """Assert that images differ by at most `most` of 255."""
    assert found.shape == wanted.shape
    assert np.abs(found.astype(int) - wanted.astype(int)).max() <= most


MAIN = noise(WIDTH, HEIGHT, 1)


@pytest.mark.parametrize(
    ("size", "box"),
    [
        ((24, 16), (60, 8, 24, 16)),  # as it is
        ((96, 64), (48, 32, 48, 32)),  # half as large
        ((200, 150), (10, 20, 40, 30)),  # a fifth
        ((12, 8), (3, 5, 60, 40)),  # five times as large
        ((40, 40), (-20, -20, 40, 40)),  # partly outside
    ],
)
def test_an_image_over_the_main_one_is_as_in_pillow(layered, tmp_path, size, box) -> None:
    layer = noise(*size, 2)
    x, y, width, height = box
    place = LayerPlace(x / WIDTH, y / HEIGHT, width / WIDTH, height / HEIGHT, "stretch")
    found = layered(MAIN, Layers().added(image_layer(saved(layer, tmp_path), place=place)))
    wanted = Image.fromarray(MAIN, "RGBA")
    wanted.paste(Image.fromarray(layer, "RGBA").resize((width, height), Image.Resampling.BILINEAR), (x, y))
    is_close(found, np.array(wanted))


def test_transparent_layers_and_their_opacity_are_as_in_pillow(layered, tmp_path) -> None:
    layer = noise(WIDTH, HEIGHT, 3, opaque=False)
    spec = image_layer(saved(layer, tmp_path), opacity=0.5, place=LayerPlace(0, 0, 1, 1))
    found = layered(MAIN, Layers().added(spec))
    shared = layer.copy()
    shared[..., 3] = np.round(layer[..., 3] * 0.5)
    wanted = Image.alpha_composite(Image.fromarray(MAIN, "RGBA"), Image.fromarray(shared, "RGBA"))
    is_close(found, np.array(wanted))


def test_shrunk_edges_of_a_transparent_layer_have_no_dark_seam(layered, tmp_path) -> None:
    # White where it is visible, and black where it is not.
    layer = np.zeros((64, 64, 4), np.uint8)
    layer[16:48, 16:48] = 255
    white = np.full((HEIGHT, WIDTH, 4), 255, np.uint8)
    place = LayerPlace(0.1, 0.1, 20 / WIDTH, 20 / HEIGHT, "stretch")
    found = layered(white, Layers().added(image_layer(saved(layer, tmp_path), place=place)))
    assert found.min() == 255


def test_layers_are_drawn_in_order_and_can_be_under_the_main_image(layered, tmp_path) -> None:
    def plain(color: tuple[int, int, int], name: str) -> Path:
        return saved(np.full((8, 8, 4), (*color, 255), np.uint8), tmp_path, name)

    main = MAIN.copy()
    main[:, : WIDTH // 2] = 0
    whole = LayerPlace(0, 0, 1, 1, "stretch")
    under = image_layer(plain((255, 0, 0), "red.png"), place=whole, below=True)
    first = image_layer(plain((0, 255, 0), "green.png"), place=LayerPlace(0, 0, 0.25, 1, "stretch"))
    second = image_layer(plain((0, 0, 255), "blue.png"), place=LayerPlace(0, 0, 0.125, 1, "stretch"))
    layers = Layers().added(under).added(first).added(second)
    found = layered(main, layers)[HEIGHT // 2, :, :3]
    assert [tuple(found[x]) for x in (4, 18, 36)] == [(0, 0, 255), (0, 255, 0), (255, 0, 0)]
    is_close(found[60:], MAIN[HEIGHT // 2, 60:, :3])
    turned = layered(main, layers.moved(3, 1))[HEIGHT // 2, 4, :3]
    assert tuple(turned) == (0, 255, 0)


def test_blend_modes_of_layers_are_those_of_effects(layered, tmp_path) -> None:
    layer = noise(WIDTH, HEIGHT, 4)
    spec = image_layer(saved(layer, tmp_path), blend="multiply", place=LayerPlace(0, 0, 1, 1))
    wanted = np.round(MAIN[..., :3].astype(float) * layer[..., :3] / 255)
    is_close(layered(MAIN, Layers().added(spec))[..., :3], wanted)


def test_the_main_image_is_put_into_a_rectangle(layered, tmp_path) -> None:
    half = LayerPlace(0.5, 0.25, 0.5, 0.5)
    found = layered(MAIN, Layers(main=half))
    small = Image.fromarray(MAIN, "RGBA").resize((48, 32), Image.Resampling.BILINEAR)
    is_close(found[16:48, 48:], np.array(small))
    assert not found[:, :48].any()


def test_a_layer_is_cut_off_or_fitted_in(layered, tmp_path) -> None:
    layer = noise(80, 40, 5)
    path = saved(layer, tmp_path)
    place = LayerPlace(0, 0, 0.5, 0.75, "cover")
    found = layered(np.zeros_like(MAIN), Layers().added(image_layer(path, place=place)))
    cut = Image.fromarray(layer, "RGBA").resize((48, 48), Image.Resampling.BILINEAR, box=(20, 0, 60, 40))
    is_close(found[:48, :48], np.array(cut))
    fitted = LayerPlace(0, 0, 0.5, 0.75, "contain")
    found = layered(np.zeros_like(MAIN), Layers().added(image_layer(path, place=fitted)))
    inner = Image.fromarray(layer, "RGBA").resize((48, 24), Image.Resampling.BILINEAR)
    is_close(found[12:36, :48], np.array(inner))
    assert not found[:12].any() and not found[36:].any()


def test_a_layer_has_its_own_filters(layered, tmp_path) -> None:
    layer = noise(WIDTH, HEIGHT, 6)
    chain = ChainSpec().added("invert", FilterLibrary(None).get("invert").defaults)
    spec = image_layer(saved(layer, tmp_path), place=LayerPlace(0, 0, 1, 1), chain=chain)
    is_close(layered(MAIN, Layers().added(spec))[..., :3], 255 - layer[..., :3])
    is_close(layered(MAIN, Layers()), MAIN)


@pytest.fixture
def clip(tmp_path) -> Path:
    """A folder of five images of one second each, whose red is ten times their number."""
    folder = tmp_path / "clip"
    folder.mkdir()
    for number in range(5):
        saved(np.full((8, 8, 4), (number * 10, 0, 0, 255), np.uint8), folder, f"{number}.png")
    return folder


@pytest.mark.parametrize(
    ("values", "times", "expected"),
    [
        ({}, (0.0, 3.1, 6.2, 9.0, 1.0, 20.0), (0, 10, 20, 30, 0, 40)),
        ({"offset": 3.0}, (0.0, 3.0), (10, 20)),
        ({}, (2.9992, 3.0004, 5.9995), (10, 10, 20)),  # as containers round to milliseconds
        ({"at_end": "loop"}, (14.9, 15.0, 33.5), (40, 0, 10)),
        ({"at_end": "hide"}, (14.0, 15.0), (40, 77)),
        ({"offset": -1.0}, (0.0, 1.0), (77, 0)),
    ],
)
def test_the_frame_is_the_one_due_at_the_time_of_the_main_one(layered, clip, values, times, expected) -> None:
    values = layer_kind("video").check({"path": str(clip), **values})
    layers = Layers().added(LayerSpec(0, "video", values, LayerPlace(0, 0, 1, 1, "stretch")))
    main = np.full((HEIGHT, WIDTH, 4), 77, np.uint8)
    found = [int(layered(main, layers, pts=pts)[3, 3, 0]) for pts in times]
    assert found == list(expected)


def test_filters_of_a_still_layer_move(gpu, tmp_path) -> None:
    library = FilterLibrary(None)
    chain = ChainSpec().added("film_grain", library.get("film_grain").check({"amount": 0.3}))
    spec = image_layer(saved(np.full((16, 16, 4), (128, 128, 128, 255), np.uint8), tmp_path))
    pipeline = Pipeline(gpu, library, wait=True, dither=False)
    try:
        pipeline.set_layers(Layers().added(replace(spec, chain=chain)))
        shown = []
        for pts in (0.0, 0.1, 0.2):
            assert pipeline.render(frame_of(MAIN, pts))
            shown.append(pipeline.export().result().copy())
        assert (shown[0] != shown[1]).any() and (shown[1] != shown[2]).any()
    finally:
        pipeline.close()


def test_a_text_is_drawn_as_large_as_it_is_painted(layered) -> None:
    values = layer_kind("text").check({"value": "{time}", "align": "right", "color": "#ff8000"})
    layers = Layers().added(LayerSpec(0, "text", values, LayerPlace(1.0, 0.0)))
    found = layered(np.zeros_like(MAIN), layers, pts=3.0)
    wanted = np.zeros_like(MAIN)
    wanted[:4, -16:] = (255, 128, 0, 255)
    is_close(found, wanted)


def test_a_missing_file_ends_batch_work_with_a_sentence(layered, tmp_path) -> None:
    spec = image_layer(tmp_path / "gone.png")
    with pytest.raises(LightloomError, match=r"The layer 'gone.png' is not drawn\. .*gone.png"):
        layered(MAIN, Layers().added(spec))


def test_live_a_layer_that_fails_says_so_and_the_rest_goes_on(gpu, tmp_path) -> None:
    pipeline = Pipeline(gpu, FilterLibrary(None), dither=False)
    try:
        good = image_layer(
            saved(np.full((8, 8, 4), 200, np.uint8), tmp_path), place=LayerPlace(0, 0, 0.5, 1, "stretch")
        )
        text = LayerSpec(0, "text", layer_kind("text").check({}))
        pipeline.set_layers(Layers().added(image_layer(tmp_path / "gone.png")).added(good).added(text))
        pipeline.render(frame_of(MAIN))
        for _ in range(2000):
            pipeline.drain()
            states = [status.state for status in pipeline.layers.statuses]
            if states == ["failed", "ended", "failed"] and not pipeline.wants_frames:
                break
            pipeline.render(None)
        assert states == ["failed", "ended", "failed"]
        assert "gone.png" in pipeline.layers.statuses[0].message
        assert "cannot draw text layers" in pipeline.layers.statuses[2].message
        assert pipeline.export().result()[32, 8, 0] > 150
    finally:
        pipeline.close()


def test_a_change_fades_by_the_time_of_the_frames(gpu) -> None:
    pipeline = Pipeline(gpu, FilterLibrary(None), wait=True, dither=False)
    try:
        gray = np.full((HEIGHT, WIDTH, 4), (100, 100, 100, 255), np.uint8)
        assert pipeline.render(frame_of(gray, 4.0))
        pipeline.begin_fade(1.0)
        pipeline.set_chain(ChainSpec().added("invert", FilterLibrary(None).get("invert").defaults))
        levels = []
        for pts in (5.0, 5.25, 5.5, 5.75, 6.0, 7.0):
            assert pipeline.render(frame_of(gray, pts))
            levels.append(int(pipeline.export().result()[5, 5, 0]))
        assert np.abs(np.subtract(levels, (100, 113.75, 127.5, 141.25, 155, 155))).max() <= 1
        pipeline.begin_fade(1.0)
        pipeline.set_chain(ChainSpec())
        small = gray[: HEIGHT // 2]
        assert pipeline.render(frame_of(small, 8.0))
        # An image of another size is cut to.
        assert int(pipeline.export().result()[5, 5, 0]) == 100
    finally:
        pipeline.close()
