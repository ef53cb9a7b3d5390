"""Settings that a feature declares for itself, kept in the same file as the others."""

from __future__ import annotations

from typing import Any

from desktop.ui.forms.setting import AnySetting, Setting
from desktop.ui.forms.settings import Settings


class SettingsGroup:
    """Settings of one feature, as attributes of a subclass, which `Feature.settings` names.

    Keys and attributes are unique among all settings; `Settings.follow` takes them too.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @classmethod
    def all(cls) -> tuple[AnySetting, ...]:
        """Return every setting in order of definition."""
        return tuple(entry for entry in vars(cls).values() if isinstance(entry, Setting))

    def stored(self, key: str) -> Any:
        """Return the value stored under a key, None if there is none."""
        return self._settings.stored(key)

    def store(self, setting: AnySetting, value: object) -> None:
        """Store the value that a setting wrote, None to remove it; notify followers if it has changed."""
        self._settings.store(setting, value)
