"""Several sources at once, in the tiles of a grid. All panels act on the active tile.

The window's engine, playback and history always belong to the active tile: activating another one exchanges
them (`source_pipeline.py`). Only this file and `grid_view.py` know of the other tiles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QKeySequence

from desktop.media.playlist import Entry
from desktop.pipeline.engine import Engine
from desktop.pipeline.picture.mosaic import MOST_TILES
from desktop.pipeline.setup.setup import Setup
from desktop.pipeline.source_pipeline import SourcePipeline
from desktop.ui.features.clicks.clicks import Clicks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.history import History
from desktop.ui.workspace.keys import native_text
from desktop.ui.workspace.playback import Playback

_FEW: Final = 2


@dataclass(frozen=True)
class _Closed:
    """A tile that was closed with the grid: its place, and what is needed to reopen it."""

    number: int
    name: str
    position: float
    history: History
    kept: History | None


@dataclass(eq=False)
class Tile:
    """A tile of the grid.

    Attributes:
        playback: plays its source; the window's own for the active tile.
        history: the edits of its own chain.
        kept: the edits of its own chain while all tiles share one; None if it had none.
        error: why there is no frame; '' if nothing failed.
        opening: the source opened last and the position to begin at, in seconds, until it is there.
    """

    source_pipeline: SourcePipeline
    playback: Playback
    history: History
    error: str = ""
    kept: History | None = None
    opening: tuple[str, float] | None = None

    @property
    def is_empty(self) -> bool:
        """True if nothing plays there, nor is being opened."""
        return self.playback.source is None and not self.playback.is_opening

    @property
    def title(self) -> str:
        """The title of its source, or ''."""
        info = self.playback.info
        return translated(info.title) if info is not None else ""


class Grid(QObject):
    """A grid of two or four tiles; without tiles the window shows one source.

    `whole`: the active tile fills the view. `shares`: all tiles have the same chain. Signal `used`: another
    tile is active, and sources are about to be exchanged.
    """

    changed = Signal()
    used = Signal()

    def __init__(
        self,
        engine: Engine,
        messages: Messages,
        playback: Playback,
        playlist: PlaylistPlayer,
        edits: Edits,
        opening: Opening,
        pictures: Pictures,
        clicks: Clicks,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._messages, self._playback = engine, messages, playback
        self._playlist = playlist
        self._edits, self._opening, self._pictures, self._clicks = edits, opening, pictures, clicks
        self.tiles: list[Tile] = []
        self.whole = False
        self.shares = True
        # Where the first source of a drop goes, whatever plays there.
        self._aimed: Tile | None = None
        # Tiles that `toggle` reopens, and the place and the own chain of the tile that was active.
        self._closed: list[_Closed] = []
        self._number = 0
        self._kept: History | None = None
        edits.setup_changed.connect(self._share)
        edits.filters_fitted.connect(self._fit_filters)
        playback.failed.connect(lambda text: self._on_failed(playback, text))
        playback.opened.connect(lambda _: self._on_opened(playback))
        playback.changed.connect(lambda: self._on_changed(playback))

    @property
    def is_on(self) -> bool:
        """True while there are tiles."""
        return bool(self.tiles)

    @property
    def in_use(self) -> Tile | None:
        """The tile that the panels act on."""
        return next((tile for tile in self.tiles if tile.playback is self._playback), None)

    @property
    def others(self) -> list[Tile]:
        """The tiles that are not in use."""
        return [tile for tile in self.tiles if tile.playback is not self._playback]

    @property
    def number(self) -> int:
        """The place of the tile in use, from 0."""
        tile = self.in_use
        return self.tiles.index(tile) if tile is not None else 0

    def name_of(self, tile: Tile) -> str:
        """Return a tile's label: its number and source."""
        number = self.tiles.index(tile) + 1
        name = f"{number}  {tile.title}" if tile.title else str(number)
        source = tile.playback.source
        return self.tr("{0} (ended)").format(name) if source is not None and source.state == "ended" else name

    def words_of(self, tile: Tile) -> str:
        """Return the text shown instead of a missing frame; '' if there is a frame."""
        source = tile.playback.source
        if tile.error and (source is None or source.state in ("failed", "lost", "reconnecting")):
            return tile.error
        if tile.playback.is_opening or source is not None:
            return ""
        return self.tr("Drop a video or an image here, or open one with {0}").format(
            native_text(QKeySequence("Ctrl+O"))
        )

    @property
    def marks(self) -> tuple[str, str]:
        """Name and text of the active tile, '' without tiles."""
        tile = self.in_use
        return (self.name_of(tile), self.words_of(tile)) if tile is not None else ("", "")

    # -- on and off ------------------------------------------------------------------------------------------

    def toggle(self) -> None:
        """Turn the grid on, with the tiles that it had when it was turned off; or off, keeping the source in use."""
        if not self.is_on:
            self.begin()
            self._open_again()
            return
        self.end()
        if self._closed:
            # Undo covers only the chain in use, and does not bring the tiles back.
            text = self.tr("The other tiles are closed; {key} opens them again.")
            self._messages.post("info", text.format(key=native_text(QKeySequence("G"))), about="grid")

    def begin(self) -> None:
        """Turn the source in use into the first of two tiles."""
        if self.is_on:
            return
        self.whole = False
        self.tiles = [Tile(self._engine.current, self._playback, self._edits.history)]
        self._opening.take_sources = self.take_sources
        self._fill(_FEW)
        self.changed.emit()

    def end(self) -> None:
        """Close all tiles but the one in use; `toggle` opens them again."""
        active = self.in_use
        self._number, self._kept = self.number, active.kept if active is not None else None
        self._closed = []
        for number, tile in enumerate(self.tiles):
            name, position = _place_in(tile)
            if tile is not active and name:
                self._closed.append(_Closed(number, name, position, tile.history, tile.kept))
        for tile in self.others:
            self._discard(tile)
        self.tiles = []
        self.whole = False
        self._opening.take_sources = self._opening.play
        self.changed.emit()
        self.used.emit()

    def _open_again(self) -> None:
        """Open the tiles that were closed with the grid, with their chains, at their places."""
        closed, self._closed = self._closed, []
        active = self.in_use
        if not closed or active is None:
            return
        active.kept, self._kept = self._kept, None
        last = max(self._number, *(each.number for each in closed))
        self._fill(_FEW if last < _FEW else MOST_TILES)
        self.tiles.insert(self._number, self.tiles.pop(0))
        for each in closed:
            tile = self.tiles[each.number]
            tile.history, tile.kept = each.history, each.kept
            if not self.shares:
                tile.source_pipeline.set_setup(tile.history.setup)
            if each.position > 0.0:
                self._seek_once(tile.playback, each)
            self._open(tile, each.name, each.position)
        self._messages.settled.emit("grid")
        self.changed.emit()

    @staticmethod
    def _seek_once(playback: Playback, closed: _Closed) -> None:
        """Return to where a source was, once it is open and unless another was opened in its place."""

        def go(name: str) -> None:
            playback.opened.disconnect(go)
            if name == closed.name:
                playback.seek(closed.position)

        playback.opened.connect(go)

    @staticmethod
    def _open(tile: Tile, name: str, position: float = 0.0) -> None:
        tile.opening = (name, position)
        tile.playback.open(name)

    def _fill(self, count: int) -> None:
        while len(self.tiles) < count:
            playback = self._playback.make_sibling(self)
            tile = Tile(self._engine.add_source_pipeline(), playback, History(self._edits.setup))
            playback.woken.connect(self._playback.woken)
            playback.changed.connect(lambda p=playback: self._on_changed(p))
            playback.opened.connect(lambda name, p=playback: self._on_tile_opened(p, name))
            playback.failed.connect(lambda text, p=playback: self._on_failed(p, text))
            self.tiles.append(tile)

    def _discard(self, tile: Tile) -> None:
        self.tiles.remove(tile)
        self._playlist.left(tile.playback)
        tile.playback.cancel()
        tile.playback.stop()
        tile.playback.deleteLater()
        self._engine.remove_source_pipeline(tile.source_pipeline)

    # -- what becomes of tiles -------------------------------------------------------------------------------

    def _tile_of(self, playback: Playback) -> Tile | None:
        return next((tile for tile in self.tiles if tile.playback is playback), None)

    def _on_changed(self, playback: Playback) -> None:
        tile = self._tile_of(playback)
        if tile is None:
            return
        if playback.source is None and tile.source_pipeline.frame is not None:
            tile.source_pipeline.clear()
        self.changed.emit()

    def _on_opened(self, playback: Playback) -> None:
        tile = self._tile_of(playback)
        if tile is not None:
            tile.error, tile.opening = "", None
            self.changed.emit()

    def _on_tile_opened(self, playback: Playback, name: str) -> None:
        tile = self._tile_of(playback)
        if tile is not None:
            playback.hush()
            tile.source_pipeline.clear_source_state()
            self._opening.remember(name)
            self._on_opened(playback)

    def _on_failed(self, playback: Playback, text: str) -> None:
        tile = self._tile_of(playback)
        if tile is not None:
            tile.error, tile.opening = translated(text), None
            self.changed.emit()

    # -- the one in use --------------------------------------------------------------------------------------

    def use(self, number: int) -> None:
        """Activate a tile; not during a recording, which would continue with another source."""
        tile, before = self.tiles[number], self.in_use
        if before is None or tile is before:
            return
        if self._pictures.recording is not None:
            self._messages.said.emit(self.tr("A recording runs: finish it before you go to another tile"))
            return
        if self._clicks.prompts:
            self._clicks.clear()
        self._edits.seal()
        self._engine.use_source_pipeline(tile.source_pipeline)
        before.history, before.playback, tile.playback = self._edits.history, tile.playback, before.playback
        if not self.shares:
            self._edits.use(tile.history)
        self.used.emit()
        self._playlist.exchanged(before.playback)
        before.playback.exchange(tile.playback)
        self._messages.said.emit(self.name_of(tile))
        self.changed.emit()

    def toggle_maximized(self) -> None:
        """Toggle between the active tile and all tiles in the view."""
        if self.is_on:
            self.whole = not self.whole
            self.changed.emit()

    # -- the chain -------------------------------------------------------------------------------------------

    def toggle_shared(self) -> None:
        """Toggle between one chain for all tiles and one for each, for inactive tiles the one that they had before, at
        first a copy of the active tile's.
        """
        self.shares = not self.shares
        active, common = self.in_use, self._edits.setup
        for tile in self.others:
            if self.shares:
                tile.kept = tile.history
                tile.history = History(common)
            else:
                tile.history, tile.kept = tile.kept or History(common), None
                tile.source_pipeline.set_setup(tile.history.setup)
        # Of a tile that became the active one while all shared a chain.
        if active is not None and active.kept is not None and not self.shares:
            kept, active.kept = active.kept, None
            active.source_pipeline.set_setup(kept.setup)
            self._edits.use(kept)
        self._share()
        self.changed.emit()

    def begin_with(self, tile: Tile, setup: Setup) -> None:
        """Start the history of an inactive tile that has its own chain with a setup."""
        tile.history = History(setup)
        tile.source_pipeline.set_setup(setup)

    def _share(self) -> None:
        if self.shares:
            for tile in self.others:
                tile.source_pipeline.set_setup(self._edits.setup)

    def _fit_filters(self, changed: set[str], label: str) -> None:
        """Adapt the inactive tiles' chains to changed filters; see `Edits.fit_values`."""
        for tile in self.others:
            setup = tile.source_pipeline.setup
            fitted = replace(setup, chain=self._edits.fitted(setup.chain, changed))
            if fitted != setup:
                tile.history.push(fitted, label, "reload")
                tile.source_pipeline.set_setup(fitted)
        apart = [tile.kept for tile in self.tiles] + [self._kept]
        for history in [*apart, *(h for closed in self._closed for h in (closed.history, closed.kept))]:
            if history is None:
                continue
            fitted = replace(history.setup, chain=self._edits.fitted(history.setup.chain, changed))
            if fitted != history.setup:
                history.push(fitted, label, "reload")

    # -- sources ---------------------------------------------------------------------------------------------

    def aim(self, number: int | None) -> None:
        """Direct the first dropped source to a tile and activate it; None selects a free tile."""
        self._aimed = None
        if number is not None:
            self.use(number)
            # Not the active one, which does not change during a recording.
            self._aimed = self.tiles[number]

    def take_sources(self, sources: list[Entry | str]) -> None:
        """Open each source on a tile of its own; entries of lists become the active tile's playlist."""
        listed = [source for source in sources if isinstance(source, Entry)]
        if listed:
            self._aimed = None
            self._opening.play(list(listed))
        left_out = [spec for spec in sources if not isinstance(spec, Entry) and not self.take_source(spec)]
        # Also after a drop without a source: the next one aims again.
        self._aimed = None
        if len(left_out) == 1:
            text = self.tr("A grid shows {0} sources at most, so {1} was left out; close a tile first.")
            self._messages.post("warning", text.format(MOST_TILES, left_out[0]), about="grid")
        elif left_out:
            text = self.tr(
                "A grid shows {0} sources at most, so %n were left out; close a tile first.",
                "",
                len(left_out),
            )
            self._messages.post("warning", text.format(MOST_TILES), about="grid")

    def take_source(self, spec: str) -> bool:
        """Open a source in the tile where it was dropped or in a free one; False if none is free."""
        tile, self._aimed = self._aimed, None
        if tile is None or tile not in self.tiles:
            tile = next((t for t in self.tiles if t.is_empty and not t.error), None)
        if tile is None and len(self.tiles) < MOST_TILES:
            tile_count = len(self.tiles)
            self._fill(MOST_TILES)
            tile = self.tiles[tile_count]
        tile = tile or next((t for t in self.tiles if t.is_empty), None)
        if tile is None:
            return False
        tile.error = ""
        self._open(tile, spec)
        self.changed.emit()
        return True

    def close_tile(self) -> None:
        """Close the tile in use; with one source left, that is shown alone."""
        tile = self.in_use
        if tile is None:
            return
        if self._pictures.recording is not None:
            self._messages.said.emit(self.tr("A recording runs: finish it before you close its tile"))
            return
        others = self.others
        following = [t for t in self.tiles[self.number + 1 :] + self.tiles if t in others]
        self.use(self.tiles.index(next((t for t in following if not t.is_empty), following[0])))
        self._discard(tile)
        taken = [t for t in self.tiles if not t.is_empty or t.error]
        if len(taken) <= 1:
            self.end()
            return
        for free in [t for t in self.others if t not in taken]:
            self._discard(free)
        self._fill(_FEW if len(self.tiles) <= _FEW else MOST_TILES)
        self.changed.emit()

    def close(self) -> None:
        """Stop the inactive tiles and wait; the engine closes their source pipelines."""
        for tile in self.others:
            tile.playback.close()
        self.tiles = []


def _place_in(tile: Tile) -> tuple[str, float]:
    """Return the name of a tile's source, '' without one, and where it is in seconds: 0 without a time line and at its
    end. Of one that is still being opened it is the position at which it will begin.
    """
    playback, opening = tile.playback, tile.opening
    if opening is not None and (playback.is_opening or playback.name == opening[0]):
        return opening
    seekable = playback.seekable
    at = seekable.position if seekable is not None and seekable.state != "ended" else 0.0
    return playback.name, at
