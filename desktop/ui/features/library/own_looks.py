"""Rename and delete looks of the user, and show them in their folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QMessageBox, QVBoxLayout, QWidget

from desktop.pipeline.setup.description import MAX_TITLE
from desktop.pipeline.setup.own_looks import delete_look, rename_look
from desktop.ui.features.library.items import GalleryItem
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.save_look_dialog import is_bundled_name, look_path
from desktop.ui.kit.open_outside import open_outside
from desktop.ui.kit.widgets import muted
from desktop.ui.workspace.workspace import Workspace


class RenameLookDialog(QDialog):
    """Asks for another name of a look; that of a bundled look or of another one is refused."""

    def __init__(
        self, title: str, path: Path, rename: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        """Make it with the title and the file of the look; `rename` receives the new title."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Rename look"))
        self._path, self._rename = path, rename
        layout = QVBoxLayout(self)
        self.name, self.note = QLineEdit(title), muted()
        self.name.setMaxLength(MAX_TITLE)
        self.name.setAccessibleName(self.tr("Name of the look"))
        layout.addWidget(self.name)
        layout.addWidget(self.note)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = box.addButton(self.tr("Rename"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.ok.setDefault(True)
        box.accepted.connect(self._accept)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.name.textChanged.connect(self._update)
        self.name.selectAll()
        self.name.setFocus()
        self._update()
        self.resize(380, self.sizeHint().height())

    def _update(self) -> None:
        name = self.name.text().strip()
        target, note = look_path(name), ""
        if is_bundled_name(name):
            note = self.tr("A bundled look has this name; choose another one.")
        elif target != self._path and target.exists():
            note = self.tr("There is a look of this name; choose another one.")
        self.note.setText(note)
        self.ok.setEnabled(bool(name) and not note)

    def _accept(self) -> None:
        self._rename(self.name.text().strip())
        self.accept()


class OwnLooks(QObject):
    """Carries out the commands in the menu of a look of the user."""

    def __init__(self, workspace: Workspace, panel: QWidget) -> None:
        super().__init__(panel)
        self._workspace, self._panel = workspace, panel

    def show_in_folder(self, path: Path) -> None:
        """Open the folder of a look."""
        open_outside(path.parent, self._workspace.messages)

    def enter_name(self, item: GalleryItem) -> None:
        """Ask for another name of a look, and rename it."""
        assert item.path is not None
        path = item.path
        RenameLookDialog(
            item.title, path, lambda title: self._rename(path, item.title, title), self._panel.window()
        ).open()

    def _rename(self, path: Path, before: str, title: str) -> None:
        workspace, edits = self._workspace, self._workspace.edits

        def report(found: Path) -> None:
            settings, old, new = workspace.settings, str(path), str(found)
            settings.favorite_presets = [new if n == old else n for n in settings.favorite_presets]
            settings.recent_presets = [new if n == old else n for n in settings.recent_presets]
            look = edits.history.look
            if look is not None and look.path == old:
                edits.set_look(replace(look, title=title, path=new))
            workspace.messages.post("info", self.tr("{0} is called {1} now.").format(before, title))
            workspace.get(Opening).presets_changed.emit()

        workspace.jobs.run(lambda: rename_look(path, title, look_path(title)), report, self._fail, saves=True)

    def confirm_deletion(self, item: GalleryItem) -> None:
        """Ask whether a look is to be deleted, and delete it."""
        assert item.path is not None
        path = item.path
        box = QMessageBox(self._panel.window())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(self.tr("Delete the look {0}?").format(item.title))
        box.setInformativeText(self.tr("Its file is deleted from {0}.").format(path.parent))
        delete = box.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        delete.clicked.connect(lambda: self._delete(path, item.title))
        box.open()

    def _delete(self, path: Path, title: str) -> None:
        workspace = self._workspace

        def report(_: object) -> None:
            settings, name = workspace.settings, str(path)
            settings.favorite_presets = [n for n in settings.favorite_presets if n != name]
            settings.recent_presets = [n for n in settings.recent_presets if n != name]
            workspace.messages.post("info", self.tr("The look {0} was deleted.").format(title))
            workspace.get(Opening).presets_changed.emit()

        workspace.jobs.run(lambda: delete_look(path), report, self._fail, saves=True)

    def _fail(self, error: Exception) -> None:
        self._workspace.messages.post("error", str(error))
