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

    `name` is for presets and the command line: 'cpu', 'openvino:gpu'; lower case, up to 64 characters.
    """

    name: str
    title: str
    kind: Literal["cpu", "gpu", "npu"]


@dataclass(frozen=True)
class AvailableDevices:
    """Devices of a backend, the default first, and `notes`: reasons why packages or hardware provide none."""

    devices: tuple[ComputeDevice, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """Capabilities of a backend, which decide the choice; its name does not.

    Attributes:
        encodes: its sessions are recorded into a frame's compute pass; others take host arrays on a thread.
        devices: kinds of devices it computes on; 'server': another machine, over the network.
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
        precision: 'auto' for the network's own, or one of `Capabilities.precisions`.
        device: 'auto' for the backend's default, or a `ComputeDevice`'s name, which is never replaced.
        threads: threads on the CPU; None for the backend's default, half of the cores.
        input_shapes: shapes for inputs with free dimensions, by name.
        input_values: arrays for inputs that become constants.
        cache: cache of prepared networks: 'user' for the user's cache folder, None for no cache.
        tuning: 'user' for results of `lightloom model tune`, None for the rules' choices of kernels.
        real_outputs: quantized outputs as the real numbers that they stand for, for heads that read floats.
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
        priority: 'auto' tries suitable backends by falling priority; 0: used only if the user chooses it.
        load: imports the engine and returns a file's session. Raises ModelInvalidError for a file that is no
            model; after ModelUnsupportedError (no device, unsupported model) 'auto' tries the next backend.
        find_devices: lists devices besides 'auto', importing the engine, which may take seconds. Empty if the
            device is chosen elsewhere, such as the frames' GPU.
    """

    name: str
    title: str
    capabilities: Capabilities
    priority: int
    load: Callable[[ModelFile, LoadRequest], Session]
    find_devices: Callable[[], AvailableDevices] = AvailableDevices
