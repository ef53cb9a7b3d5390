"""A command is one file in desktop/cli/: found, named in the help, suggested for a mistyped word, run;
nothing else is imported.
"""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from package_rig import extended
from waiting import LIMIT_S

import desktop.cli
from desktop.__main__ import main
from desktop.cli import Command, Group, command_names, names_in

_SAMPLE = """
from desktop.base import console
from desktop.cli import Command

def _add_options(parser):
    parser.add_argument("name", nargs="+")
    parser.add_argument("--loud", action="store_true")

def _run(options):
    text = f"hello {' and '.join(options.name)}"
    console.out(text.upper() if options.loud else text)
    return 3

COMMAND = Command("Say hello.", _run, _add_options, several="name")
"""


@pytest.fixture
def sample(tmp_path):
    """Two commands of a stranger's: `say-hello`, and `model say-hello`."""
    stack = ExitStack()
    for package, folder in ((desktop.cli, "one"), (importlib.import_module("desktop.cli.model"), "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "say_hello.py").write_text(_SAMPLE)
        (tmp_path / folder / "_shared_by_some.py").write_text("raise AssertionError('not a command')")
        stack.enter_context(extended(package, tmp_path / folder))
    with stack:
        yield
    for package in ("desktop.cli", "desktop.cli.model"):
        sys.modules.pop(f"{package}.say_hello", None)


def test_a_sample_command_is_found_and_runs(sample, capsys):
    assert "say-hello" in command_names() and "-shared-by-some" not in command_names()
    # The values may stand on both sides of an option.
    assert main(["say-hello", "you", "--loud", "me"]) == 3
    assert capsys.readouterr().out == "HELLO YOU AND ME\n"


def test_a_sample_command_is_named_in_the_help(sample, capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    # argparse breaks lines behind hyphens too.
    said = " ".join(capsys.readouterr().out.split()).replace("- ", "-")
    assert "process, remote, say-hello, segment, serve, watch." in said
    with pytest.raises(SystemExit):
        main(["say-hello", "--help"])
    text = capsys.readouterr().out
    assert text.startswith("usage: lightloom say-hello ") and "Say hello." in text


def test_a_mistyped_sample_command_is_answered_with_its_name(sample, capsys):
    assert main(["say-helo"]) == 2
    assert "did you mean 'say-hello'?" in capsys.readouterr().err


def test_what_a_sample_command_does_not_take_is_an_error_of_its_own(sample, capsys):
    with pytest.raises(SystemExit) as end:
        main(["say-hello", "you", "--quiet"])
    assert end.value.code == 2
    assert "lightloom say-hello: error: unrecognized arguments: --quiet" in capsys.readouterr().err


def test_a_sample_command_in_a_group(sample, capsys):
    assert main(["model", "say-hello", "you"]) == 3
    assert capsys.readouterr().out == "hello you\n"
    with pytest.raises(SystemExit):
        main(["model", "--help"])
    assert "say-hello" in capsys.readouterr().out


def _names(package=desktop.cli, before=()):
    for name in names_in(package):
        module = importlib.import_module(f"{package.__name__}.{name.replace('-', '_')}")
        yield (*before, name), module
        if isinstance(module.COMMAND, Group):
            yield from _names(module, (*before, name))


def test_every_file_describes_a_command_and_every_package_a_group():
    for name, module in _names():
        is_package = hasattr(module, "__path__")
        assert isinstance(module.COMMAND, Group if is_package else Command), name
        assert module.COMMAND.text.endswith("."), name


@pytest.mark.parametrize(("more", "imports"), [([], False), (["--score", "0.5"], True)])
def test_options_of_tasks_are_added_where_they_are_given(tmp_path, more, imports):
    """Declaring them imports all tasks, which took a third of the start of `process` without a network."""
    arguments = ["process", str(tmp_path / "missing.png"), "-o", str(tmp_path / "out.png"), *more]
    code = (
        "import sys; from desktop.__main__ import main\n"
        f"status = main({arguments!r})\n"
        "print(status, 'desktop.vision.tasks.detection.detector' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT_S)
    assert done.stdout.splitlines()[-1] == f"{2 if more else 1} {imports}", done.stderr


@pytest.mark.parametrize("name", ["devices", "model check", "models"])
def test_help_imports_the_file_that_was_named(name):
    code = (
        "import json, sys; from desktop.__main__ import main\n"
        f"try: main({[*name.split(), '--help']!r})\n"
        "except SystemExit: pass\n"
        "print(json.dumps([m for m in sys.modules if m.startswith('desktop.cli.')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT_S)
    imported = set(json.loads(done.stdout.splitlines()[-1]))
    files = {m for m in imported if not m.rpartition(".")[2].startswith("_")}
    dotted = "desktop.cli." + name.replace(" ", ".")
    expected = {dotted, dotted.rpartition(".")[0]} - {"desktop.cli"}
    if name == "models":  # the help of a group tells what its commands do
        folder = Path(desktop.cli.__path__[0]) / name
        expected |= {f"{dotted}.{path.stem}" for path in folder.glob("[a-z]*.py")}
    assert files == expected


def _imported(module):
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_commands_import_only_what_they_share():
    commands = {module.__name__: module for _, module in _names()}
    for name, module in commands.items():
        assert not set(_imported(module)) & (commands.keys() - {name}), name
