"""The page of preferences: it has every setting, what is changed there is kept and so at once, and all can be
put back.
"""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from desktop.base.errors import UsageError
from desktop.base.fields import Available, Flag, Folder, Integer, Line, Number, Selection
from desktop.base.wording import sentence
from desktop.outputs.encoding import Encoding
from desktop.outputs.still import write_image
from desktop.ui.features.preferences.actions import show_preferences
from desktop.ui.features.preferences.folders import folder_fault
from desktop.ui.features.preferences.page import PreferencesDialog
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.features.recording.record_dialog import RecordDialog
from desktop.ui.forms.encoding_choice import EncodingChoice, store_choice, stored_choice
from desktop.ui.forms.setting import Consent, Moment, Names, Section, Setting, State, Tables
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.widgets import Themed, tab_stops

ALL = list(Settings.all())


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "settings.ini")


@pytest.fixture
def parent(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(1000, 700)
    return widget


@pytest.fixture
def page(settings, parent):
    made = PreferencesDialog(settings, Jobs(parent), Themed(), parent)
    made.show()
    yield made
    made.close()


def takes(field, text):
    try:
        return field.check(text) == text
    except UsageError:
        return False


def another(setting, tmp_path):
    """A value that is not the default."""
    match setting.field:
        case Flag() as field:
            return not field.default
        case Consent():
            return False
        case Selection() as field:
            return field.choices[-1]
        case Moment():
            return 1.7e9
        case Number() as field:
            return field.min if field.min != field.default else field.max
        case Names():
            return ["a", "b"]
        case State():
            return QByteArray(b"abc")
        case Tables():
            return {"a": {"b": 1}}
        case Folder():
            return str(tmp_path)
        case Available():
            return "something"
        case Line() as field:
            return next(text for text in ("https://example.org/x", "127.0.0.1:9464") if takes(field, text))
    raise AssertionError(setting.field)


def test_every_key_of_the_file_is_a_setting_with_a_title():
    assert len({setting.key for setting in ALL}) == len(ALL)
    assert len({str(setting.field.label) for setting in ALL}) == len(ALL), "two rows are called the same"
    assert all(setting.field.label and setting.section.title for setting in ALL)


def test_each_setting_is_on_the_page_and_can_be_put_back(settings, page, tmp_path):
    def keys():
        settings.sync()
        return QSettings(str(settings.path), QSettings.Format.IniFormat).allKeys()

    for setting in ALL:
        row = page.rows[setting.name]
        default = getattr(settings, setting.name)
        assert default == setting.field.default and not row.back.isEnabled(), setting.name
        value = another(setting, tmp_path)
        row.editor.edited.emit(value)
        assert keys() == [setting.key]
        assert getattr(Settings(settings.path), setting.name) == value, setting.name
        page.show_section(setting.section)
        assert row.isVisible() and row.back.isVisible(), setting.name
        row.back.click()
        assert getattr(settings, setting.name) == default and not row.back.isEnabled(), setting.name
        assert keys() == []


def test_all_are_put_back_at_once(settings, page, tmp_path):
    for setting in ALL:
        setattr(settings, setting.name, another(setting, tmp_path))
    settings.sync()
    kept = QSettings(str(settings.path), QSettings.Format.IniFormat).allKeys()
    assert sorted(kept) == sorted(setting.key for setting in ALL), "the page's rows are all that is kept"
    page.all_back.click()
    [question] = page.findChildren(QMessageBox)
    question.button(QMessageBox.StandardButton.Yes).click()
    settings.sync()
    assert QSettings(str(settings.path), QSettings.Format.IniFormat).allKeys() == []
    assert not any(row.back.isEnabled() for row in page.rows.values())


def test_a_setting_that_is_added_later_appears_by_itself(parent, tmp_path):
    own = Section(sentence("Sample"))

    class More(Settings):
        slides = Setting(Integer("more/slides", 5, 1, 60, unit="s", label=sentence("Clear the list")), own)

    settings = More(tmp_path / "more.ini")
    page = PreferencesDialog(settings, Jobs(parent), Themed(), parent)
    page.show_section(own)
    page.show()
    row = page.rows["slides"]
    assert row.isVisible() and row.editor.spin.value() == 5
    row.editor.spin.setValue(12)
    assert settings.slides == 12
    page.close()


@pytest.mark.parametrize("setting", ALL, ids=lambda setting: setting.name)
def test_whatever_stands_in_the_file_gives_a_value_of_its_kind(tmp_path, setting):
    path = tmp_path / "settings.ini"
    store = QSettings(str(path), QSettings.Format.IniFormat)
    for junk in ("", "nan", "-1e400", "[[[", '{"a": 1}', "\x00", "x" * 5000, ["a", "b"]):
        store.setValue(setting.key, junk)
        store.sync()
        value = getattr(Settings(path), setting.name)
        assert type(value) is type(setting.field.default) or isinstance(setting.field, Consent), (junk, value)


# -- using it ------------------------------------------------------------------------------------------------


def test_search_finds_rows_of_all_sections_and_escape_empties_it(page, qtbot):
    assert page.search.hasFocus() or page.focusWidget() is page.search
    QTest.keyClicks(page.search, "folder sna")
    shown = [name for name, row in page.rows.items() if row.isVisible()]
    assert shown == ["snapshot_folder"]
    QTest.keyClick(page.search, Qt.Key.Key_Return)
    assert page.focusWidget() is page.rows["snapshot_folder"].editor.line
    page.search.setText("zzz")
    assert not any(row.isVisible() for row in page.rows.values())
    assert any("zzz" in label.text() and label.isVisible() for label in page.findChildren(QLabel))
    page.search.setFocus()
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    assert page.isVisible() and page.rows["theme"].isVisible() and page.sections.currentRow() == 0


def test_every_editor_is_reached_by_tab_and_has_a_name(page):
    for index in range(page.sections.count()):
        page.sections.setCurrentRow(index)
        stops = list(tab_stops(page))
        assert page.search in stops and page.sections in stops
        for row in [row for row in page.rows.values() if row.isVisible()]:
            name = row.editor.main.accessibleName()
            assert name == str(row.setting.field.label)
            if row.setting.field.editor != "remembered":
                assert row.editor.main in stops, row.setting.name


def test_a_click_and_a_choice_are_kept(settings, page):
    flag = page.rows["records_sound"].editor
    assert settings.records_sound
    page.show_section(page.rows["records_sound"].setting.section)
    flag.box.click()
    assert not settings.records_sound
    choice = page.rows["recording_kind"].editor
    choice.box.setCurrentIndex(choice.box.findData(".webm"))
    choice.box.activated.emit(choice.box.currentIndex())
    assert settings.recording_kind == ".webm"


def test_what_was_chosen_and_is_gone_is_shown(settings, parent):
    settings.sound_device = "speakers:Old headphones"
    page = PreferencesDialog(settings, Jobs(parent), Themed(), parent)
    assert "Old headphones (not found)" in page.rows["sound_device"].editor.box.currentText()
    page.close()


def test_a_mirror_that_is_none_is_told_and_not_kept(settings, page):
    row = page.rows["model_mirror"]
    page.show_section(row.setting.section)
    QTest.keyClicks(row.editor.line, "ftp://x")
    assert "http" in row.note.text() and row.note.isVisible() and settings.model_mirror == ""
    row.editor.line.clear()
    QTest.keyClicks(row.editor.line, "https://example.org")
    assert not row.note.isVisible() and settings.model_mirror == "https://example.org"


def test_a_folder_that_cannot_be_used_is_told_at_once(settings, page, qtbot, tmp_path):
    file = tmp_path / "file"
    file.write_text("x")
    row = page.rows["snapshot_folder"]
    page.show_section(row.setting.section)
    row.editor.line.setText(str(file / "shots"))
    row.editor.line.editingFinished.emit()
    qtbot.waitUntil(lambda: "is not a folder" in row.note.text())
    assert row.note.isVisible()
    row.back.click()
    qtbot.waitUntil(lambda: not row.note.isVisible() or "it is made" in row.note.text())


def test_the_usual_folder_is_not_stored_by_the_page(settings, page):
    line = page.rows["snapshot_folder"].editor.line
    line.setText(str(settings.snapshots_go_to))
    line.editingFinished.emit()
    assert settings.stored("snapshot/folder") is None and line.text() == ""
    settings.folder = str(Path.home())
    assert settings.folder == str(Path.home()), "dialogs open there"


def test_a_share_is_shown_as_a_percentage(settings, page):
    spin = page.rows["volume"].editor.spin
    assert spin.text() == "100 %"
    spin.setValue(25)
    assert settings.volume == 0.25 and settings.stored("sound/volume") == "0.25"


def test_an_integer_that_version_0_1_stored_as_a_float_is_read(settings):
    settings.store(Settings.snapshot_quality, "90.0")
    assert settings.snapshot_quality == 90 and isinstance(settings.snapshot_quality, int)


def test_what_is_wrong_with_a_folder(tmp_path):
    assert folder_fault(tmp_path, written=True) == ""
    assert "is made when" in folder_fault(tmp_path / "a" / "b", written=True)
    assert "no whole path" in folder_fault(Path("a"), written=True)
    assert "not there any more" in folder_fault(tmp_path / "a", written=False)
    if os.name == "posix" and Path("/proc/self").exists():
        # Root may write everywhere but there.
        assert "cannot be written" in folder_fault(Path("/proc/self"), written=True)


# -- what follows --------------------------------------------------------------------------------------------


def test_followers_hear_of_what_they_follow_and_only_of_changes(settings):
    heard = []
    end = settings.follow(lambda: heard.append(settings.theme), Settings.theme)
    settings.theme = "light"
    settings.theme = "light"
    settings.muted = True
    Settings.theme.put_back(settings)
    assert heard == ["light", "system"]
    end()
    settings.theme = "dark"
    assert len(heard) == 2


def test_the_key_opens_the_page_and_the_window_follows_it(ui):
    ui.press(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    [page] = ui.window.findChildren(PreferencesDialog)
    assert show_preferences(ui.window) is page, "there is one"
    settings, workspace = ui.workspace.settings, ui.workspace
    assert ui.window.actions_by_name["preferences"].menuRole() == QAction.MenuRole.PreferencesRole

    page.rows["theme"].editor.edited.emit("light")
    assert ui.window.themed.theme.name == "light" and ui.window.actions_by_name["theme_light"].isChecked()
    page.rows["volume"].editor.edited.emit(0.25)
    assert workspace.sound.volume == 0.25
    page.rows["muted"].editor.edited.emit(True)
    assert workspace.sound.output.muted and ui.window.actions_by_name["mute"].isChecked()
    page.rows["deinterlaces"].editor.edited.emit(False)
    assert not workspace.engine.deinterlaces
    page.rows["show_stats"].editor.edited.emit(True)
    assert ui.window.actions_by_name["pin_figures"].isChecked()
    before = len(ui.notices)
    page.rows["language"].editor.edited.emit("de")
    assert len(ui.notices) == before + 1 and "neu gestartet" in ui.notices[-1]
    page.rows["adapter"].editor.edited.emit("no such adapter")
    ui.wait(lambda: any("no such adapter" in text for text in ui.notices))
    # What an action does is on the page, too.
    ui.window.actions_by_name["mute"].trigger()
    assert not page.rows["muted"].editor.box.isChecked()
    for name in ("theme", "volume", "muted", "deinterlaces", "show_stats", "language", "adapter"):
        page.rows[name].back.click()
    assert settings.theme == "system" and workspace.engine.deinterlaces and workspace.sound.volume == 1.0
    page.close()


def test_what_the_network_sees_can_be_hidden(ui):
    assert ui.workspace.settings.shows_seen
    ui.workspace.settings.shows_seen = False
    state = ui.window.overlay.state()
    assert not state.bars and not state.found
    Settings.shows_seen.put_back(ui.workspace.settings)


# -- snapshots and recordings --------------------------------------------------------------------------------


def test_a_snapshot_has_the_format_and_folder_of_the_settings(ui, tmp_path):
    settings = ui.workspace.settings
    settings.snapshot_folder, settings.snapshot_format, settings.snapshot_quality = str(tmp_path), "jpg", 90
    y, x = np.mgrid[0:96, 0:128]
    cv2.imwrite(str(tmp_path / "still.png"), np.stack([2 * x, y * 2, 255 - x - y], -1).astype(np.uint8))
    ui.play(str(tmp_path / "still.png"))
    ui.settle()
    ui.workspace.get(Pictures).snapshot()
    ui.wait(lambda: list(tmp_path.glob("*.jpg")))
    [file] = tmp_path.glob("*.jpg")
    seen = cv2.cvtColor(cv2.imread(str(file)), cv2.COLOR_BGR2RGB)
    shown = ui.picture()[..., :3].copy()
    # libjpeg's, whose tables are others than those of MPEG-1.
    _, data = cv2.imencode(".jpg", shown[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
    reference = cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1].copy()
    assert seen.shape == shown.shape
    assert cv2.PSNR(seen, shown) > cv2.PSNR(reference, shown) - 4
    for setting in (Settings.snapshot_folder, Settings.snapshot_format, Settings.snapshot_quality):
        setting.put_back(settings)


@pytest.mark.parametrize("suffix", [".jpg", ".webp"])
def test_quality_is_on_the_scale_of_others(tmp_path, suffix):
    # OpenCV (libjpeg, libwebp) writes the same picture: ours is as good within 3 dB, and no larger than twice
    # that.
    y, x = np.mgrid[0:240, 0:320]
    rng = np.random.default_rng(3)
    smooth = np.stack([x * 255 // 320, y * 255 // 240, (x + y) % 256], -1)
    picture = np.clip(smooth + rng.normal(0, 6, (240, 320, 3)), 0, 255).astype(np.uint8)
    code = cv2.IMWRITE_JPEG_QUALITY if suffix == ".jpg" else cv2.IMWRITE_WEBP_QUALITY
    last = 0.0
    for quality in (30, 60, 90):
        own = tmp_path / f"own{quality}{suffix}"
        write_image(np.dstack([picture, np.full((240, 320), 255, np.uint8)]), own, quality=quality)
        _, data = cv2.imencode(suffix, picture[..., ::-1], [code, quality])
        theirs = cv2.PSNR(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1].copy(), picture)
        ours = cv2.PSNR(cv2.imread(str(own))[..., ::-1].copy(), picture)
        assert ours > theirs - 3 and ours > last, (quality, ours, theirs)
        assert own.stat().st_size < 2 * len(data)
        last = ours


def test_webp_of_the_best_quality_loses_nothing(tmp_path):
    picture = np.random.default_rng(0).integers(0, 256, (32, 48, 4), np.uint8)
    picture[..., 3] = 255
    write_image(picture, tmp_path / "a.webp", quality=100)
    seen = cv2.imread(str(tmp_path / "a.webp"), cv2.IMREAD_COLOR)[..., ::-1]
    assert np.array_equal(seen, picture[..., :3])


def test_how_one_records_is_kept_for_the_next_time(ui, tmp_path):
    settings = ui.workspace.settings
    choice = EncodingChoice(".webm", "vp8", "-4", "480", "25", hardware=True)
    store_choice(settings, choice)
    recorded = []
    dialog = RecordDialog(settings, ui.workspace.outputs, ui.window, lambda *given: recorded.append(given))
    assert dialog.form.choice == choice
    dialog.form.lines.setCurrentIndex(dialog.form.lines.findData("720"))
    dialog.begin(tmp_path / "a")
    assert recorded == [(tmp_path / "a.webm", dialog.form.encoding)]
    assert recorded[0][1] == Encoding("vp8", crf=5, size=(0, 720), fps=25.0, hardware=True)
    assert stored_choice(settings).lines == "720"
    for setting in ALL:
        if setting.name.startswith("recording_") or setting.name == "hardware_encoding":
            setting.put_back(settings)


def test_a_codec_that_the_file_does_not_take_is_the_usual_one():
    assert EncodingChoice(".gif", codec="h264", quality="-8").encoding == Encoding()
    assert EncodingChoice(".mp4", codec="hevc").encoding == Encoding("hevc")


def test_a_page_that_is_closed_without_being_shown_follows_nothing(settings, parent, qtbot):
    dialog = PreferencesDialog(settings, Jobs(parent), Themed(), parent)
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()
    # It would reach for widgets that are gone.
    settings.theme = "light"


def test_what_is_deleted_is_not_told_of_settings_any_more(settings, qtbot):
    class Follower(QWidget):
        def told(self):
            heard.append(self.objectName())

    heard: list[str] = []
    follower = Follower()
    settings.follow(follower.told, Settings.theme)
    settings.theme = "light"
    with qtbot.waitSignal(follower.destroyed):
        follower.deleteLater()
    settings.theme = "dark"
    assert len(heard) == 1
