"""A pipeline's folder recorded into a frame: all tensors from input to result stay on the GPU."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.resources import task_shader
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command
from desktop.compute.nn.session import GpuSession, Session, SessionCapabilities, SimilarityTest, Tensor
from desktop.pipeline.running.repaint.denoise_commands import WATCHED, DenoiseCommands, groups_of
from desktop.pipeline.running.repaint.latents import PICTURE, REPAINTED, Latents, Parts
from desktop.pipeline.running.repaint.recorded_parts import RecordedPart, record_parts
from desktop.vision.diffusion.denoiser import plan_condition
from desktop.vision.diffusion.folder import Coder
from desktop.vision.diffusion.live import LiveFolder, draws
from desktop.vision.diffusion.plan import Plan
from desktop.vision.diffusion.prompts import Blend, PromptReader
from desktop.vision.diffusion.trajectory import PAST, Step

_LABEL: Final = "nn_tasks/latents.wgsl"
_KINDS: Final = {"float32": 0, "float16": 1, "int32": 2}
_USUAL: Final = (
    Binding.uniform("plan"),
    Binding.read_only("source"),
    Binding.storage("goal"),
)
_SCALE: Final = Bindings(_USUAL)
_BEGIN: Final = Bindings((*_USUAL, Binding.read_only("noise")))
_ADVANCE: Final = Bindings((*_USUAL, Binding.read_only("noise"), Binding.storage("past")))


@dataclass(frozen=True)
class _Words:
    """Variable fields of the shader's struct Plan, in its order."""

    guided: int = 0
    gain: float = 1.0
    bias: float = 0.0
    guidance: float = 0.0
    denoised_sample: float = 0.0
    denoised_output: float = 0.0
    clip: float = 0.0
    of_sample: float = 0.0
    of_output: float = 0.0
    of_denoised: float = 0.0
    of_previous: float = 0.0
    of_second: float = 0.0
    of_third: float = 0.0
    of_noise: float = 0.0
    kept: int = 0


_Values = Callable[[Plan], _Words]
_EVERY: Final = -1
"""Step of a dispatch that belongs to no single step, such as the first sample's noise."""

# The six words before `_Words` say where source and goal lie.
_FORMAT: Final = "<6I I 13f I 12x"
_BYTES: Final = struct.calcsize(_FORMAT)


@dataclass(frozen=True)
class _Written:
    """The uniform of a dispatch, and what is written into it for a plan that has the dispatch's step."""

    step: int
    buffer: wgpu.GPUBuffer
    places: tuple[int, int, int, int, int, int]
    values: _Values


class GpuLatents(Latents):
    """Recorded networks of a folder. Implements `GpuSession`. It records squares and similarity test, encoder
    and noise, UNet and step for each step, decoder, then the result, unless the image is similar to the last.
    """

    def __init__(self, gpu: Gpu, live: LiveFolder, parts: Parts, reader: PromptReader, plan: Plan) -> None:
        """Make the dispatches around the networks; raise ModelUnsupportedError for unfit memory layouts."""
        super().__init__(live, parts, reader, plan)
        self._gpu = gpu
        self._owned: list[wgpu.GPUBuffer] = []
        self._written: list[_Written] = []
        self._commands = DenoiseCommands(gpu, plan.width, plan.height)
        try:
            self._make(plan)
        except Exception:
            self._release()
            raise
        self._is_new = True  # there are settings that the GPU does not have yet

    def _make(self, plan: Plan) -> None:
        self._picture, self._result = self._floats(self._shape), self._floats(self._shape)
        self._decoded = self._floats(self._shape)
        self._sample = self._floats(plan.latents)
        self._outputs = self._floats((plan.batch, *plan.latents[1:]))
        self._past = self._floats((PAST, *plan.latents[1:]))
        self._states = self._floats(
            (plan.batch, *self._tensor(self._unet_session, "encoder_hidden_states").shape[1:])
        )
        self._noises = [self._floats(plan.latents)]  # of the first sample, and of each step
        self._steps: list[
            tuple[RecordedPart, ...]
        ] = []  # as many as were needed so far; what each hangs on is its number
        self._before, self._behind = self._around(plan)
        self._record = self._planned(plan)

    # -- what there is ---------------------------------------------------------------------------------------

    def _floats(self, shape: tuple[int, ...]) -> Tensor:
        usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_DST | wgpu.BufferUsage.COPY_SRC
        self._owned.append(self._gpu.buffer(4 * math.prod(shape), usage, "latents"))
        return Tensor(self._owned[-1], shape, "float32")

    @property
    def _unet_session(self) -> GpuSession:
        return _recorded(self._parts.denoiser.session)

    def _tensor(self, session: GpuSession, name: str) -> Tensor:
        tensor = session.tensor(name)
        if tensor.layout != "NCHW" or tensor.dtype not in _KINDS or tensor.offset % 4:
            raise ModelUnsupportedError(
                sentence(
                    "'{tensor}' of {folder} has elements of type {dtype}, where a pipeline has "
                    "floating-point numbers in planes; "
                    "choose the backend onnxruntime.",
                    tensor=name,
                    folder=self._live.folder.name,
                    dtype=tensor.dtype,
                )
            )
        return tensor

    def _coder(self, coder: Coder, session: GpuSession) -> tuple[Tensor, Tensor]:
        return (
            self._tensor(session, coder.part.inputs[0].name),
            self._tensor(session, coder.part.outputs[0].name),
        )

    # -- the dispatches --------------------------------------------------------------------------------------

    def _around(self, plan: Plan) -> tuple[tuple[RecordedPart, ...], tuple[RecordedPart, ...]]:
        """Return what goes before the first step, and behind the last."""
        assert plan.encoder is not None
        encoder, decoder = _recorded(self._parts.encoder), _recorded(self._parts.decoder)
        pixels, given = self._coder(plan.encoder, encoder)
        latent, painted = self._coder(plan.decoder, decoder)
        looked = self._commands.watch(self._picture, self._result)
        looked.append(self._scale(self._picture, pixels, _ranged(plan.encoder, back=False)))
        before = (
            RecordedPart.of(looked),
            RecordedPart(encoder.dispatch_count, encoder.encode),
            RecordedPart.of([self._command("begin", _BEGIN, given, self._sample, _begun)]),
        )
        return before, (
            RecordedPart.of([self._scale(self._sample, latent, _unscaled)]),
            RecordedPart(decoder.dispatch_count, decoder.encode),
            RecordedPart.of(
                [
                    self._scale(painted, self._decoded, _ranged(plan.decoder, back=True)),
                    self._commands.make("finish", self._decoded, self._result, math.prod(self._shape)),
                ]
            ),
        )

    def _planned(self, plan: Plan) -> tuple[RecordedPart, ...]:
        count = len(plan.trajectory.steps)
        for step in range(len(self._steps), count):
            self._noises.append(self._floats(plan.latents))
            self._steps.append(self._stepped(plan, step))
        return (*self._before, *(part for step in self._steps[:count] for part in step), *self._behind)

    def _stepped(self, plan: Plan, step: int) -> tuple[RecordedPart, ...]:
        unet = self._unet_session
        sample, output = self._tensor(unet, "sample"), self._tensor(unet, self._unet.outputs[0].name)
        time_told, states = self._tensor(unet, "timestep"), self._tensor(unet, "encoder_hidden_states")
        batch = sample.shape[0]
        parts = []
        # A UNet that was exported for one sample runs for each prompt.
        for at in range(0, plan.batch, batch):
            mixing = [
                self._scale(
                    self._sample, sample, lambda plan: _Words(gain=_step(plan, step).input_scale), step
                ),
                self._command(
                    "tell",
                    _SCALE,
                    self._sample,
                    time_told,
                    lambda plan: _Words(bias=_step(plan, step).timestep),
                    step,
                ),
                self._scale(_rows(self._states, at, batch), states),
            ]
            taking = [self._scale(output, _rows(self._outputs, at, batch))]
            parts += [
                RecordedPart.of(mixing),
                RecordedPart(unet.dispatch_count, unet.encode),
                RecordedPart.of(taking),
            ]
        advancing = self._command(
            "advance", _ADVANCE, self._outputs, self._sample, lambda plan: _advanced(plan, step), step
        )
        return (*parts, RecordedPart.of([advancing]))

    def _scale(
        self, source: Tensor, goal: Tensor, values: _Values = lambda plan: _Words(), step: int = _EVERY
    ) -> Command:
        return self._command("scale", _SCALE, source, goal, values, step)

    def _command(
        self,
        entry: str,
        bindings: Bindings,
        source: Tensor,
        goal: Tensor,
        values: _Values,
        step: int = _EVERY,
    ) -> Command:
        total = math.prod(goal.shape)
        count = min(math.prod(source.shape), total)
        usage = wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
        plan = self._gpu.buffer(_BYTES, usage, "latents plan")
        self._owned.append(plan)
        places = (
            count,
            total,
            source.offset // 4,
            goal.offset // 4,
            _KINDS[source.dtype],
            _KINDS[goal.dtype],
        )
        self._written.append(_Written(step, plan, places, values))
        pipeline = self._gpu.compute_pipeline(
            task_shader("latents.wgsl"),
            entry,
            label=_LABEL,
            layouts=[bindings.layout(self._gpu)],
        )
        more = {"noise": self._noises[step + 1].buffer} if bindings is not _SCALE else {}
        more |= {"past": self._past.buffer} if bindings is _ADVANCE else {}
        group = bindings.group(self._gpu, plan=plan, source=source.buffer, goal=goal.buffer, **more)
        return pipeline, (group,), groups_of(total)

    # -- in a frame ------------------------------------------------------------------------------------------

    @property
    def capabilities(self) -> SessionCapabilities:
        """See `Session`; the first dispatches are the squares and the similarity test."""
        similarity = SimilarityTest(WATCHED, self._commands.state, 4)
        return replace(super().capabilities, recorder=self, similarity=similarity)

    @property
    def dispatch_count(self) -> int:
        """See `GpuSession`."""
        return sum(part.count for part in self._record)

    def tensor(self, name: str) -> Tensor:
        """See `GpuSession`: the image, and the repainted one."""
        return self._picture if name == PICTURE else self._result

    @property
    def sample(self) -> Tensor:
        """The last sample; for tests."""
        return self._sample

    def encode(
        self, compute_pass: wgpu.GPUComputePassEncoder, start: int = 0, stop: int | None = None
    ) -> None:
        """See `GpuSession`."""
        if start == 0:
            self._begin()
        record_parts(self._record, compute_pass, start, self.dispatch_count if stop is None else stop)

    def _begin(self) -> None:
        # Not between slices: the result would mix old and new, and stay as long as images are similar.
        blend, now = self._blend, time.perf_counter()
        assert blend is not None, "it follows before it runs"
        if blend is not self._shown:
            self.reset_state()
            self._write(self._states, blend.at(now))
            self._shown = None if blend.is_moving(now) else blend
        if self._is_new:
            self.reset_state()
            self._write_plan(self._plan)
        steady = self._settings.steady
        if self._is_new or not steady:
            plan = self._plan if steady else self._live.plan(self._settings, self._number)
            self._write_noise(plan)
        self._number += not steady
        self._is_new = False

    _shown: Blend | None = None  # whose goal the GPU has

    def _write(self, tensor: Tensor, values: np.ndarray) -> None:
        data = np.ascontiguousarray(values, tensor.dtype).tobytes()
        # A write is of whole words; behind an odd number of halves lies padding.
        self._gpu.queue.write_buffer(tensor.buffer, tensor.offset, data + bytes(-len(data) % 4))

    def _write_plan(self, plan: Plan) -> None:
        for each in self._written:
            if each.step >= len(plan.trajectory.steps):
                continue
            data = struct.pack(_FORMAT, *each.places, *astuple(each.values(plan)))
            self._gpu.queue.write_buffer(each.buffer, 0, data)
        self._commands.write((0.0,), 0, self._settings.similarity)
        condition = plan_condition(self._unet, plan.embedded_guidance, plan.batch)
        if condition is not None:
            tensor = self._tensor(self._unet_session, "timestep_cond")
            self._write(tensor, condition[: tensor.shape[0]])

    def _write_noise(self, plan: Plan) -> None:
        for tensor, values in zip(self._noises, draws(plan), strict=False):  # there may have been more steps
            if values is not None:
                self._write(tensor, values)

    def run(self, feeds: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Repaint one image and wait for it, for trials; see `Session`."""
        self._write(self._picture, feeds[PICTURE])
        self._gpu.compute(self.encode)
        data = np.frombuffer(self._gpu.queue.read_buffer(self._result.buffer), np.float32)
        return {REPAINTED: data.reshape(self._shape).copy()}

    def adjust(self, values: Mapping[str, object]) -> None:
        """See `SessionCapabilities`."""
        super().adjust(values)
        self._record = self._planned(self._plan)
        self._is_new = True

    def reset_state(self) -> None:
        """See `SessionCapabilities`."""
        self._commands.restart()

    def close(self) -> None:
        """See `Session`."""
        self._record = ()
        self._release()
        super().close()

    def _release(self) -> None:
        self._commands.close()
        for buffer in self._owned:
            buffer.destroy()


def _recorded(session: Session) -> GpuSession:
    recorder = session.capabilities.recorder
    assert recorder is not None
    return recorder


def _rows(tensor: Tensor, first: int, count: int) -> Tensor:
    size = 4 * math.prod(tensor.shape[1:])
    return Tensor(
        tensor.buffer, (count, *tensor.shape[1:]), tensor.dtype, offset=tensor.offset + first * size
    )


# -- what is written for a plan ------------------------------------------------------------------------------


def _step(plan: Plan, number: int) -> Step:
    return plan.trajectory.steps[number]


def _ranged(coder: Coder, *, back: bool) -> _Values:
    """From -1..1 to a coder's range, or back."""
    if coder.signed:
        return lambda plan: _Words()
    return lambda plan: _Words(gain=2.0, bias=-1.0) if back else _Words(gain=0.5, bias=0.5)


def _begun(plan: Plan) -> _Words:
    # from_picture * (given - shift) * scaling + from_noise * noise
    assert plan.encoder is not None
    gain = plan.trajectory.from_picture * plan.encoder.scaling
    return _Words(gain=gain, bias=-plan.encoder.shift * gain, of_noise=plan.trajectory.from_noise)


def _unscaled(plan: Plan) -> _Words:
    return _Words(gain=1 / plan.decoder.scaling, bias=plan.decoder.shift)


def _advanced(plan: Plan, number: int) -> _Words:
    step = _step(plan, number)
    return _Words(
        guided=plan.batch - 1,
        guidance=plan.guidance,
        denoised_sample=step.denoised_sample,
        denoised_output=step.denoised_output,
        clip=step.clip,
        of_sample=step.sample,
        of_output=step.output,
        of_denoised=step.denoised,
        of_previous=step.previous,
        of_second=step.second,
        of_third=step.third,
        of_noise=step.noise,
        kept=int(step.kept),
    )
