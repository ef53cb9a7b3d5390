"""Text as the name of a file, on every system, and the files that are named by it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from desktop.base.console import encoding_of_output
from desktop.base.file_names import is_device_name, local_name, portable_name
from desktop.base.files import has_unknown_home, home_expanded
from desktop.outputs.detections import input_stem, picture_stem
from desktop.outputs.events._lines import user_path
from desktop.outputs.journal import PictureRecord
from desktop.watch.config import path_in

# What NTFS refuses, or takes for something else.
REFUSED = re.compile(r'[<>:"/\\|?*\x00-\x1f]|[. ]$')


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("plain name", "plain name"),
        ('a:b*c?"<>|\\/d', "a_b_c_______d"),
        ("a\n\x00\x7f\ud800b", "a____b"),
        ("dots and spaces. . ", "dots and spaces_"),
        ("..hidden", "_hidden"),
        ("con", "_con"),
        ("COM1.tar", "_COM1.tar"),
        ("Nul .txt", "_Nul .txt"),
        ("console", "console"),
        ("com10", "com10"),
        ("Größe 名前", "Größe 名前"),
        ("", "_"),
        ("...", "_"),
    ],
)
def test_a_name_that_every_system_takes(text, name):
    assert portable_name(text) == name
    assert not REFUSED.search(name) and not is_device_name(name)
    assert portable_name(name) == name


def test_names_are_shortened_at_a_letter():
    assert portable_name("ä" * 200, longest=9) == "ääää"
    assert len(portable_name("x. " * 200).encode()) <= 200
    assert portable_name("", empty="picture") == local_name("", empty="picture") == "picture"


def test_a_name_that_this_system_takes_stays_as_it_is():
    assert local_name("a:b? ", system="linux") == "a:b? "
    assert local_name("a/b\x01", system="linux") == "a_b_"
    assert local_name("a:b? ", system="win32") == "a_b__"
    assert local_name("aux", system="win32") == "_aux"


@pytest.mark.parametrize("source", ["sample:320x180@30", "camera:0", "screen:1", "rtsp://host/a:b?c=1"])
def test_frames_of_a_source_that_is_no_file_get_names_that_every_system_takes(source):
    """On NTFS 'sample:_000003.txt' would be a stream of the file 'sample'."""
    record = PictureRecord(source, source, 3, 0.1, (4, 4), ())
    stem = picture_stem(record)
    assert stem.endswith("_000003") and not REFUSED.search(stem)
    assert not REFUSED.search(input_stem(source, empty="input"))


def test_a_file_that_is_written_for_a_picture_is_named_like_it():
    record = PictureRecord("in", "in/1. x.jpg", 1, 0.0, (4, 4), (), still=True)
    assert picture_stem(record) == "1. x"


# -- standard output -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("is_console", "system", "environment", "encoding"),
    [
        (False, "win32", {}, "utf-8"),
        (True, "win32", {}, None),
        (False, "win32", {"PYTHONIOENCODING": "cp850"}, None),
        (False, "linux", {}, None),
    ],
)
def test_what_windows_writes_into_files_and_pipes_is_utf_8(is_console, system, environment, encoding):
    assert encoding_of_output(is_console=is_console, system=system, environment=environment) == encoding


def test_the_home_of_an_unknown_user_is_a_name_like_any_other():
    assert home_expanded("~/clip.mp4") == Path.home() / "clip.mp4"
    assert home_expanded("~no-such-user/clip.mp4") == Path("~no-such-user/clip.mp4")


def test_a_tilde_before_a_name_stays_on_windows():
    for name in ("~root/clip.mp4", "~clip.mp4", "", "clip.mp4"):
        assert home_expanded(name, system="win32") == Path(name)
    assert home_expanded("~/clip.mp4", system="win32") == Path.home() / "clip.mp4"


@pytest.mark.parametrize(
    ("name", "linux", "windows"),
    [
        ("~events.csv", True, False),
        ("~no-such-user/events.csv", True, False),
        ("~/events.csv", False, False),
        ("~", False, False),
        ("events~.csv", False, False),
        ("folder/~no-such-user", False, False),
        ("", False, False),
    ],
)
def test_a_home_that_is_not_found_is_that_of_a_user_who_is_not_known(name, linux, windows):
    if sys.platform != "win32":  # whose Python finds a folder for each name
        assert has_unknown_home(name, "linux") == has_unknown_home(name, "darwin") == linux
    assert has_unknown_home(name, "win32") == windows


@pytest.mark.skipif(sys.platform != "win32", reason="elsewhere ~events.csv is the home folder of a user")
def test_files_of_events_and_of_watch_may_begin_with_a_tilde_on_windows(tmp_path):
    assert user_path("~events.csv") == Path("~events.csv")
    assert path_in(tmp_path, "~events.csv") == tmp_path / "~events.csv"
