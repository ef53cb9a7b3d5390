"""packaging/message_checks.py, a linter of `tasks.py lint`: it notices code that decides by the words of an
error or a note.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.insert(0, str(PACKAGING))
findings = importlib.import_module("message_checks").findings
sys.path.remove(str(PACKAGING))


@pytest.mark.parametrize(
    "line",
    [
        "'lost' in str(error).lower()",
        "str(error).rstrip('.').rpartition(' cannot run on wgpu: ')[2]",
        "str(error).partition('; use')[0]",
        "any(mark in str(error) for mark in marks)",
        "error.args[0] == 'gone'",
        "error.messages[0].message.startswith('Binding is missing')",
        "re.search('lost', str(error))",
        "PATTERN.match(error.strerror)",
        "any(note.startswith('Nothing says') for note in found.notes)",
        "[note for note in notes if UNSAID not in note]",
        "translated(report.text).partition(': ')",
        "trial.note not in ('', SLOWER)",
        "trial['note'] not in ('', SLOWER)",
        "f'{error}'.endswith('x')",
    ],
)
def test_it_is_noticed(line):
    assert findings(f"def f(error: ModelError, notes, found, trial):\n    {line}\n") == [2]
    assert findings(f"try:\n    pass\nexcept ValueError as error:\n    {line}\n") == [4]


def test_it_is_noticed_through_names_and_log_records():
    source = "def emit(self, record):\n    text = record.getMessage().lower()\n    if 'lost' in text:\n        pass\n"
    assert findings(source) == [3]
    source = "def f(error: OSError):\n    text = str(error).strip()\n    first = text.splitlines()[0]\n    return first.rsplit(': ', 1)\n"
    assert findings(source) == [4]


@pytest.mark.parametrize(
    "line",
    [
        "str(error).splitlines()[0][:120]",
        "str(error).rstrip('.')",
        "first, _, rest = status.message.partition('\\n')",
        "raise Failed(str(error)) from error",
        "if not status.message: pass",
        "status.message != ''",
        "name.startswith('sample')",
        "error.errno == errno.ENOSPC",
    ],
)
def test_what_only_shows_them_is_fine(line):
    assert findings(f"def f(error: OSError, status, name):\n    {line}\n") == []
