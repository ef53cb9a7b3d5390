"""Save and restore the session: a preset (one per tile with its own chain) and a file of sources.

It is saved a second after each change and on closing; files are replaced atomically. After a crash, which the
session may have caused, it is offered instead of restored.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from desktop.base.addresses import has_secrets, is_address, public_address
from desktop.base.errors import LightloomError
from desktop.base.files import home_expanded, reason, replace_file
from desktop.pipeline.setup.preset import LoadedPreset, load_preset, save_preset
from desktop.pipeline.setup.setup import Setup, named_models
from desktop.ui.features.grid.grid import Grid, Tile
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import NoticeButton
from desktop.ui.shell.session import (
    SOURCE_FILE,
    LastSource,
    copy_incomplete,
    has_complete_look,
    has_session,
    incomplete_folder,
    last_folder,
    own_setup,
    read_look,
    read_look_path,
    read_origins,
    read_source,
    read_tiles,
)
from desktop.ui.workspace.by_adapter import sample_name
from desktop.ui.workspace.history import AppliedLook
from desktop.ui.workspace.playback import Playback
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.media.sources.base import Source

log = logging.getLogger(__name__)

_ASIDE: Final = "crashed_session"
_SETUP: Final = "setup.toml"
# The chain and network of the look that the setup began with, which tells whether it was edited.
_LOOK: Final = "look.toml"
_SETTLED_MS: Final = 1000
_ABOUT: Final = "the last session"
_UNSAVED: Final = "saving the session"
# Sources that could record the user or the screen without consent.
_OPENED_BY_USER: Final = ("camera", "screen")
# A video that had reached its end starts at the beginning.
_LEFT_S: Final = 0.5


def _is_gone(source: LastSource) -> bool:
    """Return whether a source is a file or folder that no longer exists."""
    if "://" in source.name or source.is_kind("sample", *_OPENED_BY_USER):
        return False
    try:
        return not Path(source.name).exists()
    except (OSError, ValueError):
        return True


class LastSession(QObject):
    """Saves the window's session and restores the previous one."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._folder = last_folder(workspace.settings.path)
        self._aside = self._folder.with_name(_ASIDE)
        self._is_enabled = True
        # A window in which nothing was changed leaves the previous session alone.
        self._touched = False
        self._reported_unsaved = ""
        self._later = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._later.timeout.connect(self.save)
        # Sources that are being opened, and the positions to seek to once they are open.
        self._places: list[tuple[str, float]] = []
        self._follow(workspace.playback)
        workspace.get(Grid).changed.connect(self._later.start)
        workspace.edits.setup_changed.connect(self._later.start)
        workspace.playback.opened.connect(lambda _: self._later.start())
        workspace.playback.moved.connect(self._later.start)

    # -- saving ----------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop saving: the window omits parts of the session (safe mode)."""
        self._is_enabled = False

    def save(self) -> None:
        """Save the current state."""
        self._later.stop()
        source = self._source(self._workspace.playback)
        self._touched = (
            self._touched
            or self._workspace.get(Grid).is_on
            or source.has_own
            or bool(source.withheld)
            or bool(self._workspace.edits.history.undo_label)
        )
        if not (self._is_enabled and self._touched):
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            save_preset(self._workspace.edits.setup, self._workspace.library, self._folder / _SETUP)
            document: dict[str, object] = {
                **source.document,
                "tiles": self._save_tiles(),
                **self._save_look(),
                "shaders": self._workspace.get(OwnShaders).origins,
            }
            replace_file(self._folder / SOURCE_FILE, [json.dumps(document).encode()])
        except (OSError, LightloomError) as error:
            self._report_unsaved(error)
        else:
            if self._reported_unsaved:
                self._reported_unsaved = ""
                self._workspace.messages.settled.emit(_UNSAVED)

    def _report_unsaved(self, error: OSError | LightloomError) -> None:
        why = translated(str(error))
        if isinstance(error, OSError):
            advice = self.tr("{0}; free some disk space, or check the permissions of {1}.")
            why = advice.format(translated(reason(error)), self._folder)
        # It is saved after each change.
        if why != self._reported_unsaved:
            self._reported_unsaved = why
            said = self.tr("The session cannot be saved: {0}")
            self._workspace.messages.post("warning", said.format(why), about=_UNSAVED)

    def end(self) -> None:
        """Save the state on closing. An offered but unrestored session is deleted at the next save."""
        self.save()
        if self._is_enabled and self._touched:
            shutil.rmtree(self._aside, ignore_errors=True)

    def _save_look(self) -> dict[str, object]:
        """Save the chain of the look in use, and return its title and whether an effect is missing."""
        look = self._workspace.edits.history.look
        if look is None:
            (self._folder / _LOOK).unlink(missing_ok=True)
            return {}
        save_preset(
            Setup(chain=look.chain, network=look.network), self._workspace.library, self._folder / _LOOK
        )
        state = {"look": look.title, "look_path": look.path}
        return state | ({} if look.is_whole else {"look_incomplete": True})

    def _read_look(self, folder: Path) -> AppliedLook | None:
        title = read_look(folder)
        if not title:
            return None
        try:
            loaded = load_preset(folder / _LOOK, self._workspace.library)
            whole = loaded.has_all_filters and has_complete_look(folder)
            setup = loaded.setup
            return AppliedLook(title, setup.chain, read_look_path(folder), setup.network, is_whole=whole)
        except LightloomError as error:
            log.info("the look of the session is not known: %s", error)
            return None

    def _save_tiles(self) -> list[dict[str, str | float]]:
        """Save the setups of tiles that have their own, and return the sources of all tiles."""
        grid, kept = self._workspace.get(Grid), []
        for number, tile in enumerate(grid.tiles, 1):
            in_use, own = tile is grid.in_use, ""
            if not in_use and not grid.shares:
                own = own_setup(number)
                save_preset(tile.source_pipeline.setup, self._workspace.library, self._folder / own)
            kept.append(replace(self._source(tile.playback), in_use=in_use, setup=own).document)
        return kept

    @staticmethod
    def _position(playback: Playback) -> float:
        seekable = playback.seekable
        if seekable is None:
            return 0.0
        left = seekable.info.duration - seekable.position
        return seekable.position if not seekable.info.duration or left > _LEFT_S else 0.0

    def _source(self, playback: Playback) -> LastSource:
        name = playback.name
        if is_address(name):
            return LastSource(withheld=public_address(name)) if has_secrets(name) else LastSource(name)
        source = LastSource(name, self._position(playback))
        if not name or source.is_kind("sample", *_OPENED_BY_USER):
            return source
        # The next start may have another working directory.
        return replace(source, name=str(home_expanded(name).absolute()))

    # -- restoring -------------------------------------------------------------------------------------------

    def restore(self, sample: Source | None = None) -> bool:
        """Restore the previous session, reusing the playing `sample`; return False if there is none."""
        return self._restore(self._folder, sample)

    def put_aside(self) -> None:
        """Move the session of a crashed window aside, so that this window's session does not overwrite it."""
        with contextlib.suppress(OSError):
            if has_session(self._folder):
                shutil.rmtree(self._aside, ignore_errors=True)
                self._folder.rename(self._aside)

    @property
    def is_aside(self) -> bool:
        """Return whether a crashed window's session is still waiting to be restored."""
        return has_session(self._aside)

    def offer(self) -> None:
        """Offer in a notice to restore a crashed window's session, or what safe mode omits."""
        folder = self._aside if self.is_aside else self._folder
        source = read_source(folder) or LastSource()
        if not (source.name or source.withheld or self._has_setup(folder)):
            return
        said = (
            self.tr("The last session can be brought back: {0}.").format(_title(source.name))
            if source.name
            else self.tr("The chain and the network of the last session can be brought back.")
        )
        button = NoticeButton(self.tr("Bring it back"), lambda: self._restore(folder))
        self._workspace.messages.post("hint", said, about=_ABOUT, buttons=(button,))

    def _has_setup(self, folder: Path) -> bool:
        try:
            return load_preset(folder / _SETUP, self._workspace.library).setup != Setup()
        except LightloomError:
            return False

    def _restore(self, folder: Path, sample: Source | None = None) -> bool:
        source = read_source(folder)
        if source is None:
            if not has_session(folder):
                return False
            self._report_unreadable(folder / SOURCE_FILE)
            source = LastSource()
        try:
            loaded = load_preset(folder / _SETUP, self._workspace.library)
        except LightloomError as error:
            loaded = LoadedPreset(Setup(), (str(error),), ())
        tiles = read_tiles(folder)
        if not (tiles or source.name or source.withheld) and loaded.setup == Setup():
            return False
        self._touched = True
        look = self._read_look(folder)
        self._copy_incomplete(folder / _SETUP, loaded)
        origins = read_origins(folder)
        self._use(loaded, lambda setup: self._workspace.edits.begin_with(setup, look), origins)
        if tiles:
            self._open_tiles(tiles, folder, sample)
        else:
            self._open(source, sample)
        return True

    def _report_unreadable(self, file: Path) -> None:
        """Report that it is not known what was open, and keep the file: the next save replaces it."""
        # Not beside it: the folder of a crashed session is deleted when the window closes.
        kept = copy_incomplete(file, incomplete_folder(self._workspace.settings.path))
        text = self.tr("The record of what was open in the last session is damaged; open your source again.")
        if kept is not None:
            text = self.tr(
                "The record of what was open in the last session is damaged; open your source again. A copy of it "
                "is {0}."
            ).format(kept)
        self._workspace.messages.post("warning", text, about=f"source {_ABOUT}")

    def _copy_incomplete(self, path: Path, loaded: LoadedPreset) -> None:
        """Keep the file of a setup of which something is missing: the next save replaces it."""
        if not loaded.warnings or not path.is_file():
            return
        kept = copy_incomplete(path, incomplete_folder(self._workspace.settings.path))
        if kept is not None:
            said = self.tr("Something of the last session is missing. Its file is kept as {0}.")
            self._workspace.messages.post("hint", said.format(kept), about=f"{_ABOUT} {kept.name}")

    def _use(self, loaded: LoadedPreset, begin: Callable[[Setup], None], origins: Mapping[str, Path]) -> None:
        from desktop.pipeline.setup.zones import consent_notice

        workspace = self._workspace
        for warning in loaded.warnings:
            workspace.messages.post("warning", warning)
        if off := consent_notice(loaded.setup.scene.events):
            workspace.messages.post("warning", off, about=f"events {_ABOUT}")
        for shader in loaded.shaders:
            workspace.get(OwnShaders).follow_origin(shader, origins.get(shader.stem, shader))
        if loaded.shaders:
            workspace.get(OwnShaders).filters_changed.emit()
        setup = loaded.setup
        if setup != Setup():
            workspace.get(Networks).confirm_hosts(named_models(setup), lambda: begin(setup))

    def _open_tiles(self, tiles: Sequence[LastSource], folder: Path, sample: Source | None) -> None:
        """Open a grid's sources in order and activate its active tile; failed sources leave no gap."""
        grid, opened = self._workspace.get(Grid), []
        for number, source in enumerate(tiles):
            if number == 0:
                self._open(source, sample)
                grid.begin()
                # A tile's playback object changes when another tile becomes active.
                is_there = not grid.tiles[0].is_empty
            else:
                self._report_withheld(source)
                is_there = bool(source.name) and self._may_open(source) and grid.take_source(source.name)
                if is_there:
                    self._go_to(source)
            if is_there:
                opened.append(source)
        for tile in grid.others:
            self._follow(tile.playback)
        number = next((at for at, source in enumerate(opened) if source.in_use), 0)
        grid.use(number)
        if any(source.setup for source in opened):
            grid.toggle_shared()
        for source, tile in zip(opened, grid.tiles, strict=False):
            if source.setup and tile is not grid.in_use:
                self._use_own(folder / source.setup, tile)

    def _use_own(self, path: Path, tile: Tile) -> None:
        try:
            loaded = load_preset(path, self._workspace.library)
        except LightloomError as error:
            loaded = LoadedPreset(Setup(), (str(error),), ())
        self._copy_incomplete(path, loaded)
        begin = partial(self._workspace.get(Grid).begin_with, tile)
        self._use(loaded, begin, read_origins(path.parent))

    def _open(self, source: LastSource, sample: Source | None) -> None:
        workspace = self._workspace
        self._report_withheld(source)
        if sample is not None and not source.has_own:
            workspace.playback.adopt(sample_name(workspace.adapter), sample)
        elif not source.has_own:
            workspace.get(Opening).open_sample()
        elif self._may_open(source):
            self._go_to(source)
            workspace.get(Opening).open(source.name)

    def _report_withheld(self, source: LastSource) -> None:
        if source.withheld:
            said = self.tr("The last session had {0}, whose password is not kept: open the address again.")
            self._workspace.messages.post("hint", said.format(source.withheld), about=f"source {_ABOUT}")

    def _may_open(self, source: LastSource) -> bool:
        """Return True if a source may be opened; otherwise report why not."""
        workspace = self._workspace
        if _is_gone(source):
            said = self.tr(
                "{0}, which was open in the last session, does not exist any more; everything else is back."
            )
            workspace.messages.post("warning", said.format(source.name), of_source=True)
        elif source.is_kind(*_OPENED_BY_USER):
            said = self.tr("The last session had {0}, which is opened only when you say so.")
            button = NoticeButton(self.tr("Open it"), lambda: workspace.get(Opening).open(source.name))
            workspace.messages.post(
                "hint", said.format(source.name), about=f"source {_ABOUT}", buttons=(button,)
            )
        else:
            return True
        return False

    def _go_to(self, source: LastSource) -> None:
        """Seek to the saved position once the source is open."""
        self._places.append((source.name, source.position))

    def _follow(self, playback: Playback) -> None:
        playback.opened.connect(lambda name: self._on_opened(playback, name))
        playback.refused.connect(lambda name, _: self._place_of(name))
        playback.canceled.connect(self._places.clear)

    def _on_opened(self, playback: Playback, name: str) -> None:
        position = self._place_of(name)
        if position > 0.0:
            playback.seek(position)

    def _place_of(self, name: str) -> float:
        """Return, once, the position to seek to in a source of this name."""
        found = next((place for place in self._places if place[0] == name), None)
        if found is None:
            return 0.0
        self._places.remove(found)
        return found[1]


def _title(name: str) -> str:
    return name if "://" in name else Path(name).name
