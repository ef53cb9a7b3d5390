"""Dialog that exports the open source as video or images and previews what will be made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import LightloomError
from desktop.base.files import exists
from desktop.outputs.encoding import CONTAINERS
from desktop.outputs.span import TimeSpan
from desktop.ui.features.exports.exports import Exports
from desktop.ui.forms.encoding_choice import EncodingChoice
from desktop.ui.forms.encoding_form import SERIES, EncodingForm
from desktop.ui.forms.span_choice import SpanChoice
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import (
    ElidedLabel,
    column,
    format_bytes,
    format_time,
    muted,
    scroll_if_too_high,
    scrolled,
    with_equal_labels,
)
from desktop.ui.workspace.dialog_source import DialogSource
from desktop.ui.workspace.outputs import is_series_name
from desktop.ui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from desktop.outputs.encoding import Encoding
    from desktop.outputs.forecast import Forecast

_WAIT_MS: Final = 150


class ExportDialog(QDialog):
    """Options of an export with what they will make; adds the export to the queue."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export"))
        self._workspace = workspace
        self._source = DialogSource(workspace.playback, self._foresee, self)
        self._query_number = 0
        self._bytes_per_second = 0.0
        # Chosen by the user, None for the proposed name; the file dialog has asked whether to replace it.
        self._chosen: Path | None = None
        self._agreed: Path | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT_MS)
        self._timer.timeout.connect(self._foresee)
        layout = QVBoxLayout(self)
        info = workspace.playback.info
        name = translated(info.title) if info is not None else ""
        text = self.tr("{0} is written to a file, with the effects as they are now.").format(name)
        layout.addWidget(muted(text))
        self._is_hdr = workspace.get(Exports).is_hdr
        self.form = EncodingForm(size=workspace.engine.current.picture_size, is_hdr=self._is_hdr)
        settings = workspace.settings
        self.form.choose(
            EncodingChoice(
                kind=settings.export_kind,
                quality=settings.export_quality,
                lines=settings.export_lines,
                hardware=settings.hardware_encoding,
            )
        )
        options = QWidget()
        choices = column(options)
        choices.addWidget(self.form)
        rows = self._part_rows()
        choices.addLayout(rows)
        layout.addWidget(options)
        summary = self._summary_rows()
        self.forecast = muted()
        self.forecast.setObjectName("forecast")
        self.forecast.setTextFormat(Qt.TextFormat.PlainText)
        self.forecast.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.forecast.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.forecast.setContentsMargins(8, 6, 8, 6)
        # Reserve its space: a growing dialog would move the controls under the pointer.
        area = scrolled(self.forecast)
        area.setMinimumHeight(6 * self.fontMetrics().lineSpacing())
        area.setAccessibleName(self.tr("What will be made"))
        layout.addWidget(area, 1)
        layout.addLayout(summary)
        with_equal_labels(self.form.rows, rows, summary)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = box.addButton(self.tr("Export"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.go.setEnabled(False)
        box.accepted.connect(self._export)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self.setMinimumWidth(460)
        self.form.changed.connect(self._on_changed)
        self.span.whole.toggled.connect(self._show_summary)
        self._show_summary()
        scroll_if_too_high(self, options)
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
        self.all_tracks = QCheckBox(self.tr("Keep all audio tracks"))
        tracks = self._workspace.get(Exports).audio_tracks
        self.all_tracks.setEnabled(tracks > 1)
        self.all_tracks.setToolTip("" if tracks > 1 else self.tr("The source has no second audio track"))
        self.all_tracks.toggled.connect(self._timer.start)
        rows.addRow("", self.all_tracks)
        self.stabilize = self._box(
            rows,
            self.tr("Stabilization"),
            {0.0: self.tr("Off"), 1.0: self.tr("Remove shaking"), 3.0: self.tr("Make pans even too")},
        )
        self.stabilize.setToolTip(
            self.tr("Moves and enlarges the frames so that the camera is steady; the video is read twice")
        )
        speeds = {1: self.tr("Normal")} | {k: self.tr("Slow motion, 1/{0}").format(k) for k in (2, 4, 8, 16)}
        self.speed = self._box(rows, self.tr("Speed"), speeds)
        self.speed.setToolTip(self.tr("Makes frames between those of the source, and slows the audio down"))
        return rows

    def _box(self, rows: QFormLayout, title: str, offered: Mapping[Any, str]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(title)
        for value, text in offered.items():
            box.addItem(text, value)
        box.currentIndexChanged.connect(self._on_changed)
        rows.addRow(title, box)
        return box

    @property
    def slow_motion(self) -> int:
        """Factor by which the video is slowed down; 1 for the normal speed and for images."""
        return int(self.speed.currentData()) if self.speed.isEnabled() else 1

    @property
    def encoding(self) -> Encoding:
        """The encoding that the rows describe; slow motion keeps the source's frame rate and copies no audio."""
        chosen = self.form.encoding
        if self.slow_motion == 1:
            return chosen
        return replace(chosen, fps=0.0, sound="none" if chosen.sound == "none" else "encode")

    def _slow_motion_notes(self) -> list[str]:
        """Return sentences on how slow motion is made."""
        if self.slow_motion == 1:
            return []
        notes = [self.tr("Any audio is slowed down at the same pitch; the frame rate is that of the source.")]
        network = self._workspace.get(Exports).interpolation_network
        if network:
            notes.append(self.tr("Frames in between are made by {0}.").format(Path(network).name))
        else:
            notes.append(
                self.tr(
                    "Frames in between are blended, which shows what moves fast twice; for better ones turn on "
                    "frame interpolation with a network such as RIFE."
                )
            )
        return notes

    @property
    def _copies_all_tracks(self) -> bool:
        """True if all audio tracks are copied; slow motion has one."""
        return self.all_tracks.isChecked() and self.slow_motion == 1

    def _color_fault(self) -> str:
        """Return a sentence on what does not go with the chosen color; '' if all does."""
        encoding = self.form.encoding
        if self.slow_motion > 1 and encoding.bits > 8:
            return self.tr(
                "Slow motion makes frames with 8 bits a color; choose the usual color, or the normal speed."
            )
        if self.subtitles.isChecked() and encoding.hdr == "keep":
            return self.tr("Subtitles are drawn in standard range; leave them out, or do not keep HDR.")
        return translated(self._workspace.get(Exports).color_fault(encoding))

    def _color_notes(self) -> list[str]:
        """Return a sentence on how the window shows HDR."""
        if self.form.encoding.hdr != "keep":
            return []
        return [self.tr("The window shows HDR tone-mapped to standard range; the file has it as it is.")]

    def _summary_rows(self) -> QFormLayout:
        rows = QFormLayout()
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.estimate, self.duration = QLabel(), QLabel()
        self.estimate.setToolTip(self.tr("A rough estimate: how much the frames move decides"))
        rows.addRow(self.tr("Estimated size"), self.estimate)
        rows.addRow(self.tr("Duration"), self.duration)
        self.name = ElidedLabel("", Qt.TextElideMode.ElideMiddle)
        self.folder = ElidedLabel("", Qt.TextElideMode.ElideMiddle)
        self.folder.setObjectName("muted")
        self.change = QPushButton(self.tr("Change..."))
        self.change.setToolTip(self.tr("Choose another name or folder"))
        self.change.clicked.connect(self._choose_file_name)
        names = QVBoxLayout()
        names.setSpacing(1)
        names.addWidget(self.name)
        names.addWidget(self.folder)
        row = QHBoxLayout()
        row.addLayout(names, 1)
        row.addWidget(self.change)
        rows.addRow(self.tr("File"), row)
        return rows

    def _on_changed(self) -> None:
        self.speed.setEnabled(self.form.suffix not in SERIES)
        self._timer.start()
        self._show_summary()

    def _show_summary(self) -> None:
        """Show size, duration and place of the file."""
        info = self._workspace.playback.info
        begin, end = self.span.span or (0.0, info.duration if info is not None else 0.0)
        seconds = (end - begin) * self.slow_motion
        self.duration.setText(format_time(seconds, millis=True))
        # Two digits: it is no better than that.
        size = float(f"{self._bytes_per_second * seconds:.1e}")
        self.estimate.setText(self.tr("about {0}").format(format_bytes(size)) if size else "–")
        target = self.target
        self.name.setText(target.name)
        self.folder.setText(str(target.parent))

    # -- forecast --------------------------------------------------------------------------------------------

    def _foresee(self) -> None:
        """Request a forecast of the export; results of older requests are ignored."""
        self._query_number += 1
        asked = self._query_number
        self.go.setEnabled(False)
        if self._source.is_outdated:
            text = self.tr("Another source was opened meanwhile; close this dialog, and export again.")
            self.forecast.setText(text)
            return
        if fault := self._color_fault():
            self.forecast.setText(fault)
            return
        if self.form.suffix in SERIES:
            text = self.tr("A numbered {0} file for each frame, without audio.").format(
                SERIES[self.form.suffix]
            )
            self._show("\n".join([text, *(f"• {note}" for note in self._color_notes())]), 0.0)
            return
        self.forecast.setText(self.tr("Trying the encoders..."))

        def foreseen(found: Forecast) -> None:
            if asked == self._query_number:
                lines = [f"{translated(found.video)}, {translated(found.sound)}"]
                lines += [f"• {translated(note)}" for note in found.differs]
                lines += [f"• {note}" for note in (*self._slow_motion_notes(), *self._color_notes())]
                self._show("\n".join(lines), found.bytes_per_second)

        def failed(error: LightloomError) -> None:
            if asked == self._query_number:
                self.forecast.setText(translated(str(error)))

        drawn = self.subtitles.isChecked()
        self._workspace.get(Exports).foresee(
            self.target,
            self.encoding,
            drawn,
            foreseen,
            failed,
            all_tracks=self._copies_all_tracks,
            makes_frames=self.slow_motion > 1,
        )

    def done(self, result: int) -> None:
        """Close; a forecast still under way is dropped."""
        self._drop_forecast()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        # A dialog that is not shown is closed, and deleted, without `done`.
        self._drop_forecast()
        super().closeEvent(event)

    def _drop_forecast(self) -> None:
        self._query_number += 1
        self._timer.stop()

    def _show(self, text: str, bytes_per_second: float) -> None:
        self.forecast.setText(text)
        self._bytes_per_second = bytes_per_second
        self._show_summary()
        self.go.setEnabled(True)

    # -- file name -------------------------------------------------------------------------------------------

    @property
    def target(self) -> Path:
        """The file to write, with the extension of the chosen format."""
        suffix = self.form.suffix
        if self._chosen is None:
            return self._proposed()
        target = self._chosen
        if target.suffix.lower() != suffix:
            # Only an extension of a format is replaced: a name may contain dots.
            known = target.suffix.lower() in (*CONTAINERS, *SERIES)
            target = target.with_suffix(suffix) if known else target.with_name(target.name + suffix)
        if suffix in SERIES and not is_series_name(target.name):
            target = target.with_stem(f"{target.stem}-%05d")
        return target

    def _proposed(self) -> Path:
        workspace = self._workspace
        name = workspace.playback.name
        is_file = "://" not in name and exists(Path(name))
        stem = Path(name).stem if is_file else "Lightloom"
        suffix = self.form.suffix
        if suffix in SERIES:
            stem = f"{stem}-%05d"
        proposed = Path(workspace.settings.folder or Path.home()) / f"{stem}{suffix}"
        return workspace.outputs.free(proposed)

    def _choose_file_name(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Export"), str(self.target), self.form.text())
        if path:
            self._chosen = self._agreed = Path(path)
            self._show_summary()

    def _export(self) -> None:
        """Begin, after asking whether to replace a file that the file dialog did not ask about."""
        target = self.target
        exports, outputs = self._workspace.get(Exports), self._workspace.outputs
        if exports.is_source(target) or outputs.may_write(target, self, agreed=self._agreed):
            self.begin(target)

    def begin(self, target: Path) -> None:
        """Add the export to the queue."""
        if self._source.is_outdated:
            return
        if self._workspace.get(Exports).is_source(target):
            self.forecast.setText(self.tr("{0} is what is read; choose another name.").format(target.name))
            return
        chosen = self.span.span
        span = TimeSpan() if chosen is None else TimeSpan(*chosen)
        self._workspace.get(Exports).add(
            target,
            self.encoding,
            span,
            overlay=self.overlay.isChecked(),
            subtitles=self.subtitles.isChecked(),
            stabilize=float(self.stabilize.currentData()),
            slow_motion=self.slow_motion,
            all_tracks=self._copies_all_tracks,
        )
        settings, choice = self._workspace.settings, self.form.choice
        settings.export_kind, settings.export_quality = choice.kind, choice.quality
        settings.export_lines = choice.lines
        self.accept()
