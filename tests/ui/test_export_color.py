"""Bits a color and HDR in the export dialog."""

from __future__ import annotations

import av
import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox

from desktop.outputs.encoders import ENCODERS
from desktop.outputs.encoding import CODECS, Encoding
from desktop.outputs.recording import Recorder
from desktop.outputs.video_color import VideoColor
from desktop.ui.features.exports.export_dialog import ExportDialog
from desktop.ui.features.exports.exports import Exports
from desktop.ui.features.recording.pictures import Pictures
from desktop.ui.forms.encoding_choice import KEPT_HDR, MORE_BITS
from desktop.ui.forms.encoding_form import EncodingForm
from desktop.ui.forms.settings import Settings

# ITU-T H.273, table 3.
PQ = 16


def choose(box: QComboBox, data: object) -> None:
    """Choose an item by its value."""
    box.setCurrentIndex(box.findData(data))
    assert box.currentData() == data


@pytest.fixture
def hdr(ui, tmp_path, monkeypatch):
    """The window with an HDR clip, paused, and a queue of exports of its own."""
    monkeypatch.setenv("LIGHTLOOM_EXPORTS", str(tmp_path / "exports"))
    ui.workspace.get(Exports).close()
    Settings.export_kind.put_back(ui.workspace.settings)
    path = tmp_path / "hdr.mkv"
    color = VideoColor(9, PQ, 9)
    recorder = Recorder(path, (72, 40), 10.0, Encoding("ffv1", bits=10), wait=True, color=color)
    for index in range(10):
        recorder.add(np.full((40, 72, 4), (0.06 * index, 0.5, 0.2, 1.0), np.float16), index / 10, 0.1)
    recorder.close()
    ui.play(str(path))
    ui.wait(lambda: ui.workspace.engine.current.picture_size == (72, 40))
    ui.pause()
    yield ui
    ui.workspace.get(Exports).close()
    ui.workspace.get(Exports).changed.emit()


def test_the_codecs_with_10_bits_are_those_that_have_an_encoder_for_them():
    deep = {encoder.codec for encoder in ENCODERS if encoder.deep}
    assert deep == {name for name, codec in CODECS.items() if codec.holds_ten}


def test_the_form_offers_codecs_for_the_bits(qapp):
    form = EncodingForm()
    assert form.color.findData(KEPT_HDR) < 0  # not of an HDR source
    choose(form.color, MORE_BITS)
    assert [form.codec.itemText(n) for n in range(form.codec.count())] == ["HEVC (recommended)", "AV1"]
    assert form.encoding == Encoding(bits=10)
    choose(form.kind, ".gif")
    assert not form.color.isEnabled() and form.encoding == Encoding()
    choose(form.kind, ".png")
    assert form.encoding == Encoding(bits=16)
    choose(form.kind, ".exr")
    assert form.encoding == Encoding() and form.codec.currentText() == "OpenEXR"


def test_hdr_is_exported_as_it_is(hdr, tmp_path):
    dialog = ExportDialog(hdr.workspace, hdr.window)
    dialog.show()
    choose(dialog.form.kind, ".mkv")
    choose(dialog.form.color, KEPT_HDR)
    choose(dialog.form.codec, "ffv1")
    hdr.wait(lambda: "(PQ) is kept" in dialog.forecast.text() and dialog.go.isEnabled())
    assert "The window shows HDR tone-mapped" in dialog.forecast.text()
    choose(dialog.speed, 2)
    hdr.wait(lambda: "Slow motion makes frames with 8 bits" in dialog.forecast.text())
    assert not dialog.go.isEnabled()
    choose(dialog.speed, 1)
    hdr.wait(dialog.go.isEnabled)
    target = tmp_path / "out.mkv"
    dialog.begin(target)
    exports = hdr.workspace.get(Exports)
    hdr.wait(lambda: [export.state for export in exports.all] == ["done"])
    with av.open(str(target)) as container:
        frame = next(container.decode(video=0))
        assert frame.color_trc == PQ and frame.format.name == "yuv444p10le"


def test_a_snapshot_of_hdr_says_once_that_it_is_in_standard_range(hdr, tmp_path):
    notices = []
    hdr.workspace.messages.notice.connect(notices.append)
    for name in ("a.png", "b.png"):
        hdr.workspace.get(Pictures).snapshot(tmp_path / name)
        hdr.wait(lambda: hdr.workspace.get(Pictures).in_use == ())
    hdr.workspace.messages.notice.disconnect(notices.append)
    assert [notice.text for notice in notices if "HDR" in notice.text] == [
        "Snapshots of HDR are in standard range; export with 'Keep HDR as it is' to keep it."
    ]


def test_an_effect_that_assumes_sdr_is_named(hdr):
    hdr.workspace.edits.add_filter("invert")
    dialog = ExportDialog(hdr.workspace, hdr.window)
    dialog.show()
    choose(dialog.form.color, KEPT_HDR)
    hdr.wait(lambda: "The filter 'invert' assumes SDR" in dialog.forecast.text())
    assert not dialog.go.isEnabled()
    choose(dialog.form.color, "")
    hdr.wait(dialog.go.isEnabled)
    assert "High dynamic range becomes standard range" in dialog.forecast.text()
    dialog.close()


def test_slow_motion_advises_nothing_that_it_refuses(hdr):
    dialog = ExportDialog(hdr.workspace, hdr.window)
    dialog.show()
    hdr.wait(lambda: "keep HDR to leave it as it is." in dialog.forecast.text())
    choose(dialog.speed, 2)
    hdr.wait(lambda: "leave out slow motion and frame interpolation to keep it." in dialog.forecast.text())
    assert "keep HDR" not in dialog.forecast.text() and "choose more bits" not in dialog.forecast.text()
    choose(dialog.form.color, KEPT_HDR)
    hdr.wait(lambda: "Slow motion makes frames with 8 bits a color" in dialog.forecast.text())
    dialog.close()
