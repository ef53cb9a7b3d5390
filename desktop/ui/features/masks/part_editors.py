"""Editors of parameters that only parts of masks have: effects, zones, classes, drawn points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from PySide6.QtWidgets import QCompleter, QPushButton

from desktop.base.fields import Field, Number, Option
from desktop.pipeline.filters.params.points import lines_of
from desktop.ui.forms.editors import make_editor
from desktop.ui.forms.editors.choice import ChoiceEditor
from desktop.ui.forms.editors.editor import FieldEditor
from desktop.ui.forms.editors.names import NamesEditor
from desktop.ui.kit.language import translated
from desktop.ui.kit.widgets import Themed, WheelGuard, WrappedLabel
from desktop.ui.workspace.workspace import Workspace
from desktop.vision.tracking.zones import ZoneSpec


class _NamedEditor(ChoiceEditor):
    """A list of what there is now; it is filled anew only when that differs, as it may be open."""

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        self._offered: tuple[Option, ...] | None = None
        super().__init__(field, themed, guard)

    def offer(self, options: Sequence[Option]) -> None:
        if tuple(options) != self._offered:
            self._offered = tuple(options)
            super().offer(options)


class StageEditor(_NamedEditor):
    """A list of the effects before one, whose values are their ids."""

    def offer_stages(self, workspace: Workspace, before: int) -> None:
        """Offer the effects before a stage, with their positions."""
        edits = workspace.edits
        stages = edits.chain.stages
        earlier = [stage.id for stage in stages].index(before)
        self.offer(
            tuple(
                (stage.id, f"{number}. {edits.title_of(stage.filter)}")
                for number, stage in enumerate(stages[:earlier], start=1)
            )
        )
        self.box.setPlaceholderText(self.tr("No earlier effect"))


class ZoneEditor(_NamedEditor):
    """A list of the zones, and all of them."""

    def offer_zones(self, workspace: Workspace) -> None:
        """Offer the zones of the setup."""
        zones = [zone.name for zone in workspace.edits.setup.scene.zones if isinstance(zone, ZoneSpec)]
        self.offer((("", self.tr("All zones")), *((name, name) for name in zones)))


class ClassesEditor(NamesEditor):
    """Names of classes with commas between them, as one text."""

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self._labels: tuple[str, ...] = ()

    def parsed(self, text: str) -> Any:
        return text

    def text_of(self, value: Any) -> str:
        return str(value)

    def offer_classes(self, workspace: Workspace) -> None:
        """Complete the names from the classes of the network in use."""
        features = workspace.engine.current.network_status.features
        if features is not None and features.labels != self._labels:
            self._labels = features.labels
            before: QCompleter | None = self.line.completer()
            self.use(self.field, features)
            if before is not None:
                before.deleteLater()


class PointsEditor(FieldEditor):
    """The number of drawn points or strokes, and a button that clears them."""

    are_strokes = False

    def __init__(self, field: Field, themed: Themed, guard: WheelGuard) -> None:
        super().__init__(field, themed, guard)
        self.count = WrappedLabel()
        self.clear = QPushButton(self.tr("Clear"))
        self.clear.setObjectName("rowButton")
        self.clear.setAccessibleName(self.tr("Clear {0}").format(translated(field.label)))
        self.main = self.clear
        self.clear.clicked.connect(self._clear)
        self._row.addWidget(self.count, 1)
        self._row.addWidget(self.clear)
        self.set_value(field.default)

    def _clear(self) -> None:
        self.edited.emit("")
        self.released.emit()

    def set_value(self, value: Any) -> None:
        lines = lines_of(str(value))
        points = sum(map(len, lines))
        self.count.setText(
            self.tr("%n strokes", "", len(lines)) if self.are_strokes else self.tr("%n points", "", points)
        )
        self.clear.setEnabled(bool(points))


class StrokesEditor(PointsEditor):
    """The number of strokes."""

    are_strokes = True


_EDITORS: Final[Mapping[tuple[str, str], Callable[[Field, Themed, WheelGuard], FieldEditor]]] = {
    ("stage", "stage"): StageEditor,
    ("zone", "zone"): ZoneEditor,
    ("detections", "classes"): ClassesEditor,
    ("outline", "points"): PointsEditor,
    ("brush", "strokes"): StrokesEditor,
    ("track", "identity"): lambda field, themed, guard: make_editor(
        replace(field, has_slider=False) if isinstance(field, Number) else field, themed, guard
    ),
}
"""Editors by what a kind of mask is given, and the parameter."""


def part_editor(source: str, field: Field, themed: Themed, guard: WheelGuard) -> FieldEditor:
    """Return the editor of a parameter of a kind that is given `source`."""
    # Of what it is a percentage is said by the help; beside a slider there is no room for it.
    shown = replace(field, unit=field.unit.partition(" of ")[0])
    return _EDITORS.get((source, field.name), make_editor)(shown, themed, guard)


def offer_to(editor: FieldEditor, workspace: Workspace, stage: int) -> None:
    """Offer an editor of a stage's mask what there is now."""
    match editor:
        case StageEditor():
            editor.offer_stages(workspace, stage)
        case ZoneEditor():
            editor.offer_zones(workspace)
        case ClassesEditor():
            editor.offer_classes(workspace)
