"""A setting of the sample feature, in a section of its own."""

from __future__ import annotations

from desktop.base.fields import Flag
from desktop.ui.forms.setting import Section, Setting
from desktop.ui.forms.settings_group import SettingsGroup

CLOCK = Section("Sample clock")


class ClockSettings(SettingsGroup):
    chimes = Setting(Flag("clock/chimes", True, label="Chime", help="Every sample hour."), CLOCK)
