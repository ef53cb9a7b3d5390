"""The grid together with what knows nothing of tiles: the device, sources' settings, subtitles, playlists,
outputs, what is hidden.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import material
from grid_rig import COLORS, drop_at, middle_of, shown
from losing import lose
from PySide6.QtCore import QPoint, QPointF
from sound_rig import write_flashes
from subtitle_rig import srt, write_video
from test_camera_controls_ui import Machine
from waiting import LIMIT_S

from desktop.media.sources.video import VideoSource
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.outputs.live_outputs import LiveOutputs
from desktop.ui.features.playlist.playlist_panel import PlaylistPanel
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.features.zones.zones import Zones
from desktop.ui.workspace import playback
from desktop.ui.workspace.viewport import Viewport
from desktop.vision.tracking.anonymize import AnonymizeSpec
from desktop.vision.tracking.events import ActionSpec, EventSpec


def test_a_loss_that_a_tile_beside_notices_reaches_no_other_tile_s_old_texture(ui, four):
    engine, view = ui.workspace.engine, ui.window.grid_view
    ui.settle()
    ui.wait(lambda: not any(tile.source_pipeline.is_busy() for tile in four.tiles))
    rebuilds = engine.rebuilds
    view.mark_overlays_stale()
    lose(engine.gpu)
    view.advance()
    assert engine.rebuilds == rebuilds + 1
    ui.wait(lambda: shown(four) == list(COLORS))
    assert engine.rebuilds == rebuilds + 1


def test_a_loss_that_one_lane_s_readback_notices_is_known_before_a_canvas_is_asked_for(ui, four):
    engine = ui.workspace.engine
    ui.settle()
    rebuilds = engine.rebuilds
    four.others[1].source_pipeline.pipeline._ring.failed = "gone"
    engine.recover()
    assert engine.rebuilds == rebuilds + 1
    ui.wait(lambda: shown(four) == list(COLORS))


def test_a_minimized_window_computes_no_tile_beside_and_shows_them_all_later(ui, grid, monkeypatch):
    ui.play("sample:128x72@30")
    grid.begin()
    grid.take_source("sample:96x64@30")
    ui.wait(lambda: all(tile.source_pipeline.pipeline.stats.frames > 3 for tile in grid.tiles))
    beside = grid.tiles[1]
    with monkeypatch.context() as patch:
        patch.setattr(Viewport, "is_on_screen", False)
        ui.wait(lambda: not beside.source_pipeline.is_busy())
        frames, place = beside.source_pipeline.pipeline.stats.frames, beside.playback.seekable.position
        ui.wait(lambda: beside.playback.seekable.position > place + 0.3)
        assert beside.source_pipeline.pipeline.stats.frames == frames
    ui.wait(lambda: beside.source_pipeline.pipeline.stats.frames > frames + 3)


def test_pictures_of_other_tiles_are_no_pictures_of_the_one_in_use(ui, grid, pictures):
    ui.workspace.get(Opening).open(str(pictures["red"]))
    ui.wait(lambda: ui.workspace.playback.info is not None)
    grid.begin()
    grid.take_source("sample:96x64@30")
    ui.wait(lambda: shown(grid)[0] == "red" and grid.tiles[1].source_pipeline.pipeline.stats.frames > 3)
    ui.settle()
    told = []
    viewport, frames = ui.window.viewport, grid.tiles[1].source_pipeline.pipeline.stats.frames

    def tell() -> None:
        told.append(viewport)

    # What an output or the clean output draws for.
    viewport.redrawn.connect(tell)
    viewport.drawn.connect(tell)
    ui.wait(lambda: grid.tiles[1].source_pipeline.pipeline.stats.frames > frames + 10)
    # The overlay may have had something to say.
    before = len(told)
    assert before <= 2
    ui.workspace.edits.add_filter("invert")
    ui.wait(lambda: len(told) > before)
    viewport.redrawn.disconnect(tell)
    viewport.drawn.disconnect(tell)


def test_what_was_drawn_before_a_tile_had_the_whole_view_is_not_seen_after_it(ui, four):
    view = ui.window.grid_view
    ui.wait(lambda: view._is_laid_out)
    four.toggle_maximized()
    # Of a canvas that is asked for before the tiles are drawn anew.
    assert view._mosaic.count == 0
    ui.workspace.edits.add_filter("invert")
    four.toggle_maximized()
    ui.wait(lambda: view._is_laid_out and shown(four) == [f"not {name}" for name in COLORS])


def test_what_is_seen_goes_from_every_tile_with_its_setting(ui, four, tmp_path):
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    state = ui.window.grid_view.state
    ui.wait(lambda: all(state(tile).bars for tile in four.others))
    ui.workspace.settings.shows_seen = False
    ui.wait(lambda: not any(state(tile).bars for tile in four.others))
    assert all(state(tile).name for tile in four.others)
    ui.workspace.settings.shows_seen = True
    ui.wait(lambda: all(state(tile).bars for tile in four.others))


def words(ui, tile) -> str:
    """The subtitles that are painted on a tile beside."""
    drawn = ui.window.grid_view.state(tile).subtitles
    return "" if drawn is None else "".join(cue.text for cue in drawn.cues)


def titled(folder, name: str, text: str):
    """A clip whose one track says the same all the time."""
    return write_video(folder / f"{name}.mkv", [("srt", srt([(0.0, 60.0, text)]).encode())], seconds=4.0)


def test_each_tile_has_the_subtitles_of_its_own_source(ui, grid, tmp_path):
    ui.workspace.settings.shows_subtitles = True
    grid.begin()
    for name, text in (("a", "Here"), ("b", "There")):
        grid.take_source(str(titled(tmp_path, name, text)))
    ui.wait(lambda: grid.tiles[1].source_pipeline.pipeline.stats.frames > 3)
    ui.wait(lambda: words(ui, grid.tiles[1]) == "There")
    grid.use(1)
    ui.wait(lambda: words(ui, grid.tiles[0]) == "Here")
    # They can be taken away there, as if it had been opened so.
    assert ui.workspace.get(Subtitles).are_shown
    ui.workspace.get(Subtitles).use(None)
    grid.use(0)
    ui.wait(lambda: words(ui, grid.tiles[1]) == "")
    ui.workspace.settings.shows_subtitles = False


def test_subtitles_that_came_with_a_video_stay_with_it(ui, grid, tmp_path, monkeypatch):
    gate, opens = threading.Event(), playback.open_source
    video = write_video(tmp_path / "a.mkv", (), seconds=4.0)
    (tmp_path / "mine.srt").write_text(srt([(0.0, 60.0, "Mine")]))
    grid.begin()
    with monkeypatch.context() as patch:
        patch.setattr(playback, "open_source", lambda spec: opens(spec) if gate.wait(LIMIT_S) else None)
        ui.drop(video, tmp_path / "mine.srt")
        ui.wait(lambda: ui.workspace.playback.along)
        grid.use(1)
        gate.set()
        ui.wait(lambda: words(ui, grid.tiles[0]) == "Mine")
    assert not ui.workspace.playback.along


def test_every_tile_s_source_is_treated_as_the_settings_say(ui, grid, tmp_path, monkeypatch, use_cameras):
    """Who decodes, and what is kept for a camera."""
    wanted = []
    monkeypatch.setattr(VideoSource, "decode_by", lambda source, choice: wanted.append(choice))
    ui.workspace.settings.decoding = "software"
    machine = Machine()
    use_cameras(machine)
    ui.workspace.settings.camera_controls = {"Webcam": {"brightness": 17}}
    grid.begin()
    for source in ("sample:96x64@30", str(write_video(tmp_path / "a.mkv", (), seconds=4.0)), "camera"):
        grid.take_source(source)
    ui.wait(
        lambda: (
            len(grid.tiles) == 4
            and all(tile.source_pipeline.pipeline.stats.frames > 0 for tile in grid.tiles[:3])
        )
    )
    assert wanted == ["software"]
    ui.wait(lambda: ("brightness", 17) in machine.sent)
    ui.workspace.settings.decoding, ui.workspace.settings.camera_controls = "", {}


def test_a_clip_of_an_event_has_pictures_of_one_tile_alone(ui, grid, tmp_path):
    ui.play("sample:128x72@30")
    grid.begin()
    grid.take_source("sample:96x64@30")
    zones, edits = ui.workspace.get(Zones), ui.workspace.edits
    zones.add_usual("polygon")
    clip = ActionSpec("clip", {"folder": str(tmp_path), "before": 5.0, "after": 0.5})
    event = EventSpec("Event", zones.selected, actions=(clip,))
    edits.edit(replace(edits.setup, scene=replace(edits.setup.scene, events=(event,))), "")
    buffer = zones.deliveries.clip_buffer
    ui.wait(lambda: buffer.buffered_bytes)
    grid.use(1)
    # The change of the tile cuts the buffer with the next frames, and ends the clips that were ordered
    # before.
    frames = ui.frames
    ui.wait(lambda: ui.frames > frames + 5)
    order = buffer.order("", ui.workspace.engine.current.shown_pts, 5.0, 0.5)
    # Beside the window, which draws what is waited for.
    with ThreadPoolExecutor(1) as pool:
        sizes = pool.submit(lambda: {shot.size for shot in order.shots()})
        ui.wait(sizes.done)
    assert sizes.result() == {(96, 64)}
    order.drop("")
    edits.edit(Setup(), "")


def test_what_is_heard_of_another_tile_goes_to_an_output(ui, grid, tmp_path, monkeypatch):
    told = []
    path = tmp_path / "beeps.mkv"
    write_flashes(path, seconds=4.0)
    ui.play("sample:128x72@30")
    grid.begin()
    grid.take_source(str(path))
    ui.wait(lambda: all(tile.source_pipeline.pipeline.stats.frames > 2 for tile in grid.tiles))
    feeds = SimpleNamespace(
        is_any_on=True,
        set_audio_source=told.append,
        offer=lambda *_: None,
        get=lambda _: None,
    )
    with monkeypatch.context() as patch:
        patch.setattr(ui.workspace.get(LiveOutputs), "_feeds", feeds)
        grid.use(1)
        grid.use(0)
    assert [listen is not None for listen in told] == [True, False]


def test_a_drop_beside_a_tile_that_is_recorded_leaves_that_alone(ui, four, pictures, tmp_path):
    recording = ui.workspace.get(Pictures)
    recording.toggle_recording(tmp_path / "film.mp4")
    drop_at(ui, QPointF(middle_of(ui, 2)), pictures["white"])
    ui.wait(lambda: shown(four) == ["red", "green", "white", "white"])
    assert four.number == 0
    ui.workspace.edits.add_filter("invert")  # a still picture is drawn for an edit
    ui.wait(lambda: shown(four)[0] == "not red")
    recording.toggle_recording()
    ui.wait(lambda: recording.recording is None)


def test_a_list_that_is_dropped_on_a_tile_is_the_playlist_and_plays_there(
    ui, player, four, pictures, tmp_path
):
    path = tmp_path / "all.m3u8"
    path.write_text("".join(f"{pictures[name].name}\n" for name in ("white", "blue")))
    drop_at(ui, QPointF(middle_of(ui, 1)), path)
    ui.wait(lambda: shown(four) == ["red", "white", "blue", "white"])
    assert four.number == 1 and player.place == (1, 2) and not ui.notices


def test_of_many_that_are_left_out_one_sentence_tells(ui, four, pictures):
    ui.workspace.get(Opening).drop([str(path) for path in pictures.values()][:3])
    ui.wait(lambda: any("3 were left out" in text for text in ui.notices))
    assert len(ui.notices) == 1 and shown(four) == list(COLORS)


def test_no_small_picture_of_a_file_is_seen_while_things_are_hidden(ui, player, tmp_path):
    video = write_video(tmp_path / "a.mkv", (), seconds=4.0)
    ui.window.dock_area.show("playlist")
    strip = ui.window.dock_area.panel("playlist", PlaylistPanel).strip
    player.add([str(video)])
    ui.play(str(video))
    ui.pause()
    keys = ui.window.transport.line.preview.pictures
    keys.want(1.0)
    ui.wait(lambda: keys.find(1.0) is not None)
    ui.wait(lambda: strip.thumbnails.get(str(video)) is not None)

    def has_picture() -> bool:
        """Whether the entry shows the video, which is of one gray."""
        place = strip.visualRect(strip.entries.index(0)).topLeft() + QPoint(40, 20)
        found = strip.viewport().grab().toImage().pixelColor(place * strip.devicePixelRatioF())
        return all(abs(part - 30) <= 4 for part in (found.red(), found.green(), found.blue()))

    assert has_picture()
    ui.workspace.edits.set_anonymize(AnonymizeSpec())
    assert not has_picture()
    keys.want(1.0)
    ui.settle()
    assert keys.find(1.0) is None and not keys.is_busy
    ui.workspace.edits.undo()
    assert has_picture()
    keys.want(1.0)
    ui.wait(lambda: keys.find(1.0) is not None)


def test_a_playlist_goes_on_in_its_tile_while_another_is_in_use(ui, player, grid, pictures):
    ui.workspace.settings.picture_seconds = 1.0
    ui.play("sample:96x64@30")
    grid.begin()
    grid.use(1)
    player.play([str(pictures[name]) for name in ("red", "green", "blue")])
    ui.wait(lambda: shown(grid)[1] == "red" and player.place == (1, 3))
    grid.use(0)
    # What is in use is none of the list.
    assert player.place is None and "of 3" not in ui.window.windowTitle()
    ui.wait(lambda: shown(grid)[1] == "blue" and ui.workspace.playback.name == "sample:96x64@30")
    assert player.list.entry(player.shown).title == "blue.png"
    ui.wait(lambda: grid.tiles[1].playback.source.state == "ended")
    grid.use(1)
    assert player.place == (3, 3) and ui.window.windowTitle().startswith("blue.png (3 of 3)")
    # The panel and its keys act on the tile in use.
    grid.use(0)
    assert player.step(-1)
    ui.wait(lambda: shown(grid)[0] == "green" and player.place == (2, 3))
    assert shown(grid)[1] == "blue"


def test_a_playlist_whose_tile_is_closed_plays_in_the_one_in_use(ui, player, four, pictures):
    player.play([str(pictures[name]) for name in ("white", "green")])
    ui.wait(lambda: shown(four)[0] == "white")
    four.use(1)
    four._discard(four.tiles[0])
    assert player.shown is None and player.step(1)
    ui.wait(lambda: player.place == (2, 2) and ui.workspace.playback.name == str(pictures["green"]))
