"""Of the built-in networks, the one that a stage uses on an adapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.vision.models import builtin
from desktop.vision.models.builtin import builtin_models, read_builtin, usual_model

TABLE = 'title = "T"\ntask = "mask"\nlicence = "MIT"\ncard = "docs/models.md"\n'


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A box with `small`, which has a larger form, `large`, and `lost`, whose larger form is missing."""
    for name, more in (("small", 'gpu = "large"\n'), ("large", ""), ("lost", 'gpu = "gone"\n')):
        (tmp_path / f"{name}.toml").write_text(TABLE + more)
        (tmp_path / f"{name}.onnx").touch()
    monkeypatch.setattr(builtin, "resource", lambda *_: tmp_path)
    return tmp_path


def test_a_discrete_gpu_takes_the_larger_network(box: Path) -> None:
    assert read_builtin(box / "small.toml").gpu == "large"
    assert usual_model("small", discrete=True) == "large"
    assert usual_model("small", discrete=False) == "small"


@pytest.mark.parametrize("name", ["large", "lost", "/home/anna/own.onnx", ""])
def test_other_networks_stay(box: Path, name: str) -> None:
    assert usual_model(name, discrete=True) == usual_model(name, discrete=False) == name


def test_the_larger_networks_of_the_box_are_there_and_of_the_same_task() -> None:
    models = builtin_models()
    larger = [(model, models[model.gpu]) for model in models.values() if model.gpu]
    assert ("person_mask", "person_mask_large") in [(model.name, other.name) for model, other in larger]
    assert all(model.task == other.task and not other.gpu for model, other in larger)
