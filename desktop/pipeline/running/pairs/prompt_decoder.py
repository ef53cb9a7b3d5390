"""Decoder of a prompted pair, on a separate thread: a session for each number of positions.

Sessions use host arrays: embeddings take a millisecond each way, and answers come between frames. They are
not padded to more positions: the decoder would attend to the padding, which changes the answer.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from desktop.base.errors import LightloomError, ModelError
from desktop.base.wording import sentence
from desktop.compute.gpu.device import Gpu
from desktop.compute.nn.session import Precision
from desktop.pipeline.running.one.head_reader import has_nan
from desktop.vision.backends.loader import LoadedSession, load_session
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.trimming import trimmed
from desktop.vision.tasks.common.mask_ring import MaskRing
from desktop.vision.tasks.common.prompted import DecoderForm
from desktop.vision.tasks.common.prompts import Prompts
from desktop.vision.tasks.task import Result, Size

# A decoder of Segment Anything is 16 MB of weights.
_MOST_SESSIONS: Final = 6


@dataclass(frozen=True)
class Question:
    """A question about a frame.

    Attributes:
        embed: returns embeddings by the encoder's output names; called on the thread, once per frame.
        part: fractions of the encoder's longer side that the frame's width and height fill.
        generation: number of the frame; answers about others are void.
        requested_at: time of the question (`time.perf_counter`).
    """

    prompts: Prompts
    embed: Callable[[], Mapping[str, np.ndarray]] = field(repr=False)
    size: Size
    part: tuple[float, float]
    generation: int
    requested_at: float


@dataclass(frozen=True)
class PromptResult:
    """Answer to a question: a result or the reason for none, and `embeddings` for the next question."""

    question: Question
    result: Result | None
    error: LightloomError | None
    decoder_ms: float = 0.0


class PromptDecoder:
    """Answers the newest question; `request` and `poll` never wait. For the rendering thread; made on any."""

    def __init__(
        self,
        gpu: Gpu,
        file: ModelFile,
        form: DecoderForm,
        *,
        where: tuple[str, str],
        precision: Precision,
    ) -> None:
        """Load it for the simplest question, and start the thread; `where` is (backend, device).

        Raise ModelUnsupportedError if no backend supports it, ModelInvalidError if it is unreadable.
        """
        self._form = form
        self.on_result: Callable[[], None] = lambda: None
        self._gpu, self._path, self._where, self._precision = gpu, file.path, where, precision
        self._sessions: dict[int, LoadedSession] = {}
        self.loaded = self._load(form.fewest_rows, file)
        with contextlib.ExitStack() as opened:
            opened.callback(self.loaded.session.close)
            self._ring = MaskRing(gpu, form.mask_size(self.loaded.session.outputs), 1)
            opened.pop_all()
        self._embedded: tuple[int, Mapping[str, np.ndarray]] | None = None
        self._newest: Question | None = None
        self._wake: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[PromptResult] = queue.SimpleQueue()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="prompt decoder", daemon=True)
        self._thread.start()

    # -- for the thread that renders -------------------------------------------------------------------------

    def check(self, prompts: Prompts) -> None:
        """Raise ModelUnsupportedError for prompts that the decoder does not support."""
        self._form.rows(prompts)

    def request(self, question: Question) -> None:
        """Ask; earlier questions that were not started are dropped."""
        self._newest = question
        self._wake.put(True)

    def discard_pending(self) -> None:
        """Drop questions that were not started."""
        self._newest = None

    def poll(self) -> PromptResult | None:
        """Return the newest answer, once."""
        newest = None
        with contextlib.suppress(queue.Empty):
            while True:
                newest = self._results.get_nowait()
        return newest

    def close(self) -> None:
        """Stop the thread (what it computes is waited for, 10 s at most) and release the sessions."""
        self._ended = True
        self._wake.put(False)
        self._thread.join(timeout=10.0)
        for loaded in self._sessions.values():
            loaded.session.close()
        self._sessions.clear()
        self._embedded = None

    # -- on the thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        while self._wake.get() and not self._ended:
            question, self._newest = self._newest, None
            if question is None:
                continue
            answer = self._decode_prompts(question)
            self._results.put(answer)
            self.on_result()
            if self._form.rows_differ and self._newest is None and not self._ended:
                with contextlib.suppress(LightloomError):
                    self._session(self._form.rows(question.prompts) + 1)

    def _decode_prompts(self, question: Question) -> PromptResult:
        try:
            rows = self._form.rows(question.prompts)
            embeddings = self._embeddings(question)
            session = self._session(rows).session
            feeds = self._form.feeds(question.prompts, question.part, rows, embeddings)
            taken = {info.name for info in session.inputs}
            began = time.perf_counter()
            outputs = session.run({name: value for name, value in feeds.items() if name in taken})
            took = (time.perf_counter() - began) * 1e3
            found = self._form.result(outputs, question.prompts, question.part, question.size, self._ring)
            return PromptResult(question, replace(found, has_nan=has_nan(outputs)), None, took)
        except LightloomError as error:
            return PromptResult(question, None, error)
        except Exception as error:
            # Whatever it is: a thread that dies silently would look like a decoder that never answers.
            reason = sentence("The decoder failed ({error}); load the network again.", error=error)
            return PromptResult(question, None, ModelError(reason))

    def _embeddings(self, question: Question) -> Mapping[str, np.ndarray]:
        if self._embedded is None or self._embedded[0] != question.generation:
            arrays = question.embed()
            mine = {wanted: arrays[source] for wanted, source in self._form.sources.items()}
            self._embedded = (question.generation, mine)
        return self._embedded[1]

    def _session(self, rows: int) -> LoadedSession:
        if rows not in self._sessions:
            while len(self._sessions) >= _MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions))).session.close()
            with ModelFile.opened(self._path) as file:
                self._load(rows, file)
        return self._sessions[rows]

    def _load(self, rows: int, file: ModelFile) -> LoadedSession:
        file = trimmed(file, self._form.outputs)
        names = {file.facts.input_name, *(info.name for info in file.facts.others)}
        fixed = {name: value for name, value in self._form.fixed().items() if name in names}
        shapes = {
            name: shape for name, shape in self._form.shapes(rows).items() if name in names - fixed.keys()
        }
        loaded = load_session(
            file,
            gpu=self._gpu,
            backend=self._where[0],
            device=self._where[1],
            precision=self._precision,
            input_shapes=shapes,
            input_values=fixed,
        )
        self._sessions[rows] = loaded
        return loaded
