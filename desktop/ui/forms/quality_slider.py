"""Slider between a smaller file and the best quality."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QWidget

from desktop.ui.forms import offers
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import column, muted


class QualitySlider(QWidget):
    """The qualities of `offers.QUALITIES`, smallest file first; `value` is the setting's text."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._qualities = sorted(offers.QUALITIES.items(), key=lambda offer: -int(offer[0] or 0))
        self._values = [value for value, _ in self._qualities]
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, len(self._values) - 1)
        self.slider.setPageStep(1)
        self.slider.setValue(self._values.index(""))
        self.word = QLabel()
        self.word.setAlignment(Qt.AlignmentFlag.AlignCenter)
        ends = QHBoxLayout()
        ends.addWidget(muted(self.tr("Smaller file"), wrap=False))
        ends.addWidget(self.word, 1)
        ends.addWidget(muted(self.tr("Best"), wrap=False))
        layout = column(self, 0, 2)
        layout.addWidget(self.slider)
        layout.addLayout(ends)
        self._scale: tuple[int, int] | None = None
        self.slider.valueChanged.connect(lambda _: self.changed.emit())
        self.show_number(None, 0)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.slider.setAccessibleName(name)

    @property
    def values(self) -> tuple[str, ...]:
        """All values, that of the smallest file first."""
        return tuple(self._values)

    @property
    def value(self) -> str:
        """Steps from the codec's default as text, '' for the default; see `EncodingChoice.quality`."""
        return self._values[self.slider.value()]

    def choose(self, value: str) -> None:
        """Select a value; one that is not offered changes nothing."""
        if value in self._values:
            self.slider.setValue(self._values.index(value))

    def show_number(self, number: int | None, worst: int) -> None:
        """Show the quality on the codec's scale, which ends at `worst`; None without a quality setting."""
        self.setEnabled(number is not None)
        word = translated(self._qualities[self.slider.value()][1])
        text = "–" if number is None else f"{word} · {number}"
        tip = "" if number is None else self.tr("{0} on the codec's scale: 0 is best, {1} smallest")
        self.word.setText(text)
        self.setToolTip(tip.format(number, worst))
        self.slider.setAccessibleDescription(text)
