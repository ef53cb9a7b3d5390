"""Edit layers, one step of undo at a time, and report those that fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.overlay.handles import DrawnHandles
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.layers.compositor import Compositor, LayerStatus
from desktop.pipeline.layers.kind import layer_kind
from desktop.pipeline.layers.placing import placed_rect
from desktop.pipeline.layers.spec import (
    PLACE_FIELDS,
    LayerPlace,
    Layers,
    LayerSpec,
    with_mixed_value,
    with_place_value,
)
from desktop.pipeline.pipeline import SourceFacts
from desktop.pipeline.setup.layers import uses_results
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Failures, Messages
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback
from desktop.vision.tasks.shapes import Position

MAIN: Final = 0
"""Stands for the main image where layers are named by their ids."""

Share = tuple[float, float, float, float]
"""Left, top, width and height in shares of the image."""

_LEAST: Final = 0.01
_CORNERS: Final = ((0, 0), (1, 0), (1, 1), (0, 1))


class LayerEdits(QObject):
    """Edits the layers of the setup.

    Attributes:
        selected: id of the layer that is edited, MAIN for the main image; None for none.
        corner: the handle that the arrow keys move; None for the whole layer.

    `changed`: the layers or what is selected have changed.
    """

    changed = Signal()

    def __init__(
        self, engine: Engine, messages: Messages, edits: Edits, playback: Playback, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._engine, self._messages, self._edits, self._playback = engine, messages, edits, playback
        self.selected: int | None = None
        self.corner: int | None = None
        self._failures = Failures(messages)
        self._facts = SourceFacts()
        edits.setup_changed.connect(self._follow)

    # -- what there is ---------------------------------------------------------------------------------------

    @property
    def layers(self) -> Layers:
        """The layers of the setup."""
        return self._edits.setup.layers

    @property
    def spec(self) -> LayerSpec | None:
        """The selected layer; None for the main image or none."""
        return next((spec for spec in self.layers.specs if spec.id == self.selected), None)

    @property
    def place(self) -> LayerPlace | None:
        """The place of what is selected."""
        spec = self.spec
        if spec is not None:
            return spec.place
        return self.layers.main if self.selected == MAIN else None

    @property
    def statuses(self) -> Mapping[int, LayerStatus]:
        """State of each layer by its id."""
        return {status.id: status for status in self._engine.current.snapshot().layers}

    def title_of(self, spec: LayerSpec) -> str:
        """Return a layer's name."""
        kind = layer_kind(spec.kind)
        return kind.name_of(spec.values) or translated(kind.title)

    def poll(self) -> None:
        """Report the layers that have failed since the last call; tell texts about the source."""
        failing = {}
        for spec in self.layers.specs:
            status = self.statuses.get(spec.id)
            message = status.message if status is not None else ""
            failing[f"layer {spec.id}"] = Compositor.named(spec, message) if message else ""
        self._failures.update(failing)
        info = self._playback.info
        facts = SourceFacts() if info is None else SourceFacts(info.title, info.rate)
        if facts != self._facts or self._engine.current.facts != facts:
            self._facts = self._engine.current.facts = facts

    def _follow(self) -> None:
        if self.selected not in (None, MAIN) and self.spec is None:
            self.selected = self.corner = None
        self.changed.emit()

    @property
    def lacks_network(self) -> bool:
        """True if the selected text tells what an analysis network finds, and there is none."""
        spec = self.spec
        if spec is None or self._edits.setup.analysis is not None:
            return False
        return uses_results(Layers((replace(spec, enabled=True),)))

    # -- editing ---------------------------------------------------------------------------------------------

    def select(self, layer_id: int | None, corner: int | None = None) -> None:
        """Select a layer, the main image (MAIN) or nothing."""
        if (layer_id, corner) != (self.selected, self.corner):
            self.selected, self.corner = layer_id, corner
            self.changed.emit()

    def _edit(self, layers: Layers, label: str, key: object = None) -> None:
        self._edits.edit(replace(self._edits.setup, layers=layers), label, key)

    def add(
        self, kind_id: str, values: Mapping[str, Any], *, main: LayerPlace | None = None, **settings: Any
    ) -> None:
        """Add a layer on top and select it; `main` is a place for the main image. Report what is invalid."""
        kind = layer_kind(kind_id)
        try:
            layers = self.layers.added(LayerSpec(0, kind_id, kind.check(values), **settings))
        except LightloomError as error:
            self._messages.post("error", str(error))
            return
        if main is not None:
            layers = replace(layers, main=main)
        self.selected, self.corner = layers.specs[-1].id, None
        self._edit(layers, self.tr("Add the layer {0}").format(self.title_of(layers.specs[-1])))

    def remove(self) -> None:
        """Remove the selected layer; of the main image, its place."""
        spec = self.spec
        if spec is not None:
            self._edit(
                self.layers.removed(spec.id), self.tr("Remove the layer {0}").format(self.title_of(spec))
            )
        elif self.selected == MAIN:
            self._edit(replace(self.layers, main=LayerPlace()), self.tr("Fill the frame with the main image"))

    def move(self, by: int) -> None:
        """Move the selected layer up (1) or down (-1), also through the main image."""
        if self.spec is not None:
            self.move_to(self.order.index(self.spec.id) + by)

    def move_to(self, position: int) -> None:
        """Put the selected layer at a position of `order`."""
        spec = self.spec
        if spec is None:
            return
        layers, label = self.layers, self.tr("Move the layer {0}").format(self.title_of(spec))
        order = self.order
        order.remove(spec.id)
        order.insert(max(0, min(position, len(order))), spec.id)
        main = order.index(MAIN)
        specs = tuple(
            replace(layers.find(each), below=number < main)
            for number, each in enumerate(order)
            if each != MAIN
        )
        self._edit(replace(layers, specs=specs), label)

    @property
    def order(self) -> list[int]:
        """The ids of all layers and MAIN, the lowest first."""
        below = [spec.id for spec in self.layers.specs if spec.below]
        return [*below, MAIN, *(spec.id for spec in self.layers.specs if not spec.below)]

    def set_enabled(self, layer_id: int, on: bool) -> None:
        """Show a layer or hide it."""
        spec = self.layers.find(layer_id)
        label = self.tr("Show the layer {0}") if on else self.tr("Hide the layer {0}")
        if spec.enabled != on:
            self._edit(self.layers.changed(layer_id, enabled=on), label.format(self.title_of(spec)))

    def set_value(self, name: str, value: Any) -> None:
        """Set a value of the selected layer or place by its field's name; calls about one are one step of undo."""
        spec = self.spec
        try:
            if name in PLACE_FIELDS:
                place = self.place
                if place is not None:
                    self.set_place(with_place_value(place, name, value), name)
            elif spec is not None and name in {field.name for field in layer_kind(spec.kind).fields}:
                values = layer_kind(spec.kind).check({**spec.values, name: value})
                self._change(replace(spec, values=values), name)
            elif spec is not None:
                self._change(with_mixed_value(spec, name, value), name)
        except LightloomError as error:
            self._messages.post("error", str(error))

    def _change(self, spec: LayerSpec, what: object) -> None:
        specs = tuple(spec if each.id == spec.id else each for each in self.layers.specs)
        label = self.tr("Change the layer {0}").format(self.title_of(spec))
        self._edit(replace(self.layers, specs=specs), label, ("layer", spec.id, what))

    def set_place(self, place: LayerPlace, what: str = "place") -> None:
        """Set the place of what is selected; calls, until `seal`, are one step of undo."""
        spec = self.spec
        if spec is not None:
            self._change(replace(spec, place=place), what)
        elif self.selected == MAIN:
            key = ("layer", MAIN, what)
            self._edit(replace(self.layers, main=place), self.tr("Place the main image"), key)

    def seal(self) -> None:
        """End a drag."""
        self._edits.seal()

    # -- effects ---------------------------------------------------------------------------------------------

    def paste_effects(self) -> None:
        """Add the copied effects to the selected layer."""

        def pasted(chain: ChainSpec) -> ChainSpec:
            for stage in self._edits.clipboard:
                chain = chain.added(stage.filter, stage.values)
                # What masks and automations refer to is found in the main image.
                chain = chain.with_mixing(
                    chain.stages[-1].id, opacity=stage.opacity, blend=stage.blend, enabled=stage.enabled
                )
            return chain

        self.edit_chain(pasted)
        if any(stage.mask is not None or stage.automation for stage in self._edits.clipboard):
            said = self.tr("The copied masks and automations were left out; they refer to the main image.")
            self._messages.post("info", said)

    def edit_chain(self, change: Callable[[ChainSpec], ChainSpec], what: object = None) -> None:
        """Change the effects of the selected layer; calls about the same setting `what`, until `seal`, are one step.

        What cannot be done is reported.
        """
        spec = self.spec
        if spec is None:
            return
        try:
            chain = change(spec.chain)
        except LightloomError as error:
            self._messages.post("error", str(error))
            return
        self._change(replace(spec, chain=chain), ("effects", what))
        if what is None:
            self.seal()

    def add_effect(self, filter_id: str) -> None:
        """Add an effect to the selected layer."""
        item = self._edits.library.get(filter_id)
        self.edit_chain(lambda chain: chain.added(filter_id, item.defaults))

    def set_effect_value(self, stage_id: int, name: str, value: object) -> None:
        """Set a parameter of an effect of the selected layer."""
        spec = self.spec
        if spec is not None:
            item = self._edits.library.get(spec.chain.find(stage_id).filter)
            self.edit_chain(
                lambda chain: chain.with_values(stage_id, {name: item.param(name).check(value)}),
                (stage_id, name),
            )

    # -- in the video ----------------------------------------------------------------------------------------

    @property
    def share(self) -> Share | None:
        """Rectangle of the selected layer or of the main image, in fractions of the image; None while it is not shown."""
        width, height = self._engine.current.picture_size
        if not width:
            return None
        if self.selected == MAIN:
            rect = placed_rect(self.layers.main, (width, height), (width, height))
        else:
            status = self.statuses.get(self.selected) if self.selected is not None else None
            if status is None or status.rect is None or status.state in ("off", "failed"):
                return None
            rect = status.rect
        return (rect.left / width, rect.top / height, rect.width / width, rect.height / height)

    @property
    def handles(self) -> tuple[Position, ...]:
        """The corners of what is selected."""
        share = self.share
        if share is None:
            return ()
        left, top, width, height = share
        return tuple((left + x * width, top + y * height) for x, y in _CORNERS)

    def drawn(self) -> DrawnHandles:
        """Return what is drawn over the frame."""
        corners = self.handles
        return DrawnHandles(((*corners, corners[0]),), corners, self.corner) if corners else DrawnHandles()

    def at(self, position: Position) -> int | None:
        """Return the id of the uppermost layer at a position that is not the whole frame's; None for none."""
        width, height = self._engine.current.picture_size
        for layer_id in reversed(self.order):
            status = self.statuses.get(layer_id)
            rect = status.rect if status is not None and status.state != "off" else None
            if rect is None or (rect.width >= width and rect.height >= height):
                continue
            x, y = position[0] * width - rect.left, position[1] * height - rect.top
            if 0 <= x < rect.width and 0 <= y < rect.height:
                return layer_id
        return None

    def shift(self, by: Position) -> None:
        """Move what is selected."""
        place = self.place
        if place is not None:
            self.set_place(replace(place, x=_bounded("x", place.x + by[0]), y=_bounded("y", place.y + by[1])))

    def drag(self, corner: int, to: Position) -> None:
        """Move a corner; the opposite one stays, and so do proportions unless the place has both sides."""
        place, share, spec = self.place, self.share, self.spec
        if place is None or share is None:
            return
        left, top, width, height = share
        across, down = _CORNERS[corner]
        fixed = (left + (1 - across) * width, top + (1 - down) * height)
        wide = max(_LEAST, (to[0] - fixed[0]) * (1 if across else -1))
        high = max(_LEAST, (to[1] - fixed[1]) * (1 if down else -1))
        if spec is not None and layer_kind(spec.kind).id == "text":
            size = spec.values["size"] * max(wide / width, high / height)
            self.set_value("size", min(0.5, max(0.005, round(size, 4))))
            return
        if not (place.width and place.height):
            factor = max(wide / width, high / height)
            wide, high = width * factor, height * factor
        changed = LayerPlace(
            _bounded("x", fixed[0] if across else fixed[0] - wide),
            _bounded("y", fixed[1] if down else fixed[1] - high),
            _bounded("width", wide),
            _bounded("height", high) if place.width and place.height else 0.0,
            place.fit,
        )
        self.set_place(changed)


def _bounded(name: str, value: float) -> float:
    field = PLACE_FIELDS[name]
    return round(min(field.max, max(field.min, value)), 4)
