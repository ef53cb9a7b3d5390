"""What a live output is: its fields, and a sink that takes the pictures as they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from desktop.fields import Field, Value, checked


@dataclass(frozen=True)
class PictureFormat:
    """What an output is given.

    Attributes:
        width, height: of the pictures as they are shown now; a sink scales to what it wants.
        rate: nominal pictures a second of what plays.
        sound: sound will be given too.
    """

    width: int
    height: int
    rate: float
    sound: bool = False


@dataclass(frozen=True)
class SinkFigures:
    """How a sink is doing; all since it was opened, what it does not know is None.

    Attributes:
        pictures: written.
        bits_per_second: what has been sent in the last seconds.
        latency_s: from a picture's being shown to its having been handed on.
        dropped: pictures that it took and could not hand on in time.
        note: what is wrong while it goes on all the same, a sentence; '' where nothing is.
    """

    pictures: int = 0
    bits_per_second: float | None = None
    latency_s: float | None = None
    dropped: int = 0
    note: str = ""


class LiveSink(Protocol):
    """Takes pictures. Made, used and closed on one thread, which may wait; only `hear` comes on another."""

    def write(self, picture: np.ndarray, at: float) -> None:
        """Take a picture: uint8 [height, width, 4], R'G'B'A as displayed, straight alpha; `at` in seconds of `time.perf_counter`.

        Its size may change between two calls. Other outputs have the same picture: it is not to be written to.

        Raises:
            ExportError: it cannot go on; the output ends with this sentence.
        """

    def hear(self, samples: np.ndarray, at: float) -> None:
        """Take sound, float32 [frames, 2] at 48 kHz, whose first frame is heard `at`. Called by the sound device; must not wait."""

    def figures(self) -> SinkFigures:
        """Return how it is doing, on any thread."""

    def close(self) -> None:
        """Finish and release what it holds, soon."""


@dataclass(frozen=True, kw_only=True)
class LiveOutput:
    """Somewhere the live picture can go.

    Attributes:
        id: its file's name, under which its settings are kept.
        title: what the window calls it; a `sentence`.
        order: its place where they are offered.
        fields: what there is to be said.
        missing: tells in one sentence what has to be installed or done first, '' where it is ready; quick, called on any thread.
        foresee: tells in sentences, before it begins, what the target gets instead of what was wanted.
        open: makes the sink, of a value for each field. Raises `ExportError`; may take seconds.
        overlay: what was seen is drawn over its pictures, unless the user says otherwise.
        repeat_s: where nothing new is shown for so long, the last picture is given again; 0 for never.
        hears: takes sound; one that does not is never a reason to open a microphone.
        systems: values of `sys.platform` where there is such a thing; () for everywhere.
    """

    id: str
    title: str
    order: int
    fields: tuple[Field, ...]
    missing: Callable[[Mapping[str, Value]], str]
    open: Callable[[Mapping[str, Value], PictureFormat], LiveSink]
    foresee: Callable[[Mapping[str, Value], PictureFormat], tuple[str, ...]] = lambda values, pictures: ()
    overlay: bool = True
    repeat_s: float = 0.0
    hears: bool = True
    systems: tuple[str, ...] = ()

    def checked(self, values: Mapping[str, Any]) -> dict[str, Value]:
        """Return a value for each field: the given ones, and the defaults of the others.

        Raises:
            UsageError: a value is none that its field takes, or there is no such field.
        """
        return checked(self.fields, values, of=self.id)
