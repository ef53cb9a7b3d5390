"""Contents of the wheel and the source archive; the code imports declared dependencies alone."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
# Folders of the checkout -> where a wheel has them.
COMMIT = "desktop/commit.txt"
SHIPPED = {
    "lightloom": "lightloom",
    "desktop": "desktop",
    "shaders": "desktop/shaders",
    "assets": "desktop/assets",
    "docs": "desktop/docs",
}
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
GUIDE = {Path(name) for name in WHEEL["only-include"] if name.startswith("docs/")}


def build(source, target, kind):
    """Build with the build backend itself: no network, no isolated environment."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(target)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(target.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture(scope="module")
def unpacked_sdist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    shutil.unpack_archive(build(ROOT, folder, "sdist"), folder)
    return next(path for path in folder.iterdir() if path.is_dir())


def expected_names():
    names = set()
    for folder, place in SHIPPED.items():
        for path in (ROOT / folder).rglob("*"):
            hidden = any(
                part == "__pycache__" or part.startswith(".") for part in path.parts[len(ROOT.parts) :]
            )
            left_out = folder == "docs" and path.relative_to(ROOT) not in GUIDE
            if path.is_file() and not hidden and not left_out:
                names.add(f"{place}/{path.relative_to(ROOT / folder).as_posix()}")
            if path.suffix == ".ts":
                names.add(f"{place}/{path.relative_to(ROOT / folder).with_suffix('.qm').as_posix()}")
    return names


def names_in(path):
    with zipfile.ZipFile(path) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_holds_package_shaders_assets_and_commit_and_nothing_else(wheel):
    names = names_in(wheel)
    assert names - {COMMIT} == expected_names()
    assert not {name.split("/")[1] for name in names} & {"tests", "training", "benchmarks", "packaging"}
    assert any(name.startswith("desktop/shaders/filters/") and name.endswith(".wgsl") for name in names)


def test_a_wheel_with_the_recorder_is_for_one_processors_linux(wheel):
    recorder = "desktop/compute/gpu/native/record.so"
    is_compiled = recorder in names_in(wheel)
    assert is_compiled == (ROOT / recorder).exists()
    tag = f"py3-none-manylinux_2_17_{platform.machine()}" if is_compiled else "py3-none-any"
    assert wheel.name.endswith(f"-{tag}.whl")
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/WHEEL"))
        assert f"Root-Is-Purelib: {str(not is_compiled).lower()}" in archive.read(name).decode()


def test_the_wheel_has_the_command(wheel):
    with zipfile.ZipFile(wheel) as archive:
        entry = next(name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "lightloom = desktop.__main__:main" in archive.read(entry).decode()


def test_files_in_the_wheel_are_those_of_the_checkout(wheel):
    with zipfile.ZipFile(wheel) as archive:
        for folder, place in SHIPPED.items():
            for name in archive.namelist():
                # desktop/shaders/ begins with desktop/ too: take the longest place that fits.
                fits = [p for p in SHIPPED.values() if name.startswith(f"{p}/")]
                if name != COMMIT and fits and max(fits, key=len) == place:
                    assert (
                        archive.read(name) == (ROOT / folder / name.removeprefix(f"{place}/")).read_bytes()
                    ), name


def test_a_wheel_built_from_the_source_archive_is_the_same(wheel, unpacked_sdist, tmp_path):
    again = build(unpacked_sdist, tmp_path, "wheel")
    assert names_in(again) == names_in(wheel)


def test_the_source_archive_can_run_the_tests(unpacked_sdist):
    for name in (
        "tasks.py",
        "README.md",
        "pyproject.toml",
        "tests/conftest.py",
        "tests/cpu/test_packaging.py",
    ):
        assert (unpacked_sdist / name).exists()


def test_the_archives_name_the_commit(wheel, unpacked_sdist):
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    if head.returncode:
        pytest.skip("this copy is no git checkout")
    with zipfile.ZipFile(wheel) as archive:
        named = archive.read(COMMIT).decode().strip()
    assert len(named) == 12
    assert head.stdout.startswith(named)
    assert (unpacked_sdist / COMMIT).read_text().strip() == named


def test_the_wheel_carries_the_licence(wheel):
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("licenses/LICENSE"))
        assert archive.read(name).decode() == (ROOT / "LICENSE").read_text()
        metadata = next(name for name in archive.namelist() if name.endswith("METADATA"))
        assert "License-Expression: MIT" in archive.read(metadata).decode()


def test_the_readme_of_the_metadata_is_the_projects(wheel):
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("METADATA"))
        metadata = archive.read(name).decode()
    assert "Requires-Python: >=3.11" in metadata
    assert metadata.endswith((ROOT / "README.md").read_text())


def imported_packages(folder):
    names = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - {"desktop", "lightloom"}


def normal(name):
    """A distribution's name in the normal form of PEP 503."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(*extras):
    lines = [*PROJECT["project"]["dependencies"]]
    for extra in extras:
        lines += PROJECT["project"]["optional-dependencies"][extra]
    return {normal(re.match(r"[A-Za-z0-9._-]+", line)[0]) for line in lines}


@pytest.mark.parametrize(
    ("folder", "extras"),
    [
        (
            "desktop",
            [
                "app",
                "peers",
                "parquet",
                "virtual-camera",
                "metrics",
                "ray",
                "serve",
                "remote",
                "diffusion",
                "dawn",
                "midi",
                "osc",
            ],
        ),
        ("lightloom", ["judge"]),
        ("tests", ["app", "dev", "fuzz", "ray", "ndi", "opengl", "osc", "training"]),
        ("benchmarks", ["app", "dev", "families", "judge", "mlserver", "opengl", "training"]),
    ],
)
def test_every_import_is_a_declared_dependency(folder, extras):
    # PySide6 comes with PySide6-Essentials, cv2 with opencv-python-headless: ask the metadata, not the name.
    providers = importlib.metadata.packages_distributions()
    own = {path.stem for name in ("tests", "packaging") for path in (ROOT / name).rglob("*.py")}
    own |= {"tests", "benchmarks", "training", "fuzz", "differential", "tasks"}
    own |= {"pyatspi"}  # of Debian's Python, which runs what imports it: screen_reader_walk.py
    for package in sorted(imported_packages(ROOT / folder) - own):
        # What is optional need not be installed here; but for these its package and its module have one name.
        usual = {"pythonosc": "python-osc"}.get(package, package)
        found = {normal(name) for name in providers.get(package, [usual])}
        assert found & declared(*extras), (
            f"{folder} imports '{package}', which nothing declared provides ({found})"
        )


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
@pytest.mark.parametrize("failing", ["", "test", "dawn", "docs", "matrix"])
def test_ci_runs_the_readmes_test_command_and_every_python(tmp_path, failing):
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    python = tmp_path / "python3"
    python.write_text(f'#!/bin/sh\necho "python3 $*" >> "{tmp_path}/log"\ntest "$2" != "{failing}"\n')
    python.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(["bash", tmp_path / ".ci" / "run"], env={**os.environ, "PATH": path}, check=False)
    commands = (tmp_path / "log").read_text().splitlines()
    expected = [f"python3 tasks.py {task}" for task in ("test", "dawn", "docs", "matrix")]
    # The last two run side by side.
    assert commands[:2] == expected[:2] and sorted(commands[2:]) == expected[2:]
    assert commands[0] in (ROOT / "README.md").read_text()
    assert done.returncode == (1 if failing else 0)
