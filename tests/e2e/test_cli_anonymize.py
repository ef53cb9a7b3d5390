"""`--anonymize`: what commands write has it hidden, and what could not be hidden is refused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from tiny_models import red_or_blue_model, square_detector, squares

from desktop.__main__ import main


@pytest.fixture
def files(tmp_path):
    picture = tmp_path / "squares.png"
    assert cv2.imwrite(str(picture), squares()[..., ::-1])
    return picture, square_detector(tmp_path / "squares.onnx")


def written(picture, model, out, *options):
    assert main(["process", str(picture), "--model", str(model), "-o", str(out), *options]) == 0
    return cv2.imread(str(out))[..., ::-1].astype(int)


@pytest.mark.parametrize("backend", ["wgpu", "onnxruntime"])
def test_only_the_classes_that_are_named_are_hidden(files, tmp_path, backend):
    picture, model = files
    fill = ("--backend", backend, "--anonymize-settings", "kind=fill,margin=0.25,outline=box")
    found = written(picture, model, tmp_path / "out.png", "--anonymize", "RED", *fill)
    changed = (np.abs(found - squares()) > 2).any(axis=-1)
    # The red square is at 48..64 x 32..48, with a margin of 4 pixels on each side.
    # All pixels that a place touches are hidden, which may be one more on a side.
    assert changed[28:52, 44:68].all() and not changed[:27].any() and not changed[53:].any()
    assert not changed[:, :43].any() and not changed[:, 69:].any()
    assert (np.abs(found[28:52, 44:68] - (31, 31, 33)) <= 1).all()
    both = written(picture, model, tmp_path / "all.png", "--anonymize", "all", *fill)
    assert (np.abs(both[28:52, 44:68] - (31, 31, 33)) <= 1).all()
    assert (np.abs(both[60:84, 92:116] - (31, 31, 33)) <= 1).all()


def test_a_score_says_what_is_certain_enough_to_be_hidden(files, tmp_path):
    """Nothing above a score of 1, everything from 0.3 on; over what a preset says; of no use to a task that
    has none.
    """
    picture, model = files
    fill = ("--anonymize", "all", "--anonymize-settings", "kind=fill")
    kept = written(picture, model, tmp_path / "kept.png", *fill, "--score", "1")
    assert np.abs(kept - squares()).max() <= 2
    hidden = written(picture, model, tmp_path / "hidden.png", *fill, "--score", "0.3")
    assert (np.abs(hidden[40, 56] - (31, 31, 33)) <= 1).all()
    command = ["process", str(picture), "-o", str(tmp_path / "out.png"), "--score", "0.5"]
    assert main(command) == 2
    classifier = red_or_blue_model(tmp_path / "colors.onnx")
    assert main([*command, "--model", str(classifier)]) == 2
    assert not (tmp_path / "out.png").exists()


def test_a_preset_hides_too_and_options_go_before_it(files, tmp_path):
    picture, model = files
    preset = tmp_path / "hidden.toml"
    preset.write_text('lightloom = 1\n[anonymize]\nclasses = ["blue"]\nkind = "fill"\n')
    found = written(picture, model, tmp_path / "out.png", "--preset", str(preset))
    assert (np.abs(found[40, 56] - squares()[40, 56]) <= 1).all() and (
        np.abs(found[72, 104] - (31, 31, 33)) <= 1
    ).all()
    found = written(picture, model, tmp_path / "red.png", "--preset", str(preset), "--anonymize", "red")
    assert (np.abs(found[72, 104] - squares()[72, 104]) <= 1).all() and (
        np.abs(found[40, 56] - (31, 31, 33)) <= 1
    ).all()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--anonymize", "green"], "knows no 'green'"),
        (["--anonymize", " , "], "names no class"),
        (["--anonymize", "red", "--anonymize-settings", "blocks=99"], "2 to 32"),
        (["--anonymize", "red", "--anonymize-settings", "smear=1"], "smear"),
        (["--anonymize-settings", "blocks=4"], "--anonymize what"),
    ],
)
def test_what_cannot_be_hidden_is_refused(files, tmp_path, capsys, options, said):
    picture, model = files
    out = tmp_path / "out.png"
    assert main(["process", str(picture), "--model", str(model), "-o", str(out), *options]) != 0
    printed = capsys.readouterr().err
    assert said in printed and printed.count("\n") == 1
    assert not out.exists()


def test_a_network_that_finds_nothing_or_none_at_all_is_refused(files, tmp_path, capsys):
    picture, _ = files
    out = tmp_path / "out.png"
    classifier = red_or_blue_model(tmp_path / "names.onnx")
    assert (
        main(["process", str(picture), "--model", str(classifier), "-o", str(out), "--anonymize", "all"]) != 0
    )
    assert "classifies whole images and locates nothing" in capsys.readouterr().err
    assert main(["process", str(picture), "-o", str(out), "--anonymize", "all"]) != 0
    assert "--model" in capsys.readouterr().err and not out.exists()


def test_pictures_that_events_of_an_analysis_save_are_hidden(files, tmp_path):
    picture, model = files
    saved = tmp_path / "saved"
    zones = tmp_path / "zones.toml"
    # In a photograph nobody enters; more than none are inside.
    zones.write_text(
        '[[scene.zones]]\nname = "All"\npoints = [[0, 0], [1, 0], [1, 1], [0, 1]]\nanchor = "center"\n'
        '[[scene.events]]\nname = "Some"\nzone = "All"\nwhen = "above"\nabove = 0\n'
        f'[[scene.events.actions]]\ndo = "snapshot"\nfolder = "{saved.as_posix()}"\n'
    )
    command = ["analyze", str(picture), "--model", str(model), "--zones", str(zones), "--events"]
    command += ["-o", str(tmp_path / "out.jsonl"), "--anonymize", "red", "--anonymize-settings", "kind=fill"]
    assert main(command) == 0
    (file,) = saved.glob("*.png")
    found = cv2.imread(str(file))[..., ::-1].astype(int)
    assert (np.abs(found[40, 56] - (31, 31, 33)) <= 1).all()
    assert (np.abs(found[72, 104] - squares()[72, 104]) <= 1).all()


def test_faces_of_a_photograph(shared, tmp_path):
    picture = shared / "images" / "samples" / "grace_hopper.bmp"
    model = shared / "models" / "face" / "yunet_n_dynamic.onnx"
    found = written(picture, model, tmp_path / "out.png", "--anonymize", "face")
    before = cv2.imread(str(picture))[..., ::-1].astype(int)
    assert np.abs(found[130:330, 190:340] - before[130:330, 190:340]).mean() > 10, "the face"
    assert np.abs(found[450:, :] - before[450:, :]).max() <= 1, "not the uniform"
