"""The wheel, installed by pip without extras into a clean environment: the library, the examples, the plug-in
package; there is no Qt.

Needs the registry of packages, from which pip takes the locked versions of what the wheel requires.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from script_rig import COLORS, FRAMES, color_finder, scripted_crossings, scripted_video
from tiny_models import red_or_blue_model
from waiting import LIMIT_S

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
specification = importlib.util.spec_from_file_location("tasks_of_wheel", ROOT / "tasks.py")
tasks = importlib.util.module_from_spec(specification)
sys.modules[specification.name] = tasks  # dataclasses look their module up
specification.loader.exec_module(tasks)
pytestmark = [pytest.mark.long, pytest.mark.timeout(1500)]

TYPED = """\
import lightloom
with lightloom.load("classifier") as network:
    result = network("street.png")
    print(type(result).__name__, result.top.label, result.top.score)
with lightloom.Chain(["invert"]) as chain:
    for frame in lightloom.open("street.png"):
        image = chain(frame)
        print(image.dtype, image.shape, int(image.astype(int).mean() + frame.array.mean()))
"""


class Installation:
    """A clean environment that holds the wheel, and a folder to work in."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.wheel = wheel
        self.place = folder / "place"
        self.place.mkdir()
        venv.create(folder / "env", with_pip=True, symlinks=os.name != "nt")
        self.programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        # The versions that are tested, not today's; hashes are of no use in constraints, as the wheel has
        # none.
        lock = tasks.find_lock(tasks.Host(), "dev")
        pins = re.findall(r"^([\w.-]+==\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE) if lock else []
        self.constraints = folder / "constraints.txt"
        self.constraints.write_text("\n".join(pins), encoding="utf-8")
        callers = ("PYTHON", "VIRTUAL_ENV", "LIGHTLOOM_")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(callers)}
        own = {name: str(folder / name.lower()) for name in ("CONFIG", "CACHE", "LOGS", "DATA")}
        self.environment |= {f"LIGHTLOOM_{name}": path for name, path in own.items()}
        self.install(wheel)

    def install(self, *what: str | Path) -> None:
        options = [
            "--quiet",
            "--no-compile",
            "--no-input",
            "--disable-pip-version-check",
            "-c",
            self.constraints,
        ]
        self.run(self.programs / "python", "-m", "pip", "install", *options, *what)

    def run(
        self, *command: str | Path, status: int = 0, text: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.place,
            env=self.environment,
            capture_output=True,
            text=True,
            input=text,
            timeout=LIMIT_S * 5,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def python(self, *arguments: str | Path) -> str:
        return self.run(self.programs / "python", *arguments).stdout

    def lightloom(self, *arguments: str | Path, status: int = 0) -> subprocess.CompletedProcess[str]:
        return self.run(self.programs / "lightloom", *arguments, status=status)

    def example(self, name: str, *arguments: str | Path) -> str:
        return self.python(EXAMPLES / f"{name}.py", *arguments)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=LIMIT_S)
    made = Installation(folder, next(folder.glob("*.whl")))
    made.lightloom("process", "sample:320x192", "--max-frames", "1", "-o", "street.png")
    scripted_video(made.place / "colors.mp4")
    color_finder(made.place / "colors.onnx")
    red_or_blue_model(made.place / "color.onnx")
    return made


def test_there_is_no_qt_and_the_window_says_what_to_install(installed):
    found = installed.python(
        "-c", "import importlib.metadata as m; print(*(d.name for d in m.distributions()))"
    )
    names = {name.lower().replace("_", "-") for name in found.split()}
    # wgpu requires rendercanvas, which needs no Qt by itself.
    assert {"lightloom", "wgpu", "onnxruntime"} <= names
    assert (
        not {
            "pyside6-essentials",
            "shiboken6",
            "miniaudio",
            "opencv-python-headless",
            "pytest",
        }
        & names
    )
    place = Path(installed.python("-c", "import lightloom; print(lightloom.__file__)").strip())
    assert place.is_relative_to(installed.programs.parent)
    assert "[app]" in installed.lightloom(status=1).stderr


def test_eight_lines_load_run_and_print_typed_results(installed):
    assert len(TYPED.splitlines()) == 8
    classified, filtered = installed.python("-c", TYPED).splitlines()
    kind, *label, score = classified.split()
    # A drawn balloon is the largest thing of the sample.
    assert (kind, " ".join(label)) == ("Classification", "balloon") and 0.5 < float(score) <= 1
    # What is inverted and what it was add up to white.
    assert filtered in ("uint8 (192, 320, 3) 255", "uint8 (192, 320, 3) 254")


def test_the_lines_of_the_readme_run(installed):
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    shutil.copy(installed.place / "street.png", installed.place / "street.jpg")
    *found, frame = installed.python("-c", block).splitlines()
    assert frame == "0.0 (192, 320, 3)"
    assert all(re.fullmatch(r"\w+ 0\.\d\d \(.*\)", line) for line in found)


def test_the_examples_run(installed):
    place = installed.place
    (place / "images").mkdir()
    shutil.copy(place / "street.png", place / "images")
    rows = list(csv.reader(installed.example("classify_folder", "images").splitlines()))
    assert rows[1][:2] == ["street.png", "balloon"]
    frames = [
        json.loads(line)
        for line in installed.example("track_video", "colors.mp4", "--model", "colors.onnx").splitlines()
    ]
    assert len(frames) == FRAMES
    assert {each["label"] for frame in frames for each in frame["objects"]} == set(COLORS)
    forward, backward = scripted_crossings()
    line = ("--line", "0.5,0.05,0.5,0.8")
    counted = installed.example("count_line", "colors.mp4", "--model", "colors.onnx", *line)
    assert counted.startswith(f"forward {forward}, backward {backward}\n")
    installed.example("filter_chain", "street.png", "chain.npy")
    installed.example("custom_shader", "street.png", "shader.npy", "0.4")
    for name in ("chain.npy", "shader.npy"):
        assert np.load(place / name).shape == (192, 320, 3)
    assert set(np.unique(np.load(place / "shader.npy"))) == {0, 255}
    assert 0 <= float(installed.example("custom_kernel", "street.png", "color.onnx")) <= 1
    assert "differs by" in installed.example("compare_backends", "color.onnx", "street.png")
    assert "plan.json" in installed.example("export_page", "site") and (place / "site" / "plan.json").exists()
    installed.example("custom_decoder", peaks(place), "street.png")
    cells = json.loads((EXAMPLES / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert "%" in installed.python("-c", code)


def peaks(place: Path) -> str:
    """Save a network with a map of scores, of red and of blue, in cells of 8 x 8; return its name."""
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
    onnx.save(model, str(place / "peaks.onnx"))
    return "peaks.onnx"


def test_a_class_activation_map_is_drawn(installed):
    arguments = ("sample:320x192", "-o", "map.mp4", "--frames", "3")
    model = ROOT / "assets" / "models" / "classifier.onnx"
    installed.example("class_activation_map", model, *arguments)
    assert (installed.place / "map.mp4").stat().st_size > 1000


def test_the_plug_in_package_is_installed_allowed_and_used(installed):
    # pip would download hatchling to build it in: here the environment of the tests builds it.
    source = installed.place / "plugin"
    shutil.copytree(EXAMPLES / "plugin", source, ignore=shutil.ignore_patterns("__pycache__"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(installed.place / "built")]
    subprocess.run(build, cwd=source, check=True, capture_output=True, timeout=LIMIT_S)
    installed.install(next((installed.place / "built").glob("*.whl")))
    assert "red_only" not in installed.lightloom("filters").stdout
    assert "allowed  blobs (lightloom-blobs 1.0)" in installed.lightloom("plugins", "--allow", "blobs").stdout
    assert "red_only" in installed.lightloom("filters").stdout
    values = ("street.png", "-o", "red.png", "--filter", "red_only", "--trust-shaders")
    installed.lightloom("process", *values)
    code = "import lightloom; print(*next(iter(lightloom.open('red.png'))).array[..., 1:3].max((0, 1)))"
    green, blue = map(int, installed.python("-c", code).split())
    assert max(green, blue) <= 1  # dithered


def test_with_the_extra_a_server_is_queried(installed):
    installed.install(f"{installed.wheel}[serve]")
    assert "PySide6" not in installed.python("-m", "pip", "list", "--disable-pip-version-check")
    assert installed.example("serve_and_query", "color.onnx").startswith("y (1, 3) ")
    command = [installed.programs / "lightloom", "serve", "classifier", "--no-http", "--grpc", "0"]
    server = subprocess.Popen(
        command, cwd=installed.place, env=installed.environment, stdout=subprocess.PIPE, text=True
    )
    try:
        address = next(line.split()[1] for line in server.stdout if line.startswith("gRPC "))
        assert 0 <= int(installed.example("ask_server", address)) < 1000
    finally:
        server.terminate()
        server.wait(timeout=LIMIT_S)
