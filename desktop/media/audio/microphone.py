"""Audio inputs, open while there is a listener: the microphone for a recording, any one for automations."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from types import ModuleType
from typing import Any, Final, Protocol

import numpy as np

from desktop.base.errors import SoundDeviceError
from desktop.base.wording import Text, sentence
from desktop.media.audio.output import Listen, Listener
from desktop.media.audio.samples import CHANNELS, RATE

_PERIOD_MS = 20


class Microphone(Protocol):
    """An open microphone, which gives its blocks to a listener."""

    def close(self) -> None:
        """Let it go."""


Opener = Callable[[Listener, Callable[[], None]], Microphone]
"""Opens it: for a listener, and what is called if it goes away. Raises SoundDeviceError."""
InputOpener = Callable[[str, Listener, Callable[[], None]], Microphone]
"""Opens an audio input by its name, '' for the system's default, as an `Opener` does."""


def _feed(listener: Listener) -> Generator[None, Any]:
    data = yield
    while True:
        samples = np.frombuffer(data, np.float32).reshape(-1, CHANNELS)
        listener(time.perf_counter() - len(samples) / RATE, samples)
        data = yield


def open_microphone(listener: Listener, lost: Callable[[], None]) -> Microphone:
    """Open the system's microphone. Raises SoundDeviceError if there is none, or it may not be used."""
    return _open(
        "",
        listener,
        lost,
        sentence(
            "No microphone can be used, so the recording has no audio; connect one, or allow Lightloom to use it."
        ),
    )


def open_input(name: str, listener: Listener, lost: Callable[[], None]) -> Microphone:
    """Open one of `input_names`, '' for the system's default. Raises SoundDeviceError if it cannot be used."""
    if name:
        failure = sentence(
            "The audio input {name} cannot be used, so effects do not follow it; connect it, or choose another "
            "one.",
            name=name,
        )
    else:
        failure = sentence(
            "No audio input can be used, so effects do not follow it; connect one, or allow Lightloom to use it."
        )
    return _open(name, listener, lost, failure)


def input_names() -> list[str]:
    """Return the audio inputs of this machine. Slow."""
    try:
        import miniaudio
    except ImportError:
        return []
    try:
        return [device["name"] for device in miniaudio.Devices(_backends(miniaudio)).get_captures()]
    except miniaudio.MiniaudioError:
        return []


def _backends(miniaudio: ModuleType) -> list[Any]:
    # miniaudio's own silent device would hide that there is none.
    return [backend for backend in miniaudio.Backend if backend != miniaudio.Backend.NULL]


def _open(name: str, listener: Listener, lost: Callable[[], None], failure: Text) -> Microphone:
    try:
        import miniaudio
    except ImportError as error:
        raise SoundDeviceError(
            sentence(
                "The library for recording audio is not installed ({error}); reinstall Lightloom.",
                error=error,
            )
        ) from error
    feed = _feed(listener)
    next(feed)
    backends = _backends(miniaudio)
    try:
        ids = (
            {each["name"]: each["id"] for each in miniaudio.Devices(backends).get_captures()} if name else {}
        )
        if name and name not in ids:
            raise SoundDeviceError(failure)
        device = miniaudio.CaptureDevice(
            input_format=miniaudio.SampleFormat.FLOAT32,
            nchannels=CHANNELS,
            sample_rate=RATE,
            buffersize_msec=_PERIOD_MS,
            device_id=ids.get(name),
            backends=backends,
            app_name="Lightloom",
        )
        device.stop_callback = lost
        device.start(feed)
    except miniaudio.MiniaudioError as error:
        raise SoundDeviceError(failure) from error
    return device


_GONE: Final = sentence("The microphone was disconnected; the recording continues without audio.")


def microphone_listening(
    notify: Callable[[Text], None], opens: Opener = open_microphone, gone: Text = _GONE
) -> Listen:
    """Return what connects a recording to the microphone, opened on a thread, as systems may take long or ask
    the user. `notify` gets the reason if there is no audio, which is `gone` once it was disconnected.
    """

    def listen(listener: Listener) -> Callable[[], None]:
        ended, lost = threading.Event(), threading.Event()

        def go() -> None:
            lost.set()
            ended.set()

        def run() -> None:
            try:
                microphone = opens(listener, go)
            except SoundDeviceError as error:
                notify(error.args[0])
                return
            ended.wait()
            # Checked before closing, which some systems report like a disconnection.
            was_lost = lost.is_set()
            microphone.close()
            if was_lost:
                notify(gone)

        threading.Thread(target=run, name="microphone", daemon=True).start()

        return ended.set

    return listen
