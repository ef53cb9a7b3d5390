"""Packages that the window installs for a user: from an index, checked, into a folder of the user's."""

from __future__ import annotations

import subprocess
import sys

import pytest
from package_index import LICENCE, NAME, index_with, package_of, pages_of, wheel
from waiting import LIMIT_S

from desktop.base.errors import DownloadError, ExportError
from desktop.outputs.live._pyvirtualcam import USER_PACKAGE
from desktop.outputs.live._user_package import Download, UserPackage, wheel_tags


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LIGHTLOOM_PACKAGES", str(tmp_path / "packages"))
    return tmp_path / "packages"


def test_a_package_is_downloaded_shown_and_installed(folder):
    data = wheel()
    package = package_of(data)
    assert package.is_offered and package.find(NAME) is None
    with index_with(pages_of(data)) as index:
        download = package.download(index)
    assert download.licence == LICENCE and package.find(NAME) is None
    package.install(download)
    assert package.find(NAME) is not None
    assert [path.name for path in folder.iterdir()] == [f"{NAME}-1.0-cp3"]
    package.install(download)
    program = (
        "import sys; from package_index import NAME, package_of, wheel\n"
        "print(package_of(wheel()).load(NAME).VALUE, sys.path[0] != '')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=True,
        cwd=__file__.rpartition("cpu")[0],
    )
    assert done.stdout.split()[0] == "7"


@pytest.mark.parametrize(
    ("pages", "why"),
    [
        ({}, "answered 404"),
        ({f"/simple/{NAME}/": b"no json"}, "has no file"),
        ({f"/simple/{NAME}/": b'{"files": [{"filename": 3}]}'}, "has no file"),
        ({f"/simple/{NAME}/": b"[" * (5 << 20)}, "more than is allowed"),
        (pages_of(wheel(other="x")), "another file"),
    ],
)
def test_what_is_not_the_known_file_is_refused_in_a_sentence(folder, pages, why):
    with index_with(pages) as index, pytest.raises(DownloadError, match=why) as refusal:
        package_of(wheel()).download(index)
    assert "check the network" in str(refusal.value) and not folder.exists()


def test_a_file_leads_to_no_plain_address(folder):
    """An index by https may not send this program on to http."""
    data = wheel()
    with index_with(pages_of(data)) as index, pytest.raises(DownloadError):
        package_of(data).download(index.replace("http:", "https:"))


def test_an_archive_that_unpacks_to_too_much_is_refused(folder):
    package = package_of(b"")
    many = wheel(**{f"{number}.txt": "" for number in range(1001)})
    with pytest.raises(ExportError, match="too much"):
        package.install(Download(many, ""))
    with pytest.raises(ExportError, match="cannot be installed"):
        package.install(Download(b"no archive", ""))
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_a_sentence(folder):
    folder.write_text("a file")
    with pytest.raises(ExportError, match="permissions"):
        package_of(b"").install(Download(wheel(), ""))


def test_pyvirtualcam_has_a_file_for_each_python_of_windows_and_macos():
    systems = {system for _, system in USER_PACKAGE.wheels}
    assert systems == {"win_amd64", "darwin_x86_64", "darwin_arm64"}
    assert len(USER_PACKAGE.wheels) == 4 * len(systems)
    file, checksum = USER_PACKAGE.wheels["cp313", "win_amd64"]
    assert file == "pyvirtualcam-0.15.0-cp313-cp313-win_amd64.whl" and len(checksum) == 64
    assert not UserPackage("x", "1", "MIT", {}, wheel_tags()).is_offered


def test_this_python_has_a_tag():
    python, system = wheel_tags()
    assert python in ("", f"cp3{sys.version_info.minor}") and system.startswith(("linux", "win", "darwin"))
