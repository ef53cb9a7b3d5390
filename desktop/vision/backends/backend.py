"""Backend interface: its capabilities, and how it loads a network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Precision, Session
from desktop.vision.models.model_file import ModelFile

if TYPE_CHECKING:
    import numpy as np

    from desktop.compute.nn.compile.cache import SessionCache  # imports onnx
    from desktop.compute.nn.lowering.tuning import Tuning


@dataclass(frozen=True)
class ComputeDevice:
    """A device of this machine on which a backend can compute.

    Attributes:
        name: in presets and on the command line: 'cpu', 'openvino:gpu'. Lower case, up to 64 characters.
        title: name in the window.
        kind: kind of device.
    """

    name: str
    title: str
    kind: Literal["cpu", "gpu", "npu"]


@dataclass(frozen=True)
class AvailableDevices:
    """Devices that a backend found.

    Attributes:
        devices: those that can be chosen; the default one first.
        notes: sentences on packages or hardware that provide no device, with the reason.
    """

    devices: tuple[ComputeDevice, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """Capabilities of a backend, which decide the choice; its name does not.

    Attributes:
        encodes: its sessions have a `SessionCapabilities.recorder`: they are recorded into a frame's compute
            pass and need its device. Others take host arrays (`Session.run`) on a background thread.
        devices: kinds of devices it computes on.
        precisions: choices besides 'auto'; it is not tried for others. Some models support fewer.
        formats: suffixes of the files that it reads; 'remote' for networks on servers.
        offered: users may choose it; otherwise it is used only for formats that no other reads.
    """

    encodes: bool
    devices: tuple[Literal["cpu", "gpu", "server"], ...]
    precisions: tuple[Precision, ...] = ("fp32", "fp16")
    formats: tuple[str, ...] = (".onnx",)
    offered: bool = True


@dataclass(frozen=True, kw_only=True)
class LoadRequest:
    """Options for loading a network; a backend ignores those that it lacks.

    Attributes:
        gpu: the device of the frames; None if there is none.
        precision: 'auto', or one of the backend's.
        device: 'auto' for the backend's default, or a `ComputeDevice`'s name, which is never replaced.
        threads: threads on the CPU; None for the backend's default, half of the cores.
        input_shapes: shapes for inputs with free dimensions, by name.
        input_values: arrays for inputs that become constants.
        cache: cache of prepared networks: 'user' for the user's cache folder, None for no cache.
        tuning: kernel tuning: 'user' for results of `lightloom model tune`, None for the rules' choices.
        real_outputs: dequantize outputs, for heads that read floats; ONNX networks do so themselves.
    """

    gpu: Gpu | None = None
    precision: Precision = "auto"
    device: str = "auto"
    threads: int | None = None
    input_shapes: Mapping[str, Sequence[int]] | None = None
    input_values: Mapping[str, np.ndarray] | None = None
    cache: SessionCache | Literal["user"] | None = "user"
    tuning: Tuning | Literal["user"] | None = "user"
    real_outputs: bool = False


@dataclass(frozen=True, kw_only=True)
class Backend:
    """An engine that computes networks.

    Attributes:
        name: as in presets and on the command line; never changes.
        title: name in the window.
        priority: 'auto' tries suitable backends by falling priority; 0 is never tried, only chosen.
        load: reads a file and returns a session; imports the engine. Raises ModelInvalidError for a file that
            is no model, and ModelUnsupportedError for a missing device or an unsupported model, after which
            'auto' tries the next backend.
        find_devices: lists the devices that can be chosen besides 'auto'; imports the engine, which may take
            seconds. Empty for a backend whose device is chosen elsewhere, such as the frames' GPU.
    """

    name: str
    title: str
    capabilities: Capabilities
    priority: int
    load: Callable[[ModelFile, LoadRequest], Session]
    find_devices: Callable[[], AvailableDevices] = AvailableDevices
