"""Video files: opening, decoding and seeking, and their sound and metadata on the way into another file."""

from __future__ import annotations

import itertools
import random as random_module
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from desktop.base.errors import ExportError, LightloomError
from desktop.media.sources._video_reader import VideoReader
from desktop.outputs.recording import Recorder
from fuzz.harness import Finding, Harness
from fuzz.material import shared, written

_PICTURES = 6
_OUTPUTS = (".mp4", ".mkv", ".mov", ".webm")


def _read(data: bytes, folder: Path) -> None:
    path = written(folder / "clip", data)
    said: LightloomError | None = None
    try:
        _decode(path)
    except LightloomError as error:
        said = error
    # Chosen by the input, so that an input alone says what was done.
    _carry_sound(path, folder / f"out{_OUTPUTS[sum(data) % len(_OUTPUTS)]}")
    if said is not None:
        raise said


def _decode(path: Path) -> None:
    reader = VideoReader(path)
    try:
        for frame in itertools.islice(reader, _PICTURES):
            if not (frame.width and frame.height and all(plane.stride > 0 for plane in frame.planes)):
                raise Finding("a frame without a size")
        reader.seek(max(0.0, reader.facts.duration / 2))
        reader.read()
    finally:
        reader.close()


def _carry_sound(path: Path, out: Path) -> None:
    """The pictures are ours and good: whatever the sound is, they must arrive."""
    recorder = Recorder(out, (32, 32), 10.0, audio_from=path, wait=True)
    picture = np.zeros((32, 32, 4), np.uint8)
    try:
        for index in range(_PICTURES):
            recorder.add(picture, index / 10)
        recorder.close()
    except ExportError as error:
        raise Finding(f"the sound of a clip stops a video: {str(error).rpartition(': ')[2]}") from error


def _clip(path: Path, codec: str, sound: str, title: str = "a title") -> bytes:
    with av.open(str(path), "w") as container:
        container.metadata["title"] = container.metadata["artist"] = title
        video = container.add_stream(codec, rate=10)
        video.width, video.height, video.pix_fmt = 64, 48, "yuvj420p" if codec == "mjpeg" else "yuv420p"
        if codec == "mjpeg":
            video.codec_context.color_range = 2
        audio = container.add_stream(sound, rate=44100) if sound else None
        if audio is not None:
            audio.layout = "stereo"
            audio.metadata["title"] = title
        for index in range(_PICTURES):
            frame = av.VideoFrame(64, 48, video.pix_fmt)
            for plane in frame.planes:
                plane.update(bytes([index * 9 % 256]) * plane.buffer_size)
            frame.pts, frame.time_base = index, Fraction(1, 10)
            container.mux(video.encode(frame))
        if audio is not None:
            _sound(container, audio)
        container.mux(video.encode(None))
    return path.read_bytes()


def _sound(container: object, audio: object) -> None:
    tone = np.sin(np.arange(30000) / 16).astype(np.float32) / 2
    frame = av.AudioFrame.from_ndarray(np.stack([tone, tone]), format="fltp", layout="stereo")
    frame.sample_rate, frame.pts = 44100, 0
    context = audio.codec_context
    resampler = av.AudioResampler(context.format, context.layout, 44100, context.frame_size or 1024)
    for piece in (frame, None):
        for ready in resampler.resample(piece):
            container.mux(audio.encode(ready))
    container.mux(audio.encode(None))


def _photograph() -> bytes:
    """Motion JPEG whose pictures carry EXIF, as cameras write it: Matroska takes any JPEG."""
    import io

    from PIL import Image

    exif = Image.Exif()
    exif[274] = 6
    out = io.BytesIO()
    Image.new("RGB", (64, 48), (200, 100, 50)).save(out, "JPEG", exif=exif)
    return out.getvalue()


def _seeds(folder: Path) -> list[bytes]:
    made = []
    for suffix, codec, sound in (
        ("mp4", "mpeg4", "aac"),
        ("mov", "mpeg4", ""),
        ("mkv", "mpeg4", "ac3"),
        ("avi", "mpeg4", "mp3"),
        ("mkv", "mpeg4", "flac"),
        ("mkv", "mpeg4", "pcm_s16le"),
        ("flv", "flv", "mp3"),
        ("ts", "mpeg2video", "mp2"),
        ("avi", "mjpeg", ""),
        ("webm", "libvpx", "libopus"),
        ("mkv", "ffv1", "libopus"),
        ("nut", "mpeg4", "mp2"),
    ):
        try:
            made.append(_clip(folder / f"clip.{suffix}", codec, sound))
        except (av.FFmpegError, ValueError):
            continue
    jpeg = _photograph()
    for suffix in ("avi", "mkv", "mov"):
        with av.open(str(folder / f"exif.{suffix}"), "w") as container:
            stream = container.add_mux_stream("mjpeg", rate=10, width=64, height=48)
            for index in range(3):
                packet = av.Packet(jpeg)
                packet.stream, packet.pts, packet.dts, packet.time_base, packet.duration = (
                    stream,
                    index,
                    index,
                    Fraction(1, 10),
                    1,
                )
                container.mux(packet)
        made.append((folder / f"exif.{suffix}").read_bytes())
    return made + shared(
        "video/files/*", "video/corrupt/*", "video/no-video/*", "repro/*.flv", largest=1 << 17
    )


def _mutate(data: bytes, random: random_module.Random) -> bytes | None:
    """Texts of the metadata become bytes that are no UTF-8."""
    at = data.find(b"a title")
    if at < 0 or random.random() < 0.7:
        return None
    return data[:at] + bytes(random.randrange(128, 256) for _ in range(7)) + data[at + 7 :]


HARNESS = Harness(
    _read,
    _seeds,
    (
        b"ftyp",
        b"moov",
        b"mdat",
        b"stts",
        b"stsc",
        b"stsz",
        b"stco",
        b"ctts",
        b"elst",
        b"udta",
        b"meta",
        b"dref",
        b"alis",
        b"tkhd",
        b"avcC",
        b"\x1aE\xdf\xa3",
        b"\x18S\x80g",
        b"\x1fC\xb6u",
        b"\xa3",
        b"LIST",
        b"idx1",
        b"00dc",
        b"01wb",
        b"JUNK",
        b"FLV\x01",
        b"onMetaData",
        b"OggS",
        b"\0\0\x01\xb3",
        b"\0\0\0\x01\x67",
        b"G",
        b"#EXTM3U\n",
        b"ffconcat version 1.0\nfile '/etc/passwd'\n",
    ),
    _mutate,
    memory_mb=1500,
    seconds=30.0,
)
