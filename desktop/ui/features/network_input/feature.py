"""The input of the network, as it is prepared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle

if TYPE_CHECKING:
    from desktop.ui.features.network_input.input_panel import InputPanel


def _make(context: PanelContext) -> InputPanel:
    from desktop.ui.features.network_input.input_panel import InputPanel

    return InputPanel(context.workspace)


PANEL: Final = PanelSpec(
    "network_input",
    sentence("What the network sees"),
    tab=sentence("Input"),
    place="bottom",
    order=4,
    size=(0, 220),
    shown=False,
    closed_by=sentence("Hide what the network sees"),
    late=True,
    modules=("desktop.ui.features.network_input.input_panel",),
    make=_make,
    actions=(
        panel_toggle("network_input", sentence("What the &network sees"), group="figures", order=3, key="N"),
    ),
)


FEATURE: Final = Feature(panels=(PANEL,))
