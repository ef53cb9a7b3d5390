"""Audio tracks in the export dialog."""

from __future__ import annotations

import av
from media_rig import write_tones

from desktop.ui.features.exports.export_dialog import ExportDialog
from desktop.ui.features.exports.exports import Exports


def test_all_audio_tracks_are_kept_on_request(ui, tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_EXPORTS", str(tmp_path / "exports"))
    exports = ui.workspace.get(Exports)
    exports.close()
    source = tmp_path / "two.mkv"
    write_tones(source, {"ger": (440.0, True), "eng": (880.0, False)})
    ui.play(str(source))
    ui.wait(lambda: exports.audio_tracks == 2 and ui.workspace.playback.has_picture)
    ui.pause()
    dialog = ExportDialog(ui.workspace, ui.window)
    dialog.show()
    ui.wait(lambda: "Of 2 audio tracks only this one" in dialog.forecast.text())
    dialog.all_tracks.setChecked(True)
    ui.wait(lambda: "2 audio tracks: " in dialog.forecast.text() and dialog.go.isEnabled())
    dialog.begin(tmp_path / "out.mp4")
    ui.wait(lambda: [export.state for export in exports.all] == ["done"])
    with av.open(str(tmp_path / "out.mp4")) as container:
        assert [sound.metadata["language"] for sound in container.streams.audio] == ["ger", "eng"]
    exports.close()
    exports.changed.emit()
