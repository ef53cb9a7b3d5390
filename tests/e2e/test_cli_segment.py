"""`lightloom segment`: masks, cut-outs and results of what is pointed at."""

from __future__ import annotations

import json
import os

import cv2
import numpy as np
import pytest
from prompt_models import decoder, encoder
from pycocotools.coco import COCO
from tiny_models import squares
from windows_marks import needs_dev_fd

from desktop.__main__ import main


@pytest.fixture
def files(tmp_path):
    picture = tmp_path / "squares.png"
    assert cv2.imwrite(str(picture), squares()[..., ::-1])
    decoder(tmp_path / "net.decoder.onnx")
    return picture, encoder(tmp_path / "net.encoder.onnx")


def segment(files, *words):
    picture, model = files
    return main(["segment", str(picture), "--model", str(model), *map(str, words)])


def test_a_mask_a_cut_out_and_results_say_the_same(files, tmp_path, capsys):
    asked = ("--point", "56,40", "--point", "100,10,0")
    assert segment(files, *asked, "-o", tmp_path / "mask.png", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["size"] == [128, 96] and said["prompts"] == {
        "points": [[56, 40, 1], [100, 10, 0]],
        "box": None,
    }
    mask = cv2.imread(str(tmp_path / "mask.png"), cv2.IMREAD_GRAYSCALE) > 0
    (thing,) = said["objects"]
    assert thing["area"] == pytest.approx(mask.mean(), abs=0.01)
    assert segment(files, *asked, "--cutout", "-o", tmp_path / "cut.png") == 0
    cut = cv2.imread(str(tmp_path / "cut.png"), cv2.IMREAD_UNCHANGED)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    part = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    assert ((cut[..., 3] > 0) == mask[part]).all()
    assert np.abs(cut[..., 2::-1].astype(int) - squares()[part])[mask[part]].max() <= 1
    assert segment(files, *asked, "--format", "coco", "-o", tmp_path / "out.json") == 0
    found = COCO(str(tmp_path / "out.json"))
    (annotation,) = found.loadAnns(found.getAnnIds())
    assert (found.annToMask(annotation) == mask).all()


@needs_dev_fd
def test_results_go_to_a_pipe(files):
    read, write = os.pipe()
    try:
        assert segment(files, "--point", "56,40", "--format", "jsonl", "-o", f"/dev/fd/{write}") == 0
        assert json.loads(os.read(read, 1 << 20))["things"]
    finally:
        os.close(read)
        os.close(write)


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "Give the object's position in the image with --point or --box"),
        (("--point", "128.5,3"), "The point 128.5,3 lies outside of the image, which has 128 x 96 pixels"),
        (("--box", "20,20,20,40"), "The box is empty"),
        (("--box", "1,1,500,40"), "The box's corner 500,40 lies outside"),
        (("--point", "1,1", "--cutout"), "Say with -o which file"),
        (("--point", "1,1", "--cutout", "-o", "a.jpg"), "cannot be transparent around the object"),
        (("--point", "1,1", "-o", "a.xyz"), "must end in"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(files, capsys, words, said):
    assert segment(files, *words) != 0
    assert said in capsys.readouterr().err


def test_a_network_of_another_kind_and_a_whole_file(files, tmp_path, capsys):
    from tiny_models import square_detector

    detector = square_detector(tmp_path / "squares.onnx")
    assert main(["segment", str(files[0]), "--model", str(detector), "--point", "1,1"]) != 0
    assert "squares.onnx is no encoder or decoder of the SAM family" in capsys.readouterr().err
    out = str(tmp_path / "all.jsonl")
    assert main(["analyze", str(files[0]), "--model", str(files[1]), "-o", out]) != 0
    assert "segments the object at a point; give it with 'lightloom segment'" in capsys.readouterr().err
