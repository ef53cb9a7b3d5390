"""Setup for `tasks.py dawn`: Dawn's package and an llvmpipe that it can use, or one line that says why not."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEBIAN = "Debian http://mirror.invalid/debian/ {0}\n"


@pytest.fixture
def dawn():
    specification = importlib.util.spec_from_file_location("dawn_under_test", ROOT / "packaging" / "dawn.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A PATH of its own, and what writes a program of shell there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def write(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)

    return write


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package wgpudawn, whether or not this environment has one."""
    (tmp_path / "packages" / "wgpudawn").mkdir(parents=True)
    (tmp_path / "packages" / "wgpudawn" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))


@pytest.mark.parametrize(
    ("version", "number"), [("22.3.6-1+deb12u1", 22), ("25.0.7-2~bpo12+1", 25), ("1:24.2", 24), ("", 0)]
)
def test_the_version_of_mesa_is_read_from_dpkg(dawn, programs, version, number) -> None:
    programs("dpkg-query", f"printf '%s' '{version}'")
    assert dawn.installed_mesa() == number


def test_without_the_package_nothing_is_downloaded_and_it_is_said(
    dawn, programs, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.setitem(sys.modules, "wgpudawn", None)
    programs("apt-get", f"echo called >> {tmp_path}/calls")
    assert dawn.main([], tmp_path, "bookworm") == 0
    said = "-- Dawn: NOT TRIED, this environment has no wgpudawn (pip install '.[dawn]')\n"
    assert capsys.readouterr().out == said
    assert not (tmp_path / "calls").exists()


def test_a_mesa_that_is_new_enough_is_taken(dawn, package, programs, tmp_path) -> None:
    programs("dpkg-query", "printf '25.2.8-0ubuntu0.24.04.1'")
    found = dawn.environment(tmp_path, "bookworm")
    assert found["LIGHTLOOM_WEBGPU"] == "dawn" and "VK_DRIVER_FILES" not in found


def test_without_an_older_mesas_replacement_nothing_is_tried_and_it_is_said(
    dawn, package, programs, tmp_path, capsys
) -> None:
    assert dawn.main([], tmp_path, "bookworm") == 0
    assert capsys.readouterr().out == "-- Dawn: NOT TRIED, no apt-get to get a newer Mesa with\n"
    programs("apt-get", f"printf '{DEBIAN.format('trixie')}'")
    assert dawn.main([], tmp_path, "bookworm") == 0
    assert "no mirror of Debian" in capsys.readouterr().out
    programs(
        "apt-get",
        f"case $1 in indextargets) printf '{DEBIAN.format('bookworm')}';; *) echo it is down >&2; exit 100;; esac",
    )
    assert dawn.main([], tmp_path, "bookworm") == 0
    assert "no Mesa of bookworm-backports (it is down)" in capsys.readouterr().out
    # What was begun is not taken for what is whole.
    assert not (tmp_path / "mesa" / "lvp_icd.json").exists()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb")
def test_a_newer_mesa_is_unpacked_once_and_named_with_its_folder(
    dawn, programs, tmp_path, monkeypatch
) -> None:
    content = tmp_path / "content"
    (content / "DEBIAN").mkdir(parents=True)
    (content / "DEBIAN" / "control").write_text(
        "Package: mesa-vulkan-drivers\nVersion: 25\nArchitecture: all\nMaintainer: x <x@y.invalid>\nDescription: x\n"
    )
    library = content / "usr/lib/x86_64-linux-gnu/libvulkan_lvp.so"
    library.parent.mkdir(parents=True)
    library.touch()
    package = tmp_path / "mesa.deb"
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    subprocess.run(["dpkg-deb", "--build", content, package], check=True, capture_output=True)
    programs(
        "apt-get",
        f'case "$*" in indextargets*) printf "{DEBIAN.format("bookworm")}";; '
        f"*download*) echo once >> {tmp_path}/downloads; cp {package} .;; esac",
    )
    first, second = (dawn.unpack_mesa(tmp_path / "dawn", "bookworm") for _ in range(2))
    assert first == second and (tmp_path / "downloads").read_text() == "once\n"
    named = json.loads(Path(first["VK_DRIVER_FILES"]).read_text())["ICD"]["library_path"]
    assert Path(named).is_absolute() and Path(named).exists()
    assert Path(first["LD_LIBRARY_PATH"]) == Path(named).parent
