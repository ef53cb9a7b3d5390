"""Videos written to disk: recordings, and batch output with the source's audio.

A video is written to `clip.part.mp4` and renamed at the end, so that a full disk or a kill leaves an older
file unchanged. The part file is playable after a kill: MP4 has fragments of a second (ISO/IEC 14496-12, movie
fragments), WebM and Matroska clusters. Color: BT.709, or that of HDR that is kept; limited range, tagged.
"""

from __future__ import annotations

import errno
import logging
import queue
import threading
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import numpy as np

from desktop.base.errors import ExportError, writing_advice
from desktop.base.files import reason
from desktop.base.wording import Text, sentence
from desktop.media.containers import av_reason
from desktop.media.live_track import LiveTrack
from desktop.media.sound import SoundTrack
from desktop.outputs.description import describe, read_description
from desktop.outputs.dnxhr import declare_bt2020
from desktop.outputs.encoders import Choice, choose
from desktop.outputs.encoding import Encoding
from desktop.outputs.frames import Pacer, Picture, coded_size, converter_of, fitted, is_ycbcr
from desktop.outputs.priorities import usual_priority
from desktop.outputs.video_color import BT2020_MATRIX, VideoColor
from desktop.outputs.video_file import open_video, pictures_in

log = logging.getLogger(__name__)

_QUICKTIME: Final = (".mp4", ".mov", ".m4v")
_QUEUE: Final = 8


def _flattened(name: str) -> Text:
    return sentence(
        "{name} holds no transparency, so transparent parts of its frames are over black; keep "
        "transparency in .webm, .mkv and .mov (--alpha).",
        name=name,
    )


def _hardened(name: str) -> Text:
    return sentence(
        "A GIF has no half-transparent pixels, so those of {name} became opaque or transparent; keep "
        "them in .webp, or transparency in .webm, .mkv and .mov (--alpha).",
        name=name,
    )


class Recorder:
    """Encodes frames to a video on its own thread. If the queue is full, `add` blocks only with `wait`;
    otherwise it drops and counts the frame, so that a recording never slows the display.
    """

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        rate: float,
        encoding: Encoding | None = None,
        *,
        choice: Choice | None = None,
        audio_from: Path | None = None,
        audio_offset: float | None = None,
        audio_end: float | None = None,
        audio_tracks: Sequence[int | None] = (None,),
        wait: bool = False,
        live_sound: bool = False,
        color: VideoColor | None = None,
    ) -> None:
        """Open the file, whose suffix is one of `CONTAINERS`.

        Args:
            size: (width, height) of the frames; for 4:2:0, odd sizes are padded by repeating the edge.
            rate: nominal frames per second; timestamps are the frames' own unless `encoding` has a rate.
            choice: the encoder, if already chosen; None chooses now.
            audio_from: a file whose audio, title and chapters are copied; `notes` reports what is missing.
            audio_offset: the file time of the video's time 0, in seconds (`FileClock`); None for its
                beginning.
            audio_end: the file time of the last frame's end, if known: later chapters are omitted.
            audio_tracks: indices of those tracks, from 0; None for the file's default one.
            live_sound: record the audio passed to `add_sound` instead of another file's.
            color: of the frames; None for SDR.

        Raises:
            UsageError: the container does not support the codec or quality.
            ExportError: an unknown suffix, no encoder, or the file cannot be written.
        """
        self.path = path
        self._wait = wait
        self._duration = 1.0 / (rate or 30.0)
        self._last = -1
        self.dropped = 0
        # Given to the encoder; after a failure and `abandon`, on the disk.
        self.written = 0
        self._size = size
        self._error: ExportError | None = None
        self._sounds: list[SoundTrack] = []
        self._live: LiveTrack | None = None
        self._closed = False
        self._finished = False
        self._result_path = path
        self._resized: Text | None = None
        self._is_complete = False
        encoding = encoding or Encoding()
        self.choice = choice or choose(path, encoding, encoding.size_of(size))
        kind, encoder = self.choice.container, self.choice.encoder
        self._time_base = encoder.time_base
        self._pacer = Pacer(encoding.rate_of(rate, kind))
        self._color = color or VideoColor()
        self._converter = converter_of(self.choice, encoding, size, self._color)
        self._durations: dict[int, int] = {}
        self._end_at = 0.0
        options = dict(kind.options)
        self._part, self._file, self._container = open_video(path, kind.format, options)
        try:
            paced = encoding.rate_of(rate, kind) or rate
            self._stream = self._video_stream(coded_size(encoder, encoding, size), paced)
            if audio_from is not None and kind.sound:
                found = read_description(audio_from)
                describe(
                    self._container, found, audio_offset or 0.0, audio_end, rate=encoding.rate_of(rate, kind)
                )
            if audio_from is not None and kind.sound and encoding.sound != "none":
                opened = (
                    SoundTrack.open(
                        audio_from,
                        self._container,
                        audio_offset,
                        options,
                        mode=encoding.sound,
                        track=track,
                        keeps_disposition=len(audio_tracks) > 1,
                    )
                    for track in audio_tracks
                )
                self._sounds.extend(sound for sound in opened if sound is not None)
            elif live_sound and kind.sound and encoding.sound != "none":
                self._live = LiveTrack(self._container)
        except BaseException:
            self._close_sounds()
            self._container.close()
            self._file.close()
            self._part.discard()
            raise
        self._queue: queue.Queue[Picture | None] = queue.Queue(_QUEUE)
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def error(self) -> ExportError | None:
        """Reason why the recording has stopped; None while it has not."""
        return self._error

    @property
    def waiting(self) -> int:
        """Number of frames that wait to be encoded."""
        return self._queue.qsize()

    @property
    def has_audio(self) -> bool:
        """True if an audio track is written."""
        return self._live is not None or any(sound.is_open for sound in self._sounds)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what frames and copied audio lack; complete once the recording is closed."""
        sound = tuple(note for each in self._sounds for note in each.notes)
        flattened = (_flattened(self.path.name),) if self._converter.flattened else ()
        hardened = (_hardened(self.path.name),) if self._converter.hardened else ()
        resized = (self._resized,) if self._resized is not None else ()
        return (*resized, *flattened, *hardened, *sound)

    @property
    def part(self) -> Path:
        """Path of the unfinished video, which stays after an error."""
        return self._part.path

    def _video_stream(self, size: tuple[int, int], rate: float) -> Any:
        encoder = self.choice.encoder
        stream = self._container.add_stream(
            encoder.name, rate=Fraction(rate or 30).limit_denominator(1001), options=dict(self.choice.options)
        )
        stream.width, stream.height = size
        stream.pix_fmt = encoder.pixels
        context = stream.codec_context
        if encoder.codec == "hevc" and self.path.suffix.lower() in _QUICKTIME:
            context.codec_tag = "hvc1"  # FFmpeg's own choice, hev1, is played by no program of Apple's
        context.time_base = encoder.time_base
        context.gop_size = max(1, round(rate or 30))
        if is_ycbcr(encoder.pixels):
            context.colorspace, context.color_range = self._color.matrix, 1
            context.color_primaries, context.color_trc = self._color.primaries, self._color.transfer
        return stream

    def add(self, pixels: np.ndarray, pts: float, duration: float = 0.0) -> None:
        """Append a frame, [height, width, 4] R'G'B'A, shown `pts` seconds after the first one: uint8, also float16 for
        an encoder with 10 bits a color.

        One of another size is letterboxed, with a note. `duration` is in seconds, 0.0 if unknown; the last
        one's determines the file's length. Raises ExportError if the recording has failed.
        """
        if self._error is not None:
            raise self._error
        if (pixels.shape[1], pixels.shape[0]) != self._size:
            self._note_size((pixels.shape[1], pixels.shape[0]), pts)
            pixels = fitted(pixels, self._size)
        try:
            self._queue.put(Picture(pixels, pts, duration), block=self._wait)
        except queue.Full:
            self.dropped += 1

    def _note_size(self, size: tuple[int, int], pts: float) -> None:
        if not self._resized:
            self._resized = sentence(
                "The frame size changes at {seconds:.2f} s from {old} to {new}; from there on frames are "
                "scaled to the first size.",
                seconds=pts,
                old=f"{self._size[0]} x {self._size[1]}",
                new=f"{size[0]} x {size[1]}",
            )

    def add_sound(self, samples: np.ndarray, pts: float) -> None:
        """Append to the live track: float32 [frames, 2], 48 kHz, `pts` s after frame 0. Never blocks."""
        if self._live is not None and self._error is None:
            self._live.add(pts, samples)

    def close(self, *, whole: bool = False) -> None:
        """Finish the file and rename it to its target. May be called twice.

        If `whole`, all frames of the audio's file were written, and its audio may continue after the last
        one. Raises ExportError if something could not be written.
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

    def abandon(self, *, publish: bool = True) -> Path | None:
        """Finish a file after a failure as far as possible; return its path, or None. It gets the requested
        name only with `publish`, and if no older file has it.
        """
        self._end(whole=False)
        if not self._finished:
            self._finished = True
            if self._error is not None:
                self.written = pictures_in(self._part.path)
            if not self.written:
                self._part.discard()
            else:
                self._result_path = self._part.publish_new() if publish else self._part.path
        return self._result_path if self.written else None

    def _end(self, *, whole: bool) -> None:
        if not self._closed:
            self._closed = True
            self._is_complete = whole
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            # Once, and not again after a failure, as `mux` would: FFmpeg does not survive a second header.
            with usual_priority():
                self._container.start_encoding()
            while (picture := self._queue.get()) is not None:
                for each in self._pacer.add(picture):
                    self._encode(each)
            for each in self._pacer.end():
                self._encode(each)
            self._mux(self._stream.encode(None))
            goes_on = self._is_complete and self.written
            for sound in self._sounds:
                sound.copy_until(None, None if goes_on else self._end_at)
            if self._live is not None and self.written:
                self._live.finish(self._end_at)
        except Exception as error:
            # Encoders refuse with ValueError and others too; whatever it is, the producer must hear of it.
            if not isinstance(error, (OSError, av.FFmpegError)):
                log.exception("recording to %s", self.path)
            self._error = self._broken_off(error)
        finally:
            self._finish()
            self._empty_queue()

    def _broken_off(self, error: Exception) -> ExportError:
        # FFmpeg's numbers of its own are negative; the system's are of the disk, the folder, the device.
        if isinstance(error, OSError) and (error.errno or 0) > 0 and error.errno != errno.EINVAL:
            return ExportError(
                sentence(
                    "Writing {path} failed partway: {reason}; {advice}.",
                    path=self.path,
                    reason=av_reason(error),
                    advice=writing_advice(av_reason(error)),
                )
            )
        return ExportError(
            sentence(
                "Writing {path} failed partway: its encoder or its format refused a frame or a packet of "
                "audio ({reason}); choose another codec or another file format.",
                path=self.path,
                reason=av_reason(error),
            )
        )

    def _empty_queue(self) -> None:
        # A producer must not wait for ever: `add` fails once there is an error, and `close` puts one item.
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
        self._close_sounds()

    def _close_sounds(self) -> None:
        for sound in self._sounds:
            sound.close()

    def _unfinished(self, error: Exception) -> ExportError:
        return ExportError(
            sentence(
                "{path} could not be finished: {reason}; {advice}.",
                path=self.path,
                reason=av_reason(error),
                advice=writing_advice(av_reason(error)),
            )
        )

    def _encode(self, picture: Picture) -> None:
        ticks = max(round(picture.pts / self._time_base), self._last + 1)
        self._last = ticks
        if picture.duration > 0:
            # Not all encoders pass durations on; without the last one, the file ends when its frame begins.
            self._durations[ticks] = max(1, round((picture.pts + picture.duration) / self._time_base) - ticks)
        frame = self._converter.frame(picture.pixels)
        frame.pts, frame.time_base = ticks, self._time_base
        frame.duration = self._durations.get(ticks, 0)
        self._mux(self._stream.encode(frame))
        self.written += 1
        at = float(ticks * self._time_base)
        self._end_at = at + (picture.duration or self._duration)
        for sound in self._sounds:
            sound.copy_until(at, None)
        if self._live is not None:
            self._live.write_until(at)

    def _mux(self, packets: list[Any]) -> None:
        for packet in packets:
            if self.choice.encoder.codec == "dnxhr" and self._color.matrix == BT2020_MATRIX:
                declare_bt2020(packet)
            if packet.time_base == self._time_base and packet.pts in self._durations:
                packet.duration = self._durations.pop(packet.pts)
            self._container.mux(packet)
