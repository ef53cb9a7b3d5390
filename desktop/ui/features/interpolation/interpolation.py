"""Frame interpolation in the window: applies the setup's network to the source and reports its state."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast
from weakref import WeakSet

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QScreen

from desktop.media.sources.base import Interpolatable, Source
from desktop.pipeline.engine import Engine
from desktop.pipeline.running.interpolation.spec import InterpolationSpec
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback

if TYPE_CHECKING:
    # They import onnx, which start-up does not need.
    from desktop.pipeline.running.interpolation.live import InterpolationStatus, LiveInterpolation
    from desktop.pipeline.running.interpolation.network import InterpolationNetwork, Size

_ABOUT = "interpolation"


class Interpolation(QObject):
    """Applies the setup's `interpolation` to the sources in use."""

    def __init__(
        self, engine: Engine, messages: Messages, playback: Playback, edits: Edits, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._engine, self._messages = engine, messages
        self._playback, self._edits = playback, edits
        self._screen: Callable[[], QScreen | None] = QGuiApplication.primaryScreen
        self._screen_rate = 60.0
        self._reported = ""
        self._last_spec: InterpolationSpec | None = None
        # Those of a grid's other tiles too.
        self._given: WeakSet[Interpolatable] = WeakSet()
        playback.prepares.append(self._give)
        playback.opened.connect(lambda _: self._follow())
        edits.setup_changed.connect(self._follow)

    @property
    def status(self) -> InterpolationStatus | None:
        """State of the current source's interpolation; None without one."""
        used = self._used(self._playback.source)
        return used.status if used is not None else None

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions made about its network, in sentences."""
        used = self._used(self._playback.source)
        return used.notes if used is not None else ()

    @staticmethod
    def _used(source: Source | None) -> LiveInterpolation | None:
        interpolated = source.capabilities.interpolation if source is not None else None
        return cast(
            "LiveInterpolation | None", interpolated.interpolation if interpolated is not None else None
        )

    @property
    def can_toggle(self) -> bool:
        """Whether a network has been chosen, now or before."""
        return self._last_spec is not None

    def toggle(self) -> None:
        """Switch interpolation off, or on with the network used last."""
        self._edits.set_interpolation(self._last_spec if self._edits.setup.interpolation is None else None)

    def _follow(self) -> None:
        self._reported = ""
        self._last_spec = self._edits.setup.interpolation or self._last_spec
        source = self._playback.source
        if source is not None:
            self._give(source)
            self._playback.start_clock()

    def _give(self, source: Source) -> None:
        """Apply the setup to a source."""
        interpolated = source.capabilities.interpolation
        if interpolated is None:
            return
        spec, used = self._edits.setup.interpolation, self._used(source)
        if spec is None:
            if used is not None:
                interpolated.interpolate_by(None)
            return
        if used is None or not used.adjust(spec):
            interpolated.interpolate_by(self._make(spec))
            self._given.add(interpolated)

    def _make(self, spec: InterpolationSpec) -> LiveInterpolation:
        from desktop.pipeline.running.interpolation.live import LiveInterpolation

        return LiveInterpolation(spec, partial(_load, self._engine), screen_rate=lambda: self._screen_rate)

    def renew(self) -> None:
        """Reload the network on the current device, after work on the old device has ended."""
        for source in tuple(self._given):
            used = self._used(source)
            if used is not None and source.state != "closed":
                used.close(wait=True)
                source.interpolate_by(self._make(used.spec))

    def follow_screen(self, screen: Callable[[], QScreen | None]) -> None:
        """Follow the refresh rate of the window's screen, which may be another one than the main screen."""
        self._screen = screen

    @property
    def screen_rate(self) -> float:
        """The refresh rate of the window's screen in hertz."""
        return self._screen_rate

    def poll(self) -> None:
        """Report once that it failed or is too slow. Called a few times a second on the window's thread."""
        screen = self._screen()
        self._screen_rate = screen.refreshRate() if screen is not None else 60.0
        status = self.status
        if status is None or status.state not in ("slow", "failed") or status.state == self._reported:
            return
        self._reported = status.state
        self._messages.post("error" if status.state == "failed" else "warning", status.text, about=_ABOUT)


def _load(engine: Engine, spec: InterpolationSpec, size: Size) -> InterpolationNetwork:
    from desktop.pipeline.running.interpolation.network import InterpolationNetwork

    return InterpolationNetwork.load(engine.gpu, spec.model, size, backend=spec.backend)
