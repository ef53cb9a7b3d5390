"""Form rows for encoding options: container, codec, color, quality, size, frame rate, audio."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QWidget

from desktop.base.fields import Option
from desktop.outputs.encoding import CODECS, CONTAINERS, Encoding
from desktop.ui.forms import offers
from desktop.ui.forms.encoding_choice import KEPT_HDR, MORE_BITS, EncodingChoice
from desktop.ui.forms.quality_slider import QualitySlider
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.language import translated

SERIES: Final = {".png": "PNG", ".exr": "OpenEXR"}
"""The choices that are no videos, with their names: a numbered file for each frame."""


class EncodingForm(QWidget):
    """The rows, and the `Encoding` that they describe."""

    changed = Signal()

    def __init__(
        self,
        *,
        with_sound: bool = True,
        with_series: bool = True,
        with_color: bool = True,
        is_hdr: bool = False,
        size: tuple[int, int] = (0, 0),
    ) -> None:
        """Make the rows; `size`: (width, height) of the frame to encode, 0 if unknown; `is_hdr`: offer to keep HDR."""
        super().__init__()
        self.rows = form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.kind = self._box(form, self.tr("Format"), Settings.recording_kind.field.options)
        if with_series:
            for suffix, text in offers.SERIES.items():
                self.kind.addItem(translated(text), suffix)
        self.codec = QComboBox()
        self.codec.setAccessibleName(self.tr("Codec"))
        form.addRow(self.tr("Codec"), self.codec)
        self.color = QComboBox()
        self.color.addItem(self.tr("As usual for the codec"), "")
        self.color.addItem(self.tr("More than 8 bits a color"), MORE_BITS)
        if is_hdr:
            self.color.addItem(self.tr("Keep HDR as it is"), KEPT_HDR)
        if with_color:
            self.color.setAccessibleName(self.tr("Color"))
            self.color.setToolTip(
                self.tr("10 bits in videos, 16 in PNG files. HDR is kept through effects that allow it.")
            )
            form.addRow(self.tr("Color"), self.color)
        self.color.currentIndexChanged.connect(self._offer)
        self.lines = self._box(form, self.tr("Size"), Settings.recording_lines.field.options)
        self._name_sizes(*size)
        self.quality = QualitySlider()
        self.quality.setAccessibleName(self.tr("Quality"))
        self.quality.changed.connect(self._show_quality)
        form.addRow(self.tr("Quality"), self.quality)
        self.rate = self._box(form, self.tr("Frame rate"), Settings.recording_rate.field.options)
        self.sound = QComboBox()
        for name, title in (
            ("auto", self.tr("As it is, where the file takes it")),
            ("encode", self.tr("Encoded")),
            ("none", self.tr("None")),
        ):
            self.sound.addItem(title, name)
        if with_sound:
            self._add(form, self.tr("Audio"), self.sound)
        self.hardware = QCheckBox(self.tr("Encode on the graphics card, if it can"))
        self.hardware.setAccessibleName(self.hardware.text())
        form.addRow("", self.hardware)
        self.hardware.toggled.connect(self.changed)
        self.alpha = QCheckBox(self.tr("Keep transparency"))
        self.alpha.setAccessibleName(self.alpha.text())
        self.alpha.setToolTip(
            self.tr(
                "Otherwise transparent parts are black. Not every kind of file and codec holds transparency."
            )
        )
        form.addRow("", self.alpha)
        self.alpha.toggled.connect(self._offer)
        self.kind.currentIndexChanged.connect(self._offer)
        self.codec.currentIndexChanged.connect(self._show_quality)
        self._offer()

    def _box(self, form: QFormLayout, title: str, offered: Iterable[Option] = ()) -> QComboBox:
        box = QComboBox()
        for value, text in offered:
            box.addItem(translated(text), value)
        self._add(form, title, box)
        return box

    def _name_sizes(self, width: int, height: int) -> None:
        """Name the size of the frame, and mark the heights above it."""
        if not height:
            return
        for place in range(self.lines.count()):
            text, lines = self.lines.itemText(place), self.lines.itemData(place)
            if not lines:
                said = self.tr("{0} ({1} x {2})").format(text, width, height)
            elif int(lines) > height:
                said = self.tr("{0} (larger than the source)").format(text)
            else:
                continue
            self.lines.setItemText(place, said)

    def _add(self, form: QFormLayout, title: str, box: QComboBox) -> None:
        box.setAccessibleName(title)
        form.addRow(title, box)
        box.currentIndexChanged.connect(self.changed)

    def _offer(self) -> None:
        """Update the list of codecs for the container, transparency and the bits a color."""
        container = CONTAINERS.get(self.suffix)
        film = container is not None
        self.alpha.setEnabled(container is not None and bool(container.alpha))
        self.color.setEnabled(self.choice.holds_more_bits)
        codecs = self.choice.codecs
        chosen = self.codec.currentData()
        self.codec.blockSignals(True)
        self.codec.clear()
        # The recommended one is the default, which another one replaces where its encoder is missing.
        first = self.tr("{0} (recommended)").format(CODECS[codecs[0]].title) if codecs[1:] else ""
        self.codec.addItem(first or (CODECS[codecs[0]].title if codecs else SERIES[self.suffix]), "")
        for name in codecs[1:]:
            self.codec.addItem(CODECS[name].title, name)
        self.codec.setCurrentIndex(max(0, self.codec.findData(chosen)))
        self.codec.blockSignals(False)
        self.codec.setEnabled(len(codecs) > 1)
        for widget in (self.lines, self.rate, self.hardware):
            widget.setEnabled(film)
        self.sound.setEnabled(container is not None and bool(container.sound))
        self._show_quality()

    def _show_quality(self) -> None:
        """Show the quality on the scale of the codec."""
        choice = self.choice
        self.quality.show_number(choice.crf, choice.used.worst if choice.used is not None else 0)
        self.changed.emit()

    @property
    def suffix(self) -> str:
        """The file extension."""
        return str(self.kind.currentData())

    @property
    def choice(self) -> EncodingChoice:
        """The chosen options."""
        return EncodingChoice(
            kind=self.suffix,
            codec=self.codec.currentData() or "",
            quality=self.quality.value,
            lines=self.lines.currentData(),
            rate=self.rate.currentData(),
            sound=self.sound.currentData(),
            hardware=self.hardware.isChecked(),
            alpha=self.alpha.isEnabled() and self.alpha.isChecked(),
            color=self.color.currentData() if self.color.isEnabled() else "",
        )

    def choose(self, choice: EncodingChoice) -> None:
        """Show options; those that are not available are left unchanged."""
        # The container first: it determines which codecs are available.
        for box, value in (
            (self.kind, choice.kind),
            (self.codec, choice.codec if choice.codec not in choice.codecs[:1] else ""),
            (self.lines, choice.lines),
            (self.rate, choice.rate),
            (self.sound, choice.sound),
        ):
            index = box.findData(value)
            if index >= 0:
                box.setCurrentIndex(index)
        self.quality.choose(choice.quality)
        self.hardware.setChecked(choice.hardware)
        self.alpha.setChecked(choice.alpha)

    @property
    def encoding(self) -> Encoding:
        """Return the `Encoding` of the chosen options."""
        return self.choice.encoding

    def text(self) -> str:
        """Return a file dialog's description of the container."""
        kind = QCoreApplication.translate("EncodingForm", "Videos")
        return f"{kind} (*{self.suffix})"
