"""What stands on the picture, and when: decided from a snapshot here, painted by `paint_overlay`, shown by the viewport."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from desktop.compute.models.builtin import title_of
from desktop.compute.present import place
from desktop.compute.snapshot import FrameSnapshot
from desktop.compute.statistics import PipelineStats
from desktop.compute.tasks.shapes import Label, Mask, Shape
from desktop.ui.controller import Controller
from desktop.ui.language import translated
from desktop.ui.overlay import paint_overlay
from desktop.ui.overlay_layout import OverlayState, follows_picture, placed
from desktop.ui.rates import DropRate
from desktop.ui.viewport import Viewport
from desktop.ui.widgets import format_percentiles, format_time

if TYPE_CHECKING:
    from desktop.compute.tasks.task import Result

TOAST_S: Final = 1.6
_GLANCE_S: Final = 4.0


class OverlayPresenter(QObject):
    """Makes the overlay's state of what there is to be shown, and has it painted where that is another one than before."""

    def __init__(
        self,
        controller: Controller,
        viewport: Viewport,
        drops: DropRate,
        covered: Callable[[], int],
        parent: QObject,
    ) -> None:
        """Make a presenter.

        Args:
            controller: what plays, and what is recorded.
            viewport: where it is shown.
            drops: what was dropped lately.
            covered: tells how much of the picture's top something covers, in logical pixels.
            parent: the owner.
        """
        super().__init__(parent)
        self._controller, self._viewport = controller, viewport
        self._drops, self._covered = drops, covered
        self._toast = ("", 0.0)
        self._glance_until = 0.0
        self._figures_key: tuple[float, ...] = ()
        self._figures: tuple[tuple[str, str], ...] = ()
        self._followed: Result | None = None
        self._shown: tuple[OverlayState, tuple[int, int], float] | None = None
        self._masks: tuple[Mask, ...] = ()
        self._ended = False

    # -- what comes and goes -----------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Show a word for a moment."""
        self._toast = (text, time.monotonic() + TOAST_S)
        self.draw()
        QTimer.singleShot(int(TOAST_S * 1000) + 20, self, self.draw)

    def glance(self) -> None:
        """Show the figures for a moment."""
        self._glance_until = time.monotonic() + _GLANCE_S
        self.draw()

    def follow_result(self) -> None:
        """Keep shapes with the picture that is about to be drawn; words about all of it, which are read, change four times a second."""
        latest = self._controller.engine.result
        if latest is not self._followed and (follows_picture(latest) or follows_picture(self._followed)):
            self._followed = latest
            # With the picture that is about to be drawn: a pass of its own would draw everything twice.
            self.draw(redraw=False)

    def draw(self, *, redraw: bool = True) -> None:
        """Paint what there is to be shown, if that is another than before."""
        if self._ended:
            return
        self._show_masks(redraw=redraw)
        viewport = self._viewport
        shown = (self.state(), viewport.device_size, viewport.devicePixelRatioF())
        if shown != self._shown:
            self._shown = shown
            state, (width, height), scale = shown
            viewport.set_overlay(paint_overlay(state, width, height, scale), redraw=redraw)

    def _show_masks(self, *, redraw: bool) -> None:
        """Hand on the masks, which the present pass draws: they stay on the GPU."""
        shapes = self._shapes(self._controller.engine.snapshot())
        masks = tuple(shape for shape in shapes if isinstance(shape, Mask))
        if masks != self._masks:
            self._masks = masks
            self._viewport.set_masks(masks, redraw=redraw)

    def end(self) -> None:
        """Draw no more."""
        self._ended = True

    # -- what is shown -----------------------------------------------------------------------------------------------

    def state(self) -> OverlayState:
        """Return what is to be shown now."""
        now, snapshot = time.monotonic(), self._controller.engine.snapshot()
        source, recording = self._controller.playback.source, self._controller.pictures.recording
        figures = self._controller.settings.show_stats or now < self._glance_until
        bars, title = self._bars(snapshot)
        waiting = ""
        if source is not None and source.state in ("opening", "asking", "reconnecting"):
            waiting = self.tr("Opening {0}").format(translated(source.info.title))
        return OverlayState(
            rows=self._rows(snapshot.stats) if figures and source is not None else (),
            bars=bars,
            bars_title=title,
            found=self._found(snapshot),
            toast=self._toast[0] if now < self._toast[1] else "",
            split=self._viewport.view.split,
            split_labels=(self.tr("before"), self.tr("after")),
            recording=format_time(recording.seconds) if recording is not None else "",
            waiting=waiting,
            top=self._covered(),
            margin=self._below_the_picture(snapshot.picture_size),
        )

    def _below_the_picture(self, picture: tuple[int, int]) -> int:
        target = self._viewport.device_size
        if not picture[0]:
            return 0
        at = place(self._viewport.view, picture, target)
        free = (target[1] - at.y - at.zoom * picture[1]) / self._viewport.devicePixelRatioF()
        return max(0, round(free))

    def _rows(self, stats: PipelineStats) -> tuple[tuple[str, str], ...]:
        # Drawing the overlay is itself timed: without a new picture the figures would change each other for ever.
        key = (stats.frames, round(stats.fps, 1), round(self._drops.share, 3))
        if key == self._figures_key:
            return self._figures
        if stats.gpu_ms is not None:
            gpu = (self.tr("GPU"), f"{stats.gpu_ms:.2f} ms")
        else:
            gpu = (self.tr("CPU"), f"{stats.cpu_ms:.2f} ms")
        self._figures_key = key
        self._figures = (
            (self.tr("FPS"), f"{stats.fps:.1f}"),
            (self.tr("latency p50 / p95 / p99"), format_percentiles(stats.latency_ms)),
            gpu,
            (self.tr("dropped"), f"{self._drops.share * 100:.1f} %"),
        )
        return self._figures

    def _bars(self, snapshot: FrameSnapshot) -> tuple[tuple[Label, ...], str]:
        network = self._controller.edits.setup.network
        labels = [shape for shape in self._shapes(snapshot) if isinstance(shape, Label)]
        if network is None or not labels:
            return (), ""
        bars = tuple(replace(label, value=round(label.value, 2)) for label in labels)
        return bars, translated(title_of(Path(network.model)))

    def _shapes(self, snapshot: FrameSnapshot) -> tuple[Shape, ...]:
        if snapshot.result is None or self._controller.edits.setup.network is None:
            return ()
        return snapshot.result.shapes()

    def _found(self, snapshot: FrameSnapshot) -> tuple[Shape, ...]:
        if not snapshot.has_picture:
            return ()
        view = self._viewport.view
        at = place(view, snapshot.picture_size, self._viewport.device_size)
        return placed(self._shapes(snapshot), at, snapshot.picture_size, mirrored=view.mirrored)
