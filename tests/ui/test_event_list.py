"""The list of events: thumbnails, filters, keys, clips of files and of live sources, and events of a file."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from event_rig import happen
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from subtitle_rig import write_video

from desktop.outputs.events import event_actions
from desktop.outputs.events.action import Note
from desktop.ui.features.event_list.clip_player import ClipPlayer
from desktop.ui.features.event_list.event_list import MOST_EVENTS, EventList
from desktop.ui.features.event_list.panel import EventsPanel
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.zones.zones import Zones
from desktop.vision.tracking.events import ActionSpec, EventSpec, Occurrence
from desktop.vision.tracking.zones import ZoneSpec

ROOM = ZoneSpec("Room", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
COMES = Occurrence("In", "Room", "enters", 2.0, "person", 7)


@pytest.fixture
def events(ui, tmp_path):
    """The panel, with a video of four seconds and one event."""
    path = write_video(tmp_path / "street.mp4", seconds=4)
    ui.play(str(path))
    ui.settle()
    setup = ui.workspace.edits.setup
    scene = replace(setup.scene, zones=(ROOM,), events=(EventSpec("In", "Room"),))
    ui.workspace.edits.edit(replace(setup, scene=scene), "zones")
    ui.window.dock_area.show("events")
    found = ui.window.dock_area.panel("events", EventsPanel)
    ui.workspace.get(EventList).clear()
    found.all.click()
    yield found
    ui.workspace.get(EventList).clear()
    ui.window.dock_area.toggle("events")


def rows(panel: EventsPanel) -> list[str]:
    return [panel.model.index(row, 0).data() for row in range(panel.model.rowCount())]


def write_events(path: Path, *notes: Note) -> Path:
    path.write_text("".join(json.dumps(note.json()) + "\n" for note in notes), encoding="utf-8")
    return path


def test_an_event_has_a_thumbnail_and_enter_plays_the_seconds_before_it(ui, events):
    playback = ui.workspace.playback
    happen(ui.workspace.engine, COMES, replace(COMES, identity=8, zone="Hall", label="dog"))
    ui.wait(lambda: events.model.rowCount() == 2)
    assert rows(events) == ["In: dog 8 enters Hall", "In: person 7 enters Room"]
    ui.wait(lambda: all(entry.thumbnail for entry in events.model.entries))
    image = cv2.imdecode(np.frombuffer(events.model.entries[0].thumbnail, np.uint8), 1)
    assert max(image.shape) <= 160 and len(events.model.entries[0].thumbnail) <= 8192
    playback.seek(3.5)
    events.view.setFocus()
    QTest.keyClick(events.view, Qt.Key.Key_Down)
    before = ui.workspace.settings.stored("events/before")
    QTest.keyClick(events.view, Qt.Key.Key_Return)
    assert before is None  # five seconds, more than there is
    ui.wait(lambda: playback.seekable.position < 2.0 and playback.is_playing)


def test_filters_by_class_zone_and_time(ui, events, tmp_path):
    old = Note(replace(COMES, label="cat", zone="Yard"), datetime.now(UTC) - timedelta(hours=3), "street.mp4")
    happen(ui.workspace.engine, COMES, replace(COMES, identity=8, zone="Hall", label="dog"))
    ui.workspace.get(EventList).open_file(write_events(tmp_path / "old.jsonl", old))
    ui.wait(lambda: events.model.rowCount() == 3)
    assert [events.label.itemText(place) for place in range(4)] == ["All classes", "cat", "dog", "person"]

    def choose(combo, text: str) -> list[str]:
        combo.setCurrentText(text)
        combo.activated.emit(combo.currentIndex())
        return [entry.event.occurrence.label for entry in events.model.entries]

    assert choose(events.label, "dog") == ["dog"]
    assert choose(events.label, "All classes") == ["dog", "person", "cat"]
    assert choose(events.zone, "Room") == ["person"]
    assert choose(events.zone, "All zones") == ["dog", "person", "cat"]
    assert choose(events.period, "Last hour") == ["dog", "person"]
    # Nothing passes: one button shows all again.
    assert choose(events.zone, "Yard") == []
    assert not events.view.isVisibleTo(events) and events.all.isVisibleTo(events)
    events.all.click()
    assert len(rows(events)) == 3 and events.view.isVisibleTo(events)


def test_a_clip_of_a_video_is_exported(ui, events):
    exports = ui.workspace.get(Exports)
    happen(ui.workspace.engine, COMES)
    ui.wait(lambda: events.model.rowCount() == 1 and events.save.isEnabled())
    before = len(exports.all)
    events.save.click()
    ui.wait(lambda: len(exports.all) > before)
    job = exports.all[-1].job
    assert (job.span.start, job.span.end) == (0.0, 7.0) and job.target.name.startswith("In Room ")
    exports.cancel(job.id)


def test_a_clip_whose_name_no_system_takes_is_one_that_is_gone(ui, events, tmp_path):
    note = Note(COMES, datetime.now(UTC), "elsewhere.mp4", files={"clip": tmp_path / f"{'a' * 300}.mp4"})
    listed = ui.workspace.get(EventList)
    listed.open_file(write_events(tmp_path / "events.jsonl", note))
    ui.wait(lambda: events.model.rowCount() == 1)
    (entry,) = listed.entries
    assert "was deleted" in listed.reason_against(entry)
    listed.save(entry)
    assert not list(tmp_path.glob("*In*"))


def test_events_of_an_earlier_run_are_read_with_their_files(ui, events, tmp_path):
    shot, clip = tmp_path / "shot.png", tmp_path / "clip.mp4"
    assert cv2.imwrite(str(shot), np.full((300, 400, 3), 120, np.uint8))
    write_video(clip, seconds=1)
    now = datetime.now(UTC)
    note = Note(COMES, now, "elsewhere.mp4", files={"snapshot": shot, "clip": clip})
    gone = Note(replace(COMES, identity=9), now - timedelta(seconds=5), "elsewhere.mp4")
    path = write_events(tmp_path / "events.jsonl", gone, note)
    with path.open("a") as file:
        file.write('nonsense\n{"time": "x"}\n[]\n' + "[" * 60_000 + "\n")
    ui.workspace.get(EventList).open_file(path)
    ui.wait(lambda: events.model.rowCount() == 2 and bool(events.model.entries[0].thumbnail))
    assert events.play.isEnabled() and events.save.isEnabled()
    events.view.setFocus()
    QTest.keyClick(events.view, Qt.Key.Key_Return)
    ui.wait(lambda: bool(events.findChildren(ClipPlayer)))
    (player,) = events.findChildren(ClipPlayer)
    assert player.windowTitle() == "In: person 7 enters Room"
    ui.wait(lambda: not player.image.pixmap().isNull() and not player.is_playing)
    assert player.position.text().startswith("0:00.9")
    player.save.click()
    ui.wait(lambda: any("Clip saved as" in text for text in ui.notices))
    saved = next(ui.workspace.settings.snapshots_go_to.glob("In Room *.mp4"))
    assert saved.read_bytes() == clip.read_bytes()
    saved.unlink()
    player.close()
    # The other has no clip, and its source is not open: the button says which to open.
    QTest.keyClick(events.view, Qt.Key.Key_Down)
    assert not events.play.isEnabled() and "Open elsewhere.mp4" in events.play.toolTip()


@pytest.mark.parametrize("text", ["", "time,source\n1,2\n"])
def test_a_file_without_events_is_refused_with_advice(ui, events, tmp_path, text):
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    ui.workspace.get(EventList).open_file(path)
    ui.wait(lambda: any("other.jsonl has no events; choose" in each for each in ui.notices))
    assert events.model.rowCount() == 0 and not events.view.isVisibleTo(events)


def test_the_list_is_bounded(ui, events):
    for number in range(MOST_EVENTS // 50 + 1):
        happen(ui.workspace.engine, *(replace(COMES, identity=number * 50 + each) for each in range(50)))
    ui.wait(lambda: events.model.rowCount() == MOST_EVENTS)
    entries = ui.workspace.get(EventList).entries
    assert len(entries) == MOST_EVENTS and entries[0].event.occurrence.identity == MOST_EVENTS + 49


def test_of_a_file_with_more_events_than_the_list_shows_that_is_said(ui, events, tmp_path):
    begin = datetime.now(UTC) - timedelta(days=1)
    notes = [
        Note(replace(COMES, identity=n), begin + timedelta(seconds=n), "street.mp4")
        for n in range(MOST_EVENTS + 1)
    ]
    listed = ui.workspace.get(EventList)
    listed.open_file(write_events(tmp_path / "few.jsonl", *notes[:3]))
    ui.wait(lambda: len(listed.entries) == 3)
    assert not ui.notices
    listed.open_file(tmp_path / "few.jsonl")
    ui.wait(lambda: ui.window.overlay.state().toast == "few.jsonl has no further events")
    listed.open_file(write_events(tmp_path / "many.jsonl", *notes))
    ui.wait(lambda: len(listed.entries) == MOST_EVENTS)
    assert ui.notices == ["The list shows the last 500 events; older ones are left out."]


def test_clips_of_a_source_are_kept_in_addition_to_what_events_do(ui, events, tmp_path):
    """A test has no camera: the video stands in for one where the clip is ordered."""
    zones, listed = ui.workspace.get(Zones), ui.workspace.get(EventList)
    values = event_actions()["clip"].checked({"folder": str(tmp_path / "kept"), "before": 0.5, "after": 0.5})
    playback, current = ui.workspace.playback, ui.workspace.engine.current

    def step_to(pts: float) -> None:
        """Show each frame: of a video that plays, a busy machine shows only some."""
        while (shown := current.shown_pts) < pts:
            playback.step(1)
            ui.wait(lambda shown=shown: current.shown_pts > shown)
            ui.wait(lambda: not zones.deliveries.clip_buffer.waiting)

    playback.seekable.pause()
    playback.seek(0.2)
    ui.wait(lambda: current.shown_pts == pytest.approx(0.2))
    ui.settle()
    zones.store_clips(ActionSpec("clip", values))
    step_to(1.05)
    happen(ui.workspace.engine, replace(COMES, pts=current.shown_pts))
    clip = listed.entries[0].event.clip
    assert clip is not None and clip.parent == tmp_path / "kept"
    step_to(2.0)
    ui.wait(clip.exists)
    zones.store_clips(None)
    with av.open(str(clip)) as container:
        frames = sum(1 for _ in container.decode(video=0))
    assert frames == 11, "of ten a second, half a second before and after, and the one of the event"
    happen(ui.workspace.engine, COMES)
    assert listed.entries[0].event.clip is None


def test_the_hint_of_an_empty_list_is_whole_in_a_low_panel(ui, events):
    (hint,) = (label for label in events.findChildren(QLabel) if label.text().startswith("No event yet"))
    size = ui.window.size()
    try:
        for width, height in ((1280, 800), (900, 480)):
            ui.resize(width, height)
            ui.still(lambda: hint.size())
            assert hint.isVisible() and hint.height() >= hint.heightForWidth(hint.width())
    finally:
        ui.resize(size.width(), size.height())


def test_removed_events_that_a_file_brought_back_do_not_come_twice(ui, events, tmp_path):
    listed = ui.workspace.get(EventList)
    now = datetime.now(UTC)
    notes = [Note(replace(COMES, identity=n), now - timedelta(hours=n), "street.mp4") for n in (1, 3)]
    listed.open_file(write_events(tmp_path / "both.jsonl", *notes))
    ui.wait(lambda: events.model.rowCount() == 2)
    before = rows(events)
    listed.clear()
    between = Note(replace(COMES, identity=2), now - timedelta(hours=2), "street.mp4")
    listed.open_file(write_events(tmp_path / "one.jsonl", notes[0], between))
    ui.wait(lambda: events.model.rowCount() == 2)
    (notice,) = (each for each in ui.window.notices.notices if each.about == "cleared events")
    notice.buttons[0].act()
    ui.wait(lambda: events.model.rowCount() == 3)
    assert rows(events) == [before[0], "In: person 2 enters Room", before[1]]


def test_events_that_are_removed_come_back_by_the_notice(ui, events):
    happen(ui.workspace.engine, COMES, replace(COMES, identity=8))
    ui.wait(lambda: events.model.rowCount() == 2)
    before = rows(events)
    events.clear.click()
    ui.wait(lambda: events.model.rowCount() == 0)
    happen(ui.workspace.engine, replace(COMES, identity=9))
    (notice,) = (each for each in ui.window.notices.notices if each.about == "cleared events")
    notice.buttons[0].act()
    ui.wait(lambda: events.model.rowCount() == 3)
    assert rows(events) == ["In: person 9 enters Room", *before]
    events.clear.click()
    ui.workspace.get(EventList).clear()
    assert [each.about for each in ui.window.notices.notices].count("cleared events") == 0
