"""Settings of the set list."""

from __future__ import annotations

import re
from typing import Final

from desktop.base.errors import UsageError
from desktop.base.fields import Line
from desktop.base.wording import sentence
from desktop.ui.forms.setting import REMEMBERED, WINDOW, Setting, Tables
from desktop.ui.forms.settings_group import SettingsGroup

MOST_ENTRIES: Final = 64
_NUMBER: Final = r"(\d|[1-9]\d|1[01]\d|12[0-7])"
_ADDRESS: Final = re.compile(rf"midi/([1-9]|1[0-6])/(note|control)/{_NUMBER}|osc/\S+", re.ASCII)


def check_address(text: str) -> None:
    """Raise UsageError for a text that is no address of a controller."""
    if text and _ADDRESS.fullmatch(text) is None:
        raise UsageError(
            sentence(
                "'{text}' is no controller; give one such as midi/1/note/36, midi/1/control/64 or osc/next.",
                text=text[:80],
            )
        )


class SetListSettings(SettingsGroup):
    """The entries, and the controllers that step."""

    set_list = Setting(
        Tables("set_list/entries", most=MOST_ENTRIES, label=sentence("The set list")), REMEMBERED
    )
    set_list_next = Setting(
        Line(
            "set_list/next",
            placeholder=sentence("off"),
            verify=check_address,
            label=sentence("Controller for the next look"),
            help=sentence("Of the set list: midi/1/note/36, midi/1/control/64 or osc/next."),
        ),
        WINDOW,
    )
    set_list_previous = Setting(
        Line(
            "set_list/previous",
            placeholder=sentence("off"),
            verify=check_address,
            label=sentence("Controller for the previous look"),
        ),
        WINDOW,
    )
