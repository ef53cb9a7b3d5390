"""Of the built-in networks, the one that a stage uses on an adapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.vision.models import builtin
from desktop.vision.models.builtin import builtin_models, preferred_model, read_builtin

TABLE = 'title = "T"\ntask = "mask"\nlicence = "MIT"\ncard = "docs/models.md"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with `small`, which has a larger form, `large`, and `lost`, whose larger form is missing."""
    for name, more in (
        ("small", 'discrete_gpu = "large"\n'),
        ("large", ""),
        ("lost", 'discrete_gpu = "gone"\n'),
    ):
        (tmp_path / f"{name}.toml").write_text(TABLE + more)
        (tmp_path / f"{name}.onnx").touch()
    monkeypatch.setattr(builtin, "resource", lambda *_: tmp_path)
    return tmp_path


def test_a_discrete_gpu_takes_the_larger_network(folder: Path) -> None:
    assert read_builtin(folder / "small.toml").discrete_gpu == "large"
    assert preferred_model("small", discrete=True) == "large"
    assert preferred_model("small", discrete=False) == "small"


@pytest.mark.parametrize("name", ["large", "lost", "/home/anna/own.onnx", ""])
def test_other_networks_stay(folder: Path, name: str) -> None:
    assert preferred_model(name, discrete=True) == preferred_model(name, discrete=False) == name


def test_the_larger_bundled_networks_are_there_and_of_the_same_task() -> None:
    models = builtin_models()
    larger = [(model, models[model.discrete_gpu]) for model in models.values() if model.discrete_gpu]
    assert ("person_mask", "person_mask_large") in [(model.name, other.name) for model, other in larger]
    assert all(model.task == other.task and not other.discrete_gpu for model, other in larger)
