"""Definition of a live output: its fields, and a sink that receives frames as they are shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from desktop.base.fields import Field, Value, checked

if TYPE_CHECKING:
    from desktop.outputs.live._user_package import UserPackage


@dataclass(frozen=True)
class PictureFormat:
    """Frames for an output: current size, nominal rate (frames per second), whether there is audio too."""

    width: int
    height: int
    rate: float
    sound: bool = False


@dataclass(frozen=True)
class SinkFigures:
    """State of a sink; all since it was opened, unknown values are None.

    Attributes:
        pictures, dropped: frames written, and not delivered in time.
        bits_per_second: sent in the last seconds.
        latency_s: from the display of a frame to its delivery.
        note: a sentence about a problem that does not stop it; '' for none.
    """

    pictures: int = 0
    bits_per_second: float | None = None
    latency_s: float | None = None
    dropped: int = 0
    note: str = ""


class LiveSink(ABC):
    """Receives frames. Used on one thread, which may block; only `send_audio` is called on another."""

    @abstractmethod
    def write(self, picture: np.ndarray, at: float) -> None:
        """Write a frame, shown `at` (`time.perf_counter`): uint8 [height, width, 4] of any size, R'G'B'A,
        straight alpha. Other outputs share the array: it must not be modified. An ExportError ends the output
        with its sentence.
        """

    def send_audio(self, samples: np.ndarray, at: float) -> None:  # noqa: B027 (most take no audio)
        """Write audio heard from `at`, float32 [frames, 2] at 48 kHz; on the audio thread, never blocks."""

    @abstractmethod
    def figures(self) -> SinkFigures:
        """Return its state; thread-safe."""

    @abstractmethod
    def close(self) -> None:
        """Finish and release all resources, soon."""


@dataclass(frozen=True, kw_only=True)
class LiveOutput:
    """A kind of destination for the live frame.

    Attributes:
        id: its file's name, under which its settings are stored.
        title: its name in the window; a `sentence`.
        order: its position in lists.
        fields: its options.
        missing: returns a sentence about what must be done first, '' if ready; quick, on any thread.
        foresee: returns, before it begins, sentences about differences from the options.
        open: makes the sink from a value for each field. Raises `ExportError`; may take seconds.
        overlay: draw the network's results over its frames by default.
        repeat_s: repeat the last frame after this time without a new one; 0 for never.
        takes_audio: accepts audio; otherwise it never causes a microphone to be opened.
        systems: values of `sys.platform` that support it; () for all.
        package: what the window can install for it; None if there is nothing.
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
    takes_audio: bool = True
    systems: tuple[str, ...] = ()
    package: UserPackage | None = None

    def checked(self, values: Mapping[str, Any]) -> dict[str, Value]:
        """Return given or default values of all fields; UsageError if one is invalid or has no field."""
        return checked(self.fields, values, of=self.id)
