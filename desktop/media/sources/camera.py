"""Cameras: a list with stable ids, a choice of modes, hot-plug, and a source that reports problems and
recovers.

- failed, error.state 'busy': another program uses it; tried again every 2 s
- failed, error.state 'denied': no permission; nothing follows until the user acts
- asking: the system asks the user for permission (macOS)
- lost: unplugged, or no frame for 3 s; reopened as soon as the camera with this id is back
"""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import av

from desktop.base.clock import MACHINE_CLOCK, Clock
from desktop.base.errors import CameraError, SourceError, SourceUnsupportedError, UsageError
from desktop.base.wording import sentence
from desktop.media.sources._camera_backends import (
    CameraBackend,
    CameraInfo,
    CameraMode,
    system_backend,
)
from desktop.media.sources._camera_controls import CameraControl, defaults_of, in_order
from desktop.media.sources._live import SILENCE, LiveSource
from desktop.media.sources.base import SourceCapabilities, SourceKind

__all__ = [
    "CameraBackend",
    "CameraControl",
    "CameraInfo",
    "CameraMode",
    "CameraSource",
    "CameraWatcher",
    "best_mode",
    "defaults_of",
    "list_cameras",
    "list_modes",
]

COMPRESSED = ("mjpeg", "h264", "hevc")
_RETRY_LOST, _RETRY_BUSY = 1.0, 2.0


def list_cameras(backend: CameraBackend | None = None) -> list[CameraInfo]:
    """Return the cameras that are connected; may take some 100 ms."""
    return (backend or system_backend()).cameras()


def list_modes(camera: CameraInfo, backend: CameraBackend | None = None) -> list[CameraMode]:
    """Return a camera's modes, best first; empty if the system does not report them. May take some 100 ms."""
    modes = (backend or system_backend()).modes(camera)
    return sorted(set(modes), key=lambda m: (-m.width * m.height, -m.rate, m.pixel_format))


def best_mode(
    modes: Iterable[CameraMode], size: tuple[int, int] = (1280, 720), rate: float = 30.0
) -> CameraMode | None:
    """Return the mode nearest to the request, None if there are none.

    Priorities: a fluent rate (80% of `rate`), the size, higher rates, raw formats, which cost no decoding.
    Over USB, large sizes are often fluent only when compressed.
    """

    def rank(mode: CameraMode) -> tuple[bool, int, float, int, float]:
        away = abs(mode.width * mode.height - size[0] * size[1]) + abs(
            mode.width * size[1] - mode.height * size[0]
        )
        fluent = mode.rate == 0 or mode.rate >= 0.8 * rate
        decoding = COMPRESSED.index(mode.pixel_format) + 1 if mode.pixel_format in COMPRESSED else 0
        return not fluent, away, -min(mode.rate, rate), decoding, mode.rate

    return min(modes, key=rank, default=None)


class CameraSource(LiveSource):
    """One camera, opened on its own thread. `frames` has no end.

    Args:
        wanted: an id, a name or a part of one, which only one camera may have; '' for the first camera.
        mode: the requested mode; the best one near 1280x720 at 30 frames a second if None.
    """

    def __init__(
        self,
        wanted: str = "",
        mode: CameraMode | None = None,
        backend: CameraBackend | None = None,
        clock: Clock = MACHINE_CLOCK,
    ) -> None:
        super().__init__("camera", wanted or "Camera", clock)
        self._backend = backend or system_backend()
        self._camera_id, self._mode = wanted, mode
        self._camera: CameraInfo | None = None
        self._used: CameraMode | None = None
        self._lock = threading.Lock()
        # Requested and not yet done; None requests only to read them again.
        self._pending_controls: dict[str, int] | None = None
        self._set: dict[str, int] = {}
        self._controls: tuple[CameraControl, ...] = ()
        self._control_problem = ""
        self._demanded: dict[str, int] = {}

    @property
    def camera(self) -> CameraInfo | None:
        """The camera in use, None until it was found."""
        return self._camera

    @property
    def capabilities(self) -> SourceCapabilities:
        """Capabilities of a live source, and the camera's controls."""
        return replace(super().capabilities, controls=self)

    @property
    def controls(self) -> tuple[CameraControl, ...]:
        """The camera's controls as last read; empty until it is open, or if the system does not report them."""
        return self._controls

    @property
    def control_problem(self) -> str:
        """A sentence about what the camera did not take last, '' if it took it."""
        return self._control_problem

    def set_controls(self, values: Mapping[str, int]) -> None:
        """Set controls by ids, on the camera's thread, before its next frame and after each reopening.
        Missing and automatically set controls are skipped; `{}` only reads them. Then calls `on_change`.
        """
        with self._lock:
            self._pending_controls = {**(self._pending_controls or {}), **values}

    def demand_controls(self, values: Mapping[str, int]) -> None:
        """See `Controllable`."""
        self._demanded = dict(values)

    def _open(self) -> Any:
        self._camera = camera = self._find()
        self._info = replace(self._info, title=camera.name)
        mode = self._mode or best_mode(self._backend.modes(camera))
        self._used = mode
        if self._backend.needs_permission and self._state == "opening":
            self._set_state("asking")
        try:
            container = self._backend.open(camera, mode)
            with self._lock:
                self._pending_controls = {**self._set, **self._demanded, **(self._pending_controls or {})}
            self._use_controls(camera)
            self._check_demands(container)
            return container
        except (OSError, av.FFmpegError) as error:
            if error.errno == errno.EINVAL:
                chosen = (
                    f"{mode.width}x{mode.height} {mode.pixel_format}".strip() if mode else "its own default"
                )
                raise SourceUnsupportedError(
                    sentence(
                        "The camera {camera_name} does not take {chosen}: choose another format.",
                        camera_name=camera.name,
                        chosen=chosen,
                    )
                ) from error
            raise self._explain(error) from error

    def _wait_longer(self, waited: float) -> None:
        # The driver may hang; reported here, as it goes on by itself if the driver does.
        if self._state == "live" and waited > SILENCE:
            self._set_state("lost", self._lost(sentence("sends no frames any more")))

    def _pictures(self, packet: Any) -> list[Any]:
        if self._pending_controls is not None and self._camera is not None:
            self._use_controls(self._camera)
        return super()._pictures(packet)

    def _use_controls(self, camera: CameraInfo) -> None:
        """Set the requested controls. A disconnected camera is detected by the reader of its frames."""
        with self._lock:
            asked, self._pending_controls = self._pending_controls or {}, None
        problem = ""
        try:
            self._controls = self._backend.controls(camera)
            for name, value in in_order(asked):
                problem = self._use_control(camera, name, value) or problem
        except OSError:
            pass
        self._control_problem = problem
        self._notify()

    def _check_demands(self, container: Any) -> None:
        missing = next((name for name in self._demanded if name not in self._set), None)
        if missing is None:
            return
        container.close()
        control = next((one for one in self._controls if one.name == missing), None)
        if control is not None and control.automatic:
            raise SourceUnsupportedError(
                sentence(
                    "{missing} is set by the camera itself while {automatic} is on: set {automatic} to "
                    "manual or off, too.",
                    missing=missing,
                    automatic=control.automatic,
                )
            )
        raise SourceUnsupportedError(
            self._control_problem
            or sentence(
                "The camera {name} has no control {missing} that can be set: it has {controls}.",
                name=self._name(),
                missing=missing,
                controls=", ".join(one.name for one in self._controls if one.is_settable) or "-",
            )
        )

    def _use_control(self, camera: CameraInfo, name: str, value: int) -> str:
        control = next((one for one in self._controls if one.name == name), None)
        if control is None or not control.is_settable:
            return ""
        try:
            self._backend.set_control(camera, name, control.fitted(value))
        except UsageError as error:
            return str(error)
        except OSError as error:
            if error.errno == errno.ENODEV:
                raise
            return sentence(
                "The camera {camera} did not take {value} for {control}: try another value.",
                camera=camera.name,
                value=value,
                control=control.field.label,
            )
        self._set[name] = value
        # One may switch others on or off, or change them.
        self._controls = self._backend.controls(camera)
        return ""

    def _find(self) -> CameraInfo:
        cameras = self._backend.cameras()
        # Once found it is looked for by id alone: another camera of that name is not the same.
        if self._camera is not None:
            matches = [camera for camera in cameras if camera.id == self._camera.id]
        else:
            matches = [camera for camera in cameras if camera.id == self._camera_id] or self._named(cameras)
        if matches:
            return matches[0]
        if self._camera is not None:
            raise self._lost(sentence("was unplugged"))
        if self._camera_id:
            raise CameraError(
                "lost",
                sentence(
                    "There is no camera called {wanted}: plug it in or choose another.",
                    wanted=self._camera_id,
                ),
            )
        raise CameraError("lost", sentence("No camera is connected: plug one in."))

    def _named(self, cameras: Iterable[CameraInfo]) -> list[CameraInfo]:
        """Return the camera whose name is the requested one or, failing that, has it as a part; every camera if none is requested.

        Raise SourceUnsupportedError for several: the first one might show another place than the one meant.
        """
        if not self._camera_id:
            return list(cameras)
        text = self._camera_id.casefold()
        found = [camera for camera in cameras if text in camera.name.casefold()]
        found = [camera for camera in found if text == camera.name.casefold()] or found
        if len(found) > 1:
            raise SourceUnsupportedError(
                sentence(
                    "'{wanted}' matches the names of {count} cameras; give the id of one: {ids}.",
                    wanted=self._camera_id,
                    count=len(found),
                    ids=", ".join(camera.id for camera in found),
                )
            )
        return found

    def _failed(self, error: Exception) -> float | None:
        if isinstance(error, (OSError, av.FFmpegError)):
            error = self._explain(error)
        if isinstance(error, CameraError):
            if error.state == "lost":
                self._set_state("lost", error)
                return _RETRY_LOST
            self._set_state("failed", error)
            return _RETRY_BUSY if error.state == "busy" else None
        self._set_state(
            "failed",
            error if isinstance(error, SourceUnsupportedError) else self._lost(sentence("can't be read")),
        )
        return None

    def _sentence(self, error: Exception) -> SourceError:
        return error if isinstance(error, SourceError) else self._explain(error)

    def _ended(self) -> CameraError:
        return self._lost(sentence("was unplugged"))

    def _undecodable(self) -> CameraError:
        return self._lost(sentence("sends frames that cannot be decoded"))

    def _explain(self, error: Exception) -> CameraError:
        state = self._backend.explain(error)
        if state == "lost":
            return self._lost(sentence("was unplugged"))
        happened = (
            sentence("may not be used") if state == "denied" else sentence("is in use by another program")
        )
        return CameraError(
            state,
            sentence(
                "The camera {name} {happened}: {hint}.",
                name=self._name(),
                happened=happened,
                hint=self._backend.hint(state),
            ),
        )

    def _lost(self, happened: str) -> CameraError:
        return CameraError(
            "lost",
            sentence(
                "The camera {name} {happened}: {hint}.",
                name=self._name(),
                happened=happened,
                hint=self._backend.hint("lost"),
            ),
        )

    def _name(self) -> str:
        return self._camera.name if self._camera is not None else self._camera_id

    def _detail(self, container: Any) -> dict[str, str]:
        detail = {"camera": self._name()}
        if self._used is not None:
            rate = f" at {self._used.rate:g}/s" if self._used.rate else ""
            detail["mode"] = (
                f"{self._used.width}x{self._used.height} {self._used.pixel_format}{rate}".replace("  ", " ")
            )
        return detail


class CameraWatcher:
    """Calls `on_change` with the new list, on its own thread, when a camera is plugged in or out. It polls
    every `interval` seconds: one method for all systems, and a list costs milliseconds.
    """

    def __init__(
        self,
        on_change: Callable[[list[CameraInfo]], None],
        backend: CameraBackend | None = None,
        interval: float = 1.0,
    ) -> None:
        self._on_change, self._interval = on_change, interval
        self._backend = backend or system_backend()
        self._closing = threading.Event()
        self._cameras: list[CameraInfo] | None = None
        self._thread: threading.Thread | None = None

    @property
    def cameras(self) -> list[CameraInfo]:
        """The list last seen."""
        return list(self._cameras or [])

    def start(self) -> None:
        """Begin; the first list is reported too."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="cameras", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(1.0)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                cameras = self._backend.cameras()
            except (OSError, ValueError, av.FFmpegError):
                # A system without camera support has none.
                cameras = []
            if cameras != self._cameras and not self._closing.is_set():
                self._cameras = cameras
                self._on_change(list(cameras))
            self._closing.wait(self._interval)


def _open_text(text: str) -> CameraSource | None:
    word, _, camera = text.partition(":")
    return CameraSource(camera) if word == "camera" else None


SOURCE: Final = SourceKind(open_text=_open_text)
