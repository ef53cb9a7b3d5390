"""The grid in the real window: each tile has a source, edits go to one or to all, keys, clicks, drops choose,
failures are one tile's.
"""

from __future__ import annotations

import threading

import material
import numpy as np
import wgpu
from grid_rig import COLORS, drop_at, middle_of, name_of, shown
from losing import lose
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from sound_rig import write_flashes
from subtitle_rig import write_video
from waiting import LIMIT_S

from desktop.ui.features.grid.grid import Grid
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.workspace import playback

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def canvas_of(ui) -> np.ndarray:
    """Draw the grid into a canvas of the window's size, as the window does; uint8 [height, width, 4],
    R'G'B'A.
    """
    engine, (width, height) = ui.workspace.engine, ui.window.viewport.canvas_size
    usage = wgpu.TextureUsage.RENDER_ATTACHMENT | wgpu.TextureUsage.COPY_SRC
    canvas = engine.gpu.device.create_texture(size=(width, height, 1), format="rgba8unorm", usage=usage)
    ui.wait(lambda: not any(tile.source_pipeline.is_busy() for tile in ui.workspace.get(Grid).tiles))
    ui.wait(lambda: ui.window.grid_view.draw(None, canvas, anew=True))
    layout = {"bytes_per_row": width * 4, "rows_per_image": height}
    raw = engine.gpu.queue.read_texture({"texture": canvas}, layout, (width, height, 1))
    return np.frombuffer(raw, np.uint8).reshape(height, width, 4)


def test_a_drop_of_four_makes_four_tiles_and_each_stands_in_its_place(ui, four):
    canvas = canvas_of(ui)
    ratio = ui.window.viewport.devicePixelRatioF()
    for number, name in enumerate(COLORS):
        at = middle_of(ui, number) * ratio
        assert name_of(canvas[at.y(), at.x(), :3]) == name
    places = ui.window.grid_view._places(ui.window.viewport.canvas_size)
    assert len(places) == 4 and ui.window.viewport.device_size == (places[0].width, places[0].height)
    # Fitted, never stretched: as wide as the tile, 16:9, and nothing of it beyond.
    first = places[0]
    column = canvas[first.y : first.y + first.height, first.x + first.width // 2, :3]
    rows = sum(name_of(pixel) == "red" for pixel in column)
    assert abs(rows - first.width * 9 / 16) <= 2


def test_the_panels_act_on_the_tile_in_use_or_on_all(ui, four):
    workspace = ui.workspace
    workspace.edits.add_filter("invert")
    ui.wait(lambda: shown(four) == [f"not {name}" for name in COLORS])
    four.toggle_shared()
    four.use(2)
    assert workspace.playback.info.title == "blue.png" and ui.stages == ["invert"]
    workspace.edits.remove_stage(workspace.edits.chain.stages[0].id)
    ui.wait(lambda: shown(four) == ["not red", "not green", "blue", "not white"])
    assert workspace.engine.current.picture_size == (64, 36) and ui.stages == []
    assert name_of(ui.picture()[18, 32, :3]) == "blue"
    # Each has its own way back.
    four.use(1)
    assert ui.stages == ["invert"] and not workspace.edits.history.undo_label
    four.use(2)
    workspace.edits.undo()
    ui.wait(lambda: shown(four)[2] == "not blue")
    # One chain again: that of the tile in use.
    workspace.edits.clear_chain()
    four.toggle_shared()
    ui.wait(lambda: shown(four) == list(COLORS))


def test_chains_of_the_tiles_come_back_after_they_had_one_for_all(ui, four):
    four.toggle_shared()
    four.use(2)
    ui.workspace.edits.add_filter("invert")
    ui.wait(lambda: shown(four) == ["red", "green", "not blue", "white"])
    four.use(0)
    four.toggle_shared()
    ui.wait(lambda: shown(four) == list(COLORS))
    four.toggle_shared()
    ui.wait(lambda: shown(four) == ["red", "green", "not blue", "white"])
    four.use(2)
    assert ui.stages == ["invert"]
    ui.workspace.edits.undo()
    ui.wait(lambda: shown(four) == list(COLORS))


def test_the_chain_of_a_tile_comes_back_that_is_chosen_while_all_share_one(ui, four):
    four.toggle_shared()
    four.use(2)
    ui.workspace.edits.add_filter("invert")
    ui.wait(lambda: shown(four) == ["red", "green", "not blue", "white"])
    four.use(0)
    four.toggle_shared()
    ui.wait(lambda: shown(four) == list(COLORS))
    four.use(2)
    assert ui.stages == []
    four.toggle_shared()
    ui.wait(lambda: shown(four) == ["red", "green", "not blue", "white"])
    assert ui.stages == ["invert"]
    ui.workspace.edits.undo()
    ui.wait(lambda: shown(four) == list(COLORS))


def test_keys_choose_a_tile_give_it_the_whole_view_and_close_it(ui, four):
    ui.press(Qt.Key.Key_3, CTRL)
    assert four.number == 2 and ui.workspace.playback.info.title == "blue.png"
    assert "blue.png" in ui.window.windowTitle()
    assert "blue.png" in ui.window.viewport.accessibleDescription()
    ui.press(Qt.Key.Key_G, SHIFT)
    assert four.whole and ui.window.viewport.device_size == ui.window.viewport.canvas_size
    ui.press(Qt.Key.Key_G, SHIFT)
    assert not four.whole and ui.window.viewport.device_size != ui.window.viewport.canvas_size
    ui.press(Qt.Key.Key_W, CTRL | SHIFT)
    ui.wait(lambda: shown(four) == ["red", "green", "white", ""])
    assert ui.workspace.playback.info.title == "white.png"
    ui.press(Qt.Key.Key_W, CTRL | SHIFT)
    ui.wait(lambda: shown(four) == ["red", "green"])
    ui.press(Qt.Key.Key_W, CTRL | SHIFT)
    assert not four.is_on and len(ui.workspace.engine.source_pipelines) == 1
    ui.wait(lambda: ui.workspace.playback.info is not None)
    left = ui.workspace.playback.info.title
    ui.press(Qt.Key.Key_G)
    assert len(four.tiles) == 2 and ui.workspace.playback.info.title == left
    ui.press(Qt.Key.Key_G)
    assert not four.is_on and ui.window.viewport.tiling is None


def test_tiles_that_are_closed_with_the_grid_come_back_with_their_chains(ui, four):
    """G is one key, and the other tiles had chains that no undo knew any more."""
    four.toggle_shared()
    four.use(2)
    ui.workspace.edits.add_filter("invert")
    four.use(1)
    ui.press(Qt.Key.Key_G)
    assert not four.is_on and ui.notices == ["The other tiles are closed; G opens them again."]
    ui.press(Qt.Key.Key_G)
    ui.wait(lambda: len(four.tiles) == 4 and shown(four) == ["red", "green", "not blue", "white"])
    assert four.number == 1 and ui.workspace.playback.info.title == "green.png" and not ui.notices
    four.use(2)
    ui.workspace.edits.undo()
    ui.wait(lambda: shown(four) == list(COLORS))
    # A tile that was closed by itself stays closed.
    ui.press(Qt.Key.Key_W, CTRL | SHIFT)
    ui.wait(lambda: shown(four) == ["red", "green", "white", ""])
    ui.press(Qt.Key.Key_G)
    ui.press(Qt.Key.Key_G)
    ui.wait(lambda: shown(four) == ["red", "green", "white", ""])
    # Nor are any opened in a grid that something else begins.
    four.end()
    four.begin()
    assert len(four.tiles) == 2 and four.tiles[1].is_empty


def test_a_film_that_is_closed_with_the_grid_goes_on_where_it_was(ui, grid, tmp_path):
    film = write_video(tmp_path / "street.mp4", seconds=4)
    grid.begin()
    ui.play("sample:128x72@30")
    grid.take_source(str(film))
    ui.wait(lambda: grid.tiles[1].playback.seekable is not None)
    grid.tiles[1].playback.seekable.pause()
    grid.tiles[1].playback.seek(3.0)
    ui.wait(lambda: abs(grid.tiles[1].playback.seekable.position - 3.0) < 0.1)
    grid.toggle()
    grid.toggle()
    again = grid.tiles[1].playback
    # It is there by a jump, and does not play up to there.
    again.jumped.connect(lambda: again.seekable.pause())
    ui.wait(lambda: again.name == str(film) and again.seekable and again.seekable.position > 2.9)
    assert not again.is_playing


def test_a_grid_that_is_turned_off_before_its_sources_are_there_loses_none(ui, four, tmp_path):
    film = write_video(tmp_path / "street.mp4", seconds=4)
    four.tiles[3].playback.open(str(film))
    ui.wait(lambda: four.tiles[3].playback.seekable is not None)
    four.tiles[3].playback.seekable.pause()
    four.tiles[3].playback.seek(3.0)
    ui.wait(lambda: abs(four.tiles[3].playback.seekable.position - 3.0) < 0.1)
    for _ in range(4):  # as fast as the key repeats
        four.toggle()
    ui.wait(lambda: len(four.tiles) == 4 and shown(four)[:3] == list(COLORS)[:3])
    again = four.tiles[3].playback
    ui.wait(lambda: again.name == str(film) and again.seekable and again.seekable.position > 2.9)


def test_the_pointer_chooses_a_tile_and_a_double_click_gives_it_all(ui, four):
    viewport, left = ui.window.viewport, Qt.MouseButton.LeftButton
    QTest.mouseClick(viewport, left, pos=middle_of(ui, 3))
    assert four.number == 3 and ui.workspace.playback.info.title == "white.png"
    area = viewport.area
    across, down = viewport.share_at(QPointF(middle_of(ui, 3)))
    assert abs(across - 0.5) < 0.02 and abs(down - 0.5) < 0.02
    # There and back is the same point of the widget.
    point = viewport.point_of((0.25, 0.75))
    assert np.allclose(viewport.share_at(point), (0.25, 0.75), atol=1e-6)
    assert area.holds(point.x() * viewport.devicePixelRatioF(), point.y() * viewport.devicePixelRatioF())
    QTest.mouseDClick(viewport, left, pos=middle_of(ui, 3))
    assert four.whole
    QTest.mouseDClick(viewport, left, pos=QPoint(viewport.width() // 2, viewport.height() // 2))
    assert not four.whole


def test_a_drop_goes_to_the_tile_below_it_and_the_rest_to_free_ones(ui, grid, pictures):
    ui.workspace.get(Opening).open(str(pictures["red"]))
    ui.wait(lambda: ui.workspace.playback.info is not None)
    grid.begin()
    ui.wait(lambda: shown(grid) == ["red", ""])
    drop_at(ui, QPointF(middle_of(ui, 1)), pictures["green"])
    ui.wait(lambda: shown(grid) == ["red", "green"])
    assert grid.number == 1
    drop_at(ui, QPointF(middle_of(ui, 0)), pictures["blue"], pictures["white"])
    ui.wait(lambda: shown(grid) == ["blue", "green", "white", ""])
    assert grid.number == 0 and not ui.notices


def test_a_fifth_source_is_left_out_and_said(ui, four, pictures, tmp_path):
    ui.workspace.get(Opening).drop([str(pictures["red"])])
    ui.wait(lambda: any("at most" in text for text in ui.notices))
    assert shown(four) == list(COLORS)


def test_what_cannot_be_opened_is_said_in_its_tile_and_the_others_go_on(ui, grid, pictures, tmp_path):
    (tmp_path / "broken.mp4").write_bytes(b"\0\0\0\x18ftypmp42" + b"\0" * 200)
    ui.window.start(
        [str(tmp_path / "broken.mp4"), str(pictures["red"]), str(tmp_path / "none.png")], grid=True
    )
    ui.wait(lambda: len(grid.tiles) == 4 and grid.tiles[0].error and grid.tiles[2].error)
    ui.wait(lambda: shown(grid)[1] == "red")
    assert "broken.mp4" in grid.words_of(grid.tiles[0]) and "none.png" in grid.words_of(grid.tiles[2])
    assert grid.words_of(grid.tiles[1]) == "" and "Drop" in grid.words_of(grid.tiles[3])
    # Another source in its place, and nothing is said any more.
    grid.aim(2)
    grid.take_source(str(pictures["blue"]))
    ui.wait(lambda: shown(grid)[2] == "blue")
    assert grid.words_of(grid.tiles[2]) == ""
    # A source that is closed leaves a tile that invites.
    ui.workspace.playback.stop()
    assert shown(grid)[2] == "" and "Drop" in grid.words_of(grid.tiles[2]) and ui.window.viewport.isVisible()


def test_all_tiles_come_back_after_a_device_loss(ui, four):
    engine = ui.workspace.engine
    ui.workspace.edits.add_filter("invert")
    expected = [f"not {name}" for name in COLORS]
    ui.wait(lambda: shown(four) == expected)
    rebuilds = engine.rebuilds
    ui.settle()
    # A repaint notices it.
    lose(engine.gpu)
    ui.window.viewport.redraw()
    ui.wait(lambda: engine.rebuilds == rebuilds + 1)
    ui.wait(lambda: not any(tile.source_pipeline.wants_frames for tile in four.tiles))
    ui.wait(lambda: shown(four) == expected)
    assert engine.rebuilds == rebuilds + 1
    at = middle_of(ui, 1) * ui.window.viewport.devicePixelRatioF()
    assert name_of(canvas_of(ui)[at.y(), at.x(), :3]) == "not green"


def test_films_play_in_all_tiles_at_once_and_go_on_when_another_is_in_use(ui, grid):
    ui.play("sample:128x72@30")
    grid.begin()
    grid.take_source("sample:96x64@30")
    ui.wait(lambda: all(tile.source_pipeline.pipeline.stats.frames > 3 for tile in grid.tiles))
    second = grid.tiles[1]
    place, frames = second.playback.seekable.position, second.source_pipeline.pipeline.stats.frames
    grid.use(1)
    # The very source: it did not begin anew.
    assert ui.workspace.playback.seekable.position >= place > 0
    assert ui.workspace.engine.current.picture_size == (96, 64)
    first = grid.tiles[0].source_pipeline.pipeline.stats.frames
    ui.wait(
        lambda: grid.tiles[0].source_pipeline.pipeline.stats.frames > first + 3 and ui.frames > frames + 3
    )
    # The transport is the tile's own.
    ui.workspace.playback.toggle()
    ui.wait(lambda: ui.workspace.playback.source.state == "paused")
    assert grid.tiles[0].playback.is_playing
    grid.use(0)
    assert ui.workspace.playback.is_playing and not grid.tiles[1].playback.is_playing


def test_a_still_that_waits_to_be_drawn_is_not_lost_when_another_tile_is_used(ui, four, monkeypatch):
    engine, viewport = ui.workspace.engine, ui.window.viewport
    number = four.number
    source_pipeline = four.in_use.source_pipeline
    ui.settle()
    with monkeypatch.context() as busy:
        # Taken, and the GPU has no time for it.
        busy.setattr(type(ui.window.grid_view), "draw", lambda *_, **__: False)
        ui.workspace.playback.seek(0.0)
        frame = source_pipeline.frame
        ui.workspace.playback.put_back(frame)
        viewport.wake()
        ui.wait(lambda: viewport._frame is frame)
        source_pipeline.clear()
        four.use((number + 1) % 4)
    assert viewport._frame is not frame
    ui.wait(lambda: shown(four) == list(COLORS))
    four.use(number)
    ui.wait(lambda: shown(four) == list(COLORS))
    assert engine.current is source_pipeline


def test_a_still_that_opens_in_a_tile_that_nobody_sees_is_there_when_all_are_seen(ui, grid, pictures):
    grid.begin()
    ui.drop(pictures["red"])
    ui.wait(lambda: shown(grid)[0] == "red")
    grid.toggle_maximized()
    beside = grid.others[0]
    beside.playback.open(str(pictures["blue"]))
    ui.wait(lambda: beside.playback.has_picture)
    for _ in range(20):
        ui.window.viewport.wake()
        ui.qtbot.wait(10)
    grid.toggle_maximized()
    ui.wait(lambda: shown(grid) == ["red", "blue"])


def test_while_a_recording_runs_its_tile_stays_in_use(ui, four, tmp_path):
    said = []
    ui.workspace.messages.said.connect(said.append)
    pictures = ui.workspace.get(Pictures)
    pictures.toggle_recording(tmp_path / "film.mp4")
    four.use(1)
    four.close_tile()
    assert four.number == 0 and len(four.tiles) == 4
    assert len(said) == 2 and all("recording" in text for text in said)
    ui.workspace.edits.add_filter("invert")  # a still picture is drawn for an edit
    ui.wait(lambda: shown(four)[0] == "not red")
    pictures.toggle_recording()
    ui.wait(lambda: pictures.recording is None)
    ui.workspace.messages.said.disconnect(said.append)
    four.use(1)
    assert four.number == 1


def test_what_is_being_opened_stays_with_its_tile(ui, four, pictures, tmp_path, monkeypatch):
    gate, opens = threading.Event(), playback.open_source

    def slow(spec):
        assert gate.wait(LIMIT_S)
        return opens(spec)

    monkeypatch.setattr(playback, "open_source", slow)
    ui.workspace.playback.open(str(pictures["white"]))
    four.use(1)
    gate.set()
    ui.wait(lambda: shown(four) == ["white", "green", "blue", "white"])
    assert ui.workspace.playback.info.title == "green.png" and four.tiles[0].title == "white.png"


def test_only_the_tile_in_use_is_heard(ui, grid, tmp_path):
    paths = [tmp_path / "first.mkv", tmp_path / "second.mkv"]
    for path in paths:
        write_flashes(path, seconds=4.0, tracks=2)
    grid.begin()
    for path in paths:
        grid.take_source(str(path))
    ui.wait(lambda: all(tile.source_pipeline.pipeline.stats.frames > 2 for tile in grid.tiles))

    def tracks() -> list[int | None]:
        return [tile.playback.source.sound.track for tile in grid.tiles]

    assert tracks() == [0, None]
    ui.workspace.sound.use_track(ui.workspace.playback.source_sound, 1)
    grid.use(1)
    assert tracks() == [None, 0]
    # Each keeps the track that was chosen for it.
    grid.use(0)
    assert tracks() == [1, None]


def test_what_a_network_sees_stands_on_every_tile(ui, four, tmp_path):
    ui.drop(material.classifier(tmp_path / "mean.onnx"))
    ui.wait(lambda: all(tile.source_pipeline.tracked_result is not None for tile in four.tiles))
    state = ui.window.grid_view.state
    ui.wait(lambda: all(state(tile).bars for tile in four.others))
    ui.wait(lambda: ui.window.overlay.state().bars)
    assert all(state(tile).name == four.name_of(tile) for tile in four.others)
    # Each of its own picture: green is the classifier's second class, blue its third.
    best = [tile.source_pipeline.tracked_result.shapes[0].index for tile in four.tiles[:3]]
    assert best == [0, 1, 2]


def test_a_shader_that_is_saved_anew_fits_the_chains_of_all_tiles(ui, four, tmp_path):
    text = """/* lightloom
title = "Mine"
[[param]]
name = "{name}"
min = 0
max = 1
default = 1
*/
fn main(p: vec2i) -> vec4f {{ return load(p) * params.{name}; }}"""
    path = tmp_path / "mine_in_a_grid.wgsl"
    path.write_text(text.format(name="share"))
    ui.drop(path)
    ui.wait(lambda: all(tile.source_pipeline.setup.chain.stages for tile in four.tiles))
    four.toggle_shared()
    path.write_text(text.format(name="amount"))
    ui.wait(lambda: all("amount" in t.source_pipeline.setup.chain.stages[0].values for t in four.tiles))
    four.use(1)
    assert dict(ui.workspace.edits.chain.stages[0].values) == {"amount": 1.0}
