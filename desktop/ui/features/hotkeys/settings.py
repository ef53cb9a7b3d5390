"""Settings of global shortcuts: a key for each action, none by default."""

from __future__ import annotations

from typing import Final

from desktop.base.fields import Line
from desktop.base.wording import Text, sentence
from desktop.ui.features.hotkeys.chord import read_chord
from desktop.ui.forms.setting import Section, Setting
from desktop.ui.forms.settings_group import SettingsGroup

SECTION: Final = Section(sentence("Global shortcuts"))


def _check(text: str) -> None:
    if text:
        read_chord(text)


def _hotkey(action: str, label: Text, help_text: str = "") -> Setting[str]:
    return Setting(
        Line(f"hotkeys/{action}", placeholder=sentence("off"), verify=_check, label=label, help=help_text),
        SECTION,
    )


class HotkeySettings(SettingsGroup):
    """A key for each action, '' for none."""

    hotkey_play = _hotkey(
        "play",
        sentence("Global shortcut: play or pause"),
        sentence("Such as Ctrl+Alt+P; also while another program has the focus."),
    )
    hotkey_record = _hotkey("record", sentence("Global shortcut: recording"))
    hotkey_snapshot = _hotkey("snapshot", sentence("Global shortcut: snapshot"))
    hotkey_undo = _hotkey("undo", sentence("Global shortcut: undo"))
    hotkey_next_look = _hotkey("next_look", sentence("Global shortcut: next look"))
    hotkey_previous_look = _hotkey("previous_look", sentence("Global shortcut: previous look"))
