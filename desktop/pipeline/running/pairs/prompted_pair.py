"""An encoder and a decoder with point prompts: the encoder runs on a frame when the user points at it.

Embeddings stay until the next frame; further prompts run only the decoder (prompt_decoder.py).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import Text, sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.frame_commands import FrameCommands
from desktop.compute.gpu.timing import FrameTimer
from desktop.compute.nn.session import Precision
from desktop.pipeline.running.description import where_of
from desktop.pipeline.running.inputs.picture import Picture
from desktop.pipeline.running.network_spec import NetworkSpec
from desktop.pipeline.running.one.loading import load_network
from desktop.pipeline.running.one.picture_network import PictureNetwork
from desktop.pipeline.running.one.runner import InferenceRunner
from desktop.pipeline.running.one.strategy import NetworkTurn
from desktop.pipeline.running.pairs.prompt_decoder import PromptDecoder, Question
from desktop.vision.models.model_file import ModelFile
from desktop.vision.tasks import all_tasks
from desktop.vision.tasks.common.prompted import Embedded, EmbeddingHead, Half, PromptedTask
from desktop.vision.tasks.common.prompts import Prompts
from desktop.vision.tasks.task import Features, Result, Size

if TYPE_CHECKING:
    import wgpu


@dataclass(frozen=True)
class _EncodedFrame:
    """An encoded frame: its time and size, and access to its embeddings."""

    pts: float
    size: Size
    arrays: Mapping[str, np.ndarray] | None


@dataclass(frozen=True)
class PromptedPairTurn:
    """Work of one frame for the encoder; see `Turn` in analysis.py. Embeddings are not read back."""

    _pair: PromptedPair
    _turn: NetworkTurn

    @property
    def span(self) -> str:
        """Name of its span in the frame's timer."""
        return self._turn.span

    def copy_result(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> int:
        """Do nothing: there is nothing in the frame's slot."""
        return 0

    def submitted(self) -> int:
        """Record the submission: after the last slice, the decoder may read the embeddings."""
        count = self._turn.submitted()
        self._pair._submitted(self._turn)
        return count

    def measured(self, gpu_ms: float) -> None:
        """Record the GPU time of its span."""
        self._turn.measured(gpu_ms)

    def result(self, data: bytes) -> None:
        """See `copy_result`."""


class PromptedPair:
    """Implements `Analysis` and `Prompted`. For the rendering thread; it may be made on another.

    Attributes:
        budget_ms: GPU time the encoder may use per frame; None for no limit (batch work).
        decoder_ms, answer_ms: times of the last answer: of the decoder alone, and from the question.
    """

    def __init__(
        self, gpu: Gpu, task: PromptedTask, encoder: PictureNetwork, decoder: PromptDecoder, spec: NetworkSpec
    ) -> None:
        self._task = task
        self._gpu, self._network, self._decoder, self._spec = gpu, encoder, decoder, spec
        self._runner = InferenceRunner(gpu, encoder)
        self.budget_ms: float | None = None
        self.encoded = 0
        self.decoder_ms = self.response_ms = 0.0
        self._prompts = Prompts()
        self._encoded_frame: _EncodedFrame | None = None
        self._wants = self._running = self._is_requested = False
        self._fresh: Result | None = task.nothing()
        self._picture = 0
        self._share = 0.0

    @classmethod
    def load(
        cls, gpu: Gpu, task: PromptedTask, spec: NetworkSpec, encoder: ModelFile, decoder: ModelFile
    ) -> PromptedPair:
        """Load both, on any thread; `spec` has the encoder's settings, and the decoder's in a `second`.

        Raise LightloomError, see `load_network`, also if the two do not fit each other.
        """
        with ExitStack() as opened:
            network = load_network(
                *(gpu, task.encoder(encoder), task.id),
                settings=spec.settings,
                backend=spec.backend,
                precision=cast(Precision, spec.precision),
                device=spec.device,
                preset=spec.preprocess,
            )
            opened.callback(network.close)
            other = spec.second or spec
            form = task.decoder(decoder, encoder.name, network.session.outputs)
            precision = cast(Precision, other.precision)
            where = (other.backend, other.device)
            answers = PromptDecoder(gpu, decoder, form, where=where, precision=precision)
            opened.callback(answers.close)
            pair = cls(gpu, task, network, answers, spec)
            opened.pop_all()
            return pair

    @property
    def networks(self) -> tuple[PictureNetwork]:
        """The network that reads frames: not the decoder."""
        return (self._network,)

    # -- asking ----------------------------------------------------------------------------------------------

    def prompt(self, prompts: Prompts) -> None:
        """Prompt on the current frame, or drop the previous prompts.

        Raise ModelUnsupportedError if the decoder does not support such prompts; the previous ones stay.
        """
        self._decoder.check(prompts)
        self._prompts = prompts
        self._is_requested = False
        if not prompts:
            self._stop()
            self._fresh = self._task.nothing()
        elif self._encoded_frame is not None:
            self._request_mask(self._encoded_frame)
        elif not self._running:
            self._wants = True

    @property
    def progress(self) -> float | None:
        """While the encoder runs, its progress, 0 to 1, or -1.0 if unknown; else None."""
        if not (self._wants or self._running):
            return None
        return self._share if self._network.encodes else -1.0

    def _request_mask(self, frame: _EncodedFrame) -> None:
        head = self._network.head
        assert isinstance(head, EmbeddingHead)
        arrays = frame.arrays
        plan = self._network.preprocess
        box, side = plan.box(*frame.size), max(plan.width, plan.height)
        self._is_requested = True
        self._decoder.request(
            Question(
                self._prompts,
                (lambda: arrays) if arrays is not None else head.fetch,
                frame.size,
                (box.target_width / side, box.target_height / side),
                self._picture,
                time.perf_counter(),
            )
        )

    def _stop(self) -> None:
        self._wants = self._running = self._is_requested = False
        self._runner.void()
        self._decoder.discard_pending()

    def _discard_requests(self) -> None:
        """Drop questions about the previous frame."""
        self._stop()
        self._picture += 1
        self._encoded_frame = None
        self._prompts = Prompts()
        self._fresh = self._task.nothing()

    # -- frames ----------------------------------------------------------------------------------------------

    def encode(
        self,
        encoder: wgpu.GPUCommandEncoder,
        texture: wgpu.GPUTexture,
        pts: float,
        timer: FrameTimer,
        *,
        is_new: bool,
    ) -> PromptedPairTurn | None:
        """Record the encoder, or a slice of it, if the user has pointed at this frame; see `Analysis`."""
        if is_new:
            self._discard_requests()
        if not (self._wants or (self._running and self._network.encodes)):
            return None
        began, self._wants = self._wants, False
        if began:
            self._runner.is_due = True
        commands = FrameCommands(self._gpu, encoder)
        turn = self._runner.encode(
            *(commands, Picture(texture, texture, pts), timer, "network"),
            look=began,
            budget_ms=self.budget_ms,
        )
        if turn.captured is None and not self._network.encodes:
            # The thread is still busy with an obsolete frame.
            self._wants = True
            return PromptedPairTurn(self, turn)
        self._running = True
        self._share = turn.part.stop / self._network.steps if turn.part is not None else 0.0
        return PromptedPairTurn(self, turn)

    def _submitted(self, turn: NetworkTurn) -> None:
        # After the encoder's last slice; a thread's result comes by `poll`. If stopped, it finishes nothing.
        if self._network.encodes and turn.finished and self._running:
            self._encoding_done(_EncodedFrame(turn.note, turn.size, None))

    def _encoding_done(self, frame: _EncodedFrame) -> None:
        self._running = False
        self.encoded += 1
        self._encoded_frame = frame
        if self._prompts:
            self._request_mask(frame)

    def poll(self) -> Result | None:
        """Return a new result once; raise ModelError if inference failed."""
        found = self._runner.poll()
        if isinstance(found, Embedded) and self._running:
            self._encoding_done(_EncodedFrame(found.note, found.size, found.arrays))
        fresh, self._fresh = self._fresh, None
        answer = self._decoder.poll()
        if answer is None or answer.question.generation != self._picture or not self._prompts:
            return fresh
        if answer.question.prompts == self._prompts:
            self._is_requested = False
        if answer.error is not None:
            raise answer.error
        assert answer.result is not None and self._encoded_frame is not None
        self.decoder_ms = answer.decoder_ms
        self.response_ms = (time.perf_counter() - answer.question.requested_at) * 1e3
        return replace(
            answer.result,
            note=self._encoded_frame.pts,
            latency_ms=self.response_ms,
            inference_ms=answer.decoder_ms,
        )

    # -- see `Analysis` --------------------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """True while the encoder or the decoder has something to do, or there is a result to be taken."""
        return self._wants or self._running or self._is_requested or self._fresh is not None

    @property
    def waits(self) -> bool:
        """See `Prompted`: what is under way is on threads."""
        return not (self._wants or (self._running and self._network.encodes))

    @property
    def features(self) -> Features:
        """Settings: none."""
        return self._network.head.features

    @property
    def description(self) -> Text:
        """Backends of both."""
        loaded = self._decoder.loaded
        decoder = sentence("{where}: {rest}", where=where_of(loaded.session), rest=loaded.reason)
        return sentence("{first}\nDecoder: {second}", first=self._network.description.text, second=decoder)

    @property
    def inference_ms(self) -> float | None:
        """Time of the last answer of the decoder."""
        return self.decoder_ms or None

    def adjust(self, spec: NetworkSpec) -> bool:
        """Apply changes of the interval and the input, which have no effect here; others need a reload."""
        kept = {name: getattr(self._spec, name) for name in ("every", "on_result", "is_portrait")}
        if replace(spec, **kept) != self._spec:
            return False
        if spec.on_result != self._spec.on_result:
            self._discard_requests()
        self._spec = spec
        return True

    def restart(self) -> None:
        """See `Analysis`."""
        self._discard_requests()

    def close(self) -> None:
        """Release both; waits for work on a thread."""
        self._decoder.close()
        self._runner.close()


def load_prompted(gpu: Gpu, spec: NetworkSpec, model: ModelFile | None = None) -> PromptedPair | None:
    """Load an encoder with its decoder, if a spec names either; None for any other network.

    The other is the spec's secondary network or a file next to it (`PromptedTask.find_other`); raise
    LightloomError if it is missing or as `PromptedPair.load` does.
    """
    with ModelFile.opened(model or spec.model) as file:
        task, half = _half_of(file, spec.task)
        if task is None or half is None:
            return None
        other = spec.second.model if spec.second is not None else task.find_other(file, half)
        with ModelFile.opened(other) as found:
            if file.remote is not None or found.remote is not None:
                raise ModelUnsupportedError(
                    sentence(
                        "{name} marks what is pointed at, which is computed on this machine alone; choose "
                        "a file.",
                        name=(file if file.remote is not None else found).name,
                    )
                )
            encoder, decoder = (file, found) if half == "encoder" else (found, file)
            return PromptedPair.load(gpu, task, spec, encoder, decoder)


def _half_of(file: ModelFile, wanted: str) -> tuple[PromptedTask | None, Half | None]:
    for task in all_tasks():
        if isinstance(task, PromptedTask) and wanted in ("auto", task.id):
            half = task.half(file.facts)
            if half is not None:
                return task, half
    return None, None
