"""Check the system requirements, for `lightloom doctor` and Help > About > Copy diagnostics."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import LightloomError
from desktop.base.paths import (
    user_config_folder,
    user_filter_folder,
    user_log_folder,
    user_model_folder,
    user_preset_folder,
)
from desktop.base.plugins import is_off, loaded, offers
from desktop.base.version import extra_command, package_version, version
from desktop.base.webgpu import VARIABLE, chosen
from desktop.compute.gpu.device import AdapterInfo, Gpu, list_adapters
from desktop.compute.gpu.driver_faults import known_fault
from desktop.compute.gpu.native.compiled import compiled_loop
from desktop.compute.gpu.webgpu import Versions, records_native, versions_in_use
from desktop.compute.gpu.wgpu_native import version as wgpu_version

_PACKAGES: Final = (
    "wgpu",
    "rendercanvas",
    "PySide6_Essentials",
    "av",
    "numpy",
    "onnxruntime",
)


@dataclass(frozen=True)
class Finding:
    """One line of the report. `warns`: it works, but something should be done."""

    what: str
    ok: bool
    detail: str
    warns: bool = False

    @property
    def mark(self) -> str:
        """'ok', 'warn' or 'FAIL'."""
        return ("warn" if self.warns else "ok") if self.ok else "FAIL"


def _python() -> str:
    return f"{platform.python_version()} on {platform.platform()}"


def _packages() -> str:
    names = [*_PACKAGES, *(["wgpudawn"] if chosen().name == "dawn" else [])]
    return ", ".join([f"lightloom {version()}", *(f"{name} {package_version(name)}" for name in names)])


def _webgpu() -> str:
    chosen().check()
    if os.environ.get(VARIABLE):
        how = f"chosen by {VARIABLE}"
    elif chosen().chosen_for is not None:
        how = f"the faster one on {chosen().chosen_for}; {VARIABLE}=wgpu takes wgpu-native"
    else:
        how = f"the default; {VARIABLE}=dawn takes Dawn"
    return f"{versions_in_use()} ({how}); {_recording()}"


def _recording() -> str:
    if not records_native():
        return "commands are recorded through its Python package, as this version is not known"
    if compiled_loop() is None:
        return (
            "commands are recorded by Python, as no compiled recorder is installed or it cannot be loaded; on Linux "
            "an installation makes one where there is a C compiler"
        )
    return "commands are recorded by compiled code"


def _adapters() -> str:
    found = list_adapters()
    if not found and chosen().name == "dawn":
        raise LightloomError(f"none that Dawn can use; it wants Mesa 25.0 or later, {VARIABLE}=wgpu does not")
    if not found:
        raise LightloomError(
            "none; install a Vulkan driver (Debian, Ubuntu: apt install mesa-vulkan-drivers)"
        )
    listing = "; ".join(f"{info}, driver {info.driver}" for info in found)
    if sys.platform == "linux" and all(info.backend != "Vulkan" for info in found):
        raise LightloomError(
            f"{listing}; there is no Vulkan driver, and OpenGL is slower; install one (Debian, Ubuntu: apt "
            "install mesa-vulkan-drivers)"
        )
    return listing


def driver_finding(info: AdapterInfo) -> Finding:
    """Report an adapter's driver: a warning if another version would be better."""
    fault = known_fault(info)
    if fault is None:
        return Finding("Driver", True, f"{info.driver or 'unnamed'}; no fault of it is known")
    system, command = fault.install
    detail = (
        f"{info.driver} loses memory with larger filters (up to {fault.loses_memory} MB a second) and ends "
        "a shader's loops after "
        f"{fault.loop_rounds:,} rounds; install {fault.driver} {fault.mended_text} or newer, which is "
        f"faster too ({system}: {command})"
    )
    return Finding("Driver", True, detail, warns=True)


def wgpu_finding(versions: Versions) -> Finding | None:
    """Return a warning if wgpu is not the version that Lightloom was tested against, else None."""
    known = wgpu_version.KNOWN
    if versions == known:
        return None
    detail = (
        f"{versions} is used by its public methods alone, so each frame takes longer; Lightloom knows "
        f"{known} better "
        f"(pip install wgpu=={known.binding})"
    )
    return Finding("wgpu", True, detail, warns=True)


def _plugins() -> str:
    found = offers()
    failures = loaded().failures
    listing = "; ".join(
        f"{each}: "
        f"{failures.get(each.name) or ('off' if is_off() and not each.is_built_in else each.decision)}"
        for each in found
    )
    if failures:
        raise LightloomError(f"{listing}; leave out what fails with 'lightloom plugins --refuse NAME'")
    return listing or "none"


def _compute(gpu: Gpu) -> str:
    # The check that matters most: run a kernel and read its result back.
    values = np.arange(256, dtype=np.uint32)
    usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
    buffer = gpu.device.create_buffer_with_data(data=values.tobytes(), usage=usage)
    layout = gpu.device.create_bind_group_layout(
        entries=[{"binding": 0, "visibility": wgpu.ShaderStage.COMPUTE, "buffer": {"type": "storage"}}]
    )
    code = (
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;"
        "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { data[id.x] = "
        "data[id.x] * 3u + 1u; }"
    )
    pipeline = gpu.compute_pipeline(code, "main", label="doctor", layouts=[layout])
    group = gpu.device.create_bind_group(
        layout=layout, entries=[{"binding": 0, "resource": {"buffer": buffer}}]
    )
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    compute_pass.set_pipeline(pipeline)
    compute_pass.set_bind_group(0, group)
    compute_pass.dispatch_workgroups(4)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    result = np.frombuffer(gpu.queue.read_buffer(buffer), np.uint32)
    buffer.destroy()
    if not np.array_equal(result, values * 3 + 1):
        raise LightloomError("the GPU computed a wrong result; update its driver")
    return f"{gpu.adapter} computes; features: {', '.join(sorted(gpu.features)) or 'none'}"


def _video() -> str:
    import av

    versions = ", ".join(f"{k} {'.'.join(map(str, v))}" for k, v in av.library_versions.items())
    missing = [c for c in ("h264", "hevc", "vp9", "av1") if c not in av.codecs_available]
    return versions + (f"; no decoder for {', '.join(missing)}" if missing else "")


def _window() -> str:
    if importlib.util.find_spec("PySide6") is None:
        return f"not installed; {extra_command('app')} adds it, the command line works"
    if sys.platform == "linux":
        display = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
        return (
            f"display {display}"
            if display
            else "no display here; the window can't open, the command line works"
        )
    return "available"


def _folders() -> str:
    places = (
        ("filters", user_filter_folder()),
        ("presets", user_preset_folder()),
        ("networks", user_model_folder(_chosen_model_folder())),
        ("settings", user_config_folder()),
        ("logs", user_log_folder()),
    )
    return ", ".join(f"{name} {path}" for name, path in places)


def _chosen_model_folder() -> str:
    """Return the model folder chosen in the window; '' if there is none."""
    if importlib.util.find_spec("PySide6") is None:
        return ""
    from desktop.ui.forms.settings import Settings  # Qt's core, which only this function needs

    return Settings.load().model_folder


def examine(adapter: str | None = None) -> list[Finding]:
    """Check Python, packages, adapters, a compute kernel, the driver, video decoding and the display."""
    used: list[AdapterInfo] = []
    refused: list[str] = []

    def compute() -> str:
        gpu = Gpu.open(adapter)
        used.append(gpu.adapter)
        refused.extend(gpu.notes)
        try:
            return _compute(gpu)
        finally:
            gpu.close()

    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("Python", _python),
        ("Packages", _packages),
        ("WebGPU", _webgpu),
        ("GPU adapters", _adapters),
        ("Compute", compute),
        ("Video", _video),
        ("Window", _window),
        ("Folders", _folders),
        ("Plug-ins", _plugins),
    )
    findings = [_check(what, check) for what, check in checks]
    if used and chosen().name == "wgpu":  # otherwise its library may not be installed
        other = wgpu_finding(wgpu_version.versions_in_use())
        findings += [] if other is None else [other]
    findings += [Finding("Refused", True, note, warns=True) for note in refused]
    return [*findings, *(driver_finding(info) for info in used)]


def _check(what: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, check())
    except Exception as error:  # diagnostics must survive what they find
        return Finding(what, False, str(error))
