"""What a backend is: what it can do, and how it loads a network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from desktop.compute.gpu.device import Gpu
from desktop.compute.models.model_file import ModelFile
from desktop.compute.nn.session import Precision, Session

if TYPE_CHECKING:
    import numpy as np

    from desktop.compute.nn.compile.cache import SessionCache  # imports onnx
    from desktop.compute.nn.lowering.tuning import Tuning


@dataclass(frozen=True)
class ComputeDevice:
    """Something that a backend can compute on, found on this machine.

    Attributes:
        name: what presets and the command line call it: 'cpu', 'cuda:0', 'openvino:gpu'. Lower case, at most 64 characters.
        title: what the window calls it.
        kind: what it is.
    """

    name: str
    title: str
    kind: Literal["cpu", "gpu", "npu"]


@dataclass(frozen=True)
class FoundDevices:
    """What a backend found.

    Attributes:
        devices: those that can be chosen; a backend's usual one first.
        remarks: sentences about what was installed or looked for and gives no device, and why.
    """

    devices: tuple[ComputeDevice, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Capabilities:
    """What a backend can do. Whoever chooses one asks for these, never for a name.

    Attributes:
        encodes: its sessions are `GpuSession`s: they are recorded into a frame's compute pass, and need the device of that frame. Without
            it they take host arrays (`Session.run`), on a thread beside the pictures. With it they do both.
        devices: what it computes on.
        precisions: what a user may ask for beside 'auto'; for another it is not asked, and a model may still refuse one.
        formats: endings of the files that it reads; 'remote' for networks on servers.
        offered: a user may choose it; one that is not takes what it alone reads, and nobody need say so.
    """

    encodes: bool
    devices: tuple[Literal["cpu", "gpu", "server"], ...]
    precisions: tuple[Precision, ...] = ("fp32", "fp16")
    formats: tuple[str, ...] = (".onnx",)
    offered: bool = True


@dataclass(frozen=True, kw_only=True)
class LoadRequest:
    """How a network is to be loaded; a backend takes of it what it knows.

    Attributes:
        gpu: the device of the frames; None where there is none.
        precision: 'auto', or one of the backend's.
        device: 'auto' for the backend's usual one, or the name of a `ComputeDevice` of it, which is taken as said.
        threads: threads on the CPU; None for the backend's default, which leaves half of the cores free.
        input_shapes: shapes for inputs with free dimensions, by name.
        input_values: arrays for inputs that are the same at every run, and are inputs no more.
        cache: where prepared networks are kept: 'user' for the user's own cache folder, None for nowhere.
        tuning: kernels chosen by measuring: 'user' for what `lightloom model tune` found on this adapter, None for the rules'.
        real_outputs: quantized outputs are to be real numbers, for heads that read floats; ONNX networks have their own dequantization.
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
    """One way to compute a network.

    Attributes:
        name: what presets and the command line call it; it stays.
        title: what the window calls it.
        capabilities: what it can do.
        priority: 'auto' asks a higher one first among those that suit the machine; 0 is never asked, only chosen.
        load: reads a file and makes a session of it. Imports its engine only when it is called. Raises ModelInvalidError for a file that
            is no model, ModelUnsupportedError for one that this backend does not take, on which 'auto' asks the next with the same file,
            or for a device that is not there.
        find_devices: what there is to be chosen as a device beside 'auto'. Imports its engine, which may take seconds. A backend whose
            device is another's choice, that of the pictures say, finds none.
    """

    name: str
    title: str
    capabilities: Capabilities
    priority: int
    load: Callable[[ModelFile, LoadRequest], Session]
    find_devices: Callable[[], FoundDevices] = FoundDevices
