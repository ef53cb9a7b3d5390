"""A virtual camera on Windows and macOS: OBS Studio's or Unity Capture's device, through pyvirtualcam. That
is under the GPL 2: in no lock file or bundle, an extra imported only when the output is switched on. The window
installs it into a folder of the user's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from desktop.base.errors import ExportError
from desktop.base.printable import printable
from desktop.base.wording import sentence
from desktop.outputs.live._package import Package
from desktop.outputs.live._user_package import UserPackage, wheel_tags

_VERSION: Final = "0.15.0"
# What stands in the names of its wheels, by the name of the system.
_SYSTEMS: Final = {
    "win_amd64": "win_amd64",
    "darwin_x86_64": "macosx_10_9_x86_64",
    "darwin_arm64": "macosx_11_0_arm64",
}
_SHA256: Final = {
    ("cp311", "darwin_arm64"): "034518d0e2936ff03cca36c36725a7c0d824a41f802f39bade1378b6d8c0cf3e",
    ("cp311", "darwin_x86_64"): "15398592c2cd1fd5907580b97e4c9784f21d5d0eae294513b7ac6adb50809b4b",
    ("cp311", "win_amd64"): "e79c51d59e76ec568320a98b776501ebf4cab482cd2cde6286889e173c23c265",
    ("cp312", "darwin_arm64"): "ca94ee514dbe9014766cc7bb442bc2c0521770cb1cb3220300f5cc017e4f14e2",
    ("cp312", "darwin_x86_64"): "249f65b70092a6966c1af36b1d5d5489bfb5728e47d88f353408946d0d0462fd",
    ("cp312", "win_amd64"): "761f8d25e96d7987e0c383ac144bd5d314b9d4edee07e844f057dfb6c8ddb6da",
    ("cp313", "darwin_arm64"): "131bb12dfddc6d3def85d3b82e6c3e0060069de4164fb413b756641c6cd3aa9b",
    ("cp313", "darwin_x86_64"): "7c57eb80422a0aaec6c22653ac56326890b7ee448993f9181ff4d4dbb53a4e8c",
    ("cp313", "win_amd64"): "5deb5a68a95a9b3a67bac3b0c614ed084421ec22726a811fc6c575864f912be2",
    ("cp314", "darwin_arm64"): "b2247e7e5d126ddaa3c514d76ab57dd8a4b3d8e02dcd5a57bfb93537627b745a",
    ("cp314", "darwin_x86_64"): "2b54ac35ce67886184030196ccf372b0ebcacf68abe56f595fadbf162ebc088a",
    ("cp314", "win_amd64"): "4fb2728b3109368bc0d189171e4e44f257bb78c33578122134c2eeb9eea089b7",
}


def _wheel(python: str, system: str) -> str:
    return f"pyvirtualcam-{_VERSION}-{python}-{python}-{_SYSTEMS[system]}.whl"


USER_PACKAGE: Final = UserPackage(
    "pyvirtualcam",
    _VERSION,
    "GPL 2.0",
    {tags: (_wheel(*tags), checksum) for tags, checksum in _SHA256.items()},
    wheel_tags(),
)
_PACKAGE: Final = Package(
    "pyvirtualcam", "virtual-camera", sentence("Virtual camera"), USER_PACKAGE.find, USER_PACKAGE.load
)


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
