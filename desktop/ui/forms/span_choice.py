"""Choice between an entire source and the part marked in the transport, as two rows of a form."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QButtonGroup, QFormLayout, QRadioButton

from desktop.ui.kit.widgets import format_time


class SpanChoice(QObject):
    """Two buttons as rows of a form; `marked` is (start, end) in seconds, None to disable that choice."""

    def __init__(self, marked: tuple[float, float] | None, parent: QObject) -> None:
        super().__init__(parent)
        self._marked = marked
        self.whole = QRadioButton(self.tr("All of it"))
        self.part = QRadioButton(self.tr("From A to B"))
        if marked is not None:
            times = " – ".join(format_time(at, millis=True) for at in marked)
            self.part.setText(f"{self.part.text()} ({times})")
        self.part.setEnabled(marked is not None)
        self.part.setToolTip(self.tr("Mark A and B in the transport first") if marked is None else "")
        (self.whole if marked is None else self.part).setChecked(True)
        # They exclude each other, not other buttons of the dialog.
        group = QButtonGroup(self)
        group.addButton(self.whole)
        group.addButton(self.part)

    def add_to(self, form: QFormLayout) -> None:
        """Append the rows to a form."""
        form.addRow(self.tr("Range"), self.whole)
        form.addRow("", self.part)

    @property
    def span(self) -> tuple[float, float] | None:
        """Start and end of the choice in seconds; None for the entire source."""
        return self._marked if self.part.isChecked() else None
