"""Append-only files of JSON lines, and locks of files."""

from __future__ import annotations

import errno
import json
import os
from io import FileIO
from pathlib import Path

import pytest
from windows_locks import use_windows_locks

from desktop.base import journal
from desktop.base.journal import InUseError, JournalFile, Recovery, Tail, begins_with, first_entry, recover
from desktop.base.lock import take_lock

ENTRIES = [{"head": 1}, {"text": "ä\n"}, {"numbers": [0.1, 2]}]
LINES = [json.dumps(entry).encode() + b"\n" for entry in ENTRIES]
WHOLE = b"".join(LINES)


def number_of(entry: object) -> None:
    """Take a dict only."""
    if not isinstance(entry, dict):
        raise TypeError("not an entry")


def begun(path: Path) -> JournalFile:
    """Return a new journal with `LINES`."""
    file = JournalFile(path, create=True)
    file.cut(0)
    for line in LINES:
        file.append(line)
    return file


def test_lines_are_on_the_disk_before_the_file_is_closed(tmp_path):
    file = begun(tmp_path / "lines")
    assert (tmp_path / "lines").read_bytes() == WHOLE and file.end == len(WHOLE)
    found: list[object] = []
    assert recover(tmp_path / "lines", found.append) == Recovery(3, len(WHOLE), Tail.NOTHING)
    assert found == ENTRIES and first_entry(tmp_path / "lines") == ENTRIES[0]
    file.close()


def test_a_journal_goes_on_behind_its_last_whole_line_wherever_it_was_torn(tmp_path):
    path = tmp_path / "lines"
    for cut in range(len(WHOLE) + 1):
        path.write_bytes(WHOLE[:cut])
        whole = WHOLE[:cut].count(b"\n")
        end = sum(map(len, LINES[:whole]))
        found = recover(path, number_of)
        assert found == Recovery(whole, end, Tail.NOTHING if cut == end else Tail.TORN)
        assert begins_with(path, WHOLE[:10])
        file = JournalFile(path)
        file.cut(found.end)
        for line in LINES[whole:]:
            file.append(line)
        file.close()
        assert path.read_bytes() == WHOLE


@pytest.mark.parametrize("bad", [b"{\n", b"\0\0\0\n", b"5\n", b"\xff\n", b"[" * 100_000 + b"\n"])
@pytest.mark.parametrize(
    ("place", "tail"), [(0, Tail.DAMAGED), (1, Tail.DAMAGED), (2, Tail.DAMAGED), (3, Tail.MALFORMED)]
)
def test_a_malformed_line_that_a_valid_one_follows_is_damage(tmp_path, bad, place, tail):
    path = tmp_path / "lines"
    path.write_bytes(b"".join((*LINES[:place], bad, *LINES[place:])))
    assert recover(path, number_of) == Recovery(place, sum(map(len, LINES[:place])), tail)


def test_a_write_that_fails_leaves_no_half_line(tmp_path, monkeypatch):
    full = False

    class Disk(FileIO):
        """A disk that takes five bytes a call, and then is full in the middle of a line."""

        def write(self, data):
            written = super().write(data[:5])
            if full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return written

    monkeypatch.setattr(journal, "FileIO", Disk)
    file = begun(tmp_path / "lines")
    full = True
    with pytest.raises(OSError, match="No space left"):
        file.append(LINES[0])
    assert (tmp_path / "lines").read_bytes() == WHOLE
    full = False
    file.append(LINES[1])
    assert (tmp_path / "lines").read_bytes() == WHOLE + LINES[1]
    file.close()


def test_a_file_that_another_program_changed_is_noticed(tmp_path):
    path = tmp_path / "lines"
    file = begun(path)
    assert file.is_intact()
    with path.open("ab") as other:
        other.write(b"x")
    assert not file.is_intact()
    file.cut(file.end)
    assert file.is_intact()
    if os.name != "nt":
        path.rename(tmp_path / "old")
        assert not file.is_intact()
        path.write_bytes(WHOLE)
        assert not file.is_intact()
    file.close()


def test_a_journal_is_one_process_s(tmp_path):
    path = tmp_path / "lines"
    file = begun(path)
    with pytest.raises(InUseError):
        JournalFile(path)
    JournalFile(path, locked=False).close()
    assert path.read_bytes() == WHOLE
    file.delete(path.unlink)
    assert not path.exists()
    with pytest.raises(FileNotFoundError):
        JournalFile(path)


def test_the_beginning_tells_a_journal_from_another_file(tmp_path):
    path = tmp_path / "lines"
    for text, own in ((b"", True), (b'{"he', True), (WHOLE, True), (b"my diary", False), (b'{"hx', False)):
        path.write_bytes(text)
        assert begins_with(path, b'{"head": ') == own
        assert first_entry(path) == (ENTRIES[0] if text == WHOLE else None)


# -- locks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_a_file_is_one_runs_however_long_it_has_become(tmp_path, monkeypatch, system):
    if system == "win32":
        use_windows_locks(monkeypatch)
    path = tmp_path / "lines"
    with path.open("a+b") as first:
        first.write(b"one\n")
        assert take_lock(first)
        first.write(b"another\n")
        first.flush()
        with path.open("a+b") as second:
            assert not take_lock(second)
        assert path.read_bytes() == b"one\nanother\n"


@pytest.mark.skipif(os.name == "nt", reason="the system calls are of POSIX")
def test_a_file_system_without_locks(tmp_path, monkeypatch):
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", no_locks)
    with (tmp_path / "lines").open("a+b") as stream:
        with pytest.raises(OSError, match="locks"):
            take_lock(stream)
        assert take_lock(stream, required=False)


@pytest.mark.skipif(os.name == "nt", reason="Windows refuses to delete an open file")
def test_a_file_that_was_just_deleted_is_nobodys(tmp_path):
    path = tmp_path / "lines"
    with path.open("a+b") as first:
        path.unlink()
        assert not take_lock(first)
