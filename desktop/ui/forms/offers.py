"""Values available for settings, from the program or the machine. Functions import on call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from desktop.base.errors import UsageError
from desktop.base.fields import Option
from desktop.base.wording import sentence
from desktop.outputs import encoding


class UsedModels(Protocol):
    """The networks used before, as `Settings` holds them."""

    @property
    def models(self) -> list[str]:
        """Their paths, newest first."""


def languages(_: object) -> Sequence[Option]:
    """Return the window's languages by their codes."""
    from desktop.ui.kit.language import LANGUAGES

    return tuple(LANGUAGES.items())


def adapters(_: object) -> Sequence[Option]:
    """Return the graphics adapters, as `Gpu.open` takes them. Some drivers take seconds."""
    from desktop.compute.gpu.device import list_adapters

    return tuple((info.choice, str(info)) for info in list_adapters())


def sound_devices(_: object) -> Sequence[Option]:
    """Return the audio devices, as `open_device` takes them. Slow."""
    from desktop.base.errors import SoundDeviceError
    from desktop.media.audio.devices import SILENT, SPEAKERS, device_kind

    try:
        names = device_kind(SPEAKERS).names()
    except SoundDeviceError:
        names = []
    found = [(f"{SPEAKERS}:{name}", name) for name in names]
    return (*found, (SILENT, sentence("None: everything is silent")))


DEFAULT_INPUT: Final = "default"
"""The system's audio input, where the others are 'input:' and a name."""


def audio_inputs(_: object) -> Sequence[Option]:
    """Return the audio inputs. Slow."""
    from desktop.media.audio.microphone import input_names

    found = [(f"input:{name}", name) for name in input_names()]
    return ((DEFAULT_INPUT, sentence("As the system")), *found)


def decoders(_: object) -> Sequence[Option]:
    """Return the video decoders of this system, as `Decoded.decode_by` takes them."""
    from desktop.media.sources._decoding import SOFTWARE, kinds, title_of

    return ((SOFTWARE, sentence("Software")), *((kind, title_of(kind)) for kind in kinds()))


def screens(_: object) -> Sequence[Option]:
    """Return the screens by name, and a window."""
    from PySide6.QtGui import QGuiApplication

    found = [
        (screen.name(), f"{screen.name()} ({screen.size().width()} × {screen.size().height()})")
        for screen in QGuiApplication.screens()
    ]
    return (("window", sentence("A window")), *found)


def networks(settings: UsedModels) -> Sequence[Option]:
    """Return the bundled networks by name and the networks used before by path."""
    from desktop.vision.models.builtin import builtin_models

    found = [(name, model.title) for name, model in builtin_models().items()]
    own = {str(model.path) for model in builtin_models().values()}
    return (*found, *((path, Path(path).stem) for path in settings.models if path not in own))


def check_mirror(text: str) -> None:
    """Raise UsageError if a text is not a valid mirror address."""
    from desktop.vision.models.library.catalogue import is_address

    if text and not is_address(text, ("http", "https")):
        raise UsageError(sentence("The mirror must be an http or https address."))


def check_metrics_address(text: str) -> None:
    """Raise UsageError if a text is not a valid address for metrics."""
    from desktop.metrics.address import Address

    if text:
        Address.of(text)


def check_osc_address(text: str) -> None:
    """Raise UsageError if a text is not a valid port for OSC."""
    from desktop.pipeline.automation.inputs.osc import osc_endpoint

    if text:
        osc_endpoint(text)


# -- recordings ----------------------------------------------------------------------------------------------

CONTAINERS: Final = {
    suffix: f"{container.title} ({suffix})" for suffix, container in encoding.CONTAINERS.items()
}
CODECS: Final = {
    "": sentence("Recommended"),  # that of the container
    **{name: codec.title for name, codec in encoding.CODECS.items()},
}
QUALITIES: Final = {
    # Steps from a codec's usual quality, on a scale to 51.
    "": sentence("Recommended"),
    "-8": sentence("Best"),
    "-4": sentence("High"),
    "8": sentence("Smaller file"),
    "16": sentence("Smallest file"),
}
SERIES: Final = {
    ".png": sentence("PNG, a file for each frame"),
    ".exr": sentence("OpenEXR, a file for each frame"),
}
HEIGHTS: Final = {
    "": sentence("Same as source"),
    **{str(height): f"{height}p" for height in (2160, 1440, 1080, 720, 480, 360, 240)},
}
SEGMENTS: Final = {
    "": sentence("Never"),
    "1m": sentence("Every minute"),
    "10m": sentence("Every 10 minutes"),
    "30m": sentence("Every 30 minutes"),
    "1h": sentence("Every hour"),
}
RATES: Final = {
    "": sentence("Same as source"),
    **{str(rate): f"{rate} FPS" for rate in (60, 50, 30, 25, 24, 15, 10)},
}
