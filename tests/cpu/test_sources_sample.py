"""The built-in sample and the clock it runs by."""

from __future__ import annotations

import hashlib
import math
import threading
import time
from itertools import islice

import cv2
import numpy as np
import onnxruntime
import pytest
from waiting import LIMIT_S

from desktop.base.errors import SourceNotFoundError, UsageError
from desktop.base.resources import resource
from desktop.media.frame import NV12
from desktop.media.sources._sample_scene import Blend, Layer, Scene, _joined
from desktop.media.sources.opening import open_source
from desktop.media.sources.sample import SECONDS, SampleSource
from desktop.media.sources.timeline import Timeline


def digest(frame):
    return hashlib.sha256(
        b"".join(np.ascontiguousarray(plane.data).tobytes() for plane in frame.planes)
    ).hexdigest()


def wait_frame(source, seconds=LIMIT_S):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        frame = source.take(time.perf_counter())
        if frame is not None:
            return frame
        time.sleep(0.003)
    raise AssertionError(f"no frame, state {source.state}, error {source.error}")


def to_rgb(frame):
    """ITU-R BT.709 limited range, chroma repeated; float, 0..1."""
    y, uv = (np.asarray(plane.data, np.float64) for plane in frame.planes)
    luma = (y - 16) / 219
    cb, cr = np.moveaxis(((uv - 128) / 224).repeat(2, 0).repeat(2, 1), -1, 0)
    red, blue = luma + 1.5748 * cr, luma + 1.8556 * cb
    green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
    return np.stack((red, green, blue), -1)


@pytest.mark.parametrize("size", [(640, 360), (64, 64), (322, 244), (66, 258), (1366, 768), (1500, 100)])
def test_frames_are_whole_and_the_same_every_time(size):
    first, again = (list(islice(SampleSource(size).frames(), 3)) for _ in range(2))
    assert [digest(frame) for frame in first] == [digest(frame) for frame in again]
    assert len({digest(frame) for frame in first}) == 3
    for index, frame in enumerate(first):
        assert frame.format is NV12 and (frame.width, frame.height) == size == frame.display_size
        assert (
            frame.index == index
            and frame.pts == pytest.approx(index / 30)
            and frame.duration == pytest.approx(1 / 30)
        )
        luma, chroma = frame.planes
        assert (
            luma.data.shape == (size[1], size[0]) and luma.stride == size[0] and luma.data.flags.c_contiguous
        )
        assert chroma.data.shape == (size[1] // 2, size[0] // 2, 2) and chroma.stride == size[0]
        assert (chroma.width, chroma.height) == (
            size[0] // 2,
            size[1] // 2,
        ) and chroma.data.flags.c_contiguous
        assert luma.data.min() >= 16 and luma.data.max() <= 235
        assert chroma.data.min() >= 16 and chroma.data.max() <= 240


def test_kept_layers_give_the_same_picture(tmp_path):
    drawn, first, again = (Scene(64, 64), Scene(64, 64, tmp_path), Scene(64, 64, tmp_path))
    expected = drawn.render(0.3, 9.0)
    for other in (first, again):
        for ours, theirs in zip(expected, other.render(0.3, 9.0), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    # A torn file is decoded anew.
    file = min(tmp_path.iterdir())
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    np.testing.assert_array_equal(Scene(64, 64, tmp_path).render(0.3, 9.0)[0], expected[0])
    assert file.read_bytes() == whole


def blended(below, paint, alpha, left, top):
    """The blend of the sample's documentation, sample by sample: (paint * w + below * (256 - w)) >> 8 with w
    of 0..256.
    """
    made = below.copy()
    for row, column in np.ndindex(alpha.shape):
        y, x = top + row, left + column
        if 0 <= y < made.shape[0] and 0 <= x < made.shape[1]:
            weight = int(alpha[row, column]) + (int(alpha[row, column]) >> 7)
            made[y, x] = (
                paint[row, column].astype(int) * weight + made[y, x].astype(int) * (256 - weight)
            ) >> 8
    return made


def random_layer(rng, height, width, solid_rows=0):
    luma, chroma = rng.integers(16, 236, (height, width)), rng.integers(16, 241, (height // 2, width // 2, 2))
    # All kinds of weights, and some of none and of all.
    alpha = np.clip(rng.integers(-128, 384, (height, width)), 0, 255)
    alpha[height - solid_rows :] = 255
    halved = alpha[::2, ::2]
    planes = [array.astype(np.uint8) for array in (luma, chroma, alpha, halved)]
    return planes, Layer(Blend.make(planes[0], planes[2]), Blend.make(planes[1], planes[3]))


@pytest.mark.parametrize(
    "left, top", [(6, 4), (7, 5), (-5, -3), (33, 15), (-9, 2), (40, 0), (-30, 0), (0, -30)]
)
@pytest.mark.parametrize("solid_rows", [0, 6, 12])
def test_a_layer_is_blended_as_documented(left, top, solid_rows):
    rng = np.random.default_rng(1)
    (luma, chroma, alpha, halved), layer = random_layer(rng, 12, 18, solid_rows)
    y = rng.integers(0, 256, (20, 40), np.uint8)
    uv = rng.integers(0, 256, (10, 20, 2), np.uint8)
    expected = blended(y, luma, alpha, left, top), blended(uv, chroma, halved, left // 2, top // 2)
    layer.put(y, uv.reshape(10, 40), left, top)
    np.testing.assert_array_equal(y, expected[0])
    np.testing.assert_array_equal(uv, expected[1])


@pytest.mark.parametrize("lefts, count", [((3, 12, 20), 1), ((4, 13, 22), 1), ((3, 7, 20), 3)])
def test_signs_that_are_joined_give_the_same_picture(lefts, count):
    """Signs whose margins overlap are one layer; where the signs themselves do, they stay three, since
    blending rounds each time.
    """
    rng = np.random.default_rng(2)
    placed = []
    for left in lefts:
        (luma, chroma, alpha, _), _ = random_layer(rng, 8, 10)
        alpha[:, :2] = alpha[:, 8:] = 0
        placed.append((Layer(Blend.make(luma, alpha), Blend.make(chroma, alpha[::2, ::2])), left))
    joined = _joined(placed)
    assert len(joined) == count
    y, uv = rng.integers(0, 256, (9, 34), np.uint8), rng.integers(0, 256, (5, 34), np.uint8)
    pictures = []
    for parts in (placed, joined):
        planes = y.copy(), uv.copy()
        for layer, left in parts:
            layer.put(*planes, left, 1)
        pictures.append(planes)
    for one, other in zip(*pictures, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("size", [(640, 360), (66, 258), (1000, 100)])
def test_no_row_is_left_unpainted(size, monkeypatch):
    """The sky ends where the sea begins: memory that is not painted would show whatever was in it."""
    pictures = []
    for content in (0, 255):
        monkeypatch.setattr(np, "empty", lambda shape, dtype, content=content: np.full(shape, content, dtype))
        pictures.append(Scene(*size).render(0.4, 12.0))
        monkeypatch.undo()
    for one, other in zip(*pictures, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_blank_frame_has_the_form_of_the_others():
    source = SampleSource((64, 64))
    blank, drawn = source.blank(), next(source.frames())
    assert (blank.format, blank.color, blank.display_size) == (drawn.format, drawn.color, drawn.display_size)
    for ours, theirs in zip(blank.planes, drawn.planes, strict=True):
        assert (ours.data.shape, ours.data.dtype, ours.stride) == (
            theirs.data.shape,
            theirs.data.dtype,
            theirs.stride,
        )


def test_the_picture_has_what_filters_need():
    rgb = to_rgb(next(SampleSource((1280, 720)).frames()))
    # The green screen around the head, for the chroma key; its frame stands at (980, 48).
    green = rgb[66:90, 996:1230].reshape(-1, 3) * 255
    assert np.abs(green.mean(0) - (0, 190, 64)).max() < 4 and green.std(0).max() < 3
    # Skin: redder than green, greener than blue, and bright.
    face = rgb[200:230, 1070:1140].reshape(-1, 3)
    skin = (face[:, 0] > face[:, 1]) & (face[:, 1] > face[:, 2]) & (face[:, 0] > 0.6)
    assert skin.mean() > 0.5
    # Smooth sky: neighbors differ by little; the grass swings from pixel to pixel.
    luma = rgb.mean(-1)
    assert np.abs(np.diff(luma[:40, :400], axis=1)).mean() < 0.006
    assert np.abs(np.diff(luma[660:, :400], axis=1)).mean() > 0.04
    # Saturated colors: each of red, yellow, green and blue is somewhere.
    red, green, blue = (rgb[..., k] for k in range(3))
    for part in (
        (red > 0.7) & (green < 0.35),
        (red > 0.7) & (green > 0.6) & (blue < 0.4),
        (green > 0.6) & (red < 0.2),
        (blue > 0.6) & (red < 0.35),
    ):
        assert part.mean() > 0.002


@pytest.fixture(scope="module")
def classifier():
    """The network in the box on its own preprocessing (assets/models/classifier.toml), done anew: the middle
    0.875, mean of the area.
    """
    path = str(resource("assets", "models", "classifier.onnx"))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    lines = resource("assets", "labels", "imagenet.txt").read_text("utf-8").splitlines()
    names = [line.strip() for line in lines if not line.startswith("#")]

    def name(rgb):
        side = int(min(rgb.shape[:2]) * 0.875)
        top, left = ((size - side) // 2 for size in rgb.shape[:2])
        crop = rgb[top : top + side, left : left + side].astype(np.float32)
        image = cv2.resize(crop, (192, 192), interpolation=cv2.INTER_AREA if side > 192 else cv2.INTER_LINEAR)
        tensor = (np.clip(image, 0, 1) * 2 - 1).transpose(2, 0, 1)[None].astype(np.float16)
        (scores,) = session.run(None, {"image": tensor})
        best = int(np.argmax(scores[0]))
        return names[best], float(scores[0][best])

    return name


@pytest.mark.parametrize("size", [(1280, 720), (640, 360), (480, 640)])
def test_what_is_shown_is_named(classifier, size):
    """Balloon, boat and lighthouse (ImageNet calls it a beacon): sure from the first frame on, and in turn.

    In portrait, where the middle shows less of the boat, each is likelier than all other names together.
    """
    least = 0.6 if size[0] > size[1] else 0.5
    source = SampleSource(size, rate=1)
    said = [classifier(to_rgb(frame)) for frame in source.frames()]
    for name, seconds in (("balloon", range(10)), ("yawl", range(12, 19)), ("beacon", range(21, 28))):
        assert all(said[k][0] == name and said[k][1] > least for k in seconds), said


def test_it_moves_everywhere_it_should():
    source = SampleSource((320, 180), rate=10)
    frames = [np.asarray(frame.planes[0].data, int) for frame in islice(source.frames(), 31)]
    moved = np.abs(frames[30] - frames[0]) > 8
    assert 0.1 < moved.mean() < 0.9
    for rows in (slice(0, 100), slice(120, 145), slice(150, 180)):
        assert moved[rows].mean() > 0.02, "sky, sea and meadow"


def test_the_loop_closes():
    frames = list(SampleSource((64, 64), rate=1).frames())
    assert len(frames) == SECONDS
    last, first, second = (np.asarray(frames[k].planes[0].data, float) for k in (-1, 0, 1))
    assert abs(np.abs(first - last).mean() - np.abs(second - first).mean()) < 12


def test_it_plays_pauses_seeks_and_steps():
    source = SampleSource((64, 64))
    assert source.capabilities.timeline is source
    wakes = []
    source.on_change = lambda: wakes.append(source.state)
    source.start()
    first = wait_frame(source)
    assert wait_frame(source).pts > first.pts
    source.pause()
    time.sleep(0.2)
    while source.take(time.perf_counter()):
        pass
    assert source.state == "paused" and not source.playing
    source.seek(12.34)
    frame = wait_frame(source)
    assert frame.pts == pytest.approx(370 / 30) and source.position == pytest.approx(370 / 30)
    source.step(1)
    assert wait_frame(source).pts == pytest.approx(371 / 30)
    source.step(-3)
    frame = wait_frame(source)
    assert frame.pts == pytest.approx(368 / 30)
    # The same picture as in order, whatever way led to it.
    assert digest(frame) == digest(next(islice(SampleSource((64, 64)).frames(), 368, None)))
    source.seek(source.position)
    assert digest(wait_frame(source)) == digest(frame), (
        "a seek delivers its frame even if it is the one shown"
    )
    source.play()
    assert wait_frame(source).pts > frame.pts and source.playing
    drawing = [thread for thread in threading.enumerate() if thread.name == "sample"]
    source.close()
    source.close()
    assert source.state == "closed" and wakes
    assert drawing and not any(thread.is_alive() for thread in drawing)


class _Drawing:
    """Stands for a scene: what it draws has its place in the first byte; it may take its time."""

    def __init__(self, rate, takes=0.0):
        self._rate, self._takes = rate, takes
        self.places = []

    def render(self, phase, seconds):
        time.sleep(self._takes)
        place = round(seconds * self._rate)
        assert phase == pytest.approx(seconds / SECONDS)
        self.places.append(place)
        return np.full((64, 64), place % 256, np.uint8), np.full((32, 32, 2), 128, np.uint8)


def played(rate, scene, count):
    """Let a sample that is drawn by `scene` play; return the source and its first pictures."""
    source = SampleSource((64, 64), rate, lambda *_: scene)
    source.start()
    return source, [wait_frame(source) for _ in range(count)]


def shown(frame, rate):
    """The place of a picture, by its time and by what is on it."""
    place = round(frame.pts * rate)
    assert frame.planes[0].data[0, 0] == place % 256
    return place


@pytest.mark.parametrize(("rate", "takes"), [(20, 0.0), (60, 0.04)])
def test_each_picture_is_drawn_once_and_before_it_is_due(rate, takes):
    """Also by a machine that takes longer than there is time for: what it has drawn by then is shown, and not
    drawn for nothing.
    """
    scene = _Drawing(rate, takes)
    source, frames = played(rate, scene, 8)
    source.close()
    places = [shown(frame, rate) for frame in frames]
    assert places == sorted(set(places))
    assert len(scene.places) == len(set(scene.places))
    # The one that was to be next was there already, or was being made; whoever is slow to take one finds it
    # dropped.
    assert set(places) <= set(scene.places) and len(scene.places) <= len(places) + source.stats.dropped + 1


def test_what_was_drawn_ahead_is_not_shown_after_a_seek():
    rate = 2
    scene = _Drawing(rate)
    source, [first] = played(rate, scene, 1)
    assert shown(first, rate) == 0
    end = time.perf_counter() + LIMIT_S
    while 1 not in scene.places and time.perf_counter() < end:
        time.sleep(0.003)
    source.pause()
    source.seek(20.0)
    assert shown(wait_frame(source), rate) == 40
    source.step(1)
    assert shown(wait_frame(source), rate) == 41
    source.step(-2)
    assert shown(wait_frame(source), rate) == 39
    source.play()
    assert shown(wait_frame(source), rate) == 40
    source.close()
    assert scene.places[:2] == [0, 1]


def test_the_picture_before_a_loops_end_is_followed_by_its_first():
    rate = 20
    scene = _Drawing(rate)
    source, _ = played(rate, scene, 1)
    source.set_loop(1.0, 1.2)
    source.seek(1.0)
    places = [shown(wait_frame(source), rate) for _ in range(12)]
    source.close()
    assert set(places[2:]) <= {20, 21, 22, 23} and {20, 21} <= set(places)
    assert 24 not in scene.places


def test_it_ends_when_it_does_not_loop():
    source = SampleSource((64, 64))
    source.set_loop(None, None)
    source.seek(29.9)
    source.start()
    end = time.perf_counter() + LIMIT_S
    while source.state != "ended" and time.perf_counter() < end:
        time.sleep(0.01)
    assert source.state == "ended"
    source.play()
    assert wait_frame(source).pts is not None
    source.close()


@pytest.mark.parametrize("text", ["sample:abc", "sample:640", "sample:640x360@", "sample:640x360 @30"])
def test_a_sample_that_is_written_wrongly_is_no_file(text):
    with pytest.raises(SourceNotFoundError, match="write it as sample:640x360@30"):
        open_source(text)


@pytest.mark.parametrize("size", [(63, 64), (64, 0), (10000, 64), (32, 32)])
def test_sizes_out_of_bounds(size):
    with pytest.raises(UsageError, match="sample can't be"):
        SampleSource(size)


def test_rates_out_of_bounds():
    with pytest.raises(UsageError, match="a rate from"):
        SampleSource((64, 64), rate=0)


def line(**options):
    timeline = Timeline(100, 10.0, loop=options.pop("loop", True))
    timeline.begin(0.0)
    return timeline


def test_timeline_places():
    timeline = line()
    for index in range(100):
        assert timeline.place(index / 10.0).index == index
        assert timeline.place(index / 10.0 + 0.099).index == index
    assert timeline.place(10.25).index == 2
    assert timeline.place(0.04).wait == pytest.approx(0.06)


def test_timeline_speed_pause_and_loop():
    timeline = line()
    timeline.set_speed(2.0, 1.0)
    assert timeline.place(2.0).index == 30 and timeline.place(2.0).wait == pytest.approx(0.05)
    timeline.pause(2.0)
    assert timeline.place(99.0).index == 30 and timeline.place(99.0).wait == math.inf
    timeline.play(100.0)
    assert timeline.place(100.5).index == 40
    timeline.set_loop(3.0, 5.0, whole=False, now=100.5)
    assert timeline.place(101.0).index == 30, "from 5 s it goes back to 3 s"
    with pytest.raises(UsageError, match="shorter than one frame"):
        timeline.set_loop(5.0, 3.0, whole=False, now=101.0)
    for factor in (0.2, 4.1, float("nan")):
        with pytest.raises(UsageError, match="speed"):
            timeline.set_speed(factor, 101.0)


def test_timeline_end_and_clamps():
    timeline = line(loop=False)
    assert (
        timeline.place(50.0) == timeline.place(10.0)
        and timeline.place(50.0).ended
        and timeline.place(50.0).index == 99
    )
    timeline.play(50.0)
    assert timeline.place(50.0).index == 0
    timeline.seek(1e9, 51.0)
    assert timeline.place(51.0).index == 99 and not timeline.place(51.0).ended
    timeline.seek(-5, 51.0)
    assert timeline.place(51.0).index == 0
    timeline.step(-1, 51.0, 0)
    assert timeline.place(51.0).index == 0 and not timeline.playing


def test_a_long_text_is_no_sample_and_no_file():
    with pytest.raises(SourceNotFoundError, match="There is no sample"):
        open_source(f"sample:{'a' * 5000}")
