"""Reports about faulty drivers: made-up adapters, and the one of this machine."""

from __future__ import annotations

import re

import pytest

from desktop.compute.gpu.device import AdapterInfo, list_adapters
from desktop.compute.gpu.driver_faults import driver_version, known_fault
from desktop.diagnostics import driver_finding, examine

_LLVMPIPE = "llvmpipe (LLVM 15.0.6, 256 bits)"


def adapter(driver, name=_LLVMPIPE, kind="software", backend="Vulkan"):
    return AdapterInfo(name, kind, backend, "vendor", driver)


@pytest.mark.parametrize(
    "driver",
    ["Mesa 22.3.6 (LLVM 15.0.6)", "Mesa 24.3.4-1 (LLVM 19.1.7)", "4.5 (Core Profile) Mesa 22.3.6", "Mesa 9"],
)
def test_an_old_llvmpipe_is_told_of(driver):
    found = driver_finding(adapter(driver))
    assert found.ok and found.warns and found.mark == "warn"
    assert found.detail.startswith(driver) and "Mesa 25.0 or newer" in found.detail
    assert "65,535" in found.detail and "bookworm-backports" in found.detail


@pytest.mark.parametrize(
    "info",
    [
        adapter("Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)"),
        adapter("Mesa 25.0.0"),
        adapter("Mesa 100.1"),
        adapter("Mesa"),
        adapter(""),
        adapter("Mesa 22.3.6", "AMD Radeon RX 6800 (RADV NAVI21)", "discrete"),
        adapter("580.82.07", "NVIDIA H100 80GB HBM3", "discrete"),
        adapter("10.0.22621.1", "Microsoft Basic Render Driver", backend="D3D12"),
    ],
)
def test_others_are_not(info):
    assert known_fault(info) is None
    found = driver_finding(info)
    assert found.ok and not found.warns and info.driver in found.detail


def test_versions_are_read_as_numbers():
    assert driver_version("Mesa 22.3.6 (LLVM 15.0.6)", "Mesa") == (22, 3, 6)
    assert driver_version("4.5 (Core Profile) Mesa 25.0.7-2~bpo12+1", "Mesa") == (25, 0, 7)
    assert driver_version("LibMesa 22.3", "Mesa") is None


def test_this_machine_s_adapter_is_judged_by_its_own_words():
    """The version that the driver states decides, read here by another way."""
    for info in list_adapters():
        stated = re.findall(r"Mesa ([0-9]+)\.", info.driver)
        expected = info.name.startswith("llvmpipe") and bool(stated) and int(stated[0]) < 25
        assert (known_fault(info) is not None) == expected, info


def test_doctor_warns_and_is_content():
    findings = {finding.what: finding for finding in examine()}
    assert findings["Driver"].ok and findings["Compute"].ok
    assert findings["Driver"].warns == (known_fault(list_adapters()[0]) is not None)
