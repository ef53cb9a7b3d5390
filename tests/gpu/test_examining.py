"""Examining a network's files finds the classes of the loaded network, and reports settings without effect."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_models import red_or_blue_model, square_detector

from desktop.compute.gpu.device import Gpu
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.examining import examine
from desktop.pipeline.running.one.loading import load_network, load_second
from desktop.serving.session_pool import Loading, SessionPool
from desktop.vision.models.builtin import TABLE_KEYS, builtin_models, read_statement
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks.common.dense import DenseRequest, plan_dense


def with_sidecar(model: Path, text: str) -> Path:
    model.with_name(f"{model.name}.lightloom.toml").write_text(text)
    return model


@pytest.mark.parametrize("name", ["detector", "classifier", "squares", "squares, named", "colors"])
def test_the_classes_are_those_of_the_loaded_network(gpu: Gpu, tmp_path: Path, name: str) -> None:
    builtins = builtin_models()
    if name in builtins:
        model = builtins[name].path
    elif name == "colors":
        model = red_or_blue_model(tmp_path / "colors.onnx")
    else:
        model = square_detector(tmp_path / "squares.onnx")
        if name == "squares":
            model.with_suffix(".txt").unlink()
    network = load_network(gpu, model, backend="onnxruntime")
    found = examine(NetworkSpec(str(model)))
    assert found.labels == network.head.features.labels != ()
    assert found.task.id == network.head.features.task and found.without_effect == ()


UNKNOWN = "The key 'input.turn' in {name}.lightloom.toml is unknown and was left out; did you mean 'turns'?"


def test_an_unknown_key_is_told_at_load(gpu: Gpu, tmp_path: Path) -> None:
    model = with_sidecar(square_detector(tmp_path / "a.onnx"), "[input]\nturn = true\n")
    told = UNKNOWN.format(name="a.onnx")
    assert told in load_network(gpu, model, backend="onnxruntime").notes
    assert told in load_second(gpu, NetworkSpec(str(model)), recorded=False).notes
    assert told in examine(NetworkSpec(str(model))).without_effect


def test_turns_without_effect_is_told_at_load(gpu: Gpu, tmp_path: Path) -> None:
    model = with_sidecar(square_detector(tmp_path / "a.onnx"), "[input]\nturns = true\n")
    told = "turns = true under [input] in a.onnx.lightloom.toml has no effect: "
    assert f"{told}the input is as wide as high; leave it out." in load_network(gpu, model).notes
    second = load_second(gpu, NetworkSpec(str(model)), recorded=False)
    assert f"{told}secondary networks do not turn." in second.notes
    # The bundled detector turns as a first network; that it does not as a second is no statement of the user's.
    builtin = load_second(gpu, NetworkSpec(str(builtin_models()["detector"].path)), recorded=False)
    assert not [note for note in builtin.notes if "has no effect" in note]


def test_a_server_tells_what_has_no_effect(gpu: Gpu, tmp_path: Path) -> None:
    sidecar = "decodr = 'yolox'\n[input]\nturns = true\nworking = 64\n[preprocess]\nsize = 3\n"
    model = with_sidecar(square_detector(tmp_path / "a.onnx"), sidecar)
    pool = SessionPool(str(model), Loading(Gpu.open, "onnxruntime"))
    notes = pool.open().notes
    pool.close()
    where = "in a.onnx.lightloom.toml"
    # The server logs them once, for the pools of all GPUs (tests/cpu/test_serving_devices.py).
    assert list(notes) == [
        "a.onnx: The preprocessing field 'size' is unknown and was left out.",
        f"a.onnx: The key 'decodr' {where} is unknown and was left out; did you mean 'decoder'?",
        f"a.onnx: The key 'input.working' {where} is not for object detection and was left out.",
        f"a.onnx: turns = true under [input] {where} has no effect: served networks do not turn.",
    ]


def test_an_unknown_key_of_a_network_in_the_chain_is_told(tmp_path: Path) -> None:
    model = tmp_path / "style.onnx"
    model.write_bytes(builtin_models()["style_ink"].path.read_bytes())
    with_sidecar(model, "tusk = 'image'\n[input]\nturns = true\nmultiple = 8\n")
    with ModelFile.opened(model) as file:
        plan = plan_dense(file, (64, 64), file.statement, DenseRequest("image"))
    told = {
        finding.figures["name"]: finding.figures for finding in plan.findings if "file" in finding.figures
    }
    assert told.keys() == {"tusk", "input.turns"} and told["tusk"]["near"] == "task"


@pytest.mark.parametrize(
    ("table", "key"), [(table, key) for table, keys in TABLE_KEYS.items() for key in keys]
)
def test_each_key_of_a_table_is_one_that_is_read(tmp_path: Path, table: str, key: str) -> None:
    values = {
        "multiple": 8,
        "working": 64,
        "turns": "true",
        "channel": 0,
        "scale": "'0..1'",
        "colors": "'RGB'",
    }
    values |= {"activation": "'none'", "near": "'low'", "name": "'x'"}
    model = with_sidecar(tmp_path / "a.onnx", f"[{table}]\n{key} = {values[key]}\n")
    read_statement(model)
