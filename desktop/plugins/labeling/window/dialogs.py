"""Dialogs of the labeling window: import and export."""

from __future__ import annotations

import threading
from collections.abc import Callable
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

from desktop.base.errors import LightloomError, StoppedError
from desktop.base.wording import Text, sentence
from desktop.outputs.result_format import About, ResultFormat
from desktop.outputs.results import result_formats
from desktop.plugins.labeling.data.exporting import export_labels
from desktop.plugins.labeling.data.readers import coco, yolo
from desktop.plugins.labeling.data.readers.read import Read
from desktop.plugins.labeling.window.labeling import Labeling
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import muted
from desktop.ui.workspace.outputs import Outputs


class Files:
    """Reads and writes label files on a thread. For use on the window's thread.

    `on_written` is called after an export, with True if it succeeded without notes.
    """

    def __init__(self, labeling: Labeling, settings: Settings, window: QWidget) -> None:
        self._labeling, self._settings, self._window = labeling, settings, window
        self._jobs = Jobs(window, threads=1)
        self._stopping = threading.Event()
        self._writing: list[Path] = []
        self.on_written: Callable[[bool], object] = lambda _: None
        self._outputs = Outputs()
        self._outputs.add_user(lambda: self._writing)

    @property
    def is_writing(self) -> bool:
        """True while labels are exported."""
        return bool(self._writing)

    def choose_coco(self) -> None:
        """Ask for a COCO file and read it."""
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            translated(sentence("Import labels from COCO")),
            self._settings.folder,
            translated(sentence("COCO (*.json)")),
        )
        if path:
            self.import_from(Path(path))

    def choose_yolo(self) -> None:
        """Ask for a folder of YOLO labels and read it."""
        path = QFileDialog.getExistingDirectory(
            self._window, translated(sentence("Import labels from YOLO")), self._settings.folder
        )
        if path:
            self.import_from(Path(path))

    def import_from(self, path: Path) -> None:
        """Read labels: a folder as YOLO, a file as COCO."""
        pictures = self._labeling.pictures

        def work() -> Read:
            return yolo.read(path, pictures) if path.is_dir() else coco.read(path, pictures)

        self._jobs.run(work, self._labeling.take_import, self._failed)

    def choose_export(self) -> None:
        """Ask for the export options."""
        ExportLabelsDialog(self._labeling, self._settings, self._outputs, self.export_to, self._window).open()

    def export_to(self, target: Path, chosen: ResultFormat, confirmed: bool) -> None:
        """Write the labels in their current state."""
        labeling = self._labeling
        labels, classes = dict(labeling.labels), labeling.classes

        def check(*_: int) -> None:
            if self._stopping.is_set():
                raise StoppedError("stopped")

        def work() -> tuple[tuple[Path, ...], tuple[Text, ...]]:
            return export_labels(
                labeling.pictures, labels, classes, chosen, target, confirmed=confirmed, progress=check
            )

        self._writing.append(target)

        def written(done: tuple[tuple[Path, ...], tuple[Text, ...]]) -> None:
            self._writing.remove(target)
            self._written(done)
            self.on_written(not done[1])

        def failed(error: LightloomError) -> None:
            self._writing.remove(target)
            self._failed(error)
            self.on_written(False)

        self._jobs.run(work, written, failed)

    def _written(self, done: tuple[tuple[Path, ...], tuple[Text, ...]]) -> None:
        paths, notes = done
        text = translated(sentence("Labels saved as {name}", name=paths[0]))
        self._labeling.told.emit("info", text)
        for note in notes:
            self._labeling.told.emit("warning", translated(note))

    def _failed(self, error: LightloomError) -> None:
        self._labeling.told.emit("error", translated(str(error)))

    def close(self) -> None:
        """Cancel running work."""
        self._stopping.set()
        self._jobs.close()


class ExportLabelsDialog(QDialog):
    """Asks for the format and whether to include unconfirmed images, then for a file name."""

    def __init__(
        self,
        labeling: Labeling,
        settings: Settings,
        outputs: Outputs,
        begin: Callable[[Path, ResultFormat, bool], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export labels"))
        self._labeling, self._settings = labeling, settings
        self._outputs, self._begin = outputs, begin
        self._formats = result_formats()
        self.format = QComboBox()
        for key, each in self._formats.items():
            self.format.addItem(each.title, key)
        self.format.setCurrentIndex(self.format.findData("coco"))
        self.format.currentIndexChanged.connect(self._refresh_note)
        self.confirmed = QCheckBox(self.tr("Only confirmed images"))
        self.confirmed.setChecked(True)
        self.confirmed.toggled.connect(self._refresh_note)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("Format"), self.format)
        form.addRow(self.tr("Images"), self.confirmed)
        self.note = muted()
        # Its space is reserved: a dialog that grows would move the controls under the pointer.
        self.note.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = box.addButton(self.tr("Export..."), QDialogButtonBox.ButtonRole.AcceptRole)
        box.accepted.connect(self._choose_file_name)
        box.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self.note)
        layout.addStretch(1)
        layout.addWidget(box)
        self.setMinimumWidth(440)
        self._refresh_note()

    @property
    def chosen(self) -> ResultFormat:
        """The selected format."""
        return self._formats[self.format.currentData()]

    def _refresh_note(self) -> None:
        """Show at once what would be exported, and what the format cannot hold."""
        labels = self._labeling.labels.values()
        count = sum(picture.confirmed or not self.confirmed.isChecked() for picture in labels)
        said = self.tr("%n images go into the file.", "", count)
        problem = "" if count else self.tr("No image is confirmed yet.")
        try:
            about = About(labels=self._labeling.classes)
            self.chosen.check(about, self._proposed())
            said = " ".join(filter(None, (said, translated(self.chosen.note(about)))))
        except LightloomError as error:
            problem = translated(str(error))
        self.note.setText(problem or said)
        self.note.setObjectName("warningText" if problem else "muted")
        self.note.style().polish(self.note)
        self.go.setEnabled(not problem)

    def _proposed(self) -> Path:
        suffix = "" if self.chosen.is_folder else (*self.chosen.suffixes, ".txt")[0]
        stem = self._labeling.pictures.path.stem or "labels"
        return Path(self._settings.folder or Path.home()) / f"{stem}-labels{suffix}"

    def _choose_file_name(self) -> None:
        pattern = " ".join(f"*{suffix}" for suffix in self.chosen.suffixes or (".txt",))
        kinds = "" if self.chosen.is_folder else f"{self.chosen.title} ({pattern})"
        proposed = self._outputs.free(self._proposed())
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Export labels"), str(proposed), kinds)
        target = self._completed(Path(path)) if path else None
        # A folder is checked by its format: some write into one that is there.
        agreed = target if self.chosen.is_folder else Path(path)
        if target is not None and self._outputs.may_write(target, self, agreed=agreed):
            self.begin(target)

    def _completed(self, target: Path) -> Path:
        suffixes = self.chosen.suffixes or (".txt",)
        is_complete = self.chosen.is_folder or target.suffix.lower() in suffixes
        return target if is_complete else target.with_name(target.name + suffixes[0])

    def begin(self, target: Path) -> None:
        """Start writing into a file or folder."""
        target = self._completed(target)
        self._begin(target, self.chosen, self.confirmed.isChecked())
        self.accept()
