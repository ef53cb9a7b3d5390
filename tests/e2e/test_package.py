"""The Debian package, built by `tasks.py package` and installed where nothing else is: a root made by
debootstrap, without Python.

Needs root on Debian, debootstrap, Xvfb and the network (Debian's and Python's packages); skipped elsewhere,
with the reason.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from waiting import LIMIT_S

import tasks

ROOT = Path(__file__).resolve().parents[2]
LAUNCHER = "/usr/lib/lightloom/lightloom"
BUNDLE = "usr/lib/lightloom/_internal"

# Plugins of Qt that take a toolkit of the system where there is one: GTK's dialogs, Wayland.
OPTIONAL = re.compile(
    r"libqgtk3|wayland|libqxdgdesktopportal|libxdg-shell|libqt-shell|libbradient|libadwaita|server\.so",
    re.IGNORECASE,
)


def missing_requirement():
    """Say why these tests can't run here, or return ''."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "needs root on Linux, for chroot"
    if "ID=debian" not in Path("/etc/os-release").read_text().splitlines():
        return "needs Debian"
    for program in ("debootstrap", "dpkg-deb", "unshare", "Xvfb"):
        if shutil.which(program) is None:
            return f"needs the program {program}"
    return ""


_REASON = missing_requirement()
pytestmark = [
    pytest.mark.long,
    pytest.mark.package,
    pytest.mark.skipif(bool(_REASON), reason=_REASON),
    pytest.mark.timeout(1500),
]


def load(name):
    """Import a file of packaging/, which is no package (its name is taken by one that everybody has)."""
    specification = importlib.util.spec_from_file_location(
        f"packaging_{Path(name).name}", ROOT / "packaging" / f"{name}.py"
    )
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def smoke():
    return load("smoke")


@pytest.fixture(scope="module")
def package(smoke):
    """Build everything as a user would; return the package."""
    done = subprocess.run(
        [sys.executable, ROOT / "tasks.py", "package"], capture_output=True, text=True, timeout=900, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = (ROOT / "dist").glob(f"lightloom_{smoke.VERSION}_*.deb")
    return path


class CleanRoot:
    """A minimal Debian in a folder, and what it shares with this process."""

    def __init__(self, folder):
        self.folder = folder
        self._root = load("linux/bare_root").BareRoot(folder, "bookworm")
        self.command = self._root.command
        self.files = folder / "srv" / "files"
        self.files.mkdir(parents=True)

    def run(self, *arguments, **environment):
        return subprocess.run(
            self.command(*arguments, **environment), capture_output=True, text=True, timeout=600
        )

    def install(self, *packages):
        options = ["-q", "-y", "--no-install-recommends"]
        done = self.run("apt-get", "install", *options, *packages, DEBIAN_FRONTEND="noninteractive")
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def bare(package, tmp_path_factory):
    """A clean root with the package installed, and no driver for a GPU."""
    root = CleanRoot(tmp_path_factory.mktemp("debian") / "root")
    shutil.copy(package, root.files / "lightloom.deb")
    root.run("apt-get", "-q", "update")
    root.install("/srv/files/lightloom.deb")
    yield root
    shutil.rmtree(root.folder)


@pytest.fixture(scope="module")
def without_driver(bare):
    """What `process` and `doctor` say before there is a driver.

    OpenGL comes with the libraries that Qt links, and wgpu would take it; for `process` it is hidden, as on a
    machine whose OpenGL cannot be used without a screen.
    """
    hidden = {"__EGL_VENDOR_LIBRARY_DIRS": "/none", "LIBGL_DRIVERS_PATH": "/none"}
    process = bare.run("lightloom", "process", "sample:64x64@30", "-o", "/srv/files/none.png", **hidden)
    return process, bare.run("lightloom", "doctor")


@pytest.fixture(scope="module")
def root(bare, without_driver):
    """The root with Mesa's drivers and a font."""
    bare.install("mesa-vulkan-drivers", "fonts-dejavu-core")
    return bare


@pytest.fixture(scope="module")
def display():
    """The name of a display of its own, as `tasks.py run` makes one; found through its abstract socket, also
    from inside the root.

    It is kept between clients. An X server that starts anew when its last client leaves closes on the next
    one if that comes in the same milliseconds (10 of 300 tries), and wgpu asks the display before Qt does.
    """
    with tasks.xvfb() as name:
        yield name


@pytest.fixture
def program(smoke, root, display):
    (root.folder / "run" / "user").mkdir(exist_ok=True)
    environment = {"DISPLAY": display, "XDG_RUNTIME_DIR": "/run/user", "LIGHTLOOM_STARTUP_TRACE": "1"}
    return smoke.Program(root.command("lightloom", **environment), root.files, "/srv/files")


@pytest.mark.parametrize("name", ["version", "process", "classify"])
def test_the_wheel_gives_the_same_command(smoke, package, tmp_path, name):
    """Installed with pip, beside nothing but the locked packages: the environment that the bundle was made
    from.
    """
    clean = [
        "env",
        "-i",
        f"HOME={tmp_path}",
        "PATH=/nowhere",
        str(ROOT / "build" / "env" / "bin" / "lightloom"),
    ]
    smoke.TRIALS[name](smoke.Program(clean, tmp_path, str(tmp_path)))


def test_there_is_no_python_to_fall_back_to(bare):
    done = bare.run("sh", "-c", "command -v python3 python || find /usr/bin /usr/local/bin -name 'python*'")
    assert done.stdout == ""


def test_without_a_driver_a_sentence_names_the_package(without_driver):
    process, doctor = without_driver
    assert process.returncode == 1
    assert process.stderr.startswith("lightloom: No GPU adapter was found")
    assert len(process.stderr.strip().splitlines()) == 1
    assert "mesa-vulkan-drivers" in process.stderr
    assert doctor.returncode == 1
    (line,) = (line for line in doctor.stdout.splitlines() if "GPU adapters" in line)
    assert line.startswith("FAIL")
    assert "apt install mesa-vulkan-drivers" in line


@pytest.mark.parametrize("name", ["version", "devices", "doctor", "process", "classify", "bench"])
def test_the_command_line_works(smoke, program, name):
    smoke.TRIALS[name](program)


def test_dawn_is_loaded_on_request(root):
    """Whether or not it starts on this root's drivers, the report names its version."""
    report = root.run("lightloom", "doctor", LIGHTLOOM_WEBGPU="dawn").stdout
    assert re.search(r"^ok +WebGPU: wgpudawn [\d.]+ with Dawn v\d+", report, re.MULTILINE), report


GRAB = """
import sys
from PySide6.QtGui import QGuiApplication
app = QGuiApplication([])
sys.exit(not app.primaryScreen().grabWindow(0).save(sys.argv[1]))
"""


def test_the_window_shows_the_sample(smoke, program, display, tmp_path):
    picture = tmp_path / "window.png"

    def photograph():
        environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        environment.pop("WAYLAND_DISPLAY", None)
        subprocess.run([sys.executable, "-c", GRAB, picture], env=environment, check=True, timeout=LIMIT_S)

    smoke.try_window(program, photograph)
    import cv2

    pixels = cv2.imread(str(picture))
    # A bare X server is black all over, a window without a picture has few colors; the sample has many, in
    # the middle of the window.
    middle = pixels[200:500, 300:800]
    assert len(np.unique(middle.reshape(-1, 3), axis=0)) > 1000
    assert middle.std() > 10


def test_the_bundle_can_keep_the_types_of_wgpu(root):
    """A part of cffi that nothing imports by name there would be missed, and every start would be slower."""
    root.run("lightloom", "devices", LIGHTLOOM_CACHE="/srv/cache")
    (tables,) = (root.folder / "srv" / "cache" / "types").iterdir()
    assert tables.stat().st_size > 50_000


def test_every_library_is_found(root):
    """`ldd` in the root finds all that the installed files link, beside toolkits that only plugins of theirs
    want.
    """
    script = (
        f"find /{BUNDLE} -name '*.so*' -type f | while read f; do ldd $f 2>/dev/null | sed \"s|^|$f|\"; done"
    )
    lines = root.run("sh", "-c", script, LD_LIBRARY_PATH=f"/{BUNDLE}").stdout.splitlines()
    assert len(lines) > 1000
    missing = [line for line in lines if "not found" in line and not OPTIONAL.search(line.split("\t")[0])]
    assert missing == []


def test_nothing_of_the_driver_is_shadowed(root):
    """The bundle's folder comes first in the search for libraries: no name there may be one that a Vulkan
    driver loads.
    """
    script = "ldd /usr/lib/*/libvulkan*.so*"
    needed = set(re.findall(r"^\t(\S+) => ", root.run("sh", "-c", script).stdout, re.MULTILINE))
    assert "libstdc++.so.6" in needed
    own = {path.name for path in (root.folder / BUNDLE).iterdir()}
    assert "libpython3.11.so.1.0" in own or any(name.startswith("libpython") for name in own)
    assert (
        own & (needed | {"libvulkan.so.1", "libstdc++.so.6", "libgcc_s.so.1", "libGL.so.1", "libEGL.so.1"})
        == set()
    )


def test_x264_and_x265_are_stand_ins(root):
    """The wheels' libraries hold the texts that give them away, the installed ones don't (and are a few
    kilobytes).
    """
    gpl_free = load("gpl_free")
    (wheels,) = (ROOT / "build" / "env").glob("lib/python*/site-packages/av.libs")
    for name, signature in zip(("x264", "x265"), gpl_free.SIGNATURES, strict=True):
        (original,) = wheels.glob(f"lib{name}-*")
        (installed,) = (root.folder / BUNDLE / "av.libs").glob(f"lib{name}-*")
        assert signature in original.read_bytes()
        assert installed.stat().st_size < 50_000
        assert installed.name == original.name


def test_the_licences_are_there(root):
    folder = root.folder / BUNDLE / "licences"
    notices = (folder / "notices.txt").read_text()
    for name in (
        "PySide6",
        "av",
        "numpy",
        "onnxruntime",
        "onnx",
        "wgpu",
        "wgpudawn",
        "protobuf",
        "Python",
    ):
        assert re.search(rf"^{name}", notices, re.MULTILINE | re.IGNORECASE), name
    # What Dawn contains has its texts in the same package.
    assert "The Dawn & Tint Authors" in notices and "ABSEIL-LICENSE" in notices
    assert "LGPL" in (folder / "about.md").read_text()
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (folder / "LGPL-3.0.txt").read_text()
    assert "--enable-gpl" not in (folder / "ffmpeg.txt").read_text()
    assert "MIT License" in (folder / "Lightloom.txt").read_text()


def test_the_bill_of_materials_is_what_is_installed(root, smoke):
    """Each native file of the package is in the bill with its checksum, and nothing else; what matters most
    has a version.
    """
    (path,) = (ROOT / "dist").glob(f"lightloom-{smoke.VERSION}-linux-*.cdx.json")
    bill = json.loads(path.read_text())
    listed = {
        file["properties"][0]["value"]: file["hashes"][0]["content"]
        for component in bill["components"]
        for file in component.get("components", ())
    }
    installed = {
        file.relative_to(root.folder / BUNDLE).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in (root.folder / BUNDLE).rglob("*.so*")
        if file.is_file() and not file.is_symlink()
    }
    assert listed == installed
    versions = {component["name"]: component.get("version") for component in bill["components"]}
    for name in (
        "FFmpeg",
        "Qt",
        "wgpu-native",
        "OpenBLAS",
        "CPython",
        "av",
        "numpy",
        "onnxruntime",
        "wgpu",
        "Dawn",
    ):
        assert versions[name], name
    assert "opencv-python-headless" not in versions


def test_the_checksums_are_those_of_the_files(package):
    (sums,) = (ROOT / "dist").glob("SHA256SUMS-linux-*")
    done = subprocess.run(
        ["sha256sum", "--check", sums.name], cwd=sums.parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout
    assert f"{package.name}: OK" in done.stdout


def test_it_knows_what_keeps_it_up_to_date(root):
    assert (root.folder / "usr/lib/lightloom/installed-by.txt").read_text() == "deb\n"


def test_menus_and_file_managers_know_it(root):
    share = root.folder / "usr" / "share"
    entry = (share / "applications" / "lightloom.desktop").read_text()
    assert "application/x-onnx" in entry
    assert "video/mp4" in entry
    assert 'pattern="*.onnx"' in (share / "mime" / "packages" / "lightloom.xml").read_text()
    assert (
        (share / "icons" / "hicolor" / "256x256" / "apps" / "lightloom.png")
        .read_bytes()
        .startswith(b"\x89PNG")
    )


def test_the_manual_pages_are_where_man_looks(root):
    """`man` itself is not in a minimal root, which leaves out documents too; dpkg knows what the package has."""
    listed = root.run("dpkg", "--listfiles", "lightloom").stdout.splitlines()
    assert "/usr/share/man/man1/lightloom.1.gz" in listed
    assert "/usr/share/man/man1/lightloom-model-check.1.gz" in listed


def test_the_documented_sizes_are_those_of_the_build(package):
    """Within 3 %, as the packages of the lock and the program grow; `tasks.py package --record` renews them."""
    (path,) = (ROOT / "dist").glob("sizes-linux-*.txt")
    built = {
        kind: float(size)
        for size, kind in re.findall(
            r"^ *([\d.]+) MB  .*?(unpacked|deb|tar\.xz)\b", path.read_text(), re.MULTILINE
        )
    }
    document = (ROOT / "docs" / "packaging.md").read_text()
    rows = re.findall(r"^\| Linux bundle(?: as|,) `?([\w.]+)`? \| (\d+) MB", document, re.MULTILINE)
    stated = {kind: pytest.approx(int(size), rel=0.03) for kind, size in rows}
    assert built == stated


def test_lintian_finds_nothing(root):
    """Neither errors nor warnings beside what packaging/linux/lintian-overrides gives reasons for."""
    root.install("lintian")
    done = root.run("lintian", "--allow-root", "--fail-on", "error,warning", "/srv/files/lightloom.deb")
    assert (done.returncode, done.stdout) == (0, "")


def test_it_leaves_nothing_behind(root):
    """Removed at the end, so that a second installation starts clean."""
    done = root.run("apt-get", "-q", "-y", "remove", "lightloom")
    assert done.returncode == 0, done.stderr
    assert not (root.folder / "usr" / "lib" / "lightloom").exists()
    assert not (root.folder / "usr" / "bin" / "lightloom").is_symlink()
