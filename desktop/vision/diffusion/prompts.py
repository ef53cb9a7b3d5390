"""Prompts that change while images are generated: encoded on a thread, and blended into one another."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from desktop.base.errors import LightloomError, ModelError
from desktop.base.wording import sentence
from desktop.vision.diffusion.folder import Folder
from desktop.vision.diffusion.running import Context
from desktop.vision.diffusion.text import embed

Prompts = tuple[str, ...]
_MAX_CACHED: Final = 16


@dataclass(frozen=True)
class Blend:
    """A linear transition between embeddings, float32 [prompts, tokens, width]."""

    start: np.ndarray
    goal: np.ndarray
    began: float = 0.0
    seconds: float = 0.0

    def at(self, now: float) -> np.ndarray:
        """Return the embeddings at a time, float32."""
        if not self.is_moving(now):
            return self.goal
        share = np.float32((now - self.began) / self.seconds)
        return self.start + share * (self.goal - self.start)

    def is_moving(self, now: float) -> bool:
        """Return True if the embeddings still change after a time."""
        return now - self.began < self.seconds

    def turned(self, goal: np.ndarray, now: float, seconds: float) -> Blend:
        """Return the transition from the current embeddings to another goal."""
        return Blend(self.at(now), goal, now, seconds)


class PromptReader:
    """Encodes prompts on a thread, the newest first, skipping replaced ones; caches the last embeddings.

    The text encoder is on the device only while it runs: loading takes 0.5 s, keeping it 0.25 GB in fp16.
    """

    def __init__(self, folder: Folder, context: Context) -> None:
        """Start without prompts."""
        self._folder, self._context = folder, context
        self._thread = ThreadPoolExecutor(1, "prompts")
        self._known: OrderedDict[str, np.ndarray] = OrderedDict()
        self._requested: Prompts = ()
        self._reading: tuple[Prompts, Future[np.ndarray]] | None = None

    def request(self, prompts: Prompts) -> None:
        """Request other prompts, as many as the UNet's batch."""
        self._requested = prompts

    def take(self, *, wait: bool = False) -> np.ndarray | None:
        """Return the embeddings, float32 [prompts, tokens, width]; None while computed, unless `wait`.

        Raises ModelError if tokenizer or text encoder fail, LightloomError without the package `tokenizers`.
        """
        try:
            return self._take(wait)
        except LightloomError:
            raise
        except Exception as error:  # a library's or the driver's own, caused by an untrusted file
            raise ModelError(
                sentence(
                    "The text encoder of {folder} did not read the prompt ({reason}); choose another "
                    "prompt or folder.",
                    folder=self._folder.name,
                    reason=(str(error).strip() or type(error).__name__).splitlines()[0].rstrip("."),
                )
            ) from error

    def _take(self, wait: bool) -> np.ndarray | None:
        while self._missing():
            if self._reading is None:
                missing = self._missing()
                self._reading = missing, self._thread.submit(self._read, missing)
            prompts, future = self._reading
            if not future.done() and not wait:
                return None
            self._reading = None
            self._known |= zip(prompts, future.result(), strict=True)
        for prompt in self._requested:
            self._known.move_to_end(prompt)
        while len(self._known) > _MAX_CACHED:
            self._known.popitem(last=False)
        return np.stack([self._known[prompt] for prompt in self._requested])

    def _missing(self) -> Prompts:
        return tuple(dict.fromkeys(prompt for prompt in self._requested if prompt not in self._known))

    def _read(self, prompts: Prompts) -> np.ndarray:
        return embed(self._folder, self._context, prompts).states

    def close(self) -> None:
        """End the thread after its current work."""
        self._thread.shutdown(wait=True, cancel_futures=True)
