"""Edits of the setup, mainly of the chain, with undo history and a clipboard of stages."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.pipeline.automation.spec import Automation
from desktop.pipeline.chain.spec import ChainSpec, StageSpec
from desktop.pipeline.engine import Engine
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.filters.param import ParamValue
from desktop.pipeline.masks.spec import MaskSpec
from desktop.pipeline.running.interpolation.spec import InterpolationSpec
from desktop.pipeline.setup.setup import Setup
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Messages
from desktop.ui.workspace.history import AppliedLook, History
from desktop.ui.workspace.mask_stages import with_parts
from desktop.vision.tracking.anonymize import AnonymizeSpec, usual_for
from desktop.vision.tracking.track import TrackSpec


class OwnHistory(Protocol):
    """Steps outside of the setup, such as prompts on a frame, that undo and redo take first."""

    @property
    def undo_label(self) -> str:
        """Name of the step that `undo` reverts now, or '' while the setup's steps come first."""

    @property
    def redo_label(self) -> str:
        """Name of the step that `redo` repeats now, or ''."""

    def undo(self) -> None:
        """Revert the last step."""

    def redo(self) -> None:
        """Repeat the last step that was reverted."""


class Edits(QObject):
    """Changes the setup, one undo step at a time.

    `stage_chosen`: id (int) of a new stage, to be focused. `filters_fitted`: changed filters (a set of names)
    to which stages were adapted, and the step's name.
    """

    filters_fitted = Signal(object, str)
    setup_changed = Signal()
    clipboard_changed = Signal()
    stage_chosen = Signal(int)

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        messages: Messages,
        wake: Callable[[], None],
        parent: QObject,
    ) -> None:
        """Start with the engine's setup; `wake` requests a redraw."""
        super().__init__(parent)
        self._engine, self._settings, self._messages, self._wake = engine, settings, messages, wake
        self.history = History(engine.current.setup)
        self._own_histories: list[OwnHistory] = []
        self.clipboard: tuple[StageSpec, ...] = ()
        self._first_chain: ChainSpec | None = None

    @property
    def library(self) -> FilterLibrary:
        """The filters that a chain may have."""
        return self._engine.library

    @property
    def setup(self) -> Setup:
        """The chain and network in use."""
        return self.history.setup

    @property
    def chain(self) -> ChainSpec:
        """The chain in use."""
        return self.setup.chain

    # -- the setup -------------------------------------------------------------------------------------------

    def edit(
        self,
        setup: Setup,
        label: str,
        key: object = None,
        look: AppliedLook | None = None,
        *,
        fade: float = 0.0,
    ) -> None:
        """Apply a setup, of a look if one is given; consecutive edits with the same `key` are one undo step.

        The image shown before fades to the new one in `fade` seconds.
        """
        if setup == self.setup:
            if look is not None:
                self.set_look(look)
            return
        if self.chain is self._first_chain and setup.chain != self._first_chain:
            self._settings.shows_look = False
        self.history.push(setup, label, key, look)
        self.apply(fade=fade)

    def set_look(self, look: AppliedLook) -> None:
        """Set the look that the chain counts as, such as one that it was saved as."""
        self.history.set_look(look)
        self.setup_changed.emit()

    def edit_chain(self, chain: ChainSpec, label: str, key: object = None) -> None:
        """Apply a chain."""
        self.edit(replace(self.setup, chain=chain), label, key)

    def set_track(self, spec: TrackSpec | None, what: str = "on") -> None:
        """Change or disable tracking; calls about the same setting are one undo step until `seal`."""
        if what == "on":
            label = self.tr("Track objects") if spec is not None else self.tr("Follow nothing")
        else:
            label = self.tr("Tracking settings")
        scene = replace(self.setup.scene, track=spec)
        self.edit(replace(self.setup, scene=scene), label, None if what == "on" else ("track", what))

    def toggle_track(self) -> None:
        """Enable tracking with its defaults, or disable it."""
        self.set_track(TrackSpec() if self.setup.scene.track is None else None)

    def set_anonymize(self, spec: AnonymizeSpec | None, what: str = "on") -> None:
        """Change or disable redaction; calls about the same setting are one undo step until `seal`."""
        if what == "on":
            label = self.tr("Anonymize") if spec is not None else self.tr("Anonymize nothing")
        else:
            label = self.tr("Redaction settings")
        self.edit(replace(self.setup, anonymize=spec), label, None if what == "on" else ("anonymize", what))

    def toggle_anonymize(self) -> None:
        """Toggle redaction, with the network's default spec."""
        features = self._engine.current.network_status.features
        usual = usual_for(features.labels if features is not None else ())
        self.set_anonymize(usual if self.setup.anonymize is None else None)

    def set_interpolation(self, spec: InterpolationSpec | None, what: str = "on") -> None:
        """Change or disable frame interpolation."""
        if what == "on":
            label = self.tr("Interpolate frames") if spec is not None else self.tr("Interpolate no frames")
        else:
            label = self.tr("How frames are interpolated")
        key = None if what == "on" else ("interpolation", what)
        self.edit(replace(self.setup, interpolation=spec), label, key)

    def apply(self, *, fade: float = 0.0) -> None:
        """Apply the history's current setup to the engine, and fade to it in `fade` seconds."""
        self._engine.current.fade_to(self.setup, fade)
        self.setup_changed.emit()
        self._wake()

    def wake(self) -> None:
        """Request a redraw."""
        self._wake()

    def begin_with(self, setup: Setup, look: AppliedLook | None = None) -> None:
        """Start the history with a setup, which cannot be undone, and the look that it began with."""
        self.history = History(setup, look)
        self._first_chain = setup.chain
        self.apply()

    def use(self, history: History) -> None:
        """Switch to another history, whose setup the engine has already."""
        self.history = history
        self.setup_changed.emit()

    def take_first(self, steps: OwnHistory) -> None:
        """Have undo and redo ask other steps before those of the setup."""
        self._own_histories.append(steps)

    @property
    def undo_label(self) -> str:
        """Name of the step that `undo` reverts, or ''."""
        own = (steps.undo_label for steps in self._own_histories)
        return next(filter(None, own), self.history.undo_label)

    @property
    def redo_label(self) -> str:
        """Name of the step that `redo` repeats, or ''."""
        own = (steps.redo_label for steps in self._own_histories)
        return next(filter(None, own), self.history.redo_label)

    def undo(self) -> None:
        """Undo the last step."""
        label = self.undo_label
        own = next((steps for steps in self._own_histories if steps.undo_label), None)
        if own is not None:
            own.undo()
        elif self.history.undo():
            self.apply()
        if label:
            self._messages.said.emit(self.tr("Undone: {0}").format(label))

    def redo(self) -> None:
        """Redo the last undone step."""
        label = self.redo_label
        own = next((steps for steps in self._own_histories if steps.redo_label), None)
        if own is not None:
            own.redo()
        elif self.history.redo():
            self.apply()
        if label:
            self._messages.said.emit(self.tr("Redone: {0}").format(label))

    def seal(self) -> None:
        """End a drag."""
        self.history.seal()

    # -- the chain -------------------------------------------------------------------------------------------

    def title_of(self, filter_id: str) -> str:
        """Return a filter's title, or its id if it is unknown."""
        item = self.library.filters.get(filter_id)
        return translated(item.title) if item is not None else filter_id

    def add_filter(
        self, filter_id: str, values: Mapping[str, ParamValue] | None = None, at: int | None = None
    ) -> int | None:
        """Add a stage and return its id; None, with a notice, if that is not possible."""
        try:
            checked = self.library.get(filter_id).check(values or {})
            chain = self.chain.added(filter_id, checked, at)
        except LightloomError as error:
            self._messages.post("error", str(error))
            return None
        before = {stage.id for stage in self.chain.stages}
        self.edit_chain(chain, self.tr("Add {0}").format(self.title_of(filter_id)))
        return next(stage.id for stage in chain.stages if stage.id not in before)

    def remove_stage(self, stage_id: int) -> None:
        """Remove a stage."""
        title = self.title_of(self.chain.find(stage_id).filter)
        self.edit_chain(self.chain.removed(stage_id), self.tr("Remove {0}").format(title))

    def move_stage(self, stage_id: int, to: int) -> None:
        """Move a stage to a position."""
        title = self.title_of(self.chain.find(stage_id).filter)
        self.edit_chain(self.chain.moved(stage_id, to), self.tr("Move {0}").format(title))

    def set_enabled(self, stage_id: int, enabled: bool) -> None:
        """Switch a stage on or off."""
        title = self.title_of(self.chain.find(stage_id).filter)
        label = self.tr("Switch {0} on") if enabled else self.tr("Switch {0} off")
        self.edit_chain(self.chain.with_enabled(stage_id, enabled), label.format(title))

    def set_value(self, stage_id: int, name: str, value: object) -> None:
        """Set a parameter; a row of calls for the same one, until `seal`, is one step of undo."""
        stage = self.chain.find(stage_id)
        try:
            checked = self.library.get(stage.filter).param(name).check(value)
        except LightloomError as error:
            self._messages.post("error", str(error))
            return
        label = self.tr("{0} of {1}").format(self._label(stage.filter, name), self.title_of(stage.filter))
        self.edit_chain(self.chain.with_values(stage_id, {name: checked}), label, (stage_id, name))

    def set_values(self, stage_id: int, values: Mapping[str, object]) -> None:
        """Set parameters of a stage in one step of undo, which is named by the last one."""
        stage = self.chain.find(stage_id)
        item = self.library.get(stage.filter)
        try:
            checked = {name: item.param(name).check(value) for name, value in values.items()}
        except LightloomError as error:
            self._messages.post("error", str(error))
            return
        label = self.tr("{0} of {1}").format(
            self._label(stage.filter, [*values][-1]), self.title_of(stage.filter)
        )
        self.edit_chain(self.chain.with_values(stage_id, checked), label)

    def _label(self, filter_id: str, name: str) -> str:
        return translated(self.library.get(filter_id).param(name).label)

    def reset_stage(self, stage_id: int) -> None:
        """Set all of a stage's parameters to their defaults."""
        stage = self.chain.find(stage_id)
        values = self.library.get(stage.filter).defaults
        label = self.tr("Reset {0}").format(self.title_of(stage.filter))
        self.edit_chain(self.chain.with_values(stage_id, values), label)

    def set_opacity(self, stage_id: int, opacity: float) -> None:
        """Set a stage's opacity, 0 to 1; a row of calls, until `seal`, is one step of undo."""
        label = self.tr("Opacity of {0}").format(self._title_of_stage(stage_id))
        self._mix(stage_id, label, "opacity", opacity=min(1.0, max(0.0, opacity)))

    def set_blend(self, stage_id: int, blend: str) -> None:
        """Set a stage's blend mode, a key of `BLEND_MODES`."""
        label = self.tr("Blend mode of {0}").format(self._title_of_stage(stage_id))
        self._mix(stage_id, label, blend=blend)

    def set_mask(
        self,
        stage_id: int,
        mask: MaskSpec | None,
        label: str = "",
        what: object = None,
        parts: Sequence[int] | None = None,
    ) -> None:
        """Set a stage's mask; a mask without parts is none.

        Calls with the same `what`, until `seal`, are one step of undo. The step is named by `label`.
        `parts` has the indices that the mask's parts had before, if some were moved or removed.
        """
        if mask is not None and not mask.parts:
            mask = None
        stage = self.chain.find(stage_id)
        named = label or self.tr("Mask of {0}").format(self.title_of(stage.filter))
        automation = stage.automation if parts is None else with_parts(stage.automation, parts)
        self._mix(stage_id, named, what, mask=mask, automation=automation)

    def _mix(self, stage_id: int, label: str, what: object = None, **changed: object) -> None:
        key = None if what is None else (stage_id, "mixing", what)
        self.edit_chain(self.chain.with_mixing(stage_id, **changed), label, key)

    def _title_of_stage(self, stage_id: int) -> str:
        return self.title_of(self.chain.find(stage_id).filter)

    def set_automation(
        self, stage_id: int, name: str, automation: Automation | None, label: str, what: str = ""
    ) -> None:
        """Set or remove the automation of a number of a stage; the step of undo is named by `label`.

        Calls about the same setting `what` of it, until `seal`, are one step.
        """
        key = (stage_id, "automation", name, what) if what else None
        self.edit_chain(self.chain.with_automation(stage_id, name, automation), label, key)

    def duplicate_stage(self, stage_id: int) -> None:
        """Insert a copy of a stage after it."""
        stage = self.chain.find(stage_id)
        self._insert(
            (stage,),
            self.chain.stages.index(stage) + 1,
            self.tr("Duplicate {0}").format(self.title_of(stage.filter)),
        )

    def clear_chain(self) -> None:
        """Remove all stages; the network stays."""
        self.edit_chain(ChainSpec(), self.tr("Clear the effects"))

    def fit_values(self, changed: set[str]) -> None:
        """Adapt the stages to changed filters, whose parameters may differ; valid values are kept."""
        label = self.tr("Reload a shader")
        chain = self.fitted(self.chain, changed)
        if chain != self.chain:
            self.edit_chain(chain, label, "reload")
        self.filters_fitted.emit(changed, label)

    def fitted(self, chain: ChainSpec, changed: set[str]) -> ChainSpec:
        """Return a chain with stages that fit filters that were changed."""
        return ChainSpec(tuple(self._fitted(s) if s.filter in changed else s for s in chain.stages))

    def _fitted(self, stage: StageSpec) -> StageSpec:
        item = self.library.filters.get(stage.filter)
        if item is None:
            return stage
        values = dict(item.defaults)
        for name, value in stage.values.items():
            with contextlib.suppress(LightloomError):
                values[name] = item.param(name).check(value)
        return replace(stage, values=values)

    # -- copies ----------------------------------------------------------------------------------------------

    def copy_stages(self, stage_ids: Sequence[int]) -> None:
        """Copy stages to the clipboard, by default all."""
        self.copy_all(tuple(s for s in self.chain.stages if s.id in stage_ids or not stage_ids))

    def copy_all(self, stages: Sequence[StageSpec]) -> None:
        """Copy stages of any chain to the clipboard."""
        self.clipboard = tuple(stages)
        self.clipboard_changed.emit()
        self._messages.said.emit(self.tr("Copied %n effects", "", len(self.clipboard)))

    def paste_stages(self, at: int | None = None) -> None:
        """Paste the stages of the clipboard, at the end by default."""
        if self.clipboard:
            self._insert(self.clipboard, len(self.chain.stages) if at is None else at, self.tr("Paste"))

    def _insert(self, stages: Sequence[StageSpec], at: int, label: str) -> None:
        chain = self.chain
        # Of the stages that masks of later ones may read: those before, and the copied ones. One that is not
        # there any more is none, and not whichever gets its number.
        read = {part.stage for each in stages if each.mask is not None for part in each.mask.parts}
        numbers = {number: 0 for number in read if number is not None}
        numbers |= {each.id: each.id for each in chain.stages[:at]}
        try:
            for offset, stage in enumerate(stages):
                chain = chain.added(stage.filter, stage.values, at + offset)
                copy = chain.stages[at + offset].id
                whole = stage.renumbered(copy, numbers)
                chain = ChainSpec(tuple(whole if each.id == copy else each for each in chain.stages))
                numbers[stage.id] = copy
        except LightloomError as error:
            self._messages.post("error", str(error))
            return
        self.edit_chain(chain, label)
