"""The networks in use, and the page of networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from desktop.base.errors import LightloomError
from desktop.ui.features.networks.networks import Networks
from desktop.ui.features.networks.panel import PANEL
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.networks.models_panel import ModelsPanel


def _make(w: Workspace) -> Networks:
    made = Networks(w.engine, w.settings, w.jobs, w.messages, w.edits, w)
    w.refreshing.connect(made.poll)
    return made


def _page(context: WindowContext) -> ModelsPanel:
    """Return the page of networks, which is made with the first use."""
    from desktop.ui.features.networks.models_panel import ModelsPanel

    return context.dock_area.panel(PANEL.id, ModelsPanel)


def _ask_hosts(context: WindowContext, hosts: Sequence[str], then: Callable[[], None]) -> None:
    """Ask whether hosts may get frames, and go on."""
    from desktop.ui.features.networks.remote_dialog import HostQuestion

    def fail(error: LightloomError) -> None:
        context.workspace.messages.post("error", str(error))

    HostQuestion(hosts, then, fail, context.viewport.window()).open()


def _connect(context: WindowContext) -> None:
    networks = context.workspace.get(Networks)
    networks.input_requested.connect(lambda path: _page(context).show_input_form(path))
    networks.input_unclear.connect(lambda facts: _page(context).show_input(facts))
    networks.hosts_requested.connect(lambda hosts, then: _ask_hosts(context, hosts, then))


FEATURE: Final = Feature(parts=(Part(Networks, _make),), panels=(PANEL,), connect=_connect)
