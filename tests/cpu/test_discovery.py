"""Modules of a package in which each file defines one entry of a registry."""

from __future__ import annotations

import sys

import pytest

from desktop.base.discovery import module_names, modules_of, registered


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with two things, a module without one, a part of a module, and a package in it."""
    root = tmp_path / "things_of_a_test"
    (root / "inner").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "pear.py": "THING = 'pear'",
        "apple.py": "THING = 'apple'",
        "helper.py": "OTHER = 1",
        "_part.py": "raise AssertionError('a part is imported by its module alone')",
        "inner/__init__.py": "THING = 'inner'",
        "notes.txt": "no module",
    }
    for name, text in files.items():
        (root / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield root.name
    for name in [name for name in sys.modules if name.split(".")[0] == root.name]:
        del sys.modules[name]


def test_names_are_sorted_and_nothing_is_imported(package):
    assert module_names(package) == ("apple", "helper", "inner", "pear")
    assert not [name for name in sys.modules if name.startswith(f"{package}.")]


def test_modules_and_what_they_register_come_by_name(package):
    assert [module.__name__ for module in modules_of(package)] == [
        f"{package}.{name}" for name in module_names(package)
    ]
    assert list(registered(package, "THING")) == ["apple", "inner", "pear"]


def test_a_module_that_cannot_be_imported_is_not_passed_over(package, tmp_path):
    (tmp_path / package / "bad.py").write_text("import no_such_module_at_all")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_at_all"):
        list(registered(package, "THING"))
