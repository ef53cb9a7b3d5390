"""List ONNX Runtime's devices: built-in execution providers and those of plug-in packages.

A plug-in is a module `onnxruntime_ep_<name>` (or `onnxruntime_qnn`) with `get_library_path()`, see ONNX
Runtime's "Plugin Execution Provider Library Packaging Guidance". Its library is third-party code in this
process and may load for seconds, so it is loaded only to list devices or if chosen.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final, Literal

from desktop.base.wording import sentence
from desktop.vision.backends.backend import AvailableDevices, ComputeDevice

_SUFFIX: Final = "ExecutionProvider"
CPU: Final = ComputeDevice("cpu", "CPU", "cpu")
_PREFIXES: Final = ("onnxruntime_ep_", "onnxruntime_qnn")
_LONGEST: Final = 160
# 'Azure' sends images to a service, which is not a device.
_NO_DEVICE: Final = frozenset({"CPUExecutionProvider", "AzureExecutionProvider"})

Options = Mapping[str, str]
Kind = Literal["cpu", "gpu", "npu"]
_KINDS: Final[Mapping[str, Kind]] = {"CPU": "cpu", "NPU": "npu"}
"""Kind of device by onnxruntime's OrtHardwareDeviceType; all others are GPUs."""


@dataclass(frozen=True)
class _Provider:
    """Optional facts about a provider: its `kind` of device, if it does not report it.

    `options` are by (kind, 'fp32' or 'fp16') for that precision; None without a choice.
    """

    title: str = ""
    kind: Kind = "gpu"
    options: Callable[[Kind, str], Options | None] | None = None


def _openvino(kind: Kind, precision: str) -> Options | None:
    # Also set for fp32: OpenVINO's default (f16, or bf16 on CPUs) put a ResNet-18 off by 2e-4.
    if kind == "cpu" and precision == "fp16":
        return None  # it accepts 'f16' there and computes in bf16
    hint = {"fp32": "f32", "fp16": "f16"}[precision]
    return {"load_config": json.dumps({kind.upper(): {"INFERENCE_PRECISION_HINT": hint}})}


def _cuda(kind: Kind, precision: str) -> Options | None:
    # Its default for fp32 is TF32, whose factors have 10 bits.
    return None if precision == "fp16" else {"use_tf32": "0"}


def _tensorrt(kind: Kind, precision: str) -> Options | None:
    if precision == "fp32":
        # TF32 is its default, without an option: https://github.com/microsoft/onnxruntime/issues/26029.
        # NVIDIA's libraries read this variable at start; an existing value is kept.
        os.environ.setdefault("NVIDIA_TF32_OVERRIDE", "0")
    return {"trt_fp16_enable": "1" if precision == "fp16" else "0"}


_KNOWN: Final[Mapping[str, _Provider]] = {
    "CUDAExecutionProvider": _Provider("CUDA", options=_cuda),
    "TensorrtExecutionProvider": _Provider("TensorRT", options=_tensorrt),
    "NvTensorRTRTXExecutionProvider": _Provider("TensorRT RTX"),
    "OpenVINOExecutionProvider": _Provider("OpenVINO", "cpu", _openvino),
    "CoreMLExecutionProvider": _Provider("Core ML"),
    "DmlExecutionProvider": _Provider("DirectML"),
    "WebGpuExecutionProvider": _Provider("WebGPU"),
    "QNNExecutionProvider": _Provider("QNN", "npu"),
    "MIGraphXExecutionProvider": _Provider("MIGraphX"),
    "ROCMExecutionProvider": _Provider("ROCm"),
    "VitisAIExecutionProvider": _Provider("Vitis AI", "npu"),
}


@dataclass(frozen=True)
class Target:
    """A device, its provider's name, and a plug-in's `OrtEpDevice` (None for a built-in provider)."""

    device: ComputeDevice
    provider: str
    plugged: Any = field(default=None, compare=False)

    def options(self, precision: str) -> Options | None:
        """Return the provider's options for 'fp32' or 'fp16'; None if it computes as the model is written."""
        known = _KNOWN.get(self.provider, _Provider())
        return None if known.options is None else known.options(self.device.kind, precision)

    @property
    def host_copies(self) -> str:
        """Memory name for binding inputs and outputs, so copies are timed; '' if the provider copies."""
        if self.plugged is None and self.provider in ("CUDAExecutionProvider", "TensorrtExecutionProvider"):
            return "cuda"
        return ""


def _plugged_devices() -> Iterable[Any]:
    """Return the devices of onnxruntime's plug-ins; releases before 1.23 have none."""
    import onnxruntime

    return getattr(onnxruntime, "get_ep_devices", tuple)()


def find_targets() -> tuple[tuple[Target, ...], tuple[str, ...]]:
    """Return all targets, CPU first, and notes on packages without devices. Loads plug-in libraries."""
    import onnxruntime

    notes = []
    for package in plug_ins():
        problem, names = _registered(onnxruntime, package)
        found = [each for each in _plugged_devices() if each.ep_name in names]
        if problem:
            notes.append(problem)
        elif not any(map(_is_real, found)):
            notes.append(
                sentence("{package} is installed, and finds no device of its own here.", package=package)
            )
    plugged = tuple(_plugged(_plugged_devices()))
    taken = {target.provider for target in plugged} | _NO_DEVICE
    built = [_built_in(name) for name in onnxruntime.get_available_providers() if name not in taken]
    return (Target(CPU, "CPUExecutionProvider"), *built, *plugged), tuple(notes)


def find_devices() -> AvailableDevices:
    """Return the devices that users can choose."""
    targets, notes = find_targets()
    return AvailableDevices(tuple(target.device for target in targets), notes)


def plug_ins() -> tuple[str, ...]:
    """Return the modules of provider plug-ins, by name; none is imported."""
    return tuple(sorted({m.name for m in pkgutil.iter_modules() if m.name.startswith(_PREFIXES)}))


@functools.cache  # a library is registered once per process, which is onnxruntime's own state
def _registered(onnxruntime: ModuleType, package: str) -> tuple[str, frozenset[str]]:
    """Register a plug-in; return the error ('' for none), and the names of its providers."""
    try:
        module = importlib.import_module(package)
        names = module.get_ep_names() if hasattr(module, "get_ep_names") else [module.get_ep_name()]
        onnxruntime.register_execution_provider_library(package, module.get_library_path())
        return "", frozenset(map(str, names))
    except Exception as error:  # third-party code: whatever it raises, its providers cannot be chosen
        reason = next(iter(str(error).splitlines()), "") or type(error).__name__
        return (
            sentence(
                "{package} is installed, and its library does not load: {reason}; install the version that "
                "fits onnxruntime "
                "{version}.",
                package=package,
                reason=reason[:_LONGEST],
                version=onnxruntime.__version__,
            ),
            frozenset(),
        )


def _is_real(device: Any) -> bool:
    # A virtual device compiles for absent hardware, and runs nothing.
    return str(device.device.metadata.get("is_virtual", "0")) != "1"


def _short(provider: str) -> str:
    return provider.removesuffix(_SUFFIX).lower()


def _title(provider: str) -> str:
    return _KNOWN.get(provider, _Provider()).title or provider.removesuffix(_SUFFIX)


def _built_in(provider: str) -> Target:
    kind = _KNOWN.get(provider, _Provider()).kind
    return Target(ComputeDevice(_short(provider), _title(provider), kind), provider)


def _plugged(devices: Iterable[Any]) -> Iterator[Target]:
    """Yield a plug-in's targets: 'openvino:gpu', and 'openvino:gpu:1' for the second device of a kind."""
    counts: dict[str, int] = {}
    for each in devices:
        # Skip OpenVINO's '...ExecutionProvider.AUTO', which chooses a device by itself.
        if each.ep_name in _NO_DEVICE or not each.ep_name.endswith(_SUFFIX) or not _is_real(each):
            continue
        kind = _KINDS.get(each.device.type.name, "gpu")
        name = f"{_short(each.ep_name)}:{kind}"
        number = counts[name] = counts.get(name, -1) + 1
        # The system's name of the hardware, if it has one: Linux reports only the vendor.
        hardware = str(each.device.metadata.get("Description") or each.device.vendor or "").strip()
        title = f"{_title(each.ep_name)} ({kind.upper()}{', ' + hardware if hardware else ''})"
        device = ComputeDevice(f"{name}:{number}" if number else name, title[:80], kind)
        yield Target(device, each.ep_name, each)
