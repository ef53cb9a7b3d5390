"""Run, test and build Lightloom from a checkout, with nothing but Python.

    python3 tasks.py run [ARGUMENTS]      open the window (without a display: process the sample into files)
    python3 tasks.py test [ARGUMENTS]     lint, then the tests; with arguments, pytest alone with those; --fast: three minutes of them
    python3 tasks.py nightly              what `test` and `matrix` leave out: long tests that rarely fail, and each Python
    python3 tasks.py wine [OPTIONS]       Windows under Wine, as root: --all, --tests FILE..., --jobs N, --package [--reuse]
    python3 tasks.py dawn [ARGUMENTS]     a part of the tests on Dawn, the other WebGPU; with arguments, pytest on Dawn with those
    python3 tasks.py lint                 ruff, mypy, the import contracts and packaging/message_checks.py
    python3 tasks.py translate            bring the window's languages up to date with its texts
    python3 tasks.py bench [NAME] [...]   all benchmarks, or one: 'pipeline' or a file of benchmarks/
    python3 tasks.py docs                 the documentation site in dist/site; a warning or a broken link is a failure
    python3 tasks.py package [FORMAT...]  wheel, bundle and what this system installs (.deb, .dmg, .zip) in dist/
    python3 tasks.py release VERSION [--check]
                                          all that precedes the tag of a release, which it neither makes nor publishes: version,
                                          changelog and AppStream data agree, nothing is uncommitted; then tests, site and
                                          packages. --check: the first alone
    python3 tasks.py short [--lowest]     a short suite with this Python; with the lowest packages that pyproject.toml allows
    python3 tasks.py matrix [all]         the short suite on the oldest Python of this machine with the lowest packages and on the newest
                                          with the newest; all: on each Python with both
    python3 tasks.py lock                 choose the newest packages anew, and write them to packaging/locks

The first call makes a virtual environment in .venv, installs Lightloom in it, with the packages that
packaging/locks names for this Python and system, and, on Debian and Ubuntu, the system libraries that are
missing (as root, or where sudo asks no password). Later calls only check that nothing changed.
LIGHTLOOM_NO_APT=1 leaves the system's packages alone; LIGHTLOOM_TRAINING=1 has `test` install PyTorch and
test the training too.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import json
import os
import platform
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

# This file must parse on Python 3.8 and import nothing newer: only then does an older Python reach the
# sentence in `main`.

# Processes that pytest-xdist spreads the tests over, file by file, as fixtures of a module are dear. On two
# cores 7,300 tests take half of the time in two: most of them wait for processes, threads and Python, and
# llvmpipe has the cores for a tenth of it alone.
TEST_WORKERS = 2
# Short suites of `matrix` that run side by side: half of each is the installation of packages.
SUITES_AT_ONCE = 2
# The order of conftest.py, where files that take minutes begin first. xdist would begin with those of the
# most tests, and end with those.
TEST_ORDER = ("--dist", "loadfile", "--no-loadscope-reorder")

# Tests that take long and rarely fail, a line each, as pytest names them.
NIGHTLY = "tests/nightly.txt"

# pytest's exit status for it, and how many tests may have failed for them to run once more.
SOME_FAILED = 1
MOST_UNSTEADY = 10
# A process that crashes is replaced: of a run that is broken off it would not be known what else fails.
GO_ON_AFTER_CRASHES = ("--max-worker-restart", str(2 * MOST_UNSTEADY))

SPREAD = ("-n", str(TEST_WORKERS), *TEST_ORDER, *GO_ON_AFTER_CRASHES)

# Small enough that a software adapter takes seconds, not minutes.
HEADLESS_SOURCE = "sample:640x360@30"
HEADLESS_FRAMES = 150
HEADLESS_FILTERS = ("bloom", "vignette")

# What the wheels load from the system: wgpu dlopens the Vulkan loader and EGL; Qt links the rest (`readelf
# -d` of PySide6's libQt6Core, Gui, Network, DBus, XcbQpa). Names as in Debian 12; Ubuntu 24.04 ends some with
# "t64".
_DEBIAN_NAMES = (
    "libvulkan1 mesa-vulkan-drivers libegl1 libgl1 libdbus-1-3 libfontconfig1 libfreetype6 libglib2.0-0 libgssapi-krb5-2 "
    "libbrotli1 libzstd1 libx11-6 libx11-xcb1 libxkbcommon0 libxkbcommon-x11-0 libxcb1 libxcb-cursor0 libxcb-glx0 "
    "libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render0 libxcb-render-util0 libxcb-shape0 "
    "libxcb-shm0 libxcb-sync1 libxcb-util1 libxcb-xfixes0 libxcb-xkb1 fonts-dejavu-core"
)
DEBIAN_RUN = _DEBIAN_NAMES.split()
# What is installed, each with what stands before it. PyTorch (190 MB, or several GB where pip takes a build
# for CUDA) is there for training and its tests, which are skipped without it; LIGHTLOOM_TRAINING=1, as in
# .ci/run, makes `test` install it.
GROUPS = {"run": ".[app]", "dev": ".[app,dev]", "training": ".[app,dev,training]"}
LOCK_OF_GROUP = {"run": "run", "dev": "dev", "training": "dev"}

# Exact versions with hashes, one file a Python, system and purpose. Not one for all systems with markers:
# what has no more wheels for one of them would hold back the rest. Each file lists the wheels of its system
# alone, which is a tenth of all hashes.
LOCKS = Path("packaging", "locks")
LOCKED_PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# The name of a system -> uv's name for the oldest of its kind that the lock is for.
LOCKED_SYSTEMS = {
    "linux-x86_64": "x86_64-manylinux_2_34",
    "macos-arm64": "aarch64-apple-darwin",
    "macos-x86_64": "x86_64-apple-darwin",
    "windows-x86_64": "x86_64-pc-windows-msvc",
}
# PySide6's newest wheels ask for this glibc, PyAV's for this macOS.
OLDEST_GLIBC, OLDEST_MACOS = (2, 34), (14, 0)
# onnxruntime has no wheels for them.
UNLOCKED = {("3.14", "macos-x86_64")}
# The purpose of a lock -> the extras that it holds. `dev` comes first: `run` and `package` take its versions.
LOCKED_EXTRAS = {
    "dev": ("app", "dev"),
    "run": ("app",),
    "package": ("app", "package"),
    "lowest": ("app", "dev"),
}
# A dependency group, which is locked by itself: what builds the site is not installed beside Lightloom.
LOCKED_GROUP = "docs"
UV = "uv==0.13.9"
# What walks the window as a screen reader does (tests/e2e/test_screen_reader.py).
DEBIAN_SCREEN_READER = ["python3-pyatspi", "at-spi2-core", "dbus"]
# xdotool presses keys on an X display as a person does (tests/ui/test_hotkeys.py).
DEBIAN_TEST = [*DEBIAN_RUN, "xvfb", "debootstrap", "xdotool", *DEBIAN_SCREEN_READER]
# The browser that exported pages are tried in; Ubuntu has it as a snap alone. Tests are skipped without it.
DEBIAN_BROWSER = ["chromium", "chromium-driver"]
DEBIAN_PACKAGE = [*DEBIAN_RUN, "gcc", "binutils", "xz-utils"]
DEBIAN_WINE = ["debootstrap"]
_VENV_PACKAGE = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"

# Elsewhere nothing is installed for the user: what cannot be loaded is named, with the packages that hold it.
_LIBRARY_NAMES = (
    "libvulkan.so.1 libEGL.so.1 libGL.so.1 libxkbcommon-x11.so.0 libxcb-cursor.so.0 libxcb-icccm.so.4 libxcb-image.so.0 "
    "libxcb-keysyms.so.1 libxcb-render-util.so.0"
)
LIBRARIES = _LIBRARY_NAMES.split()
OTHER_FAMILIES = {
    "fedora": "dnf install vulkan-loader mesa-vulkan-drivers libglvnd-egl libglvnd-glx libxkbcommon-x11 xcb-util-cursor "
    "xcb-util-wm xcb-util-image xcb-util-keysyms xcb-util-renderutil dejavu-sans-fonts xorg-x11-server-Xvfb",
    "arch": "pacman -S --needed vulkan-icd-loader vulkan-swrast libglvnd libxkbcommon-x11 xcb-util-cursor xcb-util-wm "
    "xcb-util-image xcb-util-keysyms xcb-util-renderutil ttf-dejavu xorg-server-xvfb",
    "suse": "zypper install libvulkan1 libvulkan_lvp libglvnd libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 "
    "libxcb-keysyms1 libxcb-render-util0 dejavu-fonts xorg-x11-server-Xvfb",
}

ADAPTER_CHECK = """
import os, sys
from desktop.compute.gpu.device import Gpu
from desktop.base.errors import LightloomError
try:
    gpu = Gpu.open(os.environ.get("LIGHTLOOM_ADAPTER"))
except LightloomError as error:
    sys.exit(str(error))
print("wgpu adapter:", gpu.adapter)
gpu.close()
"""


class TaskError(Exception):
    """A task cannot go on; the text is one sentence for the person who typed the command."""


# -- host ----------------------------------------------------------------------------------------------------


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _is_usual_python() -> bool:
    free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    return sys.implementation.name == "cpython" and sys.maxsize > 2**32 and not free_threaded


@dataclass(frozen=True)
class Host:
    """The checkout that a task works on, the Python that runs it and the system below; by default those of
    this process.

    Attributes:
        root: the checkout.
        python: the interpreter that makes virtual environments.
        version: of that interpreter: major, minor, micro.
        is_usual_python: it is the 64-bit CPython with a lock on its threads that the wheels are for.
        system: named as in LOCKED_SYSTEMS, e.g. "freebsd-amd64" where there is none like it.
        is_root: this user may install system packages.
        os_release: the file that names the Linux distribution.
        libraries: shared libraries that must be loadable where the system packages are unknown.
        retry_s: seconds between two attempts at something that needs the network.
    """

    root: Path = field(default_factory=lambda: Path(__file__).resolve().parent)
    python: str = field(default_factory=lambda: sys.executable)
    version: Sequence[int] = field(default_factory=lambda: tuple(sys.version_info[:3]))
    is_usual_python: bool = field(default_factory=_is_usual_python)
    system: str = field(
        default_factory=lambda: system_name(
            platform.system(), platform.machine(), platform.libc_ver()[1], platform.mac_ver()[0]
        )
    )
    is_root: bool = field(default_factory=_is_root)
    os_release: Path = Path("/etc/os-release")
    libraries: Sequence[str] = field(default_factory=lambda: tuple(LIBRARIES))
    retry_s: float = 3.0

    @property
    def python_name(self) -> str:
        """The version of the Python as locks and environments name it, e.g. "3.12"."""
        return f"{self.version[0]}.{self.version[1]}"

    @property
    def is_linux(self) -> bool:
        """Whether the system is Linux, of any age."""
        return "linux" in self.system

    @property
    def venv(self) -> Path:
        """The folder of the virtual environment."""
        return self.root / ".venv"

    @property
    def package_venv(self) -> Path:
        """The folder of the environment that bundles are built in, which holds the lock for packaging and
        nothing else.
        """
        return self.root / "build" / "env"

    def program(self, name: str) -> Path:
        """Return the path of a program of the virtual environment, e.g. `python`."""
        return self.venv / "Scripts" / f"{name}.exe" if os.name == "nt" else self.venv / "bin" / name

    def has_display(self, environment: Mapping[str, str]) -> bool:
        """Whether a window can be shown: always on macOS and Windows, on Linux where an X or Wayland server
        is named.
        """
        return not self.is_linux or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


# -- progress ------------------------------------------------------------------------------------------------


def say(text: str) -> None:
    """Print a line at once, also into a pipe."""
    print(text, flush=True)


def work(
    host: Host,
    title: str,
    command: Sequence[str],
    *,
    attempts: int = 1,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run a command out of sight, with a line that says what it does and how long it has been at it.

    Args:
        host: whose checkout is the working directory.
        title: what is being done.
        command: the program and its arguments; it gets no standard input, so that nothing can prompt.
        attempts: how often to try: registries and mirrors fail for a moment now and then.
        environment: the variables that it gets, by default this process's.

    Raises:
        TaskError: every attempt failed; all that the last one said was printed.
    """
    for left in reversed(range(attempts)):
        say(f"-- {title}")
        begin = time.monotonic()
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(
                command,
                cwd=host.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
            status = _wait(process, begin)
            if status == 0:
                say(f"   done in {time.monotonic() - begin:.1f} s")
                return
            log.seek(0)
            say(log.read().decode(errors="replace").rstrip())
        if left:
            say(f"   failed (exit status {status}), trying once more")
            time.sleep(host.retry_s)
    raise TaskError(
        f"{title} failed (exit status {status}): {shlex.join(command)}; "
        "read the lines above, check the network connection and run the same command again."
    )


def _wait(process: subprocess.Popen[bytes], begin: float) -> int:
    while True:
        try:
            return process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            say(f"   {time.monotonic() - begin:.0f} s ...")
        except BaseException:
            process.kill()
            raise


# -- system libraries ----------------------------------------------------------------------------------------


def linux_families(os_release: str) -> list[str]:
    """Read the names of a distribution and its ancestors, e.g. `["ubuntu", "debian"]`, from the text of
    /etc/os-release.
    """
    fields = dict(line.split("=", 1) for line in os_release.splitlines() if "=" in line)
    return f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', "").replace("'", "").split()


def _own_families(host: Host) -> list[str]:
    release = host.os_release
    return linux_families(release.read_text(encoding="utf-8")) if release.exists() else []


def missing_packages(wanted: Sequence[str]) -> list[str]:
    """Ask dpkg which of `wanted` are not installed. A name with Ubuntu's "t64" ending counts as the name
    without it.
    """
    names = [name + ending for name in wanted for ending in ("", "t64")]
    query = ["dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Package}\n", *names]
    answer = subprocess.run(query, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    rows = [line.split(" ", 1) for line in answer.stdout.splitlines()]
    installed = {row[1] for row in rows if row[0] == "installed"}
    return [name for name in wanted if not installed & {name, name + "t64"}]


def ensure_system(host: Host, wanted: Sequence[str]) -> None:
    """Install the Debian packages of `wanted` that are missing; on other Linux systems say what to install.

    Raises:
        TaskError: they are missing and this user may not install them, or the installation failed.
    """
    if not host.is_linux or os.environ.get("LIGHTLOOM_NO_APT"):
        return
    if shutil.which("apt-get") and shutil.which("dpkg-query"):
        missing = missing_packages(wanted)
        if missing:
            _apt_install(host, missing)
        return
    _advise_libraries(host)


def _apt_install(host: Host, packages: Sequence[str]) -> None:
    by_hand = f"apt-get update && apt-get install -y {' '.join(packages)}"
    if host.is_root:
        prefix = []
    elif (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    ):
        prefix = ["sudo", "-n"]
    else:
        raise TaskError(
            "System packages are missing and this user may not install them; "
            f"type this, then run the same command again:\n  sudo sh -c '{by_hand}'"
        )
    # One shell for both, so that a retry repeats the update too: a stale list is the usual reason for a
    # failed install. A failed update alone is no reason to stop: one broken third-party list is common and
    # does not matter here.
    options = "-q -o DPkg::Lock::Timeout=120"
    install = f"apt-get {options} install -y --no-install-recommends {' '.join(packages)}"
    script = f"export DEBIAN_FRONTEND=noninteractive; apt-get {options} update; {install}"
    work(
        host,
        f"Installing {len(packages)} system packages: {' '.join(packages)}",
        [*prefix, "sh", "-c", script],
        attempts=2,
    )


def _advise_libraries(host: Host) -> None:
    missing = [name for name in host.libraries if not _loads(name)]
    if not missing:
        return
    names = _own_families(host)
    command = next(
        (line for family, line in OTHER_FAMILIES.items() if any(family in name for name in names)), None
    )
    advice = f"install them with: {command}" if command else "install the packages that hold them"
    say(f"-- These system libraries cannot be loaded: {', '.join(missing)}; {advice}")


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


# -- locks ---------------------------------------------------------------------------------------------------


def lock_file(host: Host, purpose: str, python: str, system: str) -> Path:
    """Return where the lock for a purpose (LOCKED_EXTRAS, LOCKED_GROUP), a Python ("3.12") and a system (of
    LOCKED_SYSTEMS) is kept.
    """
    return host.root / LOCKS / f"{python}-{system}" / f"{purpose}.txt"


def system_name(system: str, machine: str, glibc: str, macos: str) -> str:
    """Name a system as LOCKED_SYSTEMS does, e.g. "freebsd-amd64" where there is none like it, from what
    `platform` says of it.
    """
    machine = machine.lower()
    machine = {"amd64": "x86_64"}.get(machine, machine)
    name = {"Darwin": "macos"}.get(system, system.lower())
    if name == "linux" and not _is_at_least(glibc, OLDEST_GLIBC):
        # Also musl, which gives no version.
        name = "old-linux"
    if name == "macos" and not _is_at_least(macos, OLDEST_MACOS):
        name = "old-macos"
    return f"{name}-{machine}"


def _is_at_least(version: str, wanted: Sequence[int]) -> bool:
    try:
        return tuple(int(part) for part in version.split(".")) >= tuple(wanted)
    except ValueError:
        return False


def find_lock(host: Host, purpose: str) -> Path | None:
    """Return the lock for a host's Python and system, None where there is none: another version,
    implementation or processor.
    """
    lock = lock_file(host, purpose, host.python_name, host.system)
    return lock if host.is_usual_python and lock.exists() else None


def dependencies_digest(pyproject: str) -> str:
    """Hash all of the text of pyproject.toml that decides what the locks hold."""
    import tomllib

    project = tomllib.loads(pyproject)
    extras = project["project"]["optional-dependencies"]
    parts = [
        project["project"]["requires-python"],
        project["build-system"]["requires"],
        project["project"]["dependencies"],
        [extras[name] for name in sorted({name for names in LOCKED_EXTRAS.values() for name in names})],
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def group_digest(pyproject: str) -> str:
    """Hash all of a pyproject.toml that decides what the locks for the site hold."""
    import tomllib

    project = tomllib.loads(pyproject)
    parts = [project["project"]["requires-python"], project["dependency-groups"][LOCKED_GROUP]]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def task_lock(host: Host, arguments: Sequence[str]) -> int:
    """Write every lock anew; with arguments, only the folders that they name, e.g. `3.12-linux-x86_64`."""
    python = host.root / "build" / "uv"
    uv = python / ("Scripts/uv.exe" if os.name == "nt" else "bin/uv")
    if not uv.exists():
        work(host, f"Installing {UV}", [host.python, "-m", "venv", "--clear", str(python)])
        work(
            host,
            f"Installing {UV}",
            [str(uv.parent / "python"), "-m", "pip", "install", "--quiet", UV],
            attempts=2,
        )
    places = [(v, s) for v in LOCKED_PYTHONS for s in LOCKED_SYSTEMS if (v, s) not in UNLOCKED]
    chosen = [place for place in places if not arguments or "-".join(place) in arguments]
    # Most of the time is spent waiting for the registry.
    with ThreadPoolExecutor(max_workers=4) as pool:
        for _ in pool.map(lambda place: _write_locks(host, uv, *place), chosen):
            pass
    return 0


def _write_locks(host: Host, uv: Path, version: str, system: str) -> None:
    import tomllib

    with tempfile.TemporaryDirectory(prefix="lightloom-") as name:
        folder = Path(name)
        # What builds the checkout is locked too, so that its installation downloads nothing that is not.
        pyproject = (host.root / "pyproject.toml").read_text(encoding="utf-8")
        build = tomllib.loads(pyproject)["build-system"]["requires"]
        (folder / "build.in").write_text("\n".join(build), encoding="utf-8")
        common = [str(uv), "pip", "compile", "--quiet", "--generate-hashes", "--format", "pylock.toml"]
        common += ["--python-version", version, "--python-platform", LOCKED_SYSTEMS[system]]
        common += ["--only-binary", ":all:"]
        project = ["pyproject.toml", str(folder / "build.in")]
        environment = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": ".".join(map(str, OLDEST_MACOS))}
        pins: list[str] = []
        for purpose, extras in LOCKED_EXTRAS.items():
            chosen = folder / f"pylock.{purpose}.toml"
            options = [part for extra in extras for part in ("--extra", extra)]
            options += ["--resolution", "lowest-direct"] if purpose == "lowest" else pins
            command = [*common, *project, *options, "-o", str(chosen)]
            title = f"Locking {version}-{system} {purpose}"
            work(host, title, command, attempts=2, environment=environment)
            packages = tomllib.loads(chosen.read_text(encoding="utf-8"))["packages"]
            if purpose == "dev":
                (folder / "dev.in").write_text(
                    "\n".join(f"{package['name']}=={package['version']}" for package in packages),
                    encoding="utf-8",
                )
                pins = ["--constraint", str(folder / "dev.in")]
            lock = lock_file(host, purpose, version, system)
            lock.parent.mkdir(parents=True, exist_ok=True)
            text = lock_text(packages, dependencies_digest(pyproject))
            lock.write_text(text, encoding="utf-8", newline="\n")
        chosen = folder / f"pylock.{LOCKED_GROUP}.toml"
        command = [*common, "--group", LOCKED_GROUP, "-o", str(chosen)]
        title = f"Locking {version}-{system} {LOCKED_GROUP}"
        work(host, title, command, attempts=2, environment=environment)
        packages = tomllib.loads(chosen.read_text(encoding="utf-8"))["packages"]
        text = lock_text(packages, group_digest(pyproject))
        lock_file(host, LOCKED_GROUP, version, system).write_text(text, encoding="utf-8", newline="\n")


def lock_text(packages: Sequence[Mapping[str, Any]], digest: str) -> str:
    """Write packages as pip reads them, with their wheels' hashes and without the address that they came
    from.

    Args:
        packages: of a pylock.toml.
        digest: of what they were chosen for; see `dependencies_digest` and `group_digest`.
    """
    lines = [f"# Made by `python3 tasks.py lock`, of dependencies {digest}."]
    for package in packages:
        hashes = sorted(wheel["hashes"]["sha256"] for wheel in package["wheels"])
        entry = [
            f"{package['name']}=={package['version']}",
            *(f"--hash=sha256:{digest}" for digest in hashes),
        ]
        lines.append(" \\\n    ".join(entry))
    return "\n".join(lines) + "\n"


# -- virtual environment -------------------------------------------------------------------------------------


def stamp_key(host: Host, group: str) -> str:
    """Hash everything that decides what is installed: dependencies, lock, interpreter, place of the checkout,
    extras.
    """
    python = host.program("python")
    config = host.venv / "pyvenv.cfg"
    lock = find_lock(host, LOCK_OF_GROUP[group])
    parts = [
        group.encode(),
        (host.root / "pyproject.toml").read_bytes(),
        os.fsencode(host.root),
        host.python_name.encode(),
    ]
    parts += [os.fsencode(python.resolve()), config.read_bytes() if config.exists() else b""]
    parts += [lock.read_bytes() if lock else b""]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _stamp(host: Host, group: str) -> Path:
    return host.venv / f"installed-{group}.stamp"


def is_installed(host: Host, group: str) -> bool:
    """True if the virtual environment holds this checkout with the extras of `group` (see GROUPS)."""
    enough = list(GROUPS)[list(GROUPS).index(group) :]
    stamps = ((_stamp(host, name), name) for name in enough)
    return host.program("python").exists() and any(
        stamp.exists() and stamp.read_text() == stamp_key(host, name) for stamp, name in stamps
    )


def ensure_installed(host: Host, group: str) -> Path:
    """Make `.venv` hold this checkout, editable, with the packages that `group` needs; return its Python.

    They are those of the lock; where this Python or system has none, the newest that pyproject.toml allows,
    which is said.

    Raises:
        TaskError: the environment cannot be made, or a package cannot be installed.
    """
    python = host.program("python")
    if is_installed(host, group):
        return python
    if not _is_usable(host, python):
        _make_venv(host)
    lock = find_lock(host, LOCK_OF_GROUP[group])
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    if lock is None:
        say(
            f"-- There is no lock for Python {host.python_name} on {host.system}: the newest packages that pyproject.toml allows "
            "are installed, which nobody has tried together."
        )
        title = "Installing Lightloom and the Python packages it needs (some minutes the first time)"
        work(host, title, [*pip, "--editable", GROUPS[group]], attempts=2)
    else:
        _install_locked(host, pip, lock)
        if group == "training":
            # Not in the lock: builds of PyTorch differ with the machine, and so do their hashes. The rest
            # stays as it was locked.
            title = "Installing PyTorch for the tests of training"
            work(host, title, [*pip, "--no-build-isolation", "--editable", GROUPS[group]], attempts=2)
    # pip compiles what it copies, which an editable install's files are not: the first start would, and with
    # PYTHONDONTWRITEBYTECODE, as containers like to set it, each one (0.2 s).
    work(host, "Compiling Lightloom", [str(python), "-m", "compileall", "-q", "lightloom", "desktop"])
    _stamp(host, group).write_text(stamp_key(host, group))
    return python


def compile_stale(host: Host) -> None:
    """Compile what is missing or older than its source: the catalogues of the window's languages
    (packaging/catalogues.py) and, where there is a C compiler, the recorder of GPU commands
    (packaging/recorder.py).
    """
    packaging = host.root / "packaging"
    _module(packaging / "catalogues.py").compile_stale(host.root / "assets" / "translations")
    _module(packaging / "recorder.py").compile_stale()


def _module(path: Path) -> Any:
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _install_locked(host: Host, pip: Sequence[str], lock: Path) -> None:
    title = "Installing the Python packages that Lightloom needs, at locked versions (some minutes the first time)"
    work(
        host,
        title,
        [*pip, "--only-binary", ":all:", "--require-hashes", "--requirement", str(lock)],
        attempts=2,
    )
    work(host, "Installing Lightloom", [*pip, "--no-deps", "--no-build-isolation", "--editable", "."])


def _is_usable(host: Host, python: Path) -> bool:
    if not python.exists():
        return False
    # Of the same Python as this one: another `python3.NN tasks.py` means that other one.
    check = [
        str(python),
        "-c",
        f"import sys, pip; sys.exit(sys.version_info[:2] != {tuple(host.version[:2])!r})",
    ]
    return subprocess.run(check, capture_output=True, check=False).returncode == 0


def _make_venv(host: Host) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        raise TaskError(
            f"This Python ({host.python}) has no ensurepip, which a virtual environment needs; install it "
            f"(on Debian and Ubuntu: apt-get install {_VENV_PACKAGE}) and run the same command again."
        )
    title = f"Making a virtual environment in {host.venv.name} (Python {'.'.join(map(str, host.version))})"
    work(host, title, [host.python, "-m", "venv", "--clear", str(host.venv)])


def prepare(host: Host, group: str) -> Path:
    """Install whatever `group` (of GROUPS) still lacks, and return the virtual environment's Python."""
    packages = list(DEBIAN_RUN if group == "run" else DEBIAN_TEST)
    # Debian and Ubuntu keep ensurepip, without which no environment gets its pip, in a package of its own.
    if (
        importlib.util.find_spec("ensurepip") is None
        and sys.base_prefix == "/usr"
        and not is_installed(host, group)
    ):
        packages.append(_VENV_PACKAGE)
    if group != "run" and "debian" in _own_families(host)[:1]:
        packages += DEBIAN_BROWSER
    ensure_system(host, packages)
    importlib.invalidate_caches()
    python = ensure_installed(host, group)
    compile_stale(host)
    return python


# -- a screen ------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def runtime_folder(host: Host) -> Iterator[dict[str, str]]:
    """Yield this process's environment, with the private folder that drivers and Qt ask for where a login
    made none.
    """
    environment = dict(os.environ)
    if not host.is_linux or environment.get("XDG_RUNTIME_DIR"):
        yield environment
        return
    with tempfile.TemporaryDirectory(prefix="lightloom-") as folder:
        yield {**environment, "XDG_RUNTIME_DIR": folder}


@contextlib.contextmanager
def screen(host: Host) -> Iterator[dict[str, str]]:
    """Yield the environment for programs that open windows, with a virtual X server of its own where there is
    no display.

    Raises:
        TaskError: there is no display, and no Xvfb that starts.
    """
    with runtime_folder(host) as environment:
        if host.has_display(environment):
            yield environment
            return
        with xvfb() as display:
            yield {**environment, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}


@contextlib.contextmanager
def xvfb() -> Iterator[str]:
    """Start Xvfb on a free display of 1600x1000 pixels, yield its name (":N"), and end it.

    Raises:
        TaskError: Xvfb is not installed or does not start.
    """
    if shutil.which("Xvfb") is None:
        raise TaskError(
            "There is no display and no Xvfb; install Xvfb (on Debian and Ubuntu: apt-get install xvfb)."
        )
    reader, writer = os.pipe()
    # A session of its own, so that Ctrl-C reaches the tests first and they can still close their windows.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=(writer,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(writer)
    try:
        ready, _, _ = select.select([reader], [], [], 30)
        number = os.read(reader, 16).decode().strip() if ready else ""
        if not number:
            raise TaskError(
                "Xvfb did not start within 30 s; try it by hand: Xvfb :99 -screen 0 1600x1000x24."
            )
        yield f":{number}"
    finally:
        os.close(reader)
        server.terminate()
        try:
            server.wait(timeout=5)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@contextlib.contextmanager
def screens(host: Host, count: int) -> Iterator[dict[str, str]]:
    """Yield the environment for `count` processes with windows: virtual displays are one for each, named in
    LIGHTLOOM_DISPLAYS.

    On one display they take the focus from each other.

    Raises:
        TaskError: see `screen`.
    """
    with screen(host) as environment, contextlib.ExitStack() as more:
        if not host.has_display(os.environ):
            others = [more.enter_context(xvfb()) for _ in range(count - 1)]
            environment["LIGHTLOOM_DISPLAYS"] = " ".join([environment["DISPLAY"], *others])
        yield environment


# -- tasks ---------------------------------------------------------------------------------------------------


def call(
    command: Sequence[str | Path],
    environment: Mapping[str, str] | None = None,
    *,
    folder: Path,
    stdout: int | None = None,
) -> int:
    """Run a command in sight and return its exit status (128 + n where signal n ended it)."""
    process = subprocess.Popen([str(part) for part in command], cwd=folder, env=environment, stdout=stdout)
    try:
        status = process.wait()
    except BaseException as stop:
        # Ctrl-C reached the program as well, SIGTERM only this one. Either way it has time to tidy up, but
        # not for ever.
        if not isinstance(stop, KeyboardInterrupt):
            process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        raise
    finally:
        process.kill()
    return status if status >= 0 else 128 - status


@contextlib.contextmanager
def leftovers_ended(environment: dict[str, str]) -> Iterator[None]:
    """End what was begun with `environment`, which gets a mark, and still runs at the end; on Linux.

    Programs of a test process that crashed keep its output open, and whoever reads that to its end waits for
    ever. (Weighed: adopting them, PR_SET_CHILD_SUBREAPER. Then nobody takes note of the end of any orphan,
    and a test that waits for that of one waits in vain.)
    """
    mark = f"{os.getpid()}.{time.time_ns()}"
    environment[_MARK] = mark
    try:
        yield
    finally:
        if sys.platform != "win32":
            # One that is ended may just have begun another.
            while left := _marked(f"{_MARK}={mark}".encode()):
                for process, name in left.items():
                    say(f"-- {name} was left running by a test; it is ended")
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                time.sleep(0.1)


_MARK = "LIGHTLOOM_TEST_RUN"


def _marked(variable: bytes) -> dict[int, str]:
    """Find the processes that have a variable of the environment, and their names; one that has ended has
    none.
    """
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        # Gone meanwhile, or another user's.
        with contextlib.suppress(OSError):
            if variable in (place / "environ").read_bytes().split(b"\0"):
                found[int(place.name)] = (place / "comm").read_text().strip()
    return found


def task_run(host: Host, arguments: Sequence[str]) -> int:
    """Open the window; without a display, process the sample (or the one input given) into files."""
    python = prepare(host, "run")
    if host.has_display(os.environ):
        with runtime_folder(host) as environment:
            return call([*_lightloom(python), *arguments], environment, folder=Path.cwd())
    say(
        "No display (neither DISPLAY nor WAYLAND_DISPLAY is set), so there is no window: processing into files instead."
    )
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        raise TaskError(
            "Without a display, 'run' takes one input at most; 'lightloom process --help' shows what else can be done."
        )
    return _process(host, python, arguments[0] if arguments else HEADLESS_SOURCE)


def _lightloom(python: Path) -> list[str]:
    # It runs in the caller's folder, because its arguments may be relative paths; -P keeps that folder's
    # files from being imported (a folder called `desktop` is not rare).
    return [str(python), "-P", "-m", "desktop"]


def _process(host: Host, python: Path, source: str) -> int:
    folder = host.root / "out"
    folder.mkdir(exist_ok=True)
    video, picture, report = (folder / f"sample.{ending}" for ending in ("mp4", "png", "json"))
    report.unlink(missing_ok=True)
    command = [*_lightloom(python), "process", source, "-o", str(video)]
    for name in HEADLESS_FILTERS:
        command += ["--filter", name]
    command += ["--max-frames", str(HEADLESS_FRAMES), "--snapshot", str(picture), "--report", str(report)]
    with runtime_folder(host) as environment:
        # Its last lines name the same files as the table below.
        status = call(command, environment, folder=Path.cwd(), stdout=subprocess.DEVNULL)
    if status == 0:
        say("")
        say(format_report(json.loads(report.read_text(encoding="utf-8"))))
        say("")
        for title, path in (("video", video), ("picture", picture), ("report", report)):
            say(f"{title:<8} {path}")
    return status


def format_report(report: Mapping[str, Any]) -> str:
    """Lay out a report of `lightloom process` as a table: one line a stage, then the frame as a whole."""

    def milliseconds(value: float | None) -> str:
        return "-" if value is None else f"{value:.2f}"

    stages = report["stages"]
    width = max([len("stage"), *(len(stage["name"]) for stage in stages)])
    lines = [f"{'stage':<{width}}  {'GPU ms':>8}  {'CPU ms':>8}"]
    for stage in stages:
        gpu, cpu = milliseconds(stage.get("gpu_ms")), milliseconds(stage.get("cpu_ms"))
        lines.append(f"{stage['name']:<{width}}  {gpu:>8}  {cpu:>8}")
    latency = report["latency_ms"]
    p50, p95, p99 = (milliseconds(latency[name]) for name in ("p50", "p95", "p99"))
    upload, readback = report["upload_bytes_per_frame"], report["readback_bytes_per_frame"]
    return "\n".join(
        [
            *lines,
            "",
            f"{report['frames']} frame{'s' * (report['frames'] != 1)}, {report['dropped']} dropped, {report['fps']:.1f} FPS",
            f"latency p50 {p50} ms, p95 {p95} ms, p99 {p99} ms",
            f"{upload:,.0f} bytes uploaded and {readback:,.0f} read back a frame",
            f"adapter  {report['adapter']}",
            f"backend  {report['backend']}",
        ]
    )


def task_test(host: Host, arguments: Sequence[str]) -> int:
    """Lint, then run the tests on a real or virtual screen; the exit status is pytest's, or 1 if only lint
    failed.

    Without arguments, what tests/nightly.txt lists is left out; `--fast` is the short suite in the
    environment that is there.
    """
    if list(arguments) == ["--fast"]:
        arguments = ["@tests/short.txt", "-q"]
    python = prepare(host, "training" if os.environ.get("LIGHTLOOM_TRAINING") else "dev")
    lint_status = 0
    if arguments:
        say("-- pytest alone, because it was given arguments")
    else:
        # The other systems' types take a minute more, and rarely differ.
        lint_status = _lint(host, python, platforms=())
    with screens(host, 1 if arguments else TEST_WORKERS) as environment, leftovers_ended(environment):
        if call([python, "-c", ADAPTER_CHECK], environment, folder=host.root) != 0:
            raise TaskError("The tests need a wgpu adapter, and none could be opened.")
        if arguments:
            status = call([python, "-m", "pytest", *arguments], environment, folder=host.root)
        else:
            status = _test_all(host, python, environment)
    if lint_status:
        say("lint failed: see the lines marked FAILED above the tests")
    return status or lint_status


def _and_once_more(run: Callable[[Sequence[str]], int], tests: Sequence[str], cache: Path) -> int:
    """Run tests, then those that failed once more with nothing beside them; return the exit status.

    What fails alone has failed. What fails only beside others is named, so that it can be mended, and fails
    nothing: in 9,300 tests with windows, servers and processes that share two cores with whatever else a
    machine does, each run had found another such test. More than MOST_UNSTEADY of them are no accident.

    Args:
        run: calls pytest with arguments of its command line, with its cache in `cache`.
        tests: what it runs first.
        cache: a folder.
    """
    last_failed = cache / "v" / "cache" / "lastfailed"
    with contextlib.suppress(FileNotFoundError):
        last_failed.unlink()
    status = run(tests)
    if status != SOME_FAILED or not last_failed.exists():
        return status
    failed = sorted(json.loads(last_failed.read_text(encoding="utf-8")))
    if len(failed) > MOST_UNSTEADY:
        return status
    say(f"-- {len(failed)} of the tests failed; they run once more, with nothing beside them")
    status = run(failed)
    if status == 0:
        say("-- UNSTEADY: these failed beside other tests and passed alone:\n   " + "\n   ".join(failed))
    return status


def _test_all(host: Host, python: Path, environment: Mapping[str, str]) -> int:
    """Run all tests in several processes; see `_and_once_more`."""

    def run(tests: Sequence[str]) -> int:
        return call([python, "-m", "pytest", *tests], environment, folder=host.root)

    left_out = [
        f"--deselect={line}" for line in (host.root / NIGHTLY).read_text(encoding="utf-8").splitlines()
    ]
    say(f"-- {NIGHTLY} lists what is left out; `tasks.py nightly` runs it")
    return _and_once_more(run, [*SPREAD, *left_out], host.root / ".pytest_cache")


def task_nightly(host: Host, arguments: Sequence[str]) -> int:
    """Run every linter, what tests/nightly.txt lists, then the short suite on each Python with both sets of
    packages; 1 if any failed.
    """
    if arguments:
        raise TaskError("'nightly' takes no arguments.")
    python = prepare(host, "training" if os.environ.get("LIGHTLOOM_TRAINING") else "dev")
    lint_status = _lint(host, python)
    with screens(host, TEST_WORKERS) as environment, leftovers_ended(environment):

        def run(tests: Sequence[str]) -> int:
            return call([python, "-m", "pytest", *tests], environment, folder=host.root)

        tests = [f"@{NIGHTLY}", "-q", *SPREAD]
        status = _and_once_more(run, tests, host.root / ".pytest_cache")
    return int(bool(status) | bool(lint_status) | bool(task_matrix(host, ["all"])))


def task_dawn(host: Host, arguments: Sequence[str]) -> int:
    """Run what tests/dawn.txt lists, or what the arguments say, on Dawn and a software adapter that it starts
    on.
    """
    python = prepare(host, "dev")
    cache = host.root / "build" / "dawn" / "pytest_cache"
    with screens(host, 1 if arguments else TEST_WORKERS) as environment, leftovers_ended(environment):

        def run(tests: Sequence[str]) -> int:
            program: list[str | Path] = [
                python,
                str(host.root / "packaging" / "dawn.py"),
                "-o",
                f"cache_dir={cache}",
            ]
            return call([*program, *tests], environment, folder=host.root)

        return run(arguments) if arguments else _and_once_more(run, ["@tests/dawn.txt", "-q", *SPREAD], cache)


def task_short(host: Host, arguments: Sequence[str]) -> int:
    """Run the short suite with this Python in an environment of its own; `--lowest`: with the lowest
    packages, not the newest.

    It is a list in tests/short.txt and not a mark on tests, so that the whole is in sight and the rest is not
    even imported: about a minute that meets each package that Lightloom calls, from a clip and a still over a
    network on both backends to a window.
    """
    if arguments not in ([], ["--lowest"]):
        raise TaskError("'short' takes '--lowest' or nothing.")
    packages = "lowest" if arguments else "newest"
    lock = find_lock(host, "lowest" if arguments else "dev")
    if lock is None:
        raise TaskError(
            f"There is no lock for Python {host.python_name} on {host.system}, so nothing to try."
        )
    ensure_system(host, DEBIAN_TEST)
    folder = host.root / "build" / "short" / f"{host.python_name}-{packages}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "installed.stamp"
    key = hashlib.sha256(
        lock.read_bytes() + (host.root / "pyproject.toml").read_bytes() + sys.version.encode()
    ).hexdigest()
    if not (python.exists() and stamp.exists() and stamp.read_text() == key):
        work(
            host,
            f"Making an environment for Python {host.python_name}",
            [host.python, "-m", "venv", "--clear", str(folder)],
        )
        _install_locked(
            host,
            [str(python), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"],
            lock,
        )
        stamp.write_text(key)
    compile_stale(host)
    say(f"-- short suite: Python {platform.python_version()}, {packages} packages")
    cache = folder / "pytest_cache"
    with screen(host) as environment:

        def run(tests: Sequence[str]) -> int:
            command: list[str | Path] = [python, "-m", "pytest", *tests, "-q", "-o", f"cache_dir={cache}"]
            return call(command, environment, folder=host.root)

        return _and_once_more(run, ["@tests/short.txt"], cache)


def find_pythons(host: Host) -> dict[str, str]:
    """Find an interpreter for each of LOCKED_PYTHONS: the host's, `python3.NN` of PATH, pyenv's. What does
    not start is none.
    """
    found = {host.python_name: host.python}
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    for version in LOCKED_PYTHONS:
        places = [
            shutil.which(f"python{version}"),
            *sorted(pyenv.glob(f"{version}.*/bin/python3"), reverse=True),
        ]
        for place in places:
            if version not in found and place is not None and _is_python(str(place), version):
                found[version] = str(place)
    return found


def _is_python(program: str, version: str) -> bool:
    # pyenv's shims are on PATH for versions that are not chosen, and then end with an error.
    query = [program, "-c", "import ensurepip, sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and answer.stdout.strip() == version


def task_matrix(host: Host, arguments: Sequence[str]) -> int:
    """Run the short suite on the ends of what is supported, or on all of it, and add up; 1 if any failed.

    The ends are the oldest Python here with the lowest packages and the newest one with the newest. Of `all`,
    this Python gets the lowest alone: `test` runs everything with its newest.
    """
    if list(arguments) not in ([], ["all"]):
        raise TaskError("'matrix' takes 'all' or nothing.")
    found = find_pythons(host)
    say(f"-- Pythons here: {', '.join(f'{version} ({found[version]})' for version in sorted(found))}")
    absent = [version for version in LOCKED_PYTHONS if version not in found]
    if absent:
        say(f"-- not here, so not tried: {', '.join(absent)}")
    versions = [version for version in LOCKED_PYTHONS if version in found]
    suites: list[tuple[str, str]] = []
    for version in versions:
        choices = ["newest", "lowest"]
        if version == host.python_name or (not arguments and version != versions[-1]):
            choices.remove("newest")
        if not arguments and version != versions[0]:
            choices.remove("lowest")
        suites += [(version, packages) for packages in choices]
    # Once, before each suite would do it at the same time.
    ensure_system(host, DEBIAN_TEST)
    compile_stale(host)
    rows = []
    passed = failed = 0
    for (version, packages), run in zip(suites, _short_suites(host, found, suites), strict=True):
        passed += run.counts.get("passed", 0)
        # An environment that could not be made counts as one failure too.
        failed += max(
            run.counts.get("failed", 0) + run.counts.get("error", 0) + run.counts.get("errors", 0),
            int(run.status != 0),
        )
        figures = ", ".join(f"{number} {word}" for word, number in run.counts.items()) or "no test ran"
        verdict = "ok" if run.status == 0 else "FAILED"
        rows.append(f"{version} {packages:<7} {verdict:<6} {figures} ({run.seconds:.0f} s)")
    say("\n".join(["", *rows]))
    say(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


@dataclass(frozen=True)
class SuiteRun:
    """Result of a short suite: its exit status, pytest's figures, those of what ran once more among them, and the
    seconds it took.
    """

    status: int
    counts: dict[str, int]
    seconds: float


def _short_suites(
    host: Host, pythons: Mapping[str, str], suites: Sequence[tuple[str, str]]
) -> list[SuiteRun]:
    """Run `short` for each version and its packages ("newest", "lowest"), SUITES_AT_ONCE of them at a time, in
    sight; each line begins with the two.
    """
    started: list[subprocess.Popen[str]] = []

    def run(suite: tuple[str, str]) -> SuiteRun:
        version, packages = suite
        command = [pythons[version], str(host.root / "tasks.py"), "short"]
        command += ["--lowest"] if packages == "lowest" else []
        begin = time.monotonic()
        counts: dict[str, int] = {}
        process = subprocess.Popen(
            command, cwd=host.root, stdout=subprocess.PIPE, text=True, errors="replace"
        )
        started.append(process)
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                say(f"{version} {packages}: {line.rstrip()}")
                if re.search(r"\d+ (passed|failed|errors?)\b.* in [\d.]+s", line):
                    counts = _added(counts, line)
        return SuiteRun(process.returncode, counts, time.monotonic() - begin)

    with ThreadPoolExecutor(SUITES_AT_ONCE) as pool:
        runs = [pool.submit(run, suite) for suite in suites]
        try:
            return [each.result() for each in runs]
        except BaseException:
            for each in runs:
                each.cancel()
            for process in started:
                process.terminate()
            raise


def _added(before: Mapping[str, int], line: str) -> dict[str, int]:
    """Return the figures of a run with those of pytest's last line, of what had failed before and ran again."""
    found = {
        word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|errors?|skipped)\b", line)
    }
    for word in {"passed", "skipped"} & set(before):
        found[word] = before[word] + found.get(word, 0)
    return found


def task_lint(host: Host, arguments: Sequence[str]) -> int:
    """Run every linter, also after one has failed; 1 if any failed."""
    if arguments:
        raise TaskError("'lint' takes no arguments.")
    return _lint(host, prepare(host, "dev"))


def _lint(host: Host, python: Path, platforms: Sequence[str] = ("win32", "darwin")) -> int:
    """Run every linter; mypy also for further platforms."""
    ruff = [str(python), "-m", "ruff"]
    mypy = [str(python), "-m", "mypy"]
    if host.python_name != LOCKED_PYTHONS[0]:
        # NumPy 2.5, which a newer Python gets, has types in a syntax that pyproject.toml's version, the oldest, does
        # not read. An ignore that this one does not need is one for the oldest.
        mypy += ["--python-version", host.python_name, "--no-warn-unused-ignores"]
    linters = {
        "ruff check": [*ruff, "check", "--quiet", "--output-format", "concise", "."],
        "ruff format": [*ruff, "format", "--check", "--quiet", "--output-format", "concise", "."],
        "mypy": mypy,
        **{
            f"mypy {platform}": [
                *mypy,
                "--platform",
                platform,
                "--cache-dir",
                str(host.root / "build" / "mypy" / platform),
            ]
            for platform in platforms
        },
        "import contracts": [str(host.program("lint-imports"))],
        "message checks": [str(python), str(host.root / "packaging" / "message_checks.py")],
    }
    failed = 0
    for title, command in linters.items():
        begin = time.monotonic()
        done = subprocess.run(
            command,
            cwd=host.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode:
            # One that a signal ended has printed nothing.
            say(done.stdout.rstrip() or f"{title} printed nothing and ended with status {done.returncode}")
            failed += 1
        say(f"lint: {title:<17} {'FAILED' if done.returncode else 'ok':<6} {time.monotonic() - begin:5.1f} s")
    return 1 if failed else 0


def task_translate(host: Host, arguments: Sequence[str]) -> int:
    """Renew the catalogues of the window's languages from its source, and list what is not translated."""
    if arguments:
        raise TaskError("'translate' takes no arguments.")
    return call([prepare(host, "dev"), host.root / "packaging" / "translations.py"], folder=host.root)


def task_bench(host: Host, arguments: Sequence[str]) -> int:
    """Run every benchmark, or the one that is named, with the other arguments passed on; 1 if any failed."""
    python = prepare(host, "dev")
    folder = host.root / "benchmarks"
    benchmarks = {"pipeline": [*_lightloom(python), "bench", "pipeline"]}
    benchmarks.update({path.stem: [str(python), str(path)] for path in sorted(folder.glob("[!_]*.py"))})
    rest = list(arguments)
    if rest and not rest[0].startswith("-"):
        name = rest.pop(0)
        if name not in benchmarks:
            raise TaskError(f"There is no benchmark called '{name}'; there are: {', '.join(benchmarks)}.")
        benchmarks = {name: benchmarks[name]}
    failed = []
    with screen(host) as environment:
        for name, command in benchmarks.items():
            say(f"-- benchmark {name}")
            if call([*command, *rest], environment, folder=host.root) != 0:
                failed.append(name)
    if failed:
        raise TaskError(f"These benchmarks failed: {', '.join(failed)}.")
    return 0


def task_package(host: Host, arguments: Sequence[str]) -> int:
    """Build the wheel, the bundle and this system's archives into dist/, with the packages that the lock
    names.
    """
    ensure_system(host, DEBIAN_PACKAGE)
    python = _locked_python(host, "package", host.package_venv)
    return call([python, host.root / "packaging" / "build.py", *arguments], folder=host.root)


def task_wine(host: Host, arguments: Sequence[str]) -> int:
    """Run the Windows build under Wine, in a root of Debian of its own; see packaging/windows/wine."""
    # What it downloads is for Windows: the virtual environment is not needed.
    ensure_system(host, DEBIAN_WINE)
    return call([host.python, host.root / "packaging" / "windows" / "wine", *arguments], folder=host.root)


def task_docs(host: Host, arguments: Sequence[str]) -> int:
    """Build the documentation site into dist/site; 1 for a warning, such as of a link that leads nowhere."""
    if arguments:
        raise TaskError("'docs' takes no arguments.")
    python = prepare(host, "run")
    # The tools of the site need nothing of Lightloom's, and Lightloom nothing of theirs.
    tools = _locked_python(host, LOCKED_GROUP, host.root / "build" / "docs-env")
    folder = host.root / "build" / "site"
    with runtime_folder(host) as environment:
        pages: list[str | Path] = [python, host.root / "packaging" / "site" / "pages.py", folder]
        # Settings, plug-ins and filters of the user who builds the site are left out.
        own = {"LIGHTLOOM_CONFIG": str(folder / "config"), "LIGHTLOOM_PLUGINS": "off"}
        if status := call(pages, {**environment, **own}, folder=host.root):
            return status
    build = ["-m", "mkdocs", "build", "--quiet", "--strict", "--config-file"]
    # It would advertise its successor.
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    status = call([tools, *build, folder / "mkdocs.yml"], quiet, folder=host.root)
    if status == 0:
        say(f"site     {host.root / 'dist' / 'site' / 'index.html'}")
    return status


def task_release(host: Host, arguments: Sequence[str]) -> int:
    """Do all that precedes the tag of a release, and say how to make it; with --check only compare and look."""
    versions = [argument for argument in arguments if argument != "--check"]
    if len(versions) != 1 or versions[0].startswith("-"):
        raise TaskError("'release' takes a version, as pyproject.toml has it, and maybe '--check'.")
    tag = f"v{versions[0]}"
    compare = [host.python, str(host.root / "packaging" / "check_release.py"), tag, "--final"]
    if call(compare, folder=host.root) != 0:
        raise TaskError(f"{tag} cannot be released yet: the lines above name what to change.")
    if left := _git(host, "status", "--porcelain"):
        raise TaskError(f"Not all is committed; commit or remove these files:\n{left}")
    if _git(host, "tag", "--list", tag):
        raise TaskError(f"There is a tag {tag} already; choose a newer version.")
    say(f"-- version, changelog and AppStream data agree, and all is committed: {tag}")
    if "--check" in arguments:
        return 0
    for name in ("test", "docs", "package"):
        say(f"-- tasks.py {name}")
        if TASKS[name](host, []) != 0:
            raise TaskError(f"'tasks.py {name}' failed, so {tag} is not ready; the lines above say why.")
    say(f"{tag} is ready. Once the workflow has passed on this commit, tag it:")
    say(f"  git tag -s {tag} && git push origin {tag}")
    return 0


def _git(host: Host, *arguments: str) -> str:
    command = ["git", *arguments]
    try:
        done = subprocess.run(command, cwd=host.root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise TaskError("git is not installed; install it, and run the same command again.") from None
    if done.returncode != 0:
        raise TaskError(
            f"'{shlex.join(command)}' failed: {done.stderr.strip()}; run it in a clone of Lightloom."
        )
    return done.stdout.rstrip()


def _locked_python(host: Host, purpose: str, environment: Path) -> Path:
    """Make an environment that holds a lock and nothing else; return its Python.

    Raises:
        TaskError: there is no such lock for this Python and system, or it cannot be installed.
    """
    folder = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    python, stamp = environment / folder, environment / "installed.stamp"
    lock = find_lock(host, purpose)
    if lock is None:
        raise TaskError(
            f"There is no lock '{purpose}' for Python {host.python_name} on {host.system}; "
            f"use one of Python {', '.join(LOCKED_PYTHONS)} on {', '.join(LOCKED_SYSTEMS)}."
        )
    key = hashlib.sha256(lock.read_bytes() + sys.version.encode() + os.fsencode(host.python)).hexdigest()
    if python.exists() and stamp.exists() and stamp.read_text() == key:
        return python
    title = f"Making a virtual environment in {environment.relative_to(host.root)}"
    work(host, title, [host.python, "-m", "venv", "--clear", str(environment)])
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    title = "Installing the locked packages (some minutes the first time)"
    work(
        host,
        title,
        [*pip, "--only-binary", ":all:", "--require-hashes", "--requirement", str(lock)],
        attempts=2,
    )
    stamp.write_text(key)
    return python


TASKS = {
    "run": task_run,
    "test": task_test,
    "lint": task_lint,
    "translate": task_translate,
    "bench": task_bench,
    "docs": task_docs,
    "package": task_package,
    "release": task_release,
    "dawn": task_dawn,
    "wine": task_wine,
    "nightly": task_nightly,
    "short": task_short,
    "matrix": task_matrix,
    "lock": task_lock,
}


def main(arguments: Sequence[str], host: Host | None = None) -> int:
    """Run the task that `arguments` names on a host, by default this one, and return the exit status."""
    host = host or Host()
    if tuple(host.version) < (3, 11):
        have = ".".join(map(str, host.version))
        print(
            f"Lightloom needs Python 3.11 or newer and this is Python {have}; install a newer one "
            "(from python.org or your system's packages) and run this file with it, e.g. python3.12 tasks.py run.",
            file=sys.stderr,
        )
        return 1
    if arguments and arguments[0] in ("-h", "--help"):
        say(str(__doc__).rstrip())
        return 0
    if not arguments or arguments[0] not in TASKS:
        print(str(__doc__).rstrip(), file=sys.stderr)
        return 2
    # Without this an end by SIGTERM would leave Xvfb behind.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        return TASKS[arguments[0]](host, arguments[1:])
    except TaskError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
