"""The card of the network: which model, where it computes and why, how it sees the picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.compute.engine import NetworkStatus
from desktop.compute.preset import NetworkSpec
from desktop.ui.stage_card import Card
from desktop.ui.widgets import ElidedLabel, IconButton, IconLabel, Themed, WheelGuard

_BACKENDS: Final = (("auto", "automatic"), ("wgpu", "wgpu"), ("onnxruntime", "ONNX Runtime"))
_PRECISIONS: Final = (("auto", "automatic"), ("fp32", "fp32"), ("fp16", "fp16"))
# Fields of the preprocessing that can be chosen here; the others are the network's own or for a preset.
_PREPROCESS: Final = {
    "resize": ("crop", "stretch", "letterbox"),
    "colors": ("RGB", "BGR"),
    "scale": ("0..1", "-1..1", "0..255"),
    "interpolation": ("bilinear", "nearest", "bicubic"),
}


class NetworkCard(Card):
    """Shows and edits a `NetworkSpec`.

    Signals:
        edited: another spec, and the name of what was changed.
        removed: the network is not wanted any more.
    """

    edited = Signal(object, str)
    removed = Signal()

    def __init__(self, themed: Themed, guard: WheelGuard) -> None:
        super().__init__()
        self.spec = NetworkSpec("")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 6, 6)
        layout.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(6)
        self.title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.title.setObjectName("cardTitle")
        self.time = QLabel()
        self.time.setObjectName("muted")
        self.expander = IconButton(themed, "chevron_right", self.tr("Show the network's settings"))
        self.expander.clicked.connect(lambda: self.set_expanded(not self.expanded))
        remove = IconButton(themed, "close", self.tr("Remove the network"))
        remove.clicked.connect(self.removed)
        for widget in (self.expander, IconLabel(themed, "network"), self.title, self.time, remove):
            head.addWidget(widget)
        head.setStretch(2, 1)
        layout.addLayout(head)
        self.text = QLabel()
        self.text.setObjectName("muted")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.text)
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.setAccessibleName(self.tr("Cancel loading the network"))
        self.cancel.clicked.connect(self.removed)
        layout.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignLeft)
        self.cancel.hide()
        self.body = self._make_body(guard)
        self.body.hide()
        layout.addWidget(self.body)
        self._status = NetworkStatus()

    def _make_body(self, guard: WheelGuard) -> QWidget:
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(2, 4, 2, 2)
        form.setSpacing(5)
        self.backend = self._combo(_BACKENDS, self.tr("Backend"), guard)
        self.precision = self._combo(_PRECISIONS, self.tr("Precision"), guard)
        self.every = self._spin(1, 1000, self.tr("Every n-th picture"), guard)
        self.top = self._spin(1, 10, self.tr("Classes shown"), guard)
        self.on_result = QCheckBox(self.tr("Look at the chain's result"))
        self.backend.activated.connect(lambda _: self._change(backend=self.backend.currentData()))
        self.precision.activated.connect(lambda _: self._change(precision=self.precision.currentData()))
        self.every.valueChanged.connect(lambda n: self._change(every=n))
        self.top.valueChanged.connect(lambda n: self._change(top=n))
        self.on_result.toggled.connect(lambda on: self._change(on_result=on))
        form.addRow(self.tr("Backend"), self.backend)
        form.addRow(self.tr("Precision"), self.precision)
        form.addRow(self.tr("Every n-th"), self.every)
        form.addRow(self.tr("Classes"), self.top)
        form.addRow("", self.on_result)
        self.details = QLabel()
        self.details.setObjectName("muted")
        self.details.setWordWrap(True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.preprocess: dict[str, QComboBox] = {}
        labels = {
            "resize": self.tr("Resize"),
            "colors": self.tr("Colours"),
            "scale": self.tr("Range"),
            "interpolation": self.tr("Sampling"),
        }
        for name, choices in _PREPROCESS.items():
            box = self._combo((("", self.tr("as inferred")), *((c, c) for c in choices)), labels[name], guard)
            box.activated.connect(lambda _, name=name: self._change_preprocess(name))
            self.preprocess[name] = box
            form.addRow(labels[name], box)
        form.addRow(self.details)
        return body

    def _combo(self, entries: Any, name: str, guard: WheelGuard) -> QComboBox:
        box = QComboBox()
        for data, text in entries:
            box.addItem(text, data)
        box.setAccessibleName(name)
        box.installEventFilter(guard)
        return box

    def _spin(self, low: int, high: int, name: str, guard: WheelGuard) -> QSpinBox:
        spin = QSpinBox()
        spin.setRange(low, high)
        spin.setKeyboardTracking(False)
        spin.setAlignment(Qt.AlignmentFlag.AlignRight)
        spin.setAccessibleName(name)
        spin.installEventFilter(guard)
        return spin

    def _change(self, **fields: Any) -> None:
        spec = replace(self.spec, **fields)
        if spec != self.spec:
            self.edited.emit(spec, next(iter(fields)))

    def _change_preprocess(self, name: str) -> None:
        values = {k: v for k, v in self.spec.preprocess.items() if k != name}
        chosen = self.preprocess[name].currentData()
        if chosen:
            values[name] = chosen
        self._change(preprocess=values)

    @property
    def expanded(self) -> bool:
        """True while the settings are shown."""
        return self.body.isVisibleTo(self)

    def set_expanded(self, on: bool) -> None:
        """Show or hide the settings."""
        self.body.setVisible(on)
        self.expander.set_icon("chevron_down" if on else "chevron_right")

    def update_spec(self, spec: NetworkSpec) -> None:
        """Show another spec."""
        self.spec = spec
        self.title.setText(Path(spec.model).stem)
        self.title.set_tip(spec.model)
        self.setAccessibleName(self.tr("Network {0}").format(Path(spec.model).stem))
        widgets = (
            self.backend,
            self.precision,
            self.every,
            self.top,
            self.on_result,
            *self.preprocess.values(),
        )
        blockers = [QSignalBlocker(widget) for widget in widgets]
        self.backend.setCurrentIndex(self.backend.findData(spec.backend))
        self.precision.setCurrentIndex(self.precision.findData(spec.precision))
        self.every.setValue(spec.every)
        self.top.setValue(spec.top)
        self.on_result.setChecked(spec.on_result)
        for name, box in self.preprocess.items():
            box.setCurrentIndex(max(0, box.findData(spec.preprocess.get(name, ""))))
        del blockers

    def show_status(self, status: NetworkStatus, time_text: str) -> None:
        """Show how the network is doing."""
        if time_text != self.time.text():
            self.time.setText(time_text)
        if status == self._status:
            return
        self._status = status
        failed = status.state == "failed"
        first, _, rest = status.text.partition("\n")
        self.text.setText(first)
        self.cancel.setVisible(status.state == "loading")
        self.details.setText(rest)
        self.details.setVisible(bool(rest))
        self.text.setObjectName("errorText" if failed else "muted")
        self.text.style().unpolish(self.text)
        self.text.style().polish(self.text)
        self.mark("failed", failed)
