"""Subtitles made by hand: text in all formats, pictures of Blu-ray and DVD, and videos that carry them."""

from __future__ import annotations

import io
import itertools
import struct
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

# When each begins and ends, and what it says.
LINES = ((0.5, 1.5, "First"), (1.2, 2.0, "Second, over the first's end"), (3.0, 3.6, "Third"))


def stamp(seconds: float, dot: str = ",") -> str:
    """hh:mm:ss,mmm."""
    whole, rest = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{dot}{rest:03}"


def srt(lines: Sequence[tuple[float, float, str]] = LINES) -> str:
    """SubRip."""
    return "".join(
        f"{n}\n{stamp(begin)} --> {stamp(end)}\n{text}\n\n" for n, (begin, end, text) in enumerate(lines, 1)
    )


def vtt(lines: Sequence[tuple[float, float, str]] = LINES) -> str:
    """WebVTT."""
    cues = (f"{stamp(begin, '.')} --> {stamp(end, '.')}\n{text}\n\n" for begin, end, text in lines)
    return "WEBVTT\n\n" + "".join(cues)


def ass(lines: Sequence[tuple[float, float, str]] = LINES) -> str:
    """Advanced SubStation Alpha, with a style in italics and one at the top."""
    style = "{},Sans,20,&HFFFFFF,&HFF,&H0,&H0,0,{},0,0,100,100,0,0,1,2,0,{},10,10,10,1"
    head = (
        "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, "
        "OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, "
        "Shadow, Alignment, MarginL, MarginR, MarginV, Encoding\n"
        f"Style: {style.format('Default', 0, 2)}\nStyle: {style.format('Thought', -1, 2)}\nStyle: {style.format('Sign', 0, 8)}\n"
        "\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    )
    events = []
    for begin, end, text in lines:
        style_name, _, words = text.rpartition("|")
        times = ",".join(stamp(at, ".")[1:-1] for at in (begin, end))
        events.append(f"Dialogue: 0,{times},{style_name or 'Default'},,0,0,0,,{words}\n")
    return head + "".join(events)


def write_video(
    path: Path,
    tracks: Sequence[tuple[str, bytes]] = (),
    *,
    seconds: float = 4.0,
    size: tuple[int, int] = (64, 48),
    begin: float = 0.0,
    forced: Sequence[int] = (),
) -> Path:
    """Write a dark video of 10 pictures a second with tracks of subtitles, given as files' formats and
    contents.
    """
    sources = [av.open(io.BytesIO(content), format=kind) for kind, content in tracks]
    with av.open(str(path), "w") as made:
        video = made.add_stream("mpeg4", rate=10)
        video.width, video.height = size
        packets = []
        for n, source in enumerate(sources):
            target = made.add_stream_from_template(source.streams.subtitles[0])
            target.metadata["language"] = ("eng", "deu", "fra")[n % 3]
            if n in forced:
                target.disposition = av.stream.Disposition.forced
            packets += list(_packets(source, target, begin))
        for n in range(round(seconds * 10)):
            frame = av.VideoFrame.from_ndarray(np.full((size[1], size[0], 3), 30, np.uint8), format="rgb24")
            frame.pts, frame.time_base = n + round(begin * 10), Fraction(1, 10)
            packets += video.encode(frame)
        packets += video.encode(None)
        for packet in sorted(packets, key=lambda p: (p.dts or 0) * p.time_base):
            made.mux(packet)
    return path


def _packets(source: object, target: object, begin: float) -> Iterator[av.Packet]:
    for packet in source.demux():
        if packet.size and packet.duration >= 0:
            packet.stream = target
            shift = round(begin / packet.time_base)
            packet.pts += shift
            packet.dts = packet.pts
            yield packet


# -- pictures ------------------------------------------------------------------------------------------------


def _segment(kind: int, body: bytes) -> bytes:
    return struct.pack(">BH", kind, len(body)) + body


def pgs_set(
    indices: np.ndarray | None,
    palette: Sequence[tuple[int, int, int, int, int]] = (),
    *,
    at: tuple[int, int] = (0, 0),
    video: tuple[int, int] = (64, 48),
    number: int = 0,
) -> bytes:
    """A display set of Blu-ray: an object, or none to clear; the palette is of (index, Y, Cr, Cb, alpha)."""
    count = int(indices is not None)
    state = 0x80 if indices is not None else 0
    composition = struct.pack(">HHBHBBBB", *video, 0x10, number, state, 0, 0, count)
    found = b""
    if indices is not None:
        composition += struct.pack(">HBBHH", 7, 0, 0, *at)
        height, width = indices.shape
        data = struct.pack(">HH", width, height) + _rle(indices)
        found = _segment(0x14, bytes([0, 0]) + b"".join(bytes(entry) for entry in palette))
        found += _segment(0x15, struct.pack(">HBB", 7, 0, 0xC0) + len(data).to_bytes(3, "big") + data)
    return _segment(0x16, composition) + found + _segment(0x80, b"")


def _rle(indices: np.ndarray) -> bytes:
    out = bytearray()
    for row in indices:
        edges = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), len(row)]
        for start, end in itertools.pairwise(edges):
            color, count = int(row[start]), end - start
            if count < 3 and color:
                out += bytes([color] * count)
            else:
                flags = (0x80 if color else 0) | (0x40 if count > 63 else 0)
                length = [flags | count >> 8, count & 255] if count > 63 else [flags | count]
                out += bytes([0, *length, *([color] if color else [])])
        out += b"\0\0"
    return bytes(out)


def sup(sets: Sequence[tuple[float, bytes]]) -> bytes:
    """A .sup file of display sets with their times."""
    out = b""
    for seconds, data in sets:
        place = 0
        while place < len(data):
            length = 3 + struct.unpack_from(">H", data, place + 1)[0]
            out += b"PG" + struct.pack(">II", round(seconds * 90_000), 0) + data[place : place + length]
            place += length
    return out


def subpicture(
    indices: np.ndarray, at: tuple[int, int], colors: Sequence[int], alpha: Sequence[int], ticks: int
) -> bytes:
    """A subpicture unit of a DVD, of indices 0..3, shown for a number of ticks of 1024/90000 s."""
    fields = [_dvd_rle(indices[0::2]), _dvd_rle(indices[1::2])]
    height, width = indices.shape
    first = 4 + len(fields[0]) + len(fields[1])
    offsets = struct.pack(">HH", 4, 4 + len(fields[0]))
    (x, y), (right, bottom) = at, (at[0] + width - 1, at[1] + height - 1)
    area = (x << 12 | right).to_bytes(3, "big") + (y << 12 | bottom).to_bytes(3, "big")
    pairs = [bytes([v[3] << 4 | v[2], v[1] << 4 | v[0]]) for v in (colors, alpha)]
    commands = b"\x03" + pairs[0] + b"\x04" + pairs[1] + b"\x05" + area + b"\x06" + offsets + b"\x01\xff"
    second = first + 4 + len(commands)
    control = struct.pack(">HH", 0, second) + commands + struct.pack(">HH", ticks, second) + b"\x02\xff"
    whole = fields[0] + fields[1] + control
    return struct.pack(">HH", 4 + len(whole), first) + whole


def _dvd_rle(rows: np.ndarray) -> bytes:
    out = bytearray()
    for row in rows:
        nibbles: list[int] = []
        edges = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), len(row)]
        for start, end in itertools.pairwise(edges):
            color, count = int(row[start]), end - start
            while count:
                part = min(count, 255)
                code = part << 2 | color
                digits = 1 if part < 4 else 2 if part < 16 else 3 if part < 64 else 4
                nibbles += [code >> 4 * n & 15 for n in reversed(range(digits))]
                count -= part
        nibbles += [0] * (len(nibbles) % 2)
        out += bytes(a << 4 | b for a, b in zip(nibbles[::2], nibbles[1::2], strict=True))
    return bytes(out)


def write_dvd_video(
    path: Path, units: Sequence[tuple[float, bytes]], size: tuple[int, int] = (64, 48)
) -> Path:
    """Write a Matroska video of 4 s with a track of subpictures, whose palette is that of FFmpeg's encoder."""
    with av.open(str(path), "w") as made:
        video = made.add_stream("mpeg4", rate=10)
        video.width, video.height = size
        track = made.add_stream("dvdsub")
        track.codec_context.time_base = track.time_base = Fraction(1, 1000)
        packets = []
        for n in range(40):
            frame = av.VideoFrame.from_ndarray(np.full((size[1], size[0], 3), 30, np.uint8), format="rgb24")
            frame.pts, frame.time_base = n, Fraction(1, 10)
            packets += video.encode(frame)
        packets += video.encode(None)
        for seconds, unit in units:
            packet = av.Packet(unit)
            packet.pts = packet.dts = round(seconds * 1000)
            packet.time_base, packet.stream = Fraction(1, 1000), track
            packets.append(packet)
        for packet in sorted(packets, key=lambda p: (p.dts or 0) * p.time_base):
            made.mux(packet)
    return path
