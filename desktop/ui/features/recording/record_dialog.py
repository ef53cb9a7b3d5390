"""Dialog with a recording's options, shown before the file dialog; the options are saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QVBoxLayout, QWidget

from desktop.outputs.encoding import Encoding
from desktop.ui.forms.encoding_choice import store_choice, stored_choice
from desktop.ui.forms.encoding_form import EncodingForm
from desktop.ui.forms.settings import Settings
from desktop.ui.workspace.outputs import Outputs


class RecordDialog(QDialog):
    """Asks for the encoding and a file name, and passes both on."""

    def __init__(
        self,
        settings: Settings,
        outputs: Outputs,
        parent: QWidget,
        record: Callable[[Path, Encoding], object],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Record to a file"))
        self._settings, self._outputs, self._record = settings, outputs, record
        layout = QVBoxLayout(self)
        self.form = EncodingForm(with_sound=False, with_series=False, with_color=False)
        self.form.choose(stored_choice(settings))
        layout.addWidget(self.form)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = box.addButton(self.tr("Record..."), QDialogButtonBox.ButtonRole.AcceptRole)
        box.accepted.connect(self._choose_file_name)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.setMinimumWidth(420)

    def _choose_file_name(self) -> None:
        folder = self._settings.recordings_go_to
        # A file dialog opens another folder if this one does not exist yet.
        folder = folder if folder.is_dir() else folder.parent
        proposed = self._outputs.free(folder / f"Lightloom{self.form.suffix}")
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Record to a file"), str(proposed), self.form.text()
        )
        target = self._completed(Path(path)) if path else None
        if target is not None and self._outputs.may_write(target, self, agreed=Path(path)):
            self.begin(target)

    def _completed(self, target: Path) -> Path:
        suffix = self.form.suffix
        return target if target.suffix.lower() == suffix else target.with_name(target.name + suffix)

    def begin(self, target: Path) -> None:
        """Start recording to a file and save the options."""
        target = self._completed(target)
        store_choice(self._settings, self.form.choice)
        self._record(target, self.form.encoding)
        self.accept()
