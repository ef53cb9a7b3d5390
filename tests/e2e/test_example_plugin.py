"""The package of examples/plugin: found by its entry point, asked about, used, and left out again; and one
that cannot be imported.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tiny_models import squares

from desktop.base.version import version

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "examples" / "plugin"


class Place:
    """A folder with the package as pip installs it, and a configuration of its own."""

    def __init__(self, folder):
        self.folder = folder
        project = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
        shutil.copytree(SOURCE / "lightloom_blobs", folder / "lightloom_blobs")
        self.install(project["name"], project["version"], project["entry-points"]["lightloom.plugins"])

    def install(self, name, version, points):
        info = self.folder / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        lines = "".join(f"{key} = {value}\n" for key, value in points.items())
        (info / "entry_points.txt").write_text(f"[lightloom.plugins]\n{lines}")

    def run(self, *arguments, status=0, **environment):
        paths = {
            "PYTHONPATH": f"{ROOT}{os.pathsep}{self.folder}",
            "LIGHTLOOM_CONFIG": str(self.folder / "config"),
        }
        done = subprocess.run(
            [sys.executable, "-m", "lightloom", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, **paths, **environment},
            stdin=subprocess.DEVNULL,
        )
        assert status in (None, done.returncode), done.stdout + done.stderr
        return done

    def decisions(self):
        """Return what was decided about each plug-in of another package."""
        listed = json.loads(self.run("plugins", "--json").stdout)
        return {each["name"]: each["decision"] for each in listed if each["package"] != "lightloom"}


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.fixture
def model(tmp_path):
    """A network of the plug-in's family: red and blue in cells of 8 x 8, half a blob's sides 4 pixels."""
    weight = np.zeros((4, 3, 1, 1), np.float32)
    weight[0, :, 0, 0], weight[1, :, 0, 0] = (1, -1, -1), (-1, -1, 1)
    nodes = [
        helper.make_node("AveragePool", ["x"], ["p"], kernel_shape=[8, 8], strides=[8, 8]),
        helper.make_node("Conv", ["p", "w", "b"], ["blobs"]),
    ]
    graph = helper.make_graph(
        nodes,
        "blobs",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 64, 64])],
        [helper.make_tensor_value_info("blobs", TensorProto.FLOAT, [1, 4, 8, 8])],
        [
            numpy_helper.from_array(weight, "w"),
            numpy_helper.from_array(np.array([0, 0, 4, 4], np.float32), "b"),
        ],
    )
    path = tmp_path / "finder.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), str(path))
    path.with_suffix(".txt").write_text("red\nblue\n")
    cv2.imwrite(str(tmp_path / "squares.png"), squares()[..., ::-1])
    return path


def test_a_plug_in_is_used_once_it_is_allowed(place, model):
    image = place.folder / "squares.png"
    assert place.decisions() == {"blobs": "new"}
    refused = place.run("detect", image, "--model", model, status=1)
    assert "not recognized" in refused.stderr or "detect" in refused.stderr
    place.run("count-blobs", model, image, status=2)
    assert "blobs" not in place.run("filters").stdout + place.run("detect", "--help").stdout

    assert "allowed  blobs (lightloom-blobs 1.0)" in place.run("plugins", "--allow", "blobs").stdout
    found = json.loads(place.run("detect", image, "--model", model, "--json").stdout)["results"][0]["objects"]
    assert [each["label"] for each in found] == ["red", "blue"]
    np.testing.assert_allclose(
        [each["box"] for each in found], [[48, 32, 64, 48], [96, 64, 112, 80]], atol=0.5
    )
    assert place.run("count-blobs", model, image).stdout == f"{image} 2\n"
    assert "red_only" in place.run("filters").stdout
    place.run("process", image, "-o", "red.png", "--filter", "red_only", "--trust-shaders")
    made = cv2.imread(str(place.folder / "red.png"))[..., ::-1]
    np.testing.assert_allclose(made, squares() * np.array([1, 0, 0]), atol=1)
    doctor = {each["what"]: each for each in json.loads(place.run("doctor", "--json", status=None).stdout)}
    assert doctor["Plug-ins"] == {
        "what": "Plug-ins",
        "ok": True,
        "detail": f"blobs (lightloom-blobs 1.0): allowed; labeling (lightloom {version()}): allowed",
        "warns": False,
    }

    off = place.run("plugins", LIGHTLOOM_PLUGINS="off")
    assert "LIGHTLOOM_PLUGINS" in off.stderr
    assert "red_only" not in place.run("filters", LIGHTLOOM_PLUGINS="off").stdout
    place.run("plugins", "--refuse", "blobs")
    assert place.decisions() == {"blobs": "refused"}
    assert "red_only" not in place.run("filters").stdout


def test_another_package_of_the_same_name_is_asked_about_anew(place):
    place.run("plugins", "--allow", "blobs")
    shutil.rmtree(next(place.folder.glob("*.dist-info")))
    place.install("somebody-else", "2.0", {"blobs": "lightloom_blobs:PLUGIN"})
    assert place.decisions() == {"blobs": "new"}
    assert "red_only" not in place.run("filters").stdout


def test_one_that_fails_is_told_and_left_out(place):
    (place.folder / "broken_one.py").write_text("raise RuntimeError('no such thing\\nhere')\n")
    (place.folder / "odd_one.py").write_text("PLUGIN = 7\n")
    place.install("broken", "1", {"broken": "broken_one:PLUGIN", "odd": "odd_one:PLUGIN"})
    place.run("plugins", "--allow", "broken", "odd", "blobs")
    done = place.run("filters")
    assert "red_only" in done.stdout, "the others are used"
    lines = done.stderr.splitlines()
    assert [line for line in lines if "'broken' is left out: RuntimeError: no such thing" in line]
    assert [line for line in lines if "'odd' is left out: 'odd_one:PLUGIN' is int" in line]
    doctor = place.run("doctor", status=1).stdout
    assert "FAIL  Plug-ins: " in doctor and "--refuse" in doctor


def test_a_built_in_one_is_listed_and_can_be_refused(place):
    assert f"allowed  labeling (lightloom {version()})" in place.run("plugins").stdout
    assert "refused  labeling" in place.run("plugins", "--refuse", "labeling").stdout
    doctor = {each["what"]: each for each in json.loads(place.run("doctor", "--json", status=None).stdout)}
    assert f"labeling (lightloom {version()}): refused" in doctor["Plug-ins"]["detail"]


def test_wrong_names_are_told(place):
    assert "'blob'" in place.run("plugins", "--allow", "blob", status=2).stderr
    assert "both" in place.run("plugins", "--allow", "blobs", "--refuse", "blobs", status=2).stderr
    (place.folder / "config").mkdir()
    (place.folder / "config" / "plugins.json").write_text("[1, 2")
    assert place.decisions() == {"blobs": "new"}, "a file that cannot be read allows nothing"
