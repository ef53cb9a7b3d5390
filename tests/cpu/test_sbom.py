"""The bill of materials, of a folder that is laid out as a bundle is. Its schema is checked by the library's
own validator.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from datetime import UTC, datetime
from pathlib import PurePosixPath

import pytest
from test_channels import load

sbom = load("sbom")
MADE = datetime(2026, 11, 22, 5, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path):
    for place in (
        "av/_core.abi3.so", "av.libs/libavcodec-5e6b81c2.so.62.28.102", "av.libs/libx264-d6533a8d.so.165", "numpy/core.so",
        "numpy.libs/libscipy_openblas64_-32a4b2a6.so", "PySide6/Qt/lib/libQt6Core.so.6", "wgpu/resources/libwgpu_native-release.so",
        "wgpudawn/_lib/_wgpu_dawn.abi3.so", "libpython3.11.so.1.0", "libxcb-cursor.so.0",
        "_cffi_backend.cpython-311-x86_64-linux-gnu.so", "desktop/shaders/x.wgsl",
    ):  # fmt: skip
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(place.encode())
    (tmp_path / "libQt6Core.so.6").symlink_to("PySide6/Qt/lib/libQt6Core.so.6")
    return tmp_path


NAMES = ["av", "numpy", "PySide6_Essentials", "wgpu", "cffi", "onnxruntime"]


def test_every_native_file_is_below_what_it_belongs_to(folder):
    bill = json.loads(sbom.text(sbom.bill("9.8.7", NAMES, folder, {"FFmpeg": "8.1.2"}, MADE)))
    assert bill["bomFormat"] == "CycloneDX" and bill["specVersion"] == "1.6"
    about = bill["metadata"]["component"]
    assert (about["name"], about["version"], about["licenses"]) == (
        "lightloom",
        "9.8.7",
        [{"license": {"id": "MIT"}}],
    )
    owned = {
        file["properties"][0]["value"]: (component["name"], file["hashes"][0])
        for component in bill["components"]
        for file in component.get("components", ())
    }
    assert {place: owner for place, (owner, _) in owned.items()} == {
        "av/_core.abi3.so": "av",
        "av.libs/libavcodec-5e6b81c2.so.62.28.102": "FFmpeg",
        "av.libs/libx264-d6533a8d.so.165": "Lightloom's stand-ins for x264 and x265",
        "numpy/core.so": "numpy",
        "numpy.libs/libscipy_openblas64_-32a4b2a6.so": "OpenBLAS",
        "PySide6/Qt/lib/libQt6Core.so.6": "Qt",
        "wgpu/resources/libwgpu_native-release.so": "wgpu-native",
        "wgpudawn/_lib/_wgpu_dawn.abi3.so": "Dawn",
        "libpython3.11.so.1.0": "CPython",
        "libxcb-cursor.so.0": "XCB",
        "_cffi_backend.cpython-311-x86_64-linux-gnu.so": "cffi",
    }
    for place, (_, digest) in owned.items():
        assert digest == {"alg": "SHA-256", "content": hashlib.sha256(place.encode()).hexdigest()}
    parts = {component["name"]: component for component in bill["components"]}
    assert set(NAMES) <= set(parts), "also what has no native file"
    assert parts["FFmpeg"]["purl"] == "pkg:generic/ffmpeg@8.1.2"
    assert parts["FFmpeg"]["licenses"] == [{"license": {"id": "LGPL-3.0-or-later"}}]
    assert parts["Dawn"]["licenses"] == [{"expression": "BSD-3-Clause AND Apache-2.0"}]
    assert parts["wgpu"]["licenses"] == [{"license": {"name": "BSD 2-Clause License"}}]
    assert all(component["licenses"] for component in bill["components"])


def test_a_library_that_nobody_has_named_stops_the_build(folder):
    (folder / "av.libs" / "libnewcodec-12345678.so.3").write_bytes(b"x")
    with pytest.raises(sbom.SbomError, match="libnewcodec"):
        sbom.bill("9.8.7", NAMES, folder, {}, MADE)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("av.libs/avcodec-62-1b2c.dll", "FFmpeg"),
        ("av/__dot__dylibs/libx265.216.dylib", "Lightloom's stand-ins for x264 and x265"),
        ("PySide6/Qt6Core.dll", "Qt"),
        ("libcrypto-3.dll", "OpenSSL"),
        ("av.libs/libiconv-2-5e7e51fe.dll", "GNU libiconv"),
        ("av.libs/libvmaf-e1698aa5.dll", "VMAF"),
        ("av.libs/zlib1-4d767210.dll", "zlib"),
        ("numpy.libs/msvcp140-a4c2229b.dll", "Visual C++ runtime"),
        ("vcruntime140_1.dll", "Visual C++ runtime"),
        ("python311.dll", "CPython"),
        ("wgpu/resources/wgpu_native-release.dll", "wgpu-native"),
        ("PySide6/plugins/platforms/libqxcb.so", "Qt"),
        ("onnxruntime/capi/onnxruntime_pybind11_state.pyd", None),
        ("PySide6/QtCore.abi3.so", None),
    ],
)
def test_names_of_all_systems(place, name):
    found = sbom.library_of(PurePosixPath(place))
    assert (found.name if found else None) == name


def test_the_versions_are_asked_for():
    versions = sbom.library_versions()
    assert {"FFmpeg", "Qt", "OpenBLAS", "CPython", "wgpu-native"} <= set(versions)
    assert ("Dawn" in versions) is (importlib.util.find_spec("wgpudawn") is not None)
    assert all(text[0].isdigit() for text in versions.values())


def test_the_licences_page_names_them_all():
    page = (sbom.licences.ROOT / "packaging" / "licences" / "about.md").read_text()
    named = [
        library.name
        for library in sbom.LIBRARIES
        if not library.name.startswith(("Lightloom", "GCC", "CPython", "XCB"))
    ]
    for name in named:
        assert name.removeprefix("GNU ").split()[0].lower() in page.lower(), name
