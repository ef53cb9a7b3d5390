"""The public names of `lightloom` and their signatures are those of public_names.txt; `import lightloom`
brings nothing with it.

After a change that is meant, `python tests/cpu/test_public_names.py` writes the file anew: what has gone from
it breaks somebody's program.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOT = Path(__file__).with_name("public_names.txt")
# What functions return: nobody else makes them.
RETURNED = ("BoundTexture", "Frame", "Network", "Source")


def _signature(value):
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(value)))


def _members(name, kind):
    fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    for member in sorted(set(dir(kind)) - fields):
        if member.startswith("_") and member not in (
            "__call__",
            "__iter__",
            "__len__",
            "__getitem__",
            "__enter__",
        ):
            continue
        owner = next(each for each in kind.__mro__ if member in vars(each))
        if owner.__module__.split(".")[0] not in ("lightloom", "desktop"):
            continue
        found = inspect.getattr_static(kind, member)
        if isinstance(found, property):
            yield f"{name}.{member}: {found.fget.__annotations__['return']}"
        elif callable(getattr(kind, member)):
            yield f"{name}.{member}{_signature(getattr(kind, member))}"


def public_names():
    lightloom = importlib.import_module("lightloom")
    lines = []
    for name in lightloom.__all__:
        value = getattr(lightloom, name)
        if not callable(value) or (isinstance(value, type) and issubclass(value, Exception)):
            lines.append(name)
        elif isinstance(value, type):
            made = name if name in RETURNED else f"{name}{_signature(value)}"
            lines += [made, *_members(name, value)]
        else:
            lines.append(f"{name}{_signature(value)}")
    for module in filter(inspect.ismodule, (getattr(lightloom, name) for name in lightloom.__all__)):
        short = module.__name__.removeprefix("lightloom.")
        lines += [f"{short}.{name}" for name in module.__all__]
    return "\n".join(lines) + "\n"


def test_public_names_and_signatures_are_as_promised():
    assert public_names() == SNAPSHOT.read_text(encoding="utf-8")


def test_every_public_name_is_documented():
    lightloom = importlib.import_module("lightloom")
    lacking = []
    for name in lightloom.__all__:
        value = getattr(lightloom, name)
        if isinstance(value, type):
            own = [
                getattr(value, line.split(".")[1].split("(")[0].split(":")[0])
                for line in _members(name, value)
            ]
            lacking += [name] * (not inspect.getdoc(value))
            lacking += [
                f"{name}.{getattr(each, '__name__', each)}"
                for each in own
                if not inspect.getdoc(each) and not getattr(each, "__name__", "").startswith("__")
            ]
        elif callable(value) and not inspect.getdoc(value):
            lacking.append(name)
    assert lacking == []


def test_every_public_name_is_imported_by_a_star():
    program = "from lightloom import *; import lightloom; print(sorted(set(lightloom.__all__) - set(dir())))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    lightloom = importlib.import_module("lightloom")
    assert sorted(lightloom.__all__) == lightloom.__all__
    assert set(lightloom.__all__) <= set(dir(lightloom))


def test_the_import_brings_nothing_with_it():
    program = (
        "import sys, lightloom;"
        "print(sorted({name.split('.')[0] for name in sys.modules} & "
        "{'desktop', 'numpy', 'wgpu', 'onnx', 'onnxruntime', 'av', 'PySide6', 'importlib.metadata'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_an_unknown_name_is_refused_as_python_does():
    program = "import lightloom; lightloom.lode"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert "AttributeError: module 'lightloom' has no attribute 'lode'" in done.stderr


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    SNAPSHOT.write_text(public_names(), encoding="utf-8")
