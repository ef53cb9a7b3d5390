"""Parts of the bundles: the rules of packaging/, the workflows, the versions. tests/e2e/test_package.py
builds one.
"""

from __future__ import annotations

import configparser
import ctypes
import datetime
import gzip
import hashlib
import importlib.metadata
import io
import os
import plistlib
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import SimpleNamespace

import pytest
from ruamel.yaml import YAML

import desktop.__main__ as main
import tasks
from desktop import cli
from desktop.base import version

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="rules for Linux")


@pytest.fixture
def modules(monkeypatch):
    """Import files of packaging/ by name, as its scripts do; forgotten again afterwards."""
    monkeypatch.syspath_prepend(str(PACKAGING))
    before = set(sys.modules)
    yield __import__
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(PACKAGING) in sys.modules[name].__file__:
            del sys.modules[name]


# -- versions ------------------------------------------------------------------------------------------------


def test_the_version_line_names_version_and_commit():
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "--version"], capture_output=True, text=True, cwd=ROOT
    )
    assert re.fullmatch(rf"lightloom {re.escape(VERSION)}( \(commit [0-9a-f]{{12}}\))?\n", done.stdout)
    assert done.stdout.strip() == f"lightloom {version.version_line()}"


def test_a_file_names_the_commit_before_git_does(tmp_path):
    (tmp_path / "commit.txt").write_text("0123456789ab\n")
    assert (
        version.version_line(tmp_path) == f"{importlib.metadata.version('lightloom')} (commit 0123456789ab)"
    )


def test_no_commit_is_taken_from_a_repository_around_an_installation(tmp_path):
    (tmp_path / ".git").mkdir()
    package = tmp_path / "desktop"
    assert version.commit(package) == ""
    assert version.version_line(package) == importlib.metadata.version("lightloom")


def test_everything_that_names_the_version_agrees(modules):
    release = modules("check_release")
    assert release.problems("") == []
    assert release.problems(f"v{VERSION}") == []
    assert len(release.problems("v99.0.0")) == 1


def test_a_release_has_its_day_in_the_changelog_and_the_appstream_data(tmp_path):
    """By a copy of the program: it reads the checkout that it is in."""
    folder = tmp_path / "packaging" / "linux"
    folder.mkdir(parents=True)
    program = shutil.copy(PACKAGING / "check_release.py", tmp_path / "packaging")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')

    def checked(changelog, released, *options):
        (tmp_path / "CHANGELOG.md").write_text(f"## 1.2.3 ({changelog})\n- New.\n")
        data = f'<release version="1.2.3" date="{released}"/>'
        (folder / "org.lightloom.Lightloom.metainfo.xml").write_text(data)
        done = subprocess.run([sys.executable, program, "v1.2.3", *options], capture_output=True, text=True)
        assert done.returncode == bool(done.stderr)
        return done.stderr

    assert checked("2026-01-31", "2026-01-31", "--final") == ""
    assert checked("unreleased", "2026-01-31") == ""
    assert checked("unreleased", "2026-01-31", "--final").startswith("CHANGELOG.md has no day of 1.2.3;")
    assert "make it 2026-01-31" in checked("2026-01-31", "2026-02-01", "--final")


def test_the_notes_of_a_release_are_its_part_of_the_changelog(modules):
    release = modules("check_release")
    text = "# Changelog\n\n## 0.10.0\nnew\n\n## 0.1.0 (then)\n### Added\n- first\n\n## 0.0.1\nold\n"
    assert release.notes(text, "0.1.0") == "### Added\n- first"
    assert release.notes(text, "0.0.1") == "old"
    assert release.notes(text, "0.2.0") == ""


# -- what is left out ----------------------------------------------------------------------------------------


@linux_only
@pytest.mark.parametrize(
    ("place", "file", "kept"),
    [
        # Libraries of the system: the driver's own, and those that few desktops have.
        ("libstdc++.so.6", "/lib/x86_64-linux-gnu/libstdc++.so.6", False),
        ("libgcc_s.so.1", "/usr/lib/x86_64-linux-gnu/libgcc_s.so.1", False),
        ("libvulkan.so.1", "/lib/x86_64-linux-gnu/libvulkan.so.1", False),
        ("libz.so.1", "/usr/lib64/libz.so.1", False),
        ("libssl.so.3", "/lib/x86_64-linux-gnu/libssl.so.3", False),
        ("libxcb-cursor.so.0", "/lib/x86_64-linux-gnu/libxcb-cursor.so.0", True),
        ("libxkbcommon-x11.so.0", "/lib/x86_64-linux-gnu/libxkbcommon-x11.so.0", True),
        # Debian's own Python lies there as well.
        ("libpython3.11.so.1.0", "/lib/x86_64-linux-gnu/libpython3.11.so.1.0", True),
        ("python3.11/lib-dynload/math.so", "/usr/lib/python3.11/lib-dynload/math.so", True),
        # Compiled by pip.
        ("av.dist-info/licenses/__pycache__/A.pyc", "/e/av.dist-info/licenses/__pycache__/A.pyc", False),
        # Wheels.
        ("av.libs/libavcodec-5e.so.62.28", "/env/site-packages/av.libs/libavcodec-5e.so.62.28", True),
        # Qt.
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "/e/PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", "/e/PySide6/Qt/plugins/platforms/libqvnc.so", False),
        (
            "PySide6/Qt/plugins/tls/libqopensslbackend.so",
            "/e/PySide6/Qt/plugins/tls/libqopensslbackend.so",
            False,
        ),
        ("PySide6/plugins/platforms/qwindows.dll", "C:\\e\\PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6/Qt/translations/qt_de.qm", "/e/PySide6/Qt/translations/qt_de.qm", False),
        ("PySide6/Qt/lib/libQt6Network.so.6", "/e/PySide6/Qt/lib/libQt6Network.so.6", False),
        ("PySide6/Qt/lib/libQt6Widgets.so.6", "/e/PySide6/Qt/lib/libQt6Widgets.so.6", True),
        # wgpu-py reads its headers at run time.
        ("wgpu/resources/wgpu.h", "/e/wgpu/resources/wgpu.h", True),
        # wgpudawn's were compiled in.
        ("wgpudawn/_lib/webgpu_cdef.h", "/e/wgpudawn/_lib/webgpu_cdef.h", False),
        ("wgpudawn/_lib/_wgpu_dawn.abi3.so", "/e/wgpudawn/_lib/_wgpu_dawn.abi3.so", True),
        ("numpy/_core/include/numpy/arrayobject.h", "/e/numpy/_core/include/numpy/arrayobject.h", False),
    ],
)
def test_what_a_bundle_keeps(modules, place, file, kept):
    assert modules("trim").keep((place, file, "BINARY")) is kept


def test_a_bundle_goes_without_what_only_the_tests_need(modules):
    assert {"PIL", "cv2", "torch", "ncnn"} <= set(modules("trim").EXCLUDED_MODULES)


@linux_only
def test_a_link_goes_with_what_it_points_at(modules):
    keep = modules("trim").keep
    assert not keep(("libQt6Network.so.6", "PySide6/Qt/lib/libQt6Network.so.6", "SYMLINK"))
    assert keep(("libavcodec-5e.so.62.28", "av.libs/libavcodec-5e.so.62.28", "SYMLINK"))


def elf(offset, address, align):
    """A 64-bit ELF header with one LOAD segment."""
    header = bytearray(64 + 56)
    header[:4] = b"\x7fELF"
    header[32:40] = (64).to_bytes(8, "little")
    header[54:58] = (56).to_bytes(2, "little") + (1).to_bytes(2, "little")
    fields = (1).to_bytes(4, "little") + (5).to_bytes(4, "little")
    fields += b"".join(value.to_bytes(8, "little") for value in (offset, address, 0, 16, 16, align))
    header[64:] = fields
    return bytes(header)


def test_a_library_that_strip_has_broken_is_recognized(modules):
    is_loadable = modules("trim").is_loadable
    assert is_loadable(elf(0x1000, 0x2000, 0x1000))
    assert is_loadable(elf(0x1234, 0x5234, 0x1000))
    assert not is_loadable(elf(0x1200, 0x2000, 0x1000))
    assert is_loadable(Path(sys.executable).resolve().read_bytes()) or not sys.platform.startswith("linux")


# -- no GPL --------------------------------------------------------------------------------------------------


def test_the_two_libraries_are_recognized_on_each_system(modules):
    pattern = modules("gpl_free").LIBRARY
    for name in ("libx264-d6533a8d.so.165", "libx265.so", "libx264.165.dylib", "libx265-216-abc.dll"):
        assert pattern.fullmatch(name), name
    for name in ("libx2640.so", "libavcodec-x264.so", "libx264.txt"):
        assert not pattern.fullmatch(name), name


@linux_only
@pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("nm") is None, reason="needs a C compiler and binutils"
)
def test_stand_ins_have_the_symbols_and_refuse(modules, tmp_path):
    """A library that uses x264 and x265 as FFmpeg does loads with the stand-ins, and is refused."""
    gpl_free = modules("gpl_free")
    code = tmp_path / "user.c"
    code.write_text(
        "extern void *x264_encoder_open_165(void *); extern const char x264_levels[]; extern void **x265_api_get_216(int);\n"
        "int refused(void) { void *(*alloc)(void) = (void *(*)(void))x265_api_get_216(8)[3];\n"
        "return x264_encoder_open_165(0) == 0 && x264_levels[0] == 0 && alloc() == 0; }\n"
    )
    user = tmp_path / "libavcodec-1.so.62"
    subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", "-o", user, code], check=True)
    assert gpl_free.symbols(user, "x264_") == ["x264_encoder_open_165", "x264_levels"]
    for name in ("libx264-aa.so.165", "libx265-bb.so.216"):
        made = gpl_free.stand_in(tmp_path / name, [user], tmp_path / "made")
        assert made.name == name
        ctypes.CDLL(str(made), mode=ctypes.RTLD_GLOBAL)
    assert ctypes.CDLL(str(user)).refused() == 1


@linux_only
@pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("nm") is None, reason="needs a C compiler and binutils"
)
def test_a_wheel_without_a_user_of_x264_stops_the_build(modules, tmp_path):
    gpl_free = modules("gpl_free")
    code, user = tmp_path / "user.c", tmp_path / "libavcodec-1.so.62"
    code.write_text("extern int another(void); int uses(void) { return another(); }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-nostdlib", "-o", user, code], check=True)
    with pytest.raises(gpl_free.StubError, match="no longer fits"):
        gpl_free.stand_in(tmp_path / "libx264-aa.so.165", [user], tmp_path)


def test_a_bundle_with_x264_is_refused(modules, tmp_path):
    build = modules("build")
    (tmp_path / "library.so").write_bytes(bytes(200_000))
    build.check_no_gpl(tmp_path)
    (tmp_path / "library.so").write_bytes(
        bytes(200_000) + b"x264 - core 165 - H.264/MPEG-4 AVC codec - Copyleft 2003"
    )
    with pytest.raises(build.BuildError, match=r"library\.so contains x264"):
        build.check_no_gpl(tmp_path)


def test_recording_goes_on_without_x264(tmp_path):
    """Where libx264 refuses, MP4 and Matroska get VP9, QuickTime MPEG-4; each plays back as it was given."""
    import av
    import numpy as np

    from desktop.outputs.encoders import choose, encodes
    from desktop.outputs.encoding import Encoding
    from desktop.outputs.recording import Recorder

    def without_x264(encoder, options, size):
        return encoder.name != "libx264" and encodes(encoder, options, size)

    for suffix, codec in ((".mp4", "vp9"), (".mkv", "vp9"), (".mov", "mpeg4")):
        path = tmp_path / f"clip{suffix}"
        choice = choose(path, Encoding(), trial=without_x264)
        assert "H.264" in choice.notes[0] and "libx264" in choice.notes[0]
        recorder = Recorder(path, (64, 48), 25.0, choice=choice, wait=True)
        for index in range(10):
            recorder.add(np.full((48, 64, 4), (20 * index, 100, 50, 255), np.uint8), index / 25)
        recorder.close()
        with av.open(str(path)) as container:
            assert container.streams.video[0].codec_context.name == codec
            frames = list(container.decode(video=0))
        assert [round(float(frame.pts * frame.time_base), 3) for frame in frames] == [
            i / 25 for i in range(10)
        ]
        # 8-bit 4:2:0 and a coarse quantizer: within 8 of 255.
        assert np.abs(frames[5].to_ndarray(format="rgb24")[24, 32].astype(int) - (100, 100, 50)).max() <= 8


# -- licences ------------------------------------------------------------------------------------------------


def test_notices_hold_the_texts_of_the_distributions(modules):
    licences = modules("licences")
    names = licences.distributions(["numpy.linalg", "PySide6.QtCore", "os", "desktop.cli", "onnx"])
    assert {"numpy", "onnx"} <= set(names)
    assert not {"lightloom"} & set(names)
    text = licences.notices(["numpy", "onnx"])
    assert "NumPy Developers" in text
    assert "Apache License" in text
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in text or "Python Software Foundation License" in text


def test_declared_licence_files_are_taken_whatever_their_names(modules, tmp_path, monkeypatch):
    """By the metadata's rules they lie in a folder of their own; a licence elsewhere is known by its name."""
    contents = {
        "several-1.0.dist-info/METADATA": "Metadata-Version: 2.4\nName: several\nVersion: 1.0\n",
        "several-1.0.dist-info/licenses/LICENSES/DAWN-LICENSE": "of Dawn",
        "several-1.0.dist-info/licenses/epl-v20": "of Eclipse",
        "several-1.0.dist-info/licenses/AUTHORS.py": "no text",
        "several/vendored/LICENSE.txt": "of a part",
        "several/licenses/table.csv": "data",
    }
    record = "several-1.0.dist-info/RECORD"
    for place, content in {**contents, record: "".join(f"{name},,\n" for name in contents)}.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    taken = [text for _, text in modules("licences").texts("several")]
    assert taken == ["of Dawn", "of Eclipse", "of a part"]


def test_the_statement_about_ffmpeg_holds(modules):
    statement = modules("licences").ffmpeg_statement()
    assert "libavcodec" in statement
    assert "--enable-version3" in statement.splitlines()


def test_the_statement_names_the_folders_that_may_be_replaced():
    about = (PACKAGING / "licences" / "about.md").read_text()
    for word in ("LGPL version 3", "PySide6/", "av.libs/", "x264"):
        assert word in about


# -- files for the systems -----------------------------------------------------------------------------------


def test_the_desktop_entry_is_complete():
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(PACKAGING / "linux" / "lightloom.desktop")
    entry = parser["Desktop Entry"]
    assert entry["Exec"] == "lightloom %F"
    assert entry["Icon"] == entry["StartupWMClass"] == "lightloom"
    types = {"video/mp4", "image/png", "application/x-onnx", "application/x-lightloom-look"}
    assert types <= set(entry["MimeType"].split(";"))


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="needs appstreamcli")
def test_the_appstream_data_is_valid():
    file = PACKAGING / "linux" / "org.lightloom.Lightloom.metainfo.xml"
    done = subprocess.run(["appstreamcli", "validate", "--no-net", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_xml_and_plist_files_parse():
    for path in (PACKAGING / "linux").glob("*.xml"):
        ElementTree.parse(path)


@pytest.fixture
def plist(modules):
    """What Info.plist says, after it was written and read as a property list."""
    return plistlib.loads(plistlib.dumps(modules("build").info_plist()))


def test_the_app_asks_for_devices_in_sentences(plist):
    """Without the text the system ends a program that opens the device."""
    for device in ("Camera", "Microphone", "LocalNetwork"):
        text = plist[f"NS{device}UsageDescription"]
        assert text.startswith("Lightloom ") and text.endswith("."), text


def test_the_app_declares_the_files_that_it_opens(plist):
    documents = {
        kind: entry for entry in plist["CFBundleDocumentTypes"] for kind in entry["LSItemContentTypes"]
    }
    own = plist["UTImportedTypeDeclarations"] + plist["UTExportedTypeDeclarations"]
    suffixes = {
        entry["UTTypeIdentifier"]: entry["UTTypeTagSpecification"]["public.filename-extension"]
        for entry in own
    }
    assert suffixes == {"org.onnx.model": ["onnx"], "org.lightloom.look": ["lightloom"]}
    assert set(documents) == {"public.movie", "public.image", *suffixes}
    # A file of others is opened by the program that the user chose.
    owned = {kind for kind, entry in documents.items() if entry["LSHandlerRank"] == "Owner"}
    assert owned == {"org.lightloom.look"}


def test_the_app_needs_the_macos_that_the_locks_are_for(plist):
    assert plist["LSMinimumSystemVersion"] == ".".join(map(str, tasks.OLDEST_MACOS))
    assert plist["NSHighResolutionCapable"] is True
    assert plist["CFBundleVersion"] == VERSION


def test_each_device_that_the_app_asks_for_is_among_its_entitlements(plist):
    """A signed program without the entitlement gets no device, whatever the user answers."""
    entitlements = plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())
    for device, name in (("Camera", "camera"), ("Microphone", "audio-input")):
        assert f"NS{device}UsageDescription" in plist
        assert entitlements[f"com.apple.security.device.{name}"] is True


@pytest.fixture
def debian_tree(modules, tmp_path):
    """The files of a Debian package with a small bundle."""
    bundle = tmp_path / "bundle"
    (bundle / "_internal").mkdir(parents=True)
    (bundle / "lightloom").write_bytes(b"#!/bin/sh\n\0GLIBC_2.34\0GLIBC_2.2.5\0")
    (bundle / "lightloom").chmod(0o700)
    (bundle / "_internal" / "libx.so.1").write_bytes(b"\0GLIBC_2.17\0")
    (bundle / "_internal" / "libx.so.1").chmod(0o755)
    picture = tmp_path / "icon.png"
    picture.write_bytes(b"png")
    tree = tmp_path / "tree"
    pictures = {"256": picture, "1024": picture, "ico": picture}
    modules("deb").lay_out(tree, bundle, pictures, "1.2.3", "amd64", 1_800_000_000)
    return tree


def test_the_debian_tree_is_complete_and_readable_by_all(debian_tree):
    control = (debian_tree / "DEBIAN/control").read_text()
    assert "Version: 1.2.3\n" in control
    assert "libc6 (>= 2.34)" in control
    assert re.search(r"^Maintainer: [^<]+ <[^@\s]+@(?!localhost)[\w.-]+>$", control, re.MULTILINE)
    program = debian_tree / "usr/lib/lightloom/lightloom"
    assert (debian_tree / "usr/bin/lightloom").resolve() == program
    assert program.stat().st_mode & 0o777 == 0o755
    assert (debian_tree / "usr/lib/lightloom/_internal/libx.so.1").stat().st_mode & 0o777 == 0o644
    assert (debian_tree / "usr/share/icons/hicolor/256x256/apps/lightloom.png").exists()
    assert not (debian_tree / "usr/share/icons/hicolor/1024x1024").exists()
    assert (debian_tree / "usr/share/doc/lightloom/copyright").read_text().count("\n .") >= 2
    assert (debian_tree / "usr/share/lintian/overrides/lightloom").exists()


def test_the_debian_package_has_manual_pages_and_a_changelog(debian_tree):
    manual = debian_tree / "usr/share/man/man1"
    assert b"\n.SH SYNOPSIS\n" in gzip.decompress((manual / "lightloom-process.1.gz").read_bytes())
    changelog = gzip.decompress((debian_tree / "usr/share/doc/lightloom/changelog.gz").read_bytes())
    assert changelog.startswith(f"lightloom ({VERSION}) unstable; urgency=medium\n\n  [ Added ]\n".encode())


def test_the_debian_package_lists_its_files_with_their_sums(debian_tree):
    lines = (debian_tree / "DEBIAN/md5sums").read_text().splitlines()
    listed = dict(reversed(line.split("  ", 1)) for line in lines)
    place = "usr/lib/lightloom/_internal/libx.so.1"
    assert listed[place] == hashlib.md5((debian_tree / place).read_bytes()).hexdigest()
    assert "DEBIAN/control" not in listed
    assert all((debian_tree / name).is_file() for name in listed)


def test_the_maintainer_of_a_package_is_who_publishes_it(modules, monkeypatch):
    monkeypatch.setenv("DEBFULLNAME", "Ada Lovelace")
    monkeypatch.setenv("DEBEMAIL", "ada@example.org")
    assert modules("deb").maintainer() == "Ada Lovelace <ada@example.org>"


def test_debian_s_changelog_has_each_version_with_its_date(modules):
    text = (
        "# Changelog\nPreface.\n\n## 0.2.0 (unreleased)\n\n### Fixed\n- One [page](docs/a.md)\n  goes on.\n"
        "- Two.\n\n## 0.1.0 (2026-01-31)\n### Added\n- First.\n"
    )
    made = modules("debian_changelog").debian_changelog(text, "Ada <ada@example.org>", 1_800_000_000)
    assert made == (
        "lightloom (0.2.0) unstable; urgency=medium\n\n  [ Fixed ]\n  * One page goes on.\n  * Two.\n\n"
        " -- Ada <ada@example.org>  Fri, 15 Jan 2027 08:00:00 +0000\n\n"
        "lightloom (0.1.0) unstable; urgency=medium\n\n  [ Added ]\n  * First.\n\n"
        " -- Ada <ada@example.org>  Sat, 31 Jan 2026 12:00:00 +0000\n"
    )


@pytest.mark.parametrize("text", ["# Changelog\n", "## 0.1.0 (soon)\n- First.\n"])
def test_a_changelog_in_another_form_is_refused(modules, text):
    changelog = modules("debian_changelog")
    with pytest.raises(changelog.ChangelogError, match=r"CHANGELOG\.md"):
        changelog.debian_changelog(text, "Ada <ada@example.org>", 0)


def test_a_build_starts_where_lightloom_is_not_installed():
    """The first build in an environment installs it, and a later one replaces what an earlier one left."""
    code = "import sys; sys.modules['desktop'] = sys.modules['lightloom'] = None; import build"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PACKAGING)
    assert (done.returncode, done.stderr) == (0, "")


# -- manual pages --------------------------------------------------------------------------------------------


@pytest.fixture
def manual(modules):
    """The sources of the manual pages by file name."""
    return modules("man_pages").pages("1.2.3", datetime.date(2026, 1, 31))


def test_each_command_has_a_manual_page_with_each_option(manual):
    parsers = {"lightloom": main.window_parser(cli.command_names())}
    parsers |= {f"lightloom-{words.replace(' ', '-')}": each for words, each in cli.command_parsers().items()}
    assert set(manual) == {f"{name}.1" for name in parsers}
    for name, parser in parsers.items():
        shown = manual[f"{name}.1"].replace("\\-", "-")
        options = set(re.findall(r"--[a-z][\w-]*", parser.format_help())) & parser.option_names - {"--help"}
        assert [option for option in options if f"\\fB{option}\\fR" not in shown] == [], name


def test_manual_pages_name_themselves_in_one_line(manual):
    for name, text in manual.items():
        lines = text.splitlines()
        heading = lines[lines.index(".SH NAME") + 1].replace("\\-", "-")
        assert re.fullmatch(rf"{re.escape(name.removesuffix('.1'))} - \S.*[^.]", heading), heading


def test_a_required_option_is_in_the_synopsis(manual):
    lines = manual["lightloom-process.1"].splitlines()
    synopsis = lines[lines.index(".SH SYNOPSIS") + 1]
    assert synopsis.startswith("\\fBlightloom process\\fR [\\fIOPTION\\fR...] \\fB\\-o\\fR \\fIOUT\\fR ")


def test_text_of_manual_pages_is_no_request(manual):
    """A line that begins with a dot is a request; each is one that these pages use."""
    known = {".TH", ".SH", ".TP", ".PP", ".br", ".nh", ".ad"}
    used = {line.split()[0] for text in manual.values() for line in text.splitlines() if line[:1] in ".'"}
    assert used == known


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_troff_has_nothing_to_say_about_the_manual_pages(manual):
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z"],
        input="".join(manual.values()),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


# -- sizes ---------------------------------------------------------------------------------------------------


def test_sizes_are_reported_and_limited(modules, tmp_path):
    build = modules("build")
    folder = tmp_path / "bundle"
    (folder / "_internal" / "av").mkdir(parents=True)
    (folder / "_internal" / "av.libs").mkdir()
    (folder / "_internal" / "av" / "av.so").write_bytes(bytes(3_000_000))
    (folder / "_internal" / "av.libs" / "blas.so").write_bytes(bytes(1_000_000))
    (folder / "_internal" / "blas.so").symlink_to("av.libs/blas.so")
    archive = tmp_path / "x.deb"
    archive.write_bytes(bytes(2_000_000))
    lines = build.size_report(folder, [archive]).splitlines()
    assert lines[0] == "     4.0 MB  unpacked, 2 files"
    assert "     2.0 MB  x.deb" in lines
    assert lines[lines.index("largest packages") + 1] == "     4.0 MB  av"
    build.check_sizes(folder, [archive])
    with archive.open("r+b") as file:
        file.truncate(build.COMPRESSED_LIMIT + 2_000_000)
    with pytest.raises(build.BuildError, match=r"x\.deb has 152 MB"):
        build.check_sizes(folder, [archive])


def test_the_documented_sizes_are_rows_that_a_build_writes(modules):
    documented = modules("documented_sizes")
    document = documented.DOCUMENT.read_text(encoding="utf-8")
    files = {"lightloom": 100_400_000, "_internal/wgpudawn/_lib/a.so": 12_000_000}
    rows = documented.rows(files, {"tar.xz": 31_000_000, "deb": 30_000_000})
    assert rows == [
        "| Linux bundle, unpacked | 112 MB (10^6 bytes), of which Dawn 12 | 400 MB |",
        "| Linux bundle as `deb` | 30 MB | 150 MB |",
        "| Linux bundle as `tar.xz` | 31 MB | 150 MB |",
    ]
    written = documented.renewed(document, rows)
    assert all(f"\n{row}\n" in written for row in rows)
    assert len(written.splitlines()) == len(document.splitlines())
    with pytest.raises(ValueError, match="has no row 'Linux bundle as `zip`'"):
        documented.renewed(document, ["| Linux bundle as `zip` | 1 MB | 150 MB |"])


def test_the_inno_setup_script_leaves_file_types_alone_unless_asked():
    text = (PACKAGING / "windows" / "lightloom.iss").read_text()
    tasks = re.findall(
        r"^Name: (\w+);.*Flags: (.*)$", text.split("[Tasks]")[1].split("[InstallDelete]")[0], re.MULTILINE
    )
    assert {name for name, _ in tasks} == {"desktopicon", "path", "openonnx", "openvideo"}
    assert all("unchecked" in flags for _, flags in tasks)
    registry = [line for line in text.splitlines() if line.startswith("Root:")]
    assert registry
    assert all("Tasks:" in line for line in registry)


def test_an_installer_to_try_is_compressed_in_less_time(modules):
    build = modules("build")
    assert build.inno_compression(build.XZ_LEVEL) == "lzma2/fast"
    assert (build.inno_compression(6), build.inno_compression(9)) == ("lzma2/normal", "lzma2/max")
    assert "\nCompression={#Compression}\n" in (PACKAGING / "windows" / "lightloom.iss").read_text()


def test_documents_of_finder_are_opened_as_if_dropped():
    from PySide6.QtCore import QEvent, QObject, QUrl
    from PySide6.QtGui import QFileOpenEvent

    from desktop.ui.shell.file_open import FileOpener

    dropped = []
    parent = QObject()
    opener = FileOpener(dropped.extend, parent)
    assert opener.eventFilter(parent, QFileOpenEvent(QUrl.fromLocalFile("/films/a b.mp4")))
    assert opener.eventFilter(parent, QFileOpenEvent(QUrl("rtsp://host/stream")))
    assert not opener.eventFilter(parent, QEvent(QEvent.Type.User))
    assert dropped == ["/films/a b.mp4", "rtsp://host/stream"]


# -- the launcher --------------------------------------------------------------------------------------------


def test_the_launcher_gives_back_the_callers_library_path(modules, monkeypatch):
    launcher = modules("launcher")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/bundle")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/mine")
    launcher.restore_library_path()
    assert os.environ["LD_LIBRARY_PATH"] == "/mine"
    monkeypatch.setenv("LD_LIBRARY_PATH", "/bundle")
    launcher.restore_library_path()
    assert "LD_LIBRARY_PATH" not in os.environ


@pytest.mark.parametrize(
    ("arguments", "status", "display", "shown"),
    [
        ([], 1, "localhost:1", ["No adapter."]),
        (["clip.mp4"], 1, "localhost:1", ["No adapter."]),
        (["devices"], 1, "localhost:1", []),
        ([], 0, "localhost:1", []),
        pytest.param(
            [],
            1,
            ":4711",
            [],
            marks=pytest.mark.skipif(
                not sys.platform.startswith("linux"), reason="a display may be missing on Linux only"
            ),
        ),
    ],
)
def test_a_window_that_cannot_open_is_explained_in_a_box(
    modules, monkeypatch, capsys, tmp_path, arguments, status, display, shown
):
    launcher = modules("launcher")
    boxes = []
    err = io.StringIO()
    (tmp_path / "clip.mp4").touch()
    monkeypatch.chdir(tmp_path)
    for name in ("WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("DISPLAY", display)

    def fail():
        print("lightloom: No adapter.", file=sys.stderr)
        return status

    assert launcher.run(arguments, err, fail, boxes.append) == status
    assert boxes == shown
    assert err.getvalue() + capsys.readouterr().err == "lightloom: No adapter.\n"


# -- workflows -----------------------------------------------------------------------------------------------


def steps():
    for path in WORKFLOWS:
        for name, job in YAML(typ="safe").load(path)["jobs"].items():
            for step in job["steps"]:
                yield path.name, name, job, step


FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


@pytest.mark.parametrize(
    ("schema", "files"), [("github-workflows", WORKFLOWS), ("github-issue-forms", FORMS)]
)
def test_workflows_and_issue_forms_fit_the_schema(schema, files):
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_bug_and_a_wrong_network_come_with_a_diagnosis():
    for name in ("bug", "network"):
        form = YAML(typ="safe").load(ROOT / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml")
        required = {part["id"] for part in form["body"] if part.get("validations", {}).get("required")}
        assert "doctor" in required
        # What is pasted is shown as it is.
        assert next(part for part in form["body"] if part["id"] == "doctor")["attributes"]["render"] == "text"


def test_hooks_run_the_linters_of_the_tasks_and_pin_nothing():
    [repository] = YAML(typ="safe").load(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    assert [hook["entry"] for hook in repository["hooks"]] == ["python3 tasks.py lint"]


def check_shell(script):
    done = subprocess.run(
        [Path(sys.executable).with_name("shellcheck"), "--shell=bash", "-"],
        input=script,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_the_shell_in_workflows_and_scripts_is_sound():
    scripts = [
        step["run"]
        for _, _, job, step in steps()
        if "run" in step and step.get("shell", "bash") == "bash" and "windows" not in str(job["runs-on"])
    ]
    assert len(scripts) > 8
    for script in scripts:
        # An expression is text by the time the shell sees it; none may stand where it could be a command.
        assert "${{" not in script
        check_shell("#!/bin/bash\nset -eo pipefail\n" + script)
    for path in (PACKAGING / "macos").glob("*.sh"):
        check_shell(path.read_text())


def test_expressions_in_workflows_name_what_exists():
    """Jobs that are needed are there, and so are the files that steps call."""
    for path in WORKFLOWS:
        jobs = YAML(typ="safe").load(path)["jobs"]
        for job in jobs.values():
            needs = job.get("needs", [])
            assert set([needs] if isinstance(needs, str) else needs) <= set(jobs)
            assert job["timeout-minutes"] <= 60
    for _, _, _, step in steps():
        for file in re.findall(r"packaging/[\w/]+\.\w+", step.get("run", "")):
            assert (ROOT / file).exists(), file


def test_secrets_go_to_the_signing_steps_alone_and_are_described():
    releasing = (ROOT / "docs" / "releasing.md").read_text()
    for _, _, _, step in steps():
        names = re.findall(r"secrets\.(\w+)", str(step))
        if names:
            assert re.search(r"[Ss]ign", step["name"])
        for name in names:
            assert f"`{name}`" in releasing
    for path in WORKFLOWS:
        document = YAML(typ="safe").load(path)
        assert document["permissions"] == {"contents": "read"}
        assert "secrets" not in str(document.get("env", {}))


@linux_only
@pytest.mark.parametrize("script", ["sign.sh", "import_certificate.sh"])
def test_without_an_identity_signing_is_skipped_with_a_notice(script):
    done = subprocess.run(
        ["bash", PACKAGING / "macos" / script, "image.dmg"],
        env={"PATH": os.environ["PATH"], "GITHUB_ACTIONS": "true"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("::notice::")


def test_a_checkout_is_built_where_there_is_no_git(tmp_path, modules, monkeypatch):
    """`pip install .` in a container: .git is there, git is not; the archive names no commit then, and it is
    said.
    """
    (tmp_path / ".git").mkdir()
    said = []
    hook = modules("hatch_build").BuildHook(
        str(tmp_path), {}, None, None, "", "wheel", app=SimpleNamespace(display_warning=said.append)
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    data = {"force_include": {}}
    hook.initialize("standard", data)
    assert data["force_include"] == {} and len(said) == 1
    assert "git" in said[0] and "\n" not in said[0]
