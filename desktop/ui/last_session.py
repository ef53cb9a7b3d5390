"""What the window had when it was closed, so that the next one can go on there: source and place in it, chain, network, zones.

It is written a second after each change, and when the window closes; each file takes its name once it is whole. It is a preset and a file
that names the source. A window that crashed left what it had a second before; that is offered, since it may be what crashed.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer

from desktop.compute.presets.preset import LoadedPreset, Setup, load_preset, named_models, save_preset
from desktop.errors import LightloomError
from desktop.files import replace_file
from desktop.session import SOURCE_FILE, LastSource, last_folder, read_source
from desktop.ui.by_adapter import sample_name
from desktop.ui.controller import Controller
from desktop.ui.messages import NoticeButton

if TYPE_CHECKING:
    from desktop.compute.media.sources.base import Source

log = logging.getLogger(__name__)

_ASIDE: Final = "crashed_session"
_SETUP: Final = "setup.toml"
_SETTLED_MS: Final = 1000
_ABOUT: Final = "the last session"
# What would watch the user, or the screen, without having been asked for.
_ASKED_FOR: Final = ("camera", "screen")
# A video that had come to its end begins anew.
_LEFT_S: Final = 0.5


def _is_gone(source: LastSource) -> bool:
    """Whether a source is a file or a folder that is not there."""
    if "://" in source.name or source.is_kind("sample", *_ASKED_FOR):
        return False
    try:
        return not Path(source.name).exists()
    except (OSError, ValueError):
        return True


class LastSession(QObject):
    """Keeps what the window has, and brings back what the one before had."""

    def __init__(self, controller: Controller, parent: QObject) -> None:
        super().__init__(parent)
        self._controller = controller
        self._folder = last_folder(controller.settings.path)
        self._aside = self._folder.with_name(_ASIDE)
        self._keeps = True
        # A window that was only looked at leaves what the one before had.
        self._touched = False
        self._later = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._later.timeout.connect(self.keep)
        controller.edits.setup_changed.connect(self._later.start)
        controller.playback.opened.connect(lambda _: self._later.start())
        controller.playback.moved.connect(self._later.start)

    # -- keeping -------------------------------------------------------------------------------------------------------

    def rest(self) -> None:
        """Keep nothing from now on: the window leaves things out (safe mode)."""
        self._keeps = False

    def keep(self) -> None:
        """Write what there is now."""
        self._later.stop()
        source = self._source()
        self._touched = (
            self._touched
            or source.has_own
            or bool(source.withheld)
            or bool(self._controller.edits.history.undo_label)
        )
        if not (self._keeps and self._touched):
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            save_preset(self._controller.edits.setup, self._controller.library, self._folder / _SETUP)
            document: dict[str, str | float] = {"source": source.name, "position": round(source.position, 3)}
            if source.withheld:
                document["withheld"] = source.withheld
            replace_file(self._folder / SOURCE_FILE, [json.dumps(document).encode()])
        except (OSError, LightloomError) as error:
            log.warning("the session is not kept: %s", error)

    def end(self) -> None:
        """The window closes: write what there is now. What was offered and not brought back goes with the first session after it."""
        self.keep()
        if self._keeps and self._touched:
            shutil.rmtree(self._aside, ignore_errors=True)

    @property
    def _position(self) -> float:
        seekable = self._controller.playback.seekable
        if seekable is None:
            return 0.0
        left = seekable.info.duration - seekable.position
        return seekable.position if not seekable.info.duration or left > _LEFT_S else 0.0

    def _source(self) -> LastSource:
        from desktop.compute.media.sources._address import has_secrets, is_address, public_address

        name = self._controller.playback.name
        if is_address(name):
            if not has_secrets(name):
                return LastSource(name)
            with contextlib.suppress(ValueError):
                return LastSource(withheld=public_address(name))
            return LastSource()
        source = LastSource(name, self._position)
        if not name or source.is_kind("sample", *_ASKED_FOR):
            return source
        # The next start may be in another folder.
        return replace(source, name=str(Path(name).expanduser().absolute()))

    # -- bringing back -------------------------------------------------------------------------------------------------

    def restore(self, sample: Source | None = None) -> bool:
        """Bring back what the window before had, on `sample`, which plays already, where that was open; False where nothing is kept."""
        return self._restore(self._folder, sample)

    def put_aside(self) -> None:
        """Keep apart what the window had that crashed: what is opened now is kept in its own place."""
        with contextlib.suppress(OSError):
            if read_source(self._folder) is not None:
                shutil.rmtree(self._aside, ignore_errors=True)
                self._folder.rename(self._aside)

    @property
    def is_aside(self) -> bool:
        """Whether there is a session of a window that crashed, which was not brought back."""
        return read_source(self._aside) is not None

    def offer(self) -> None:
        """Ask in a notice whether to bring back what the window had that crashed, or what safe mode leaves out."""
        folder = self._aside if self.is_aside else self._folder
        source = read_source(folder)
        if source is None or not (source.name or source.withheld or self._has_setup(folder)):
            return
        said = (
            self.tr("The last session can be brought back: {0}.").format(_title(source.name))
            if source.name
            else self.tr("The chain and the network of the last session can be brought back.")
        )
        button = NoticeButton(self.tr("Bring it back"), lambda: self._restore(folder))
        self._controller.messages.tell("hint", said, about=_ABOUT, buttons=(button,))

    def _has_setup(self, folder: Path) -> bool:
        try:
            return load_preset(folder / _SETUP, self._controller.library).setup != Setup()
        except LightloomError:
            return False

    def _restore(self, folder: Path, sample: Source | None = None) -> bool:
        source = read_source(folder)
        if source is None:
            return False
        try:
            loaded = load_preset(folder / _SETUP, self._controller.library)
        except LightloomError as error:
            self._controller.messages.tell("warning", str(error))
            loaded = LoadedPreset(Setup(), (), ())
        if not (source.name or source.withheld) and loaded.setup == Setup():
            return False
        self._touched = True
        self._use(loaded)
        self._open(source, sample)
        return True

    def _use(self, loaded: LoadedPreset) -> None:
        from desktop.compute.presets.zones import consent_asked

        controller = self._controller
        for warning in loaded.warnings:
            controller.messages.tell("warning", warning)
        if off := consent_asked(loaded.setup.scene.events):
            controller.messages.tell("warning", off, about=f"events {_ABOUT}")
        for shader in loaded.shaders:
            controller.shaders.follow(shader)
        if loaded.shaders:
            controller.shaders.filters_changed.emit()
        setup = loaded.setup
        if setup != Setup():
            controller.networks.ask_hosts(named_models(setup), lambda: controller.edits.begin_with(setup))

    def _open(self, source: LastSource, sample: Source | None) -> None:
        controller = self._controller
        if source.withheld:
            said = self.tr("The last session had {0}, whose password is not kept: open the address again.")
            controller.messages.tell("hint", said.format(source.withheld), about=f"source {_ABOUT}")
        if sample is not None and not source.has_own:
            controller.playback.adopt(sample_name(controller.adapter), sample)
        elif not source.has_own:
            controller.opening.open_sample()
        elif _is_gone(source):
            said = self.tr(
                "{0}, which was open in the last session, does not exist any more; everything else is back."
            )
            controller.messages.tell("warning", said.format(source.name), of_source=True)
        elif source.is_kind(*_ASKED_FOR):
            said = self.tr("The last session had {0}, which is opened only when you say so.")
            button = NoticeButton(self.tr("Open it"), lambda: controller.opening.open(source.name))
            controller.messages.tell(
                "hint", said.format(source.name), about=f"source {_ABOUT}", buttons=(button,)
            )
        else:
            self._go_to(source)
            controller.opening.open(source.name)

    def _go_to(self, source: LastSource) -> None:
        """Go to the place in the source, once it is open."""
        playback = self._controller.playback

        def opened(name: str) -> None:
            if name == source.name and source.position > 0.0:
                playback.seek(source.position)

        playback.opened.connect(opened, Qt.ConnectionType.SingleShotConnection)


def _title(name: str) -> str:
    return name if "://" in name else Path(name).name
