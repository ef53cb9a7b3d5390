"""The dialogs that the window opens; what they are made of is imported with the first of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop.base.errors import LightloomError
from desktop.base.paths import user_preset_folder
from desktop.base.session import last_crash
from desktop.pipeline.setup.known import own_presets
from desktop.pipeline.setup.preset import save_preset, without_actions
from desktop.ui.controller import Controller
from desktop.ui.language import translated
from desktop.ui.palette import Command, CommandPalette
from desktop.ui.safety import ask_report
from desktop.ui.setting import Section
from desktop.ui.widgets import Themed

if TYPE_CHECKING:
    from desktop.ui.preferences.page import PreferencesDialog


class WindowDialogs(QObject):
    """Opens dialogs over a window."""

    def __init__(
        self,
        window: QWidget,
        controller: Controller,
        actions: Callable[[], list[Command]],
        by_menu: Callable[[], list[tuple[str, list[QAction]]]],
        diagnose: Callable[[], str],
        themed: Themed,
    ) -> None:
        """Make them.

        Args:
            window: what they open over.
            controller: what they are about.
            actions: gives the actions that the palette offers.
            by_menu: gives all actions, for the page of keys.
            diagnose: gives what is known of the machine.
            themed: the theme in use.
        """
        super().__init__(window)
        self._window, self._controller = window, controller
        self._actions, self._by_menu, self._diagnose = actions, by_menu, diagnose
        self._themed = themed

    # -- names of files ----------------------------------------------------------------------------------------------

    def ask_preset(self) -> None:
        """Let the user choose a preset."""
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open a preset"),
            str(user_preset_folder()),
            self.tr("Presets (*.toml *.lightloom)"),
        )
        if path:
            self._controller.opening.load_preset(Path(path))

    def ask_remote(self) -> None:
        """Let the user name a network on a server."""
        from desktop.ui.remote_dialog import RemoteDialog

        RemoteDialog(self._controller.jobs, self._controller.networks.use, self._window).open()

    def ask_hosts(self, hosts: Sequence[str], then: Callable[[], None]) -> None:
        """Ask whether hosts may get pictures, and go on."""
        from desktop.ui.remote_dialog import HostQuestion

        def fail(error: LightloomError) -> None:
            self._controller.messages.tell("error", str(error))

        HostQuestion(hosts, then, fail, self._window).open()

    def ask_subtitles(self) -> None:
        """Let the user choose a file of subtitles for what plays."""
        path, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open a subtitle file"),
            self._controller.settings.folder,
            self.tr("Subtitles (*.srt *.vtt *.ass *.ssa)"),
        )
        if path:
            self._controller.subtitles.add_file(Path(path))

    def ask_preset_name(self) -> None:
        """Let the user choose where to save the chain."""
        folder = user_preset_folder()
        folder.mkdir(parents=True, exist_ok=True)
        path, _ = QFileDialog.getSaveFileName(
            self._window,
            self.tr("Save the chain as a preset"),
            str(folder),
            self.tr("Presets (*.toml)"),
        )
        target = self._completed(path, (".toml",))
        if target is not None:
            self._controller.opening.save_preset(target)

    def ask_export_name(self) -> None:
        """Let the user choose where to put the chain with its shaders, tables and networks in one file."""
        path, _ = QFileDialog.getSaveFileName(
            self._window,
            self.tr("Export the chain as one file"),
            self._controller.settings.folder,
            self.tr("Presets in one file (*.lightloom)"),
        )
        target = self._completed(path, (".lightloom",))
        if target is not None:
            self._controller.opening.save_preset(target)

    def ask_recording_name(self) -> None:
        """Let the user choose how and where to record, and begin."""
        from desktop.ui.record_dialog import RecordDialog

        if self._controller.pictures.recording is None:
            controller = self._controller
            RecordDialog(controller.settings, self._window, controller.pictures.toggle_recording).open()

    def ask_export(self) -> None:
        """Let the user choose what to export of the open source, and as what."""
        from desktop.ui.export_dialog import ExportDialog

        ExportDialog(self._controller, self._window).open()

    def ask_export_of_results(self) -> None:
        """Let the user choose what to export of the results, and begin."""
        from desktop.ui.results_dialog import ResultsDialog

        if not self._controller.export.can_begin:
            text = self.tr(
                "There is no network that runs yet; wait until it is loaded, or choose another one."
            )
            self._controller.messages.tell("error", text)
            return
        ResultsDialog(self._controller, self._window).open()

    def _completed(self, path: str, endings: Sequence[str]) -> Path | None:
        """A name from a dialog, with the first of `endings` where it has none of them ("v1.2" has none).

        The dialog asked before it took a name that is there, but not about the one with the ending. None where the user keeps that file.
        """
        target = Path(path)
        if not path or target.suffix.lower() in endings:
            return target if path else None
        target = target.with_name(target.name + endings[0])
        yes = QMessageBox.StandardButton.Yes
        question = self.tr("{0} is there already. Replace it?").format(target.name)
        if target.exists() and QMessageBox.question(self._window, self.tr("Save"), question) != yes:
            return None
        return target

    def save_report(self) -> None:
        """Let the user save a report of a problem."""
        controller, crash = self._controller, last_crash()
        setup, library = controller.edits.setup, controller.library
        ask_report(
            self._window,
            controller.jobs,
            lambda text, path: controller.messages.tell("info", text, path),
            lambda text: controller.messages.tell("error", text),
            crash=crash.folder if crash is not None else None,
            setup=lambda path: save_preset(without_actions(setup), library, path),
        )

    # -- the palette -------------------------------------------------------------------------------------------------

    def commands(self) -> list[Command]:
        """Return everything that the palette offers: the actions, then what can be added, loaded and opened."""
        controller = self._controller
        found = self._actions()
        for item in sorted(controller.library.filters.values(), key=lambda f: translated(f.title)):
            title = self.tr("Add {0}").format(translated(item.title))
            found.append(
                Command(title, partial(controller.edits.add_filter, item.id), translated(item.group))
            )
        for title, path in own_presets():
            found.append(
                Command(self.tr("Preset: {0}").format(title), partial(controller.opening.load_preset, path))
            )
        for model in controller.settings.models:
            title = self.tr("Use the network {0}").format(Path(model).stem)
            found.append(Command(title, partial(controller.networks.use, model)))
        for name in controller.settings.recent:
            found.append(
                Command(self.tr("Open {0}").format(Path(name).name), partial(controller.opening.open, name))
            )
        return found

    def show_palette(self) -> CommandPalette:
        """Open the command palette."""
        palette = CommandPalette(self.commands(), self._window)
        palette.show()
        palette.search.setFocus()
        return palette

    # -- others ------------------------------------------------------------------------------------------------------

    def show_help(self) -> None:
        """Open the guide, or bring it to the front; it stays beside the window."""
        from desktop.ui.help import HelpWindow

        there = self._window.findChild(HelpWindow)
        guide = there if there is not None else HelpWindow(self._window)
        guide.show()
        guide.raise_()
        guide.activateWindow()

    def show_preferences(self, section: Section | None = None) -> PreferencesDialog:
        """Open the preferences page, or raise it; it stays beside the window, so that changes can be watched."""
        from desktop.ui.preferences.page import PreferencesDialog

        there = self._window.findChild(PreferencesDialog)
        controller = self._controller
        page = there or PreferencesDialog(controller.settings, controller.jobs, self._themed, self._window)
        if section is not None:
            page.show_section(section)
        page.show()
        page.raise_()
        page.activateWindow()
        return page

    def show_keys(self) -> None:
        """Show all keys."""
        from desktop.ui.dialogs import KeysDialog

        KeysDialog(self._by_menu(), self._window).open()

    def show_about(self) -> None:
        """Show version, adapter and diagnostics."""
        from desktop.ui.dialogs import AboutDialog

        AboutDialog(self._controller, self._diagnose, self._window).open()

    def show_adapters(self) -> None:
        """Let the user choose the adapter."""
        from desktop.ui.dialogs import AdapterDialog

        AdapterDialog(self._controller, self._window).open()
