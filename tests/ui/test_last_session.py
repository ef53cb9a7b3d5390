"""Restoration of the last session: source, position, chain, network, zones."""

from __future__ import annotations

import json
import os
import shutil
import sys

import cv2
import numpy as np
import pytest
from material import SHADER, video
from tiny_models import square_detector
from window_panels import chain_of

from desktop.media.sources.opening import open_source
from desktop.pipeline.chain.spec import ChainSpec
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.description import Description
from desktop.pipeline.setup.setup import Setup
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.shell.last_session import LastSession
from desktop.ui.shell.session import last_folder, read_origins, read_source, read_tiles
from desktop.vision.tracking.scene import SceneSpec
from desktop.vision.tracking.zones import ZoneSpec


@pytest.fixture
def session(ui):
    """That of the window, with nothing kept before and nothing left behind."""
    folder = last_folder(ui.workspace.settings.path)
    aside = folder.with_name("crashed_session")
    incomplete = folder.with_name("incomplete_sessions")
    for each in (folder, aside, incomplete):
        shutil.rmtree(each, ignore_errors=True)
    # The window is that of other tests too: neither its own session nor this one may save during another test.
    ui.window.last_session.stop()
    session = LastSession(ui.workspace, ui.window)
    yield session
    session.stop()
    for each in (folder, aside, incomplete):
        shutil.rmtree(each, ignore_errors=True)


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "blue.png"
    assert cv2.imwrite(str(path), np.full((36, 64, 3), (200, 0, 0), np.uint8))
    return path


def whole_setup(ui, tmp_path):
    library = ui.workspace.library
    chain = ChainSpec().added("invert", library.get("invert").defaults)
    zone = ZoneSpec("Door", ((0.1, 0.1), (0.5, 0.1), (0.5, 0.6)))
    model = square_detector(tmp_path / "squares.onnx")
    return Setup(chain, NetworkSpec(str(model), every=3), SceneSpec(zones=(zone,), heat_map=True))


def clear(ui):
    ui.workspace.playback.stop()
    ui.workspace.edits.begin_with(Setup())


def test_all_of_it_comes_back(ui, session, picture, tmp_path):
    setup = whole_setup(ui, tmp_path)
    ui.play(str(picture))
    ui.workspace.edits.edit(setup, "all of it")
    session.save()
    clear(ui)
    assert session.restore()
    ui.wait(lambda: ui.workspace.playback.name == str(picture) and ui.workspace.playback.has_picture)
    back = ui.workspace.edits.setup
    assert [stage.filter for stage in back.chain.stages] == ["invert"]
    assert back.chain.stages[0].values == setup.chain.stages[0].values
    assert back.network == setup.network and back.scene == setup.scene
    assert not ui.workspace.edits.history.undo_label, "it is where the history begins"


def test_the_name_of_a_look_comes_back_and_whether_it_was_edited(ui, session, picture, tmp_path):
    title = chain_of(ui.window).title
    ui.play(str(picture))
    ui.workspace.edits.add_filter("sepia")
    ui.workspace.get(Opening).save_preset(tmp_path / "mine.toml", Description("Old & worn", "For letters."))
    ui.wait(lambda: title.text() == "Old & worn")

    def restart():
        session.save()
        clear(ui)
        assert title.text() == "Chain"
        assert session.restore()

    restart()
    ui.wait(lambda: title.text() == "Old & worn")
    [stage] = ui.workspace.edits.chain.stages
    ui.workspace.edits.set_enabled(stage.id, False)
    restart()
    ui.wait(lambda: title.text() == "Old & worn (edited)")
    ui.workspace.edits.set_enabled(ui.workspace.edits.chain.stages[0].id, True)
    assert title.text() == "Old & worn"
    ui.workspace.edits.clear_chain()
    ui.workspace.edits.add_filter("invert")
    restart()
    ui.wait(lambda: ui.stages == ["invert"])
    assert title.text() == "Chain", "a cleared chain has no name any more"


def forget_shader(ui, name):
    """Have the window know of a shader as little as after a start."""
    ui.workspace.edits.begin_with(Setup())
    ui.workspace.get(OwnShaders).unfollow(name)
    ui.workspace.library.filters.pop(name, None)


def with_shader(ui, session, picture, folder, name):
    """Play with a shader of the user's own, edit its file, and save the session; return the file."""
    shader = folder / f"{name}.wgsl"
    shader.parent.mkdir(exist_ok=True)
    shader.write_text(SHADER, encoding="utf-8", newline="\n")
    ui.play(str(picture))
    ui.workspace.edits.begin_with(Setup())
    ui.drop(shader)
    ui.wait(lambda: ui.stages == [name])
    session.save()
    edit(ui, shader, name, "c.bga")
    session.save()
    return shader


def edit(ui, shader, name, channels):
    text = SHADER.replace("c.gba", channels)
    shader.write_text(text, encoding="utf-8", newline="\n")
    os.utime(shader)
    ui.wait(lambda: ui.workspace.library.get(name).text == text)


def test_an_edited_shader_of_ones_own_comes_back(ui, session, picture, tmp_path):
    shader = with_shader(ui, session, picture, tmp_path / "own", "edited_and_gone")
    text = shader.read_text(encoding="utf-8")
    shader.unlink()
    clear(ui)
    forget_shader(ui, "edited_and_gone")
    assert session.restore()
    ui.wait(lambda: ui.stages == ["edited_and_gone"])
    assert ui.workspace.library.get("edited_and_gone").text == text


def test_a_shader_of_ones_own_is_followed_after_a_restart(ui, session, picture, tmp_path):
    shader = with_shader(ui, session, picture, tmp_path / "own", "followed_on")
    for channels in ("c.bga", "c.bba"):
        if channels == "c.bba":  # edited while the program does not run
            shader.write_text(SHADER.replace("c.gba", channels), encoding="utf-8", newline="\n")
        clear(ui)
        forget_shader(ui, "followed_on")
        assert session.restore()
        ui.wait(lambda: ui.stages == ["followed_on"])
        own = ui.workspace.library.get("followed_on")
        assert own.path == str(shader) and own.text == shader.read_text(encoding="utf-8")
        assert chain_of(ui.window).cards[ui.workspace.edits.chain.stages[0].id].origin.isHidden()
        session.save()
    edit(ui, shader, "followed_on", "c.aga")
    edit(ui, shader, "followed_on", "c.gba")


def test_the_card_says_that_a_copy_is_used(ui, session, picture, tmp_path):
    shader = with_shader(ui, session, picture, tmp_path / "own", "copy_used")
    shader.unlink()
    for _ in range(2):
        clear(ui)
        forget_shader(ui, "copy_used")
        assert session.restore()
        ui.wait(lambda: ui.stages == ["copy_used"])
        card = chain_of(ui.window).cards[ui.workspace.edits.chain.stages[0].id]
        assert card.origin.toolTip() == str(shader) and not card.origin.isHidden()
        session.save()
    # Opened again, the file is the one in use.
    shader.write_text(SHADER, encoding="utf-8", newline="\n")
    ui.drop(shader)
    ui.wait(lambda: len(ui.stages) == 2)
    assert all(card.origin.isHidden() for card in chain_of(ui.window).cards.values())
    assert [path for path in ui.workspace.get(OwnShaders).followed if path.stem == "copy_used"] == [shader]


def test_a_setup_of_which_something_is_missing_is_kept(ui, session, picture, tmp_path):
    shader = with_shader(ui, session, picture, tmp_path / "own", "lost_later")
    folder = last_folder(ui.workspace.settings.path)
    setup = (folder / "setup.toml").read_bytes()
    shader.unlink()
    copies = sorted((folder / "setup.files").rglob("*.wgsl"))
    copies[0].rename(tmp_path / "away.wgsl")
    for each in copies[1:]:
        each.unlink()
    clear(ui)
    forget_shader(ui, "lost_later")
    assert session.restore()
    ui.wait(lambda: any("lost_later" in text for text in ui.notices))
    kept = folder.with_name("incomplete_sessions") / "1" / "setup.toml"
    ui.wait(lambda: any(str(kept) in text for text in ui.notices))
    session.save()
    assert kept.read_bytes() == setup and (folder / "setup.toml").read_bytes() != setup


def test_a_look_of_which_an_effect_is_missing_is_edited(ui, session, picture, tmp_path):
    title = chain_of(ui.window).title
    shader = with_shader(ui, session, picture, tmp_path / "own", "missed")
    ui.workspace.edits.add_filter("sepia")
    ui.workspace.get(Opening).save_preset(tmp_path / "mine.toml", Description("Old & worn", "For letters."))
    ui.wait(lambda: title.text() == "Old & worn")
    session.save()
    shader.unlink()
    folder = last_folder(ui.workspace.settings.path)
    for each in ("setup.files", "look.files"):
        shutil.rmtree(folder / each)
    for _ in range(2):
        clear(ui)
        forget_shader(ui, "missed")
        assert session.restore()
        ui.wait(lambda: ui.stages == ["sepia"])
        assert title.text() == "Old & worn (edited)"
        session.save()
    clear(ui)
    ui.workspace.get(Opening).load_preset(tmp_path / "mine.toml")
    ui.wait(lambda: ui.stages == ["sepia"])
    assert title.text() == "Old & worn (edited)"


def test_a_video_goes_on_at_its_place(ui, session, tmp_path):
    playback = ui.workspace.playback
    ui.play(str(video(tmp_path / "clip.mp4")))
    ui.pause()
    playback.seek(0.3)
    ui.wait(lambda: abs(playback.seekable.position - 0.3) < 0.1)
    session.save()
    clear(ui)
    shown = []

    def drawn():
        shown.append(ui.workspace.engine.current.shown_pts)

    ui.window.viewport.drawn.connect(drawn)
    assert session.restore()
    ui.wait(lambda: shown and shown[-1] > 0.2)
    ui.window.viewport.drawn.disconnect(drawn)
    # But for the first frames, which tell that it is open.
    assert not [pts for pts in shown if 0.1 < pts < 0.2], shown


def test_a_place_is_not_that_of_a_file_which_is_opened_later(ui, session, tmp_path):
    """A source that failed to open starts at its beginning when it is opened again."""
    playback, path = ui.workspace.playback, tmp_path / "clip.mp4"
    ui.play(str(video(path)))
    ui.pause()
    playback.seek(0.3)
    ui.wait(lambda: abs(playback.seekable.position - 0.3) < 0.1)
    session.save()
    clear(ui)
    whole = path.read_bytes()
    path.write_bytes(b"no video")
    jumps = []
    playback.jumped.connect(lambda: jumps.append(1))
    assert session.restore()
    ui.wait(lambda: ui.notices)
    path.write_bytes(whole)
    jumps.clear()
    ui.play(str(path))
    assert not jumps and playback.has_picture


@pytest.mark.parametrize("shares", [True, False])
def test_all_tiles_of_a_grid_come_back(ui, session, four, pictures, shares, tmp_path):
    workspace = ui.workspace
    workspace.edits.add_filter("invert")
    if not shares:
        four.toggle_shared()
    four.use(2)
    if not shares:
        workspace.edits.add_filter("sharpen")
    wanted = [str(path) for path in pictures.values()]
    chains = [[stage.filter for stage in tile.source_pipeline.setup.chain.stages] for tile in four.tiles]
    session.save()
    four.end()
    four.shares = True
    clear(ui)
    assert session.restore()
    ui.wait(lambda: [tile.playback.name for tile in four.tiles] == wanted)
    ui.wait(lambda: all(tile.playback.has_picture for tile in four.tiles))
    assert four.number == 2 and four.shares == shares
    assert [
        [stage.filter for stage in tile.source_pipeline.setup.chain.stages] for tile in four.tiles
    ] == chains
    assert ui.stages == chains[2]


def test_tiles_go_on_at_their_places_and_one_that_is_gone_leaves_no_gap(ui, session, grid, tmp_path):
    clips = [video(tmp_path / f"{name}.mp4") for name in ("a", "b", "c")]
    grid.begin()
    ui.drop(*clips)
    ui.wait(lambda: all(grid.tiles[at].playback.seekable is not None for at in range(3)))
    for number, tile in enumerate(grid.tiles[:3]):
        tile.playback.seekable.pause()
        tile.playback.seek(0.2 + 0.1 * number)
    ui.wait(lambda: abs(grid.tiles[2].playback.seekable.position - 0.4) < 0.1)
    session.save()
    grid.end()
    clear(ui)
    clips[1].unlink()
    assert session.restore()
    ui.wait(lambda: [t.playback.name for t in grid.tiles][:2] == [str(clips[0]), str(clips[2])])
    ui.wait(lambda: grid.tiles[0].playback.seekable.position >= 0.2)
    ui.wait(lambda: grid.tiles[1].playback.seekable.position >= 0.4)
    assert any(str(clips[1]) in said for said in ui.notices)


def test_a_file_that_is_gone_is_one_sentence_and_the_rest_is_back(ui, session, picture, tmp_path):
    ui.play(str(picture))
    ui.workspace.edits.edit(whole_setup(ui, tmp_path), "all of it")
    session.save()
    clear(ui)
    picture.unlink()
    assert session.restore()
    ui.wait(lambda: ui.notices)
    [said] = ui.notices
    assert str(picture) in said and "last session" in said
    assert ui.stages == ["invert"] and ui.workspace.edits.setup.scene.zones


def test_a_window_that_was_only_looked_at_keeps_nothing(own_ui):
    # Its own: one in which other tests have changed something keeps its session by itself.
    own_ui.play()
    session = LastSession(own_ui.workspace, own_ui.window)
    session.save()
    assert read_source(last_folder(own_ui.workspace.settings.path)) is None
    assert not session.restore()


def test_after_a_crash_it_is_offered_and_nothing_else(ui, session, picture, tmp_path):
    ui.play(str(picture))
    ui.workspace.edits.edit(whole_setup(ui, tmp_path), "all of it")
    session.save()
    clear(ui)
    session.put_aside()
    session.offer()
    assert not session.restore() and ui.workspace.playback.source is None and ui.stages == []
    [notice] = ui.window.notices.notices
    assert picture.name in notice.text
    # What is opened meanwhile is another session, and takes nothing away.
    ui.workspace.edits.edit(Setup(), "nothing")
    session.save()
    notice.buttons[0].act()
    ui.wait(lambda: ui.workspace.playback.name == str(picture))
    assert ui.stages == ["invert"]


def test_safe_mode_writes_nothing(ui, session, picture):
    session.stop()
    ui.play(str(picture))
    session.save()
    session.end()
    assert read_source(last_folder(ui.workspace.settings.path)) is None


def test_no_camera_is_opened_by_itself(ui, session):
    folder = last_folder(ui.workspace.settings.path)
    folder.mkdir()
    (folder / "source.json").write_text(json.dumps({"source": "camera:/dev/video0", "position": 0}))
    (folder / "setup.toml").write_text("lightloom = 1\n")
    assert session.restore()
    assert not ui.workspace.playback.is_opening and "camera:/dev/video0" in ui.notices[0]


def test_an_address_with_a_password_is_not_kept(ui, session, picture):
    ui.workspace.playback.adopt("rtsp://me:secret@camera.local/live", open_source(str(picture)))
    ui.wait(lambda: ui.workspace.playback.has_picture)
    ui.workspace.edits.add_filter("invert", {})
    session.save()
    kept = last_folder(ui.workspace.settings.path)
    assert read_source(kept).name == ""
    assert all("secret" not in each.read_text() for each in kept.iterdir())
    clear(ui)
    assert session.restore()
    ui.wait(lambda: ui.notices)
    assert "rtsp://camera.local/live" in ui.notices[0] and "password" in ui.notices[0]


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"source": 3}', '{"source": "a\\u0000b", "position": 0}', '{"source": "a", "position": NaN}'],
)
def test_junk_is_no_session(tmp_path, text):
    (tmp_path / "source.json").write_text(text)
    assert read_source(tmp_path) is None


@pytest.mark.parametrize(
    "tiles",
    ['"a"', "[3]", "{}", '[{"source": "a", "position": 0, "setup": "../../x.toml"}]', '[{"source": "a"}]'],
)
def test_junk_is_no_grid(tmp_path, tiles):
    (tmp_path / "source.json").write_text(f'{{"source": "a", "position": 0, "tiles": {tiles}}}')
    assert read_source(tmp_path).name == "a" and read_tiles(tmp_path) == ()


def test_a_preset_that_is_broken_is_said_and_the_source_opens(ui, session, picture):
    ui.play(str(picture))
    session.save()
    clear(ui)
    (last_folder(ui.workspace.settings.path) / "setup.toml").write_bytes(os.urandom(64))
    assert session.restore()
    ui.wait(lambda: ui.workspace.playback.name == str(picture))
    assert any("setup.toml" in said for said in ui.notices)


@pytest.mark.parametrize("crashed", [False, True])
def test_a_damaged_list_of_sources_is_reported_and_the_setup_is_back(ui, session, picture, tmp_path, crashed):
    ui.play(str(picture))
    ui.workspace.edits.edit(whole_setup(ui, tmp_path), "all of it")
    session.save()
    clear(ui)
    file = last_folder(ui.workspace.settings.path) / "source.json"
    damaged = file.read_bytes()[:20]
    file.write_bytes(damaged)
    if crashed:
        session.put_aside()
        session.offer()
        assert session.is_aside
        [notice] = [n for n in ui.window.notices.notices if "brought back" in n.text]
        notice.buttons[0].act()
    else:
        assert session.restore()
    assert [stage.filter for stage in ui.workspace.edits.chain.stages] == ["invert"]
    [said] = [each for each in ui.notices if "is damaged" in each]
    kept = file.parent.with_name("incomplete_sessions") / "1" / file.name
    assert str(kept) in said
    session.end()  # which deletes a crashed session
    assert not session.is_aside and kept.read_bytes() == damaged


def test_a_session_that_cannot_be_saved_is_reported_once_until_it_can(ui, session, picture):
    folder = last_folder(ui.workspace.settings.path)
    folder.write_text("in the way")
    ui.play(str(picture))
    try:
        session.save()
        session.save()
        [said] = [each for each in ui.notices if "cannot be saved" in each]
        assert str(folder) in said and said.endswith(".")
    finally:
        folder.unlink()
    session.save()
    assert not any("cannot be saved" in each for each in ui.notices)
    assert read_source(folder).name == str(picture)


def test_the_files_of_many_shaders_are_kept(ui, session, picture, monkeypatch):
    followed = {picture.parent / f"{'a' * 150} {number}.fs": (0, 0) for number in range(2000)}
    monkeypatch.setattr(ui.workspace.get(OwnShaders), "followed", followed)
    ui.play(str(picture))
    session.save()
    folder = last_folder(ui.workspace.settings.path)
    assert read_source(folder).name == str(picture)
    assert set(read_origins(folder).values()) >= set(followed)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to a single process")
def test_a_window_that_is_told_to_end_is_there_again(tmp_path, picture):
    """By processes, as a user has it: one is ended by SIGTERM, the next is started with nothing named."""
    from window_program import Program

    first = Program(tmp_path, {}, str(picture))
    first.wait_for("first frame")
    assert first.end() == 0
    first.close()
    kept = tmp_path / "config" / "last_session"
    assert read_source(kept).name == str(picture)
    # Another file in its place: that the next window opens it tells that it reads this.
    other = tmp_path / "other.png"
    shutil.copy(picture, other)
    (kept / "source.json").write_text(json.dumps({"source": str(other), "position": 0.0}))
    second = Program(tmp_path, {})
    second.wait_for("first frame")
    assert second.end() == 0
    second.close()
    assert str(other) in (tmp_path / "config" / "settings.ini").read_text()
    assert read_source(kept).name == str(other)
