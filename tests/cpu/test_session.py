"""Detection of how a window ended, with processes that really end so; and the contents of a report."""

from __future__ import annotations

import getpass
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from waiting import LIMIT_S

from desktop.base.errors import ExportError
from desktop.ui.shell.report import scrub, write_report
from desktop.ui.shell.session import (
    SOURCE_FILE,
    WindowSession,
    find_crash,
    last_crash,
    read_source,
    read_tiles,
)

PROGRAM = """
import faulthandler, os, signal, sys, time
from pathlib import Path
from desktop.ui.shell.session import WindowSession
session = WindowSession(Path(sys.argv[1]))
assert session.folder is not None
session.setup_file.write_text("lightloom = 1")
signal.signal(signal.SIGTERM, lambda *_: (session.close(), sys.exit(0)))
print("ready", flush=True)
what = sys.stdin.readline().strip()
if what == "segfault":
    faulthandler._sigsegv()
elif what == "abort":
    os.abort()
elif what == "error":
    session.crashed(ValueError("it broke"))
elif what == "hung":
    session.mark_hung("Thread MainThread: somewhere")
    os._exit(1)
elif what == "recovered":
    session.mark_hung("Thread MainThread: somewhere")
    session.mark_hung("")
    os._exit(1)
elif what == "close":
    session.close()
elif what == "late":
    session.close()
    faulthandler._sigsegv()
time.sleep(60 if what == "wait" else 0)
"""


def window(root: Path) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    return process


def end(process: subprocess.Popen, how: str) -> None:
    process.stdin.write(how + "\n")
    process.stdin.close()
    process.wait(LIMIT_S)


@pytest.mark.parametrize("how", ["segfault", "abort"])
def test_a_native_crash_leaves_its_stacks(tmp_path, how):
    end(window(tmp_path), how)
    crash = find_crash(tmp_path)
    assert crash is not None
    assert "Current thread" in (crash.folder / "stacks.txt").read_text()
    assert (crash.folder / "setup.toml").read_text() == "lightloom = 1"
    assert list((tmp_path / "sessions").iterdir()) == []
    assert find_crash(tmp_path) is None, "a crash is asked about once"
    assert last_crash(tmp_path).folder == crash.folder


def test_an_error_that_ends_the_program_is_a_crash(tmp_path):
    end(window(tmp_path), "error")
    assert "ValueError: it broke" in (find_crash(tmp_path).folder / "stacks.txt").read_text()


def test_a_window_that_was_killed_while_it_hung_crashed(tmp_path):
    end(window(tmp_path), "hung")
    assert "somewhere" in (find_crash(tmp_path).folder / "hung.txt").read_text()


@pytest.mark.parametrize("how", ["close", "late", "recovered", "nothing"])
def test_other_ends_are_no_crash(tmp_path, how):
    # Closed; crashed after it was closed; killed after it answered again; gone without a word, as when the
    # power fails.
    end(window(tmp_path), how)
    assert find_crash(tmp_path) is None
    assert list((tmp_path / "sessions").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", ["SIGKILL", "SIGTERM", "SIGHUP"])
def test_a_kill_is_no_crash(tmp_path, number):
    process = window(tmp_path)
    process.send_signal(getattr(signal, number))
    process.wait(LIMIT_S)
    assert find_crash(tmp_path) is None
    assert list((tmp_path / "sessions").iterdir()) == []


def test_a_second_window_is_not_taken_for_a_crash(tmp_path):
    first, second = window(tmp_path), window(tmp_path)
    assert find_crash(tmp_path) is None
    end(second, "segfault")
    crash = find_crash(tmp_path)
    assert crash is not None
    assert len(list((tmp_path / "sessions").iterdir())) == 1, "the first one still runs"
    end(first, "close")
    assert find_crash(tmp_path) is None


def test_three_crashes_are_kept(tmp_path):
    folders = []
    for _ in range(4):
        end(window(tmp_path), "error")
        folders.append(find_crash(tmp_path).folder)
    assert sorted((tmp_path / "crashes").iterdir()) == sorted(folders)[1:]


def test_without_a_folder_a_session_does_nothing(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    session = WindowSession(blocked)
    session.crashed(ValueError())
    session.mark_hung("x")
    session.close()
    assert session.setup_file is None
    assert find_crash(blocked) is None


def test_names_of_the_user_are_replaced():
    home = Path("/home/anna.b")
    text = (
        "open /home/anna.b/Videos/a.mp4 and /home/anna.bert/x, file:///home/anna.b/y, "
        "rtsp://admin:secret@camera/1, anna.b@host, banana.b"
    )
    assert scrub(text, home, "anna.b") == (
        "open ~/Videos/a.mp4 and /home/anna.bert/x, file://~/y, rtsp://<user>@camera/1, <user>@host, banana.b"
    )


def test_a_report_holds_log_crash_setup_and_diagnosis(tmp_path, monkeypatch):
    logs = tmp_path / "logs"
    monkeypatch.setenv("LIGHTLOOM_LOGS", str(logs))
    end(window(logs), "segfault")
    (logs / "lightloom.log").write_text(f"opened {Path.home()}/clip.mp4 for {getpass.getuser()}")
    (logs / "lightloom.log.1").write_text("older")
    target = tmp_path / "report.zip"
    write_report(target, crash=find_crash().folder, setup="lightloom = 1", diagnosis="ok  Python: 3")
    with zipfile.ZipFile(target) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(texts) == {
        "README.txt",
        "doctor.txt",
        "setup.toml",
        "log/lightloom.log",
        "log/lightloom.log.1",
        "crash/stacks.txt",
        "crash/setup.toml",
    }
    assert "Current thread" in texts["crash/stacks.txt"]
    assert texts["log/lightloom.log"] == "opened ~/clip.mp4 for <user>"
    for text in texts.values():
        assert str(Path.home()) + "/" not in text


def test_a_report_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_LOGS", str(tmp_path))
    with pytest.raises(ExportError, match=r"The report r\.zip cannot be written"):
        write_report(tmp_path / "missing" / "r.zip")


@pytest.mark.parametrize("position", ["1" + "0" * 400, "1e400", "NaN", "null", '"1"'])
def test_a_source_without_a_position_is_none(tmp_path, position):
    source = f'{{"source": "sample", "position": {position}}}'
    (tmp_path / SOURCE_FILE).write_text(source)
    assert read_source(tmp_path) is None
    (tmp_path / SOURCE_FILE).write_text(f'{{"tiles": [{source}]}}')
    assert read_tiles(tmp_path) == ()
