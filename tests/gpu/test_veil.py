"""Places that are hidden in the pixels: against NumPy and OpenCV, and in all that leaves an engine in batch
work.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
import wgpu
from test_mask_layer import blobs, texture_of
from test_pipeline import noise, read_target, rgba_frame, target_texture
from tiny_models import square_detector
from waiting import until

from desktop.base.errors import LightloomError
from desktop.compute.gpu.device import Gpu
from desktop.pipeline.batch import check_stages, run_batch
from desktop.pipeline.chain.spec import chain_of
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.picture.present import Exporter, LaidOver, View
from desktop.pipeline.picture.redaction import RedactionRenderer
from desktop.pipeline.picture.upload import WORKING_FORMAT, uploaded
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.live import LiveNetwork
from desktop.pipeline.setup.setup import Setup
from desktop.vision.tasks.shapes import Mask
from desktop.vision.tracking.anonymize import AnonymizeSpec
from desktop.vision.tracking.hidden_area import MOST_AREAS, HiddenArea

WIDTH, HEIGHT = 160, 120


def smooth(width=WIDTH, height=HEIGHT):
    """A picture with detail of several sizes, uint8 [h, w, 4]."""
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    waves = [np.sin(x / a + y / b) * 60 + np.sin(x / 2.1) * 30 + 128 for a, b in ((3, 7), (11, 4), (5, 19))]
    return np.dstack((*np.clip(waves, 0, 255), np.full((height, width), 255))).astype(np.uint8)


@pytest.fixture
def hide(gpu):
    """Hide places of a picture; uint8 [h, w, 4] both."""
    veil, exporter = RedactionRenderer(gpu, WORKING_FORMAT), Exporter(gpu, dither=False)

    def run(picture, areas, kind="pixelate", blocks=8):
        source = uploaded(gpu, rgba_frame(picture))
        encoder = gpu.device.create_command_encoder()
        texture = veil.encode(encoder, source.texture, areas, kind, blocks)
        gpu.queue.submit([encoder.finish()])
        found = exporter.begin(texture, LaidOver()).result()
        source.close()
        return found

    yield run
    veil.close()
    exporter.close()


def area_of(left, top, right, bottom, **more):
    """A place of whole pixels."""
    return HiddenArea(left / WIDTH, top / HEIGHT, right / WIDTH, bottom / HEIGHT, **more)


def test_blocks_have_their_mean_color_as_opencv_has_it(hide):
    picture = smooth()
    found = hide(picture, [area_of(32, 24, 96, 88)])
    small = cv2.resize(picture[24:88, 32:96], (8, 8), interpolation=cv2.INTER_AREA)
    expected = picture.copy()
    expected[24:88, 32:96] = cv2.resize(small, (64, 64), interpolation=cv2.INTER_NEAREST)
    assert np.abs(found.astype(int) - expected).max() <= 1
    outside = np.ones((HEIGHT, WIDTH), bool)
    outside[24:88, 32:96] = False
    assert (found[outside] == picture[outside]).all()


def test_blocks_of_uneven_sides_divide_a_place_cut_by_the_edge(hide):
    picture = noise(3, WIDTH, HEIGHT)
    found = hide(picture, [area_of(-20, 90.3, 63, 150)], blocks=7).astype(int)
    # What is in the picture: 63 x 30 pixels, 7 x 3 blocks of 9 x 10.
    for row in range(3):
        for column in range(7):
            at = np.s_[90 + row * 10 : 100 + row * 10, column * 9 : column * 9 + 9]
            mean = picture[at].reshape(-1, 4).mean(axis=0)
            assert np.abs(found[at] - mean).max() <= 1


def test_a_blur_is_nearly_a_gaussian_of_its_blocks(hide):
    picture = smooth()
    # Of detail that is much finer than a block a Gaussian leaves as little.
    found = hide(picture, [area_of(0, 0, 160, 120)], "blur", blocks=32).astype(float)[..., :3]
    expected = cv2.GaussianBlur(picture, (0, 0), 5 * np.sqrt(5 / 12))[..., :3].astype(float)
    inner = np.s_[15:-15, 15:-15]
    assert np.abs(found - expected)[inner].mean() < 4.0
    assert np.abs(picture[..., :3] - expected)[inner].mean() > 15.0, "it hides something"


def test_a_blur_is_made_of_the_means_alone(hide):
    picture = noise(4, WIDTH, HEIGHT)
    found = hide(picture, [area_of(40, 40, 104, 104)], "blur").astype(float)
    means = picture[40:104, 40:104].reshape(8, 8, 8, 8, 4).mean(axis=(1, 3))
    at = (np.arange(64) + 0.5) / 8 - 0.5
    first, f = np.floor(at).astype(int), at - np.floor(at)
    weights = np.stack(
        ((1 - f) ** 3, 4 - 6 * f**2 + 3 * f**3, 4 - 6 * (1 - f) ** 2 + 3 * (1 - f) ** 3, f**3), axis=1
    )
    matrix = np.zeros((64, 8))
    for k in range(4):
        np.add.at(matrix, (np.arange(64), np.clip(first - 1 + k, 0, 7)), weights[:, k] / 6)
    expected = np.einsum("yi,xj,ijc->yxc", matrix, matrix, means)
    assert np.abs(found[40:104, 40:104] - expected).max() <= 1


def test_fill_leaves_nothing(hide):
    found = hide(noise(5, WIDTH, HEIGHT), [area_of(10, 10, 50, 30)], "fill")
    assert (found[10:30, 10:50] == found[10, 10]).all()
    assert tuple(found[10, 10]) == (31, 31, 33, 255)


@pytest.mark.parametrize("kind", ["pixelate", "blur", "fill"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_is_hidden_depends_on_means_only(hide, kind, seed):
    """Two pictures that differ by what leaves each block's mean as it is are the same once hidden: nothing
    else is left.
    """
    random = np.random.default_rng(seed)
    picture = random.integers(40, 216, (HEIGHT, WIDTH, 4), dtype=np.uint8)
    picture[..., 3] = 255
    corner = random.integers(0, 40, 2)
    y, x = int(corner[0]), int(corner[1])
    other = picture.copy()
    # Pairs of neighbors within a block of 8 x 8 change by the same, up and down.
    change = random.integers(1, 40, (64, 32, 3))
    part = other[y : y + 64, x : x + 64, :3].astype(int)
    part[:, ::2] += change
    part[:, 1::2] -= change
    other[y : y + 64, x : x + 64, :3] = part
    places = [area_of(x, y, x + 64, y + 64)]
    assert np.abs(picture.astype(int) - other).max() > 30
    first, second = (hide(each, places, kind).astype(int) for each in (picture, other))
    assert np.abs(first - second).max() <= 1


def test_an_ellipse_and_a_mask_hide_what_they_cover(gpu, hide):
    picture = noise(6, WIDTH, HEIGHT)
    found = hide(picture, [area_of(40, 20, 104, 84, is_round=True)], "fill")
    y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    inside = ((x - 72) / 32) ** 2 + ((y - 52) / 32) ** 2 <= 1
    changed = (found != picture).any(axis=-1)
    assert (changed == inside).mean() > 0.9995
    values = blobs(1, (40, 40))
    mask = Mask("a", 0, texture_of(gpu, values), 0.25, 0.2, 0.75, 0.8, level=0.0)
    found = hide(picture, [HiddenArea(0.2, 0.1, 0.8, 0.9, mask=mask)], "fill")
    seen = cv2.resize(values[0], (80, 72), interpolation=cv2.INTER_LINEAR) > 0
    changed = (found != picture).any(axis=-1)[24:96, 40:120]
    assert (changed == seen).mean() > 0.995
    grown = hide(picture, [HiddenArea(0.2, 0.1, 0.8, 0.9, mask=mask, grow=0.05)], "fill")
    wider = cv2.dilate(seen.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)))
    changed = (grown != picture).any(axis=-1)[24:96, 40:120]
    assert changed[wider > 0].mean() > 0.99
    broken = np.full((1, 4, 4), np.nan, np.float32)
    mask = Mask("a", 0, texture_of(gpu, broken), 0.25, 0.2, 0.75, 0.8)
    found = hide(picture, [HiddenArea(0.25, 0.2, 0.75, 0.8, mask=mask)], "fill")
    assert (found[24:96, 40:120] == (31, 31, 33, 255)).all(), "what is no number is hidden"


def test_values_that_are_no_places_and_too_many_places(hide):
    picture = noise(7, WIDTH, HEIGHT)
    wild = [HiddenArea(-1e30, 0.5, -0.1, 0.6), HiddenArea(0.5, 0.5, 0.5, 0.5), HiddenArea(2.0, 0.0, 3.0, 1.0)]
    assert (hide(picture, wild) == picture).all()
    assert (hide(picture, [HiddenArea(-1e30, -1e30, 1e30, 1e30)], "fill") == (31, 31, 33, 255)).all()
    many = [HiddenArea(0.0, 0.0, 0.01, 0.01)] * (MOST_AREAS + 1)
    assert (hide(picture, many, "fill") == (31, 31, 33, 255)).all(), "more than can be told apart: all of it"


# -- through an engine ---------------------------------------------------------------------------------------

SQUARE = 24


def scene(left, top):
    """A striped red square on gray; the tiny detector finds red."""
    pixels = np.full((96, 128, 4), 90, np.uint8)
    pixels[..., 3] = 255
    square = np.zeros((SQUARE, SQUARE, 3), np.uint8)
    square[..., 0] = np.where(np.arange(SQUARE) % 4 < 2, 255, 160)
    pixels[top : top + SQUARE, left : left + SQUARE, :3] = square
    return pixels


def striped(picture):
    """Tell whether stripes of a red square are to be seen: reds of neighbors that differ much."""
    red = picture[..., 0].astype(int) - picture[..., 1]
    return int((np.abs(np.diff(red, axis=1)) > 60).sum())


def filled(picture):
    """Where a picture has the gray of what is hidden; exports are dithered."""
    return (np.abs(picture - np.array([31, 31, 33, 255.0])) <= 1).all(axis=-1)


@pytest.fixture(params=["wgpu", "onnxruntime"])
def engine(request, tmp_path):
    model = square_detector(tmp_path / "squares.onnx")
    made = Engine(Gpu.open, FilterLibrary(None), LiveNetwork.load, wait=True, in_flight=2)
    made.current.set_setup(Setup(network=NetworkSpec(str(model), request.param), anonymize=HIDE))
    yield made
    made.close()


HIDE = AnonymizeSpec(("Red",), margin=0.6, kind="fill", outline="box")


def run(engine, pictures, **more):
    frames = [rgba_frame(picture, 0.04 * i) for i, picture in enumerate(pictures)]
    found = []
    run_batch(engine, frames, on_picture=lambda picture, pts: found.append(picture), **more)
    return found


WAY = [(8 + 9 * i, 16 + 4 * i) for i in range(10)]


def test_each_picture_of_a_batch_waits_for_its_own_result(engine):
    pictures = [scene(*at) for at in WAY]
    assert all(striped(picture) > 100 for picture in pictures)
    found = run(engine, pictures)
    for picture, (left, top) in zip(found, WAY, strict=True):
        inner = picture[top + 4 : top + SQUARE - 4, left + 4 : left + SQUARE - 4]
        assert filled(inner).mean() > 0.95
        assert not filled(picture).all()


def test_filters_that_move_and_remember_pixels_get_them_hidden(engine):
    library = engine.library
    chain = chain_of(library, [("mirror", {}), ("motion_trails", {})])
    setup = engine.current.setup
    engine.current.set_setup(Setup(chain=chain, network=setup.network))
    pictures = [scene(*at) for at in WAY]
    assert max(striped(picture) for picture in run(engine, pictures)) > 100
    engine.current.clear_source_state()
    engine.current.set_setup(Setup(chain=chain, network=setup.network, anonymize=HIDE))
    assert max(striped(picture) for picture in run(engine, pictures)) == 0


def test_the_other_side_of_the_split_is_hidden_too(engine):
    target = target_texture(engine.gpu, 128, 96)
    engine.current.view = View("free", zoom=1.0, split=0.5)
    engine.render(rgba_frame(scene(40, 40)), target)
    assert striped(read_target(engine.gpu, target)) == 0


def test_what_an_event_saves_is_the_picture_that_it_is_of(engine):
    saved = []
    engine.on_tracked_result.append(
        lambda tracked_result: saved.append((tracked_result.pts, engine.current.export().result()))
    )
    found = run(engine, [scene(*at) for at in WAY[:4]])
    assert [round(pts / 0.04) for pts, _ in saved] == [0, 1, 2, 3]
    for (_, picture), exported in zip(saved, found, strict=True):
        assert np.abs(picture.astype(int) - exported).max() <= 1


def test_without_a_network_or_without_its_result_all_is_hidden(engine):
    setup = engine.current.setup
    engine.current.set_setup(Setup(anonymize=AnonymizeSpec(kind="fill", unseen=False)))
    assert filled(run(engine, [scene(40, 40)])[0]).all(), "whatever is set: a batch shows nothing unseen"
    # A network that looks at each third picture says nothing of the two between.
    engine.current.set_setup(
        Setup(network=NetworkSpec(setup.network.model, setup.network.backend, every=3), anonymize=HIDE)
    )
    found = run(engine, [scene(*at) for at in WAY[:4]])
    hidden = [bool(filled(picture).all()) for picture in found]
    assert hidden == [False, True, True, False]


@pytest.mark.parametrize("broken", [1, 3])
def test_what_a_network_of_no_numbers_did_not_find_is_hidden(engine, tmp_path, broken):
    model = square_detector(tmp_path / "broken.onnx", broken)
    backend = engine.current.setup.network.backend
    hide = replace(HIDE, unseen=False)
    # Its roots behind the convolutions look like a table that is decoded in the graph.
    network = NetworkSpec(str(model), backend, settings={"decoder": "yolox"})
    engine.current.set_setup(Setup(network=network, anonymize=hide))
    pictures = [scene(*at) for at in WAY[:4]]
    for dark in pictures[1:3]:
        dark[dark == 90] = 0
    found = run(engine, pictures)
    assert [bool(filled(picture).all()) for picture in found] == [False, True, True, False]
    assert engine.pipeline.analyses.latest.has_nan is False


def test_a_network_that_fails_shows_nothing(engine):
    def fail(*_, **__):
        raise wgpu.GPUValidationError("refused")

    engine.pipeline.analyses.current.encode = fail
    with pytest.raises(LightloomError):
        run(engine, [scene(40, 40)], on_frame=lambda *_: bool(check_stages(engine)) or True)
    assert engine.current.export() is None


def test_it_is_switched_while_a_picture_stands(engine):
    picture = scene(40, 40)
    engine.render(rgba_frame(picture))
    assert striped(engine.current.export().result()) == 0
    setup = engine.current.setup
    engine.current.set_setup(Setup(network=setup.network))
    assert engine.current.wants_frames
    engine.render(None)
    assert striped(engine.current.export().result()) > 100
    engine.current.set_setup(setup)
    engine.render(None)
    assert striped(engine.current.export().result()) == 0


def test_nothing_from_before_it_was_switched_on_leaves(engine):
    setup = engine.current.setup
    chain = chain_of(engine.library, [("motion_trails", {})])
    engine.current.set_setup(Setup(chain=chain, network=setup.network))
    assert striped(run(engine, [scene(8, 40), scene(70, 40)])[-1]) > 100
    engine.current.set_setup(Setup(chain=chain, network=setup.network, anonymize=HIDE))
    assert engine.current.export() is None, "what is still shown was drawn before"
    engine.render(rgba_frame(scene(70, 40), 0.08))
    assert striped(engine.current.export().result()) == 0, "a trail shows where it was, not what it is"


def test_nothing_from_before_more_was_hidden_leaves(engine):
    setup = engine.current.setup
    for before, after in (
        (replace(HIDE, classes=("Blue",)), HIDE),
        (replace(HIDE, unseen=False), HIDE),
    ):
        engine.current.set_setup(Setup(network=setup.network, anonymize=before))
        engine.render(rgba_frame(scene(40, 40)))
        assert engine.current.export() is not None
        engine.current.set_setup(Setup(network=setup.network, anonymize=after))
        assert engine.current.export() is None, "what is still shown was drawn before"
        engine.render(rgba_frame(scene(40, 40), 0.08))
        assert striped(engine.current.export().result()) == 0
        # Less is not held back.
        engine.current.set_setup(Setup(network=setup.network, anonymize=before))
        assert (engine.current.export() is None) == (before.classes != after.classes)


def test_what_the_network_sees_is_not_read_while_things_are_hidden(engine):
    setup = engine.current.setup
    engine.watch_input(True)

    def look(pts):
        engine.render(rgba_frame(scene(40, 40), pts))
        engine.render(None)
        engine.await_result()
        return engine.current.recent_inputs()

    assert look(0.0) == ()
    engine.rebuild()
    assert look(0.1) == ()
    engine.current.set_setup(Setup(network=setup.network))
    times = itertools.count(1)
    until(lambda: len(look(next(times) * 0.2)) == 1)  # it is read ten times a second at most
    engine.current.set_setup(setup)
    assert engine.current.recent_inputs() == ()


def test_a_new_device_hides_as_before(engine):
    engine.render(rgba_frame(scene(40, 40)))
    engine.rebuild()
    assert striped(engine.current.export().result()) == 0
    assert striped(run(engine, [scene(60, 40)])[0]) == 0


def test_while_nothing_is_known_a_live_picture_is_hidden_and_seen_once_it_is(tmp_path):
    model = square_detector(tmp_path / "squares.onnx")
    live = Engine(Gpu.open, FilterLibrary(None), LiveNetwork.load, in_flight=2)
    try:
        live.current.set_setup(Setup(network=NetworkSpec(str(model), "onnxruntime"), anonymize=HIDE))
        assert live.render(rgba_frame(scene(40, 40)))
        assert filled(live.current.export().result()).all(), "nobody has looked yet"
        for _ in range(600):
            if not live.current.wants_frames:
                break
            live.render(None)
            live.pipeline.drain()
            live.pipeline.await_analysis()
        picture = live.current.export().result()
        assert np.abs(picture[2, 2] - [90, 90, 90, 255.0]).max() <= 1, "what is known not to be red is shown"
        assert striped(picture) == 0
    finally:
        live.close()
