"""What is kept between runs, and the program's log file.

Settings are an INI file in the user's configuration folder. A broken file gives the defaults and is
kept beside the new one; `Settings.problem` says so, never an error.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
from pathlib import Path
from typing import Final

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


class Settings:
    """The settings file; each property reads and writes one entry."""

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

    def _text(self, key: str, default: str = "") -> str:
        value = self._store.value(key, default)
        return value if isinstance(value, str) else default

    def _list(self, key: str) -> list[str]:
        try:
            value = json.loads(self._text(key, "[]"))
        except ValueError:
            return []
        return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []

    def _bytes(self, key: str) -> QByteArray:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def _set(self, key: str, value: object) -> None:
        self._store.setValue(key, value)

    @property
    def theme(self) -> str:
        """'system', 'dark' or 'light'."""
        theme = self._text("theme", "system")
        return theme if theme in ("system", "dark", "light") else "system"

    @theme.setter
    def theme(self, value: str) -> None:
        self._set("theme", value)

    @property
    def language(self) -> str:
        """Code of the chosen language, '' for the system's."""
        return self._text("language")

    @language.setter
    def language(self, value: str) -> None:
        self._set("language", value)

    @property
    def adapter(self) -> str:
        """Name of the chosen adapter, '' for the best."""
        return self._text("adapter")

    @adapter.setter
    def adapter(self, value: str) -> None:
        self._set("adapter", value)

    @property
    def geometry(self) -> QByteArray:
        """The window's place and size."""
        return self._bytes("window/geometry")

    @geometry.setter
    def geometry(self, value: QByteArray) -> None:
        self._set("window/geometry", value)

    @property
    def docks(self) -> QByteArray:
        """Where the docks are."""
        return self._bytes("window/docks")

    @docks.setter
    def docks(self, value: QByteArray) -> None:
        self._set("window/docks", value)

    @property
    def favourites(self) -> list[str]:
        """Ids of favourite filters."""
        return self._list("library/favourites")

    @favourites.setter
    def favourites(self, value: list[str]) -> None:
        self._set("library/favourites", json.dumps(value))

    @property
    def models(self) -> list[str]:
        """Paths of networks that were used, newest first."""
        return self._list("library/models")

    def add_model(self, path: str) -> None:
        """Put a network first in the list."""
        self._set("library/models", json.dumps([path, *(p for p in self.models if p != path)][:_RECENT]))

    def remove_model(self, path: str) -> None:
        """Forget that a network was used."""
        self._set("library/models", json.dumps([p for p in self.models if p != path]))

    @property
    def model_folder(self) -> str:
        """Where downloaded networks are kept, '' for the usual folder."""
        return self._text("models/folder")

    @model_folder.setter
    def model_folder(self, value: str) -> None:
        self._set("models/folder", value)

    @property
    def model_mirror(self) -> str:
        """Address that is asked for networks in the place of the catalogue's own, '' for those."""
        return self._text("models/mirror")

    @model_mirror.setter
    def model_mirror(self, value: str) -> None:
        self._set("models/mirror", value)

    @property
    def offline(self) -> bool:
        """True if nothing may be downloaded."""
        return self._text("models/offline") == "true"

    @offline.setter
    def offline(self, value: bool) -> None:
        self._set("models/offline", "true" if value else "false")

    @property
    def weekly_updates(self) -> bool | None:
        """Whether Lightloom may look for a new version once a week; None until the user was asked."""
        return {"true": True, "false": False}.get(self._text("updates/weekly"))

    @weekly_updates.setter
    def weekly_updates(self, value: bool) -> None:
        self._set("updates/weekly", "true" if value else "false")

    @property
    def last_update_look(self) -> float:
        """When it looked last, in seconds since 1970; 0.0 for never."""
        try:
            return float(self._text("updates/last", "0"))
        except ValueError:
            return 0.0

    @last_update_look.setter
    def last_update_look(self, value: float) -> None:
        self._set("updates/last", str(value))

    @property
    def started_before(self) -> bool:
        """True from the second start on."""
        return self._text("started") == "true"

    @started_before.setter
    def started_before(self, value: bool) -> None:
        self._set("started", "true" if value else "false")

    @property
    def recent(self) -> list[str]:
        """Sources opened lately, newest first."""
        return self._list("recent")

    def add_recent(self, name: str) -> None:
        """Put a source first in the list. Addresses with a password are not kept."""
        from urllib.parse import urlsplit

        if "://" in name and (urlsplit(name).password or urlsplit(name).query):
            return
        self._set("recent", json.dumps([name, *(n for n in self.recent if n != name)][:_RECENT]))

    def clear_recent(self) -> None:
        """Forget the sources opened lately."""
        self._set("recent", "[]")

    @property
    def show_stats(self) -> bool:
        """True if the overlay's numbers are pinned; at first they are not, and the status bar has the rate."""
        return self._text("overlay/stats", "false") == "true"

    @show_stats.setter
    def show_stats(self, value: bool) -> None:
        self._set("overlay/stats", "true" if value else "false")

    @property
    def names_things(self) -> bool:
        """True if the window begins with the classifier in the box: until the user removes a network, and again once one is used."""
        return self._text("network/begin", "true") == "true"

    @names_things.setter
    def names_things(self, value: bool) -> None:
        self._set("network/begin", "true" if value else "false")

    @property
    def shows_look(self) -> bool:
        """True if the window begins with a filter on the sample: until the user changes that chain."""
        return self._text("chain/begin", "true") == "true"

    @shows_look.setter
    def shows_look(self, value: bool) -> None:
        self._set("chain/begin", "true" if value else "false")

    @property
    def hinted(self) -> bool:
        """True once the first hint was shown."""
        return self._text("help/hinted") == "true"

    @hinted.setter
    def hinted(self, value: bool) -> None:
        self._set("help/hinted", "true" if value else "false")

    @property
    def drivers_told(self) -> list[str]:
        """The adapters, each with its driver's version, whose known fault the window has told of."""
        return self._list("drivers_told")

    @drivers_told.setter
    def drivers_told(self, value: list[str]) -> None:
        self._set("drivers_told", json.dumps(value))

    @property
    def folder(self) -> str:
        """Where the last file was opened from."""
        return self._text("folder")

    @folder.setter
    def folder(self, value: str) -> None:
        self._set("folder", value)

    def sync(self) -> None:
        """Write the file now."""
        self._store.sync()
