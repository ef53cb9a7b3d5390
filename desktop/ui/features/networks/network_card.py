"""Card of the network: model, device and the reason for its choice, and preprocessing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.snapshot import NetworkStatus
from desktop.ui.features.networks.secondary_network import Offers, SecondaryNetworkRows
from desktop.ui.forms.card import NO_KEY, FoldingCard
from desktop.ui.forms.card_form import CardForm
from desktop.ui.forms.device_box import DeviceBox, Query, has_devices
from desktop.ui.forms.editors.number import NumberBox
from desktop.ui.forms.setting_editors import editors_of_tasks, is_folded
from desktop.ui.kit.information import Information, field_rows
from desktop.ui.kit.language import decimal, translated
from desktop.ui.kit.widgets import (
    Themed,
    WheelGuard,
    muted,
)
from desktop.vision.backends import backend_choices, backends
from desktop.vision.models.builtin import builtin_models, title_of
from desktop.vision.tasks import result_tasks, task_named
from desktop.vision.tasks.task import Features, ResultTask

_PRECISIONS: Final = ("auto", "fp32", "fp16")
# Preprocessing fields that can be edited here; others come from the network or a preset.
_PREPROCESS: Final = {
    "resize": ("crop", "stretch", "stretched_crop", "letterbox"),
    "colors": ("RGB", "BGR"),
    "scale": ("0..1", "-1..1", "0..255"),
    "interpolation": ("bilinear", "nearest", "bicubic"),
}


class NetworkCard(FoldingCard):
    """Card that edits a `NetworkSpec`.

    `edited` has the new spec and the name of the changed field; `released` ends a drag and its edit. Of
    `command`, 'input' opens the dialog about the preprocessing, 'compare' the comparison of backends.
    """

    keys = FoldingCard.keys | {
        (Qt.Key.Key_Delete, NO_KEY): "remove",
        (Qt.Key.Key_Backspace, NO_KEY): "remove",
    }
    edited = Signal(object, str)
    released = Signal()

    def __init__(
        self,
        themed: Themed,
        guard: WheelGuard,
        offers: Offers = lambda: (),
        query_devices: Query = lambda *_: None,
    ) -> None:
        """Make an empty card. `offers` gives the possible secondary networks, `query_devices` the devices."""
        super().__init__(themed, self.tr("Show the network's settings"))
        self.spec = NetworkSpec("")
        self._offers = offers
        self.expansion_requested.connect(lambda _: self.set_expanded(not self.expanded))
        self.text = QLabel()
        self.text.setObjectName("muted")
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pace = muted()
        self.pace.hide()
        self.column.addWidget(self.pace)
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        self.note.hide()
        self.column.addWidget(self.note)
        self.column.addWidget(self.text)
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.setAccessibleName(self.tr("Cancel loading the network"))
        self.cancel.clicked.connect(lambda: self.command.emit("remove"))
        self.column.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignLeft)
        self.cancel.hide()
        self.device = DeviceBox(guard, query_devices)
        self.device.chosen.connect(lambda name: self._change(device=name))
        self.body = self._make_body(themed, guard)
        self.body.hide()
        self.column.addWidget(self.body)
        self._status = NetworkStatus()
        self._note_space_reserved = False
        self._show_features(None)

    def _make_body(self, themed: Themed, guard: WheelGuard) -> QWidget:
        body = QWidget()
        self._form = form = CardForm(body)
        self.backend = self._combo(self._choices(backend_choices()), self.tr("Backend"), guard)
        self.precision = self._combo(self._choices(_PRECISIONS), self.tr("Precision"), guard)
        self.every = self._spin(1, 1000, self.tr("Run every N frames"), guard)
        self.on_result = QCheckBox(self.tr("Run on the filtered frame"))
        entries = [("auto", self.tr("auto")), *((task.id, _short(task)) for task in result_tasks())]
        self.task = self._combo(entries, self.tr("Task"), guard)
        self.task.activated.connect(lambda _: self._change(task=self.task.currentData()))
        self.settings = editors_of_tasks(guard, themed, self._change_setting, self.released)
        # A device belongs to one backend; another backend starts with its default.
        self.backend.activated.connect(
            lambda _: self._change(backend=self.backend.currentData(), device="auto")
        )
        self.precision.activated.connect(lambda _: self._change(precision=self.precision.currentData()))
        self.every.valueChanged.connect(lambda n: self._change(every=int(n)))
        self.on_result.toggled.connect(lambda on: self._change(on_result=on))
        # Settings adjusted while watching are on top; the rarely changed ones of the computation are folded.
        self._add_rows(folded=False)
        self.second = SecondaryNetworkRows(themed, guard, self._offers)
        self.second.edited.connect(lambda second: self._change(second=second))
        self.second.released.connect(self.released)
        form.add_wide(self.second)
        form.add_row(self.tr("Backend"), self.backend)
        form.add_row(self.tr("Device"), self.device)
        self.advanced = QToolButton()
        self.advanced.setObjectName("fold")
        self.advanced.setCheckable(True)
        self.advanced.setToolTip(self.tr("Task, precision, how often it runs, and preprocessing"))
        form.add_fold(self.advanced)
        form.add_row(self.tr("Task"), self.task)
        self._add_rows(folded=True)
        form.add_row(self.tr("Precision"), self.precision)
        form.add_row(self.tr("Run every N frames"), self.every)
        form.add_unlabeled(self.on_result)
        self.details = QLabel()
        self.details.setObjectName("muted")
        self.details.setWordWrap(True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.preprocess: dict[str, QComboBox] = {}
        labels = {
            "resize": self.tr("Resize"),
            "colors": self.tr("Color order"),
            "scale": self.tr("Pixel range"),
            "interpolation": self.tr("Interpolation"),
        }
        words = {
            "crop": self.tr("crop"),
            "stretch": self.tr("stretch"),
            "stretched_crop": self.tr("stretched crop"),
            "letterbox": self.tr("letterbox"),
            "bilinear": self.tr("bilinear"),
            "nearest": self.tr("nearest"),
            "bicubic": self.tr("bicubic"),
        }
        for name, choices in _PREPROCESS.items():
            box = self._combo(
                (("", self.tr("auto")), *((c, words.get(c, c)) for c in choices)), labels[name], guard
            )
            box.activated.connect(lambda _, name=name: self._change_preprocess(name))
            self.preprocess[name] = box
            form.add_row(labels[name], box)
        form.add_wide(self.details)
        self.advanced.toggled.connect(self._fold)
        return body

    def _fold(self, on: bool) -> None:
        # An arrow in the text: the style sheet leaves flat buttons no space for an icon.
        self.advanced.setText(f"{'▾' if on else '▸'} {self.tr('Advanced')}")
        seldom = (
            self.task,
            self.precision,
            self.every,
            self.on_result,
            *self.preprocess.values(),
        )
        for widget in seldom:
            self._form.set_row_visible(widget, on)
        for name, editor in self.settings.items():
            self._form.set_row_visible(editor, name in self._shown and (on or not is_folded(editor)))
        self._form.set_row_visible(self.details, on and bool(self.details.text()))

    def _choices(self, values: tuple[str, ...]) -> list[tuple[str, str]]:
        titles = {"auto": self.tr("auto"), **{backend.name: backend.title for backend in backends()}}
        return [(value, titles.get(value, value)) for value in values]

    def _combo(self, entries: Any, name: str, guard: WheelGuard) -> QComboBox:
        box = QComboBox()
        for data, text in entries:
            box.addItem(text, data)
        box.setAccessibleName(name)
        guard.watch(box)
        return box

    def _spin(self, low: int, high: int, name: str, guard: WheelGuard) -> NumberBox:
        spin = NumberBox()
        spin.setDecimals(0)
        spin.setRange(low, high)
        spin.setAlignment(Qt.AlignmentFlag.AlignRight)
        spin.setAccessibleName(name)
        guard.watch(spin)
        return spin

    def _add_rows(self, *, folded: bool) -> None:
        for editor in self.settings.values():
            if is_folded(editor) == folded:
                self._form.add_row(translated(editor.field.label), editor)

    def _show_features(self, features: Features | None) -> None:
        self._features = features
        task = task_named(features.task) if features is not None else None
        # Keep the settings of a failed network: they may be the ones to correct.
        self._shown = {s.name for s in task.settings} if task is not None else set(self.spec.settings)
        inferred = f" ({_short(task)})" if isinstance(task, ResultTask) else ""
        self.task.setItemText(0, self.tr("auto") + inferred)
        if task is not None and features is not None:
            for setting in task.settings:
                if setting.has_row:
                    self.settings[setting.name].use(setting, features)
        finds = isinstance(task, ResultTask) and task.finds
        self._form.set_row_visible(self.second, finds or self.spec.second is not None)
        self.second.show_features(features.second if features is not None else None)
        self._fold(self.advanced.isChecked())
        self._show_settings()

    def _show_settings(self) -> None:
        for name, editor in self.settings.items():
            editor.show_value(self.spec.settings.get(name))

    def _change(self, **fields: Any) -> None:
        spec = replace(self.spec, **fields)
        if spec != self.spec:
            self.edited.emit(spec, next(iter(fields)))

    def _change_setting(self, name: str, value: Any) -> None:
        settings = {k: v for k, v in self.spec.settings.items() if k != name}
        if value != self.settings[name].field.default:
            settings[name] = value
        spec = replace(self.spec, settings=settings)
        if spec != self.spec:
            self.edited.emit(spec, name)

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

    def _show_text(self) -> None:
        """Show what the network waits for or failed with; where it runs is in the information."""
        self.text.setVisible(bool(self.text.text()) and self._status.state != "running")

    def menu_entries(self) -> Sequence[tuple[str, str]]:
        """See `FoldingCard`."""
        return (
            (self.tr("Preprocessing..."), "input"),
            (self.tr("Compare backends..."), "compare"),
            ("", ""),
            *super().menu_entries(),
        )

    def information(self) -> Information:
        """See `FoldingCard`: what the network does, where it runs and why, and what its settings do."""
        bundled = builtin_models().get(Path(self.spec.model).stem)
        is_bundled = bundled is not None and str(bundled.path) == self.spec.model
        task = task_named(self._features.task) if self._features is not None else None
        about = (
            bundled.help if bundled is not None and is_bundled else task.summary if task is not None else ""
        )
        runs = "\n".join(filter(None, (self.text.text(), self.details.text())))
        shown = (editor.field for name, editor in self.settings.items() if name in self._shown)
        return Information(
            self.title.plain,
            translated(about),
            (
                *(((self.tr("Runs on"), runs),) if runs else ()),
                (self.tr("Time"), self.tr("Of one inference, even if it spans several frames.")),
                *field_rows(shown),
            ),
            task.page or f"{task.id.replace('_', '-')}.md" if task is not None else "models.md",
        )

    def update_spec(self, spec: NetworkSpec, *, enabled: bool = True) -> None:
        """Show another spec, of a network that is on or off."""
        self.spec = spec
        self.show_head(translated(title_of(Path(spec.model))), is_on=enabled)
        self.title.setToolTip(spec.model)
        widgets = (
            self.task,
            self.backend,
            self.precision,
            self.every,
            self.on_result,
            *self.preprocess.values(),
        )
        blockers = [QSignalBlocker(widget) for widget in widgets]
        self.task.setCurrentIndex(self.task.findData(spec.task))
        self._show_settings()
        self.second.show_second(spec.second)
        self.backend.setCurrentIndex(self.backend.findData(spec.backend))
        self._form.set_row_visible(self.device, has_devices(spec.backend))
        self.device.show_choice(spec.backend, spec.device)
        self.precision.setCurrentIndex(self.precision.findData(spec.precision))
        self.every.setValue(spec.every)
        self.on_result.setChecked(spec.on_result)
        for name, box in self.preprocess.items():
            box.setCurrentIndex(max(0, box.findData(spec.preprocess.get(name, ""))))
        del blockers

    def show_status(
        self,
        status: NetworkStatus,
        inference_ms: float | None,
        fps: float | None,
        note: str = "",
        copies_ms: float | None = None,
        calls: str = "",
        *,
        rough: bool = False,
    ) -> None:
        """Show the network's state and figures, None for unknown ones.

        `copies_ms` is the part of `inference_ms` for copies to the device and back, `calls` the breakdown on
        a server; `rough` leaves whole milliseconds. The space of `note`, about the settings, stays reserved,
        so that rows below do not move.
        """
        if note:
            self.note.setText(translated(note))
        self._reserve_note_space(bool(note) or (self._note_space_reserved and status == self._status))
        self.note.setVisible(bool(note))
        time_text = (
            f"{decimal(inference_ms, _digits(inference_ms, rough))} ms" if inference_ms is not None else ""
        )
        if not self.is_on:
            time_text = self.tr("off")
        self.show_time(time_text)
        pace = ""
        if fps is not None and status.state == "running":
            # Also without results, so that the line stays visible.
            rate = self.tr("{0} results a second").format(decimal(fps, 1))
            pace = rate if fps else self.tr("no new results")
            if copies_ms is not None:
                copies = self.tr("{0} ms of each are copies to the device and back")
                pace = f"{pace}; {copies.format(decimal(copies_ms, 2))}"
        if calls and status.state == "running":
            pace = "\n".join(part for part in (pace, translated(calls)) if part)
        if pace != self.pace.text():
            self.pace.setText(pace)
            self.pace.setVisible(bool(pace))
        if status == self._status:
            return
        # Keep the settings while another network loads: the card must not jump. A failed one has none.
        if status.features != self._features and status.state in ("running", "away", "failed"):
            self._show_features(status.features)
        self._status = status
        failed = status.state in ("away", "failed")
        first, _, rest = translated(status.text).partition("\n")
        self.text.setText(first)
        self._show_text()
        self.cancel.setVisible(status.state == "loading")
        self.details.setText(rest)
        self._fold(self.advanced.isChecked())
        self.text.setObjectName("errorText" if failed else "muted")
        self.text.style().unpolish(self.text)
        self.text.style().polish(self.text)
        self.mark("failed", failed)

    def _reserve_note_space(self, on: bool) -> None:
        if on != self._note_space_reserved:
            self._note_space_reserved = on
            policy = self.note.sizePolicy()
            policy.setRetainSizeWhenHidden(on)
            self.note.setSizePolicy(policy)


def _digits(ms: float, rough: bool) -> int:
    return 0 if rough else 2 if ms < 10 else 1


def _short(task: ResultTask) -> str:
    return translated(task.short_title or task.title)
