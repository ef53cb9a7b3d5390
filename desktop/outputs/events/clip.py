"""A video of the seconds before and after each event."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

import av

from desktop.base.errors import LightloomError
from desktop.base.fields import Number, Value
from desktop.base.wording import sentence
from desktop.outputs.events._names import FOLDER, check_folder, file_for, folder_of, numbered, shown_folder
from desktop.outputs.events.action import EventAction, Note, Refused, Sink, Surroundings
from desktop.outputs.events.clip_buffer import ClipOrder, ShotDecoder
from desktop.outputs.recording import Recorder
from desktop.vision.tracking.events import Occurrence

_LONGEST_S: Final = 25.0
_RATE: Final = 30.0


class _Clips(Sink):
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def deliver(self, note: Note) -> None:
        """See `Sink`. The frames are gone by the time that it could be tried again, so nothing is."""
        order = note.clip
        if order is None:
            raise Refused(sentence("there was no frame"))
        if order.begin():
            self._write(note, order)
        # Else it happened while the clip of another event was written, which was made longer for it.
        if order.failure:
            raise Refused(order.failure)

    def _write(self, note: Note, order: ClipOrder) -> None:
        recorder: Recorder | None = None
        decoder = ShotDecoder()
        try:
            for shot in order.shots():
                if recorder is None:
                    first = shot.pts
                    path = note.file or numbered(_file(self._folder, note.occurrence, note.time), Path.exists)
                    recorder = Recorder(path, shot.size, _RATE, wait=True)
                recorder.add(decoder.decode(shot), shot.pts - first)
            if recorder is None:
                order.drop(sentence("there was no frame"))
            else:
                recorder.close()
        except Exception as error:
            # Whatever it was, no other event of the clip may count as delivered.
            order.drop(_without_stop(str(error)) or type(error).__name__)
            if recorder is not None:
                recorder.abandon()
            if not isinstance(error, LightloomError | av.FFmpegError):
                raise
        finally:
            # Whatever it was: the thread that adds frames may be waiting for this.
            order.drop(order.failure)


def _without_stop(text: str) -> str:
    return text.rstrip(".")


def _span(values: Mapping[str, Value]) -> tuple[float, float]:
    return float(values["before"]), float(values["after"])


def _file(folder: Path, occurrence: Occurrence, time: datetime) -> Path:
    return file_for(folder, f"{occurrence.event} {occurrence.zone}", time, ".mp4")


def _open(values: Mapping[str, Value], surroundings: Surroundings) -> _Clips:
    return _Clips(folder_of(values))


ACTION: Final = EventAction(
    id="clip",
    title=sentence("Save a clip"),
    order=35,
    fields=(
        FOLDER,
        Number(
            name="before",
            label=sentence("Seconds before"),
            help=sentence("How much of what was before the event is in the clip."),
            unit="s",
            default=5.0,
            step=1.0,
            has_slider=False,
            max=_LONGEST_S,
        ),
        Number(
            name="after",
            label=sentence("Seconds after"),
            help=sentence(
                "How much of what is after the event is in the clip; another event makes it longer."
            ),
            unit="s",
            default=5.0,
            step=1.0,
            has_slider=False,
            max=_LONGEST_S,
        ),
    ),
    open=_open,
    check=check_folder,
    target=shown_folder,
    names_file=lambda values, occurrence, time: _file(folder_of(values), occurrence, time),
    span=_span,
)
