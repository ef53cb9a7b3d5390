"""Side lists of the labeling window: images, classes with their shortcuts, and boxes."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QSize, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QInputDialog,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from desktop.overlay.painting import class_color
from desktop.plugins.labeling.window.labeling import Labeling
from desktop.ui.kit.widgets import column, heading, muted

_INDEX: Final = QModelIndex()
_CONFIRMED: Final = "✓"
_PROPOSED: Final = "?"
_KEYS: Final = 9


class PicturesModel(QAbstractListModel):
    """Image names with a mark for their state. Decodes nothing; rows are made when they become visible."""

    def __init__(self, labeling: Labeling) -> None:
        super().__init__()
        self._labeling = labeling

    def rowCount(self, parent: Any = _INDEX) -> int:
        return 0 if parent.isValid() else len(self._labeling.pictures.names)

    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        name = self._labeling.pictures.names[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return name
        picture = self._labeling.labels.get(name)
        mark = "" if picture is None else _CONFIRMED if picture.confirmed else _PROPOSED
        return f"{mark} {name}" if mark else f"    {name}"

    def refresh(self) -> None:
        """Update after a change of labels."""
        self.dataChanged.emit(self.index(0), self.index(max(0, self.rowCount() - 1)))


class PicturesList(QWidget):
    """List of all images; the one shown is selected."""

    def __init__(self, labeling: Labeling) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._labeling = labeling
        self.model = PicturesModel(labeling)
        self.view = QListView()
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.setAccessibleName(self.tr("Images"))
        self.view.selectionModel().currentChanged.connect(lambda now, _: labeling.go(now.row()))
        layout = column(self, 6, 6)
        layout.addWidget(heading(self.tr("Images")))
        layout.addWidget(self.view, 1)
        self.setMinimumWidth(140)
        labeling.shown.connect(self._follow)
        labeling.changed.connect(self.model.refresh)

    def _follow(self) -> None:
        index = self.model.index(self._labeling.place)
        if self.view.currentIndex() != index:
            self.view.setCurrentIndex(index)
        self.view.scrollTo(index)


def _square(number: int) -> QIcon:
    found = QPixmap(QSize(24, 24))
    found.fill(class_color(number))
    icon = QIcon(found)
    # Qt would tint the color swatch of a selected row, but the swatch must show the true color.
    icon.addPixmap(found, QIcon.Mode.Selected)
    return icon


class ClassesList(QWidget):
    """List of classes with their colors and shortcuts; a double click or F2 renames a class."""

    def __init__(self, labeling: Labeling) -> None:
        super().__init__()
        self._labeling = labeling
        self._shown: tuple[str, ...] | None = None
        self.list = QListWidget()
        self.list.setIconSize(QSize(12, 12))
        self.list.setAccessibleName(self.tr("Classes"))
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.list.itemClicked.connect(lambda item: labeling.use_class(item.data(Qt.ItemDataRole.UserRole)))
        self.list.itemChanged.connect(self._rename)
        self.add = QPushButton(self.tr("Add..."))
        self.add.setAccessibleName(self.tr("Add a class"))
        self.add.clicked.connect(self.enter_class)
        self.empty = muted(self.tr("None yet. Proposals and imports bring theirs."))
        top = QHBoxLayout()
        top.addWidget(heading(self.tr("Classes")), 1)
        top.addWidget(self.add)
        layout = column(self, 0, 4)
        layout.addLayout(top)
        layout.addWidget(self.empty)
        layout.addWidget(self.list, 1)
        labeling.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self.empty.setVisible(not self._labeling.classes)
        now = self._labeling.item.label if self._labeling.item is not None else self._labeling.class_now
        if self._labeling.classes != self._shown:
            self._shown = self._labeling.classes
            self.list.blockSignals(True)
            self.list.clear()
            for number, name in enumerate(self._shown):
                self.list.addItem(self._entry(number, name))
            self.list.blockSignals(False)
        if now in self._shown:
            self.list.setCurrentRow(self._shown.index(now))

    def _entry(self, number: int, name: str) -> QListWidgetItem:
        item = QListWidgetItem(_square(number), name)
        item.setData(Qt.ItemDataRole.UserRole, name)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        key = self.tr("Key {0}").format(number + 1) if number < _KEYS else ""
        item.setToolTip(" – ".join(part for part in (name, key) if part))
        if number < _KEYS:
            item.setText(f"{number + 1}  {name}")
        return item

    def _rename(self, item: QListWidgetItem) -> None:
        old, text = item.data(Qt.ItemDataRole.UserRole), item.text()
        row = self.list.row(item)
        prefix = f"{row + 1}  "
        new = text.removeprefix(prefix) if row < _KEYS else text
        # Also after a failed rename: the entry then shows the class's actual name.
        self._shown = None
        self._labeling.rename_class(old, new.strip())
        self._refresh()

    def enter_class(self) -> None:
        """Ask for the name of a new class and make it the current one."""
        name, is_given = QInputDialog.getText(self, self.tr("Add a class"), self.tr("Name"))
        if is_given and name.strip():
            self._labeling.use_class(name)

    def pick_class(self) -> None:
        """Ask for the class of the selected box or of the next ones; an unknown name adds a class."""
        if not self._labeling.classes:
            self.enter_class()
            return
        now = self._labeling.item.label if self._labeling.item is not None else self._labeling.class_now
        names = list(self._labeling.classes)
        at = names.index(now) if now in names else 0
        name, is_given = QInputDialog.getItem(
            self, self.tr("Choose a class"), self.tr("Class, or the name of a new one"), names, at
        )
        if is_given and name.strip():
            self._labeling.use_class(name)


class ItemsList(QWidget):
    """List of the image's boxes, and the class of the whole image."""

    def __init__(self, labeling: Labeling) -> None:
        super().__init__()
        self._labeling = labeling
        self.list = QListWidget()
        self.list.setIconSize(QSize(12, 12))
        self.list.setAccessibleName(self.tr("Boxes"))
        self.list.currentRowChanged.connect(self._select)
        self.word = QComboBox()
        self.word.setAccessibleName(self.tr("Class of the whole image"))
        self.word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.word.activated.connect(lambda _: labeling.classify(self.word.currentData()))
        layout = column(self, 0, 4)
        layout.addWidget(heading(self.tr("Boxes")))
        layout.addWidget(self.list, 1)
        layout.addWidget(heading(self.tr("Whole image")))
        layout.addWidget(self.word)
        labeling.changed.connect(self._refresh)
        labeling.shown.connect(self._refresh)

    def _select(self, row: int) -> None:
        self._labeling.select(row if row >= 0 else None)

    def _refresh(self) -> None:
        picture, classes = self._labeling.picture, self._labeling.classes
        self.list.blockSignals(True)
        texts = [self._text(item.label, item.score, confirmed=item.confirmed) for item in picture.items]
        numbers = [classes.index(item.label) if item.label in classes else 0 for item in picture.items]
        while self.list.count() > len(texts):
            self.list.takeItem(self.list.count() - 1)
        for row, (text, number) in enumerate(zip(texts, numbers, strict=True)):
            if row == self.list.count():
                self.list.addItem(QListWidgetItem())
            item = self.list.item(row)
            if item.text() != text or item.data(Qt.ItemDataRole.UserRole) != number:
                item.setText(text)
                item.setIcon(_square(number))
                item.setData(Qt.ItemDataRole.UserRole, number)
        self.list.setCurrentRow(-1 if self._labeling.selected is None else self._labeling.selected)
        self.list.blockSignals(False)
        self._refresh_word(picture.word, classes)

    def _refresh_word(self, word: str, classes: tuple[str, ...]) -> None:
        wanted = ["", *classes]
        if [self.word.itemData(place) for place in range(self.word.count())] != wanted:
            self.word.clear()
            for place, name in enumerate(wanted):
                self.word.addItem(name or self.tr("none"), name)
                if place:
                    self.word.setItemIcon(place, _square(place - 1))
        self.word.setCurrentIndex(wanted.index(word) if word in wanted else 0)

    @staticmethod
    def _text(label: str, score: float | None, *, confirmed: bool) -> str:
        if confirmed:
            return f"{_CONFIRMED} {label}"
        return f"{_PROPOSED} {label}" if score is None else f"{_PROPOSED} {label} {score * 100:.0f} %"


class Side(QWidget):
    """Side panel with the classes above and the boxes below."""

    def __init__(self, labeling: Labeling) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.classes, self.items = ClassesList(labeling), ItemsList(labeling)
        layout = column(self, 6, 8)
        layout.addWidget(self.classes, 1)
        layout.addWidget(self.items, 1)
        self.setMinimumWidth(170)
