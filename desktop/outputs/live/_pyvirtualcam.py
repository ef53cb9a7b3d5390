"""A virtual camera on Windows and macOS: OBS Studio's or Unity Capture's device, through pyvirtualcam. That
is under the GPL 2: in no lock file or bundle, an extra imported only when the output is switched on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from desktop.base.errors import ExportError
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.outputs.live._package import Package

_PACKAGE: Final = Package("pyvirtualcam", "virtual-camera", sentence("Virtual camera"))


class VirtualCameraTarget:
    """A camera that takes frames; see `CameraTarget`."""

    pixel_format = "rgb24"

    def __init__(self, camera: Any) -> None:
        self._camera = camera
        self.size: tuple[int, int] = (camera.width, camera.height)

    def send(self, frame: Any) -> None:
        """Send an `av.VideoFrame` ('rgb24', of its size); ExportError if the device rejects it."""
        try:
            self._camera.send(frame.to_ndarray())
        except (RuntimeError, OSError, ValueError) as error:
            raise ExportError(
                sentence(
                    "The virtual camera takes no more frames: {reason}; switch the output off and on again.",
                    reason=printable(str(error)),
                )
            ) from error

    def close(self) -> None:
        """Let the device go."""
        self._camera.close()


@dataclass(frozen=True)
class Installed:
    """The cameras that pyvirtualcam provides."""

    package: Package = _PACKAGE

    def offered(self) -> tuple[str, ...]:
        """Return nothing: there is no asking what devices there are."""
        return ()

    def missing(self, device: str) -> str:
        """Return a sentence on what has to be installed, '' for nothing."""
        if self.package.is_there:
            return ""
        return sentence(
            "A virtual camera needs OBS Studio, and a package that no installer of Lightloom carries: "
            "{command}",
            command=self.package.command,
        )

    def open(self, device: str, size: tuple[int, int], rate: float) -> VirtualCameraTarget:
        """Open a device by its name, '' for the first; ExportError if it is missing or in use."""
        if missing := self.missing(device):
            raise ExportError(missing)
        module = self.package.get()
        try:
            camera = module.Camera(width=size[0], height=size[1], fps=rate, device=device or None)
        except (RuntimeError, OSError, ValueError) as error:
            raise ExportError(
                sentence(
                    "No virtual camera can be opened: {reason}; install OBS Studio, start its virtual "
                    "camera once, and end it there.",
                    reason=printable(str(error)),
                )
            ) from error
        return VirtualCameraTarget(camera)
