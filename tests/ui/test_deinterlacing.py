"""The switch for interlaced videos, in the window and on the command line."""

from __future__ import annotations

import numpy as np
import pytest
from interlaced_rig import write_interlaced
from PySide6.QtCore import Qt

from desktop.__main__ import main


def _combing(picture):
    """How much lines differ from those beside them, beyond what lines of one moment do: large where two
    moments are woven.
    """
    luma = picture[..., :3].astype(float).mean(2)
    return np.abs(2 * luma[1:-1] - luma[:-2] - luma[2:]).mean() / np.abs(luma[2:] - luma[:-2]).mean()


def test_a_key_switches_what_is_shown(ui, tmp_path):
    clip = tmp_path / "fields.mpg"
    write_interlaced(clip, frames=100)
    ui.play(str(clip))
    ui.pause()
    # Wherever a busy machine has stopped it: what moves has left the picture after 0.6 s.
    ui.workspace.playback.seek(0.2)
    ui.wait(lambda: ui.workspace.engine.current.frame.pts == pytest.approx(0.2))
    ui.settle()
    assert ui.workspace.settings.deinterlaces
    whole = _combing(ui.picture())
    ui.press(Qt.Key.Key_D)
    ui.settle()
    woven = _combing(ui.picture())
    assert not ui.workspace.settings.deinterlaces
    assert woven > 1.5 * whole
    ui.press(Qt.Key.Key_D)
    ui.settle()
    assert ui.workspace.settings.deinterlaces
    assert _combing(ui.picture()) == whole


def test_the_option_of_process(tmp_path):
    import cv2

    clip = tmp_path / "fields.mpg"
    write_interlaced(clip)
    combing = {}
    for option in ("", "--no-deinterlace"):
        still = tmp_path / f"still{option}.png"
        options = [option] if option else []
        assert main(["process", str(clip), "-o", str(still), "--max-frames", "6", *options]) == 0
        combing[option] = _combing(cv2.imread(str(still)))
    assert combing["--no-deinterlace"] > 1.5 * combing[""]
