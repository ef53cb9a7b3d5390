"""Subtitles: of tracks and files, text and pictures, found at the times that were written; strangers' files."""

from __future__ import annotations

import contextlib
import io
import threading
from fractions import Fraction

import av
import numpy as np
import pytest
from subtitle_rig import (
    LINES,
    ass,
    pgs_set,
    srt,
    stamp,
    subpicture,
    sup,
    vtt,
    write_dvd_video,
    write_video,
)
from waiting import until

from desktop.base.errors import SourceDamagedError, SourceNotFoundError, SourceUnsupportedError
from desktop.media.sources.file_kinds import classify_drop
from desktop.media.sources.video import VideoSource
from desktop.media.subtitles.ass_text import Style, read_event, styles_of
from desktop.media.subtitles.cues import Cue, CueList, Run
from desktop.media.subtitles.pgs import PgsDecoder
from desktop.media.subtitles.reader import SubtitleReader
from desktop.media.subtitles.tracks import (
    as_utf8,
    forced_track,
    read_text_file,
    sidecar_tracks,
    subtitle_tracks_of,
    usual_track,
)
from desktop.media.subtitles.vobsub import Head, read_subpicture


def reader_of(path, index=0, origin=0.0):
    return SubtitleReader(av.open(str(path)), index, origin, path.name)


def texts(reader, seconds):
    return [cue.text for cue in reader.at(seconds)]


def expected(seconds, lines=LINES):
    return [text for begin, end, text in lines if begin <= seconds < end]


# -- text ----------------------------------------------------------------------------------------------------

TEXTS = {"srt": srt, "webvtt": vtt, "ass": ass}
TIMES = (0.0, 0.49, 0.5, 1.19, 1.2, 1.49, 1.5, 2.0, 2.5, 3.0, 3.59, 3.6, 3.9)


@pytest.mark.parametrize("begin", [0.0, 2.0])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_track_says_what_was_written_when_it_was_written(tmp_path, kind, begin):
    # Matroska has times of 1 ms, ASS of 10 ms; those here are both.
    path = write_video(tmp_path / "a.mkv", [(kind, TEXTS[kind]().encode())], begin=begin)
    reader = reader_of(path, origin=begin)
    for seconds in (*TIMES, *reversed(TIMES)):
        assert texts(reader, seconds + 1e-6) == expected(seconds), seconds
    reader.close()


def test_mpeg4_text(tmp_path):
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as made:
        video = made.add_stream("mpeg4", rate=10)
        video.width, video.height = 64, 48
        track = made.add_stream("mov_text")
        track.codec_context.subtitle_header = ass().encode()
        track.codec_context.time_base = track.time_base = Fraction(1, 1000)
        words = [
            ("Grüße", 500, "utf-8"),
            ("Grüße aus 1252", 1500, "cp1252"),
            ("", 2500, "utf-8"),
        ]
        for text, at, encoding in words:
            data = text.encode(encoding)
            packet = av.Packet(len(data).to_bytes(2, "big") + data)
            packet.pts = packet.dts = at
            packet.duration, packet.time_base, packet.stream = 1000, Fraction(1, 1000), track
            made.mux(packet)
        for n in range(40):
            frame = av.VideoFrame.from_ndarray(np.zeros((48, 64, 3), np.uint8), format="rgb24")
            frame.pts, frame.time_base = n, Fraction(1, 10)
            made.mux(video.encode(frame))
        made.mux(video.encode(None))
    reader = reader_of(path)
    assert texts(reader, 1.0) == ["Grüße"]
    assert texts(reader, 2.0) == ["Grüße aus 1252"] and reader.is_guessed
    assert texts(reader, 3.0) == []
    reader.close()


def test_times_are_those_of_the_packets(tmp_path):
    """Against a plain reading of the packets."""
    lines = [(n * 0.37 + 0.013, n * 0.37 + 0.3, f"line {n}") for n in range(10)]
    path = write_video(tmp_path / "a.mkv", [("srt", srt(lines).encode())])
    with av.open(str(path)) as container:
        stream = container.streams.subtitles[0]
        packets = [(p.pts, p.duration, bytes(p).decode()) for p in container.demux(stream) if p.size]
        base = stream.time_base
    reader = reader_of(path)
    for pts, duration, text in packets:
        (cue,) = reader.at(float((pts + duration / 2) * base))
        assert (cue.start, cue.end, cue.text) == (
            pytest.approx(float(pts * base), abs=1e-9),
            pytest.approx(float((pts + duration) * base), abs=1e-9),
            text,
        )
    reader.close()


def test_a_jump_far_on_and_back_in_a_long_file(tmp_path):
    lines = [(n * 10.0 + 1, n * 10.0 + 4, f"line {n}") for n in range(30)]
    path = write_video(tmp_path / "a.mkv", [("srt", srt(lines).encode())], seconds=300, size=(16, 16))
    reader = reader_of(path)
    for n in (0, 29, 3, 20, 21, 2):
        assert texts(reader, n * 10.0 + 2) == [f"line {n}"]
        assert texts(reader, n * 10.0 + 5) == []
    # Only the part that was asked for is kept.
    assert 0 < len(reader.cues) < 20
    reader.close()


def test_italics_bold_and_the_top_are_honored():
    event = read_event(rb"0,0,Default,,0,0,0,,{\i1}Hi {\b1\i0}you{\b0}{\an8}\Nthere\h!", {})
    assert event.runs == (
        Run("Hi ", italic=True),
        Run("you", bold=True),
        Run("\nthere\u00a0!"),
    )
    assert event.on_top
    styles = styles_of(ass().encode())
    assert styles["Thought"] == Style(italic=True) and styles["Sign"] == Style(on_top=True)
    assert read_event(rb"0,0,Thought,,0,0,0,,a{\i0}b{\r}c", styles).runs == (
        Run("a", italic=True),
        Run("b"),
        Run("c", italic=True),
    )


def test_drawings_and_other_tags_are_left_out():
    event = read_event(rb"0,0,D,,0,0,0,,{\pos(3,4)\fs30}A{\p1}m 0 0 l 9 9{\p0}B{\c&HFF&}C{note}", {})
    assert [run.text for run in event.runs] == ["ABC"]
    assert read_event(rb"0,0,D,,0,0,0,,{\p1}m 0 0 l 9 9", {}) is None
    assert read_event(b"nonsense", {}) is None


def test_styles_of_a_file_reach_its_cues(tmp_path):
    path = tmp_path / "a.ass"
    path.write_text(ass([(0.0, 1.0, "Thought|hm"), (0.0, 1.0, "Sign|NO ENTRY")]))
    reader = SubtitleReader.of_file(path)
    thought, sign = reader.at(0.5)
    assert thought.runs == (Run("hm", italic=True),) and not thought.on_top
    assert sign.runs == (Run("NO ENTRY"),) and sign.on_top
    reader.close()


# -- files beside a video ------------------------------------------------------------------------------------


def test_files_beside_a_video_are_tracks_of_it(tmp_path):
    path = write_video(tmp_path / "film.mkv", [("srt", srt().encode())] * 2, forced=(1,))
    for name in ("film.srt", "film.de.vtt", "film2.srt", "film.txt", "other.ass"):
        (tmp_path / name).write_text(srt())
    source = VideoSource(path)
    next(source.frames())
    assert [track.name for track in source.subtitles.tracks] == [
        "1: eng, SubRip",
        "2: deu, SubRip",
        "film.srt",
        "film.de.vtt",
    ]
    assert forced_track(source.subtitles.tracks) == 1
    assert usual_track(source.subtitles.tracks) == 0
    assert [track.name for track in sidecar_tracks(path)] == ["film.srt", "film.de.vtt"]
    assert classify_drop(tmp_path / "film.de.vtt") == "subtitles"


@pytest.mark.parametrize(
    ("encoding", "guessed"), [("utf-8", False), ("utf-8-sig", False), ("utf-16", False), ("cp1252", True)]
)
def test_encodings_are_found_out(tmp_path, encoding, guessed):
    path = tmp_path / "a.srt"
    path.write_bytes(srt([(0, 1, "Ärger – “ça va”")]).encode(encoding))
    reader = SubtitleReader.of_file(path)
    assert texts(reader, 0.5) == ["Ärger – “ça va”"]
    assert reader.is_guessed is guessed
    reader.close()
    assert as_utf8(b"\x81\xff") == ("\ufffdÿ".encode(), True)


def test_a_track_that_is_not_utf8_is_read(tmp_path):
    path = write_video(tmp_path / "a.mkv", [("srt", srt([(0.5, 1.0, "déjà vu")]).encode("cp1252"))])
    reader = reader_of(path)
    assert texts(reader, 0.7) == ["déjà vu"] and reader.is_guessed
    reader.close()


# -- pictures ------------------------------------------------------------------------------------------------

PATTERN = np.zeros((6, 20), np.uint8)
PATTERN[1:5, 2:18] = np.arange(16) % 3 + 1
WIDE = np.repeat(np.array([[0, 1, 0, 2, 3, 0]], np.uint8), (5, 300, 70, 2, 1, 22), axis=1).repeat(5, axis=0)
PALETTE = [(1, 235, 128, 128, 255), (2, 81, 240, 90, 255), (3, 145, 34, 54, 128)]


def decoded_by_ffmpeg(codec, packet):
    """Indices and place (x, y) of FFmpeg's own decoder."""
    context = av.CodecContext.create(codec, "r")
    (rect,) = context.decode2(packet)
    plane = np.frombuffer(memoryview(rect.planes[0]), np.uint8).reshape(rect.height, rect.width)
    return plane.copy(), (rect.x, rect.y)


def packet_of(data, at=0):
    packet = av.Packet(data)
    packet.pts = packet.dts = at
    packet.time_base = Fraction(1, 1000)
    return packet


@pytest.mark.parametrize("indices", [PATTERN, WIDE])
def test_pictures_of_blu_ray_are_those_of_ffmpeg(indices):
    data = pgs_set(indices, PALETTE, at=(30, 700), video=(1280, 720))
    (bitmap,) = PgsDecoder().take(data)
    plane, (x, y) = decoded_by_ffmpeg("pgssub", packet_of(data))
    np.testing.assert_array_equal(bitmap.indices, plane)
    np.testing.assert_array_equal(bitmap.indices, indices)
    assert bitmap.rect == (x / 1280, y / 720, indices.shape[1] / 1280, indices.shape[0] / 720)


def test_colors_of_blu_ray_are_those_of_the_standards():
    # Y'CbCr of white, red and green in BT.601, and of red in BT.709 (ITU-R BT.601-7, BT.709-6), within
    # rounding.
    small = PgsDecoder()
    (bitmap,) = small.take(pgs_set(PATTERN, PALETTE, video=(720, 576)))
    wanted = [[255, 255, 255, 255], [255, 0, 0, 255], [0, 255, 0, 128]]
    assert np.abs(bitmap.palette[1:4].astype(int) - wanted).max() <= 1
    (bitmap,) = PgsDecoder().take(pgs_set(PATTERN, [(1, 63, 240, 102, 255)], video=(1920, 1080)))
    assert np.abs(bitmap.palette[1].astype(int) - [255, 0, 0, 255]).max() <= 1


def test_a_picture_stands_until_the_next_set(tmp_path):
    sets = [
        (0.5, pgs_set(PATTERN, PALETTE)),
        (1.5, pgs_set(None)),
        (2.0, pgs_set(WIDE[:, :40], PALETTE)),
        (3.0, pgs_set(None)),
    ]
    path = write_video(tmp_path / "a.mkv", [("sup", sup(sets))])
    reader = reader_of(path)
    for seconds, width in ((0.4, 0), (0.6, 20), (1.4, 20), (1.6, 0), (2.5, 40), (3.1, 0), (0.6, 20)):
        found = [bitmap.indices.shape[1] for cue in reader.at(seconds) for bitmap in cue.bitmaps]
        assert found == ([width] if width else []), seconds
    reader.close()


def test_pictures_of_dvd_are_those_of_ffmpeg():
    indices = np.zeros((9, 400), np.uint8)
    indices[2:7, 3:300] = 1
    indices[3:5, 10:380:7] = 2
    indices[4, 320] = 3
    unit = subpicture(indices, (100, 40), (3, 1, 2, 0), (0, 15, 15, 8), 90)
    found = read_subpicture(unit, Head.parse(b""), (720, 576))
    np.testing.assert_array_equal(found.bitmap.indices, indices)
    # FFmpeg cuts off what is transparent all around.
    plane, (x, y) = decoded_by_ffmpeg("dvdsub", packet_of(unit))
    inner = found.bitmap.indices[y - 40 : y - 40 + plane.shape[0], x - 100 : x - 100 + plane.shape[1]]
    np.testing.assert_array_equal(inner, plane)
    assert plane.any()
    assert (found.start, found.end) == (0.0, pytest.approx(90 * 1024 / 90_000))


def test_dvd_colors_and_times_of_a_file(tmp_path):
    unit = subpicture(PATTERN, (20, 30), (0, 7, 3, 2), (0, 15, 15, 15), 88)
    path = write_dvd_video(tmp_path / "a.mkv", [(0.5, unit), (2.0, unit)])
    reader = reader_of(path)
    (cue,) = reader.at(1.0)
    (bitmap,) = cue.bitmaps
    assert bitmap.rect == (20 / 64, 30 / 48, 20 / 64, 6 / 48)
    # Of the palette in libavcodec/dvdsubenc.c: entries 7, 3 and 2 are white, red and green.
    np.testing.assert_array_equal(
        bitmap.palette[1:], [[255, 255, 255, 255], [255, 0, 0, 255], [0, 255, 0, 255]]
    )
    assert (cue.start, cue.end) == (0.5, pytest.approx(0.5 + 88 * 1024 / 90_000, abs=0.002))
    assert reader.at(1.9) == () and len(reader.at(2.5)) == 1
    reader.close()


def test_a_head_says_palette_and_size():
    head = Head.parse(b"size: 720x576\npalette: " + b", ".join(b"%06x" % (n * 0x010203) for n in range(16)))
    assert head.size == (720, 576)
    assert head.palette[2].tolist() == [2, 4, 6]


# -- strangers -----------------------------------------------------------------------------------------------


def test_what_ends_before_it_begins_stands_until_the_next_or_not_at_all(tmp_path):
    path = tmp_path / "a.srt"
    path.write_text(
        srt([(2.0, 1.0, "until the next"), (0.5, 3.0, "here"), (2.5, 2.8, "next"), (5.0, 4.0, "never")])
    )
    reader = SubtitleReader.of_file(path)
    assert texts(reader, 1.5) == ["here"] and texts(reader, 2.2) == ["here", "until the next"]
    assert texts(reader, 2.6) == ["here", "next"] and texts(reader, 5.0) == texts(reader, 4.5) == []
    reader.close()


def test_a_file_without_subtitles_is_said(tmp_path):
    for name, content in (("a.srt", b"\x00\xffnothing" * 50), ("b.ass", b""), ("c.vtt", b"WEBVTT\n\n")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(SourceDamagedError, match=name):
            SubtitleReader.of_file(tmp_path / name)
    with pytest.raises(SourceNotFoundError):
        read_text_file(tmp_path / "missing.srt")
    with (tmp_path / "huge.srt").open("wb") as file:
        file.truncate(17 << 20)
    with pytest.raises(SourceUnsupportedError, match="16 MB"):
        read_text_file(tmp_path / "huge.srt")


def test_bombs_of_text_are_cut(tmp_path):
    path = tmp_path / "a.srt"
    path.write_text(srt([(0, 1, "x" * 200_000), (2, 3, "{\\i1}" * 20_000 + "end"), (4, 5, "a\n" * 900)]))
    reader = SubtitleReader.of_file(path)
    (cue,) = reader.at(0.5)
    assert 0 < len(cue.text) <= 600
    assert len(reader.at(2.5)) <= 1
    (cue,) = reader.at(4.5)
    assert cue.text.count("\n") < 12
    reader.close()
    tags = b"0,0,D,,0,0,0,," + b"{" * 100_000 + b"\\i" * 1000 + b"}" * 10
    assert read_event(tags, {}) is None or len(read_event(tags, {}).runs[0].text) <= 600


def test_a_million_that_stand_at_once_are_asked_about_quickly():
    cues = CueList()
    for n in range(250_000):
        cues.add(Cue(n * 1e-4, 1e9, (Run(f"{n}"),)))
    assert len(cues) <= 200_000
    found = cues.at(100.0)
    assert [cue.text for cue in found] == [str(n) for n in range(249_992, 250_000)]


def test_a_text_that_stands_twice_is_shown_once():
    cues = CueList()
    for _ in range(3):
        cues.add(Cue(0.0, 1.0, (Run("shadow"),)))
    assert [cue.text for cue in cues.at(0.5)] == ["shadow"]


def test_damaged_pictures_are_refused_and_the_next_is_read(tmp_path):
    good = pgs_set(PATTERN, PALETTE)
    damaged = (
        pgs_set(np.zeros((40, 60), np.uint8), PALETTE).replace(b"\x00\x3c\x00\x28", b"\xff\xff\xff\xff"),
        pgs_set(PATTERN, PALETTE, video=(65_535, 65_535)),
        good[: len(good) // 2 - 3],
        b"\x16\x00\x02ab",
    )
    decoder = PgsDecoder()
    for data in damaged:
        with contextlib.suppress(ValueError):
            assert not decoder.take(data)
        (bitmap,) = decoder.take(good)
        np.testing.assert_array_equal(bitmap.indices, PATTERN)
    unit = subpicture(PATTERN, (0, 0), (0, 1, 2, 3), (0, 15, 15, 15), 90)
    rng = np.random.default_rng(5)
    for _ in range(300):
        broken = bytearray(unit)
        for place in rng.integers(0, len(unit), 3):
            broken[place] = rng.integers(0, 256)
        try:
            found = read_subpicture(
                bytes(broken[: rng.integers(4, len(unit) + 1)]), Head.parse(b""), (64, 48)
            )
        except ValueError:
            continue
        assert found is None or found.bitmap.indices.size <= 4096 * 4096


def test_a_damaged_packet_does_not_end_the_track(tmp_path):
    sets = [(0.5, b"\x16\x00\x0bxxxxxxxxxxx\x80\0\0"), (1.5, pgs_set(PATTERN, PALETTE)), (3.0, pgs_set(None))]
    path = write_video(tmp_path / "a.mkv", [("sup", sup(sets))])
    reader = reader_of(path)
    assert reader.at(0.7) == () and len(reader.at(2.0)) == 1
    reader.close()


# -- beside a video that plays -------------------------------------------------------------------------------


def test_a_playing_video_tells_what_stands_and_follows_jumps(tmp_path):
    path = write_video(
        tmp_path / "a.mkv", [("srt", srt().encode()), ("ass", ass([(0.0, 4.0, "other")]).encode())]
    )
    source = VideoSource(path)
    changes = threading.Event()
    try:
        source.start()
        until(lambda: source.state == "playing")
        subtitles = source.subtitles
        subtitles.on_change = changes.set
        assert subtitles.at(0.7) == ()
        subtitles.use_track(0)
        for seconds in (0.7, 3.2, 1.3):
            until(lambda at=seconds: [cue.text for cue in subtitles.at(at)] == expected(at))
        assert changes.is_set()
        subtitles.use_track(1)
        until(lambda: [cue.text for cue in subtitles.at(0.7)] == ["other"])
        subtitles.use_track(None)
        assert subtitles.at(0.7) == ()
    finally:
        source.close()
    until(lambda: not any(thread.name == "subtitles" for thread in threading.enumerate()))


def test_a_file_that_cannot_be_read_is_told_and_the_video_plays_on(tmp_path):
    path = write_video(tmp_path / "a.mkv")
    (tmp_path / "bad.srt").write_bytes(b"\x00" * 100)
    source, told = VideoSource(path), []
    try:
        source.start()
        until(lambda: source.state == "playing")
        source.subtitles.on_failure = told.append
        source.subtitles.use_track(source.subtitles.add_file(tmp_path / "bad.srt"))
        until(lambda: told)
        assert "bad.srt" in str(told[0]) and source.subtitles.track is None
        assert source.state == "playing"
    finally:
        source.close()


def test_tracks_that_cannot_be_shown_are_named(tmp_path):
    data = io.BytesIO()
    with av.open(data, "w", format="matroska") as made:
        track = made.add_stream("dvbsub")
        track.codec_context.time_base = track.time_base = Fraction(1, 1000)
        packet = packet_of(b"\x0f\x10\x00\x01\x00\x00\xff")
        packet.stream = track
        made.mux(packet)
    data.seek(0)
    (track,) = subtitle_tracks_of(av.open(data))
    assert not track.is_readable and "dvb_subtitle" in track.name
    assert usual_track([track]) is None and stamp(1.5) == "00:00:01,500"
