"""Draw the inactive tiles, compose all tiles on the canvas, and handle clicks on them."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import wgpu
from PySide6.QtCore import QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent

from desktop.media.frame import Frame
from desktop.overlay.layout import OverlayState
from desktop.overlay.painting import paint_overlay
from desktop.overlay.result_overlay import masks_of, overlay_state
from desktop.overlay.subtitles import standing
from desktop.pipeline.picture.mosaic import Area, Mosaic, areas
from desktop.pipeline.picture.present import place
from desktop.ui.features.grid.grid import Grid, Tile
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed
from desktop.ui.workspace.playback import Playback
from desktop.ui.workspace.viewport import Viewport
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.builtin import title_of

if TYPE_CHECKING:
    from desktop.media.subtitles.cues import Cue
    from desktop.vision.tracking.scene import TrackedResult

# Margin around each tile in logical pixels, and the part of it for the active tile's frame.
_GAP: Final = 4
_FRAME: Final = 2
# Four sources at 60 frames a second are not to draw the window 240 times.
_PACE_S: Final = 0.007
_AGAIN_MS: Final = 4
_IDLE_MS: Final = 15


class _PaintedOverlay:
    """The overlay last painted over a tile, and its inputs."""

    def __init__(self) -> None:
        self.of: tuple[object, ...] = ()
        self.tracked_result: TrackedResult | None = None
        self.state: OverlayState | None = None


class GridView(QObject):
    """Draws the grid's tiles for the viewport (`Tiling`), and selects one on a click (`PointerTool`)."""

    def __init__(self, workspace: Workspace, viewport: Viewport, themed: Themed) -> None:
        super().__init__(viewport)
        self._workspace, self._viewport, self._themed = workspace, viewport, themed
        self._grid, self._engine = workspace.get(Grid), workspace.engine
        self._mosaic: Mosaic | None = None
        self._size = (0, 0)
        self._painted_overlays: dict[Tile, _PaintedOverlay] = {}
        self._stale: set[Tile] = set()
        self._fresh = False
        self._composed_at = 0.0
        self._again = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._idle = QTimer(self, singleShot=True, interval=_IDLE_MS)
        for timer in (self._again, self._idle):
            timer.timeout.connect(viewport.wake)
        self._grid.changed.connect(self._follow)
        self._grid.used.connect(self._discard_overlays)
        workspace.playback.woken.connect(self._pass_over)
        workspace.engine_rebuilt.connect(self._discard_overlays)
        workspace.edits.setup_changed.connect(self.mark_overlays_stale)
        workspace.get(Subtitles).changed.connect(self.mark_overlays_stale)
        viewport.view_changed.connect(self._follow_background)
        # First, so that no other tool receives clicks on inactive tiles.
        viewport.tools.insert(0, self)

    # -- following the grid ----------------------------------------------------------------------------------

    def _follow(self) -> None:
        composes = self._grid.is_on and not self._grid.whole
        if composes != (self._viewport.tiling is not None):
            self._viewport.tiling = self if composes else None
            self._let_go()
            self._discard_overlays()
        self._painted_overlays = {
            tile: last_paint
            for tile, last_paint in self._painted_overlays.items()
            if tile in self._grid.tiles
        }
        name, words = self._grid.marks
        self._viewport.setAccessibleDescription(". ".join(part for part in (name, words) if part))
        self._stale = {*self._stale, *self._grid.others} & set(self._grid.tiles)
        self._viewport.view_changed.emit()
        self._viewport.redraw()

    def _let_go(self) -> None:
        """Discard drawn tiles before hiding the view: more may need redaction when it returns."""
        mosaic = self._mosaic
        if mosaic is not None and self._is_on_device(mosaic):
            mosaic.close()
        else:
            self._mosaic = None

    def shutdown(self) -> None:
        """Stop drawing, as the window closes."""
        for timer in (self._again, self._idle):
            timer.stop()
        self._let_go()

    def _follow_background(self) -> None:
        background = self._engine.current.view.background
        for tile in self._grid.others:
            if tile.source_pipeline.view.background != background:
                tile.source_pipeline.view = replace(tile.source_pipeline.view, background=background)
                self._stale.add(tile)

    def mark_overlays_stale(self) -> None:
        """Mark the overlays of the other tiles as changed."""
        if self._grid.is_on:
            self._stale.update(self._grid.others)
            self._viewport.redraw()

    def _discard_overlays(self) -> None:
        """Discard what was drawn, because the tiles or the device have changed."""
        # It belongs to the previous tile: `Grid.used` is emitted before the playbacks are exchanged.
        self._put_back(self._workspace.playback, self._viewport.drop_waiting())
        self._painted_overlays.clear()
        self._stale = set(self._grid.others)
        self._viewport.redraw()

    def _pass_over(self) -> None:
        if self._grid.whole:
            self._skip()

    # -- drawing (Tiling) ------------------------------------------------------------------------------------

    def _places(self, size: tuple[int, int]) -> tuple[Area, ...]:
        gap = round(_GAP * self._viewport.devicePixelRatioF())
        return areas(max(1, len(self._grid.tiles)), size, gap)

    def area(self, size: tuple[int, int]) -> Area:
        """See `Tiling`."""
        return self._places(size)[self._grid.number]

    def advance(self) -> bool:
        """See `Tiling`."""
        if not self._viewport.is_on_screen:
            self._skip()
            return False
        if not self._is_laid_out:
            return True
        drawn = [self._advance(tile) for tile in self._grid.others]
        self._fresh = self._fresh or any(drawn)
        if any(tile.source_pipeline.wants_frames for tile in self._grid.others) and not self._idle.isActive():
            self._idle.start()
        if self._fresh and time.perf_counter() - self._composed_at < _PACE_S:
            if not self._again.isActive():
                self._again.start()
            return False
        return self._fresh

    @property
    def _is_laid_out(self) -> bool:
        """False until there is a canvas for the current number of tiles and the current device."""
        mosaic = self._mosaic
        return mosaic is not None and self._is_on_device(mosaic) and mosaic.count == len(self._grid.tiles)

    def _is_on_device(self, mosaic: Mosaic) -> bool:
        return mosaic.gpu is self._engine.gpu

    def _skip(self) -> None:
        """Advance tiles that are not visible in time, without rendering."""
        for tile in self._grid.others:
            self._put_back(tile.playback, tile.playback.take())

    @staticmethod
    def _put_back(playback: Playback, frame: Frame | None) -> None:
        if frame is not None:
            playback.put_back(frame)

    def _advance(self, tile: Tile) -> bool:
        """Draw a tile with a new frame or a pending redraw, unless the GPU is busy with its last ones."""
        mosaic, source_pipeline = self._mosaic, tile.source_pipeline
        # Rendering another tile may just have detected a lost device.
        if mosaic is None or not self._is_on_device(mosaic) or source_pipeline.is_busy():
            return False
        frame = tile.playback.take()
        last_paint = self._painted_overlays.get(tile)
        is_same = (
            last_paint is not None
            and last_paint.tracked_result is source_pipeline.tracked_result
            and tile not in self._stale
        )
        if frame is None and is_same and not source_pipeline.wants_frames:
            return False
        self._stale.discard(tile)
        self._paint(tile)
        number = self._grid.tiles.index(tile)
        drawn = self._engine.render(frame, mosaic.texture(number), source_pipeline)
        if not drawn:
            self._put_back(tile.playback, frame)
        return drawn

    def draw(self, frame: Frame | None, canvas: wgpu.GPUTexture, *, anew: bool) -> bool:
        """See `Tiling`."""
        engine, rebuilds = self._engine, self._engine.rebuilds
        mosaic = self._mosaic_for(canvas)
        number = self._grid.number
        if mosaic.lay_out(self._places((canvas.width, canvas.height))):
            anew = True
            for tile in self._grid.others:
                self._painted_overlays.pop(tile, None)
                self._stale.add(tile)
                self._advance(tile)
            if not self._is_on_device(mosaic):
                # The frame waits for a canvas of the new device.
                return False
        drawn = True
        if frame is not None or anew:
            drawn = not engine.current.is_busy() and engine.render(frame, mosaic.texture(number))
        if engine.rebuilds != rebuilds:
            # The canvas's texture was the lost device's.
            return True
        margin = round(_FRAME * self._viewport.devicePixelRatioF())
        mosaic.compose(canvas, number, margin, engine.current.view.background)
        self._fresh, self._composed_at = False, time.perf_counter()
        return drawn

    def _mosaic_for(self, canvas: wgpu.GPUTexture) -> Mosaic:
        mosaic, fmt = self._mosaic, str(canvas.format)
        if mosaic is None or not self._is_on_device(mosaic) or mosaic.target_format != fmt:
            color = QColor(self._themed.theme.accent)
            mosaic = self._mosaic = Mosaic(
                self._engine.gpu, fmt, (color.redF(), color.greenF(), color.blueF())
            )
        return mosaic

    def state(self, tile: Tile) -> OverlayState:
        """Return what was painted over another tile last."""
        painted = self._painted_overlays.get(tile)
        return OverlayState() if painted is None or painted.state is None else painted.state

    # -- overlays of the other tiles -------------------------------------------------------------------------

    def _overlay_key(self, tile: Tile) -> tuple[object, ...]:
        source_pipeline = tile.source_pipeline
        area = self._area_of(tile)
        return (
            self._cues(tile),
            *(
                source_pipeline.tracked_result,
                source_pipeline.setup.network,
                source_pipeline.picture_size,
                source_pipeline.view,
                area.width,
                area.height,
            ),
            *(self._grid.name_of(tile), self._grid.words_of(tile), self._shows_overlay),
        )

    def _cues(self, tile: Tile) -> tuple[Cue, ...]:
        return self._workspace.get(Subtitles).of(tile.playback, tile.source_pipeline.shown_pts)

    @property
    def _shows_overlay(self) -> bool:
        return self._workspace.settings.shows_seen

    def _area_of(self, tile: Tile) -> Area:
        return self._places(self._viewport.canvas_size)[self._grid.tiles.index(tile)]

    def _paint(self, tile: Tile) -> None:
        """Repaint names, texts and results that have changed."""
        source_pipeline, last_paint = (
            tile.source_pipeline,
            self._painted_overlays.setdefault(tile, _PaintedOverlay()),
        )
        overlay_key = self._overlay_key(tile)
        if last_paint.of == overlay_key:
            return
        last_paint.of, last_paint.tracked_result = overlay_key, source_pipeline.tracked_result
        area, tracked_result = self._area_of(tile), source_pipeline.tracked_result
        network = source_pipeline.setup.network if self._shows_overlay else None
        state = OverlayState()
        if network is not None and tracked_result is not None:
            state = self._state_of(tile, tracked_result, translated(title_of(Path(network.model))), area)
        source_pipeline.set_masks(
            masks_of(tracked_result) if network is not None and tracked_result is not None else ()
        )
        if source_pipeline.picture_size[0]:
            at = place(source_pipeline.view, source_pipeline.picture_size, (area.width, area.height))
            state = replace(state, subtitles=standing(self._cues(tile), at, source_pipeline.picture_size))
        state = replace(state, name=self._grid.name_of(tile), words=self._grid.words_of(tile))
        if state != last_paint.state:
            last_paint.state = state
            scale = self._viewport.devicePixelRatioF()
            source_pipeline.set_overlay(paint_overlay(state, area.width, area.height, scale))

    def _state_of(self, tile: Tile, tracked_result: TrackedResult, title: str, area: Area) -> OverlayState:
        view, picture = tile.source_pipeline.view, tile.source_pipeline.picture_size
        at = place(view, picture, (area.width, area.height))
        return overlay_state(tracked_result, title, at, picture, mirrored=view.mirrored)

    # -- the pointer (PointerTool) ---------------------------------------------------------------------------

    def tile_at(self, point: QPointF) -> int | None:
        """Return the tile's number at a viewport point (logical pixels); None if there is no tile."""
        if self._viewport.tiling is None:
            return self._grid.number if self._grid.is_on else None
        at = point * self._viewport.devicePixelRatioF()
        places = self._places(self._viewport.canvas_size)
        return next((number for number, area in enumerate(places) if area.holds(at.x(), at.y())), None)

    def mouse_press(self, event: QMouseEvent) -> bool:
        """Choose the tile; that it was chosen is all that the press does."""
        number = self.tile_at(event.position())
        if number is None or number == self._grid.number:
            return False
        self._grid.use(number)
        return True

    def mouse_move(self, event: QMouseEvent) -> bool:
        """Change the cursor over an inactive tile."""
        number = self.tile_at(event.position())
        if number is None or number == self._grid.number:
            return False
        self._viewport.setCursor(Qt.CursorShape.PointingHandCursor)
        return True

    def mouse_release(self, event: QMouseEvent) -> bool:
        """Not handled by this tool."""
        return False

    def mouse_double_click(self, event: QMouseEvent) -> bool:
        """Toggle between the tile and all tiles in the view, unless another tool handles it."""
        if not self._grid.is_on:
            return False
        others = [tool for tool in self._viewport.tools if tool is not self]
        if not any(tool.mouse_double_click(event) for tool in others):
            self._grid.toggle_maximized()
        return True

    def wants_menu(self) -> bool:
        """Not handled by this tool."""
        return False

    def wants_key(self, event: QKeyEvent) -> bool:
        """Not handled by this tool."""
        return False

    def key_press(self, event: QKeyEvent) -> bool:
        """Not handled by this tool."""
        return False
