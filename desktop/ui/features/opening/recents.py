"""Recent sources for menus and lists: title, folder, thumbnail, and whether the file is still there."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QMenu

from desktop.base.files import exists
from desktop.ui.features.opening.opening import Opening
from desktop.ui.forms.settings import Settings
from desktop.ui.kit import icons
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.thumbnails import Maker, Small, Thumbnails
from desktop.ui.workspace.source_kinds import kind_of

ICON_SIZE: Final = QSize(32, 18)
_RATIO: Final = 2
_LONGEST_FOLDER: Final = 36
_MENU_NAME: Final = "recent"


@dataclass(frozen=True)
class Recent:
    """A recent source.

    Attributes:
        name: what opens it.
        title: file name or address.
        folder: end of the folder's path that tells it from others of the same title; '' for an address.
        kind: see `kind_of`.
        image: its thumbnail; None if there is none yet.
        is_missing: the file was not there when it was last looked for.
    """

    name: str
    title: str
    folder: str
    kind: str
    image: QImage | None = None
    is_missing: bool = False

    def icon(self, color: str) -> QIcon:
        """Return the thumbnail, or an icon of the kind in `color`; both of `ICON_SIZE`."""
        size = ICON_SIZE * _RATIO
        drawn = QPixmap(size)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        if self.image is not None:
            aspect = Qt.AspectRatioMode.KeepAspectRatio
            image = self.image.scaled(size, aspect, Qt.TransformationMode.SmoothTransformation)
            painter.setOpacity(0.4 if self.is_missing else 1.0)
            painter.drawImage(
                (size.width() - image.width()) // 2, (size.height() - image.height()) // 2, image
            )
        else:
            symbol = icons.pixmap(self.kind, color, ICON_SIZE.height(), float(_RATIO))
            painter.drawPixmap((ICON_SIZE.width() - ICON_SIZE.height()) * _RATIO // 2, 0, _plain(symbol))
        painter.end()
        drawn.setDevicePixelRatio(_RATIO)
        return QIcon(drawn)


def _plain(symbol: QPixmap) -> QPixmap:
    symbol.setDevicePixelRatio(1.0)
    return symbol


def is_remote(name: str) -> bool:
    """Return True for an address and for a path of another computer, at which looking may take long."""
    return "://" in name or name.startswith(("\\\\", "//"))


def folders_of(names: Sequence[str]) -> list[str]:
    """Return the name of each path's folder, with as many parents as tell paths of one file name apart."""
    found = []
    for name in names:
        path = PurePath(name)
        parents = path.parent.parts
        others = [PurePath(n).parent.parts for n in names if n != name and PurePath(n).name == path.name]
        count = 1
        while count < len(parents) and any(other[-count:] == parents[-count:] for other in others):
            count += 1
        found.append("" if "://" in name else str(PurePath(*parents[-count:])) if parents else "")
    return found


class RecentSources(QObject):
    """The recent sources with what is known of them; `changed` if more is known.

    Nothing is looked for on the window's thread, nor on other computers at all.
    """

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._missing: frozenset[str] = frozenset()
        self._jobs = Jobs(self, threads=1)
        self._thumbnails = Thumbnails(_maker, self)
        self._thumbnails.made.connect(lambda _: self.changed.emit())

    def entries(self) -> list[Recent]:
        """Return the recent sources, the newest first, as far as they are known."""
        names = self._settings.recent
        found = []
        for name, folder in zip(names, folders_of(names), strict=True):
            kind = kind_of(name)
            made = self._thumbnails.get(name)
            title = name if kind == "stream" else PurePath(name).name or name
            image = made.image if isinstance(made, Small) else None
            found.append(Recent(name, title, folder, kind, image, name in self._missing))
        return found

    def check_files(self) -> None:
        """Look for the files and make thumbnails, on other threads."""
        names = tuple(name for name in self._settings.recent if not is_remote(name))
        self._jobs.run(partial(_missing_of, names), self._take, lambda _: None)

    def _take(self, missing: frozenset[str]) -> None:
        here = [name for name in self._settings.recent if not is_remote(name) and name not in missing]
        # One that was missing, and has come back, is tried again.
        for name in self._missing - missing:
            self._thumbnails.invalidate(name)
        self._thumbnails.want(here)
        if missing != self._missing:
            self._missing = missing
            self.changed.emit()

    def close(self) -> None:
        """Drop what is under way."""
        self._thumbnails.close()
        self._jobs.close()


def _missing_of(names: Sequence[str]) -> frozenset[str]:
    return frozenset(name for name in names if not exists(Path(name)))


def _maker(name: Hashable) -> Maker:
    from desktop.media.thumbnails import thumbnail

    bounds = ICON_SIZE.width() * _RATIO, ICON_SIZE.height() * _RATIO
    return lambda wanted: thumbnail(Path(str(name)), bounds, wanted)


class RecentMenu(QObject):
    """Keeps the entries of recent sources in a menu up to date while it is open."""

    def __init__(self, menu: QMenu, recents: RecentSources, opening: Opening, most: int) -> None:
        super().__init__(menu)
        menu.setObjectName(_MENU_NAME)
        menu.setToolTipsVisible(True)
        self._menu, self._recents, self._opening, self._most = menu, recents, opening, most
        self._actions: dict[str, QAction] = {}
        recents.changed.connect(self._update)

    def add_entries(self) -> None:
        """Append an action for each source; look for the files, which are dimmed once known to be missing."""
        self._actions = {}
        for entry in self._recents.entries()[: self._most]:
            folder = self._menu.fontMetrics().elidedText(
                entry.folder,
                Qt.TextElideMode.ElideLeft,
                _LONGEST_FOLDER * self._menu.fontMetrics().averageCharWidth(),
            )
            # Escaped: an ampersand in a file name would become a mnemonic, a tab would begin the folder.
            title = entry.title.replace("&", "&&").replace("\t", " ")
            action = self._menu.addAction(f"{title}\t{folder}" if folder else title)
            action.setToolTip(entry.name)
            action.triggered.connect(lambda _=False, name=entry.name: self._opening.open(name))
            self._actions[entry.name] = action
            self._show(action, entry)
        self._recents.check_files()

    def _update(self) -> None:
        if self._menu.isVisible():
            for entry in self._recents.entries():
                if (action := self._actions.get(entry.name)) is not None:
                    self._show(action, entry)

    def _show(self, action: QAction, entry: Recent) -> None:
        action.setIcon(entry.icon(self._menu.palette().placeholderText().color().name()))
        action.setEnabled(not entry.is_missing)
