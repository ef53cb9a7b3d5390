"""The cache folder: contents equal what was made, and nothing depends on the folder."""

from __future__ import annotations

import pytest

from desktop.base.disk_cache import cached


def test_a_second_run_makes_nothing(tmp_path):
    made = []

    def make():
        made.append(1)
        return {"a": (1, b"xy", [2.5])}

    assert cached(tmp_path / "new", "thing", "1", make) == cached(tmp_path / "new", "thing", "1", make)
    assert len(made) == 1


def test_another_dependency_takes_the_file_s_place(tmp_path):
    assert cached(tmp_path, "thing", "1", lambda: 1) == 1
    assert cached(tmp_path, "other", "1", lambda: 5) == 5
    assert cached(tmp_path, "thing", "2", lambda: 2) == 2
    assert sorted(file.name.split("-")[0] for file in tmp_path.iterdir()) == ["other", "thing"]
    assert cached(tmp_path, "thing", "2", lambda: 3) == 2


@pytest.mark.parametrize("keep", [0, 31, 32, 40])
def test_a_torn_file_is_made_anew(tmp_path, keep):
    cached(tmp_path, "thing", "1", lambda: list(range(50)))
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:keep])
    assert cached(tmp_path, "thing", "1", lambda: list(range(50))) == list(range(50))
    assert file.read_bytes() == whole


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert cached(tmp_path / "file", "thing", "1", lambda: 7) == 7
