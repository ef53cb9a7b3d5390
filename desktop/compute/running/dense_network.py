"""A loaded network between two textures: the picture is resized into its input, its output is written into a texture.

On the wgpu backend all of it is recorded into the frame, or in slices into several. On onnxruntime the picture is still resized on the
GPU; the prepared input, some hundred kilobytes, is read back, and the output is uploaded again: by a thread while the pictures go
on (`prepare`, `capture`, `submitted`, `poll`), or at once where every frame must have its own result (`run_now`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import wgpu

from desktop.compute.backends.loader import LoadedSession, load_session
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.models.findings import sentence_of
from desktop.compute.models.model_file import ModelFile
from desktop.compute.models.open_models import OpenModels
from desktop.compute.nn.session import Tensor, TensorInfo, recordable
from desktop.compute.running.description import Description
from desktop.compute.running.picture_network import PictureNetwork, Slice
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
from desktop.compute.tasks.task import Head, Reading, Size
from desktop.errors import LightloomError, ModelError, ModelInvalidError, ModelUnsupportedError
from desktop.wording import sentence


@dataclass(frozen=True, kw_only=True)
class DenseReading(Reading):
    """What onnxruntime gave for one frame: the output, float32."""

    values: np.ndarray


class DenseHead(Head):
    """Writes the output into a texture; it reads nothing back."""

    def __init__(
        self, gpu: Gpu, loaded: LoadedSession, output: TensorInfo, layout: OutputLayout, kind: Output
    ) -> None:
        """Make the texture, and with onnxruntime the buffer that outputs are uploaded to.

        Raises:
            ModelUnsupportedError: the output is nothing that can be shown, or too large.
        """
        self._gpu, self._output = gpu, output
        self._owned: Any = None
        recorded = recordable(loaded.session)
        tensor = recorded.tensor(output.name) if recorded is not None else self._make_tensor()
        self._unpacker = GpuUnpacker(gpu, layout, kind, tensor)
        self.texture = self._unpacker.texture

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

    def encode(self, compute_pass: Any) -> None:
        """Record the writing of the texture."""
        self._unpacker.encode(compute_pass)

    def decode(self, data: bytes | memoryview, size: Size) -> Reading:
        """Nothing is read back, so nothing is said."""
        return Reading()

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> DenseReading:
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
        return DenseReading(values=values)

    def upload(self, reading: DenseReading) -> None:
        """Put an output where `encode` takes it from."""
        self._gpu.queue.write_buffer(self._owned, 0, reading.values)

    def close(self) -> None:
        """Release texture and buffer."""
        self._unpacker.close()
        if self._owned is not None:
            self._owned.destroy()


class DenseNetwork:
    """A network whose output covers the picture. For the thread that renders; `load` may run on another.

    Attributes:
        name: the file's name.
        texture: the newest output, see `GpuUnpacker`.
        plan, layout: how the input is made and the output read.
        session: the network.
    """

    def __init__(self, gpu: Gpu, name: str, loaded: LoadedSession, plan: DensePlan) -> None:
        """Put a loaded network together with what goes before and after it; `load` does all of it.

        Raises:
            ModelUnsupportedError: its input or output is not what is needed.
            ModelError: a trial run failed.
        """
        self._gpu = gpu
        self.name = name
        self.session = loaded.session
        if len(self.session.inputs) != 1:
            raise ModelUnsupportedError(
                sentence(
                    "{name} has the inputs {names}, where a picture is the only one; choose another network.",
                    name=name,
                    names=", ".join(i.name for i in self.session.inputs),
                )
            )
        output = choose_output(plan, self.session.outputs, name)

        def run(array: np.ndarray) -> np.ndarray:
            return self.session.run({plan.facts.input_name: array})[output.name]

        self.plan, self.layout = settle(plan, layout_of(plan, output, name), run, name)
        self._head = DenseHead(gpu, loaded, output, self.layout, plan.request.output)
        given = self.plan.input
        notes = [sentence_of(finding) for finding in self.plan.findings]
        if given.inner != (given.width, given.height):
            filled = f"{given.inner[0]}x{given.inner[1]}"
            notes.insert(
                0,
                sentence("The picture fills {filled} of it; its edge is repeated around it.", filled=filled),
            )
        self._network = PictureNetwork(gpu, loaded, given, plan.facts, self._head, tuple(notes))
        self.texture = self._head.texture
        self._read_back = 0

    @classmethod
    def load(
        cls,
        gpu: Gpu,
        model: str,
        picture: Size,
        request: DenseRequest,
        *,
        backend: str = "auto",
        threads: int | None = None,
        models: OpenModels | None = None,
    ) -> DenseNetwork:
        """Load a network for pictures of a size (width, height).

        Args:
            gpu: the device, which prepares pictures and shows outputs whatever the backend.
            model: name of a built-in network, or path of an ONNX file.
            picture: size; a network that takes any size is built for it, or for what it is shrunk to.
            request: what is needed of the network.
            backend: see `load_session`.
            threads: threads of onnxruntime.
            models: may have it open already.

        Raises:
            ModelError: there is no such network, it cannot be read, no backend takes it, or its output is not what is needed.
            UsageError: no network is named, or a setting of its sidecar does not fit.
        """
        file = ModelFile.find(model, (models or OpenModels()).take)
        plan = plan_dense(file, picture, file.statement, request)
        shapes = {plan.facts.input_name: plan.input.shape}
        loaded = load_session(file, gpu=gpu, backend=backend, threads=threads, input_shapes=shapes)
        try:
            return cls(gpu, file.name, loaded, plan)
        except Exception:
            loaded.session.close()
            raise

    @property
    def on_gpu(self) -> bool:
        """True where it runs inside the frame."""
        return self._network.on_gpu

    @property
    def description(self) -> Description:
        """Backend and reason, the input, and what was inferred or assumed."""
        return self._network.description

    def describe(self) -> str:
        """Return the description in lines for the user."""
        return self.description.text

    # -- in a frame --------------------------------------------------------------------------------------------------

    def bind(self, texture: Any) -> None:
        """Take pictures from `texture` (any float format, usage TEXTURE_BINDING) from now on."""
        self._network.bind(texture)

    def encode(self, compute_pass: Any, budget_ms: float | None = None) -> Slice | None:
        """Record input, network and output of the bound picture; for the wgpu backend.

        With a budget, record only as much as is estimated to take so many milliseconds, and return what that was: the texture has a new
        result after a slice that is `finished`, and the slices before it leave it alone. Tell what a slice took with `measured`.
        """
        if budget_ms is not None:
            return self._network.encode_slice(compute_pass, budget_ms)
        self._network.encode(compute_pass)
        return None

    def measured(self, part: Slice, gpu_ms: float) -> None:
        """Tell how long a slice took on the GPU."""
        self._network.measured(part, gpu_ms)

    def restart(self) -> None:
        """Begin the next slice with a new picture."""
        self._network.restart()

    def run_now(self, commands: FrameCommands, **span: Any) -> None:
        """Compute the bound picture's result before anything else goes on; for onnxruntime, in batch work.

        What is recorded so far is submitted: the picture may be made by it. `span` goes to the pass that makes the input.

        Raises:
            ModelError: inference failed.
        """
        compute_pass = commands.encoder.begin_compute_pass(**span)
        self._network.prepare(compute_pass)
        compute_pass.end()
        commands.submit_part()
        array = self._network.read_input()
        self._read_back = array.nbytes
        outputs = self.session.run({self.plan.facts.input_name: array})
        self._head.upload(self._head.read(outputs, self._network.size))
        compute_pass = commands.encoder.begin_compute_pass()
        self._head.encode(compute_pass)
        compute_pass.end()

    # -- beside the frames -------------------------------------------------------------------------------------------

    def start(self, on_result: Callable[[], None]) -> None:
        """Start the thread of the CPU backend; `on_result` is called from it and must only wake somebody."""
        self._network.start(on_result)

    def prepare(self, compute_pass: Any) -> bool:
        """Record the input of the bound picture for the thread, if that is idle, and return whether it was; `capture` and `submitted`
        follow."""
        self._network.encode(compute_pass)
        return self._network.capturing

    def capture(self, encoder: Any) -> None:
        """Record the copy of what `prepare` made, after its pass."""
        if self._network.capturing:
            self._read_back = self._network.readback_bytes
        self._network.capture(encoder)

    def submitted(self, note: Any) -> int:
        """Hand what was captured to the thread, after the submission; return the bytes of input that the frame read back."""
        self._network.submitted(note)
        count, self._read_back = self._read_back, 0
        return count

    def poll(self) -> DenseReading | None:
        """Upload the thread's newest result, once; the next `encode_output` shows it.

        Raises:
            LightloomError: inference failed; the thread has stopped.
        """
        reading = cast("DenseReading | None", self._network.poll())
        if reading is not None:
            self._head.upload(reading)
        return reading

    def encode_output(self, compute_pass: Any) -> None:
        """Record the writing of the texture from what was uploaded last."""
        self._head.encode(compute_pass)

    def close(self) -> None:
        """Stop the thread (a running inference is waited for) and release everything."""
        self._network.close()


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
