"""Edit zones, lines and their events, hold the current draft, and carry out the events' actions."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QObject, Signal

from desktop.base.errors import LightloomError
from desktop.overlay.zones import DrawnZone, drawn_zones
from desktop.pipeline.engine import Engine
from desktop.ui.features.overlay.saved_overlay import SavedOverlay
from desktop.ui.kit.messages import Messages
from desktop.ui.kit.thread_signal import ThreadSignal
from desktop.ui.workspace.edits import Edits
from desktop.ui.workspace.playback import Playback
from desktop.vision.tasks.shapes import Place, Position
from desktop.vision.tracking.anonymize import hides_others
from desktop.vision.tracking.counts import Counts
from desktop.vision.tracking.events import MOST_EVENTS, ActionSpec, EventSpec
from desktop.vision.tracking.scene import SceneSpec, TrackedResult
from desktop.vision.tracking.track import TrackSpec
from desktop.vision.tracking.zones import (
    MOST_CORNERS,
    MOST_ZONES,
    AnyZone,
    LineSpec,
    ZoneSpec,
    free_name,
    is_drawable,
)

if TYPE_CHECKING:
    import numpy as np

    # They import network access, which the first frame does not need.
    from desktop.outputs.events.delivery import Deliveries, Trouble

Kind = Literal["polygon", "line"]

_SQUARE: Final = ((0.3, 0.3), (0.7, 0.3), (0.7, 0.7), (0.3, 0.7))
_NOTIFICATION: Final = "event notification"
_OUTSIDE_EVERY_S: Final = 5.0
_LEVEL: Final = ((0.2, 0.5), (0.8, 0.5))


@dataclass(frozen=True)
class Draft:
    """A shape being drawn: its points so far, and the preview of the next one."""

    kind: Kind
    points: tuple[Position, ...] = ()
    next: Position | None = None


class Zones(QObject):
    """Edits the zones of the setup, one undo step at a time, and carries out their events' actions.

    `selected` is the name of the zone whose corners can be moved, `corner` the corner that the arrow keys
    move.

    Signals:
        changed: zones, selection or draft have changed.
        logged: a frame's events, as a tuple of `LoggedEvent`; the frame can still be exported.
    """

    changed = Signal()
    logged = Signal(object)

    def __init__(
        self,
        engine: Engine,
        messages: Messages,
        playback: Playback,
        edits: Edits,
        overlay: SavedOverlay,
        parent: QObject,
    ) -> None:
        """Make it; event snapshots include the overlay that `overlay` returns."""
        super().__init__(parent)
        self._overlay = overlay
        self._engine, self._messages, self._playback, self._edits = engine, messages, playback, edits
        self.selected = ""
        self.corner: int | None = None
        self.draft: Draft | None = None
        self._deliveries: Deliveries | None = None
        self._clip: ActionSpec | None = None
        self._shown_outside = -_OUTSIDE_EVERY_S
        self._trouble = ThreadSignal(self._report_trouble)
        self._notified = ThreadSignal(self._notify)
        engine.on_tracked_result.append(self._on_tracked_result)
        playback.jumped.connect(self._cut_clips)
        playback.opened.connect(lambda _: self._cut_clips())
        edits.setup_changed.connect(self._follow)
        self._anonymize = edits.setup.anonymize

    # -- what there is ---------------------------------------------------------------------------------------

    @property
    def scene(self) -> SceneSpec:
        """The scene of the setup."""
        return self._edits.setup.scene

    @property
    def counts(self) -> tuple[Counts, ...]:
        """The zones' last counts."""
        return self._engine.current.counts

    def find(self, name: str) -> AnyZone | None:
        """Return the zone of a name."""
        return next((zone for zone in self.scene.zones if zone.name == name), None)

    def events_of(self, name: str) -> tuple[EventSpec, ...]:
        """Return the events of a zone."""
        return tuple(event for event in self.scene.events if event.zone == name)

    def drawn(self, counts: Sequence[Counts], put: Place, aspect: float) -> tuple[DrawnZone, ...]:
        """Return the zones and the draft in canvas coordinates; see `drawn_zones`."""
        zones = drawn_zones(self.scene.zones, counts, put, aspect, self.selected, self.corner)
        draft = self.draft
        if draft is None:
            return zones
        points = draft.points if draft.next is None else (*draft.points, draft.next)
        placed = tuple(put(x, y) for x, y in points)
        return (*zones, DrawnZone(placed, False, len(self.scene.zones), has_corners=True))

    # -- drawing ---------------------------------------------------------------------------------------------

    def is_drawing(self, kind: Kind) -> bool:
        """Return whether a zone or line of this kind is being drawn."""
        return self.draft is not None and self.draft.kind == kind

    def begin(self, kind: Kind) -> None:
        """Begin to draw; the next clicks on the frame are points. The same again ends it."""
        self.draft = None if self.is_drawing(kind) or not self._can_add_zone() else Draft(kind)
        self.changed.emit()

    def add_point(self, at: Position) -> None:
        """Set the next point; the second one of a line ends it."""
        draft = self.draft
        if draft is None:
            return
        # The second click of a double click sets no second point.
        if len(draft.points) >= MOST_CORNERS:
            text = self.tr("A zone has {n} corners at most; Enter closes it.")
            self._messages.said.emit(text.format(n=MOST_CORNERS))
        elif not draft.points or draft.points[-1] != at:
            self.draft = replace(draft, points=(*draft.points, at))
        if self.draft is not None and self.draft.kind == "line" and len(self.draft.points) == 2:
            self.finish()
        else:
            self.changed.emit()

    def aim(self, at: Position) -> None:
        """Preview the next point."""
        if self.draft is not None and self.draft.points:
            self.draft = replace(self.draft, next=at)
            self.changed.emit()

    def take_back(self) -> None:
        """Remove the draft's last point."""
        if self.draft is not None:
            self.draft = replace(self.draft, points=self.draft.points[:-1])
            self.changed.emit()

    def finish(self) -> None:
        """Turn the draft into a zone; one with too few points stays a draft."""
        draft = self.draft
        if draft is None:
            return
        if not self._add(draft.kind, draft.points):
            self._messages.said.emit(
                self.tr("A line needs two points.")
                if draft.kind == "line"
                else self.tr("A zone needs three corners, not on one line.")
            )

    def cancel(self) -> None:
        """Draw nothing any more."""
        self.draft = None
        self.changed.emit()

    def leave(self) -> None:
        """Discard the draft and end event clips, because the source has changed."""
        self._cut_clips()
        self.cancel()

    def add_usual(self, kind: Kind) -> None:
        """Add a zone in the middle of the frame, to be moved by keys."""
        if self._can_add_zone():
            self._add(kind, _SQUARE if kind == "polygon" else _LEVEL)
            self.select(self.selected, 0)

    def _can_add_zone(self) -> bool:
        if len(self.scene.zones) < MOST_ZONES:
            return True
        self._messages.post(
            "error", self.tr("There can be {n} zones at most; remove one first.").format(n=MOST_ZONES)
        )
        return False

    def _add(self, kind: Kind, points: tuple[Position, ...]) -> bool:
        zones = self.scene.zones
        wanted = self.tr("Line") if kind == "line" else self.tr("Zone")
        color = max((zone.color for zone in zones), default=-1) + 1
        make = LineSpec if kind == "line" else ZoneSpec
        zone = make(free_name(f"{wanted} {len(zones) + 1}", zones), points, color=color)
        if not is_drawable(zone):
            return False
        scene = replace(self.scene, zones=(*zones, zone))
        starts_following = scene.track is None
        if starts_following:
            scene = replace(scene, track=TrackSpec())
        self.draft = None
        self.selected, self.corner = zone.name, None
        self._edit(scene, self.tr("Add {0}").format(zone.name))
        self.changed.emit()
        if starts_following:
            self._messages.post(
                "info",
                self.tr(
                    "Tracking is turned on: without it a zone counts who is inside, but not who enters, "
                    "leaves or crosses."
                ),
            )
        return True

    # -- changing --------------------------------------------------------------------------------------------

    def _edit(self, scene: SceneSpec, label: str, key: object = None) -> None:
        self._edits.edit(replace(self._edits.setup, scene=scene), label, key)

    def select(self, name: str, corner: int | None = None) -> None:
        """Select a zone, whose corners can then be moved; '' for none."""
        if (name, corner) != (self.selected, self.corner):
            self.selected, self.corner = name, corner
            self.changed.emit()

    def change(self, name: str, zone: AnyZone, label: str, key: object = None) -> None:
        """Replace the named zone and keep its events; a name already in use gets a number."""
        others = [each for each in self.scene.zones if each.name != name]
        zone = replace(zone, name=free_name(zone.name, others))
        if not is_drawable(zone):
            return
        zones = tuple(zone if each.name == name else each for each in self.scene.zones)
        events = tuple(
            replace(event, zone=zone.name) if event.zone == name else event for event in self.scene.events
        )
        if self.selected == name:
            self.selected = zone.name
        self._edit(replace(self.scene, zones=zones, events=events), label, key)

    def move_corner(self, name: str, number: int, to: Position) -> None:
        """Move a corner; consecutive calls until `seal` are one undo step."""
        zone = self.find(name)
        if zone is None or not 0 <= number < len(zone.points):
            return
        x, y = (min(1.0, max(0.0, share)) for share in to)
        points = (*zone.points[:number], (x, y), *zone.points[number + 1 :])
        label = self.tr("Move a corner of {0}").format(name)
        self.change(name, zone.with_points(points), label, ("corner", name, number))

    def seal(self) -> None:
        """End a drag."""
        self._edits.seal()

    def flip(self, name: str) -> None:
        """Turn a line's forward around."""
        zone = self.find(name)
        if isinstance(zone, LineSpec):
            self.change(name, zone.flipped(), self.tr("Turn {0} around").format(name))

    def remove(self, name: str) -> None:
        """Remove a zone with its events."""
        zones = tuple(zone for zone in self.scene.zones if zone.name != name)
        events = tuple(event for event in self.scene.events if event.zone != name)
        self._edit(replace(self.scene, zones=zones, events=events), self.tr("Remove {0}").format(name))

    def add_event(self, name: str) -> None:
        """Add an event to a zone."""
        zone, events = self.find(name), self.scene.events
        if zone is None:
            return
        if len(events) >= MOST_EVENTS:
            text = self.tr("There can be {n} events at most; remove one first.")
            self._messages.post("error", text.format(n=MOST_EVENTS))
            return
        taken = {event.name for event in events}
        number = next(n for n in range(1, len(taken) + 2) if self.tr("Event {n}").format(n=n) not in taken)
        when: Literal["crosses", "enters"] = "crosses" if isinstance(zone, LineSpec) else "enters"
        event = EventSpec(self.tr("Event {n}").format(n=number), name, when)
        self._edit(replace(self.scene, events=(*events, event)), self.tr("Add an event to {0}").format(name))

    def change_event(self, name: str, event: EventSpec, key: object = None) -> None:
        """Replace the named event; it keeps its name, with a message, if the new one is in use."""
        if event.name != name and any(each.name == event.name for each in self.scene.events):
            self._messages.said.emit(self.tr("There is an event {0} already").format(event.name))
            event = replace(event, name=name)
        events = tuple(event if each.name == name else each for each in self.scene.events)
        self._edit(replace(self.scene, events=events), self.tr("Change {0}").format(name), key)

    def remove_event(self, name: str) -> None:
        """Remove an event."""
        events = tuple(event for event in self.scene.events if event.name != name)
        self._edit(replace(self.scene, events=events), self.tr("Remove {0}").format(name))

    def toggle_heat_map(self) -> None:
        """Accumulate and show the heat map of detections, or stop."""
        label = self.tr("Heat map off") if self.scene.heat_map else self.tr("Heat map on")
        self._edit(replace(self.scene, heat_map=not self.scene.heat_map), label)

    def reset_counts(self) -> None:
        """Count from nothing."""
        self._engine.current.reset_counts()
        self._messages.said.emit(self.tr("Counts begin anew"))

    def _follow(self) -> None:
        before, self._anonymize = self._anonymize, self._edits.setup.anonymize
        if hides_others(before, self._anonymize):
            # No clip that is ordered from now on has frames in which that is to be seen.
            self._cut_clips()
        if self.selected and self.find(self.selected) is None:
            self.select("")
        if self._deliveries is None and any(event.actions and event.enabled for event in self.scene.events):
            # Clips begin before the first event.
            self._deliveries = self._make_deliveries()
        elif self._deliveries is not None:
            self._deliveries.use(self._performed_events())

    # -- what is done about events ---------------------------------------------------------------------------

    def _on_tracked_result(self, tracked_result: TrackedResult) -> None:
        info = self._playback.info
        source = info.title if info is not None else ""
        if self._deliveries is not None:
            self._deliveries.show_counts(tracked_result.counts, source)
        if not tracked_result.occurrences:
            return
        if self._deliveries is None:
            self._deliveries = self._make_deliveries()
        self.logged.emit(self._deliveries.take(tracked_result.occurrences, source, self._export))

    def on_drawn(self) -> None:
        """A new frame was drawn: clips of events may be made of it."""
        if self._deliveries is None or not self._deliveries.clip_buffer.wants:
            return
        picture = self._export()
        if picture is not None:
            self._deliveries.clip_buffer.add(picture, self._engine.current.shown_pts)

    def _cut_clips(self) -> None:
        if self._deliveries is not None:
            self._deliveries.clip_buffer.cut()

    @property
    def deliveries(self) -> Deliveries | None:
        """Carries out event actions; None before the first event."""
        return self._deliveries

    def _make_deliveries(self) -> Deliveries:
        from desktop.outputs.events.action import Surroundings
        from desktop.outputs.events.delivery import Deliveries

        deliveries = Deliveries(Surroundings(self._notified.send), self._trouble.send)
        deliveries.use(self._performed_events())
        return deliveries

    def store_clips(self, clip: ActionSpec | None) -> None:
        """Perform an action that saves a clip of each event, in addition to the events' own; None for none."""
        if clip == self._clip:
            return
        self._clip = clip
        if self._deliveries is not None:
            self._deliveries.use(self._performed_events())
        elif clip is not None:
            self._deliveries = self._make_deliveries()

    def _performed_events(self) -> tuple[EventSpec, ...]:
        clip = self._clip
        return self.scene.events if clip is None else tuple(_with_clip(e, clip) for e in self.scene.events)

    def _export(self) -> Callable[[], np.ndarray] | None:
        try:
            pending = self._engine.current.export(self._overlay.over())
        except LightloomError:
            return None  # the action says that there was no frame
        return None if pending is None else pending.result

    def _report_trouble(self, trouble: Trouble) -> None:
        self._messages.settled.emit(trouble.about)
        if trouble.text:
            self._messages.post("error", trouble.text, about=trouble.about)

    def _notify(self, text: str) -> None:
        # The newest stands for those before it: at a busy door nothing else could be read.
        self._messages.settled.emit(_NOTIFICATION)
        self._messages.post("info", text, about=_NOTIFICATION)
        if time.monotonic() - self._shown_outside >= _OUTSIDE_EVERY_S:
            self._shown_outside = time.monotonic()
            show_in_tray(text, self)

    def close(self) -> None:
        """Deliver pending actions, within a short time."""
        with contextlib.suppress(ValueError):
            self._engine.on_tracked_result.remove(self._on_tracked_result)
        if self._deliveries is not None:
            self._deliveries.close()


def _with_clip(event: EventSpec, clip: ActionSpec) -> EventSpec:
    """Return an event that performs only `clip` while it is off, and has no second one."""
    actions = event.actions if event.enabled else ()
    if any(action.kind == clip.kind for action in actions):
        return event
    return replace(event, state="on", actions=(*actions, clip))


def show_in_tray(text: str, parent: QObject) -> None:
    """Also show a message outside the window, if the system has a notification area."""
    from PySide6.QtWidgets import QApplication, QSystemTrayIcon

    if not QSystemTrayIcon.isSystemTrayAvailable() or not QSystemTrayIcon.supportsMessages():
        return
    tray = parent.findChild(QSystemTrayIcon)
    if tray is None:
        tray = QSystemTrayIcon(QApplication.windowIcon(), parent)
        tray.show()
    tray.showMessage("Lightloom", text)
