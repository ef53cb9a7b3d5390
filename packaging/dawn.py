"""Run tests on Dawn, the other WebGPU, through a software adapter that it starts on: `python3 tasks.py dawn`
calls this.

Dawn does not start on the llvmpipe of Debian 12 (Mesa 22.3), but does on 25.0, which Debian's backports have.
It is unpacked in build/dawn, so that everything else, and all other tests, have the system's.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "dawn"
# Dawn takes its llvmpipe; versions between 22.3 and it were not tried.
OLDEST_MESA = 25
_PACKAGES = ("mesa-vulkan-drivers", "libdrm2")


class Unavailable(Exception):
    """This machine has no software adapter that Dawn starts on, and none can be had; the text says why."""


def installed_mesa() -> int:
    """Return the main version of the Mesa of this system, as Debian's package says; 0 where there is none."""
    if shutil.which("dpkg-query") is None:
        return 0
    query = ["dpkg-query", "--show", "--showformat", "${Version}", _PACKAGES[0]]
    answer = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    main = answer.split(".")[0].split(":")[-1]
    return int(main) if main.isdigit() else 0


def own_release() -> str:
    """Return the name of this system's release, '' where it says none."""
    return platform.freedesktop_os_release().get("VERSION_CODENAME", "")


def unpack_mesa(folder: Path, release: str) -> dict[str, str]:
    """Unpack the Mesa of a release's backports in a folder, once; return the variables by which programs take
    its llvmpipe.

    Raises:
        Unavailable: this is not Debian, or its mirror has no backports of it.
    """
    place = folder / "mesa"
    driver = place / "lvp_icd.json"
    if not driver.exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        for package in _download(place, release):
            subprocess.run(["dpkg-deb", "-x", str(package), str(place)], check=True)
        library = next(place.rglob("libvulkan_lvp.so"))
        # The package's own names the library without its folder, which the system's would be found for.
        manifest = {
            "file_format_version": "1.0.0",
            "ICD": {"library_path": str(library), "api_version": "1.4.305"},
        }
        driver.write_text(json.dumps(manifest), encoding="utf-8")
    libraries = next(place.rglob("libvulkan_lvp.so")).parent
    return {"VK_DRIVER_FILES": str(driver), "LD_LIBRARY_PATH": str(libraries)}


def _download(place: Path, release: str) -> list[Path]:
    mirror = _mirror(release)
    sources = place / "sources.list"
    key = "/usr/share/keyrings/debian-archive-keyring.gpg"
    sources.write_text(f"deb [signed-by={key}] {mirror} {release}-backports main\n", encoding="utf-8")
    (place / "lists" / "partial").mkdir(parents=True)
    options = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": place / "lists",
        "Dir::Cache": place / "cache",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
    }
    apt = ["apt-get", "-qq", *(part for name, value in options.items() for part in ("-o", f"{name}={value}"))]
    for command in ([*apt, "update"], [*apt, "download", *_PACKAGES]):
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unavailable(f"no Mesa of {release}-backports ({done.stderr.strip()[-300:]})")
    return sorted(place.glob("*.deb"))


def _mirror(release: str) -> str:
    """Find where this system's own packages come from."""
    if shutil.which("apt-get") is None:
        raise Unavailable("no apt-get to get a newer Mesa with")
    query = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI) $(CODENAME)"]
    answer = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    rows = [line.split() for line in answer.splitlines()]
    for origin, mirror, codename in (row for row in rows if len(row) == 3):
        if origin == "Debian" and codename == release:
            return mirror
    raise Unavailable("no mirror of Debian among the system's sources")


def environment(folder: Path, release: str) -> dict[str, str]:
    """Make what is missing, and return this process's variables with those by which programs run on Dawn.

    Raises:
        Unavailable: this environment has no wgpudawn; see also `unpack_mesa`.
    """
    if importlib.util.find_spec("wgpudawn") is None:
        raise Unavailable("this environment has no wgpudawn (pip install '.[dawn]')")
    mesa = {} if installed_mesa() >= OLDEST_MESA else unpack_mesa(folder, release)
    found = {**os.environ, **mesa, "LIGHTLOOM_WEBGPU": "dawn"}
    libraries = (mesa.get("LD_LIBRARY_PATH"), os.environ.get("LD_LIBRARY_PATH"))
    if mesa:
        found["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, libraries))
    return found


def main(arguments: Sequence[str], folder: Path = FOLDER, release: str | None = None) -> int:
    """Run pytest with these arguments on Dawn and return its exit status; 0, with a line that says so, where
    Dawn cannot run.
    """
    try:
        variables = environment(folder, own_release() if release is None else release)
    except Unavailable as reason:
        print(f"-- Dawn: NOT TRIED, {reason}", flush=True)
        return 0
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
