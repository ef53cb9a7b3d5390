"""Choice of the WebGPU library of a process: by LIGHTLOOM_WEBGPU before anything imports wgpu, and refused in
one sentence where it is not possible.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
        "True desktop.compute.gpu.recording wgpudawn 0.32.0.4 with Dawn v"
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
