"""State and operations of the labeling window: the images, the current image, and the selected item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from desktop.base.errors import LightloomError
from desktop.plugins.labeling.data.label_set import Edit
from desktop.plugins.labeling.data.labels import (
    Handle,
    Item,
    Picture,
    class_name,
    held,
    merged,
    moved,
    resized,
)
from desktop.plugins.labeling.data.pictures import PictureSet
from desktop.plugins.labeling.data.project import Project
from desktop.plugins.labeling.data.readers.read import Read
from desktop.plugins.labeling.window.loader import PictureLoader
from desktop.ui.kit.language import translated
from desktop.vision.tasks.shapes import Extents, Position

_MIDDLE: Final = (0.35, 0.35, 0.65, 0.65)
# Offsets of the images to decode in advance, from the one shown.
_NEIGHBORS: Final = (1, -1)


class Labeling(QObject):
    """Labels of the images of a folder or a video, one of which is shown. For use on the window's thread.

    Attributes:
        place: index of the image shown, from 0.
        selected: index of the selected item in it, or None.
        drawing: the next drag draws a new box.

    Signals:
        shown: another image is shown, or the current one has been decoded.
        told: a message for the user: level and text, in the window's language.
    """

    shown = Signal()
    changed = Signal()
    told = Signal(str, str)

    def __init__(self, pictures: PictureSet, project: Project, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pictures, self._project = pictures, project
        self.loader = PictureLoader(pictures, self)
        self.loader.loaded.connect(self._on_loaded)
        self.place = 0
        self.selected: int | None = None
        self.drawing = False
        self._class = ""
        self._note = ""
        self._places = {name: place for place, name in enumerate(pictures.names)}

    def begin(self) -> None:
        """Show the first image that is not confirmed."""
        self._report_note()
        self.place = next(
            (n for n, name in enumerate(self.pictures.names) if not self._is_confirmed(name)), 0
        )
        self._show(self.place)

    # -- state -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the image shown."""
        return self.pictures.names[self.place]

    @property
    def picture(self) -> Picture:
        """The labels of the image shown."""
        return self._project.label_set[self.name]

    @property
    def item(self) -> Item | None:
        """The selected item, if any."""
        return None if self.selected is None else self.picture.items[self.selected]

    @property
    def classes(self) -> tuple[str, ...]:
        """The class names."""
        return self._project.label_set.classes

    @property
    def labels(self) -> Mapping[str, Picture]:
        """The labels of all images that have some."""
        return self._project.label_set.pictures

    @property
    def class_now(self) -> str:
        """The class that a new box gets."""
        if self._class in self.classes:
            return self._class
        return self.classes[0] if self.classes else self.tr("thing")

    @property
    def image(self) -> QImage | None:
        """The image shown; None if it is not decoded yet or cannot be."""
        found = self.loader.get(self.name)
        return found if isinstance(found, QImage) else None

    @property
    def problem(self) -> str:
        """The reason why the image cannot be shown, '' for none."""
        found = self.loader.get(self.name)
        return translated(str(found)) if isinstance(found, LightloomError) else ""

    @property
    def confirmed(self) -> int:
        """The number of confirmed images."""
        return sum(picture.confirmed for name, picture in self.labels.items() if name in self._places)

    @property
    def undo_title(self) -> str:
        """The title of the step to undo, '' for none."""
        return self._project.label_set.undo_title

    @property
    def redo_title(self) -> str:
        """The title of the step to redo, '' for none."""
        return self._project.label_set.redo_title

    def is_touched(self, name: str) -> bool:
        """See `LabelSet.is_touched`."""
        return self._project.label_set.is_touched(name)

    def _is_confirmed(self, name: str) -> bool:
        return self._project.label_set[name].confirmed

    @property
    def _pixel(self) -> Position:
        image = self.image
        return (1e-3, 1e-3) if image is None else (1 / image.width(), 1 / image.height())

    # -- navigation ------------------------------------------------------------------------------------------

    def go(self, place: int) -> None:
        """Show the image at an index."""
        place = max(0, min(place, len(self.pictures.names) - 1))
        if place != self.place:
            self._show(place)

    def step(self, by: int) -> None:
        """Move forward by a number of images; backward if negative."""
        self.go(self.place + by)

    def next_unconfirmed(self) -> None:
        """Show the next unconfirmed image, wrapping around at the end; report if there is none."""
        count = len(self.pictures.names)
        order = ((self.place + step) % count for step in range(1, count + 1))
        place = next((n for n in order if not self._is_confirmed(self.pictures.names[n])), None)
        if place is None:
            self.told.emit("info", self.tr("All images are confirmed."))
        elif place != self.place:
            self._show(place)

    def _show(self, place: int) -> None:
        self._project.label_set.seal()
        self.place, self.selected = place, None
        names = self.pictures.names
        near = (place + by for by in _NEIGHBORS)
        self.loader.want([self.name, *(names[n] for n in near if 0 <= n < len(names))])
        self.shown.emit()
        self.changed.emit()

    def _on_loaded(self, name: str) -> None:
        if name == self.name:
            self.shown.emit()

    # -- selection -------------------------------------------------------------------------------------------

    def select(self, number: int | None) -> None:
        """Select an item; None for none."""
        wanted = number if number is not None and 0 <= number < len(self.picture.items) else None
        self._project.label_set.seal()
        if wanted != self.selected:
            self.selected = wanted
            self.changed.emit()

    def choose(self, by: int) -> None:
        """Select the item `by` places after the selected one."""
        count = len(self.picture.items)
        if count:
            first = 0 if by > 0 else count - 1
            self.select(first if self.selected is None else (self.selected + by) % count)

    def use_class(self, name: str) -> None:
        """Set the class of the selected item or, without a selection, of the next boxes."""
        name = class_name(name)
        if not name:
            return
        self._class = name
        if self._is_unnamed(self.item) and name not in self.classes:
            self.rename_class(self.classes[0], name)
        elif self.item is not None:
            self._edit_item(self.tr("Change the class"), replace(self.item, label=name, confirmed=True))
        elif name not in self.classes:
            self.add_class(name)
        else:
            self.changed.emit()

    def _is_unnamed(self, item: Item | None) -> bool:
        """Return True for the first box of an unnamed class, which exports would keep as number 0."""
        if item is None or self.classes != (self.tr("thing"),):
            return False
        return (
            sum(each.label == item.label for picture in self.labels.values() for each in picture.items) == 1
        )

    def use_class_number(self, number: int) -> None:
        """See `use_class`, of the class at a place from 0; nothing where there is none."""
        if number < len(self.classes):
            self.use_class(self.classes[number])

    def set_drawing(self, on: bool) -> None:
        """Set whether the next drag draws a new box."""
        if on != self.drawing:
            self.drawing = on
            self.changed.emit()

    # -- edits -----------------------------------------------------------------------------------------------

    def add_box(self, box: Extents = _MIDDLE) -> None:
        """Add a box of the current class, by default in the middle of the image, and select it."""
        if self.image is None:
            return
        item = Item(self.class_now, held(box, self._pixel), confirmed=True)
        item = replace(item, origin=item.box)
        count = len(self.picture.items)
        self.drawing = False
        self._edit(self.tr("Draw a box"), replace(self.picture, items=(*self.picture.items, item)))
        self.select(count)

    def move_item(self, by: Position, *, in_pixels: bool = False) -> None:
        """Move the selected item in fractions or pixels; successive moves by pixels are one undo step."""
        if self.item is None:
            return
        if in_pixels:
            by = (by[0] * self._pixel[0], by[1] * self._pixel[1])
        key = ("move", self.name, self.selected) if in_pixels else None
        self._edit_item(self.tr("Move a box"), moved(self.item, by), key)

    def resize_item(self, handle: Handle, at: Position) -> None:
        """Drag a handle of the selected item to a position."""
        if self.item is not None:
            self._edit_item(self.tr("Resize a box"), self.resized(handle, at))

    def resized(self, handle: Handle, at: Position) -> Item:
        """Return the selected item as `resize_item` would leave it."""
        assert self.item is not None
        return resized(self.item, handle, at, self._pixel)

    def grow_item(self, by: Position) -> None:
        """Move the right and lower edge of the selected item, in pixels."""
        if self.item is None:
            return
        _, _, right, bottom = self.item.box
        at = (right + by[0] * self._pixel[0], bottom + by[1] * self._pixel[1])
        if at[0] > self.item.box[0] and at[1] > self.item.box[1]:
            key = ("grow", self.name, self.selected)
            self._edit_item(self.tr("Resize a box"), self.resized((1, 1), at), key)

    def delete_item(self) -> None:
        """Delete the selected item and select the next one."""
        if self.selected is None:
            return
        place, picture = self.selected, self.picture.without_item(self.selected)
        self.selected = None
        self._edit(self.tr("Delete a box"), picture)
        if picture.items:
            self.select(min(place, len(picture.items) - 1))

    def confirm_item(self) -> None:
        """Confirm the selected item and select the next unconfirmed one."""
        if self.item is None or self.selected is None:
            return
        self._edit_item(self.tr("Confirm a box"), replace(self.item, confirmed=True))
        items, count = self.picture.items, len(self.picture.items)
        order = ((self.selected + step) % count for step in range(1, count))
        self.select(next((n for n in order if not items[n].confirmed), self.selected))

    def confirm_picture(self) -> None:
        """Confirm everything in the image and show the next unconfirmed image."""
        self._edit(self.tr("Confirm the image"), self.picture.all_confirmed())
        self.next_unconfirmed()

    def unconfirm_picture(self) -> None:
        """Mark the image as needing review."""
        self._edit(self.tr("Open the image again"), replace(self.picture, confirmed=False))

    def classify(self, name: str) -> None:
        """Set the class of the whole image, '' for none."""
        self._edit(
            self.tr("Classify the image"), replace(self.picture, word=class_name(name), word_score=None)
        )

    def classify_by_number(self, number: int) -> None:
        """See `classify`, of the class at a place from 0; the one that it has is taken away."""
        if number < len(self.classes):
            name = self.classes[number]
            by_hand = self.picture.word == name and self.picture.word_score is None
            self.classify("" if by_hand else name)

    def add_class(self, name: str) -> None:
        """Add a class at the end of the list."""
        self._do(lambda: self._project.use_classes(self.tr("Add a class"), (*self.classes, name)))

    def rename_class(self, old: str, new: str) -> None:
        """Rename a class in all images."""
        self._do(lambda: self._project.rename_class(self.tr("Rename a class"), old, new))
        if self._class == old:
            self._class = class_name(new)
            self.changed.emit()

    def take_import(self, read: Read) -> None:
        """Merge imported labels into images that have none, and report the outcome."""
        free = read.free_in(self._project.label_set)
        self._do(lambda: self._project.edit(self.tr("Import labels"), free, classes=read.classes))
        self.told.emit("info", translated(read.report(len(free))))

    def take_proposals(self, proposals: Mapping[str, Picture], *, replacing: bool) -> None:
        """Apply proposals to untouched images, or as one undo step over everything unconfirmed."""
        if replacing:
            # The selected item may have another index afterwards.
            self.selected = None if self.name in proposals else self.selected
            changes = {n: merged(self._project.label_set[n], picture) for n, picture in proposals.items()}
            self._do(lambda: self._project.edit(self.tr("Propose labels"), changes))
        else:
            self._do(lambda: self._project.take_in(proposals))

    def undo(self) -> None:
        """Undo the last step and show the image that it changed."""
        self._travel(self._project.undo)

    def redo(self) -> None:
        """Redo the last undone step and show the image that it changed."""
        self._travel(self._project.redo)

    # -- helpers ---------------------------------------------------------------------------------------------

    def _travel(self, go: Callable[[], Edit | None]) -> None:
        gone: list[Edit | None] = []
        self.selected = None
        self._do(lambda: gone.append(go()))
        changed = [
            place
            for edit in gone
            if edit
            for name in edit.before
            if (place := self._places.get(name)) is not None
        ]
        if changed and self.place not in changed:
            self._show(min(changed))

    def _edit_item(self, title: str, item: Item, key: object = None) -> None:
        assert self.selected is not None
        self._edit(title, self.picture.with_item(self.selected, item), key)

    def _edit(self, title: str, picture: Picture, key: object = None) -> None:
        self._do(lambda: self._project.edit(title, {self.name: picture}, key))

    def _do(self, act: Callable[[], object]) -> None:
        try:
            act()
        except LightloomError as error:
            self.told.emit("error", translated(str(error)))
        if self.selected is not None and self.selected >= len(self.picture.items):
            self.selected = None
        self._report_note()
        self.changed.emit()

    def _report_note(self) -> None:
        if self._project.note and self._project.note != self._note:
            self._note = self._project.note
            self.told.emit("warning", translated(self._note))

    def save(self) -> bool:
        """Save what an earlier edit could not; report it and return False if that fails again."""
        try:
            self._project.save()
        except LightloomError as error:
            self.told.emit("error", translated(str(error)))
            return False
        return True

    def close(self) -> None:
        """Stop all work; the labels are already on disk, or cannot be saved."""
        self.loader.close()
        self._project.close()
        self.pictures.close()
