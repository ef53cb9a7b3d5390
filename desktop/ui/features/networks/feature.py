"""The networks in use, and the page of networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from desktop.base.errors import LightloomError
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.networks.panel import PANEL
from desktop.ui.workspace.desk import Desk
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.networks.models_panel import ModelsPanel


def _make(w: Workspace) -> Networks:
    made = Networks(w.engine, w.settings, w.jobs, w.messages, w.edits, w)
    w.refreshing.connect(made.look)
    return made


def _page(desk: Desk) -> ModelsPanel:
    """Return the page of networks, which is made with the first use."""
    from desktop.ui.features.networks.models_panel import ModelsPanel

    return desk.dock_area.panel(PANEL.id, ModelsPanel)


def _ask_hosts(desk: Desk, hosts: Sequence[str], then: Callable[[], None]) -> None:
    """Ask whether hosts may get frames, and go on."""
    from desktop.ui.features.networks.remote_dialog import HostQuestion

    def fail(error: LightloomError) -> None:
        desk.workspace.messages.tell("error", str(error))

    HostQuestion(hosts, then, fail, desk.viewport.window()).open()


def _connect(desk: Desk) -> None:
    networks = desk.workspace.get(Networks)
    networks.input_asked.connect(lambda path: _page(desk).ask_input(path))
    networks.input_unclear.connect(lambda facts: _page(desk).show_input(facts))
    networks.hosts_asked.connect(lambda hosts, then: _ask_hosts(desk, hosts, then))


FEATURE: Final = Feature(parts=(Part(Networks, _make),), panels=(PANEL,), connect=_connect)
