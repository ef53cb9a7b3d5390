"""The automations of the chain: set, switched, recorded by moving a parameter, and learned from controllers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.base.fields import Number
from desktop.pipeline.automation.controls import ControlValues
from desktop.pipeline.automation.key_frames import (
    MOST_KEY_FRAMES,
    KeyFrame,
    key_frames_of,
    key_frames_text,
)
from desktop.pipeline.automation.source import AutomationSource, Moment, automation_sources
from desktop.pipeline.automation.spec import MOST_AUTOMATIONS, Automation
from desktop.pipeline.chain.automating import Target, targets_of, value_of
from desktop.pipeline.chain.spec import StageSpec
from desktop.pipeline.engine import Engine
from desktop.ui.features.automation.curves import TOLERANCE, recorded_within_limit, set_at
from desktop.ui.features.cuts.cuts import Cuts
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.language import translated
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback

KEY_FRAMES: Final = "key_frames"
_FIRST_SOURCE: Final = "lfo"
# A first range about the parameter's own value, as a share of all of it.
_FIRST_RANGE: Final = 0.25
# Between updates of the values shown.
_SHOW_MS: Final = 60

Key = tuple[int, str]
"""Id of a stage and name of one of its numbers, see `targets_of`."""


@dataclass
class _Take:
    """A recording that is under way.

    Attributes:
        frames: key frames so far, without the movement that is under way.
        samples: of that movement.
        held: the value while the parameter is held.
    """

    key: Key
    frames: tuple[KeyFrame, ...]
    is_changed: bool = False
    samples: list[tuple[float, float]] = field(default_factory=list)
    held: float | None = None


class Automations(QObject):
    """Changes automations of the chain; a number is named by its stage's id and the target's name.

    Signals:
        setup_changed: an automation may have changed.
        values_changed: values given by automations may have changed; at most some times a second.
        recording_changed: a recording has begun or ended.
    """

    setup_changed = Signal()
    values_changed = Signal()
    recording_changed = Signal()

    def __init__(
        self,
        engine: Engine,
        edits: Edits,
        playback: Playback,
        messages: Messages,
        settings: Settings,
        cuts: Cuts,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.cuts = cuts
        self._settings = settings
        self._engine, self._edits, self._playback, self._messages = engine, edits, playback, messages
        self._take: _Take | None = None
        self._shows = QTimer(self, singleShot=True, interval=_SHOW_MS)
        self._shows.timeout.connect(self.values_changed)
        self._learned: Callable[[str], object] | None = None
        self._moved = ThreadSignal(self._take_controller)
        self._watched: tuple[ControlValues, Callable[[str, float], None]] | None = None

    # -- what there is ---------------------------------------------------------------------------------------

    def stage(self, stage_id: int) -> StageSpec | None:
        """Return a stage of the chain; None if it is gone."""
        return next((each for each in self._edits.chain.stages if each.id == stage_id), None)

    def targets(self, stage_id: int) -> Mapping[str, Target]:
        """Return the numbers of a stage that can be automated."""
        stage = self.stage(stage_id)
        return targets_of(stage, self._edits.library) if stage is not None else {}

    def get(self, key: Key) -> Automation | None:
        """Return the automation of a number; None without one."""
        stage = self.stage(key[0])
        return stage.automation.get(key[1]) if stage is not None else None

    def label(self, key: Key) -> str:
        """Return the translated name of a number; of a point's part, with its direction."""
        target = self.targets(key[0]).get(key[1])
        if target is None or target.field is None:
            return self.tr("Opacity")
        label = translated(target.field.label)
        if isinstance(target.field, Number):
            return label
        return (self.tr("{0}, across") if key[1].endswith(".x") else self.tr("{0}, down")).format(label)

    def running(self, key: Key) -> float | None:
        """Return the value that an automation gives now; None if the number has its own."""
        automation = self.get(key)
        if automation is None or not automation.enabled:
            return None
        if self._take is not None and self._take.key == key and self._take.held is not None:
            return self._take.held
        source = automation_sources().get(automation.source)
        if source is not None and source.is_absolute:
            # Not that of the last frame, which an edit has outdated until the next one is drawn.
            return source.at(automation.values, Moment(self.position))
        return self._engine.current.automated.get(key[0], {}).get(key[1])

    def own_values(self, keys: Iterable[Key]) -> tuple[float, ...]:
        """Return the own values of numbers, which automations leave as they are."""
        stages = [(self.stage(stage_id), name) for stage_id, name in keys]
        return tuple(value_of(stage, name) or 0.0 if stage is not None else 0.0 for stage, name in stages)

    @property
    def position(self) -> float:
        """Time of the frame that is shown, in seconds."""
        return max(0.0, self._engine.current.shown_pts)

    @property
    def duration(self) -> float:
        """Length of the video in seconds; 0 if it has none."""
        info = self._playback.info
        return info.duration if info is not None and info.duration else 0.0

    @staticmethod
    def key_frames(automation: Automation) -> tuple[KeyFrame, ...]:
        """Return the key frames of an automation that has such."""
        return key_frames_of(str(automation.values.get("frames", "")))

    # -- edits -----------------------------------------------------------------------------------------------

    def begin(self, key: Key) -> None:
        """Automate a number, with an oscillator about its own value."""
        target, stage = self.targets(key[0])[key[1]], self.stage(key[0])
        own = value_of(stage, key[1]) if stage is not None else None
        own = target.min if own is None else own
        span = _FIRST_RANGE * (target.max - target.min)
        other = own + span if own + span <= target.max else own - span
        if target.is_whole:
            other = round(other)
        if sum(len(each.automation) for each in self._edits.chain.stages) >= MOST_AUTOMATIONS:
            most = self.tr("A chain has at most {0} automations; remove one first.")
            self._messages.post("error", most.format(MOST_AUTOMATIONS))
            return
        source = automation_sources()[_FIRST_SOURCE]
        low, high = sorted((own, other))
        label = self.tr("Automate {0}").format(self.label(key))
        self._edits.set_automation(*key, Automation(source.id, source.check({}), low, high), label)

    def change(self, key: Key, automation: Automation, what: str = "") -> None:
        """Change an automation; calls about the same setting, until `seal`, are one step of undo."""
        label = self.tr("Automation of {0}").format(self.label(key))
        self._edits.set_automation(*key, automation, label, what)

    def set_frames(self, key: Key, frames: tuple[KeyFrame, ...], what: str = KEY_FRAMES) -> None:
        """Set the key frames of an automation that has such."""
        automation = self.get(key)
        if automation is None:
            return
        if len(frames) > MOST_KEY_FRAMES:
            most = self.tr("{0} has at most {1} key frames; remove one first.")
            self._messages.post("error", most.format(self.label(key), MOST_KEY_FRAMES))
            self.setup_changed.emit()  # what is shown has one too many
            return
        self.change(key, replace(automation, values={"frames": key_frames_text(frames)}), what)

    def report_cuts_left_out(self, key: Key, count: int) -> None:
        """Report that scene cuts got no key frame, as there are as many as there may be."""
        text = self.tr(
            "%n scene cuts have no key frame, as {0} can have {1} at most; remove some first.", "", count
        )
        self._messages.post("warning", text.format(self.label(key), MOST_KEY_FRAMES))

    def use_source(self, key: Key, source: AutomationSource) -> None:
        """Follow another source, with its defaults; key frames begin with the value of the frame shown."""
        automation, stage = self.get(key), self.stage(key[0])
        if automation is None or stage is None or automation.source == source.id:
            return
        values = source.check({})
        if source.id == KEY_FRAMES:
            own = self.running(key)
            value = own if own is not None else value_of(stage, key[1]) or 0.0
            values = {"frames": key_frames_text((KeyFrame(self.position, value),))}
        self.change(key, replace(automation, source=source.id, values=values))

    def toggle(self, key: Key) -> None:
        """Switch an automation off or on."""
        automation = self.get(key)
        if automation is not None:
            on = not automation.enabled
            label = self.tr("Automation of {0} on") if on else self.tr("Automation of {0} off")
            changed = replace(automation, enabled=on)
            self._edits.set_automation(*key, changed, label.format(self.label(key)))

    def remove(self, key: Key) -> None:
        """Remove an automation."""
        label = self.tr("Remove the automation of {0}").format(self.label(key))
        self._edits.set_automation(*key, None, label)

    def seal(self) -> None:
        """End a drag: of a setting, or of the parameter that is recorded."""
        take = self._take
        if take is None:
            self._edits.seal()
        elif take.held is not None:
            take.held = None
            self._end_movement(take)
            self._show_take(take)

    # -- edits of the parameter itself -----------------------------------------------------------------------

    def take_value(self, stage_id: int, name: str, value: object) -> object | None:
        """Take a value that the user gives a number; return the one that it is to have itself, None for none.

        An automated number keeps its own: a recording writes the value, and key frames get it at the position
        of the video if this is paused. Of a point's two numbers one may be automated.
        """
        stage = self.stage(stage_id)
        if stage is None or not stage.automation or isinstance(value, bool):
            return value
        if isinstance(value, (int, float)):
            return None if self._take_number((stage_id, name), float(value)) else value
        keys = tuple((stage_id, f"{name}.{axis}") for axis in "xy")
        if not isinstance(value, tuple) or len(value) != len(keys) or not any(map(self.get, keys)):
            return value
        taken = [self._take_number(key, number) for key, number in zip(keys, value, strict=True)]
        own = self.own_values(keys)
        return None if all(taken) else tuple(own[i] if taken[i] else value[i] for i in range(len(keys)))

    def _take_number(self, key: Key, value: float) -> bool:
        automation, take = self.get(key), self._take
        if automation is None or self.running(key) is None:
            return False
        if take is not None and take.key == key:
            if self._begins_elsewhere(take):
                self._end_movement(take)
            take.held = value
            take.samples.append((self.position, value))
            self._show_take(take)
        elif automation.source == KEY_FRAMES:
            if self._playback.is_playing and self.duration:
                self._messages.said.emit(self.tr("Pause, or record the key frames"))
            else:
                self.set_frames(key, set_at(self.key_frames(automation), self.position, value), "value")
        self._shows.start()
        return True

    def _begins_elsewhere(self, take: _Take) -> bool:
        return bool(take.samples) and self.position < take.samples[-1][0]

    # -- recording -------------------------------------------------------------------------------------------

    @property
    def recording(self) -> Key | None:
        """The number whose key frames are recorded; None if none is."""
        return self._take.key if self._take is not None else None

    def record(self, key: Key) -> None:
        """Write key frames at the position of the video while the parameter is moved, until `stop_recording`."""
        self.stop_recording()
        automation = self.get(key)
        if automation is None or automation.source != KEY_FRAMES:
            return
        if not automation.enabled:
            self.toggle(key)
        self._take = _Take(key, self.key_frames(automation))
        self._messages.said.emit(self.tr("Play the video and move {0}").format(self.label(key)))
        self.recording_changed.emit()

    def stop_recording(self) -> None:
        """Write what was recorded, as one step of undo."""
        take = self._take
        if take is None:
            return
        self._end_movement(take)
        self._take = None
        automation = self.get(take.key)
        if take.is_changed and automation is not None:
            values = {"frames": key_frames_text(take.frames)}
            label = self.tr("Record {0}").format(self.label(take.key))
            self._edits.set_automation(*take.key, replace(automation, values=values), label)
        elif take.held is not None:  # it is shown, and was not recorded
            self._engine.current.set_setup(self._edits.setup)
            self._playback.woken.emit()
        self.recording_changed.emit()

    def _end_movement(self, take: _Take) -> None:
        target = self.targets(take.key[0]).get(take.key[1])
        if take.samples and target is not None:
            tolerance = TOLERANCE * (target.max - target.min)
            before = take.frames
            take.frames, is_close = recorded_within_limit(before, take.samples, tolerance)
            if not is_close and take.frames == before:
                text = self.tr(
                    "Nothing was recorded: {0} has at most {1} key frames, and no room for more; remove some first."
                )
                self._messages.post("error", text.format(self.label(take.key), MOST_KEY_FRAMES))
                take.samples = []
                return
            take.is_changed = True
            if not is_close:
                text = self.tr(
                    "{0} has at most {1} key frames: what was recorded follows the movement less closely; record a "
                    "shorter part, or remove key frames."
                )
                self._messages.post("warning", text.format(self.label(take.key), MOST_KEY_FRAMES))
        take.samples = []

    def _show_take(self, take: _Take) -> None:
        """Show the value that is held, or the key frames so far; the history has neither."""
        automation = self.get(take.key)
        if automation is None:
            return
        frames = take.frames if take.held is None else (KeyFrame(0.0, take.held),)
        shown = replace(automation, values={"frames": key_frames_text(frames)})
        chain = self._edits.chain.with_automation(*take.key, shown)
        self._engine.current.set_setup(replace(self._edits.setup, chain=chain))
        self._playback.woken.emit()

    def follow_frame(self) -> None:
        """Record the value that is held, and show values; called when a frame has come back."""
        take = self._take
        if take is not None and take.held is not None:
            if self._begins_elsewhere(take):  # a seek, or the next round of a loop
                self._end_movement(take)
            take.samples.append((self.position, take.held))
        if not self._shows.isActive():
            self._shows.start()

    def follow_setup(self) -> None:
        """End a recording whose key frames were removed, switched off or replaced."""
        if self._take is not None:
            automation = self.get(self._take.key)
            if automation is None or not automation.enabled or automation.source != KEY_FRAMES:
                self._take = None
                self.recording_changed.emit()
        self.setup_changed.emit()

    # -- controllers -----------------------------------------------------------------------------------------

    def is_received(self, source: str) -> bool:
        """Return whether the preferences have the controllers of a source received."""
        return bool(self._settings.midi_device if source == "midi" else self._settings.osc_address)

    def learn(self, learned: Callable[[str], object]) -> None:
        """Call `learned` with the addresses of controllers that move, until `stop_learning`."""
        self.stop_learning()
        controls = self._engine.controls
        before, send = controls.on_change, self._moved.send
        self._learned, self._watched = learned, (controls, before)

        def on_change(address: str, value: float) -> None:
            before(address, value)
            send(address)

        controls.on_change = on_change

    def stop_learning(self) -> None:
        """End `learn`."""
        self._learned = None
        if self._watched is not None:
            controls, before = self._watched
            controls.on_change = before
            self._watched = None

    def _take_controller(self, address: Any) -> None:
        if self._learned is not None:
            self._learned(address)

    def close(self) -> None:
        """Stop listening to controllers."""
        self.stop_learning()
        self._shows.stop()
