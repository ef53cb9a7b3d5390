"""The program that runs the README's commands on a bare Debian, without one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "packaging" / "linux" / "bare_root.py"


@pytest.fixture(scope="module")
def bare_root():
    specification = importlib.util.spec_from_file_location("bare_root", PROGRAM)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_its_commands_are_those_of_the_readme(bare_root):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = ["python3 tasks.py run", "python3 tasks.py test"]
    assert bare_root.readme_commands(readme, fast=False) == commands
    assert bare_root.readme_commands(readme, fast=True) == [commands[0], f"{commands[1]} --fast"]
    with pytest.raises(bare_root.RootError, match="no block of commands"):
        bare_root.readme_commands("# Lightloom\n", fast=False)


def test_a_root_that_cannot_be_made_is_one_sentence_and_leaves_nothing(tmp_path):
    """By a debootstrap that has no mirror; or, without the rights for a root, before it."""
    (tmp_path / "bin").mkdir()
    debootstrap = tmp_path / "bin" / "debootstrap"
    debootstrap.write_text("#!/bin/sh\necho no mirror\nexit 3\n")
    debootstrap.chmod(0o755)
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    command = [sys.executable, PROGRAM, "bookworm", "--folder", tmp_path]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        ("debootstrap failed for 'bookworm'", "A bare Debian cannot")
    )
    assert [path.name for path in tmp_path.iterdir()] == ["bin"]
