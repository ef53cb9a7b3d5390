"""The dialogs that the window opens; their modules are imported on first use."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop.base.fields import Available, Selection
from desktop.base.paths import user_preset_folder
from desktop.pipeline.setup.description import Description
from desktop.pipeline.setup.known import looks
from desktop.pipeline.setup.preset import save_preset
from desktop.pipeline.setup.setup import without_actions
from desktop.ui.features.networks.network_list import NetworkList
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.opening.opening import Opening
from desktop.ui.features.opening.recents import RecentSources
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.forms import offers
from desktop.ui.forms.setting import REMEMBERED, AnySetting
from desktop.ui.kit.language import translated
from desktop.ui.kit.palette import Command, CommandPalette
from desktop.ui.shell.safety import offer_report
from desktop.ui.shell.session import last_crash
from desktop.ui.workspace.command_uses import uses_of, with_use
from desktop.ui.workspace.outputs import completed
from desktop.ui.workspace.workspace import Workspace


class WindowDialogs(QObject):
    """Opens dialogs over a window."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        actions: Callable[[], list[Command]],
        by_menu: Callable[[], list[tuple[str, list[QAction]]]],
        diagnose: Callable[[], str],
        panels: Callable[[], Collection[str]],
        show_setting: Callable[[AnySetting], object],
    ) -> None:
        """Make the dialogs.

        Args:
            actions: the palette's.
            by_menu: all actions.
            diagnose: describes the machine.
            panels: the names of the panels.
            show_setting: shows a setting on the page of preferences.
        """
        super().__init__(window)
        self._window, self._workspace = window, workspace
        self._actions, self._by_menu, self._diagnose = actions, by_menu, diagnose
        self._panels, self._show_setting = panels, show_setting

    # -- names of files --------------------------------------------------------------------------------------

    def choose_preset(self) -> None:
        """Let the user choose a look."""
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open a look"),
            str(user_preset_folder()),
            self.tr("Looks (*.toml *.lightloom)"),
        )
        if path:
            self._workspace.get(Opening).load_preset(Path(path))

    def save_look(self) -> None:
        """Ask for a name and a purpose, and save the chain as a look."""
        from desktop.ui.features.opening.save_look_dialog import SaveLookDialog, free_name

        self._preset_folder()
        look = self._workspace.edits.history.look
        SaveLookDialog(
            free_name(translated(look.title)) if look is not None else "",
            self._workspace.get(Opening).save_preset,
            self.choose_preset_name,
            self._window,
        ).open()

    @staticmethod
    def _preset_folder() -> Path:
        """Return the folder of looks, created if possible; if it is not, saving there reports that."""
        folder = user_preset_folder()
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        return folder

    def choose_preset_name(self, description: Description | None = None) -> None:
        """Let the user choose where to save the chain."""
        folder = self._preset_folder()
        path, _ = QFileDialog.getSaveFileName(
            self._window,
            self.tr("Save look"),
            str(folder),
            self.tr("Looks (*.toml)"),
        )
        target = completed(path, (".toml",), self._window, self.tr("Save"))
        if target is not None:
            self._workspace.get(Opening).save_preset(target, description)

    def choose_export_name(self) -> None:
        """Let the user choose where to bundle the chain with its shaders, tables and networks."""
        path, _ = QFileDialog.getSaveFileName(
            self._window,
            self.tr("Export look as one file"),
            self._workspace.settings.folder,
            self.tr("Looks in one file (*.lightloom)"),
        )
        target = completed(path, (".lightloom",), self._window, self.tr("Save"))
        if target is not None:
            self._workspace.get(Opening).save_preset(target)

    def choose_recording_name(self) -> None:
        """Let the user choose a recording's options and file, and begin."""
        from desktop.ui.features.recording.record_dialog import RecordDialog

        if self._workspace.get(Pictures).recording is None:
            workspace = self._workspace
            record = workspace.get(Pictures).toggle_recording
            RecordDialog(workspace.settings, workspace.outputs, self._window, record).open()

    def save_report(self) -> None:
        """Let the user save a problem report."""
        workspace, crash = self._workspace, last_crash()
        setup, library = workspace.edits.setup, workspace.library
        offer_report(
            self._window,
            workspace.jobs,
            lambda text, path: workspace.messages.post("info", text, path),
            lambda text: workspace.messages.post("error", text),
            crash=crash.folder if crash is not None else None,
            setup=lambda path: save_preset(without_actions(setup), library, path),
        )

    # -- the palette -----------------------------------------------------------------------------------------

    def commands(self) -> list[Command]:
        """Return all that the palette offers: the actions, then what can be added, loaded, opened and set."""
        found = [replace(command, kind=self._kind_of(command.key)) for command in self._actions()]
        return [
            *found,
            *self._filters(),
            *self._presets(),
            *self._networks(),
            *self._files(),
            *self._settings(),
        ]

    def _kind_of(self, key: str) -> str:
        """Return the kind of an action by the key of its command."""
        name = key.removeprefix("action/")
        if name.startswith("preset_"):
            return self.tr("Look")
        return self.tr("Panel") if name.removeprefix("show_") in self._panels() else self.tr("Command")

    def _filters(self) -> Iterator[Command]:
        workspace, kind = self._workspace, self.tr("Effect")
        for item in sorted(workspace.library.filters.values(), key=lambda f: translated(f.title)):
            title = self.tr("Add {0}").format(translated(item.title))
            add = partial(workspace.edits.add_filter, item.id)
            yield Command(title, add, translated(item.group), kind, f"filter/{item.id}")

    def _presets(self) -> Iterator[Command]:
        kind = self.tr("Look")
        for look in looks():
            # The bundled ones are actions.
            if not look.is_bundled:
                title = self.tr("Look: {0}").format(look.title)
                load = partial(self._workspace.get(Opening).load_preset, look.path)
                yield Command(title, load, "", kind, f"look/{look.path}")

    def _networks(self) -> Iterator[Command]:
        kind = self.tr("Network")
        for model, name in offers.networks(self._workspace.settings):
            title = self.tr("Use the network {0}").format(translated(name))
            use = partial(self._workspace.get(Networks).use, model)
            yield Command(title, use, "", kind, f"network/{model}")
        listed = self._workspace.get(NetworkList)
        for each in listed.listed:
            item = each.item
            if item.entry is None or each.is_downloading or item.path in self._workspace.settings.models:
                continue
            title = self.tr("Use the network {0}") if each.is_ready else self.tr("Download the network {0}")
            do = partial(listed.do, item.key, "use" if each.is_ready else "download")
            title = title.format(item.title)
            yield Command(title, do, item.note, kind, f"catalogue/{item.key}", item.words)

    def _files(self) -> Iterator[Command]:
        kind = self.tr("Recent file")
        for entry in self._workspace.get(RecentSources).entries():
            title = self.tr("Open {0}").format(entry.title)
            open_it = partial(self._workspace.get(Opening).open, entry.name)
            yield Command(title, open_it, entry.folder, kind, f"file/{entry.name}")

    def _settings(self) -> Iterator[Command]:
        kind, workspace = self.tr("Setting"), self._workspace
        for setting in (*workspace.settings.all(), *workspace.feature_settings):
            # What the program remembers is no choice.
            if setting.section != REMEMBERED:
                show = partial(self._show_setting, setting)
                section = translated(setting.section.title)
                title, key = translated(setting.field.label), f"setting/{setting.key}"
                yield Command(title, show, section, kind, key, self._words_of(setting))

    @staticmethod
    def _words_of(setting: AnySetting) -> str:
        """Return the texts by which a setting is found: its help, its section and what can be chosen."""
        field = setting.field
        texts = [field.label, field.help, setting.section.title]
        if isinstance(field, Selection):
            texts += [title for _, title in field.options]
        if isinstance(field, Available) and field.available is offers.languages:
            # By their own names and in English.
            for code, name in offers.languages(None):
                english = QLocale.languageToString(QLocale(code).language())
                texts += [name, english]
        return " ".join(text for source in texts for text in (source, translated(source)))

    def show_palette(self) -> CommandPalette:
        """Open the command palette; networks that can be downloaded are listed once they are read."""
        settings = self._workspace.settings
        palette = CommandPalette(self.commands(), self._window, uses_of(settings.commands))
        listed = self._workspace.get(NetworkList)
        if not listed.is_read:

            def add_networks() -> None:
                palette.set_commands(self.commands())
                palette.finished.disconnect(leave)
                leave()

            def leave() -> None:
                listed.changed.disconnect(add_networks)

            listed.changed.connect(add_networks)
            palette.finished.connect(leave)
            listed.read()

        def count(key: str) -> None:
            settings.commands = with_use(settings.commands, key)

        palette.used.connect(count)
        palette.show()
        palette.search.setFocus()
        return palette

    # -- others ----------------------------------------------------------------------------------------------

    def show_keys(self) -> None:
        """Show all keys."""
        from desktop.ui.workspace.keys_dialog import KeysDialog

        KeysDialog(self._by_menu(), self._window).open()

    def show_about(self) -> None:
        """Show version, adapter and diagnostics."""
        from desktop.ui.shell.dialogs import AboutDialog

        AboutDialog(self._workspace, self._diagnose, self._window).open()

    def show_adapters(self) -> None:
        """Let the user choose the adapter."""
        from desktop.ui.shell.dialogs import AdapterDialog

        AdapterDialog(self._workspace, self._window).open()
