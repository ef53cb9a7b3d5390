"""Settings of remote control."""

from __future__ import annotations

from typing import Final

from desktop.base.fields import Flag, Integer, Selection
from desktop.base.wording import sentence
from desktop.ui.forms.setting import Section, Setting
from desktop.ui.forms.settings_group import SettingsGroup

SECTION: Final = Section(sentence("Remote control"))
NETWORK: Final = "network"


class ControlSettings(SettingsGroup):
    """Settings of remote control: switch, port and network."""

    control_on = Setting(
        Flag(
            "remote_control/on",
            False,
            label=sentence("Allow remote control"),
            help=sentence("By other programs, and by a page for browsers; each needs the code."),
        ),
        SECTION,
    )
    control_reach = Setting(
        Selection(
            "remote_control/reach",
            "local",
            titles={
                "local": sentence("Programs on this computer"),
                NETWORK: sentence("Devices in the local network"),
            },
            label=sentence("Who may connect"),
        ),
        SECTION,
    )
    control_port = Setting(
        Integer(
            "remote_control/port",
            9466,
            1024,
            65535,
            has_slider=False,
            label=sentence("Port of remote control"),
        ),
        SECTION,
    )
