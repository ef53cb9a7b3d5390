"""Audio output: mixes voices, applies volume and mute, and handles missing or removed devices. The device is
open while a voice plays. Without one, a null device keeps the clock and recordings running.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

import numpy as np

from desktop.base.errors import SoundDeviceError
from desktop.base.wording import Text, sentence
from desktop.media.audio.clock import DeviceClock
from desktop.media.audio.device import AudioDevice
from desktop.media.audio.devices import SILENT, open_device
from desktop.media.audio.samples import CHANNELS, FADE, silence

log = logging.getLogger(__name__)

# An open device keeps the audio hardware awake, but a short pause should not cost the time to reopen it.
_IDLE_CLOSE: Final = 5.0
# A device that requested nothing for this long is reopened without notice: the machine may have been busy.
_DEAD_AFTER: Final = 3.0
_POLL: Final = 0.25

Listener = Callable[[float, np.ndarray], None]
"""Receive audio before the volume: time of the first frame, float32 [frames, 2]. Must not block."""

Listen = Callable[[Listener], Callable[[], None]]
"""Connects a listener; returns the function that disconnects it."""


class Speaking(Protocol):
    """A voice: provides samples to an output."""

    @property
    def wants_device(self) -> bool:
        """True while it has samples to play."""

    def render(self, first: int, frames: int) -> np.ndarray | None:
        """Return the frames from the output's frame `first` on, None for silence. Never blocks."""


class SoundOutput:
    """One per window; `choice` is a device for `open_device`, '' for the default. Thread-safe."""

    def __init__(
        self,
        choice: str = "",
        *,
        opens: Callable[[str], AudioDevice] = open_device,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.on_notice: Callable[[Text], None] | None = None
        self.volume = 1.0
        self.muted = False
        self._choice = choice
        self._opens = opens
        self._now = clock
        self._voices: tuple[Speaking, ...] = ()
        self._listeners: tuple[Listener, ...] = ()
        self._changed = threading.Condition()
        self._clock = DeviceClock()
        self._frames = 0
        self._gain = 1.0
        self._device: AudioDevice | None = None
        self._silent = False
        self._reported: set[str] = set()
        self._requested_at = 0.0
        self._needed_at = 0.0
        self._lost = self._again = self._closing = False
        self._thread: threading.Thread | None = None

    # -- voices and listeners --------------------------------------------------------------------------------

    def add(self, voice: Speaking) -> None:
        """Connect a voice."""
        with self._changed:
            self._voices = (*self._voices, voice)
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._manage_device, name="audio output", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def remove(self, voice: Speaking) -> None:
        """Disconnect a voice."""
        with self._changed:
            self._voices = tuple(v for v in self._voices if v is not voice)

    def wake(self) -> None:
        """Check the device now: a voice has begun to play."""
        with self._changed:
            self._changed.notify_all()

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Pass everything played to a listener; return the function that ends this."""
        with self._changed:
            self._listeners = (*self._listeners, listener)

        def end() -> None:
            with self._changed:
                self._listeners = tuple(known for known in self._listeners if known is not listener)

        return end

    def frame_at(self, now: float) -> float | None:
        """Return the number of the frame heard `now`, None while there is no device."""
        with self._changed:
            return self._clock.frame_at(now)

    def now(self) -> float:
        """Return the time on the program's clock."""
        return self._now()

    @property
    def has_device(self) -> bool:
        """True while a device is open, be it the silent one."""
        return self._device is not None

    @property
    def is_silent(self) -> bool:
        """True if there is no audible device."""
        return self._silent

    def use_device(self, choice: str) -> None:
        """Switch to another device."""
        with self._changed:
            self._choice, self._again = choice, True
            self._reported.clear()
            self._changed.notify_all()

    # -- device thread ---------------------------------------------------------------------------------------

    def _pull(self, frames: int, at: float) -> np.ndarray:
        with self._changed:
            first, self._frames = self._frames, self._frames + frames
            self._clock.observe(first, at)
            self._requested_at = self._now()
            voices, listeners = self._voices, self._listeners
        out = silence(frames)
        for voice in voices:
            said = voice.render(first, frames)
            if said is not None:
                out += said
        for listener in listeners:
            listener(at, out)
        return np.clip(out * self._ramp(frames), -1.0, 1.0)

    def _ramp(self, frames: int) -> np.ndarray:
        """Return the volume per frame, ramped to avoid clicks. Cubic, as in mpv: half way is half as loud."""
        target = 0.0 if self.muted else max(0.0, min(1.0, self.volume)) ** 3
        before, self._gain = self._gain, target
        ramp = np.full((frames, 1), target, np.float32)
        length = min(frames, 2 * FADE)
        ramp[:length, 0] = np.linspace(before, target, length, dtype=np.float32)
        return np.broadcast_to(ramp, (frames, CHANNELS))

    # -- device management thread ----------------------------------------------------------------------------

    def _manage_device(self) -> None:
        while True:
            with self._changed:
                if self._closing:
                    break
                now = self._now()
                if any(voice.wants_device for voice in self._voices):
                    begins, self._needed_at = now - self._needed_at > 2 * _POLL, now
                else:
                    begins = False
                idle = now - self._needed_at > _IDLE_CLOSE
                again, self._again = self._again, False
                dead = self._device is not None and now - self._requested_at > _DEAD_AFTER
                lost, self._lost = self._lost, False
                # An output without a device looks for one again when there is something new to play.
                again = again or (begins and self._silent)
            if self._device is not None and (idle or again or lost or dead):
                self._let_go(lost=lost)
            if self._device is None and not idle:
                self._open()
            with self._changed:
                if not (self._closing or self._again or self._lost):
                    self._changed.wait(_POLL)
        self._let_go(lost=False)

    def _let_go(self, *, lost: bool) -> None:
        device, self._device = self._device, None
        if device is None:
            return
        if lost and not self._silent:
            self._report_once(
                "lost",
                sentence(
                    "The audio device was disconnected; playback continues on another one if there is one."
                ),
            )
        with self._changed:
            self._clock.reset()
        device.close()

    def _open(self) -> None:
        for choice in dict.fromkeys((self._choice, "", SILENT)):
            try:
                device = self._opens(choice)
                with self._changed:
                    self._requested_at = self._now()
                device.start(self._pull, self._on_lost)
            except SoundDeviceError as error:
                self._report_once(choice, error.args[0])
                continue
            self._device, self._silent = device, choice == SILENT
            if not self._silent:
                self._reported.clear()
            return

    def _on_lost(self) -> None:
        with self._changed:
            self._lost = True
            self._changed.notify_all()

    def _report_once(self, about: str, text: Text) -> None:
        if about not in self._reported:
            self._reported.add(about)
            self.notify(text)

    def notify(self, text: Text) -> None:
        """Show the user a notice about audio."""
        log.warning("%s", text)
        if self.on_notice is not None:
            self.on_notice(text)

    def close(self) -> None:
        """Release the device and stop. May be called twice."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(5.0)
