"""Page of networks: bundled, downloaded, in the catalogue, and the user's recent ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QDesktopServices,
    QGuiApplication,
    QKeyEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QMessageBox,
    QWidget,
)

from desktop.base.errors import LibraryError, LightloomError
from desktop.base.paths import user_model_folder
from desktop.net.inference.address import is_remote
from desktop.ui.features.networks.downloads import Downloads
from desktop.ui.features.networks.items import BOX, SECTIONS, Item, Section, find_items, stage_of
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.networks.row import ModelRow
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import (
    IconButton,
    IconLabel,
    SearchEdit,
    Themed,
    column,
    heading,
    muted,
    placed_widgets,
    scrolled,
)
from desktop.ui.workspace.action import with_key
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.models.library.access import Access, DownloadProgress
from desktop.vision.models.library.catalogue import Entry
from desktop.vision.models.library.store import ModelStore

if TYPE_CHECKING:
    from desktop.pipeline.running.inputs.input_facts import InputFacts
    from desktop.ui.features.networks.model_dialogs import InputDialog
    from desktop.vision.models.builtin import BuiltinModel


class ModelsPanel(QWidget):
    """The page of networks."""

    def __init__(
        self, workspace: Workspace, themed: Themed, opening: QAction, folder: QAction, settings: QAction
    ) -> None:
        """Build the page; its buttons trigger the actions `opening`, `folder` and `settings`."""
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._themed = workspace, themed
        self._opening, self._folder, self._settings = opening, folder, settings
        self._catalogue: Mapping[str, Entry] | None = None
        self._builtin: Mapping[str, BuiltinModel] | None = None
        self._store: ModelStore | None = None
        self._closed = False
        self._is_reading = self._again = False
        self._failure = ""
        self.rows: dict[str, ModelRow] = {}
        self.form: InputDialog | None = None
        self.downloads = Downloads(self)
        self.downloads.progressed.connect(self._on_progress)
        self.downloads.ended.connect(self._on_ended)
        layout = column(self, 0, 4)
        layout.addLayout(self._make_head())
        self.banner = self._make_banner()
        layout.addWidget(self.banner)
        self._content = QWidget()
        self._list = column(self._content, 8, 4)
        self._headings = {section: heading(title) for section, title in self._titles().items()}
        self._nothing = muted()
        for section in SECTIONS:
            self._headings[section].setContentsMargins(0, 4, 0, 0)
            self._list.addWidget(self._headings[section])
        self._list.addWidget(self._nothing)
        self._list.addStretch(1)
        self._area = scrolled(self._content)
        layout.addWidget(self._area, 1)
        self.setMinimumWidth(220)
        workspace.edits.setup_changed.connect(self._on_setup)
        workspace.settings.follow(
            self.refresh, Settings.model_folder, Settings.model_mirror, Settings.offline
        )
        self._filter()

    def showEvent(self, event: QShowEvent) -> None:
        """List the networks when the page is first shown: its rows would delay the first frame by 0.1 s."""
        super().showEvent(event)
        if self._store is None:
            self.refresh()

    def _titles(self) -> dict[Section, str]:
        return {
            "builtin": self.tr("Built-in"),
            "downloaded": self.tr("Downloaded"),
            "recent": self.tr("Recent"),
            "catalogue": self.tr("Available to download"),
        }

    def _make_head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(8, 2, 8, 0)
        row.setSpacing(4)
        self.search = SearchEdit()
        self.search.setPlaceholderText(self.tr("Search networks"))
        self.search.setAccessibleName(self.tr("Search networks"))
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._take_first)
        open_file = IconButton(
            self._themed, "file", with_key(self._opening, self.tr("Open a network (.onnx, .tflite)..."))
        )
        open_file.clicked.connect(self.choose_model)
        open_folder = IconButton(self._themed, "folder", with_key(self._folder))
        open_folder.clicked.connect(self._folder.trigger)
        options = IconButton(self._themed, "settings", with_key(self._settings))
        options.clicked.connect(self._settings.trigger)
        row.addWidget(self.search, 1)
        row.addWidget(open_file)
        row.addWidget(open_folder)
        row.addWidget(options)
        return row

    def _make_banner(self) -> QWidget:
        banner = QWidget()
        row = QHBoxLayout(banner)
        row.setContentsMargins(10, 0, 8, 0)
        row.addWidget(IconLabel(self._themed, "info"))
        row.addWidget(muted(self.tr("Offline: nothing is downloaded.")), 1)
        return banner

    # -- what there is ---------------------------------------------------------------------------------------

    def set_catalogue(
        self, catalogue: Mapping[str, Entry], builtin: Mapping[str, BuiltinModel] | None = None
    ) -> None:
        """Offer other networks than those of the program's own catalogue and, with `builtin`, of the box."""
        self._catalogue, self._builtin = catalogue, builtin
        self.refresh()

    def refresh(self) -> None:
        """Reread the folder and the files; the list is updated when that is done."""
        self.banner.setVisible(self._workspace.settings.offline)
        if self._is_reading or self._closed:
            self._again = True
            return
        self._is_reading, self._again = True, False
        settings = self._workspace.settings
        folder, recent = user_model_folder(settings.model_folder), settings.models
        catalogue, builtin = self._catalogue, self._builtin

        def read_items() -> tuple[ModelStore, list[Item]]:
            store = ModelStore(folder, catalogue)
            return store, find_items(store, recent, builtin)

        self._workspace.jobs.run(read_items, lambda found: self._show(*found), self._fail)

    def _fail(self, error: LightloomError) -> None:
        self._is_reading, self._failure = False, translated(str(error))
        self._filter()

    def _show(self, store: ModelStore, items: list[Item]) -> None:
        self._is_reading, self._failure = False, ""
        self._store = store
        if self._catalogue is None:  # not another one meanwhile
            self._catalogue = store.catalogue
        for key in set(self.rows) - {item.key for item in items}:
            row = self.rows.pop(key)
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        for item in items:
            self._place(item)
        self._on_setup()
        self._filter()
        if self._again:
            self.refresh()

    def _place(self, item: Item) -> None:
        row = self.rows.get(item.key)
        if row is None:
            row = ModelRow(item, self._themed)
            row.asked.connect(partial(self._do, item.key))
            row.stepped.connect(partial(self._step, item.key))
            self.rows[item.key] = row
        else:
            # Moved to the end of its section, in the order of the items.
            self._list.removeWidget(row)
        row.update_item(item)
        after = SECTIONS.index(item.section) + 1
        end = self._headings[SECTIONS[after]] if after < len(SECTIONS) else self._nothing
        self._list.insertWidget(self._list.indexOf(end), row)

    def _filter(self) -> None:
        words = self.search.text().casefold().split()
        shown: set[str] = set()
        for row in self.rows.values():
            fits = all(word in row.item.words.casefold() for word in words)
            row.setVisible(fits)
            if fits:
                shown.add(row.item.section)
        for section, label in self._headings.items():
            label.setVisible(section in shown)
        if self._failure:
            self._nothing.setText(self._failure)
        elif words:
            self._nothing.setText(
                self.tr("No network is called “{0}”. Try another word.").format(self.search.text())
            )
        elif self._store is None:
            self._nothing.setText(self.tr("Looking..."))
        else:
            self._nothing.setText(
                self.tr("No networks yet. Drop an .onnx or .tflite on the window, or open one.")
            )
        self._nothing.setObjectName("errorText" if self._failure else "muted")
        self._nothing.style().polish(self._nothing)
        self._nothing.setVisible(bool(self._failure) or not shown)

    def _on_setup(self) -> None:
        setup = self._workspace.edits.setup
        used = {str(stage.values.get("model", "")) for stage in setup.chain.stages if stage.enabled}
        if setup.network is not None:
            used.add(setup.network.model)
        for row in self.rows.values():
            item = row.item
            name = item.key.removeprefix(BOX) if item.section == "builtin" else ""
            in_use = bool(used & {item.path, name} - {""})
            row.set_in_use(in_use)
            row.set_replaces(self._occupied(item.task) and not in_use)
        # The list of files used lately grows with each use.
        own = {row.item.key for row in self.rows.values() if row.item.section == "recent"}
        known = own | {row.item.path for row in self.rows.values()}
        if self.rows and any(path not in known for path in self._workspace.settings.models):
            self.refresh()

    def _occupied(self, task: str) -> bool:
        """Return whether a network of this task is loaded, which another would replace."""
        setup = self._workspace.edits.setup
        if filter_id := stage_of(task):
            return any(stage.filter == filter_id for stage in setup.chain.stages)
        return bool(task) and setup.network is not None

    def visible_rows(self) -> list[ModelRow]:
        """Return the rows that the search leaves, in their order."""
        return [
            w for w in placed_widgets(self._list) if isinstance(w, ModelRow) and w.isVisibleTo(self._content)
        ]

    def _step(self, key: str, step: int) -> None:
        rows = self.visible_rows()
        at = rows.index(self.rows[key]) + step
        if 0 <= at < len(rows):
            rows[at].setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(rows[at])
        elif at < 0:
            self.search.setFocus(Qt.FocusReason.BacktabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down goes from the search into the list."""
        rows = self.visible_rows()
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus() and rows:
            rows[0].setFocus(Qt.FocusReason.TabFocusReason)
            return
        super().keyPressEvent(event)

    def _take_first(self) -> None:
        rows, text = self.visible_rows(), self.search.text().strip().casefold()
        if rows and text:
            # One that is called so before those that only mention it.
            best = min(rows, key=lambda row: text not in row.item.title.casefold())
            best.asked.emit(best.main_action)

    # -- what is done ----------------------------------------------------------------------------------------

    @property
    def access(self) -> Access:
        """Network access of downloads: offline mode and mirror."""
        settings = self._workspace.settings
        return Access(offline=settings.offline, mirror=settings.model_mirror)

    def _do(self, key: str, action: str) -> None:
        row = self.rows[key]
        item = row.item
        do: dict[str, Callable[[], None]] = {
            "use": lambda: self._use(item),
            "add": lambda: self._use(item, add=True),
            "download": lambda: self._download(row),
            "pause": lambda: self.downloads.stop(key),
            "cancel": lambda: self._cancel(row),
            "discard": lambda: self._discard(row),
            "remove": lambda: self._remove(key),
            "input": lambda: self.show_input_form(item.path),
            "verify": lambda: self._verify(row),
            "folder": lambda: _open(QUrl.fromLocalFile(str(Path(item.path).parent))),
            "source": lambda: _open(QUrl(item.entry.source)) if item.entry is not None else None,
            "copy": lambda: QGuiApplication.clipboard().setText(
                item.path or (item.entry.addresses[0] if item.entry else "")
            ),
            "menu": lambda: self.menu(key).popup(row.mapToGlobal(QPoint(row.width() - 8, 24))),
        }
        do[action]()

    def _use(self, item: Item, *, add: bool = False) -> None:
        path, entry, store = item.path, item.entry, self._store
        if entry is None or store is None:
            self._workspace.get(Networks).use(path, add=add)
            return

        def failed(error: LightloomError) -> None:
            self._workspace.messages.post("warning", str(error))
            self._workspace.get(Networks).use(path, add=add)

        # A file copied into the folder has no sidecar yet.
        self._workspace.jobs.run(
            lambda: store.finish(entry), lambda _: self._workspace.get(Networks).use(path, add=add), failed
        )

    def _download(self, row: ModelRow) -> None:
        entry = row.item.entry
        if entry is None or self._store is None:
            return
        row.set_running(True)
        self.downloads.start(self._store, entry, self.access)

    def _cancel(self, row: ModelRow) -> None:
        entry, store = row.item.entry, self._store
        if entry is not None and store is not None:
            self.downloads.stop(entry.id, lambda: store.discard(entry))

    def _discard(self, row: ModelRow) -> None:
        entry, store = row.item.entry, self._store
        if entry is not None and store is not None:
            self._job(row, lambda: store.discard(entry))

    def _verify(self, row: ModelRow) -> None:
        entry, store = row.item.entry, self._store
        if entry is not None and store is not None:
            said = self.tr("The checksum of {0} is right").format(entry.title)
            self._job(row, lambda: store.verify(entry), lambda: self._workspace.messages.said.emit(said))

    def _job(self, row: ModelRow, work: Callable[[], None], done: Callable[[], None] = lambda: None) -> None:
        row.set_error("")

        def finished(_: object) -> None:
            done()
            self.refresh()

        self._workspace.jobs.run(work, finished, lambda error: self._show_row_error(row.item.key, str(error)))

    def _show_row_error(self, key: str, text: str) -> None:
        if key in self.rows:
            self.rows[key].set_error(text)

    def _on_progress(self, key: str, progress: DownloadProgress) -> None:
        row = self.rows.get(key)
        if row is not None and key in self.downloads:
            row.set_running(True, progress)

    def _on_ended(self, key: str, there: bool, why: str) -> None:
        row = self.rows.get(key)
        if row is not None:
            row.set_running(False)
            row.set_error(why)
            if there and not why:
                self._workspace.messages.said.emit(self.tr("{0} was downloaded").format(row.item.title))
        self.refresh()

    def menu(self, key: str) -> QMenu:
        """Return the menu of a row; it deletes itself when it is closed."""
        item = self.rows[key].item
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        actions: list[tuple[str, str, bool]] = [
            ("use", self.rows[key].use.text(), bool(item.path)),
            (
                "add",
                self.tr("Add as another filter"),
                bool(item.path) and bool(stage_of(item.task)) and self._occupied(item.task),
            ),
            ("download", self.tr("Download"), item.entry is not None and not item.path),
            ("input", self.tr("Preprocessing..."), bool(item.path) and item.section != "builtin"),
            ("verify", self.tr("Verify the checksum"), item.section == "downloaded"),
            ("folder", self.tr("Open the folder"), bool(item.path) and not is_remote(item.path)),
            ("source", self.tr("Open its web page"), item.entry is not None),
            ("copy", self.tr("Copy the path") if item.path else self.tr("Copy the address"), True),
            ("remove", self.tr("Remove..."), item.section == "downloaded" or item.state == "damaged"),
            ("remove", self.tr("Remove from the list"), item.section == "recent"),
        ]
        for name, text, possible in actions:
            if possible:
                menu.addAction(text).triggered.connect(partial(self._do, key, name))
        return menu

    def _remove(self, key: str) -> None:
        item = self.rows[key].item
        if item.section == "recent":
            self._workspace.settings.remove_model(item.key)
            self.refresh()
        elif item.state in ("ready", "damaged"):
            self.confirm_removal(key)

    def confirm_removal(self, key: str) -> QMessageBox | None:
        """Ask whether a downloaded network is to be deleted."""
        row = self.rows[key]
        entry, store = row.item.entry, self._store
        if entry is None or store is None:
            return None
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(self.tr("Remove {0}?").format(entry.title))
        box.setInformativeText(
            self.tr(
                "{0} and what is written beside it are deleted from {1}. It can be downloaded again."
            ).format(entry.file_name, store.folder)
        )
        remove = box.addButton(self.tr("Remove"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        path = str(store.path(entry))
        remove.clicked.connect(
            lambda: self._job(
                row, lambda: store.remove(entry), lambda: self._workspace.settings.remove_model(path)
            )
        )
        box.open()
        return box

    # -- the user's own --------------------------------------------------------------------------------------

    def choose_model(self) -> None:
        """Let the user choose a network."""
        settings = self._workspace.settings
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Open a network"), settings.folder, self.tr("Networks (*.onnx *.tflite *.pt2 *.pt)")
        )
        if path:
            settings.folder = str(Path(path).parent)
            self._workspace.get(Networks).use(Path(path))

    def choose_folder(self) -> None:
        """Let the user choose the folder of a pipeline of networks."""
        settings = self._workspace.settings
        path = QFileDialog.getExistingDirectory(
            self, self.tr("Open a folder of Stable Diffusion"), settings.folder
        )
        if not path:
            return
        settings.folder = path
        self._workspace.get(Networks).use(Path(path))

    def show_input_form(self, path: str) -> None:
        """Open the form about a network's input."""

        def read_facts() -> InputFacts:
            from desktop.pipeline.running.inputs.input_facts import read_input_facts

            return read_input_facts(Path(path))

        self._workspace.jobs.run(
            read_facts, self.show_input, lambda error: self._workspace.messages.post("error", str(error))
        )

    def show_input(self, found: InputFacts) -> None:
        """Open the form with the known facts, without blocking."""
        from desktop.ui.features.networks.model_dialogs import InputDialog

        form = self.form = InputDialog(found, self.window())
        form.given.connect(partial(self._save_input, form))
        form.finished.connect(lambda _: self._clear_input_form(form))
        form.show()

    def _clear_input_form(self, form: InputDialog) -> None:
        if self.form is form:
            self.form = None

    def _save_input(
        self, dialog: InputDialog, found: InputFacts, values: dict[str, Any], task: str, labels: Path | None
    ) -> None:
        from desktop.pipeline.running.inputs.input_facts import save_input

        decoder: str = dialog.decoder.currentData()

        def on_saved(_: object) -> None:
            dialog.accept()
            self._workspace.get(Networks).reload(found.model, values, task, kept=True)

        def failed(error: LightloomError) -> None:
            if isinstance(error, LibraryError):  # the folder cannot be written: used for now
                dialog.accept()
                self._workspace.messages.post("warning", str(error))
                self._workspace.get(Networks).reload(found.model, values, task, kept=False, decoder=decoder)
            else:
                dialog.fail(str(error))

        self._workspace.jobs.run(lambda: save_input(found, values, task, labels, decoder), on_saved, failed)

    def shutdown(self) -> None:
        """Stop all downloads; they can be resumed later."""
        self._closed = True
        self.downloads.close()


def _open(url: QUrl) -> None:
    QDesktopServices.openUrl(url)
