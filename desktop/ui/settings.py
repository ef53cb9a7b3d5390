"""What is kept between runs, and the program's log file.

Settings are an INI file in the user's configuration folder. A broken file gives the defaults and is
kept beside the new one; `Settings.problem` says so, never an error.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
from collections.abc import Callable
from pathlib import Path
from typing import Final, Generic, TypeVar, overload

from PySide6.QtCore import QByteArray, QSettings

from desktop.files import reason
from desktop.paths import user_config_folder, user_log_folder
from desktop.printable import PrintableFormatter
from desktop.wording import sentence

log = logging.getLogger(__name__)

_RECENT: Final = 12


def start_logging() -> None:
    """Write the log to the user's log folder, at most three files of 1 MiB; without a folder, to nowhere but stderr."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    try:
        user_log_folder().mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            user_log_folder() / "lightloom.log", maxBytes=1 << 20, backupCount=2, encoding="utf-8", delay=True
        )
    except OSError as error:
        log.warning("no log file: %s", error)
        return
    handler.setFormatter(PrintableFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.addHandler(handler)


Value = TypeVar("Value")


class Setting(Generic[Value]):
    """One entry of the settings file, as an attribute of `Settings`: its key there, and how it is read and written.

    What is read may be anything, because the file may have been edited: whatever does not fit gives the default.
    """

    def __init__(
        self,
        key: str,
        read: Callable[[object], Value],
        write: Callable[[Value], object] = lambda value: value,
    ) -> None:
        self._key, self._read, self._write = key, read, write

    @overload
    def __get__(self, settings: None, owner: type[Settings]) -> Setting[Value]: ...

    @overload
    def __get__(self, settings: Settings, owner: type[Settings]) -> Value: ...

    def __get__(self, settings: Settings | None, owner: type[Settings]) -> Value | Setting[Value]:
        return self if settings is None else self._read(settings._store.value(self._key))

    def __set__(self, settings: Settings, value: Value) -> None:
        settings._set(self._key, self._write(value))


def _text(key: str) -> Setting[str]:
    return Setting(key, lambda kept: kept if isinstance(kept, str) else "")


def _choice(key: str, *choices: str) -> Setting[str]:
    """One of some words, the first by default."""
    return Setting(key, lambda kept: kept if isinstance(kept, str) and kept in choices else choices[0])


def _flag(key: str, *, default: bool = False) -> Setting[bool]:
    return Setting(key, lambda kept: kept == "true" if isinstance(kept, str) else default, _flag_text)


def _flag_text(value: bool | None) -> str:
    return "true" if value else "false"


def _names(key: str) -> Setting[list[str]]:
    return Setting(key, _read_names, json.dumps)


def _read_names(kept: object) -> list[str]:
    try:
        value = json.loads(kept) if isinstance(kept, str) else []
    except ValueError:
        return []
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def _bytes(key: str) -> Setting[QByteArray]:
    return Setting(key, lambda kept: kept if isinstance(kept, QByteArray) else QByteArray())


def _read_number(kept: object) -> float:
    try:
        return float(kept) if isinstance(kept, str) else 0.0
    except ValueError:
        return 0.0


class Settings:
    """The settings file; each attribute is an entry that is read and written as it is used."""

    theme = _choice("theme", "system", "dark", "light")
    language = _text("language")
    """Code of the chosen language, '' for the system's."""
    adapter = _text("adapter")
    """Name of the chosen adapter, '' for the best."""
    geometry = _bytes("window/geometry")
    """The window's place and size."""
    docks = _bytes("window/docks")
    """Where the docks are."""
    folder = _text("folder")
    """Where the last file was opened from."""
    recent = _names("recent")
    """Sources opened lately, newest first."""
    favorites = _names("library/favourites")
    """Ids of favorite filters."""
    models = _names("library/models")
    """Paths of networks that were used, newest first."""
    model_folder = _text("models/folder")
    """Where downloaded networks are kept, '' for the usual folder."""
    model_mirror = _text("models/mirror")
    """Address that is asked for networks in the place of the catalogue's own, '' for those."""
    offline = _flag("models/offline")
    """True if nothing may be downloaded."""
    weekly_updates: Setting[bool | None] = Setting(
        "updates/weekly", lambda kept: {"true": True, "false": False}.get(str(kept)), _flag_text
    )
    """Whether Lightloom may look for a new version once a week; None until the user was asked."""
    last_update_look: Setting[float] = Setting("updates/last", _read_number, str)
    """When it looked last, in seconds since 1970; 0.0 for never."""
    started_before = _flag("started")
    """True from the second start on."""
    show_stats = _flag("overlay/stats")
    """True if the overlay's numbers are pinned; at first they are not, and the status bar has the rate."""
    saves_overlay = _flag("overlay/saved", default=True)
    """True if what a network sees is drawn into snapshots and recordings, as it is on the screen."""
    names_things = _flag("network/begin", default=True)
    """True if the window begins with the classifier in the box: until the user removes a network, and again once one is used."""
    shows_look = _flag("chain/begin", default=True)
    """True if the window begins with a filter on the sample: until the user changes that chain."""
    hinted = _flag("help/hinted")
    """True once the first hint was shown."""
    drivers_told = _names("drivers_told")
    """The adapters, each with its driver's version, whose known fault the window has told of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._store = QSettings(str(path), QSettings.Format.IniFormat)
        if self._store.status() == QSettings.Status.FormatError:
            self._begin_anew()
        elif self._store.status() != QSettings.Status.NoError or not self._store.isWritable():
            self.problem = sentence(
                "The settings in {folder} cannot be read or written, so changes last until the window is closed; "
                "give the folder to your user.",
                folder=path.parent,
            )
        if self.problem:
            log.warning("%s", self.problem)

    def _begin_anew(self) -> None:
        kept = self.path.with_name(self.path.name + ".broken")
        try:
            self.path.replace(kept)
        except OSError as error:
            self.problem = sentence(
                "The settings {path} are damaged and cannot be moved away ({reason}); delete the file.",
                path=self.path,
                reason=reason(error),
            )
        else:
            self.problem = sentence(
                "The settings were damaged and begin anew; the old file is kept as {kept}.", kept=kept
            )
        self._store = QSettings(str(self.path), QSettings.Format.IniFormat)
        self._store.clear()

    @classmethod
    def load(cls) -> Settings:
        """Open the user's settings."""
        return cls(user_config_folder() / "settings.ini")

    def _set(self, key: str, value: object) -> None:
        self._store.setValue(key, value)

    def add_model(self, path: str) -> None:
        """Put a network first in the list."""
        self.models = [path, *(p for p in self.models if p != path)][:_RECENT]

    def remove_model(self, path: str) -> None:
        """Forget that a network was used."""
        self.models = [p for p in self.models if p != path]

    def add_recent(self, name: str) -> None:
        """Put a source first in the list. Addresses with a password are not kept."""
        from urllib.parse import urlsplit

        if "://" in name and (urlsplit(name).password or urlsplit(name).query):
            return
        self.recent = [name, *(n for n in self.recent if n != name)][:_RECENT]

    def clear_recent(self) -> None:
        """Forget the sources opened lately."""
        self.recent = []

    def sync(self) -> None:
        """Write the file now."""
        self._store.sync()
