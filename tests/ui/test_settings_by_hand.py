"""A settings file that somebody edited, or that another program wrote into: every value is read as something,
and the page opens.
"""

from __future__ import annotations

import json
import random

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QWidget

from desktop.base.fields import Available, Flag, Folder, Integer, Line, Number, Selection
from desktop.ui.features.preferences.page import PreferencesDialog
from desktop.ui.forms.encoding_choice import stored_choice
from desktop.ui.forms.setting import Consent, Count, Moment, Names, State, Tables
from desktop.ui.forms.settings import Settings
from desktop.ui.kit.jobs import Jobs
from desktop.ui.kit.widgets import Themed

ALL = list(Settings.all())
TYPES = {
    Flag: bool,
    Consent: bool | None,
    Selection: str,
    Available: str,
    Folder: str,
    Line: str,
    Number: float,
    Integer: int,
    Names: list,
    State: QByteArray,
    Tables: dict,
    Moment: float,
    Count: int,
}
# As they stand behind the "=" in the file.
WRITTEN = (
    "",
    "true",
    "TRUE",
    "1",
    "-1",
    "0.5",
    "95.7",
    "nan",
    "inf",
    "1e999",
    "9" * 5000,
    "a, b, c",
    '"a, b"',
    "@Invalid()",
    "@ByteArray(abc)",
    r"@ByteArray(\x1\xd9\xd0\xcb\0\x3)",
    r"@Variant(\0\0\0\x7f\0\0\0\xePyObject\0)",
    r"@Variant(\0\0\0\x2\xff\xff\xff\xff)",
    "@Rect(0 0 1 1)",
    "@Size(1 2)",
    "@@x",
    r"\0",
    r"a\0b",
    r"\xd800",
    "http://[",
    "https://user:pass@x y",
    "../../etc",
    r"\\\\?\\C:\\",
    json.dumps(json.dumps(["a\0b", "\ud800", 1, None])),
    json.dumps(json.dumps({"a": 1, "b": {"c": float("nan"), "d": 10**400}, "\ud800": {}})),
    json.dumps("[" * 100_000),
    json.dumps('{"a":' * 100_000),
    json.dumps("9" * 5000),
    "%n %1 {0} &x <b>",
    "\u202e\u200f",
)


def with_values(path, value_of):
    """A settings file with a raw value for each key."""
    lines = ["[General]"]
    groups = {}
    for setting in ALL:
        group, _, name = setting.key.rpartition("/")
        groups.setdefault(group, []).append(f"{name}={value_of(setting)}")
    lines += groups.pop("", [])
    for group, entries in groups.items():
        lines += [f"[{group}]", *entries]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return Settings(path)


def read_all(settings):
    for setting in ALL:
        value = getattr(settings, setting.name)
        assert isinstance(value, TYPES[type(setting.field)]), (setting.name, value)
        setting.is_default(settings)
    assert stored_choice(settings).kind
    assert settings.snapshots_go_to and settings.recordings_go_to


@pytest.mark.parametrize("written", WRITTEN, ids=lambda text: text[:20].encode("ascii", "replace").decode())
def test_every_setting_takes_whatever_stands_there(qtbot, tmp_path, written):
    settings = with_values(tmp_path / "settings.ini", lambda _: written)
    read_all(settings)
    parent = QWidget()
    qtbot.addWidget(parent)
    page = PreferencesDialog(settings, Jobs(parent), Themed(), parent)
    page.show()
    for index in range(page.sections.count()):
        page.sections.setCurrentRow(index)
    page.reset_all()
    for setting in ALL:
        assert setting.is_default(settings), setting.name
    page.close()


def test_bytes_of_chance_are_a_file_too(tmp_path):
    picked = random.Random(3)
    path = tmp_path / "settings.ini"
    good = with_values(path, lambda setting: "true")
    good.sync()
    text = path.read_bytes()
    for _ in range(150):
        data = bytearray(text)
        for _ in range(picked.randint(1, 40)):
            data[picked.randrange(len(data))] = picked.randrange(256)
        path.write_bytes(bytes(data))
        read_all(Settings(path))
