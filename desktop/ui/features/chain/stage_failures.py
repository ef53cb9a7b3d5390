"""Reports of failed stages."""

from __future__ import annotations

from desktop.ui.features.shader_editor.shader_edits import ShaderEdits
from desktop.ui.kit.messages import Failures
from desktop.ui.workspace.workspace import Workspace


class StageFailures:
    """Reports each stage that fails once, and withdraws the report when it works again."""

    def __init__(self, workspace: Workspace) -> None:
        self._engine, self._edits = workspace.engine, workspace.edits
        self._shaders = workspace.get(ShaderEdits)
        self._failures = Failures(workspace.messages)
        workspace.refreshing.connect(self.poll)

    def poll(self) -> None:
        """Report the stages that have failed since the last call."""
        stages = self._engine.current.snapshot().stages
        # While its shader is being typed, the editor shows what is wrong.
        edited = {s.id for s in self._edits.chain.stages if self._shaders.is_editing(s.filter)}
        self._failures.update({f"stage {s.id}": s.message for s in stages if s.id not in edited})
