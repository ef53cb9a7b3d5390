"""Frame interpolation of what plays: networks that blend two pictures by the time, so that what is shown is
known to the digit.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from fractions import Fraction

import av
import cv2
import numpy as np
import pytest
from color_rig import run
from interpolation_models import enlarging, six_channels, two_and_time
from waiting import until

from desktop.media.frame import Fields
from desktop.media.sources._av_frames import frame_from_av
from desktop.media.sources.video import VideoSource
from desktop.pipeline.picture.upload import Uploader
from desktop.pipeline.running.interpolation.live import LiveInterpolation
from desktop.pipeline.running.interpolation.network import InterpolationNetwork
from desktop.pipeline.running.interpolation.spec import InterpolationSpec

SIZE = (96, 80)
RATE = 10


class Clock:
    """A clock that a test turns by hand."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture(scope="module")
def uploader(gpu):
    made = Uploader(gpu)
    yield made
    made.close()


def level(frame):
    """The mean of the first plane, in 8-bit codes."""
    plane, form = frame.planes[0], frame.format
    rows = np.frombuffer(memoryview(plane.data), np.uint8)[: plane.stride * plane.height].reshape(
        plane.height, plane.stride
    )
    size = form.planes[0].bytes_per_component
    values = rows[:, : plane.width * size].view("<u2" if size == 2 else np.uint8)
    return float(values.mean()) / 2 ** (form.bits - 8)


def picture(code, form="yuv420p", **values):
    """A `Frame` of one level of luma."""
    gray = av.VideoFrame(*SIZE, "yuv420p")
    for n, plane in enumerate(gray.planes):
        plane.update(bytes([code if n == 0 else 128]) * plane.buffer_size)
    return frame_from_av(gray.reformat(format=form), **values)


def clip(path, codes):
    """Pictures of these levels of luma, 10 a second, without loss."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for index, code in enumerate(codes):
            frame = av.VideoFrame(*SIZE, "yuv420p")
            for n, plane in enumerate(frame.planes):
                plane.update(bytes([code if n == 0 else 128]) * plane.buffer_size)
            frame.pts, frame.time_base = index, Fraction(1, RATE)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def interpolation_of(gpu, model, backend="onnxruntime", rate="2x", **options):
    def load(spec, size):
        return InterpolationNetwork.load(gpu, spec.model, size, backend=spec.backend)

    return LiveInterpolation(InterpolationSpec(str(model), rate, backend), load, **options)


@pytest.fixture
def model(tmp_path):
    return two_and_time(tmp_path / "blend.onnx")


class Watched:
    """An interpolation that notes of which pictures it was asked: what was asked for before is in its place
    then.
    """

    def __init__(self, inner):
        self.inner = inner
        self.asked = []

    def between(self, first, second, seconds):
        self.asked.append((first.pts, second.pts))
        return self.inner.between(first, second, seconds)

    @property
    def lead(self):
        return self.inner.lead

    def delay(self, seconds):
        return self.inner.delay(seconds)

    def close(self, *, wait=False):
        self.inner.close(wait=wait)


class Player:
    """Plays a clip with a clock that the test turns, each time when what is made for the next picture is
    there.
    """

    def __init__(self, path, interpolation):
        self.clock = Clock()
        self.source = VideoSource(path, clock=self.clock)
        self.watched = Watched(interpolation)
        # The network is there before the first picture is.
        until(
            lambda: (
                interpolation.status.state == "failed" or interpolation.between(picture(20), picture(21), 0.1)
            ),
            lambda: interpolation.status,
        )
        self.source.interpolate_by(self.watched)
        self.source.start()
        until(lambda: self.source.state == "playing")

    def first(self):
        """The first picture, which waits for nothing."""
        return self._noted(until(lambda: self.source.take(self.clock.now)))

    def shown(self, seconds, step=0.01):
        """(time, level) of all that is shown within some seconds; the clock goes on by `step`."""
        found = []
        for _ in range(round(seconds / step)):
            self.clock.now += step
            # Sums of floats are short of a due time by some digits.
            frame = self.source.take(self.clock.now + 1e-6)
            if frame is not None:
                found.append(self._noted(frame))
        return found

    def _noted(self, frame):
        here = frame.pts + 1e-6
        is_last = here > self.source.info.duration - 2.5 / RATE
        until(
            lambda: (
                is_last
                or not self.source.playing
                or any(first > here for first, _ in self.watched.asked[-3:])
            ),
            lambda: (here, self.watched.asked, self.watched.inner.status),
        )
        return round(frame.pts, 3), round(level(frame), 1)


def expected(levels, count, until_s):
    """NumPy's answer: (time, level) at equal distances, between pictures 0.1 s apart."""
    times = np.arange(round(until_s * RATE) * count + 1) / (RATE * count)
    return [
        (round(float(t), 3), float(v))
        for t, v in zip(times, np.interp(times, np.arange(len(levels)) / RATE, levels), strict=True)
    ]


def assert_same(found, wanted):
    assert [at for at, _ in found] == pytest.approx([at for at, _ in wanted], abs=2e-3)
    assert [code for _, code in found] == pytest.approx([code for _, code in wanted], abs=1.01)


RAMP = tuple(range(24, 24 + 8 * 14, 8))


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
@pytest.mark.parametrize(("rate", "count"), [("2x", 2), ("4x", 4), ("screen", 3)])
def test_what_is_shown_are_pictures_at_equal_distances(gpu, tmp_path, model, backend, rate, count):
    used = interpolation_of(gpu, model, backend, rate, screen_rate=lambda: 30.0, clock=lambda: 0.0)
    player = Player(clip(tmp_path / "in.mkv", RAMP), used)
    with closing(player.source):
        found = [player.first(), *player.shown(1.0)]
    assert_same(found, expected(RAMP, count, 1.0))
    assert used.status.state == "running"
    assert used.status.text == f"10 → {10 * count} fps, 0 ms a frame"


def test_a_network_of_the_middle_alone(gpu, tmp_path):
    used = interpolation_of(gpu, six_channels(tmp_path / "six.onnx"), clock=lambda: 0.0)
    player = Player(clip(tmp_path / "in.mkv", RAMP), used)
    with closing(player.source):
        found = [player.first(), *player.shown(0.8)]
    assert_same(found, expected(RAMP, 2, 0.8))


def test_nothing_is_made_across_a_cut(gpu, tmp_path, model):
    levels = (24, 32, 40, 200, 208, 216, 224, 232, 235, 235, 235)
    used = interpolation_of(gpu, model, clock=lambda: 0.0)
    player = Player(clip(tmp_path / "in.mkv", levels), used)
    with closing(player.source):
        found = [player.first(), *player.shown(0.5)]
    assert_same(found, [each for each in expected(levels, 2, 0.5) if each[0] != 0.25])
    assert used.status.cuts == 1


def test_nothing_is_made_across_a_seek_and_a_pause(gpu, tmp_path, model):
    used = interpolation_of(gpu, model, clock=lambda: 0.0)
    player = Player(clip(tmp_path / "in.mkv", RAMP), used)
    with closing(player.source):
        assert_same([player.first(), *player.shown(0.1)], expected(RAMP, 2, 0.1))
        player.source.seek(0.6)
        assert_same([player.first(), *player.shown(0.1)], expected(RAMP, 2, 1.0)[12:15])
        player.source.pause()
        assert player.shown(0.2) == []
        player.source.play()
        # That of 0.75 s would have followed: what was held is followed by the file's own.
        assert_same(player.shown(0.2), expected(RAMP, 2, 1.0)[16:19])
        assert all(second - first < 0.11 for first, second in player.watched.asked)


def test_steps_go_by_the_files_own_pictures(gpu, tmp_path, model):
    used = interpolation_of(gpu, model, clock=lambda: 0.0)
    player = Player(clip(tmp_path / "in.mkv", RAMP), used)
    with closing(player.source):
        found = [player.first(), *player.shown(0.1)]
        for by in (1, 1, -1):
            player.source.step(by)
            found.append(player.first())
    assert_same(found[3:], [(0.2, 40), (0.3, 48), (0.2, 40)])


def test_a_network_that_is_too_slow_is_left_alone_and_that_is_said(gpu, tmp_path, model):
    now = Clock()

    def load(spec, size):
        network = InterpolationNetwork.load(gpu, spec.model, size, backend="onnxruntime")
        compute = network.colors_between

        def slow(first, second, at):
            now.now += 0.25
            return compute(first, second, at)

        network.colors_between = slow
        return network

    used = LiveInterpolation(InterpolationSpec(str(model)), load, clock=now)
    first, second = picture(20), picture(28)
    until(lambda: used.between(first, second, 0.1), lambda: used.status)
    for _ in range(2):
        used.between(first, second, 0.1)
    assert used.status.state == "slow"
    assert used.status.text == (
        "too slow: 250 ms a frame where 100 ms are there; the source's own frames are shown"
    )
    assert used.between(first, second, 0.1) == ()
    # Played more slowly there is time for it; at the old speed it is tried again after half a minute.
    assert len(used.between(first, second, 0.9)) == 1
    assert used.status.state == "running"
    assert used.between(first, second, 0.1) == ()
    now.now += 31.0
    assert len(used.between(first, second, 0.1)) == 1
    used.close(wait=True)


def test_what_it_keeps_up_with_is_made_where_more_is_wanted(gpu, model):
    now = Clock()

    def load(spec, size):
        network = InterpolationNetwork.load(gpu, spec.model, size, backend="onnxruntime")
        compute = network.colors_between

        def slow(first, second, at):
            now.now += 0.04
            return compute(first, second, at)

        network.colors_between = slow
        return network

    used = LiveInterpolation(InterpolationSpec(str(model), "4x"), load, clock=now)
    first, second = picture(20), picture(28)
    until(lambda: used.between(first, second, 0.1), lambda: used.status)
    for _ in range(2):
        assert len(used.between(first, second, 0.1)) == 3  # not judged yet
    made = used.between(first, second, 0.1)
    assert [level(frame) for frame in made] == pytest.approx([20 + 8 / 3, 20 + 16 / 3], abs=0.6)
    assert used.status.text == "10 → 30 fps, 40 ms a frame"
    used.close(wait=True)


def test_a_network_that_cannot_be_used_is_told_and_the_film_goes_on(gpu, tmp_path):
    used = interpolation_of(gpu, enlarging(tmp_path / "large.onnx"), clock=lambda: 0.0)
    until(lambda: not used.between(picture(20), picture(28), 0.1) and used.status.state == "failed")
    assert "large.onnx gives a result of [1, 3, 256, 256]" in used.status.text
    assert used.between(picture(20), picture(28), 0.1) == ()


def test_interlaced_pictures_are_left_as_they_are(gpu, model):
    used = interpolation_of(gpu, model, clock=lambda: 0.0)
    fields = Fields()
    assert used.between(replace(picture(20), fields=fields), replace(picture(28), fields=fields), 0.1) == ()
    assert used.status.text == "interlaced frames are shown as they are"


FORMATS = (
    "yuv420p",
    "nv12",
    "yuvj420p",
    "yuyv422",
    "yuv420p10le",
    "p010le",
    "yuva420p",
    "rgba",
    "gray",
    "rgb48le",
)


@pytest.mark.parametrize("form", FORMATS)
def test_made_pictures_look_like_their_neighbors_in_every_coding(gpu, uploader, model, form):
    """Between two equal pictures there is the same one: what is shown in turn must not flicker. 1/255 is one
    code of 8 bits.
    """
    used = interpolation_of(gpu, model, clock=lambda: 0.0)
    rng = np.random.default_rng(1)
    coarse = cv2.resize(rng.integers(70, 186, (6, 8, 3), np.uint8), SIZE, interpolation=cv2.INTER_CUBIC)
    source = av.VideoFrame.from_ndarray(coarse, format="rgb24")
    value_range = 2 if form == "yuvj420p" else 1
    given = source.reformat(format=form, dst_colorspace="ITU601", dst_color_range=value_range)
    given.color_range = value_range
    first = frame_from_av(given)
    second = replace(first, pts=0.1)
    (made,) = until(lambda: used.between(first, second, 0.1), lambda: used.status)
    assert made.pts == pytest.approx(0.05)
    assert np.abs(run(gpu, uploader, made) - run(gpu, uploader, first)).max() <= 1.01 / 255
    used.close(wait=True)
