"""The choice of the graphics adapter that computes."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject

from desktop.base.errors import LightloomError
from desktop.compute.gpu.device import AdapterInfo, Gpu, list_adapters
from desktop.pipeline.picture.present import check_drawing
from desktop.ui.forms.settings import Settings
from desktop.ui.workspace.workspace import Workspace


class AdapterChoice(QObject):
    """Switches the engine to another adapter, on request or when the setting changes."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace = workspace
        workspace.settings.follow(self._follow, Settings.adapter)

    def available(self) -> list[AdapterInfo]:
        """Return all adapters of the machine; callable from any thread."""
        return list_adapters()

    def use(self, info: AdapterInfo) -> None:
        """Open another adapter on a thread, switch to it, and save the choice."""
        self._open(info, keep=True)

    def _open(self, info: AdapterInfo, *, keep: bool) -> None:
        workspace = self._workspace
        # The backend is part of an adapter's identity: the same GPU is listed once per backend.
        name = info.choice

        def opened(gpu: Gpu) -> None:
            ready = [gpu]
            try:
                workspace.engine.rebuild(
                    lambda: ready.pop() if ready else Gpu.open_or_another(name, check=check_drawing)
                )
            except LightloomError as error:
                workspace.messages.post("error", str(error))
                return
            if keep:
                workspace.settings.adapter = name
            text = QCoreApplication.translate("Controller", "Computing on {0}")
            workspace.messages.said.emit(text.format(info.name))

        workspace.jobs.run(
            lambda: Gpu.open(name, check=check_drawing),
            opened,
            lambda error: workspace.messages.post("error", str(error)),
        )

    def _follow(self) -> None:
        """Switch to the adapter named in the settings, '' for the best, unless it is already in use."""
        messages = self._workspace.messages
        wanted, used = self._workspace.settings.adapter, self._workspace.adapter

        def open_named(adapters: list[AdapterInfo]) -> None:
            named = next((info for info in adapters if wanted in (info.choice, "")), None)
            if named is None:
                text = QCoreApplication.translate("Controller", "There is no graphics adapter {0} here.")
                messages.post("error", text.format(wanted))
            elif named != used:
                self._open(named, keep=bool(wanted))

        if wanted != f"{used.name} {used.backend}":
            self._workspace.jobs.run(
                self.available, open_named, lambda error: messages.post("error", str(error))
            )
