"""Stabilization on the CPU: motion that is read against motion that is known, paths, zooms, motion files."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import av
import numpy as np
import pytest
from shots_rig import SIZE, frame_of, texture, view

from desktop.base.errors import SourceDamagedError, SourceNotFoundError, SourceUnsupportedError
from desktop.media.frame import Frame, Warp
from desktop.media.small_luma import small_luma
from desktop.media.sources._av_frames import FORMATS, planes_of
from desktop.media.stabilization.frames import MotionReader, ReadMotion, stabilized
from desktop.media.stabilization.live import AHEAD, LiveStabilizer
from desktop.media.stabilization.motion_file import digest_of_video, read_motion, write_motion
from desktop.media.stabilization.path import MovedFrame, stabilization
from desktop.media.stabilization.tracks import Motion

RATE = 25
ASPECT = SIZE[1] / SIZE[0]
STILL = texture(3)
Place = tuple[float, float, float]


def _read(places: list[Place], *, seed: int | None = None) -> ReadMotion:
    """Return what is read of a camera at places (x, y, degrees); with noise from a `seed`."""
    rng, reader = np.random.default_rng(seed), MotionReader()
    for number, place in enumerate(places):
        image = view(STILL, *place).astype(float)
        if seed is not None:
            image += rng.normal(0, 4, image.shape)
        reader.add(frame_of(np.clip(image, 0, 255).astype(np.uint8), number / RATE))
    return reader.end()


def test_the_motion_that_is_read_is_the_cameras():
    rng = np.random.default_rng(1)
    places = [tuple(rng.normal(0, (6, 6, 1))) for _ in range(12)]
    found = _read(places, seed=2).frames
    assert found[0].motion is None
    for before, after, frame in zip(places[:-1], places[1:], found[1:], strict=True):
        # What the camera passes moves the other way.
        a = math.radians(after[2])
        x, y = before[0] - after[0], before[1] - after[1]
        x, y = x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)
        motion = frame.motion
        assert motion is not None
        assert abs(motion.x * SIZE[0] - x) < 0.3 and abs(motion.y * SIZE[0] - y) < 0.3
        assert abs(math.degrees(motion.angle) - (after[2] - before[2])) < 0.1 and abs(motion.scale) < 2e-3


def test_an_object_that_moves_on_its_own_is_left_out():
    reader = MotionReader()
    for number in range(6):
        image = view(STILL, 2.0 * number, 0.0).copy()
        left = 40 + 9 * number
        image[40:130, left : left + 90] = texture(8, (90, 90))
        reader.add(frame_of(image, number / RATE))
    for frame in reader.end().frames[1:]:
        assert frame.motion is not None and abs(frame.motion.x * SIZE[0] + 2.0) < 0.3


def test_motion_of_plain_frames_is_unknown_and_cuts_begin_shots():
    reader = MotionReader()
    images = [np.full((180, 320, 3), 90, np.uint8)] * 3 + [view(STILL, 0, 0)] * 12 + [texture(5, SIZE)] * 12
    for number, image in enumerate(images):
        reader.add(frame_of(image, number / RATE))
    frames = reader.end().frames
    assert [n for n, frame in enumerate(frames) if frame.is_cut] == [3, 15]
    assert [frame.motion for frame in frames[:4]] == [None] * 4
    assert frames[4].motion is not None


@pytest.mark.parametrize("size", [(1, 1), (2, 300), (16, 11), (23, 17)])
def test_frames_of_any_size_and_changes_of_it_are_read(size):
    reader, live = MotionReader(), LiveStabilizer(2)
    shown = []
    for number in range(9):
        width, height = size if number < 6 else (48, 27)
        frame = frame_of(
            np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8), number / RATE
        )
        reader.add(frame)
        shown += live.add(frame)
    found = reader.end()
    assert len(found.frames) == 9 and len([*shown, *live.end()]) == 9
    assert found.frames[6].motion is None
    assert stabilization(found.frames, found.aspect, 1.0).zoom < 1.1


@pytest.mark.parametrize(
    "name", ["yuv420p", "yuv422p10le", "p010le", "yuyv422", "gbrp12le", "gray16le", "rgba"]
)
def test_luma_of_any_format_is_that_of_the_displayed_frame(name):
    image = texture(1, (64, 36))
    picture = av.VideoFrame.from_ndarray(image, format="rgb24").reformat(format=name)
    form = FORMATS[name]
    frame = Frame(planes_of(picture, form), form, 64, 36)
    expected = image.astype(float).reshape(18, 2, 32, 2, 3).mean((1, 3)) @ (0.299, 0.587, 0.114)
    # Limited range is not widened, which is the same for all frames of a video.
    assert np.corrcoef(small_luma(frame, 32).ravel(), expected.ravel())[0, 1] > 0.99
    turned = small_luma(replace(frame, rotation=90, mirrored=True), 32)
    assert turned.shape == (32, 18)
    assert np.corrcoef(turned.ravel(), np.rot90(expected[:, ::-1], -1).ravel())[0, 1] > 0.99


def test_a_still_camera_and_an_even_pan_need_no_warp():
    still = _read([(0.0, 0.0, 0.0)] * 30, seed=1)
    assert set(stabilization(still.frames, ASPECT, 1.0).warps) == {None}
    panned = [MovedFrame(n / RATE, Motion(0.005, 0.001)) for n in range(100)]
    found = stabilization(panned, ASPECT, 1.0)
    assert set(found.warps) == {None} and found.zoom == 1.0


def _shaken(count: int, size: float) -> list[MovedFrame]:
    rng = np.random.default_rng(4)
    path = rng.normal(0, size, (count, 3)) + np.linspace(0, 0.4, count)[:, None] * (1, 0, 0)
    steps = np.diff(path, axis=0, prepend=path[:1])
    return [MovedFrame(n / RATE, Motion(*step)) for n, step in enumerate(steps.tolist())]


def _corners(warp: Warp) -> np.ndarray:
    corners = np.array([(x, y, 1.0) for x in (-0.5, 0.5) for y in (-ASPECT / 2, ASPECT / 2)])
    return np.abs(corners @ np.array((warp.row_x, warp.row_y)).T)


def test_crop_reads_nothing_beyond_the_edges_and_mirror_does_not_enlarge():
    frames = _shaken(80, 0.01)
    cropped = stabilization(frames, ASPECT, 1.0)
    assert 1.0 < cropped.zoom < 1.3 and cropped.mirrored == 0
    edges = np.array((0.5, ASPECT / 2))
    reads = np.array([_corners(warp) / edges for warp in cropped.warps if warp is not None])
    assert 0.999 < reads.max() <= 1.0 + 1e-6
    mirrored = stabilization(frames, ASPECT, 1.0, "mirror")
    assert mirrored.zoom == 1.0 and mirrored.warps[7] is not None
    assert math.hypot(*(mirrored.warps[7].row_x[:2])) == pytest.approx(1.0)


def test_a_shot_that_would_be_enlarged_too_much_is_mirrored_at_its_edges():
    found = stabilization(_shaken(40, 0.1), ASPECT, 1.0)
    assert (found.zoom, found.mirrored) == (1.4, 1)


def test_shots_are_stabilized_by_themselves():
    shot = _shaken(40, 0.01)
    both = [*shot, *(MovedFrame(2.0 + frame.pts, frame.motion, n == 0) for n, frame in enumerate(shot))]
    single, joined = stabilization(shot, ASPECT, 1.0), stabilization(both, ASPECT, 1.0)
    assert joined.warps[:40] == single.warps
    for first, second in zip(single.warps, joined.warps[40:], strict=True):
        assert first is not None and second is not None
        np.testing.assert_allclose((first.row_x, first.row_y), (second.row_x, second.row_y), atol=1e-9)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_short_videos_are_left_alone(count):
    assert stabilization(_shaken(4, 0.01)[:count], ASPECT, 10.0).zoom < 1.1


def test_a_motion_file_is_read_as_it_was_written(tmp_path):
    found = ReadMotion((*_shaken(5, 0.01), MovedFrame(0.3, None, is_cut=True)), ASPECT)
    write_motion(tmp_path / "motion.json", found, "a video")
    read = read_motion(tmp_path / "motion.json", "a video")
    assert read.aspect == pytest.approx(ASPECT) and read.frames[5] == found.frames[5]
    assert [frame.pts for frame in read.frames] == [frame.pts for frame in found.frames]
    first, second = found.frames[1].motion, read.frames[1].motion
    assert first is not None and second is not None and abs(first.x - second.x) < 1e-6
    with pytest.raises(SourceUnsupportedError, match="another video"):
        read_motion(tmp_path / "motion.json", "another one")


def test_a_video_is_known_by_its_size_its_ends_and_the_images_of_its_folder(tmp_path):
    clip = tmp_path / "clip.mkv"
    seen = set()
    for data in (
        b"a" * (3 << 20),
        b"a" * (3 << 20) + b"a",
        b"b" + b"a" * (3 << 20),
        b"a" * (3 << 20) + b"b",
        b"",
    ):
        clip.write_bytes(data)
        seen.add(digest_of_video(str(clip)))
    assert len(seen) == 5
    assert digest_of_video(str(clip.rename(tmp_path / "moved.mkv"))) in seen
    before = digest_of_video(str(tmp_path))
    (tmp_path / "2.png").write_bytes(b"1")
    assert digest_of_video(str(tmp_path)) != before
    assert digest_of_video("sample:64x36") != digest_of_video("sample:64x37")


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[0.0, 0]],
        [[0.0, 0, 1, 2, 3]],
        [[0.0, 0, 1, 2, 3, 99]],
        [[0.0, 0, None, 1]],
        [[0.1, 0, None], [0.0, 0, None]],
        7,
        [7],
        [[True, 0, None]],
        [["0", 0, None]],
        [[math.nan, 0, None]],
    ],
)
def test_other_contents_of_a_motion_file_are_refused(tmp_path, rows):
    path = tmp_path / "motion.json"
    head = {"format": "lightloom motion", "version": 1, "video": "v", "aspect": 0.5}
    path.write_text(json.dumps({**head, "frames": rows}))
    with pytest.raises(SourceDamagedError, match="delete it"):
        read_motion(path, "v")
    path.write_text("[" * 100_000)
    with pytest.raises(SourceDamagedError):
        read_motion(path, "v")
    with pytest.raises(SourceNotFoundError):
        read_motion(tmp_path / "none.json", "v")


def test_motion_of_another_video_is_refused():
    found = stabilization(_shaken(5, 0.01), ASPECT, 1.0)
    frames = (frame_of(view(STILL, 0, 0), pts) for pts in (0.0, 0.05))
    with pytest.raises(SourceUnsupportedError, match=r"0\.050 s"):
        list(stabilized(frames, found))


def _moved_by(before: Warp, after: Warp, motion: tuple[float, float]) -> tuple[float, float]:
    """Return how far the center of the shown frame moves, for content that moved by `motion`, in widths."""
    return tuple(
        motion[n] - (after_row[2] - before_row[2])
        for n, (before_row, after_row) in enumerate(
            ((before.row_x, after.row_x), (before.row_y, after.row_y))
        )
    )


def test_a_live_source_is_steadied_some_frames_later():
    rng, stabilizer = np.random.default_rng(6), LiveStabilizer()
    places = [(x + 1.5 * n, y, 0.0) for n, (x, y) in enumerate(rng.normal(0, 4, (50, 2)))]
    shown = []
    for number, place in enumerate(places):
        frame = frame_of(view(STILL, *place), number / RATE)
        made = list(stabilizer.add(replace(frame, captured_at=number / RATE)))
        assert len(made) == (number >= AHEAD)
        shown += made
    assert stabilizer.delay == pytest.approx(AHEAD / RATE)
    shown += stabilizer.end()
    assert [frame.pts for frame in shown] == [n / RATE for n in range(50)]
    pairs = list(zip(places[:-1], places[1:], shown[:-1], shown[1:], strict=True))
    raw = np.array([(a[0] - b[0], a[1] - b[1]) for a, b, _, _ in pairs]) / SIZE[0]
    left = np.array(
        [
            _moved_by(first.warp, second.warp, tuple(motion))
            for (_, _, first, second), motion in zip(pairs, raw, strict=True)
        ]
    )
    # Without the beginning, where there are no frames before.
    assert (left[10:].std(0) < raw[10:].std(0) / 4).all()
    assert left[10:].mean(0)[0] * SIZE[0] == pytest.approx(-1.5, abs=0.3)


def test_a_live_frame_never_shows_its_edges_and_cuts_start_anew():
    rng, stabilizer = np.random.default_rng(6), LiveStabilizer()
    stills = [STILL] * 20 + [texture(9)] * 20
    shown = []
    for number, still in enumerate(stills):
        shown += stabilizer.add(frame_of(view(still, *rng.normal(0, 25, 2)), number / RATE))
    shown += stabilizer.end()
    edges = np.array((0.5, ASPECT / 2))
    assert len(shown) == 40
    assert max((_corners(frame.warp) / edges).max() for frame in shown) <= 1.005
    # As if the second shot had been alone.
    assert shown[20].warp is not None and math.hypot(*shown[20].warp.row_x[:2]) == pytest.approx(
        1 / 1.1, rel=0.02
    )


def test_live_frames_of_a_format_that_cannot_be_read_are_passed_on_and_reported_once():
    errors = []
    stabilizer = LiveStabilizer(2, errors.append)
    good = frame_of(view(STILL, 0, 0), 0.0)
    unknown = replace(good, format=replace(good.format, name="none", planes=good.format.planes))
    shown = [list(stabilizer.add(frame)) for frame in (good, unknown, unknown)]
    assert [len(each) for each in shown] == [0, 2, 1] and shown[1][1] is unknown
    assert len(errors) == 1 and "convert it" in str(errors[0])
    stabilizer.add(good)
    stabilizer.add(unknown)
    assert len(errors) == 2


def test_a_warp_between_two():
    first, second = Warp((1.0, 0.0, 0.2), (0.0, 1.0, 0.0)), Warp((0.5, 0.0, 0.0), (0.0, 0.5, 0.4))
    assert first.toward(second, 0.5) == Warp((0.75, 0.0, 0.1), (0.0, 0.75, 0.2))
