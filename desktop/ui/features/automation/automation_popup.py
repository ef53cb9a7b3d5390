"""The pop-up that edits an automation."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.base.errors import UsageError
from desktop.base.fields import Integer, Number
from desktop.base.wording import sentence
from desktop.pipeline.automation.source import automation_source, automation_sources
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.automating import Target
from desktop.ui.features.automation.addresses import LEARNS, settings_of
from desktop.ui.features.automation.automations import KEY_FRAMES, Automations, Key
from desktop.ui.features.automation.key_frame_editor import KeyFrameEditor
from desktop.ui.forms.field_form import FieldForm
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import IconButton, Themed, WheelGuard, column, muted, with_equal_labels
from desktop.ui.workspace.popup import POPUP_WIDTH, Popup

_LABELS: Final = {"low": sentence("From"), "high": sentence("To"), "value": sentence("Value")}
_HELPS: Final = {
    "low": sentence("Value of the parameter where the automation is lowest; it may be the greater one."),
    "high": sentence("Value of the parameter where the automation is highest."),
    "value": sentence("Value of the parameter at this time."),
}


def field_of(target: Target, name: str) -> Number:
    """Return the field of a value of a target: 'low', 'high' or 'value'."""
    of = target.field if isinstance(target.field, Number) else None
    kind = Integer if target.is_whole else Number
    percent = of is None and target.max == 1.0
    return kind(
        name,
        round(target.min) if target.is_whole else target.min,
        target.min,
        target.max,
        step=of.step if of is not None else 0.01,
        unit=of.unit if of is not None else "%" if percent else "",
        scale=of.scale if of is not None else 100.0 if percent else 1.0,
        has_slider=name != "value",
        label=_LABELS[name],
        help=_HELPS[name],
    )


class AutomationPopup(Popup):
    """Edits the automation of a number; what is changed applies at once."""

    def __init__(self, automations: Automations, themed: Themed, key: Key, anchor: QWidget) -> None:
        """Make it for an automation that there is."""
        title = automations.label(key)
        super().__init__(title, anchor)
        self.setAccessibleName(self.tr("Automation of {0}").format(title))
        self._automations, self._themed, self._key = automations, themed, key
        self._guard = WheelGuard(self)
        self._target = automations.targets(key[0])[key[1]]
        self._source = ""
        layout = self._column = column(self, 12, 8)
        head = QHBoxLayout()
        name = QLabel(title)
        name.setObjectName("cardTitle")
        name.setWordWrap(True)
        self.power = IconButton(themed, "power", self.tr("Switch the automation on or off"), checkable=True)
        self.power.clicked.connect(lambda: automations.toggle(key))
        head.addWidget(name, 1)
        head.addWidget(self.power)
        layout.addLayout(head)
        self.sources = self.first = self._make_sources()
        layout.addWidget(self.sources)
        self.help = muted()
        layout.addWidget(self.help)
        self._forms = QVBoxLayout()
        self._forms.setSpacing(8)
        layout.addLayout(self._forms)
        self.form: FieldForm | None = None
        self.key_frames: KeyFrameEditor | None = None
        ends = [field_of(self._target, each) for each in ("low", "high")]
        self.range = FieldForm(ends, themed, self._guard, indent=0)
        self.range.edited.connect(self._set_range)
        layout.addWidget(self.range)
        self.message = QLabel()
        self.message.setObjectName("errorText")
        self.message.setWordWrap(True)
        self.message.hide()
        layout.addWidget(self.message)
        layout.addLayout(self._make_buttons())
        for editor in self.range.editors.values():
            editor.released.connect(automations.seal)
        automations.setup_changed.connect(self._show)
        automations.values_changed.connect(self._show_time)
        automations.cuts.changed.connect(self._show_cuts)
        self.setFixedWidth(POPUP_WIDTH)
        self._show()

    def _make_sources(self) -> ElidedComboBox:
        box = ElidedComboBox()
        box.setAccessibleName(self.tr("Automated by"))
        self._guard.watch(box)
        for source in automation_sources().values():
            box.addItem(translated(source.title), source.id)
        box.activated.connect(
            lambda index: self._automations.use_source(self._key, automation_source(box.itemData(index)))
        )
        return box

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.remove = QPushButton(self.tr("Remove"))
        self.remove.clicked.connect(lambda: self._automations.remove(self._key))
        self.learn = QPushButton(self.tr("Learn"))
        self.learn.setToolTip(self.tr("Follow the next controller that moves"))
        self.learn.setCheckable(True)
        self.learn.toggled.connect(self._learn)
        self.record = QPushButton(self.tr("Record"))
        self.record.setToolTip(
            self.tr("While the video plays, move the parameter's slider; click the badge beside it to stop")
        )
        self.record.clicked.connect(self._record)
        row.addWidget(self.remove)
        row.addStretch(1)
        for button in (self.learn, self.record):
            row.addWidget(button)
        for button in (self.remove, self.learn, self.record):
            button.setObjectName("rowButton")
            button.setAutoDefault(False)
        return row

    # -- state -----------------------------------------------------------------------------------------------

    def _show(self) -> None:
        automation = self._automations.get(self._key)
        if automation is None:
            self.close()
            return
        source = automation_sources().get(automation.source)
        if automation.source != self._source:
            self._source = automation.source
            self._make_forms(automation)
        self.power.setChecked(automation.enabled)
        self.sources.setCurrentIndex(self.sources.findData(automation.source))
        self.help.setText(translated(source.help) if source is not None else "")
        if self.form is not None:
            self.form.show_values(automation.values)
        if self.key_frames is not None:
            self.key_frames.show_frames(self._automations.key_frames(automation))
            self._show_time()
        self.range.show_values({"low": automation.low, "high": automation.high})
        self.range.setVisible(self.key_frames is None)
        self.learn.setVisible(automation.source in LEARNS)
        self.record.setVisible(automation.source == KEY_FRAMES)
        # The layout has the new sizes only after it was activated.
        self._column.activate()
        if self.isVisible():
            self.place()

    def _show_time(self) -> None:
        if self.key_frames is not None:
            self.key_frames.show_time(self._automations.position)

    def _show_cuts(self) -> None:
        if self.key_frames is not None:
            self.key_frames.show_cuts(self._automations.cuts.times)

    def _make_forms(self, automation: Automation) -> None:
        for old in (self.form, self.key_frames):
            if old is not None:
                self._forms.removeWidget(old)
                old.hide()
                old.deleteLater()
        self.form = self.key_frames = None
        self.learn.setChecked(False)
        self.message.hide()
        source = automation_sources().get(automation.source)
        if automation.source == KEY_FRAMES:
            field = field_of(self._target, "value")
            self.key_frames = KeyFrameEditor(field, self._automations.duration, self._themed, self._guard)
            self.key_frames.edited.connect(lambda frames: self._automations.set_frames(self._key, frames))
            self.key_frames.released.connect(self._automations.seal)
            self.key_frames.cuts_left_out.connect(
                lambda count: self._automations.report_cuts_left_out(self._key, count)
            )
            self._show_cuts()
            self._forms.addWidget(self.key_frames)
            self.key_frames.show()
        elif source is not None and source.fields:
            self.form = FieldForm(source.fields, self._themed, self._guard, indent=0)
            self.form.edited.connect(self._set_value)
            self.form.refused.connect(self._refuse)
            for editor in self.form.editors.values():
                editor.released.connect(self._automations.seal)
            self._forms.addWidget(self.form)
            self.form.show()  # with its size at once
            with_equal_labels(self.form.rows, self.range.rows)

    # -- edits -----------------------------------------------------------------------------------------------

    def _set_value(self, name: str, value: object) -> None:
        self._set_values({name: value}, name)

    def _set_values(self, values: dict[str, object], what: str) -> None:
        automation = self._automations.get(self._key)
        if automation is None:
            return
        try:
            checked = automation_source(automation.source).check({**automation.values, **values})
        except UsageError as error:
            self._refuse(str(error))
            return
        self.message.hide()
        self._automations.change(self._key, replace(automation, values=checked), what)

    def _set_range(self, name: str, value: float) -> None:
        automation = self._automations.get(self._key)
        if automation is not None:
            changed = replace(automation, low=value) if name == "low" else replace(automation, high=value)
            self._automations.change(self._key, changed, name)

    def _refuse(self, why: str) -> None:
        self.message.setText(translated(why))
        self.message.show()

    def _record(self) -> None:
        self.close()
        self._automations.record(self._key)

    def _learn(self, on: bool) -> None:
        self.learn.setText(self.tr("Move a controller...") if on else self.tr("Learn"))
        if on:
            if not self._automations.is_received(self._source):
                self._refuse(sentence("Nothing is received yet; name a device or port in the preferences."))
            self._automations.learn(self._learned)
        else:
            self._automations.stop_learning()

    def _learned(self, address: str) -> None:
        automation = self._automations.get(self._key)
        found = settings_of(automation.source, address) if automation is not None else None
        if found is not None:
            self.learn.setChecked(False)
            self._set_values(found, "")

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop learning."""
        self.learn.setChecked(False)
        super().hideEvent(event)
