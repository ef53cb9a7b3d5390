"""Clips of events: how long they are, what they show, how much is kept, and what becomes of those that cannot
be written or end early.
"""

from __future__ import annotations

import errno
import queue
import threading
from pathlib import Path

import av
import numpy as np
import pytest
from waiting import LIMIT_S, until

from desktop.base.errors import ExportError
from desktop.outputs import video_file
from desktop.outputs.events import clip_buffer as film_module
from desktop.outputs.events.action import Surroundings
from desktop.outputs.events.clip_buffer import ClipBuffer, Shot, ShotDecoder
from desktop.outputs.events.delivery import Deliveries, Trouble
from desktop.vision.tracking.events import ActionSpec, EventSpec, Occurrence

RATE = 20.0
SIZE = (96, 64)


def picture(number: int, size: tuple[int, int] = SIZE) -> np.ndarray:
    """A gradient with a bar that stands elsewhere in each; uint8 [h, w, 4]."""
    width, height = size
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    pixels = np.stack(
        (x * 200 // width, y * 200 // height, np.full_like(x, 60), np.full_like(x, 255)), axis=-1
    )
    left = number * 3 % (width - 8)
    pixels[:, left : left + 8, :3] = (240, 240, 40)
    return pixels.astype(np.uint8)


def occurrence(pts: float, zone: str = "Door") -> Occurrence:
    return Occurrence("In", zone, "crosses", pts, "person", 1, (0.5, 0.5), "forward")


class Rig:
    """Deliveries of an event's clips, and what they reported."""

    def __init__(
        self, folder: Path, *, wait: bool = True, clip_buffer: ClipBuffer | None = None, **values: float
    ) -> None:
        self.troubles: queue.Queue[Trouble] = queue.Queue()
        self.deliveries = Deliveries(
            Surroundings(print), self.troubles.put, wait=wait, clip_buffer=clip_buffer
        )
        self.action = ActionSpec("clip", {"folder": str(folder), **values})
        self.deliveries.use([EventSpec("In", "Door", "crosses", actions=(self.action,))])
        self.folder = folder

    def play(self, first: int, last: int, events: dict[int, int] | None = None, start: float = 0.0) -> None:
        """Show pictures; the event in picture n is noticed with picture events[n]."""
        for number in range(first, last):
            self.deliveries.clip_buffer.add(lambda n=number: picture(n), start + number / RATE)
            for of, noticed in (events or {}).items():
                if noticed == number:
                    self.deliveries.take([occurrence(start + of / RATE)])

    def texts(self) -> list[str]:
        return [trouble.text for trouble in list(self.troubles.queue)]

    def clips(self) -> list[Path]:
        return sorted(self.folder.glob("*.mp4"))


def frames(path: Path) -> tuple[list[float], list[np.ndarray]]:
    with av.open(str(path)) as container:
        found = [
            (float(f.pts * f.time_base), f.to_ndarray(format="rgb24")) for f in container.decode(video=0)
        ]
    return [pts for pts, _ in found], [pixels for _, pixels in found]


def buffered_shots(clip_buffer: ClipBuffer) -> list[Shot]:
    """Return all frames in the buffer, as one clip."""
    clip = clip_buffer.order("all", 0.0, 1e6, 1e6)
    clip_buffer.cut()
    return list(clip.shots())


@pytest.mark.parametrize(
    ("before", "after", "late"), [(1.0, 1.5, 0), (2.0, 0.0, 7), (0.0, 1.0, 0), (0.5, 0.5, 30)]
)
def test_a_clip_is_as_long_as_was_asked_and_has_the_events_picture(tmp_path, before, after, late):
    rig = Rig(tmp_path, before=before, after=after)
    rig.play(0, 140, {60: 60 + late})
    assert rig.deliveries.close(60.0) == 0
    (clip,) = rig.clips()
    assert clip.name.startswith("In Door 20")
    times, pictures = frames(clip)
    assert times[0] == 0.0
    assert abs(times[-1] - (before + after)) <= 1 / RATE + 1e-3
    assert len(times) == round((before + after) * RATE) + 1
    # The event's own picture, and each other one, is where it should be.
    for index in (0, round(before * RATE), len(times) - 1):
        expected = 60 - round(before * RATE) + index
        off = {
            n: np.abs(pictures[index] - picture(n)[..., :3].astype(int)).mean()
            for n in range(expected - 40, expected + 40)
        }
        assert off[expected] < 4.0 and min(off, key=off.__getitem__) == expected


def test_an_event_while_a_clip_is_written_makes_it_longer_and_one_after_it_begins_another(tmp_path):
    rig = Rig(tmp_path, before=0.5, after=1.0)
    rig.play(0, 60, {20: 20, 30: 30})
    until(lambda: rig.deliveries.is_idle())
    rig.play(60, 200, {120: 120})
    assert rig.deliveries.close(60.0) == 0
    lengths = [frames(clip)[0][-1] for clip in rig.clips()]
    assert lengths == pytest.approx([2.0, 1.5], abs=1 / RATE + 1e-3)


def test_no_clip_is_longer_than_the_bound(tmp_path):
    rig = Rig(tmp_path, clip_buffer=ClipBuffer(wait=True, longest_s=3.0), before=0.5, after=1.0)
    rig.play(0, 260, {n: n for n in range(20, 200, 10)})
    assert rig.deliveries.close(60.0) == 0
    lengths = [frames(clip)[0][-1] for clip in rig.clips()]
    assert len(lengths) >= 3 and max(lengths) <= 3.0 + 1 / RATE + 1e-3


def test_a_clip_that_waits_for_the_one_before_holds_no_frame_up(tmp_path):
    # Before the first clip ends, the second one is ordered and needs frames of five seconds ago.
    rig = Rig(tmp_path, clip_buffer=ClipBuffer(wait=True, longest_s=8.0), before=5.0, after=2.0)
    events = {n: n for n in range(100, 200, 10)}
    player = threading.Thread(target=rig.play, args=(0, 300, events), daemon=True)
    player.start()
    player.join(LIMIT_S)
    assert not player.is_alive()
    assert rig.deliveries.close(60.0) == 0
    clips = [frames(clip)[0] for clip in rig.clips()]
    assert len(clips) >= 3
    for times in clips:
        assert times[-1] >= 7.0 and len(times) == round(times[-1] * RATE) + 1


def test_what_ends_early_is_closed_and_plays(tmp_path):
    rig = Rig(tmp_path, before=1.0, after=20.0)
    rig.play(0, 60, {40: 40})
    assert rig.deliveries.close(60.0) == 0
    (clip,) = rig.clips()
    assert frames(clip)[0][-1] == pytest.approx(59 / RATE - 1.0, abs=1e-3)
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize("how", ["back", "cut", "size"])
def test_a_cut_ends_a_clip_and_nothing_before_it_is_in_the_next(tmp_path, how):
    rig = Rig(tmp_path, before=2.0, after=2.0)
    rig.play(0, 50, {40: 40})
    if how == "size":
        rig.deliveries.clip_buffer.add(lambda: picture(0, (64, 64)), 50 / RATE)
        rig.play(51, 100, {60: 60})
    elif how == "cut":
        # What waits to be kept is of before the cut; one of them cannot be fetched.
        waits = threading.Event()

        def lost() -> np.ndarray:
            waits.wait(LIMIT_S)
            raise ExportError("lost")

        until(lambda: not rig.deliveries.clip_buffer.waiting)
        rig.deliveries.clip_buffer.add(lost, 50 / RATE)
        rig.deliveries.clip_buffer.add(lambda: picture(50), 50.5 / RATE)
        rig.deliveries.clip_buffer.cut()
        waits.set()
        rig.play(51, 100, {60: 60})
    else:
        rig.play(0, 100, {9: 9})
    assert rig.deliveries.close(60.0) == 0
    first, second = (frames(clip)[0] for clip in rig.clips())
    assert first[-1] == pytest.approx((50.5 if how == "cut" else 49) / RATE, abs=1e-3)
    assert second[-1] == pytest.approx({"back": 49, "cut": 49, "size": 48}[how] / RATE, abs=0.06)


def test_what_is_kept_is_bounded():
    clip_buffer = ClipBuffer(wait=True, most_bytes=40_000)
    clip_buffer.use(5.0)
    for number in range(100):
        clip_buffer.add(lambda n=number: picture(n), number / RATE)
        assert clip_buffer.buffered_bytes <= 40_000
    assert 20_000 < clip_buffer.buffered_bytes <= 40_000
    clip_buffer.end()
    clip_buffer = ClipBuffer(wait=True, most_bytes=1 << 30)
    clip_buffer.use(1.0)
    for number in range(400):
        clip_buffer.add(lambda n=number: picture(n), number / RATE)
    until(lambda: not clip_buffer.waiting)
    # Its second and the three of slack.
    assert RATE <= len(buffered_shots(clip_buffer)) <= 4 * RATE + 1
    clip_buffer.use(None)
    assert clip_buffer.buffered_bytes == 0 and not clip_buffer.wants
    clip_buffer.end()


def test_live_no_picture_waits_for_the_film():
    clip_buffer = ClipBuffer()
    assert not clip_buffer.wants, "nobody asked for clips"
    clip_buffer.use(2.0)
    stalled = threading.Event()

    def stalls() -> np.ndarray:
        stalled.wait(LIMIT_S)
        return picture(0)

    count = 0
    while clip_buffer.wants:
        clip_buffer.add(stalls, count / RATE)
        count += 1
    assert count == 3, "what finds three waiting is left out"
    stalled.set()
    until(lambda: clip_buffer.wants)
    clip_buffer.end()


def test_large_pictures_are_made_smaller_and_odd_ones_even():
    clip_buffer = ClipBuffer(wait=True)
    clip_buffer.use(2.0)
    clip_buffer.add(lambda: picture(0, (3840, 2160)), 0.0)
    until(lambda: not clip_buffer.waiting)
    (shot,) = buffered_shots(clip_buffer)
    assert shot.size == (1920, 1080)
    assert ShotDecoder().decode(shot).shape == (1080, 1920, 4)
    clip_buffer = ClipBuffer(wait=True)
    clip_buffer.use(2.0)
    clip_buffer.add(lambda: picture(3, (95, 63)), 0.0)
    until(lambda: not clip_buffer.waiting)
    (shot,) = buffered_shots(clip_buffer)
    assert shot.size == (96, 64)


def test_a_folder_that_cannot_be_written_to_is_one_trouble(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    rig = Rig(blocked / "clips", before=0.5, after=0.5)
    rig.play(0, 60, {20: 20})
    assert rig.deliveries.close(60.0) == 1
    assert len({trouble.about for trouble in rig.troubles.queue}) == 1
    assert "cannot be written" in rig.texts()[-1] and "1 event was not delivered" in rig.texts()[-1]


def test_a_full_disk_is_one_trouble_and_the_next_clip_is_tried(tmp_path, monkeypatch):
    full = threading.Event()
    full.set()
    write = video_file.VideoFile.write

    def on_a_full_disk(self, data):
        if full.is_set():
            self.failure = OSError(errno.ENOSPC, "No space left on device")
            raise self.failure
        return write(self, data)

    monkeypatch.setattr(video_file.VideoFile, "write", on_a_full_disk)
    rig = Rig(tmp_path, before=0.5, after=0.5)
    rig.play(0, 60, {20: 20, 25: 25})
    until(lambda: rig.deliveries.is_idle())
    assert rig.deliveries.undelivered == 2, "both events are of the clip that is missing"
    assert "No space left" in rig.texts()[-1] and "make room" in rig.texts()[-1]
    assert "can be written to" not in rig.texts()[-1]
    full.clear()
    rig.play(60, 120, {80: 80})
    assert rig.deliveries.close(60.0) == 2
    (clip,) = rig.clips()
    assert len(frames(clip)[0]) == 21


def test_without_pictures_there_is_no_clip(tmp_path):
    rig = Rig(tmp_path)
    rig.deliveries.take([occurrence(1.0)])
    assert rig.deliveries.close(10.0) == 1
    assert "there was no frame" in rig.texts()[-1] and not rig.clips()


def test_a_picture_that_is_lost_with_its_device_is_left_out(tmp_path):
    rig = Rig(tmp_path, before=0.5, after=0.5)
    rig.play(0, 25, {20: 20})

    def lost() -> np.ndarray:
        raise film_module.LightloomError("gone")

    rig.deliveries.clip_buffer.add(lost, 25 / RATE)
    rig.play(26, 60)
    assert rig.deliveries.close(60.0) == 0
    assert len(frames(rig.clips()[0])[0]) == 20


def test_a_fault_in_one_frame_ends_no_clips(tmp_path):
    """The thread that keeps the frames ended, and a command waited for it for ever."""

    def fault():
        raise RuntimeError("a fault")

    rig = Rig(tmp_path, before=0.5, after=0.5)
    rig.play(0, 10)
    rig.deliveries.clip_buffer.add(fault, 10 / RATE)
    player = threading.Thread(target=rig.play, args=(11, 80, {40: 40}), daemon=True)
    player.start()
    player.join(LIMIT_S)
    assert not player.is_alive()
    assert rig.deliveries.close(60.0) == 0 and len(rig.clips()) == 1


def test_events_of_a_clip_that_a_fault_has_ended_are_not_delivered(tmp_path, monkeypatch):
    def fault(self, shot):
        raise ValueError("a fault")

    monkeypatch.setattr(ShotDecoder, "decode", fault)
    rig = Rig(tmp_path, before=0.5, after=0.5)
    rig.play(0, 60, {20: 20, 25: 25})
    assert rig.deliveries.close(60.0) == 2
    assert not list(tmp_path.iterdir())
