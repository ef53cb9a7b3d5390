"""Settings of the list of events."""

from __future__ import annotations

from typing import Final

from desktop.base.fields import Flag, Number
from desktop.base.wording import sentence
from desktop.ui.forms.setting import REMEMBERED, WINDOW, Setting
from desktop.ui.forms.settings_group import SettingsGroup

_LONGEST_S: Final = 25.0


class EventListSettings(SettingsGroup):
    """The clips of the list."""

    keep_event_clips = Setting(
        Flag(
            "events/keep_clips",
            False,
            label=sentence("Keep clips of the events of live sources"),
            help=sentence("In a temporary folder, until Lightloom ends; save the ones that matter."),
        ),
        REMEMBERED,
    )
    event_clip_before = Setting(
        Number(
            "events/before",
            5.0,
            0.0,
            _LONGEST_S,
            1.0,
            "s",
            label=sentence("Seconds before an event"),
            help=sentence("In clips that the list of events plays and saves."),
        ),
        WINDOW,
    )
    event_clip_after = Setting(
        Number(
            "events/after",
            5.0,
            1.0,
            _LONGEST_S,
            1.0,
            "s",
            label=sentence("Seconds after an event"),
            help=sentence("In clips that the list of events plays and saves."),
        ),
        WINDOW,
    )
