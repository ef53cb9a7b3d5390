"""Video exports of the open file."""

from __future__ import annotations

from typing import Final

from desktop.ui.features.decoding.decoding import Decoding
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.exports.panel import PANEL
from desktop.ui.features.subtitles.subtitles import Subtitles
from desktop.ui.workspace.feature import Feature
from desktop.ui.workspace.workspace import Part, Workspace


def _make(w: Workspace) -> Exports:
    return Exports(w.engine, w.jobs, w.messages, w.playback, w.edits, w.get(Subtitles), w.get(Decoding), w)


FEATURE: Final = Feature(parts=(Part(Exports, _make),), panels=(PANEL,))
