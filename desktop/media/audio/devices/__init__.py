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
    """Return a kind by its name. Raises SoundDeviceError if it is unknown or not usable on this system."""
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
    """Open 'kind:name' or 'kind', '' for the default speakers; SoundDeviceError if absent or not usable."""
    kind, _, name = choice.partition(":")
    return device_kind(kind or SPEAKERS).open(name)
