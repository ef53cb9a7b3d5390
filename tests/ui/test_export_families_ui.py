"""Some rows of the table of export families through the real window: the file is dropped, and its boxes stand
on the picture.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from export_families import PICTURE, ROWS, Boxes

ROWS_BY_NAME = {row.name: row for row in ROWS}


@pytest.mark.parametrize(
    "name",
    [
        "yolov8 tflite (shares, NHWC)",
        "torchvision",
        "TensorFlow OD (uint8, NHWC)",
        "PicoDet with the size first",
        "SCRFD with a batch",
    ],
)
def test_a_dropped_network_draws_its_boxes(ui, tmp_path, name):
    row = ROWS_BY_NAME[name]
    assert isinstance(row.expected, Boxes)
    picture = tmp_path / "scene.png"
    assert cv2.imwrite(str(picture), np.full((PICTURE[1], PICTURE[0], 3), 120, np.uint8))
    ui.play(str(picture))
    engine = ui.workspace.engine
    ui.drop(row.save(tmp_path))
    ui.wait(lambda: engine.current.network_status.state in ("running", "failed"))
    assert engine.current.network_status.state == "running", engine.current.network_status.text
    ui.wait(lambda: len(ui.window.overlay.state().found) == len(row.expected.labels))
    found = engine.pipeline.analyses.latest
    row.expected.check(found.json())
    # Each box is drawn, in the picture's own proportions.
    drawn = ui.window.overlay.state().found
    for box, thing in zip(drawn, row.things, strict=True):
        sides = (box.right - box.left) / (box.bottom - box.top)
        assert sides == pytest.approx((thing[4] - thing[2]) / (thing[5] - thing[3]), rel=0.05)
