"""Editor of shaders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desktop.base.wording import sentence
from desktop.ui.features.opening.own_shaders import OwnShaders
from desktop.ui.features.shader_editor.shader_edits import ShaderEdits
from desktop.ui.workspace.action import Action
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.panel import PanelContext, PanelSpec, panel_toggle
from desktop.ui.workspace.window_context import WindowContext
from desktop.ui.workspace.workspace import Part, Workspace

if TYPE_CHECKING:
    from desktop.ui.features.shader_editor.panel import ShaderEditorPanel


def _make_panel(context: PanelContext) -> ShaderEditorPanel:
    from desktop.ui.features.shader_editor.panel import ShaderEditorPanel

    return ShaderEditorPanel(context.workspace, context.themed)


def _show(window: WindowContext) -> None:
    from desktop.ui.features.shader_editor.panel import ShaderEditorPanel

    window.dock_area.show(PANEL.id, grow=True)
    window.dock_area.panel(PANEL.id, ShaderEditorPanel).focus()


def _new(window: WindowContext) -> None:
    if window.workspace.get(ShaderEdits).new():
        _show(window)


PANEL: Final = PanelSpec(
    "shader_editor",
    sentence("Shader"),
    tab=sentence("WGSL"),
    place="bottom",
    order=9,
    size=(0, 320),
    shown=False,
    closed_by=sentence("Hide the shader editor"),
    late=True,
    heavy=True,
    modules=("desktop.ui.features.shader_editor.panel",),
    make=_make_panel,
    actions=(
        panel_toggle("shader_editor", sentence("S&hader editor"), group="figures", order=4, key="Shift+E"),
        Action("new_effect", sentence("&New effect"), _new, menu="filters", group="files"),
    ),
)


def _make(w: Workspace) -> ShaderEdits:
    made = ShaderEdits(w.engine, w.messages, w.playback, w.edits, w.get(OwnShaders), w)
    w.refreshing.connect(made.poll)
    return made


def _connect(window: WindowContext) -> None:
    window.workspace.get(ShaderEdits).stage_opened.connect(lambda: _show(window))


FEATURE: Final = Feature(parts=(Part(ShaderEdits, _make),), panels=(PANEL,), connect=_connect)
