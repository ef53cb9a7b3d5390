"""Setting of the OSC output."""

from __future__ import annotations

from desktop.base.fields import Line
from desktop.base.wording import sentence
from desktop.ui.forms.offers import check_osc_address
from desktop.ui.forms.setting import WINDOW, Setting
from desktop.ui.forms.settings_group import SettingsGroup


class OscOutputSettings(SettingsGroup):
    """Settings of OSC output: its address, '' for none."""

    osc_target = Setting(
        Line(
            "osc_output/target",
            placeholder=sentence("off"),
            verify=check_osc_address,
            label=sentence("Send OSC to"),
            help=sentence("The look, counts, classes and events, to a port such as 9001, or HOST:PORT."),
        ),
        WINDOW,
    )
