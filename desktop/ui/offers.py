"""What a setting can be set to, of what the program brings or the machine has; each imports what it asks when it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from desktop.errors import UsageError
from desktop.wording import sentence

if TYPE_CHECKING:
    from desktop.ui.setting import Offer


class UsedModels(Protocol):
    """What is known of networks that were used: of the `Settings`."""

    @property
    def models(self) -> list[str]:
        """Their paths, newest first."""


HEIGHTS: Final = (2160, 1440, 1080, 720, 480, 360, 240)
RATES: Final = (60, 50, 30, 25, 24, 15, 10)


def languages(_: object) -> Sequence[Offer]:
    """The window's languages by their codes."""
    from desktop.ui.language import LANGUAGES

    return tuple(LANGUAGES.items())


def adapters(_: object) -> Sequence[Offer]:
    """The graphics adapters, as `Gpu.open` takes them. Slow: some drivers take seconds to tell what they have."""
    from desktop.compute.gpu.device import list_adapters

    return tuple((info.choice, str(info)) for info in list_adapters())


def sound_devices(_: object) -> Sequence[Offer]:
    """What plays sound, as `open_device` takes it. Slow."""
    from desktop.compute.media.audio.devices import SILENT, SPEAKERS, device_kind
    from desktop.errors import SoundDeviceError

    try:
        names = device_kind(SPEAKERS).names()
    except SoundDeviceError:
        names = []
    found = [(f"{SPEAKERS}:{name}", name) for name in names]
    return (*found, (SILENT, sentence("None: everything is silent")))


def decoders(_: object) -> Sequence[Offer]:
    """Who can decode videos on this system, as `Decoded.decode_by` takes it."""
    from desktop.compute.media.sources._decoding import SOFTWARE, kinds, title_of

    return ((SOFTWARE, sentence("Software")), *((kind, title_of(kind)) for kind in kinds()))


def screens(_: object) -> Sequence[Offer]:
    """The screens by their names, and a window."""
    from PySide6.QtGui import QGuiApplication

    found = [
        (screen.name(), f"{screen.name()} ({screen.size().width()} × {screen.size().height()})")
        for screen in QGuiApplication.screens()
    ]
    return (("window", sentence("A window")), *found)


def networks(settings: UsedModels) -> Sequence[Offer]:
    """The networks in the box by their names, and those that were used by their paths."""
    from desktop.compute.models.builtin import builtin_models

    found = [(name, model.title) for name, model in builtin_models().items()]
    own = {str(model.path) for model in builtin_models().values()}
    return (*found, *((path, Path(path).stem) for path in settings.models if path not in own))


def mirror_fault(text: str) -> str:
    """Say why a text is no mirror's address."""
    from desktop.compute.models.catalogue import is_address

    fits = not text or is_address(text, ("http", "https"))
    return "" if fits else sentence("The mirror must be an http or https address.")


def metrics_fault(text: str) -> str:
    """Say why a text is no address to serve metrics at."""
    from desktop.compute.metrics.address import Address

    if text:
        try:
            Address.of(text)
        except UsageError as error:
            return str(error)
    return ""


# -- recordings --------------------------------------------------------------------------------------------------------


def containers() -> tuple[Offer, ...]:
    """The kinds of video files by their endings."""
    from desktop.compute.outputs.encoding import CONTAINERS

    return tuple((suffix, f"{container.title} ({suffix})") for suffix, container in CONTAINERS.items())


def codecs() -> tuple[Offer, ...]:
    """The codecs, '' for the usual one of a kind of file."""
    from desktop.compute.outputs.encoding import CODECS

    return (("", sentence("Usual")), *((name, codec.title) for name, codec in CODECS.items()))


def qualities() -> tuple[Offer, ...]:
    """Steps from a codec's usual quality, on a scale to 51."""
    return (
        ("", sentence("Usual")),
        ("-8", sentence("Best")),
        ("-4", sentence("High")),
        ("8", sentence("Low, small file")),
        ("16", sentence("Lowest, smallest file")),
    )


def heights() -> tuple[Offer, ...]:
    """Heights in lines."""
    return (
        ("", sentence("As the picture")),
        *((str(height), sentence("{height} lines", height=height)) for height in HEIGHTS),
    )


def rates() -> tuple[Offer, ...]:
    """Pictures a second."""
    return (
        ("", sentence("As the source")),
        *((str(rate), sentence("{rate} a second", rate=rate)) for rate in RATES),
    )
