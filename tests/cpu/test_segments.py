"""Recordings in segments: every frame once, audio without a gap, nothing deleted but their own old segments."""

from __future__ import annotations

import itertools
import json
import shutil
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import av
import numpy as np
import pytest
import windows_marks
from waiting import until

from desktop.base.errors import ExportError, UsageError
from desktop.media.audio.samples import RATE
from desktop.outputs.encoders import choose
from desktop.outputs.encoding import Encoding
from desktop.outputs.recording import Recorder
from desktop.outputs.segment_index import Segment, SegmentIndex
from desktop.outputs.segment_limits import Retention, SegmentLimit, parse_duration, parse_size
from desktop.outputs.segments import SegmentedRecorder
from desktop.outputs.video_file import pictures_in

FPS = 10
SIZE = (64, 48)
ENCODING = Encoding("mpeg4", crf=2)
BEGUN = datetime(2026, 11, 29, 9, 15, tzinfo=UTC)


def numbered(index):
    """A frame with its number in 8 columns of black or white."""
    out = np.zeros((SIZE[1], SIZE[0], 4), np.uint8)
    out[..., 3] = 255
    for bit in range(8):
        out[:, bit * 8 : bit * 8 + 8, :3] = 255 * (index >> bit & 1)
    return out


def number_of(picture):
    luma = picture.to_ndarray(format="gray")
    return sum(int(luma[24, bit * 8 + 4] > 128) << bit for bit in range(8))


def numbers_in(path):
    with av.open(str(path)) as container:
        packet = next(container.demux(video=0))
        assert packet.is_keyframe
    with av.open(str(path)) as container:
        return [number_of(picture) for picture in container.decode(video=0)]


def audio_of(path):
    with av.open(str(path)) as container:
        return np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])


def recorder_at(target, limit, *, sound=False, retention=None, clock=None, make=None, notes=None):
    ticks = itertools.count()

    def usual(path, begin):
        return Recorder(
            path, SIZE, FPS, ENCODING if path.suffix == ".mov" else None, wait=True, live_sound=sound
        )

    return SegmentedRecorder(
        target,
        make or usual,
        limit,
        retention=retention,
        clock=clock or (lambda: BEGUN + timedelta(seconds=next(ticks))),
        on_note=[].append if notes is None else notes.append,
    )


@pytest.mark.parametrize("suffix", [".mov", ".mkv"])
def test_each_frame_is_in_one_segment_that_begins_with_a_key_frame(tmp_path, suffix):
    recorder = recorder_at(tmp_path / f"door{suffix}", SegmentLimit(seconds=1.0))
    found = []
    recorder.on_segment = found.append
    for index in range(35):
        recorder.add(numbered(index), index / FPS)
        # A name says that a segment is complete.
        for path in tmp_path.glob(f"door-*Z{suffix}"):
            assert len(numbers_in(path)) == 10
    recorder.close()
    assert [segment.frames for segment in found] == [10, 10, 10, 5] and recorder.written == 35
    assert all(segment.path.name.startswith("door-20261129T0915") for segment in found)
    assert [n for segment in found for n in numbers_in(segment.path)] == list(range(35))
    assert not list(tmp_path.glob("*.part*"))


def test_audio_goes_on_where_the_next_segment_begins(tmp_path):
    noise = np.random.default_rng(3).uniform(-1, 1, 3 * RATE)
    given = np.repeat(np.convolve(noise, np.full(64, 1 / 16), "same")[:, None], 2, 1).astype(np.float32)
    recorder = recorder_at(tmp_path / "door.mov", SegmentLimit(seconds=1.0), sound=True)
    block = RATE // 50
    sent = 0
    for index in range(30):
        recorder.add(numbered(index), index / FPS)
        # It arrives a quarter of a second after the frames of its time.
        while sent + block <= max(0.0, index / FPS - 0.25) * RATE:
            recorder.add_sound(given[sent : sent + block], sent / RATE)
            sent += block
    while sent < len(given):
        recorder.add_sound(given[sent : sent + block], sent / RATE)
        sent += block
    recorder.close()
    assert len(recorder.segments) == 3
    for number, segment in enumerate(recorder.segments):
        heard = audio_of(segment.path)[:RATE]
        # The codec pads its last frame only.
        assert len(heard) >= RATE - 1024
        meant = given[number * RATE : number * RATE + len(heard), 0]
        for part in (slice(1024, 9000), slice(20000, 30000), slice(-9000, -2048)):
            assert np.corrcoef(heard[part], meant[part])[0, 1] > 0.8, (number, part)


def test_a_segment_that_begins_before_a_pause_has_the_time_of_its_first_frame(tmp_path):
    """That frame waits for the next one, which came two hours later: the segment was named by then."""
    now = [0.0]
    recorder = recorder_at(
        tmp_path / "door.mov",
        SegmentLimit(seconds=1.0),
        clock=lambda: BEGUN + timedelta(seconds=now[0]),
    )
    for at in (*(number / FPS for number in range(11)), 7200.0, 7200.1):
        now[0] = at
        recorder.add(numbered(0), at)
    recorder.close()
    begins = [(segment.start - BEGUN).total_seconds() for segment in recorder.segments]
    assert begins == pytest.approx([0.1, 1.0, 7200.1], abs=0.001)
    assert recorder.segments[1].path.name == "door-20261129T091501Z.mov"


def test_a_segment_ends_at_a_size(tmp_path):
    noise = np.random.default_rng(1)
    recorder = recorder_at(tmp_path / "door.mov", SegmentLimit(size=100_000))
    for index in range(500):
        recorder.add(noise.integers(0, 255, (48, 64, 4), np.uint8), index / FPS)
    recorder.close()
    sizes = [segment.size for segment in recorder.segments]
    assert len(sizes) > 1 and recorder.written == 500
    assert all(100_000 <= size < 200_000 for size in sizes[:-1])


def test_a_killed_recording_is_completed_by_the_next_one(tmp_path):
    killed, left, tight = tmp_path / "killed", tmp_path / "left", tmp_path / "tight"
    recorder = recorder_at(killed / "door.mov", SegmentLimit(seconds=2.0))
    for index in range(36):
        recorder.add(numbered(index), index / FPS)
    # The second segment: the first is complete only when the second has begun.
    until(lambda: any(".part" not in path.name for path in killed.glob("door-*.mov")))
    until(lambda: recorder.part is not None and pictures_in_copy(recorder.part, tmp_path) >= 10)
    shutil.copytree(killed, left)
    shutil.copytree(killed, tight)
    recorder.close()
    (left / "door-20261129T091500Z.part.mov.txt").write_text("not ours")
    (left / "gate-20261129T091500Z.part.mov").write_text("another recording")
    before = {path.name for path in left.iterdir()}

    after = recorder_at(left / "door.mov", SegmentLimit(seconds=2.0))
    (found,) = after.recovered
    assert 10 <= found.frames == len(numbers_in(found.path)) <= 16
    assert numbers_in(found.path)[0] == 20
    assert {path.name for path in left.iterdir()} == (before - {f"{found.path.stem}.part.mov"}) | {
        found.path.name
    }
    after.close()

    # What was completed counts: with the one before, it would be beyond the limit.
    with closing(
        recorder_at(tight / "door.mov", SegmentLimit(seconds=2.0), retention=Retention(size=1))
    ) as kept:
        assert [segment.path.name for segment in kept.recovered] == [found.path.name]
        assert [path.name for path in tight.glob("door-*Z*.mov")] == [found.path.name]


@pytest.mark.parametrize("suffix", [".mov", ".mkv"])
def test_a_segment_completed_long_after_a_crash_has_the_length_of_its_frames(tmp_path, suffix):
    hours_ago = datetime.now(UTC) - timedelta(hours=5)
    index = SegmentIndex(tmp_path / f"door{suffix}")
    path = tmp_path / f"door-20261129T091500Z{suffix}"
    index.begin(path, hours_ago)
    index.close()
    recorder = Recorder(path, SIZE, FPS, ENCODING if suffix == ".mov" else None, wait=True)
    for number in (*range(12), 30):  # with a pause of the source
        recorder.add(numbered(number), number / FPS, 1 / FPS)
    recorder.close()
    path.rename(path.with_name(f"{path.stem}.part{suffix}"))

    kept = Retention(seconds=3600.0)
    with closing(recorder_at(tmp_path / f"door{suffix}", SegmentLimit(seconds=9.0), retention=kept)) as after:
        (found,) = after.recovered
    with av.open(str(found.path)) as container:
        last = [picture.time for picture in container.decode(video=0)][-1]
    assert last == pytest.approx(30 / FPS, abs=0.01)
    assert found.seconds == pytest.approx(last + 1 / FPS, abs=0.01)
    assert found.end < hours_ago + timedelta(seconds=4)


def test_the_ending_of_a_recording_may_be_in_capitals(tmp_path):
    recorder = recorder_at(tmp_path / "DOOR.MOV", SegmentLimit(seconds=1.0))
    for index in range(20):
        recorder.add(numbered(index), index / FPS)
    recorder.close()
    assert [numbers_in(segment.path) for segment in recorder.segments] == [[*range(10)], [*range(10, 20)]]
    with closing(SegmentIndex(tmp_path / "DOOR.MOV")) as index:
        assert [segment.json() for segment in index.segments] == [each.json() for each in recorder.segments]


def pictures_in_copy(path, folder):
    copy = folder / "copy.mov"
    shutil.copy(path, copy)
    return pictures_in(copy)


def test_only_old_segments_of_this_recording_are_deleted(tmp_path):
    others = [
        "door-20200101T000000Z.mov",
        "gate-20261129T091500Z.mov",
        "door-notes.mov",
        "door.mov",
        "door-20261129T091500Z.txt",
    ]
    for name in others:
        (tmp_path / name).write_text("mine")
    days = itertools.count()
    recorder = recorder_at(
        tmp_path / "door.mov",
        SegmentLimit(seconds=1.0),
        retention=Retention(seconds=7 * 86400.0),
        clock=lambda: BEGUN + timedelta(days=next(days)),
    )
    written = []
    recorder.on_segment = lambda segment: written.append(segment.path)
    for index in range(100):
        recorder.add(numbered(index), index / FPS)
    recorder.close()
    kept = [path for path in written if path.exists()]
    assert 1 <= len(kept) < len(written) == 10 and recorder.written == 100
    assert kept == written[-len(kept) :] == [segment.path for segment in recorder.segments]
    assert all((tmp_path / name).read_text() == "mine" for name in others)


def test_the_oldest_segments_beyond_a_size_are_deleted_also_after_a_restart(tmp_path):
    recorder = recorder_at(tmp_path / "door.mov", SegmentLimit(seconds=1.0))
    for index in range(40):
        recorder.add(numbered(index), index / FPS)
    recorder.close()
    sizes = [segment.size for segment in recorder.segments]
    again = recorder_at(
        tmp_path / "door.mov", SegmentLimit(seconds=1.0), retention=Retention(size=sum(sizes[-2:]))
    )
    again.close()
    assert [segment.path.exists() for segment in recorder.segments] == [False, False, True, True]


def test_an_index_that_names_other_files_deletes_none(tmp_path):
    (tmp_path / "precious.mov").write_text("mine")
    line = {
        "file": "../precious.mov",
        "start": BEGUN.isoformat(),
        "seconds": 1.0,
        "frames": 1,
        "bytes": 10**9,
    }
    lines = [line, {**line, "file": "precious.mov"}, {"begun": "precious.mov", "start": BEGUN.isoformat()}]
    (tmp_path / "records").mkdir()
    index = tmp_path / "records" / "door.segments.jsonl"
    index.write_text("".join(json.dumps(each) + "\n" for each in lines))
    (tmp_path / "records" / "precious.mov").write_text("mine")
    recorder_at(
        tmp_path / "records" / "door.mov", SegmentLimit(seconds=1.0), retention=Retention(1.0, 100_000)
    ).close()
    assert (tmp_path / "precious.mov").exists() and (tmp_path / "records" / "precious.mov").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_one_sentence_and_complete_segments_stay(tmp_path):
    def make(path, begin):
        choice = choose(path, ENCODING, SIZE)
        return Recorder(
            path if begin < 1.5 else Path("/dev/full"), SIZE, FPS, ENCODING, choice=choice, wait=True
        )

    recorder = recorder_at(tmp_path / "door.mov", SegmentLimit(seconds=1.0), make=make)
    with pytest.raises(ExportError, match=r"No space left on device; make room, or choose another folder\.$"):
        for index in range(60):
            recorder.add(numbered(index), index / FPS)
        recorder.close()
    kept = recorder.abandon()
    assert [n for path in kept for n in numbers_in(path)] == list(range(20))


def test_a_segment_is_completed_when_the_next_one_cannot_begin_at_the_end(tmp_path):
    def make(path, begin):
        if begin:
            raise ExportError("no room")
        return Recorder(path, SIZE, FPS, ENCODING, wait=True)

    recorder = recorder_at(tmp_path / "door.mov", SegmentLimit(seconds=1.0), make=make)
    # The last frame, which waits for a following one, is the first of another segment.
    for index in range(11):
        recorder.add(numbered(index), index / FPS)
    with pytest.raises(ExportError, match="no room"):
        recorder.close()
    (segment,) = recorder.segments
    assert numbers_in(segment.path) == list(range(10)) and not list(tmp_path.glob("*.part*"))
    again = recorder_at(tmp_path / "door.mov", SegmentLimit(seconds=1.0))
    assert again.recovered == ()
    again.close()


def test_two_programs_do_not_record_to_one_name(tmp_path):
    first = recorder_at(tmp_path / "door.mov", SegmentLimit(seconds=1.0))
    with pytest.raises(ExportError, match=r"Another program records to .*; stop it, or choose another name"):
        recorder_at(tmp_path / "door.mov", SegmentLimit(seconds=1.0))
    first.close()
    recorder_at(tmp_path / "door.mov", SegmentLimit(seconds=1.0)).close()


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("10m", 600), ("1h30m", 5400), ("7d", 604800), ("1.5h", 5400)]
)
def test_lengths_of_time(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "10", "m", "-5m", "10 m", "0s", "1e3s", "99999d", "5m!", "10x"])
def test_other_texts_are_no_lengths_of_time(text):
    with pytest.raises(UsageError, match="write one such as 90s, 10m"):
        parse_duration(text)
    with pytest.raises(UsageError, match="write a time such as 10m, or a size such as 500MB"):
        SegmentLimit.parse(text)


def test_sizes():
    assert parse_size("500MB") == 500_000_000 and parse_size("1.5 gb") == 1_500_000_000
    assert SegmentLimit.parse("500MB") == SegmentLimit(size=500_000_000)
    for text in ("5B", "1KB", "MB", "9999999GB", "5 GiB"):
        with pytest.raises(UsageError, match="write one such as 500MB"):
            parse_size(text)


def test_an_index_keeps_what_another_format_wrote_and_leaves_out_impossible_lines(tmp_path):
    older = tmp_path / "door-20261129T091500Z.mp4"
    older.write_bytes(b"mp4")
    start = datetime(2026, 11, 29, 9, 15, tzinfo=UTC)
    index = SegmentIndex(tmp_path / "door.mp4")
    index.complete(Segment(older, start, 3.0, 30, 3))
    index.close()
    with (tmp_path / "door.segments.jsonl").open("a") as file:
        for seconds, when in (("NaN", "2026-11-29"), ("1e14", "2026-11-29"), ("1", "9999-12-31")):
            line = f'{{"file": "door-0001.mkv", "start": "{when}T00:00:00+00:00", "seconds": {seconds}'
            file.write(line + ', "frames": 1, "bytes": 1}\n')
    changed = SegmentIndex(tmp_path / "door.mkv")
    assert [each.path for each in changed.segments] == [older]
    assert Retention(seconds=60).expired((*changed.segments, *changed.segments), start) == ()
    changed.close()


NOVEMBER = datetime(2026, 11, 1, tzinfo=UTC)
WRONG = {"ahead": datetime(2036, 1, 1, tzinfo=UTC), "behind": datetime(1970, 1, 1, tzinfo=UTC)}


def recorded(*starts):
    """Segments of 10 minutes and 100 bytes in the order of their recording, named 0, 1, ..."""
    return [Segment(Path(str(number)), start, 600.0, 9000, 100) for number, start in enumerate(starts)]


def days(*numbers):
    return [NOVEMBER + timedelta(days=number) for number in numbers]


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_clock_that_was_wrong_for_a_while_deletes_no_new_segment(wrong):
    now = NOVEMBER + timedelta(days=3, minutes=10)
    segments = recorded(*days(0, 1), wrong, *days(2, 3))

    def expired(retention, when=now):
        return [int(segment.path.name) for segment in retention.expired(segments, when)]

    # The one of the wrong time is older than the two that were recorded after it.
    assert expired(Retention(size=200)) == [0, 1, 2]
    assert expired(Retention(size=300)) == [0, 1]
    # By age it goes with the one that was recorded before it.
    assert expired(Retention(seconds=7 * 86400.0)) == []
    assert expired(Retention(seconds=1.5 * 86400.0)) == [0, 1, 2]
    assert expired(Retention(seconds=2.5 * 86400.0)) == [0]
    assert expired(Retention(seconds=60.0), now + timedelta(days=99)) == [0, 1, 2, 3]
    assert Retention(seconds=60.0, size=1).expired([], now) == ()


def test_the_first_segments_of_a_clock_that_was_ahead_get_old():
    """A machine without a battery begins at any time, until a server tells it the right one."""
    segments = recorded(WRONG["ahead"], WRONG["ahead"] + timedelta(days=1), *days(0, 1, 2))

    def expired(number, seconds=1.5 * 86400.0):
        found = Retention(seconds=seconds).expired(segments[:number], NOVEMBER + timedelta(days=2))
        return [int(segment.path.name) for segment in found]

    assert expired(5) == [0, 1, 2]
    assert expired(5, 2.5 * 86400.0) == []
    # No segment tells yet when they were recorded.
    assert expired(2) == []


def test_a_segment_that_is_recovered_after_the_clock_was_set_keeps_those_behind_it(tmp_path):
    index = SegmentIndex(tmp_path / "door.mov")
    path = tmp_path / "door-19700101T000000Z.mov"
    index.begin(path, WRONG["behind"])
    index.close()
    recorder = Recorder(path, SIZE, FPS, ENCODING, wait=True)
    for number in range(5):
        recorder.add(numbered(number), number / FPS)
    recorder.close()
    index = SegmentIndex(tmp_path / "door.mov")
    next_one = Segment(tmp_path / "door-20261129T091500Z.mov", BEGUN, 1.0, 10, 100)
    index.complete(next_one)
    index.close()
    index = SegmentIndex(tmp_path / "door.mov")
    index.close()
    assert [segment.path for segment in index.segments] == [path, next_one.path] and not index.recovered


def test_a_segment_that_cannot_be_deleted_does_not_keep_the_others(tmp_path):
    start = datetime(2026, 11, 29, 9, 15, tzinfo=UTC)
    index = SegmentIndex(tmp_path / "door.mp4")
    made = [tmp_path / f"door-000{number}.mp4" for number in range(3)]
    made[0].mkdir()
    for path in made[1:]:
        path.write_bytes(b"x")
    segments = [index.complete(Segment(path, start, 1.0, 1, 1)) for path in made]
    with pytest.raises(ExportError, match=r"door-0000\.mp4 cannot be deleted"):
        index.delete(segments)
    assert [path.exists() for path in made] == [True, False, False]
    assert [each.path for each in index.segments] == made[:1]
    index.close()


def test_a_recording_says_at_its_beginning_what_it_cannot_delete(tmp_path):
    stuck = tmp_path / "door-0001.mp4"
    stuck.mkdir()
    index = SegmentIndex(tmp_path / "door.mp4")
    for path, hours in ((stuck, 0), (tmp_path / "door-0002.mp4", 1)):
        index.complete(Segment(path, BEGUN + timedelta(hours=hours), 1.0, 1, 1))
    index.close()
    notes = []
    limit, retention = SegmentLimit(seconds=1.0), Retention(seconds=60.0)
    later = BEGUN + timedelta(days=1)
    recorder_at(tmp_path / "door.mp4", limit, retention=retention, clock=lambda: later, notes=notes).close()
    assert [note.split(": ")[0] for note in notes] == [f"The old segment {stuck} cannot be deleted"]


def test_segments_behind_a_damaged_line_are_still_deleted_and_the_damage_is_reported(tmp_path):
    """They were forgotten, without a word: the disk of a service filled up with them."""
    index = SegmentIndex(tmp_path / "door.mp4")
    made = [tmp_path / f"door-{number:04}.mp4" for number in range(1, 6)]
    for number, path in enumerate(made):
        path.write_bytes(b"x")
        index.complete(Segment(path, BEGUN + timedelta(hours=number), 1.0, 1, 1))
    index.close()
    lines = index.path.read_bytes().splitlines(keepends=True)
    index.path.write_bytes(b"".join((lines[0], b"\0" * 60 + b"\n", *lines[2:])))
    notes = []
    limit, retention = SegmentLimit(seconds=1.0), Retention(seconds=60.0)
    later = BEGUN + timedelta(days=1)
    recorder_at(tmp_path / "door.mp4", limit, retention=retention, clock=lambda: later, notes=notes).close()
    # The newest one stays, as always; nothing tells of the second one.
    assert [path for path in made if path.exists()] == [made[1], made[4]]
    assert [note.split(";")[0] for note in notes] == [
        f"The segment index {index.path} was damaged and no longer lists all segments. Segments that are not listed "
        "are not deleted automatically"
    ]
    recorder_at(tmp_path / "door.mp4", limit, notes=notes).close()
    assert len(notes) == 1


@windows_marks.links
def test_an_index_that_is_a_link_is_not_followed(tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("mine")
    (tmp_path / "door.segments.jsonl").symlink_to(other)
    with pytest.raises(ExportError, match=r"door\.segments\.jsonl of the segments is a symbolic link"):
        SegmentIndex(tmp_path / "door.mp4")
    assert other.read_text() == "mine"
