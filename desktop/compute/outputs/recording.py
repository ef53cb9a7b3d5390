"""Videos written to disk: recordings, and batch output with the source's audio.

A video grows beside its target, as `clip.part.mp4`, and takes that name at the end, so that a full disk or a kill leaves an older file as
it was (`desktop/files.py`). What is on disk plays even if the program is killed: MP4 in fragments of a second (ISO/IEC 14496-12, movie
fragments), WebM and Matroska by clusters. Color: BT.709, limited range, tagged.
"""

from __future__ import annotations

import io
import logging
import queue
import threading
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import numpy as np

from desktop.compute.media.containers import open_container
from desktop.compute.media.sound import SoundTrack
from desktop.errors import ExportError
from desktop.files import PartFile, known_reason, reason
from desktop.wording import sentence

log = logging.getLogger(__name__)

# No B-frames: in a fragmented file they move the first time stamp off zero, and the picture would run behind the sound.
_X264: Final = {"preset": "veryfast", "crf": "18", "bf": "0"}
_VP9: Final = {"deadline": "realtime", "cpu-used": "8", "row-mt": "1", "crf": "30", "b": "0"}
# Encoders in order of preference for each kind of file, with options that keep up with live pictures on two cores. The bundles carry no
# libx264 (packaging/gpl_free.py).
_ENCODERS: Final[dict[str, tuple[tuple[str, dict[str, str]], ...]]] = {
    ".mp4": (("libx264", _X264), ("libvpx-vp9", _VP9)),
    ".mov": (("libx264", _X264), ("mpeg4", {"qscale": "3"})),
    ".mkv": (("libx264", _X264), ("libvpx-vp9", _VP9)),
    ".webm": (
        ("libvpx-vp9", _VP9),
        ("libvpx", {"deadline": "realtime", "cpu-used": "8", "b": "8M"}),
    ),
}
VIDEO_SUFFIXES: Final = tuple(_ENCODERS)
# FFmpeg's names; said rather than guessed from a name, which a pipe or a device need not have.
_FORMATS: Final = {".mp4": "mp4", ".mov": "mov", ".mkv": "matroska", ".webm": "webm"}
# The header waits for the first fragment: what it says of AC-3 is only known from its packets.
_FRAGMENTED: Final = {"movflags": "frag_keyframe+empty_moov+delay_moov+default_base_moof"}
_TIME_BASE: Final = Fraction(1, 90_000)
# ISO/IEC 14496-2 has 16 bits for it.
_MPEG4_TIME_BASE: Final = Fraction(1, 60_000)
_QUEUE: Final = 8


@dataclass(frozen=True)
class _Picture:
    pixels: np.ndarray
    pts: float


class _VideoFile(io.FileIO):
    """What FFmpeg writes a video through, instead of its own access to files.

    MP4's muxer passes over errors of its last flush: a disk that was full at the very end gave a file that was cut off, and no error.
    """

    failure: OSError | None = None

    def write(self, data: Any) -> int:
        """Write all of `data`; after a failure, nothing any more."""
        if self.failure is not None:
            raise self.failure
        left = memoryview(data)
        try:
            while left:
                left = left[super().write(left) :]
        except OSError as error:
            self.failure = error
            raise
        return len(data)

    def close(self) -> None:
        """Close it; some file systems say only now that they are full."""
        try:
            super().close()
        except OSError as error:
            self.failure = self.failure or error


class Recorder:
    """Encodes pictures to a video on a thread of its own.

    `add` blocks only if `wait` is given and the encoder is behind; otherwise a picture that finds the queue full is dropped and
    counted, so that a recording never slows the live picture.
    """

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        rate: float,
        *,
        audio_from: Path | None = None,
        audio_offset: float = 0.0,
        wait: bool = False,
    ) -> None:
        """Open the file.

        Args:
            path: `.mp4`, `.mov`, `.mkv` or `.webm`.
            size: (width, height) of the pictures; odd sizes are padded to even ones by repeating the edge (4:2:0 needs it).
            rate: nominal pictures a second; time stamps are the pictures' own.
            audio_from: a file whose first audio track is copied (re-encoded where the container does not take it); `notes` says what of it
                is missing.
            audio_offset: seconds to take off the audio's time stamps: the file's time at which the first picture stands.
            wait: see the class.

        Raises:
            ExportError: an unknown suffix, no encoder, or the file cannot be written.
        """
        self.path = path
        self._wait = wait
        self._duration = 1.0 / (rate or 30.0)
        self.dropped = 0
        self.written = 0
        self._size = size
        self._error: ExportError | None = None
        self._sound: SoundTrack | None = None
        self._closed = False
        self._finished = False
        self._kept = path
        self._sound_after = 0.0
        options = _options(path)
        self._part, self._file, self._container = _open_output(path, options)
        try:
            self._stream = _add_video_stream(self._container, path, size, rate)
            if audio_from is not None:
                self._sound = SoundTrack.open(audio_from, self._container, audio_offset, options)
        except BaseException:
            self._container.close()
            self._file.close()
            self._part.discard()
            raise
        self._queue: queue.Queue[_Picture | None] = queue.Queue(_QUEUE)
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def error(self) -> ExportError | None:
        """Why the recording has stopped, if it has."""
        return self._error

    @property
    def has_audio(self) -> bool:
        """True if an audio track is written."""
        return self._sound is not None and self._sound.is_open

    @property
    def notes(self) -> tuple[str, ...]:
        """What of the other file's sound is missing and why, in sentences; complete once the recording is closed."""
        return self._sound.notes if self._sound is not None else ()

    @property
    def part(self) -> Path:
        """Where the video is while it grows, and after an error."""
        return self._part.path

    def add(self, pixels: np.ndarray, pts: float) -> None:
        """Append a picture: uint8 [height, width, 4] R'G'B'A of the opened size, shown `pts` seconds after the first one.

        Raises:
            ExportError: the recording has failed, or the picture has another size.
        """
        if self._error is not None:
            raise self._error
        if (pixels.shape[1], pixels.shape[0]) != self._size:
            raise ExportError(
                sentence(
                    "The picture's size changed while {name} was being written; begin a new recording.",
                    name=self.path.name,
                )
            )
        try:
            self._queue.put(_Picture(pixels, pts), block=self._wait)
        except queue.Full:
            self.dropped += 1

    def close(self, *, whole: bool = False) -> None:
        """Finish the file and give it its name. Twice is allowed.

        Args:
            whole: the pictures were all of the audio's file, whose sound may go on up to a second longer than they; otherwise it
                ends with the last picture.

        Raises:
            ExportError: something could not be written.
        """
        self._end(whole=whole)
        if self._error is None and not self._finished:
            try:
                self._part.publish()
                self._finished = True
            except OSError as error:
                self._error = ExportError(
                    sentence(
                        "{path} cannot be replaced: {reason}; the video is in {part}.",
                        path=self.path,
                        reason=reason(error),
                        part=self._part.path,
                    )
                )
        if self._error is not None:
            raise self._error

    def abandon(self) -> Path | None:
        """Finish what can be finished after something went wrong; return where it is, None if there is nothing.

        It takes the name asked for only where no older file has it.
        """
        self._end(whole=False)
        if not self._finished:
            self._finished = True
            if self._error is not None and not _plays(self._part.path):
                self.written = 0
                self._part.discard()
            else:
                self._kept = self._part.publish_new()
        return self._kept if self.written else None

    def _end(self, *, whole: bool) -> None:
        if not self._closed:
            self._closed = True
            self._sound_after = 1.0 if whole else self._duration
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        last = -1
        try:
            # Once, and not again after a failure, as `mux` would: FFmpeg does not survive a second header.
            self._container.start_encoding()
            while (picture := self._queue.get()) is not None:
                ticks = max(round(picture.pts / _TIME_BASE), last + 1)
                last = ticks
                self._encode(picture.pixels, ticks)
            self._container.mux(self._stream.encode(None))
            if self._sound is not None:
                self._sound.copy_until(None, self.written and float(last * _TIME_BASE) + self._sound_after)
        except Exception as error:
            # Encoders refuse with ValueError and others too; whatever it is, the producer must hear of it.
            if not isinstance(error, (OSError, av.FFmpegError)):
                log.exception("recording to %s", self.path)
            self._error = ExportError(
                sentence(
                    "{path} could not be written further: {reason}; check that its folder can be written to.",
                    path=self.path,
                    reason=_reason(error),
                )
            )
        finally:
            self._finish()
            self._empty_queue()

    def _empty_queue(self) -> None:
        # A producer that waits for room must not wait for ever. `add` refuses more once there is an error, and `close` puts one item.
        while self._error is not None:
            try:
                if self._queue.get(timeout=0.2) is None:
                    return
            except queue.Empty:
                if self._closed:
                    return

    def _finish(self) -> None:
        try:
            self._container.close()
        except (OSError, av.FFmpegError) as error:
            self._error = self._error or self._unfinished(error)
        self._file.close()
        if self._error is None and self._file.failure is not None:
            self._error = self._unfinished(self._file.failure)
        if self._sound is not None:
            self._sound.close()

    def _unfinished(self, error: Exception) -> ExportError:
        return ExportError(
            sentence(
                "{path} could not be finished: {reason}; check that its folder can be written to.",
                path=self.path,
                reason=_reason(error),
            )
        )

    def _encode(self, pixels: np.ndarray, ticks: int) -> None:
        height, width = pixels.shape[:2]
        if width % 2 or height % 2:
            pixels = np.pad(pixels, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
        frame = av.VideoFrame.from_ndarray(pixels, format="rgba")
        converted = frame.reformat(format="yuv420p", dst_colorspace="ITU709", dst_color_range="MPEG")
        converted.pts = ticks
        converted.time_base = _TIME_BASE
        for packet in self._stream.encode(converted):
            self._container.mux(packet)
        self.written += 1
        if self._sound is not None:
            self._sound.copy_until(float(ticks * _TIME_BASE), None)


def _options(path: Path) -> dict[str, str]:
    suffix = path.suffix.lower()
    if suffix not in _ENCODERS:
        raise ExportError(
            sentence(
                "{name} has no suffix of a video; use one of {video_suffixes}.",
                name=path.name,
                video_suffixes=", ".join(VIDEO_SUFFIXES),
            )
        )
    return {"flush_packets": "1"} | (_FRAGMENTED if suffix in (".mp4", ".mov") else {})


def _open_output(path: Path, options: dict[str, str]) -> tuple[PartFile, _VideoFile, Any]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = PartFile(path)
    except (OSError, ValueError) as error:
        raise ExportError(
            sentence(
                "{path} cannot be written: {reason}; check that its folder can be written to.",
                path=path,
                reason=reason(error),
            )
        ) from error
    file = None
    try:
        file = _VideoFile(part.path, "wb")
        return part, file, open_container(file, "w", format=_FORMATS[path.suffix.lower()], options=options)
    except (OSError, ValueError, av.FFmpegError) as error:
        if file is not None:
            file.close()
        part.discard()
        raise ExportError(
            sentence(
                "{path} cannot be written: {reason}; check that its folder can be written to.",
                path=path,
                reason=_reason(error),
            )
        ) from error


def _reason(error: Exception) -> str:
    # Encoders refuse with ValueError and others too.
    return known_reason(str(getattr(error, "strerror", None) or error).rstrip("."))


def _plays(path: Path) -> bool:
    try:
        with open_container(str(path)) as container:
            return next(container.decode(video=0), None) is not None
    except (OSError, ValueError, LookupError, av.FFmpegError):
        return False


def _add_video_stream(container: Any, path: Path, size: tuple[int, int], rate: float) -> Any:
    for name, options in _ENCODERS[path.suffix.lower()]:
        if not encoder_works(name, options):
            continue
        stream = container.add_stream(
            name, rate=Fraction(rate or 30).limit_denominator(1001), options=dict(options)
        )
        stream.width, stream.height = size[0] + size[0] % 2, size[1] + size[1] % 2
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        context.time_base = _MPEG4_TIME_BASE if name == "mpeg4" else _TIME_BASE
        context.gop_size = max(1, round(rate or 30))
        # 1 = BT.709 in each of ITU-T H.273's tables.
        context.colorspace = context.color_primaries = context.color_trc = 1
        context.color_range = 1
        return stream
    raise ExportError(
        sentence(
            "This build of FFmpeg has no encoder for {suffix} files; choose another format.",
            suffix=path.suffix,
        )
    )


def encoder_works(name: str, options: dict[str, str]) -> bool:
    """True if the encoder is there and works: FFmpeg also lists encoders whose library refuses (packaging/gpl_free.py)."""
    try:
        context: Any = av.CodecContext.create(name, "w")
        context.width = context.height = 64
        context.pix_fmt = "yuv420p"
        context.time_base = _MPEG4_TIME_BASE
        context.options = dict(options)
        context.open()
    except (ValueError, av.FFmpegError):
        return False
    return True
