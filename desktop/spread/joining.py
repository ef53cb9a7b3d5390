"""Join pieces into the output: packets in order, with the source's audio, or one journal."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

from desktop.base.errors import SpreadError, not_written
from desktop.base.files import PartFile, reason
from desktop.base.wording import sentence
from desktop.media.containers import av_reason, open_container
from desktop.media.sound import SoundTrack
from desktop.outputs.description import describe, read_description
from desktop.outputs.encoding import Container, Sound
from desktop.outputs.journal import Journal, PictureRecord
from desktop.outputs.result_format import About
from desktop.outputs.video_file import open_video
from desktop.spread.plan import PIECE_MUXING


@dataclass(frozen=True)
class SoundSource:
    """The audio of a joined video.

    Attributes:
        offset: the file time of the first frame, in seconds.
        mode: as `Encoding.sound`.
        is_all: the frames extend to its end.
        track: index of the audio track, from 0; None for the default one.
    """

    path: Path
    offset: float
    mode: Sound
    is_all: bool
    track: int | None = None


def publish(piece: Path, target: Path) -> None:
    """Use a clip's only piece as its output. Raises ExportError, and keeps an older output."""
    try:
        part = PartFile(target)
        try:
            if part.path == target:  # a pipe or a device
                with piece.open("rb") as source, target.open("wb", buffering=0) as stream:
                    shutil.copyfileobj(source, stream)
            else:
                # Copy: the piece is needed until the run journal records the output.
                shutil.copyfile(piece, part.path)
            part.publish()
        except BaseException:
            part.discard()
            raise
    except OSError as error:
        raise not_written(target, reason(error)) from error


def join_videos(
    target: Path, kind: Container, pieces: Sequence[Path], sound: SoundSource | None
) -> tuple[str, ...]:
    """Write the pieces' packets, with their timestamps, as one video; return what of the audio is missing.

    Raises SpreadError if the pieces are incompatible, ExportError (an older output is kept) if it cannot be
    written.
    """
    options = {**kind.options, **PIECE_MUXING}
    part, file, container = open_video(target, kind.format, options)
    track: SoundTrack | None = None
    try:
        try:
            with open_container(str(pieces[0])) as first:
                stream = _stream_like(container, first.streams.video[0])
                head = _head(first)
            if sound is not None and kind.sound:
                describe(container, read_description(sound.path), sound.offset)
            if sound is not None and kind.sound and sound.mode != "none":
                track = SoundTrack.open(
                    sound.path, container, sound.offset, options, mode=sound.mode, track=sound.track
                )
            container.start_encoding()
            end = _copy(container, stream, pieces, head, track)
            if track is not None and sound is not None:
                track.copy_until(None, None if sound.is_all else end)
        finally:
            container.close()
            file.close()
        if file.failure is not None:
            raise file.failure
        part.publish()
    except (OSError, ValueError, av.FFmpegError) as error:
        part.discard()
        raise not_written(target, av_reason(error)) from error
    except BaseException:
        part.discard()
        raise
    finally:
        if track is not None:
            track.close()
    return track.notes if track is not None else ()


def _stream_like(container: Any, template: Any) -> Any:
    stream = container.add_stream_from_template(template)
    stream.time_base = template.time_base
    # A remuxer leaves the tag out: HEVC would be 'hev1', which Apple's players do not take.
    stream.codec_context.codec_tag = template.codec_context.codec_tag
    return stream


def _head(container: Any) -> tuple[object, ...]:
    """Return what initializes a decoder; it differs only between pieces of different encoders."""
    context = container.streams.video[0].codec_context
    return context.name, context.width, context.height, bytes(context.extradata or b"")


def _copy(
    container: Any, stream: Any, pieces: Sequence[Path], head: tuple[object, ...], track: SoundTrack | None
) -> float:
    """Write all packets; return the time at which the last frame ends, in seconds."""
    last: Fraction | None = None
    end = Fraction(0)
    for path in pieces:
        with open_container(str(path)) as source:
            if _head(source) != head:
                raise SpreadError(
                    sentence(
                        "The pieces were encoded in different ways; have all workers use the same "
                        "versions, or choose a codec with --codec."
                    )
                )
            for packet in source.demux(source.streams.video[0]):
                if not packet.size:
                    continue
                at = packet.pts * packet.time_base
                if last is not None and at <= last:
                    raise SpreadError(
                        sentence("Two pieces have the same frame ({seconds:.3f} s).", seconds=float(at))
                    )
                last = at
                end = at + (packet.duration or 0) * packet.time_base
                packet.stream = stream
                container.mux(packet)
                if track is not None:
                    track.copy_until(float(at), None)
    return float(end)


@dataclass(frozen=True)
class AnalyzedPieces:
    """The pieces of an input of `analyze`, in their order: each a journal."""

    name: str
    journals: tuple[Path, ...]


def join_journals(inputs: Sequence[AnalyzedPieces], path: Path) -> tuple[Journal, About]:
    """Join the pieces' journals; frames are numbered continuously.

    Raises SpreadError if the pieces are of different networks, ExportError if it cannot be written.
    """
    about: About | None = None
    whole = Journal.begin(path, {"inputs": [each.name for each in inputs]})
    try:
        for number, each in enumerate(inputs):
            whole.begin_input(number, each.name)
            before = 0
            for piece in each.journals:
                journal, run = Journal.read(piece)
                found = _about(run, len(inputs))
                if about is not None and found != about:
                    raise SpreadError(
                        sentence("The pieces are of different networks; give all workers the same files.")
                    )
                about = found
                last = 0
                with contextlib.closing(journal):
                    for record in journal.records():
                        last = record.frame
                        whole.add(number, _renamed(record, each.name, before))
                before += last
            whole.end_input(number)
    except BaseException:
        whole.close()
        raise
    return whole, about or About(inputs=len(inputs))


def _renamed(record: PictureRecord, name: str, before: int) -> PictureRecord:
    """Return a record with the input name that the user gave, its frame number offset by `before`."""
    file = name if record.file == record.input else str(Path(name) / Path(record.file).name)
    return replace(record, input=name, file=file, frame=before + record.frame)


def about_piece(path: Path, inputs: int) -> About:
    """Return what result formats need to know of a piece's run.

    Raises SpreadError if the piece does not contain it, ExportError if it cannot be read.
    """
    journal, run = Journal.read(path)
    journal.close()
    return _about(run, inputs)


def _about(run: Any, inputs: int) -> About:
    try:
        kept = dict(run["about"])
        labels = tuple(str(label) for label in kept.pop("labels"))
        return replace(About(**kept), labels=labels, inputs=inputs)
    except (TypeError, LookupError, ValueError) as error:
        raise SpreadError(sentence("A piece does not say what network it is of.")) from error
