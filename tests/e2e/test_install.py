"""Lightloom installed from a wheel and in editable form, each into a clean environment of its own.

The dependencies are lent by the environment that runs the tests, so that no network is needed: what is
examined is whether Lightloom's own files arrive and are found.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 120

LOCATE = """
import json, desktop
from desktop.base.resources import resource
print(json.dumps({"package": desktop.__file__, "shaders": str(resource("shaders")), "assets": str(resource("assets"))}))
"""


def run(command, folder, **environment):
    """Run in `folder`, which is not the checkout, without the caller's Python settings and choice of WebGPU."""
    callers = ("PYTHON", "VIRTUAL_ENV", "LIGHTLOOM_WEBGPU")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(callers)}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A copy of what is shipped, so that nothing is found in the checkout by accident."""
    folder = tmp_path_factory.mktemp("source") / "lightloom"
    for name in ("lightloom", "desktop", "shaders", "assets"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.qm"))
    (folder / "packaging").mkdir()
    for name in (
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "packaging/hatch_build.py",
        "packaging/catalogues.py",
        "packaging/recorder.py",
    ):
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module", params=["standard", "editable"])
def installation(request, source, tmp_path_factory):
    """Return how it was installed, the folder of its programs, and where its files should be.

    The two steps of `pip install .` and `pip install --editable .`: the build backend makes a wheel of that
    kind, pip installs it. They are apart because pip builds in an environment that it would have to download.
    """
    folder = tmp_path_factory.mktemp(request.param)
    run([sys.executable, "-m", "hatchling", "build", "-t", f"wheel:{request.param}", "-d", folder], source)
    venv.create(folder / "env", with_pip=False, symlinks=os.name != "nt")
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", programs / "python", "--disable-pip-version-check"]
    run([*pip, "install", "--quiet", "--no-deps", "--no-index", next(folder.glob("*.whl"))], folder)
    if request.param == "editable":
        return "editable", programs, source
    paths = {"base": str(folder / "env"), "platbase": str(folder / "env")}
    return "standard", programs, Path(sysconfig.get_path("purelib", "venv", paths)) / "desktop"


def test_shaders_and_assets_are_found(installation, source, tmp_path):
    _, programs, place = installation
    found = {
        name: Path(path)
        for name, path in json.loads(run([programs / "python", "-c", LOCATE], tmp_path)).items()
    }
    assert found["shaders"] == place / "shaders"
    assert found["assets"] == place / "assets"
    for name in ("shaders", "assets"):
        here, there = (
            {p.relative_to(f) for p in f.rglob("*") if p.is_file()} for f in (source / name, found[name])
        )
        # The build compiles them.
        compiled = {path.with_suffix(".qm") for path in here if path.suffix == ".ts"}
        assert here | compiled == there
        assert here and bool(compiled) == (name == "assets")


def test_an_editable_installation_holds_no_copies(installation, tmp_path):
    kind, programs, place = installation
    package = Path(json.loads(run([programs / "python", "-c", LOCATE], tmp_path))["package"])
    assert package.is_relative_to(place)
    if kind == "editable":
        purelib = run(
            [programs / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], tmp_path
        )
        assert not (Path(purelib.strip()) / "desktop").exists()


def test_the_command_lists_the_filters(installation, tmp_path):
    """`lightloom filters --json` finds every filter file that is shipped."""
    _, programs, place = installation
    lent = sysconfig.get_path("purelib")
    # PYTHONPATH, not a .pth file: what it names does not itself run .pth files, so the checkout stays out of
    # sight.
    answer = json.loads(run([programs / "lightloom", "filters", "--json"], tmp_path, PYTHONPATH=lent))
    shipped = {path.stem for path in (place / "shaders" / "filters").glob("*.wgsl")}
    assert shipped
    assert shipped <= {entry["name"] for entry in answer["filters"]}


@pytest.mark.skipif(
    os.name == "nt", reason="lends the packages as links, which Windows allows few users to make"
)
@pytest.mark.parametrize(
    ("described", "shown"), [(True, r"lightloom \d+\.\d+\.\d+\n"), (False, "lightloom unknown\n")]
)
def test_a_copied_folder_runs_without_being_installed(described, shown, source, tmp_path):
    """`python -m desktop` in a copy, beside dependencies in which there is no record of Lightloom."""
    lent, copy = tmp_path / "lent", tmp_path / "copy"
    lent.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        # Neither the record of the checkout nor a way into it.
        if not entry.name.startswith(("lightloom", "_lightloom")):
            (lent / entry.name).symlink_to(entry)
    shutil.copytree(source, copy)
    if not described:
        (copy / "pyproject.toml").unlink()
    # Without site (-S), so that no installed folder is seen but the lent one, and PYTHONPATH runs no .pth
    # file.
    python = [sys.executable, "-S"]
    assert re.fullmatch(shown, run([*python, "-m", "desktop", "--version"], copy, PYTHONPATH=lent))
    examined = json.loads(run([*python, "-m", "desktop", "doctor", "--json"], copy, PYTHONPATH=lent))
    packages = next(finding["detail"] for finding in examined if finding["what"] == "Packages")
    assert packages.startswith("lightloom ")
    engine = "import desktop; from desktop.compute.nn.engine_version import engine_version as e; print(desktop.__file__, e())"
    where, version, _ = run([*python, "-c", engine], copy, PYTHONPATH=lent).split()
    assert Path(where).is_relative_to(copy)
    assert version in packages
