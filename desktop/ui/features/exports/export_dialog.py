"""Dialog that exports the open source as video or images and previews what will be made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import LightloomError
from desktop.outputs.span import TimeSpan
from desktop.ui.features.exports.exports import Exports
from desktop.ui.forms.encoding_form import SERIES, EncodingForm
from desktop.ui.forms.span_choice import SpanChoice
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import muted, scrolled, with_equal_labels
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.outputs.forecast import Forecast

_WAIT_MS: Final = 150


class ExportDialog(QDialog):
    """Asks for the span, the encoding and a file name, and adds the export to the queue."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export"))
        self._workspace = workspace
        self._query_number = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._foresee)
        layout = QVBoxLayout(self)
        info = workspace.playback.info
        name = translated(info.title) if info is not None else ""
        text = self.tr("{0} is written to a file, with the filters as they are now.").format(name)
        layout.addWidget(muted(text))
        self.form = EncodingForm()
        self.form.hardware.setChecked(workspace.settings.hardware_encoding)
        layout.addWidget(self.form)
        rows = self._part_rows()
        layout.addLayout(rows)
        with_equal_labels(self.form.rows, rows)
        self.forecast = muted()
        self.forecast.setObjectName("forecast")
        self.forecast.setTextFormat(Qt.TextFormat.PlainText)
        self.forecast.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.forecast.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Reserve its space: a growing dialog would move the controls under the pointer.
        area = scrolled(self.forecast)
        area.setMinimumHeight(6 * self.fontMetrics().lineSpacing())
        area.setAccessibleName(self.tr("What will be made"))
        layout.addWidget(area, 1)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = box.addButton(self.tr("Export..."), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setEnabled(False)
        box.accepted.connect(self._choose_file_name)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.setMinimumWidth(460)
        self.form.changed.connect(self._timer.start)
        self._foresee()

    def _part_rows(self) -> QFormLayout:
        rows = QFormLayout()
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.span = SpanChoice(self._workspace.playback.marked, self)
        self.span.add_to(rows)
        self.overlay = QCheckBox(self.tr("Draw in what the network sees"))
        seen = self._workspace.get(Exports).has_overlay
        self.overlay.setEnabled(seen)
        self.overlay.setChecked(seen and self._workspace.settings.saves_overlay)
        rows.addRow(self.tr("Overlay"), self.overlay)
        self.subtitles = QCheckBox(self.tr("Draw in the subtitles"))
        said = self._workspace.get(Exports).has_subtitles
        self.subtitles.setEnabled(said)
        self.subtitles.setToolTip("" if said else self.tr("Show subtitles in the window first"))
        self.subtitles.setChecked(said)
        self.subtitles.toggled.connect(self._timer.start)
        rows.addRow("", self.subtitles)
        return rows

    # -- forecast --------------------------------------------------------------------------------------------

    def _foresee(self) -> None:
        """Request a forecast of the export; results of older requests are ignored."""
        self._query_number += 1
        asked = self._query_number
        self.go.setEnabled(False)
        if self.form.suffix == SERIES:
            self._show(self.tr("A numbered PNG file for each frame, without audio."))
            return
        self.forecast.setText(self.tr("Trying the encoders..."))

        def foreseen(found: Forecast) -> None:
            if asked == self._query_number:
                lines = [f"{translated(found.video)}, {translated(found.sound)}"]
                self._show("\n".join([*lines, *(f"• {translated(note)}" for note in found.differs)]))

        def failed(error: LightloomError) -> None:
            if asked == self._query_number:
                self.forecast.setText(translated(str(error)))

        drawn = self.subtitles.isChecked()
        self._workspace.get(Exports).foresee(self._proposed(), self.form.encoding, drawn, foreseen, failed)

    def done(self, result: int) -> None:
        """Close; a forecast still under way is dropped."""
        self._query_number += 1
        self._timer.stop()
        super().done(result)

    def _show(self, text: str) -> None:
        self.forecast.setText(text)
        self.go.setEnabled(True)

    # -- file name -------------------------------------------------------------------------------------------

    def _proposed(self) -> Path:
        workspace = self._workspace
        name = workspace.playback.name
        is_file = "://" not in name and Path(name).exists()
        stem = Path(name).stem if is_file else "Lightloom"
        suffix = self.form.suffix
        if suffix == SERIES:
            stem = f"{stem}-%05d"
        proposed = Path(workspace.settings.folder or Path.home()) / f"{stem}{suffix}"
        # The input file cannot be the output.
        if workspace.get(Exports).is_source(proposed):
            proposed = proposed.with_stem(f"{stem} 2")
        return proposed

    def _choose_file_name(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Export"), str(self._proposed()), self.form.text()
        )
        if path:
            self.begin(Path(path))

    def begin(self, target: Path) -> None:
        """Add the export to the queue."""
        suffix = self.form.suffix
        if target.suffix.lower() != suffix:
            target = target.with_name(target.name + suffix)
        if suffix == SERIES and "%" not in target.name:
            target = target.with_stem(f"{target.stem}-%05d")
        if self._workspace.get(Exports).is_source(target):
            self.forecast.setText(self.tr("{0} is what is read; choose another name.").format(target.name))
            return
        chosen = self.span.span
        span = TimeSpan() if chosen is None else TimeSpan(*chosen)
        self._workspace.get(Exports).add(
            target,
            self.form.encoding,
            span,
            overlay=self.overlay.isChecked(),
            subtitles=self.subtitles.isChecked(),
        )
        self.accept()
