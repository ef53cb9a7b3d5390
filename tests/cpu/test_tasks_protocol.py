"""The protocol that every task keeps; no module but the tasks names one."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from desktop.base.errors import UsageError
from desktop.compute.nn.session import TensorInfo
from desktop.pipeline.filters.library import FilterLibrary
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.setup.preset import load_preset, save_preset
from desktop.pipeline.setup.setup import Setup
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Evidence
from desktop.vision.task_ids import TASK_IDS
from desktop.vision.tasks import all_tasks, recognize_facts, result_tasks, settings_named, task_named
from desktop.vision.tasks.classification import Classification, Prediction
from desktop.vision.tasks.common.dense import StageTask
from desktop.vision.tasks.detection.detector import Detection, Detections
from desktop.vision.tasks.shapes import Box, Label, Line, Mask, Points, Polygon, caption
from desktop.vision.tasks.task import Integer, Names, Share, Word

DESKTOP = Path(__file__).parents[2] / "desktop"
TASKS = DESKTOP / "vision" / "tasks"


# -- the registry --------------------------------------------------------------------------------------------


def test_every_file_is_a_task_and_says_so():
    assert {task.id for task in all_tasks()} == set(TASK_IDS)
    files = {path.stem for path in TASKS.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert files - {"__init__", "task", "shapes", "common"} == set(TASK_IDS)


def test_tasks_differ_where_they_have_to():
    tasks = all_tasks()
    for values in ([t.order for t in tasks], [t.title for t in tasks], [t.summary for t in tasks]):
        assert len(set(values)) == len(tasks)
    assert all(title and summary for title, summary in ((t.title, t.summary) for t in tasks))
    words = [word for task in tasks for word in task.declared_as]
    assert len(set(words)) == len(words)
    assert sum(task.takes_unknown for task in result_tasks()) == 1
    commands = [task.command for task in result_tasks() if task.command]
    assert len(set(commands)) == len(commands)


def test_a_task_is_beside_the_picture_or_in_the_chain():
    library = FilterLibrary(None)
    for task in all_tasks():
        assert bool(task.usual_stage) == isinstance(task, StageTask)
        if isinstance(task, StageTask):
            assert task.id in {name for param in library.get(task.usual_stage).params for name in param.tasks}


def test_settings_of_one_name_are_of_one_kind():
    for name in {setting.name for task in all_tasks() for setting in task.settings}:
        same = list(settings_named(name))
        assert len({type(setting) for setting in same}) == 1, name
        assert re.fullmatch(r"[a-z][a-z_]*", name)
        # A preset has them beside the network's own keys.
        assert name not in NetworkSpec.__dataclass_fields__


def test_what_is_declared_goes_before_what_is_seen_and_that_before_what_is_assumed():
    def of(shape, **extra):
        outputs = (TensorInfo("y", shape, "float32"),)
        return recognize_facts(ModelFacts("x", (1, 3, 64, 64), outputs=outputs, **extra))

    named = of((1, 1, 64, 64), last_operator="Sigmoid", metadata={"task": "depth"})
    assert (named.task.id, named.evidence) == ("depth", Evidence.DECLARED)
    seen = of((1, 1, 64, 64), last_operator="Sigmoid")
    assert (seen.task.id, seen.evidence) == ("mask", Evidence.OBSERVED)
    assumed = of((1, 1, 64, 64), last_operator="Conv")
    assert (assumed.task.id, assumed.evidence) == ("depth", Evidence.ASSUMED)
    said = of((1, 1, 64, 64), metadata={"task": "classify"})
    assert (said.task.id, said.evidence) == ("classification", Evidence.DECLARED)
    assert of((7,)) is None


# -- settings ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "setting, good, bad",
    [
        (Integer(name="n", min=2, max=5, default=3), {"2": 2, "5": 5}, ("1", "6", "x", "2.0", "9" * 400)),
        (Share(name="n"), {"0": 0.0, "1": 1.0, "0.25": 0.25}, ("-0.1", "1.1", "x", "nan", "inf")),
        (Names(name="n"), {"a, b": ("a", "b"), "": (), " , ": ()}, ()),
        (Word(name="n"), {"a": "a", "": ""}, ()),
    ],
)
def test_texts_of_the_command_line_are_values(setting, good, bad):
    for text, value in good.items():
        assert setting.parse(text) == setting.check(setting.parse(text)) == value
    for text in bad:
        with pytest.raises(UsageError, match="setting 'n'") as caught:
            setting.parse(text)
        assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    "setting, bad",
    [
        (Integer(name="n", min=2, max=5, default=3), (True, 2.0, "3", None, [3])),
        (Share(name="n"), (True, "0.5", None, 2, float("nan"))),
        (Names(name="n"), ("red", [1], None, {"a": 1})),
        (Word(name="n"), (1, None, ["a"])),
    ],
)
def test_values_of_a_preset_are_of_the_settings_type(setting, bad):
    for value in bad:
        with pytest.raises(UsageError):
            setting.check(value)


def test_what_asks_for_loading_is_what_is_not_live():
    task = task_named("detection")
    assert not task.needs_loading({}, {"score": 0.9, "classes": ("cat",), "top": 3})
    assert task.needs_loading({}, {"decoder": "yolox"})
    assert not task.needs_loading({"decoder": ""}, {})
    assert task_named("classification").needs_loading({}, {"top": 3})
    assert not task_named("classification").needs_loading({}, {"top": 5})


VERSION_0_1 = """lightloom = 1
filter = []

[network]
model = "net.onnx"
backend = "wgpu"
precision = "fp16"
every = 3
top = 7
on_result = true
task = "detection"
score = 0.4
iou = 0.6
classes = ["red"]
decoder = "yolox"

[network.preprocess]
colors = "BGR"
"""


def test_a_preset_of_version_0_1_is_read_and_written_as_before(tmp_path):
    import tomllib

    (tmp_path / "net.onnx").write_bytes(b"")
    path = tmp_path / "old.toml"
    path.write_text(VERSION_0_1)
    library = FilterLibrary(None)
    loaded = load_preset(path, library)
    assert loaded.warnings == ()
    settings = {"top": 7, "score": 0.4, "iou": 0.6, "classes": ("red",), "decoder": "yolox"}
    assert loaded.setup.network == NetworkSpec(
        str(tmp_path / "net.onnx"), "wgpu", "fp16", 3, True, {"colors": "BGR"}, "detection", settings
    )
    save_preset(loaded.setup, library, tmp_path / "new.toml")
    written = tomllib.loads(VERSION_0_1) | {"lightloom": 2}
    assert tomllib.loads((tmp_path / "new.toml").read_text()) == written
    # What is as usual was left out, but for how many classes there are.
    save_preset(Setup(network=NetworkSpec(str(tmp_path / "net.onnx"))), library, tmp_path / "usual.toml")
    assert tomllib.loads((tmp_path / "usual.toml").read_text())["network"] == {
        **{
            "model": "net.onnx",
            "backend": "auto",
            "precision": "auto",
            "every": 1,
            "top": 5,
            "on_result": False,
        }
    }


# -- results and shapes --------------------------------------------------------------------------------------


def test_results_as_json_lines_and_shapes():
    named = Classification((Prediction(3, "cat", 0.875), Prediction(0, "dog", 0.125)), note=1.5)
    assert json.loads(json.dumps(named.json())) == {
        "top": [
            {"index": 3, "label": "cat", "probability": 0.875},
            {"index": 0, "label": "dog", "probability": 0.125},
        ]
    }
    assert named.lines() == (" 87.50%  cat", " 12.50%  dog") and named.text() == "87.50% cat; 12.50% dog"
    assert named.shapes() == (Label("cat", 0.875, 3), Label("dog", 0.125, 0)) and named.hint == ""
    found = Detections((Detection(1, "red", 0.5, (10.0, 20.0, 30.0, 40.0)),), (100, 80), left_out=2)
    assert found.json()["objects"][0]["box"] == (10.0, 20.0, 30.0, 40.0)
    assert found.shapes() == (Box("red", 1, 0.1, 0.25, 0.3, 0.5, score=0.5),)
    assert found.text() == "50.00% red 10,20 to 30,40; not processed: 2 more candidates; raise --score"
    assert found.hint.startswith("2 candidates too many")


def test_shapes_move_to_where_they_are_drawn():
    def mirrored(x, y):
        return 100 * (1 - x), 50 * y

    box = Box("a", 1, 0.1, 0.2, 0.3, 0.4, score=0.25).moved(mirrored)
    assert (box.left, box.top, box.right, box.bottom) == pytest.approx((70, 10, 90, 20))
    assert caption(box) == "a 25 %" and caption(Label("b", 0.5)) == "b"
    corners = ((0.0, 0.0), (1.0, 0.5))
    for shape in (
        Points("a", 0, corners, ((0, 1),)),
        Line("a", 0, corners, arrow=True),
        Polygon("a", 0, corners),
    ):
        assert shape.moved(mirrored).points == ((100.0, 0.0), (0.0, 25.0))
    mask = Mask("a", 0, None, 0.0, 0.0, 0.25, 1.0).moved(mirrored)
    assert (mask.left, mask.right) == (100.0, 75.0), "a mirrored mask is drawn from right to left"


# -- nobody knows a task by its name -------------------------------------------------------------------------

# Words that are tasks' names, where they mean something else.
OTHER_MEANINGS = {
    "diffusion": {"vision/diffusion": "an extra of the package"},
    "image": {
        "pipeline/layers/kinds": "a layer",
        "pipeline/filters": "a parameter's type, and what a filter asks of its network",
        "media": "a kind of source",
        "outputs/events": "a kind of entity in Home Assistant",
        "serving": "a kind of input",
        "compute/nn/ops": "an input of an operator",
        "pipeline/setup": "a parameter's type",
        "spread": "a kind of source",
        "ui": "a parameter's type, and a kind of source",
    },
    "depth": {"pipeline/setup": "a kind of mask"},
    "classification": {"serving": "a parameter of the Open Inference Protocol"},
    "mask": {
        "pipeline/filters": "what a filter asks of its network",
        "compute/nn/ops": "an input of an operator",
        "pipeline/chain": "where a stage acts",
        "pipeline/setup": "where a stage acts",
        "cli": "where a stage acts",
        "ui": "where a stage acts",
        "web": "where a stage acts",
    },
}


@pytest.fixture(scope="module")
def sources():
    """Every file of the program but the tasks', parsed."""
    paths = [path for path in sorted(DESKTOP.rglob("*.py")) if not path.is_relative_to(TASKS)]
    return [(path, list(ast.walk(ast.parse(path.read_text("utf-8"))))) for path in paths]


def _is_allowed(name: str, path: Path) -> bool:
    where = path.relative_to(DESKTOP).as_posix()
    return any(where.startswith(f"{folder}/") for folder in OTHER_MEANINGS.get(name, ()))


def _about_a_task(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "task") or (
        isinstance(node, ast.Name) and node.id == "task"
    )


def test_no_tasks_name_stands_outside_of_the_tasks(sources):
    wrong = []
    for path, nodes in sources:
        for node in nodes:
            where = f"{path.relative_to(DESKTOP)}:{getattr(node, 'lineno', 0)}"
            if (
                isinstance(node, ast.Constant)
                and node.value in TASK_IDS
                and not _is_allowed(node.value, path)
            ):
                wrong.append(f"{where} names the task {node.value!r}")
            elif isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                named = [s for s in sides if isinstance(s, ast.Constant) and s.value in TASK_IDS]
                if named and any(map(_about_a_task, sides)):
                    wrong.append(f"{where} asks whether a task is {named[0].value!r}")
    assert not wrong, wrong


def test_nothing_of_a_single_task_is_imported_outside_of_the_tasks(sources):
    wrong = []
    for path, nodes in sources:
        for node in nodes:
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Import):
                modules = [name.name for name in node.names]
            for module in modules:
                inside = module.removeprefix("desktop.vision.tasks.").split(".")[0]
                if module.startswith("desktop.vision.tasks.") and inside in TASK_IDS:
                    wrong.append(f"{path.relative_to(DESKTOP)}:{node.lineno} imports {module}")
                if module == "desktop.vision.tasks" and isinstance(node, ast.ImportFrom):
                    wrong += [f"{path}: {name.name}" for name in node.names if name.name in TASK_IDS]
    assert not wrong, wrong


def test_results_and_heads_are_known_by_their_protocol(sources):
    """No `isinstance` of a class that a single task defines, nor a look for an attribute that only one result
    has.
    """
    protocol = {
        name
        for path in [
            *TASKS.glob("common/*.py"),
            TASKS / "task.py",
            TASKS / "shapes.py",
            TASKS / "__init__.py",
        ]
        for name in _classes(path)
    }
    own = {name for path in TASKS.rglob("*.py") for name in _classes(path)} - protocol
    assert {"Classification", "Detections", "DetectionHead"} <= own
    wrong = []
    for path, nodes in sources:
        for node in nodes:
            if isinstance(node, ast.Name) and node.id in own:
                wrong.append(f"{path.relative_to(DESKTOP)}:{node.lineno} uses {node.id}")
    assert not wrong, wrong


def _classes(path: Path) -> set[str]:
    return {
        node.name for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.ClassDef)
    }
