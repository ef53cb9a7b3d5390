"""The system's audio devices through miniaudio: PulseAudio (PipeWire), ALSA, JACK, Core Audio, WASAPI."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any, Final

import miniaudio
import numpy as np

from desktop.base.errors import SoundDeviceError
from desktop.base.wording import sentence
from desktop.media.audio.device import DeviceKind, Pull
from desktop.media.audio.samples import CHANNELS, RATE

# The device's buffer holds three. At 10 ms, a busy machine missed one in 200; 60 ms still pauses at once.
_PERIOD_MS: Final = 20
_PERIODS: Final = 3
# How long the device is watched until its lead is known.
_LEARNING: Final = 0.5
# miniaudio's own silent device would hide that there is none.
_BACKENDS: Final = [backend for backend in miniaudio.Backend if backend != miniaudio.Backend.NULL]


class DeviceLead:
    """Latency of a device: the delay until frames taken now are played. miniaudio does not expose the
    buffer's length, but a device fills it at once: the latency is what it took beyond the elapsed time.
    """

    def __init__(self) -> None:
        self._begun: float | None = None
        self._taken = 0
        self._leads: list[float] = []
        self._lead: float | None = None

    def take(self, frames: int, now: float) -> float:
        """Return when the first of `frames` that a device takes `now` will be heard."""
        if self._begun is None:
            self._begun = now
        taken, self._taken = self._taken / RATE, self._taken + frames
        passed = now - self._begun
        if self._lead is not None:
            return now + self._lead
        self._leads.append(taken - passed)
        if passed > _LEARNING:
            # The first quarter is the filling of the buffer.
            self._lead = max(0.0, float(np.median(self._leads[len(self._leads) // 4 :])))
        return max(now, self._begun + taken)


class Speakers:
    """A device by one of `names`, '' for the current default; SoundDeviceError if it is missing or in use."""

    def __init__(self, name: str = "", backends: list[miniaudio.Backend] = _BACKENDS) -> None:
        self.name = name
        self._lost: Callable[[], None] | None = None
        try:
            self._device: Any = miniaudio.PlaybackDevice(
                output_format=miniaudio.SampleFormat.FLOAT32,
                nchannels=CHANNELS,
                sample_rate=RATE,
                buffersize_msec=_PERIOD_MS,
                callback_periods=_PERIODS,
                device_id=_device_id(name, backends),
                backends=backends,
                app_name="Lightloom",
            )
        except miniaudio.MiniaudioError as error:
            raise _no_device(name) from error

    def start(self, pull: Pull, lost: Callable[[], None]) -> None:
        """Begin to play."""
        self._lost = lost
        self._device.stop_callback = self._on_stop
        feed = _feed(pull)
        next(feed)
        try:
            self._device.start(feed)
        except miniaudio.MiniaudioError as error:
            raise _no_device(self.name) from error

    def _on_stop(self) -> None:
        lost, self._lost = self._lost, None
        if lost is not None:
            lost()

    def close(self) -> None:
        """Stop, and let the device go."""
        self._lost = None
        self._device.close()


def _feed(pull: Pull) -> Generator[Any, int]:
    lead = DeviceLead()
    frames = yield b""
    while True:
        # `tobytes` in miniaudio copies once more; 8 kB every 20 ms are not worth its private interface.
        frames = yield pull(frames, lead.take(frames, time.perf_counter()))


def _no_device(name: str) -> SoundDeviceError:
    if name:
        return SoundDeviceError(
            sentence("The audio device {name} cannot be opened; choose another one.", name=name)
        )
    return SoundDeviceError(
        sentence("There is no audio device, so videos play silently; connect one and open the video again.")
    )


def _names() -> list[str]:
    try:
        return [device["name"] for device in miniaudio.Devices(_BACKENDS).get_playbacks()]
    except miniaudio.MiniaudioError:
        return []


def _device_id(name: str, backends: list[miniaudio.Backend]) -> Any:
    if not name:
        return None
    for device in miniaudio.Devices(backends).get_playbacks():
        if device["name"] == name:
            return device["id"]
    raise _no_device(name)


DEVICE: Final = DeviceKind(names=_names, open=Speakers)
