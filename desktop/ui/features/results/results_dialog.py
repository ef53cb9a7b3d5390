"""Dialog with the options of a results export, shown before the file dialog."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import LightloomError
from desktop.base.files import exists
from desktop.outputs.result_format import ResultFormat
from desktop.outputs.results import result_formats
from desktop.ui.features.results.results_export import ExportPlan, ResultsExport
from desktop.ui.forms.span_choice import SpanChoice
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import muted
from desktop.ui.workspace.dialog_source import DialogSource
from desktop.ui.workspace.workspace import Workspace


class ResultsDialog(QDialog):
    """Asks for the format and the part of the file, then for a file name, and starts the export."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export results"))
        self._workspace = workspace
        self._source = DialogSource(workspace.playback, self._refresh_note, self)
        self._formats = result_formats()
        layout = QVBoxLayout(self)
        info = workspace.playback.info
        name = translated(info.title) if info is not None else ""
        text = muted(
            self.tr(
                "The network processes every frame of {0} once more, and its results are written."
            ).format(name)
        )
        layout.addWidget(text)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.format = QComboBox()
        for key, each in self._formats.items():
            self.format.addItem(each.title, key)
        self.format.currentIndexChanged.connect(self._refresh_note)
        form.addRow(self.tr("Format"), self.format)
        self.span = SpanChoice(workspace.playback.marked, self)
        self.span.add_to(form)
        self.track = QCheckBox(self.tr("Track objects from frame to frame"))
        follows = workspace.edits.setup.scene.track is not None
        self.track.setChecked(follows)
        self.track.setEnabled(not follows)
        self.track.toggled.connect(self._refresh_note)
        form.addRow(self.tr("Identities"), self.track)
        layout.addLayout(form)
        self.refusal = muted()
        self.refusal.setObjectName("warningText")
        # Its space is reserved: a dialog that grows would move the controls under the pointer.
        self.refusal.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.refusal.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.refusal)
        layout.addStretch(1)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = box.addButton(self.tr("Export..."), QDialogButtonBox.ButtonRole.AcceptRole)
        box.accepted.connect(self._choose_file_name)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.setMinimumWidth(440)
        self._refresh_note()

    @property
    def chosen(self) -> ResultFormat:
        """The selected format."""
        return self._formats[self.format.currentData()]

    def _refresh_note(self) -> None:
        """Show at once what the format cannot hold."""
        if self._source.is_outdated:
            text = self.tr("Another source was opened meanwhile; close this dialog, and export again.")
            self.refusal.setText(text)
            self.go.setEnabled(False)
            return
        said = ""
        try:
            about = replace(self._workspace.get(ResultsExport).about(), tracked=self.track.isChecked())
            self.chosen.check(about, self._proposed())
            note = translated(self.chosen.note(about))
        except LightloomError as error:
            said, note = translated(str(error)), ""
        self.refusal.setText(said or note)
        self.go.setEnabled(not said)

    def _proposed(self) -> Path:
        chosen, source = self.chosen, Path(self._workspace.playback.name)
        # The names of the sample and of addresses are not valid file names.
        is_file = "://" not in self._workspace.playback.name and exists(source)
        stem = source.stem if is_file else self.tr("results")
        folder = Path(self._workspace.settings.folder or Path.home())
        suffix = "" if chosen.is_folder else (*chosen.suffixes, ".txt")[0]
        return folder / f"{stem}{'-labels' if chosen.is_folder else ''}{suffix}"

    def _choose_file_name(self) -> None:
        chosen, proposed = self.chosen, self._workspace.outputs.free(self._proposed())
        pattern = " ".join(f"*{suffix}" for suffix in chosen.suffixes or (".txt",))
        kinds = "" if chosen.is_folder else f"{chosen.title} ({pattern})"
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Export results"), str(proposed), kinds)
        target = self._completed(Path(path)) if path else None
        # A folder is checked by its format: some write into one that is there.
        agreed = target if chosen.is_folder else Path(path)
        if target is not None and self._workspace.outputs.may_write(target, self, agreed=agreed):
            self.begin(target)

    def _completed(self, target: Path) -> Path:
        suffixes = self.chosen.suffixes or (".txt",)
        is_complete = self.chosen.is_folder or target.suffix.lower() in suffixes
        return target if is_complete else target.with_name(target.name + suffixes[0])

    def begin(self, target: Path) -> None:
        """Start writing into a file or folder."""
        if self._source.is_outdated:
            return
        target = self._completed(target)
        self._workspace.get(ResultsExport).begin(
            ExportPlan(
                self._workspace.playback.name,
                target,
                self.format.currentData(),
                self.span.span,
                self.track.isChecked(),
            )
        )
        self.accept()
