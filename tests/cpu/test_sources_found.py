"""A source is one file in desktop/media/sources/: found by its name and by what it says that it takes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from package_rig import extended

from desktop.base.errors import SourceUnsupportedError
from desktop.media import sources
from desktop.media.sources.file_kinds import classify_drop, source_kinds
from desktop.media.sources.opening import open_source

_SAMPLE = """
from desktop.media.sources.base import SourceKind
from desktop.media.sources.sample import SampleSource

class BarsSource(SampleSource):
    pass

def _open_text(text):
    return BarsSource((64, int(text.partition(":")[2]))) if text.startswith("bars:") else None

SOURCE = SourceKind(
    open_text=_open_text,
    takes_file=lambda path, head: head.startswith(b"BARS"),
    open_file=lambda path, seconds: BarsSource((64, 64)),
)
"""


@pytest.fixture
def bars(tmp_path):
    """A stranger's source; what stands beside it is not for it to be found by."""
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "bars.py").write_text(_SAMPLE)
    with extended(sources, folder):
        yield
    sys.modules.pop(f"{sources.__name__}.bars", None)


def test_the_sources_are_the_files_that_say_so():
    assert [name for name, _ in source_kinds()] == [
        "camera",
        "folder",
        "image",
        "sample",
        "screen",
        "stream",
        "video",
    ]


def test_a_sample_source_opens_its_texts_and_files(bars, tmp_path):
    assert "bars" in dict(source_kinds())
    source = open_source("bars:64")
    assert source.capabilities.timeline is source and type(source).__name__ == "BarsSource"
    assert next(iter(source.frames())).display_size == (64, 64)
    path = tmp_path / "some.file"
    path.write_bytes(b"BARS and more")
    assert classify_drop(path) == "bars"
    assert type(open_source(path)).__name__ == "BarsSource"


def test_without_it_its_files_are_refused(tmp_path):
    path = tmp_path / "some.file"
    path.write_bytes(b"BARS and more")
    assert classify_drop(path) == "unknown"
    with pytest.raises(SourceUnsupportedError, match="neither a video nor an image"):
        open_source(path)


def test_a_folder_called_like_a_video_is_a_folder(tmp_path):
    folder = tmp_path / "holiday.mp4"
    folder.mkdir()
    assert classify_drop(folder) == "folder"
    assert [name for name, kind in source_kinds() if kind.takes_file(folder, b"")] == ["folder"]


@pytest.mark.parametrize("text", ["sample", "sample:", "sample:64x64@25", "sample@25"])
def test_a_named_source_imports_no_other(text):
    code = (
        "import json, sys; from desktop.media.sources.opening import open_source\n"
        f"print(type(open_source({text!r})).__name__); print(json.dumps(list(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    kind, modules = done.stdout.splitlines()
    assert kind == "SampleSource"
    assert not {"av", "desktop.media.sources.video"} & set(json.loads(modules))
