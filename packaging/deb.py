"""The Debian package: where each file lies, what it depends on. The AppImage has the same layout under usr/."""

from __future__ import annotations

import datetime
import gzip
import hashlib
import os
import re
import shutil
from pathlib import Path
from typing import Final

from debian_changelog import debian_changelog

HERE: Final = Path(__file__).resolve().parent
ARCHITECTURES: Final = {"x86_64": "amd64", "arm64": "arm64"}

# What the wheels' libraries take from the system (packaging/trim.py says why it is not bundled), beside
# libc6. Names with "t64" are those of Debian 13 and Ubuntu 24.04.
DEPENDS: Final = (
    "libstdc++6", "libgcc-s1", "zlib1g", "libzstd1", "libffi8", "libssl3t64 | libssl3", "libexpat1",
    "libvulkan1", "libegl1", "libgl1", "libdbus-1-3", "libfontconfig1", "libfreetype6", "libglib2.0-0t64 | libglib2.0-0",
    "libx11-6", "libx11-xcb1", "libxcb1", "libxcb-glx0", "libxcb-randr0", "libxcb-render0", "libxcb-shape0", "libxcb-shm0",
    "libxcb-sync1", "libxcb-xfixes0",
)  # fmt: skip
# A driver for the GPU, which nobody but the user can choose: Mesa's unless another one is there.
RECOMMENDS: Final = (
    "mesa-vulkan-drivers | vulkan-icd",
    "fonts-dejavu-core | fonts-freefont-ttf",
    "libwayland-client0",
    "xdg-desktop-portal",
)

# The project has no mail server yet, and a name that ends in "invalid" never gets one (RFC 2606). Whoever
# publishes packages sets the variables that Debian's own tools read.
_NO_NAME, _NO_ADDRESS = "The Lightloom authors", "maintainers@lightloom.invalid"

_GLIBC: Final = re.compile(rb"\0GLIBC_2\.(\d+)(?=[.\0])")

_CONTROL: Final = """Package: lightloom
Version: {version}
Section: video
Priority: optional
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: {depends}
Recommends: {recommends}
Description: GPU filters and neural networks on live video
 Lightloom shows what GPU filters and neural networks do to a camera, a video
 file, an image or a stream. Everything runs in one GPU pipeline on any
 vendor's graphics card; without one it runs on the processor.
"""

_COPYRIGHT: Final = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Lightloom
Comment: The terms of the bundled libraries are in /usr/lib/lightloom/_internal/licences.

Files: *
Copyright: 2026 The Lightloom authors
License: Expat

Files: usr/lib/lightloom/_internal/PySide6/* usr/lib/lightloom/_internal/shiboken6/*
Copyright: The Qt Company Ltd. and other contributors
License: LGPL-3

Files: usr/lib/lightloom/_internal/av.libs/*
Copyright: The FFmpeg developers, and those of the libraries that FFmpeg uses
License: LGPL-3+
Comment: /usr/lib/lightloom/_internal/licences/about.md has each library.

License: Expat
{licence}

License: LGPL-3
 On Debian systems, the text of the GNU Lesser General Public License version 3 is in
 /usr/share/common-licenses/LGPL-3.

License: LGPL-3+
 Version 3 of the GNU Lesser General Public License or any later version. On Debian systems,
 the text of version 3 is in /usr/share/common-licenses/LGPL-3.
"""


def maintainer() -> str:
    """Return name and address of the package's maintainer: of DEBFULLNAME and DEBEMAIL where they are set."""
    return f"{os.environ.get('DEBFULLNAME') or _NO_NAME} <{os.environ.get('DEBEMAIL') or _NO_ADDRESS}>"


def glibc_version(bundle: Path) -> str:
    """Return the newest version of glibc that a library of the bundle asks for, e.g. "2.36"."""
    newest = max(
        (
            int(minor)
            for path in bundle.rglob("*")
            if _is_library(path)
            for minor in _GLIBC.findall(path.read_bytes())
        ),
        default=17,
    )
    return f"2.{newest}"


def _is_library(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and (".so" in path.name or path.name == "lightloom")


def lay_out_program(tree: Path, bundle: Path, pictures: dict[str, Path], channel: str) -> None:
    """Lay the program and what menus and file managers read into `tree`/usr.

    Args:
        tree: the root.
        bundle: PyInstaller's folder.
        pictures: the icons by size, as `icons.render` returns them.
        channel: what keeps it up to date; the program says how (desktop/net/updates.py).
    """
    share = tree / "usr" / "share"
    (tree / "usr" / "bin").mkdir(parents=True)
    shutil.copytree(bundle, tree / "usr" / "lib" / "lightloom", symlinks=True)
    (tree / "usr" / "lib" / "lightloom" / "installed-by.txt").write_text(f"{channel}\n", encoding="ascii")
    (tree / "usr" / "bin" / "lightloom").symlink_to("../lib/lightloom/lightloom")
    for name, place in (
        ("lightloom.desktop", "applications"),
        ("lightloom.xml", "mime/packages"),
        ("org.lightloom.Lightloom.metainfo.xml", "metainfo"),
    ):
        (share / place).mkdir(parents=True)
        shutil.copy(HERE / "linux" / name, share / place / name)
    icons = share / "icons" / "hicolor"
    for size, picture in pictures.items():
        if size.isdecimal() and int(size) <= 512:
            apps = icons / f"{size}x{size}" / "apps"
            apps.mkdir(parents=True)
            shutil.copy(picture, apps / "lightloom.png")
    (icons / "scalable" / "apps").mkdir(parents=True)
    shutil.copy(
        HERE.parent / "assets" / "icons" / "lightloom.svg", icons / "scalable" / "apps" / "lightloom.svg"
    )


def lay_out(
    tree: Path, bundle: Path, pictures: dict[str, Path], version: str, architecture: str, built: int
) -> None:
    """Lay out the whole package for dpkg-deb in `tree`, which is made anew.

    The caches of icons, menus and MIME types need no scripts: the packages that own them have triggers on
    these folders.

    Args:
        tree: the root.
        bundle: PyInstaller's folder.
        pictures: the icons by size, as `icons.render` returns them.
        version: of the program.
        architecture: as dpkg names it.
        built: the time of the build in seconds since 1970.

    Raises:
        debian_changelog.ChangelogError: CHANGELOG.md cannot be read as one.
    """
    shutil.rmtree(tree, ignore_errors=True)
    lay_out_program(tree, bundle, pictures, "deb")
    _lay_out_documents(tree / "usr" / "share", version, built)
    # No umask of the builder's may reach the users, and no library is a program.
    for path in [tree, *tree.rglob("*")]:
        if not path.is_symlink():
            runs = path.is_dir() or (os.access(path, os.X_OK) and ".so" not in path.name)
            path.chmod(0o755 if runs else 0o644)
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    (tree / "DEBIAN").mkdir(mode=0o755)
    control = _CONTROL.format(
        version=version,
        architecture=architecture,
        maintainer=maintainer(),
        size=sum(path.stat().st_size for path in files) // 1024,
        depends=", ".join([f"libc6 (>= {glibc_version(bundle)})", *DEPENDS]),
        recommends=", ".join(RECOMMENDS),
    )
    (tree / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    # dpkg --verify compares with it; MD5 is what the format has, and is no protection.
    sums = [
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(tree)}\n"
        for path in files
    ]
    (tree / "DEBIAN" / "md5sums").write_text("".join(sums), encoding="utf-8")


def _lay_out_documents(share: Path, version: str, built: int) -> None:
    """Write licence, changelog, manual pages and what lintian is not to report into usr/share."""
    # It imports Lightloom, which a build installs on its way: at its start there is none, or the last build's.
    import man_pages

    document = share / "doc" / "lightloom"
    document.mkdir(parents=True)
    licence = (HERE.parent / "LICENSE").read_text(encoding="utf-8").split("\n\n", 2)[2]
    indented = "\n".join(f" {line}" if line.strip() else " ." for line in licence.strip().splitlines())
    (document / "copyright").write_text(_COPYRIGHT.format(licence=indented), encoding="utf-8")
    changelog = (HERE.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    _write_compressed(document / "changelog.gz", debian_changelog(changelog, maintainer(), built))
    manual = share / "man" / "man1"
    manual.mkdir(parents=True)
    date = datetime.datetime.fromtimestamp(built, datetime.UTC).date()
    for name, text in man_pages.pages(version, date).items():
        _write_compressed(manual / f"{name}.gz", text)
    overrides = share / "lintian" / "overrides"
    overrides.mkdir(parents=True)
    shutil.copy(HERE / "linux" / "lintian-overrides", overrides / "lightloom")


def _write_compressed(path: Path, text: str) -> None:
    """Write a text as Debian keeps them: by gzip, without a time in it."""
    path.write_bytes(gzip.compress(text.encode("utf-8"), 9, mtime=0))
