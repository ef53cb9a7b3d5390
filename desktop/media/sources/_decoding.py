"""Choose the decoder of a video: software, or hardware if measured to be faster on this machine.

Hardware decoder output is copied from GPU memory, which for small videos takes longer than software decoding.
The first video of a codec and size class is tried both ways, and the result stored in the cache folder.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import av
from av.codec.hwaccel import HWAccel, hwdevices_available

from desktop.base.errors import SourceError
from desktop.base.files import read_regular, replace_file
from desktop.media.sources._video_file import decodes_on_device, open_file, video_stream

log = logging.getLogger(__name__)

# FFmpeg's names, in order of preference.
_KINDS: Final = {
    "darwin": ("videotoolbox",),
    "win32": ("d3d11va", "cuda", "dxva2"),
    "linux": ("vaapi", "cuda"),
}
TITLES: Final = {
    "cuda": "NVDEC",
    "vaapi": "VAAPI",
    "videotoolbox": "VideoToolbox",
    "d3d11va": "D3D11VA",
    "dxva2": "DXVA2",
    "qsv": "QSV",
    "amf": "AMF",
    "drm": "DRM",
}
AUTO: Final = "auto"
SOFTWARE: Final = "software"
# Below 720p software was always faster in measurements, so nothing is tried.
_LEAST_PIXELS: Final = 1280 * 720
_CLASSES: Final = (
    (1280 * 720, "720p"),
    (1920 * 1088, "1080p"),
    (2560 * 1440, "1440p"),
    (4096 * 2304, "2160p"),
)
_PICTURES: Final = 24
_LONGEST_S: Final = 0.6
_MOST_BYTES: Final = 1 << 20

Measure = Callable[[Path, str | None], float | None]
"""Returns the milliseconds to decode a frame with a device, or in software (None); None if it fails."""


@dataclass(frozen=True)
class Decision:
    """The chosen decoder and the reason, in words for display; `device` is None for software."""

    device: str | None
    reason: str


@dataclass(frozen=True)
class Hardware:
    """Hardware decoders of a system (`sys.platform`), by the device names that FFmpeg was built with."""

    built: tuple[str, ...] = field(default_factory=lambda: tuple(hwdevices_available()))
    platform: str = sys.platform

    def kinds(self) -> tuple[str, ...]:
        """Return the devices that FFmpeg supports and the system may have, in order of preference."""
        platform = "linux" if self.platform.startswith("linux") else self.platform
        return tuple(kind for kind in _KINDS.get(platform, ()) if kind in self.built)

    def offered(self, codec: Any) -> frozenset[str]:
        """Return the devices that FFmpeg decodes a codec on."""
        return frozenset(config.device_type.name for config in codec.hardware_configs if config.is_supported)

    def open(self, path: Path, device: str) -> Any:
        """Open a file for a device. Raises as `open_file`; RuntimeError if the device is absent."""
        return open_file(path, HWAccel(device, allow_software_fallback=True))

    def is_used(self, context: Any) -> bool:
        """Return whether a codec context that was opened for a device decodes there."""
        return decodes_on_device(context)


def kinds() -> tuple[str, ...]:
    """Return the devices that FFmpeg supports here and this system may have, in order of preference."""
    return Hardware().kinds()


def known_choice(wanted: str) -> str:
    """Return a stored choice, or 'auto' if it is not available here."""
    return wanted if wanted in (AUTO, SOFTWARE, *kinds()) else AUTO


def title_of(kind: str) -> str:
    """Return the display name of a device."""
    return TITLES.get(kind, kind)


def decide(
    wanted: str,
    path: Path,
    stream: Any,
    trials: Trials,
    measure: Measure | None = None,
    hardware: Hardware | None = None,
) -> Decision:
    """Choose the decoder of a video stream.

    Args:
        wanted: 'auto', 'software' (also 'none'), or a device by FFmpeg's name.
        trials: earlier measurements.
        measure: measuring function; by default it decodes the file's first frames.
        hardware: hardware decoders to choose from; by default those of this system.
    """
    context = stream.codec_context
    if wanted in (SOFTWARE, "none"):
        return Decision(None, "software (hardware decoding is off)")
    hardware = hardware or Hardware()
    offered = hardware.offered(context.codec)
    if wanted != AUTO:
        return _requested_decoder(wanted, context.codec.name, hardware.built, offered)
    candidates = [kind for kind in hardware.kinds() if kind in offered]
    if not candidates:
        return Decision(None, f"software (no hardware decoder for {context.codec.name} in this build)")
    if context.width * context.height < _LEAST_PIXELS:
        return Decision(None, "software (faster than a hardware decoder's copy back at this size)")
    return _faster(path, _class_of(context), candidates, trials, measure or first_pictures)


def _requested_decoder(wanted: str, codec: str, built: tuple[str, ...], offered: frozenset[str]) -> Decision:
    if wanted not in built:
        there = ", ".join(built) or "none"
        return Decision(None, f"software ({wanted} is not in this build of FFmpeg, which has {there})")
    if wanted not in offered:
        return Decision(None, f"software ({wanted} does not decode {codec})")
    return Decision(wanted, f"{title_of(wanted)} (as it is set)")


def _class_of(context: Any) -> str:
    """Return the class of videos with similar decoding times."""
    pixels = context.width * context.height
    size = next((name for most, name in _CLASSES if pixels <= most), "larger")
    return f"{context.codec.name} {context.pix_fmt} {size}"


def _faster(path: Path, key: str, candidates: list[str], trials: Trials, measure: Measure) -> Decision:
    software: float | None = None
    slower: list[str] = []
    for kind in candidates:
        found = trials.get(kind, key)
        if found is None:
            hardware = measure(path, kind)
            if hardware is None:
                # Not stored: a driver may be installed later, and finding none takes milliseconds.
                continue
            software = measure(path, None) if software is None else software
            if software is None:
                break
            found = (hardware, software)
            trials.store(kind, key, found)
        if found[0] < found[1]:
            return Decision(
                kind, f"{title_of(kind)} ({found[0]:.1f} ms per frame, by software {found[1]:.1f})"
            )
        slower.append(f"{found[1]:.1f} ms per frame, by {title_of(kind)} {found[0]:.1f}")
    if slower:
        return Decision(None, f"software ({slower[0]})")
    names = ", ".join(map(title_of, candidates))
    return Decision(None, f"software (this machine has no {names} for {key.split()[0]})")


def first_pictures(path: Path, device: str | None) -> float | None:
    """Measure the time to decode a frame of a file, including the copy to main memory. See `Measure`."""
    try:
        accel = HWAccel(device, allow_software_fallback=True) if device is not None else None
        with open_file(path, accel) as container:
            stream = video_stream(container, path)
            stream.thread_type = "AUTO"
            return _time(container, stream, on_device=device is not None)
    except (SourceError, av.FFmpegError, OSError, RuntimeError, ValueError, LookupError) as error:
        log.info("%s: %s is not tried: %s", path.name, device, error.__cause__ or error)
        return None


def _time(container: Any, stream: Any, *, on_device: bool) -> float | None:
    """Return milliseconds per frame; None for too few frames, or if the device is not used (`on_device`)."""
    count, begun = 0, 0.0
    for _ in container.decode(stream):
        now = time.perf_counter()
        if count == 0:
            # The first frame is not counted: it includes the start of devices and threads.
            begun = now
            if on_device and not decodes_on_device(stream.codec_context):
                return None
        count += 1
        if count > _PICTURES or now - begun > _LONGEST_S:
            break
    return (time.perf_counter() - begun) / (count - 1) * 1e3 if count > 2 else None


class Trials:
    """Measurements by device, codec and size class, stored in a file that may be deleted."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, kind: str, key: str) -> tuple[float, float] | None:
        """Return milliseconds per frame by the device and by software; None if not measured."""
        found = self._read().get(f"{kind} {key}")
        return found if found is not None and min(found) > 0 else None

    def store(self, kind: str, key: str, found: tuple[float, float]) -> None:
        """Store a measurement. If it cannot be written, it is measured again next time."""
        kept = {name: list(each) for name, each in self._read().items()} | {f"{kind} {key}": list(found)}
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._file, [json.dumps(kept, indent=1).encode()])
        except OSError as error:
            log.info("%s cannot be written: %s", self._file, error)

    def _read(self) -> dict[str, tuple[float, float]]:
        try:
            document = json.loads(read_regular(self._file, _MOST_BYTES))
            return {str(key): (float(value[0]), float(value[1])) for key, value in document.items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError):
            return {}
