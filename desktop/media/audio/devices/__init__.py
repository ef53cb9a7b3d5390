"""Audio device kinds. A file here that defines DEVICE is discovered automatically and imported on use."""

from __future__ import annotations

import importlib
from typing import Final

from desktop.base.errors import SoundDeviceError
from desktop.base.wording import sentence
from desktop.media.audio.device import AudioDevice, DeviceKind

SPEAKERS: Final = "speakers"
SILENT: Final = "silent"


def device_kind(name: str) -> DeviceKind:
    """Return a kind by its name.

    Raises:
        SoundDeviceError: unknown name, or not usable on this system.
    """
    try:
        module = importlib.import_module(f"{__name__}.{name}")
    except ImportError as error:
        raise SoundDeviceError(
            sentence(
                "The library for playing audio is not installed ({error}); reinstall Lightloom.", error=error
            )
        ) from error
    kind: DeviceKind = module.DEVICE
    return kind


def open_device(choice: str) -> AudioDevice:
    """Open a device.

    Args:
        choice: 'kind:name' or 'kind'; '' for the system's default speakers.

    Raises:
        SoundDeviceError: there is none, or it cannot be opened.
    """
    kind, _, name = choice.partition(":")
    return device_kind(kind or SPEAKERS).open(name)
