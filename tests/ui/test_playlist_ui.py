"""Several files become a list: the first one is opened and no other, it goes on by itself, and keys, drags
and buttons act on it.
"""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import material
import pytest
from file_opens import Opens
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from desktop.base.errors import LightloomError
from desktop.media import playlist_file
from desktop.media.playlist_file import read_playlist
from desktop.ui.features.playback import playlist_player
from desktop.ui.features.playback.playlist_player import PlaylistPlayer
from desktop.ui.features.playlist.playlist_panel import PlaylistPanel
from desktop.ui.features.preferences.page import PreferencesDialog
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.thumbnails import Small
from desktop.vision.tracking.anonymize import AnonymizeSpec

NONE = Qt.KeyboardModifier.NoModifier
A, B, C = (str(Path(f"/{name}.mp4").absolute()) for name in "abc")  # with a drive on Windows


@pytest.fixture
def panel(ui, player) -> PlaylistPanel:
    """The panel, shown."""
    ui.window.dock_area.show("playlist")
    panel = ui.window.dock_area.panel("playlist", PlaylistPanel)
    ui.wait(lambda: panel.isVisible())
    return panel


def images(folder, count: int) -> list:
    return [material.image(folder / f"{n}.png", (n % 200, 99, 0)) for n in range(count)]


def broken(path):
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 60)
    return path


def shown(player: PlaylistPlayer) -> str:
    entry = player.list.entry(player.shown)
    return entry.title if entry is not None else ""


def titles(player: PlaylistPlayer) -> list[str]:
    return [entry.title for entry in player.list.entries]


def test_178_files_at_once_open_none_but_the_first(ui, player, tmp_path):
    first, second = images(tmp_path, 2)
    links = [first, second]
    for number in range(2, 178):
        link = tmp_path / f"{number}.png"
        # Another name of one file: an open of any of them is an open of it.
        link.hardlink_to(second)
        links.append(link)
    opens, first_opens = Opens(second), Opens(first)
    ui.drop(*links)
    ui.wait(lambda: shown(player) == "0.png")
    ui.settle()
    assert player.place == (1, 178) and len(player.list) == 178
    assert first_opens.count > 0
    assert opens.count == 0
    assert ui.window.windowTitle().startswith("0.png (1 of 178)")
    ui.wait(lambda: ui.window.header.place.text() == "1 of 178")


def test_the_first_time_it_is_said_where_the_playlist_is(ui, player, tmp_path):
    settings = ui.workspace.settings
    settings.playlist_hinted = False
    first, second, third = images(tmp_path, 3)
    ui.drop(first)
    ui.wait(lambda: ui.workspace.playback.name == str(first))
    assert not ui.notices, "one file is no list"
    ui.drop(second, third)
    ui.wait(lambda: ui.notices)
    (notice,) = ui.window.notices.notices
    assert ui.window.actions_by_name["playlist"].shortcut().toString() in notice.text
    notice.buttons[0].act()
    dock = ui.window.docks["playlist"]
    ui.wait(lambda: dock.isVisible() and not ui.notices)
    dock.hide()
    ui.drop(first, third)
    ui.wait(lambda: shown(player) == first.name)
    assert not ui.notices, "said once"


def test_what_plays_is_in_sight_when_the_panel_opens_and_when_it_gets_narrow(ui, player, tmp_path):
    ui.drop(*images(tmp_path, 12))
    ui.wait(lambda: shown(player) == "0.png")
    player.choose(player.list.entries[11].id)
    ui.wait(lambda: shown(player) == "11.png")
    ui.window.dock_area.show("playlist")
    panel = ui.window.dock_area.panel("playlist", PlaylistPanel)
    ui.wait(lambda: panel.isVisible())
    strip = panel.strip

    def in_sight():
        cell = strip.visualRect(strip.entries.index(11))
        return cell.isValid() and strip.viewport().rect().contains(cell.center())

    ui.wait(in_sight)
    ui.resize(900, 600)
    ui.wait(in_sight)


def test_keys_go_through_it_and_the_title_follows(ui, player, tmp_path):
    ui.drop(*images(tmp_path, 3))
    ui.wait(lambda: shown(player) == "0.png")
    ui.press(Qt.Key.Key_PageDown)
    ui.wait(lambda: shown(player) == "1.png")
    assert ui.window.windowTitle().startswith("1.png (2 of 3)")
    ui.press(Qt.Key.Key_PageUp)
    ui.wait(lambda: shown(player) == "0.png")
    ui.press(Qt.Key.Key_PageUp)
    assert shown(player) == "0.png"


def test_at_its_end_a_video_a_picture_and_a_folder_give_way_to_the_next(ui, player, tmp_path):
    ui.workspace.settings.picture_seconds = 0.5
    folder = tmp_path / "holiday"
    folder.mkdir()
    images(folder, 2)
    names: list[str] = []
    ui.workspace.playback.changed.connect(lambda: names.append(ui.window.windowTitle()))
    video = material.video(tmp_path / "a.mp4", 6)
    ui.drop(video, material.image(tmp_path / "b.png"), folder, material.image(tmp_path / "d.png"))
    seen: list[str] = []
    player.changed.connect(lambda: seen.append(shown(player)))
    ui.wait(lambda: shown(player) == "d.png")
    order = [name for n, name in enumerate(seen) if name and (n == 0 or seen[n - 1] != name)]
    assert order == ["a.mp4", "b.png", "holiday", "d.png"]
    # The folder names the picture that it shows.
    assert any(name.startswith("holiday / 1.png (3 of 4)") for name in names)
    ui.wait(lambda: ui.workspace.playback.source.state == "ended")
    assert shown(player) == "d.png", "the last one stays"
    assert player.list.entries[0].seconds == pytest.approx(0.5, abs=0.01)


def test_who_steps_on_before_a_file_has_opened_gets_where_they_stop(ui, player, tmp_path):
    first, second, third, _ = images(tmp_path, 4)
    ui.drop(first, second, third)
    ui.wait(lambda: shown(player) == first.name)
    player.step(1)
    player.step(1)
    # As if the first file had opened within the time in which it is waited for the next key.
    player._settle.stop()
    player._settle.setInterval(3000)
    player._settle.start()
    ui.wait(lambda: shown(player) == second.name)
    assert player.list.current == player.list.entries[2].id
    ui.wait(lambda: shown(player) == third.name)
    player._settle.setInterval(150)


def test_the_old_picture_stays_until_the_new_one_is_there(ui, player, tmp_path):
    ui.drop(*images(tmp_path, 2))
    ui.wait(lambda: shown(player) == "0.png")
    pages: list[bool] = []

    def check():
        pages.append(ui.window.pages.currentWidget() is ui.window.viewport)

    ui.workspace.playback.changed.connect(check)
    player.step(1)
    assert shown(player) == "0.png" and ui.workspace.playback.has_picture
    ui.wait(lambda: shown(player) == "1.png")
    ui.workspace.playback.changed.disconnect(check)
    assert pages and all(pages)


def test_a_list_goes_on_behind_what_was_taken_out_while_it_played(ui, player, tmp_path):
    ui.drop(
        material.video(tmp_path / "a.mp4", 3), material.video(tmp_path / "b.mp4", 12), *images(tmp_path, 1)
    )
    ui.wait(lambda: shown(player) == "b.mp4")
    player.remove([player.shown])
    assert player.shown is None and ui.workspace.playback.name.endswith("b.mp4")
    ui.wait(lambda: shown(player) == "0.png")


def test_whoever_gives_up_opening_is_where_they_were(ui, player, tmp_path):
    ui.drop(*images(tmp_path, 3))
    ui.wait(lambda: shown(player) == "0.png")
    player.step(1)
    ui.workspace.playback.cancel()
    assert player.list.current == player.shown
    player.step(1)
    ui.wait(lambda: shown(player) == "1.png")


def test_loops(ui, player, tmp_path):
    ui.drop(material.video(tmp_path / "a.mp4", 3), material.video(tmp_path / "b.mp4", 3))
    ui.wait(lambda: shown(player) == "b.mp4")
    assert player.next_loop() == "all"
    player.choose(player.list.entries[1].id)
    seen: list[str] = []
    player.changed.connect(lambda: seen.append(shown(player)))
    ui.wait(lambda: "a.mp4" in seen)
    assert player.next_loop() == "one" and ui.workspace.settings.playlist_loop == "one"


def test_what_does_not_open_is_told_once_and_passed_over(ui, player, tmp_path):
    good = images(tmp_path, 2)
    ui.drop(broken(tmp_path / "x.png"), good[0], broken(tmp_path / "y.png"), tmp_path / "gone.mp4", good[1])
    ui.wait(lambda: shown(player) == "0.png")
    player.next_loop()
    for expected in ("1.png", "0.png", "1.png"):
        player.step(1)
        ui.wait(lambda name=expected: shown(player) == name)
    for name in ("x.png", "y.png", "gone.mp4"):
        (entry,) = [e for e in player.list.entries if e.title == name]
        assert name in player.list.failure_reason(entry.id)
    # Those of a source go once another plays; none may come twice.
    assert all(sum(name in text for text in ui.notices) <= 1 for name in ("x.png", "y.png", "gone.mp4"))


def test_when_all_fail_it_ends(ui, player, tmp_path):
    player.next_loop()
    failed: list[str] = []
    ui.workspace.playback.failed.connect(lambda text: failed.append(str(text)))
    ui.drop(*(broken(tmp_path / f"{n}.png") for n in range(5)))
    ui.wait(lambda: len(failed) == 5 and not ui.workspace.playback.is_opening)
    QTest.qWait(300)
    assert len(failed) == 5 and player.shown is None
    assert ui.window.pages.currentWidget() is ui.window.empty


def test_one_that_is_opened_by_itself_leaves_the_list(ui, player, tmp_path):
    ui.drop(*images(tmp_path, 2))
    ui.wait(lambda: shown(player) == "0.png")
    other = material.image(tmp_path / "other.png")
    ui.drop(other)
    ui.wait(lambda: ui.workspace.playback.name == str(other) and player.shown is None)
    assert titles(player) == ["0.png", "1.png"] and not ui.window.header.place.isVisible()
    player.step(1)
    ui.wait(lambda: shown(player) == "1.png")


def test_networks_and_filters_of_the_same_drop_go_where_they_belong(ui, player, tmp_path):
    pictures = images(tmp_path, 2)
    ui.drop(pictures[0], material.cube(tmp_path / "invert.cube"), pictures[1])
    ui.wait(lambda: shown(player) == "0.png" and ui.stages == ["lut"])
    assert titles(player) == ["0.png", "1.png"]


def test_lists_are_opened_and_saved(ui, player, tmp_path):
    images(tmp_path, 3)
    listed = tmp_path / "mine.m3u8"
    listed.write_text("#EXTM3U\n2.png\nnested.m3u8\n0.png\n", encoding="utf-8")
    ui.drop(listed)
    ui.wait(lambda: shown(player) == "2.png")
    assert titles(player) == ["2.png", "0.png"]
    ui.wait(lambda: any("mine.m3u8" in text for text in ui.notices))
    player.save(tmp_path / "saved.m3u8")
    ui.wait(lambda: (tmp_path / "saved.m3u8").exists())
    assert [e.spec for e in read_playlist(tmp_path / "saved.m3u8").entries] == [
        str(tmp_path / "2.png"),
        str(tmp_path / "0.png"),
    ]


def test_files_on_another_machine_are_there_again_and_reported_where_a_saved_list_lacks_them(
    ui, player, tmp_path
):
    workspace = ui.workspace
    kept = workspace.settings.path.with_name("playlist.m3u8")
    kept.write_text(f"#EXTM3U\n//server/share/b.mp4\n{A}\n", encoding="utf-8")  # as it is stored
    again = PlaylistPlayer(workspace.jobs, workspace.messages, workspace.playback, workspace.settings, player)
    again.restore()
    ui.wait(lambda: len(again.list) == 2)
    assert again.list.entries[0].spec == str(Path("//server/share/b.mp4"))
    assert not any("left out" in text for text in ui.notices)
    again.save(tmp_path / "saved.m3u8")
    ui.wait(lambda: any("1 file of the playlist is on another machine" in text for text in ui.notices))
    read = read_playlist(tmp_path / "saved.m3u8")
    assert [entry.spec for entry in read.entries] == [A] and read.left_out == 1
    again.close()
    again.deleteLater()
    kept.unlink()


def test_the_list_is_there_again_after_a_restart(ui, player, tmp_path):
    ui.drop(*images(tmp_path, 3))
    ui.wait(lambda: shown(player) == "0.png")
    player.step(1)
    ui.wait(lambda: shown(player) == "1.png")
    player.save_now()
    again = PlaylistPlayer(
        ui.workspace.jobs, ui.workspace.messages, ui.workspace.playback, ui.workspace.settings, player
    )
    again.restore()
    ui.wait(lambda: len(again.list) == 3)
    assert titles(again) == ["0.png", "1.png", "2.png"] and again.list.place(again.list.current) == 1
    again.close()
    again.deleteLater()
    player.clear()
    player.save_now()
    kept = ui.workspace.settings.path.with_name("playlist.m3u8")
    assert not kept.exists()


def test_entries_that_are_not_kept_are_counted_and_the_place_is_that_of_the_others(ui, player, tmp_path):
    secret = ("rtsp://anna:hunter2@127.0.0.1:1/a", "rtsp://anna:hunter2@127.0.0.1:1/b", "camera:none")
    first, second, third = map(str, images(tmp_path, 3))
    player.add((first, *secret[:2], second, secret[2], third))
    player.choose(player.list.entries[3].id)
    ui.wait(lambda: shown(player) == "1.png")
    player.save_now()
    kept = ui.workspace.settings.path.with_name("playlist.m3u8")
    assert "hunter2" not in kept.read_text()
    workspace = ui.workspace
    for hints in (1, 0):
        again = PlaylistPlayer(
            workspace.jobs, workspace.messages, workspace.playback, workspace.settings, player
        )
        again.restore()
        ui.wait(lambda again=again: len(again.list) == 3)
        assert again.list.entries[again.list.place(again.list.current)].spec == second
        said = [text for text in ui.notices if "cannot be stored" in text]
        assert len(said) == hints and all(text.startswith("3 entries") for text in said)
        again.close()
        again.deleteLater()
        ui.window.notices.clear()


def test_a_list_that_cannot_be_read_at_the_start_is_reported(ui, player):
    kept = ui.workspace.settings.path.with_name("playlist.m3u8")
    kept.write_bytes(b"\xff\xfe")
    workspace = ui.workspace
    again = PlaylistPlayer(workspace.jobs, workspace.messages, workspace.playback, workspace.settings, player)
    again.restore()
    ui.wait(lambda: any("playlist.m3u8" in text for text in ui.notices))
    [said] = [text for text in ui.notices if "is not text in UTF-8" in text]
    copy = kept.with_name("playlist.m3u8.broken")
    again.add([A])
    again.close()
    assert kept.read_text(encoding="utf-8").endswith("a.mp4\n")
    assert said.endswith(f"A copy of the list is {copy}.") and copy.read_bytes() == b"\xff\xfe"
    again.deleteLater()
    kept.unlink()
    copy.unlink()


def test_a_list_of_which_lines_cannot_be_read_at_the_start_is_reported_and_kept(ui, player):
    kept = ui.workspace.settings.path.with_name("playlist.m3u8")
    kept.write_text(f"#EXTM3U\n{A}\nother.m3u8\n", encoding="utf-8")
    workspace = ui.workspace
    again = PlaylistPlayer(workspace.jobs, workspace.messages, workspace.playback, workspace.settings, player)
    again.restore()
    ui.wait(lambda: len(again.list) == 1)
    copy = kept.with_name("playlist.m3u8.broken")
    [said] = [text for text in ui.notices if "1 line of playlist.m3u8 is left out" in text]
    assert said.endswith(f"A copy of the list is {copy}.") and copy.read_bytes() == kept.read_bytes()
    again.close()
    again.deleteLater()
    kept.unlink()
    copy.unlink()


@pytest.fixture
def quick(ui, player, monkeypatch):
    """A player that saves at once, and the only thread of its jobs."""
    monkeypatch.setattr(playlist_player, "_SAVE_MS", 0)
    jobs, workspace = Jobs(threads=1), ui.workspace
    made = PlaylistPlayer(jobs, workspace.messages, workspace.playback, workspace.settings, player)
    yield made, jobs
    made.close()
    jobs.close()
    made.deleteLater()
    workspace.settings.path.with_name("playlist.m3u8").unlink(missing_ok=True)


def test_a_list_whose_saving_waits_is_saved_on_closing_and_not_replaced_by_an_older_one(ui, quick):
    (made, jobs), goes_on = quick, threading.Event()
    kept = ui.workspace.settings.path.with_name("playlist.m3u8")
    jobs.run(goes_on.wait)
    try:
        made.add([A, B])
        ui.wait(lambda: jobs.running == 2)
        made.close()
        assert [entry.spec for entry in read_playlist(kept).entries] == [A, B]
        made.add([C])
        made.close()
    finally:
        goes_on.set()
    jobs.close()
    assert [entry.spec for entry in read_playlist(kept).entries] == [A, B, C]


def test_a_list_that_cannot_be_saved_is_reported_once_until_it_can(ui, quick, monkeypatch):
    made, jobs = quick

    tries = []

    def full(path, parts):
        tries.append(path)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def reports():
        return [text for text in ui.notices if "playlist cannot be kept" in text]

    with monkeypatch.context() as patch:
        patch.setattr(playlist_player, "replace_file", full)
        made.add([A])
        ui.wait(reports)
        made.add([B])
        ui.wait(lambda: len(tries) == 2 and jobs.running == 0)
        [said] = reports()
        assert "No space left" in said and str(ui.workspace.settings.path.parent) in said
    made.add([C])
    ui.wait(lambda: not reports())
    assert len(read_playlist(ui.workspace.settings.path.with_name("playlist.m3u8")).entries) == 3


def test_a_list_is_looked_through_once_for_saving_and_not_on_the_windows_thread(ui, quick, monkeypatch):
    (made, jobs), threads = quick, []
    passed = playlist_file._line

    def line(spec, folder, *, secrets):
        threads.append(threading.current_thread())
        return passed(spec, folder, secrets=secrets)

    monkeypatch.setattr(playlist_file, "_line", line)
    made.add([A, "camera:none", B, C])
    ui.wait(lambda: threads and jobs.running == 0)
    assert len(threads) == 4 and threading.main_thread() not in threads
    assert int(ui.workspace.settings.playlist_left_out) == 1
    ui.workspace.settings.playlist_left_out = 0


def test_a_shuffled_list_that_is_restored_passes_over_nothing(ui, player, tmp_path):
    ui.workspace.settings.shuffles = True
    ui.drop(*images(tmp_path, 6))
    ui.wait(lambda: shown(player))
    for _ in range(2):
        player.step(1)
    ui.wait(lambda: player.shown == player.list.current)
    player.save_now()
    playback, workspace = ui.workspace.playback, ui.workspace
    # An order of chance may have the entry in turn first by chance: five times it has not.
    for _ in range(5):
        again = PlaylistPlayer(workspace.jobs, workspace.messages, playback, workspace.settings, player)
        again.restore()
        ui.wait(lambda again=again: len(again.list) == 6)
        assert again.list.current == again.list.order[0]
        again.close()
        again.deleteLater()


# -- the panel -----------------------------------------------------------------------------------------------


def test_enter_plays_delete_takes_out_and_alt_moves(ui, panel, player, tmp_path):
    ui.drop(*images(tmp_path, 4))
    ui.wait(lambda: shown(player) == "0.png")
    strip = panel.strip
    strip.setFocus()
    strip.setCurrentIndex(strip.entries.index(2))
    QTest.keyClick(strip, Qt.Key.Key_Return)
    ui.wait(lambda: shown(player) == "2.png")
    QTest.keyClick(strip, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert titles(player) == ["0.png", "2.png", "1.png", "3.png"]
    assert strip.current_id == player.shown and player.place == (2, 4)
    QTest.keyClick(strip, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(strip, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(strip, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert titles(player) == ["0.png", "1.png", "3.png", "2.png"]
    QTest.keyClick(strip, Qt.Key.Key_Delete)
    assert titles(player) == ["0.png", "1.png", "3.png"] and player.shown is None
    assert ui.workspace.playback.name.endswith("2.png"), "it goes on playing"
    player.undo()
    assert titles(player) == ["0.png", "1.png", "3.png", "2.png"]


@pytest.mark.parametrize("shuffles", [True, False])
def test_undo_restores_the_entries_but_not_whether_they_are_shuffled(ui, player, tmp_path, shuffles):
    ui.workspace.settings.shuffles = not shuffles
    ui.drop(*images(tmp_path, 6))
    ui.wait(lambda: shown(player))
    player.remove([player.list.entries[-1].id])
    ui.workspace.settings.shuffles = shuffles
    player.undo()
    assert len(player.list) == 6 and (player.list.seed is not None) == shuffles
    in_order = [entry.id for entry in player.list.entries]
    assert sorted(player.list.order) == in_order
    assert shuffles or list(player.list.order) == in_order


def test_a_double_click_plays(ui, panel, player, tmp_path):
    ui.drop(*images(tmp_path, 3))
    ui.wait(lambda: shown(player) == "0.png")
    at = panel.strip.visualRect(panel.strip.entries.index(1)).center()
    QTest.mouseClick(panel.strip.viewport(), Qt.MouseButton.LeftButton, NONE, at)
    QTest.mouseDClick(panel.strip.viewport(), Qt.MouseButton.LeftButton, NONE, at)
    ui.wait(lambda: shown(player) == "1.png")


def test_dragging_moves_and_files_dropped_between_are_added_there(ui, panel, player, tmp_path):
    pictures = images(tmp_path, 4)
    ui.drop(*pictures[:3])
    ui.wait(lambda: shown(player) == "0.png")
    model = panel.strip.entries
    data = model.mimeData([model.index(0)])
    model.dropMimeData(data, Qt.DropAction.MoveAction, 3, 0, QModelIndex())
    assert titles(player) == ["1.png", "2.png", "0.png"] and player.place == (3, 3)
    urls = QMimeData()
    urls.setUrls([QUrl.fromLocalFile(str(pictures[3]))])
    rect = panel.strip.visualRect(model.index(1))
    drop = QDropEvent(
        QPointF(rect.left() + 1, rect.center().y()),
        Qt.DropAction.CopyAction,
        urls,
        Qt.MouseButton.LeftButton,
        NONE,
    )
    panel.strip.dropEvent(drop)
    ui.wait(lambda: len(player.list) == 4)
    assert sorted(titles(player)) == ["0.png", "1.png", "2.png", "3.png"] and shown(player) == "0.png"


def test_small_pictures_are_made_of_what_is_seen_alone_and_broken_ones_say_why(ui, panel, player, tmp_path):
    pictures = images(tmp_path, 60)
    broken(pictures[2])
    opens = {place: Opens(pictures[place]) for place in (1, 2, 59)}
    ui.drop(*pictures)
    ui.wait(lambda: shown(player) == "0.png")
    small = panel.strip.thumbnails
    ui.wait(lambda: isinstance(small.get(str(pictures[1])), Small))
    ui.wait(lambda: isinstance(small.get(str(pictures[2])), LightloomError))
    assert "2.png" in panel.strip.entries.data(panel.strip.entries.index(2), Qt.ItemDataRole.ToolTipRole)
    color = small.get(str(pictures[1])).image.pixelColor(20, 15)
    assert (color.red(), color.green(), color.blue()) == (1, 99, 0)
    seen = {entry.title for entry in panel.strip.visible_entries()}
    assert "1.png" in seen and "59.png" not in seen
    assert opens[59].count == 0 and small.get(str(pictures[59])) is None
    # Files are shown as they are: where things are hidden, they are not.
    ui.workspace.edits.set_anonymize(AnonymizeSpec())
    assert not panel.strip.shows_pictures
    panel.strip.scrollToBottom()
    panel.strip.horizontalScrollBar().setValue(panel.strip.horizontalScrollBar().maximum())
    QTest.qWait(300)
    assert opens[59].count == 0
    ui.workspace.edits.set_anonymize(None)
    ui.wait(lambda: isinstance(small.get(str(pictures[59])), Small))


def test_a_file_that_is_opened_by_itself_is_no_entry_of_the_list_though_it_is_in_it(ui, player, tmp_path):
    first, second = (material.video(tmp_path / f"{name}.mp4", 12) for name in "ab")
    player.add([str(first), str(second)])
    ui.play(str(first))
    assert player.shown is None and player.place is None
    ui.wait(lambda: ui.workspace.playback.source.state == "ended")
    QTest.qWait(300)
    assert ui.workspace.playback.name == str(first) and not ui.workspace.playback.is_opening


def test_an_empty_list_says_what_to_do(ui, panel, player):
    (text,) = [w for w in panel.findChildren(type(panel.count)) if "Drop several" in w.text()]
    ui.wait(text.isVisible)
    assert not panel.next.isEnabled() and panel.count.text() == ""
    assert panel.strip.indexAt(QPoint(5, 5)).row() == -1


def test_buttons_do_what_the_actions_do(ui, panel, player, tmp_path):
    ui.drop(*images(tmp_path, 3))
    ui.wait(lambda: shown(player) == "0.png")
    assert panel.count.text() == "1 of 3"
    panel.next.click()
    ui.wait(lambda: shown(player) == "1.png")
    panel.shuffle.click()
    assert player.list.seed is not None and panel.shuffle.isChecked() and ui.workspace.settings.shuffles
    panel.loop.click()
    assert player.list.loop == "all" and panel.loop.isChecked()


def test_how_long_pictures_stay_is_the_same_on_the_panel_and_the_page_of_preferences(ui, panel, player):
    settings = ui.workspace.settings
    settings.picture_seconds = 7.5
    assert panel.seconds.value() == 7.5
    panel.seconds.setValue(2.0)
    assert settings.picture_seconds == 2.0
    panel.seconds.selectAll()
    QTest.keyClicks(panel.seconds, "1.5")
    QTest.keyClick(panel.seconds, Qt.Key.Key_Return)
    assert settings.picture_seconds == 1.5
    page = PreferencesDialog(settings, ui.workspace.jobs, ui.window.themed, ui.window)
    page.show()
    row = page.rows["picture_seconds"].editor
    panel.seconds.setValue(4.0)
    assert row.spin.value() == 4.0
    row.spin.setValue(6.0)
    assert panel.seconds.value() == 6.0
    page.close()
