"""A filter as a package: what is written, that it is refused where it cannot be, and that a wheel of it works."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from desktop.__main__ import main
from desktop.base.errors import UsageError
from desktop.pipeline.filters.header import parse_filter
from desktop.pipeline.filters.publishing import LICENSES, Publication, publish, usual_name

ROOT = Path(__file__).resolve().parents[2]
TEXT = """/* lightloom
title = "Glow \\"x\\" \U0001f600"
help = "Shines."
*/
fn main(p: vec2i) -> vec4f { return load(p) + 0.1; }
"""


def glow(text: str = TEXT):
    return parse_filter(text, "my_glow.wgsl", builtin=False)


def test_what_is_written(tmp_path):
    item = glow()
    made = publish(item, Publication(usual_name(item), 'Ada "A" {x} \U0001f600', "MIT"), tmp_path)
    assert made == tmp_path / "lightloom-my-glow" and [p.name for p in tmp_path.iterdir()] == [made.name]
    project = tomllib.loads((made / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["authors"] == [{"name": 'Ada "A" {x} \U0001f600'}] and project["license"] == "MIT"
    assert project["entry-points"]["lightloom.plugins"] == {"my-glow": "lightloom_my_glow:PLUGIN"}
    assert 'Ada "A" {x}' in (made / "LICENSE").read_text("utf-8")
    assert (made / "lightloom_my_glow" / "my_glow.wgsl").read_text("utf-8") == TEXT
    for path in made.rglob("*.py"):
        compile(path.read_text("utf-8"), str(path), "exec")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(made), str(made)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{made}"},
        cwd=made,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("license_name", LICENSES)
def test_licenses(tmp_path, license_name):
    made = publish(glow(), Publication("glow", "Ada", license_name), tmp_path)
    assert (made / "LICENSE").exists() == (license_name != "none")
    assert ("license" in tomllib.loads((made / "pyproject.toml").read_text())["project"]) == (
        license_name != "none"
    )


@pytest.mark.parametrize(
    ("about", "message"),
    [
        (Publication("Glow", "Ada"), "'Glow' is not a name for a package"),
        (Publication("../glow", "Ada"), "is not a name for a package"),
        (Publication("lightloom", "Ada"), "is not a name for a package"),
        (Publication("glow", " "), "The author is missing"),
        (Publication("glow", "A\nB"), "The author is missing"),
        (Publication("glow", "Ada", "WTF"), "'WTF' is not a license"),
        (Publication("taken", "Ada"), "exists already, and nothing is replaced"),
    ],
)
def test_what_is_refused(tmp_path, about, message):
    (tmp_path / "taken").mkdir()
    with pytest.raises(UsageError, match=message):
        publish(glow(), about, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_files_that_a_package_would_not_have_and_folders_that_are_not_there(tmp_path):
    lut = 'help = "Shines."\n[[param]]\nname = "look"\ntype = "lut"\ndefault = "/a.cube"\n'
    with pytest.raises(UsageError, match="The default of 'look' is a file"):
        publish(glow(TEXT.replace('help = "Shines."\n', lut)), Publication("glow", "Ada"), tmp_path)
    with pytest.raises(UsageError, match="There is no folder"):
        publish(glow(), Publication("glow", "Ada"), tmp_path / "no")


def test_the_command(tmp_path, capsys):
    path = tmp_path / "my_glow.wgsl"
    path.write_text(TEXT, "utf-8")
    options = ["filters", "--publish", str(path), "--author", "Ada", "--into", str(tmp_path)]
    assert main(options) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'lightloom-my-glow'}\n"
    assert main(options) == 2 and "exists already" in capsys.readouterr().err
    assert main(["filters", "--publish", "sepia", "--author", "Ada"]) == 2
    assert "Sepia comes with Lightloom already" in capsys.readouterr().err
    assert main(["filters", "--author", "Ada"]) == 2
    assert "go with --publish" in capsys.readouterr().err


def test_a_wheel_of_it_is_a_plug_in(tmp_path):
    item = parse_filter(TEXT.replace("title =", 'inputs = ["audio"]\ntitle ='), "my_glow.wgsl", builtin=False)
    made = publish(item, Publication("lightloom-my-glow", "Ada"), tmp_path)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=made, check=True, capture_output=True
    )
    (wheel,) = (made / "dist").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    environment = {
        **os.environ,
        "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path / 'site'}",
        "LIGHTLOOM_CONFIG": str(tmp_path / "config"),
    }

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "lightloom", *arguments],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "allowed  my-glow (lightloom-my-glow 1.0)" in run("plugins", "--allow", "my-glow")
    listed = {each["name"]: each for each in json.loads(run("filters", "--json"))["filters"]}
    assert listed["my_glow"]["inputs"] == ["audio"] and not listed["my_glow"]["builtin"]
