"""Build, install, use and uninstall what people of Windows download, all under Wine."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Final

from commands import LIMIT_S, Outcome, timed
from debian import Bound, Root, WineError
from session import Session, begin
from windows_python import PROGRAM, make_python

# npm has Inno Setup's compiler, packed by its users.
INNO: Final = "innosetup@6.4.1"
INNO_SHA256: Final = "fc36b763a729c8964416552d733f4864ac4a4934d0a6569e20c2feb4c29b9684"
INNO_PLACE: Final = "/srv/inno"
# Stand-ins that the installed program needs, as it would beside python.exe.
STAND_INS: Final = ("llm-ms-win-crt-math-l1-1-0.dll", "icuuc.dll", "mscms.dll", "d3d12.dll")
APP: Final = r"C:\Lightloom"
_APP_HERE: Final = Path("prefix", "drive_c", "Lightloom")
_KEY: Final = (
    r"HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall\{6C1E3F0B-6B38-4E3A-9E0C-5B7E2C9A4D11}_is1"
)
# PyInstaller takes minutes, LZMA of 350 MB on two slow cores too.
BUILD_S: Final = 3600
_WITH_COMPILER: Final = """
cd /srv/lightloom
python3 packaging/windows/wine/relay_compiler.py --serve &
wine "$@"
"""


def make_inno(cache: Path) -> Path:
    """Unpack Inno Setup's compiler below `cache`, or take the one that is there; return its folder.

    Raises:
        WineError: npm is missing, no longer has the compiler, or delivers a file with another checksum.
    """
    folder = cache / f"inno-{INNO_SHA256[:10]}"
    if folder.exists():
        return folder
    if shutil.which("npm") is None:
        raise WineError(
            f"Inno Setup's compiler comes from npm ({INNO}), which is not installed; install it "
            "(Debian: apt-get install npm) and run this again."
        )
    downloads = cache / "downloads" / "inno"
    shutil.rmtree(downloads, ignore_errors=True)
    downloads.mkdir(parents=True)
    done = subprocess.run(
        ["npm", "pack", "--silent", INNO], cwd=downloads, capture_output=True, text=True, check=False
    )
    archive = next(downloads.glob("*.tgz"), None)
    if done.returncode or archive is None:
        raise WineError(
            f"npm has no {INNO}: {done.stderr.strip()[-300:]}; check the network and run this again."
        )
    if hashlib.sha256(archive.read_bytes()).hexdigest() != INNO_SHA256:
        raise WineError(
            f"What npm gave for {INNO} is not the file that was tried; name another in {Path(__file__).name}."
        )
    with tarfile.open(archive) as tar:
        tar.extractall(folder.with_suffix(".part"), filter="data")
    (folder.with_suffix(".part") / "package" / "bin").rename(folder)
    shutil.rmtree(folder.with_suffix(".part"))
    return folder


def run_package(cache: Path, root: Root, *, reuse: bool) -> list[Outcome]:
    """Build the bundle and the installer, install silently, use and uninstall; each in sight.

    Args:
        cache: holds what is made.
        root: Debian with Wine.
        reuse: take the last run's bundle, where there is one.

    Raises:
        WineError: something that is needed cannot be had.
    """
    inno, python = make_inno(cache), make_python(cache, root, "package")
    inno_bound = [Bound(inno, INNO_PLACE)]
    session = begin(cache, root, python, None, more=inno_bound, keep="build" if reuse else "")
    steps = {
        "bundle": lambda: _build(session, "folder", *(["--reuse"] if reuse else [])),
        "installer": lambda: _build(session, "installer", "--reuse"),
        "install": lambda: _install(session, python),
        "version": lambda: _use(session, ["--version"], "lightloom "),
        "doctor": lambda: _use(session, ["doctor"], "Compute: "),
        "process": lambda: _process(session),
        "uninstall": lambda: _uninstall(session),
    }
    outcomes: list[Outcome] = []
    for name, step in steps.items():
        outcomes.append(timed(name, step))
        if outcomes[-1].fault:
            break
    return outcomes


def _build(session: Session, *arguments: str) -> str:
    compiler = f"{PROGRAM} Z:\\srv\\lightloom\\packaging\\windows\\wine\\relay_compiler.py"
    more = {
        "CC": compiler,
        "ISCC": "Z:\\srv\\inno\\ISCC.exe",
        "LIGHTLOOM_CONFIG": "",
        "QT_QPA_PLATFORM": "offscreen",
    }
    command = ["sh", "-c", _WITH_COMPILER, "sh", PROGRAM, r"packaging\build.py", *arguments]
    done = session.root.run(command, session.variables(more), limit_s=BUILD_S)
    (session.out / f"build-{arguments[0]}.txt").write_text(done.stdout, encoding="utf-8")
    return "" if done.returncode == 0 else f"Exit status {done.returncode}: {done.stdout.strip()[-1500:]}"


def _install(session: Session, python: Path) -> str:
    setup = next((session.work / "lightloom" / "dist").glob("*-setup.exe"), None)
    if setup is None:
        return "There is no installer in dist."
    # Of a run that was broken off.
    shutil.rmtree(session.work / _APP_HERE, ignore_errors=True)
    # For all users: Wine has no folder for one user's programs (FOLDERID_UserProgramFiles), which the other mode
    # asks for even with /DIR.
    silent = [
        "/ALLUSERS",
        "/VERYSILENT",
        "/SUPPRESSMSGBOXES",
        "/NORESTART",
        f"/DIR={APP}",
        "/TASKS=path,openonnx",
        "/INSTALLEDBY=wine",
    ]
    done = session.wine([f"Z:\\srv\\lightloom\\dist\\{setup.name}", *silent], limit_s=900, with_others=True)
    app = session.work / _APP_HERE
    if done.returncode or not (app / "lightloom-cli.exe").exists():
        return f"Exit status {done.returncode}: {done.stdout.strip()[-800:]}"
    if not (app / "installed-by.txt").exists():
        return "It has not noted who installed it (/INSTALLEDBY)."
    for name in STAND_INS:
        if (python / name).exists():
            shutil.copy2(python / name, app / name)
    return "" if _registered(session) else "It is not in Windows' list of programs."


def _registered(session: Session) -> bool:
    # Wine starts the reg.exe of 32 bits, which sees another part of the registry.
    return session.wine(["reg", "query", _KEY, "/reg:64"], limit_s=LIMIT_S).returncode == 0


def _use(session: Session, arguments: list[str], says: str) -> str:
    done = session.wine([rf"{APP}\lightloom-cli.exe", *arguments], limit_s=LIMIT_S, folder="/srv/out")
    return (
        ""
        if done.returncode == 0 and says in done.stdout
        else f"Exit status {done.returncode}: {done.stdout[-800:]}"
    )


def _process(session: Session) -> str:
    target = "installed.png"
    fault = _use(
        session,
        [
            "process",
            "sample:320x180@30",
            "--filter",
            "sepia",
            "--max-frames",
            "1",
            "-o",
            f"Z:\\srv\\out\\{target}",
        ],
        "",
    )
    return fault or ("" if (session.out / target).exists() else f"It wrote no {target}.")


def _uninstall(session: Session) -> str:
    app = session.work / _APP_HERE
    for name in STAND_INS:
        (app / name).unlink(missing_ok=True)
    # The uninstaller copies itself, starts the copy and ends.
    done = session.wine(
        ["cmd", "/c", "start", "/wait", rf"{APP}\unins000.exe", "/VERYSILENT", "/SUPPRESSMSGBOXES"],
        limit_s=LIMIT_S,
        with_others=True,
    )
    if done.returncode:
        return f"Exit status {done.returncode}: {done.stdout.strip()[-800:]}"
    left = sorted(path.name for path in app.rglob("*") if path.is_file()) if app.exists() else []
    if left:
        return f"These files stayed: {', '.join(left[:10])}."
    return "It is still in Windows' list of programs." if _registered(session) else ""
