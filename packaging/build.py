"""Builds what people download, from an environment that holds the lock for packaging: `python3 tasks.py
package` calls it.

    python packaging/build.py [folder] [tar.xz] [deb] [appimage] [dmg] [zip] [installer]

Without arguments: all that this system can make without further tools. Results are in dist/, with a report of
the largest parts.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import deb
import documented_sizes
import gpl_free
import icons
from debian_changelog import ChangelogError
from documented_sizes import COMPRESSED_LIMIT, UNPACKED_LIMIT

ROOT: Final = Path(__file__).resolve().parents[1]
HERE: Final = Path(__file__).resolve().parent
WORK: Final = ROOT / "build"
DIST: Final = ROOT / "dist"
FOLDER: Final = WORK / "bundle" / "lightloom"

VERSION: Final[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "version"
]
IDENTIFIER: Final = "org.lightloom.Lightloom"
# macOS's name for a look in one file.
LOOK_TYPE: Final = "org.lightloom.look"
# `lightloom doctor` and --version ask for the versions of these.
DESCRIBED: Final = (
    "lightloom", "wgpu", "rendercanvas", "PySide6_Essentials", "av", "numpy", "onnx", "onnxruntime",
)  # fmt: skip

# Releases may take their time (--level 9); a build to try does not.
XZ_LEVEL: Final = 1
# 1980, the first year that zip knows, in Unix time.
_OLDEST_S: Final = 315_532_800


class BuildError(Exception):
    """A build cannot go on; the text is one sentence."""


def architecture() -> str:
    """Return the processor's name as it stands in the names of the files: x86_64 or arm64."""
    return {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}[
        platform.machine().lower()
    ]


def system() -> str:
    """Return the system's name as it stands in the names of the files: linux, macos or windows."""
    return {"darwin": "macos", "win32": "windows"}.get(sys.platform, "linux")


def run(title: str, command: Sequence[str | Path], **options: Any) -> None:
    """Run a step in sight.

    Raises:
        BuildError: it failed.
    """
    print(f"-- {title}", flush=True)
    begin = time.monotonic()
    done = subprocess.run([str(part) for part in command], check=False, **options)
    if done.returncode:
        raise BuildError(f"{title} failed (exit status {done.returncode}); the lines above say why.")
    print(f"   done in {time.monotonic() - begin:.1f} s", flush=True)


# -- the folder ----------------------------------------------------------------------------------------------


def make_wheel() -> Path:
    """Build wheel and source archive into dist/; return the wheel."""
    for old in DIST.glob(f"lightloom-{VERSION}*"):
        if old.suffix == ".whl" or old.name.endswith(".tar.gz"):
            old.unlink()
    run(
        "Wheel and source archive",
        [sys.executable, "-m", "hatchling", "build", "--directory", DIST],
        cwd=ROOT,
    )
    return next(DIST.glob(f"lightloom-{VERSION}-*.whl"))


def make_folder(wheel: Path) -> None:
    """Install the wheel here and bundle it: what is bundled is what `pip install` gives, not the checkout.

    Raises:
        BuildError: a step failed.
    """
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run("Installing the wheel", [*pip, "--no-deps", "--no-index", "--force-reinstall", wheel], cwd=WORK)
    shutil.rmtree(FOLDER.parent, ignore_errors=True)
    places: list[str | Path] = ["--distpath", FOLDER.parent, "--workpath", WORK / "pyinstaller"]
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    # From build/, not from the root: the checkout's folders must not be importable.
    run(
        "Bundle", [*command, *places, HERE / "lightloom.spec"], cwd=WORK, env={**os.environ, "PYTHONPATH": ""}
    )
    check_no_gpl(FOLDER)


def make_bill() -> Path:
    """Write the folder's bill of materials.

    Raises:
        BuildError: it is not as it should be.
    """
    import sbom  # its library is in the environment that bundles, not in the tests' lowest

    target = DIST / f"lightloom-{VERSION}-{system()}-{architecture()}.cdx.json"
    names = (
        (WORK / "pyinstaller" / "lightloom" / "distributions.txt").read_text(encoding="utf-8").splitlines()
    )
    try:
        sbom.write(target, VERSION, names, FOLDER / "_internal", source_date())
    except sbom.SbomError as error:
        raise BuildError(str(error)) from error
    return target


def write_checksums(files: Sequence[Path]) -> Path:
    """Write SHA-256 sums of what this build made, as `sha256sum --check` reads them."""
    target = DIST / f"SHA256SUMS-{system()}-{architecture()}"
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(files)]
    target.write_text("".join(lines), encoding="ascii")
    return target


def check_no_gpl(folder: Path) -> None:
    """Look for the true x264 and x265 in every file.

    Raises:
        BuildError: one is there.
    """
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_size > 100_000:
            data = path.read_bytes()
            if any(signature in data for signature in gpl_free.SIGNATURES):
                raise BuildError(
                    f"{path.relative_to(folder)} contains x264 or x265, which are under the GPL (packaging/gpl_free.py)."
                )


# -- sizes ---------------------------------------------------------------------------------------------------


def sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of each file, by its path inside `folder`; symbolic links weigh nothing."""
    return {
        path.relative_to(folder).as_posix(): path.stat().st_size
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def size_report(folder: Path, archives: Sequence[Path]) -> str:
    """Return a table of the largest parts: packages, then files; MB = 10^6 bytes."""
    files = sizes(folder)
    parts: dict[str, int] = {}
    for name, size in files.items():
        inner = name.removeprefix("_internal/")
        part = inner.split("/")[0] if "/" in inner else "(single files)"
        # Wheels keep the libraries of package x in x.libs.
        part = part.removesuffix(".libs")
        parts[part] = parts.get(part, 0) + size
    lines = [f"{sum(files.values()) / 1e6:8.1f} MB  unpacked, {len(files)} files"]
    lines += [f"{path.stat().st_size / 1e6:8.1f} MB  {path.name}" for path in archives]
    for title, table, count in (("packages", parts, 15), ("files", files, 25)):
        lines += ["", f"largest {title}"]
        largest = sorted(table.items(), key=lambda item: -item[1])[:count]
        lines += [f"{size / 1e6:8.1f} MB  {name}" for name, size in largest]
    return "\n".join(lines) + "\n"


def check_sizes(folder: Path, archives: Sequence[Path]) -> None:
    """Compare with the limits.

    Raises:
        BuildError: something is larger.
    """
    unpacked = sum(sizes(folder).values())
    if unpacked > UNPACKED_LIMIT:
        raise BuildError(
            f"The bundle takes {unpacked / 1e6:.0f} MB, {UNPACKED_LIMIT / 1e6:.0f} MB are allowed; see its parts above."
        )
    for path in archives:
        if path.stat().st_size > COMPRESSED_LIMIT:
            raise BuildError(
                f"{path.name} has {path.stat().st_size / 1e6:.0f} MB, {COMPRESSED_LIMIT / 1e6:.0f} MB are allowed."
            )


# -- Linux ---------------------------------------------------------------------------------------------------


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Take out of an archive what differs between two builds of the same files."""
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    member.mtime = source_date()
    return member


def source_date() -> int:
    """Return the time for files in archives: SOURCE_DATE_EPOCH, or that of the commit, or 1980 (the first
    that zip knows).
    """
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    try:
        done = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except OSError:  # there is no git
        return _OLDEST_S
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else _OLDEST_S


def make_tar(level: int) -> Path:
    """Pack the folder: unpack it anywhere, run `lightloom` in it."""
    name = f"lightloom-{VERSION}-linux-{architecture()}"
    target = DIST / f"{name}.tar.xz"
    pack = WORK / f"{name}.tar"
    with tarfile.open(pack, "w") as archive:
        archive.add(FOLDER, name, filter=_plain)
        archive.add(HERE / "linux" / "README.txt", f"{name}/README.txt", filter=_plain)
    with target.open("wb") as out:
        run(target.name, ["xz", f"-{level}", "-T0", "--stdout", pack], stdout=out)
    pack.unlink()
    return target


def make_deb(level: int) -> Path:
    """Pack the folder for Debian, Ubuntu and their relatives.

    Raises:
        BuildError: dpkg-deb failed.
    """
    name = f"lightloom_{VERSION}_{deb.ARCHITECTURES[architecture()]}.deb"
    tree = WORK / "deb"
    pictures = icons.render(WORK / "icons")
    deb.lay_out(tree, FOLDER, pictures, VERSION, deb.ARCHITECTURES[architecture()], source_date())
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(source_date())}
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--build"]
    run(name, [*command, tree, DIST / name], env=environment)
    shutil.rmtree(tree)
    return DIST / name


def make_appimage(level: int) -> Path:
    """Pack the folder into one file that runs as it is; needs the program `appimagetool`.

    Raises:
        BuildError: it is missing, or failed.
    """
    tool = os.environ.get("APPIMAGETOOL") or shutil.which("appimagetool")
    if not tool:
        raise BuildError("There is no 'appimagetool'; put it on the PATH or name it in APPIMAGETOOL.")
    tree = WORK / "Lightloom.AppDir"
    shutil.rmtree(tree, ignore_errors=True)
    deb.lay_out_program(tree, FOLDER, icons.render(WORK / "icons"), "appimage")
    (tree / "AppRun").symlink_to("usr/bin/lightloom")
    (tree / "lightloom.desktop").symlink_to("usr/share/applications/lightloom.desktop")
    (tree / "lightloom.png").symlink_to("usr/share/icons/hicolor/256x256/apps/lightloom.png")
    target = DIST / f"Lightloom-{VERSION}-{architecture()}.AppImage"
    run(target.name, [tool, "--no-appstream", tree, target], env={**os.environ, "ARCH": platform.machine()})
    return target


# -- Windows -------------------------------------------------------------------------------------------------

_VERSION_RESOURCE: Final = """VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0, OS=0x40004, fileType=1, subtype=0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable('040904B0', [
      StringStruct('FileDescription', 'Lightloom'),
      StringStruct('FileVersion', '{version}'),
      StringStruct('ProductName', 'Lightloom'),
      StringStruct('ProductVersion', '{version}'),
      StringStruct('LegalCopyright', 'The Lightloom authors; MIT licence'),
      StringStruct('OriginalFilename', 'lightloom.exe')])]),
    VarFileInfo([VarStruct('Translation', [0x409, 1200])])])
"""


def windows_version_file(path: Path) -> Path:
    """Write the version resource, as PyInstaller reads it."""
    numbers = tuple([*(int(part) for part in VERSION.split(".")), 0, 0, 0][:4])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_VERSION_RESOURCE.format(numbers=numbers, version=VERSION), encoding="utf-8")
    return path


def make_zip(level: int) -> Path:
    """Pack the folder as a portable archive for Windows."""
    name = f"lightloom-{VERSION}-windows-{architecture()}"
    staged = WORK / "zip" / name
    shutil.rmtree(staged.parent, ignore_errors=True)
    shutil.copytree(FOLDER, staged)
    print(f"-- {name}.zip", flush=True)
    return Path(shutil.make_archive(str(DIST / name), "zip", staged.parent, name))


def inno_compression(level: int) -> str:
    """Return Inno Setup's name of a compression for `--level`, 0 to 9."""
    return "lzma2/fast" if level < 4 else "lzma2/normal" if level < 7 else "lzma2/max"


def make_installer(level: int) -> Path:
    """Build the installer with Inno Setup's compiler.

    Raises:
        BuildError: it is missing, or failed.
    """
    compiler = os.environ.get("ISCC") or shutil.which("iscc")
    if not compiler:
        raise BuildError(
            "There is no Inno Setup compiler; install Inno Setup 6 and put ISCC on the PATH or name it in ISCC."
        )
    name = f"lightloom-{VERSION}-windows-{architecture()}-setup"
    icon = icons.render(WORK / "icons")["ico"]
    values = {
        "Version": VERSION,
        "Bundle": FOLDER,
        "Output": DIST,
        "Name": name,
        "Icon": icon,
        "Licence": ROOT / "LICENSE",
        "Compression": inno_compression(level),
    }
    defines = [f"/D{key}={value}" for key, value in values.items()]
    run(f"{name}.exe", [compiler, "/Qp", *defines, HERE / "windows" / "lightloom.iss"])
    return DIST / f"{name}.exe"


# -- macOS ---------------------------------------------------------------------------------------------------


def mac_identity() -> str | None:
    """Return the signing identity of LIGHTLOOM_MAC_IDENTITY; None signs ad hoc, which Apple's processors ask
    for at least.
    """
    return os.environ.get("LIGHTLOOM_MAC_IDENTITY") or None


def info_plist() -> dict[str, Any]:
    """Return what Info.plist says beyond PyInstaller's own keys."""
    documents = [
        {
            "CFBundleTypeName": name,
            "LSItemContentTypes": types,
            "CFBundleTypeRole": "Viewer",
            "LSHandlerRank": rank,
        }
        # Never the program that a double-click on a file of others chooses, unless the user says so.
        for name, types, rank in (
            ("Video", ["public.movie"], "Alternate"),
            ("Image", ["public.image"], "Alternate"),
            ("ONNX network", ["org.onnx.model"], "Alternate"),
            ("Lightloom look", [LOOK_TYPE], "Owner"),
        )
    ]
    return {
        "CFBundleDisplayName": "Lightloom",
        # What the system compares; PyInstaller writes the one that is shown.
        "CFBundleVersion": VERSION,
        "CFBundleDocumentTypes": documents,
        "UTImportedTypeDeclarations": [_file_type("org.onnx.model", "ONNX network", "onnx")],
        "UTExportedTypeDeclarations": [_file_type(LOOK_TYPE, "Lightloom look", "lightloom")],
        "LSApplicationCategoryType": "public.app-category.video",
        "LSMinimumSystemVersion": "14.0",
        "NSCameraUsageDescription": "Lightloom shows what filters and networks do to the camera's picture. It stays on this computer.",
        "NSMicrophoneUsageDescription": "Lightloom adds the microphone to recordings, and effects follow it, if you ask for that.",
        "NSLocalNetworkUsageDescription": "Lightloom opens the network streams whose addresses you type.",
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "The Lightloom authors; MIT licence",
    }


def _file_type(identifier: str, description: str, suffix: str) -> dict[str, Any]:
    return {
        "UTTypeIdentifier": identifier,
        "UTTypeDescription": description,
        "UTTypeConformsTo": ["public.data"],
        "UTTypeTagSpecification": {"public.filename-extension": [suffix]},
    }


def make_dmg(level: int) -> Path:
    """Pack Lightloom.app into a disk image with a link to Applications.

    Raises:
        BuildError: a step failed.
    """
    tree = WORK / "dmg"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    run("Copying Lightloom.app", ["ditto", FOLDER.parent / "Lightloom.app", tree / "Lightloom.app"])
    (tree / "Applications").symlink_to("/Applications")
    target = DIST / f"Lightloom-{VERSION}-macos-{architecture()}.dmg"
    target.unlink(missing_ok=True)
    run(
        target.name,
        ["hdiutil", "create", "-volname", "Lightloom", "-srcfolder", tree, "-format", "ULMO", target],
    )
    return target


# -- all of it -----------------------------------------------------------------------------------------------

MAKERS: Final[dict[str, Callable[[int], Path]]] = {
    "tar.xz": make_tar,
    "deb": make_deb,
    "appimage": make_appimage,
    "dmg": make_dmg,
    "zip": make_zip,
    "installer": make_installer,
}


def usual_formats() -> list[str]:
    """Return what this system makes without tools from elsewhere."""
    if sys.platform == "darwin":
        return ["dmg"]
    if sys.platform == "win32":
        return ["zip"]
    return ["tar.xz", *(["deb"] if shutil.which("dpkg-deb") else [])]


def record_sizes(archives: Sequence[Path]) -> None:
    """Write what the folder and its archives take into docs/packaging.md."""
    packed = {kind: path.stat().st_size for path in archives for kind in MAKERS if path.name.endswith(kind)}
    document = documented_sizes.DOCUMENT
    rows = documented_sizes.rows(sizes(FOLDER), packed)
    document.write_text(
        documented_sizes.renewed(document.read_text(encoding="utf-8"), rows), encoding="utf-8"
    )


def build(formats: Sequence[str], *, reuse: bool, level: int, record: bool) -> None:
    """Build wheel, folder and archives, and write the report of sizes beside them.

    Args:
        formats: keys of MAKERS, or "folder".
        reuse: take the last build's folder.
        level: how hard to compress.
        record: write the sizes into the documentation too.

    Raises:
        BuildError: a step failed, or something is too large.
    """
    WORK.mkdir(exist_ok=True)
    DIST.mkdir(exist_ok=True)
    if not reuse or not FOLDER.exists():
        make_folder(make_wheel())
    archives = [MAKERS[name](level) for name in formats if name != "folder"]
    write_checksums(
        [
            *archives,
            make_bill(),
            *DIST.glob(f"lightloom-{VERSION}-*.whl"),
            *DIST.glob(f"lightloom-{VERSION}.tar.gz"),
        ]
    )
    folder = FOLDER.parent / "Lightloom.app" if sys.platform == "darwin" else FOLDER
    report = size_report(folder, archives)
    (DIST / f"sizes-{sys.platform}-{architecture()}.txt").write_text(report, encoding="utf-8")
    print(report)
    check_sizes(folder, archives)
    if record:
        record_sizes(archives)


def main(arguments: Sequence[str]) -> int:
    """Build; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="tasks.py package", description="Build bundles and installers into dist/."
    )
    parser.add_argument(
        "format",
        nargs="*",
        choices=[[], "folder", *MAKERS],
        help="what to make (default: all that this system can)",
    )
    parser.add_argument("--reuse", action="store_true", help="take the folder of the last build as it is")
    parser.add_argument(
        "--level",
        type=int,
        choices=range(10),
        default=XZ_LEVEL,
        help="how hard to compress, where that can be chosen",
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="write the sizes into docs/packaging.md; on Linux, where they are documented",
    )
    options = parser.parse_args(arguments)
    if options.record and system() != "linux":
        parser.error("--record is for the bundle of Linux, whose sizes docs/packaging.md states")
    formats = options.format or usual_formats()
    try:
        build(formats, reuse=options.reuse, level=options.level, record=options.record)
    except (BuildError, ChangelogError, gpl_free.StubError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
