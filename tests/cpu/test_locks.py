"""packaging/locks: that they are whole, are of the present pyproject.toml, and hold what it asks for."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import tasks

ROOT = Path(__file__).resolve().parents[2]
HOST = tasks.Host()

PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PROJECT = tomllib.loads(PYPROJECT)
PLACES = [
    (python, system)
    for python in tasks.LOCKED_PYTHONS
    for system in tasks.LOCKED_SYSTEMS
    if (python, system) not in tasks.UNLOCKED
]
RENEW = "run `python3 tasks.py lock` and commit what it writes"
MARKERS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "macos": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}


def environment(python, system):
    name, machine = system.split("-")
    facts = {"python_version": python, "python_full_version": f"{python}.0", "platform_machine": machine}
    return {**MARKERS[name], **facts, "extra": ""}


def locked(path):
    """Name -> (version, number of hashes)."""
    lines = path.read_text(encoding="utf-8").replace(" \\\n", "").splitlines()[1:]
    found = {}
    for line in lines:
        name, version, hashes = re.fullmatch(
            r"([a-z0-9-]+)==([^\s;]+)((?: +--hash=sha256:[0-9a-f]{64})+)", line
        ).groups()
        assert name not in found
        found[name] = version, hashes.count("sha256")
    return found


def wanted(purpose, python, system):
    texts = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    for extra in tasks.LOCKED_EXTRAS[purpose]:
        texts += PROJECT["project"]["optional-dependencies"][extra]
    requirements = [Requirement(text) for text in texts]
    facts = environment(python, system)
    return [r for r in requirements if r.marker is None or r.marker.evaluate(facts)]


def test_there_is_a_lock_for_each_purpose_python_and_system_and_no_other_file():
    purposes = [*tasks.LOCKED_EXTRAS, tasks.LOCKED_GROUP]
    expected = {tasks.lock_file(HOST, purpose, *place) for place in PLACES for purpose in purposes}
    assert {path for path in (HOST.root / tasks.LOCKS).rglob("*") if path.is_file()} == expected, RENEW


@pytest.mark.parametrize("purpose", tasks.LOCKED_EXTRAS)
@pytest.mark.parametrize(("python", "system"), PLACES)
def test_a_lock_is_of_the_present_dependencies_and_satisfies_them(python, system, purpose):
    path = tasks.lock_file(HOST, purpose, python, system)
    assert tasks.dependencies_digest(PYPROJECT) in path.read_text(encoding="utf-8").splitlines()[0], (
        f"{path.relative_to(ROOT)} was made from another pyproject.toml: {RENEW}"
    )
    have = locked(path)
    for requirement in wanted(purpose, python, system):
        version, _ = have[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} in {path.relative_to(ROOT)}: {RENEW}"


@pytest.mark.parametrize(("python", "system"), PLACES)
def test_the_lock_for_the_site_is_of_the_present_group_and_holds_nothing_of_lightloom(python, system):
    path = tasks.lock_file(HOST, tasks.LOCKED_GROUP, python, system)
    assert tasks.group_digest(PYPROJECT) in path.read_text(encoding="utf-8").splitlines()[0], RENEW
    have = locked(path)
    for requirement in map(Requirement, PROJECT["dependency-groups"][tasks.LOCKED_GROUP]):
        version, _ = have[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{requirement} in {path.relative_to(ROOT)}: {RENEW}"
    assert not {"numpy", "wgpu", "pyside6-essentials"} & have.keys()


@pytest.mark.parametrize(("python", "system"), PLACES)
def test_each_python_has_its_own_bounds_and_the_lowest_lock_is_on_them(python, system):
    """A bound that is never installed was never run; one below the first wheels for a Python cannot be."""
    have = locked(tasks.lock_file(HOST, "lowest", python, system))
    facts = environment(python, system)
    project = PROJECT["project"]
    for requirement in map(Requirement, (*project["dependencies"], *project["optional-dependencies"]["app"])):
        if requirement.marker is None or requirement.marker.evaluate(facts):
            bound = next(Version(s.version) for s in requirement.specifier if s.operator in (">=", "=="))
            version = Version(have[canonicalize_name(requirement.name)][0])
            assert version.release[: len(bound.release)] == bound.release, (
                f"{requirement}: {version} on {python}"
            )


@pytest.mark.parametrize(("python", "system"), PLACES)
def test_what_runs_and_what_is_bundled_has_the_versions_that_are_tested(python, system):
    tested = locked(tasks.lock_file(HOST, "dev", python, system))
    running = locked(tasks.lock_file(HOST, "run", python, system))
    bundled = locked(tasks.lock_file(HOST, "package", python, system))
    assert running.items() <= tested.items()
    assert {name: bundled[name] for name in running} == running


def test_the_workflow_tries_every_place_that_has_a_lock_with_newest_and_lowest():
    from ruamel.yaml import YAML

    workflow = YAML(typ="safe").load(
        (ROOT / ".github" / "workflows" / "build.yml").read_text(encoding="utf-8")
    )
    assert {"push", "schedule"} <= workflow["on"].keys()
    job = workflow["jobs"]["pythons"]
    matrix = job["strategy"]["matrix"]
    left_out = {(entry["python"], entry["system"]) for entry in matrix["exclude"]}
    tried = {(python, system) for python in matrix["python"] for system in matrix["system"]} - left_out
    assert tried == set(PLACES)
    commands = [step.get("run") for step in job["steps"]]
    assert "python tasks.py short" in commands
    assert "python tasks.py short --lowest" in commands


def test_this_environments_lock_is_complete():
    """Whatever a locked package asks for on this Python and system is locked too, in a version that suits."""
    for purpose in ("dev", "lowest"):
        path = tasks.find_lock(HOST, purpose)
        have = {name: version for name, (version, _) in locked(path).items()} if path else {}
        if have and all(_installed(name) == version for name, version in have.items()):
            break
    else:
        pytest.skip("this environment was not made from a lock")
    for name in have:
        for requirement in map(Requirement, importlib.metadata.requires(name) or []):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                assert requirement.specifier.contains(
                    have[canonicalize_name(requirement.name)], prereleases=True
                ), name


def _installed(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def test_a_change_of_dependencies_changes_the_digest_and_one_of_a_linter_does_not():
    before = tasks.dependencies_digest(PYPROJECT)
    for changed, same in (
        (PYPROJECT.replace("line-length = 110", "line-length = 99"), True),
        (PYPROJECT.replace("av>=18", "av>=17"), False),
    ):
        assert changed != PYPROJECT
        assert (tasks.dependencies_digest(changed) == before) is same


def test_a_lock_names_versions_and_hashes_and_no_address():
    packages = [
        {
            "name": "a-b",
            "version": "1.0",
            "wheels": [
                {"url": "https://example.org/a_b-1.0.whl", "hashes": {"sha256": digit * 64}} for digit in "21"
            ],
        }
    ]
    text = tasks.lock_text(packages, "0123")
    comment, *lines = text.splitlines()
    assert comment.endswith("0123.")
    assert lines == [
        "a-b==1.0 \\",
        f"    --hash=sha256:{'1' * 64} \\",
        f"    --hash=sha256:{'2' * 64}",
    ]
