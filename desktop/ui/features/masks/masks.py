"""Edit the masks of stages, one undo step at a time, and hold what is drawn in the video."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.overlay.handles import DrawnHandles
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.params.points import MOST_POINTS
from desktop.pipeline.masks.sources import MaskScene
from desktop.pipeline.masks.spec import (
    MOST_PARTS,
    Attachment,
    MaskPart,
    MaskSpec,
    with_mask_value,
    with_part,
)
from desktop.ui.features.masks.shapes import (
    BrushEditing,
    Changes,
    PolygonEditing,
    ShapeEditing,
    shape_editing,
    with_cursor,
)
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.edits import Edits
from desktop.vision.tasks.shapes import Extents, Position, bounds, identity_of

Purpose = Literal["draw", "follow", "attach"]

_COLOR_FILTER: Final = "duotone"
_COLOR: Final = "#ff2d55"
_COLOR_OPACITY: Final = 0.6
_BROAD: Final = 0.02  # in heights of the frame
_WHOLE_FRAME: Final[Extents] = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True)
class PartPlace:
    """A part of a mask: the id of its stage, and its index."""

    stage: int
    index: int


class Masks(QObject):
    """Edits masks.

    Attributes:
        selected: the part that the pointer edits in the video, or that an object is chosen for.
        purpose: 'draw' its shape, 'follow' an object that is clicked, or 'attach' the shape to it.
        handle: index of the handle that the arrow keys move.
        cursor: position of the pointer, where that is shown.

    Signals:
        changed: what is drawn over the video has changed.
        began: the user has asked to draw or choose in the video, which gets the keyboard.
    """

    changed = Signal()
    began = Signal()

    def __init__(self, engine: Engine, messages: Messages, edits: Edits, parent: QObject) -> None:
        super().__init__(parent)
        self._engine, self._messages, self._edits = engine, messages, edits
        self.selected: PartPlace | None = None
        self.purpose: Purpose = "draw"
        self.handle: int | None = None
        self.cursor: Position | None = None
        self._is_unfinished = self._reported_full = False
        self._coverage_of: int | None = None
        self._coverage_in = engine.current
        edits.setup_changed.connect(self._follow)

    # -- what there is ---------------------------------------------------------------------------------------

    def mask(self, stage: int) -> MaskSpec:
        """Return a stage's mask, one without parts if it has none or is gone."""
        found = next((each.mask for each in self._edits.chain.stages if each.id == stage), None)
        return found or MaskSpec()

    def part(self, place: PartPlace | None) -> MaskPart | None:
        """Return a part; None if it is gone."""
        parts = self.mask(place.stage).parts if place is not None else ()
        return parts[place.index] if place is not None and place.index < len(parts) else None

    def kind(self, part: MaskPart) -> Filter | None:
        """Return the kind of a part; None if there is none of that name."""
        return self._edits.library.masks.get(part.kind)

    def title(self, part: MaskPart) -> str:
        """Return the title of a part's kind."""
        kind = self.kind(part)
        return translated(kind.title) if kind is not None else part.kind

    def editing(self, part: MaskPart | None) -> ShapeEditing | None:
        """Return how a part is drawn in the video; None if it is not."""
        kind = self.kind(part) if part is not None else None
        return shape_editing(kind) if kind is not None else None

    def values(self, part: MaskPart) -> dict[str, Any]:
        """Return all values of a part."""
        kind = self.kind(part)
        return {**(kind.defaults if kind is not None else {}), **part.values}

    # -- editing ---------------------------------------------------------------------------------------------

    def add(self, stage: int, name: str) -> None:
        """Add a part of a kind to a stage's mask."""
        mask = self.mask(stage)
        if len(mask.parts) >= MOST_PARTS:
            self._messages.post(
                "error", self.tr("A mask has {n} parts at most; remove one first.").format(n=MOST_PARTS)
            )
            return
        part = MaskPart(name, self._edits.library.mask(name).defaults)
        label = self.tr("Add {0} to the mask").format(self.title(part))
        self._edits.set_mask(stage, replace(mask, parts=(*mask.parts, part)), label)

    def change(self, place: PartPlace, part: MaskPart, label: str = "", what: object = None) -> None:
        """Replace a part; calls with the same `what`, until `seal`, are one step of undo."""
        if self.part(place) is None:
            return
        named = label or self.tr("{0} of the mask").format(self.title(part))
        key = None if what is None else ("part", place.index, what)
        self._edits.set_mask(place.stage, with_part(self.mask(place.stage), place.index, part), named, key)

    def set_values(self, place: PartPlace, values: Mapping[str, Any], what: object = None) -> None:
        """Set parameters of a part; report a value that is invalid."""
        part = self.part(place)
        if part is None or not values:
            return
        try:
            kind = self._edits.library.mask(part.kind)
            checked = {name: kind.param(name).check(value) for name, value in values.items()}
        except LightloomError as error:
            self._messages.post("error", str(error))
            return
        named = self.tr("{0} of {1}").format(
            translated(kind.param([*values][-1]).label), translated(kind.title)
        )
        self.change(place, replace(part, values={**part.values, **checked}), named, what)

    def remove(self, place: PartPlace) -> None:
        """Remove a part."""
        part = self.part(place)
        if part is not None:
            label = self.tr("Remove {0} from the mask").format(self.title(part))
            order = [index for index in range(len(self.mask(place.stage).parts)) if index != place.index]
            chosen = self.selected
            if chosen is not None and chosen.stage == place.stage:
                is_there = chosen.index in order
                self.selected = replace(chosen, index=order.index(chosen.index)) if is_there else None
            self._reorder(place.stage, order, label)

    def move(self, place: PartPlace, to: int) -> None:
        """Move a part to another index."""
        part, count = self.part(place), len(self.mask(place.stage).parts)
        if part is None or not 0 <= to < count:
            return
        order = [index for index in range(count) if index != place.index]
        order.insert(to, place.index)
        if self.selected is not None and self.selected.stage == place.stage:
            self.selected = replace(self.selected, index=order.index(self.selected.index))
        self._reorder(place.stage, order, self.tr("Move {0} in the mask").format(self.title(part)))

    def _reorder(self, stage: int, order: Sequence[int], label: str) -> None:
        mask = self.mask(stage)
        parts = tuple(mask.parts[index] for index in order)
        self._edits.set_mask(stage, replace(mask, parts=parts), label, parts=order)

    def set_value(self, stage: int, name: str, value: Any) -> None:
        """Set one of MASK_FIELDS of a stage's mask."""
        mask = self.mask(stage)
        if mask.parts:
            self._edits.set_mask(stage, with_mask_value(mask, name, value), what=name)

    def seal(self) -> None:
        """End a drag."""
        self._edits.seal()

    # -- in the video ----------------------------------------------------------------------------------------

    def select(self, place: PartPlace | None, purpose: Purpose = "draw") -> None:
        """Edit a part in the video; None ends that."""
        if place is not None and purpose == "draw" and self.editing(self.part(place)) is None:
            place = None
        if (place, purpose) == (self.selected, self.purpose):
            return
        self.selected, self.purpose = place, purpose
        self.handle = self.cursor = None
        self._is_unfinished = False
        self.changed.emit()

    def begin(self, place: PartPlace, purpose: Purpose = "draw") -> None:
        """Edit a part in the video, which gets the keyboard."""
        self.select(place, purpose)
        self.began.emit()

    def is_selected(self, place: PartPlace, purpose: Purpose) -> bool:
        """Return whether a part is edited in the video for a purpose."""
        return (place, purpose) == (self.selected, self.purpose)

    def choose_handle(self, handle: int | None) -> None:
        """Choose the handle that the arrow keys move."""
        if handle != self.handle:
            self.handle = handle
            self.changed.emit()

    def point_at(self, at: Position | None) -> None:
        """Follow the pointer: a brush is shown, and the object under it."""
        if at != self.cursor:
            self.cursor = at
            self.changed.emit()

    @property
    def active(self) -> ShapeEditing | None:
        """How the selected part is drawn; None while nothing is."""
        return self.editing(self.part(self.selected)) if self.purpose == "draw" else None

    @property
    def aspect(self) -> float:
        """The frame's width divided by its height."""
        width, height = self._engine.current.picture_size
        return width / height if height else 1.0

    @property
    def handles(self) -> tuple[Position, ...]:
        """The handles of the selected part, in fractions of the frame."""
        return self.drawn().handles if self.active is not None else ()

    def drag(self, handle: int, to: Position) -> None:
        """Drag a handle to a position of the frame; calls until `seal` are one step of undo."""
        editing, values, place = self.active, self._selected_values(), self.selected
        if editing is not None and place is not None:
            self.set_values(place, editing.dragged(values, handle, self._drawn_at(to), self.aspect), "shape")

    def contains(self, at: Position) -> bool:
        """Return whether a press at a position takes hold of the whole selected shape."""
        editing = self.active
        return editing is not None and editing.contains(
            self._selected_values(), self._drawn_at(at), self.aspect
        )

    def shift(self, start: Position, to: Position) -> None:
        """Move the whole selected shape from one position to another."""
        editing, place = self.active, self.selected
        if editing is not None and place is not None:
            (x0, y0), (x1, y1) = self._drawn_at(start), self._drawn_at(to)
            self.set_values(place, editing.shifted(self._selected_values(), (x1 - x0, y1 - y0)), "shape")

    def add_corner(self, at: Position) -> int | None:
        """Add a corner to a polygon; return its handle."""
        editing, place = self.active, self.selected
        if not isinstance(editing, PolygonEditing) or place is None:
            return None
        values = self._selected_values()
        self._is_unfinished |= not editing.drawn(values, self.aspect).handles
        changes, handle = editing.added(values, self._drawn_at(at), self.aspect, at_end=self._is_unfinished)
        self.set_values(place, changes, "shape")
        self.handle = handle
        self.changed.emit()
        return handle

    def divide_edge(self, handle: int) -> None:
        """Add a corner to a polygon halfway to the next one."""
        editing, place = self.active, self.selected
        if isinstance(editing, PolygonEditing) and place is not None:
            changes, self.handle = editing.divided(self._selected_values(), handle)
            self.set_values(place, changes)

    def remove_corner(self, handle: int) -> None:
        """Remove a corner of a polygon."""
        editing, place = self.active, self.selected
        if isinstance(editing, PolygonEditing) and place is not None:
            self.handle = None
            self.set_values(place, editing.removed(self._selected_values(), handle))

    @property
    def is_unfinished(self) -> bool:
        """True while the clicks append corners to a polygon that was begun."""
        return self._is_unfinished

    def finish(self) -> None:
        """End a polygon: later clicks add corners to its edges."""
        self._is_unfinished = False
        self.changed.emit()

    def begin_stroke(self, at: Position) -> None:
        """Begin a stroke of a brush."""
        self._reported_full = False
        if isinstance(self.active, BrushEditing):
            self._apply_stroke(self.active, self.active.begun(self._selected_values(), self._drawn_at(at)))

    def continue_stroke(self, at: Position) -> None:
        """Continue the stroke that was begun."""
        if isinstance(self.active, BrushEditing):
            changes = self.active.continued(self._selected_values(), self._drawn_at(at), self.aspect)
            self._apply_stroke(self.active, changes)

    def erase_stroke(self) -> None:
        """Erase the last stroke of a brush."""
        if isinstance(self.active, BrushEditing):
            self._apply(self.active.erased(self._selected_values()))
            self.seal()

    def _apply_stroke(self, editing: BrushEditing, changes: Changes) -> None:
        """Draw on; report once in a stroke that there can be no more points."""
        if not changes and not self._reported_full and editing.is_full(self._selected_values()):
            self._reported_full = True
            text = self.tr(
                "A brush has {n} points at most; erase a stroke with Backspace or add another brush."
            )
            self._messages.post("error", text.format(n=MOST_POINTS), about="strokes")
        self._apply(changes)

    def _apply(self, changes: Changes) -> None:
        if self.selected is not None:
            self.set_values(self.selected, changes, "shape")

    def _selected_values(self) -> dict[str, Any]:
        part = self.part(self.selected)
        return self.values(part) if part is not None else {}

    def drawn(self) -> DrawnHandles:
        """Return what is drawn over the frame, in fractions of it."""
        if self.selected is not None and self.purpose != "draw":
            return self._drawn_objects()
        editing = self.active
        if editing is None:
            return DrawnHandles()
        aspect = self.aspect
        drawn = editing.drawn(self._selected_values(), aspect)
        if isinstance(editing, BrushEditing) and self.cursor is not None:
            drawn = with_cursor(drawn, self._drawn_at(self.cursor), aspect)
        if self._is_unfinished:
            drawn = replace(drawn, lines=tuple(line[:-1] for line in drawn.lines))
        frames = self._frames()
        return replace(drawn.moved(lambda x, y: _between(*frames, (x, y))), chosen=self.handle)

    # -- objects ---------------------------------------------------------------------------------------------

    def choose_object(self, at: Position) -> bool:
        """Follow the tracked object at a position, or attach the shape to it; return whether there is one."""
        place, part = self.selected, self.part(self.selected)
        found = self._object_at(at)
        if place is None or part is None:
            return False
        if found is None:
            self._messages.said.emit(self.tr("There is no tracked object here"))
            return False
        identity, extents = found
        if self.purpose == "follow":
            self.set_values(place, {"identity": identity})
            self.select(None)
            return True
        attached = replace(part, attachment=Attachment(identity, extents))
        self.change(place, attached, self.tr("Attach {0} to an object").format(self.title(part)))
        self.select(place)
        return True

    def detach(self, place: PartPlace) -> None:
        """Let a part stay where it was drawn."""
        part = self.part(place)
        if part is not None:
            label = self.tr("Detach {0}").format(self.title(part))
            self.change(place, replace(part, attachment=None), label)

    def _objects(self) -> dict[int, Extents]:
        """Return the places of the tracked objects by their identities."""
        tracked = self._engine.current.tracked_result
        shapes = (*tracked.shapes, *tracked.expected) if tracked is not None else ()
        found: dict[int, Extents] = {}
        for shape in shapes:
            identity, box = identity_of(shape), bounds(shape)
            if identity is not None and box is not None and all(map(math.isfinite, box)):
                found.setdefault(identity, box)
        return found

    def _object_at(self, at: Position) -> tuple[int, Extents] | None:
        """Return the smallest tracked object at a position."""
        x, y = at
        near = [
            ((right - left) * (bottom - top), identity, (left, top, right, bottom))
            for identity, (left, top, right, bottom) in self._objects().items()
            if left <= x <= right and top <= y <= bottom
        ]
        return min(near)[1:] if near else None

    def _drawn_objects(self) -> DrawnHandles:
        """Return the outlines of the objects that can be chosen, with a broad one under the pointer."""
        found = self._object_at(self.cursor) if self.cursor is not None else None
        lines = tuple(_outline(box) for box in self._objects().values())
        return DrawnHandles(lines, strokes=(_outline(found[1]),) if found else (), width=_BROAD)

    def _frames(self) -> tuple[Extents, Extents]:
        """Return the extents that the selected shape was drawn in, and where these are now."""
        part = self.part(self.selected)
        attachment = part.attachment if part is not None else None
        if attachment is None:
            return _WHOLE_FRAME, _WHOLE_FRAME
        current = self._engine.current
        scene = MaskScene(pts=current.shown_pts, tracked=current.tracked_result)
        return attachment.extents, scene.place_of(attachment.identity, hides=False) or attachment.extents

    def _drawn_at(self, at: Position) -> Position:
        """Return which position of the selected shape is at one of the frame."""
        drawn, shown = self._frames()
        return _between(shown, drawn, at)

    # -- the mask as it is -----------------------------------------------------------------------------------

    @property
    def coverage_of(self) -> int | None:
        """The id of the stage whose mask is shown in color over what the stage is given; None for none."""
        return self._coverage_of

    def show_coverage(self, stage: int | None) -> None:
        """Show a stage's mask in color over what the stage is given; None shows the chain again."""
        if stage == self._coverage_of:
            return
        if self._coverage_of is not None:
            self._coverage_in.try_chain(None)
            self._edits.wake()
        self._coverage_of = stage
        if stage is not None:
            self._coverage_in = self._engine.current
            self.restore_coverage()
        self.changed.emit()

    def restore_coverage(self) -> None:
        """Show the chosen mask again after an edit or the trial of another chain; end that once it is gone."""
        if self._coverage_of is None:
            return
        chain = self._with_color(self._coverage_of)
        if chain is None or self._engine.current is not self._coverage_in:
            self.show_coverage(None)
        elif not self._coverage_in.is_trying:
            self._coverage_in.try_chain(chain)
            self._edits.wake()

    def _with_color(self, stage: int) -> ChainSpec | None:
        """Return the chain up to a stage, with color where its mask is; None if it has no mask.

        The stages behind are off, not left out: their networks stay loaded. Those that hide something stay on,
        also the stage itself, whose result is then colored.
        """
        stages = self._edits.chain.stages
        place = next((place for place, each in enumerate(stages) if each.id == stage and each.mask), None)
        if place is None:
            return None
        color = StageSpec(
            max(each.id for each in stages) + 1,
            _COLOR_FILTER,
            self._edits.library.get(_COLOR_FILTER).check({"shadows": _COLOR, "lights": _COLOR}),
            opacity=_COLOR_OPACITY,
            mask=stages[place].mask,
        )
        off = [
            each if each.mask is not None and each.mask.hides else replace(each, enabled=False)
            for each in stages[place:]
        ]
        return ChainSpec((*stages[:place], off[0], color, *off[1:]))

    def _follow(self) -> None:
        """Follow an edit, after which a part may be gone."""
        self.restore_coverage()
        part = self.part(self.selected)
        if self.selected is not None and part is None:
            self.select(None)
        elif self.selected is not None:
            self.changed.emit()


def _outline(box: Extents) -> tuple[Position, ...]:
    left, top, right, bottom = box
    return ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))


def _between(start: Extents, end: Extents, at: Position) -> Position:
    """Return a position in one box as that in another one."""
    across = (at[0] - start[0]) / max(start[2] - start[0], 1e-6)
    down = (at[1] - start[1]) / max(start[3] - start[1], 1e-6)
    return end[0] + across * (end[2] - end[0]), end[1] + down * (end[3] - end[1])
