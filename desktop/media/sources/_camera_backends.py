"""Camera backends: list cameras and their modes, open one; one class for each system, by libavdevice.

Not Qt Multimedia: `desktop.compute` never imports Qt, and frames cost a conversion. Not OpenCV: it converts
every frame to BGR, and reports neither formats nor error causes.
"""

from __future__ import annotations

import contextlib
import errno
import re
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import av
import av.device
import av.logging

from desktop.base.wording import sentence
from desktop.media import v4l2
from desktop.media.containers import open_container
from desktop.media.sources._camera_controls import CameraControl
from desktop.media.sources._v4l2_controls import Controls

CameraMode = v4l2.Mode

FailureState = Literal["denied", "busy", "lost"]


@dataclass(frozen=True)
class CameraInfo:
    """A connected camera.

    Attributes:
        id: stable across reconnects, as far as the system allows; `name` is not unique.
        device: the system's current name, for the backend alone.
    """

    id: str
    name: str
    device: str


class CameraBackend(Protocol):
    """System interface of `CameraSource`. Methods may block and may be called from any thread."""

    needs_permission: bool

    def cameras(self) -> list[CameraInfo]:
        """Return the cameras that are connected."""

    def modes(self, camera: CameraInfo) -> list[CameraMode]:
        """Return what the camera can deliver; empty where it can't be found out."""

    def open(self, camera: CameraInfo, mode: CameraMode | None) -> Any:
        """Return an open `av.container.InputContainer`, by default in the device's default mode. Raises
        OSError or av.FFmpegError with the system's `errno`.
        """

    def controls(self, camera: CameraInfo) -> tuple[CameraControl, ...]:
        """Return the open camera's controls, none if not reported; OSError if it is disconnected."""

    def set_control(self, camera: CameraInfo, control: str, value: int) -> None:
        """Set a control of the open camera; OSError if refused, or the camera is disconnected."""

    def explain(self, error: Exception) -> FailureState:
        """Tell what an error of `open`, or one while reading, means."""

    def hint(self, state: FailureState) -> str:
        """Return what the user is to do on this system."""


def system_backend() -> CameraBackend:
    """Return the backend of the system that the program runs on."""
    if sys.platform == "darwin":
        return AvFoundation()
    if sys.platform == "win32":
        return DirectShow()
    return Video4Linux()


def _number(error: Exception) -> int:
    # PyAV's exceptions have the number too, and not all of them are OSErrors.
    return getattr(error, "errno", None) or 0


def _by_errno(error: Exception) -> FailureState:
    if _number(error) in (errno.EACCES, errno.EPERM):
        return "denied"
    return "busy" if _number(error) == errno.EBUSY else "lost"


_BUSY_HINT = sentence("close the program that uses it")
_LOST_HINT = sentence("plug it in again")


class Video4Linux:
    """Linux: nodes and modes by ioctl, frames by libavdevice's v4l2; `devices` is the nodes' folder."""

    needs_permission = False

    def __init__(self, devices: Path = Path("/dev")) -> None:
        self._devices = devices

    def cameras(self) -> list[CameraInfo]:
        """Return the capturing nodes, and those that this user may not open."""
        found = [CameraInfo(one.id, one.name, str(one.path)) for one in v4l2.find(self._devices, v4l2.ioctl)]
        hidden = v4l2.unreadable(self._devices)
        return found + [
            CameraInfo(f"node:{path.name}", f"{path.name} (no permission)", str(path)) for path in hidden
        ]

    def modes(self, camera: CameraInfo) -> list[CameraMode]:
        """Ask the driver."""
        try:
            with v4l2.Node(Path(camera.device), v4l2.ioctl) as node:
                return node.modes()
        except OSError:
            return []

    def open(self, camera: CameraInfo, mode: CameraMode | None) -> Any:
        """Open the node."""
        return open_container(camera.device, format="v4l2", options=_options(mode, "input_format"))

    def controls(self, camera: CameraInfo) -> tuple[CameraControl, ...]:
        """Ask the driver, by a second descriptor."""
        with Controls(Path(camera.device), v4l2.ioctl) as node:
            return node.read()

    def set_control(self, camera: CameraInfo, control: str, value: int) -> None:
        """Tell the driver."""
        with Controls(Path(camera.device), v4l2.ioctl) as node:
            node.write(control, value)

    def explain(self, error: Exception) -> FailureState:
        """By errno."""
        return _by_errno(error)

    def hint(self, state: FailureState) -> str:
        """Groups, other programs, cables."""
        return {
            "denied": sentence(
                "add yourself to the group 'video' (sudo usermod -aG video $USER) and log in again"
            ),
            "busy": _BUSY_HINT,
            "lost": _LOST_HINT,
        }[state]


class _NoControls:
    """Without camera controls: libavdevice has none, and OpenCV's would need exclusive access."""

    def controls(self, camera: CameraInfo) -> tuple[CameraControl, ...]:
        """None."""
        return ()

    def set_control(self, camera: CameraInfo, control: str, value: int) -> None:
        """Refuse."""
        raise OSError(errno.ENOTSUP, control)


class AvFoundation(_NoControls):
    """macOS. The id is the device's name (numbered if repeated): libavdevice exposes no other."""

    needs_permission = True

    def cameras(self) -> list[CameraInfo]:
        """Return the cameras; screens are not among them."""
        devices = av.device.enumerate_input_devices("avfoundation")
        cameras = [
            d for d in devices if "video" in d.media_types and not d.description.startswith("Capture screen")
        ]
        return _numbered([(d.description, d.name) for d in cameras])

    def modes(self, camera: CameraInfo) -> list[CameraMode]:
        """Ask for a size that no camera has: libavdevice then logs those that there are."""
        return parse_avfoundation_modes(
            _logged(camera.device, "avfoundation", {"video_size": "2x2", "framerate": "1"})
        )

    def open(self, camera: CameraInfo, mode: CameraMode | None) -> Any:
        """Open by index; by default at 30 frames a second: libavdevice's default (29.97) fits few cameras."""
        options = _options(mode, "pixel_format") if mode else {"framerate": "30"}
        return open_container(f"{camera.device}:none", format="avfoundation", options=options)

    def explain(self, error: Exception) -> FailureState:
        """A camera that is listed but does not open was refused by the system."""
        return "denied" if _number(error) in (errno.EIO, errno.EPERM, errno.EACCES) else _by_errno(error)

    def hint(self, state: FailureState) -> str:
        """Return advice on allowing cameras in the system's settings."""
        return {
            "denied": sentence(
                "allow it in System Settings > Privacy & Security > Camera and start Lightloom again"
            ),
            "busy": _BUSY_HINT,
            "lost": _LOST_HINT,
        }[state]


class DirectShow(_NoControls):
    """Windows. The id is the device's path (bus, port and serial number where it has one)."""

    needs_permission = False

    def cameras(self) -> list[CameraInfo]:
        """Return the video capture devices."""
        devices = av.device.enumerate_input_devices("dshow")
        return [CameraInfo(d.name, d.description, d.name) for d in devices if "video" in d.media_types]

    def modes(self, camera: CameraInfo) -> list[CameraMode]:
        """Have libavdevice log the modes."""
        return parse_dshow_modes(_logged(f"video={camera.device}", "dshow", {"list_options": "1"}))

    def open(self, camera: CameraInfo, mode: CameraMode | None) -> Any:
        """Open by the device's path."""
        compressed = mode is not None and mode.pixel_format in ("mjpeg", "h264", "hevc")
        options = _options(mode, "vcodec" if compressed else "pixel_format")
        # Room for about three raw frames of 1080p; libavdevice's default of 3 MB holds less than one.
        return open_container(
            f"video={camera.device}", format="dshow", options={**options, "rtbufsize": "25000000"}
        )

    def explain(self, error: Exception) -> FailureState:
        """DirectShow reports EIO for a device in use, and for one that privacy settings block."""
        return "busy" if _number(error) == errno.EIO else _by_errno(error)

    def hint(self, state: FailureState) -> str:
        """Other programs, or the privacy settings."""
        privacy = sentence("allow it in Settings > Privacy & security > Camera")
        busy = sentence("{hint}, or {privacy}", hint=_BUSY_HINT, privacy=privacy)
        return {"denied": privacy, "busy": busy, "lost": _LOST_HINT}[state]


def _options(mode: CameraMode | None, format_option: str) -> dict[str, str]:
    if mode is None:
        return {}
    options = {"video_size": f"{mode.width}x{mode.height}"}
    if mode.rate:
        options["framerate"] = f"{mode.rate:g}"
    if mode.pixel_format:
        options[format_option] = mode.pixel_format
    return options


def _numbered(named: list[tuple[str, str]]) -> list[CameraInfo]:
    cameras: list[CameraInfo] = []
    for name, device in named:
        before = sum(camera.name == name for camera in cameras)
        cameras.append(CameraInfo(f"{name}#{before + 1}" if before else name, name, device))
    return cameras


# Log capture changes a level that belongs to the whole process: one at a time.
_LOG_LOCK = threading.Lock()


def _logged(device: str, driver: str, options: dict[str, str]) -> str:
    with _LOG_LOCK:
        level = av.logging.get_level()
        av.logging.set_level(av.logging.INFO)
        try:
            # The wanted text comes with a refusal.
            with av.logging.Capture() as lines, contextlib.suppress(av.FFmpegError, OSError):
                open_container(device, format=driver, options=options).close()
        finally:
            av.logging.set_level(level)
    return "".join(line[2] if line[2].endswith("\n") else line[2] + "\n" for line in lines)


_DSHOW_MODE = re.compile(
    r"(?:pixel_format=(?P<pixels>\w+)|vcodec=(?P<codec>\w+))\s+"
    r"min s=\d+x\d+ fps=[\d.]+ max s=(?P<w>\d+)x(?P<h>\d+) fps=(?P<rate>[\d.]+)"
)
_AVF_MODE = re.compile(r"(?P<w>\d+)x(?P<h>\d+)@\[(?P<low>[\d.]+) (?P<rate>[\d.]+)\]fps")


def parse_dshow_modes(text: str) -> list[CameraMode]:
    """Read the modes that libavdevice's dshow logs for `list_options`; of a range, its upper end."""
    found = (
        CameraMode(int(m["w"]), int(m["h"]), round(float(m["rate"]), 2), m["codec"] or m["pixels"])
        for m in _DSHOW_MODE.finditer(text)
    )
    return list(dict.fromkeys(found))


def parse_avfoundation_modes(text: str) -> list[CameraMode]:
    """Read the sizes and rates that libavdevice's avfoundation logs; pixel formats are not reported ('')."""
    found = (
        CameraMode(int(m["w"]), int(m["h"]), round(float(m["rate"]), 2), "") for m in _AVF_MODE.finditer(text)
    )
    return list(dict.fromkeys(found))
