"""Section of a stage's card that edits its opacity, blend mode and mask."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import groupby
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from desktop.base.wording import sentence
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.masks.blending import BLEND, BLEND_MODES, OPACITY
from desktop.pipeline.masks.spec import MASK_FIELDS
from desktop.ui.features.automation.automations import Automations
from desktop.ui.features.automation.rows import AutomationRows
from desktop.ui.features.masks.masks import Masks, PartPlace
from desktop.ui.features.masks.part_row import PartRow
from desktop.ui.forms.card_form import CardForm
from desktop.ui.forms.editors import make_editor, make_editors
from desktop.ui.forms.editors.choice import ChoiceEditor
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.editors.number import align_numbers
from desktop.ui.forms.stage_card import StageSection
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard, WrappedLabel, column
from desktop.ui.workspace.workspace import Workspace

# As in image editors: what darkens, what lightens, what raises contrast, differences, parts of colors.
_LAST_OF_GROUPS: Final = ("normal", "color_burn", "add_light", "hard_light", "subtract")
_ORDER: Final = (
    *("normal", "darken", "multiply", "color_burn"),
    *("lighten", "screen", "color_dodge", "add", "add_light"),
    *("overlay", "soft_light", "hard_light"),
    *("difference", "exclusion", "subtract"),
)
_GROUPS: Final = (sentence("Shapes"), sentence("Objects"), sentence("Image"))


class _FoldLabel(WrappedLabel):
    """The text of a fold, which a click opens and closes."""

    clicked = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit a click."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()


class MixingSection(StageSection):
    """Edits opacity, blend mode and mask of a stage; folded while they are not in use."""

    def __init__(self, workspace: Workspace, themed: Themed, guard: WheelGuard, stage: int) -> None:
        super().__init__()
        self._workspace, self._themed, self._guard = workspace, themed, guard
        self._masks = workspace.get(Masks)
        self._automations = workspace.get(Automations)
        self._automated = AutomationRows(workspace, themed, stage, self)
        self._spec = StageSpec(stage, "")
        self._expanded: int | None = None
        self.body: QWidget | None = None
        self.editors: dict[str, FieldEditor] = {}
        self.parts: list[PartRow] = []
        rows = column(self, 0, 2)
        rows.setContentsMargins(4, 0, 2, 4)
        self.fold = QToolButton()
        self.fold.setObjectName("fold")
        self.fold.setCheckable(True)
        self.fold.toggled.connect(self._set_open)
        self.summary = _FoldLabel()
        self.summary.setObjectName("muted")
        self.summary.clicked.connect(self.fold.click)
        head = QHBoxLayout()
        head.setSpacing(0)
        head.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.summary, 1)
        head.addStretch()
        rows.addLayout(head)
        self._column = rows
        self._masks.changed.connect(self._refresh)
        workspace.refreshing.connect(self._follow)

    # -- what it shows ---------------------------------------------------------------------------------------

    def show_stage(self, spec: StageSpec) -> None:
        """See `StageSection`; it opens at first if something is in use."""
        is_first = not self._spec.filter
        self._spec = spec
        if is_first and spec.is_mixed:
            self.fold.setChecked(True)
        self._show_head()
        self._show_values()

    def _set_open(self, on: bool) -> None:
        if on and self.body is None:
            self.body = self._make_body()
            self._column.addWidget(self.body)
        if self.body is not None:
            self.body.setVisible(on)
        self._show_head()
        self._show_values()
        if not on:
            self._leave()
            self._hide_coverage()

    def _show_head(self) -> None:
        summary = self._summary() if not self.fold.isChecked() else ""
        title, arrow = self.tr("Mask and blend"), "▾" if self.fold.isChecked() else "▸"
        # The title is the button's own text, in line with the other folds of the card; a summary may need lines.
        self.fold.setText(arrow if summary else f"{arrow} {title}")
        if summary != self.summary.plain:
            self.summary.setText(summary)
        self.summary.setVisible(bool(summary))
        self.fold.setAccessibleName(summary or title)

    def _summary(self) -> str:
        """Return what is in use, '' for nothing."""
        spec, found = self._spec, []
        if spec.mask is not None:
            titles = (self._masks.title(part) for part in spec.mask.parts)
            found.append(self.tr("Mask: {0}").format(", ".join(titles)))
        if spec.blend != "normal":
            found.append(translated(BLEND_MODES[spec.blend]))
        if spec.opacity < 1.0:
            found.append(f"{round(spec.opacity * 100)} %")
        return " · ".join(found)

    def _show_values(self) -> None:
        if self.body is None or not self.fold.isChecked():
            return
        self.editors["opacity"].set_value(self._spec.opacity)
        self.editors["blend"].set_value(self._spec.blend)
        mask = self._masks.mask(self._spec.id)
        kinds = [part.kind for part in mask.parts]
        if kinds != [row.part.kind for row in self.parts]:
            self._make_parts(kinds)
        for row, part in zip(self.parts, mask.parts, strict=True):
            row.show_part(part)
        for name in MASK_FIELDS:
            self.editors[name].set_value(getattr(mask, name))
        self._settings.setVisible(bool(kinds))
        self.coverage.setVisible(bool(kinds))
        self._automated.show_all()

    def _refresh(self) -> None:
        for row in self.parts:
            row.refresh()
        if self.body is not None:
            self.coverage.setChecked(self._masks.coverage_of == self._spec.id)

    def _follow(self) -> None:
        """Follow the network in use, whose classes are known only once it is loaded."""
        if self.isVisible() and self.fold.isChecked():
            self._refresh()

    # -- the body --------------------------------------------------------------------------------------------

    def _make_body(self) -> QWidget:
        edits, stage = self._workspace.edits, self._spec.id
        body = QWidget()
        rows = column(body, 0, 4)
        opacity = make_editor(OPACITY, self._themed, self._guard)
        opacity.edited.connect(self._set_opacity)
        opacity.released.connect(self._automations.seal)
        blend = make_editor(BLEND, self._themed, self._guard)
        assert isinstance(blend, ChoiceEditor)
        _group_modes(blend)
        blend.edited.connect(partial(edits.set_blend, stage))
        self.editors = {"opacity": opacity, "blend": blend}
        rows.addWidget(self._form(self.editors.values()))
        parts = QWidget()
        self._parts = column(parts, 0, 0)
        rows.addWidget(parts)
        self.add = QPushButton(self.tr("Add to mask"))
        self.add.setObjectName("rowButton")
        self.add.setMenu(self._make_menu(self.add))
        self.coverage = QPushButton(self.tr("Show mask"))
        self.coverage.setObjectName("rowButton")
        self.coverage.setCheckable(True)
        self.coverage.setToolTip(self.tr("Color what the mask covers"))
        self.coverage.clicked.connect(lambda on: self._masks.show_coverage(stage if on else None))
        buttons = QHBoxLayout()
        buttons.addWidget(self.add)
        buttons.addWidget(self.coverage)
        buttons.addStretch(1)
        rows.addLayout(buttons)
        settings = make_editors(
            MASK_FIELDS.values(),
            self._themed,
            self._guard,
            self._set_mask_value,
            self._automations.seal,
        )
        self.editors |= settings
        self._settings = self._form(settings.values(), "mask.")
        self._settings.setObjectName("maskPart")
        rows.addWidget(self._settings)
        align_numbers(self.editors.values())
        return body

    def _make_menu(self, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        masks = self._workspace.library.masks
        order: dict[str, int] = {group: number for number, group in enumerate(_GROUPS)}

        def group_of(kind: Filter) -> tuple[int, str]:
            return order.get(kind.group, len(order)), kind.group

        kinds = sorted(masks.values(), key=group_of)
        for (_, group), members in groupby(kinds, key=group_of):
            heading = menu.addAction(translated(group))
            heading.setEnabled(False)
            for kind in members:
                action = menu.addAction(translated(kind.title))
                action.setToolTip(translated(kind.help))
                action.triggered.connect(lambda _=False, name=kind.id: self._add(name))
            menu.addSeparator()
        menu.setToolTipsVisible(True)
        return menu

    def _make_parts(self, kinds: list[str]) -> None:
        for row in self.parts:
            self._parts.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.parts = []
        for index in range(len(kinds)):
            row = PartRow(self._workspace, self._themed, self._guard, PartPlace(self._spec.id, index))
            row.expanded_changed.connect(partial(self._expand, index))
            row.removed.connect(partial(self._remove, index))
            row.moved.connect(partial(self._move, index))
            self._parts.addWidget(row)
            self.parts.append(row)
            row.show()
        if self._expanded is not None and self._expanded >= len(kinds):
            self._expanded = None
        if self._expanded is not None:
            self.parts[self._expanded].set_expanded(True)

    def _form(self, editors: Iterable[FieldEditor], prefix: str = "") -> QFrame:
        """Return a form of editors, whose numbers can be automated by their names after `prefix`."""
        widget = QFrame()
        form = CardForm(widget, nested=True)
        form.setContentsMargins(0, 4, 0, 0)
        for editor in editors:
            label = form.add_row(translated(editor.field.label), editor, translated(editor.field.help))
            label.setBuddy(editor.main)
            label.double_clicked.connect(editor.reset)
            self._automated.attach(prefix + editor.field.name, label, editor)
        return widget

    # -- edits -----------------------------------------------------------------------------------------------

    def _set_opacity(self, value: float) -> None:
        own = self._automations.take_value(self._spec.id, "opacity", value)
        if isinstance(own, (int, float)):
            self._workspace.edits.set_opacity(self._spec.id, own)

    def _set_mask_value(self, name: str, value: object) -> None:
        own = self._automations.take_value(self._spec.id, f"mask.{name}", value)
        if own is not None:
            self._masks.set_value(self._spec.id, name, own)

    def _add(self, kind: str) -> None:
        before = len(self.parts)
        self._masks.add(self._spec.id, kind)
        if len(self.parts) > before:
            self._expand(before, True)
            self.parts[before].begin()

    def _expand(self, index: int, on: bool) -> None:
        """Expand a part, which is then drawn in the video, and collapse the others."""
        self._expanded = index if on else None
        for number, row in enumerate(self.parts):
            row.set_expanded(on and number == index)
        if on:
            self._masks.select(PartPlace(self._spec.id, index))
        else:
            self._leave()

    def _remove(self, index: int) -> None:
        if self._expanded is not None and self._expanded >= index:
            self._expanded = None if self._expanded == index else self._expanded - 1
        self._leave()
        self._masks.remove(PartPlace(self._spec.id, index))
        self.add.setFocus()

    def _move(self, index: int, to: int) -> None:
        if not 0 <= to < len(self.parts):
            return
        if self._expanded is not None:
            order = [number for number in range(len(self.parts)) if number != index]
            order.insert(to, index)
            self._expanded = order.index(self._expanded)
        self._masks.move(PartPlace(self._spec.id, index), to)
        if self._expanded is not None:
            self._expand(self._expanded, True)
        self.parts[to].expander.setFocus()

    def _leave(self) -> None:
        """Stop drawing in the video if a part of this stage's mask is selected."""
        selected = self._masks.selected
        if selected is not None and selected.stage == self._spec.id:
            self._masks.select(None)

    def _hide_coverage(self) -> None:
        """Stop displaying the coverage of this stage's mask."""
        if self._masks.coverage_of == self._spec.id:
            self._masks.show_coverage(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """End drawing, and the display of the mask, with the card."""
        if not event.spontaneous():
            self._leave()
            self._hide_coverage()
        super().hideEvent(event)


def _group_modes(editor: ChoiceEditor) -> None:
    """Offer the blend modes in groups with lines between them; those not in _ORDER, parts of colors, stand last."""
    order = {mode: number for number, mode in enumerate(_ORDER)}
    modes = sorted(BLEND_MODES, key=lambda mode: order.get(mode, len(order)))
    editor.offer(tuple((mode, BLEND_MODES[mode]) for mode in modes))
    for last in reversed(_LAST_OF_GROUPS):
        editor.box.insertSeparator(editor.box.findData(last) + 1)
