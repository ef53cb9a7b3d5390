"""Rows of the secondary network in the first one's card: network, number of detections, settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QSizePolicy, QWidget

from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.ui.forms.card_form import CardForm
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.editors.number import NumberBox
from desktop.ui.forms.setting_editors import editors_of_tasks, is_folded
from desktop.ui.kit.elided_combo_box import ElidedComboBox
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard
from desktop.vision.models.builtin import title_of
from desktop.vision.tasks import task_named
from desktop.vision.tasks.task import Features

_MAX_DETECTIONS: Final = 16
_MOST_ENLARGED: Final = 4.0


@dataclass(frozen=True)
class Offer:
    """A network for the second stage: its title, its file, and its tool tip."""

    title: str
    model: str
    tip: str = ""


Offers = Callable[[], Sequence[Offer]]


class _OfferBox(ElidedComboBox):
    """A list that is filled when it opens, so that it includes recent downloads."""

    opens = Signal()

    def showPopup(self) -> None:
        self.opens.emit()
        super().showPopup()


class SecondaryNetworkRows(QWidget):
    """Rows that edit a `NetworkSpec.second`; after `released`, an edit is a separate step."""

    edited = Signal(object)
    released = Signal()

    def __init__(self, themed: Themed, guard: WheelGuard, offers: Offers) -> None:
        super().__init__()
        self._offers, self._spec = offers, NetworkSpec("")
        self._has_second = False
        self._form = form = CardForm(self, nested=True)
        self.model = _OfferBox()
        self.model.setAccessibleName(self.tr("Second network"))
        self.model.setToolTip(
            self.tr("A network that processes the crop of each object that this one detects")
        )
        self.model.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.model.setMinimumContentsLength(6)
        guard.watch(self.model)
        self.model.opens.connect(self._fill)
        self.model.activated.connect(self._choose)
        form.add_row(self.tr("Secondary network"), self.model)
        self.things = self._number(self.tr("Objects"), 0, _MAX_DETECTIONS, guard)
        self.things.setDecimals(0)
        self.things.setToolTip(self.tr("Objects per frame, the most certain first"))
        self.things.valueChanged.connect(lambda n: self._change(things=int(n)))
        form.add_row(self.tr("Objects"), self.things)
        self.enlarge = self._number(self.tr("Enlarged"), 0, _MOST_ENLARGED, guard)
        self.enlarge.setSingleStep(0.05)
        self.enlarge.setToolTip(self.tr("By how much the crop is larger than the object's box"))
        self.enlarge.valueChanged.connect(self._change_size)
        form.add_row(self.tr("Enlarged"), self.enlarge)
        self._make_editors = lambda: editors_of_tasks(guard, themed, self._change_setting, self.released)
        self._settings: dict[str, FieldEditor] = {}
        self._features: Features | None = None
        self._shown: set[str] = set()
        self.show_second(None)

    @property
    def settings(self) -> dict[str, FieldEditor]:
        """Editors of the settings by name, built for the first second network: few have one."""
        if not self._settings:
            self._settings = self._make_editors()
            for editor in self._settings.values():
                self._form.add_row(translated(editor.field.label), editor)
        return self._settings

    def _number(self, name: str, low: float, high: float, guard: WheelGuard) -> NumberBox:
        box = NumberBox()
        box.setRange(low, high)
        box.setSpecialValueText(self.tr("auto"))
        box.setAlignment(Qt.AlignmentFlag.AlignRight)
        box.setAccessibleName(name)
        guard.watch(box)
        return box

    # -- which one -------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """List none, the available networks, the chosen one if it is another, and a file."""
        self._list(self._offers())

    def _list(self, offered: Sequence[Offer]) -> None:
        chosen = self._spec.model if self._has_second else ""
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItem(self.tr("none"), "")
            offers = list(offered)
            if chosen and all(offer.model != chosen for offer in offers):
                offers.append(Offer(translated(title_of(Path(chosen))), chosen, chosen))
            for offer in offers:
                self.model.addItem(offer.title, offer.model)
                self.model.setItemData(self.model.count() - 1, offer.tip, Qt.ItemDataRole.ToolTipRole)
            self.model.addItem(self.tr("Choose a file..."), None)
            self.model.setCurrentIndex(max(0, self.model.findData(chosen)))

    def _choose(self, index: int) -> None:
        model = self.model.itemData(index)
        if model is None:
            model, _ = QFileDialog.getOpenFileName(
                self,
                self.tr("Choose a network"),
                self._spec.model,
                self.tr("Networks (*.onnx *.tflite *.pt2 *.pt)"),
            )
            if not model:
                self._fill()
                return
        self.use(model)

    def use(self, model: str) -> None:
        """Use a network for the second stage; '' for none."""
        if model == (self._spec.model if self._has_second else ""):
            return
        self.edited.emit(NetworkSpec(model) if model else None)
        self.released.emit()

    # -- its settings ----------------------------------------------------------------------------------------

    def _change(self, **fields: Any) -> None:
        spec = replace(self._spec, **fields)
        if self._has_second and spec != self._spec:
            self.edited.emit(spec)

    def _change_size(self, value: float) -> None:
        # Between as usual and a quarter there is nothing that makes sense.
        self._change(enlarge=0.0 if value <= 0 else max(0.25, round(value, 2)))

    def _change_setting(self, name: str, value: Any) -> None:
        settings = {k: v for k, v in self._spec.settings.items() if k != name}
        if value != self.settings[name].field.default:
            settings[name] = value
        self._change(settings=settings)

    def show_second(self, spec: NetworkSpec | None) -> None:
        """Show another second network, or none."""
        self._has_second = spec is not None
        self._spec = spec or NetworkSpec("")
        # The others are listed when the list opens, since that reads the folder of networks.
        self._list(())
        with QSignalBlocker(self.things), QSignalBlocker(self.enlarge):
            self.things.setValue(self._spec.things)
            self.enlarge.setValue(self._spec.enlarge)
        self._show_settings()

    def show_features(self, features: Features | None) -> None:
        """Show the settings that the running network has."""
        self._features = features
        self._show_settings()

    def _show_settings(self) -> None:
        features = self._features
        task = task_named(features.task) if features is not None else None
        self._shown = {s.name for s in task.settings} if task is not None else set(self._spec.settings)
        editors = self.settings if self._has_second else self._settings
        if task is not None and features is not None and editors:
            for setting in task.settings:
                if setting.has_row:
                    editors[setting.name].use(setting, features)
        for name, editor in editors.items():
            editor.show_value(self._spec.settings.get(name))
        self._show_rows()

    def _show_rows(self) -> None:
        for box in (self.things, self.enlarge):
            self._form.set_row_visible(box, self._has_second)
        for name, editor in self._settings.items():
            shown = self._has_second and name in self._shown and not is_folded(editor)
            self._form.set_row_visible(editor, shown)
