"""Frame interpolation of what plays: gives the source what makes pictures between its own, and tells how that is doing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast
from weakref import WeakSet

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from desktop.compute.engine import Engine
from desktop.compute.media.sources.base import Interpolatable, Source
from desktop.compute.running.interpolation_spec import InterpolationSpec
from desktop.ui.edits import Edits
from desktop.ui.messages import Messages
from desktop.ui.playback import Playback

if TYPE_CHECKING:
    # They bring onnx, which the window's start does not wait for.
    from desktop.compute.running.interpolation import InterpolationNetwork, Size
    from desktop.compute.running.live_interpolation import InterpolationStatus, LiveInterpolation

_ABOUT = "interpolation"


class Interpolation(QObject):
    """Brings the source in use to the setup's `interpolation`."""

    def __init__(
        self, engine: Engine, messages: Messages, playback: Playback, edits: Edits, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._engine, self._messages = engine, messages
        self._playback, self._edits = playback, edits
        self._screen_rate = 60.0
        self._told = ""
        self._kept: InterpolationSpec | None = None
        # Those of a grid's other tiles too.
        self._given: WeakSet[Interpolatable] = WeakSet()
        playback.prepares.append(self._give)
        playback.opened.connect(lambda _: self._follow())
        edits.setup_changed.connect(self._follow)

    @property
    def status(self) -> InterpolationStatus | None:
        """How the source's is doing; None without one."""
        used = self._used(self._playback.source)
        return used.status if used is not None else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What is assumed about its network, in sentences."""
        used = self._used(self._playback.source)
        return used.notes if used is not None else ()

    @staticmethod
    def _used(source: Source | None) -> LiveInterpolation | None:
        found = source.interpolation if isinstance(source, Interpolatable) else None
        return cast("LiveInterpolation | None", found)

    @property
    def can_toggle(self) -> bool:
        """True once there has been a network for it."""
        return self._kept is not None

    def toggle(self) -> None:
        """Interpolate with the network of the last time, or not."""
        self._edits.set_interpolation(self._kept if self._edits.setup.interpolation is None else None)

    def _follow(self) -> None:
        self._told = ""
        self._kept = self._edits.setup.interpolation or self._kept
        source = self._playback.source
        if source is not None:
            self._give(source)
            self._playback.keep_time()

    def _give(self, source: Source) -> None:
        """Bring a source to the setup."""
        if not isinstance(source, Interpolatable):
            return
        spec, used = self._edits.setup.interpolation, self._used(source)
        if spec is None:
            if used is not None:
                source.interpolate_by(None)
            return
        if used is None or not used.adjust(spec):
            source.interpolate_by(self._make(spec))
            self._given.add(source)

    def _make(self, spec: InterpolationSpec) -> LiveInterpolation:
        from desktop.compute.running.live_interpolation import LiveInterpolation

        return LiveInterpolation(spec, partial(_load, self._engine), screen_rate=lambda: self._screen_rate)

    def renew(self) -> None:
        """Load the network anew, on another device; what computes on the old one is waited for."""
        for source in tuple(self._given):
            used = self._used(source)
            if used is not None and source.state != "closed":
                used.close(wait=True)
                source.interpolate_by(self._make(used.spec))

    def look(self) -> None:
        """Tell, once, that it failed or is too slow; on the window's thread some times a second."""
        screen = QGuiApplication.primaryScreen()
        self._screen_rate = screen.refreshRate() if screen is not None else 60.0
        status = self.status
        if status is None or status.state not in ("slow", "failed") or status.state == self._told:
            return
        self._told = status.state
        self._messages.tell("error" if status.state == "failed" else "warning", status.text, about=_ABOUT)


def _load(engine: Engine, spec: InterpolationSpec, size: Size) -> InterpolationNetwork:
    from desktop.compute.running.interpolation import InterpolationNetwork

    return InterpolationNetwork.load(engine.gpu, spec.model, size, backend=spec.backend)
