"""A network whose output covers the picture, between two textures: one is resized into its input, its output goes into the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import wgpu

from desktop.compute.backends.loader import LoadedSession, load_session
from desktop.compute.gpu.device import Gpu
from desktop.compute.models.findings import sentence_of
from desktop.compute.models.model_file import ModelFile
from desktop.compute.models.open_models import OpenModels
from desktop.compute.nn.session import Tensor, TensorInfo, recordable
from desktop.compute.running.picture_network import PictureNetwork, TextureHead
from desktop.compute.tasks.common.dense import (
    DensePlan,
    DenseRequest,
    Output,
    OutputLayout,
    choose_output,
    layout_of,
    plan_dense,
    settle,
)
from desktop.compute.tasks.common.unpack import GpuUnpacker
from desktop.compute.tasks.task import FrameResult, Size
from desktop.errors import LightloomError, ModelError, ModelInvalidError, ModelUnsupportedError
from desktop.wording import sentence


@dataclass(frozen=True, kw_only=True)
class DenseResult(FrameResult):
    """What a session that takes host arrays gave for one frame: the output, float32."""

    values: np.ndarray


class DenseHead(TextureHead):
    """Writes the output into a texture; nothing of it is read back.

    Attributes:
        texture: the newest output, see `GpuUnpacker`.
        layout: how the output is read.
    """

    def __init__(
        self, gpu: Gpu, loaded: LoadedSession, output: TensorInfo, layout: OutputLayout, kind: Output
    ) -> None:
        """Make the texture, and for a session that takes host arrays the buffer that outputs are uploaded to.

        Raises:
            ModelUnsupportedError: the output is nothing that can be shown, or too large.
        """
        self._gpu, self._output, self.layout = gpu, output, layout
        self._owned: wgpu.GPUBuffer | None = None
        recorded = recordable(loaded.session)
        tensor = recorded.tensor(output.name) if recorded is not None else self._make_tensor()
        self._unpacker = GpuUnpacker(gpu, layout, kind, tensor)
        self.texture = self._unpacker.texture

    @property
    def channels(self) -> int:
        """See `TextureHead`."""
        return self.layout.channels

    def _make_tensor(self) -> Tensor:
        size = int(np.prod(self._output.shape)) * 4
        if size > self._gpu.limits["max-storage-buffer-binding-size"]:
            raise ModelUnsupportedError(
                sentence(
                    "The network's output of {size} MiB is more than {adapter} takes; choose a smaller working size.",
                    size=size >> 20,
                    adapter=self._gpu.adapter,
                )
            )
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST
        self._owned = self._gpu.buffer(size, usage, "network output")
        return Tensor(self._owned, self._output.shape, "float32")

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the writing of the texture."""
        self._unpacker.encode(compute_pass)

    def decode(self, data: bytes | memoryview, size: Size) -> FrameResult:
        """Nothing is read back, so nothing is said."""
        return FrameResult()

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> DenseResult:
        """Return the output that counts, ready to be uploaded.

        Raises:
            ModelError: it has not the shape that the network says it has.
        """
        values = np.ascontiguousarray(outputs[self._output.name], np.float32)
        if values.shape != self._output.shape:
            raise ModelError(
                sentence(
                    "The network gave an output of {shape} instead of {expected}; choose another one.",
                    shape=list(values.shape),
                    expected=list(self._output.shape),
                )
            )
        return DenseResult(values=values)

    def upload(self, result: DenseResult) -> None:
        """Put an output where `encode` takes it from."""
        self._gpu.queue.write_buffer(self._owned, 0, result.values)

    def close(self) -> None:
        """Release texture and buffer."""
        self._unpacker.close()
        if self._owned is not None:
            self._owned.destroy()


def load_dense(
    gpu: Gpu,
    model: str,
    picture: Size,
    request: DenseRequest,
    *,
    backend: str = "auto",
    threads: int | None = None,
    models: OpenModels | None = None,
) -> PictureNetwork:
    """Load a network for pictures of a size (width, height); its head is a `DenseHead`.

    Args:
        gpu: the device, which prepares pictures and shows outputs whatever the backend.
        model: name of a built-in network, or path of an ONNX file.
        picture: size; a network that takes any size is built for it, or for what it is shrunk to.
        request: what is needed of the network.
        backend: see `load_session`.
        threads: threads of a backend on the CPU.
        models: may have it open already.

    Raises:
        ModelError: there is no such network, it cannot be read, no backend takes it, or its output is not what is needed.
        UsageError: no network is named, or a setting of its sidecar does not fit.
    """
    file = ModelFile.find(model, models)
    plan = plan_dense(file, picture, file.statement, request)
    shapes = {plan.facts.input_name: plan.input.shape}
    loaded = load_session(
        file, gpu=gpu, backend=backend, threads=threads, input_shapes=shapes, real_outputs=True
    )
    try:
        return _assemble(gpu, file.name, loaded, plan)
    except Exception:
        loaded.session.close()
        raise


def _assemble(gpu: Gpu, name: str, loaded: LoadedSession, plan: DensePlan) -> PictureNetwork:
    """Put a loaded network together with what goes before and after it.

    Raises:
        ModelUnsupportedError: its input or output is not what is needed.
        ModelError: a trial run failed.
    """
    session = loaded.session
    if len(session.inputs) != 1:
        raise ModelUnsupportedError(
            sentence(
                "{name} has the inputs {names}, where a picture is the only one; choose another network.",
                name=name,
                names=", ".join(i.name for i in session.inputs),
            )
        )
    output = choose_output(plan, session.outputs, name)

    def run(array: np.ndarray) -> np.ndarray:
        return session.run({plan.facts.input_name: array})[output.name]

    plan, layout = settle(plan, layout_of(plan, output, name), run, name)
    head = DenseHead(gpu, loaded, output, layout, plan.request.output)
    given = plan.input
    notes = [sentence_of(finding) for finding in plan.findings]
    if given.inner != (given.width, given.height):
        filled = f"{given.inner[0]}x{given.inner[1]}"
        notes.insert(
            0,
            sentence("The picture fills {filled} of it; its edge is repeated around it.", filled=filled),
        )
    return PictureNetwork(gpu, loaded, given, plan.facts, head, tuple(notes), name)


def explained(error: Exception, model: str) -> LightloomError:
    """Return an error of loading as one for the user: a model is a stranger's file, and may set off anything."""
    if isinstance(error, LightloomError):
        return error
    text = str(error).strip().splitlines()
    return ModelInvalidError(
        sentence(
            "The network {name} cannot be loaded ({reason}); choose another one.",
            name=Path(model).name,
            reason=(text[0] if text else type(error).__name__).rstrip("."),
        )
    )
