"""Each file of examples/ does what it says: its output against known truth, NumPy, OpenCV or ONNX Runtime."""

from __future__ import annotations

import contextlib
import csv
import importlib.util
import io
import json
import os
import sys
from pathlib import Path

import cv2
import numpy as np
import onnx
import onnxruntime
import pytest
from dense_models import channel_model
from onnx import TensorProto, helper, numpy_helper
from script_rig import COLORS, FRAMES, color_finder, scripted_crossings, scripted_video
from tiny_models import red_or_blue_model, squares

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    return scripted_video(tmp_path_factory.mktemp("video") / "script.mp4")


@pytest.fixture(scope="module")
def finder(tmp_path_factory):
    return color_finder(tmp_path_factory.mktemp("finder") / "colors.onnx")


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """A smooth image and its file."""
    noise = np.random.default_rng(5).integers(0, 256, (8, 12, 3), np.uint8)
    pixels = cv2.resize(noise, (96, 64), interpolation=cv2.INTER_CUBIC)
    path = tmp_path_factory.mktemp("image") / "image.png"
    cv2.imwrite(str(path), pixels[..., ::-1])
    return pixels, path


def test_there_are_a_dozen_and_each_has_a_test():
    """Those with tests elsewhere: ask_server (test_serving_access), class_activation_map
    (test_example_class_activation_map), plugin (test_example_plugin).
    """
    found = {path.stem for path in FOLDER.iterdir() if path.suffix in (".py", ".ipynb") or path.is_dir()}
    tested = Path(__file__).read_text(encoding="utf-8")
    elsewhere = {"ask_server", "class_activation_map", "plugin"}
    lacking = {name for name in found - elsewhere - {"__pycache__"} if f'"{name}' not in tested}
    assert len(found - {"__pycache__"}) >= 13 and lacking == set()


def test_classify_folder(tmp_path, capsys):
    folder = tmp_path / "images"
    folder.mkdir()
    for name, color in (("a.png", (0, 0, 255)), ("b.png", (255, 0, 0)), ("c.png", (0, 255, 0))):  # B, G, R
        cv2.imwrite(str(folder / name), np.full((20, 30, 3), color, np.uint8))
    (folder / "d.png").write_bytes(b"\x89PNG\r\n\x1a\nno more")
    (folder / "notes.txt").write_text("not an image")
    model = red_or_blue_model(tmp_path / "color.onnx")
    arguments = [str(folder), "--model", str(model), "-o", str(tmp_path / "classes.csv")]
    assert load("classify_folder").main(arguments) == 0
    with (tmp_path / "classes.csv").open(newline="") as stream:
        rows = list(csv.reader(stream))
    assert [row[:2] for row in rows] == [
        ["image", "class"],
        ["a.png", "red"],
        ["b.png", "blue"],
        ["c.png", "green"],
    ]
    assert "d.png" in capsys.readouterr().err


def test_track_video(video, finder, capsys):
    assert load("track_video").main([str(video), "--model", str(finder)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == FRAMES
    labels = {}
    for each in (each for line in lines for each in line["objects"] if each["identity"]):
        labels.setdefault(each["identity"], set()).add(each["label"])
    assert all(len(each) == 1 for each in labels.values()) and set().union(*labels.values()) == set(COLORS)
    middle = next(each for each in lines[FRAMES // 2]["objects"] if each["label"] == "blue")
    # Blue's lower edge goes from 40 to 185 pixels at x = 270, in a box of 32 pixels; the frames are from a
    # codec.
    np.testing.assert_allclose(middle["box"], [254, 81, 286, 113], atol=2)


def test_count_line(video, finder, capsys):
    arguments = [str(video), "--model", str(finder), "--line", "0.5,0.05,0.5,0.8"]
    assert load("count_line").main(arguments) == 0
    forward, backward = scripted_crossings()
    printed = capsys.readouterr().out
    assert (
        printed == f"forward {forward}, backward {backward}\n  red: forward {forward}, backward {backward}\n"
    )


def test_person_in_color(tmp_path):
    given = np.zeros((64, 96, 3), np.uint8)
    given[:, :48] = (255, 60, 0)
    given[:, 48:] = (0, 60, 255)
    # The "person" is what is red.
    found = load("person_in_color").person_in_color(
        given, channel_model(tmp_path / "red.onnx", output="mask")
    )
    assert np.abs(found[:, :40].astype(int) - given[:, :40]).max() <= 1
    gray = found[:, 56:].astype(int)
    assert np.ptp(gray, axis=-1).max() <= 1 and gray.mean() > 50


def test_filter_chain(image, tmp_path):
    pixels, path = image
    assert load("filter_chain").main([str(path), str(tmp_path / "out.npy")]) == 0
    found = np.load(tmp_path / "out.npy")
    example = load("filter_chain")
    np.testing.assert_array_equal(found, example.filtered(pixels))
    assert found.shape == pixels.shape and found.dtype == np.uint8
    # A kernel of five pixels with a deviation of one, then six levels: what lies between two of them may fall
    # on either.
    blurred = cv2.GaussianBlur(pixels / 255, (5, 5), 1.0, borderType=cv2.BORDER_REPLICATE)
    sure = np.abs(blurred * 5 % 1 - 0.5) > 0.02
    expected = np.floor(blurred * 5 + 0.5) / 5 * 255
    assert sure.mean() > 0.9
    np.testing.assert_allclose(found[sure], expected[sure], atol=1)


def test_custom_shader(image, tmp_path):
    pixels, path = image
    assert load("custom_shader").main([str(path), str(tmp_path / "out.npy"), "0.4"]) == 0
    found = np.load(tmp_path / "out.npy")
    luma = pixels / 255 @ (0.2126, 0.7152, 0.0722)
    sure = np.abs(luma - 0.4) > 0.002  # the working texture has half precision
    np.testing.assert_array_equal(found[sure], np.where(luma > 0.4, 255, 0)[sure][:, None].repeat(3, axis=1))


def test_custom_kernel(image, tmp_path, capsys):
    pixels, path = image
    model = red_or_blue_model(tmp_path / "color.onnx")
    example = load("custom_kernel")
    found = example.entropy(pixels, str(model))
    import lightloom

    with lightloom.load(model, backend="onnxruntime") as network:
        p = network.run(pixels)["y"][0].astype(np.float64)
    assert found == pytest.approx(-(p * np.log2(p)).sum() / np.log2(3), abs=5e-3)
    assert example.main([str(path), str(model)]) == 0
    assert float(capsys.readouterr().out) == pytest.approx(found, abs=2e-3)


def test_custom_decoder(tmp_path, capsys):
    """A network that averages red, and blue, in cells of 8 x 8: the squares are its peaks."""
    weight = np.array([[1, -1, -1], [-1, -1, 1]], np.float32).reshape(2, 3, 1, 1)
    nodes = [
        helper.make_node("AveragePool", ["x"], ["p"], kernel_shape=[8, 8], strides=[8, 8]),
        helper.make_node("Conv", ["p", "w"], ["scores"]),
    ]
    graph = helper.make_graph(
        nodes,
        "peaks",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 64, 64])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 2, 8, 8])],
        [numpy_helper.from_array(weight, "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(tmp_path / "peaks.onnx"))
    cv2.imwrite(str(tmp_path / "squares.png"), squares()[..., ::-1])
    assert load("custom_decoder").main([str(tmp_path / "peaks.onnx"), str(tmp_path / "squares.png")]) == 0
    assert capsys.readouterr().out.splitlines() == ["class 0 0.94 48 32 64 48", "class 1 0.85 96 64 112 80"]


def test_serve_and_query(tmp_path, capsys):
    model = red_or_blue_model(tmp_path / "color.onnx")
    example = load("serve_and_query")
    given = np.random.default_rng(1).random((1, 3, 32, 32), np.float32)
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    (expected,) = session.run(None, {"x": given})
    with example.server(str(model)) as address:
        assert [each["name"] for each in example.describe(address)["inputs"]] == ["x"]
        found = example.infer(address, "x", given)
    np.testing.assert_allclose(found["y"], expected, atol=2e-3)


def test_compare_backends(image, tmp_path, capsys):
    _, path = image
    model = red_or_blue_model(tmp_path / "color.onnx")
    found = load("compare_backends").compare(str(model), [str(path)], ("wgpu", "onnxruntime"))
    assert found.differences.keys() == {"y"} and found.differences["y"] < 1e-3
    half = load("compare_backends").compare(str(model), [str(path)], ("onnxruntime", "onnxruntime"))
    assert half.differences["y"] == 0
    assert load("compare_backends").main([str(model), str(path)]) == 0
    assert "y: differs by" in capsys.readouterr().out


def test_export_page(tmp_path, capsys):
    assert load("export_page").main([str(tmp_path / "site")]) == 0
    assert "Duotone" in (tmp_path / "site" / "plan.json").read_text(encoding="utf-8")
    listed = dict(reversed(line.split(maxsplit=1)) for line in capsys.readouterr().out.splitlines())
    sizes = {name: int(size.replace(",", "")) for name, size in listed.items()}
    assert all((tmp_path / "site" / name).stat().st_size == size for name, size in sizes.items())
    shaders = b"".join(path.read_bytes() for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert b"duotone" in shaders and b"vignette" in shaders


def test_notebook():
    """Its cells, run one after the other as Jupyter does: the values of names are as it says."""
    document = json.loads((FOLDER / "notebook.ipynb").read_text(encoding="utf-8"))
    assert document["nbformat"] == 4 and all(
        "outputs" not in cell or not cell["outputs"] for cell in document["cells"]
    )
    names = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for cell in document["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), "notebook", "exec"), names)
    assert names["image"].shape == (180, 320, 3) and names["difference"] == 0
    assert sum(each.score for each in names["result"]) <= 1.001 and "%" in printed.getvalue()


@pytest.mark.parametrize(
    "name",
    ["filter_chain", "person_in_color", "custom_shader", "custom_kernel", "custom_decoder", "export_page"],
)
def test_wrong_use_is_told(name, capsys):
    assert load(name).main([]) == 2
    assert "python examples/" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("classify_folder", [".", "--model", "nothing"]),
        ("track_video", ["nothing.mp4"]),
        ("count_line", ["nothing.mp4"]),
        ("filter_chain", ["nothing.png", os.devnull]),
        ("custom_shader", ["nothing.png", os.devnull]),
        ("custom_kernel", ["nothing.png"]),
        ("custom_decoder", ["nothing.onnx", "nothing.png"]),
        ("compare_backends", ["nothing.onnx", "nothing.png"]),
        ("export_page", ["site", "nothing"]),
    ],
)
def test_what_is_missing_is_told_in_one_sentence(name, arguments, capsys):
    assert load(name).main(arguments) == 1
    said = capsys.readouterr().err
    assert "nothing" in said and said.count("\n") == 1
