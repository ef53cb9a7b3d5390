"""The window as a program that is controlled: reads its state and carries out requests."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from desktop.base.errors import ServingError
from desktop.base.fields import Field, Flag, Number
from desktop.base.version import version
from desktop.base.wording import sentence
from desktop.media.sources.base import named
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.filters.description import Filter
from desktop.pipeline.filters.param import FileParam, Param
from desktop.pipeline.filters.params.points import PointsParam
from desktop.pipeline.masks.blending import OPACITY
from desktop.pipeline.setup.setup import Setup
from desktop.serving.control.documents import (
    ListedLook,
    Looks,
    LookState,
    Parameter,
    Parameters,
    SetListState,
    SourceState,
    Stage,
    State,
)
from desktop.ui.features.library.items import ListedPreset
from desktop.ui.features.library.presets import Presets
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.set_list.set_list import SetList
from desktop.ui.kit.language import translated
from desktop.ui.workspace.workspace import Workspace

ENABLED: Final = Flag("enabled", True, label=sentence("On"))
# After a pause of this many seconds the next change of a value is another step of undo.
_PAUSE_S: Final = 1.0


class WindowProgram:
    """See `Program`; for the window's thread."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._edits, self._playback = workspace.edits, workspace.playback
        self._changed_at = 0.0
        self._described: tuple[Setup | None, Parameters] = (None, Parameters(()))

    # -- what is there ---------------------------------------------------------------------------------------

    def state(self) -> State:
        """Return what is shown and done now."""
        edits = self._edits
        return State(
            version=version(),
            source=self._source(),
            is_playing=self._playback.is_playing,
            is_recording=self._workspace.get(Pictures).recording is not None,
            look=self._look(),
            set_list=self._set_list(),
            effects=len(edits.chain.stages),
            undo=edits.undo_label,
            redo=edits.redo_label,
        )

    def _source(self) -> SourceState | None:
        info, seekable = self._playback.info, self._playback.seekable
        if info is None:
            return None
        position = round(seekable.position, 2) if seekable is not None else None
        duration = info.duration if seekable is not None and info.duration else None
        return SourceState(translated(named(info)), info.kind, info.live, duration, position)

    def _look(self) -> LookState | None:
        look = self._edits.history.look
        if look is None:
            return None
        return LookState(translated(look.title), not look.is_unchanged(self._edits.setup))

    def _set_list(self) -> SetListState:
        set_list = self._workspace.get(SetList)
        return SetListState(set_list.place, tuple(entry.title for entry in set_list.entries))

    def parameters(self) -> Parameters:
        """Return the chain's parameters; files, which a client might choose freely, are not among them."""
        setup = self._edits.setup
        if self._described[0] is not setup:
            stages = (self._stage(stage) for stage in setup.chain.stages)
            self._described = (setup, Parameters(tuple(each for each in stages if each is not None)))
        return self._described[1]

    def _stage(self, stage: StageSpec) -> Stage | None:
        item = self._edits.library.filters.get(stage.filter)
        if item is None:
            return None
        values = {param.name: stage.values.get(param.name, param.default) for param in item.params}
        acting = item.acting(values)
        own = [
            _parameter(param, param.type, values[param.name], is_used=param.name in acting)
            for param in _settable(item)
        ]
        return Stage(
            stage.id,
            stage.filter,
            self._edits.title_of(stage.filter),
            (
                _parameter(ENABLED, "bool", stage.enabled),
                *own,
                _parameter(OPACITY, "float", stage.opacity),
            ),
        )

    def looks(self) -> Looks:
        """Return the looks that can be applied."""
        return Looks(
            tuple(
                ListedLook(name, look.title, look.help, look.is_own)
                for name, look in self._named_looks().items()
            )
        )

    def _named_looks(self) -> dict[str, ListedPreset]:
        presets = self._workspace.get(Presets)
        if presets.listed:
            # Files are not listed while the window waits; what is new is there at the next request.
            presets.refresh_later()
        else:
            presets.refresh()
        found: dict[str, ListedPreset] = {}
        for look in presets.listed:
            name = Path(look.name).stem if look.is_own else look.name
            # A file of the user's may have the name of a bundled look.
            while name in found:
                name += "-own"
            found[name] = look
        return found

    # -- what is done ----------------------------------------------------------------------------------------

    def set_values(self, stage: int, values: Mapping[str, Any]) -> None:
        """Set parameters of a stage, all of them or none."""
        spec = next((each for each in self._edits.chain.stages if each.id == stage), None)
        item = self._edits.library.filters.get(spec.filter) if spec is not None else None
        if item is None:
            raise ServingError("missing", f"The chain has no stage {stage}; read /v1/parameters.")
        fields: dict[str, Field] = {param.name: param for param in _settable(item)}
        fields |= {ENABLED.name: ENABLED, OPACITY.name: OPACITY}
        for name in values:
            if name not in fields:
                known = ", ".join(fields)
                raise ServingError("missing", f"The stage {stage} has no such parameter; it has {known}.")
        checked = {name: fields[name].check(value) for name, value in values.items()}
        now = time.monotonic()
        if now - self._changed_at > _PAUSE_S:
            self._edits.seal()
        self._changed_at = now
        for name, value in checked.items():
            if name == ENABLED.name:
                self._edits.set_enabled(stage, value)
            elif name == OPACITY.name:
                self._edits.set_opacity(stage, value)
            else:
                self._edits.set_value(stage, name, value)

    def apply_look(self, name: str, fade_s: float | None) -> None:
        """Begin to apply a look, which is read first, with a cross-fade; None for that of the settings."""
        look = self._named_looks().get(name)
        if look is None:
            raise ServingError("missing", "There is no look of this name; read /v1/looks.")
        self._workspace.get(Opening).load_preset(look.path, fade_s)

    def step_set_list(self, by: int) -> None:
        """Go to the next look of the set list (1) or the previous one (-1)."""
        set_list = self._workspace.get(SetList)
        if not set_list.step(by):
            if not set_list.entries:
                raise ServingError("invalid", "The set list is empty; add looks to it in the window.")
            where, other = ("end", "previous") if by > 0 else ("beginning", "next")
            raise ServingError("invalid", f"The set list is at its {where}; go to the {other} look.")

    def play(self, playing: bool) -> None:
        """Play or pause."""
        self._require_time_line()
        if self._playback.is_playing != playing:
            self._playback.toggle()

    def seek(self, position: float) -> None:
        """Go to a time in seconds."""
        self._require_time_line()
        self._playback.seek(position)

    def _require_time_line(self) -> None:
        if self._playback.seekable is None:
            raise ServingError("invalid", "The source has no time line; open a video in the window.")

    def record(self, on: bool) -> None:
        """Start or end a recording."""
        self._require_frame()
        pictures = self._workspace.get(Pictures)
        if (pictures.recording is not None) != on:
            pictures.toggle_recording()

    def snapshot(self) -> None:
        """Save the frame that is shown."""
        self._require_frame()
        self._workspace.get(Pictures).snapshot()

    def _require_frame(self) -> None:
        if not self._workspace.engine.current.picture_size[0]:
            raise ServingError("invalid", "No frame is shown yet; open a source in the window.")

    def undo(self) -> None:
        """Undo the last step."""
        if not self._edits.undo_label:
            raise ServingError("invalid", "There is nothing to undo; change something first.")
        self._edits.undo()

    def redo(self) -> None:
        """Repeat the step that was undone last."""
        if not self._edits.redo_label:
            raise ServingError("invalid", "There is nothing to repeat; undo something first.")
        self._edits.redo()


def _settable(item: Filter) -> list[Param]:
    return [param for param in item.params if not isinstance(param, FileParam | PointsParam)]


def _parameter(field: Field, kind: str, value: Any, *, is_used: bool = True) -> Parameter:
    is_number = isinstance(field, Number)
    return Parameter(
        name=field.name,
        label=translated(field.label),
        type=kind,
        value=value,
        min=field.min if is_number else None,
        max=field.max if is_number else None,
        step=field.step if is_number else None,
        unit=translated(field.unit) if is_number else "",
        scale=field.scale if isinstance(field, Number) else 1.0,
        choices=tuple(field.choices),
        titles=tuple(translated(title) for _, title in field.options) if field.choices else (),
        is_used=is_used,
    )
