"""The choice between all of a source and the part that the transport has marked, as two rows of a dialog's form."""

from __future__ import annotations

from PySide6.QtWidgets import QFormLayout, QRadioButton, QWidget

from desktop.ui.widgets import format_time


class SpanChoice(QWidget):
    """Two buttons, which belong together where they are put.

    Args:
        marked: beginning and end of what is marked, in seconds; None for nothing, then only all of it can be chosen.
        parent: the dialog.
    """

    def __init__(self, marked: tuple[float, float] | None, parent: QWidget) -> None:
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
        rows = QFormLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addRow(self.whole)
        rows.addRow(self.part)

    @property
    def span(self) -> tuple[float, float] | None:
        """Beginning and end of what is chosen, in seconds; None for all of it."""
        return self._marked if self.part.isChecked() else None
