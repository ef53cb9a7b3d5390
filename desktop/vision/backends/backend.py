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
        name: as in presets and on the command line: 'cpu', 'cuda:0', 'openvino:gpu'. Lower case, at most 64 characters.
        title: name in the window.
        kind: kind of device.
    """

    name: str
    title: str
    kind: Literal["cpu", "gpu", "npu"]


@dataclass(frozen=True)
class FoundDevices:
    """Devices that a backend found.

    Attributes:
        devices: those that can be chosen; a backend's usual one first.
        remarks: sentences about packages or hardware that give no device, and why.
    """

    devices: tuple[ComputeDevice, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """Capabilities of a backend. It is chosen by these, never by name.

    Attributes:
        encodes: its sessions have a `SessionCapabilities.recorder`: they are recorded into a frame's compute pass, and need its
            device. Otherwise they take only host arrays (`Session.run`), on a thread beside the frame loop.
        devices: kinds of devices it computes on.
        precisions: choices beside 'auto'; for another precision the backend is not tried, and some models do not support all.
        formats: suffixes of the files that it reads; 'remote' for networks on servers.
        offered: a user may choose it; a backend that is not offered is used for the formats that only it reads.
    """

    encodes: bool
    devices: tuple[Literal["cpu", "gpu", "server"], ...]
    precisions: tuple[Precision, ...] = ("fp32", "fp16")
    formats: tuple[str, ...] = (".onnx",)
    offered: bool = True


@dataclass(frozen=True, kw_only=True)
class LoadRequest:
    """Options for loading a network; a backend ignores those that it does not have.

    Attributes:
        gpu: the device of the frames; None if there is none.
        precision: 'auto', or one of the backend's.
        device: 'auto' for the backend's usual one, or the name of one of its `ComputeDevice`s, which is not replaced by another.
        threads: threads on the CPU; None for the backend's default, which leaves half of the cores free.
        input_shapes: shapes for inputs with free dimensions, by name.
        input_values: arrays for inputs that become constants.
        cache: cache of prepared networks: 'user' for the user's own cache folder, None for no cache.
        tuning: kernels chosen by measuring: 'user' for that of `lightloom model tune` on this adapter, None for the rules' choices.
        real_outputs: dequantize quantized outputs, for heads that read floats; ONNX networks contain their own dequantization.
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
        name: as in presets and on the command line; it never changes.
        title: name in the window.
        capabilities: what it supports.
        priority: 'auto' tries higher ones first among those that suit the machine; 0 is never tried, only chosen.
        load: reads a file and makes a session of it. Imports its engine only when it is called. Raises ModelInvalidError for a file that
            is no model, ModelUnsupportedError for a device that does not exist, or for a model that this backend does not support, on which
            'auto' tries the next with the same file.
        find_devices: lists the devices that can be chosen beside 'auto'. Imports its engine, which may take seconds. A backend whose
            device is chosen elsewhere, such as the GPU of the images, finds none.
    """

    name: str
    title: str
    capabilities: Capabilities
    priority: int
    load: Callable[[ModelFile, LoadRequest], Session]
    find_devices: Callable[[], FoundDevices] = FoundDevices
