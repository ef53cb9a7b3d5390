"""Decide from a snapshot what the overlay shows and when; `paint_overlay` paints it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QRect, QTimer

from desktop.overlay.handles import DrawnHandles
from desktop.overlay.layout import OverlayState, follows_picture, image_edges, placed
from desktop.overlay.painting import paint_overlay
from desktop.overlay.result_overlay import masks_of, overlay_state
from desktop.overlay.subtitles import standing
from desktop.overlay.zones import placing
from desktop.pipeline.picture.present import place
from desktop.pipeline.snapshot import FrameSnapshot
from desktop.pipeline.statistics import PipelineStats
from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.layers.layer_edits import LayerEdits
from desktop.ui.features.library.hover_trial import TriedItem
from desktop.ui.features.masks.masks import Masks
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.results.chosen import Chosen
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.features.zones.zones import Zones
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.rates import DropRate
from desktop.ui.kit.widgets import format_percentiles, format_time
from desktop.ui.workspace.viewport import Viewport
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.builtin import title_of
from desktop.vision.tasks.shapes import Extents, Mask

if TYPE_CHECKING:
    from desktop.media.subtitles.cues import Cue
    from desktop.vision.tasks.task import Result

TOAST_S: Final = 1.6
# For a message of a whole sentence.
READ_S: Final = 5.0
_GLANCE_S: Final = 4.0


class OverlayPresenter(QObject):
    """Builds the overlay's state and has it painted when it changes."""

    def __init__(
        self,
        workspace: Workspace,
        viewport: Viewport,
        drops: DropRate,
        covered: Callable[[], QRect],
        parent: QObject,
    ) -> None:
        """Make a presenter of the overlay on `viewport`; `drops` is the recent rate of dropped frames.

        `covered` returns the area of the viewport under another widget, in logical pixels.
        """
        super().__init__(parent)
        self._workspace, self._viewport = workspace, viewport
        self._drops, self._covered = drops, covered
        self._toast = ("", 0.0)
        self._glance_until = 0.0
        self._figures_key: tuple[float, ...] = ()
        self._figures: tuple[tuple[str, str], ...] = ()
        self._followed: Result | None = None
        self._shown: tuple[OverlayState, tuple[int, int], float] | None = None
        self._masks: tuple[Mask, ...] | None = ()
        self._shown_cues: tuple[Cue, ...] = ()
        self._ended = False
        workspace.get(Chosen).changed.connect(self.draw)
        workspace.get(Subtitles).changed.connect(self.draw)
        workspace.get(TriedItem).changed.connect(self.draw)
        workspace.get(Masks).changed.connect(self.draw)
        workspace.get(LayerEdits).changed.connect(self.draw)

    # -- temporary parts -------------------------------------------------------------------------------------

    def show_message(self, text: str, seconds: float = TOAST_S) -> None:
        """Show a short message for a moment."""
        self._toast = (text, time.monotonic() + seconds)
        self.draw()
        QTimer.singleShot(int(seconds * 1000) + 20, self, self.draw)

    def glance(self) -> None:
        """Show the performance figures for a moment."""
        self._glance_until = time.monotonic() + _GLANCE_S
        self.draw()

    def follow_result(self) -> None:
        """Update shapes with the frame about to be drawn, text about the whole image four times a second."""
        cues = self._cues()
        if cues != self._shown_cues:
            self._shown_cues = cues
            self.draw(redraw=False)
        latest = self._workspace.engine.current.result
        if latest is not self._followed and (follows_picture(latest) or follows_picture(self._followed)):
            self._followed = latest
            # Drawn with the next frame: a separate pass would draw everything twice.
            self.draw(redraw=False)

    def draw(self, *, redraw: bool = True) -> None:
        """Paint the overlay if its state has changed."""
        if self._ended:
            return
        self._show_masks(redraw=redraw)
        viewport = self._viewport
        shown = (self.state(), viewport.device_size, viewport.devicePixelRatioF())
        if shown != self._shown:
            self._shown = shown
            state, (width, height), scale = shown
            viewport.set_overlay(paint_overlay(state, width, height, scale), redraw=redraw)

    def clear(self) -> None:
        """Discard the painted overlay, which is no longer on the frame."""
        self._shown, self._masks = None, None
        self.draw()

    def _show_masks(self, *, redraw: bool) -> None:
        """Hand on the masks to the present pass; they stay on the GPU."""
        tracked_result = self._workspace.engine.current.tracked_result
        network = self._workspace.edits.setup.network
        seen = self._shows_results
        masks = (
            masks_of(tracked_result) if tracked_result is not None and network is not None and seen else ()
        )
        if masks != self._masks:
            self._masks = masks
            self._viewport.set_masks(masks, redraw=redraw)

    def end(self) -> None:
        """Stop drawing."""
        self._ended = True

    # -- state -----------------------------------------------------------------------------------------------

    def state(self) -> OverlayState:
        """Return the overlay's current state."""
        now, snapshot = time.monotonic(), self._workspace.engine.current.snapshot()
        source, recording = self._workspace.playback.source, self._workspace.get(Pictures).recording
        figures = self._workspace.settings.show_stats or now < self._glance_until
        waiting = ""
        if source is not None and source.state in ("opening", "asking", "reconnecting"):
            waiting = self.tr("Opening {0}").format(translated(source.info.title))
        name, words = self._workspace.get(Grid).marks
        return replace(
            self._overlay_state(snapshot),
            name=name,
            words=words,
            rows=self._rows(snapshot.stats) if figures and source is not None else (),
            # Not in the middle, where the prompts are.
            toast=self._toast[0] if now < self._toast[1] else self._label(),
            split=self._viewport.view.split,
            split_labels=(self.tr("before"), self.tr("after")),
            recording=format_time(recording.seconds) if recording is not None else "",
            waiting=waiting,
            covered=self._covered_part(),
        )

    @property
    def _shows_results(self) -> bool:
        """True if results are drawn: not while the main image, which they belong to, is in a part of the frame."""
        moves_main = self._workspace.edits.setup.layers.moves_main
        return self._workspace.settings.shows_seen and not moves_main

    def _label(self) -> str:
        """Return what stays on the frame: the name of what is tried, or what is waited for."""
        tried = self._workspace.get(TriedItem).title
        return self.tr("Preview: {0}").format(tried) if tried else self._workspace.get(Clicks).waiting()

    def _cues(self) -> tuple[Cue, ...]:
        """Return the subtitle cues of the frame shown."""
        return self._workspace.get(Subtitles).at(self._workspace.engine.current.shown_pts)

    def _covered_part(self) -> Extents | None:
        """Return what is covered, in device pixels of the frame's part of the canvas."""
        covered, area = self._covered(), self._viewport.area
        if covered.isEmpty():
            return None
        scale = self._viewport.devicePixelRatioF()
        left, top = covered.x() * scale - area.x, covered.y() * scale - area.y
        return (left, top, left + covered.width() * scale, top + covered.height() * scale)

    def _rows(self, stats: PipelineStats) -> tuple[tuple[str, str], ...]:
        # Drawing the overlay is itself timed: without a new frame the figures would keep changing each other.
        key = (stats.frames, round(stats.fps, 1), round(self._drops.share, 3))
        if key == self._figures_key:
            return self._figures
        if stats.gpu_ms is not None:
            gpu = (self.tr("GPU"), f"{decimal(stats.gpu_ms, 2)} ms")
        else:
            gpu = (self.tr("CPU"), f"{decimal(stats.cpu_ms, 2)} ms")
        self._figures_key = key
        self._figures = (
            (self.tr("FPS"), decimal(stats.fps, 1)),
            (self.tr("latency p50 / p95 / p99"), format_percentiles(stats.latency_ms)),
            gpu,
            (self.tr("dropped"), f"{decimal(self._drops.share * 100, 1)} %"),
        )
        return self._figures

    def _overlay_state(self, snapshot: FrameSnapshot) -> OverlayState:
        network, view, tracked_result = (
            self._workspace.edits.setup.network,
            self._viewport.view,
            snapshot.tracked_result,
        )
        picture = snapshot.picture_size
        at = place(view, picture, self._viewport.device_size)
        state = OverlayState()
        if network is not None and tracked_result is not None and self._shows_results:
            title = translated(title_of(Path(network.model)))
            state = overlay_state(tracked_result, title, at, picture, mirrored=view.mirrored)
            chosen = self._workspace.get(Chosen).shapes(tracked_result) if picture[0] else ()
            state = replace(state, chosen=placed(chosen, at, picture, mirrored=view.mirrored))
        if not picture[0]:
            return state
        # Taken from the settings, as a dragged corner must not wait for a result.
        state = replace(state, subtitles=standing(self._cues(), at, picture), image=image_edges(at, picture))
        put = placing(at, picture, mirrored=view.mirrored)
        counts = () if network is None else snapshot.counts
        zones = self._workspace.get(Zones).drawn(counts, put, picture[0] / picture[1])
        # In whole pixels an ellipse would not be round; a stroke's width is in heights of the frame.
        exact = placing(at, picture, mirrored=view.mirrored, digits=2)
        shapes = self._workspace.get(Masks).drawn()
        if shapes == DrawnHandles():
            shapes = self._workspace.get(LayerEdits).drawn()
        handles = shapes.moved(exact, at.zoom * picture[1])
        prompts = self._workspace.get(Clicks).drawn().moved(put)
        return replace(state, zones=zones, prompts=prompts, handles=handles)
