"""The folder for clips of events: another window's stays, and what a crash left is deleted."""

from __future__ import annotations

import os
import time
from pathlib import Path

from desktop.ui.features.event_list.clip_folder import ClipFolder


def made_old(path: Path) -> None:
    yesterday = time.time() - 90_000
    os.utime(path, (yesterday, yesterday))


def test_the_folder_of_another_window_stays_however_old_its_last_clip(tmp_path: Path) -> None:
    other = ClipFolder(tmp_path)
    (other.path / "door.mp4").write_bytes(b"clip")
    made_old(other.path)
    mine = ClipFolder(tmp_path)
    assert mine.path != other.path and (other.path / "door.mp4").read_bytes() == b"clip"
    mine.close()
    other.close()
    assert not list(tmp_path.iterdir())


def test_what_a_crash_left_is_deleted_after_a_day(tmp_path: Path) -> None:
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "file"
    for folder in (old, new):
        folder.mkdir()
        (folder / "door.mp4").write_bytes(b"clip")
    file.write_bytes(b"")
    made_old(old)
    made_old(file)
    mine = ClipFolder(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([new, file, mine.path])
    mine.close()
