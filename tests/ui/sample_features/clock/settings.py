"""A setting of the sample feature, in a section of its own."""

from __future__ import annotations

from desktop.ui.forms.setting import Flag, Section, Setting
from desktop.ui.forms.settings_group import SettingsGroup

CLOCK = Section("Sample clock")


class ClockSettings(SettingsGroup):
    chimes = Setting("clock/chimes", Flag(default=True), CLOCK, "Chime", "Every sample hour.")
