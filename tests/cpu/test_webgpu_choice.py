"""Choice of the WebGPU library of a process: by LIGHTLOOM_WEBGPU before anything imports wgpu, and refused in
one sentence where it is not possible.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.base.nvidia import has_nvidia_vulkan, nvidia_models

# `find_spec` asks the finders alone.
NOT_INSTALLED = """
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *a: None if name == "wgpudawn" else found(name, *a)
"""
SAID = """
from desktop.compute.gpu.device import list_adapters
from desktop.base.errors import LightloomError
try:
    list_adapters()
except LightloomError as error:
    print(type(error).__name__, error)
else:
    print("adapters")
"""


def printed(code: str, wish: str | None) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "LIGHTLOOM_WEBGPU"}
    if wish is not None:
        environment["LIGHTLOOM_WEBGPU"] = wish
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=Path(__file__).resolve().parents[2],
    )
    return done.stdout.strip()


@pytest.mark.parametrize("wish", [None, "", "wgpu", " wgpu "])
def test_wgpu_is_the_default_and_dawn_is_not_even_looked_for(wish):
    code = "import desktop, sys; print('wgpudawn' in sys.modules, 'wgpu' in sys.modules); import wgpu; print(wgpu.__file__)"
    flags, file = printed(code, wish).splitlines()
    assert flags == "False False" and Path(file).parent.name == "wgpu"


@pytest.mark.parametrize("wish", ["Dawn", "gl", "wgpu,dawn"])
def test_any_other_value_is_refused_by_whoever_opens_an_adapter(wish):
    said = printed(SAID, wish)
    assert said.startswith("UsageError") and wish in said and "wgpu or dawn" in said and "\n" not in said


def test_the_missing_package_is_named_with_what_installs_it():
    said = printed(NOT_INSTALLED + SAID, "dawn")
    assert said.startswith("GpuError") and "pip install '.[dawn]'" in said and "\n" not in said


def test_wgpu_that_was_imported_first_is_said():
    pytest.importorskip("wgpudawn", reason="wgpudawn is not installed: pip install '.[dawn]'")
    said = printed("import wgpu\n" + SAID, "dawn")
    assert said.startswith("GpuError") and "before Lightloom" in said


def test_dawn_is_what_wgpu_means_then():
    pytest.importorskip("wgpudawn", reason="wgpudawn is not installed: pip install '.[dawn]'")
    code = """
import desktop, wgpu, wgpudawn
from desktop.compute.gpu import webgpu
print(wgpu.GPUDevice is wgpudawn.GPUDevice, webgpu.make_recorder.__module__, webgpu.versions_in_use())
"""
    assert printed(code, "dawn").startswith(
        "True desktop.compute.gpu.dawn.recorder wgpudawn 0.32.0.4 with Dawn v"
    )


@pytest.mark.parametrize(("wish", "mark"), [(None, "ok"), ("wgpu", "ok"), ("gl", "FAIL")])
def test_doctor_says_which_one_it_is(wish, mark):
    code = "from desktop.diagnostics import examine; print(*[(f.mark, f.detail) for f in examine() if f.what == 'WebGPU'], sep='\\n')"
    [said] = printed(code, wish).splitlines()
    assert said.startswith(f"('{mark}'") and "LIGHTLOOM_WEBGPU" in said
    assert ("wgpu-native" in said) == (mark == "ok") and ("the default" in said) == (wish is None)


def test_a_command_says_it_in_one_line(tmp_path):
    environment = os.environ | {"LIGHTLOOM_WEBGPU": "metal", "LIGHTLOOM_LOGS": str(tmp_path)}
    command = [sys.executable, "-m", "desktop", "devices"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 2
    assert done.stderr == "lightloom: LIGHTLOOM_WEBGPU is 'metal': it takes wgpu or dawn.\n"


# -- without the variable ------------------------------------------------------------------------------------

CHOICE = """
from pathlib import Path
import desktop.base.nvidia as nvidia
nvidia.nvidia_models.__defaults__ = (Path({gpus!r}),)
from desktop.base.webgpu import _fastest
found = _fastest()
print(found.name, found.chosen_for)
"""
INFORMATION = """Model: \t\t {model}
IRQ:   \t\t 16
GPU UUID: \t GPU-00000000-0000-0000-0000-000000000000
Bus Location: \t 0000:04:00.0
"""


def gpus_of(folder: Path, *models: str) -> Path:
    for number, model in enumerate(models):
        (folder / f"0000:0{number}:00.0").mkdir(parents=True)
        (folder / f"0000:0{number}:00.0" / "information").write_text(INFORMATION.format(model=model))
    return folder


def test_the_models_are_read_as_the_driver_writes_them(tmp_path):
    assert nvidia_models(gpus_of(tmp_path, "NVIDIA H200", "NVIDIA RTX A2000")) == (
        "NVIDIA H200",
        "NVIDIA RTX A2000",
    )
    assert nvidia_models(tmp_path / "none") == ()


@pytest.mark.parametrize(
    ("files", "expected"),
    [("/x/nvidia_icd.json", True), ("/x/lvp_icd.json", False), ("/x/a.json:/y/nvidia_icd.x86_64.json", True)],
)
def test_a_driver_that_the_loader_is_told_of_counts(monkeypatch, files, expected):
    monkeypatch.delenv("VK_ICD_FILENAMES", raising=False)
    monkeypatch.setenv("VK_DRIVER_FILES", files)
    assert has_nvidia_vulkan() is expected


def test_a_manifest_of_the_user_counts(monkeypatch, tmp_path):
    for variable in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "vulkan" / "icd.d").mkdir(parents=True)
    (tmp_path / "vulkan" / "icd.d" / "nvidia_icd.json").write_text("{}")
    assert has_nvidia_vulkan()


@pytest.mark.parametrize("models", [[], ["NVIDIA RTX A2000"], ["NVIDIA GeForce RTX 4090"], ["NVIDIA H1000"]])
def test_wgpu_native_is_taken_where_dawn_was_not_measured(monkeypatch, tmp_path, models):
    monkeypatch.setenv("VK_DRIVER_FILES", "/x/nvidia_icd.json")
    assert printed(CHOICE.format(gpus=str(gpus_of(tmp_path, *models))), None) == "wgpu None"


def test_dawn_is_taken_where_it_was_measured_to_be_faster(monkeypatch, tmp_path):
    pytest.importorskip("wgpudawn", reason="wgpudawn is not installed: pip install '.[dawn]'")
    gpus = str(gpus_of(tmp_path, "NVIDIA RTX A2000", "NVIDIA H100 80GB HBM3"))
    monkeypatch.setenv("VK_DRIVER_FILES", "/x/nvidia_icd.json")
    assert printed(CHOICE.format(gpus=gpus), None) == "dawn NVIDIA H100 80GB HBM3"
    # Without NVIDIA's Vulkan driver Dawn would find no adapter there.
    monkeypatch.setenv("VK_DRIVER_FILES", "/x/lvp_icd.json")
    assert printed(CHOICE.format(gpus=gpus), None) == "wgpu None"


def test_wgpu_native_is_taken_if_the_package_is_missing(monkeypatch, tmp_path):
    gpus = str(gpus_of(tmp_path, "NVIDIA H200"))
    monkeypatch.setenv("VK_DRIVER_FILES", "/x/nvidia_icd.json")
    assert printed(NOT_INSTALLED + CHOICE.format(gpus=gpus), None) == "wgpu None"
