"""The microphone as the audio of a recording: the system's default, open while there is a listener."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from typing import Any, Protocol

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


def _feed(listener: Listener) -> Generator[None, Any]:
    data = yield
    while True:
        samples = np.frombuffer(data, np.float32).reshape(-1, CHANNELS)
        listener(time.perf_counter() - len(samples) / RATE, samples)
        data = yield


def open_microphone(listener: Listener, lost: Callable[[], None]) -> Microphone:
    """Open the system's microphone. Raises SoundDeviceError if there is none, or it may not be used."""
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
    try:
        device = miniaudio.CaptureDevice(
            input_format=miniaudio.SampleFormat.FLOAT32,
            nchannels=CHANNELS,
            sample_rate=RATE,
            buffersize_msec=_PERIOD_MS,
            backends=[backend for backend in miniaudio.Backend if backend != miniaudio.Backend.NULL],
            app_name="Lightloom",
        )
        device.stop_callback = lost
        device.start(feed)
    except miniaudio.MiniaudioError as error:
        raise SoundDeviceError(
            sentence(
                "No microphone can be used, so the recording has no audio; connect one, or allow Lightloom "
                "to use it."
            )
        ) from error
    return device


def microphone_listening(notify: Callable[[Text], None], opens: Opener = open_microphone) -> Listen:
    """Return what connects a recording to the microphone, opened on a thread, as systems may take long or ask
    the user. `notify` gets the reason if there is no audio.
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
            gone = lost.is_set()
            microphone.close()
            if gone:
                notify(sentence("The microphone was disconnected; the recording continues without audio."))

        threading.Thread(target=run, name="microphone", daemon=True).start()

        return ended.set

    return listen
