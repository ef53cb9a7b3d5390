"""The networks of the library: which there are, their downloads, and what can be done with each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QGuiApplication

from desktop.base.errors import LightloomError
from desktop.base.paths import user_model_folder
from desktop.net.inference.address import is_remote
from desktop.ui.features.networks.networks import Networks
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.open_outside import open_outside
from desktop.ui.workspace.edits import Edits

if TYPE_CHECKING:
    # Imported with the first reading: the first frame needs none of it.
    from desktop.ui.features.networks.downloads import Downloads
    from desktop.ui.features.networks.items import Item
    from desktop.vision.models.builtin import BuiltinModel
    from desktop.vision.models.library.access import Access, DownloadProgress
    from desktop.vision.models.library.catalogue import Entry
    from desktop.vision.models.library.store import ModelStore

Command = Literal[
    "use", "add", "settings", "stop", "download", "pause", "cancel", "discard", "input", "verify", "folder",
    "source", "copy", "unlist", "remove",
]  # fmt: skip
"""Commands for a network; see `NetworkList.commands`."""


@dataclass(frozen=True)
class ListedNetwork:
    """A network of the library as it is now.

    Attributes:
        is_used: it is the analysis network, or that of a stage that is on.
        is_second: another network of its kind is used, which this one would replace.
        is_downloading: its file is on its way; `progress` is what has arrived of it.
        error: why the last command failed; '' for nothing.
    """

    item: Item
    is_used: bool = False
    is_second: bool = False
    is_downloading: bool = False
    progress: DownloadProgress | None = None
    error: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether its file is there."""
        return self.item.state == "ready"

    @property
    def main_command(self) -> Command:
        """The command of its button."""
        if self.is_downloading:
            return "pause"
        if self.is_ready:
            return "stop" if self.is_used else "use"
        return "download" if self.item.entry is not None else "unlist"

    @property
    def enter_command(self) -> Command:
        """The command of Enter and a double click: of one in use its settings."""
        return "settings" if self.is_used and not self.is_downloading else self.main_command

    @property
    def removal(self) -> Command | None:
        """The command that takes it, or what arrived of it, off the disk or the list."""
        if self.is_downloading:
            return "cancel"
        if self.item.state == "partial":
            return "discard"
        if self.item.section == "recent":
            return "unlist"
        return "remove" if self.item.section == "downloaded" or self.item.state == "damaged" else None

    @property
    def received(self) -> float | None:
        """The share of its file that has arrived, 0 to 1; None where nothing is or was on its way."""
        entry = self.item.entry
        if entry is None or not (self.is_downloading or self.item.state == "partial"):
            return None
        return (self.progress.done if self.progress is not None else self.item.done) / entry.size


class NetworkList(QObject):
    """Lists the networks, downloads them, and acts on them.

    Signals:
        changed: there are others, or one is in another state.
        removal_requested: the key of a downloaded network that is to be deleted, once the user agrees.
        settings_requested: show the settings of the analysis network.
    """

    changed = Signal()
    removal_requested = Signal(str)
    settings_requested = Signal()

    def __init__(
        self,
        settings: Settings,
        jobs: Jobs,
        messages: Messages,
        edits: Edits,
        networks: Networks,
        parent: QObject,
    ) -> None:
        """Start empty; the first `refresh` reads."""
        super().__init__(parent)
        self._settings, self._jobs, self._messages = settings, jobs, messages
        self._edits, self._networks = edits, networks
        self._catalogue: Mapping[str, Entry] | None = None
        self._builtin: Mapping[str, BuiltinModel] | None = None
        self._downloads: Downloads | None = None
        self._store: ModelStore | None = None
        self._items: dict[str, Item] = {}
        self._progress: dict[str, DownloadProgress | None] = {}
        self._errors: dict[str, str] = {}
        self._is_reading = self._again = self._is_closed = False
        self.failure = ""
        self.listed: tuple[ListedNetwork, ...] = ()
        edits.setup_changed.connect(self._on_setup)
        settings.follow(self._on_settings, Settings.model_folder, Settings.model_mirror, Settings.offline)

    # -- reading ---------------------------------------------------------------------------------------------

    @property
    def is_read(self) -> bool:
        """Whether the networks were listed once."""
        return self._store is not None

    def set_catalogue(
        self, catalogue: Mapping[str, Entry] | None, builtin: Mapping[str, BuiltinModel] | None = None
    ) -> None:
        """List the networks of another catalogue, or of the program's own with None. With `builtin`, list other
        built-in networks too.
        """
        self._catalogue, self._builtin = catalogue, builtin
        self.refresh()

    def read(self) -> None:
        """List the networks, if they were not yet."""
        if not self.is_read:
            self.refresh()

    def refresh(self) -> None:
        """Reread the folder and the files; `changed` is sent when that is done."""
        if self._is_reading or self._is_closed:
            self._again = True
            return
        self._is_reading, self._again = True, False
        folder, recent = user_model_folder(self._settings.model_folder), self._settings.models
        catalogue, builtin = self._catalogue, self._builtin

        def read_items() -> tuple[ModelStore, list[Item]]:
            from desktop.ui.features.networks.items import find_items
            from desktop.vision.models.library.store import ModelStore

            store = ModelStore(folder, catalogue)
            return store, find_items(store, recent, builtin)

        self._jobs.run(read_items, lambda found: self._show(*found), self._fail)

    def _fail(self, error: LightloomError) -> None:
        self._is_reading, self.failure = False, translated(str(error))
        self.changed.emit()

    def _show(self, store: ModelStore, items: list[Item]) -> None:
        self._is_reading, self.failure = False, ""
        self._store = store
        if self._catalogue is None:  # not another one meanwhile
            self._catalogue = store.catalogue
        self._items = {item.key: item for item in items}
        self._on_setup()
        self.changed.emit()
        if self._again:
            self.refresh()

    def _on_settings(self) -> None:
        if self.is_read or self._is_reading:
            self.refresh()

    def find(self, key: str) -> ListedNetwork | None:
        """Return a network by its key."""
        return next((each for each in self.listed if each.item.key == key), None)

    # -- states ----------------------------------------------------------------------------------------------

    def _on_setup(self) -> None:
        if not self.is_read:
            return
        self._update()
        # The list of files used lately grows with each use.
        known = set(self._items) | {item.path for item in self._items.values()}
        if any(path not in known for path in self._settings.models):
            self.refresh()

    def _update(self) -> None:
        from desktop.ui.features.networks.items import names_of

        setup = self._edits.setup
        used = {str(stage.values.get("model", "")) for stage in setup.chain.stages if stage.enabled}
        if setup.network is not None:
            used.add(setup.network.model)
        used.discard("")
        listed = tuple(
            ListedNetwork(
                item,
                bool(used & names_of(item)),
                not used & names_of(item) and self._is_occupied(item.task),
                key in self._progress,
                self._progress.get(key),
                self._errors.get(key, ""),
            )
            for key, item in self._items.items()
        )
        if listed != self.listed:
            self.listed = listed
            self.changed.emit()

    def _is_occupied(self, task: str) -> bool:
        """Return whether a network of this task is loaded, which another would replace."""
        from desktop.ui.features.networks.items import stage_of

        setup = self._edits.setup
        if filter_id := stage_of(task):
            return any(stage.filter == filter_id for stage in setup.chain.stages)
        return bool(task) and setup.network is not None

    # -- commands --------------------------------------------------------------------------------------------

    def commands(self, key: str) -> list[Command]:
        """Return what can be done with a network now, the usual first."""
        from desktop.ui.features.networks.items import stage_of

        listed = self.find(key)
        if listed is None:
            return []
        item, is_here = listed.item, bool(listed.item.path)
        first = [listed.main_command]
        if listed.main_command == "stop":
            first = ["settings", "stop"]
        elif listed.main_command == "unlist":
            first = []
        possible: list[tuple[Command, bool]] = [
            ("add", is_here and bool(stage_of(item.task)) and self._is_occupied(item.task)),
            ("input", is_here and item.section != "builtin"),
            ("verify", item.section == "downloaded"),
            ("folder", is_here and not is_remote(item.path)),
            ("source", item.entry is not None),
            ("copy", True),
        ]
        last = [listed.removal] if listed.removal is not None else []
        return [*first, *(command for command, is_possible in possible if is_possible), *last]

    def do(self, key: str, command: Command) -> None:
        """Do something with a network; failures are its `error`."""
        listed = self.find(key)
        if listed is None:
            return
        item = listed.item
        do: dict[Command, Callable[[], None]] = {
            "use": lambda: self._use(item),
            "add": lambda: self._use(item, add=True),
            "settings": lambda: self._show_settings(item),
            "stop": lambda: self._stop_using(item),
            "download": lambda: self._download(item),
            "pause": lambda: self._end_download(item),
            "cancel": lambda: self._end_download(item, discard=True),
            "discard": lambda: self._discard(item),
            "input": lambda: self._networks.input_requested.emit(item.path),
            "verify": lambda: self._verify(item),
            "folder": lambda: open_outside(Path(item.path).parent, self._messages),
            "source": lambda: (
                open_outside(QUrl(item.entry.source), self._messages) if item.entry is not None else None
            ),
            "copy": lambda: QGuiApplication.clipboard().setText(
                item.path or (item.entry.addresses[0] if item.entry else "")
            ),
            "unlist": lambda: self._unlist(item),
            "remove": lambda: self.removal_requested.emit(key),
        }
        do[command]()

    def _use(self, item: Item, *, add: bool = False) -> None:
        path, entry, store = item.path, item.entry, self._store
        if entry is None or store is None:
            self._networks.use(path, add=add)
            return

        def failed(error: LightloomError) -> None:
            self._messages.post("warning", str(error))
            self._networks.use(path, add=add)

        # A file copied into the folder has no sidecar yet.
        self._jobs.run(lambda: store.finish(entry), lambda _: self._networks.use(path, add=add), failed)

    def _stages_with(self, item: Item) -> list[int]:
        from desktop.ui.features.networks.items import names_of

        names = names_of(item)
        return [s.id for s in self._edits.chain.stages if str(s.values.get("model", "")) in names]

    def _show_settings(self, item: Item) -> None:
        if stages := self._stages_with(item):
            self._edits.stage_chosen.emit(stages[-1])
        else:
            self.settings_requested.emit()

    def _stop_using(self, item: Item) -> None:
        from desktop.ui.features.networks.items import names_of

        for stage_id in self._stages_with(item):
            self._edits.remove_stage(stage_id)
        network = self._edits.setup.network
        if network is not None and network.model in names_of(item):
            self._networks.choose(None)

    def _unlist(self, item: Item) -> None:
        self._settings.remove_model(item.key)
        self.refresh()

    # -- downloads -------------------------------------------------------------------------------------------

    @property
    def access(self) -> Access:
        """Network access of downloads: offline mode and mirror."""
        from desktop.vision.models.library.access import Access

        return Access(offline=self._settings.offline, mirror=self._settings.model_mirror)

    @property
    def downloads(self) -> Downloads:
        """The downloads, made with the first."""
        if self._downloads is None:
            from desktop.ui.features.networks.downloads import Downloads

            self._downloads = Downloads(self)
            self._downloads.progressed.connect(self._on_progress)
            self._downloads.ended.connect(self._on_ended)
        return self._downloads

    def _download(self, item: Item) -> None:
        if item.entry is None or self._store is None:
            return
        self._progress[item.key] = None
        self._errors.pop(item.key, None)
        self.downloads.start(self._store, item.entry, self.access)
        self._update()

    def _end_download(self, item: Item, *, discard: bool = False) -> None:
        entry, store = item.entry, self._store
        if entry is not None and store is not None:
            self.downloads.stop(entry.id, (lambda: store.discard(entry)) if discard else None)

    def _discard(self, item: Item) -> None:
        entry, store = item.entry, self._store
        if entry is not None and store is not None:
            self._job(item, lambda: store.discard(entry))

    def _verify(self, item: Item) -> None:
        entry, store = item.entry, self._store
        if entry is not None and store is not None:
            said = self.tr("The checksum of {0} is right").format(entry.title)
            self._job(item, lambda: store.verify(entry), lambda: self._messages.said.emit(said))

    def location(self, key: str) -> tuple[Entry, Path] | None:
        """Return the catalogue entry of a network and its file, None for one that is not downloaded."""
        item = self._items.get(key)
        if item is None or item.entry is None or self._store is None:
            return None
        return item.entry, self._store.path(item.entry)

    def remove(self, key: str) -> None:
        """Delete a downloaded network."""
        item, store = self._items.get(key), self._store
        if item is None or item.entry is None or store is None:
            return
        entry = item.entry
        path = str(store.path(entry))
        self._job(item, lambda: store.remove(entry), lambda: self._settings.remove_model(path))

    def _job(self, item: Item, work: Callable[[], None], done: Callable[[], None] = lambda: None) -> None:
        self._set_error(item.key, "")

        def finished(_: object) -> None:
            done()
            self.refresh()

        # A checksum of gigabytes takes a while.
        self._jobs.run(work, finished, lambda error: self._set_error(item.key, str(error)), is_long=True)

    def _set_error(self, key: str, text: str) -> None:
        if text:
            self._errors[key] = translated(text)
            self._messages.post("warning", text, about=f"download {key}")
        elif self._errors.pop(key, ""):
            self._messages.settled.emit(f"download {key}")
        self._update()

    def _on_progress(self, key: str, progress: DownloadProgress) -> None:
        if key in self.downloads:
            self._progress[key] = progress
            self._update()

    def _on_ended(self, key: str, there: bool, why: str) -> None:
        self._progress.pop(key, None)
        self._set_error(key, why)
        if there and not why and key in self._items:
            self._messages.said.emit(self.tr("{0} was downloaded").format(self._items[key].title))
        self.refresh()

    def close(self) -> None:
        """Stop all downloads; they can be resumed later."""
        self._is_closed = True
        if self._downloads is not None:
            self._downloads.close()
