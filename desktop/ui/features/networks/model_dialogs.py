"""Dialog for facts that a network's file does not state."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.base.errors import UsageError
from desktop.pipeline.running.inputs.input_facts import UNKNOWN, InputFacts
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import ElidedLabel, muted
from desktop.vision.models.findings import sentence_of
from desktop.vision.models.preprocess import CAFFE_MEAN_BGR, IMAGENET_MEAN, IMAGENET_STD, Preprocess
from desktop.vision.tasks import all_tasks, task_named

Vector = tuple[float, ...]
_ZERO: Final = (0.0, 0.0, 0.0)
_ONE: Final = (1.0, 1.0, 1.0)
# Name -> scale, mean and deviation of R, G and B; None is the user's own.
_RANGES: Final[dict[str, tuple[str, Vector, Vector] | None]] = {
    "0..1": ("0..1", _ZERO, _ONE),
    "-1..1": ("-1..1", _ZERO, _ONE),
    "0..255": ("0..255", _ZERO, _ONE),
    "ImageNet": ("0..1", IMAGENET_MEAN, IMAGENET_STD),
    "Caffe": ("0..255", CAFFE_MEAN_BGR[::-1], _ONE),
    "own": None,
}


class InputDialog(QDialog):
    """Dialog for missing facts about a network's input; prefilled, and saved beside the file."""

    given = Signal(object, object, str, object)

    def __init__(self, found: InputFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Preprocessing of {0}").format(found.path.name))
        self.found = found
        self._labels: Path | None = None
        layout = QVBoxLayout(self)
        layout.addWidget(muted(self._reason()))
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        tensor = ElidedLabel(translated(found.tensor))
        form.addRow(self.tr("Input tensor"), tensor)
        self.task = self._combo(((self._task_text(t), t) for t in (*self._tasks(), UNKNOWN)), self.tr("Task"))
        self.task.setCurrentIndex(self.task.findData(found.task))
        if found.task != UNKNOWN:
            self.task.removeItem(self.task.findData(UNKNOWN))
        form.addRow(self.tr("Task"), self.task)
        decoders = [choice for choice in found.choices if choice.decoder]
        self.decoder = self._combo(
            [(self.tr("Choose..."), ""), *((translated(c.title), c.decoder) for c in decoders)],
            self.tr("Decoder"),
        )
        if decoders:
            form.addRow(self.tr("Decoder"), self.decoder)
        self.width_box, self.height_box = self._spin(found.plan.width), self._spin(found.plan.height)
        if found.free:
            form.addRow(self.tr("Size"), self._size_row())
        gray = found.plan.colors == "GRAY"
        self.colors = self._combo(
            ((self.tr("Gray"), "GRAY"),) if gray else (("RGB", "RGB"), ("BGR", "BGR")),
            self.tr("Color order"),
        )
        self.colors.setCurrentIndex(max(0, self.colors.findData(found.plan.colors)))
        form.addRow(self.tr("Color order"), self.colors)
        self.range = self._combo(((self._range_text(name), name) for name in _RANGES), self.tr("Pixel range"))
        form.addRow(self.tr("Pixel range"), self.range)
        self.scale = self._combo(
            ((s, s) for s in ("0..1", "-1..1", "0..255")), self.tr("Pixel range before mean and std")
        )
        self.mean, self.std = self._line(self.tr("Mean")), self._line(self.tr("Standard deviation"))
        for label, widget in (
            (self.tr("Scale"), self.scale),
            (self.tr("Mean"), self.mean),
            (self.tr("Std"), self.std),
        ):
            form.addRow(label, widget)
        self.labels = ElidedLabel(translated(found.labels))
        if found.labels:
            form.addRow(self.tr("Class names"), self._labels_row())
        layout.addLayout(form)
        self.notes = muted("\n".join(translated(sentence_of(finding)) for finding in found.findings))
        layout.addWidget(self.notes)
        self.error = QLabel()
        self.error.setObjectName("errorText")
        self.error.setWordWrap(True)
        self.error.hide()
        layout.addWidget(self.error)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.use = box.addButton(self.tr("Use"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.use.setDefault(True)
        self.use.clicked.connect(self._give)
        box.rejected.connect(self.reject)
        layout.addWidget(box)
        self._show_plan(found.plan)
        self.range.currentIndexChanged.connect(self._on_range)
        self.colors.currentIndexChanged.connect(self._on_range)
        self.task.currentIndexChanged.connect(self._on_task)
        self.decoder.currentIndexChanged.connect(self._on_task)
        self._on_task()
        # The hint does not know how high wrapped notes are at this width, and rows would be squeezed.
        self.resize(440, max(self.sizeHint().height(), layout.totalHeightForWidth(440)))

    def _tasks(self) -> list[str]:
        """All tasks, those first that the file shows."""
        shown = [choice.task for choice in self.found.choices]
        return sorted((task.id for task in all_tasks()), key=lambda task: task not in shown)

    def _reason(self) -> str:
        titles = [translated(choice.title) for choice in self.found.choices]
        if titles:
            return self.tr(
                "The file does not show which of these it is: {0}. Choose one; the choice is kept beside "
                "the file."
            ).format(", ".join(titles))
        names = {
            "task": self.tr("its task"),
            "range": self.tr("its pixel range"),
            "size": self.tr("its input size"),
        }
        open_ = [text for name, text in names.items() if name in self.found.unclear]
        if not open_:
            return self.tr("Preprocessing for this network. Your choices are stored beside its file.")
        return self.tr(
            "The file does not state {0}. The values below are assumed; change what you know better. They "
            "are kept beside the file."
        ).format(self.tr(" and ").join(open_))

    # -- widgets ---------------------------------------------------------------------------------------------

    def _combo(self, entries: Any, name: str) -> QComboBox:
        box = QComboBox()
        for text, data in entries:
            box.addItem(text, data)
        box.setAccessibleName(name)
        return box

    def _spin(self, value: int) -> QSpinBox:
        box = QSpinBox()
        box.setRange(1, 8192)
        box.setValue(value)
        box.setSuffix(" px")
        return box

    def _line(self, name: str) -> QLineEdit:
        line = QLineEdit()
        line.setAccessibleName(name)
        return line

    def _size_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.width_box.setAccessibleName(self.tr("Width"))
        self.height_box.setAccessibleName(self.tr("Height"))
        row.addWidget(self.width_box)
        row.addWidget(QLabel("×"))
        row.addWidget(self.height_box)
        row.addStretch(1)
        return row

    def _labels_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        choose = QPushButton(self.tr("Choose..."))
        choose.setAccessibleName(self.tr("Choose a file with one name a line"))
        choose.setAutoDefault(False)
        choose.clicked.connect(self._choose_labels)
        row.addWidget(self.labels, 1)
        row.addWidget(choose)
        return row

    def _task_text(self, task: str) -> str:
        found = task_named(task)
        return translated(found.summary) if found is not None else self.tr("Choose...")

    def _range_text(self, name: str) -> str:
        return {
            "ImageNet": self.tr("ImageNet (mean and std)"),
            "Caffe": self.tr("Caffe (0..255 minus mean)"),
            "own": self.tr("Custom"),
        }.get(name, name)

    # -- values ----------------------------------------------------------------------------------------------

    def _vectors(self, name: str) -> tuple[str, Vector, Vector] | None:
        """The scale, mean and deviation of a range, in the order of the channels that are chosen."""
        values = _RANGES[name]
        if values is None:
            return None
        scale, mean, std = values
        colors = self.colors.currentData()
        if colors == "GRAY":
            return scale, (round(sum(mean) / 3, 6),), (round(sum(std) / 3, 6),)
        return (scale, mean[::-1], std[::-1]) if colors == "BGR" else values

    def _show_plan(self, plan: Preprocess) -> None:
        stated = (plan.scale, plan.mean, plan.std)
        name = next((n for n in _RANGES if (v := self._vectors(n)) is not None and _near(v, stated)), "own")
        self.range.setCurrentIndex(self.range.findData(name))
        self._show_values(*stated)
        self._enable_own(name == "own")

    def _show_values(self, scale: str, mean: Vector, std: Vector) -> None:
        self.scale.setCurrentIndex(self.scale.findData(scale))
        self.mean.setText(", ".join(f"{v:g}" for v in mean))
        self.std.setText(", ".join(f"{v:g}" for v in std))

    def _enable_own(self, own: bool) -> None:
        for widget in (self.scale, self.mean, self.std):
            widget.setEnabled(own)

    def _on_range(self) -> None:
        values = self._vectors(self.range.currentData())
        if values is not None:
            self._show_values(*values)
        self._enable_own(values is None)

    def _on_task(self) -> None:
        is_open = self.decoder.count() > 1 and self.task.currentData() == self.found.task
        self.use.setEnabled(
            self.task.currentData() != UNKNOWN and not (is_open and not self.decoder.currentData())
        )

    def _choose_labels(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Names of the classes"),
            str(self.found.path.parent),
            self.tr("Text (*.txt *.names);;All files (*)"),
        )
        if path:
            self.use_labels(Path(path))

    def use_labels(self, path: Path) -> None:
        """Read the class names from a file."""
        self._labels = path
        self.labels.setText(path.name)

    def values(self) -> dict[str, Any]:
        """Return the preprocessing. Raises UsageError if mean or standard deviation is not numeric."""
        found: dict[str, Any] = {"colors": self.colors.currentData(), "scale": self.scale.currentData()}
        for name, line in (("mean", self.mean), ("std", self.std)):
            try:
                found[name] = [float(part) for part in line.text().replace(";", ",").split(",")]
            except ValueError as error:
                raise UsageError(
                    self.tr("Give numbers with commas between them, one for each channel.")
                ) from error
        if self.found.free:
            found |= {"width": self.width_box.value(), "height": self.height_box.value()}
        # Checked here, where the user can fix it.
        self.found.plan.updated(found)
        return found

    def _give(self) -> None:
        try:
            values = self.values()
        except UsageError as error:
            self.fail(str(error))
            return
        self.given.emit(self.found, values, self.task.currentData(), self._labels)

    def fail(self, text: str) -> None:
        """Show why the facts cannot be used."""
        self.error.setText(translated(text))
        self.error.show()


def _near(a: tuple[str, Vector, Vector], b: tuple[str, Vector, Vector]) -> bool:
    if a[0] != b[0] or len(a[1]) != len(b[1]):
        return False
    return all(abs(x - y) < 1e-3 for x, y in zip((*a[1], *a[2]), (*b[1], *b[2]), strict=True))
