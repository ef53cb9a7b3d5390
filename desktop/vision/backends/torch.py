"""PyTorch backend: TorchScript and exported programs, on PyTorch's devices. The extra `torch` installs it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from desktop.base.errors import LightloomError, ModelError, ModelUnsupportedError
from desktop.base.version import extra_command
from desktop.base.wording import sentence
from desktop.compute.nn.frontends.formats import TORCH
from desktop.compute.nn.frontends.pytorch.networks import TorchNetwork, load_network
from desktop.compute.nn.frontends.pytorch.trial import (
    has_torch,
    torch_missing,
    tried,
    usual_shape,
)
from desktop.compute.nn.frontends.pytorch.words import first_line
from desktop.compute.nn.session import Precision, RunTimes, Session, SessionCapabilities, TensorInfo
from desktop.vision.backends._feeds import check_feeds
from desktop.vision.backends.backend import (
    AvailableDevices,
    Backend,
    Capabilities,
    ComputeDevice,
    LoadRequest,
)
from desktop.vision.models.model_file import ModelFile

_NAME: Final = "torch"
_CPU: Final = ComputeDevice("cpu", "CPU", "cpu")


def find_devices() -> AvailableDevices:
    """Return PyTorch's devices: cuda (CUDA and ROCm), mps (Apple), xpu (Intel), cpu."""
    if not has_torch():
        return AvailableDevices(
            notes=(sentence("PyTorch is not installed: {command}.", command=extra_command("torch")),)
        )
    import torch

    found = []
    if torch.cuda.is_available():
        kind = "ROCm" if torch.version.hip else "CUDA"
        for at in range(torch.cuda.device_count()):
            title = f"{torch.cuda.get_device_name(at)} ({kind})"
            found.append(ComputeDevice(f"cuda:{at}", title, "gpu"))
    if torch.backends.mps.is_available():
        found.append(ComputeDevice("mps", "Apple GPU (MPS)", "gpu"))
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        for at in range(torch.xpu.device_count()):
            found.append(ComputeDevice(f"xpu:{at}", f"{torch.xpu.get_device_name(at)} (XPU)", "gpu"))
    return AvailableDevices((*found, _CPU))


def _chosen_device(asked: str, name: str) -> ComputeDevice:
    """Return the requested device; for 'auto' the first, which is a GPU if there is one."""
    devices = find_devices().devices
    if asked == "auto":
        return devices[0]
    # PyTorch's users write 'cuda' for the first of them.
    found = next((each for each in devices if asked in (each.name, each.name.removesuffix(":0"))), None)
    if found is None:
        raise ModelUnsupportedError(
            sentence(
                "{name} can't run on '{device}': PyTorch has {devices} here; choose one of these.",
                name=name,
                device=asked,
                devices=", ".join(each.name for each in devices),
            ),
            (sentence("PyTorch has no device '{device}' here", device=asked),),
        )
    return found


class TorchSession:
    """A network on PyTorch, see `Session`. TorchScript's outputs are 'output', or 'output0' and so on."""

    backend = _NAME

    def __init__(
        self,
        network: TorchNetwork,
        name: str,
        device: ComputeDevice,
        precision: Precision,
        shapes: Sequence[Sequence[int]],
        values: Mapping[str, np.ndarray],
    ) -> None:
        """Move a loaded network to its device and run it on zeros to determine its outputs.

        Raises:
            ModelUnsupportedError: the network cannot compute in that precision on the device.
        """
        import torch

        self._torch, self._name, self._compute = torch, name, device
        self.device = device.title
        self._network: TorchNetwork | None = network
        self._device = torch.device(device.name)
        self._halved = precision == "fp16" and network.dtype == "float32"
        self.precision = _precision(network.dtype, name, device, precision)
        self._fixed = dict(values)
        self._times: RunTimes | None = None
        infos = (
            TensorInfo(each, tuple(shape), dtype)
            for each, shape, dtype in zip(network.inputs, shapes, network.dtypes, strict=True)
        )
        self._all = tuple(infos)
        self.inputs = tuple(info for info in self._all if info.name not in self._fixed)
        self.outputs: tuple[TensorInfo, ...] = ()
        outputs = self.run({info.name: np.zeros(info.shape, np.dtype(info.dtype)) for info in self.inputs})
        self.outputs = tuple(TensorInfo(k, tuple(a.shape), str(a.dtype)) for k, a in outputs.items())

    @property
    def capabilities(self) -> SessionCapabilities:
        """Times of its runs; None on the CPU, where nothing is copied."""
        return SessionCapabilities(run_times=lambda: self._times)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """See `Session.run`; raise ModelError for an invalid input or if PyTorch fails."""
        if self._network is None:
            raise ModelError(sentence("{name} is closed; load it again.", name=self._name))
        check_feeds(feeds, self.inputs, self._name)
        try:
            return self._run({**feeds, **self._fixed})
        except LightloomError:
            raise
        except Exception as error:  # PyTorch's exceptions are RuntimeErrors of all kinds, and Python's own
            raise ModelError(
                sentence(
                    "{name} failed in PyTorch on {device}: {reason}; choose another device, backend or "
                    "network.",
                    name=self._name,
                    device=self._compute.name,
                    reason=first_line(error),
                )
            ) from error

    def _run(self, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        torch, network = self._torch, self._network
        assert network is not None
        with torch.inference_mode(), torch.autocast(self._device.type, torch.float16, enabled=self._halved):
            began = time.perf_counter()
            given = [self._uploaded(arrays[info.name]) for info in self._all]
            self._finish()
            uploaded = time.perf_counter()
            found = network.call(*given)
            self._finish()
            computed = time.perf_counter()
            outputs = {name: self._read(tensor) for name, tensor in found.items()}
            ended = time.perf_counter()
        if self._compute.kind != "cpu":
            self._times = RunTimes(
                (uploaded - began) * 1e3, (computed - uploaded) * 1e3, (ended - computed) * 1e3
            )
        return outputs

    def _uploaded(self, array: np.ndarray) -> Any:
        # A copy of read-only arrays: PyTorch has no read-only tensors, and a network may write to its input.
        whole = np.ascontiguousarray(array)
        return self._torch.from_numpy(whole if whole.flags.writeable else whole.copy()).to(self._device)

    def _read(self, tensor: Any) -> np.ndarray:
        if self._halved and tensor.dtype == self._torch.float16:
            tensor = tensor.float()  # the type of the network itself, whatever it was computed in
        array: np.ndarray = tensor.detach().cpu().numpy()
        return array

    def _finish(self) -> None:
        """Wait for the device: its calls are asynchronous, which would make times meaningless."""
        if self._device.type == "cuda":
            self._torch.cuda.synchronize(self._device)
        elif self._device.type == "mps":
            self._torch.mps.synchronize()
        elif self._device.type == "xpu":
            self._torch.xpu.synchronize(self._device)

    def close(self) -> None:
        """Release the network."""
        self._network = None


def _precision(dtype: str, name: str, device: ComputeDevice, asked: Precision) -> str:
    own = "fp16" if dtype in ("float16", "bfloat16") else "fp32"
    if asked == "fp16" and own == "fp32" and device.kind == "cpu":
        raise ModelUnsupportedError(
            sentence(
                "{name} is computed in fp32 on the CPU, where fp16 is slower in PyTorch; choose the "
                "precision 'auto' or a GPU.",
                name=name,
            ),
            (sentence("PyTorch on the CPU computes in fp32"),),
        )
    if asked == "fp32" and own == "fp16":
        raise ModelUnsupportedError(
            sentence("{name} is written in fp16; choose the precision 'auto'.", name=name),
            (sentence("it is written in fp16"),),
        )
    return own if asked == "auto" else asked


def _load(model: ModelFile, request: LoadRequest) -> Session:
    if not has_torch():
        raise torch_missing(model.name)
    device = _chosen_device(request.device, model.name)
    facts = model.facts
    names = (facts.input_name, *(info.name for info in facts.others))
    known = {facts.input_name: facts.input_shape, **{info.name: info.shape for info in facts.others}}
    values = request.input_values or {}
    given = {**(request.input_shapes or {}), **{name: array.shape for name, array in values.items()}}
    shapes = [usual_shape(given.get(name, known[name])) for name in names]
    # before the trial, which takes seconds
    _precision(facts.input_dtype, model.name, device, request.precision)
    # In another process first, with these sizes: its time and memory depend on them.
    tried(model.data, model.format, model.name, shapes)
    _limit_threads(request.threads)
    _disable_tf32()
    try:
        network = load_network(model.data, model.format, model.name, device.name)
    except LightloomError:
        raise
    except Exception as error:  # as in `TorchSession.run`
        raise ModelUnsupportedError(
            sentence(
                "PyTorch does not load {name} onto {device}: {reason}; choose another device, or export it "
                "as ONNX.",
                name=model.name,
                device=device.name,
                reason=first_line(error),
            ),
            (first_line(error),),
        ) from error
    return TorchSession(network, model.name, device, request.precision, shapes, values)


def _limit_threads(asked: int | None) -> None:
    """Leave cores for decoding and drawing, as with onnxruntime. PyTorch's setting is process-wide."""
    import torch

    from desktop.vision.backends.onnxruntime import default_threads

    torch.set_num_threads(asked or default_threads())


def _disable_tf32() -> None:
    """Replace TF32 (10-bit factors), PyTorch's default for convolutions, by fp32 for the whole process.

    Not by `fp32_precision` of PyTorch 2.9: code that reads the older settings then raises.
    """
    import torch

    torch.backends.cudnn.allow_tf32 = False


BACKEND: Final = Backend(
    name=_NAME,
    title="PyTorch",
    capabilities=Capabilities(encodes=False, devices=("gpu", "cpu"), formats=TORCH),
    priority=50,
    load=_load,
    find_devices=find_devices,
)
