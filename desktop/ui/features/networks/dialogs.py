"""Dialogs of the networks of the library: files to open, the form about an input, and what is deleted."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop.base.errors import LibraryError, LightloomError
from desktop.ui.features.networks.network_list import NetworkList
from desktop.ui.features.networks.networks import Networks
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.pipeline.running.inputs.input_facts import InputFacts
    from desktop.ui.features.networks.model_dialogs import InputDialog


class InputForms(QObject):
    """Opens the form about a network's input, and stores what the user enters; `form` is the open one."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.window: QWidget | None = None
        self.form: InputDialog | None = None

    def open(self, path: str) -> None:
        """Open the form about a network's input."""

        def read_facts() -> InputFacts:
            from desktop.pipeline.running.inputs.input_facts import read_input_facts

            return read_input_facts(Path(path))

        self._workspace.jobs.run(
            read_facts, self.show, lambda error: self._workspace.messages.post("error", str(error))
        )

    def show(self, found: InputFacts) -> None:
        """Open the form with the known facts, without blocking."""
        from desktop.ui.features.networks.model_dialogs import InputDialog

        form = self.form = InputDialog(found, self.window)
        form.given.connect(partial(self._save, form))
        form.finished.connect(lambda _: self._clear(form))
        form.show()

    def _clear(self, form: InputDialog) -> None:
        if self.form is form:
            self.form = None

    def _save(
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


def choose_model(workspace: Workspace, window: QWidget) -> None:
    """Let the user choose a network."""
    settings = workspace.settings
    title = QCoreApplication.translate("NetworkDialogs", "Open a network")
    kinds = QCoreApplication.translate("NetworkDialogs", "Networks (*.onnx *.tflite *.pt2 *.pt)")
    path, _ = QFileDialog.getOpenFileName(window, title, settings.folder, kinds)
    if path:
        settings.folder = str(Path(path).parent)
        workspace.get(Networks).use(Path(path))


def choose_folder(workspace: Workspace, window: QWidget) -> None:
    """Let the user choose the folder of a pipeline of networks."""
    settings = workspace.settings
    title = QCoreApplication.translate("NetworkDialogs", "Open a folder of Stable Diffusion")
    path = QFileDialog.getExistingDirectory(window, title, settings.folder)
    if path:
        settings.folder = path
        workspace.get(Networks).use(Path(path))


def confirm_removal(networks: NetworkList, key: str, window: QWidget) -> QMessageBox | None:
    """Ask whether a downloaded network is to be deleted; return the question."""
    location = networks.location(key)
    if location is None:
        return None
    entry, path = location
    box = QMessageBox(window)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    translate = QCoreApplication.translate
    box.setText(translate("NetworkDialogs", "Remove {0}?").format(entry.title))
    box.setInformativeText(
        translate(
            "NetworkDialogs",
            "{0} and what is written beside it are deleted from {1}. It can be downloaded again.",
        ).format(entry.file_name, path.parent)
    )
    remove = box.addButton(translate("NetworkDialogs", "Remove"), QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    remove.clicked.connect(lambda: networks.remove(key))
    box.open()
    return box
