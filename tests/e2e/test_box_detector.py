"""The detector in the box: `lightloom detect` without a model, on the sample, on drawn pictures and on
photographs.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from desktop.__main__ import main
from desktop.media.sources.sample import SampleSource

# Where the sample's portrait hangs, as shares of the picture; it sways a little.
PORTRAIT = (0.76, 0.06, 1.0, 0.5)


def look(capsys, *arguments):
    assert main(["detect", *arguments, "--backend", "onnxruntime", "--json"]) == 0
    return json.loads(capsys.readouterr().out)["results"]


def labels(result):
    return sorted(item["label"] for item in result["objects"])


@pytest.fixture(scope="module")
def sample():
    """The sample's first frame, (360, 640, 3) uint8 BGR."""
    frame = next(iter(SampleSource((640, 360)).frames()))
    luma, chroma = (np.ascontiguousarray(plane.data) for plane in frame.planes)
    return cv2.cvtColorTwoPlane(luma, chroma, cv2.COLOR_YUV2BGR_NV12)


def test_the_samples_portrait_is_found_and_nothing_else(capsys):
    results = look(capsys, "sample:", "--max-frames", "2")
    assert len(results) == 2
    for result in results:
        assert labels(result) == ["face", "person"]
        width, height = result["size"]
        for item in result["objects"]:
            left, top, right, bottom = item["box"]
            assert PORTRAIT[0] < left / width < right / width < PORTRAIT[2]
            assert PORTRAIT[1] < top / height < bottom / height < PORTRAIT[3]


def test_drawn_pictures(tmp_path, capsys, sample):
    """Mirrored it is found on the other side; without the portrait there is nothing to find."""
    mirrored, without = tmp_path / "mirrored.png", tmp_path / "without.png"
    assert cv2.imwrite(str(mirrored), sample[:, ::-1]) and cv2.imwrite(str(without), sample[:, :440])
    first, second = look(capsys, str(mirrored), str(without))
    assert labels(first) == ["face", "person"] and labels(second) == []
    assert all(item["box"][2] < 0.25 * first["size"][0] for item in first["objects"])


@pytest.mark.shared
def test_photographs(shared: Path, capsys):
    folder = shared / "images/samples"
    people, hopper, cat = look(
        capsys, *(str(folder / n) for n in ("face.jpg", "grace_hopper.bmp", "cat_720p.jpg"))
    )
    assert labels(people).count("face") == 4 and labels(people).count("person") >= 2
    assert labels(hopper) == ["face", "person"] and labels(cat) == []
