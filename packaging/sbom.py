"""The bill of materials of a bundle: CycloneDX 1.6 in JSON, made from what is in its folder, not from what
was asked for.

Components: the Python distributions whose modules are in the bundle, with their native files below them
(SHA-256 each); the libraries that wheels carry without naming them in their metadata (FFmpeg, Qt,
wgpu-native, Dawn, OpenBLAS, ...); CPython; libraries of the system. A native library of a wheel's `.libs` folder
that nobody has named stops the build, so that a new one gets its name and licence here.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import re
import ssl
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

import licences
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL


class Library(NamedTuple):
    """A library that a wheel carries: its name, its licence (SPDX), and where its version is found."""

    name: str
    terms: str
    pattern: re.Pattern[str]


def _library(name: str, terms: str, files: str) -> Library:
    return Library(name, terms, re.compile(rf"(lib)?({files})([-_.\d].*)?"))


# By the names of their files in the wheels; packaging/licences/about.md has the sources.
LIBRARIES: Final = (
    _library("FFmpeg", "LGPL-3.0-or-later", "avcodec|avdevice|avfilter|avformat|avutil|swresample|swscale"),
    _library("Lightloom's stand-ins for x264 and x265", "MIT", "x264|x265"),
    _library("SVT-AV1", "BSD-3-Clause-Clear", "SvtAv1Enc"),
    _library("dav1d", "BSD-2-Clause", "dav1d"),
    _library("ALSA library", "LGPL-2.1-or-later", "asound"),
    _library("libdrm", "MIT", "drm"),
    _library("GNU MP", "LGPL-3.0-or-later", "gmp"),
    _library("GnuTLS", "LGPL-2.1-or-later", "gnutls"),
    _library("Nettle", "LGPL-3.0-or-later", "nettle|hogweed"),
    _library("LAME", "LGPL-2.0-or-later", "mp3lame"),
    _library("OpenCORE AMR", "Apache-2.0", "opencore-amr(nb|wb)"),
    _library("Opus", "BSD-3-Clause", "opus"),
    _library("libwebp", "BSD-3-Clause", "webp|webpmux|sharpyuv"),
    _library("GNU libunistring", "LGPL-3.0-or-later", "unistring"),
    _library("Intel VPL", "MIT", "vpl"),
    _library("libvpx", "BSD-3-Clause", "vpx"),
    _library("XCB", "MIT", r"xcb(-\w+)*|Xau"),
    _library("OpenBLAS", "BSD-3-Clause", r"scipy_openblas\w*|openblas\w*"),
    _library("GNU Fortran runtime", "GPL-3.0-or-later WITH GCC-exception-3.1", "gfortran"),
    _library("libquadmath", "LGPL-2.1-or-later", "quadmath"),
    _library("GCC runtime", "GPL-3.0-or-later WITH GCC-exception-3.1", "gcc_s.*|stdc\\+\\+|gomp|winpthread"),
    # Windows' wheels carry these four.
    _library("VMAF", "BSD-2-Clause-Patent", "vmaf"),
    _library("zlib", "Zlib", "zlib|z"),
    _library("GNU libiconv", "LGPL-2.1-or-later", "iconv"),
    _library(
        "Visual C++ runtime", "LicenseRef-Microsoft-Visual-Cpp-Redistributable", "msvcp|vcruntime|concrt"
    ),
    _library("wgpu-native", "MIT OR Apache-2.0", r"wgpu_native\w*"),
    # With its shader compiler Tint, Abseil and SPIRV-Tools inside it.
    _library("Dawn", "BSD-3-Clause AND Apache-2.0", "_wgpu_dawn"),
    _library("OpenSSL", "Apache-2.0", r"ssl|crypto"),
    _library("CPython", "PSF-2.0", r"python\d[\d.]*"),
    _library("Qt", "LGPL-3.0-only", r"Qt\d\w*|icu\w+|q\w+"),
)
_NATIVE: Final = re.compile(r".*\.(so|pyd|dll|dylib)(\.[\d.]+)?")


class SbomError(Exception):
    """The bill cannot be made as it should be; one sentence."""


def library_of(place: PurePosixPath) -> Library | None:
    """Return the library that a native file of a bundle belongs to by its name, None for a Python extension
    or what is not known.
    """
    for library in LIBRARIES:
        qt = library.name == "Qt"
        if qt == ("PySide6" in place.parts) and library.pattern.fullmatch(_stem(place)):
            return library
    return None


def _stem(place: PurePosixPath) -> str:
    return re.split(r"\.(?:so|dll|dylib|abi3|cpython)\b", place.name)[0]


def native(folder: Path) -> list[PurePosixPath]:
    """Return the native libraries of a bundle's folder, sorted, without the links among them."""
    return sorted(
        PurePosixPath(path.relative_to(folder).as_posix())
        for path in folder.rglob("*")
        if _NATIVE.fullmatch(path.name) and path.is_file() and not path.is_symlink()
    )


def bill(version: str, names: Sequence[str], folder: Path, versions: dict[str, str], made: datetime) -> Bom:
    """Return the bill.

    Args:
        version: Lightloom's.
        names: the Python distributions in the bundle.
        folder: what holds the packages: `_internal` of a bundle.
        versions: of the libraries of `LIBRARIES` whose version is known, by name.
        made: the time that the bill bears.

    Raises:
        SbomError: a wheel carries a library that `LIBRARIES` does not name.
    """
    bom = Bom()
    bom.metadata.timestamp = made
    bom.metadata.component = root = Component(
        type=ComponentType.APPLICATION,
        name="lightloom",
        version=version,
        bom_ref=f"lightloom@{version}",
        purl=PackageURL("pypi", None, "lightloom", version),
        licenses=[LicenseFactory().make_from_string("MIT")],
    )
    owners = _owners(names)
    parts: dict[str, Component] = {name: _distribution(name) for name in names}
    for place in native(folder):
        library = library_of(place)
        if library is None and any(part.endswith(".libs") for part in place.parts):
            raise SbomError(
                f"The bundle has {place}, whose name and licence are not known; add it to packaging/sbom.py and licences/about.md."
            )
        owner = library.name if library else owners.get(place.parts[0].partition(".")[0], "CPython")
        if owner not in parts:
            parts[owner] = _native_library(owner, library, versions.get(owner))
        parts[owner].components.add(_file(place, folder / place))
    bom.components.update(parts.values())
    bom.register_dependency(root, parts.values())
    return bom


def _owners(names: Sequence[str]) -> dict[str, str]:
    """Return the distribution of each top-level name in a bundle."""
    providers = importlib.metadata.packages_distributions()
    return {
        module: next(name for name in found if name in names)
        for module, found in providers.items()
        if set(found) & set(names)
    }


def _distribution(name: str) -> Component:
    version = importlib.metadata.version(name)
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=version,
        bom_ref=f"pypi:{name}@{version}",
        purl=PackageURL("pypi", None, name.lower().replace("_", "-"), version),
        licenses=[LicenseFactory().make_from_string(_terms(name))],
    )


def _terms(name: str) -> str:
    """Return a distribution's terms; where its metadata has the text alone, the first line of it."""
    stated = licences.terms(name)
    if stated != "see below":
        return stated
    text = str(importlib.metadata.metadata(name)["License"] or "") or licences.texts(name)[0][1]
    return next(line.strip() for line in text.splitlines() if line.strip())


def _native_library(name: str, library: Library | None, version: str | None) -> Component:
    return Component(
        type=ComponentType.LIBRARY,
        name=name,
        version=version,
        bom_ref=f"native:{name}",
        purl=PackageURL("generic", None, name.lower().replace(" ", "-"), version) if version else None,
        licenses=[LicenseFactory().make_from_string(library.terms if library else "PSF-2.0")],
    )


def _file(place: PurePosixPath, file: Path) -> Component:
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return Component(
        type=ComponentType.FILE,
        name=place.name,
        bom_ref=f"file:{place}",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        properties=[Property(name="lightloom:place", value=place.as_posix())],
    )


def library_versions() -> dict[str, str]:
    """Return the versions of libraries that say theirs: from the packages of this environment, not from a
    list.
    """
    import av
    import numpy as np
    from PySide6.QtCore import qVersion
    from wgpu.backends.wgpu_native import __version__ as wgpu_native

    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]  # type: ignore[call-overload]
    versions = {
        "FFmpeg": str(av.ffmpeg_version_info),
        "Qt": qVersion(),
        "OpenBLAS": str(blas.get("version", "")),
        "OpenSSL": ssl.OPENSSL_VERSION.split()[1],
        "CPython": sys.version.split()[0],
        "wgpu-native": wgpu_native,
        "Dawn": _dawn_version(),
    }
    return {name: version for name, version in versions.items() if version}


def _dawn_version() -> str:
    """Return the version of wgpudawn's Dawn, "" where there is none."""
    if importlib.util.find_spec("wgpudawn") is None:
        return ""
    return str(importlib.import_module("wgpudawn._lib").dawn_version).removeprefix("v")


def text(bom: Bom) -> str:
    """Return a bill as JSON.

    Raises:
        SbomError: it does not fit CycloneDX's schema.
    """
    written = JsonV1Dot6(bom).output_as_string(indent=2)
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(written):
        raise SbomError(f"The bill of materials is not valid: {error}")
    return written + "\n"


def write(path: Path, version: str, names: Sequence[str], folder: Path, epoch: int) -> None:
    """Write a bundle's bill.

    Args:
        path: the file.
        version: Lightloom's.
        names: the Python distributions in the bundle.
        folder: see `bill`.
        epoch: the time that it bears, in seconds since 1970.

    Raises:
        SbomError: see `bill` and `text`.
    """
    made = datetime.fromtimestamp(epoch, UTC)
    path.write_text(text(bill(version, names, folder, library_versions(), made)), encoding="utf-8")
