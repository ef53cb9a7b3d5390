"""`lightloom generate`: pictures of words and of pictures, and what cannot be done in one sentence."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys

import cv2
import numpy as np
import pytest
import tiny_pipeline as tiny

from desktop.__main__ import main

pytest.importorskip("tokenizers")


@pytest.fixture
def folder(tmp_path):
    return tiny.write_pipeline(tmp_path / "pipe")


def generate(folder, *words):
    return main(["generate", str(folder), "--prompt", "a cat", *map(str, words)])


def test_the_same_seed_writes_the_same_picture(folder, tmp_path, capsys):
    asked = ("--seed", 3, "--steps", 4, "--negative", "b")
    assert generate(folder, *asked, "-o", tmp_path / "one.png") == 0
    said = capsys.readouterr()
    assert said.out.strip() == str(tmp_path / "one.png")
    assert "pipe: 64 x 64, Euler, 4 steps, guidance 7.5, seed 3" in said.err
    assert generate(folder, *asked, "-o", tmp_path / "two.png") == 0
    assert generate(folder, "--steps", 4, "-o", tmp_path / "other.png") == 0
    assert " seed " in capsys.readouterr().err
    first, second, other = (cv2.imread(str(tmp_path / f"{name}.png")) for name in ("one", "two", "other"))
    assert first.shape == (64, 64, 3)
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


def test_a_picture_is_changed_by_a_strength(folder, tmp_path, capsys):
    picture = np.zeros((96, 384, 3), np.uint8)
    picture[:, 192:] = 255
    assert cv2.imwrite(str(tmp_path / "in.png"), picture)
    asked = ("--image", tmp_path / "in.png", "--seed", 1, "--scheduler", "ddim", "--guidance", 1)
    assert generate(folder, *asked, "--strength", 0.5, "--steps", 6, "-o", tmp_path / "out.png") == 0
    assert "128 x 64, DDIM, 3 steps, guidance off" in capsys.readouterr().err
    assert cv2.imread(str(tmp_path / "out.png")).shape == (64, 128, 3)


def test_what_does_not_fit_is_said(folder, tmp_path, capsys):
    words = ["generate", str(folder), "--steps", "1", "-o", str(tmp_path / "x.png"), "--prompt"]
    assert main([*words, "cat " * 75 + "a b"]) == 0
    assert "The prompt is too long for the text encoder; this was left out: a b" in capsys.readouterr().err
    assert main([*words, "cat " * 1000]) == 0
    assert len(capsys.readouterr().err) < 1000


@pytest.mark.parametrize(
    "words, said",
    [
        (("-o", "a.gif"), "a.gif is not the name of an image file"),
        (("-o", "x.png", "--size", "100"), "choose multiples of 64"),
        (("-o", "x.png", "--steps", "0"), "choose 1 to 1000"),
        (("-o", "x.png", "--strength", "0.5"), "without an image"),
        (("-o", "x.png", "--image", "missing.png"), "missing.png"),
        (("-o", "x.png", "--seed", "9223372036854775808"), "is none; choose 0 to"),
        (("-o", "x.png", "--seed", str(2**70)), "is none; choose 0 to"),
        (("-o", "x.png", "--tiny"), "has no taesd_decoder"),
        (("-o", "pipe/unet/model.onnx/x.png"), "nothing can be put into"),
        (("-o", "x.png", "--negative", "\udcff"), "no text in UTF-8"),
        (("-o", "x.png", "--negative", "b", "--guidance", "1"), "--negative counts with a guidance above 1"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(folder, tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    assert generate(folder, *words) in (1, 2)
    error = capsys.readouterr().err
    assert said in error and "Traceback" not in error
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize(
    "words", [("--size", "12"), ("--size", "axb"), ("--guidance", "nan"), ("--seed", "-1")]
)
def test_what_is_typed_wrongly_is_said(folder, capsys, words):
    try:
        status = generate(folder, "-o", "x.png", *words)
    except SystemExit as error:
        status = error.code
    assert status in (1, 2) and words[1] in capsys.readouterr().err


def test_the_output_is_not_written_over_the_picture(folder, tmp_path, capsys):
    picture = tmp_path / "in.png"
    assert cv2.imwrite(str(picture), np.zeros((64, 64, 3), np.uint8))
    assert generate(folder, "--image", picture, "-o", picture) == 2
    assert "is the input; choose another name" in capsys.readouterr().err


def test_a_broken_folder_leaves_the_old_picture(folder, tmp_path, capsys):
    (tmp_path / "x.png").write_bytes(b"old")
    shutil.rmtree(folder / "unet")
    assert generate(folder, "-o", tmp_path / "x.png") == 1
    assert "pipe has no unet/model.onnx" in capsys.readouterr().err
    assert (tmp_path / "x.png").read_bytes() == b"old"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a single process")
def test_ctrl_c_ends_it_and_nothing_is_written(folder, tmp_path):
    # A group of its own with the default handler: a background job of a shell ignores SIGINT, and so would
    # its children.
    reset = "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); "
    start = "sys.argv[0] = 'lightloom'; runpy.run_module('desktop', run_name='__main__')"
    words = ["generate", str(folder), "--prompt", "a", "--steps", "1000", "--size", "1024", "-o", "x.png"]
    process = subprocess.Popen(
        [sys.executable, "-c", reset + start, *words, "--backend", "wgpu"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("wgpu,"):
            break
    process.send_signal(signal.SIGINT)
    rest = process.communicate(timeout=120)[1]
    assert process.returncode not in (0, None) and "Traceback" not in rest
    assert list(tmp_path.iterdir()) == [folder]
