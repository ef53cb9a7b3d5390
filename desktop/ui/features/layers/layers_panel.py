"""Panel of layers: their order, and the settings of the selected one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QToolButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.base.wording import listed
from desktop.pipeline.layers.kind import layer_kind
from desktop.pipeline.layers.kinds.video import is_file
from desktop.pipeline.layers.spec import MIXED_FIELDS, MOST_LAYERS, PLACE_FIELDS, LayerPlace, LayerSpec
from desktop.ui.features.layers.layer_edits import MAIN, LayerEdits
from desktop.ui.features.layers.layer_effects import LayerEffects
from desktop.ui.forms.field_form import FieldForm
from desktop.ui.kit.icons import icon
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import (
    ChoiceTree,
    IconButton,
    Themed,
    WheelGuard,
    column,
    muted,
    scrolled,
)
from desktop.ui.workspace.workspace import Workspace

_ID: Final = Qt.ItemDataRole.UserRole
_PICTURE: Final = LayerPlace(0.68, 0.04, 0.28)
_LEFT, _RIGHT = LayerPlace(0.0, 0.0, 0.5, 1.0), LayerPlace(0.5, 0.0, 0.5, 1.0)
_QUARTERS: Final = tuple(LayerPlace(x, y, 0.5, 0.5) for y in (0.0, 0.5) for x in (0.0, 0.5))
_TITLE: Final = LayerPlace(0.5, 0.08)
_CORNER: Final = LayerPlace(0.02, 0.03)  # at the bottom results are drawn


class _LayerTree(ChoiceTree):
    """The layers, the uppermost first; a drag, Alt+Up and Alt+Down move one, Delete removes it."""

    def __init__(self, layers: LayerEdits) -> None:
        super().__init__()
        self._layers = layers
        self.setColumnCount(2)
        self.setRootIsDecorated(False)
        self.setIndentation(6)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(0)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.setAccessibleName(self.tr("Layers, the uppermost first"))
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)

    def dropEvent(self, event: QDropEvent) -> None:
        """Move the selected layer to where it is dropped; the tree itself is filled anew."""
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        y = event.position().toPoint().y()
        model = self.model()
        rows = [self.visualRect(model.index(row, 0)) for row in range(self.topLevelItemCount())]
        slot = sum(rect.center().y() < y for rect in rows)
        at = self.currentIndex().row()
        # Taking it out moves what is behind it up by one; the lowest layer is the first in their order.
        self._layers.move_to(len(rows) - 1 - (slot - (slot > at)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move or remove the selected layer."""
        alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
        if alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._layers.move(1 if event.key() == Qt.Key.Key_Up else -1)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._layers.remove()
        else:
            super().keyPressEvent(event)


class LayersPanel(QWidget):
    """Lists the layers with the main image among them; the selected one is edited below."""

    def __init__(self, workspace: Workspace, themed: Themed) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace, self._layers, self._themed = workspace, workspace.get(LayerEdits), themed
        outer = column(self, 0, 4)
        outer.addLayout(self._make_buttons())
        self.hint = muted()
        self.hint.setContentsMargins(10, 0, 8, 2)
        outer.addWidget(self.hint)
        self.tree = _LayerTree(self._layers)
        self.tree.currentItemChanged.connect(self._choose)
        self.tree.itemChanged.connect(self._toggle)
        outer.addWidget(self.tree)
        self.details = _Details(workspace, themed)
        self._area = scrolled(self.details)
        outer.addWidget(self._area, 1)
        outer.addStretch(0)
        # Receives the focus when the panel is shown by its action.
        self.search = self.tree
        self._layers.changed.connect(self.refresh)
        workspace.edits.clipboard_changed.connect(self.refresh)
        self.setMinimumWidth(260)
        themed.follow(self.refresh)

    def hideEvent(self, event: Any) -> None:
        """Leave the handles in the video with the panel."""
        super().hideEvent(event)
        self._layers.select(None)

    # -- adding ----------------------------------------------------------------------------------------------

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(8, 2, 8, 0)
        row.setSpacing(2)
        self.add = QToolButton()
        self.add.setText(self.tr("Add"))
        self.add.setToolTip(self.tr("Add a layer on top of the others"))
        self.add.setAccessibleName(self.add.toolTip())
        self.add.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add.setMenu(self._make_menu())
        row.addWidget(self.add)
        row.addStretch(1)
        self.up = self._button(
            "chevron_up", self.tr("Move the layer up (Alt+Up)"), partial(self._layers.move, 1)
        )
        self.down = self._button(
            "chevron_down", self.tr("Move the layer down (Alt+Down)"), partial(self._layers.move, -1)
        )
        self.remove = self._button("trash", self.tr("Remove the layer (Delete)"), self._layers.remove)
        for button in (self.up, self.down, self.remove):
            row.addWidget(button)
        return row

    def _button(self, icon: str, label: str, act: Callable[[], None]) -> IconButton:
        button = IconButton(self._themed, icon, label)
        button.clicked.connect(lambda: act())
        return button

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction(self.tr("Picture in picture..."), self._add_picture)
        menu.addAction(self.tr("Side by side..."), self._add_side_by_side)
        menu.addAction(self.tr("Two by two..."), self._add_quarters)
        menu.addAction(self.tr("Background..."), self._add_background)
        menu.addAction(self.tr("Image..."), self._add_image)
        menu.addSeparator()
        for title, value, place, align in (
            (self.tr("Text"), self.tr("Your text"), _TITLE, "center"),
            (self.tr("Time code"), "{timecode}", _CORNER, "left"),
            (self.tr("Counter"), "{count}", _TITLE, "center"),
        ):
            menu.addAction(title, partial(self._add_text, value, place, align))
        return menu

    def _add_text(self, value: str, place: LayerPlace, align: str) -> None:
        # What begins near the lower edge has its line above that.
        low = LayerPlace(place.x, place.y)
        self._layers.add("text", {"value": value, "align": align}, place=low)

    def _files(self, title: str, most: int = 1) -> list[str]:
        settings = self._workspace.settings
        if most == 1:
            path, _ = QFileDialog.getOpenFileName(self, title, settings.folder)
            paths = [path] if path else []
        else:
            paths, _ = QFileDialog.getOpenFileNames(self, title, settings.folder)
        if paths:
            settings.folder = str(Path(paths[0]).parent)
        if paths[most:]:
            names = translated(listed([Path(path).name for path in paths[most:]]))
            text = self.tr("There is room for {n} beside the main image; left out: {names}")
            self._workspace.messages.post("warning", text.format(n=most, names=names))
        return [str(Path(path)) for path in paths[:most]]

    def _add_picture(self) -> None:
        for path in self._files(self.tr("A video or an image over the main one")):
            self._layers.add("video", {"path": path}, place=_PICTURE)

    def _add_side_by_side(self) -> None:
        for path in self._files(self.tr("A video or an image beside the main one")):
            self._layers.add("video", {"path": path}, place=_RIGHT, main=_LEFT)

    def _add_quarters(self) -> None:
        paths = self._files(self.tr("Up to three videos or images beside the main one"), 3)
        for path, place in zip(paths, _QUARTERS[1:], strict=False):
            self._layers.add("video", {"path": path}, place=place, main=_QUARTERS[0])

    def _add_background(self) -> None:
        for path in self._files(self.tr("A video or an image under the main one")):
            place = LayerPlace(0.0, 0.0, 1.0, 1.0, "cover")
            self._layers.add("video", {"path": path, "at_end": "loop"}, place=place, below=True)

    def _add_image(self) -> None:
        for path in self._files(self.tr("An image over the main one")):
            self._layers.add("image", {"path": path}, place=_PICTURE)

    # -- showing ---------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the layers that there are now."""
        layers = self._layers
        order = list(reversed(layers.order))
        blocker = QSignalBlocker(self.tree)
        if [self._item(row).data(0, _ID) for row in range(self.tree.topLevelItemCount())] != order:
            self.tree.clear()
            for layer_id in order:
                item = QTreeWidgetItem(["", ""])
                item.setData(0, _ID, layer_id)
                fixed = Qt.ItemFlag.ItemIsDropEnabled
                if layer_id == MAIN:
                    fixed |= Qt.ItemFlag.ItemIsDragEnabled
                item.setFlags(item.flags() & ~fixed)
                self.tree.addTopLevelItem(item)
        for row, layer_id in enumerate(order):
            self._fill(self._item(row), layer_id)
            if layer_id == layers.selected:
                self.tree.setCurrentItem(self._item(row))
        if layers.selected is None:
            self.tree.setCurrentIndex(QModelIndex())
        del blocker
        rows = len(order) * max(1, self.tree.sizeHintForRow(0)) + 2 * self.tree.frameWidth() + 2
        self.tree.setFixedHeight(rows)
        is_layer = layers.spec is not None
        self.up.setEnabled(is_layer and layers.selected != order[0])
        self.down.setEnabled(is_layer and layers.selected != order[-1])
        self.remove.setEnabled(is_layer or (layers.selected == MAIN and layers.layers.moves_main))
        self.add.setEnabled(len(layers.layers.specs) < MOST_LAYERS)
        self.hint.setText(self._hint())
        self.hint.setVisible(bool(self.hint.text()))
        self._area.setVisible(layers.selected is not None)
        self.details.show_selected()
        self.update_figures()

    def _item(self, row: int) -> QTreeWidgetItem:
        item = self.tree.topLevelItem(row)
        assert item is not None
        return item

    def _fill(self, item: QTreeWidgetItem, layer_id: int) -> None:
        if layer_id == MAIN:
            item.setText(0, self.tr("Main image"))
            item.setIcon(0, icon("screen", self._themed.theme.muted))
            return
        spec = self._layers.layers.find(layer_id)
        item.setText(0, self._layers.title_of(spec))
        item.setIcon(0, icon(spec.kind, self._themed.theme.muted))
        item.setToolTip(0, translated(layer_kind(spec.kind).title))
        item.setCheckState(0, Qt.CheckState.Checked if spec.enabled else Qt.CheckState.Unchecked)

    def _hint(self) -> str:
        if not self._layers.layers.specs:
            return self.tr("Add a video, an image or a text, which is drawn over the main image or under it.")
        if self._layers.lacks_network:
            return self.tr(
                "The text tells what a network finds, and there is none: choose one in the library."
            )
        if len(self._layers.layers.specs) >= MOST_LAYERS:
            return self.tr("There are as many layers as there can be.")
        return ""

    def update_figures(self) -> None:
        """Show the layers' states."""
        words = {
            "opening": self.tr("opening"),
            "ended": self.tr("ended"),
            "failed": self.tr("failed"),
        }
        statuses = self._layers.statuses
        for row in range(self.tree.topLevelItemCount()):
            item = self._item(row)
            status = statuses.get(item.data(0, _ID))
            is_still = status is not None and status.state == "ended" and self._is_image(status.id)
            text = "" if status is None or is_still else words.get(status.state, "")
            if item.text(1) != text:
                item.setText(1, text)
                item.setToolTip(1, status.message if status is not None else "")

    def _is_image(self, layer_id: int) -> bool:
        return self._layers.layers.find(layer_id).kind == "image"

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        self._layers.select(None if item is None else int(item.data(0, _ID)))

    def _toggle(self, item: QTreeWidgetItem, column_number: int) -> None:
        layer_id = int(item.data(0, _ID))
        if layer_id != MAIN and column_number == 0:
            self._layers.set_enabled(layer_id, item.checkState(0) == Qt.CheckState.Checked)


@dataclass
class _Form:
    """The form of a kind of layer; the main image has one too."""

    widget: QWidget
    forms: tuple[FieldForm, ...]


class _Details(QWidget):
    """The form of one layer."""

    def __init__(self, workspace: Workspace, themed: Themed) -> None:
        super().__init__()
        self._workspace, self._layers, self._themed = workspace, workspace.get(LayerEdits), themed
        self._guard = WheelGuard(self)
        self._forms: dict[str, _Form] = {}
        self._column = column(self, 8, 6)
        self.replace = QPushButton(self.tr("Another file..."))
        self.replace.clicked.connect(self._replace_file)
        self._column.addWidget(self.replace, 0, Qt.AlignmentFlag.AlignLeft)
        self._place_for_forms = QVBoxLayout()
        self._column.addLayout(self._place_for_forms)
        self.effects = LayerEffects(workspace, themed, self._guard)
        self._column.addWidget(self.effects)
        self._column.addStretch(1)

    def _form(self, kind: str) -> _Form:
        """Return the form of a kind, made on first use; '' is the main image's."""
        if kind not in self._forms:
            fields = (*(layer_kind(kind).fields if kind else ()),)
            groups = (fields, tuple(PLACE_FIELDS.values()), tuple(MIXED_FIELDS.values()) if kind else ())
            forms = tuple(FieldForm(each, self._themed, self._guard, indent=0) for each in groups if each)
            widget = QWidget()
            layout = column(widget, 0, 8)
            for form in forms:
                form.edited.connect(self._layers.set_value)
                form.refused.connect(lambda text: self._workspace.messages.post("error", text))
                for editor in form.editors.values():
                    editor.released.connect(self._layers.seal)
                layout.addWidget(form)
            self._place_for_forms.addWidget(widget)
            self._forms[kind] = _Form(widget, forms)
        return self._forms[kind]

    def show_selected(self) -> None:
        """Show what is selected."""
        spec, place = self._layers.spec, self._layers.place
        if place is None:
            return
        shown = self._form(spec.kind if spec is not None else "")
        for other in self._forms.values():
            other.widget.setVisible(other is shown)
        values: dict[str, Any] = dict(vars(place))
        if spec is not None:
            values |= {**spec.values, **{name: getattr(spec, name) for name in MIXED_FIELDS}}
        for form in shown.forms:
            form.show_values(values)
        self.replace.setVisible(spec is not None and bool(layer_kind(spec.kind).file))
        self.effects.setVisible(spec is not None)
        self.effects.refresh()

    def _replace_file(self) -> None:
        spec: LayerSpec | None = self._layers.spec
        if spec is None:
            return
        name = layer_kind(spec.kind).file
        old = spec.values[name] if is_file(spec.values[name]) else self._workspace.settings.folder
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Another file"), old)
        if path:
            self._layers.set_value(name, str(Path(path)))
            self._layers.seal()
